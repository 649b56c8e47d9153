// SPDX-License-Identifier: Apache-2.0
#include "search/clauses/refiner.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace hri::search {

namespace {

constexpr std::size_t kMaxGroups = 12;  // constants of an argument that are tried
constexpr std::size_t kMaxSplits = 3;   // thresholds of a number

/// What a clause that covers so many saves: bits by which its precision beats the rate of
/// positives, for each positive example.
double promise_of(const SearchExamples& examples, const Covered& covered) {
    const double rate = (examples.positives + 1.0) / (examples.count + 2.0);
    const double precision =
        (covered.positives + rate) / (covered.positives + covered.negatives + 1.0);
    return covered.positives * std::log2(precision / rate);
}

double entropy(double positives, double negatives) {
    const double all = positives + negatives;
    double bits = 0;
    for (const double part : {positives, negatives})
        if (part > 0)
            bits -= part * std::log2(part / all);
    return bits;
}

}  // namespace

ClauseNode root_node(const Language& language, const SearchExamples& examples) {
    ClauseNode root;
    root.types = language.head_types;
    for (int a = 0; a < language.target.arity; ++a)
        if (!language.head_has_modes || (language.head_in >> a & 1U) != 0)
            root.bound |= std::uint64_t(1) << a;
    root.positives = examples.positives;
    root.negatives = examples.count - examples.positives;
    return root;
}

void Refiner::refine(const ClauseNode& node, const std::unordered_set<std::uint64_t>& met,
                     const std::function<void(ClauseNode&&)>& take) {
    met_ = &met;
    take_ = &take;
    own_.clear();
    rows_ = bindings_of(index_, language_, examples_, node.body, limits_.max_rows);
    counts_.rows += static_cast<std::int64_t>(rows_.rows());
    if (rows_.rows() > limits_.all_rows)
        return;
    for (int p = 0; p < static_cast<int>(language_.predicates.size()); ++p)
        by_predicate(node, p);
    if (!language_.predicates.empty() && language_.predicates.back().index == -1)  // a comparison
        by_thresholds(node);
}

void Refiner::by_predicate(const ClauseNode& node, int predicate) {
    const LanguagePredicate& of = language_.predicates[static_cast<std::size_t>(predicate)];
    if (of.index < 0)
        return;
    if (of.recall > 0 &&
        std::count_if(node.body.begin(), node.body.end(), [&](const BodyLiteral& literal) {
            return literal.predicate == predicate;
        }) >= of.recall)
        return;
    BodyLiteral literal;
    literal.predicate = predicate;
    arguments(node, predicate, 0, literal, 0, false);
}

/// Chooses the arguments from the given one on: variables of the clause or new ones.
void Refiner::arguments(const ClauseNode& node, int predicate, int argument, BodyLiteral& literal,
                        int fresh, bool linked) {
    const LanguagePredicate& of = language_.predicates[static_cast<std::size_t>(predicate)];
    const int known = static_cast<int>(node.types.size());
    const int arity = of.symbol.arity;
    if (argument == arity) {
        std::uint32_t places = 0;  // of new variables that may be constants instead
        for (int a = 0; a < arity; ++a)
            if ((of.constant >> a & 1U) != 0 && literal.terms[static_cast<std::size_t>(a)] >= known)
                places |= 1U << a;
        const bool must = places != 0 && index_.database().bias.constants.count(of.symbol) > 0;
        if (linked && !must && known + fresh <= language_.max_variables)
            consider(node, literal, fresh);
        if (linked && fresh == 0 && language_.options.negation) {
            literal.negated = true;
            consider(node, literal, 0);
            literal.negated = false;
        }
        if (!linked || places == 0)
            return;
        if (must) {
            by_constants(node, literal, places, fresh);
        } else {
            for (int a = 0; a < arity; ++a)
                if ((places >> a & 1U) != 0)
                    by_constants(node, literal, 1U << a, fresh);
            if ((places & (places - 1)) != 0)
                by_constants(node, literal, places, fresh);
        }
        return;
    }
    const auto at = static_cast<std::size_t>(argument);
    const bool must_be_bound = (of.in >> argument & 1U) != 0;
    for (int v = 0; v < known; ++v) {
        if (node.types[static_cast<std::size_t>(v)] != of.types[at])
            continue;
        const bool bound = (node.bound >> v & 1U) != 0;
        if (must_be_bound && !bound)
            continue;
        literal.terms[at] = v;
        arguments(node, predicate, argument + 1, literal, fresh, true);
    }
    if (must_be_bound || language_.single[static_cast<std::size_t>(of.types[at])] != 0)
        return;
    literal.terms[at] = known + fresh;
    arguments(node, predicate, argument + 1, literal, fresh + 1, linked);
}

/// The literal with constants in some places, for those that cover the most different shares.
void Refiner::by_constants(const ClauseNode& node, const BodyLiteral& literal, std::uint32_t places,
                           int fresh) {
    const LanguagePredicate& of = language_.predicates[static_cast<std::size_t>(literal.predicate)];
    const int known = static_cast<int>(node.types.size());
    extend(index_, language_, examples_, rows_, literal, limits_.max_rows, grouped_);
    counts_.rows += static_cast<std::int64_t>(grouped_.rows());
    ++counts_.tested;

    struct Group {
        int positives = 0;
        int negatives = 0;
        std::int32_t last = -1;
    };

    std::map<std::vector<std::int32_t>, Group> groups;
    std::vector<std::int32_t> values;
    for (std::size_t row = 0; row < grouped_.rows(); ++row) {
        values.clear();
        for (int a = 0; a < of.symbol.arity; ++a)
            if ((places >> a & 1U) != 0)
                values.push_back(
                    grouped_.value(examples_, row, literal.terms[static_cast<std::size_t>(a)]));
        Group& group = groups[values];
        if (group.last == grouped_.examples[row])
            continue;
        group.last = grouped_.examples[row];
        ++(group.last < examples_.positives ? group.positives : group.negatives);
    }
    std::vector<std::pair<double, std::vector<std::int32_t>>> ranked;
    for (const auto& [constants, group] : groups)
        if (group.positives >= limits_.min_positives)
            ranked.emplace_back(-promise_of(examples_, {group.positives, group.negatives}),
                                constants);
    std::sort(ranked.begin(), ranked.end());
    if (ranked.size() > kMaxGroups)
        ranked.resize(kMaxGroups);
    for (const auto& [rank, constants] : ranked) {
        BodyLiteral with = literal;
        std::size_t next = 0;
        int variable = known;
        for (int a = 0; a < of.symbol.arity; ++a) {
            std::int32_t& term = with.terms[static_cast<std::size_t>(a)];
            if ((places >> a & 1U) != 0)
                term = -1 - constants[next++];
            else if (term >= known)
                term = variable++;
        }
        const int left = fresh - static_cast<int>(constants.size());
        if (known + left <= language_.max_variables)
            consider(node, with, left);
    }
}

void Refiner::by_thresholds(const ClauseNode& node) {
    const int known = static_cast<int>(node.types.size());
    const auto is_number = [&](int v) {
        return language_.numeric[static_cast<std::size_t>(
                   node.types[static_cast<std::size_t>(v)])] != 0 &&
               (node.bound >> v & 1U) != 0;
    };
    const auto less = std::find_if(
        language_.predicates.begin(), language_.predicates.end(),
        [](const LanguagePredicate& p) { return p.comparison == evaluation::Comparison::less; });
    for (int v = 0; v < known; ++v) {
        if (!is_number(v))
            continue;
        split(node, v, false);
        split(node, v, true);
        for (int other = 0; other < known; ++other)
            if (other != v && is_number(other) &&
                node.types[static_cast<std::size_t>(v)] ==
                    node.types[static_cast<std::size_t>(other)]) {
                BodyLiteral literal;
                literal.predicate = static_cast<int>(less - language_.predicates.begin());
                literal.terms[0] = v;
                literal.terms[1] = other;
                consider(node, literal, 0);
            }
    }
}

/// Thresholds of a number: where the shares of positives on both sides differ most. An example is
/// covered by X >= t if its largest X is.
std::vector<std::int32_t> Refiner::thresholds(std::int32_t variable, bool upper) const {
    struct Extreme {
        double number = 0;
        std::int32_t constant = 0;
        bool positive = false;
    };

    std::vector<Extreme> extremes;
    std::int32_t last = -1;
    for (std::size_t row = 0; row < rows_.rows(); ++row) {
        const std::int32_t constant = rows_.value(examples_, row, variable);
        const double number = index_.number(constant);
        const std::int32_t example = rows_.examples[row];
        if (example != last)
            extremes.push_back({number, constant, example < examples_.positives});
        else if (upper ? number < extremes.back().number : number > extremes.back().number)
            extremes.back() = {number, constant, example < examples_.positives};
        last = example;
    }
    std::stable_sort(extremes.begin(), extremes.end(), [&](const Extreme& a, const Extreme& b) {
        return upper ? a.number < b.number : a.number > b.number;
    });
    const auto positives = static_cast<double>(std::count_if(
        extremes.begin(), extremes.end(), [](const Extreme& e) { return e.positive; }));
    const double negatives = static_cast<double>(extremes.size()) - positives;
    std::vector<std::pair<double, std::int32_t>> ranked;
    double p = 0;
    double n = 0;
    for (std::size_t i = 0; i < extremes.size(); ++i) {
        ++(extremes[i].positive ? p : n);
        if (i + 1 == extremes.size() || extremes[i + 1].number == extremes[i].number)
            continue;
        if (p < limits_.min_positives || p * (positives + negatives) <= positives * (p + n))
            continue;
        const double gain =
            entropy(positives, negatives) - entropy(p, n) - entropy(positives - p, negatives - n);
        ranked.emplace_back(-gain, extremes[i].constant);
    }
    std::sort(ranked.begin(), ranked.end());
    if (ranked.size() > kMaxSplits)
        ranked.resize(kMaxSplits);
    std::vector<std::int32_t> constants;
    for (const auto& [gain, constant] : ranked)
        constants.push_back(constant);
    return constants;
}

void Refiner::split(const ClauseNode& node, std::int32_t variable, bool upper) {
    const auto comparison =
        upper ? evaluation::Comparison::at_most : evaluation::Comparison::at_least;
    const auto found =
        std::find_if(language_.predicates.begin(), language_.predicates.end(),
                     [&](const LanguagePredicate& p) { return p.comparison == comparison; });
    BodyLiteral literal;
    literal.predicate = static_cast<int>(found - language_.predicates.begin());
    literal.terms[0] = variable;
    // one that the clause has already is moved: two would say what the stricter one says
    ClauseNode without = node;
    std::erase_if(without.body, [&](const BodyLiteral& other) {
        return other.predicate == literal.predicate && other.terms[0] == variable &&
               other.terms[1] < 0;
    });
    for (const std::int32_t constant : thresholds(variable, upper)) {
        literal.terms[1] = -1 - constant;
        consider(without, literal, 0);
    }
}

Body Refiner::with_best_thresholds(Body body) {
    for (std::size_t i = 0; i < body.size(); ++i) {
        const auto comparison =
            language_.predicates[static_cast<std::size_t>(body[i].predicate)].comparison;
        const bool upper = comparison == evaluation::Comparison::at_most;
        if ((!upper && comparison != evaluation::Comparison::at_least) || body[i].terms[1] >= 0)
            continue;
        Body others = body;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        rows_ = bindings_of(index_, language_, examples_, others, limits_.max_rows);
        const std::vector<std::int32_t> best = thresholds(body[i].terms[0], upper);
        if (!best.empty())
            body[i].terms[1] = -1 - best.front();
    }
    return body;
}

void Refiner::consider(const ClauseNode& node, const BodyLiteral& literal, int fresh) {
    ClauseNode child;
    child.body = node.body;
    child.body.push_back(literal);
    child.form = hash_of(canonical_form(language_, child.body));
    if (met_->count(child.form) > 0 || !own_.insert(child.form).second) {
        ++counts_.duplicates;
        return;
    }
    extend(index_, language_, examples_, rows_, literal, limits_.max_rows, longer_);
    ++counts_.tested;
    counts_.rows += static_cast<std::int64_t>(longer_.rows());
    if (fresh == 0 && longer_.rows() == rows_.rows())
        return;  // it says nothing new
    const Covered covered = count_covered(examples_, longer_);
    if (covered.positives < limits_.min_positives)
        return;
    if (fresh > 0 && repeats_a_variable(examples_, longer_, fresh))
        return;
    const LanguagePredicate& of = language_.predicates[static_cast<std::size_t>(literal.predicate)];
    child.types = node.types;
    child.types.resize(node.types.size() + static_cast<std::size_t>(fresh));
    child.bound = node.bound;
    for (int a = 0; a < of.symbol.arity; ++a)
        if (const std::int32_t term = literal.terms[static_cast<std::size_t>(a)]; term >= 0) {
            child.bound |= std::uint64_t(1) << term;
            if (term >= static_cast<std::int32_t>(node.types.size()))
                child.types[static_cast<std::size_t>(term)] = of.types[static_cast<std::size_t>(a)];
        }
    child.positives = covered.positives;
    child.negatives = covered.negatives;
    child.promise = promise_of(examples_, covered);
    child.truncated = longer_.truncated;
    child.meaning = meaning_of(longer_) ^ (child.bound * 0x2545f4914f6cdd1dU);
    child.covered.assign((static_cast<std::size_t>(examples_.count) + 63) / 64, 0);
    for (const std::int32_t example : longer_.examples)
        child.covered[static_cast<std::size_t>(example) / 64] |=
            std::uint64_t(1) << (static_cast<std::size_t>(example) % 64);
    (*take_)(std::move(child));
}

}  // namespace hri::search
