// SPDX-License-Identifier: Apache-2.0
#pragma once

// The data that a reader of any format gathers, and the functions that make a problem of them.
//
//   RawDataset data;
//   data.add_fact({"parent", 2}, mark, {data.constants.intern("ann"), ...}, 1.0F);
//   data.add_example({"grandparent", 2}, mark, {...}, true);
//   return finish(std::move(data), options);

#include "hri/data.hpp"

#include "data/constants.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace hri::data {

constexpr int kMaxArity = 2;       // of facts in instances
constexpr int kMaxArityRead = 32;  // of facts

std::string described(const PredicateSymbol& symbol);

/// Whether the name is an operator of Prolog's clauses, and so no predicate.
bool is_glue(std::string_view name);
/// Throws Error where the name is glue.
void check_name(const std::string& name, const Place& place);

/// "bias.pl:3:1: message"
std::string warning_at(const Place& place, const std::string& message);

/// A predicate and where it was named.
struct Declaration {
    PredicateSymbol symbol;
    Place place;
    Place arity_place;
};

/// A clause that is no fact or rule over constants. It counts only if its predicate does.
struct Refusal {
    PredicateSymbol symbol;
    Error error;
    bool is_prolog = false;  // SWI-Prolog may run it
};

struct RawDataset {
    /// The facts of one predicate.
    struct Table {
        PredicateSymbol symbol;
        Place first;         // where it was met
        bool given = false;  // has facts or rules, and does not only occur in bodies
        std::vector<std::int32_t> cells;
        std::vector<float> values;  // one per row

        std::size_t rows() const { return values.size(); }
    };

    struct Example {
        int table = 0;
        std::size_t begin = 0;  // of its constants in example_cells, one per argument
        bool positive = false;
        bool held_out = false;  // for evaluation only
        int line = 0;
        int column = 0;
        int file = 0;  // into example_files
    };

    Constants constants;
    std::vector<Table> tables;
    std::vector<Example> examples;
    std::vector<std::int32_t> example_cells;
    std::vector<std::string> example_files;
    std::vector<Rule> rules;  // predicates are tables, constants those above
    std::vector<Refusal> refusals;
    std::vector<std::pair<std::string, std::string>> background;  // files of Prolog and their text
    std::vector<std::int32_t> extra_constants;  // that no fact or example need mention
    std::vector<Declaration> heads;
    std::vector<Declaration> bodies;  // none: every predicate is an input
    std::map<PredicateSymbol, std::vector<std::string>> types;
    std::map<PredicateSymbol, std::vector<std::string>> directions;
    std::map<PredicateSymbol, std::vector<std::string>> instead;  // targets of a relation's classes
    std::set<PredicateSymbol> several_types;  // whose lines of types contradict each other
    ClauseBias bias;                          // without types and directions
    std::vector<Declaration> described;       // whom lines of types and directions are about
    bool facts_are_examples = false;          // of a target without examples
    bool has_evaluation = false;              // held-out examples make an evaluation
    bool target_needed = true;                // false: it may lack facts and examples
    Place no_examples;                        // where to say that there are none
    std::string inputs_from;                  // who declares inputs: "bias.pl"
    std::string hint_no_target = "write each example as pos(target(a,b)).";
    std::string hint_all_targets;  // beside the predicates that may be the target
    std::vector<std::string> warnings;
    std::string name;
    std::function<void(const ReadProgress&)> progress = {};

    int table(const PredicateSymbol& symbol, const Place& place);
    void add_fact(int table, const std::vector<std::int32_t>& tuple, float value);
    void add_example(int table, const Place& place, const std::vector<std::int32_t>& tuple,
                     bool positive, bool held_out = false);

    std::span<const std::int32_t> cells(const Example& example) const;
    Place place(const Example& example) const;
    /// Keeps a line about the types of a predicate's arguments, or about their directions.
    void add_types(const Declaration& of, std::vector<std::string> types);
    void add_directions(const Declaration& of, std::vector<std::string> directions);

    void warn(const Place& place, const std::string& message) {
        warnings.push_back(warning_at(place, message));
    }

  private:
    void count();

    std::map<PredicateSymbol, int> index_;
    std::int64_t read_ = 0;
};

/// Chooses the target and the inputs, runs the rules, reifies and makes instances. Throws Error.
Problem build_problem(RawDataset&& data, const ReadOptions& options);

}  // namespace hri::data
