// SPDX-License-Identifier: Apache-2.0

#include "tasks/scenes/planted.hpp"

#include "logic/dependencies.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace hri {
namespace scenes {
namespace {

constexpr const char* kHint =
    "rules of names over other names and relations, as in: "
    "wrist(X) :- on(Y,X), watch(Y).";

[[noreturn]] void fail(const std::string& what) {
    throw Error("planted rules: " + what, {}, kHint);
}

}  // namespace

Planted::Planted(const std::string& rules, const std::vector<PredicateSymbol>& predicates,
                 std::uint32_t unary)
    : program_(parse_program(rules, "<planted rules>")),
      is_target_(predicates.size(), false),
      is_used_(predicates.size(), false) {
    if (is_recursive(program_) || logic::has_negation(program_)) {
        fail("expected definite rules that do not call themselves");
    }
    const Vocabulary& vocabulary = program_.vocabulary;
    if (!vocabulary.constants().empty()) {
        fail(fmt::format("expected variables only, found {}", vocabulary.constants().front()));
    }
    for (const PredicateSymbol& symbol : vocabulary.symbols()) {
        const auto found = std::find(predicates.begin(), predicates.end(), symbol);
        id_.push_back(found == predicates.end()
                          ? UINT32_MAX
                          : static_cast<std::uint32_t>(found - predicates.begin()));
    }
    rules_of_.resize(id_.size());
    for (const Rule& rule : program_.rules) {
        rules_of_[rule.head.predicate.id].push_back(&rule);
    }
    for (std::uint32_t p = 0; p < id_.size(); ++p) {
        const PredicateSymbol& symbol = vocabulary[Predicate{p}];
        if (id_[p] == UINT32_MAX && rules_of_[p].empty()) {
            fail(fmt::format("these scenes have no {}/{}", symbol.name, symbol.arity));
        }
        if (id_[p] != UINT32_MAX && !rules_of_[p].empty()) {
            if (id_[p] >= unary) {
                fail(fmt::format("expected names as targets, found the relation {}", symbol.name));
            }
            targets_.push_back(id_[p]);
            is_target_[id_[p]] = true;
            Program one = program_;
            one.target = Predicate{p};
            compiled_.emplace_back(simplified(std::move(one)), predicates);
        }
    }
    for (const Rule& rule : program_.rules) {
        for (const Atom& atom : rule.body) {
            const std::uint32_t id = id_[atom.predicate.id];
            if (id == UINT32_MAX) {
                continue;
            }
            if (is_target_[id]) {
                fail(fmt::format("{} is planted, so no rule may use it", predicates[id].name));
            }
            is_used_[id] = true;
        }
    }
    if (targets_.empty()) {
        fail("none is about a name of these scenes");
    }
}

/// Makes an atom hold; invented predicates hold by one of their rules.
void scenes::Planted::expand(const Atom& atom, const std::vector<std::uint32_t>& objects,
                             Random& random, Body& body) const {
    const std::uint32_t id = id_[atom.predicate.id];
    const std::vector<const Rule*>& rules = rules_of_[atom.predicate.id];
    if (rules.empty()) {
        if (objects.size() == 1) {
            body.names.push_back({id, objects[0]});
        } else {
            body.relations.push_back({id, objects[0], objects[1]});
        }
        return;
    }
    const Rule& rule =
        *rules[static_cast<std::size_t>(random.below(static_cast<int>(rules.size())))];
    std::map<std::int32_t, std::uint32_t> bound;
    for (std::size_t i = 0; i < objects.size(); ++i) {
        bound.emplace(rule.head.arguments[i].index(), objects[i]);
    }
    for (const Atom& goal : rule.body) {
        std::vector<std::uint32_t> arguments;
        for (const Term term : goal.arguments) {
            const auto [place, fresh] = bound.emplace(term.index(), body.objects);
            body.objects += fresh ? 1 : 0;
            arguments.push_back(place->second);
        }
        expand(goal, arguments, random, body);
    }
}

scenes::Planted::Body scenes::Planted::draw_body(std::uint32_t target, Random& random) const {
    const auto found = std::find(id_.begin(), id_.end(), target);
    Body body;
    expand({Predicate{static_cast<std::uint32_t>(found - id_.begin())}, {}}, {0}, random, body);
    return body;
}

void scenes::Planted::evaluate(
    const Instance& instance,
    const std::function<void(std::uint32_t target, const Truth&)>& visit) {
    Truth truth;
    for (std::size_t t = 0; t < targets_.size(); ++t) {
        compiled_[t].evaluate(instance, kToFixpoint, truth);
        visit(targets_[t], truth);
    }
}

}  // namespace scenes

std::string default_planted_rules() {
    return "person(X) :- on(X,Y), bench(Y).\n"
           "person(X) :- wearing(X,Y).\n"
           "wrist(X) :- on(Y,X), watch(Y).\n"
           "vase(X) :- on(Y,X), flowers(Y).\n"
           "vase(X) :- with(X,Y), flowers(Y).\n"
           "tree(X) :- of(Y,X), leaf(Y).\n"
           "building(X) :- of(Y,X), window(Y).\n"
           "building(X) :- of(Y,X), roof(Y).\n"
           "wall(X) :- on(Y,X), picture(Y).\n"
           "table(X) :- on(Y,X), with(Y,Z), food(Z).\n"
           "sky(X) :- in(Y,X), above(Y,Z), ocean(Z).\n"
           "water(X) :- in(Y,X), near(Y,Z), boat(Z).\n"
           "car(X) :- of(Y,X), wheel(Y).\n"
           "street(X) :- on(Y,X), behind(Y,Z), bus(Z).\n"
           "field(X) :- in(Y,X), eating(Y,Z).\n"
           "airplane(X) :- of(Y,X), wing(Y).\n"
           "elephant(X) :- of(Y,X), trunk(Y).\n"
           "bed(X) :- on(Y,X), below(Y,Z), blanket(Z).\n"
           "pizza(X) :- with(X,Y), cheese(Y).\n"
           "kite(X) :- above(X,Y), carrying(Z,Y).\n"
           "surfboard(X) :- below(X,Y), riding(Y,Z).\n"
           "desk(X) :- on(Y,X), laptop(Y).\n"
           "desk(X) :- on(Y,X), keyboard(Y).\n"
           "cat(X) :- lying_on(X,Y), on(Y,Z), chair(Z).\n";
}

std::optional<Program> planted_program(const SceneSet& scenes, std::uint32_t target) {
    if (scenes.origin().planted.empty()) {
        return std::nullopt;
    }
    Program program = parse_program(scenes.origin().planted, "<planted rules>");
    const auto found = program.vocabulary.find(scenes.predicates()[target]);
    if (!found || !logic::defined_predicates(program)[found->id]) {
        return std::nullopt;
    }
    program.target = *found;
    return simplified(std::move(program));
}

}  // namespace hri
