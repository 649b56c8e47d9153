// SPDX-License-Identifier: Apache-2.0
// Restarts until a program explains the training data.

#include "hri/learn.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace hri {

namespace {

// Programs are judged on as many training instances as make a lucky fit unlikely.
constexpr int kTrainingInstances = 100;
constexpr int kEvaluationInstances = 10;

struct Candidate {
    TrainResult run;
    Program raw;
    Program program;
    Score training;
    bool fits = false;

    std::int64_t errors() const { return training.false_positives + training.false_negatives; }
};

Candidate judge(TrainResult run, const Problem& problem, std::uint64_t seed) {
    Candidate candidate;
    candidate.run = std::move(run);
    candidate.raw = extract(candidate.run.model);
    candidate.program = simplified(candidate.raw);
    // Fresh draws from the training source; never the evaluation source.
    candidate.training = score_program(candidate.program, problem.inputs, problem.training,
                                       seed ^ 0x7261696eU, kTrainingInstances);
    candidate.fits = candidate.errors() == 0;
    return candidate;
}

/// Whether a is to be kept rather than b: fewer errors first, then the smaller program.
bool better(const Candidate& a, const Candidate& b) {
    if (a.errors() != b.errors())
        return a.errors() < b.errors();
    return size(a.program) < size(b.program);
}

}  // namespace

Report learn(const Problem& problem, const Options& options, const LearnSettings& settings) {
    const auto started = std::chrono::steady_clock::now();
    const auto elapsed = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    };
    const int restarts = std::max(1, settings.restarts);
    std::vector<std::optional<Candidate>> candidates(static_cast<std::size_t>(restarts));
    std::atomic<int> next{0};
    std::atomic<int> first_fit{restarts};  // runs after it are not needed
    std::mutex mutex;                      // guards the user's progress call and `failure`
    std::exception_ptr failure;

    // Each worker takes the next run. The result is that of the first run that fits, so that it
    // does not depend on the number of workers.
    const auto work = [&] {
        try {
            for (int i = next++; i < restarts && i < first_fit; i = next++) {
                if (i > 0 && ((settings.interrupt != nullptr && settings.interrupt->load()) ||
                              (settings.time_limit > 0 && elapsed() > settings.time_limit)))
                    return;
                TrainSettings run;
                run.seed = settings.seed +
                           static_cast<std::uint64_t>(i) * std::uint64_t{0x9E3779B97F4A7C15};
                run.interrupt = settings.interrupt;
                run.log_every = settings.log_every;
                if (settings.time_limit > 0)
                    run.time_limit = std::max(settings.time_limit - elapsed(), 1e-3);
                if (settings.progress)
                    run.progress = [&, i](const Progress& progress) {
                        const std::lock_guard lock(mutex);
                        settings.progress(i, progress);
                    };
                Candidate candidate = judge(train(problem, options, run), problem, settings.seed);
                if (candidate.fits)
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
    {
        std::vector<std::jthread> workers;
        for (int t = 1; t < std::min(settings.threads, restarts); ++t)
            workers.emplace_back(work);
        work();
    }
    if (failure)
        std::rethrow_exception(failure);

    Report report;
    report.problem = problem.name;
    report.seed = settings.seed;
    Candidate* kept = nullptr;
    for (int i = 0; i <= std::min(first_fit.load(), restarts - 1); ++i) {
        std::optional<Candidate>& candidate = candidates[static_cast<std::size_t>(i)];
        if (!candidate)
            continue;
        ++report.restarts;
        report.iterations += candidate->run.iterations;
        if (kept == nullptr || better(*candidate, *kept))
            kept = &*candidate;
    }
    report.model = std::move(kept->run.model);
    report.raw = std::move(kept->raw);
    report.program = std::move(kept->program);
    report.fits = kept->fits;
    report.training = kept->training;
    report.final_loss = kept->run.final_loss;
    report.curve = std::move(kept->run.curve);
    report.stop_reason = kept->fits ? StopReason::fits : kept->run.stop_reason;
    if (settings.interrupt != nullptr && settings.interrupt->load())
        report.stop_reason = StopReason::interrupted;
    report.seconds = elapsed();
    if (!problem.evaluation.empty())
        report.evaluation = score_program(report.program, problem.inputs, problem.evaluation,
                                          settings.seed, kEvaluationInstances);
    return report;
}

}  // namespace hri
