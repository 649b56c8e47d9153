// SPDX-License-Identifier: Apache-2.0
#include "evaluate/tree.hpp"

#include "hri/fields.hpp"

#include "logic/prolog/terms.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace hri {
namespace {

void append(std::string& text, const Reason& reason, bool soft, const std::string& indent) {
    for (const Reason& part : reason.body) {
        const bool last = &part == &reason.body.back();
        text += indent + (last ? "└─ " : "├─ ");
        text += soft ? fmt::format("{:.3f} x ", part.weight) : part.holds ? "" : "✗ ";
        text += part.atom;
        if (soft || (part.holds && part.value < 1)) {
            text += fmt::format(" = {:.3f}", part.value);
        }
        text += part.because.empty() ? "\n" : "  " + part.because + "\n";
        append(text, part, soft, indent + (last ? "   " : "│  "));
    }
}

}  // namespace

namespace {

/// A constant, also customers:117 without the quotes that Prolog wants.
std::optional<std::string> unquoted_key(const prolog::Node& node) {
    if (node.is(":", 2)) {
        const std::optional<std::string> left = unquoted_key(node.arguments[0]);
        const std::optional<std::string> right = unquoted_key(node.arguments[1]);
        return left && right ? std::optional(*left + ":" + *right) : std::nullopt;
    }
    const bool is_constant = node.kind != prolog::Kind::variable && node.arity() == 0;
    return is_constant ? std::optional(std::string(node.name)) : std::nullopt;
}

}  // namespace

GroundAtom parse_ground_atom(std::string_view text) {
    std::string clause(text);
    while (!clause.empty() && (clause.back() == ' ' || clause.back() == '.')) {
        clause.pop_back();
    }
    clause += ".";
    prolog::Reader reader(clause, "<atom>");
    const char* hint = "write it as grandparent(ann,bob)";
    const prolog::Node* node = reader.next();
    if (node == nullptr || !node->is_callable() || node->is(",", node->arity())) {
        throw Error("expected an atom", {"<atom>", 1, 1}, hint);
    }
    GroundAtom atom{std::string(node->name), {}};
    for (const prolog::Node& argument : node->arguments) {
        const std::optional<std::string> key = unquoted_key(argument);
        const std::optional<std::string> name =
            key && argument.kind != prolog::Kind::list ? key : prolog::constant_name(argument);
        if (!name) {
            throw Error("expected a constant", reader.place(argument), hint);
        }
        atom.arguments.push_back(*name);
    }
    if (reader.next() != nullptr) {
        throw Error("expected one atom, found more", {"<atom>", 1, 1}, hint);
    }
    return atom;
}

std::string to_text(const Explanation& explanation) {
    const Reason& reason = explanation.reason;
    std::string text =
        explanation.soft ? fmt::format("{} = {:.3f}", reason.atom, explanation.value)
        : explanation.holds && explanation.value < 1
            ? fmt::format("{} is predicted with {:.3f}", reason.atom, explanation.value)
            : reason.atom + (explanation.holds ? " is true" : " is false");
    text += "\n" + reason.atom + (reason.because.empty() ? "" : "  " + reason.because) + "\n";
    append(text, reason, explanation.soft, "");
    return text;
}

namespace evaluation {

std::vector<std::int32_t> constants_of(const FactBase& facts, const GroundAtom& atom) {
    std::vector<std::int32_t> constants;
    for (const std::string& name : atom.arguments) {
        const std::int32_t known = facts.find(name);
        if (known < 0) {
            std::vector<std::string> names;
            bool are_numbered = true;
            for (std::int32_t c = 0; c < facts.constants(); ++c) {
                names.push_back(facts.name_of(c));
                are_numbered = are_numbered && names.back() == std::to_string(c);
            }
            throw Error("the data have no constant " + prolog::quoted(name), {},
                        names.empty() || are_numbered
                            ? "they are called 0 to " + std::to_string(facts.constants() - 1)
                            : "did you mean " + nearest(name, names) + "?");
        }
        constants.push_back(known);
    }
    return constants;
}

std::string ground_atom(const std::string& predicate, const std::vector<std::int32_t>& constants,
                        const FactBase& facts) {
    std::string text = predicate;
    for (std::size_t i = 0; i < constants.size(); ++i) {
        text += (i == 0 ? "(" : ",") + prolog::quoted(facts.name_of(constants[i]));
    }
    return constants.empty() ? text : text + ")";
}

}  // namespace evaluation
}  // namespace hri
