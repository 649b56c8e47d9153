// SPDX-License-Identifier: Apache-2.0
#include "lesson.hpp"

#include "hri/diagnosis.hpp"

#include "inputs.hpp"
#include "output.hpp"
#include "parse.hpp"

#include <fmt/format.h>

namespace hri::cli {
namespace {

std::string errors(const Score& score) {
    return fmt::format("{} and {}", counted(score.false_positives, "false positive"),
                       counted(score.false_negatives, "false negative"));
}

std::string training_line(const Report& report) {
    const Score& training = report.training;
    if (!report.fits && training.false_positives + training.false_negatives == 0) {
        return "is right of the training data, but would hold of what no facts connect";
    }
    return report.fits ? std::string("explains the training data")
                       : fmt::format("does not explain the training data: accuracy {:.2f} %, {}",
                                     100 * report.training.accuracy, errors(report.training));
}

std::string evaluation_line(const Report& report, const Problem& problem) {
    if (!report.evaluation) {
        return fmt::format("{}, {}", counted(report.training.positives, "positive example"),
                           counted(report.training.negatives, "negative one"));
    }
    const Score& score = *report.evaluation;
    std::string line =
        fmt::format("accuracy on {}: {:.2f} % ({})",
                    describe(problem.evaluation, kEvaluationInstances, "unseen"),
                    100 * score.accuracy, counted(score.positives + score.negatives, "atom"));
    if (score.false_positives + score.false_negatives > 0) {
        line += ", " + errors(score);
    }
    return line;
}

std::string time_line(const Report& report) {
    std::string verb = "learned";
    if (report.stop_reason == StopReason::interrupted) {
        verb = "interrupted, learned so far";
    } else if (report.stop_reason == StopReason::time_limit) {
        verb = "time limit reached, learned so far";
    }
    std::string work;
    if (report.iterations > 0) {
        work += ", " + counted(report.iterations, "iteration");
    }
    if (report.trials > 0) {
        work += ", " + counted(report.trials, "program") + " tried";
    }
    return fmt::format("{} in {} (seed {}, {}{})", verb, duration(report.seconds), report.seed,
                       counted(report.restarts, "restart"), work);
}

/// How sure one can be that it is this program and no other.
std::string alternatives_line(const Report& report) {
    std::string line =
        fmt::format("{}, {:.0f} bits", counted(size(report.program), "atom"), report.bits);
    if (report.fitting > 1) {
        line += fmt::format("; {} restarts fitted, with {}", report.fitting,
                            report.different == 1
                                ? std::string("programs of one meaning")
                                : fmt::format("programs of {} meanings", report.different));
        if (report.different > 1) {
            line += fmt::format(" (the next takes {:.0f} bits)", report.alternatives[1].bits);
        }
    }
    return line;
}

/// The examples that the program gets wrong, and what might help.
std::string diagnosis_text(const TargetReport& lesson) {
    const Diagnosis diagnosis = diagnose(lesson.report, lesson.problem, lesson.settings);
    std::string text;
    for (const WrongExample& example : diagnosis.wrong) {
        text += fmt::format("wrong: {} should be {}\n", example.atom,
                            example.positive ? "true" : "false");
    }
    if (diagnosis.wrong_count > diagnosis.wrong.size()) {
        text += fmt::format("wrong: {} more\n", diagnosis.wrong_count - diagnosis.wrong.size());
    }
    for (const std::string& hint : diagnosis.hints) {
        text += fmt::format("hint: {}\n", with_flags(hint));
    }
    return text;
}

}  // namespace

std::string lesson_text(const TargetReport& lesson) {
    const Report& report = lesson.report;
    return fmt::format("{}\n{}{}{}\n{}\n{}\n{}", to_text(report.program), training_line(report),
                       report.fits ? "; " : "\n", evaluation_line(report, lesson.problem),
                       alternatives_line(report), time_line(report), diagnosis_text(lesson));
}

std::string evidence_text(const Report& report) {
    std::string text;
    for (std::size_t i = 0; i < report.evidence.size(); ++i) {
        const ClauseEvidence& clause = report.evidence[i];
        Program one = report.program;
        one.rules = {report.program.rules[i]};
        text += fmt::format("evidence: {}: {} and {} covered, confidence {:.3f}, {} by it alone\n",
                            to_text(one), counted(clause.positives, "positive"),
                            counted(clause.negatives, "negative"), clause.confidence(),
                            counted(clause.only, "positive"));
    }
    return text.empty() ? "evidence: only programs of clauses have it\n" : text;
}

std::string program_text(const std::vector<TargetReport>& lessons) {
    std::string text =
        fmt::format("% learned by hri {} from {}\n", HRI_VERSION, lessons.front().problem.name);
    for (const TargetReport& lesson : lessons) {
        const Report& report = lesson.report;
        if (lessons.size() > 1) {
            text += fmt::format("% {}/{}:\n", lesson.problem.target().name,
                                lesson.problem.target().arity);
        }
        text += fmt::format("% {}{}{}\n% {}\n% {}\n", training_line(report),
                            report.fits ? "; " : "\n% ", evaluation_line(report, lesson.problem),
                            alternatives_line(report), time_line(report));
    }
    return text + to_prolog(joint_program(lessons));
}

}  // namespace hri::cli
