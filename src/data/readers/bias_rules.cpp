// SPDX-License-Identifier: Apache-2.0
#include "data/readers/bias_rules.hpp"

#include <algorithm>
#include <utility>

namespace hri::data {
namespace {

using prolog::Kind;
using prolog::Node;

constexpr std::string_view kVariable = "V:";

bool is_variable(const std::string& piece) { return piece.starts_with(kVariable); }

bool is_flat(const Node& node) {
    return node.is_callable() &&
           std::all_of(node.arguments.begin(), node.arguments.end(), [](const Node& argument) {
               return argument.arity() == 0 && argument.kind != Kind::string;
           });
}

std::string argument_text(const Node& node) {
    return node.kind == Kind::variable ? std::string(kVariable) + std::string(node.name)
                                       : prolog::quoted(node.name);
}

}  // namespace

void BiasRules::add_fact(const Node& fact) {
    if (!is_flat(fact)) {
        return;
    }
    Goal kept{std::string(fact.name), {}};
    for (const Node& argument : fact.arguments) {
        if (argument.kind == Kind::variable) {
            return;
        }
        kept.arguments.push_back(argument_text(argument));
    }
    facts_.push_back(std::move(kept));
}

bool BiasRules::add_rule(const Node& rule, const Place& place) {
    std::vector<const Node*> goals;
    prolog::append_goals(rule.arguments[1], goals);
    BiasRule made;
    made.place = place;
    for (const Node* goal : goals) {
        if (!is_flat(*goal) || goal->arity() == 0 || goal->name.empty() ||
            std::string_view("!=<>\\+-*/").find(goal->name[0]) != std::string_view::npos) {
            return false;
        }
        Goal kept{std::string(goal->name), {}};
        for (const Node& argument : goal->arguments) {
            kept.arguments.push_back(argument_text(argument));
        }
        made.body.push_back(std::move(kept));
    }
    const Node& head = rule.arguments[0];
    if (head.kind != Kind::compound || !append_pieces(head, made.head)) {
        return false;
    }
    rules_.push_back(std::move(made));
    return true;
}

bool BiasRules::append_pieces(const Node& node, std::vector<std::string>& pieces) {
    if (node.kind == Kind::list || node.kind == Kind::string) {
        return false;
    }
    if (node.arity() == 0) {
        pieces.push_back(argument_text(node));
        return true;
    }
    const bool is_tuple = node.name == ",";
    pieces.push_back(is_tuple ? "(" : prolog::quoted_predicate(node.name) + "(");
    for (int i = 0; i < node.arity(); ++i) {
        if (i > 0) {
            pieces.emplace_back(",");
        }
        if (!append_pieces(node.arguments[static_cast<std::size_t>(i)], pieces)) {
            return false;
        }
    }
    pieces.emplace_back(is_tuple && node.arity() == 1 ? ",)" : ")");
    return true;
}

void BiasRules::solve(const BiasRule& rule, std::size_t goal, const Bindings& bindings,
                      const std::function<void(const Bindings&)>& found) const {
    if (goal == rule.body.size()) {
        return found(bindings);
    }
    const Goal& wanted = rule.body[goal];
    for (const Goal& fact : facts_) {
        if (fact.name != wanted.name || fact.arguments.size() != wanted.arguments.size()) {
            continue;
        }
        Bindings extended = bindings;
        bool fits = true;
        for (std::size_t i = 0; i < wanted.arguments.size() && fits; ++i) {
            const std::string& argument = wanted.arguments[i];
            if (argument == "V:_") {
                continue;
            }
            fits = is_variable(argument)
                       ? extended.try_emplace(argument, fact.arguments[i]).first->second ==
                             fact.arguments[i]
                       : argument == fact.arguments[i];
        }
        if (fits) {
            solve(rule, goal + 1, extended, found);
        }
    }
}

void BiasRules::expand(const std::function<void(const std::string& fact, const Place& place)>& each,
                       const std::function<void(const std::string& used)>& used) const {
    // what they give may become facts and rules, so that it is read when all is found
    std::vector<std::pair<std::string, Place>> given;
    for (const BiasRule& rule : rules_) {
        for (const Goal& goal : rule.body) {
            used(goal.name + "/" + std::to_string(goal.arguments.size()));
        }
        solve(rule, 0, {}, [&](const Bindings& bindings) {
            std::string text;
            for (const std::string& piece : rule.head) {
                const auto bound = bindings.find(piece);
                text += bound != bindings.end() ? bound->second
                        : is_variable(piece)    ? piece.substr(kVariable.size())
                                                : piece;
            }
            given.emplace_back(text + ".", rule.place);
        });
    }
    for (const auto& [text, place] : given) {
        each(text, place);
    }
}

}  // namespace hri::data
