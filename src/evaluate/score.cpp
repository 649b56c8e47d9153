// SPDX-License-Identifier: Apache-2.0
#include "evaluate/score.hpp"

#include "evaluate/bits/compiled_program.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace hri {
namespace {

double ratio(std::int64_t part, std::int64_t whole, double otherwise) {
    return whole == 0 ? otherwise : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void Scorer::add(const std::vector<Label>& labels, const Truth& truth) {
    assert(labels.size() == truth.size());
    for (std::size_t i = 0; i < labels.size(); ++i) {
        add(labels[i], static_cast<double>(truth[i]));
    }
}

void Scorer::add(const std::vector<Label>& labels, const std::vector<float>& valuations) {
    assert(labels.size() == valuations.size());
    for (std::size_t i = 0; i < labels.size(); ++i) {
        add(labels[i], static_cast<double>(valuations[i]));
    }
}

void Scorer::add(const Instance& instance, int target_arity, const std::vector<Fact>& atoms) {
    const auto n = static_cast<std::int64_t>(instance.constants);
    const auto before = [](const auto& a, const auto& b) {
        return std::pair{a.first, a.second} < std::pair{b.first, b.second};
    };
    if (!instance.labels.empty()) {
        Truth truth(instance.labels.size(), 0);
        for (const Fact& atom : atoms) {
            truth[static_cast<std::size_t>(target_arity == 2 ? atom.first * n + atom.second
                                                             : atom.first)] = 1;
        }
        add(instance.labels, truth);
        return;
    }
    auto atom = atoms.begin();
    std::int64_t found = 0;  // atoms that are listed
    for (const LabelledAtom& listed : instance.listed) {
        atom = std::lower_bound(atom, atoms.end(), listed, before);
        const bool is_true = atom != atoms.end() && !before(listed, *atom);
        found += is_true ? 1 : 0;
        add(listed.label, is_true ? 1.0 : 0.0);
    }
    const auto trues = static_cast<std::int64_t>(atoms.size()) - found;
    const std::int64_t all = target_arity == 2 ? n * n : target_arity == 1 ? n : 1;
    add(instance.unlisted, 1.0, trues);
    add(instance.unlisted, 0.0, all - static_cast<std::int64_t>(instance.listed.size()) - trues);
}

void Scorer::add(Label label, double prediction, std::int64_t count) {
    if (label == Label::unlabelled) {
        return;
    }
    const bool is_positive = label == Label::positive;
    const double error = prediction - (is_positive ? 1.0 : 0.0);
    squared_error_ += static_cast<double>(count) * error * error;
    if (prediction >= 0.5) {
        (is_positive ? true_positives_ : false_positives_) += count;
    } else {
        (is_positive ? false_negatives_ : true_negatives_) += count;
    }
}

Score Scorer::score() const {
    Score score;
    score.positives = true_positives_ + false_negatives_;
    score.negatives = true_negatives_ + false_positives_;
    score.false_positives = false_positives_;
    score.false_negatives = false_negatives_;
    const std::int64_t all = score.positives + score.negatives;
    score.mse = all == 0 ? 0.0 : squared_error_ / static_cast<double>(all);
    score.accuracy = ratio(true_positives_ + true_negatives_, all, 1.0);
    score.precision = ratio(true_positives_, true_positives_ + false_positives_, 1.0);
    score.recall = ratio(true_positives_, score.positives, 1.0);
    return score;
}

Score evaluation::score_of(const Program& program, const std::vector<PredicateSymbol>& inputs,
                           const std::vector<Instance>& instances, std::int64_t max_errors) {
    Scorer scorer;
    if (instances.empty())
        return scorer.score();
    CompiledProgram compiled(program, inputs);
    Truth truth;
    for (const Instance& instance : instances) {
        compiled.evaluate(instance, kToFixpoint, truth);
        scorer.add(instance.labels, truth);
        if (max_errors < INT64_MAX && errors(scorer.score()) > max_errors)
            break;
    }
    return scorer.score();
}

}  // namespace hri
