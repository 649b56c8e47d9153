// SPDX-License-Identifier: Apache-2.0
#include "hri/export.hpp"

#include "logic/simplify/state.hpp"
#include "logic/variable_name.hpp"

#include <algorithm>

namespace hri {
namespace {

std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '\\':
                result += "\\textbackslash{}";
                break;
            case '^':
                result += "\\textasciicircum{}";
                break;
            case '~':
                result += "\\textasciitilde{}";
                break;
            case '_':
            case '%':
            case '&':
            case '#':
            case '$':
            case '{':
            case '}':
                result += '\\';
                result += c;
                break;
            default:
                result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
    }
    return result;
}

std::string written(const Vocabulary& vocabulary, Term term) {
    const auto index = static_cast<std::size_t>(term.index());
    if (!term.is_variable()) {
        return "\\textsf{" + escaped(vocabulary.constants()[index]) + "}";
    }
    const std::string name = logic::variable_name(index);
    return name.size() == 1 ? name : name.substr(0, 1) + "_{" + name.substr(1) + "}";
}

std::string written(const Vocabulary& vocabulary, const Atom& atom) {
    const PredicateSymbol& symbol = vocabulary[atom.predicate];
    if (is_equality(symbol)) {
        return written(vocabulary, atom.arguments[0]) + (symbol.negated ? " \\neq " : " = ") +
               written(vocabulary, atom.arguments[1]);
    }
    if (is_comparison(symbol)) {
        const std::string sign = symbol.name == "=<"     ? "\\leq"
                                 : symbol.name == ">="   ? "\\geq"
                                 : symbol.name == "=:="  ? "="
                                 : symbol.name == "=\\=" ? "\\neq"
                                                         : symbol.name;
        return (symbol.negated ? "\\lnot " : "") + written(vocabulary, atom.arguments[0]) + " " +
               sign + " " + written(vocabulary, atom.arguments[1]);
    }
    std::string text = symbol.negated ? "\\lnot " : "";
    text += "\\textit{" + escaped(symbol.name) + "}";
    for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
        text += (i == 0 ? "(" : ", ") + written(vocabulary, atom.arguments[i]);
    }
    return atom.arguments.empty() ? text : text + ")";
}

}  // namespace

std::string to_latex(const Program& program) {
    std::vector<Rule> rules = program.rules;
    std::stable_partition(rules.begin(), rules.end(),
                          [&](const Rule& rule) { return rule.head.predicate == program.target; });
    std::string text = "\\begin{align*}\n";
    for (Rule& rule : rules) {
        simplify::number_variables(rule);
        text += written(program.vocabulary, rule.head) + " &\\leftarrow ";
        for (std::size_t i = 0; i < rule.body.size(); ++i) {
            text += (i == 0 ? "" : " \\land ") + written(program.vocabulary, rule.body[i]);
        }
        text += rule.body.empty() ? "\\top" : "";
        text += &rule == &rules.back() ? "\n" : " \\\\\n";
    }
    if (rules.empty()) {
        Atom head{program.target, {}};
        for (int i = 0; i < program.vocabulary[program.target].arity; ++i) {
            head.arguments.push_back(Term::variable(i));
        }
        text += written(program.vocabulary, head) + " &\\leftarrow \\bot\n";
    }
    return text + "\\end{align*}\n";
}

}  // namespace hri
