// SPDX-License-Identifier: Apache-2.0
#include "hri/cross_validation.hpp"

#include "hri/folds.hpp"

namespace hri {

FoldMeans fold_means(const std::vector<Report>& folds) {
    FoldMeans sum;
    for (const Report& report : folds) {
        sum.training += report.training.accuracy;
        sum.accuracy += report.evaluation->accuracy;
        sum.precision += report.evaluation->precision;
        sum.recall += report.evaluation->recall;
        sum.seconds += report.seconds;
    }
    const double count = folds.empty() ? 1 : static_cast<double>(folds.size());
    return {sum.training / count, sum.accuracy / count, sum.precision / count, sum.recall / count,
            sum.seconds / count};
}

CrossValidation cross_validate(
    const Problem& problem, const Options& options, const LearnSettings& settings, int folds,
    const std::function<void(int fold, const LearnProgress&)>& progress) {
    CrossValidation result;
    for (int i = 0; i < folds; ++i) {
        if (settings.interrupt != nullptr && settings.interrupt->load()) {
            break;
        }
        LearnSettings fold_settings = settings;
        fold_settings.progress = {};
        if (progress) {
            fold_settings.progress = [&](const LearnProgress& now) { progress(i, now); };
        }
        result.folds.push_back(
            learn(fold(problem, folds, i, settings.seed), options, fold_settings));
    }
    result.mean = fold_means(result.folds);
    return result;
}

}  // namespace hri
