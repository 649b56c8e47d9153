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

std::string rule_text(const Program& program, const Rule& rule) {
    Program one;
    one.vocabulary = program.vocabulary;
    one.target = rule.head.predicate;
    one.rules = {rule};
    // The clause is the last paragraph of the Prolog text; declarations and comments come before.
    const std::string text = to_prolog(one);
    std::string clause;
    std::size_t from = 0;
    while (from < text.size()) {
        std::size_t end = text.find('\n', from);
        if (end == std::string::npos)
            end = text.size();
        const std::string line = text.substr(from, end - from);
        from = end + 1;
        if (line.empty() || line[0] == '%' || line.starts_with(":-"))
            clause.clear();
        else
            clause += (clause.empty() ? "" : " ") + line.substr(line.find_first_not_of(' '));
    }
    if (!clause.empty() && clause.back() == '.')
        clause.pop_back();
    return clause;
}

}  // namespace hri::studio
