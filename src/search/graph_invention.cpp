// SPDX-License-Identifier: Apache-2.0

// Invented relations of a knowledge graph: disjunctions of steps that many rules share.
//
//   uncle(X,Y) :- brother(X,Z1), father(Z1,Y).        aux1(X,Y) :- father(X,Y).
//   uncle(X,Y) :- brother(X,Z1), mother(Z1,Y).   =>   aux1(X,Y) :- mother(X,Y).
//   ...                                               uncle(X,Y) :- brother(X,Z1), aux1(Z1,Y).

#include "hri/mine.hpp"

#include "evaluate/graph_walk.hpp"
#include "search/graph_rule_order.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace hri {
namespace search {
namespace {

constexpr std::size_t kInventedPaths = 300;  // of one relation, those that say most
constexpr double kMinConfidence = 0.1;       // of a path that takes part
constexpr double kMaxDifference = 0.15;      // between the confidences of paths that become one
constexpr double kMaxLoss = 0.02;            // of confidence where they do
constexpr double kPessimism = 5;
constexpr std::int64_t kPerInvention = 1'000'000;  // edges met to count one path
constexpr std::size_t kMinUses = 2;                // rules over an invented relation

/// A path with one step left open.
struct Pattern {
    StepCode head = 0;
    int length = 0;
    int hole = 0;
    std::array<StepCode, GraphRule::kMaxLength> steps{};
    auto operator<=>(const Pattern&) const = default;
};

/// Rules of one pattern, by the step in its hole.
using Fillers = std::map<StepCode, std::uint32_t>;
using Patterns = std::map<Pattern, Fillers>;
using Steps = std::set<StepCode>;

class Inventor {
  public:
    Inventor(GraphRules& rules, GraphData& data, const Graph& graph)
        : rules_(rules), data_(data), graph_(graph) {
        find_patterns();
    }

    bool invent();
    void finish();

  private:
    void find_patterns();
    bool is_alike(const Fillers& fillers, const Steps& steps) const;
    int saved(const Steps& steps) const;
    Steps best_steps() const;

    double confidence_of(std::uint32_t rule) const {
        return confidence(rules_.rules[rule].evidence, kPessimism);
    }

    GraphRules& rules_;
    GraphData& data_;
    const Graph& graph_;
    Patterns patterns_;
    std::set<Steps> tried_;
    std::set<std::uint32_t> replaced_;
};

void Inventor::find_patterns() {
    std::map<std::uint32_t, std::vector<std::uint32_t>> paths;  // by relation
    for (std::uint32_t i = 0; i < rules_.rules.size(); ++i) {
        const GraphRule& rule = rules_.rules[i];
        if (rule.is_path() && rule.length >= 2 && !rule.condition.given &&
            confidence_of(i) >= kMinConfidence) {
            paths[relation_of(rule.head)].push_back(i);
        }
    }
    for (auto& [relation, some] : paths) {
        std::stable_sort(some.begin(), some.end(), [&](std::uint32_t a, std::uint32_t b) {
            return rules_.rules[a].evidence.support * confidence_of(a) >
                   rules_.rules[b].evidence.support * confidence_of(b);
        });
        some.resize(std::min(some.size(), kInventedPaths));
        for (const std::uint32_t i : some) {
            const GraphRule& rule = rules_.rules[i];
            for (int hole = 0; hole < rule.length; ++hole) {
                Pattern pattern{rule.head, rule.length, hole, rule.steps};
                const StepCode filler =
                    std::exchange(pattern.steps[static_cast<std::size_t>(hole)], 0);
                if (relation_of(filler) != relation) {  // a fact is no evidence for itself
                    patterns_[pattern].emplace(filler, i);
                }
            }
        }
    }
}

/// All steps fill the pattern, to rules that are about equally right.
bool Inventor::is_alike(const Fillers& fillers, const Steps& steps) const {
    double least = 1;
    double most = 0;
    for (const StepCode step : steps) {
        const auto rule = fillers.find(step);
        if (rule == fillers.end() || replaced_.contains(rule->second)) {
            return false;
        }
        least = std::min(least, confidence_of(rule->second));
        most = std::max(most, confidence_of(rule->second));
    }
    return most - least <= kMaxDifference;
}

/// Literals that the rules have less, those of the definition counted.
int Inventor::saved(const Steps& steps) const {
    const int count = static_cast<int>(steps.size());
    int literals = -2 * count;
    for (const auto& [pattern, fillers] : patterns_) {
        if (is_alike(fillers, steps)) {
            literals += (count - 1) * (pattern.length + 1);
        }
    }
    return literals;
}

/// Grown from the pair that most patterns share; empty where nothing is saved.
Steps Inventor::best_steps() const {
    std::map<Steps, int> pairs;
    for (const auto& [pattern, fillers] : patterns_) {
        for (auto a = fillers.begin(); a != fillers.end(); ++a) {
            for (auto b = std::next(a); b != fillers.end(); ++b) {
                const Steps pair{a->first, b->first};
                if (is_alike(fillers, pair)) {
                    pairs[pair] += pattern.length + 1;
                }
            }
        }
    }
    Steps best;
    int value = 0;
    for (const auto& [pair, literals] : pairs) {
        if (literals - 4 > value && !tried_.contains(pair)) {
            value = literals - 4;
            best = pair;
        }
    }
    for (bool grows = !best.empty(); grows;) {
        grows = false;
        Steps candidates;
        for (const auto& [pattern, fillers] : patterns_) {
            if (is_alike(fillers, best)) {
                for (const auto& [step, rule] : fillers) {
                    candidates.insert(step);
                }
            }
        }
        Steps larger;
        for (const StepCode step : candidates) {
            Steps one = best;
            if (one.insert(step).second && !tried_.contains(one)) {
                const int now = saved(one);
                if (now > value) {
                    value = now;
                    larger = one;
                }
            }
        }
        if (!larger.empty()) {
            best = larger;
            grows = true;
        }
    }
    return best;
}

/// Defines one relation more. False where none is left that would make the rules shorter.
bool Inventor::invent() {
    const Steps steps = best_steps();
    if (steps.empty()) {
        return false;
    }
    tried_.insert(steps);
    const auto relation = static_cast<std::uint32_t>(data_.relations.size());
    const InventedRelation invented{relation, {steps.begin(), steps.end()}};
    const Graph graph(graph_.entities(), relation + 1,
                      with_invented(data_.training, {&invented, 1}));
    evaluation::GraphWalk walk(graph);
    std::vector<GraphRule> merged;
    std::vector<std::uint32_t> parts;
    for (const auto& [pattern, fillers] : patterns_) {
        if (!is_alike(fillers, steps)) {
            continue;
        }
        double least = 1;
        for (const StepCode step : steps) {
            least = std::min(least, confidence_of(fillers.at(step)));
        }
        GraphRule rule;
        rule.head = pattern.head;
        rule.length = pattern.length;
        rule.steps = pattern.steps;
        rule.steps[static_cast<std::size_t>(pattern.hole)] = forward(relation);
        std::int64_t left = kPerInvention;
        rule.evidence = evaluation::count_evidence(rule, walk, left);
        if (confidence(rule.evidence, kPessimism) >= least - kMaxLoss) {
            merged.push_back(rule);
            for (const StepCode step : steps) {
                parts.push_back(fillers.at(step));
            }
        }
    }
    if (merged.size() >= kMinUses) {
        std::string name = "aux1";
        for (int i = 2; data_.relations.find(name); ++i) {
            name = "aux" + std::to_string(i);
        }
        data_.relations.intern(name);
        rules_.invented.push_back(invented);
        rules_.rules.insert(rules_.rules.end(), merged.begin(), merged.end());
        replaced_.insert(parts.begin(), parts.end());
    }
    return true;
}

/// Removes the rules that others replace, and sorts the rest.
void Inventor::finish() {
    std::vector<GraphRule> kept;
    for (std::uint32_t i = 0; i < rules_.rules.size(); ++i) {
        if (!replaced_.contains(i)) {
            kept.push_back(rules_.rules[i]);
        }
    }
    std::stable_sort(kept.begin(), kept.end(), [](const GraphRule& a, const GraphRule& b) {
        const auto kind = [](const GraphRule& rule) {
            return std::pair(relation_of(rule.head), !rule.is_path());
        };
        return kind(a) != kind(b) ? kind(a) < kind(b) : a.is_path() && comes_before(a, b);
    });
    rules_.rules = std::move(kept);
}

}  // namespace
}  // namespace search

void invent_relations(GraphRules& rules, GraphData& data, const Graph& graph,
                      const MineSettings& settings) {
    check_fields(settings);
    search::Inventor inventor(rules, data, graph);
    while (static_cast<int>(rules.invented.size()) < settings.max_inventions &&
           !(settings.interrupt != nullptr && settings.interrupt->load()) && inventor.invent()) {
    }
    if (!rules.invented.empty()) {
        inventor.finish();
    }
}

}  // namespace hri
