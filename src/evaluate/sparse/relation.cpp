// SPDX-License-Identifier: Apache-2.0
#include "evaluate/sparse/relation.hpp"

#include <algorithm>
#include <utility>

namespace hri::evaluation {
namespace {

constexpr std::size_t kIndexShare = 16;  // an index pays where one row in so many is not empty

Key exchanged(Key key) { return key << 32U | key >> 32U; }

std::vector<Key> transposed(std::span<const Key> keys, std::size_t constants) {
    std::vector<Key> result(keys.size());
    if (keys.size() * kIndexShare < constants) {
        std::transform(keys.begin(), keys.end(), result.begin(), exchanged);
        std::sort(result.begin(), result.end());
        return result;
    }
    // counted by the second argument; the first one's order stays
    std::vector<std::uint32_t> next(constants + 1, 0);
    for (const Key key : keys) {
        ++next[second_of(key) + 1];
    }
    for (std::size_t i = 1; i <= constants; ++i) {
        next[i] += next[i - 1];
    }
    for (const Key key : keys) {
        result[next[second_of(key)]++] = exchanged(key);
    }
    return result;
}

std::vector<Key> merged(std::span<const Key> a, std::span<const Key> b) {
    std::vector<Key> result(a.size() + b.size());
    std::merge(a.begin(), a.end(), b.begin(), b.end(), result.begin());
    return result;
}

}  // namespace

void sort_once(std::vector<Key>& keys) {
    if (!std::is_sorted(keys.begin(), keys.end())) {
        std::sort(keys.begin(), keys.end());
    }
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
}

Rows::Rows(std::vector<Key> sorted, std::size_t constants) : keys_(std::move(sorted)) {
    for (std::size_t i = 0; i < keys_.size(); ++i) {
        firsts_ += i == 0 || first_of(keys_[i]) != first_of(keys_[i - 1]) ? 1U : 0U;
    }
    if (keys_.size() * kIndexShare < constants) {
        return;
    }
    starts_.resize(constants + 1);
    std::size_t at = 0;
    for (std::size_t first = 0; first <= constants; ++first) {
        while (at < keys_.size() && first_of(keys_[at]) < first) {
            ++at;
        }
        starts_[first] = static_cast<std::uint32_t>(at);
    }
}

std::span<const Key> Rows::row(std::uint32_t first) const {
    if (!starts_.empty()) {
        return {keys_.data() + starts_[first], keys_.data() + starts_[first + 1]};
    }
    const auto begin = std::lower_bound(keys_.begin(), keys_.end(), key_of(first, 0));
    auto end = begin;
    while (end != keys_.end() && first_of(*end) == first) {
        ++end;
    }
    return {begin, end};
}

bool Rows::contains(Key key) const {
    const std::span<const Key> same = row(first_of(key));
    return std::binary_search(same.begin(), same.end(), key);
}

Run::Run(std::vector<Key> sorted, std::size_t constants)
    : constants_(constants), by_first_(std::move(sorted), constants) {}

const Rows& Run::by_second() const {
    if (!by_second_) {
        by_second_.emplace(transposed(by_first_.all(), constants_), constants_);
    }
    return *by_second_;
}

bool SparseRelation::advance(std::vector<Key>& derived) {
    if (delta_) {
        keep(std::move(*delta_));
        delta_.reset();
    }
    sort_once(derived);
    std::erase_if(derived, [this](Key key) { return contains(key); });
    if (derived.empty()) {
        return false;
    }
    delta_.emplace(std::move(derived), constants_);
    derived = {};
    return true;
}

void SparseRelation::keep(Run run) {
    runs_.push_back(std::move(run));
    while (runs_.size() > 1 && runs_[runs_.size() - 2].size() < 2 * runs_.back().size()) {
        const Run last = std::move(runs_.back());
        runs_.pop_back();
        runs_.back() =
            Run(merged(runs_.back().by_first().all(), last.by_first().all()), constants_);
    }
}

void SparseRelation::settle() {
    if (runs_.size() + (delta_ ? 1U : 0U) > 1) {
        std::vector<Key> all = keys();
        runs_.clear();
        delta_.emplace(std::move(all), constants_);
    }
    if (delta_) {
        runs_.push_back(std::move(*delta_));
        delta_.reset();
    }
}

std::size_t SparseRelation::size(Part part) const {
    std::size_t size = 0;
    any_run(part, [&](const Run& run) {
        size += run.size();
        return false;
    });
    return size;
}

bool SparseRelation::contains(Key key) const {
    return any_run(Part::all, [key](const Run& run) { return run.by_first().contains(key); });
}

double SparseRelation::fan_out(bool of_second) const {
    std::size_t values = 0;
    any_run(Part::all, [&](const Run& run) {
        values += (of_second ? run.by_second() : run.by_first()).firsts();
        return false;
    });
    return values == 0 ? 0 : static_cast<double>(size(Part::all)) / static_cast<double>(values);
}

std::vector<Key> SparseRelation::keys() const {
    std::vector<Key> result;
    any_run(Part::all, [&](const Run& run) {
        result = merged(result, run.by_first().all());
        return false;
    });
    return result;
}

}  // namespace hri::evaluation
