// SPDX-License-Identifier: Apache-2.0
#pragma once

// Facts and examples.
//
//   Problem problem = read_problem("family");          // a folder, files or a database
//   for (const Instance& instance : problem.training.instances) ...

#include "hri/error.hpp"
#include "hri/fields.hpp"
#include "hri/logic.hpp"
#include "hri/random.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hri {

/// One true tuple of an input predicate. Unary predicates use `first` only, nullary ones neither.
struct Fact {
    std::int32_t first = 0;
    std::int32_t second = 0;
    float value = 1.0F;  ///< in (0, 1]
    auto operator<=>(const Fact&) const = default;
};

enum class Label : std::int8_t { negative = 0, positive = 1, unlabelled = 2 };

/// An atom of the target with its label.
struct LabelledAtom {
    std::int32_t first = 0;
    std::int32_t second = 0;
    Label label = Label::unlabelled;
    auto operator<=>(const LabelledAtom&) const = default;
};

/// One world: constants, the facts of each input predicate, the labels of the target's atoms.
struct Instance {
    int constants = 0;
    std::vector<std::string> names;        ///< of constants; empty: they are called 0, 1, 2, ...
    std::vector<std::vector<Fact>> facts;  ///< [input predicate], each sorted without duplicates
    std::vector<Label> labels;  ///< target's atoms in row-major order: n^arity of them, or none
    std::vector<LabelledAtom> listed;    ///< instead of `labels`: sorted, where atoms are too many
    Label unlisted = Label::unlabelled;  ///< of all atoms that `listed` does not have

    std::string name_of(int constant) const;
    /// The constant of that name, -1 for none.
    int find(const std::string& name) const;
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

    /// Of a fixed source the first instance that names all these constants; the first of all where
    /// none does.
    const Instance& with_constants(const std::vector<std::string>& names) const;
};

/// What is to be learned from what.
struct Problem {
    std::string name;
    std::vector<PredicateSymbol> inputs;
    PredicateSymbol target;
    Source training;
    Source evaluation;                  ///< fresh, usually larger; empty where there is none
    std::vector<std::string> warnings;  ///< what the reader met and passed over, with its place
    std::vector<std::string> notes;     ///< what the reader did: rules run, atoms reified, splits
    /// Of predicates' arguments, where the data declare them; values are names of types, and "in"
    /// or "out".
    std::map<PredicateSymbol, std::vector<std::string>> types;
    std::map<PredicateSymbol, std::vector<std::string>> directions;
    bool recursion_wanted = false;  ///< the bias says enable_recursion
};

/// Labels are dense: an instance whose target has more atoms is refused, or its labels are listed.
constexpr std::int64_t kMaxAtoms = 50'000'000;

/// How a set of constants is cut into instances: each holds the constants that can be reached from
/// examples without passing through values (colours, sizes, coordinates), and the values that these
/// touch. A group too large is cut out around each example, and atoms that the cut could change
/// have no label.
struct SplitOptions {
    enum class When : std::uint8_t { automatic, always, never };
    When when = When::automatic;  ///< automatic: where there are more than 150 constants
    int max_constants = 100;      ///< of an instance
    /// Of `type` lines; empty: types that only describe others.
    std::vector<std::string> value_types = {};
    /// Constants with more neighbours are values; 0: more than a quarter of all, and than 20.
    int value_degree = 0;
};

template <>
const std::vector<Field<SplitOptions>>& fields_of<SplitOptions>();

struct ReadOptions {
    bool closed_world = false;  ///< atoms that no example lists are negative, not unlabelled
    std::string format = {};    ///< as read_formats() names them; empty: recognised
    /// Name or name/arity; needed where there are several, or no examples.
    std::string target = {};
    bool reify = false;  ///< facts of arity 3 and more become an event and binary facts
    std::filesystem::path mapping = {};  ///< of a database's tables, as TOML; empty: proposed
    SplitOptions split = {};
    bool list_labels = false;  ///< where there are more than kMaxAtoms: for programs, not models
};

template <>
const std::vector<Field<ReadOptions>>& fields_of<ReadOptions>();

/// Reads facts and examples in any of the formats of docs/formats.md: a file, a folder or a
/// PostgreSQL connection (postgresql://...). Throws Error with file, line and column.
Problem read_problem(const std::string& source, const ReadOptions& options = {});

/// Facts or examples of one predicate, by the names of constants.
struct NamedTuples {
    PredicateSymbol symbol;
    std::vector<std::string> cells;  ///< row after row, symbol.arity of them each
    std::vector<float> values;       ///< one per row, in (0, 1]; examples': not read
};

/// What a caller has in memory instead of in files.
struct InMemoryData {
    std::string name;
    std::vector<NamedTuples> facts;
    std::vector<NamedTuples> positive;
    std::vector<NamedTuples> negative;
    std::vector<std::string> constants;     ///< that no tuple need mention
    std::optional<PredicateSymbol> target;  ///< needed where there are no examples
    std::string from = "<memory>";          ///< where errors say that they are
};

/// The same problem that a reader would make of these. Throws Error.
Problem make_problem(const InMemoryData& data, const ReadOptions& options = {});

/// "popper", "aleph", "tables", "triples", "datalog", "sqlite", "postgresql"
const std::vector<std::string>& read_formats();

/// The mapping that a database would be read by, as TOML.
std::string proposed_mapping(const std::string& database);

/// Reads bk.pl, exs.pl and, if present, bias.pl.
///   bk.pl    facts: parent(ann,bob).   rain.   0.8::likes(bob,'New York').   and rules without
///            functions, which are run first: parent(X,Y) :- father(X,Y).
///   exs.pl   examples: pos(target(ann,bob)).   neg(target(bob,ann)).
///   bias.pl  head_pred(target,2). and body_pred(parent,2). name the target and the inputs;
///            type, direction and enable_recursion are kept
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
