// SPDX-License-Identifier: Apache-2.0
#include "search/clauses/learn_clauses.hpp"

#include "search/clauses/all_examples.hpp"
#include "search/clauses/enumeration.hpp"
#include "search/clauses/judged_pool.hpp"
#include "search/clauses/recursion.hpp"
#include "search/clauses/run_state.hpp"
#include "search/clauses/stages.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

namespace hri::search {

namespace {

constexpr int kMaxPositives = 400;  // of a sample
constexpr int kMaxNegatives = 600;
constexpr std::size_t kAllRows = 60'000;  // of the bindings of a clause
constexpr std::size_t kMaxRows = 250;     // of an example among them
constexpr int kMaxCorrections = 12;
constexpr double kSearchShare = 0.92;  // of the time: the rest judges
constexpr double kChoiceShare = 0.97;  // ... how dear clauses are to be
constexpr double kRecursionShare = 0.6;
constexpr double kTellSeconds = 0.1;  // between two reports of progress
constexpr double kShortShare = 0.1;   // for one clause, before recursion
constexpr std::int64_t kShortTests = 3'000;
constexpr double kPlainShare = 0.6;        // without constants and thresholds that nobody asked for
constexpr std::size_t kRecursionMore = 8;  // examples that a round adds
constexpr int kRecursionRounds = 4;
constexpr std::size_t kFrontier = 4'000;           // clauses of a level that are refined
constexpr std::int64_t kCoverNodes = 200'000;      // of branch and bound
constexpr std::int64_t kMinTests = 300'000;        // after the best clauses, before the end
constexpr std::int64_t kMinOpenTests = 3'000'000;  // ... where these do not fit
constexpr std::int64_t kPatience = 3;              // ... or as many times the tests up to them
constexpr std::int64_t kCheapWords = 16;           // of examples; a node of more costs more

class ClauseLearner {
  public:
    ClauseLearner(const Database& database, const ClauseSettings& settings)
        : settings_(settings),
          database_(database),
          index_(database),
          stages_(index_, database.bias, settings),
          names_(evaluation::constant_numbers(database)),
          threads_(std::max(settings.threads, 1)) {}

    ClauseResult run() {
        Stage from = Stage::one_clause;
        if (!settings_.resume.empty())
            from = go_on();
        if (database_.bias.recursion && from <= Stage::recursion)
            if (from == Stage::recursion || !learn_short()) {
                keep_state(Stage::recursion, nullptr);
                learn_recursion();
            }
        if (from <= Stage::recursion && fits())
            return result();
        const bool enriches = stages_.enriches();
        share_ = enriches ? kPlainShare : 1;
        if (from <= Stage::plain) {
            if (!is_over() && from < Stage::plain)
                keep_state(Stage::plain, nullptr);
            learn(Stage::plain);
        }
        share_ = 1;
        if (!is_over() && enriches && (from == Stage::rich || !fits())) {
            if (from < Stage::rich)
                keep_state(Stage::rich, nullptr);
            learn(Stage::rich);
        }
        return result();
    }

  private:
    /// A set of clauses with what it costs.
    struct Chosen {
        std::vector<PoolClause> clauses;  // judged on all examples
        Combination combination;
        Program program;
        bool exact = false;
        Stage stage = Stage::plain;  // of the language of its bodies
        std::vector<Body> bodies;
    };

    /// Hands the state over, where nothing was cut so far. `enumeration`: where its stage stands.
    /// Computed predicates number their terms as they are asked, so that another run could not go
    /// on in the middle of a stage.
    void keep_state(Stage stage, const Enumeration* enumeration) {
        const bool is_within = enumeration != nullptr && !database_.computed.empty();
        if (!settings_.checkpoint || was_cut_ || is_over() || is_within)
            return;
        RunState state{stage,
                       tested_,
                       tested_before_,
                       found_at_,
                       counts_.duplicates,
                       counts_.equal,
                       judged_ ? judged_->tuned() : std::set<Body>(),
                       {},
                       {}};
        if (best_)
            state.best = ChosenState{best_->stage, best_->bodies, best_->combination, best_->exact};
        if (enumeration != nullptr)
            state.enumeration = enumeration->state();
        settings_.checkpoint(to_text(state, database_, settings_));
    }

    /// Takes settings.resume up. Returns its stage.
    Stage go_on() {
        RunState state = read_state(database_, settings_);
        tested_ = state.tested;
        tested_before_ = state.tested_before;
        found_at_ = state.found_at;
        counts_.duplicates = state.duplicates;
        counts_.equal = state.equal;
        if (state.best) {
            const Language language = stages_.language_of(state.best->stage);
            check_bodies(state.best->bodies, language, database_);
            best_ = Chosen{{},
                           state.best->combination,
                           program_of(language, database_, state.best->bodies),
                           state.best->exact,
                           state.best->stage,
                           state.best->bodies};
        }
        const Stage stage = state.stage;
        if (state.enumeration)
            resumed_ = std::move(state);
        return stage;
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

    /// One clause that no recursive program is shorter than. True where it fits.
    bool learn_short() {
        share_ = kShortShare;
        learn(Stage::one_clause, kShortTests);
        share_ = 1;
        if (fits() && best_->bodies.size() == 1)
            return true;
        best_.reset();
        found_at_ = 0;
        return false;
    }

    /// One or two recursive clauses with their base clauses, on a few small examples: what they
    /// derive stays small too. Examples on which the program found errs join them.
    void learn_recursion() {
        const Language language = stages_.language_of(Stage::recursion);
        RecursionLimits limits;
        limits.threads = settings_.threads;
        limits.max_recursive = std::min(language.max_body, limits.max_recursive);
        limits.max_base = std::min(language.max_body, limits.max_base);
        limits.verdict = verdict_in(language);
        const AllExamples all(index_, language, names_, threads_);
        std::vector<int> rows = small_examples(database_, all.examples());
        for (int round = 0; round < kRecursionRounds; ++round) {
            const auto is_over_here = [this] {
                return is_over() || (settings_.time_limit > 0 &&
                                     seconds() > kRecursionShare * settings_.time_limit);
            };
            const RecursionResult found = search_recursion(
                index_, language, subset(all.examples(), rows), limits, is_over_here);
            was_cut_ = was_cut_ || is_over_here();
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
        chosen.stage = Stage::recursion;
        chosen.bodies = std::move(bodies);
        propose(std::move(chosen));
        return wrong;
    }

    /// The test at which the search ends unless it finds a better program before.
    std::int64_t last_test() const {
        const std::int64_t last = std::max<std::int64_t>(
            found_at_ + (fits() ? kMinTests : kMinOpenTests), kPatience * found_at_);
        return settings_.max_tests > 0 ? std::min(last, std::max(max_tests(), tested_ + 1)) : last;
    }

    void propose(Chosen&& chosen) {
        if (best_ && !is_better(chosen, *best_))
            return;
        found_at_ = tested_;
        best_ = std::move(chosen);
        tell(tested_);
    }

    void tell(std::int64_t tested) {
        if (!settings_.progress)
            return;
        told_ = seconds();
        if (best_)
            settings_.progress(
                best_->program,
                best_->combination.false_negatives + best_->combination.false_positives, tested);
        else
            settings_.progress({}, -1, tested);
    }

    /// The user's verdict on bodies of a language; none where there is no verdict.
    BodyVerdict verdict_in(const Language& language) const {
        if (!settings_.verdict)
            return {};
        return [this, &language](const Body& body) {
            return settings_.verdict(program_of(language, database_, {body}));
        };
    }

    bool is_allowed(const Language& language, const Body& body) const {
        const BodyVerdict verdict = verdict_in(language);
        return !verdict || verdict(body) == ClauseVerdict::allowed;
    }

    bool fits() const {
        return best_ && best_->combination.false_negatives == 0 &&
               best_->combination.false_positives == 0;
    }

    /// `max_tests`: of this language, where it is not 0.
    void learn(Stage stage, std::int64_t max_tests = 0) {
        const Language language = stages_.language_of(stage);
        const SearchExamples sample =
            sample_examples(database_.examples, kMaxPositives, kMaxNegatives, settings_.seed);
        RefinerLimits limits;
        limits.all_rows = kAllRows;
        limits.max_rows = std::clamp<std::size_t>(
            kAllRows / std::max<std::size_t>(static_cast<std::size_t>(sample.count), 1), 20,
            kMaxRows);
        limits.min_positives = sample.positives < 50 ? 1 : std::max(2, sample.positives / 100);
        const AllExamples all(index_, language, names_, threads_);
        limits.verdict = verdict_in(language);
        Enumeration enumeration(
            index_, language, sample, limits, settings_.threads, [this] { return is_over(); },
            [this](std::int64_t tested) {
                if (seconds() > told_ + kTellSeconds)
                    tell(tested_before_ + tested);
            });
        std::set<Body> tuned;
        if (resumed_) {
            check_state(*resumed_, language, database_, sample);
            tuned = std::move(resumed_->tuned);
            enumeration.go_on_from(std::move(*resumed_->enumeration));
            resumed_.reset();
        } else {
            found_at_ = tested_;  // the language is new
        }
        judged_.emplace(
            index_, all, [&](const Body& body) { return is_allowed(language, body); },
            [this] { return is_over(); }, std::move(tuned));
        for (;;) {
            enumeration.limit_tests(max_tests > 0 ? max_tests : last_test() - tested_before_);
            enumeration.next_level();
            tested_ = tested_before_ + enumeration.counts().tested;
            const std::vector<std::uint64_t> open = choose(enumeration, all, sample, stage);
            if (fits() &&
                sample.count <
                    all.examples().count)  // what takes as many bits alone makes nothing shorter
                enumeration.drop_longer(best_->combination.clause_bits - least_literal(language));
            if (enumeration.frontier().empty() || is_over() || tested_ >= last_test() ||
                is_settled(language, enumeration) || (settings_.first_fit && fits()) ||
                (max_tests > 0 && enumeration.counts().tested >= max_tests))
                break;
            enumeration.keep(kFrontier, open);
            keep_state(stage, &enumeration);
        }
        if (best_ && !best_->exact && max_tests == 0)
            choose(enumeration, all, sample, stage, true);
        counts_.duplicates += enumeration.counts().duplicates;
        counts_.equal += enumeration.counts().equal;
        tested_before_ = tested_;
        levels_ = enumeration.level();
        was_cut_ = was_cut_ || is_over();
    }

    /// Whether any clause of the next level alone would be longer than the program that fits.
    bool is_settled(const Language& language, const Enumeration& enumeration) const {
        if (!fits())
            return false;
        const auto& frontier = enumeration.frontier();
        return std::all_of(frontier.begin(), frontier.end(), [&](const ClauseNode& node) {
            return clause_bits(language, node.body) + least_literal(language) >=
                   best_->combination.clause_bits;
        });
    }

    /// Bits of one literal more, at least.
    static double least_literal(const Language& language) {
        return std::log2(std::max(static_cast<double>(language.predicates.size()) + 1, 2.0)) + 2;
    }

    /// Positives of the sample that the chosen program leaves open.
    /// `at_end`: hidden examples say how dear clauses are to be, where none fit.
    std::vector<std::uint64_t> choose(const Enumeration& enumeration, const AllExamples& all,
                                      const SearchExamples& sample, Stage stage,
                                      bool at_end = false) {
        const bool whole = sample.count == all.examples().count;
        std::vector<PoolClause> pool;
        if (whole) {
            pool = enumeration.pool();
        } else {
            pool = judged_->best_of(enumeration);
        }
        PoolExamples examples{all.examples().positives,
                              all.examples().count - all.examples().positives, 1, 1};
        Chosen exact;
        Chosen tolerant;
        const int max_clauses = database_.bias.max_clauses.value_or(0);
        ClausePrice price;
        if (at_end) {
            price = choose_price(pool, examples, max_clauses, settings_.seed, [this] {
                return (settings_.stop && settings_.stop()) ||
                       (settings_.time_limit > 0 &&
                        seconds() > kChoiceShare * settings_.time_limit);
            });
            if (price == ClausePrice{})
                return {};
        }
        const auto words = static_cast<std::int64_t>(all.examples().count / 64 + 1);
        const std::int64_t nodes = kCoverNodes * kCheapWords / std::max(kCheapWords, words);
        for (int correction = 0; correction < kMaxCorrections; ++correction) {
            exact.combination = cover_exactly(pool, examples, nodes, max_clauses);
            tolerant.combination = describe_well(pool, examples, max_clauses, price);
            const Combination improved =
                describe(pool, examples, max_clauses, exact.combination.chosen, price);
            if (!at_end && improved.bits < tolerant.combination.bits)
                tolerant.combination = improved;
            const bool corrected = judged_->correct(pool, exact.combination) ||
                                   judged_->correct(pool, tolerant.combination);
            const bool tuned = !whole && (judged_->add_tuned(pool, exact.combination) ||
                                          judged_->add_tuned(pool, tolerant.combination));
            if (!corrected && !tuned)
                break;
        }
        Chosen& better = !at_end && prefers_exact(exact.combination, tolerant.combination, examples)
                             ? exact
                             : tolerant;
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
        for (const PoolClause& clause : better.clauses)
            better.bodies.push_back(clause.body);
        better.program = program_of(all.language(), database_, better.bodies);
        better.stage = stage;
        if (at_end)
            best_.reset();
        propose(std::move(better));
        return open;
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
        const Language language = make_language(index_, {});
        result.evidence =
            evidence_of(result.program, AllExamples(index_, language, names_, threads_));
        result.fits = result.training.false_negatives == 0 && result.training.false_positives == 0;
        return result;
    }

    const ClauseSettings& settings_;
    const Database& database_;
    std::optional<RunState> resumed_;  // in the middle of a stage
    const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
    const evaluation::DatabaseIndex index_;
    const Stages stages_;
    const evaluation::ConstantNumbers names_;
    base::ThreadPool threads_;
    std::optional<JudgedPool> judged_;  // of the stage at hand
    std::optional<Chosen> best_;
    std::int64_t tested_ = 0;
    std::int64_t tested_before_ = 0;
    std::int64_t found_at_ = 0;  // tests before the best
    EnumerationCounts counts_;
    int levels_ = 0;
    bool was_cut_ = false;  // a stage, by time or work: a later one is no place to go on from
    double told_ = 0;       // seconds
    double share_ = 1;      // of the time, for the language at hand
};

}  // namespace

ClauseResult learn_clauses(const Database& database, const ClauseSettings& settings) {
    return ClauseLearner(database, settings).run();
}

}  // namespace hri::search
