// SPDX-License-Identifier: Apache-2.0
#include "cross_validation.hpp"

#include "hri/folds.hpp"

#include <fmt/format.h>

namespace hri::cli {
namespace {

/// Of what the folds' evaluations say.
template <class Of>
double mean(const std::vector<Report>& folds, Of&& of) {
    double sum = 0;
    for (const Report& report : folds) {
        sum += of(report);
    }
    return folds.empty() ? 0 : sum / static_cast<double>(folds.size());
}

struct Means {
    double training, accuracy, precision, recall, seconds;
};

Means means(const std::vector<Report>& folds) {
    return {
        100 * mean(folds, [](const Report& r) { return r.training.accuracy; }),
        100 * mean(folds, [](const Report& r) { return r.evaluation->accuracy; }),
        100 * mean(folds, [](const Report& r) { return r.evaluation->precision; }),
        100 * mean(folds, [](const Report& r) { return r.evaluation->recall; }),
        mean(folds, [](const Report& r) { return r.seconds; }),
    };
}

std::string row(const std::string& name, const Means& m) {
    return fmt::format("{:<5}  {:>8.2f}  {:>8.2f}  {:>9.2f}  {:>6.2f}  {:>7.2f}\n", name,
                       m.training, m.accuracy, m.precision, m.recall, m.seconds);
}

}  // namespace

std::vector<Report> cross_validate(const Problem& problem, const Options& options,
                                   const LearnSettings& settings, int folds, ProgressBar& bar) {
    std::vector<Report> reports;
    for (int i = 0; i < folds && !settings.interrupt->load(); ++i) {
        LearnSettings fold_settings = settings;
        fold_settings.progress = [&](const LearnProgress& now) {
            bar.show(
                (i + now.fraction) / (folds + 1),
                fmt::format("fold {} of {}, {}", i + 1, folds, counted(now.restarts, "restart")));
        };
        reports.push_back(learn(fold(problem, folds, i, settings.seed), options, fold_settings));
    }
    bar.clear();
    return reports;
}

std::string folds_text(const std::vector<Report>& folds, const Problem& problem) {
    std::string text = fmt::format("{:<5}  {:>8}  {:>8}  {:>9}  {:>6}  {:>7}\n", "fold", "training",
                                   "accuracy", "precision", "recall", "seconds");
    for (std::size_t i = 0; i < folds.size(); ++i) {
        text += row(std::to_string(i + 1), means({folds[i]}));
    }
    text += row("mean", means(folds));
    return text + fmt::format(
                      "percent; what programs learned from the other folds say of a fold's "
                      "examples of {}\n",
                      problem.target().name);
}

Json with_folds(Json report, const std::vector<Report>& folds) {
    if (folds.empty()) {
        return report;
    }
    const Means m = means(folds);
    report["cross_validation"] = {{"accuracy", m.accuracy},
                                  {"precision", m.precision},
                                  {"recall", m.recall},
                                  {"seconds", m.seconds}};
    report["folds"] = Json::array();
    for (const Report& fold : folds) {
        report["folds"].push_back(learning::report_json(fold));
    }
    return report;
}

}  // namespace hri::cli
