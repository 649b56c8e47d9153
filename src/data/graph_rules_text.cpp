// SPDX-License-Identifier: Apache-2.0

// Rules of knowledge graphs as Prolog text with their evidence:
//   r(X,Y) :- p(X,Z1), q(Y,Z1).  % support 12, predictions 40, known heads 22, known tails 30; ...

#include "hri/graph.hpp"

#include "base/output_files.hpp"
#include "logic/prolog/terms.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace hri {
namespace {

constexpr std::string_view kTitle =
    "% Rules of a knowledge graph, each with its evidence on the training triples.";

constexpr std::string_view kInvented = " invented";

std::string literal(StepCode step, const std::string& from, const std::string& to,
                    const Names& relations) {
    const std::string name = prolog::quoted_predicate(relations[relation_of(step)]);
    return is_backward(step) ? fmt::format("{}({},{})", name, to, from)
                             : fmt::format("{}({},{})", name, from, to);
}

constexpr std::array<std::pair<Aggregation::Kind, std::string_view>, 4> kKinds = {
    {{Aggregation::Kind::maximum, "maximum"},
     {Aggregation::Kind::noisy_or, "noisy_or"},
     {Aggregation::Kind::clusters, "clusters"},
     {Aggregation::Kind::learned, "learned"}}};

std::string aggregation_text(StepCode step, const Aggregation& how, const Names& relations) {
    std::string kind;
    for (const auto& [known, name] : kKinds) {
        kind = known == how.kind ? name : kind;
    }
    return fmt::format("aggregation({},{},{},{},{},{},[{}]).\n",
                       prolog::quoted_predicate(relations[relation_of(step)]),
                       is_backward(step) ? "heads" : "tails", kind, how.pca ? "pca" : "standard",
                       how.pessimism, how.decay, fmt::join(how.weights, ","));
}

/// Reads clauses back.
class RuleReader {
  public:
    RuleReader(std::string_view text, const std::string& file, GraphData& data)
        : reader_(text, file), data_(data) {}

    GraphRules read() {
        std::vector<std::size_t> offsets;
        while (const prolog::Node* clause = reader_.next()) {
            if (clause->is("aggregation", 7)) {
                read_aggregation(*clause);
            } else {
                offsets.push_back(clause->is(":-", 2) ? clause->arguments[0].offset
                                                      : clause->offset);
                result_.rules.push_back(read_rule(*clause));
            }
        }
        read_evidence(offsets);
        return std::move(result_);
    }

  private:
    [[noreturn]] void fail(const std::string& message, std::size_t offset,
                           const std::string& hint = {}) const {
        throw Error(message, reader_.place(offset), hint);
    }

    double number(const prolog::Node& node) const {
        if (node.kind != prolog::Kind::number || !std::isfinite(node.value)) {
            fail("expected a number", node.offset);
        }
        return node.value;
    }

    void read_aggregation(const prolog::Node& fact) {
        const auto& parts = fact.arguments;
        Aggregation how;
        bool known = false;
        for (const auto& [kind, name] : kKinds) {
            if (parts[2].name == name) {
                how.kind = kind;
                known = true;
            }
        }
        const bool heads = parts[1].name == "heads";
        how.pca = parts[3].name == "pca";
        if (parts[0].kind != prolog::Kind::atom || !known || (!heads && parts[1].name != "tails") ||
            (!how.pca && parts[3].name != "standard") || parts[6].kind != prolog::Kind::list) {
            fail("expected aggregation(relation,tails,maximum,standard,5,0.5,[])", fact.offset,
                 "tails or heads; maximum, noisy_or, clusters or learned; standard or pca");
        }
        how.pessimism = number(parts[4]);
        how.decay = number(parts[5]);
        if (how.pessimism < 0 || how.decay < 0 || how.decay > 1) {
            fail("expected a pessimism of 0 or more and a decay from 0 to 1", fact.offset);
        }
        for (const prolog::Node& weight : parts[6].arguments) {
            how.weights.push_back(number(weight));
        }
        const std::uint32_t relation = data_.relations.intern(parts[0].name);
        result_.aggregations[heads ? backward(relation) : forward(relation)] = how;
    }

    static bool is_constant(const prolog::Node& node) {
        return node.kind == prolog::Kind::atom || node.kind == prolog::Kind::number;
    }

    static bool is_variable(const prolog::Node& node) {
        return node.kind == prolog::Kind::variable;
    }

    const prolog::Node& checked(const prolog::Node& literal) const {
        if (literal.kind != prolog::Kind::compound || literal.arity() != 2 ||
            !std::all_of(literal.arguments.begin(), literal.arguments.end(),
                         [](const prolog::Node& argument) {
                             return is_constant(argument) || is_variable(argument);
                         })) {
            fail("expected a literal of two arguments", literal.offset,
                 "such as r(X,Y) or r(X,ann)");
        }
        return literal;
    }

    GraphRule read_rule(const prolog::Node& clause) {
        const bool has_body = clause.is(":-", 2);
        const prolog::Node& head = checked(has_body ? clause.arguments[0] : clause);
        std::vector<const prolog::Node*> goals;
        if (has_body) {
            prolog::append_goals(clause.arguments[1], goals);
        }
        const std::uint32_t relation = data_.relations.intern(head.name);
        GraphRule rule;
        const prolog::Node& first = head.arguments[0];
        const prolog::Node& second = head.arguments[1];
        const bool of_tail = is_constant(first);
        rule.head = of_tail ? backward(relation) : forward(relation);
        const prolog::Node& start = of_tail ? second : first;
        const prolog::Node& other = of_tail ? first : second;
        if (!is_variable(start) || start.name == "_" ||
            (is_variable(other) && (other.name == start.name || other.name == "_"))) {
            fail("expected a head with two different variables, or one and a constant",
                 head.offset);
        }
        if (is_constant(other)) {
            rule.constant = data_.entities.intern(other.name);
        }
        follow(rule, start.name, is_variable(other) ? other.name : std::string_view{}, goals,
               head.offset);
        return rule;
    }

    /// The body is a path from `start`, to `goal` where that is not empty, and perhaps one literal
    /// more.
    void follow(GraphRule& rule, std::string_view start, std::string_view goal,
                const std::vector<const prolog::Node*>& goals, std::size_t offset) {
        std::vector<std::string_view> met{start};
        bool over = false;  // at the goal, at a constant, or at a variable without a name
        for (const prolog::Node* node : goals) {
            const prolog::Node& one = checked(*node);
            const prolog::Node& a = one.arguments[0];
            const prolog::Node& b = one.arguments[1];
            const auto is_here = [&](const prolog::Node& term) {
                return is_variable(term) && term.name == met.back();
            };
            const std::uint32_t relation = data_.relations.intern(one.name);
            if (!over && (is_here(a) || is_here(b)) && !rule.condition.given) {
                const prolog::Node& next = is_here(a) ? b : a;
                if (rule.length == GraphRule::kMaxLength) {
                    fail("expected a path of at most " + std::to_string(GraphRule::kMaxLength) +
                             " literals",
                         one.offset);
                }
                rule.steps[static_cast<std::size_t>(rule.length++)] =
                    is_here(a) ? forward(relation) : backward(relation);
                over = is_constant(next) || next.name == "_" || next.name == goal;
                if (is_constant(next)) {
                    rule.end = data_.entities.intern(next.name);
                    if (rule.is_path()) {
                        fail("expected a path from one variable of the head to the other",
                             one.offset);
                    }
                } else if (next.name == "_"
                               ? rule.is_path()
                               : std::find(met.begin(), met.end(), next.name) != met.end()) {
                    fail("expected a path that meets no variable twice", one.offset);
                }
                met.push_back(is_variable(next) ? next.name : std::string_view("_"));
                continue;
            }
            read_condition(rule, one, relation, start, goal);
        }
        if (rule.is_path() && (rule.length == 0 || met.back() != goal)) {
            fail("expected a path from one variable of the head to the other", offset);
        }
    }

    void read_condition(GraphRule& rule, const prolog::Node& one, std::uint32_t relation,
                        std::string_view start, std::string_view goal) {
        const prolog::Node& a = one.arguments[0];
        const prolog::Node& b = one.arguments[1];
        const auto is_end = [&](const prolog::Node& term) {
            return is_variable(term) &&
                   (term.name == start || (!goal.empty() && term.name == goal));
        };
        const bool from_first = is_end(a);
        const prolog::Node& from = from_first ? a : b;
        const prolog::Node& to = from_first ? b : a;
        if (rule.condition.given || !is_end(from) || (is_variable(to) && to.name != "_")) {
            fail(
                "expected the next literal of the path, or one condition such as r(X,ann) or "
                "r(X,_)",
                one.offset);
        }
        rule.condition = {from_first ? forward(relation) : backward(relation),
                          is_constant(to) ? data_.entities.intern(to.name) : kNoEntity,
                          from.name != start, true};
    }

    /// A clause of an invented relation: aux1(X,Y) :- father(X,Y).
    void read_definition(const GraphRule& rule, std::size_t offset) {
        if (!rule.is_path() || rule.length != 1 || rule.condition.given) {
            fail("expected a definition with one literal about both variables", offset,
                 "such as aux1(X,Y) :- father(X,Y).");
        }
        const std::uint32_t relation = relation_of(rule.head);
        if (result_.invented.empty() || result_.invented.back().relation != relation) {
            result_.invented.push_back({relation, {}});
        }
        result_.invented.back().steps.push_back(rule.steps[0]);
    }

    /// The comment behind each clause: its evidence, or that it defines an invented relation.
    void read_evidence(const std::vector<std::size_t>& offsets) {
        auto comment = reader_.comments().begin();
        const auto end = reader_.comments().end();
        std::vector<GraphRule> rules;
        rules.reserve(offsets.size());
        for (std::size_t i = 0; i < offsets.size(); ++i) {
            const std::size_t next = i + 1 < offsets.size() ? offsets[i + 1] : SIZE_MAX;
            while (comment != end && comment->offset < offsets[i]) {
                ++comment;
            }
            if (comment == end || comment->offset > next) {
                fail("expected the evidence of the rule in a comment behind it", offsets[i],
                     "such as % support 3, predictions 4, known heads 4, known tails 4");
            }
            GraphRule& rule = result_.rules[i];
            if (comment->text == kInvented) {
                read_definition(rule, offsets[i]);
                continue;
            }
            parse_evidence(comment->text, comment->offset, rule.evidence);
            parse_weights(comment->text, comment->offset, rule.weights);
            rules.push_back(rule);
        }
        result_.rules = std::move(rules);
    }

    void parse_evidence(std::string_view text, std::size_t offset, Evidence& into) const {
        std::array<double*, 4> values = {&into.support, &into.predictions, &into.of_known_head,
                                         &into.of_known_tail};
        constexpr std::array<std::string_view, 4> kNames = {" support ", ", predictions ",
                                                            ", known heads ", ", known tails "};
        for (std::size_t i = 0; i < values.size(); ++i) {
            bool good = text.starts_with(kNames[i]);
            if (good) {
                text.remove_prefix(kNames[i].size());
                const auto [end, code] =
                    std::from_chars(text.data(), text.data() + text.size(), *values[i]);
                good = code == std::errc() && std::isfinite(*values[i]) && *values[i] >= 0;
                text.remove_prefix(static_cast<std::size_t>(end - text.data()));
            }
            if (!good) {
                fail("expected the evidence of the rule", offset,
                     "such as % support 3, predictions 4, known heads 4, known tails 4");
            }
        }
        into.sampled = text.starts_with(", estimated");
    }

    /// ; weights 0.5 -0.25
    void parse_weights(std::string_view text, std::size_t offset,
                       std::array<float, 2>& into) const {
        constexpr std::string_view kMark = "; weights";
        const std::size_t at = text.find(kMark);
        if (at == std::string_view::npos) {
            return;
        }
        text.remove_prefix(at + kMark.size());
        for (float& weight : into) {
            text.remove_prefix(text.starts_with(' ') ? 1 : 0);
            const auto [end, code] =
                std::from_chars(text.data(), text.data() + text.size(), weight);
            if (code != std::errc() || !std::isfinite(weight)) {
                fail("expected two numbers behind 'weights'", offset);
            }
            text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        }
    }

    prolog::Reader reader_;
    GraphData& data_;
    GraphRules result_;
};

}  // namespace

std::string to_prolog(const GraphRule& rule, const GraphData& data) {
    const auto constant = [&](std::uint32_t id) {
        return prolog::quoted_predicate(data.entities[id]);
    };
    std::string text =
        literal(rule.head, "X", rule.is_path() ? "Y" : constant(rule.constant), data.relations);
    std::string from = "X";
    for (int i = 0; i < rule.length; ++i) {
        const bool last = i + 1 == rule.length;
        const std::string to = !last                   ? "Z" + std::to_string(i + 1)
                               : rule.is_path()        ? "Y"
                               : rule.end == kNoEntity ? "_"
                                                       : constant(rule.end);
        text += (i == 0 ? " :- " : ", ") +
                literal(rule.steps[static_cast<std::size_t>(i)], from, to, data.relations);
        from = to;
    }
    if (rule.condition.given) {
        text +=
            (rule.length == 0 ? " :- " : ", ") +
            literal(rule.condition.step, rule.condition.of_answer ? "Y" : "X",
                    rule.condition.constant == kNoEntity ? "_" : constant(rule.condition.constant),
                    data.relations);
    }
    return text + ".";
}

std::string to_prolog(const GraphRules& rules, const GraphData& data, const Graph& graph) {
    std::string text = base::head_of_file(base::Language::prolog);
    text += kTitle;
    text += '\n';
    std::vector<std::pair<StepCode, Aggregation>> chosen(rules.aggregations.begin(),
                                                         rules.aggregations.end());
    std::sort(chosen.begin(), chosen.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [step, how] : chosen) {
        text += aggregation_text(step, how, data.relations);
    }
    for (const InventedRelation& one : rules.invented) {
        for (const StepCode step : one.steps) {
            text += fmt::format("{} :- {}.  %{}\n",
                                literal(forward(one.relation), "X", "Y", data.relations),
                                literal(step, "X", "Y", data.relations), kInvented);
        }
    }
    for (const GraphRule& rule : rules.rules) {
        const Evidence& evidence = rule.evidence;
        text += to_prolog(rule, data);
        text += fmt::format(
            "  % support {}, predictions {}, known heads {}, known tails {}{}; confidence {:.4f}, "
            "PCA confidence {:.4f}, head coverage {:.4f}{}\n",
            evidence.support, evidence.predictions, evidence.of_known_head, evidence.of_known_tail,
            evidence.sampled ? ", estimated" : "", confidence(evidence),
            pca_confidence(evidence, false), head_coverage(rule, graph),
            rule.weights == std::array<float, 2>{}
                ? ""
                : fmt::format("; weights {} {}", rule.weights[0], rule.weights[1]));
    }
    return text;
}

bool looks_like_graph_rules(std::string_view text) {
    constexpr std::size_t kHead = 2000;
    return text.substr(0, kHead).find(kTitle) != std::string_view::npos;
}

GraphRules parse_graph_rules(std::string_view text, const std::string& file, GraphData& data) {
    return RuleReader(text, file, data).read();
}

}  // namespace hri
