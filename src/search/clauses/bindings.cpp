// SPDX-License-Identifier: Apache-2.0
#include "search/clauses/bindings.hpp"

#include "hri/random.hpp"

#include "base/hash.hpp"

#include <algorithm>

namespace hri::search {

namespace {

using base::mixed;

/// Extends the rows of a table by one literal.
class Extension {
  public:
    Extension(const evaluation::DatabaseIndex& index, const Language& language,
              const SearchExamples& examples, const Bindings& from, const BodyLiteral& literal,
              std::size_t max_rows, Bindings& to)
        : index_(index),
          predicate_(language.predicates[static_cast<std::size_t>(literal.predicate)]),
          examples_(examples),
          from_(from),
          literal_(literal),
          max_rows_(max_rows),
          to_(to),
          arity_(predicate_.symbol.arity) {
        int variables = from.variables;
        for (int a = 0; a < arity_; ++a) {
            const std::int32_t term = literal.terms[static_cast<std::size_t>(a)];
            fresh_[a] = -1;
            if (term >= from.variables) {
                fresh_[a] = term - from.variables;
                variables = std::max(variables, term + 1);
            } else {
                mask_ |= 1U << a;
                key_[a] = term < 0 ? -1 - term : 0;
            }
        }
        to.head = from.head;
        to.variables = variables;
        to.truncated = from.truncated;
        to.examples.clear();
        to.cells.clear();
        width_ = from.width();
        added_ = static_cast<std::size_t>(variables - from.variables);
    }

    void run() {
        std::int32_t current = -1;
        for (std::size_t row = 0; row < from_.rows(); ++row) {
            if (from_.examples[row] != current) {
                current = from_.examples[row];
                kept_ = 0;
            } else if (kept_ >= max_rows_) {
                to_.truncated = true;
                continue;
            }
            for (int a = 0; a < arity_; ++a)
                if (const std::int32_t term = literal_.terms[static_cast<std::size_t>(a)];
                    term >= 0 && fresh_[a] < 0)
                    key_[a] = from_.value(examples_, row, term);
            extend_row(row);
        }
    }

  private:
    void extend_row(std::size_t row) {
        if (predicate_.index < 0) {
            if (evaluation::compares(predicate_.comparison, index_.number(key_[0]),
                                     index_.number(key_[1])))
                keep(row, nullptr);
            return;
        }
        const auto wide = static_cast<std::size_t>(arity_);
        const std::span<const std::int32_t> rows = index_.match(predicate_.index, mask_, key_);
        const std::int32_t* hidden =
            predicate_.is_target ? examples_.tuple(from_.examples[row]) : nullptr;
        if (literal_.negated) {
            bool found = false;
            for (std::size_t r = 0; r < rows.size() && !found; r += wide)
                found = hidden == nullptr || !std::equal(hidden, hidden + arity_, rows.data() + r);
            if (!found)
                keep(row, nullptr);
            return;
        }
        for (std::size_t r = 0; r < rows.size(); r += wide) {
            if (hidden != nullptr && std::equal(hidden, hidden + arity_, rows.data() + r))
                continue;
            if (kept_ >= max_rows_) {
                to_.truncated = true;
                return;
            }
            keep(row, rows.data() + r);
            if (added_ == 0)
                return;
        }
    }

    void keep(std::size_t row, const std::int32_t* match) {
        to_.examples.push_back(from_.examples[row]);
        const std::size_t at = to_.cells.size();
        to_.cells.resize(at + width_ + added_);
        std::int32_t* cells = to_.cells.data() + at;
        const std::int32_t* before = from_.cells.data() + row * width_;
        for (std::size_t c = 0; c < width_; ++c)
            cells[c] = before[c];
        if (added_ > 0)
            for (int a = 0; a < arity_; ++a)
                if (fresh_[a] >= 0)
                    cells[width_ + static_cast<std::size_t>(fresh_[a])] = match[a];
        ++kept_;
    }

    const evaluation::DatabaseIndex& index_;
    const LanguagePredicate& predicate_;
    const SearchExamples& examples_;
    const Bindings& from_;
    const BodyLiteral& literal_;
    const std::size_t max_rows_;
    Bindings& to_;
    const int arity_;
    std::int32_t key_[kMaxTerms] = {};
    std::uint32_t mask_ = 0;
    std::int32_t fresh_[kMaxTerms] = {};  // new variable of an argument, -1 for none
    std::size_t width_ = 0;               // columns before
    std::size_t added_ = 0;               // new columns
    std::size_t kept_ = 0;                // rows of the current example
};

}  // namespace

SearchExamples sample_examples(const ExampleTable& table, int max_positives, int max_negatives,
                               std::uint64_t seed) {
    SearchExamples examples;
    examples.arity = table.target.arity;
    Random random(seed, Random::kData);
    for (const bool positive : {true, false}) {
        std::vector<std::size_t> rows;
        for (std::size_t r = 0; r < table.positive.size(); ++r)
            if ((table.positive[r] != 0) == positive)
                rows.push_back(r);
        const auto most = static_cast<std::size_t>(positive ? max_positives : max_negatives);
        if (rows.size() > most) {
            random.shuffle(rows);
            rows.resize(most);
            std::sort(rows.begin(), rows.end());
        }
        const auto width = static_cast<std::ptrdiff_t>(examples.arity);
        for (const std::size_t r : rows) {
            const auto from = table.cells.begin() + static_cast<std::ptrdiff_t>(r) * width;
            examples.cells.insert(examples.cells.end(), from, from + width);
        }
        examples.count += static_cast<int>(rows.size());
        if (positive)
            examples.positives = examples.count;
    }
    return examples;
}

Bindings empty_body(const SearchExamples& examples) {
    Bindings bindings;
    bindings.head = bindings.variables = examples.arity;
    for (int e = 0; e < examples.count; ++e)
        bindings.examples.push_back(e);
    return bindings;
}

void extend(const evaluation::DatabaseIndex& index, const Language& language,
            const SearchExamples& examples, const Bindings& from, const BodyLiteral& literal,
            std::size_t max_rows, Bindings& to) {
    Extension(index, language, examples, from, literal, max_rows, to).run();
}

Bindings bindings_of(const evaluation::DatabaseIndex& index, const Language& language,
                     const SearchExamples& examples, const Body& body, std::size_t max_rows) {
    Bindings now = empty_body(examples);
    Bindings next;
    for (const BodyLiteral& literal : body) {
        extend(index, language, examples, now, literal, max_rows, next);
        std::swap(now, next);
    }
    return now;
}

std::uint64_t meaning_of(const Bindings& bindings) {
    const std::size_t width = bindings.width();
    // A column's hash does not depend on its place, so that neither does the table's.
    std::uint64_t columns[64] = {};
    const std::size_t used = std::min<std::size_t>(width, 64);
    for (std::size_t row = 0; row < bindings.rows(); ++row) {
        const auto example = static_cast<std::uint64_t>(bindings.examples[row]) << 32;
        for (std::size_t c = 0; c < used; ++c)
            columns[c] +=
                mixed(example + static_cast<std::uint32_t>(bindings.cells[row * width + c]) + 1);
    }
    std::uint64_t hash = mixed(width + 77);
    for (std::size_t row = 0; row < bindings.rows(); ++row) {
        std::uint64_t sum = 0;
        for (std::size_t c = 0; c < used; ++c)
            sum += mixed(columns[c] ^ (static_cast<std::uint64_t>(static_cast<std::uint32_t>(
                                           bindings.cells[row * width + c]))
                                       << 20));
        hash +=
            mixed(sum + static_cast<std::uint64_t>(bindings.examples[row]) * 0x9e3779b97f4a7c15U);
    }
    return hash;
}

Covered count_covered(const SearchExamples& examples, const Bindings& bindings) {
    Covered covered;
    std::int32_t last = -1;
    for (const std::int32_t example : bindings.examples)
        if (example != last) {
            last = example;
            ++(example < examples.positives ? covered.positives : covered.negatives);
        }
    return covered;
}

bool repeats_a_variable(const SearchExamples& examples, const Bindings& bindings, int fresh) {
    for (int v = bindings.variables - fresh; v < bindings.variables; ++v)
        for (int other = 0; other < v; ++other) {
            bool same = true;
            for (std::size_t row = 0; row < bindings.rows() && same; ++row)
                same = bindings.value(examples, row, v) == bindings.value(examples, row, other);
            if (same)
                return true;
        }
    return false;
}

}  // namespace hri::search
