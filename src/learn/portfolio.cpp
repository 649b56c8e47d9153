// SPDX-License-Identifier: Apache-2.0
// Program search and training side by side, over hierarchies that grow.
//
// Work comes in rounds of units: searches on every level of the hierarchy reached so far, a
// training run whose network a search starts from, a training run that starts at the best program.
// The units of a round know only what earlier rounds have found, and their results are taken in
// order, so that the outcome does not depend on the number of threads.

#include "hri/error.hpp"

#include "data/instance_database.hpp"
#include "data/views.hpp"
#include "learn/checkpoint.hpp"
#include "learn/portfolio_units.hpp"
#include "learn/strategies.hpp"
#include "logic/unfold.hpp"
#include "search/clauses/learn_clauses.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <deque>
#include <exception>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <thread>

namespace hri::learning {

namespace {

// Chosen on the development tasks (docs/results/).
constexpr int kAmongFew = 3;  // searches among some of many inputs for each that looks at all
constexpr int kFirstIterations = 1'000;  // of the first two training runs; the next double them
constexpr int kIterationDoublings = 5;
constexpr int kTrainingShare = 6;           // one such part of the work at most
constexpr int kEnoughFits = 20;             // fitting restarts before the choice
constexpr double kPatience = 1.25;          // ... or as many times the work up to the first fit
constexpr std::int64_t kMinWork = 800'000;  // ... but not less than this much
constexpr double kShortBits = 80;     // the longer a program beyond this, the less it is believed:
constexpr double kDoublingBits = 10;  // ... every so many bits double the work before the choice
// Where nothing fits fixed data, the shortest description is taken after so much work, and so many
// times the work up to it.
constexpr std::int64_t kSettledWork = 1'500'000;
constexpr std::int64_t kSettledPatience = 3;
// Clauses are searched for after the first round, if need be, or before it where a trial of a
// search has to look at this many pairs of constants.
constexpr std::int64_t kLargePairs = 1'000'000;
constexpr std::int64_t kMaxClauses = 50'000;  // that are tested
constexpr std::size_t kMaxAlternatives = 60;

class Portfolio {
  public:
    Portfolio(const Problem& problem, const Options& options, const LearnSettings& settings,
              const ProgramScorer& judge, const search::HeadConnector& connector)
        : problem_(problem),
          options_(options),
          settings_(settings),
          judge_(judge),
          levels_(growth_schedule(problem, options, settings.grow)),
          units_({problem, settings, judge, connector, levels_, [this] { return should_stop(); },
                  [this](double loss) { report_loss(loss); }}) {}

    Report run() {
        if (!settings_.resume.empty())
            resume(read_checkpoint(problem_, options_, settings_));
        for (; !is_over_; ++tally_.round) {
            if (settings_.checkpoint)
                settings_.checkpoint(to_text(checkpoint(), problem_, options_, settings_));
            if ((tally_.round > 0 || has_many_pairs()) && !covered_ && tally_.fitting == 0)
                cover();
            run_round(plan_round());
        }
        return report();
    }

  private:
    bool has_many_pairs() const {
        std::int64_t pairs = 0;
        for (const Instance& instance : problem_.training.instances)
            pairs += std::int64_t{instance.constants} * instance.constants;
        return pairs >= kLargePairs;
    }

    /// Clauses, unless they have been tried: what takes many long ones is beyond a hierarchy of
    /// moderate size. Whatever comes of it, the searches go on, and may find something shorter.
    void cover() {
        const bool tried = settings_.strategy == Strategy::portfolio && offers_clauses(problem_);
        if (tried || !problem_.training.fixed() || problem_.target().arity == 0)
            return;
        const data::InstanceDatabase facts =
            data::instance_database(judge_.instances(), problem_.inputs(), problem_.target());
        search::ClauseSettings clauses{.seed = settings_.seed, .threads = settings_.threads};
        clauses.constants = clauses.thresholds = search::Wanted::never;
        clauses.max_tests = kMaxClauses;
        clauses.stop = [this] { return should_stop(); };
        if (!judge_.vetoes().empty())
            clauses.verdict = [this](const Program& c) { return judge_.vetoes().verdict(c); };
        covered_ = units_.connected(search::learn_clauses(facts.database, clauses).program);
    }

    /// Between rounds.
    Checkpoint checkpoint() const {
        Checkpoint now;
        now.tally = tally_;
        if (best_) {
            now.best = best_->level;
            now.best_matches = best_->matches;
        }
        for (const Alternative& alternative : alternatives_)
            now.alternatives.push_back(to_prolog(alternative.program));
        now.met.assign(texts_.begin(), texts_.end());
        return now;
    }

    void resume(const Checkpoint& before) {
        if (before.tally.round == 0)
            return;
        tally_ = before.tally;
        if (before.best < 0 || before.best >= static_cast<int>(levels_.size()))
            throw Error("the checkpoint names a hierarchy that there is not", {kCheckpointPlace});
        check_matches(levels_[static_cast<std::size_t>(before.best)].space.hierarchy(),
                      before.best_matches);
        best_ = units_.judged(before.best, before.best_matches);
        for (const std::string& text : before.alternatives)
            alternatives_.push_back(judge_.judge(parse_program(text, kCheckpointPlace)));
        texts_.insert(before.met.begin(), before.met.end());
        is_over_ = is_decided() || (settings_.max_work > 0 && tally_.work >= settings_.max_work);
    }

    static void check_matches(const Hierarchy& h, const Matches& matches) {
        bool right = matches.size() == h.slots.size();
        for (std::size_t slot = 0; right && slot < matches.size(); ++slot)
            right = std::binary_search(h.slots[slot].candidates.begin(),
                                       h.slots[slot].candidates.end(), matches[slot]);
        if (!right)
            throw Error("the checkpoint's program does not belong to its hierarchy",
                        {kCheckpointPlace});
    }

    std::vector<Unit> plan_round() {
        std::vector<Unit> units;
        // three levels within two rounds, then a further one every third
        const int open = tally_.round < 2 ? tally_.round + 1 : 2 + (tally_.round - 1) / 3;
        const int last = std::min(open, static_cast<int>(levels_.size()) - 1);
        // Every second round of those without a fit reckons with errors in the data. A generator's
        // have none.
        const bool tolerant =
            problem_.training.fixed() && tally_.fitting == 0 && tally_.round % 2 == 1;
        const auto add = [&](Unit::Kind kind, int level) {
            units.push_back({kind, level, tally_.round,
                             restart_seed(settings_.seed, tally_.planned++), 0, tolerant, false});
        };
        for (int level = 0; level <= last; ++level) {
            add(Unit::Kind::search, level);
            for (int i = 0; i < (units_.has_many_inputs() ? kAmongFew : 0); ++i) {
                add(Unit::Kind::search, level);
                units.back().among_few = true;
            }
        }
        // Training gets its share where search alone has not fitted. It starts afresh and from the
        // best program in turn.
        if (settings_.strategy == Strategy::portfolio && tally_.fitting == 0 &&
            (kTrainingShare - 1) * kIterationWork * (tally_.iterations + run_iterations()) <=
                tally_.trials) {
            if (tally_.trained % 2 == 0) {
                add(Unit::Kind::train, std::min(1 + tally_.round / 2, last));
            } else {
                retrained_ = best_->matches;
                add(Unit::Kind::retrain, best_->level);
            }
            units.back().iterations = run_iterations();
            ++tally_.trained;
        }
        return units;
    }

    /// The iterations of the next training run.
    int run_iterations() const {
        return kFirstIterations << std::min(tally_.trained / 2, kIterationDoublings);
    }

    /// Does the units on all threads and takes their outcomes in order.
    void run_round(const std::vector<Unit>& units) {
        std::vector<std::optional<Outcome>> outcomes(units.size());
        std::atomic<std::size_t> next{0};
        std::mutex mutex;
        std::size_t taken = 0;
        std::exception_ptr failure;
        const auto work = [&] {
            try {
                // the first even where time is up, so that there is a program
                for (std::size_t i = next++; i < units.size() && (i == 0 || !is_over_);
                     i = next++) {
                    // a round trains one network or batch at most
                    Outcome outcome = units_.run(units[i], retrained_, 1 + threads_left_);
                    const std::lock_guard lock(mutex);
                    outcomes[i] = std::move(outcome);
                    for (; taken < units.size() && outcomes[taken] && !is_over_; ++taken)
                        take(*outcomes[taken]);
                }
            } catch (...) {
                const std::lock_guard lock(mutex);
                failure = std::current_exception();
                is_over_ = true;
            }
        };
        {
            const int at_once = std::min(settings_.threads, static_cast<int>(units.size()));
            threads_left_ = settings_.threads - at_once;
            std::vector<std::jthread> workers;
            for (int t = 1; t < at_once; ++t)
                workers.emplace_back(work);
            work();
        }
        if (failure)
            std::rethrow_exception(failure);
        // What a time limit cut short still counts.
        if (is_cut_)
            for (; taken < units.size(); ++taken)
                if (outcomes[taken])
                    take(*outcomes[taken]);
    }

    bool should_stop() {
        if (settings_.interrupt != nullptr && settings_.interrupt->load())
            is_cut_ = true;
        if (settings_.time_limit > 0 && seconds() > settings_.time_limit)
            is_cut_ = true;
        if (is_cut_)
            is_over_ = true;
        return is_over_;
    }

    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    }

    void take(const Outcome& outcome) {
        ++tally_.restarts;
        tally_.trials += outcome.trials;
        tally_.iterations += outcome.iterations;
        tally_.work += outcome.work();
        bool fits = false;
        for (const Found& found : outcome.found) {
            fits = fits || found.judged.fits;
            if (!best_ || is_preferred(found.judged, best_->judged)) {
                best_ = found;
                tally_.best_work = tally_.work;
            }
            if (found.judged.fits || alternatives_.empty())
                if (texts_.insert(to_text(found.judged.program)).second &&
                    alternatives_.size() < kMaxAlternatives)
                    alternatives_.push_back(found.judged);
        }
        if (fits) {
            ++tally_.fitting;
            if (tally_.first_fit_work == 0)
                tally_.first_fit_work = tally_.work;
        }
        if (is_decided() || (settings_.max_work > 0 && tally_.work >= settings_.max_work))
            is_over_ = true;
        if (settings_.progress) {
            const std::lock_guard lock(progress_mutex_);
            now_.restarts = tally_.restarts;
            now_.fits = tally_.fitting;
            now_.trials = tally_.trials;
            now_.errors =
                best_->judged.training.false_positives + best_->judged.training.false_negatives;
            now_.program = to_text(logic::with_definitions(best_->judged.program, views_));
            tell();
        }
    }

    /// Whether a better program than the best is hardly to be expected.
    bool is_decided() const {
        if (tally_.fitting == 0)
            return problem_.training.fixed() && tally_.work >= kSettledWork &&
                   tally_.work >= kSettledPatience * tally_.best_work;
        if (settings_.stop == StopRule::first_fit)
            return true;
        const double doubt =
            std::exp2(std::max(best_->judged.bits - kShortBits, 0.0) / kDoublingBits);
        const double enough = std::max(kPatience * static_cast<double>(tally_.first_fit_work),
                                       static_cast<double>(kMinWork));
        return tally_.fitting >= kEnoughFits * doubt ||
               static_cast<double>(tally_.work) >= enough * doubt;
    }

    void report_loss(double loss) {
        const std::lock_guard lock(progress_mutex_);
        now_.loss = loss;
        tell();
    }

    void tell() {
        now_.fraction = settings_.time_limit > 0 ? seconds() / settings_.time_limit : 0.0;
        if (settings_.max_work > 0)
            now_.fraction = std::max(now_.fraction, static_cast<double>(tally_.work) /
                                                        static_cast<double>(settings_.max_work));
        settings_.progress(now_);
    }

    Report report() {
        Report report;
        const HierarchySize& level = levels_[static_cast<std::size_t>(best_->level)];
        report.model =
            make_model(problem_.inputs(), problem_.target(), level.options, settings_.seed);
        set_matches(report.model, best_->matches);
        report.raw = extract(report.model);
        const bool covers = covered_ && is_preferred(*covered_, best_->judged);
        const Alternative& chosen = covers ? *covered_ : best_->judged;
        report.program = chosen.program;
        if (covers) {
            report.raw = chosen.program;
            alternatives_.push_back(chosen);
            tally_.fitting += chosen.fits ? 1 : 0;
        }
        report.restarts = tally_.restarts;
        report.fitting = tally_.fitting;
        report.trials = tally_.trials;
        report.iterations = tally_.iterations;
        report.alternatives = std::move(alternatives_);
        report.stop_reason = is_cut_       ? StopReason::time_limit
                             : chosen.fits ? StopReason::fits
                                           : StopReason::finished;
        return report;
    }

    const Problem& problem_;
    const Options& options_;
    const LearnSettings& settings_;
    const ProgramScorer& judge_;
    const Program views_ = data::views_of(problem_);  // that programs are told without
    const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
    const std::deque<HierarchySize> levels_;
    const UnitRunner units_;
    Tally tally_;
    std::atomic<bool> is_over_{false};
    std::atomic<bool> is_cut_{false};  // by time or interrupt: what is under way still counts

    std::optional<Found> best_;
    std::optional<Alternative> covered_;  // a program that no hierarchy need have
    int threads_left_ = 0;                // by the units of the round
    Matches retrained_;                   // the best of the earlier rounds
    std::vector<Alternative> alternatives_;
    std::set<std::string> texts_;
    std::mutex progress_mutex_;
    LearnProgress now_;
};

}  // namespace

Report learn_by_portfolio(const Problem& problem, const Options& options,
                          const LearnSettings& settings, const ProgramScorer& judge,
                          const search::HeadConnector& connector) {
    return Portfolio(problem, options, settings, judge, connector).run();
}

}  // namespace hri::learning
