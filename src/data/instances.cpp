// SPDX-License-Identifier: Apache-2.0

// One instance of everything, or many small ones.

#include "data/instances.hpp"

#include "data/raw_dataset.hpp"
#include "data/split.hpp"

#include <algorithm>

namespace hri::data {
namespace {

std::int64_t atoms_of(int constants, int arity) {
    std::int64_t atoms = 1;
    for (int i = 0; i < arity; ++i) {
        atoms *= constants;
    }
    return atoms;
}

Instance whole(const Problem& problem, const IndexedDataset& data, bool closed_world) {
    Instance instance = make_instance(problem.schema, data.constants,
                                      closed_world ? Label::negative : Label::unlabelled);
    instance.names = data.names;
    instance.facts = data.facts;
    return instance;
}

/// The whole with its labels in a list.
Instance listed(const Problem& problem, const IndexedDataset& data, bool closed_world,
                const std::vector<IndexedDataset::Labelled>& examples,
                const std::vector<IndexedDataset::Labelled>& forgotten) {
    Instance instance;
    instance.schema = problem.schema;
    instance.constants = data.constants;
    instance.names = data.names;
    instance.facts = data.facts;
    instance.unlisted = closed_world ? Label::negative : Label::unlabelled;
    const auto same = [](const LabelledAtom& a, const LabelledAtom& b) {
        return a.first == b.first && a.second == b.second;
    };
    for (const IndexedDataset::Labelled& example : examples) {
        instance.listed.push_back(
            {example.first, example.second, example.positive ? Label::positive : Label::negative});
    }
    for (const IndexedDataset::Labelled& example : forgotten) {
        instance.listed.push_back({example.first, example.second, Label::unlabelled});
    }
    std::sort(instance.listed.begin(), instance.listed.end());  // an unlabelled one comes last
    instance.listed.erase(std::unique(instance.listed.begin(), instance.listed.end(), same),
                          instance.listed.end());
    return instance;
}

void label(Instance& instance, int arity, const std::vector<IndexedDataset::Labelled>& examples,
           bool forget) {
    for (const IndexedDataset::Labelled& example : examples) {
        const auto n = static_cast<std::size_t>(instance.constants);
        const auto first = static_cast<std::size_t>(example.first);
        const std::size_t atom = arity == 0 ? 0
                                 : arity == 1
                                     ? first
                                     : first * n + static_cast<std::size_t>(example.second);
        instance.labels[atom] = forget             ? Label::unlabelled
                                : example.positive ? Label::positive
                                                   : Label::negative;
    }
}

/// Inputs of which the instances of a split hold less than half the facts.
void warn_about_lost(Problem& problem, const IndexedDataset& data) {
    std::string lost;
    for (std::size_t p = 0; p < data.facts.size(); ++p) {
        std::size_t kept = 0;
        for (const Instance& instance : problem.training.instances) {
            kept += instance.facts[p].size();
        }
        // a sample holds few of all, and none of some
        if (problem.sampled ? kept == 0 && !data.facts[p].empty()
                            : 2 * kept < data.facts[p].size()) {
            lost += (lost.empty() ? "" : ", ") + described(problem.inputs()[p]) + " (" +
                    std::to_string(kept) + " of " + std::to_string(data.facts[p].size()) + ")";
        }
    }
    if (!lost.empty()) {
        problem.warnings.push_back("the split leaves the hierarchy few facts of " + lost +
                                   "; clauses see all. It keeps more by {value_types}, "
                                   "{value_degree}, {max_constants} or {split=never}");
    }
}

}  // namespace

void make_instances(Problem& problem, const IndexedDataset& data, const ReadOptions& options,
                    bool evaluation, const Place& place) {
    const int arity = problem.target().arity;
    const bool wanted = options.split.when == SplitOptions::When::always ||
                        (options.split.when == SplitOptions::When::automatic &&
                         data.constants > kMaxConstantsUnsplit);
    if (wanted && arity > 0 && !data.examples.empty()) {
        Split split(problem, data, options);
        problem.training.instances = split.instances(split.closed(data.examples));
        problem.sampled = split.is_sample();
        problem.notes.push_back(split.summary());
        if (evaluation && !data.held_out.empty()) {
            problem.evaluation.instances = split.instances(data.held_out);
        }
        if (!problem.training.instances.empty()) {
            warn_about_lost(problem, data);
            return;
        }
    }
    if (!wanted && !options.split.value_types.empty()) {
        problem.warnings.emplace_back(
            "{value_types} has no effect: the data are not split, which {split=always} asks for");
    }
    const std::int64_t atoms = atoms_of(data.constants, arity);
    if (atoms > kMaxAtoms && options.list_labels) {
        problem.training.instances = {
            listed(problem, data, options.closed_world, data.examples, {})};
        if (evaluation) {
            problem.evaluation.instances = {
                listed(problem, data, options.closed_world, data.held_out, data.examples)};
        }
        return;
    }
    if (data.constants > kMaxAtoms || atoms > kMaxAtoms) {
        throw Error("the instance is too large: " + std::to_string(data.constants) +
                        " constants give " + described(problem.target()) + " " +
                        std::to_string(atoms) + " atoms, expected at most " +
                        std::to_string(kMaxAtoms) + " (every atom has a label)",
                    place,
                    "cut the data into smaller folders, or into instances by {split=always}");
    }
    problem.training.instances = {whole(problem, data, options.closed_world)};
    label(problem.training.instances.front(), arity, data.examples, false);
    if (evaluation) {
        // what was learned from is not judged
        Instance& judged =
            problem.evaluation.instances.emplace_back(whole(problem, data, options.closed_world));
        label(judged, arity, data.examples, true);
        label(judged, arity, data.held_out, false);
    }
}

}  // namespace hri::data
