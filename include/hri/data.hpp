// SPDX-License-Identifier: Apache-2.0
#pragma once

// Facts and examples.
//
//   Problem problem = read_task_folder("family");          // bk.pl, exs.pl, bias.pl
//   for (const Instance& instance : problem.training.instances) ...

#include "hri/error.hpp"
#include "hri/logic.hpp"
#include "hri/random.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hri {

/// One true tuple of an input predicate. Unary predicates use `first` only, zero-ary ones neither.
struct Fact {
    std::int32_t first = 0;
    std::int32_t second = 0;
    float value = 1.0F;  ///< in (0, 1]
    auto operator<=>(const Fact&) const = default;
};

enum class Label : std::int8_t { negative = 0, positive = 1, unlabelled = 2 };

/// One world: constants, the facts of each input predicate, the labels of the target's atoms.
struct Instance {
    int constants = 0;
    std::vector<std::string> names;        ///< of constants; empty: they are called 0, 1, 2, ...
    std::vector<std::vector<Fact>> facts;  ///< [input predicate], each sorted without duplicates
    std::vector<Label> labels;             ///< target's atoms in row-major order: n^arity of them

    std::string name_of(int constant) const;
    /// Empties facts and labels (all `fill`) for n constants, keeping the memory.
    void reset(int n, int inputs, int target_arity, Label fill);
    int count(Label label) const;
    bool operator==(const Instance&) const = default;
};

/// Where instances come from: a fixed list, or a generator that fills one afresh from random
/// numbers.
struct Source {
    std::vector<Instance> instances;
    std::function<void(Random&, Instance&)> generate;  ///< used when `instances` is empty

    bool fixed() const { return !instances.empty(); }

    bool empty() const { return instances.empty() && !generate; }

    /// The i-th instance. A fixed source cycles through its list; a generator fills `scratch`.
    const Instance& draw(int i, Random& random, Instance& scratch) const;
};

/// What is to be learned from what.
struct Problem {
    std::string name;
    std::vector<PredicateSymbol> inputs;
    PredicateSymbol target;
    Source training;
    Source evaluation;                  ///< fresh, usually larger; empty where there is none
    std::vector<std::string> warnings;  ///< what the reader met and passed over, with its place
};

/// Labels are dense: an instance whose target has more atoms is refused.
constexpr std::int64_t kMostAtoms = 50'000'000;

struct ReadOptions {
    bool closed_world = false;  ///< atoms that exs.pl does not list are negative, not unlabelled
};

/// Reads bk.pl, exs.pl and, if present, bias.pl as one training instance.
///   bk.pl    facts: parent(ann,bob).   rain.   0.8::likes(bob,'New York').
///   exs.pl   examples: pos(target(ann,bob)).   neg(target(bob,ann)).
///   bias.pl  head_pred(target,2). and body_pred(parent,2). name the target and the inputs
/// Without bias.pl the target is that of exs.pl and the inputs are the predicates of bk.pl.
/// Constants are numbered by name: integers by value, then the others by their bytes. Where they
/// are called 0, 1, 2, ... Instance::names stays empty. Throws Error with file, line and column.
Problem read_task_folder(const std::filesystem::path& folder, const ReadOptions& options = {});

/// Writes bk.pl, exs.pl and bias.pl for one instance, so that read_task_folder gives it back.
/// Constants that no line mentions are kept by a comment: % constants: ann, bob.
/// Each file is written to a temporary name first, then renamed. Throws Error.
void write_task_folder(const std::filesystem::path& folder, const Problem& problem,
                       const Instance& instance);

/// Writes a text file whole or not at all (temporary name in the same folder, then rename; what is
/// not a plain file, such as a pipe, is written directly). Throws Error.
void write_file(const std::filesystem::path& path, std::string_view content);
/// Reads a text file whole. Throws Error.
std::string read_file(const std::filesystem::path& path);

}  // namespace hri
