// SPDX-License-Identifier: Apache-2.0
#include "search/graph_constants.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace hri::search {
namespace {

/// p(X,d) or, without an end, p(X,Z).
struct Feature {
    StepCode step = 0;
    std::uint32_t end = kNoEntity;
    bool operator==(const Feature&) const = default;
};

std::uint64_t key_of(const Feature& feature) {
    return std::uint64_t{feature.step} << 32U | feature.end;
}

/// Counts by key; open addressing. Emptying it takes time in proportion to its keys.
class Counter {
  public:
    void add(std::uint64_t key, std::uint32_t some = 1) {
        if (2 * used_.size() >= slots_.size()) {
            grow();
        }
        Slot& slot = find(key);
        if (slot.count == 0) {
            slot.key = key;
            used_.push_back(static_cast<std::uint32_t>(&slot - slots_.data()));
        }
        slot.count += some;
    }

    std::uint32_t count(std::uint64_t key) { return slots_.empty() ? 0 : find(key).count; }

    template <class Visit>
    void each(const Visit& visit) const {
        for (const std::uint32_t i : used_) {
            visit(slots_[i].key, slots_[i].count);
        }
    }

    std::size_t size() const { return used_.size(); }

    void clear() {
        for (const std::uint32_t i : used_) {
            slots_[i].count = 0;
        }
        used_.clear();
    }

  private:
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t count = 0;
    };

    Slot& find(std::uint64_t key) {
        std::uint64_t hash = key * 0x9E3779B97F4A7C15U;
        hash ^= hash >> 29U;
        std::size_t at = hash & (slots_.size() - 1);
        while (slots_[at].count != 0 && slots_[at].key != key) {
            at = (at + 1) & (slots_.size() - 1);
        }
        return slots_[at];
    }

    void grow() {
        std::vector<Slot> old(std::max<std::size_t>(1024, 2 * slots_.size()));
        std::swap(old, slots_);
        const std::vector<std::uint32_t> kept = std::move(used_);
        used_.clear();
        for (const std::uint32_t i : kept) {
            Slot& slot = find(old[i].key);
            slot = old[i];
            used_.push_back(static_cast<std::uint32_t>(&slot - slots_.data()));
        }
    }

    std::vector<Slot> slots_;
    std::vector<std::uint32_t> used_;
};

/// Each feature of one literal that an entity has, once.
template <class Visit>
void each_feature(const Graph& graph, std::uint32_t entity, const Visit& visit) {
    for (const Edge& edge : graph.edges(entity)) {
        visit(Feature{edge.step, edge.target});
    }
}

GraphRule constant_rule(StepCode head, std::uint32_t constant, double support, double predictions,
                        double known) {
    GraphRule rule;
    rule.head = head;
    rule.constant = constant;
    rule.evidence.support = support;
    rule.evidence.predictions = predictions;
    rule.evidence.of_known_head = is_backward(head) ? predictions : known;
    rule.evidence.of_known_tail = is_backward(head) ? known : predictions;
    return rule;
}

/// How frequent the constant is: a rule without a body.
GraphRule frequency_rule(StepCode head, std::uint32_t c, const Graph& graph) {
    const auto facts = static_cast<double>(graph.neighbours(c, opposite(head)).size());
    const bool own = !graph.is_reflexive(relation_of(head)) && !graph.neighbours(c, head).empty();
    const double everyone = static_cast<double>(graph.subjects(head).size()) - (own ? 1 : 0);
    return constant_rule(head, c, facts, everyone, everyone);
}

/// Worth keeping: its constant is clearly more frequent where the body holds. `prior` is the share
/// of the constant without a body.
bool tells(const GraphRule& rule, const MineSettings& settings, double prior) {
    constexpr double kLift = 1.5;
    constexpr double kPessimism = 5;
    const double careful = pca_confidence(rule.evidence, is_backward(rule.head), kPessimism);
    return rule.evidence.support >= settings.min_support && careful >= kLift * prior &&
           std::max(confidence(rule.evidence),
                    pca_confidence(rule.evidence, is_backward(rule.head))) >=
               settings.min_confidence;
}

/// What heads by the step may say of an entity, the most frequent ones first.
std::vector<std::uint32_t> constants_of(const Graph& graph, StepCode head) {
    const std::span<const std::uint32_t> all = graph.subjects(opposite(head));
    std::vector<std::uint32_t> constants(all.begin(), all.end());
    std::stable_sort(constants.begin(), constants.end(), [&](std::uint32_t a, std::uint32_t b) {
        return graph.neighbours(a, opposite(head)).size() >
               graph.neighbours(b, opposite(head)).size();
    });
    return constants;
}

/// The distinct steps of an entity's edges.
void steps_of(const Graph& graph, std::uint32_t entity, std::vector<StepCode>& into) {
    into.clear();
    for (const Edge& edge : graph.edges(entity)) {
        into.push_back(edge.step);
    }
    std::sort(into.begin(), into.end());
    into.erase(std::unique(into.begin(), into.end()), into.end());
}

/// Rules with one literal for one head.
class ShortConstantRules {
  public:
    ShortConstantRules(StepCode head, const MineSettings& settings, evaluation::GraphWalk& walk)
        : head_(head),
          settings_(settings),
          walk_(walk),
          graph_(walk.graph()),
          reflexive_(graph_.is_reflexive(relation_of(head))),
          has_fact_(graph_.entities(), 0) {
        for (const std::uint32_t x : graph_.subjects(head)) {
            has_fact_[x] = 1;
        }
    }

    /// Adds what tells of the constant.
    void add(std::uint32_t c, std::vector<GraphRule>& into) {
        const Evidence alone = frequency_rule(head_, c, graph_).evidence;
        if (!settings_.constants || alone.support < settings_.min_support) {
            return;
        }
        count_features(c);
        counts_.each([&](std::uint64_t key, std::uint32_t support) {
            const Feature feature{static_cast<StepCode>(key >> 32U),
                                  static_cast<std::uint32_t>(key)};
            if (support < settings_.min_support ||
                (!settings_.recursion && relation_of(feature.step) == relation_of(head_))) {
                return;
            }
            const GraphRule rule = rule_of(c, feature, support);
            if (tells(rule, settings_, alone.support / std::max(alone.predictions, 1.0))) {
                into.push_back(rule);
            }
        });
    }

  private:
    /// Counts what the entities with the fact about c have beside that fact.
    void count_features(std::uint32_t c) {
        counts_.clear();
        alone_ = 0;
        for (const std::uint32_t x : graph_.neighbours(c, opposite(head_))) {
            if (x == c && !reflexive_) {
                continue;
            }
            each_feature(graph_, x, [&](const Feature& feature) {
                if (feature.step != head_ || feature.end != c) {
                    counts_.add(key_of(feature));
                }
            });
            steps_of(graph_, x, steps_);
            for (const StepCode step : steps_) {
                const bool itself = step == head_ && graph_.neighbours(x, head_).size() == 1;
                alone_ += itself ? 1 : 0;
                if (!itself) {
                    counts_.add(key_of({step, kNoEntity}));
                }
            }
        }
    }

    GraphRule rule_of(std::uint32_t c, const Feature& feature, std::uint32_t support) {
        const bool free = feature.end == kNoEntity;
        double all = static_cast<double>(
            free ? graph_.subjects(feature.step).size()
                 : graph_.neighbours(feature.end, opposite(feature.step)).size());
        double among = known(feature);
        if (free && feature.step == head_) {
            all -= alone_;
            among -= alone_;
        }
        // c itself, where it has the feature, is nothing that the rule predicts
        if (!reflexive_ && (free ? !graph_.neighbours(c, feature.step).empty()
                                 : graph_.contains(c, feature.step, feature.end))) {
            all -= 1;
            among -= graph_.neighbours(c, head_).empty() ? 0 : 1;
        }
        GraphRule rule = constant_rule(head_, c, support, all, among);
        rule.length = 1;
        rule.steps[0] = feature.step;
        rule.end = feature.end;
        if (graph_.contains(c, head_, c) && relation_of(feature.step) == relation_of(head_)) {
            // the fact about c and c may be its own evidence in two ways
            std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();
            rule.evidence = evaluation::count_evidence(rule, walk_, unlimited);
        }
        return rule;
    }

    /// Entities of a feature that have some fact of the head.
    std::uint32_t known(const Feature& feature) {
        const std::uint64_t key = key_of(feature);
        if (const std::uint32_t counted = known_.count(key); counted > 0) {
            return counted - 1;
        }
        const std::span<const std::uint32_t> all =
            feature.end == kNoEntity ? graph_.subjects(feature.step)
                                     : graph_.neighbours(feature.end, opposite(feature.step));
        std::uint32_t count = 0;
        for (const std::uint32_t x : all) {
            count += has_fact_[x];
        }
        known_.add(key, count + 1);
        return count;
    }

    StepCode head_;
    const MineSettings& settings_;
    evaluation::GraphWalk& walk_;
    const Graph& graph_;
    bool reflexive_;
    std::vector<std::uint8_t> has_fact_;  // of the head, by entity
    Counter known_;                       // one more than known(), of the features asked for
    Counter counts_;                      // those that have the fact about c
    std::uint32_t alone_ = 0;             // entities whose only fact of the head is that about c
    std::vector<StepCode> steps_;
};

}  // namespace

void frequency_rules(StepCode head, const Graph& graph, std::vector<GraphRule>& into) {
    for (const std::uint32_t c : graph.subjects(opposite(head))) {
        into.push_back(frequency_rule(head, c, graph));
    }
}

void constant_rules(StepCode head, const MineSettings& settings, evaluation::GraphWalk& walk,
                    const std::function<bool()>& stopped, std::vector<GraphRule>& into) {
    if (stopped()) {
        return;
    }
    ShortConstantRules rules(head, settings, walk);
    for (const std::uint32_t c : constants_of(walk.graph(), head)) {
        if (stopped()) {
            return;
        }
        rules.add(c, into);
    }
}

namespace {

/// p(X,Z), q(Z,d): 20 bits for a pair of steps that was met, 32 for d.
class StepPairs {
  public:
    std::uint32_t intern(StepCode first, StepCode second) {
        const auto [known, is_new] =
            ids_.try_emplace(std::uint64_t{first} << 32U | second, pairs_.size());
        if (is_new) {
            pairs_.push_back({first, second});
        }
        return known->second;
    }

    const std::array<StepCode, 2>& operator[](std::uint32_t id) const { return pairs_[id]; }

  private:
    std::unordered_map<std::uint64_t, std::uint32_t> ids_;
    std::vector<std::array<StepCode, 2>> pairs_;
};

constexpr std::size_t kSampledFacts = 30;   // of one constant
constexpr std::size_t kSampledEdges = 40;   // of one entity
constexpr std::size_t kBodiesPerHead = 40;  // counted exactly, for one constant

/// Counts pairs of steps and their ends, and pairs alone, that some of the entities with the fact
/// (head, c) have.
void count_pairs(const Graph& graph, StepCode head, std::uint32_t c, bool recursion,
                 StepPairs& pairs, std::int64_t& budget, Counter& counts) {
    const std::uint32_t relation = relation_of(head);
    const std::span<const std::uint32_t> with = graph.neighbours(c, opposite(head));
    std::vector<std::uint64_t> own;
    const std::size_t facts = std::min(with.size(), kSampledFacts);
    for (std::size_t i = 0; i < facts; ++i) {
        const std::uint32_t x = with[i * with.size() / facts];
        own.clear();
        const std::span<const Edge> edges = graph.edges(x);
        const std::size_t first = std::min(edges.size(), kSampledEdges);
        for (std::size_t j = 0; j < first; ++j) {
            const Edge& edge = edges[j * edges.size() / first];
            if ((edge.step == head && edge.target == c) ||
                (!recursion && relation_of(edge.step) == relation))
                continue;
            const std::span<const Edge> onward = graph.edges(edge.target);
            const std::size_t second = std::min(onward.size(), kSampledEdges);
            budget -= static_cast<std::int64_t>(second);
            for (std::size_t k = 0; k < second; ++k) {
                const Edge& next = onward[k * onward.size() / second];
                if (next.target == x || (!recursion && relation_of(next.step) == relation))
                    continue;
                const std::uint64_t pair = pairs.intern(edge.step, next.step);
                own.push_back(pair << 32U | next.target);
                own.push_back(pair << 32U | kNoEntity);
            }
        }
        std::sort(own.begin(), own.end());
        own.erase(std::unique(own.begin(), own.end()), own.end());
        for (const std::uint64_t key : own)
            counts.add(key);
    }
}

}  // namespace

void long_constant_rules(StepCode head, const MineSettings& settings, evaluation::GraphWalk& walk,
                         const std::function<bool()>& stopped, std::int64_t& budget,
                         std::vector<GraphRule>& into) {
    const Graph& graph = walk.graph();
    StepPairs pairs;
    Counter counts;
    for (const std::uint32_t c : constants_of(graph, head)) {
        const std::span<const std::uint32_t> with = graph.neighbours(c, opposite(head));
        if (static_cast<double>(with.size()) < std::max(settings.min_support, 3.0) || budget < 0 ||
            stopped()) {
            break;
        }
        counts.clear();
        count_pairs(graph, head, c, settings.recursion, pairs, budget, counts);
        std::vector<std::pair<std::uint32_t, std::uint64_t>> found;
        counts.each([&](std::uint64_t key, std::uint32_t count) {
            if (count >= 2) {
                found.emplace_back(count, key);
            }
        });
        std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
            return a.first != b.first ? a.first > b.first : a.second < b.second;
        });
        found.resize(std::min(found.size(), kBodiesPerHead));
        for (const auto& [count, key] : found) {
            GraphRule rule;
            rule.head = head;
            rule.constant = c;
            rule.length = 2;
            rule.steps[0] = pairs[static_cast<std::uint32_t>(key >> 32U)][0];
            rule.steps[1] = pairs[static_cast<std::uint32_t>(key >> 32U)][1];
            rule.end = static_cast<std::uint32_t>(key);
            constexpr std::int64_t kPerBody = 20'000;
            std::int64_t left = kPerBody;
            rule.evidence = evaluation::count_evidence(rule, walk, left);
            budget -= kPerBody - left;
            if (tells(rule, settings,
                      static_cast<double>(with.size()) /
                          static_cast<double>(graph.subjects(head).size()))) {
                into.push_back(rule);
            }
        }
    }
}

}  // namespace hri::search
