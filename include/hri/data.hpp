// SPDX-License-Identifier: Apache-2.0
#pragma once

// Facts and examples.
//
//   Problem problem = read_problem("family");          // a folder, files or a database
//   for (const Instance& instance : problem.training.instances) ...

#include "hri/database.hpp"
#include "hri/error.hpp"
#include "hri/fields.hpp"
#include "hri/files.hpp"
#include "hri/logic.hpp"
#include "hri/random.hpp"
#include "hri/schema.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
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

/// Constants, the facts of each input predicate, the labels of the target's atoms.
struct Instance {
    SharedSchema schema;  ///< which predicates `facts` and `labels` belong to
    int constants = 0;
    std::vector<std::string> names;        ///< of constants; empty: they are called 0, 1, 2, ...
    std::vector<std::vector<Fact>> facts;  ///< [input predicate], each sorted without duplicates
    std::vector<Label> labels;  ///< target's atoms in row-major order: n^arity of them, or none
    std::vector<LabelledAtom> listed;    ///< instead of `labels`: sorted, where atoms are too many
    Label unlisted = Label::unlabelled;  ///< of all atoms that `listed` does not have

    /// The schema's. Throws Error where there is no schema.
    const std::vector<PredicateSymbol>& inputs() const;
    std::string name_of(int constant) const;
    /// The constant of that name, -1 for none.
    int find(const std::string& name) const;
    /// Empties facts and labels (all `fill`) for n constants, keeping schema and memory.
    void reset(int n, Label fill);
    int count(Label label) const;
    /// Schemas are the same where inputs and target are.
    bool operator==(const Instance& other) const;
};

/// An instance of n constants without facts, all labels `fill`.
Instance make_instance(SharedSchema schema, int n, Label fill = Label::unlabelled);

/// A source of instances: a fixed list, or a generator that fills one afresh from random
/// numbers.
struct Source {
    std::vector<Instance> instances;
    /// Used when `instances` is empty. It gives the instance its schema too.
    std::function<void(Random&, Instance&)> generate;

    bool fixed() const { return !instances.empty(); }

    bool empty() const { return instances.empty() && !generate; }

    /// The i-th instance. A fixed source cycles through its list; a generator fills `scratch`.
    const Instance& draw(int i, Random& random, Instance& scratch) const;

    /// The first instance of a fixed source that names all these constants; the first of all where
    /// none does.
    const Instance& with_constants(const std::vector<std::string>& names) const;
};

/// A target, and the data that it is learned from.
struct Problem {
    std::string name;
    SharedSchema schema = make_schema({});  ///< of all instances
    Source training;
    Source evaluation;                  ///< fresh, usually larger; empty where there is none
    std::vector<std::string> warnings;  ///< what the reader met and passed over, with its place
    std::vector<std::string> notes;     ///< what the reader did: rules run, atoms reified, splits
    bool recursion_wanted = false;      ///< the bias says enable_recursion
    bool sampled = false;               ///< training holds a part of the examples, the database all
    /// The data before they were made into instances; none where a generator made those.
    std::shared_ptr<Database> database = {};

    const std::vector<PredicateSymbol>& inputs() const { return schema->inputs; }

    const PredicateSymbol& target() const { return schema->target; }
};

/// Labels are dense: an instance whose target has more atoms is refused, or its labels are listed.
constexpr std::int64_t kMaxAtoms = 50'000'000;

/// The split of constants into instances: each holds the constants that can be reached from
/// examples without passing through values (colours, sizes, coordinates), and the values that these
/// touch. A group too large is cut out around each example, and atoms that the cut could change
/// have no label.
struct SplitOptions {
    enum class When : std::uint8_t { automatic, always, never };
    When when = When::automatic;  ///< automatic: where there are more than 150 constants
    int max_constants = 100;      ///< of an instance
    /// Types of values, as in `type` lines; empty: the types that only describe others.
    std::vector<std::string> value_types = {};
    /// Constants with more neighbours are values; 0: more than a quarter of all, and than 20.
    int value_degree = 0;
};

template <>
const std::vector<Field<SplitOptions>>& fields_of<SplitOptions>();

/// The progress of a long reading.
struct ReadProgress {
    std::string stage;       ///< "facts", "instances", ...
    std::int64_t done = 0;   ///< of them so far
    std::int64_t count = 0;  ///< in all; 0: not known
};

struct ReadOptions {
    bool closed_world = false;  ///< atoms that no example lists are negative, not unlabelled
    std::string format = {};    ///< as read_formats() names them; empty: recognised
    /// Name or name/arity; needed where there are several, or no examples.
    std::string target = {};
    bool reify = false;  ///< facts of arity 3 and more become an event and binary facts
    std::filesystem::path mapping = {};  ///< of a database's tables, as TOML; empty: proposed
    SplitOptions split = {};
    bool list_labels = false;  ///< where there are more than kMaxAtoms: for programs, not models
    std::function<void(const ReadProgress&)> progress = {};
};

template <>
const std::vector<Field<ReadOptions>>& fields_of<ReadOptions>();

/// Reads facts and examples in any of the formats of docs/reference/formats.md: a file, a folder or
/// a PostgreSQL connection (postgresql://...). Throws Error with file, line and column.
Problem read_problem(const std::string& source, const ReadOptions& options = {});

/// Facts or examples of one predicate, by the names of constants.
struct NamedTuples {
    PredicateSymbol symbol;
    std::vector<std::string> cells;  ///< row after row, symbol.arity of them each
    std::vector<float> values;       ///< one per row, in (0, 1]; examples': not read
};

/// Data in memory instead of in files.
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

/// "popper", "aleph", "tables", "triples", "datalog", "scenes", "sqlite", "postgresql"
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

}  // namespace hri
