// SPDX-License-Identifier: Apache-2.0
// The paper's method: training restarts until a program explains the training data.

#include "hri/error.hpp"

#include "base/mpi.hpp"
#include "learn/checkpoint.hpp"
#include "learn/serialised.hpp"
#include "learn/strategies.hpp"
#include "search/head_connected.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace hri::learning {

namespace {

constexpr int kLooks = 8;  // at the programs of runs on a GPU

struct Candidate {
    TrainRun run;
    Model model;
    std::optional<LriModel> lri;
    Program raw;
    Alternative judged;

    std::int64_t errors() const {
        return judged.training.false_positives + judged.training.false_negatives;
    }

    bool is_better_than(const Candidate& other) const {
        return errors() < other.errors() ||
               (errors() == other.errors() && is_better(judged, other.judged));
    }
};

using Candidates = std::vector<std::optional<Candidate>>;  // [restart]

/// The runs in order up to one that fits or was cut short, after those that are done.
Checkpoint after(Checkpoint done, const Candidates& candidates) {
    for (; done.tally.round < static_cast<int>(candidates.size()); ++done.tally.round) {
        const auto& candidate = candidates[static_cast<std::size_t>(done.tally.round)];
        if (!candidate || candidate->judged.fits ||
            candidate->run.stop_reason != StopReason::finished)
            break;
        done.tally.iterations += candidate->run.iterations;
        done.alternatives.push_back(to_prolog(candidate->judged.program));
        if (done.best < 0 ||
            candidate->is_better_than(*candidates[static_cast<std::size_t>(done.best)]))
            done.best = done.tally.round;
    }
    return done;
}

constexpr int kWatchEvery = 50;  // iterations between looks from outside

Candidate judged_run(TrainResult result, const ProgramScorer& judge,
                     const search::HeadConnector& connector) {
    Candidate candidate;
    candidate.raw = extract(result.model);
    candidate.model = std::move(result.model);
    candidate.run = std::move(result);
    candidate.judged = judge.judge(connector.connected(simplified(candidate.raw)));
    if (candidate.run.stop_reason == StopReason::fits)  // the judge says whether it does
        candidate.run.stop_reason = StopReason::finished;
    return candidate;
}

Candidate trained(const Problem& problem, const Options& options, const LearnSettings& settings,
                  const TrainSettings& run, const ProgramScorer& judge,
                  const search::HeadConnector& connector) {
    if (!settings.lri)
        return judged_run(train(problem, options, run), judge, connector);
    LriResult result = train_lri(problem, *settings.lri, options, run);
    Candidate candidate;
    candidate.raw = extract(result.model);
    candidate.model.options = options;
    candidate.model.protorules = settings.lri->templates;
    candidate.lri = std::move(result.model);
    candidate.run = std::move(result);
    candidate.judged = judge.judge(connector.connected(simplified(candidate.raw)));
    return candidate;
}

/// Training restarts, shared by threads and processes. The result is that of the first run that
/// fits, so that it does not depend on the number of either.
class Restarts {
  public:
    Restarts(const Problem& problem, const Options& options, const LearnSettings& settings,
             const ProgramScorer& judge, const search::HeadConnector& connector)
        : problem_(problem),
          options_(options),
          settings_(settings),
          judge_(judge),
          connector_(connector),
          ranks_(settings.split ? base::Communicator::all() : base::Communicator::alone()),
          started_(std::chrono::steady_clock::now()) {
        ranks_.watch(settings.interrupt, "");
        if (settings.lri && ranks_.size() > 1)
            throw Error("LRI's restarts cannot be split over processes", {},
                        "run it without mpirun, or train the hierarchy");
        if (settings.lri && settings.device != Device::cpu)
            throw Error("LRI does not run on a GPU", {}, "use {device=cpu}");
        require(settings.device);
        if (!settings.resume.empty())
            before_ = read_checkpoint(problem, options, settings);
        restarts_ = std::max({1, settings.restarts, before_.tally.round});
        candidates_.resize(static_cast<std::size_t>(restarts_));
        if (before_.best >= restarts_ || before_.best >= before_.tally.round)
            throw Error("the checkpoint names a restart that was not done", {kCheckpointPlace});
        if (settings.checkpoint)
            settings.checkpoint(to_text(before_, problem, options, settings));
        // The best run before a break is trained again, since its network is needed.
        first_ = before_.best < 0 ? before_.tally.round : before_.tally.round - 1;
        first_fit_ = restarts_;
    }

    /// Between ranks the runs of a turn are exchanged, so that all know the same ones.
    void run() {
        const int share = ranks_.size() == 1 ? restarts_ : std::max(1, settings_.threads);
        bool goes_on = true;
        for (int from = first_; goes_on && from < restarts_ && first_fit_ == restarts_;
             from += share * ranks_.size()) {
            const int mine = std::min(from + share * ranks_.rank(), restarts_);
            const int end = std::min(mine + share, restarts_);
            run_some(mine, end);
            if (ranks_.size() == 1)
                break;
            exchange(mine, end);
            goes_on = ranks_.share(is_over() ? "over" : "") != "over";
        }
    }

    Report report() {
        Report report;
        report.restarts = before_.tally.round;
        report.iterations = before_.tally.iterations;
        for (const std::string& text : before_.alternatives)
            report.alternatives.push_back(judge_.judge(parse_program(text, kCheckpointPlace)));
        Candidate* kept = nullptr;
        for (int i = 0; i <= std::min(first_fit_.load(), restarts_ - 1); ++i) {
            std::optional<Candidate>& candidate = candidates_[static_cast<std::size_t>(i)];
            if (!candidate)
                continue;
            if (i >= before_.tally.round) {
                ++report.restarts;
                report.iterations += candidate->run.iterations;
                report.fitting += candidate->judged.fits ? 1 : 0;
                report.alternatives.push_back(candidate->judged);
            }
            if (kept == nullptr || candidate->is_better_than(*kept))
                kept = &*candidate;
        }
        report.model = std::move(kept->model);
        report.lri = std::move(kept->lri);
        report.raw = std::move(kept->raw);
        report.program = kept->judged.program;
        report.final_loss = kept->run.final_loss;
        report.curve = std::move(kept->run.curve);
        report.stop_reason = kept->judged.fits ? StopReason::fits : kept->run.stop_reason;
        if (report.stop_reason == StopReason::finished && report.restarts < restarts_)
            report.stop_reason = settings_.interrupt != nullptr && settings_.interrupt->load()
                                     ? StopReason::interrupted
                                     : StopReason::time_limit;
        return report;
    }

  private:
    double elapsed() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    }

    bool is_over() const {
        return (settings_.interrupt != nullptr && settings_.interrupt->load()) ||
               (settings_.time_limit > 0 && elapsed() > settings_.time_limit);
    }

    TrainSettings settings_of(int restart, int threads) {
        TrainSettings run;
        run.seed = restart_seed(settings_.seed, restart);
        run.threads = threads;
        run.interrupt = settings_.interrupt;
        run.log_every = settings_.log_every;
        if (settings_.time_limit > 0)
            run.time_limit = std::max(settings_.time_limit - elapsed(), 1e-3);
        if (settings_.watch) {
            run.check_every = kWatchEvery;
            run.is_done = [this](const Model& model) {
                settings_.watch(model);
                return false;
            };
        }
        if (settings_.progress)
            run.progress = [this, restart](const Progress& progress) {
                const std::lock_guard lock(mutex_);
                LearnProgress now;
                now.fraction =
                    static_cast<double>(progress.iteration) / std::max(progress.iterations, 1);
                if (settings_.time_limit > 0)
                    now.fraction = std::max(now.fraction, elapsed() / settings_.time_limit);
                now.restarts = restart + 1;
                now.iterations = progress.iteration;
                now.loss = progress.loss;
                settings_.progress(now);
            };
        return run;
    }

    void keep(int restart, Candidate candidate) {
        if (candidate.judged.fits)
            for (int current = first_fit_;
                 restart < current && !first_fit_.compare_exchange_weak(current, restart);) {
            }
        const std::lock_guard lock(mutex_);
        candidates_[static_cast<std::size_t>(restart)] = std::move(candidate);
        if (settings_.checkpoint &&
            (before_.best < 0 || candidates_[static_cast<std::size_t>(before_.best)]))
            settings_.checkpoint(
                to_text(after(before_, candidates_), problem_, options_, settings_));
    }

    /// One worker: takes the next run until there is none, or none is needed.
    void work(int end, int threads) {
        try {
            for (int k = next_++; k < end && k < first_fit_; k = next_++) {
                if (k > first_ && is_over())
                    return;
                const int restart = k < before_.tally.round ? before_.best : k;
                keep(restart, trained(problem_, options_, settings_, settings_of(restart, threads),
                                      judge_, connector_));
            }
        } catch (...) {
            const std::lock_guard lock(mutex_);
            failure_ = std::current_exception();
            first_fit_ = 0;
        }
    }

    /// Side by side on a GPU. Now and then their programs are looked at: one that fits ends all.
    void run_batch(int from, int end) {
        std::vector<int> restarts;
        std::vector<std::uint64_t> seeds;
        for (int k = from; k < end; ++k) {
            restarts.push_back(k < before_.tally.round ? before_.best : k);
            seeds.push_back(restart_seed(settings_.seed, restarts.back()));
        }
        TrainSettings run = settings_of(from, settings_.threads);
        run.device = settings_.device;
        run.check_every = std::max(1, options_.iterations / kLooks);
        bool fits = false;
        run.is_done = [&](const Model& model) {
            fits = fits || judge_.judge(connector_.connected(simplified(extract(model)))).fits;
            return fits;
        };
        std::vector<TrainResult> results = train_many(problem_, options_, seeds, run);
        for (std::size_t i = 0; i < results.size(); ++i)
            keep(restarts[i], judged_run(std::move(results[i]), judge_, connector_));
    }

    /// Threads that the runs leave over share the steps of a run.
    void run_some(int from, int end) {
        if (settings_.device != Device::cpu) {
            if (from < end)
                run_batch(from, end);
            return;
        }
        next_ = from;
        {
            const int runs = std::clamp(settings_.threads, 1, std::max(end - from, 1));
            std::vector<std::jthread> workers;
            for (int t = 1; t < runs; ++t)
                workers.emplace_back(
                    [this, end, threads = (settings_.threads + t) / runs] { work(end, threads); });
            work(end, settings_.threads / runs);
        }
        if (failure_)
            std::rethrow_exception(failure_);
    }

    /// Gives the runs from `from` to `end` to all ranks, and takes theirs.
    void exchange(int from, int end) {
        std::map<int, TrainResult> runs;
        for (int i = from; i < end; ++i)
            if (const auto& candidate = candidates_[static_cast<std::size_t>(i)])
                runs[i] = TrainResult{candidate->run, candidate->model};
        const std::vector<std::string> gathered = ranks_.gather(serialised(runs));
        for (int rank = 0; rank < ranks_.size(); ++rank) {
            const std::string text = ranks_.share(
                ranks_.is_first() ? gathered[static_cast<std::size_t>(rank)] : std::string());
            for (auto& [i, run] : deserialised(text)) {
                std::optional<Candidate>& candidate = candidates_[static_cast<std::size_t>(i)];
                if (!candidate)
                    candidate = judged_run(std::move(run), judge_, connector_);
                if (candidate->judged.fits)
                    first_fit_ = std::min(first_fit_.load(), i);
            }
        }
    }

    const Problem& problem_;
    const Options& options_;
    const LearnSettings& settings_;
    const ProgramScorer& judge_;
    const search::HeadConnector& connector_;
    base::Communicator& ranks_;
    std::chrono::steady_clock::time_point started_;
    Checkpoint before_;      // where a run that goes on stood
    int restarts_ = 0;       // at most
    int first_ = 0;          // that this run does
    Candidates candidates_;  // guarded by mutex_ while workers run
    std::atomic<int> next_{0};
    std::atomic<int> first_fit_{0};  // runs after it are not needed
    std::mutex mutex_;               // guards the user's calls, candidates_ and failure_
    std::exception_ptr failure_;
};

}  // namespace

std::uint64_t restart_seed(std::uint64_t seed, int restart) {
    return seed + static_cast<std::uint64_t>(restart) * std::uint64_t{0x9E3779B97F4A7C15};
}

Report learn_by_gradient(const Problem& problem, const Options& options,
                         const LearnSettings& settings, const ProgramScorer& judge,
                         const search::HeadConnector& connector) {
    Restarts restarts(problem, options, settings, judge, connector);
    restarts.run();
    return restarts.report();
}

}  // namespace hri::learning
