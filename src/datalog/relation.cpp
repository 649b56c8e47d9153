// SPDX-License-Identifier: Apache-2.0
#include "datalog/relation.hpp"

#include "datalog/limits.hpp"

#include <numeric>
#include <utility>

namespace hri::datalog {
namespace {

constexpr std::size_t kIndexShare = 16;  // an index pays where one row in so many is not empty

Key exchanged(Key key) { return key << 32U | key >> 32U; }

Keys transposed(std::span<const Key> keys, std::size_t constants) {
    Keys result(keys.size());
    if (keys.size() * kIndexShare < constants) {
        std::transform(keys.begin(), keys.end(), result.begin(), exchanged);
        std::sort(result.begin(), result.end());
        return result;
    }
    // counted by the second argument; the first one's order stays
    const auto second = [](Key key) { return static_cast<std::size_t>(second_of(key)); };
    std::vector<std::uint32_t> next(constants + 1, 0);
    for (const Key key : keys) {
        ++next[second(key) + 1];
    }
    for (std::size_t i = 1; i <= constants; ++i) {
        next[i] += next[i - 1];
    }
    for (const Key key : keys) {
        result[next[second(key)]++] = exchanged(key);
    }
    return result;
}

template <class Known>
void erase_known(Keys& keys, const Known& known) {
    std::erase_if(keys, known);
}

template <class Known>
void erase_known(Cells& cells, const Known& known) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (!known(cells.row(i))) {
            std::copy_n(cells.row(i), cells.arity, cells.values.data() + kept);
            kept += cells.arity;
        }
    }
    cells.values.resize(kept);
}

bool is_less(const Cells& of, const std::int32_t* a, const std::int32_t* b) {
    return std::lexicographical_compare(a, a + of.arity, b, b + of.arity);
}

Keys merged(std::span<const Key> a, std::span<const Key> b) {
    Keys result(a.size() + b.size());
    std::merge(a.begin(), a.end(), b.begin(), b.end(), result.begin());
    return result;
}

Cells merged(const Cells& a, const Cells& b) {
    Cells result{a.arity, {}};
    result.values.reserve(a.values.size() + b.values.size());
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() || j < b.size()) {
        const bool take_a = j == b.size() || (i < a.size() && is_less(a, a.row(i), b.row(j)));
        const std::int32_t* from = take_a ? a.row(i++) : b.row(j++);
        result.values.insert(result.values.end(), from, from + a.arity);
    }
    return result;
}

}  // namespace

void sort_once(Keys& keys) {
    if (!std::is_sorted(keys.begin(), keys.end())) {
        std::sort(keys.begin(), keys.end());
    }
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
}

void sort_once(Cells& cells) {
    std::vector<std::uint32_t> rows(cells.size());
    std::iota(rows.begin(), rows.end(), 0U);
    std::sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
        return is_less(cells, cells.row(a), cells.row(b));
    });
    Cells sorted{cells.arity, {}};
    sorted.values.reserve(cells.values.size());
    for (const std::uint32_t row : rows) {
        const std::int32_t* from = cells.row(row);
        if (sorted.empty() ||
            !std::equal(from, from + cells.arity,
                        sorted.values.end() - static_cast<std::ptrdiff_t>(cells.arity))) {
            sorted.values.insert(sorted.values.end(), from, from + cells.arity);
        }
    }
    cells = std::move(sorted);
}

// ---- batches

Batch::Batch(int arity, std::size_t max_atoms)
    : cells{static_cast<std::size_t>(std::max(arity, 3)), {}},
      max_atoms_(max_atoms),
      next_sort_((std::size_t{1} << 23U) / static_cast<std::size_t>(std::max(arity, 2))) {}

void Batch::add(Tuple tuple) {
    if (tuple.size() <= 2) {
        add(key_of(tuple.empty() ? 0 : tuple[0], tuple.size() < 2 ? 0 : tuple[1]));
        return;
    }
    cells.values.insert(cells.values.end(), tuple.begin(), tuple.end());
    if (cells.size() >= next_sort_) {
        condense();
    }
}

void Batch::condense() {
    sort_once(keys);
    sort_once(cells);
    const std::size_t size = keys.size() + cells.size();
    refuse_more(size, max_atoms_);
    next_sort_ = std::max(next_sort_, 2 * size);
}

// ---- runs of keys

Rows::Rows(Keys sorted, std::size_t constants) : keys_(std::move(sorted)) {
    for (std::size_t i = 0; i < keys_.size(); ++i) {
        firsts_ += i == 0 || first_of(keys_[i]) != first_of(keys_[i - 1]) ? 1U : 0U;
    }
    if (keys_.size() * kIndexShare < constants) {
        return;
    }
    starts_.resize(constants + 1);
    std::size_t at = 0;
    for (std::size_t first = 0; first <= constants; ++first) {
        while (at < keys_.size() && static_cast<std::size_t>(first_of(keys_[at])) < first) {
            ++at;
        }
        starts_[first] = static_cast<std::uint32_t>(at);
    }
}

std::span<const Key> Rows::row(std::int32_t first) const {
    if (!starts_.empty()) {
        const auto at = static_cast<std::size_t>(first);
        return {keys_.data() + starts_[at], keys_.data() + starts_[at + 1]};
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

KeyRun::KeyRun(Keys sorted, std::size_t constants)
    : constants_(constants), by_first_(std::move(sorted), constants) {}

const Rows& KeyRun::by_second() const {
    if (!by_second_) {
        by_second_.emplace(transposed(by_first_.all(), constants_), constants_);
    }
    return *by_second_;
}

// ---- runs of cells

CellRun::CellRun(Cells sorted, std::size_t /*constants*/) : cells_(std::move(sorted)) {}

bool CellRun::contains(const std::int32_t* tuple) const {
    std::size_t begin = 0;
    std::size_t end = size();
    while (begin < end) {
        const std::size_t middle = begin + (end - begin) / 2;
        if (is_less(cells_, cells_.row(middle), tuple)) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin < size() && std::equal(tuple, tuple + cells_.arity, cells_.row(begin));
}

const CellRun::Index& CellRun::index(std::uint32_t mask) const {
    const auto [at, is_new] = indices_.try_emplace(mask);
    Index& index = at->second;
    if (is_new) {
        index.rows.resize(size());
        std::iota(index.rows.begin(), index.rows.end(), 0U);
        std::stable_sort(index.rows.begin(), index.rows.end(),
                         [&](std::uint32_t a, std::uint32_t b) {
                             return order(mask, cells_.row(a), cells_.row(b)) < 0;
                         });
        for (std::size_t i = 0; i < size(); ++i) {
            const bool differs = i == 0 || order(mask, cells_.row(index.rows[i]),
                                                 cells_.row(index.rows[i - 1])) != 0;
            index.groups += differs ? 1U : 0U;
        }
    }
    return index;
}

std::size_t CellRun::first_like(const std::vector<std::uint32_t>& rows, std::uint32_t mask,
                                const std::int32_t* like) const {
    const auto begin = std::partition_point(rows.begin(), rows.end(), [&](std::uint32_t row) {
        return order(mask, cells_.row(row), like) < 0;
    });
    return static_cast<std::size_t>(begin - rows.begin());
}

// ---- runs of either kind

template <class Run>
bool Runs<Run>::advance(Tuples& derived) {
    if (delta_) {
        keep(std::move(*delta_));
        delta_.reset();
    }
    sort_once(derived);
    erase_known(derived, [this](auto tuple) { return this->contains(tuple); });
    if (derived.empty()) {
        return false;
    }
    delta_.emplace(std::move(derived), constants_);
    derived.clear();  // NOLINT(bugprone-use-after-move): it keeps its arity
    return true;
}

template <class Run>
void Runs<Run>::keep(Run run) {
    runs_.push_back(std::move(run));
    while (runs_.size() > 1 && runs_[runs_.size() - 2].size() < 2 * runs_.back().size()) {
        const Run last = std::move(runs_.back());
        runs_.pop_back();
        runs_.back() = Run(merged(runs_.back().tuples(), last.tuples()), constants_);
    }
}

template <class Run>
void Runs<Run>::settle() {
    if (delta_) {
        runs_.push_back(std::move(*delta_));
        delta_.reset();
    }
    if (runs_.size() > 1) {
        const std::size_t last = runs_.size() - 1;
        Tuples all = merged(runs_[last - 1].tuples(), runs_[last].tuples());
        for (std::size_t i = last - 1; i > 0; --i) {
            all = merged(runs_[i - 1].tuples(), all);
        }
        runs_.clear();
        runs_.emplace_back(std::move(all), constants_);
    }
}

template <class Run>
std::size_t Runs<Run>::size(Part part) const {
    std::size_t size = 0;
    any_run(part, [&](const Run& run) {
        size += run.size();
        return false;
    });
    return size;
}

template <class Run>
double Runs<Run>::fan_out(std::uint32_t mask) const {
    std::size_t values = 0;
    any_run(Part::all, [&](const Run& run) {
        values += run.groups(mask);
        return false;
    });
    return values == 0 ? 0 : static_cast<double>(size(Part::all)) / static_cast<double>(values);
}

template class Runs<KeyRun>;
template class Runs<CellRun>;

// ---- relations

Relation::Relation(int arity, std::size_t constants)
    : arity_(arity),
      keys_(std::max<std::size_t>(constants, 1)),
      cells_(std::max<std::size_t>(constants, 1)) {}

bool Relation::advance(Batch& derived) {
    return is_wide() ? cells_.advance(derived.cells) : keys_.advance(derived.keys);
}

void Relation::settle() {
    keys_.settle();
    cells_.settle();
}

std::size_t Relation::size(Part part) const {
    return is_wide() ? cells_.size(part) : keys_.size(part);
}

bool Relation::contains(Tuple tuple) const {
    return is_wide() ? cells_.contains(tuple.data())
                     : keys_.contains(
                           key_of(tuple.empty() ? 0 : tuple[0], tuple.size() < 2 ? 0 : tuple[1]));
}

double Relation::fan_out(std::uint32_t mask) const {
    return is_wide() ? cells_.fan_out(mask) : keys_.fan_out(mask);
}

}  // namespace hri::datalog
