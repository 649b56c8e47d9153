// SPDX-License-Identifier: Apache-2.0
#pragma once

// Relations over many constants, of which few tuples are true.
//
//   SparseRelation edge(constants);
//   edge.advance(keys);                         // what is new becomes the delta
//   edge.each_run(Part::all, [&](const Run& run) { ... run.by_first().row(x) ... });

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace hri::evaluation {

/// A tuple: the first argument in the upper half, the second in the lower one; 0 where there is
/// none.
using Key = std::uint64_t;

inline Key key_of(std::uint32_t first, std::uint32_t second) { return Key{first} << 32U | second; }

inline std::uint32_t first_of(Key key) { return static_cast<std::uint32_t>(key >> 32U); }

inline std::uint32_t second_of(Key key) { return static_cast<std::uint32_t>(key); }

/// Sorts keys and drops duplicates.
void sort_once(std::vector<Key>& keys);

/// Sorted keys without duplicates. Where they are many, an index tells where each row begins.
class Rows {
  public:
    Rows(std::vector<Key> sorted, std::size_t constants);

    std::span<const Key> all() const { return keys_; }

    /// The keys of that first argument.
    std::span<const Key> row(std::uint32_t first) const;
    bool contains(Key key) const;

    /// How many first arguments occur.
    std::size_t firsts() const { return firsts_; }

  private:
    std::vector<Key> keys_;
    std::vector<std::uint32_t> starts_;  // [first argument]; empty where a search is cheaper
    std::size_t firsts_ = 0;
};

/// NamedTuples that can be looked up by either argument.
class Run {
  public:
    Run(std::vector<Key> sorted, std::size_t constants);

    const Rows& by_first() const { return by_first_; }

    /// The same with the arguments exchanged; made when it is asked for.
    const Rows& by_second() const;

    std::size_t size() const { return by_first_.all().size(); }

  private:
    std::size_t constants_;
    Rows by_first_;
    mutable std::optional<Rows> by_second_;
};

/// Which tuples of a relation that grows in rounds: those of the last round are the delta.
enum class Part : std::uint8_t { all, old, delta };

/// NamedTuples in runs whose sizes grow at least twofold, so that a tuple is moved few times
/// however many rounds there are.
class SparseRelation {
  public:
    /// The tuple of a predicate without arguments is (0, 0), even where there are no constants.
    explicit SparseRelation(std::size_t constants)
        : constants_(std::max<std::size_t>(constants, 1)) {}

    /// The delta becomes old, and what of `derived` is not known yet the delta. Empties `derived`.
    /// False: nothing is new.
    bool advance(std::vector<Key>& derived);

    /// All is old, in one run.
    void settle();

    std::size_t size(Part part) const;
    bool contains(Key key) const;
    /// How many tuples of all go with one value of the first, or second, argument: the mean.
    double fan_out(bool of_second) const;
    std::vector<Key> keys() const;

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

}  // namespace hri::evaluation
