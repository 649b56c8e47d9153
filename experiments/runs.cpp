// SPDX-License-Identifier: Apache-2.0
#include "runs.hpp"

#include "hri/error.hpp"
#include "hri/evaluate.hpp"
#include "hri/lri.hpp"
#include "hri/train.hpp"

#include "hypotheses/options_file.hpp"
#include "inputs.hpp"

#include <algorithm>
#include <ctime>
#include <fmt/format.h>
#include <numeric>

namespace hri::cli {
namespace {

constexpr double kSuccess = 1e-4;  // mean square error

/// Figures on fresh instances: the largest mean square error, soft, symbolic at the steps, at the
/// fixpoint.
struct Judgement {
    double soft = 0;
    double symbolic = 0;
    double fixpoint = 0;
    bool rounded = true;
};

template <class Prediction>
Score score_of(const std::vector<Label>& labels, const Prediction& prediction) {
    Scorer scorer;
    scorer.add(labels, prediction);
    return scorer.score();
}

template <class AnyModel>
Judgement judge(const AnyModel& model, const Program& program, const Problem& problem,
                std::uint64_t seed) {
    const Source& source = problem.evaluation;
    const int count =
        source.fixed() ? static_cast<int>(source.instances.size()) : kEvaluationInstances;
    const int steps = model.options.eval_steps;
    Random random(seed, Random::kEvaluation);
    Instance scratch;
    Judgement judgement;
    const auto keep = [](double& largest, double error) { largest = std::max(largest, error); };
    for (int i = 0; i < count; ++i) {
        const Instance& instance = source.draw(i, random, scratch);
        const Score soft = score_of(instance.labels, infer(model, instance, steps));
        keep(judgement.soft, soft.mse);
        judgement.rounded = judgement.rounded && soft.accuracy == 1;
        keep(judgement.symbolic, score_of(instance.labels, evaluate(program, instance, steps)).mse);
        keep(judgement.fixpoint, score_of(instance.labels, evaluate(program, instance)).mse);
    }
    return judgement;
}

/// Nothing where the run was interrupted.
template <class Trained>
std::optional<RunResult> judged(const Trained& trained, const Problem& problem,
                                std::uint64_t seed) {
    if (trained.stop_reason == StopReason::interrupted) {
        return std::nullopt;
    }
    const Program program = extract(trained.model);
    const Judgement judgement = judge(trained.model, program, problem, seed);
    RunResult result;
    result.train = trained.last_instance_mse < kSuccess;
    result.soft = judgement.soft < kSuccess;
    result.rounded = judgement.rounded;
    result.symbolic = judgement.symbolic < kSuccess;
    result.symbolic_fixpoint = judgement.fixpoint < kSuccess;
    result.train_mse = trained.last_instance_mse;
    result.soft_mse = judgement.soft;
    result.iterations = trained.iterations;
    result.program = to_text(simplified(program));
    return result;
}

RunKey key_of(const RunJob& job, Device device) {
    std::string text = HRI_VERSION + hypotheses::options_to_json(job.options).dump();
    for (const ProtoRule& rule : load_protorules(job.options.rules)) {
        text += to_text(rule) + "\n";
    }
    const auto chosen = [](int size, int of_task) { return size == 0 ? of_task : size; };
    text += fmt::format("{} {}{}", chosen(job.sizes.training, job.task->train_constants),
                        chosen(job.sizes.evaluation, job.task->eval_constants),
                        job.templates.empty() ? "" : " lri " + job.templates);
    if (device != Device::cpu) {
        text += " " + to_string(device);
    }
    return {job.task->name, job.seed, fingerprint(text)};
}

}  // namespace

double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void to_json(Json& json, const RunResult& result) {
    json = {{"train", result.train},
            {"soft", result.soft},
            {"rounded", result.rounded},
            {"symbolic", result.symbolic},
            {"symbolic_fixpoint", result.symbolic_fixpoint},
            {"train_mse", result.train_mse},
            {"soft_mse", result.soft_mse},
            {"seconds", result.seconds},
            {"iterations", result.iterations},
            {"program", result.program}};
}

void from_json(const Json& json, RunResult& result) {
    json.at("train").get_to(result.train);
    json.at("soft").get_to(result.soft);
    json.at("rounded").get_to(result.rounded);
    json.at("symbolic").get_to(result.symbolic);
    json.at("symbolic_fixpoint").get_to(result.symbolic_fixpoint);
    json.at("train_mse").get_to(result.train_mse);
    json.at("soft_mse").get_to(result.soft_mse);
    json.at("seconds").get_to(result.seconds);
    json.at("iterations").get_to(result.iterations);
    json.at("program").get_to(result.program);
}

std::vector<std::string> keys_of(const Json& result) {
    std::vector<std::string> keys;
    for (auto entry = result.begin(); entry != result.end(); ++entry) {
        keys.push_back(entry.key());
    }
    return keys;
}

std::optional<RunResult> run_once(const RunJob& job, const std::atomic<bool>& interrupt) {
    const Problem problem = make_problem(*job.task, job.sizes);
    TrainSettings settings;
    settings.seed = job.seed;
    settings.interrupt = &interrupt;
    const double started = processor_seconds();
    const auto finished = [&](const auto& trained) {
        const double seconds = processor_seconds() - started;
        std::optional<RunResult> result = judged(trained, problem, job.seed);
        if (result) {
            result->seconds = seconds;
        }
        return result;
    };
    return job.templates.empty() ? finished(train(problem, job.options, settings))
                                 : finished(train_lri(problem, lri_task(*job.task, job.templates),
                                                      job.options, settings));
}

namespace {

/// Trains jobs that differ in their seeds side by side, and judges each.
std::vector<std::optional<RunResult>> run_batch(const std::vector<RunJob>& jobs, int threads,
                                                const std::atomic<bool>& interrupt, Device device) {
    const Problem problem = make_problem(*jobs.front().task, jobs.front().sizes);
    TrainSettings settings;
    settings.interrupt = &interrupt;
    settings.device = device;
    settings.threads = threads;
    std::vector<std::uint64_t> seeds;
    for (const RunJob& job : jobs) {
        seeds.push_back(job.seed);
    }
    std::vector<std::optional<RunResult>> results;
    for (const TrainResult& trained : train_many(problem, jobs.front().options, seeds, settings)) {
        results.push_back(judged(trained, problem, seeds[results.size()]));
        if (results.back()) {
            results.back()->seconds = trained.seconds;
        }
    }
    return results;
}

/// Jobs that differ in nothing but their seeds, of those that the store does not know.
std::vector<std::vector<std::size_t>> batches(const std::vector<RunJob>& jobs,
                                              const std::vector<std::size_t>& open) {
    std::vector<std::vector<std::size_t>> groups;
    for (const std::size_t i : open) {
        const auto belongs = [&](const std::vector<std::size_t>& group) {
            const RunJob& first = jobs[group.front()];
            return first.task == jobs[i].task && first.options == jobs[i].options &&
                   first.sizes.training == jobs[i].sizes.training &&
                   first.sizes.evaluation == jobs[i].sizes.evaluation;
        };
        const auto group = std::find_if(groups.begin(), groups.end(), belongs);
        if (group == groups.end()) {
            groups.push_back({i});
        } else {
            group->push_back(i);
        }
    }
    return groups;
}

std::vector<std::optional<RunResult>> run_batches(const std::vector<RunJob>& jobs, int threads,
                                                  RunStore& store,
                                                  const std::atomic<bool>& interrupt,
                                                  Device device) {
    require(device);
    std::vector<std::optional<RunResult>> results(jobs.size());
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        if (!jobs[i].templates.empty()) {
            throw Error("LRI does not run on a GPU", {}, "use {device=cpu}");
        }
        if (const Json* known = store.find(key_of(jobs[i], device))) {
            results[i] = known->get<RunResult>();
        } else {
            open.push_back(i);
        }
    }
    const std::vector<std::vector<std::size_t>> groups = batches(jobs, open);
    std::vector<std::size_t> numbers(groups.size());
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    const int at_once = std::clamp(static_cast<int>(groups.size()), 1, threads);
    const auto run = [&](std::size_t g) -> std::optional<std::vector<std::optional<RunResult>>> {
        std::vector<RunJob> of_group;
        for (const std::size_t i : groups[g]) {
            of_group.push_back(jobs[i]);
        }
        return run_batch(of_group, std::max(1, threads / at_once), interrupt, device);
    };
    run_open(numbers, at_once, interrupt, run,
             [&](std::size_t g, const std::vector<std::optional<RunResult>>& found) {
                 for (std::size_t k = 0; k < found.size(); ++k) {
                     const std::size_t i = groups[g][k];
                     results[i] = found[k];
                     if (found[k]) {
                         store.add(key_of(jobs[i], device), Json(*found[k]));
                     }
                 }
                 return jobs[groups[g].front()].task->name;
             });
    return results;
}

}  // namespace

std::vector<std::optional<RunResult>> run_all(const std::vector<RunJob>& jobs, int threads,
                                              RunStore& store, const std::atomic<bool>& interrupt,
                                              Device device) {
    if (device != Device::cpu) {
        return run_batches(jobs, threads, store, interrupt, device);
    }
    return run_stored<RunResult>(
        jobs.size(), threads, store, interrupt,
        [&](std::size_t i) { return key_of(jobs[i], device); },
        [&](std::size_t i) { return run_once(jobs[i], interrupt); });
}

}  // namespace hri::cli
