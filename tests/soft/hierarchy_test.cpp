// SPDX-License-Identifier: Apache-2.0

// Which predicates there are, and which of them a slot may match.

#include "hri/model.hpp"
#include "hri/protorules.hpp"

#include "soft/random_case.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace hri {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<PredicateSymbol> kInputs = {{"p", 2}, {"q", 1}};

// R* over p/2 and q/1 with two layers and a binary target:
// True 0, False 1, p 2, q 3; A*_1 4, B*_1 5, C*_1 6, I_1 7; B*_2 8, C*_2 9, I_2 10.
Hierarchy two_layers(Recursivity recursivity, DisjunctVisibility disjunct_visibility) {
    Options options;
    options.layers = 2;
    options.recursivity = recursivity;
    options.disjunct_visibility = disjunct_visibility;
    return make_hierarchy(load_protorules("R*"), kInputs, 2, options);
}

std::vector<int> up_to(int last) {
    std::vector<int> all;
    for (int p = 0; p <= last; ++p) {
        all.push_back(p);
    }
    return all;
}

std::vector<int> candidates(const Hierarchy& h, const std::string& auxiliary, std::size_t slot) {
    for (const Auxiliary& aux : h.auxiliaries) {
        if (aux.name == auxiliary) {
            return h.slots[static_cast<std::size_t>(aux.slots[slot])].candidates;
        }
    }
    ADD_FAILURE() << "there is no " << auxiliary;
    return {};
}

std::vector<std::string> names(const Hierarchy& h) {
    std::vector<std::string> result;
    for (const Auxiliary& aux : h.auxiliaries) {
        result.push_back(aux.name);
    }
    return result;
}

TEST(Hierarchy, NumbersPredicatesAsTrueFalseInputsAndAuxiliariesByLayer) {
    const Hierarchy h = two_layers(Recursivity::full, DisjunctVisibility::lower);
    EXPECT_THAT(names(h), ElementsAre("A*_1", "B*_1", "C*_1", "I_1", "B*_2", "C*_2", "I_2"));
    EXPECT_THAT(h.arity, ElementsAre(0, 0, 2, 1, 1, 2, 2, 2, 2, 2, 2));
    EXPECT_EQ(h.inputs, 2);
    EXPECT_EQ(h.first_auxiliary(), 4);
    EXPECT_EQ(h.predicates(), 11);
    EXPECT_EQ(h.slots.size(), 3U * 3U + 1U + 2U * 3U + 1U + 1U);
    EXPECT_EQ(h.target_slot(), 17);
}

TEST(Hierarchy, TheTargetSeesTheLastLayerOnly) {
    const Hierarchy h = two_layers(Recursivity::full, DisjunctVisibility::lower);
    EXPECT_THAT(h.slots.back().candidates, ElementsAre(8, 9, 10));
}

TEST(Hierarchy, TheLastLayerHoldsRulesOfTheTargetsArityOrAll) {
    Options options;
    options.layers = 2;
    const ProtoRules rules = load_protorules("R*");
    EXPECT_THAT(names(make_hierarchy(rules, kInputs, 1, options)),
                ElementsAre("A*_1", "B*_1", "C*_1", "I_1", "A*_2"));
    options.last_layer = LastLayer::all;
    const Hierarchy all = make_hierarchy(rules, kInputs, 1, options);
    EXPECT_THAT(names(all),
                ElementsAre("A*_1", "B*_1", "C*_1", "I_1", "A*_2", "B*_2", "C*_2", "I_2"));
    EXPECT_THAT(all.slots.back().candidates, ElementsAre(8, 9, 10, 11));
    EXPECT_EQ(all.target_arity, 1);
}

TEST(Hierarchy, WithoutRecursionRulesSeeLowerLayers) {
    for (const DisjunctVisibility reading : {DisjunctVisibility::lower, DisjunctVisibility::same}) {
        const Hierarchy h = two_layers(Recursivity::none, reading);
        for (const std::size_t slot : {0U, 1U, 2U}) {
            EXPECT_EQ(candidates(h, "A*_1", slot), up_to(3));
            EXPECT_EQ(candidates(h, "B*_1", slot), up_to(3));
            EXPECT_EQ(candidates(h, "B*_2", slot), up_to(7));
        }
        EXPECT_EQ(candidates(h, "I_1", 0), up_to(3));
        EXPECT_EQ(candidates(h, "I_2", 0), up_to(7));
    }
}

TEST(Hierarchy, UnderIsoRecursionConjoinedSlotsSeeTheirOwnHeadToo) {
    for (const DisjunctVisibility reading : {DisjunctVisibility::lower, DisjunctVisibility::same}) {
        const Hierarchy h = two_layers(Recursivity::iso, reading);
        for (const std::size_t slot : {0U, 1U}) {
            EXPECT_THAT(candidates(h, "A*_1", slot), ElementsAre(0, 1, 2, 3, 4));
            EXPECT_THAT(candidates(h, "C*_1", slot), ElementsAre(0, 1, 2, 3, 6));
            EXPECT_THAT(candidates(h, "C*_2", slot), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 9));
        }
        EXPECT_EQ(candidates(h, "A*_1", 2), up_to(3));
        EXPECT_EQ(candidates(h, "C*_2", 2), up_to(7));
        EXPECT_EQ(candidates(h, "I_2", 0), up_to(7));
    }
}

TEST(Hierarchy, UnderFullRecursionTheDisjunctSeesItsOwnLayerInThePapersReadingAlone) {
    const Hierarchy code = two_layers(Recursivity::full, DisjunctVisibility::lower);
    const Hierarchy paper = two_layers(Recursivity::full, DisjunctVisibility::same);
    for (const Hierarchy& h : {code, paper}) {
        for (const std::size_t slot : {0U, 1U}) {
            EXPECT_EQ(candidates(h, "A*_1", slot), up_to(7));
            EXPECT_EQ(candidates(h, "B*_2", slot), up_to(10));
        }
    }
    EXPECT_EQ(candidates(code, "A*_1", 2), up_to(3));
    EXPECT_EQ(candidates(code, "B*_2", 2), up_to(7));
    EXPECT_EQ(candidates(code, "I_1", 0), up_to(3));
    EXPECT_EQ(candidates(paper, "A*_1", 2), up_to(7));
    EXPECT_EQ(candidates(paper, "B*_2", 2), up_to(10));
    EXPECT_EQ(candidates(paper, "I_1", 0), up_to(7));
}

TEST(Hierarchy, SetsWithoutDisjunctsAreRecursiveAsWell) {
    Options options;
    options.layers = 1;
    for (const DisjunctVisibility reading : {DisjunctVisibility::lower, DisjunctVisibility::same}) {
        options.disjunct_visibility = reading;
        const Hierarchy r0 = make_hierarchy(load_protorules("R0"), kInputs, 2, options);
        EXPECT_EQ(candidates(r0, "B_1", 0), up_to(5));  // B_1 4, C_1 5
        const Hierarchy mil = make_hierarchy(load_protorules("MIL"), kInputs, 2, options);
        // Indent2 4, DIndent2 5, Precon 6, Postcon 7, Chain 8: all binary
        EXPECT_THAT(candidates(mil, "Indent2_1", 0), ElementsAre(2, 4, 5, 6, 7, 8));
        EXPECT_THAT(candidates(mil, "Chain_1", 1), ElementsAre(2, 4, 5, 6, 7, 8));
    }
}

TEST(Hierarchy, APlainAtomTakesExactlyItsArityAndAnOverlinedOneLowerAritiesToo) {
    Options options;
    options.layers = 1;
    options.recursivity = Recursivity::none;
    const std::vector<PredicateSymbol> inputs = {{"a", 0}, {"b", 1}, {"c", 2}};
    const ProtoRules rules = parse_protorules(
        "P: H(X,Y) <- ~P(X) & ~Q(X,Y)\n"
        "Q: H(X,Y) <- P(X) & Q(X,Y)\n");
    const Hierarchy h = make_hierarchy(rules, inputs, 2, options);
    EXPECT_THAT(candidates(h, "P_1", 0), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(candidates(h, "P_1", 1), ElementsAre(0, 1, 2, 3, 4));
    EXPECT_THAT(candidates(h, "Q_1", 0), ElementsAre(3));
    EXPECT_THAT(candidates(h, "Q_1", 1), ElementsAre(4));
}

TEST(Hierarchy, SeveralAuxiliariesPerRuleHaveSlotsOfTheirOwn) {
    Options options;
    options.layers = 2;
    options.auxiliaries = 2;
    options.recursivity = Recursivity::iso;
    const Hierarchy h = make_hierarchy(load_protorules("R0"), kInputs, 1, options);
    EXPECT_THAT(names(h), ElementsAre("A_1.1", "A_1.2", "B_1.1", "B_1.2", "C_1.1", "C_1.2", "A_2.1",
                                      "A_2.2"));
    EXPECT_THAT(candidates(h, "B_1.2", 0), ElementsAre(0, 1, 2, 3, 7));  // itself, not its twin
    EXPECT_THAT(h.slots.back().candidates, ElementsAre(10, 11));
    std::vector<int> used;
    for (const Auxiliary& aux : h.auxiliaries) {
        used.insert(used.end(), aux.slots.begin(), aux.slots.end());
    }
    used.push_back(h.target_slot());
    EXPECT_EQ(used, up_to(static_cast<int>(h.slots.size()) - 1));
}

/// The definitions of the paper's section on the hierarchical prior, for any slot.
bool may_match(const Options& options, bool disjunct_like, int layer, int self, int predicate,
               int predicate_layer) {
    if (predicate_layer != layer) {
        return predicate_layer < layer;
    }
    switch (options.recursivity) {
        case Recursivity::none:
            return false;
        case Recursivity::iso:
            return predicate == self && !disjunct_like;
        case Recursivity::full:
            return !disjunct_like || options.disjunct_visibility == DisjunctVisibility::same;
    }
    return false;
}

TEST(Hierarchy, FollowsTheDefinitionsForEveryShapeAndOption) {
    std::uint64_t seed = 0;
    for (const NamedShape& s : shapes()) {
        const bool disjuncts = std::any_of(s.rules.begin(), s.rules.end(),
                                           [](const ProtoRule& r) { return !r.disjunct.empty(); });
        for (int i = 0; i < 8; ++i) {
            Random random(++seed);
            Options options = random_options(random);
            options.layers = 1 + random.below(4);
            options.auxiliaries = 1 + random.below(3);
            const RandomCase c = random_case(s.rules, options, random, {.max_constants = 1});
            const Hierarchy& h = c.hierarchy;
            const auto layer_of = [&](int p) {
                const int a = p - h.first_auxiliary();
                return a < 0 ? 0 : h.auxiliaries[static_cast<std::size_t>(a)].layer;
            };
            const auto is_helper = [&](int p) {
                const int a = p - h.first_auxiliary();
                return a >= 0 && s.rules[static_cast<std::size_t>(
                                             h.auxiliaries[static_cast<std::size_t>(a)].protorule)]
                                     .is_helper;
            };
            for (std::size_t a = 0; a < h.auxiliaries.size(); ++a) {
                const Auxiliary& aux = h.auxiliaries[a];
                const int self = h.first_auxiliary() + static_cast<int>(a);
                const ProtoRule& rule = s.rules[static_cast<std::size_t>(aux.protorule)];
                ASSERT_EQ(aux.slots.size(), static_cast<std::size_t>(rule.slots()));
                for (std::size_t slot = 0; slot < aux.slots.size(); ++slot) {
                    const bool is_disjunct = slot >= rule.body.size();
                    const bool lone = rule.body.size() == 1 && disjuncts;
                    const ProtoAtom& atom = is_disjunct ? rule.disjunct[0] : rule.body[slot];
                    std::vector<int> expected;
                    for (int p = 0; p < h.predicates(); ++p) {
                        const int arity = h.arity[static_cast<std::size_t>(p)];
                        const int places = static_cast<int>(atom.arguments.size());
                        const bool fits = atom.any_lower_arity ? arity <= places : arity == places;
                        // the recursion of a link is that of the rule after it
                        const int whole = rule.is_helper ? self + 1 : self;
                        if (fits && !is_helper(p) &&
                            may_match(options, is_disjunct || lone, aux.layer, whole, p,
                                      layer_of(p))) {
                            expected.push_back(p);
                        }
                    }
                    if (!rule.helper_atoms.empty() && slot == 0) {
                        expected = {self - 1};
                    }
                    EXPECT_EQ(h.slots[static_cast<std::size_t>(aux.slots[slot])].candidates,
                              expected)
                        << aux.name << ", slot " << slot << ": " << c.describe();
                }
            }
            for (const int p : h.slots.back().candidates) {
                EXPECT_EQ(layer_of(p), options.layers);
                EXPECT_FALSE(is_helper(p));
            }
        }
    }
}

std::string message_of(const ProtoRules& rules, int target_arity, const Options& options) {
    try {
        make_hierarchy(rules, {{"p", 2}}, target_arity, options);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(Hierarchy, RefusesASlotThatNothingCouldMatch) {
    Options options;
    options.layers = 1;
    EXPECT_THAT(message_of(parse_protorules("Q: H(X) <- P(X)"), 1,
                           {.layers = 1, .recursivity = Recursivity::none}),
                HasSubstr("proto-rule Q at layer 1 has no predicate"));
}

TEST(Hierarchy, RefusesATargetThatNoHeadFits) {
    EXPECT_THAT(message_of(parse_protorules("Q: H(X) <- ~P(X)"), 2, {.layers = 1}),
                HasSubstr("target's arity, 2"));
}

}  // namespace
}  // namespace hri
