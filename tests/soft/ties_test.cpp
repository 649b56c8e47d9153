// SPDX-License-Identifier: Apache-2.0

// Who gets the gradient where min and max tie, as kernels.hpp states it: min and max of two values
// give half to each side, max over an index gives all of it to the first index that attains it,
// Lukasiewicz's operators pass it at their kinks, MERGE gives it to the new value. Here through
// whole rules; the kernels' own tests look at each alone.
//
// Scores are set by hand to 0, 1 and simple fractions, so that every valuation and every tie is
// exact.

#include "hri/data.hpp"
#include "hri/model.hpp"

#include "soft/dense.hpp"
#include "soft/inference.hpp"
#include "soft/random_case.hpp"

#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace hri {
namespace {

/// A hierarchy whose scores are set one by one.
class ByHand {
  public:
    ByHand(const std::string& rules, std::vector<PredicateSymbol> inputs, int target_arity,
           Options options)
        : rules_(parse_protorules(rules)),
          inputs_(std::move(inputs)),
          options_(std::move(options)),
          hierarchy_(make_hierarchy(rules_, inputs_, target_arity, options_)),
          alpha_(hierarchy_.slots.size() * hierarchy_.arity.size(), 0.0),
          d_alpha_(alpha_.size(), 0.0) {
        instance_ = make_instance(make_schema(inputs_, {"target", target_arity}), 1);
        // What is not set matches False.
        for (std::size_t a = 0; a < hierarchy_.auxiliaries.size(); ++a) {
            for (const int slot : hierarchy_.auxiliaries[a].slots) {
                alpha_[at(slot, Hierarchy::kFalse)] = 1;
            }
        }
    }

    void constants(int n) { instance_.reset(n, Label::unlabelled); }

    void fact(const std::string& predicate, int first, int second, double value) {
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            if (inputs_[i].name == predicate) {
                instance_.facts[i].push_back({first, second, static_cast<float>(value)});
            }
        }
    }

    /// Slot `slot` of an auxiliary matches predicates with these scores; "target" has one slot.
    void match(const std::string& auxiliary, int slot,
               const std::map<std::string, double>& scores) {
        alpha_[at(slot_of(auxiliary, slot), Hierarchy::kFalse)] = 0;
        for (const auto& [name, score] : scores) {
            alpha_[at(slot_of(auxiliary, slot), predicate(name))] = score;
        }
    }

    /// The target's valuations after `steps` steps.
    std::vector<double> infer(int steps) {
        soft::make_dense(dense_, instance_, soft::columns_of(inputs_, inputs_), inputs_,
                         hierarchy_.target_arity);
        inference_ = soft::Inference<double>(hierarchy_, rules_, options_);
        inference_.forward(alpha_.data(), dense_, steps);
        return inference_.target();
    }

    /// The gradient of the target's atom (after infer).
    void differentiate(std::size_t atom) {
        std::vector<double> d_target(inference_.target().size(), 0.0);
        d_target[atom] = 1;
        d_alpha_.assign(alpha_.size(), 0.0);
        inference_.backward(d_alpha_.data(), d_target.data());
    }

    /// Of the score that slot `slot` of an auxiliary gives to a predicate.
    double gradient(const std::string& auxiliary, int slot, const std::string& name) const {
        return d_alpha_[at(slot_of(auxiliary, slot), predicate(name))];
    }

  private:
    std::size_t at(int slot, int p) const {
        return static_cast<std::size_t>(slot) * hierarchy_.arity.size() +
               static_cast<std::size_t>(p);
    }

    int slot_of(const std::string& auxiliary, int slot) const {
        for (const Auxiliary& aux : hierarchy_.auxiliaries) {
            if (aux.name == auxiliary) {
                return aux.slots.at(static_cast<std::size_t>(slot));
            }
        }
        EXPECT_EQ(auxiliary, "target");
        return hierarchy_.target_slot();
    }

    int predicate(const std::string& name) const {
        if (name == "True") {
            return Hierarchy::kTrue;
        }
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            if (inputs_[i].name == name) {
                return 2 + static_cast<int>(i);
            }
        }
        for (std::size_t a = 0; a < hierarchy_.auxiliaries.size(); ++a) {
            if (hierarchy_.auxiliaries[a].name == name) {
                return hierarchy_.first_auxiliary() + static_cast<int>(a);
            }
        }
        ADD_FAILURE() << "there is no " << name;
        return 0;
    }

    ProtoRules rules_;
    std::vector<PredicateSymbol> inputs_;
    Options options_;
    Hierarchy hierarchy_;
    Instance instance_;
    std::vector<double> alpha_;    // (slots, predicates)
    std::vector<double> d_alpha_;  // the same
    soft::DenseInstance<double> dense_;
    soft::Inference<double> inference_{hierarchy_, rules_, options_};
};

Options layers(int count) {
    Options options = exact_options();
    options.layers = count;
    options.last_layer = LastLayer::all;
    options.recursivity = Recursivity::none;
    return options;
}

const std::vector<PredicateSymbol> kUnary = {{"p", 1}, {"q", 1}};
const std::vector<PredicateSymbol> kBinary = {{"p", 2}, {"q", 2}};

// U copies an input; layer 2 combines what layer 1 copied. A score's gradient is then the valuation
// that it scales times the share of the gradient that arrives there.

TEST(Ties, MinOfTwoEqualValuesGivesHalfToEachSide) {
    ByHand model("U: H(X) <- ~P(X)\nM: H(X) <- ~P(X) & ~Q(X)\n", kUnary, 1, [] {
        Options o = layers(2);
        o.auxiliaries = 2;
        return o;
    }());
    model.fact("p", 0, 0, 0.5);
    model.fact("q", 0, 0, 0.5);
    model.match("U_1.1", 0, {{"p", 1}});
    model.match("U_1.2", 0, {{"q", 1}});
    model.match("M_2.1", 0, {{"U_1.1", 1}});
    model.match("M_2.1", 1, {{"U_1.2", 1}});
    model.match("target", 0, {{"M_2.1", 1}});
    EXPECT_EQ(model.infer(2), std::vector<double>{0.5});
    model.differentiate(0);
    EXPECT_EQ(model.gradient("U_1.1", 0, "p"), 0.5 * 0.5);
    EXPECT_EQ(model.gradient("U_1.2", 0, "q"), 0.5 * 0.5);
}

TEST(Ties, MaxOfTwoEqualValuesGivesHalfToEachSide) {
    ByHand model("L: H(X) <- ~P(X) | ~R(X)\n", kUnary, 1, layers(1));
    model.fact("p", 0, 0, 0.5);
    model.fact("q", 0, 0, 0.5);
    model.match("L_1", 0, {{"p", 1}});
    model.match("L_1", 1, {{"q", 1}});
    model.match("target", 0, {{"L_1", 1}});
    EXPECT_EQ(model.infer(1), std::vector<double>{0.5});
    model.differentiate(0);
    EXPECT_EQ(model.gradient("L_1", 0, "p"), 0.5 * 0.5);
    EXPECT_EQ(model.gradient("L_1", 1, "q"), 0.5 * 0.5);
}

TEST(Ties, LukasiewiczsOrPassesTheGradientAtASumOfOne) {
    Options options = layers(1);
    options.fuzzy_or = Or::lukasiewicz;
    for (const double p : {0.5, 0.75}) {
        ByHand model("L: H(X) <- ~P(X) | ~R(X)\n", kUnary, 1, options);
        model.fact("p", 0, 0, p);
        model.fact("q", 0, 0, 0.5);
        model.match("L_1", 0, {{"p", 1}});
        model.match("L_1", 1, {{"q", 1}});
        model.match("target", 0, {{"L_1", 1}});
        EXPECT_EQ(model.infer(1), std::vector<double>{1.0});
        model.differentiate(0);
        const double passes = p == 0.5 ? 1 : 0;  // above 1 nothing does
        EXPECT_EQ(model.gradient("L_1", 0, "p"), passes * p);
        EXPECT_EQ(model.gradient("L_1", 1, "q"), passes * 0.5);
    }
}

TEST(Ties, LukasiewiczsAndPassesTheGradientAtZero) {
    Options options = layers(2);
    options.fuzzy_and = And::lukasiewicz;
    for (const double q : {0.75, 0.625}) {
        ByHand model("U: H(X) <- ~P(X)\nM: H(X) <- ~P(X) & ~Q(X)\n", kUnary, 1, options);
        model.fact("p", 0, 0, 0.25);
        model.fact("q", 0, 0, q);
        model.match("U_1", 0, {{"p", 1}});
        model.match("M_2", 0, {{"U_1", 1}});
        model.match("M_2", 1, {{"q", 1}});
        model.match("target", 0, {{"M_2", 1}});
        EXPECT_EQ(model.infer(2), std::vector<double>{0.0});
        model.differentiate(0);
        EXPECT_EQ(model.gradient("U_1", 0, "p"), q == 0.75 ? 0.25 : 0.0);  // below, nothing does
    }
}

/// p and q are 1/2 at two places that tie under the maximum of `rule`; the gradient must go to p's,
/// the first, alone. Layer 1 adds both with scores 1/2 and 1/2, so that its valuation at p's place
/// hangs on p's score and at q's on q's.
void expect_first_place_wins(const std::string& rule, Fact of_p, Fact of_q, std::size_t atom,
                             int target_arity = 1, bool beside_true = false) {
    ByHand model("C: H(X,Y) <- ~P(X,Y)\n" + rule, kBinary, target_arity, layers(2));
    model.constants(3);
    model.fact("p", of_p.first, of_p.second, 0.5);
    model.fact("q", of_q.first, of_q.second, 0.5);
    model.match("C_1", 0, {{"p", 0.5}, {"q", 0.5}});
    const std::string name(1, rule[0]);
    model.match(name + "_2", 0, {{"C_1", 1}});
    if (beside_true) {
        model.match(name + "_2", 1, {{"True", 1}});
    }
    model.match("target", 0, {{name + "_2", 1}});
    EXPECT_EQ(model.infer(2)[atom], 0.25) << rule;
    model.differentiate(atom);
    EXPECT_EQ(model.gradient("C_1", 0, "p"), 0.5) << rule;
    EXPECT_EQ(model.gradient("C_1", 0, "q"), 0.0) << rule;
}

TEST(Ties, AnExistentialVariableGivesAllToItsFirstConstant) {
    // one atom
    expect_first_place_wins("E: H(X) <- ~P(X,Z)", {1, 0}, {1, 2}, 1);
    expect_first_place_wins("E: H(X) <- ~P(Z,X)", {0, 1}, {2, 1}, 1);
    expect_first_place_wins("E: H(X) <- ~P(Z,Z) | ~R(X)", {0, 0}, {2, 2}, 1);
    expect_first_place_wins("E: H(X) <- ~P(Z,W) | ~R(X)", {0, 2}, {2, 0}, 1);
    expect_first_place_wins("E: H(X,X) <- ~P(X,Z)", {1, 0}, {1, 2}, 4, 2);
    // a meet that is reduced, and joins of every kind
    expect_first_place_wins("E: H(X) <- ~P(X,Z) & ~Q(Z,X)", {1, 0}, {1, 2}, 1, 1, true);
    expect_first_place_wins("E: H(X) <- ~P(Z,X) & ~Q(X,Z)", {0, 1}, {2, 1}, 1, 1, true);
    expect_first_place_wins("E: H(X,Y) <- ~P(X,Z) & ~Q(Z,Y)", {1, 0}, {1, 2}, 5, 2, true);
    expect_first_place_wins("E: H(X,Y) <- ~P(Z,Y) & ~Q(X,Z)", {0, 1}, {2, 1}, 7, 2, true);
    expect_first_place_wins("E: H(X,Y) <- ~P(X,Z) & ~Q(Y,Z)", {1, 0}, {1, 2}, 5, 2, true);
}

TEST(Ties, AJoinOfTwoLearnedPredicatesGivesAllToTheFirstMiddle) {
    // H(0,1) through z = 0 or z = 2, both worth 1/4: C(0,z) ties with itself, D(z,1) is worth more.
    Options options = layers(2);
    options.auxiliaries = 2;
    ByHand model("C: H(X,Y) <- ~P(X,Y)\nB: H(X,Y) <- ~P(X,Z) & ~Q(Z,Y)\n",
                 {{"p", 2}, {"q", 2}, {"r", 2}}, 2, options);
    model.constants(3);
    model.fact("p", 0, 0, 0.5);
    model.fact("q", 0, 2, 0.5);
    model.fact("r", 0, 1, 0.75);
    model.fact("r", 2, 1, 0.75);
    model.match("C_1.1", 0, {{"p", 0.5}, {"q", 0.5}});
    model.match("C_1.2", 0, {{"r", 1}});
    model.match("B_2.1", 0, {{"C_1.1", 1}});
    model.match("B_2.1", 1, {{"C_1.2", 1}});
    model.match("target", 0, {{"B_2.1", 1}});
    EXPECT_EQ(model.infer(2)[1], 0.25);
    model.differentiate(1);
    EXPECT_EQ(model.gradient("C_1.1", 0, "p"), 0.5);
    EXPECT_EQ(model.gradient("C_1.1", 0, "q"), 0.0);
    EXPECT_EQ(model.gradient("C_1.2", 0, "r"), 0.0);
}

TEST(Ties, AUnaryTargetReadsTheFirstConstantOfABinaryPredicate) {
    ByHand model("C: H(X,Y) <- ~P(X,Y)\n", kBinary, 1, layers(1));
    model.constants(3);
    model.fact("p", 1, 0, 0.5);
    model.fact("q", 1, 2, 0.5);
    model.match("C_1", 0, {{"p", 0.5}, {"q", 0.5}});
    model.match("target", 0, {{"C_1", 1}});
    EXPECT_EQ(model.infer(1)[1], 0.25);
    model.differentiate(1);
    EXPECT_EQ(model.gradient("C_1", 0, "p"), 0.5);
    EXPECT_EQ(model.gradient("C_1", 0, "q"), 0.0);
}

TEST(Ties, PoolingByMaxGivesAllToTheFirstCandidate) {
    Options options = layers(1);
    options.pool = Pool::max;
    ByHand model("U: H(X) <- ~P(X)\n", kUnary, 1, options);
    model.fact("p", 0, 0, 0.5);
    model.fact("q", 0, 0, 0.5);
    model.match("U_1", 0, {{"p", 0.5}, {"q", 0.5}});
    model.match("target", 0, {{"U_1", 1}});
    EXPECT_EQ(model.infer(1), std::vector<double>{0.25});
    model.differentiate(0);
    EXPECT_EQ(model.gradient("U_1", 0, "p"), 0.5);
    EXPECT_EQ(model.gradient("U_1", 0, "q"), 0.0);
}

TEST(Ties, PoolingByMaxGivesAllToTheFirstPair) {
    Options options = layers(1);
    options.pool = Pool::max;
    for (const char* rule : {"M: H(X) <- ~P(X) & ~Q(X)\n", "M: H(X) <- ~P(X,Z) & ~Q(Z,X)\n"}) {
        ByHand model(rule, kUnary, 1, options);
        model.fact("p", 0, 0, 0.5);
        model.fact("q", 0, 0, 0.5);
        model.match("M_1", 0, {{"p", 0.5}, {"q", 0.5}});
        model.match("M_1", 1, {{"p", 0.5}, {"q", 0.5}});
        model.match("target", 0, {{"M_1", 1}});
        EXPECT_EQ(model.infer(1), std::vector<double>{0.125});
        model.differentiate(0);
        EXPECT_EQ(model.gradient("M_1", 0, "p"), 0.5 * 0.5);
        EXPECT_EQ(model.gradient("M_1", 1, "p"), 0.5 * 0.5);
        EXPECT_EQ(model.gradient("M_1", 0, "q"), 0.0);
        EXPECT_EQ(model.gradient("M_1", 1, "q"), 0.0);
    }
}

TEST(Ties, PoolingTheTargetByMaxGivesAllToTheFirstAuxiliary) {
    Options options = layers(1);
    options.auxiliaries = 2;
    options.target_pool = Pool::max;
    ByHand model("U: H(X) <- ~P(X)\n", kUnary, 1, options);
    model.fact("p", 0, 0, 0.5);
    model.fact("q", 0, 0, 0.5);
    model.match("U_1.1", 0, {{"p", 1}});
    model.match("U_1.2", 0, {{"q", 1}});
    model.match("target", 0, {{"U_1.1", 0.5}, {"U_1.2", 0.5}});
    EXPECT_EQ(model.infer(1), std::vector<double>{0.25});
    model.differentiate(0);
    EXPECT_EQ(model.gradient("target", 0, "U_1.1"), 0.5);
    EXPECT_EQ(model.gradient("target", 0, "U_1.2"), 0.0);
    EXPECT_EQ(model.gradient("U_1.1", 0, "p"), 0.5 * 0.5);
    EXPECT_EQ(model.gradient("U_1.2", 0, "q"), 0.0);
}

TEST(Ties, MergingByMaxGivesAllToTheNewValue) {
    // p's copy is the same after every step: the gradient counts it once, however many steps there
    // were.
    for (const int steps : {1, 2, 5}) {
        ByHand model("U: H(X) <- ~P(X)\n", kUnary, 1, layers(1));
        model.fact("p", 0, 0, 0.5);
        model.match("U_1", 0, {{"p", 1}});
        model.match("target", 0, {{"U_1", 1}});
        EXPECT_EQ(model.infer(steps), std::vector<double>{0.5});
        model.differentiate(0);
        EXPECT_EQ(model.gradient("U_1", 0, "p"), 0.5) << steps;
    }
}

TEST(Ties, MergingBySumGivesAllToBothUntilItReachesOne) {
    Options options = layers(1);
    options.merge = Merge::sum;
    for (const int steps : {1, 2, 3, 4, 6}) {
        ByHand model("U: H(X) <- ~P(X)\n", kUnary, 1, options);
        model.fact("p", 0, 0, 0.25);
        model.match("U_1", 0, {{"p", 1}});
        model.match("target", 0, {{"U_1", 1}});
        EXPECT_EQ(model.infer(steps), std::vector<double>{std::min(1.0, 0.25 * steps)});
        model.differentiate(0);
        EXPECT_EQ(model.gradient("U_1", 0, "p"), steps < 4 ? 0.25 * steps : 0.0) << steps;
    }
}

}  // namespace
}  // namespace hri
