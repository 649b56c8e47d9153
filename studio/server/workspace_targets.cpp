// SPDX-License-Identifier: Apache-2.0
// Several targets in one run. Their rules make one program, which is judged for each of them.

#include "hri/several_targets.hpp"

#include "learned.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace hri::studio {

namespace {

/// Judges the joint program for each part; the report of all counts what they get wrong.
std::shared_ptr<const Learned> joined(Program joint, std::vector<TargetPart> parts,
                                      const LearnSettings& settings) {
    auto learned = std::make_shared<Learned>();
    learned->settings = settings;
    learned->settings.progress = {};
    learned->settings.interrupt = nullptr;
    Report& all = learned->report;
    all.fits = true;
    for (TargetPart& part : parts) {
        joint.target = joint.vocabulary.intern(part.data->problem.target());
        learned->programs.push_back(judged(joint, *part.data, true));
        part.report.program = part.report.raw = joint;
        all.fits = all.fits && part.report.fits;
        all.training.false_positives += part.report.training.false_positives;
        all.training.false_negatives += part.report.training.false_negatives;
        all.trials += part.report.trials;
    }
    all.restarts = static_cast<int>(parts.size());
    all.fitting = static_cast<int>(std::count_if(
        parts.begin(), parts.end(), [](const TargetPart& p) { return p.report.fits; }));
    joint.target = joint.vocabulary.intern(parts.front().data->problem.target());
    all.program = all.raw = std::move(joint);
    learned->parts = std::move(parts);
    return learned;
}

}  // namespace

std::string target_name(const OpenData& data) {
    return fmt::format("{}/{}", data.problem.target().name, data.problem.target().arity);
}

const Report& Learned::report_of(int alternative) const {
    return parts.empty() ? report : parts.at(static_cast<std::size_t>(alternative)).report;
}

const OpenData& Learned::data_of(int alternative, const OpenData& opened) const {
    return parts.empty() ? opened : *parts.at(static_cast<std::size_t>(alternative)).data;
}

Parts Workspace::parts_of(const Json& wishes) const {
    const auto wanted = wishes.value("targets", std::vector<std::string>{});
    if (wanted.empty()) {
        return {};
    }
    const std::shared_ptr<const OpenData> data = relations();
    for (const std::string& target : wanted) {
        if (std::find(data->targets.begin(), data->targets.end(), target) == data->targets.end()) {
            throw Error("there is no target " + target, {},
                        fmt::format("the data have {}", fmt::join(data->targets, ", ")));
        }
        if (std::count(wanted.begin(), wanted.end(), target) > 1) {
            throw Error("the target " + target + " is named twice");
        }
    }
    if (wanted.size() == 1 && wanted.front() != data->target) {
        throw Error("the data are open for the target " + data->target, {},
                    "open them for " + wanted.front() + " first");
    }
    return wanted.size() == 1 ? Parts{} : read_parts(wanted);
}

/// The open target keeps the user's labels.
Parts Workspace::read_parts(const std::vector<std::string>& targets) const {
    Parts parts;
    const std::shared_ptr<const OpenData> open = opened();
    for (const std::string& target : targets) {
        if (target == open->target) {
            parts.push_back(open);
            continue;
        }
        ReadOptions options;
        options.target = target;
        options.closed_world = open->closed_world;
        auto part = std::make_shared<OpenData>();
        part->source = open->source;
        part->target = target;
        part->problem = read_problem(path_of(open->source, false), options);
        part->shown = part->problem.training.instances;
        parts.push_back(std::move(part));
    }
    return parts;
}

void check_together(const Parts& parts, const LearnSettings& settings,
                    const Constraints& constraints) {
    if (parts.empty()) {
        return;
    }
    const LearnSettings standard;
    if (settings.strategy != Strategy::clauses && settings.strategy != standard.strategy) {
        throw Error("targets that are learned together have clauses, no models", {},
                    "leave the strategy at its default");
    }
    if (!constraints.empty()) {
        throw Error("targets that are learned together take no vetoes and no pinned rules", {},
                    "take them back on the page Correct, or learn one target");
    }
}

std::shared_ptr<const Learned> learn_parts(const Parts& parts, const Options& options,
                                           const LearnSettings& settings) {
    std::vector<Problem> problems;
    for (const std::shared_ptr<const OpenData>& part : parts) {
        problems.push_back(part->problem);
    }
    LearnSettings own = settings;
    own.watch = {};
    own.checkpoint = {};
    // Each search knows its own share of the time; the page shows that of the run.
    const auto started = std::chrono::steady_clock::now();
    const double limit = settings.time_limit * static_cast<double>(parts.size());
    own.progress = [&](LearnProgress now) {
        const std::chrono::duration<double> since = std::chrono::steady_clock::now() - started;
        now.fraction = limit > 0 ? since.count() / limit : 0;
        settings.progress(now);
    };
    const std::vector<TargetReport> reports = learn_together(std::move(problems), options, own);
    std::vector<TargetPart> learned;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        learned.push_back({parts[i], reports[i].report});
    }
    return joined(joint_program(reports), std::move(learned), own);
}

std::shared_ptr<const Learned> learned_again(const OpenData& data, const Parts& parts,
                                             const std::string& prolog) {
    const Program program = parse_program(prolog, "the last session");
    const auto report_of = [&program](const OpenData& own, const Judged& judged) {
        Report report;
        report.problem = own.problem.name;
        report.program = report.raw = judged.program;
        report.training = score_of(judged.examples);
        report.fits = report.training.false_positives + report.training.false_negatives == 0;
        report.bits = program_bits(program, static_cast<int>(own.problem.inputs().size())) +
                      error_bits(report.training);
        return report;
    };
    if (parts.empty()) {
        auto learned = std::make_shared<Learned>();
        learned->programs.push_back(judged(program, data));
        learned->report = report_of(data, learned->programs.front());
        return learned;
    }
    std::vector<TargetPart> again;
    for (const std::shared_ptr<const OpenData>& part : parts) {
        Program own = program;
        own.target = own.vocabulary.intern(part->problem.target());
        again.push_back({part, report_of(*part, judged(own, *part, true))});
    }
    return joined(program, std::move(again), {});
}

}  // namespace hri::studio
