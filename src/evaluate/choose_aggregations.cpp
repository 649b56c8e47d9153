// SPDX-License-Identifier: Apache-2.0

// How the rules of each relation and direction are combined, by the ranks of validation triples.

#include "hri/ranking.hpp"

#include "evaluate/graph_queries.hpp"
#include "evaluate/learned_weights.hpp"

#include <algorithm>

namespace hri {
namespace evaluation {
namespace {

constexpr std::size_t kQueries = 200;  // looked at of one relation and direction
constexpr double kShrinkage = 20;      // queries that the mean of all relations counts for
constexpr std::size_t kRivals = 50;
constexpr std::size_t kPooled = 30;  // contests of one relation and direction for all together
constexpr double kPull = 5;          // of the weights for all relations
const Aggregation kLearned{Aggregation::Kind::learned, true, 5, 0.5, {}};

/// What is tried beside learned weights.
std::vector<Aggregation> fixed_choices() {
    std::vector<Aggregation> all;
    for (const bool pca : {false, true}) {
        all.push_back({Aggregation::Kind::maximum, pca, 3, 0, {}});
        all.push_back({Aggregation::Kind::maximum, pca, 10, 0, {}});
        for (const double decay : {0.3, 0.6, 0.85, 1.0}) {
            all.push_back({Aggregation::Kind::noisy_or, pca, 3, decay, {}});
        }
        all.push_back({Aggregation::Kind::noisy_or, pca, 10, 0.6, {}});
    }
    return all;
}

/// The answer and its rivals; nothing where no rule predicts the answer.
bool contest_of(std::uint32_t answer, const Candidates& candidates, const Aggregator& aggregator,
                std::span<const std::uint32_t> known, Contest& into) {
    const std::size_t own = candidates.find(answer);
    if (own == candidates.size()) {
        return false;
    }
    const auto sum = [](const Features& features) {
        float total = 0;
        for (const float one : features) {
            total += one;
        }
        return total;
    };
    into.answer = aggregator.features(candidates.rules(own));
    const float mine = sum(into.answer);
    std::vector<std::pair<float, Features>> all;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (i != own && !std::binary_search(known.begin(), known.end(), candidates.entity(i))) {
            const Features features = aggregator.features(candidates.rules(i));
            all.emplace_back(sum(features), features);
        }
    }
    const std::size_t kept = std::min(all.size(), kRivals);
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end(),
                      [](const auto& a, const auto& b) { return a > b; });
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i < kept) {
            into.rivals.push_back(all[i].second);
        } else {
            into.beyond += all[i].first > mine ? 1 : 0;
        }
    }
    return true;
}

/// What the validation triples of one step say.
struct StepTrial {
    double queries = 0;               ///< looked at
    double weight = 0;                ///< validation triples for each of them
    std::vector<double> reciprocals;  ///< summed, by choice
    std::vector<Contest> contests;
    double unpredicted = 0;  ///< sum of the reciprocal ranks of answers that no rule predicts
};

class Chooser {
  public:
    Chooser(GraphRules& rules, const GraphData& data, const Graph& graph,
            const RankSettings& settings)
        : rules_(rules),
          data_(data),
          graph_(graph),
          settings_(settings),
          all_(all_triples(data)),
          fixed_(fixed_choices()),
          pool_(std::max(1, settings.threads)),
          workers_(graph) {}

    void run() {
        const auto groups = triples_by_relation(data_.valid, data_.relations.size());
        const auto of = by_relation(rules_.rules, graph_.relations());
        std::vector<StepTrial> trials(graph_.steps());
        for (StepCode step = 0; step < graph_.steps(); ++step) {
            if (settings_.interrupt != nullptr && settings_.interrupt->load()) {
                return;
            }
            if (!groups[relation_of(step)].empty() && !of[relation_of(step)].empty()) {
                trials[step] = try_step(step, groups[relation_of(step)], of[relation_of(step)]);
            }
            if (settings_.progress) {
                settings_.progress(static_cast<double>(step + 1) / graph_.steps());
            }
        }
        choose(trials);
    }

  private:
    StepTrial try_step(StepCode step, const std::vector<std::uint32_t>& group,
                       const std::vector<std::uint32_t>& of) {
        const RuleIndex index(graph_, rules_.rules, of, step);
        std::vector<Aggregator> aggregators;
        for (const Aggregation& one : fixed_) {
            aggregators.emplace_back(index, one);
        }
        const Aggregator learned(index, kLearned);
        std::vector<Query> queries;
        const std::size_t count = std::min(group.size(), kQueries);
        for (std::size_t i = 0; i < count; ++i) {
            queries.push_back(query_of(data_.valid[group[i * group.size() / count]], step));
        }
        std::vector<std::vector<double>> reciprocals(count);
        std::vector<Contest> contests(count);
        std::vector<char> predicted(count, 0);
        each_query(index, queries, pool_, workers_,
                   [&](std::size_t i, const Query& query, RankWorker& worker) {
                       const auto known = all_.neighbours(query.source, step);
                       predicted[i] =
                           contest_of(query.answer, worker.candidates, learned, known, contests[i])
                               ? 1
                               : 0;
                       for (const Aggregator& aggregator : aggregators) {
                           const Rank rank = rank_of(query.answer, worker.candidates, aggregator,
                                                     known, all_.entities());
                           reciprocals[i].push_back(1 / rank.mean());
                       }
                   });
        StepTrial trial;
        trial.queries = static_cast<double>(count);
        trial.weight = static_cast<double>(group.size()) / trial.queries;
        trial.reciprocals.assign(fixed_.size() + 1, 0);
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t j = 0; j < fixed_.size(); ++j) {
                trial.reciprocals[j] += reciprocals[i][j];
            }
            if (predicted[i] != 0) {
                trial.contests.push_back(std::move(contests[i]));
            } else {
                trial.unpredicted += reciprocals[i][0];
            }
        }
        return trial;
    }

    static std::vector<const Contest*> some(const std::vector<Contest>& contests, std::size_t first,
                                            std::size_t stride) {
        std::vector<const Contest*> chosen;
        for (std::size_t i = first; i < contests.size(); i += stride) {
            chosen.push_back(&contests[i]);
        }
        return chosen;
    }

    /// Weights from all relations; then for each step, judged on the half they were not fit to.
    void choose(std::vector<StepTrial>& trials) {
        std::vector<const Contest*> pooled;
        for (const StepTrial& trial : trials) {
            const std::size_t stride = 1 + trial.contests.size() / kPooled;
            for (const Contest* contest : some(trial.contests, 0, stride)) {
                pooled.push_back(contest);
            }
        }
        const Weights common = fit_weights(pooled, kEvenWeights, 1);
        std::vector<double> means(fixed_.size() + 1, 0);
        double total = 0;
        pool_.each(static_cast<int>(trials.size()), [&](int i) {
            StepTrial& trial = trials[static_cast<std::size_t>(i)];
            if (trial.queries == 0) {
                return;
            }
            const Weights even = fit_weights(some(trial.contests, 0, 2), common, kPull);
            const Weights odd = fit_weights(some(trial.contests, 1, 2), common, kPull);
            trial.reciprocals.back() = trial.unpredicted;
            for (std::size_t j = 0; j < trial.contests.size(); ++j) {
                trial.reciprocals.back() +=
                    reciprocal_rank(trial.contests[j], j % 2 == 0 ? odd : even);
            }
        });
        for (const StepTrial& trial : trials) {
            for (std::size_t j = 0; j < trial.reciprocals.size(); ++j) {
                means[j] += trial.weight * trial.reciprocals[j];
            }
            total += trial.weight * trial.queries;
        }
        if (total == 0) {
            return;
        }
        std::vector<Aggregation> chosen(trials.size());
        pool_.each(static_cast<int>(trials.size()), [&](int i) {
            const StepTrial& trial = trials[static_cast<std::size_t>(i)];
            std::size_t best = 0;
            double best_value = -1;
            for (std::size_t j = 0; j < means.size(); ++j) {
                const double own = trial.reciprocals.empty() ? 0 : trial.reciprocals[j];
                const double value =
                    (own + kShrinkage * means[j] / total) / (trial.queries + kShrinkage);
                if (value > best_value) {
                    best_value = value;
                    best = j;
                }
            }
            Aggregation& how = chosen[static_cast<std::size_t>(i)];
            if (best < fixed_.size()) {
                how = fixed_[best];
            } else {
                const Weights weights = fit_weights(some(trial.contests, 0, 1), common, kPull);
                how = kLearned;
                how.weights.assign(weights.begin(), weights.end());
            }
        });
        for (StepCode step = 0; step < trials.size(); ++step) {
            rules_.aggregations[step] = std::move(chosen[step]);
        }
    }

    GraphRules& rules_;
    const GraphData& data_;
    const Graph& graph_;
    const RankSettings& settings_;
    Graph all_;
    std::vector<Aggregation> fixed_;
    base::ThreadPool pool_;
    Workers workers_;
};

}  // namespace
}  // namespace evaluation

void choose_aggregations(GraphRules& rules, const GraphData& data, const Graph& graph,
                         const RankSettings& settings) {
    evaluation::Chooser(rules, data, graph, settings).run();
}

}  // namespace hri
