// SPDX-License-Identifier: Apache-2.0
#include "hri/learn_graph.hpp"
#include "hri/ranking.hpp"

#include "base/mpi.hpp"

#include <algorithm>
#include <chrono>
#include <string>

namespace hri {
namespace {

constexpr double kMining = 0.55;            // of the time limit
constexpr double kMinChoice = 0.05;         // of the time limit
constexpr double kSecondsPerRule = 2.5e-6;  // to write it

/// Relation i of the list goes to process i modulo their number.
std::vector<std::uint32_t> own_targets(const MineSettings& settings, const GraphData& data,
                                       const base::Communicator& ranks) {
    std::vector<std::uint32_t> all = settings.targets;
    for (std::uint32_t r = 0; settings.targets.empty() && r < data.relations.size(); ++r) {
        all.push_back(r);
    }
    std::vector<std::uint32_t> own;
    for (auto i = static_cast<std::size_t>(ranks.rank()); i < all.size();
         i += static_cast<std::size_t>(ranks.size())) {
        own.push_back(all[i]);
    }
    return own;
}

/// The first process gets all rules.
void gather(Mined& mined, base::Communicator& ranks) {
    if (ranks.size() == 1) {
        return;
    }
    const std::string bytes(reinterpret_cast<const char*>(mined.rules.rules.data()),
                            mined.rules.rules.size() * sizeof(GraphRule));
    std::vector<GraphRule> all;
    for (const std::string& one : ranks.gather(bytes)) {
        const std::size_t before = all.size();
        all.resize(before + one.size() / sizeof(GraphRule));
        std::copy(one.begin(), one.end(), reinterpret_cast<char*>(all.data() + before));
    }
    std::stable_sort(all.begin(), all.end(), [](const GraphRule& a, const GraphRule& b) {
        return relation_of(a.head) < relation_of(b.head);
    });
    mined.rules.rules = std::move(all);
}

}  // namespace

Mined learn_graph_rules(GraphData& data, const MineSettings& settings) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(Clock::now() - begin).count();
    };
    base::Communicator& ranks = base::Communicator::all();
    const Graph graph(data);
    MineSettings mining = settings;
    mining.targets = own_targets(settings, data, ranks);
    if (settings.time_limit > 0) {
        mining.time_limit =
            std::max(kMinChoice * settings.time_limit, kMining * settings.time_limit - seconds());
    }
    Mined mined = mining.targets.empty() ? Mined{} : mine_rules(graph, mining);
    gather(mined, ranks);
    if (!ranks.is_first()) {
        return {};
    }
    invent_relations(mined.rules, data, graph, settings);
    RankSettings choice{.threads = settings.threads, .interrupt = settings.interrupt};
    if (settings.time_limit > 0) {
        choice.choice_seconds =
            std::max(kMinChoice * settings.time_limit,
                     settings.time_limit - seconds() -
                         kSecondsPerRule * static_cast<double>(mined.rules.rules.size()));
    }
    if (settings.progress) {
        choice.progress = [&](double done) {
            settings.progress({.fraction = done, .is_choosing = true});
        };
    }
    if (mined.rules.invented.empty()) {
        choose_aggregations(mined.rules, data, graph, choice);
    } else {
        choose_aggregations(mined.rules, data, Graph(data, mined.rules.invented), choice);
    }
    mined.seconds_of_choice = seconds() - mined.seconds;
    return mined;
}

}  // namespace hri
