// SPDX-License-Identifier: Apache-2.0

// How the rules of each relation and direction are combined, by the ranks of validation triples.

#include "hri/ranking.hpp"

#include "evaluate/graph_queries.hpp"
#include "evaluate/learned_weights.hpp"

#include <algorithm>
#include <array>
#include <memory>

namespace hri {
namespace evaluation {
namespace {

constexpr std::size_t kQueries = 200;     // validation triples of one relation that are looked at
constexpr std::size_t kPooled = 2000;     // contests that weights for all relations are fit to
constexpr std::size_t kTraining = 60000;  // training triples that rules' weights are fit to, of all
constexpr std::size_t kHoldOut = 10;      // one of so many training triples is held out at a time
constexpr std::size_t kSmall = 50'000;    // training triples of a graph: several tenths
constexpr std::size_t kLarge = 3'000'000;  // none are held out
constexpr double kShrinkage = 20;          // queries that the mean of all relations counts for
constexpr std::size_t kRivals = 50;        // the strongest ones
constexpr std::size_t kSampled = 30;       // of the others
constexpr double kPull = 5;                // of the weights for all relations
const Aggregation kLearned = {Aggregation::Kind::learned, false, 5, 0.5, {}};
const Aggregation kLearnedPca = {Aggregation::Kind::learned, true, 5, 0.5, {}};

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

/// Both kinds of confidence that learned weights may weigh.
using Pair = std::array<Aggregator, 2>;

/// The answer and its rivals; nothing where no rule predicts the answer.
bool contest_of(const Query& query, const Candidates& candidates, const Pair& aggregators,
                std::span<const std::uint32_t> known, bool of_training, Contest& into) {
    const std::size_t own = candidates.find(query.answer);
    if (own == candidates.size()) {
        return false;
    }
    const auto sum = [](const Features& features) {
        float total = 0;
        for (std::size_t i = 0; i < kFeatures; ++i) {
            total += static_cast<float>(kEvenWeights[i]) * features[i];
        }
        return total;
    };
    const auto add = [&](std::size_t i, bool own_fact) {
        const std::span<const std::uint32_t> fired = candidates.rules(i);
        const std::uint32_t entity = candidates.entity(i);
        into.candidates.push_back({aggregators[0].features(entity, fired, own_fact),
                                   aggregators[1].features(entity, fired, own_fact)});
        into.rules.insert(into.rules.end(), fired.begin(), fired.end());
        into.rule_begin.push_back(static_cast<std::uint32_t>(into.rules.size()));
    };
    into.rule_begin = {0};
    add(own, of_training);
    std::vector<std::pair<float, std::size_t>> all;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (i != own && !std::binary_search(known.begin(), known.end(), candidates.entity(i))) {
            all.emplace_back(
                -sum(aggregators[1].features(candidates.entity(i), candidates.rules(i))), i);
        }
    }
    std::sort(all.begin(), all.end());
    const std::size_t strongest = std::min(all.size(), kRivals);
    for (std::size_t i = 0; i < strongest; ++i) {
        add(all[i].second, false);
    }
    into.sampled = into.candidates.size();
    const std::size_t rest = all.size() - strongest;
    const std::size_t some = std::min(rest, kSampled);
    for (std::size_t i = 0; i < some; ++i) {
        add(all[strongest + i * rest / some].second, false);
    }
    into.share = some == 0 ? 1 : static_cast<float>(rest) / static_cast<float>(some);
    return true;
}

using Contests = std::vector<const Contest*>;

/// What the validation triples of one step say.
struct StepTrial {
    double queries = 0;               ///< looked at
    double weight = 0;                ///< validation triples for each of them
    std::vector<double> reciprocals;  ///< summed, by choice: the fixed ones, then those learned
    std::array<Weights, 2> weights{};
    bool pca = false;                                        ///< what rules' weights go with
    std::vector<std::pair<std::uint32_t, float>> by_rule{};  ///< by number of the rule
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
          valid_(triples_by_relation(data.valid, data.relations.size())),
          of_(by_relation(rules.rules, graph.relations())),
          pool_(std::max(1, settings.threads)),
          workers_(graph) {
        hold_out();
    }

    void run() {
        fit_common();
        std::vector<StepTrial> trials(graph_.steps());
        for (StepCode step = 0; step < graph_.steps(); ++step) {
            if (stopped()) {
                return;
            }
            if (is_open(step)) {
                trials[step] = try_step(step);
            }
            if (settings_.progress) {
                settings_.progress(static_cast<double>(step + 1) / graph_.steps());
            }
        }
        choose(trials);
    }

  private:
    /// Some training triples, and the graph without them.
    struct HeldOut {
        Graph graph;
        Workers workers;
        std::vector<std::vector<Triple>> triples;  // by relation

        HeldOut(const Graph& all, std::vector<Triple> rest, std::vector<std::vector<Triple>> out)
            : graph(all.entities(), all.relations(), std::move(rest)),
              workers(graph),
              triples(std::move(out)) {}
    };

    bool stopped() const { return settings_.interrupt != nullptr && settings_.interrupt->load(); }

    bool is_open(StepCode step) const {
        return !valid_[relation_of(step)].empty() && !of_[relation_of(step)].empty();
    }

    /// One tenth of each relation at a time; several times where the graph is small.
    void hold_out() {
        const std::size_t size = graph_.size();
        if (data_.valid.empty() || size < 2 * kHoldOut || size > kLarge) {
            return;
        }
        const std::size_t parts = std::clamp<std::size_t>(kSmall / size, 1, 5);
        const std::size_t most = std::max<std::size_t>(20, kTraining / graph_.relations());
        for (std::size_t part = 0; part < parts; ++part) {
            std::vector<Triple> rest;
            std::vector<std::vector<Triple>> out(graph_.relations());
            for (std::uint32_t r = 0; r < graph_.relations(); ++r) {
                const std::span<const Triple> facts = graph_.facts(r);
                const std::size_t stride = std::max(kHoldOut, facts.size() / most);
                for (std::size_t i = 0; i < facts.size(); ++i) {
                    // a hash of the place: neighbours in the list share their head
                    std::uint64_t place = i * 0x9E3779B97F4A7C15U;
                    place = (place ^ (place >> 29U)) >> 7U;
                    const bool held = place % stride == part && !valid_[r].empty();
                    (held ? out[r] : rest).push_back(facts[i]);
                }
            }
            held_out_.push_back(std::make_unique<HeldOut>(graph_, std::move(rest), std::move(out)));
        }
    }

    std::vector<Query> queries_of(StepCode step, std::size_t most) const {
        const std::vector<std::uint32_t>& group = valid_[relation_of(step)];
        const std::size_t count = std::min(group.size(), most);
        std::vector<Query> queries;
        for (std::size_t i = 0; i < count; ++i) {
            queries.push_back(query_of(data_.valid[group[i * group.size() / count]], step));
        }
        return queries;
    }

    static Pair pair_of(const RuleIndex& index) {
        return {Aggregator(index, kLearned), Aggregator(index, kLearnedPca)};
    }

    /// Weights for all relations together.
    void fit_common() {
        std::vector<std::vector<Contest>> pooled(graph_.steps());
        const std::size_t share = std::clamp<std::size_t>(kPooled / graph_.steps(), 3, 50);
        for (StepCode step = 0; step < graph_.steps(); ++step) {
            if (is_open(step) && !stopped()) {
                const RuleIndex index(graph_, rules_.rules, of_[relation_of(step)], step);
                const Pair aggregators = pair_of(index);
                const std::vector<Query> queries = queries_of(step, share);
                pooled[step] = contests_of(index, aggregators, queries, step, workers_, false);
                for (Contest& contest : pooled[step]) {
                    contest.rules = {};
                }
            }
        }
        Contests all;
        for (const std::vector<Contest>& contests : pooled) {
            for (const Contest& contest : contests) {
                if (!contest.candidates.empty()) {
                    all.push_back(&contest);
                }
            }
        }
        pool_.each(2, [&](int pca) {
            common_[static_cast<std::size_t>(pca)] = fit_weights(all, pca == 1, kEvenWeights, 1);
        });
    }

    /// One for each query; without candidates where no rule predicts the answer.
    std::vector<Contest> contests_of(const RuleIndex& index, const Pair& aggregators,
                                     std::span<const Query> queries, StepCode step,
                                     Workers& workers, bool of_training) {
        std::vector<Contest> contests(queries.size());
        each_query(index, queries, pool_, workers,
                   [&](std::size_t i, const Query& query, RankWorker& worker) {
                       contest_of(query, worker.candidates, aggregators,
                                  all_.neighbours(query.source, step), of_training, contests[i]);
                   });
        return contests;
    }

    StepTrial try_step(StepCode step) {
        const RuleIndex index(graph_, rules_.rules, of_[relation_of(step)], step);
        std::vector<Aggregator> aggregators;
        for (const Aggregation& one : fixed_) {
            aggregators.emplace_back(index, one);
        }
        const Pair learned = pair_of(index);
        const std::vector<Query> queries = queries_of(step, kQueries);
        std::vector<std::vector<double>> reciprocals(queries.size());
        std::vector<Contest> contests(queries.size());
        each_query(index, queries, pool_, workers_,
                   [&](std::size_t i, const Query& query, RankWorker& worker) {
                       const auto known = all_.neighbours(query.source, step);
                       contest_of(query, worker.candidates, learned, known, false, contests[i]);
                       for (const Aggregator& aggregator : aggregators) {
                           const Rank rank = rank_of(query.answer, worker.candidates, aggregator,
                                                     known, all_.entities());
                           reciprocals[i].push_back(1 / rank.mean());
                       }
                   });
        std::vector<Contest> training;
        for (const std::unique_ptr<HeldOut>& part : held_out_) {
            std::vector<Query> held;
            for (const Triple& triple : part->triples[relation_of(step)]) {
                held.push_back(query_of(triple, step));
            }
            for (Contest& contest : contests_of(index, learned, held, step, part->workers, true)) {
                training.push_back(std::move(contest));
            }
        }
        StepTrial trial;
        trial.queries = static_cast<double>(queries.size());
        trial.weight = static_cast<double>(valid_[relation_of(step)].size()) / trial.queries;
        trial.reciprocals.assign(fixed_.size(), 0);
        for (const std::vector<double>& one : reciprocals) {
            for (std::size_t j = 0; j < fixed_.size(); ++j) {
                trial.reciprocals[j] += one[j];
            }
        }
        learn(index, learned, contests, training, reciprocals, trial);
        return trial;
    }

    /// Weights of features, then of rules, each judged on the half that they were not fit to.
    void learn(const RuleIndex& index, const Pair& aggregators,
               const std::vector<Contest>& contests, const std::vector<Contest>& training,
               const std::vector<std::vector<double>>& reciprocals, StepTrial& trial) {
        std::array<Contests, 3> parts;  // even ones, odd ones, all
        double unpredicted = 0;
        for (std::size_t i = 0; i < contests.size(); ++i) {
            if (contests[i].candidates.empty()) {
                unpredicted += reciprocals[i][0];
            } else {
                parts[i % 2].push_back(&contests[i]);
                parts[2].push_back(&contests[i]);
            }
        }
        std::array<std::array<Weights, 3>, 2> weights;
        pool_.each(6, [&](int i) {
            const auto pca = static_cast<std::size_t>(i % 2);
            const auto part = static_cast<std::size_t>(i / 2);
            weights[pca][part] = fit_weights(parts[part], pca == 1, common_[pca], kPull);
        });
        const auto judged = [&](bool pca, const std::array<std::vector<float>, 3>& by_rule) {
            double sum = unpredicted;
            for (std::size_t half = 0; half < 2; ++half) {
                for (const Contest* contest : parts[half]) {
                    sum += reciprocal_rank(*contest, pca, weights[pca ? 1 : 0][1 - half],
                                           by_rule[1 - half]);
                }
            }
            return sum;
        };
        trial.reciprocals.push_back(judged(false, {}));
        trial.reciprocals.push_back(judged(true, {}));
        trial.weights = {weights[0][2], weights[1][2]};
        trial.pca = trial.reciprocals[fixed_.size() + 1] >= trial.reciprocals[fixed_.size()];
        std::array<std::vector<float>, 3> by_rule;
        for (Contests& part : parts) {
            for (const Contest& contest : training) {
                if (!contest.candidates.empty()) {
                    part.push_back(&contest);
                }
            }
        }
        const std::size_t pca = trial.pca ? 1 : 0;
        pool_.each(3, [&](int i) {
            const auto part = static_cast<std::size_t>(i);
            by_rule[part] =
                fit_rule_weights(parts[part], trial.pca, weights[pca][part], aggregators[pca]);
        });
        for (std::size_t half = 0; half < 2; ++half) {  // to be judged on validation alone
            std::erase_if(parts[half], [&](const Contest* contest) {
                return contest >= training.data() && contest < training.data() + training.size();
            });
        }
        trial.reciprocals.push_back(judged(trial.pca, by_rule));
        for (std::uint32_t local = 0; local < index.size(); ++local) {
            if (by_rule[2][local] != 0) {
                trial.by_rule.emplace_back(index.number(local), by_rule[2][local]);
            }
        }
    }

    void choose(const std::vector<StepTrial>& trials) {
        std::vector<double> means(fixed_.size() + 3, 0);
        double total = 0;
        for (const StepTrial& trial : trials) {
            for (std::size_t j = 0; j < trial.reciprocals.size(); ++j) {
                means[j] += trial.weight * trial.reciprocals[j];
            }
            total += trial.weight * trial.queries;
        }
        if (total == 0) {
            return;
        }
        for (StepCode step = 0; step < trials.size(); ++step) {
            const StepTrial& trial = trials[step];
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
            rules_.aggregations[step] = aggregation_of(step, trial, best);
        }
    }

    /// Writes weights of rules into these where they are chosen.
    Aggregation aggregation_of(StepCode step, const StepTrial& trial, std::size_t choice) {
        if (choice < fixed_.size()) {
            return fixed_[choice];
        }
        const std::size_t learned = choice - fixed_.size();
        const bool pca = learned == 2 ? trial.pca : learned == 1;
        const Weights& weights =
            trial.reciprocals.empty() ? common_[pca ? 1 : 0] : trial.weights[pca ? 1 : 0];
        Aggregation how = pca ? kLearnedPca : kLearned;
        how.weights.assign(weights.begin(), weights.end());
        if (learned == 2) {
            for (const auto& [number, weight] : trial.by_rule) {
                rules_.rules[number].weights[is_backward(step) ? 1 : 0] = weight;
            }
        }
        return how;
    }

    GraphRules& rules_;
    const GraphData& data_;
    const Graph& graph_;
    const RankSettings& settings_;
    Graph all_;
    std::vector<Aggregation> fixed_;
    std::vector<std::vector<std::uint32_t>> valid_;  // triples by relation
    std::vector<std::vector<std::uint32_t>> of_;     // rules by relation
    base::ThreadPool pool_;
    Workers workers_;
    std::vector<std::unique_ptr<HeldOut>> held_out_;
    std::array<Weights, 2> common_{};  // for all relations, by kind of confidence
};

}  // namespace
}  // namespace evaluation

void choose_aggregations(GraphRules& rules, const GraphData& data, const Graph& graph,
                         const RankSettings& settings) {
    evaluation::Chooser(rules, data, graph, settings).run();
}

}  // namespace hri
