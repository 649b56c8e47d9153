// SPDX-License-Identifier: Apache-2.0

// Rounds over all relations. The first one counts rules with constants and short paths; later ones
// look for longer paths, with twice the work each.

#include "hri/mine.hpp"

#include "base/fields.hpp"
#include "search/graph_constants.hpp"
#include "search/graph_miner.hpp"
#include "search/graph_paths.hpp"
#include "search/graph_rule_order.hpp"
#include "search/graph_trees.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <memory>
#include <mutex>
#include <tuple>

namespace hri {

template <>
const std::vector<Field<MineSettings>>& fields_of<MineSettings>() {
    using S = MineSettings;
    constexpr const char* kGroup = "Knowledge graphs";
    static const std::vector<Field<S>> fields = {
        base::number({.name = "max_length",
                      .help = "The literals of a path rule's body at most.",
                      .group = kGroup},
                     &S::max_length, 1, GraphRule::kMaxLength),
        base::number({.name = "max_constant_length",
                      .help = "The literals of the body of a rule with constants at most.",
                      .group = kGroup},
                     &S::max_constant_length, 1, 2),
        base::boolean({.name = "constants",
                       .help = "Rules hold no constants.",
                       .group = kGroup,
                       .flag = "no-constants",
                       .turns_off = true},
                      &S::constants),
        base::boolean({.name = "trees",
                       .help = "Bodies are paths without side branches.",
                       .group = kGroup,
                       .flag = "no-trees",
                       .turns_off = true},
                      &S::trees),
        base::boolean({.name = "recursion",
                       .help = "Bodies do not hold the relation of their head.",
                       .group = kGroup,
                       .flag = "no-recursion",
                       .turns_off = true},
                      &S::recursion),
        base::number({.name = "min_support",
                      .help = "The facts that a rule predicts at least.",
                      .group = kGroup},
                     &S::min_support, 1),
        base::number({.name = "min_confidence",
                      .help = "The confidence of a rule at least, or its PCA confidence.",
                      .group = kGroup},
                     &S::min_confidence, 0, 1),
        base::number({.name = "max_rules",
                      .help = "The rules per relation and kind at most, the most confident ones.",
                      .group = kGroup},
                     &S::max_rules, 1),
        base::number({.name = "max_inventions",
                      .help = "The relations that may be invented, so that rules that differ in "
                              "one step become one; 0 means none.",
                      .group = kGroup},
                     &S::max_inventions, 0, 1000)};
    return fields;
}

namespace search {

bool comes_before(const GraphRule& a, const GraphRule& b) {
    const double of_a = confidence(a.evidence, 5);
    const double of_b = confidence(b.evidence, 5);
    if (of_a != of_b) {
        return of_a > of_b;
    }
    return std::tie(b.evidence.support, a.head, a.constant, a.length, a.steps, a.end, a.condition) <
           std::tie(a.evidence.support, b.head, b.constant, b.length, b.steps, b.end, b.condition);
}

namespace {

constexpr std::int64_t kFirstWork = 8'000'000;  // edges per relation in the round after the first
constexpr std::size_t kShortFacts = 3000;       // looked at for paths of one and two steps
constexpr int kRounds = 40;
// what a relation gets although its share of the time is over
constexpr std::size_t kSureFacts = 100;     // looked at for paths
constexpr std::size_t kSureBodies = 3;      // counted
constexpr std::size_t kSureConstants = 20;  // of either end
constexpr double kForever = std::numeric_limits<double>::max();
constexpr std::int64_t kPerPath = 1'000'000;  // edges met to count one path

}  // namespace

Miner::Miner(const Graph& graph, const MineSettings& settings)
    : graph_(graph),
      settings_(settings),
      begin_(Clock::now()),
      pool_(std::max(1, settings.threads)) {
    std::vector<std::uint32_t> targets = settings.targets;
    if (targets.empty()) {
        for (std::uint32_t r = 0; r < graph.relations(); ++r) {
            targets.push_back(r);
        }
    }
    std::stable_sort(targets.begin(), targets.end(), [&](std::uint32_t a, std::uint32_t b) {
        return graph.facts(a).size() > graph.facts(b).size();
    });
    for (const std::uint32_t r : targets) {
        if (!graph.facts(r).empty()) {
            searches_.push_back({});
            searches_.back().relation = r;
        }
    }
}

bool Miner::stopped() const {
    return (settings_.interrupt != nullptr && settings_.interrupt->load()) ||
           (settings_.time_limit > 0 && seconds() > settings_.time_limit);
}

namespace {

bool keeps(const GraphRule& rule, const MineSettings& settings) {
    const double best = std::max({confidence(rule.evidence), pca_confidence(rule.evidence, false),
                                  pca_confidence(rule.evidence, true)});
    return rule.evidence.support >= settings.min_support && best >= settings.min_confidence;
}

}  // namespace

void Miner::cap(std::vector<GraphRule>& rules) const {
    const auto most = static_cast<std::size_t>(settings_.max_rules);
    if (rules.size() > most) {
        std::nth_element(rules.begin(), rules.begin() + settings_.max_rules, rules.end(),
                         comes_before);
        rules.resize(most);
        rules.shrink_to_fit();
    }
    std::sort(rules.begin(), rules.end(), comes_before);
}

/// Counts the evidence of the bodies that join most facts first.
void Miner::count_paths(RelationSearch& search, const PathCounts& found, int length,
                        std::uint32_t at_least, MineWorker& worker, std::int64_t budget) {
    std::vector<std::pair<std::uint32_t, PathBody>> bodies;
    for (const auto& [body, count] : found) {
        const bool recursive = std::any_of(body.begin(), body.begin() + length, [&](StepCode step) {
            return relation_of(step) == search.relation;
        });
        if (count.facts >= at_least && (settings_.recursion || !recursive) &&
            !search.counted.contains(body)) {
            bodies.emplace_back(count.facts, body);
        }
    }
    std::sort(bodies.begin(), bodies.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    search.idle = bodies.empty() ? search.idle + 1 : 0;
    std::size_t counted = 0;
    for (const auto& [facts, body] : bodies) {
        if (budget < 0 || cut(worker, counted++, kSureBodies)) {
            return;
        }
        search.counted.insert(body);
        GraphRule rule;
        rule.head = forward(search.relation);
        rule.length = length;
        std::copy(body.begin(), body.begin() + length, rule.steps.begin());
        std::int64_t left = kPerPath;
        rule.evidence = evaluation::count_evidence(rule, worker.walk, left);
        budget -= kPerPath - left;
        search.work += kPerPath - left;
        ++search.bodies;
        if (keeps(rule, settings_)) {
            search.paths.push_back(rule);
        }
    }
}

void Miner::frequencies(RelationSearch& search) {
    for (const StepCode head : {forward(search.relation), backward(search.relation)}) {
        frequency_rules(head, graph_, search.constants);
    }
    cap(search.constants);
}

void Miner::short_constants(RelationSearch& search, MineWorker& worker) {
    std::vector<GraphRule> found;
    for (const StepCode head : {forward(search.relation), backward(search.relation)}) {
        frequency_rules(head, graph_, found);
        std::size_t counted = 0;
        constant_rules(
            head, settings_, worker.walk, [&] { return cut(worker, counted++, kSureConstants); },
            found);
    }
    if (found.size() >= search.constants.size()) {
        search.constants = std::move(found);
    }
    cap(search.constants);
}

void Miner::short_paths(RelationSearch& search, int length, MineWorker& worker) {
    const std::span<const Triple> facts = graph_.facts(search.relation);
    Random random(settings_.seed, std::uint64_t{search.relation} << 16U);
    PathCounts found;
    std::int64_t budget = 2 * kFirstWork;
    const std::size_t count = std::min(facts.size(), kShortFacts);
    for (std::size_t i = 0; i < count && budget > 0 && !cut(worker, i, kSureFacts); ++i) {
        worker.finder.find(facts[i * facts.size() / count], static_cast<std::uint32_t>(i), length,
                           0, random, found, budget);
    }
    search.work += 2 * kFirstWork - budget;
    count_paths(search, found, length, facts.size() < 20 ? 1 : 2, worker, 4 * kFirstWork);
    cap(search.paths);
}

void Miner::later_round(RelationSearch& search, int round, MineWorker& worker) {
    const std::int64_t budget = kFirstWork << std::min(round - 1, 10);
    if (settings_.constants && settings_.max_constant_length > 1 && round >= 2 &&
        !search.has_long_constants) {
        search.has_long_constants = true;
        for (const StepCode head : {forward(search.relation), backward(search.relation)}) {
            std::int64_t left = 4 * kFirstWork;
            long_constant_rules(
                head, settings_, worker.walk, [this] { return stopped(); }, left, search.constants);
            search.work += 4 * kFirstWork - left;
        }
        cap(search.constants);
    }
    if (settings_.trees && round >= 2 && !search.has_trees) {
        search.has_trees = true;
        std::int64_t left = budget;
        tree_rules(search.paths, settings_, worker.walk, left);
        search.work += budget - left;
    }
    const int longest = std::min(settings_.max_length, 3 + (round - 1) / 2);
    if (longest < 3) {
        search.finished = round >= 2;
        return;
    }
    const int length = 3 + (round - 1) % (longest - 2);
    const std::span<const Triple> facts = graph_.facts(search.relation);
    Random random(settings_.seed,
                  (std::uint64_t{search.relation} << 16U) + static_cast<std::uint64_t>(round));
    std::vector<std::uint32_t> order(facts.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        order[i] = i;
    }
    random.shuffle(order);
    PathCounts found;
    std::int64_t left = budget / 4;
    const int samples = 50 << std::min(round, 6);
    for (std::size_t i = 0; i < order.size() && left > 0; ++i) {
        if (i % 64 == 0 && stopped()) {
            return;
        }
        worker.finder.find(facts[order[i]], static_cast<std::uint32_t>(i), length, samples, random,
                           found, left);
    }
    search.work += budget / 4 - left;
    count_paths(search, found, length, facts.size() < 20 ? 1 : 2, worker, budget);
    cap(search.paths);
    search.finished = search.idle > settings_.max_length;
}

/// Visits the relations on all threads, the first ones first, until the run stops. They share the
/// time until `until`: half of it evenly, half by their facts.
void Miner::each_search(const std::vector<RelationSearch*>& searches, int round, double until,
                        const std::function<void(RelationSearch&, MineWorker&)>& visit) {
    std::mutex mutex;
    std::size_t done = 0;
    double facts = 0;
    for (const RelationSearch* search : searches) {
        facts += static_cast<double>(graph_.facts(search->relation).size());
    }
    const double mean = facts / static_cast<double>(searches.size());
    double waiting = 2 * facts;
    pool_.each(static_cast<int>(searches.size()), [&](int i) {
        if (stopped()) {
            return;
        }
        std::unique_ptr<MineWorker> worker;
        {
            const std::lock_guard lock(mutex);
            if (!idle_.empty()) {
                worker = std::move(idle_.back());
                idle_.pop_back();
            }
        }
        if (!worker) {
            worker = std::make_unique<MineWorker>(graph_);
        }
        RelationSearch& search = *searches[static_cast<std::size_t>(i)];
        {
            const std::lock_guard lock(mutex);
            const double own = mean + static_cast<double>(graph_.facts(search.relation).size());
            const double now = seconds();
            worker->until =
                now + std::max(0.0, until - now) * std::min(1.0, pool_.size() * own / waiting);
            waiting -= own;
        }
        visit(search, *worker);
        const std::lock_guard lock(mutex);
        idle_.push_back(std::move(worker));
        ++done;
        if (settings_.progress) {
            settings_.progress(
                {settings_.time_limit > 0 ? std::min(1.0, seconds() / settings_.time_limit) : 0,
                 round, search.relation, searches.size(), done});
        }
    });
}

/// How frequent constants are, which is known at once; then paths of one step, paths of two, and
/// constants. Each part has its share of the time, so that a large graph gets some of all; what was
/// cut is done again in the time that is left.
void Miner::first_round(std::vector<RelationSearch*> open) {
    struct Part {
        double until;  // of the time limit
        std::function<void(RelationSearch&, MineWorker&)> visit;
    };

    std::vector<Part> parts;
    for (int length = 1; length <= std::min(2, settings_.max_length); ++length) {
        parts.push_back(
            {length == 1 ? 0.2 : 0.6, [this, length](RelationSearch& s, MineWorker& worker) {
                 short_paths(s, length, worker);
             }});
    }
    parts.push_back(
        {1, [this](RelationSearch& s, MineWorker& worker) { short_constants(s, worker); }});
    for (RelationSearch* search : open) {
        search->cut = (1U << parts.size()) - 1;
        if (!stopped()) {
            frequencies(*search);
        }
    }
    for (bool again = false; !open.empty() && !stopped(); again = true) {
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const std::uint32_t bit = 1U << i;
            std::vector<RelationSearch*> now;
            std::copy_if(open.begin(), open.end(), std::back_inserter(now),
                         [bit](const RelationSearch* search) { return (search->cut & bit) != 0; });
            const double until = settings_.time_limit > 0
                                     ? (again ? 1 : parts[i].until) * settings_.time_limit
                                     : kForever;
            each_search(now, 0, until, [&](RelationSearch& search, MineWorker& worker) {
                parts[i].visit(search, worker);
                search.cut &= share_is_over(worker) ? ~0U : ~bit;
            });
        }
        std::erase_if(open, [](const RelationSearch* search) { return search->cut == 0; });
    }
}

Mined Miner::run() {
    Mined mined;
    const int first = settings_.resume.empty() ? 0 : restore(settings_.resume);
    for (int round = first; round < kRounds && !stopped(); ++round) {
        std::vector<RelationSearch*> open;
        for (RelationSearch& search : searches_) {
            const bool over =
                settings_.max_work > 0 && search.work > settings_.max_work * 1000 && round > 0;
            if (!search.finished && !over) {
                open.push_back(&search);
            }
        }
        if (open.empty()) {
            mined.finished = true;
            break;
        }
        if (round == 0) {
            first_round(std::move(open));
        } else {
            each_search(open, round, kForever,
                        [this, round](RelationSearch& s, MineWorker& worker) {
                            later_round(s, round, worker);
                        });
        }
        if (!stopped()) {  // a round that was cut is done again
            ++mined.rounds;
            if (settings_.checkpoint) {
                settings_.checkpoint(checkpoint(round + 1));
            }
        }
    }
    std::sort(
        searches_.begin(), searches_.end(),
        [](const RelationSearch& a, const RelationSearch& b) { return a.relation < b.relation; });
    for (RelationSearch& search : searches_) {
        cap(search.paths);
        cap(search.constants);
        mined.rules.rules.insert(mined.rules.rules.end(), search.paths.begin(), search.paths.end());
        mined.rules.rules.insert(mined.rules.rules.end(), search.constants.begin(),
                                 search.constants.end());
        mined.counted += search.bodies;
        search = {};
    }
    mined.seconds = seconds();
    return mined;
}

}  // namespace search

Mined mine_rules(const Graph& graph, const MineSettings& settings) {
    check_fields(settings);
    return search::Miner(graph, settings).run();
}

}  // namespace hri
