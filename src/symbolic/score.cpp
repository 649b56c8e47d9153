// SPDX-License-Identifier: Apache-2.0
#include "hri/symbolic.hpp"

#include <cassert>

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

void Scorer::add(Label label, double prediction) {
    if (label == Label::unlabelled) {
        return;
    }
    const bool is_positive = label == Label::positive;
    const double error = prediction - (is_positive ? 1.0 : 0.0);
    squared_error_ += error * error;
    if (prediction >= 0.5) {
        ++(is_positive ? true_positives_ : false_positives_);
    } else {
        ++(is_positive ? false_negatives_ : true_negatives_);
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

}  // namespace hri
