// SPDX-License-Identifier: Apache-2.0

// The paper's theorem on expressivity, clause by clause.

#include "hri/data.hpp"
#include "hri/evaluate.hpp"
#include "hri/expressivity.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace hri::test {
namespace {

std::vector<Metarule> duplicate_free_clauses() {
    std::vector<Metarule> clauses = clauses_up_to(2);
    std::erase_if(clauses, [](const Metarule& clause) { return !is_duplicate_free(clause); });
    return clauses;
}

class Theorem : public testing::TestWithParam<const char*> {};

TEST_P(Theorem, EveryClauseIsDerivedWithTrueAndEqual) {
    const Coverage c = coverage(clauses_up_to(2), load_protorules(GetParam()),
                                {.with_true = true, .with_equal = true});
    EXPECT_EQ(c.clauses, 261);
    EXPECT_EQ(c.reached, 261);
    EXPECT_EQ(c.verified, 261);
    EXPECT_EQ(c.layers, 4);
    EXPECT_TRUE(c.whole());
}

TEST_P(Theorem, EveryDuplicateFreeClauseIsDerivedWithTrueAlone) {
    const Coverage c = coverage(duplicate_free_clauses(), load_protorules(GetParam()));
    EXPECT_EQ(c.clauses, 134);
    EXPECT_TRUE(c.whole());
    EXPECT_EQ(c.layers, 3);
}

TEST_P(Theorem, NoClauseWithADuplicateIsDerivedWithTrueAlone) {
    const Coverage c = coverage(clauses_up_to(2), load_protorules(GetParam()));
    EXPECT_EQ(c.reached, 134);
    EXPECT_TRUE(c.complete);
    EXPECT_FALSE(c.whole());
    EXPECT_TRUE(std::none_of(c.not_reached.begin(), c.not_reached.end(), is_duplicate_free));
}

INSTANTIATE_TEST_SUITE_P(OfTheSets, Theorem, testing::Values("R0", "R0v", "R*"),
                         [](const auto& parameter) {
                             const std::string name = parameter.param;
                             return name == "R*" ? std::string("Rstar") : name;
                         });

TEST(ZeroAryPredicates, AreReachedWithOneMoreProtoRule) {
    ProtoRules rules = load_protorules("R0");
    const ExpressivityOptions options{.with_true = true, .with_equal = true};
    const std::vector<Metarule> clauses = clauses_up_to(2, true);
    const auto with_head = [&clauses](std::size_t arity) {
        return std::count_if(clauses.begin(), clauses.end(), [arity](const Metarule& clause) {
            return clause.head.arguments.size() == arity;
        });
    };
    // 1 + (1 + 1 + 2) + (1 + 1 + 2 + 2 + 5 + 11), by arities of the body
    EXPECT_EQ(with_head(0), 27);
    // as heads they need it, in bodies they do not
    const Coverage without = coverage(clauses, rules, options);
    EXPECT_TRUE(without.complete);
    EXPECT_EQ(without.reached, with_head(1) + with_head(2) + 2) << "P <- True and P <- Q as well";
    rules.push_back({"Z", {}, {{true, {0, 1}}}, {}});  // H() <- ~P(X,Y)
    EXPECT_TRUE(coverage(clauses, rules, options).whole());
}

TEST(MinimalSet, NoProtoRuleOfR0CanBeSpared) {
    const ExpressivityOptions options{.with_true = true, .with_equal = true};
    for (std::size_t i = 0; i < 3; ++i) {
        ProtoRules rules = load_protorules("R0");
        rules.erase(rules.begin() + static_cast<std::ptrdiff_t>(i));
        const Coverage c = coverage(clauses_up_to(2), rules, options);
        EXPECT_LT(c.reached, c.clauses) << i;
        EXPECT_TRUE(c.complete) << i;
    }
}

TEST(MetaInterpretive, SetIsCoveredByR0AndNotTheOtherWayRound) {
    std::vector<Metarule> metarules;
    for (const ProtoRule& rule : load_protorules("MIL")) {
        const std::string text = to_text(rule);
        metarules.push_back(parse_metarule(text.substr(text.find(':') + 1)));
    }
    EXPECT_EQ(metarules.size(), 7U);
    EXPECT_TRUE(coverage(metarules, load_protorules("R0")).whole());
    EXPECT_FALSE(coverage(clauses_up_to(1), load_protorules("MIL")).whole());
}

/// What a predicate says over two constants, for every choice of Q and R: cell 2x + y of each. A
/// unary one repeats its value along y.
struct Meaning {
    int arity = 0;
    std::string cells;  // [choice of Q and R] a bit for each cell
    auto operator<=>(const Meaning&) const = default;
};

bool bit(char cells, int x, int y) { return ((cells >> (2 * x + y)) & 1) != 0; }

template <class Cell>
char cells_of(const Cell& cell) {
    int cells = 0;
    for (int x = 0; x < 2; ++x) {
        for (int y = 0; y < 2; ++y) {
            cells |= cell(x, y) ? 1 << (2 * x + y) : 0;
        }
    }
    return static_cast<char>(cells);
}

/// A, B and C of R0, in so many words.
std::set<Meaning> applied(const Meaning& p, const Meaning& q) {
    Meaning a{1, ""};
    Meaning b{2, ""};
    Meaning c{2, ""};
    for (std::size_t i = 0; i < p.cells.size(); ++i) {
        const auto in_p = [&](int x, int y) { return bit(p.cells[i], x, y); };
        const auto in_q = [&](int x, int y) { return bit(q.cells[i], x, y); };
        a.cells += cells_of(
            [&](int x, int) { return (in_p(x, 0) && in_q(0, x)) || (in_p(x, 1) && in_q(1, x)); });
        b.cells += cells_of(
            [&](int x, int y) { return (in_p(x, 0) && in_q(0, y)) || (in_p(x, 1) && in_q(1, y)); });
        c.cells += cells_of([&](int x, int y) { return in_p(x, y) && in_q(y, x); });
    }
    return {a, b, c};
}

/// Q and R of those arities take every value: bits of a number up to 2^8.
std::vector<Meaning> inputs(const std::vector<int>& arities) {
    std::vector<Meaning> result(arities.size());
    for (int choice = 0; choice < 256; ++choice) {
        int rest = choice;
        for (std::size_t i = 0; i < arities.size(); ++i) {
            const int values = rest;
            result[i].arity = arities[i];
            result[i].cells += cells_of([&](int x, int y) {
                return ((values >> (arities[i] == 1 ? x : 2 * x + y)) & 1) != 0;
            });
            rest >>= arities[i] == 1 ? 2 : 4;
        }
    }
    return result;
}

Meaning meaning(const Metarule& clause, const std::vector<Meaning>& given) {
    const auto& head = clause.head.arguments;
    Meaning result{static_cast<int>(head.size()), ""};
    const auto variables = static_cast<unsigned>(clause.variables.size());
    for (std::size_t i = 0; i < 256; ++i) {
        result.cells += cells_of([&](int x, int y) {
            for (unsigned values = 0; values < (1U << variables); ++values) {
                const auto value = [values](int v) { return static_cast<int>(values >> v) & 1; };
                bool holds = value(head[0]) == x && (head.size() == 1 || value(head[1]) == y);
                for (std::size_t b = 0; b < clause.body.size(); ++b) {
                    const auto& arguments = clause.body[b].arguments;
                    holds = holds && bit(given[b].cells[i], value(arguments[0]),
                                         arguments.size() == 2 ? value(arguments[1]) : 0);
                }
                if (holds) {
                    return true;
                }
            }
            return false;
        });
    }
    return result;
}

TEST(Layers, AreAsFewAsBruteForceOverTruthTablesAllows) {
    std::map<std::vector<int>, std::vector<std::set<Meaning>>> known;  // [arities][layers]
    int three = 0;
    for (const Metarule& clause : duplicate_free_clauses()) {
        std::vector<int> arities;
        for (const MetaAtom& atom : clause.body) {
            arities.push_back(static_cast<int>(atom.arguments.size()));
        }
        const std::vector<Meaning> given = inputs(arities);
        std::vector<std::set<Meaning>>& layers = known[arities];
        if (layers.empty()) {
            layers.emplace_back(given.begin(), given.end());
            layers[0].insert(Meaning{0, std::string(256, static_cast<char>(15))});
            for (int layer = 1; layer <= 2; ++layer) {
                std::set<Meaning> next = layers.back();
                for (const Meaning& p : layers.back()) {
                    for (const Meaning& q : layers.back()) {
                        next.merge(applied(p, q));
                    }
                }
                layers.push_back(std::move(next));
            }
        }
        const Derivability answer = derivability(clause, load_protorules("R0"));
        ASSERT_TRUE(answer.derivation) << to_text(clause);
        const auto claimed = static_cast<std::size_t>(answer.derivation->layers);
        const Meaning wanted = meaning(clause, given);
        for (std::size_t layer = 0; layer < 3; ++layer) {
            EXPECT_EQ(layers[layer].count(wanted) != 0, layer >= claimed)
                << to_text(clause) << " in " << layer << " layers";
        }
        three += claimed == 3 ? 1 : 0;
    }
    EXPECT_EQ(three, 17);
}

TEST(Joins, OfTwoAtATimeMakeFourAtomsButNotFive) {
    // under P(A): A, AB, B or BC; under P(A,B): A, AB, AC, B, BC, C or CD
    EXPECT_EQ(joined_by_pairs(1, 2).bodies, 11);
    for (const int atoms : {1, 2, 3, 4}) {
        const Joins joins = joined_by_pairs(atoms, 2);
        EXPECT_EQ(joins.joined, joins.bodies) << atoms;
    }
    const Joins five = joined_by_pairs(5, 2);
    // Five different pairs of four variables, the head the sixth, in 5! orders, where the variables
    // C and D that the head lacks change places. If CD stands first, neither is named first, and
    // both ways are counted.
    EXPECT_EQ(five.bodies - five.joined, 96 / 2 + 24);
    const Joins unary = joined_by_pairs(3, 1);
    EXPECT_LT(unary.joined, unary.bodies) << "unary auxiliaries are too few";
}

TEST(Joins, WithAuxiliariesOfArityThreeMakeFiveAtoms) {
    const Joins joins = joined_by_pairs(5, 3);
    EXPECT_EQ(joins.joined, joins.bodies);
}

TEST(UniversalContraction, IsBarredByEveryNamedSet) {
    for (const NamedRules& set : named_protorules()) {
        EXPECT_TRUE(keeps_answers(load_protorules(set.name))) << set.name;
    }
}

TEST(UniversalContraction, IsNotPreservedWhenAConstantIsAddedWhileEveryDerivedClauseIs) {
    // Q = {(0,0)} over one constant, then over two: P(A) <- forall B: Q(A,B) held of 0 and no
    // longer does. What proto-rules derive keeps its answers, so that none of it is that rule.
    const ProtoRules rules = load_protorules("R*");
    const std::vector<PredicateSymbol> symbols = {
        {"Q", 1}, {"R", 1}, {"Q", 2}, {"R", 2}, {"Equal", 2}};
    Instance small = make_instance(make_schema(symbols), 1);
    small.facts = {{{0, 0}}, {{0, 0}}, {{0, 0}}, {{0, 0}}, {{0, 0}}};
    Instance large = small;
    large.constants = 2;
    large.facts.back().push_back({1, 1});
    for (const Metarule& clause : clauses_up_to(2)) {
        const Derivability answer =
            derivability(clause, rules, {.with_true = true, .with_equal = true});
        ASSERT_TRUE(answer.derivation);
        const Program program = to_program(*answer.derivation, clause, rules);
        EXPECT_EQ(evaluate(program, small).at(0), 1) << to_text(clause);
        EXPECT_EQ(evaluate(program, large).at(0), 1) << to_text(clause);
    }
}

}  // namespace
}  // namespace hri::test
