// SPDX-License-Identifier: Apache-2.0
#include "data/readers/clauses.hpp"

#include <algorithm>
#include <unordered_map>

namespace hri::data {
namespace {

using prolog::Kind;
using prolog::Node;

class Background {
  public:
    Background(const std::string& text, const std::string& file, RawDataset& into)
        : reader_(text, file), into_(into) {}

    void read(const std::function<void(const prolog::Reader&, const Node&)>& directive) {
        while (const Node* clause = reader_.next()) {
            if (!is_directive(*clause)) {
                read_clause(*clause);
            } else if (directive) {
                directive(reader_, clause->arguments[0]);
            }
        }
        for (const prolog::Comment& comment : reader_.comments()) {
            constexpr std::string_view kMark = " constants:";
            if (comment.text.starts_with(kMark)) {
                read_constants(reader_.place(comment.offset), comment.text.substr(kMark.size()));
            }
        }
    }

  private:
    void read_clause(const Node& clause) {
        const bool is_rule = clause.is(":-", 2);
        const Node* atom = is_rule ? &clause.arguments[0] : &clause;
        float value = 1;
        if (atom->is("::", 2)) {
            const Node& number = atom->arguments[0];
            value = static_cast<float>(number.value);
            if (number.kind != Kind::number || !(value > 0 && number.value <= 1)) {
                throw Error(
                    "expected a valuation above 0 and at most 1, found " + described(number),
                    reader_.place(number), "write 0.8::edge(a,b).");
            }
            atom = &atom->arguments[1];
        }
        if (!is_atom(*atom)) {
            throw Error("expected a fact, found " + described(*atom), reader_.place(*atom),
                        "write each fact as parent(ann,bob).");
        }
        const PredicateSymbol symbol{std::string(atom->name), atom->arity()};
        const int table = into_.table(symbol, reader_.place(*atom));
        RawDataset::Table& known = into_.tables[static_cast<std::size_t>(table)];
        known.first = known.given ? known.first : reader_.place(*atom);
        if (symbol.arity > kMaxArityRead) {
            into_.refusals.push_back(
                {symbol, Error("facts of arity " + std::to_string(symbol.arity) +
                                   " are not supported, expected at most " +
                                   std::to_string(kMaxArityRead) + " arguments",
                               reader_.place(*atom), "give the fact a name of its own")});
            return;
        }
        if (is_rule && value != 1) {
            into_.refusals.push_back(
                {symbol, Error("a valuation before a rule", reader_.place(*atom),
                               "only facts have one: write 0.8::edge(a,b).")});
            return;
        }
        try {
            if (is_rule) {
                add_rule(clause, *atom);
                into_.tables[static_cast<std::size_t>(table)].given = true;
            } else {
                into_.add_fact(table, ground_tuple(reader_, *atom, into_.constants), value);
            }
        } catch (const Error& error) {
            into_.refusals.push_back({symbol, error, true});
        }
    }

    void add_rule(const Node& clause, const Node& head) {
        variables_.clear();
        std::vector<const Node*> goals;
        prolog::append_goals(clause.arguments[1], goals);
        Rule rule;
        for (const Node* goal : goals) {
            if (goal->is("true", 0)) {
                continue;
            }
            if (goal->is("false", 0) || goal->is("fail", 0)) {
                return;  // never fires
            }
            refuse_control(*goal);
            rule.body.push_back(atom(*goal));
        }
        const std::size_t bound = variables_.size();
        rule.head = atom(head);
        if (variables_.size() > bound) {
            throw Error("a variable of the head does not occur in the body", reader_.place(head),
                        "add a goal that says what it ranges over");
        }
        into_.rules.push_back(std::move(rule));
    }

    void refuse_control(const Node& goal) const {
        const bool symbolic =
            goal.is_callable() && !goal.name.empty() && !reader_.is_quoted(goal) &&
            std::string_view("+-*/\\^<>=~:?@#&!;|").find(goal.name[0]) != std::string_view::npos;
        const bool control = !reader_.is_quoted(goal) && (goal.is("not", 1) || goal.is("is", 2));
        if (!is_atom(goal) || symbolic || control) {
            throw Error("a rule with " + described(goal) + " cannot be run", reader_.place(goal),
                        "goals are atoms; write out the facts that the rule gives");
        }
        if (goal.arity() > kMaxArityRead) {
            throw Error("a goal with " + std::to_string(goal.arity()) + " arguments",
                        reader_.place(goal), "give the fact a name of its own");
        }
    }

    Atom atom(const Node& node) {
        Atom result;
        result.predicate.id = static_cast<std::uint32_t>(
            into_.table({std::string(node.name), node.arity()}, reader_.place(node)));
        for (const Node& argument : node.arguments) {
            if (argument.kind == Kind::variable) {
                result.arguments.push_back(Term::variable(variable(argument.name)));
            } else if (const auto name = prolog::constant_name(argument)) {
                result.arguments.push_back(Term::constant(into_.constants.intern(*name)));
            } else {
                throw Error("expected a constant or a variable, found " + described(argument),
                            reader_.place(argument),
                            "terms with functions are not supported: give the term a name");
            }
        }
        return result;
    }

    std::int32_t variable(std::string_view name) {
        const auto next = static_cast<std::int32_t>(variables_.size());
        if (name == "_") {
            variables_.emplace("_" + std::to_string(next), next);  // no other has this name twice
            return next;
        }
        return variables_.emplace(std::string("V") + std::string(name), next).first->second;
    }

    /// Constants that no fact or example mentions, from a comment: % constants: ann, bob
    void read_constants(const Place& place, std::string_view comment) {
        try {
            const std::string text = "constants(" + std::string(comment) + "\n).";
            prolog::Reader reader(text, place.file);
            const Node* clause = reader.next();
            const std::vector<std::int32_t> tuple = ground_tuple(reader, *clause, into_.constants);
            into_.extra_constants.insert(into_.extra_constants.end(), tuple.begin(), tuple.end());
        } catch (const Error&) {  // a comment after all
            into_.warn(place, "this comment lists no constants");
        }
    }

    prolog::Reader reader_;
    RawDataset& into_;
    std::unordered_map<std::string, std::int32_t> variables_;  // of the clause
};

}  // namespace

std::string described(const Node& node) {
    const std::string name(node.name.substr(0, 40));
    switch (node.kind) {
        case Kind::variable:
            return "the variable " + name;
        case Kind::number:
            return "the number " + name;
        case Kind::string:
            return "a string";
        case Kind::list:
            return "a list";
        case Kind::atom:
            return "'" + name + "'";
        case Kind::compound:
            return node.name == "," ? "several atoms"
                                    : "'" + name + "' with " + std::to_string(node.arity()) +
                                          (node.arity() == 1 ? " argument" : " arguments");
    }
    return {};
}

bool is_atom(const Node& node) { return node.is_callable() && !is_glue(node.name); }

bool is_directive(const Node& clause) { return clause.is(":-", 1) || clause.is("?-", 1); }

std::vector<std::int32_t> ground_tuple(const prolog::Reader& reader, const Node& atom,
                                       Constants& constants) {
    std::vector<std::int32_t> tuple;
    for (const Node& argument : atom.arguments) {
        const std::optional<std::string> name = prolog::constant_name(argument);
        if (!name) {
            throw Error(argument.kind == Kind::variable
                            ? "expected a constant, found " + described(argument)
                            : "expected a term without variables, found " + described(argument),
                        reader.place(argument),
                        "names of constants begin with a small letter or stand in single quotes");
        }
        tuple.push_back(constants.intern(*name));
    }
    return tuple;
}

void read_background(const std::string& text, const std::string& file, RawDataset& into,
                     const std::function<void(const prolog::Reader&, const Node&)>& directive) {
    into.background.emplace_back(file, text);
    Background(text, file, into).read(directive);
}

}  // namespace hri::data
