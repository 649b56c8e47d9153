// SPDX-License-Identifier: Apache-2.0
#include "search/clauses/enumeration.hpp"

#include <algorithm>
#include <cmath>

namespace hri::search {

namespace {

constexpr std::size_t kBatch = 64;         // clauses refined between two merges
constexpr std::size_t kMaxPool = 12'000;   // clauses that may become part of the program
constexpr std::size_t kMaxNext = 400'000;  // clauses of a level
constexpr std::size_t kMaxForms = 40'000'000;

std::uint64_t hash_of_coverage(const std::vector<std::uint64_t>& words) {
    std::uint64_t hash = 0x12345;
    for (const std::uint64_t word : words) {
        hash ^= word;
        hash *= 0xff51afd7ed558ccdU;
        hash ^= hash >> 32;
    }
    return hash;
}

/// Worth of a clause to the pool: errors that it mends alone, less its atoms.
double worth(const PoolClause& clause) {
    return clause.positives - clause.negatives - static_cast<double>(clause.body.size()) - 1;
}

/// A literal of one argument that holds of a head variable in all examples. It says nothing of
/// them, and gives the variable its place where the rest of the body leaves it out.
std::optional<BodyLiteral> literal_of_all(const evaluation::DatabaseIndex& index,
                                          const Language& language, const SearchExamples& examples,
                                          int argument) {
    const int type = language.head_types[static_cast<std::size_t>(argument)];
    const Bindings all = empty_body(examples);
    for (std::size_t p = 0; p < language.predicates.size(); ++p) {
        const LanguagePredicate& of = language.predicates[p];
        if (of.symbol.arity != 1 || of.index < 0 || of.types.front() != type)
            continue;
        BodyLiteral literal;
        literal.predicate = static_cast<int>(p);
        literal.terms[0] = argument;
        Bindings rows;
        extend(index, language, examples, all, literal, 1, rows);
        if (rows.rows() == all.rows())
            return literal;
    }
    return {};
}

}  // namespace

Enumeration::Enumeration(const evaluation::DatabaseIndex& index, const Language& language,
                         const SearchExamples& examples, RefinerLimits limits, int threads,
                         std::function<bool()> stop, std::function<void(std::int64_t)> tell)
    : index_(index),
      language_(language),
      examples_(examples),
      limits_(std::move(limits)),
      stop_(std::move(stop)),
      tell_(std::move(tell)),
      threads_(std::max(threads, 1)) {
    frontier_.push_back(root_node(language, examples));
    for (int a = 0; a < language.target.arity; ++a)
        any_value_.push_back(literal_of_all(index, language, examples, a));
}

void Enumeration::restart() {
    forms_.clear();
    meanings_.clear();
    frontier_.assign(1, root_node(language_, examples_));
    level_ = 0;
    complete_ = true;
}

PoolExamples Enumeration::pool_examples() const {
    return {examples_.positives, examples_.count - examples_.positives, 1, 1};
}

bool Enumeration::next_level() {
    next_.clear();
    bool over = false;

    struct Outcome {
        std::vector<ClauseNode> children;
        std::vector<std::uint64_t> tested;
        RefinerCounts counts;
    };

    std::vector<Outcome> outcomes(kBatch);
    for (std::size_t begin = 0; begin < frontier_.size() && !over; begin += kBatch) {
        const std::size_t end = std::min(begin + kBatch, frontier_.size());
        threads_.each(static_cast<int>(end - begin), [&](int i) {
            Outcome& outcome = outcomes[static_cast<std::size_t>(i)];
            outcome = {};
            if (stop_ && stop_())
                return;
            Refiner refiner(index_, language_, examples_, limits_);
            refiner.refine(frontier_[begin + static_cast<std::size_t>(i)], forms_,
                           [&](ClauseNode&& node) { outcome.children.push_back(std::move(node)); });
            outcome.tested.assign(refiner.tested().begin(), refiner.tested().end());
            outcome.counts = refiner.counts();
        });
        for (std::size_t i = 0; i < end - begin; ++i) {
            for (ClauseNode& child : outcomes[i].children)
                take(std::move(child));
            if (forms_.size() < kMaxForms)
                forms_.insert(outcomes[i].tested.begin(), outcomes[i].tested.end());
            counts_.tested += outcomes[i].counts.tested;
            counts_.duplicates += outcomes[i].counts.duplicates;
            counts_.rows += outcomes[i].counts.rows;
        }
        if (tell_)
            tell_(counts_.tested);
        over = (stop_ && stop_()) || (limits_.max_tests > 0 && counts_.tested >= limits_.max_tests);
    }
    ++level_;
    complete_ = complete_ && !over;
    frontier_ = std::move(next_);
    next_ = {};
    return !over && !frontier_.empty();
}

void Enumeration::take(ClauseNode&& node) {
    if (forms_.count(node.form) > 0) {
        ++counts_.duplicates;
        return;
    }
    forms_.insert(node.form);
    const ClauseVerdict verdict =
        limits_.verdict ? limits_.verdict(node.body) : ClauseVerdict::allowed;
    if (verdict == ClauseVerdict::refused_with_longer)
        return;
    if (verdict == ClauseVerdict::allowed) {  // else another one of its meaning may do
        if (!meanings_.insert(node.meaning).second) {
            ++counts_.equal;
            return;
        }
        offer(node);
    }
    if (node.negatives == 0 || static_cast<int>(node.body.size()) >= language_.max_body)
        return;
    if (next_.size() < kMaxNext)
        next_.push_back(std::move(node));
    else
        complete_ = false;
}

void Enumeration::offer(const ClauseNode& node) {
    std::uint64_t mentioned = language_.head_has_modes ? node.bound : 0;
    for (const BodyLiteral& literal : node.body) {
        const int arity =
            language_.predicates[static_cast<std::size_t>(literal.predicate)].symbol.arity;
        for (int a = 0; a < arity; ++a)
            if (const std::int32_t term = literal.terms[static_cast<std::size_t>(a)]; term >= 0)
                mentioned |= std::uint64_t(1) << term;
    }
    Body body = node.body;
    for (int a = 0; a < language_.target.arity; ++a) {
        if ((mentioned >> a & 1U) != 0)
            continue;
        const std::optional<BodyLiteral>& any = any_value_[static_cast<std::size_t>(a)];
        if (!any || static_cast<int>(body.size()) >= language_.max_body)
            return;
        body.push_back(*any);
    }
    if (node.promise <= 0 || (language_.options.linked && !links_head(language_, body)))
        return;
    const double bits = clause_bits(language_, body);
    PoolClause clause{std::move(body), node.covered, node.positives,
                      node.negatives,  bits,         node.truncated};
    const auto [place, fresh] = by_coverage_.emplace(hash_of_coverage(node.covered), pool_.size());
    if (!fresh) {
        if (pool_[place->second].bits > clause.bits)
            pool_[place->second] = std::move(clause);
        return;
    }
    pool_.push_back(std::move(clause));
    if (pool_.size() >= 2 * kMaxPool)
        shrink_pool();
}

/// The best half by what they save, and the best by what they cost for each positive example
/// where they cover no negative one.
void Enumeration::shrink_pool() {
    std::vector<std::pair<double, std::size_t>> ranked;
    for (std::size_t i = 0; i < pool_.size(); ++i)
        ranked.emplace_back(-worth(pool_[i]), i);
    std::vector<char> stays(pool_.size(), 0);
    std::sort(ranked.begin(), ranked.end());
    for (std::size_t i = 0; i < kMaxPool / 2; ++i)
        stays[ranked[i].second] = 1;
    for (auto& [rank, i] : ranked)
        rank = pool_[i].negatives == 0 ? pool_[i].bits / pool_[i].positives : 1e9;
    std::sort(ranked.begin(), ranked.end());
    for (std::size_t i = 0; i < kMaxPool / 2; ++i)
        stays[ranked[i].second] = 1;
    std::vector<PoolClause> kept;
    for (std::size_t i = 0; i < pool_.size(); ++i)
        if (stays[i] != 0)
            kept.push_back(std::move(pool_[i]));
    pool_ = std::move(kept);
    index_pool();
}

void Enumeration::index_pool() {
    by_coverage_.clear();
    for (std::size_t i = 0; i < pool_.size(); ++i)
        by_coverage_.emplace(hash_of_coverage(pool_[i].covered), i);
}

EnumerationState Enumeration::state() const {
    EnumerationState state{frontier_,
                           pool_,
                           {forms_.begin(), forms_.end()},
                           {meanings_.begin(), meanings_.end()},
                           counts_,
                           level_,
                           complete_};
    std::sort(state.forms.begin(), state.forms.end());
    std::sort(state.meanings.begin(), state.meanings.end());
    return state;
}

void Enumeration::go_on_from(EnumerationState state) {
    frontier_ = std::move(state.frontier);
    pool_ = std::move(state.pool);
    forms_ = {state.forms.begin(), state.forms.end()};
    meanings_ = {state.meanings.begin(), state.meanings.end()};
    counts_ = state.counts;
    level_ = state.level;
    complete_ = state.complete;
    index_pool();
}

void Enumeration::drop_longer(double bits) {
    std::erase_if(frontier_, [&](const ClauseNode& node) {
        return clause_bits(language_, node.body) >= bits;
    });
}

void Enumeration::keep(std::size_t count, const std::vector<std::uint64_t>& open) {
    if (frontier_.size() <= count)
        return;
    complete_ = false;
    const auto select = [&](const std::function<double(const ClauseNode&)>& value, std::size_t most,
                            std::vector<char>& stays) {
        std::vector<std::pair<double, std::size_t>> ranked;
        for (std::size_t i = 0; i < frontier_.size(); ++i)
            if (stays[i] == 0)
                ranked.emplace_back(-value(frontier_[i]), i);
        std::sort(ranked.begin(), ranked.end());
        for (std::size_t i = 0; i < std::min(most, ranked.size()); ++i)
            stays[ranked[i].second] = 1;
    };
    std::vector<char> stays(frontier_.size(), 0);
    select([](const ClauseNode& node) { return node.promise; }, count / 2, stays);
    int all_open = 0;
    for (const std::uint64_t word : open)
        all_open += __builtin_popcountll(word);
    const double rate = (all_open + 1.0) / (all_open + examples_.count - examples_.positives + 2.0);
    select(
        [&](const ClauseNode& node) {
            int right = 0;
            for (std::size_t w = 0; w < open.size(); ++w)
                right += __builtin_popcountll(open[w] & node.covered[w]);
            return right * std::log2((right + rate) / (right + node.negatives + 1.0) / rate);
        },
        count - count / 2, stays);
    std::vector<ClauseNode> kept;
    for (std::size_t i = 0; i < frontier_.size(); ++i)
        if (stays[i] != 0)
            kept.push_back(std::move(frontier_[i]));
    frontier_ = std::move(kept);
}

}  // namespace hri::search
