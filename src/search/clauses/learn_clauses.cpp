// SPDX-License-Identifier: Apache-2.0
#include "search/clauses/learn_clauses.hpp"

#include "search/clauses/all_examples.hpp"
#include "search/clauses/enumeration.hpp"
#include "search/clauses/recursion.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

namespace hri::search {

namespace {

constexpr int kMaxPositives = 400;  // of a sample
constexpr int kMaxNegatives = 600;
constexpr std::size_t kAllRows = 60'000;  // of the bindings of a clause
constexpr std::size_t kMaxRows = 250;     // of an example among them
constexpr int kMaxCorrections = 12;
constexpr std::size_t kTunedRows = 50;     // of an example, where a threshold is chosen
constexpr std::size_t kDescribed = 1'200;  // clauses of which errors are described
constexpr double kMaxLength = 3;           // of clauses that fit: lists of the positive examples
constexpr double kSearchShare = 0.92;      // of the time: the rest judges
constexpr double kRecursionShare = 0.6;
constexpr double kPlainShare = 0.6;        // without constants and thresholds that nobody asked for
constexpr int kRecursionExamples = 10;     // of each kind, at first
constexpr std::size_t kRecursionMore = 8;  // examples that a round adds
constexpr int kRecursionRounds = 4;
constexpr std::size_t kMaxEvidence = 200;      // rules
constexpr std::size_t kFrontier = 4'000;       // clauses of a level that are refined
constexpr std::int64_t kCoverNodes = 200'000;  // of branch and bound
constexpr std::size_t kJudged = 600;           // clauses of a pool that are judged on all examples

class ClauseLearner {
  public:
    ClauseLearner(const Database& database, const ClauseSettings& settings)
        : settings_(settings),
          database_(database),
          index_(database),
          names_(evaluation::constant_numbers(database)),
          threads_(std::max(settings.threads, 1)) {}

    ClauseResult run() {
        const ClauseBias& bias = database_.bias;
        // tables have types too, and no bias
        const bool has_bias =
            !bias.directions.empty() || bias.max_variables || bias.max_body || bias.max_clauses;
        const auto wants = [&](Wanted wanted, bool automatic) {
            return wanted == Wanted::always || (wanted == Wanted::automatic && automatic);
        };
        LanguageOptions plain;
        plain.negation = settings_.negation;
        plain.entities =
            settings_.constants == Wanted::always || settings_.thresholds == Wanted::always;
        plain.constants = wants(settings_.constants, !has_bias && bias.constants.empty());
        plain.thresholds = wants(settings_.thresholds, !has_bias);
        plain.described_constants = settings_.constants != Wanted::never && bias.constants.empty();
        plain.described_thresholds = settings_.thresholds != Wanted::never;
        LanguageOptions rich = plain;
        rich.constants = wants(settings_.constants, bias.constants.empty());
        rich.thresholds = wants(settings_.thresholds, true);
        if (bias.recursion)
            learn_recursion(plain);
        if (fits())
            return result();
        const bool enriches = is_richer(rich, plain);
        share_ = enriches ? kPlainShare : 1;
        learn(plain);
        share_ = 1;
        if (!is_over() && !fits() && enriches)
            learn(rich);
        return result();
    }

  private:
    /// A set of clauses with what it costs.
    struct Chosen {
        std::vector<PoolClause> clauses;  // judged on all examples
        Combination combination;
        Program program;
        bool exact = false;
    };

    /// Whether the second language has words that the first lacks.
    bool is_richer(const LanguageOptions& second, const LanguageOptions& first) const {
        const Language more = make_language(index_, second);
        const Language less = make_language(index_, first);
        return more.numeric != less.numeric ||
               !std::equal(more.predicates.begin(), more.predicates.end(), less.predicates.begin(),
                           less.predicates.end(), [](const auto& x, const auto& y) {
                               return x.constant == y.constant && x.symbol == y.symbol;
                           });
    }

    bool is_over() const {
        return (settings_.stop && settings_.stop()) ||
               (settings_.time_limit > 0 &&
                seconds() > share_ * kSearchShare * settings_.time_limit) ||
               (settings_.max_tests > 0 && tested_ >= max_tests());
    }

    std::int64_t max_tests() const {
        return std::llround(share_ * static_cast<double>(settings_.max_tests));
    }

    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    }

    /// One or two recursive clauses with their base clauses, on a few small examples: what they
    /// derive stays small too. Examples on which the program found errs join them.
    void learn_recursion(const LanguageOptions& options) {
        LanguageOptions without = options;
        without.thresholds = without.constants = false;
        without.described_thresholds = without.described_constants = false;
        const Language language = with_recursion(make_language(index_, without));
        RecursionLimits limits;
        limits.threads = settings_.threads;
        limits.max_recursive = std::min(language.max_body, limits.max_recursive);
        limits.max_base = std::min(language.max_body, limits.max_base);
        const AllExamples all(index_, language, names_, threads_);
        std::vector<int> rows = small_examples(all.examples());
        for (int round = 0; round < kRecursionRounds; ++round) {
            const RecursionResult found =
                search_recursion(index_, language, subset(all.examples(), rows), limits, [this] {
                    return is_over() || (settings_.time_limit > 0 &&
                                         seconds() > kRecursionShare * settings_.time_limit);
                });
            tested_ += found.tested;
            tested_before_ = tested_;
            if (!found.best)
                return;
            const std::vector<int> wrong = propose_recursive(*found.best, language, all);
            std::vector<int> more = rows;
            for (const int e : wrong)
                if (std::find(rows.begin(), rows.end(), e) == rows.end() &&
                    more.size() < rows.size() + kRecursionMore)
                    more.push_back(e);
            if (more.size() == rows.size())
                return;
            std::stable_partition(more.begin(), more.end(),
                                  [&](int e) { return e < all.examples().positives; });
            rows = std::move(more);
        }
    }

    /// Some positive and some negative examples, those of the shortest text first.
    std::vector<int> small_examples(const SearchExamples& examples) const {
        std::vector<std::pair<std::size_t, int>> sizes;
        for (int e = 0; e < examples.count; ++e) {
            std::size_t size = 0;
            for (int a = 0; a < examples.arity; ++a)
                size += database_.constants[static_cast<std::size_t>(examples.tuple(e)[a])].size();
            sizes.emplace_back(size, e);
        }
        std::vector<int> rows;
        for (const auto& [begin, end] :
             {std::pair{0, examples.positives}, std::pair{examples.positives, examples.count}}) {
            std::sort(sizes.begin() + begin, sizes.begin() + end);
            for (int i = begin; i < std::min(begin + kRecursionExamples, end); ++i)
                rows.push_back(sizes[static_cast<std::size_t>(i)].second);
        }
        return rows;
    }

    static SearchExamples subset(const SearchExamples& of, const std::vector<int>& rows) {
        SearchExamples some;
        some.arity = of.arity;
        for (const int e : rows) {
            some.positives += e < of.positives ? 1 : 0;
            some.cells.insert(some.cells.end(), of.tuple(e), of.tuple(e) + of.arity);
        }
        some.count = static_cast<int>(rows.size());
        return some;
    }

    /// Judges a recursive program on all examples. Returns those on which it errs.
    std::vector<int> propose_recursive(const RecursiveProgram& found, const Language& language,
                                       const AllExamples& all) {
        std::vector<Body> bodies = found.bases;
        bodies.insert(bodies.end(), found.recursive.begin(), found.recursive.end());
        Chosen chosen;
        chosen.program = program_of(language, database_, bodies);
        const std::vector<std::uint64_t> covered = all.covered(chosen.program);
        const SearchExamples& examples = all.examples();
        std::vector<int> wrong;
        for (int e = 0; e < examples.count; ++e) {
            const bool says = (covered[static_cast<std::size_t>(e) / 64] >> (e % 64) & 1U) != 0;
            if (says == (e < examples.positives))
                continue;
            ++(says ? chosen.combination.false_positives : chosen.combination.false_negatives);
            wrong.push_back(e);
        }
        chosen.combination.clause_bits = found.bits;
        chosen.combination.bits =
            found.bits + mistakes({examples.positives, examples.count - examples.positives, 1, 1},
                                  chosen.combination.false_positives,
                                  chosen.combination.false_negatives);
        chosen.combination.cost =
            chosen.combination.false_positives + chosen.combination.false_negatives;
        for (const Body& body : bodies)
            chosen.combination.cost += static_cast<double>(body.size()) + 1;
        chosen.exact = chosen.combination.false_positives == 0;
        propose(std::move(chosen));
        return wrong;
    }

    void propose(Chosen&& chosen) {
        if (best_ && !is_better(chosen, *best_))
            return;
        best_ = std::move(chosen);
        if (settings_.progress)
            settings_.progress(best_->program, best_->combination.false_negatives +
                                                   best_->combination.false_positives);
    }

    bool fits() const {
        return best_ && best_->combination.false_negatives == 0 &&
               best_->combination.false_positives == 0;
    }

    void learn(const LanguageOptions& options) {
        const Language language = make_language(index_, options);
        const SearchExamples sample =
            sample_examples(database_.examples, kMaxPositives, kMaxNegatives, settings_.seed);
        RefinerLimits limits;
        limits.all_rows = kAllRows;
        limits.max_rows = std::clamp<std::size_t>(
            kAllRows / std::max<std::size_t>(static_cast<std::size_t>(sample.count), 1), 20,
            kMaxRows);
        limits.min_positives = sample.positives < 50 ? 1 : std::max(2, sample.positives / 100);
        if (settings_.max_tests > 0)
            limits.max_tests = std::max<std::int64_t>(max_tests() - tested_, 1);
        const AllExamples all(index_, language, names_, threads_);
        Enumeration enumeration(index_, language, sample, limits, settings_.threads,
                                [this] { return is_over(); });
        judged_.clear();
        tuned_.clear();
        for (bool more = true; more;) {
            more = enumeration.next_level();
            tested_ = tested_before_ + enumeration.counts().tested;
            const std::vector<std::uint64_t> open = choose(enumeration, all, sample);
            if (!more || is_settled(language, enumeration))
                break;
            enumeration.keep(kFrontier, open);
        }
        counts_.duplicates += enumeration.counts().duplicates;
        counts_.equal += enumeration.counts().equal;
        tested_before_ = tested_;
        levels_ = enumeration.level();
    }

    /// Whether any clause of the next level alone would be longer than the program that fits.
    bool is_settled(const Language& language, const Enumeration& enumeration) const {
        if (!fits())
            return false;
        const double predicate =
            std::log2(std::max(static_cast<double>(language.predicates.size()) + 1, 2.0)) + 1;
        const auto& frontier = enumeration.frontier();
        return std::all_of(frontier.begin(), frontier.end(), [&](const ClauseNode& node) {
            return clause_bits(language, node.body) + predicate + 1 >=
                   best_->combination.clause_bits;
        });
    }

    /// Positives of the sample that the chosen program leaves open.
    std::vector<std::uint64_t> choose(const Enumeration& enumeration, const AllExamples& all,
                                      const SearchExamples& sample) {
        const bool whole = sample.count == all.examples().count;
        std::vector<PoolClause> pool;
        if (whole) {
            pool = enumeration.pool();
        } else {
            pool = judged_pool(enumeration, all);
        }
        PoolExamples examples{all.examples().positives,
                              all.examples().count - all.examples().positives, 1, 1};
        Chosen exact;
        Chosen tolerant;
        for (int correction = 0; correction < kMaxCorrections; ++correction) {
            exact.combination = cover_exactly(pool, examples, kCoverNodes, 0);
            tolerant.combination = describe_well(pool, examples);
            const Combination improved = describe(pool, examples, 0, exact.combination.chosen);
            if (improved.bits < tolerant.combination.bits)
                tolerant.combination = improved;
            const bool corrected =
                correct(pool, exact.combination, all) || correct(pool, tolerant.combination, all);
            const bool tuned = !whole && (add_tuned(pool, exact.combination, all) ||
                                          add_tuned(pool, tolerant.combination, all));
            if (!corrected && !tuned)
                break;
        }
        Chosen& better =
            prefers_exact(exact.combination, tolerant.combination, examples) ? exact : tolerant;
        better.exact = &better == &exact;
        std::vector<std::uint64_t> open((static_cast<std::size_t>(sample.count) + 63) / 64, 0);
        for (int e = 0; e < sample.positives; ++e)
            open[static_cast<std::size_t>(e) / 64] |= std::uint64_t(1) << (e % 64);
        if (whole)
            for (const int i : better.combination.chosen)
                for (std::size_t w = 0; w < open.size(); ++w)
                    open[w] &= ~pool[static_cast<std::size_t>(i)].covered[w];
        else
            for (const int i : better.combination.chosen)
                for (const PoolClause& clause : enumeration.pool())
                    if (clause.body == pool[static_cast<std::size_t>(i)].body)
                        for (std::size_t w = 0; w < open.size(); ++w)
                            open[w] &= ~clause.covered[w];
        for (const int i : better.combination.chosen)
            better.clauses.push_back(pool[static_cast<std::size_t>(i)]);
        std::vector<Body> bodies;
        for (const PoolClause& clause : better.clauses)
            bodies.push_back(clause.body);
        better.program = program_of(all.language(), database_, bodies);
        propose(std::move(better));
        return open;
    }

    /// Of the clauses that mend the most errors, the best set from several starts: clauses of at
    /// least some precision each.
    static Combination describe_well(const std::vector<PoolClause>& pool,
                                     const PoolExamples& examples) {
        std::vector<std::pair<double, int>> ranked;
        for (std::size_t i = 0; i < pool.size(); ++i)
            if (const double worth = pool[i].positives - pool[i].negatives -
                                     static_cast<double>(pool[i].body.size()) - 1;
                worth > 0)
                ranked.emplace_back(-worth, static_cast<int>(i));
        std::sort(ranked.begin(), ranked.end());
        if (ranked.size() > kDescribed)
            ranked.resize(kDescribed);
        Combination best = describe({}, examples, 0, {});
        for (const double precision : {0.0, 0.7, 0.85}) {
            std::vector<PoolClause> precise;
            std::vector<int> places;
            for (const auto& [worth, i] : ranked) {
                const PoolClause& clause = pool[static_cast<std::size_t>(i)];
                if (clause.positives >= precision * (clause.positives + clause.negatives)) {
                    precise.push_back(clause);
                    places.push_back(i);
                }
            }
            Combination other = describe(precise, examples, 0, {});
            if (other.cost >= best.cost)
                continue;
            best = std::move(other);
            for (int& i : best.chosen)
                i = places[static_cast<std::size_t>(i)];
        }
        return best;
    }

    /// Judges chosen clauses whose coverage was estimated. True where that changed one.
    bool correct(std::vector<PoolClause>& pool, const Combination& chosen, const AllExamples& all) {
        bool changed = false;
        for (const int i : chosen.chosen) {
            PoolClause& clause = pool[static_cast<std::size_t>(i)];
            if (!clause.estimated)
                continue;
            auto found = judged_.find(clause.body);
            if (found == judged_.end())
                found = judged_.emplace(clause.body, all.judged(clause)).first;
            changed = changed || found->second.covered != clause.covered;
            clause = found->second;
        }
        return changed;
    }

    /// Adds chosen clauses with thresholds that suit all examples: those of a sample lie beside
    /// them. A few are judged, also where the time for search is over. True where one is new.
    bool add_tuned(std::vector<PoolClause>& pool, const Combination& chosen,
                   const AllExamples& all) {
        RefinerLimits limits;
        limits.max_rows = kTunedRows;
        bool added = false;
        for (const int i : chosen.chosen) {
            PoolClause clause = pool[static_cast<std::size_t>(i)];
            clause.body = Refiner(index_, all.language(), all.examples(), limits)
                              .with_best_thresholds(clause.body);
            const auto is_same = [&](const PoolClause& other) { return other.body == clause.body; };
            if (std::any_of(pool.begin(), pool.end(), is_same))
                continue;
            auto found = judged_.find(clause.body);
            if (found == judged_.end())
                found = judged_.emplace(clause.body, all.judged(clause)).first;
            pool.push_back(found->second);
            tuned_.insert(clause.body);
            added = true;
        }
        return added;
    }

    /// A program without errors is taken although it is long, unless examples are many: then
    /// naming its errors would have to cost more.
    static bool prefers_exact(const Combination& exact, const Combination& tolerant,
                              const PoolExamples& examples) {
        if (exact.false_negatives > 0 || exact.chosen.empty())
            return false;
        if (exact.cost <= tolerant.cost)
            return true;
        if (exact.chosen.size() > 4 &&
            exact.bits > kMaxLength * mistakes(examples, 0, examples.positives))
            return false;
        const double per_clause =
            static_cast<double>(examples.positives) / static_cast<double>(exact.chosen.size());
        return examples.positives < 60 ? per_clause >= 1.5 || exact.chosen.size() <= 4
                                       : per_clause >= 5;
    }

    static bool is_better(const Chosen& a, const Chosen& b) {
        const auto fit = [](const Chosen& c) {
            return c.exact && c.combination.false_negatives == 0;
        };
        if (fit(a) != fit(b))
            return fit(a);
        return fit(a) ? a.combination.clause_bits < b.combination.clause_bits
                      : a.combination.cost < b.combination.cost;
    }

    std::vector<PoolClause> judged_pool(const Enumeration& enumeration, const AllExamples& all) {
        const PoolExamples examples = enumeration.pool_examples();
        std::vector<std::pair<double, std::size_t>> ranked;
        const std::vector<PoolClause>& pool = enumeration.pool();
        for (std::size_t i = 0; i < pool.size(); ++i)
            ranked.emplace_back(
                mistakes(examples, pool[i].negatives, examples.positives - pool[i].positives) +
                    pool[i].bits,
                i);
        std::sort(ranked.begin(), ranked.end());
        std::vector<PoolClause> judged;
        for (std::size_t r = 0; r < std::min(ranked.size(), kJudged); ++r) {
            const PoolClause& clause = pool[ranked[r].second];
            auto found = judged_.find(clause.body);
            if (found == judged_.end()) {
                if (is_over() && judged.size() > 20)
                    break;
                found = judged_.emplace(clause.body, all.judged(clause)).first;
            }
            judged.push_back(found->second);
        }
        for (const Body& body : tuned_)
            judged.push_back(judged_.at(body));
        return judged;
    }

    ClauseResult result() {
        ClauseResult result;
        result.tested = tested_;
        result.duplicates = counts_.duplicates;
        result.equal = counts_.equal;
        result.levels = levels_;
        result.cut = is_over();
        if (best_) {
            result.program = best_->program;
            result.bits = best_->combination.bits;
        } else {
            result.program.target = result.program.vocabulary.intern(database_.examples.target);
        }
        result.training =
            score_on_examples(result.program, database_, database_.examples, settings_.threads);
        add_evidence(result);
        result.fits = result.training.false_negatives == 0 && result.training.false_positives == 0;
        return result;
    }

    /// What each rule covers, with the whole program below it where it is recursive.
    void add_evidence(ClauseResult& result) {
        const Language language = make_language(index_, {});
        const AllExamples all(index_, language, names_, threads_);
        const int count = all.examples().count;
        const std::size_t rules = result.program.rules.size();
        if (is_recursive(result.program) || rules > kMaxEvidence)
            return;
        std::vector<std::vector<std::uint64_t>> covered;
        for (std::size_t r = 0; r < rules; ++r) {
            Program one = result.program;
            one.rules = {result.program.rules[r]};
            covered.push_back(all.covered(one));
        }
        for (std::size_t r = 0; r < rules; ++r) {
            ClauseCoverage evidence;
            for (int e = 0; e < count; ++e) {
                const auto has = [&](std::size_t other) {
                    return (covered[other][static_cast<std::size_t>(e) / 64] >> (e % 64) & 1U) != 0;
                };
                if (!has(r))
                    continue;
                if (e >= all.examples().positives) {
                    ++evidence.negatives;
                    continue;
                }
                ++evidence.positives;
                bool alone = true;
                for (std::size_t other = 0; other < rules && alone; ++other)
                    alone = other == r || !has(other);
                evidence.only += alone ? 1 : 0;
            }
            result.evidence.push_back(evidence);
        }
    }

    const ClauseSettings& settings_;
    const Database& database_;
    const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
    const evaluation::DatabaseIndex index_;
    const evaluation::ConstantNumbers names_;
    base::ThreadPool threads_;
    std::map<Body, PoolClause> judged_;
    std::set<Body> tuned_;  // clauses of no sample, whose thresholds suit all examples
    std::optional<Chosen> best_;
    std::int64_t tested_ = 0;
    std::int64_t tested_before_ = 0;
    EnumerationCounts counts_;
    int levels_ = 0;
    double share_ = 1;  // of the time, for the language at hand
};

}  // namespace

ClauseResult learn_clauses(const Database& database, const ClauseSettings& settings) {
    return ClauseLearner(database, settings).run();
}

}  // namespace hri::search
