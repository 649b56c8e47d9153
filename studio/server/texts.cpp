// SPDX-License-Identifier: Apache-2.0
#include "texts.hpp"

#include "logic/prolog/terms.hpp"

namespace hri::studio {

std::string atom_text(const PredicateSymbol& predicate, const std::vector<std::string>& arguments) {
    std::string text = prolog::quoted_predicate(predicate.name);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        text += (i == 0 ? "(" : ",") + prolog::quoted(arguments[i]);
    }
    return arguments.empty() ? text : text + ")";
}

std::string atom_text(const Instance& instance, int atom) {
    const PredicateSymbol& target = instance.schema->target;
    if (target.arity == 0)
        return atom_text(target, {});
    if (target.arity == 1)
        return atom_text(target, {instance.name_of(atom)});
    return atom_text(target, {instance.name_of(atom / instance.constants),
                              instance.name_of(atom % instance.constants)});
}

std::vector<std::string> goal_texts(const std::string& rule, const std::string& domain) {
    std::vector<std::string> goals;
    const std::size_t neck = rule.find(" :- ");
    if (neck == std::string::npos)
        return goals;
    std::string goal;
    int depth = 0;
    char quote = 0;
    const auto finish = [&] {
        if (domain.empty() || !goal.starts_with(domain + "("))
            goals.push_back(goal);
        goal.clear();
    };
    for (std::size_t i = neck + 4; i < rule.size(); ++i) {
        const char c = rule[i];
        if (quote != 0) {
            goal += c;
            if (c == '\\' && i + 1 < rule.size())
                goal += rule[++i];
            else if (c == quote)
                quote = 0;
            continue;
        }
        quote = c == '\'' || c == '"' ? c : '\0';
        depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
        if (c == ',' && depth == 0)
            finish();
        else if (c != ' ' || !goal.empty())
            goal += c;
    }
    finish();
    return goals;
}

std::string rule_text(const Program& program, const Rule& rule) {
    Program one;
    one.vocabulary = program.vocabulary;
    one.target = rule.head.predicate;
    one.rules = {rule};
    // The clause is the last paragraph of the Prolog text; declarations and comments come before.
    const std::string text = to_prolog(one);
    std::string clause;
    std::string domain;
    std::size_t from = 0;
    while (from < text.size()) {
        std::size_t end = text.find('\n', from);
        if (end == std::string::npos)
            end = text.size();
        const std::string line = text.substr(from, end - from);
        from = end + 1;
        if (constexpr std::string_view kDomain = "% domain: "; line.starts_with(kDomain))
            domain = line.substr(kDomain.size(), line.rfind('/') - kDomain.size());
        if (line.empty() || line[0] == '%' || line.starts_with(":-"))
            clause.clear();
        else
            clause += (clause.empty() ? "" : " ") + line.substr(line.find_first_not_of(' '));
    }
    if (!clause.empty() && clause.back() == '.')
        clause.pop_back();
    const std::vector<std::string> goals = goal_texts(clause, domain);
    if (!goals.empty())
        clause.resize(clause.find(" :- "));
    for (std::size_t i = 0; i < goals.size(); ++i)
        clause += (i == 0 ? " :- " : ", ") + goals[i];
    return clause;
}

}  // namespace hri::studio
