// SPDX-License-Identifier: Apache-2.0

// A program is taken apart into pieces, and auxiliaries are placed, one piece each, until every
// slot is filled.

#include "hri/smallest_hierarchy.hpp"

#include "base/index.hpp"
#include "evaluate/fingerprint.hpp"
#include "hypotheses/expressivity/layer_assignment.hpp"
#include "hypotheses/expressivity/subqueries.hpp"
#include "hypotheses/plain.hpp"
#include "logic/unfold.hpp"

#include <algorithm>

namespace hri {
namespace {

using expressivity::Pieces;
using expressivity::Placement;

using base::at;

/// The model whose slots match what the nodes are made of.
Model model_of(const std::vector<Placement::Node>& nodes,
               const std::vector<PredicateSymbol>& inputs, const PredicateSymbol& target,
               const Options& options) {
    Model model = make_model(inputs, target, options, 0);
    const Hierarchy& h = model.hierarchy;
    std::vector<int> predicate_of(nodes.size(), -1);
    std::vector<bool> taken(h.auxiliaries.size(), false);
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        for (std::size_t a = 0; a < taken.size() && predicate_of[n] < 0; ++a) {
            if (!taken[a] && h.auxiliaries[a].layer == nodes[n].layer &&
                h.auxiliaries[a].protorule == nodes[n].protorule) {
                taken[a] = true;
                predicate_of[n] = h.first_auxiliary() + static_cast<int>(a);
            }
        }
    }
    std::vector<int> matches = best_matches(model);
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        const Auxiliary& aux = h.auxiliaries[at(predicate_of[n] - h.first_auxiliary())];
        for (std::size_t s = 0; s < aux.slots.size(); ++s) {
            const int filler = nodes[n].fillers[s];
            matches[at(aux.slots[s])] =
                filler < 0 ? filler - Placement::kGiven : predicate_of[at(filler)];
        }
    }
    matches[at(h.target_slot())] = predicate_of[0];
    set_matches(model, matches);
    return model;
}

/// The longest chain of auxiliaries; nothing where they go round in a circle.
std::optional<int> chain(const std::vector<Placement::Node>& nodes) {
    std::vector<int> steps(nodes.size(), 1);
    for (std::size_t round = 0; round <= nodes.size(); ++round) {
        bool changed = false;
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            for (const int filler : nodes[n].fillers) {
                if (filler >= 0 && steps[n] <= steps[at(filler)]) {
                    steps[n] = steps[at(filler)] + 1;
                    changed = true;
                }
            }
        }
        if (!changed) {
            return steps[0];
        }
    }
    return std::nullopt;
}

void check(const Program& program) {
    for (const Rule& rule : program.rules) {
        std::vector<Atom> atoms = rule.body;
        atoms.push_back(rule.head);
        for (const Atom& atom : atoms) {
            const bool constants =
                std::any_of(atom.arguments.begin(), atom.arguments.end(),
                            [](const Term& term) { return !term.is_variable(); });
            if (constants || atom.arguments.size() > 2) {
                throw Error("a rule of " + program.vocabulary[rule.head.predicate].name +
                                (constants ? " has a constant"
                                           : " has a predicate of more than two arguments"),
                            {}, "proto-rules have variables and at most binary predicates");
            }
        }
    }
}

}  // namespace

std::optional<Representation> represent(const Program& program,
                                        const std::vector<PredicateSymbol>& inputs,
                                        const Options& options, const RepresentLimits& limits) {
    check(program);
    if (logic::has_negation(program)) {
        throw Error("the program has negated atoms", {},
                    "the smallest model is known for programs without negation");
    }
    const ProtoRules rules = load_protorules(options.rules);
    hypotheses::expect_plain(rules);
    const PredicateSymbol& target = program.vocabulary[program.target];
    const Program shorter = logic::unfolded(program);
    Pieces as_it_stands(program, inputs, rules);
    Pieces unfolded_ones(shorter, inputs, rules);
    bool smallest = true;
    for (int auxiliaries = 1; auxiliaries <= limits.auxiliaries; ++auxiliaries) {
        for (int layers = 1; layers <= limits.layers; ++layers) {
            Options sized = options;
            sized.auxiliaries = auxiliaries;
            sized.layers = layers;
            for (Pieces* pieces : {&as_it_stands, &unfolded_ones}) {
                const bool twice = pieces == &unfolded_ones && shorter.rules == program.rules;
                if (twice || pieces->target().empty()) {
                    continue;
                }
                Placement placement(*pieces, rules, sized, limits.tries);
                const std::vector<Placement::Node> nodes = placement.find();
                smallest = smallest && !placement.gave_up();
                if (!nodes.empty()) {
                    return Representation{model_of(nodes, inputs, target, sized),
                                          static_cast<int>(nodes.size()), chain(nodes), smallest};
                }
            }
        }
    }
    return std::nullopt;
}

bool same_answers(const Program& a, const Program& b, const std::vector<PredicateSymbol>& inputs,
                  int instances, std::uint64_t seed) {
    Random random(seed, Random::kEvaluation);
    const SharedSchema schema = make_schema(inputs, a.vocabulary[a.target]);
    const std::vector<Instance> probes =
        evaluation::random_instances(schema, {instances, 1, 6, 0.0, 1.0}, random);
    return evaluation::fingerprint(a, probes) == evaluation::fingerprint(b, probes);
}

std::vector<PredicateSymbol> input_predicates(const Program& program) {
    const std::vector<bool> defined = logic::defined_predicates(program);
    std::vector<PredicateSymbol> inputs;
    for (std::size_t p = 0; p < defined.size(); ++p) {
        if (!defined[p]) {
            inputs.push_back(program.vocabulary.symbols()[p]);
        }
    }
    return inputs;
}

}  // namespace hri
