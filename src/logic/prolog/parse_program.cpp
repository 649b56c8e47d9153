// SPDX-License-Identifier: Apache-2.0
#include "hri/logic.hpp"

#include "logic/dependencies.hpp"
#include "logic/prolog/terms.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace hri {
namespace {

using prolog::Kind;
using prolog::Node;

constexpr std::size_t kLargestArity = 32;

class ProgramParser {
  public:
    ProgramParser(std::string_view text, const std::string& file)
        : reader_(text, file), file_(file) {}

    Program parse() {
        std::optional<Predicate> first;
        while (const Node* clause = reader_.next()) {
            if (clause->is(":-", 1) || clause->is("?-", 1)) {  // a directive
                continue;
            }
            variables_.clear();
            next_variable_ = 0;
            const bool is_rule = clause->is(":-", 2);
            Rule rule;
            rule.head = atom(is_rule ? clause->arguments[0] : *clause, "the head of a rule");
            if (!first) {
                first = rule.head.predicate;
            }
            if (!is_rule || add_body(clause->arguments[1], rule)) {
                program_.rules.push_back(std::move(rule));
            }
        }
        name_inner_variables();
        if (const std::optional<PredicateSymbol> domain = comment("domain:")) {
            leave_out(*domain);
        }
        if (const std::optional<PredicateSymbol> named = comment("target:")) {
            program_.target = program_.vocabulary.intern(*named);
        } else if (first) {
            program_.target = *first;
        } else {
            throw Error("there is no rule here", {file_, 1, 1},
                        "a rule looks like grandparent(X,Y) :- parent(X,Z), parent(Z,Y).");
        }
        if (!logic::is_stratified(program_)) {
            throw Error("a predicate depends on its own negation", {file_, 0, 0},
                        "what is negated must be defined without the rule's head");
        }
        return std::move(program_);
    }

  private:
    /// \+ edge(X,Y) says that there is no Y where nothing else mentions Y, whereas variables of
    /// our rules ask for some: it becomes \+ some_edge(X), with some_edge(X) :- edge(X,Y).
    void name_inner_variables() {
        const std::size_t given = program_.rules.size();
        for (std::size_t r = 0; r < given; ++r) {
            std::set<Term> outer(program_.rules[r].head.arguments.begin(),
                                 program_.rules[r].head.arguments.end());
            for (const Atom& atom : program_.rules[r].body) {
                if (!program_.vocabulary[atom.predicate].negated) {
                    outer.insert(atom.arguments.begin(), atom.arguments.end());
                }
            }
            for (std::size_t b = 0; b < program_.rules[r].body.size(); ++b) {
                const Atom atom = program_.rules[r].body[b];
                const PredicateSymbol& symbol = program_.vocabulary[atom.predicate];
                const bool has_inner = std::any_of(
                    atom.arguments.begin(), atom.arguments.end(),
                    [&](const Term& t) { return t.is_variable() && outer.count(t) == 0; });
                if (symbol.negated && symbol.name != "=" && has_inner) {
                    Atom named = some(atom, outer);
                    program_.rules[r].body[b] = std::move(named);
                }
            }
        }
    }

    /// Adds the rule for a negated atom and gives what is negated in its place.
    Atom some(const Atom& atom, const std::set<Term>& outer) {
        Rule rule;
        std::map<Term, Term> renamed;
        Atom negated;
        for (const Term& term : atom.arguments) {
            if (term.is_variable() && outer.count(term) != 0 &&
                renamed.emplace(term, Term::variable(static_cast<int>(renamed.size()))).second) {
                negated.arguments.push_back(term);
                rule.head.arguments.push_back(renamed.at(term));
            }
        }
        PredicateSymbol symbol = program_.vocabulary[atom.predicate];
        symbol.negated = false;
        Atom inner{program_.vocabulary.intern(symbol), {}};
        for (const Term& term : atom.arguments) {
            inner.arguments.push_back(
                term.is_variable()
                    ? renamed.emplace(term, Term::variable(static_cast<int>(renamed.size())))
                          .first->second
                    : term);
        }
        rule.body.push_back(std::move(inner));
        PredicateSymbol fresh{"some_" + symbol.name, static_cast<int>(rule.head.arguments.size())};
        while (is_taken(fresh.name)) {
            fresh.name += '_';
        }
        rule.head.predicate = program_.vocabulary.intern(fresh);
        program_.rules.push_back(std::move(rule));
        fresh.negated = true;
        negated.predicate = program_.vocabulary.intern(fresh);
        return negated;
    }

    bool is_taken(const std::string& name) const {
        for (int arity = 0; arity <= static_cast<int>(kLargestArity); ++arity) {
            for (const bool negated : {false, true}) {
                if (program_.vocabulary.find({name, arity, negated})) {
                    return true;
                }
            }
        }
        return false;
    }

    /// Goals that say no more than that a term is a constant.
    void leave_out(const PredicateSymbol& domain) {
        const std::optional<Predicate> p = program_.vocabulary.find(domain);
        for (Rule& rule : program_.rules) {
            std::erase_if(rule.body, [&](const Atom& atom) { return atom.predicate == p; });
        }
    }

    // False: the rule can never fire.
    bool add_body(const Node& body, Rule& rule) {
        goals_.clear();
        prolog::append_goals(body, goals_);
        bool fires = true;
        for (const Node* goal : goals_) {
            while (goal->is("call", 1) && !reader_.is_quoted(*goal)) {
                goal = &goal->arguments[0];
            }
            if (goal->is("false", 0) || goal->is("fail", 0)) {
                fires = false;
            } else if (!goal->is("true", 0)) {
                rule.body.push_back(goal_atom(*goal));
            }
        }
        return fires;
    }

    Atom goal_atom(const Node& goal) {
        const bool is_plain = reader_.is_quoted(goal);
        const bool apart = goal.is("\\=", 2) && !is_plain;
        if (apart || goal.is("=", 2)) {
            Atom result{program_.vocabulary.intern({"=", 2, apart}), {}};
            result.arguments = {term(goal.arguments[0]), term(goal.arguments[1])};
            return result;
        }
        const bool negated = (goal.is("\\+", 1) || goal.is("not", 1)) && !is_plain;
        const Node* node = negated ? &goal.arguments[0] : &goal;
        while (negated && node->is("call", 1) && !reader_.is_quoted(*node)) {
            node = &node->arguments[0];
        }
        if (is_comparison({std::string(node->name), node->arity()})) {
            Atom result{program_.vocabulary.intern({std::string(node->name), 2, negated}), {}};
            result.arguments = {term(node->arguments[0]), term(node->arguments[1])};
            return result;
        }
        if (!negated) {
            return atom(*node, "a goal");
        }
        if (node->is("=", 2)) {
            Atom result = goal_atom(*node);
            result.predicate = program_.vocabulary.intern({"=", 2, true});
            return result;
        }
        Atom result = atom(*node, "a negated goal");
        PredicateSymbol symbol = program_.vocabulary[result.predicate];
        symbol.negated = true;
        result.predicate = program_.vocabulary.intern(symbol);
        return result;
    }

    Atom atom(const Node& node, const std::string& role) {
        refuse_control(node);
        if (!node.is_callable()) {
            throw Error("expected an atom such as p(X,a) as " + role, reader_.place(node));
        }
        if (node.arguments.size() > kLargestArity) {
            throw Error("'" + std::string(node.name) + "' takes " + std::to_string(node.arity()) +
                            " arguments",
                        reader_.place(node),
                        "predicates take at most " + std::to_string(kLargestArity));
        }
        Atom result;
        result.predicate = program_.vocabulary.intern({std::string(node.name), node.arity()});
        for (const Node& argument : node.arguments) {
            result.arguments.push_back(term(argument));
        }
        return result;
    }

    // Constructs of Prolog beyond definite clauses.
    void refuse_control(const Node& node) const {
        const auto refuse = [&](const std::string& what, const std::string& hint) {
            throw Error(what, reader_.place(node), hint);
        };
        const bool is_glue = node.is(",", node.arity()) || node.is(":-", 2) || node.is("-->", 2);
        if (reader_.is_quoted(node) && !is_glue) {
            return;  // a plain name
        }
        if (node.is("\\+", 1) || node.is("not", 1)) {
            refuse("negation in a head or in another negation",
                   "write \\+ before a goal of a body");
        }
        if (node.is(";", 2) || node.is("|", 2)) {
            refuse("a disjunction inside a rule", "write one rule for each alternative");
        }
        if (node.is("->", 2) || node.is("*->", 2) || node.is("!", 0)) {
            refuse("control such as '" + std::string(node.name) + "' is not supported",
                   "rules are logic only: the order of goals does not matter");
        }
        if (node.is("::", 2)) {
            refuse("a probability in a program", "fuzzy values belong to facts");
        }
        if (node.is(":-", 2) || node.is("-->", 2) || node.is(",", node.arity())) {
            refuse("expected one atom here", "a rule looks like head :- goal, goal.");
        }
        if (node.kind == Kind::variable) {
            refuse("a variable where an atom is expected",
                   "names of predicates begin with a small letter");
        }
        const bool is_operator =
            node.kind == Kind::compound && !node.name.empty() && node.arity() == 2 &&
            std::string_view("+-*/\\^<>=~:?@#&").find(node.name[0]) != std::string_view::npos;
        if (is_operator || node.is("is", 2)) {
            refuse("the built-in '" + std::string(node.name) + "' is not supported",
                   "give such a relation as facts of an input predicate");
        }
    }

    Term term(const Node& node) {
        switch (node.kind) {
            case Kind::variable:
                return Term::variable(variable(node.name));
            case Kind::atom:
            case Kind::number:
                return Term::constant(
                    program_.vocabulary.intern_constant(*prolog::constant_name(node)));
            case Kind::string:
                throw Error("a string as argument", reader_.place(node),
                            "write constants with single quotes: 'like this'");
            case Kind::list:
                if (node.arguments.empty()) {  // [] is a constant like others
                    return Term::constant(program_.vocabulary.intern_constant("[]"));
                }
                break;
            case Kind::compound:
                break;
        }
        if (const std::optional<std::string> name = prolog::constant_name(node)) {
            return Term::constant(program_.vocabulary.intern_constant(*name));
        }
        if (node.kind == Kind::list || node.is("[|]", node.arity())) {
            throw Error("a list with variables as argument", reader_.place(node),
                        "take lists apart by predicates of the data, such as head(L,X)");
        }
        throw Error("the function '" + std::string(node.name) + "' with variables as argument",
                    reader_.place(node), "arguments are variables and terms without variables");
    }

    std::int32_t variable(std::string_view name) {
        if (name == "_") {
            return next_variable_++;
        }
        const auto [entry, added] = variables_.try_emplace(name, next_variable_);
        if (added) {
            ++next_variable_;
        }
        return entry->second;
    }

    // "target: name/arity" or the like, the first of its kind. Comments are free text: another
    // shape is no error.
    std::optional<PredicateSymbol> comment(std::string_view key) const {
        for (const prolog::Comment& comment : reader_.comments()) {
            std::string_view text = comment.text;
            text.remove_prefix(std::min(text.find_first_not_of(" \t%"), text.size()));
            if (!text.starts_with(key)) {
                continue;
            }
            try {
                prolog::Lexer lexer(text.substr(key.size()), file_);
                const prolog::Token name = lexer.next();
                const prolog::Token slash = lexer.next();
                const prolog::Token arity = lexer.next();
                const bool shaped = (name.kind == prolog::TokenKind::name ||
                                     name.kind == prolog::TokenKind::quoted) &&
                                    slash.text == "/" && arity.kind == prolog::TokenKind::number;
                if (shaped &&
                    arity.text.find_first_not_of("0123456789") == std::string_view::npos &&
                    arity.value <= static_cast<double>(kLargestArity)) {
                    return PredicateSymbol{std::string(name.text), static_cast<int>(arity.value)};
                }
            } catch (const Error&) {
                continue;
            }
        }
        return std::nullopt;
    }

    prolog::Reader reader_;
    std::string file_;
    Program program_;
    std::unordered_map<std::string_view, std::int32_t> variables_;  // of the clause
    std::int32_t next_variable_ = 0;
    std::vector<const Node*> goals_;
};

}  // namespace

Program parse_program(std::string_view text, const std::string& file_name) {
    return ProgramParser(text, file_name).parse();
}

}  // namespace hri
