// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sparse relations of any arity that grow in rounds.
//
//   Relation edge(2, constants);
//   Batch batch(2);
//   batch.add(std::array{0, 1});
//   edge.advance(batch);                                  // what is new becomes the delta
//   edge.any(std::array{0, kOpen}, [](Tuple tuple) { ... return false; });
//
// Tuples of at most two arguments are sorted 64-bit keys, looked up by either argument. Wider
// tuples are sorted rows of cells, looked up by any set of columns.

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace hri::datalog {

using Tuple = std::span<const std::int32_t>;

/// In a pattern: any constant.
constexpr std::int32_t kOpen = -1;

/// Limit of the arity: the columns of a pattern are bits of a word.
constexpr std::size_t kMaxArity = 32;

/// At most two arguments: the first in the upper half, the second in the lower one; 0 where there
/// is none.
using Key = std::uint64_t;

inline Key key_of(std::int32_t first, std::int32_t second) {
    return Key{static_cast<std::uint32_t>(first)} << 32U | static_cast<std::uint32_t>(second);
}

inline std::int32_t first_of(Key key) { return static_cast<std::int32_t>(key >> 32U); }

inline std::int32_t second_of(Key key) { return static_cast<std::int32_t>(key); }

using Keys = std::vector<Key>;

/// Tuples of three arguments and more, one after the other.
struct Cells {
    std::size_t arity = 0;
    std::vector<std::int32_t> values;

    std::size_t size() const { return values.size() / arity; }

    bool empty() const { return values.empty(); }

    void clear() { values.clear(); }

    const std::int32_t* row(std::size_t i) const { return values.data() + i * arity; }
};

/// Sorts tuples and drops duplicates.
void sort_once(Keys& keys);
void sort_once(Cells& cells);

/// Tuples on their way into a relation. They are sorted from time to time, so that duplicates do
/// not pile up.
class Batch {
  public:
    explicit Batch(int arity, std::size_t max_atoms = SIZE_MAX);

    void add(Key key) {
        keys.push_back(key);
        if (keys.size() >= next_sort_) {
            condense();
        }
    }

    void add(Tuple tuple);

    Keys keys;    ///< of at most two arguments
    Cells cells;  ///< of more

  private:
    void condense();  // throws LimitReached where there are too many

    std::size_t max_atoms_;
    std::size_t next_sort_;
};

/// Sorted keys without duplicates. Where they are many, an index tells where each row begins.
class Rows {
  public:
    Rows(Keys sorted, std::size_t constants);

    std::span<const Key> all() const { return keys_; }

    /// The keys of that first argument.
    std::span<const Key> row(std::int32_t first) const;
    bool contains(Key key) const;

    /// The number of different first arguments.
    std::size_t firsts() const { return firsts_; }

  private:
    Keys keys_;
    std::vector<std::uint32_t> starts_;  // [first argument]; empty where a search is cheaper
    std::size_t firsts_ = 0;
};

/// Keys that can be looked up by either argument.
class KeyRun {
  public:
    using Tuples = Keys;

    KeyRun(Keys sorted, std::size_t constants);

    const Rows& by_first() const { return by_first_; }

    /// The same with the arguments exchanged; made when it is asked for.
    const Rows& by_second() const;

    std::size_t size() const { return by_first_.all().size(); }

    bool contains(Key key) const { return by_first_.contains(key); }

    /// The number of values in the columns of the mask: 1 is the first, 2 the second.
    std::size_t groups(std::uint32_t mask) const {
        return ((mask & 1U) != 0 ? by_first() : by_second()).firsts();
    }

    std::span<const Key> tuples() const { return by_first_.all(); }

  private:
    std::size_t constants_;
    Rows by_first_;
    mutable std::optional<Rows> by_second_;
};

/// Wide tuples that can be looked up by any columns.
class CellRun {
  public:
    using Tuples = Cells;

    CellRun(Cells sorted, std::size_t constants);

    std::size_t size() const { return cells_.size(); }

    bool contains(const std::int32_t* tuple) const;

    std::size_t groups(std::uint32_t mask) const { return index(mask).groups; }

    const Cells& tuples() const { return cells_; }

    /// Calls use(row) for the tuples that equal `like` in the mask's columns, until it returns
    /// true; says whether it did.
    template <class Use>
    bool any(std::uint32_t mask, const std::int32_t* like, Use use) const {
        if (mask == 0) {
            for (std::size_t i = 0; i < size(); ++i) {
                if (use(cells_.row(i))) {
                    return true;
                }
            }
            return false;
        }
        const std::vector<std::uint32_t>& rows = index(mask).rows;
        for (std::size_t i = first_like(rows, mask, like);
             i < rows.size() && order(mask, cells_.row(rows[i]), like) == 0; ++i) {
            if (use(cells_.row(rows[i]))) {
                return true;
            }
        }
        return false;
    }

  private:
    struct Index {
        std::vector<std::uint32_t> rows;  // sorted by the mask's columns
        std::size_t groups = 0;
    };

    /// Below, at or above 0: how `a` and `b` compare in the mask's columns.
    int order(std::uint32_t mask, const std::int32_t* a, const std::int32_t* b) const {
        for (std::size_t i = 0; i < cells_.arity; ++i) {
            if ((mask >> i & 1U) != 0 && a[i] != b[i]) {
                return a[i] < b[i] ? -1 : 1;
            }
        }
        return 0;
    }

    const Index& index(std::uint32_t mask) const;
    std::size_t first_like(const std::vector<std::uint32_t>& rows, std::uint32_t mask,
                           const std::int32_t* like) const;

    Cells cells_;
    mutable std::map<std::uint32_t, Index> indices_;  // [mask], made when asked for
};

/// Which tuples of a relation that grows in rounds: those of the last round are the delta.
enum class Part : std::uint8_t { all, old, delta };

/// Tuples in runs whose sizes grow at least twofold, so that a tuple is moved few times however
/// many rounds there are.
template <class Run>
class Runs {
  public:
    using Tuples = typename Run::Tuples;

    explicit Runs(std::size_t constants) : constants_(constants) {}

    /// The delta becomes old, and what of `derived` is not known yet the delta. Empties `derived`.
    /// False: nothing is new.
    bool advance(Tuples& derived);

    /// All is old, in one run.
    void settle();

    std::size_t size(Part part) const;

    template <class One>
    bool contains(One tuple) const {
        return any_run(Part::all, [tuple](const Run& run) { return run.contains(tuple); });
    }

    /// The mean number of tuples for one value of the mask's columns.
    double fan_out(std::uint32_t mask) const;

    /// Calls use(run) until it returns true; says whether it did.
    template <class Use>
    bool any_run(Part part, Use use) const {
        if (part != Part::delta) {
            for (const Run& run : runs_) {
                if (use(run)) {
                    return true;
                }
            }
        }
        return part != Part::old && delta_ && use(*delta_);
    }

  private:
    void keep(Run run);

    std::size_t constants_;
    std::vector<Run> runs_;
    std::optional<Run> delta_;
};

class Relation {
  public:
    /// The tuple of a predicate without arguments is (0, 0), even where there are no constants.
    Relation(int arity, std::size_t constants);

    int arity() const { return arity_; }

    bool is_wide() const { return arity_ > 2; }

    /// The tuples of a relation of at most two arguments.
    const Runs<KeyRun>& keys() const { return keys_; }

    /// The tuples of a wide relation.
    const Runs<CellRun>& cells() const { return cells_; }

    /// Like Runs::advance.
    bool advance(Batch& derived);
    void settle();

    std::size_t size(Part part = Part::all) const;
    bool contains(Tuple tuple) const;
    double fan_out(std::uint32_t mask) const;

    /// Calls use(tuple) for what equals `pattern` where that is not kOpen, until it returns true;
    /// says whether it did. Sorted within a run; after settle() there is one run at the most.
    template <class Use>
    bool any(Tuple pattern, Use use, Part part = Part::all) const {
        std::uint32_t mask = 0;
        for (std::size_t i = 0; i < pattern.size(); ++i) {
            mask |= pattern[i] == kOpen ? 0U : std::uint32_t{1} << i;
        }
        const auto arity = static_cast<std::size_t>(arity_);
        if (is_wide()) {
            return cells_.any_run(part, [&](const CellRun& run) {
                return run.any(mask, pattern.data(),
                               [&](const std::int32_t* row) { return use(Tuple(row, arity)); });
            });
        }
        const auto use_key = [&](std::int32_t first, std::int32_t second) {
            const std::array<std::int32_t, 2> cells{first, second};
            return use(Tuple(cells.data(), arity));
        };
        return keys_.any_run(part, [&](const KeyRun& run) {
            if (mask == 2) {
                const auto same = run.by_second().row(pattern[1]);
                return std::any_of(same.begin(), same.end(),
                                   [&](Key key) { return use_key(second_of(key), first_of(key)); });
            }
            const auto same = mask == 0 ? run.by_first().all() : run.by_first().row(pattern[0]);
            return std::any_of(same.begin(), same.end(), [&](Key key) {
                return (mask != 3 || second_of(key) == pattern[1]) &&
                       use_key(first_of(key), second_of(key));
            });
        });
    }

    /// Calls use(tuple) for every tuple of the part.
    template <class Use>
    void each(Use use, Part part = Part::all) const {
        const std::vector<std::int32_t> open(static_cast<std::size_t>(arity_), kOpen);
        any(
            open, [&](Tuple tuple) { return use(tuple), false; }, part);
    }

  private:
    int arity_;
    Runs<KeyRun> keys_;
    Runs<CellRun> cells_;
};

}  // namespace hri::datalog
