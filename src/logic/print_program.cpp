// SPDX-License-Identifier: Apache-2.0
#include "hri/logic.hpp"

#include "logic/dependencies.hpp"
#include "logic/prolog/terms.hpp"
#include "logic/range_restricted.hpp"
#include "logic/swi_built_ins.hpp"
#include "logic/variable_name.hpp"

#include <algorithm>
#include <string_view>

namespace hri {
namespace {

// Names a rule's variables in order of appearance.
class RuleWriter {
  public:
    RuleWriter(const Vocabulary& vocabulary, const Rule& rule, bool hide_singletons)
        : vocabulary_(vocabulary), hide_singletons_(hide_singletons) {
        count(rule.head);
        for (const Atom& atom : rule.body) {
            count(atom);
        }
        std::size_t next = 0;
        for (Variable& variable : variables_) {
            variable.name = is_hidden(variable) ? 0 : next++;
        }
    }

    std::string written(const Atom& atom) const {
        const PredicateSymbol& symbol = vocabulary_[atom.predicate];
        if (is_equality(symbol)) {
            return written(atom.arguments[0]) + (symbol.negated ? " \\= " : " = ") +
                   written(atom.arguments[1]);
        }
        if (is_comparison(symbol)) {
            return (symbol.negated ? "\\+ " : "") + written(atom.arguments[0]) + " " + symbol.name +
                   " " + written(atom.arguments[1]);
        }
        std::string text = (symbol.negated ? "\\+ " : "") + prolog::quoted_predicate(symbol.name);
        for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
            text += i == 0 ? "(" : ",";
            text += written(atom.arguments[i]);
        }
        return atom.arguments.empty() ? text : text + ")";
    }

    std::string written_body(const Rule& rule) const {
        std::string text;
        for (std::size_t i = 0; i < rule.body.size(); ++i) {
            text += i == 0 ? "" : " & ";
            text += written(rule.body[i]);
        }
        return text;
    }

    std::string written_goals(const Rule& rule) const {
        std::string text;
        for (std::size_t i = 0; i < rule.body.size(); ++i) {
            const std::string goal = written(rule.body[i]);
            const PredicateSymbol& symbol = vocabulary_[rule.body[i].predicate];
            const bool wrap =
                logic::is_compiled_into_swi({symbol.name, symbol.arity}) && !is_comparison(symbol);
            if (wrap && symbol.negated) {
                text += (i == 0 ? "\\+ call(" : ", \\+ call(") + goal.substr(3) + ")";
                continue;
            }
            text += (i == 0 ? "" : ", ") + (wrap ? "call(" + goal + ")" : goal);
        }
        return text;
    }

  private:
    struct Variable {
        std::int32_t index;
        int occurrences;
        std::size_t name;
    };

    void count(const Atom& atom) {
        for (const Term term : atom.arguments) {
            if (!term.is_variable()) {
                continue;
            }
            const auto known =
                std::find_if(variables_.begin(), variables_.end(),
                             [&](const Variable& v) { return v.index == term.index(); });
            if (known != variables_.end()) {
                ++known->occurrences;
            } else {
                variables_.push_back({term.index(), 1, 0});
            }
        }
    }

    bool is_hidden(const Variable& variable) const {
        return hide_singletons_ && variable.occurrences == 1;
    }

    std::string written(Term term) const {
        if (!term.is_variable()) {
            return prolog::quoted(vocabulary_.constants()[static_cast<std::size_t>(term.index())]);
        }
        const auto variable =
            std::find_if(variables_.begin(), variables_.end(),
                         [&](const Variable& v) { return v.index == term.index(); });
        return is_hidden(*variable) ? "_" : logic::variable_name(variable->name);
    }

    const Vocabulary& vocabulary_;
    bool hide_singletons_;
    std::vector<Variable> variables_;  // in order of appearance
};

// Rules of one predicate together: the target's first, then by first appearance as a head.
std::vector<std::vector<const Rule*>> rules_by_predicate(const Program& program) {
    std::vector<std::vector<const Rule*>> groups(1);
    std::vector<std::size_t> group_of(static_cast<std::size_t>(program.vocabulary.size()),
                                      SIZE_MAX);
    group_of[program.target.id] = 0;
    for (const Rule& rule : program.rules) {
        std::size_t& group = group_of[rule.head.predicate.id];
        if (group == SIZE_MAX) {
            group = groups.size();
            groups.emplace_back();
        }
        groups[group].push_back(&rule);
    }
    return groups;
}

std::string indicator(const PredicateSymbol& symbol) {
    return prolog::quoted_predicate(symbol.name) + "/" + std::to_string(symbol.arity);
}

// Goals of Prolog itself, which cannot be declared.
bool is_truth_value(const PredicateSymbol& symbol) {
    return symbol.arity == 0 &&
           (symbol.name == "true" || symbol.name == "false" || symbol.name == "fail");
}

std::string directive(std::string_view name, const std::vector<std::string>& of) {
    std::string text;
    for (const std::string& predicate : of) {
        text += (text.empty() ? ":- " + std::string(name) + " " : ", ") + predicate;
    }
    return text.empty() ? text : text + ".\n";
}

std::string declarations(const Program& program) {
    const std::vector<bool> defined = logic::defined_predicates(program);
    const logic::Components found = logic::components(program);
    std::vector<bool> used(defined.size(), false);
    used[program.target.id] = true;
    for (const Rule& rule : program.rules) {
        used[rule.head.predicate.id] = true;
        for (const Atom& atom : rule.body) {
            used[program.vocabulary.positive(atom.predicate).id] = true;
        }
    }
    std::string redefined;
    std::vector<std::string> tabled;
    std::vector<std::string> dynamic;
    for (std::uint32_t p = 0; p < defined.size(); ++p) {
        const PredicateSymbol& symbol = program.vocabulary[Predicate{p}];
        if (!used[p] || is_truth_value(symbol) || is_equality(symbol) || is_comparison(symbol)) {
            continue;
        }
        if (logic::is_protected_by_swi(symbol)) {
            std::string arguments;
            for (int i = 0; i < symbol.arity; ++i) {
                arguments += i == 0 ? "(_" : ",_";
            }
            redefined += ":- redefine_system_predicate(" + prolog::quoted_predicate(symbol.name) +
                         arguments + (symbol.arity > 0 ? ")).\n" : ").\n");
        }
        const bool is_library = prolog::is_library_predicate(symbol) && symbol.name != "succ";
        if (!defined[p] && p != program.target.id && !logic::is_protected_by_swi(symbol) &&
            is_library) {
            continue;  // what Prolog has of that name is meant
        }
        if (!defined[p]) {
            dynamic.push_back(indicator(symbol));
        } else if (found.recursive[static_cast<std::size_t>(found.of[p])]) {
            tabled.push_back(indicator(symbol));
        }
    }
    // by name: the text does not depend on the order of ids
    std::sort(tabled.begin(), tabled.end());
    std::sort(dynamic.begin(), dynamic.end());
    return redefined + directive("table", tabled) + directive("dynamic", dynamic);
}

/// The program with goals constant(X) where Prolog needs them for negation. Sets `domain` then.
Program range_restricted(const Program& program, std::optional<PredicateSymbol>& domain) {
    Program result = program;
    for (Rule& rule : result.rules) {  // comparisons want their variables bound
        std::stable_partition(rule.body.begin(), rule.body.end(), [&](const Atom& atom) {
            return !is_comparison(program.vocabulary[atom.predicate]);
        });
    }
    if (!logic::has_negation(program)) {
        return result;
    }
    for (Rule& rule : result.rules) {
        logic::bind_terms(rule, program.vocabulary, [&] {
            domain = logic::constants_symbol(program);
            return result.vocabulary.intern(*domain);
        });
    }
    return result;
}

}  // namespace

namespace logic {

std::string variable_name(std::size_t i) {
    static constexpr std::string_view kNames = "XYZUVW";
    return i < kNames.size() ? std::string(1, kNames[i])
                             : "X" + std::to_string(i - kNames.size() + 1);
}

}  // namespace logic

std::string to_prolog(const Program& learned) {
    std::optional<PredicateSymbol> domain;
    const Program program = range_restricted(learned, domain);
    std::string text = "% target: " + indicator(program.vocabulary[program.target]) + "\n";
    if (domain) {
        text += "% domain: " + indicator(*domain) + "\n";
    }
    text += declarations(program);
    for (const std::vector<const Rule*>& group : rules_by_predicate(program)) {
        for (const Rule* rule : group) {
            const RuleWriter writer(program.vocabulary, *rule, true);
            text += writer.written(rule->head);
            text += rule->body.empty() ? "" : " :- " + writer.written_goals(*rule);
            text += ".\n";
        }
    }
    return text;
}

std::string to_text(const Program& program) {
    struct Alternative {
        std::string text;
        bool is_conjunction = false;
    };

    struct Line {
        std::string head;
        std::vector<Alternative> alternatives;
    };

    std::vector<Line> lines;
    for (const std::vector<const Rule*>& group : rules_by_predicate(program)) {
        const std::size_t first_line = lines.size();
        for (const Rule* rule : group) {
            const RuleWriter writer(program.vocabulary, *rule, false);
            const std::string head = writer.written(rule->head);
            Alternative body{rule->body.empty() ? "True" : writer.written_body(*rule),
                             rule->body.size() > 1};
            const auto line =
                std::find_if(lines.begin() + static_cast<std::ptrdiff_t>(first_line), lines.end(),
                             [&](const Line& l) { return l.head == head; });
            if (line != lines.end()) {
                line->alternatives.push_back(std::move(body));
            } else {
                lines.push_back({head, {std::move(body)}});
            }
        }
        if (group.empty()) {  // the target
            Rule rule;
            rule.head.predicate = program.target;
            for (int i = 0; i < program.vocabulary[program.target].arity; ++i) {
                rule.head.arguments.push_back(Term::variable(i));
            }
            lines.push_back(
                {RuleWriter(program.vocabulary, rule, false).written(rule.head), {{"False"}}});
        }
    }
    std::string text;
    for (const Line& line : lines) {
        text += line.head;
        text += " <- ";
        std::string_view separator;
        for (const Alternative& alternative : line.alternatives) {
            const bool in_brackets = alternative.is_conjunction && line.alternatives.size() > 1;
            text += separator;
            text += in_brackets ? "(" : "";
            text += alternative.text;
            text += in_brackets ? ")" : "";
            separator = " | ";
        }
        text += "\n";
    }
    return text;
}

}  // namespace hri
