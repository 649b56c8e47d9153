// SPDX-License-Identifier: Apache-2.0
#include "report_text.hpp"

#include "hri/diagnosis.hpp"

#include "base/output_files.hpp"
#include "evaluate/rule_evidence.hpp"
#include "inputs.hpp"
#include "logic/prolog/terms.hpp"
#include "output.hpp"
#include "parse.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace hri::cli {
namespace {

/// The best program on one short line.
std::string on_one_line(std::string program) {
    constexpr std::size_t kMax = 60;
    std::replace(program.begin(), program.end(), '\n', ' ');
    return program.size() <= kMax ? program : program.substr(0, kMax) + "...";
}

std::string errors(const Score& score) {
    return fmt::format("{} and {}", counted(score.false_positives, "false positive"),
                       counted(score.false_negatives, "false negative"));
}

double share(std::int64_t part, std::int64_t whole) {
    return whole == 0 ? 100 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

/// Measures beside accuracy, which misleads where most examples are negative.
std::string judged(const Score& score) {
    const double negatives_right = share(score.negatives - score.false_positives, score.negatives);
    return fmt::format(
        "precision {}, recall {:.2f} %, balanced accuracy {:.2f} %; calling everything false "
        "has an accuracy of {:.2f} %",
        precision_text(score), 100 * score.recall, (100 * score.recall + negatives_right) / 2,
        share(score.negatives, score.positives + score.negatives));
}

std::string training_line(const Report& report) {
    const Score& training = report.training;
    if (!report.fits && training.false_positives + training.false_negatives == 0) {
        return "is right of the training data, but would hold of what no facts connect";
    }
    return report.fits
               ? std::string("explains the training data")
               : fmt::format("does not explain the training data: accuracy {:.2f} %, {}\n{}",
                             100 * report.training.accuracy, errors(report.training),
                             judged(report.training));
}

std::string evaluation_line(const Report& report, const Problem& problem) {
    if (!report.evaluation) {
        return fmt::format("{}, {}", counted(report.training.positives, "positive example"),
                           counted(report.training.negatives, "negative one"));
    }
    const Score& score = *report.evaluation;
    std::string line = fmt::format(
        "accuracy on {}: {:.2f} % ({})",
        problem.evaluation.empty() ? std::string("held-out examples")
                                   : describe(problem.evaluation, kEvaluationInstances, "unseen"),
        100 * score.accuracy, counted(score.positives + score.negatives, "atom"));
    if (score.false_positives + score.false_negatives > 0) {
        line += ", " + errors(score) + "\n" + judged(score);
    }
    return line;
}

std::string time_line(const Report& report) {
    std::string verb = "learned";
    if (report.stop_reason == StopReason::interrupted) {
        verb = "interrupted, learned so far";
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

/// The programs of other meaning that fit as well.
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
std::string diagnosis_text(const TargetReport& learned) {
    const Diagnosis diagnosis = diagnose(learned.report, learned.problem, learned.settings);
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

/// Each line as a comment of its own.
std::string commented(const std::string& text) {
    std::string result;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        result += base::comment(base::Language::prolog, text.substr(begin, end - begin));
        begin = end + 1;
    }
    return result;
}

/// p(A,B,C) with variables from A on; X for the argument `marked`, the others single.
std::string pattern(const PredicateSymbol& symbol, int marked) {
    std::string text = prolog::quoted_predicate(symbol.name);
    for (int i = 0; i < symbol.arity; ++i) {
        text += i == 0 ? "(" : ",";
        text += marked < 0 ? fmt::format("A{}", i + 1) : i == marked ? "X" : "_";
    }
    return text + ")";
}

/// Relations that the program reads and the facts lack: the list of all constants, and the binary
/// predicates of reified facts. Directives, which hri skips and Prolog runs.
std::string bridges(const Problem& problem, const std::string& program) {
    if (!problem.database) {
        return "";
    }
    std::string text;
    const auto add = [&](const std::string& clause) { text += ":- assertz((" + clause + ")).\n"; };
    const bool needs_constants = program.find("\n% domain: constant/1\n") != std::string::npos;
    for (const FactTable& table : problem.database->tables) {
        const PredicateSymbol& symbol = table.symbol;
        if (symbol == problem.target()) {
            continue;
        }
        for (int i = 0; needs_constants && i < symbol.arity; ++i) {
            add("constant(X) :- " + pattern(symbol, i));
        }
        for (int i = 0; symbol.arity > 2 && i < symbol.arity; ++i) {
            const std::string part = fmt::format("{}_{}", symbol.name, i + 1);
            if (program.find(prolog::quoted_predicate(part) + "(") != std::string::npos) {
                add(fmt::format("{}({},A{}) :- {}", prolog::quoted_predicate(part),
                                pattern(symbol, -1), i + 1, pattern(symbol, -1)));
            }
        }
    }
    return text;
}

}  // namespace

std::string progress_line(const LearnProgress& now) {
    std::string line = counted(now.restarts, "restart");
    if (now.fits > 0) {
        line += fmt::format(", {} fit", now.fits);
    }
    if (now.loss >= 0) {
        line += fmt::format(", loss {:.4f}", now.loss);
    }
    if (now.errors >= 0) {
        line += fmt::format(", {}: {}", counted(now.errors, "error"), on_one_line(now.program));
    }
    return line;
}

std::string report_text(const TargetReport& learned) {
    const Report& report = learned.report;
    return fmt::format("{}\n{}{}{}\n{}\n{}\nstopped: {}\n{}", to_text(report.program),
                       training_line(report), report.fits ? "; " : "\n",
                       evaluation_line(report, learned.problem), alternatives_line(report),
                       time_line(report), why_it_stopped(report, learned.settings),
                       diagnosis_text(learned));
}

std::string evidence_text(const Report& report) {
    std::string text;
    const std::vector<int> rules = evaluation::target_rules(report.program);
    for (std::size_t i = 0; i < report.evidence.size(); ++i) {
        const ClauseEvidence& clause = report.evidence[i];
        Program one = report.program;
        one.rules = {report.program.rules[static_cast<std::size_t>(rules[i])]};
        text += fmt::format("evidence: {}: {} and {} covered, confidence {:.3f}, {} by it alone\n",
                            to_text(one), counted(clause.positives, "positive"),
                            counted(clause.negatives, "negative"), clause.confidence(),
                            counted(clause.only, "positive"));
    }
    return text.empty() ? "evidence: generated data and recursive clauses have none\n" : text;
}

std::string program_text(const std::vector<TargetReport>& reports) {
    std::string text = commented(
        fmt::format("learned by hri {} from {}", HRI_VERSION, reports.front().problem.name));
    for (const TargetReport& learned : reports) {
        const Report& report = learned.report;
        if (reports.size() > 1) {
            text += commented(fmt::format("{}/{}:", learned.problem.target().name,
                                          learned.problem.target().arity));
        }
        const std::string evaluated = evaluation_line(report, learned.problem);
        text += report.fits ? commented(training_line(report) + "; " + evaluated)
                            : commented(training_line(report)) + commented(evaluated);
        text += commented(alternatives_line(report)) + commented(time_line(report));
    }
    const std::string program = to_prolog(joint_program(reports));
    return text + program + bridges(reports.front().problem, program);
}

}  // namespace hri::cli
