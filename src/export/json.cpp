// SPDX-License-Identifier: Apache-2.0
#include "hri/export.hpp"
#include "hri/version.hpp"

#include "logic/dependencies.hpp"
#include "logic/simplify/state.hpp"
#include "logic/variable_name.hpp"
#include "soft/matches.hpp"

#include <nlohmann/json.hpp>

namespace hri {
namespace {

using Json = nlohmann::ordered_json;

Json symbol_json(const PredicateSymbol& symbol) {
    return {{"name", symbol.name}, {"arity", symbol.arity}};
}

Json atom_json(const Vocabulary& vocabulary, const Atom& atom) {
    Json arguments = Json::array();
    for (const Term term : atom.arguments) {
        const auto index = static_cast<std::size_t>(term.index());
        arguments.push_back(term.is_variable() ? Json{{"variable", logic::variable_name(index)}}
                                               : Json{{"constant", vocabulary.constants()[index]}});
    }
    Json json = {{"predicate", vocabulary[atom.predicate].name}, {"arguments", arguments}};
    if (vocabulary.is_negated(atom.predicate)) {
        json["negated"] = true;
    }
    return json;
}

Json program_json(const Program& program) {
    const std::vector<bool> defined = logic::defined_predicates(program);
    const std::vector<bool> mentioned = logic::mentioned_predicates(program);
    Json inputs = Json::array();
    for (std::uint32_t p = 0; p < defined.size(); ++p) {
        if (mentioned[p] && !defined[p] && Predicate{p} != program.target &&
            !program.vocabulary.is_negated(Predicate{p}) &&
            !is_equality(program.vocabulary[Predicate{p}]) &&
            !is_comparison(program.vocabulary[Predicate{p}])) {
            inputs.push_back(symbol_json(program.vocabulary[Predicate{p}]));
        }
    }
    Json rules = Json::array();
    for (Rule rule : program.rules) {
        simplify::number_variables(rule);
        Json body = Json::array();
        for (const Atom& atom : rule.body) {
            body.push_back(atom_json(program.vocabulary, atom));
        }
        rules.push_back({{"head", atom_json(program.vocabulary, rule.head)}, {"body", body}});
    }
    return {{"version", version()}, {"target", symbol_json(program.vocabulary[program.target])},
            {"inputs", inputs},     {"recursive", is_recursive(program)},
            {"rules", rules},       {"prolog", to_prolog(program)}};
}

Json slot_json(const Model& model, const std::vector<float>& scores, int slot) {
    Json result = Json::array();
    for (const soft::Match& match : soft::matches(model, scores, slot)) {
        result.push_back(
            {{"predicate", soft::predicate_name(model, match.predicate)},
             {"arity", model.hierarchy.arity[static_cast<std::size_t>(match.predicate)]},
             {"weight", match.weight}});
    }
    return result;
}

/// Bytes that are no UTF-8 become the replacement character.
std::string printed(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string to_json(const Program& program) { return printed(program_json(program)); }

std::string to_json(const Model& model) {
    const std::vector<float> scores = unification(model);
    Json json = program_json(simplified(extract(model)));
    Json auxiliaries = Json::array();
    for (const Auxiliary& auxiliary : model.hierarchy.auxiliaries) {
        Json slots = Json::array();
        for (const int slot : auxiliary.slots) {
            slots.push_back(slot_json(model, scores, slot));
        }
        auxiliaries.push_back(
            {{"name", auxiliary.name},
             {"arity", auxiliary.arity},
             {"layer", auxiliary.layer},
             {"protorule",
              to_text(model.protorules[static_cast<std::size_t>(auxiliary.protorule)])},
             {"slots", slots}});
    }
    json["hierarchy"] = {{"target", slot_json(model, scores, model.hierarchy.target_slot())},
                         {"auxiliaries", auxiliaries}};
    return printed(json);
}

}  // namespace hri
