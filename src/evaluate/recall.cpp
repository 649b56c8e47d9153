// SPDX-License-Identifier: Apache-2.0

// R@1 and R@5 in three readings, and the scores of one target.

#include "hri/recall.hpp"

#include "base/fields.hpp"

#include <algorithm>
#include <cmath>

namespace hri {
namespace {

constexpr float kTie = 1e-5F;  // the authors' code

/// One row per target: its scores of an image's objects.
struct Table {
    std::vector<float> scores;
    std::size_t objects = 0;

    std::span<float> row(std::size_t target) {
        return std::span(scores).subspan(target * objects, objects);
    }

    float at(std::size_t target, std::size_t object) const {
        return scores[target * objects + object];
    }

    void fill(std::size_t image, std::uint32_t hidden, std::size_t targets, std::size_t of_image,
              const SceneScores& fill_scores, bool normalised) {
        objects = of_image;
        scores.assign(targets * objects, 0.0F);
        fill_scores(image, hidden, scores);
        for (std::size_t t = 0; normalised && t < targets; ++t) {
            double squares = 0;
            for (const float score : row(t)) {
                squares += static_cast<double>(score) * static_cast<double>(score);
            }
            if (squares > 0) {
                for (float& score : row(t)) {
                    score = static_cast<float>(static_cast<double>(score) / std::sqrt(squares));
                }
            }
        }
    }
};

/// Counts finds and divides in the end.
struct Tally {
    double recall_at_1 = 0;
    double recall_at_5 = 0;
    std::int64_t count = 0;

    void add(double first, double fifth) {
        recall_at_1 += first;
        recall_at_5 += fifth;
        ++count;
    }

    Recall share() const {
        const double n = count == 0 ? 1 : static_cast<double>(count);
        return {recall_at_1 / n, recall_at_5 / n, count};
    }
};

/// The number of others with at least the same score.
std::ptrdiff_t rivals(std::span<const float> scores, float own) {
    return std::count_if(scores.begin(), scores.end(), [&](float s) { return s >= own; }) - 1;
}

/// The k-th best, counted from 0; the worst where there are fewer.
float best(std::vector<float> scores, std::size_t k) {
    const auto at = static_cast<std::ptrdiff_t>(std::min(k, scores.size() - 1));
    std::nth_element(scores.begin(), scores.begin() + at, scores.end(), std::greater<>());
    return scores[static_cast<std::size_t>(at)];
}

struct ProgramScorer {
    const SceneSet& scenes;
    std::span<const std::uint32_t> targets;
    const SceneScores& scores;
    const RecallOptions& options;
    Table table = {};
    Tally per_object = {};
    Tally per_image = {};
    Tally as_authors_code = {};

    /// The objects of that image which have the target's name.
    Tally objects_of(std::size_t target, std::uint32_t image) {
        Tally here;
        const Scene scene = scenes[image];
        table.fill(image, targets[target], targets.size(), static_cast<std::size_t>(scene.objects),
                   scores, options.normalised);
        std::vector<float> column(targets.size());
        for (const SceneLabel& name : scene.names) {
            if (name.predicate != targets[target]) {
                continue;
            }
            for (std::size_t t = 0; t < targets.size(); ++t) {
                column[t] = table.at(t, name.object);
            }
            const float own = column[target];
            const std::ptrdiff_t above = rivals(column, own);
            here.add(above < 1 ? 1 : 0, above < 5 ? 1 : 0);
            as_authors_code.add(own >= best(column, 0) - kTie ? 1 : 0,
                                own >= best(column, 5) - kTie ? 1 : 0);
        }
        return here;
    }

    void atoms_of(std::uint32_t image, const std::vector<std::size_t>& place) {
        const Scene scene = scenes[image];
        table.fill(image, kHideOwnLabel, targets.size(), static_cast<std::size_t>(scene.objects),
                   scores, options.normalised);
        Tally found;
        for (const SceneLabel& name : scene.names) {
            const std::size_t target = place[name.predicate];
            if (target < targets.size()) {
                const std::ptrdiff_t above = rivals(table.scores, table.at(target, name.object));
                found.add(above < 1 ? 1 : 0, above < 5 ? 1 : 0);
            }
        }
        if (found.count > 0) {
            per_image.add(found.share().recall_at_1, found.share().recall_at_5);
        }
    }
};

}  // namespace

Recalls recalls(const SceneSet& scenes, std::span<const std::uint32_t> images,
                std::span<const std::uint32_t> targets, const SceneScores& scores,
                const RecallOptions& options) {
    Recalls out;
    ProgramScorer judge{scenes, targets, scores, options};
    std::vector<std::uint32_t> chosen(images.begin(), images.end());
    std::sort(chosen.begin(), chosen.end());
    for (std::size_t t = 0; t < targets.size(); ++t) {
        std::vector<std::uint32_t> with_target;
        const auto having = scenes.with_name(targets[t]);
        std::set_intersection(chosen.begin(), chosen.end(), having.begin(), having.end(),
                              std::back_inserter(with_target));
        if (options.images_per_target > 0) {
            with_target.resize(
                std::min(with_target.size(), static_cast<std::size_t>(options.images_per_target)));
        }
        Tally of_target;
        for (const std::uint32_t image : with_target) {
            const Tally here = judge.objects_of(t, image);
            of_target.recall_at_1 += here.recall_at_1;
            of_target.recall_at_5 += here.recall_at_5;
            of_target.count += here.count;
        }
        judge.per_object.recall_at_1 += of_target.recall_at_1;
        judge.per_object.recall_at_5 += of_target.recall_at_5;
        judge.per_object.count += of_target.count;
        out.of_target.push_back(of_target.share());
    }
    std::vector<std::size_t> place(scenes.predicates().size(), targets.size());
    for (std::size_t t = 0; t < targets.size(); ++t) {
        place[targets[t]] = t;
    }
    for (const std::uint32_t image : chosen) {
        judge.atoms_of(image, place);
    }
    out.per_object = judge.per_object.share();
    out.per_image = judge.per_image.share();
    out.as_authors_code = judge.as_authors_code.share();
    return out;
}

Score score_target(const SceneSet& scenes, std::span<const std::uint32_t> images,
                   std::uint32_t target,
                   const std::function<std::vector<float>(const Instance& instance)>& valuation) {
    Scorer scorer;
    for (const std::uint32_t image : images) {
        const Instance instance = scene_instance(scenes, image, target);
        scorer.add(instance.labels, valuation(instance));
    }
    return scorer.score();
}

template <>
const std::vector<Field<RecallOptions>>& fields_of<RecallOptions>() {
    using S = RecallOptions;
    static const std::vector<Field<S>> fields = {
        base::boolean({.name = "normalised",
                       .help = "The scores of a target over the objects of an image have L2 norm "
                               "1.",
                       .group = "Ranking"},
                      &S::normalised),
        base::number({.name = "images_per_target",
                      .help = "The images per target to judge by; 0 takes all, the authors' code "
                              "takes 3.",
                      .group = "Ranking",
                      .common = true},
                     &S::images_per_target, 0, 1'000'000)};
    return fields;
}

}  // namespace hri
