// SPDX-License-Identifier: Apache-2.0
#include "evaluate/database_index.hpp"

#include "hri/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace hri::evaluation {

namespace {

constexpr std::size_t kSparse = 16;  // constants for each row: beyond, rows are hashed

std::uint64_t mixed(std::uint64_t x) {
    x ^= x >> 31;
    x *= 0x9e3779b97f4a7c15U;
    x ^= x >> 29;
    return x;
}

std::uint64_t hash_of(std::uint32_t mask, const std::int32_t* key, int arity) {
    std::uint64_t hash = 0x51ed27U;
    for (int a = 0; a < arity; ++a)
        if ((mask >> a & 1U) != 0)
            hash = mixed(hash * 31 + static_cast<std::uint32_t>(key[a]) + 1);
    return hash;
}

bool agrees(std::uint32_t mask, const std::int32_t* row, const std::int32_t* key, int arity) {
    for (int a = 0; a < arity; ++a)
        if ((mask >> a & 1U) != 0 && row[a] != key[a])
            return false;
    return true;
}

}  // namespace

Comparison comparison_of(const PredicateSymbol& symbol) {
    if (symbol.arity != 2 || symbol.negated)
        return Comparison::none;
    if (symbol.name == "<")
        return Comparison::less;
    if (symbol.name == "=<")
        return Comparison::at_most;
    if (symbol.name == ">")
        return Comparison::greater;
    if (symbol.name == ">=")
        return Comparison::at_least;
    if (symbol.name == "=:=")
        return Comparison::equal;
    if (symbol.name == "=\\=")
        return Comparison::unequal;
    return Comparison::none;
}

bool compares(Comparison comparison, double left, double right) {
    switch (comparison) {
        case Comparison::less:
            return left < right;
        case Comparison::at_most:
            return left <= right;
        case Comparison::greater:
            return left > right;
        case Comparison::at_least:
            return left >= right;
        case Comparison::equal:
            return left == right;
        case Comparison::unequal:
            return left < right || left > right;
        case Comparison::none:
            break;
    }
    return false;
}

/// Rows sorted by the arguments of a mask, and where those of each key begin.
struct DatabaseIndex::Lookup {
    std::vector<std::int32_t> cells;
    // one bound argument: rows of constant c are starts[c] .. starts[c + 1]
    std::vector<std::uint32_t> starts;
    // several: slots of an open hash table, each the first row of its key, and one more
    std::vector<std::uint32_t> slots;
    std::vector<std::uint32_t> ends;  // [first row of a key]: behind its last
    std::size_t keys = 1;
};

struct DatabaseIndex::Calls {
    struct Key {
        std::vector<std::int32_t> words;
        bool operator==(const Key&) const = default;
    };

    struct Hash {
        std::size_t operator()(const Key& key) const {
            std::uint64_t hash = 7;
            for (const std::int32_t word : key.words)
                hash = mixed(hash * 31 + static_cast<std::uint32_t>(word));
            return hash;
        }
    };

    std::unordered_map<Key, std::vector<std::int32_t>, Hash> known;
};

DatabaseIndex::DatabaseIndex(const Database& database)
    : database_(database), calls_(std::make_unique<Calls>()) {
    const auto add = [&](const PredicateSymbol& symbol) -> Entry& {
        by_symbol_.emplace(symbol, static_cast<int>(entries_.size()));
        Entry& entry = entries_.emplace_back();
        entry.symbol = symbol;
        const std::size_t masks = std::size_t(1) << std::min(symbol.arity, kMaxIndexedArity);
        entry.lookups = std::make_unique<std::atomic<const Lookup*>[]>(masks);
        return entry;
    };
    for (const FactTable& table : database.tables)
        if (table.symbol.arity <= kMaxIndexedArity)
            add(table.symbol).table = &table;
    for (const ComputedPredicate& computed : database.computed)
        if (computed.symbol.arity <= kMaxIndexedArity)
            add(computed.symbol).computed = &computed;
    constants_ = database.constants.size();
    numbers_.assign(database.numbers.begin(), database.numbers.end());
    numbers_.resize(constants_, std::numeric_limits<double>::quiet_NaN());
}

DatabaseIndex::~DatabaseIndex() = default;

std::size_t DatabaseIndex::rows(int predicate) const {
    const Entry& entry = at(predicate);
    return entry.table == nullptr ? 0 : entry.table->rows();
}

int DatabaseIndex::find(const PredicateSymbol& symbol) const {
    const auto found = by_symbol_.find(symbol);
    return found == by_symbol_.end() ? -1 : found->second;
}

double DatabaseIndex::number(std::int32_t constant) const {
    const auto c = static_cast<std::size_t>(constant);
    if (c < constants_)
        return numbers_[c];
    const std::shared_lock lock(calling_);
    return c < database_.numbers.size() ? database_.numbers[c]
                                        : std::numeric_limits<double>::quiet_NaN();
}

const DatabaseIndex::Lookup& DatabaseIndex::lookup(const Entry& entry, std::uint32_t mask) const {
    std::atomic<const Lookup*>& place = entry.lookups[mask];
    if (const Lookup* built = place.load(std::memory_order_acquire))
        return *built;
    const std::lock_guard lock(building_);
    if (const Lookup* built = place.load(std::memory_order_acquire))
        return *built;
    auto made = std::make_unique<Lookup>();
    const int arity = entry.symbol.arity;
    const auto width = static_cast<std::size_t>(arity);
    const std::vector<std::int32_t>& from = entry.table->cells;
    const std::size_t count = entry.table->rows();
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) {
        for (int a = 0; a < arity; ++a)
            if ((mask >> a & 1U) != 0) {
                const std::int32_t left = from[x * width + static_cast<std::size_t>(a)];
                const std::int32_t right = from[y * width + static_cast<std::size_t>(a)];
                if (left != right)
                    return left < right;
            }
        return false;
    });
    made->cells.reserve(from.size());
    for (const std::uint32_t row : order)
        made->cells.insert(made->cells.end(),
                           from.begin() + static_cast<std::ptrdiff_t>(row * width),
                           from.begin() + static_cast<std::ptrdiff_t>((row + 1) * width));
    // Starts of all constants would be large beside few rows.
    const bool single = (mask & (mask - 1)) == 0 && constants_ <= kSparse * count;
    made->keys = 0;
    if (single) {
        int argument = 0;
        while ((mask >> argument & 1U) == 0)
            ++argument;
        made->starts.assign(constants_ + 1, 0);
        for (std::size_t row = 0; row < count; ++row)
            ++made->starts[static_cast<std::size_t>(
                               from[row * width + static_cast<std::size_t>(argument)]) +
                           1];
        for (std::size_t c = 0; c < constants_; ++c) {
            made->keys += made->starts[c + 1] > 0 ? 1U : 0U;
            made->starts[c + 1] += made->starts[c];
        }
    } else {
        std::size_t size = 4;
        while (size < 2 * count)
            size *= 2;
        made->slots.assign(size, 0);  // 1 + the first row
        made->ends.assign(count, 0);
        for (std::size_t first = 0; first < count;) {
            std::size_t end = first + 1;
            const std::int32_t* key = made->cells.data() + first * width;
            while (end < count && agrees(mask, made->cells.data() + end * width, key, arity))
                ++end;
            made->ends[first] = static_cast<std::uint32_t>(end);
            std::size_t slot = hash_of(mask, key, arity) & (size - 1);
            while (made->slots[slot] != 0)
                slot = (slot + 1) & (size - 1);
            made->slots[slot] = static_cast<std::uint32_t>(first + 1);
            ++made->keys;
            first = end;
        }
    }
    const Lookup& result = *made;
    owned_.push_back(std::move(made));
    place.store(&result, std::memory_order_release);
    return result;
}

std::span<const std::int32_t> DatabaseIndex::match(int predicate, std::uint32_t mask,
                                                   const std::int32_t* key) const {
    const Entry& entry = at(predicate);
    if (entry.computed != nullptr)
        return call(predicate, mask, key);
    const int arity = entry.symbol.arity;
    const auto width = static_cast<std::size_t>(arity);
    if (mask == 0)
        return entry.table->cells;
    const Lookup& found = lookup(entry, mask);
    if (!found.starts.empty()) {
        int argument = 0;
        while ((mask >> argument & 1U) == 0)
            ++argument;
        const auto c = static_cast<std::size_t>(key[argument]);
        if (c >= constants_)
            return {};
        return {found.cells.data() + found.starts[c] * width,
                (found.starts[c + 1] - found.starts[c]) * width};
    }
    const std::size_t size = found.slots.size();
    for (std::size_t slot = hash_of(mask, key, arity) & (size - 1); found.slots[slot] != 0;
         slot = (slot + 1) & (size - 1)) {
        const std::size_t first = found.slots[slot] - 1;
        if (agrees(mask, found.cells.data() + first * width, key, arity))
            return {found.cells.data() + first * width, (found.ends[first] - first) * width};
    }
    return {};
}

std::span<const std::int32_t> DatabaseIndex::call(int predicate, std::uint32_t mask,
                                                  const std::int32_t* key) const {
    const Entry& entry = at(predicate);
    const int arity = entry.symbol.arity;
    thread_local Calls::Key asked;
    asked.words.assign(static_cast<std::size_t>(arity) + 1, kAnyConstant);
    asked.words[0] = predicate;
    for (int a = 0; a < arity; ++a)
        if ((mask >> a & 1U) != 0)
            asked.words[static_cast<std::size_t>(a) + 1] = key[a];
    {
        const std::shared_lock lock(calling_);
        if (const auto found = calls_->known.find(asked); found != calls_->known.end())
            return found->second;
    }
    const std::unique_lock lock(calling_);
    if (const auto found = calls_->known.find(asked); found != calls_->known.end())
        return found->second;
    std::vector<std::int32_t> rows;
    try {
        entry.computed->call({asked.words.data() + 1, static_cast<std::size_t>(arity)}, rows);
    } catch (const Error&) {
        rows.clear();
    }
    return calls_->known.emplace(asked, std::move(rows)).first->second;
}

std::vector<FactTable> DatabaseIndex::answered() const {
    const std::shared_lock lock(calling_);
    std::vector<FactTable> tables;
    for (std::size_t p = 0; p < entries_.size(); ++p) {
        if (entries_[p].computed == nullptr)
            continue;
        tables.push_back({entries_[p].symbol, {}, {}});
        for (const auto& [key, rows] : calls_->known)
            if (key.words[0] == static_cast<std::int32_t>(p))
                tables.back().cells.insert(tables.back().cells.end(), rows.begin(), rows.end());
    }
    return tables;
}

double DatabaseIndex::mean_rows(int predicate, std::uint32_t mask) const {
    const Entry& entry = at(predicate);
    if (entry.computed != nullptr)
        return 1;
    const auto all = static_cast<double>(entry.table->rows());
    if (mask == 0 || all == 0)
        return all;
    return all / static_cast<double>(std::max<std::size_t>(lookup(entry, mask).keys, 1));
}

}  // namespace hri::evaluation
