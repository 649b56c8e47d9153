// SPDX-License-Identifier: Apache-2.0
#include "folds_text.hpp"

#include <fmt/format.h>

namespace hri::cli {
namespace {

std::string row(const std::string& name, const FoldMeans& m) {
    return fmt::format("{:<5}  {:>8.2f}  {:>8.2f}  {:>9.2f}  {:>6.2f}  {:>7.2f}\n", name,
                       100 * m.training, 100 * m.accuracy, 100 * m.precision, 100 * m.recall,
                       m.seconds);
}

}  // namespace

std::string folds_text(const std::vector<Report>& folds, const Problem& problem) {
    std::string text = fmt::format("{:<5}  {:>8}  {:>8}  {:>9}  {:>6}  {:>7}\n", "fold", "training",
                                   "accuracy", "precision", "recall", "seconds");
    for (std::size_t i = 0; i < folds.size(); ++i) {
        text += row(std::to_string(i + 1), fold_means({folds[i]}));
    }
    text += row("mean", fold_means(folds));
    return text + fmt::format(
                      "percent; what programs learned from the other folds say of a fold's "
                      "examples of {}\n",
                      problem.target().name);
}

Json with_folds(Json report, const std::vector<Report>& folds) {
    if (folds.empty()) {
        return report;
    }
    const FoldMeans m = fold_means(folds);
    report["cross_validation"] = {{"accuracy", 100 * m.accuracy},
                                  {"precision", 100 * m.precision},
                                  {"recall", 100 * m.recall},
                                  {"seconds", m.seconds}};
    report["folds"] = Json::array();
    for (const Report& fold : folds) {
        report["folds"].push_back(learning::report_json(fold));
    }
    return report;
}

}  // namespace hri::cli
