// SPDX-License-Identifier: Apache-2.0
#pragma once

// All ways in which a body holds: one row for each, by example. A longer body's rows come from
// those of the body without its last literal, by a join.

#include "search/clauses/language.hpp"

#include <cstdint>
#include <vector>

namespace hri::search {

/// Atoms of the target, the positive ones first.
struct SearchExamples {
    int arity = 0;
    int positives = 0;
    int count = 0;
    std::vector<std::int32_t> cells;

    const std::int32_t* tuple(std::int32_t example) const {
        return cells.data() + static_cast<std::size_t>(example) * static_cast<std::size_t>(arity);
    }
};

/// The same numbers of both kinds at most, drawn by the seed; all where there are not more.
SearchExamples sample_examples(const ExampleTable& table, int max_positives, int max_negatives,
                               std::uint64_t seed);

struct Bindings {
    int head = 0;                        ///< variables of the head, which the example gives
    int variables = 0;                   ///< all
    std::vector<std::int32_t> examples;  ///< by row, ascending
    std::vector<std::int32_t> cells;     ///< by row: values of the variables behind the head's
    bool truncated = false;              ///< rows were left out: too many

    std::size_t rows() const { return examples.size(); }

    std::size_t width() const { return static_cast<std::size_t>(variables - head); }

    std::int32_t value(const SearchExamples& of, std::size_t row, std::int32_t variable) const {
        return variable < head ? of.tuple(examples[row])[variable]
                               : cells[row * width() + static_cast<std::size_t>(variable - head)];
    }
};

/// One row for each example.
Bindings empty_body(const SearchExamples& examples);

/// The rows of the body with one more literal, whose new variables are the next ones. Of each
/// example at most `max_rows`.
void extend(const evaluation::DatabaseIndex& index, const Language& language,
            const SearchExamples& examples, const Bindings& from, const BodyLiteral& literal,
            std::size_t max_rows, Bindings& to);

/// The bindings of a whole body, literal after literal.
Bindings bindings_of(const evaluation::DatabaseIndex& index, const Language& language,
                     const SearchExamples& examples, const Body& body, std::size_t max_rows);

/// Equal for two tables just where they are the same up to the order of variables (but for
/// collisions of hashes).
std::uint64_t meaning_of(const Bindings& bindings);

/// Examples with a row.
struct Covered {
    int positives = 0;
    int negatives = 0;
};

Covered count_covered(const SearchExamples& examples, const Bindings& bindings);

/// Whether one of the last `fresh` variables always has the value of an earlier one.
bool repeats_a_variable(const SearchExamples& examples, const Bindings& bindings, int fresh);

}  // namespace hri::search
