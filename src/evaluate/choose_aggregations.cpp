// SPDX-License-Identifier: Apache-2.0

// How the rules of each relation and direction are combined, by the ranks of validation triples. A
// relation without such is judged by held-out training triples. The test triples are never read.

#include "hri/ranking.hpp"

#include "evaluate/contests.hpp"
#include "evaluate/graph_queries.hpp"
#include "evaluate/held_out.hpp"
#include "evaluate/learned_weights.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <limits>
#include <memory>

namespace hri {
namespace evaluation {
namespace {

constexpr std::size_t kQueries = 200;  // of one step that are looked at
constexpr int kLeast = 20;             // of one step, where the time is short
constexpr std::size_t kPooled = 2000;  // contests that weights for all relations are fit to
constexpr double kShrinkage = 20;      // queries that the mean of all relations counts for
constexpr double kPull = 5;            // of the weights for all relations
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
    all.push_back({Aggregation::Kind::clusters, true, 3, 0, {}});
    return all;
}

using Contests = std::vector<const Contest*>;

/// What the validation triples of one step say.
struct StepTrial {
    double queries = 0;               ///< looked at
    double weight = 0;                ///< triples for each of them
    std::vector<double> reciprocals;  ///< summed, by choice: the fixed ones, then those learned
    std::array<Weights, 2> weights{};
    bool pca = false;  ///< what rules' weights go with
    /// Weights by kind of fit, then by number of the rule.
    std::array<std::vector<std::pair<std::uint32_t, float>>, kRuleFits.size()> by_rule{};
};

/// The queries of a step that are judged, and what was seen of them.
struct Judged {
    std::vector<Query> queries;
    bool of_training = false;                        ///< no validation triple has the relation
    std::vector<std::vector<double>> reciprocals{};  ///< by query and fixed choice; empty: not seen
    std::vector<Contest> contests{};
};

/// Seconds since the beginning, and how they are shared between steps and their parts.
class Pace {
  public:
    explicit Pace(double limit) : limit_(limit > 0 ? limit : kForever) {}

    double now() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

    double limit() const { return limit_; }

    /// A step with this share of the work that is left begins: until when it may ask queries, and
    /// until when it may judge.
    void begin_step(double share) {
        step_begin_ = now();
        const double collect = std::max(0.0, limit_ - step_begin_) * share * (1 - fit_share_);
        judge_until_ = step_begin_ + kJudging * collect;
        collect_until_ = step_begin_ + collect;
    }

    void begin_fit() { fit_begin_ = now(); }

    void end_step() {
        const double all = now() - step_begin_;
        if (all > 0) {
            fit_share_ += kRate * ((now() - fit_begin_) / all - fit_share_);
        }
    }

    double judge_until() const { return judge_until_; }

    double collect_until() const { return collect_until_; }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr double kForever = std::numeric_limits<double>::max();
    static constexpr double kJudging = 0.6;  // of the time to ask queries
    static constexpr double kRate = 0.2;

    Clock::time_point begin_ = Clock::now();
    double limit_;
    double step_begin_ = 0;
    double fit_begin_ = 0;
    double fit_share_ = 0.4;
    double judge_until_ = 0;
    double collect_until_ = 0;
};

class Chooser {
  public:
    Chooser(GraphRules& rules, const GraphData& data, const Graph& graph,
            const RankSettings& settings)
        : rules_(rules),
          graph_(graph),
          settings_(settings),
          pace_(settings.choice_seconds),
          fixed_(fixed_choices()),
          valid_(data, graph.relations(), kQueries),
          of_(by_relation(rules.rules, graph.relations())),
          pool_(std::max(1, settings.threads)),
          workers_(graph),
          held_out_(hold_out(graph, rules.invented)) {}

    void run() {
        std::vector<StepCode> open;
        double work = 0;
        for (StepCode step = 0; step < graph_.steps(); ++step) {
            if (!of_[relation_of(step)].empty() && work_of(step) > 0) {
                open.push_back(step);
                work += work_of(step);
            }
        }
        std::stable_sort(open.begin(), open.end(), [&](StepCode a, StepCode b) {
            return valid_.count(relation_of(a)) > valid_.count(relation_of(b));
        });
        fit_common(open);
        std::vector<StepTrial> trials(graph_.steps());
        double done = 0;
        for (const StepCode step : open) {
            if (over(pace_.limit())) {
                break;
            }
            pace_.begin_step(work_of(step) / (work - done));
            trials[step] = try_step(step);
            pace_.end_step();
            done += work_of(step);
            if (settings_.progress) {
                settings_.progress(done / work);
            }
        }
        if (!over(std::numeric_limits<double>::max())) {
            choose(trials);
        }
    }

  private:
    bool over(double until) const {
        return (settings_.interrupt != nullptr && settings_.interrupt->load()) ||
               pace_.now() > until;
    }

    /// Says after `least` calls whether the time is over; before, whether that of all steps is.
    std::function<bool()> over_at(double until, int least = 0) const {
        const auto calls = std::make_shared<std::atomic<int>>(0);
        return [this, until, least, calls] {
            return over(calls->fetch_add(1) < least ? pace_.limit() : until);
        };
    }

    const std::vector<Triple>& held(const HeldOut& part, StepCode step) const {
        return part.triples[relation_of(step)];
    }

    /// Queries that a step may ask.
    double work_of(StepCode step) const {
        std::size_t queries = std::min(valid_.count(relation_of(step)), kQueries);
        for (const std::unique_ptr<HeldOut>& part : held_out_) {
            queries += held(*part, step).size();
        }
        return static_cast<double>(queries);
    }

    static AggregatorPair pair_of(const RuleIndex& index) {
        return {Aggregator(index, kLearned), Aggregator(index, kLearnedPca)};
    }

    ContestRules contest_rules(StepCode step, std::uint32_t source, bool of_training) const {
        return {graph_.neighbours(source, step), valid_.answers(step, source), of_training};
    }

    /// Weights for all relations together.
    void fit_common(const std::vector<StepCode>& open) {
        constexpr double kShare = 0.15;  // of the time
        std::vector<std::vector<Contest>> pooled(graph_.steps());
        const std::size_t share = std::clamp<std::size_t>(kPooled / graph_.steps(), 3, 50);
        const std::function<bool()> stopped = over_at(kShare * pace_.limit());
        for (const StepCode step : open) {
            if (stopped()) {
                break;
            }
            const RuleIndex index(graph_, rules_.rules, of_[relation_of(step)], step);
            const AggregatorPair aggregators = pair_of(index);
            pooled[step] = contests_of(index, aggregators, valid_.queries(step, share), workers_,
                                       false, stopped);
            for (Contest& contest : pooled[step]) {
                contest.rules = {};
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
            common_[static_cast<std::size_t>(pca)] =
                fit_weights(all, pca == 1, kBothHalves, kEvenWeights, 1);
        });
    }

    /// One for each query; without candidates where no rule predicts the answer, or time was short.
    std::vector<Contest> contests_of(const RuleIndex& index, const AggregatorPair& aggregators,
                                     std::span<const Query> queries, Workers& workers,
                                     bool of_training, const std::function<bool()>& stopped) {
        std::vector<Contest> contests(queries.size());
        each_query(
            index, queries, pool_, workers,
            [&](std::size_t i, const Query& query, RankWorker& worker) {
                contests[i] = contest_of(query.answer, worker.candidates, aggregators,
                                         contest_rules(index.query(), query.source, of_training));
            },
            stopped);
        return contests;
    }

    static std::vector<Query> queries_of(std::span<const Triple> triples, StepCode step,
                                         std::size_t most) {
        std::vector<Query> queries;
        const std::size_t some = std::min(most, triples.size());
        for (std::size_t i = 0; i < some; ++i) {
            queries.push_back(query_of(triples[i * triples.size() / some], step));
        }
        return queries;
    }

    /// Ranks the queries of a step by each fixed choice.
    Judged judge(const RuleIndex& index, const AggregatorPair& learned) {
        const StepCode step = index.query();
        Judged judged;
        judged.of_training = valid_.count(relation_of(step)) == 0;
        judged.queries = judged.of_training ? queries_of(held(*held_out_[0], step), step, kQueries)
                                            : valid_.queries(step, kQueries);
        std::vector<Aggregator> aggregators;
        for (const Aggregation& one : fixed_) {
            aggregators.emplace_back(index, one);
        }
        judged.reciprocals.resize(judged.queries.size());
        judged.contests.resize(judged.queries.size());
        each_query(
            index, judged.queries, pool_, judged.of_training ? held_out_[0]->workers : workers_,
            [&](std::size_t i, const Query& query, RankWorker& worker) {
                const ContestRules how = contest_rules(step, query.source, judged.of_training);
                judged.contests[i] = contest_of(query.answer, worker.candidates, learned, how);
                std::vector<std::uint32_t> known(how.training.begin(), how.training.end());
                for (const ValidAnswer& one : how.valid) {
                    known.push_back(one.entity);
                }
                std::sort(known.begin(), known.end());
                known.erase(std::unique(known.begin(), known.end()), known.end());
                for (const Aggregator& aggregator : aggregators) {
                    const Rank rank = rank_of(query.answer, worker.candidates, aggregator, known,
                                              graph_.entities(), judged.of_training);
                    judged.reciprocals[i].push_back(1 / rank.mean());
                }
            },
            over_at(pace_.judge_until(), kLeast));
        return judged;
    }

    StepTrial try_step(StepCode step) {
        const RuleIndex index(graph_, rules_.rules, of_[relation_of(step)], step);
        const AggregatorPair learned = pair_of(index);
        const Judged judged = judge(index, learned);
        std::vector<Contest> training;
        for (std::size_t part = judged.of_training ? 1 : 0; part < held_out_.size(); ++part) {
            const std::vector<Triple>& triples = held(*held_out_[part], step);
            for (Contest& contest : contests_of(
                     index, learned, queries_of(triples, step, triples.size()),
                     held_out_[part]->workers, true, over_at(pace_.collect_until(), kLeast))) {
                training.push_back(std::move(contest));
            }
        }
        pace_.begin_fit();
        StepTrial trial;
        trial.reciprocals.assign(fixed_.size(), 0);
        for (const std::vector<double>& one : judged.reciprocals) {
            trial.queries += one.empty() ? 0 : 1;
            for (std::size_t j = 0; j < one.size(); ++j) {
                trial.reciprocals[j] += one[j];
            }
        }
        if (trial.queries == 0) {
            return {};
        }
        trial.weight = judged.of_training
                           ? 1
                           : static_cast<double>(valid_.count(relation_of(step))) / trial.queries;
        learn(index, learned, judged, training, trial);
        return trial;
    }

    /// Weights of features, then of rules, each judged on the half that they were not fit to.
    void learn(const RuleIndex& index, const AggregatorPair& aggregators, const Judged& judged,
               const std::vector<Contest>& training, StepTrial& trial) {
        constexpr std::array<Halves, 3> kKnown = {1, 2, kBothHalves};
        std::array<Contests, 3> parts;  // one half, the other, all
        double unpredicted = 0;
        for (std::size_t i = 0; i < judged.contests.size(); ++i) {
            if (judged.reciprocals[i].empty()) {
                continue;
            }
            if (judged.contests[i].candidates.empty()) {
                unpredicted += judged.reciprocals[i][0];
                continue;
            }
            const Halves half = judged.of_training ? Halves(1 + i % 2)
                                                   : valid_.half(index.query(), judged.queries[i]);
            parts[half - 1U].push_back(&judged.contests[i]);
            parts[2].push_back(&judged.contests[i]);
        }
        std::array<std::array<Weights, 3>, 2> weights;
        pool_.each(6, [&](int i) {
            const auto pca = static_cast<std::size_t>(i % 2);
            const auto part = static_cast<std::size_t>(i / 2);
            weights[pca][part] =
                fit_weights(parts[part], pca == 1, kKnown[part], common_[pca], kPull);
        });
        const auto judgement = [&](bool pca, const std::array<std::vector<float>, 3>& by_rule) {
            double sum = unpredicted;
            for (std::size_t half = 0; half < 2; ++half) {
                for (const Contest* contest : parts[half]) {
                    sum += reciprocal_rank(*contest, pca, weights[pca ? 1 : 0][1 - half],
                                           by_rule[1 - half]);
                }
            }
            return sum;
        };
        trial.reciprocals.push_back(judgement(false, {}));
        trial.reciprocals.push_back(judgement(true, {}));
        trial.weights = {weights[0][2], weights[1][2]};
        trial.pca = trial.reciprocals[fixed_.size() + 1] >= trial.reciprocals[fixed_.size()];
        const std::size_t pca = trial.pca ? 1 : 0;
        std::array<std::array<std::vector<float>, 3>, kRuleFits.size()> by_rule;
        pool_.each(3 * kRuleFits.size(), [&](int i) {
            const std::size_t part = static_cast<std::size_t>(i) % 3;
            const std::size_t fit = static_cast<std::size_t>(i) / 3;
            Contests all = parts[part];
            for (const Contest& contest : training) {
                if (!contest.candidates.empty()) {
                    all.push_back(&contest);
                }
            }
            by_rule[fit][part] = fit_rule_weights(all, trial.pca, kKnown[part], weights[pca][part],
                                                  aggregators[pca], kRuleFits[fit]);
        });
        for (std::size_t fit = 0; fit < kRuleFits.size(); ++fit) {
            trial.reciprocals.push_back(judgement(trial.pca, by_rule[fit]));
            for (std::uint32_t local = 0; local < index.size(); ++local) {
                if (by_rule[fit][2][local] != 0) {
                    trial.by_rule[fit].emplace_back(index.number(local), by_rule[fit][2][local]);
                }
            }
        }
    }

    void choose(const std::vector<StepTrial>& trials) {
        std::vector<double> means(fixed_.size() + 2 + kRuleFits.size(), 0);
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
            if (of_[relation_of(step)].empty()) {
                continue;
            }
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
        const bool pca = learned >= 2 ? trial.pca : learned == 1;
        const Weights& weights =
            trial.reciprocals.empty() ? common_[pca ? 1 : 0] : trial.weights[pca ? 1 : 0];
        Aggregation how = pca ? kLearnedPca : kLearned;
        how.weights.assign(weights.begin(), weights.end());
        if (learned >= 2) {
            for (const auto& [number, weight] : trial.by_rule[learned - 2]) {
                rules_.rules[number].weights[is_backward(step) ? 1 : 0] = weight;
            }
        }
        return how;
    }

    GraphRules& rules_;
    const Graph& graph_;
    const RankSettings& settings_;
    Pace pace_;
    std::vector<Aggregation> fixed_;
    ValidQueries valid_;
    std::vector<std::vector<std::uint32_t>> of_;  // rules by relation
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
