// SPDX-License-Identifier: Apache-2.0
#include "search/clauses/all_examples.hpp"

#include "hri/derive.hpp"
#include "hri/error.hpp"

#include "search/clauses/bodies.hpp"
#include "search/clauses/learn_clauses.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

namespace hri::search {

namespace {

constexpr std::int64_t kSteps = 50'000'000;  // of a program on all examples
constexpr std::int64_t kMinSteps = 2'000;    // of an example

/// A recursive program over many facts may never come to an end: the more examples, the less of
/// each.
evaluation::TopDownLimits limits_for(std::size_t examples) {
    evaluation::TopDownLimits limits;
    limits.steps =
        std::clamp(kSteps / std::max<std::int64_t>(static_cast<std::int64_t>(examples), 1),
                   kMinSteps, limits.steps);
    return limits;
}

}  // namespace

AllExamples::AllExamples(const evaluation::DatabaseIndex& index, const Language& language,
                         const evaluation::ConstantNumbers& names, base::ThreadPool& threads)
    : index_(index),
      language_(language),
      names_(names),
      threads_(threads),
      all_(sample_examples(index.database().examples, std::numeric_limits<int>::max(),
                           std::numeric_limits<int>::max(), 0)) {}

std::vector<std::uint64_t> AllExamples::covered(const Program& program) const {
    std::vector<std::uint64_t> bits((static_cast<std::size_t>(all_.count) + 63) / 64, 0);
    constexpr int kWords = 16;
    const int parts = (static_cast<int>(bits.size()) + kWords - 1) / kWords;
    threads_.each(parts, [&](int part) {
        evaluation::TopDown run(index_, program, names_,
                                limits_for(static_cast<std::size_t>(all_.count)));
        const int end = std::min((part + 1) * kWords * 64, all_.count);
        for (int e = part * kWords * 64; e < end; ++e)
            if (run.holds({all_.tuple(e), static_cast<std::size_t>(all_.arity)}, true))
                bits[static_cast<std::size_t>(e) / 64] |= std::uint64_t(1) << (e % 64);
    });
    return bits;
}

PoolClause AllExamples::judged(const PoolClause& clause) const {
    PoolClause all = clause;
    all.estimated = false;
    all.covered = covered(program_of(language_, index_.database(), {clause.body}));
    all.positives = all.negatives = 0;
    for (int e = 0; e < all_.count; ++e)
        if ((all.covered[static_cast<std::size_t>(e) / 64] >> (e % 64) & 1U) != 0)
            ++(e < all_.positives ? all.positives : all.negatives);
    return all;
}

std::vector<ClauseCoverage> evidence_of(const Program& program, const AllExamples& all) {
    constexpr std::size_t kMaxEvidence = 200;
    const std::size_t rules = program.rules.size();
    if (is_recursive(program) || rules > kMaxEvidence)
        return {};
    std::vector<std::vector<std::uint64_t>> covered;
    for (const Rule& rule : program.rules) {
        Program one = program;
        one.rules = {rule};
        covered.push_back(all.covered(one));
    }
    std::vector<ClauseCoverage> evidence(rules);
    for (int e = 0; e < all.examples().count; ++e) {
        const auto has = [&](std::size_t r) {
            return (covered[r][static_cast<std::size_t>(e) / 64] >> (e % 64) & 1U) != 0;
        };
        std::size_t times = 0;
        for (std::size_t r = 0; r < rules; ++r)
            times += has(r) ? 1U : 0U;
        for (std::size_t r = 0; r < rules; ++r) {
            if (!has(r))
                continue;
            if (e >= all.examples().positives) {
                ++evidence[r].negatives;
                continue;
            }
            ++evidence[r].positives;
            evidence[r].only += times == 1 ? 1 : 0;
        }
    }
    return evidence;
}

namespace {

constexpr std::size_t kMaxAtoms = 5'000'000;  // atoms of a predicate

bool defines_several(const Program& program) {
    return std::any_of(program.rules.begin(), program.rules.end(), [&](const Rule& rule) {
        return rule.head.predicate != program.rules.front().head.predicate;
    });
}

/// Predicates that call each other are run forward, all examples at once. Nothing where the program
/// needs more than facts, where an example is a known fact, which is to be hidden, or where too
/// much would be derived.
std::optional<std::vector<char>> answers_by_closure(const Program& program,
                                                    const Database& database,
                                                    const ExampleTable& examples) {
    if (!defines_several(program) || !is_over_facts(program, database))
        return std::nullopt;
    const auto width = static_cast<std::size_t>(examples.target.arity);
    const PredicateSymbol& target = program.vocabulary[program.target];
    const auto rows_of = [&](const Database& of) {
        std::set<std::vector<std::int32_t>> rows;
        if (const FactTable* table = find_table(of, target))
            for (std::size_t row = 0; row < table->rows(); ++row) {
                const std::int32_t* cells = table->cells.data() + row * width;
                rows.emplace(cells, cells + width);
            }
        return rows;
    };
    const auto tuple = [&](std::size_t e) {
        const std::int32_t* cells = examples.cells.data() + e * width;
        return std::vector<std::int32_t>(cells, cells + width);
    };
    const auto known = rows_of(database);
    for (std::size_t e = 0; e < examples.positive.size(); ++e)
        if (known.count(tuple(e)) > 0)
            return std::nullopt;
    try {
        const auto derived = rows_of(with_derived(program, database, kMaxAtoms));
        std::vector<char> says;
        for (std::size_t e = 0; e < examples.positive.size(); ++e)
            says.push_back(derived.count(tuple(e)) > 0 ? 1 : 0);
        return says;
    } catch (const Error&) {
        return std::nullopt;
    }
}

}  // namespace

std::vector<char> answers_on_examples(const Program& program, const Database& database,
                                      const ExampleTable& examples, int threads) {
    if (std::optional<std::vector<char>> says = answers_by_closure(program, database, examples))
        return std::move(*says);
    const evaluation::DatabaseIndex index(database);
    const evaluation::ConstantNumbers names = evaluation::constant_numbers(database);
    const auto width = static_cast<std::size_t>(examples.target.arity);
    std::vector<char> says(examples.positive.size(), 0);
    base::ThreadPool pool(std::max(threads, 1));
    constexpr std::size_t kPart = 256;
    const std::size_t parts = (says.size() + kPart - 1) / kPart;
    pool.each(static_cast<int>(parts), [&](int part) {
        evaluation::TopDown run(index, program, names, limits_for(says.size()));
        const std::size_t begin = static_cast<std::size_t>(part) * kPart;
        for (std::size_t e = begin; e < std::min(begin + kPart, says.size()); ++e)
            says[e] = run.holds({examples.cells.data() + e * width, width}, true) ? 1 : 0;
    });
    return says;
}

Score score_on_examples(const Program& program, const Database& database,
                        const ExampleTable& examples, int threads) {
    const std::vector<char> says = answers_on_examples(program, database, examples, threads);
    std::vector<Label> labels;
    for (const char positive : examples.positive)
        labels.push_back(positive != 0 ? Label::positive : Label::negative);
    Scorer scorer;
    scorer.add(labels, Truth(says.begin(), says.end()));
    return scorer.score();
}

}  // namespace hri::search
