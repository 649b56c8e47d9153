// SPDX-License-Identifier: Apache-2.0

// Ground terms as the names of constants. The names are unique: an atom called "f(a)" keeps its
// quotes, since without them it is the term f(a).

#include "logic/prolog/terms.hpp"

#include <algorithm>

namespace hri::prolog {
namespace {

/// Lists, terms with functions and quoted atoms end in one of these.
bool may_be_written(std::string_view name) {
    if (name.size() < 3) {
        return false;
    }
    const char last = name.back();
    return (last == ')' && name.find('(') != std::string_view::npos) ||
           (last == ']' && name.front() == '[') || (last == '\'' && name.front() == '\'');
}

std::string atom_name(std::string_view name) {
    return is_written_term(name) ? quoted_predicate(name) : std::string(name);
}

bool append_arguments(const Node& node, std::string& text);

bool append_term(const Node& node, std::string& text) {
    switch (node.kind) {
        case Kind::variable:
            return false;
        case Kind::number:
            text += node.name;
            return true;
        case Kind::atom:
        case Kind::string:
            text += node.name == "[]" ? "[]" : quoted_predicate(node.name);
            return true;
        case Kind::list: {
            text += '[';
            const bool ground = append_arguments(node, text);
            text += ']';
            return ground;
        }
        case Kind::compound:
            break;
    }
    if (node.name == "[|]" && node.arity() >= 2) {
        text += '[';
        for (int i = 0; i < node.arity(); ++i) {
            text += i == 0 ? "" : i + 1 == node.arity() ? "|" : ",";
            if (!append_term(node.arguments[static_cast<std::size_t>(i)], text)) {
                return false;
            }
        }
        text += ']';
        return true;
    }
    if (node.name == "," && node.arity() > 2) {  // a,b,c is a,(b,c)
        for (int i = 0; i < node.arity(); ++i) {
            text += i + 1 < node.arity() ? (i == 0 ? "','(" : ",','(") : ",";
            if (!append_term(node.arguments[static_cast<std::size_t>(i)], text)) {
                return false;
            }
        }
        text.append(static_cast<std::size_t>(node.arity()) - 1, ')');
        return true;
    }
    text += quoted_predicate(node.name) + "(";
    const bool ground = append_arguments(node, text);
    text += ')';
    return ground;
}

bool append_arguments(const Node& node, std::string& text) {
    bool first = true;
    return std::all_of(node.arguments.begin(), node.arguments.end(), [&](const Node& argument) {
        text += first ? "" : ",";
        first = false;
        return append_term(argument, text);
    });
}

}  // namespace

std::optional<std::string> constant_name(const Node& node) {
    switch (node.kind) {
        case Kind::variable:
            return std::nullopt;
        case Kind::number:
            return std::string(node.name);
        case Kind::atom:
        case Kind::string:
            return atom_name(node.name);
        case Kind::list:
        case Kind::compound:
            break;
    }
    if (node.arity() == 0) {  // [] and f()
        return atom_name(node.name);
    }
    std::string text;
    return append_term(node, text) ? std::optional(std::move(text)) : std::nullopt;
}

std::optional<std::string> constant_name(std::string_view text) {
    const std::string clause = std::string(text) + " .";
    try {
        Reader reader(clause, "");
        const Node* node = reader.next();
        return node == nullptr ? std::nullopt : constant_name(*node);
    } catch (const Error&) {
        return std::nullopt;
    }
}

bool is_written_term(std::string_view name) {
    if (!may_be_written(name)) {
        return false;
    }
    const std::string clause = std::string(name) + " .";
    try {
        Reader reader(clause, "");
        const Node* node = reader.next();
        if (node == nullptr) {
            return false;
        }
        // 'a' and f( a ) would be read as a and f(a): as constants they are texts
        const bool shaped = node->arity() > 0 || name.front() == '\'';
        return shaped && constant_name(*node) == name && reader.next() == nullptr;
    } catch (const Error&) {
        return false;
    }
}

}  // namespace hri::prolog
