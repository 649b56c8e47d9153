// SPDX-License-Identifier: Apache-2.0
#include "export/graph.hpp"

#include "logic/dependencies.hpp"
#include "logic/range_restricted_program.hpp"
#include "soft/matches.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace hri::exporting {

namespace {

/// Lines of a rule: it is broken before an "and" where it is long.
void add_lines(const Program& program, const Rule& rule, std::vector<std::string>& lines) {
    constexpr std::size_t kLong = 60;
    std::string text = to_text(Program{program.vocabulary, rule.head.predicate, {rule}});
    text.erase(text.find_last_not_of('\n') + 1);
    std::size_t end = 0;
    while (text.size() > kLong && (end = text.rfind(" & ", kLong)) != std::string::npos) {
        lines.push_back(text.substr(0, end));
        text = "    " + text.substr(end + 1);
    }
    lines.push_back(text);
}

}  // namespace

Graph graph_of(const Program& program) {
    const std::vector<bool> defined = logic::defined_predicates(program);
    const std::vector<bool> mentioned = logic::mentioned_predicates(program);
    const logic::Components found = logic::components(program);
    // a component stands one layer above the highest that it uses
    std::vector<int> layer(found.members.size(), 0);
    for (std::size_t c = 0; c < found.members.size(); ++c) {
        for (const Rule& rule : program.rules) {
            if (found.of[rule.head.predicate.id] != static_cast<int>(c)) {
                continue;
            }
            layer[c] = std::max(layer[c], 1);
            for (const Atom& atom : rule.body) {
                const auto below = static_cast<std::size_t>(
                    found.of[program.vocabulary.positive(atom.predicate).id]);
                layer[c] = std::max(layer[c], below == c ? 1 : layer[below] + 1);
            }
        }
    }
    Graph graph;
    graph.title = logic::indicator(program.vocabulary[program.target]);
    graph.of_program = true;
    std::vector<std::size_t> node_of(defined.size(), SIZE_MAX);
    for (std::uint32_t p = 0; p < defined.size(); ++p) {
        if (!mentioned[p] || program.vocabulary.is_negated(Predicate{p})) {
            continue;
        }
        const bool is_target = Predicate{p} == program.target;
        const auto component = static_cast<std::size_t>(found.of[p]);
        node_of[p] = graph.nodes.size();
        graph.nodes.push_back({logic::indicator(program.vocabulary[Predicate{p}]),
                               defined[p] && found.recursive[component] ? "recursive" : "",
                               is_target    ? Graph::Kind::target
                               : defined[p] ? Graph::Kind::auxiliary
                                            : Graph::Kind::input,
                               is_target ? std::max(layer[component], 1) : layer[component]});
    }

    struct Uses {
        int positive = 0;
        int negated = 0;

        std::string text() const {
            std::string times =
                positive + negated > 1 ? fmt::format("{} times", positive + negated) : "";
            if (negated > 0) {
                times += (times.empty() ? "" : ", ") +
                         std::string(positive > 0 ? "also negated" : "negated");
            }
            return times;
        }
    };

    std::map<std::pair<std::size_t, std::size_t>, Uses> uses;
    for (const Rule& rule : program.rules) {
        if (!mentioned[rule.head.predicate.id]) {
            continue;
        }
        add_lines(program, rule, graph.nodes[node_of[rule.head.predicate.id]].rules);
        for (const Atom& atom : rule.body) {
            Uses& use = uses[{node_of[program.vocabulary.positive(atom.predicate).id],
                              node_of[rule.head.predicate.id]}];
            ++(program.vocabulary.is_negated(atom.predicate) ? use.negated : use.positive);
        }
    }
    for (const auto& [ends, count] : uses) {
        graph.edges.push_back({ends.first, ends.second, count.text(), 0.5});
    }
    return graph;
}

Graph graph_of(const Model& model, double min_weight) {
    const Hierarchy& h = model.hierarchy;
    const std::vector<float> scores = unification(model);
    Graph graph;
    graph.title = logic::indicator(model.target);
    graph.nodes.push_back(
        {logic::indicator(model.target), "", Graph::Kind::target, model.options.layers + 1});
    std::map<int, std::size_t> node_of;
    std::vector<int> open;
    const auto node = [&](int p) {
        const auto [known, is_new] = node_of.try_emplace(p, graph.nodes.size());
        if (!is_new) {
            return known->second;
        }
        if (p < h.first_auxiliary()) {
            graph.nodes.push_back({soft::predicate_name(model, p), "", Graph::Kind::input, 0});
        } else {
            const Auxiliary& auxiliary =
                h.auxiliaries[static_cast<std::size_t>(h.positive(p) - h.first_auxiliary())];
            graph.nodes.push_back(
                {soft::predicate_name(model, p),
                 to_text(model.protorules[static_cast<std::size_t>(auxiliary.protorule)]),
                 Graph::Kind::auxiliary, auxiliary.layer});
            open.push_back(p);
        }
        return known->second;
    };
    const auto add_slot = [&](int slot, std::size_t to, const std::string& name, double port) {
        const std::vector<soft::Match> found = soft::matches(model, scores, slot);
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (i > 0 && found[i].weight < min_weight) {
                break;
            }
            const std::size_t from = node(found[i].predicate);
            graph.edges.push_back(
                {from, to, fmt::format("{}{:.2f}", name, found[i].weight), found[i].weight, port});
        }
    };
    add_slot(h.target_slot(), 0, "", 0.5);
    for (std::size_t i = 0; i < open.size(); ++i) {
        const std::size_t to = node_of[open[i]];
        const std::vector<int>& slots =
            h.auxiliaries[static_cast<std::size_t>(h.positive(open[i]) - h.first_auxiliary())]
                .slots;
        for (std::size_t s = 0; s < slots.size(); ++s) {
            add_slot(slots[s], to, fmt::format("{} ", "PQRS"[s % 4]),
                     (static_cast<double>(s) + 0.5) / static_cast<double>(slots.size()));
        }
    }
    return graph;
}

}  // namespace hri::exporting
