// SPDX-License-Identifier: Apache-2.0
// Knowledge graphs: rules of all relations, answers to queries with their rules, neighbourhoods.

#include "hri/mine.hpp"
#include "hri/ranking.hpp"

#include "world.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace hri::studio {

namespace {

constexpr int kMaxRows = 200;
constexpr std::size_t kMaxNodes = 40;        // of a drawn neighbourhood
constexpr std::size_t kMaxKept = 200'000;    // rules kept for another session
constexpr std::size_t kMaxJudged = 100'000;  // triples to rank on request

/// Settings of all runs, which mining takes too.
bool is_shared(const std::string& name) {
    return name == "seed" || name == "time_limit" || name == "max_work";
}

Json score_json(const RankScore& score) {
    return {{"queries", score.queries},
            {"mrr", score.mrr},
            {"hits_1", score.hits_1},
            {"hits_3", score.hits_3},
            {"hits_10", score.hits_10}};
}

class GraphWorld : public World {
  public:
    explicit GraphWorld(const std::filesystem::path& path)
        : data_(read_graph(path)), graph_(data_) {}

    std::string kind() const override { return "graph"; }

    Json about() const override {
        Json rows = Json::array();
        for (std::uint32_t r = 0; r < data_.relations.size(); ++r) {
            const auto facts = graph_.facts(r);
            rows.push_back({data_.relations[r], facts.size(),
                            facts.empty() ? ""
                                          : fmt::format("{}({}, {})", data_.relations[r],
                                                        data_.entities[facts[0].head],
                                                        data_.entities[facts[0].tail])});
        }
        return {{"name", data_.name},
                {"figures",
                 {{{"name", "entities"}, {"value", data_.entities.size()}},
                  {{"name", "relations"}, {"value", data_.relations.size()}},
                  {{"name", "training triples"}, {"value", graph_.size()}},
                  {{"name", "validation triples"}, {"value", data_.valid.size()}},
                  {{"name", "test triples"}, {"value", data_.test.size()}}}},
                {"columns", {"Relation", "Facts", "First fact"}},
                {"rows", std::move(rows)},
                {"warnings", data_.warnings}};
    }

    Json fields() const override {
        Json list = Json::array();
        for (const Field<LearnSettings>& field : fields_of<LearnSettings>()) {
            if (is_shared(field.name)) {
                Json json = field_json(field, field.get({}));
                json["common"] = true;
                list.push_back(std::move(json));
            }
        }
        for (const Field<MineSettings>& field : fields_of<MineSettings>()) {
            if (field.name != "max_inventions") {  // the page shows rules over the graph as it is
                list.push_back(field_json(field, field.get({})));
            }
        }
        return list;
    }

    void learn(const WorldRun& run) override {
        MineSettings settings;
        LearnSettings shared;
        for (const auto& [name, value] : run.wishes.items()) {
            if (is_shared(name)) {
                set_field(shared, name, wish_text(value));
            } else {
                set_field(settings, name, wish_text(value));
            }
        }
        check_fields(settings);
        check_fields(shared);
        settings.seed = shared.seed;
        settings.time_limit = shared.time_limit;
        settings.max_work = shared.max_work;
        settings.threads = run.threads;
        settings.resume = run.resume;
        settings.interrupt = run.interrupt;
        settings.checkpoint = run.checkpoint;
        settings.progress = [&](const MineProgress& now) {
            run.progress(
                {.fraction = now.fraction,
                 .program = fmt::format("round {}: {} of {} relations, now {}", now.round + 1,
                                        now.done, now.relations, data_.relations[now.relation])});
        };
        auto rules = std::make_shared<GraphRules>(mine_rules(graph_, settings).rules);
        choose_aggregations(*rules, data_, graph_,
                            {.threads = run.threads, .interrupt = run.interrupt});
        rules_.set(std::move(rules));
    }

    bool has_learned() const override { return rules_.get() != nullptr; }

    Json rules(const Json& wanted) const override {
        const auto rules = rules_.required();
        std::map<std::uint32_t, std::int64_t> counts;
        for (const GraphRule& rule : rules->rules) {
            ++counts[relation_of(rule.head)];
        }
        Json groups = Json::array();
        for (const auto& [relation, count] : counts) {
            groups.push_back({{"name", data_.relations[relation]}, {"count", count}});
        }
        Json rows = Json::array();
        std::int64_t all = 0;
        const std::string group = wanted.value("group", "");
        const int offset = wanted.value("offset", 0);
        const int count = std::clamp(wanted.value("count", 50), 0, kMaxRows);
        for (const GraphRule& rule : rules->rules) {
            if (data_.relations[relation_of(rule.head)] != group) {
                continue;
            }
            if (all >= offset && all < offset + count) {
                rows.push_back(rule_json(rule));
            }
            ++all;
        }
        return {{"groups", std::move(groups)}, {"count", all}, {"rows", std::move(rows)}};
    }

    Json ask(const Json& question) const override {
        if (question.contains("around")) {
            return around(question.at("around"));
        }
        if (question.contains("judge")) {
            return judge();
        }
        return answers_to(question.at("query"), std::clamp(question.value("top", 10), 1, kMaxRows));
    }

    std::string learned() const override {
        const auto rules = rules_.get();
        return rules && rules->rules.size() <= kMaxKept ? to_prolog(*rules, data_, graph_) : "";
    }

    void restore(const std::string& text) override {
        rules_.set(
            std::make_shared<GraphRules>(parse_graph_rules(text, "the last session", data_)));
    }

  private:
    Json rule_json(const GraphRule& rule) const {
        return {{"text", to_prolog(rule, data_)},
                {"confidence", confidence(rule.evidence)},
                {"support", rule.evidence.support},
                {"predictions", rule.evidence.predictions}};
    }

    Json answers_to(const std::string& text, int top) const {
        const auto rules = rules_.required();
        const GraphQuery query = parse_graph_query(text, data_, "the query");
        Json found = Json::array();
        for (const Answer& answer : answers(*rules, graph_, query.step, query.source, top)) {
            Json because = Json::array();
            for (const std::uint32_t i : answer.rules) {
                because.push_back(rule_json(rules->rules[i]));
            }
            found.push_back({{"entity", data_.entities[answer.entity]},
                             {"score", answer.score},
                             {"rules", std::move(because)}});
        }
        Json known = Json::array();
        for (const std::uint32_t entity : graph_.neighbours(query.source, query.step)) {
            if (known.size() < kMaxRows) {
                known.push_back(data_.entities[entity]);
            }
        }
        return {{"answers", std::move(found)}, {"known", std::move(known)}};
    }

    /// An entity with its neighbours, as nodes and edges.
    Json around(const std::string& name) const {
        const std::optional<std::uint32_t> centre = data_.entities.find(name);
        if (!centre || *centre >= graph_.entities()) {
            throw Error(fmt::format("there is no entity '{}' in the graph", name));
        }
        std::map<std::uint32_t, std::size_t> place = {{*centre, 0}};
        Json nodes = Json::array({{{"name", name}, {"labels", Json::array()}}});
        Json edges = Json::array();
        const auto all = graph_.edges(*centre);
        for (const Edge& edge : all) {
            if (place.count(edge.target) == 0 && place.size() < kMaxNodes) {
                place.emplace(edge.target, place.size());
                nodes.push_back({{"name", data_.entities[edge.target]}, {"labels", Json::array()}});
            }
            const auto other = place.find(edge.target);
            if (other != place.end() && !(is_backward(edge.step) && edge.target == *centre)) {
                const std::size_t from = is_backward(edge.step) ? other->second : 0;
                const std::size_t to = is_backward(edge.step) ? 0 : other->second;
                edges.push_back({{"from", from},
                                 {"to", to},
                                 {"predicate", data_.relations[relation_of(edge.step)]}});
            }
        }
        return {{"nodes", std::move(nodes)}, {"edges", std::move(edges)}, {"all", all.size()}};
    }

    Json judge() const {
        const auto rules = rules_.required();
        if (data_.test.empty() || data_.test.size() > kMaxJudged) {
            throw Error(
                data_.test.empty()
                    ? std::string("there are no test triples to rank")
                    : fmt::format("{} test triples are too many to rank here", data_.test.size()),
                {}, "use `hri rank` on the command line");
        }
        const Ranking ranking = rank(*rules, data_, graph_, data_.test);
        return {{"all", score_json(ranking.all)},
                {"tails", score_json(ranking.tails)},
                {"heads", score_json(ranking.heads)}};
    }

    GraphData data_;
    Graph graph_;
    Shared<GraphRules> rules_;
};

}  // namespace

std::shared_ptr<World> open_graph_world(const std::filesystem::path& path) {
    return std::make_shared<GraphWorld>(path);
}

}  // namespace hri::studio
