// SPDX-License-Identifier: Apache-2.0
#include "hri/database.hpp"
#include "hri/evaluate.hpp"
#include "hri/explain_model.hpp"

#include "support/random_programs.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri {
namespace {

using testing::HasSubstr;

const std::vector<PredicateSymbol> kInputs = {{"father", 2}, {"mother", 2}};

/// ann and bob have cleo; cleo has dan; dan is zoe's father, weakly.
Instance family() {
    Instance instance = make_instance(make_schema(kInputs), 5);
    instance.names = {"ann", "bob", "cleo", "dan", "zoe"};
    instance.facts = {{{1, 2}, {3, 4, 0.3F}}, {{0, 2}, {2, 3, 0.8F}}};
    return instance;
}

std::string why(const std::string& rules, const std::string& atom) {
    try {
        return to_text(explain(parse_program(rules), family(), parse_ground_atom(atom)));
    } catch (const Error& error) {
        return error.what();
    }
}

const char* const kGrandparent =
    "grandparent(X,Y) :- parent(X,Z), parent(Z,Y). parent(X,Y) :- father(X,Y). "
    "parent(X,Y) :- mother(X,Y).";

TEST(Explain, ProvesATrueAtom) {
    EXPECT_EQ(why(kGrandparent, "grandparent(ann,dan)"),
              "grandparent(ann,dan) is true\n"
              "grandparent(ann,dan)  by grandparent(X,Y) :- parent(X,Z), parent(Z,Y)\n"
              "├─ parent(ann,cleo)  by parent(X,Y) :- mother(X,Y)\n"
              "│  └─ mother(ann,cleo)  a fact\n"
              "└─ parent(cleo,dan)  by parent(X,Y) :- mother(X,Y)\n"
              "   └─ mother(cleo,dan) = 0.800  a fact\n");
    EXPECT_EQ(why(kGrandparent, "father(bob,cleo)."),
              "father(bob,cleo) is true\nfather(bob,cleo)  a fact\n");
}

TEST(Explain, WritesComparisonsAsTheRulesDo) {
    Database database;
    database.constants = std::vector<std::string>{"ann", "bob", "17", "18"};
    const double none = std::nan("");
    database.numbers = std::vector<double>{none, none, 17, 18};
    database.tables = {{{"age", 2}, {0, 2, 1, 3}, {}}};
    const Program adult = parse_program("adult(X) :- age(X,Y), Y >= 18.");
    EXPECT_EQ(to_text(explain(adult, database, parse_ground_atom("adult(bob)"))),
              "adult(bob) is true\n"
              "adult(bob)  by adult(X) :- age(X,Y), Y >= 18\n"
              "├─ age(bob,18)  a fact\n"
              "└─ 18 >= 18  holds\n");
    EXPECT_EQ(to_text(explain(adult, database, parse_ground_atom("adult(ann)"))),
              "adult(ann) is false\n"
              "adult(ann)  not by adult(X) :- age(X,Y), Y >= 18\n"
              "├─ age(ann,17)  a fact\n"
              "└─ ✗ 17 >= 18  does not hold\n");
}

TEST(Explain, ProvesNegationByFailureAndRefutesItByAProof) {
    const char* const kChildless =
        "childless(X) :- \\+ parent(X). parent(X) :- father(X,Y). parent(X) :- mother(X,Y).";
    EXPECT_EQ(why(kChildless, "childless(zoe)"),
              "childless(zoe) is true\n"
              "childless(zoe)  by childless(X) :- \\+ parent(X)\n"
              "└─ \\+ parent(zoe)  by failure\n"
              "   └─ ✗ parent(zoe)  not by parent(X) :- father(X,Y)\n"
              "      └─ ✗ father(zoe,Y)  no such atom\n");
    EXPECT_EQ(why(kChildless, "childless(ann)"),
              "childless(ann) is false\n"
              "childless(ann)  not by childless(X) :- \\+ parent(X)\n"
              "└─ ✗ \\+ parent(ann)  what it denies holds\n"
              "   └─ parent(ann)  by parent(X) :- mother(X,Y)\n"
              "      └─ mother(ann,cleo)  a fact\n");
    EXPECT_EQ(why("couple(X,Y) :- parent(X,Z), parent(Y,Z), X \\= Y. parent(X,Y) :- father(X,Y). "
                  "parent(X,Y) :- mother(X,Y).",
                  "couple(ann,ann)"),
              "couple(ann,ann) is false\n"
              "couple(ann,ann)  not by couple(X,Y) :- parent(X,Z), parent(Y,Z), X \\= Y\n"
              "├─ parent(ann,cleo)  by parent(X,Y) :- mother(X,Y)\n"
              "├─ parent(ann,cleo)  by parent(X,Y) :- mother(X,Y)\n"
              "└─ ✗ ann \\= ann  they are equal\n");
}

TEST(Explain, TellsWhichBodyAtomsFail) {
    EXPECT_EQ(why(kGrandparent, "grandparent(cleo,zoe)"),
              "grandparent(cleo,zoe) is false\n"
              "grandparent(cleo,zoe)  not by grandparent(X,Y) :- parent(X,Z), parent(Z,Y)\n"
              "├─ parent(cleo,dan)  by parent(X,Y) :- mother(X,Y)\n"
              "└─ ✗ parent(dan,zoe)  not by parent(X,Y) :- father(X,Y)\n"
              "   └─ ✗ father(dan,zoe)  a fact that is too weak\n");
    EXPECT_EQ(why("p(X) :- father(X,Y), mother(Y,Z), father(Z,U).", "p(bob)"),
              "p(bob) is false\n"
              "p(bob)  not by p(X) :- father(X,Y), mother(Y,Z), father(Z,U)\n"
              "├─ father(bob,cleo)  a fact\n"
              "├─ mother(cleo,dan) = 0.800  a fact\n"
              "└─ ✗ father(dan,U)  no such atom\n");
    EXPECT_THAT(why("p(X,X) :- father(X,Y).", "p(ann,bob)"), HasSubstr("no rule's head fits"));
    EXPECT_THAT(why("p(X) :- father(X,Y), nothing(Y).", "p(bob)"),
                HasSubstr("✗ nothing(cleo)  no such fact"));
}

TEST(Explain, ComesToAnEndWhereAnAtomNeedsItself) {
    EXPECT_EQ(why("p(X,Y) :- p(Y,X).", "p(ann,bob)"),
              "p(ann,bob) is false\n"
              "p(ann,bob)  not by p(X,Y) :- p(Y,X)\n"
              "└─ ✗ p(bob,ann)  not by p(X,Y) :- p(Y,X)\n"
              "   └─ ✗ p(ann,bob)  fails\n");
}

TEST(Explain, ChoosesTheLowestProof) {
    const std::string text =
        why("reach(X,Y) :- reach(X,Z), reach(Z,Y). reach(X,Y) :- mother(X,Y). "
            "reach(X,Y) :- father(X,Y). reach(X,Y) :- mother(X,Z), mother(Z,Y).",
            "reach(ann,dan)");
    EXPECT_THAT(text, HasSubstr("by reach(X,Y) :- mother(X,Z), mother(Z,Y)\n"));
}

TEST(Explain, NamesWhatNobodyKnows) {
    EXPECT_EQ(why(kGrandparent, "grandparnt(ann,dan)"),
              "neither the program nor the data know grandparnt/2 (did you mean grandparent/2?)");
    EXPECT_EQ(why(kGrandparent, "grandparent(an,dan)"),
              "the data have no constant an (did you mean ann?)");
    EXPECT_EQ(why(kGrandparent, "grandparent(ann,"),
              "<atom>:1:17: expected a term, found the full stop");
    EXPECT_EQ(why(kGrandparent, "grandparent(ann,X)"),
              "<atom>:1:17: expected a constant (write it as grandparent(ann,bob))");
    EXPECT_EQ(why(kGrandparent, "a, b"),
              "<atom>:1:1: expected an atom (write it as grandparent(ann,bob))");
}

/// Leaves of proofs are facts, leaves of attempts fail.
void check_shape(const Reason& reason) {
    if (reason.holds) {
        for (const Reason& part : reason.body) {
            EXPECT_TRUE(part.holds);
            check_shape(part);
        }
        return;
    }
    const bool has_failure = std::any_of(reason.body.begin(), reason.body.end(),
                                         [](const Reason& r) { return !r.holds; });
    EXPECT_TRUE(reason.body.empty() || has_failure) << reason.atom;
    for (const Reason& part : reason.body) {
        if (!part.holds) {
            check_shape(part);
        }
    }
}

TEST(Explain, AgreesWithTheEvaluatorOnRandomPrograms) {
    Random random(11);
    int trues = 0;
    for (int i = 0; i < 150; ++i) {
        test::ProgramSpace space;
        space.constants = i % 3 == 0 ? 0.1 : 0;
        const Program program = test::random_program(space, random);
        const Instance instance = test::random_instance(space.inputs, 3, random);
        const Truth truth = evaluate(program, instance);
        const PredicateSymbol& target = program.vocabulary[program.target];
        for (std::size_t a = 0; a < truth.size(); ++a) {
            GroundAtom atom{target.name, {}};
            const int index = static_cast<int>(a);
            if (target.arity == 1) {
                atom.arguments = {instance.name_of(index)};
            } else if (target.arity == 2) {
                atom.arguments = {instance.name_of(index / 3), instance.name_of(index % 3)};
            }
            const Explanation why = explain(program, instance, atom);
            EXPECT_EQ(why.holds, truth[a] != 0) << to_prolog(program) << to_text(why);
            check_shape(why.reason);
            trues += why.holds ? 1 : 0;
        }
    }
    EXPECT_GT(trues, 200);
}

double weight_on_the_way(const Reason& reason) {
    double least = reason.weight;
    for (const Reason& part : reason.body) {
        least = std::min(least, weight_on_the_way(part));
    }
    return least;
}

/// No single match gives more than the whole has.
void check_contributions(const Reason& reason) {
    if (reason.body.size() == 1 && reason.because.find("of it") != std::string::npos) {
        const Reason& part = reason.body.front();
        EXPECT_LE(part.weight * part.value, reason.value + 1e-4) << reason.because;
    }
    if (reason.because.find("a fact") == 0) {
        EXPECT_GT(reason.value, 0);
    }
    for (const Reason& part : reason.body) {
        check_contributions(part);
    }
}

TEST(Explain, OfAModelHasTheValuesOfItsInference) {
    Random random(3);
    for (int i = 0; i < 12; ++i) {
        Options options;
        options.layers = 2;
        options.rules = i % 3 == 0 ? "R*" : i % 3 == 1 ? "R0" : "R0v";
        options.fuzzy_and =
            std::array{And::min, And::product, And::lukasiewicz}[static_cast<std::size_t>(i) % 3];
        options.fuzzy_or = std::array{Or::max, Or::prodminus,
                                      Or::lukasiewicz}[static_cast<std::size_t>(i) / 3 % 3];
        options.merge = i % 2 == 0 ? Merge::max : Merge::sum;
        options.temperature = 0.3;
        options.negation = i % 4 == 3;
        const std::vector<PredicateSymbol> inputs = {{"e", 2}, {"u", 1}};
        const PredicateSymbol target{"t", 1 + i % 2};
        const Model model = make_model(inputs, target, options, static_cast<std::uint64_t>(i));
        Instance instance = test::random_instance(inputs, 4, random);
        const int steps = i == 0 ? -1 : 1 + i % 3;
        const std::vector<float> values = infer(model, instance, steps);
        for (std::size_t a = 0; a < values.size(); ++a) {
            const int index = static_cast<int>(a);
            GroundAtom atom{"t", {instance.name_of(target.arity == 1 ? index : index / 4)}};
            if (target.arity == 2) {
                atom.arguments.push_back(instance.name_of(index % 4));
            }
            const Explanation why = explain(model, instance, atom, steps);
            EXPECT_NEAR(why.value, static_cast<double>(values[a]), 2e-4)
                << i << " " << to_text(why);
            EXPECT_TRUE(why.soft);
            EXPECT_GE(weight_on_the_way(why.reason), 1e-6);
            check_contributions(why.reason);
            if (why.value > 1e-3) {
                EXPECT_EQ(why.reason.body.size(), 1U);
            }
        }
    }
}

TEST(Explain, OfAModelRefusesOtherPredicates) {
    const Model model = make_model({{"e", 2}}, {"t", 2}, {}, 1);
    const Instance instance = make_instance(make_schema({{"e", 2}}), 2);
    EXPECT_THROW(explain(model, instance, {"e", {"0", "1"}}, 2), Error);
    EXPECT_THROW(explain(model, instance, {"t", {"0", "7"}}, 2), Error);
}

}  // namespace
}  // namespace hri
