// SPDX-License-Identifier: Apache-2.0
// The paper's method: training restarts until a program explains the training data.

#include "learn/packed.hpp"
#include "learn/strategies.hpp"
#include "ranks/ranks.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace hri {

namespace {

struct Candidate {
    TrainResult run;
    Alternative judged;

    std::int64_t errors() const {
        return judged.training.false_positives + judged.training.false_negatives;
    }
};

Candidate judged_run(TrainResult run, const Judge& judge) {
    Candidate candidate;
    candidate.run = std::move(run);
    candidate.judged = judge.judge(simplified(extract(candidate.run.model)));
    return candidate;
}

}  // namespace

std::uint64_t restart_seed(std::uint64_t seed, int restart) {
    return seed + static_cast<std::uint64_t>(restart) * std::uint64_t{0x9E3779B97F4A7C15};
}

Report learn_by_gradient(const Problem& problem, const Options& options,
                         const LearnSettings& settings, const Judge& judge) {
    const auto started = std::chrono::steady_clock::now();
    const auto elapsed = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    };
    Ranks& ranks = settings.split ? Ranks::all() : Ranks::alone();
    ranks.watch(settings.interrupt, "");
    const int restarts = std::max(1, settings.restarts);
    std::vector<std::optional<Candidate>> candidates(static_cast<std::size_t>(restarts));
    std::atomic<int> next{0};
    int end = restarts;                    // of those that this process takes for now
    std::atomic<int> first_fit{restarts};  // runs after it are not needed
    std::mutex mutex;                      // guards the user's progress call and `failure`
    std::exception_ptr failure;

    // Each worker takes the next run. The result is that of the first run that fits, so that it
    // does not depend on the number of workers.
    const auto work = [&] {
        try {
            for (int i = next++; i < end && i < first_fit; i = next++) {
                if (i > 0 && ((settings.interrupt != nullptr && settings.interrupt->load()) ||
                              (settings.time_limit > 0 && elapsed() > settings.time_limit)))
                    return;
                TrainSettings run;
                run.seed = restart_seed(settings.seed, i);
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
                Candidate candidate = judged_run(train(problem, options, run), judge);
                if (candidate.judged.fits)
                    for (int current = first_fit;
                         i < current && !first_fit.compare_exchange_weak(current, i);) {
                    }
                candidates[static_cast<std::size_t>(i)] = std::move(candidate);
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
            std::vector<std::jthread> workers;
            for (int t = 1; t < std::min(settings.threads, to - from); ++t)
                workers.emplace_back(work);
            work();
        }
        if (failure)
            std::rethrow_exception(failure);
    };
    // Between ranks the runs of a turn are exchanged, so that all know the same ones.
    const int share = ranks.size() == 1 ? restarts : std::max(1, settings.threads);
    bool goes_on = true;
    for (int from = 0; goes_on && from < restarts && first_fit == restarts;
         from += share * ranks.size()) {
        const int mine = std::min(from + share * ranks.rank(), restarts);
        run_some(mine, std::min(mine + share, restarts));
        if (ranks.size() == 1)
            break;
        std::map<int, const TrainResult*> runs;
        for (int i = mine; i < std::min(mine + share, restarts); ++i)
            if (const auto& candidate = candidates[static_cast<std::size_t>(i)])
                runs[i] = &candidate->run;
        const std::vector<std::string> gathered = ranks.gather(packed(runs));
        for (int rank = 0; rank < ranks.size(); ++rank)
            for (auto& [i, run] :
                 unpacked(ranks.share(ranks.is_first() ? gathered[static_cast<std::size_t>(rank)]
                                                       : std::string()))) {
                std::optional<Candidate>& candidate = candidates[static_cast<std::size_t>(i)];
                if (!candidate)
                    candidate = judged_run(std::move(run), judge);
                if (candidate->judged.fits)
                    first_fit = std::min(first_fit.load(), i);
            }
        const bool over = (settings.interrupt != nullptr && settings.interrupt->load()) ||
                          (settings.time_limit > 0 && elapsed() > settings.time_limit);
        goes_on = ranks.share(over ? "over" : "") != "over";
    }

    Report report;
    Candidate* kept = nullptr;
    for (int i = 0; i <= std::min(first_fit.load(), restarts - 1); ++i) {
        std::optional<Candidate>& candidate = candidates[static_cast<std::size_t>(i)];
        if (!candidate)
            continue;
        ++report.restarts;
        report.iterations += candidate->run.iterations;
        report.fitting += candidate->judged.fits ? 1 : 0;
        report.alternatives.push_back(candidate->judged);
        if (kept == nullptr || candidate->errors() < kept->errors() ||
            (candidate->errors() == kept->errors() && is_better(candidate->judged, kept->judged)))
            kept = &*candidate;
    }
    report.model = std::move(kept->run.model);
    report.program = kept->judged.program;
    report.final_loss = kept->run.final_loss;
    report.curve = std::move(kept->run.curve);
    report.stop_reason = kept->judged.fits ? StopReason::fits : kept->run.stop_reason;
    return report;
}

}  // namespace hri
