// SPDX-License-Identifier: Apache-2.0

#include "hri/expressivity.hpp"

#include "base/index.hpp"
#include "hypotheses/expressivity/metarule.hpp"

#include <algorithm>
#include <set>

namespace hri {
namespace {

using base::at;

/// A derivation with names for its predicates.
class Naming {
  public:
    Naming(const Derivation& derivation, const Metarule& metarule, const ProtoRules& rules)
        : derivation_(derivation),
          metarule_(metarule),
          rules_(rules),
          names_(derivation.steps.size()) {
        taken_.insert(metarule.head.predicate);
        for (const MetaAtom& atom : metarule.body) {
            taken_.insert(atom.predicate);
        }
        if (derivation.root.kind == Filler::Kind::step) {
            names_[at(derivation.root.index)] = metarule.head.predicate;
            name_slots(derivation.root.index);
        }
    }

    const ProtoRule& rule(int step) const {
        return rules_[at(derivation_.steps[at(step)].protorule)];
    }

    PredicateSymbol symbol(const Filler& filler) const {
        switch (filler.kind) {
            case Filler::Kind::truth:
                return {"True", 0};
            case Filler::Kind::falsity:
                return {"False", 0};
            case Filler::Kind::equal:
                return {"Equal", 2};
            case Filler::Kind::body: {
                const MetaAtom& atom = metarule_.body[at(filler.index)];
                return {atom.predicate, static_cast<int>(atom.arguments.size())};
            }
            case Filler::Kind::step:
                break;
        }
        return {names_[at(filler.index)], rule(filler.index).arity()};
    }

  private:
    void name_slots(int step) {
        for (const Filler& slot : derivation_.steps[at(step)].slots) {
            if (slot.kind != Filler::Kind::step || !names_[at(slot.index)].empty()) {
                continue;
            }
            std::string name;
            do {
                name = "aux" + std::to_string(++last_);
            } while (!taken_.insert(name).second);
            names_[at(slot.index)] = name;
            name_slots(slot.index);
        }
    }

    const Derivation& derivation_;
    const Metarule& metarule_;
    const ProtoRules& rules_;
    std::vector<std::string> names_;  // [step]
    std::set<std::string> taken_;
    int last_ = 0;
};

std::string text_of(const PredicateSymbol& symbol, const std::vector<int>& arguments) {
    static const std::string variables = "XYZTUVW";
    std::string text = symbol.name;
    for (std::size_t i = 0; i < at(symbol.arity); ++i) {
        const std::size_t v = at(arguments[i]);
        text += i == 0 ? "(" : ",";
        text += v < variables.size() ? std::string(1, variables[v]) : "X" + std::to_string(v);
    }
    return symbol.arity == 0 ? text : text + ")";
}

/// Body atoms without True; nothing where one is False.
std::optional<std::vector<std::string>> texts_of(const Naming& naming,
                                                 const std::vector<ProtoAtom>& atoms,
                                                 const Filler* slots) {
    std::vector<std::string> texts;
    for (const ProtoAtom& atom : atoms) {
        const Filler& slot = *slots++;
        if (slot.kind == Filler::Kind::falsity) {
            return std::nullopt;
        }
        if (slot.kind != Filler::Kind::truth) {
            texts.push_back(text_of(naming.symbol(slot), atom.arguments));
        }
    }
    return texts;
}

std::string joined(const std::vector<std::string>& atoms) {
    std::string text;
    for (const std::string& atom : atoms) {
        text += (text.empty() ? "" : " & ") + atom;
    }
    return text.empty() ? "True" : text;
}

/// P(X,Y) <- Q(X,Y) & aux1(Y)
std::string clause_text(const Naming& naming, const DerivationStep& step, const ProtoRule& rule,
                        const PredicateSymbol& head) {
    const auto body = texts_of(naming, rule.body, step.slots.data());
    const auto disjunct = rule.disjunct.empty() ? std::nullopt
                                                : texts_of(naming, rule.disjunct,
                                                           step.slots.data() + rule.body.size());
    std::string text = text_of(head, rule.head) + " <- ";
    if (!body) {
        return text + (disjunct ? joined(*disjunct) : "False");
    }
    if (!disjunct) {
        return text + joined(*body);
    }
    return text + (body->size() > 1 ? "(" + joined(*body) + ")" : joined(*body)) + " | " +
           joined(*disjunct);
}

struct Line {
    std::string left;
    std::string right;
};

void tell(const Naming& naming, const Derivation& derivation, int index, std::size_t depth,
          std::set<int>& told, std::vector<Line>& lines) {
    if (!told.insert(index).second) {
        return;
    }
    const DerivationStep& step = derivation.steps[at(index)];
    const ProtoRule& rule = naming.rule(index);
    const PredicateSymbol head = naming.symbol({Filler::Kind::step, index});
    std::string left = std::string(2 * depth, ' ') + head.name + " = " + rule.name + "(";
    for (std::size_t i = 0; i < step.slots.size(); ++i) {
        left += (i == 0 ? "" : ", ") + naming.symbol(step.slots[i]).name;
    }
    lines.push_back({left + ")", clause_text(naming, step, rule, head)});
    for (const Filler& slot : step.slots) {
        if (slot.kind == Filler::Kind::step) {
            tell(naming, derivation, slot.index, depth + 1, told, lines);
        }
    }
}

/// Adds head <- atoms, unless a slot is False.
void add_rule(Program& program, const Naming& naming, const Atom& head,
              const std::vector<ProtoAtom>& atoms, const Filler* slots) {
    Rule rule{head, {}};
    for (const ProtoAtom& atom : atoms) {
        const Filler& slot = *slots++;
        if (slot.kind == Filler::Kind::falsity) {
            return;
        }
        if (slot.kind == Filler::Kind::truth) {
            continue;
        }
        const PredicateSymbol symbol = naming.symbol(slot);
        Atom body{program.vocabulary.intern(symbol), {}};
        for (std::size_t i = 0; i < at(symbol.arity); ++i) {
            body.arguments.push_back(Term::variable(atom.arguments[i]));
        }
        rule.body.push_back(std::move(body));
    }
    program.rules.push_back(std::move(rule));
}

}  // namespace

Program to_program(const Derivation& derivation, const Metarule& metarule,
                   const ProtoRules& rules) {
    const Naming naming(derivation, metarule, rules);
    Program program;
    program.target = program.vocabulary.intern(
        {metarule.head.predicate, static_cast<int>(metarule.head.arguments.size())});
    if (derivation.root.kind != Filler::Kind::step) {
        const PredicateSymbol symbol = naming.symbol(derivation.root);
        Rule rule{{program.target, {}}, {}};
        if (derivation.root.kind != Filler::Kind::truth) {
            rule.body.push_back({program.vocabulary.intern(symbol), {}});
        }
        for (int i = 0; i < symbol.arity; ++i) {
            rule.head.arguments.push_back(Term::variable(i));
            rule.body[0].arguments.push_back(Term::variable(i));
        }
        program.rules.push_back(std::move(rule));
    }
    for (std::size_t i = 0; i < derivation.steps.size(); ++i) {
        const DerivationStep& step = derivation.steps[i];
        const ProtoRule& rule = rules[at(step.protorule)];
        const Filler self{Filler::Kind::step, static_cast<int>(i)};
        Atom head{program.vocabulary.intern(naming.symbol(self)), {}};
        for (const int v : rule.head) {
            head.arguments.push_back(Term::variable(v));
        }
        add_rule(program, naming, head, rule.body, step.slots.data());
        if (!rule.disjunct.empty()) {
            add_rule(program, naming, head, rule.disjunct, step.slots.data() + rule.body.size());
        }
    }
    return program;
}

std::string to_text(const Derivation& derivation, const Metarule& metarule,
                    const ProtoRules& rules) {
    const Naming naming(derivation, metarule, rules);
    std::vector<Line> lines;
    if (derivation.root.kind == Filler::Kind::step) {
        std::set<int> told;
        tell(naming, derivation, derivation.root.index, 0, told, lines);
    } else {
        const PredicateSymbol symbol = naming.symbol(derivation.root);
        const std::vector<int> arguments = {0, 1};
        const PredicateSymbol head{metarule.head.predicate, symbol.arity};
        lines.push_back({head.name + " = " + symbol.name,
                         text_of(head, arguments) + " <- " + text_of(symbol, arguments)});
    }
    std::size_t width = 0;
    for (const Line& line : lines) {
        width = std::max(width, line.left.size());
    }
    std::string text;
    for (const Line& line : lines) {
        text += line.left + std::string(width - line.left.size() + 4, ' ') + line.right + "\n";
    }
    return text;
}

}  // namespace hri
