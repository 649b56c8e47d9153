// SPDX-License-Identifier: Apache-2.0
// The paper's method: training restarts until a program explains the training data.

#include "hri/error.hpp"

#include "base/mpi.hpp"
#include "learn/checkpoint.hpp"
#include "learn/serialised.hpp"
#include "learn/strategies.hpp"

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

}  // namespace

std::uint64_t restart_seed(std::uint64_t seed, int restart) {
    return seed + static_cast<std::uint64_t>(restart) * std::uint64_t{0x9E3779B97F4A7C15};
}

Report learn_by_gradient(const Problem& problem, const Options& options,
                         const LearnSettings& settings, const ProgramScorer& judge,
                         const search::HeadConnector& connector) {
    const auto started = std::chrono::steady_clock::now();
    const auto elapsed = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    };
    base::Communicator& ranks =
        settings.split ? base::Communicator::all() : base::Communicator::alone();
    ranks.watch(settings.interrupt, "");
    if (settings.lri && ranks.size() > 1)
        throw Error("LRI's restarts cannot be split over processes", {},
                    "run it without mpirun, or train the hierarchy");
    // Of runs before a break the best is done again, since its network is needed.
    const Checkpoint before =
        settings.resume.empty() ? Checkpoint{} : read_checkpoint(problem, options, settings);
    const int restarts = std::max({1, settings.restarts, before.tally.round});
    Candidates candidates(static_cast<std::size_t>(restarts));
    if (before.best >= restarts || before.best >= before.tally.round || before.tally.round < 0)
        throw Error("the checkpoint names a restart that was not done", {kCheckpointPlace});
    if (settings.checkpoint)
        settings.checkpoint(to_text(before, problem, options, settings));
    const int first = before.best < 0 ? before.tally.round : before.tally.round - 1;
    std::atomic<int> next{first};
    int end = restarts;                    // of those that this process takes for now
    std::atomic<int> first_fit{restarts};  // runs after it are not needed
    std::mutex mutex;                      // guards the user's calls, candidates and `failure`
    std::exception_ptr failure;

    const auto best_before = static_cast<std::size_t>(std::max(before.best, 0));

    // Each worker takes the next run. The result is that of the first run that fits, so that it
    // does not depend on the number of workers.
    const auto work = [&](int threads) {
        try {
            for (int k = next++; k < end && k < first_fit; k = next++) {
                const int i = k < before.tally.round ? before.best : k;
                if (k > first && ((settings.interrupt != nullptr && settings.interrupt->load()) ||
                                  (settings.time_limit > 0 && elapsed() > settings.time_limit)))
                    return;
                TrainSettings run;
                run.seed = restart_seed(settings.seed, i);
                run.threads = threads;
                run.interrupt = settings.interrupt;
                run.log_every = settings.log_every;
                if (settings.time_limit > 0)
                    run.time_limit = std::max(settings.time_limit - elapsed(), 1e-3);
                if (settings.progress)
                    run.progress = [&, i](const Progress& progress) {
                        const std::lock_guard lock(mutex);
                        LearnProgress now;
                        now.fraction = static_cast<double>(progress.iteration) /
                                       std::max(progress.iterations, 1);
                        now.restarts = i + 1;
                        now.loss = progress.loss;
                        settings.progress(now);
                    };
                Candidate candidate = trained(problem, options, settings, run, judge, connector);
                if (candidate.judged.fits)
                    for (int current = first_fit;
                         i < current && !first_fit.compare_exchange_weak(current, i);) {
                    }
                const std::lock_guard lock(mutex);
                candidates[static_cast<std::size_t>(i)] = std::move(candidate);
                if (settings.checkpoint && (before.best < 0 || candidates[best_before]))
                    settings.checkpoint(
                        to_text(after(before, candidates), problem, options, settings));
            }
        } catch (...) {
            const std::lock_guard lock(mutex);
            failure = std::current_exception();
            first_fit = 0;
        }
    };
    const auto run_some = [&](int from, int to) {
        next = from;
        end = to;
        {
            // Threads that the runs leave over share the steps of a run.
            const int runs = std::clamp(settings.threads, 1, std::max(to - from, 1));
            std::vector<std::jthread> workers;
            for (int t = 1; t < runs; ++t)
                workers.emplace_back(work, (settings.threads + t) / runs);
            work(settings.threads / runs);
        }
        if (failure)
            std::rethrow_exception(failure);
    };
    // Between ranks the runs of a turn are exchanged, so that all know the same ones.
    const int share = ranks.size() == 1 ? restarts : std::max(1, settings.threads);
    bool goes_on = true;
    for (int from = first; goes_on && from < restarts && first_fit == restarts;
         from += share * ranks.size()) {
        const int mine = std::min(from + share * ranks.rank(), restarts);
        run_some(mine, std::min(mine + share, restarts));
        if (ranks.size() == 1)
            break;
        std::map<int, TrainResult> runs;
        for (int i = mine; i < std::min(mine + share, restarts); ++i)
            if (const auto& candidate = candidates[static_cast<std::size_t>(i)])
                runs[i] = TrainResult{candidate->run, candidate->model};
        const std::vector<std::string> gathered = ranks.gather(serialised(runs));
        for (int rank = 0; rank < ranks.size(); ++rank)
            for (auto& [i, run] : deserialised(
                     ranks.share(ranks.is_first() ? gathered[static_cast<std::size_t>(rank)]
                                                  : std::string()))) {
                std::optional<Candidate>& candidate = candidates[static_cast<std::size_t>(i)];
                if (!candidate)
                    candidate = judged_run(std::move(run), judge, connector);
                if (candidate->judged.fits)
                    first_fit = std::min(first_fit.load(), i);
            }
        const bool over = (settings.interrupt != nullptr && settings.interrupt->load()) ||
                          (settings.time_limit > 0 && elapsed() > settings.time_limit);
        goes_on = ranks.share(over ? "over" : "") != "over";
    }

    Report report;
    report.restarts = before.tally.round;
    report.iterations = before.tally.iterations;
    for (const std::string& text : before.alternatives)
        report.alternatives.push_back(judge.judge(parse_program(text, kCheckpointPlace)));
    Candidate* kept = nullptr;
    for (int i = 0; i <= std::min(first_fit.load(), restarts - 1); ++i) {
        std::optional<Candidate>& candidate = candidates[static_cast<std::size_t>(i)];
        if (!candidate)
            continue;
        if (i >= before.tally.round) {
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
    return report;
}

}  // namespace hri::learning
