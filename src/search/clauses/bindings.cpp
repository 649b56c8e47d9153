// SPDX-License-Identifier: Apache-2.0
#include "search/clauses/bindings.hpp"

#include "hri/random.hpp"

#include <algorithm>

namespace hri::search {

namespace {

std::uint64_t mixed(std::uint64_t x) {
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdU;
    x ^= x >> 33;
    return x;
}

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
    const LanguagePredicate& predicate =
        language.predicates[static_cast<std::size_t>(literal.predicate)];
    const int arity = predicate.symbol.arity;
    std::int32_t key[kMaxTerms];
    std::uint32_t mask = 0;
    std::int32_t fresh[kMaxTerms];  // new variable of an argument, -1 for none
    int variables = from.variables;
    for (int a = 0; a < arity; ++a) {
        const std::int32_t term = literal.terms[static_cast<std::size_t>(a)];
        fresh[a] = -1;
        if (term >= from.variables) {
            fresh[a] = term - from.variables;
            variables = std::max(variables, term + 1);
        } else {
            mask |= 1U << a;
            key[a] = term < 0 ? -1 - term : 0;
        }
    }
    to.head = from.head;
    to.variables = variables;
    to.truncated = from.truncated;
    to.examples.clear();
    to.cells.clear();
    const std::size_t width = from.width();
    const auto added = static_cast<std::size_t>(variables - from.variables);
    std::int32_t current = -1;
    std::size_t of_current = 0;
    const auto wide = static_cast<std::size_t>(arity);
    for (std::size_t row = 0; row < from.rows(); ++row) {
        const std::int32_t example = from.examples[row];
        if (example != current) {
            current = example;
            of_current = 0;
        } else if (of_current >= max_rows) {
            to.truncated = true;
            continue;
        }
        for (int a = 0; a < arity; ++a)
            if (const std::int32_t term = literal.terms[static_cast<std::size_t>(a)];
                term >= 0 && fresh[a] < 0)
                key[a] = from.value(examples, row, term);
        const auto keep = [&](const std::int32_t* match) {
            to.examples.push_back(example);
            const std::size_t at = to.cells.size();
            to.cells.resize(at + width + added);
            std::int32_t* cells = to.cells.data() + at;
            const std::int32_t* before = from.cells.data() + row * width;
            for (std::size_t c = 0; c < width; ++c)
                cells[c] = before[c];
            if (added > 0)
                for (int a = 0; a < arity; ++a)
                    if (fresh[a] >= 0)
                        cells[width + static_cast<std::size_t>(fresh[a])] = match[a];
            ++of_current;
        };
        if (predicate.index < 0) {
            if (evaluation::compares(predicate.comparison, index.number(key[0]),
                                     index.number(key[1])))
                keep(nullptr);
            continue;
        }
        const std::span<const std::int32_t> rows = index.match(predicate.index, mask, key);
        const std::int32_t* hidden = predicate.is_target ? examples.tuple(example) : nullptr;
        if (literal.negated) {
            bool found = false;
            for (std::size_t r = 0; r < rows.size() && !found; r += wide)
                found = hidden == nullptr || !std::equal(hidden, hidden + arity, rows.data() + r);
            if (!found)
                keep(nullptr);
            continue;
        }
        for (std::size_t r = 0; r < rows.size(); r += wide) {
            if (hidden != nullptr && std::equal(hidden, hidden + arity, rows.data() + r))
                continue;
            if (of_current >= max_rows) {
                to.truncated = true;
                break;
            }
            keep(rows.data() + r);
            if (added == 0)
                break;
        }
    }
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
