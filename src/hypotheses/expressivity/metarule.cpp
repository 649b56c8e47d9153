// SPDX-License-Identifier: Apache-2.0

#include "hypotheses/expressivity/metarule.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace hri {
namespace {

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '\'';
}

/// Reads  atom ("<-" | ":-") [ atom { ("," | "&") atom } ] [ "." ].
class MetaruleParser {
  public:
    MetaruleParser(std::string_view text, const std::string& file) : text_(text), file_(file) {}

    Metarule metarule() {
        const std::size_t head_at = next();
        result_.head = atom("the head, such as P(A,B)");
        if (expressivity::is_built_in(result_.head)) {
            fail(head_at, "'" + result_.head.predicate + "' is built in and defined already");
        }
        if (!accept("<-") && !accept(":-")) {
            fail(next(), "expected '<-' after the head, found " + found());
        }
        if (next() < text_.size() && text_[at_] != '.') {
            do {
                body_atom();
            } while (accept(",") || accept("&"));
        }
        accept(".");
        if (next() != text_.size()) {
            fail(at_, "expected ',' or the end of the metarule, found " + found());
        }
        return std::move(result_);
    }

  private:
    void body_atom() {
        const std::size_t begin = next();
        MetaAtom read = atom("a body atom, such as Q(A,B)");
        const std::string& name = read.predicate;
        if (name == result_.head.predicate) {
            fail(begin, "the head's predicate '" + name + "' stands in the body",
                 "what one clause says does not depend on recursion: give it another name");
        }
        if (name == "True" || name == "Equal") {
            const std::size_t arity = name == "True" ? 0 : 2;
            if (read.arguments.size() != arity) {
                fail(begin, name + " takes " + (arity == 0 ? "no arguments" : "two arguments"));
            }
        }
        if (name == "False") {
            fail(begin, "a body with False says nothing", "leave the metarule out");
        }
        for (const MetaAtom& other : result_.body) {
            if (other.predicate == name && other.arguments.size() != read.arguments.size()) {
                fail(begin,
                     "'" + name + "' had " + std::to_string(other.arguments.size()) +
                         " arguments before",
                     "give predicates of different arity different names");
            }
        }
        result_.body.push_back(std::move(read));
        if (result_.body.size() > kMaxBodyAtoms) {
            fail(begin, "more than " + std::to_string(kMaxBodyAtoms) + " body atoms");
        }
    }

    MetaAtom atom(const std::string& what) {
        MetaAtom result;
        const std::size_t begin = next();
        result.predicate = word();
        if (result.predicate.empty()) {
            fail(begin, "expected " + what + ", found " + found());
        }
        if (!accept("(")) {
            return result;
        }
        if (accept(")")) {
            return result;
        }
        do {
            const std::size_t here = next();
            const std::string name = word();
            if (name.empty()) {
                fail(here, "expected a variable, found " + found());
            }
            if (std::islower(static_cast<unsigned char>(name[0])) != 0 ||
                std::isdigit(static_cast<unsigned char>(name[0])) != 0) {
                fail(here, "'" + name + "' is a constant: metarules have variables alone",
                     "variables begin with a capital letter");
            }
            if (next() < text_.size() && text_[at_] == '(') {
                fail(here, "'" + name + "(' is a function: metarules are function-free");
            }
            if (result.arguments.size() == 2) {
                fail(here, "'" + result.predicate + "' has more than two arguments",
                     "predicates are unary or binary");
            }
            result.arguments.push_back(variable(name));
        } while (accept(","));
        if (!accept(")")) {
            fail(next(), "expected ')' after the arguments, found " + found());
        }
        return result;
    }

    int variable(const std::string& name) {
        std::vector<std::string>& names = result_.variables;
        const auto known = name == "_" ? names.end() : std::find(names.begin(), names.end(), name);
        const auto index = static_cast<int>(known - names.begin());
        if (known == names.end()) {
            names.push_back(name);
        }
        return index;
    }

    std::size_t next() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
            ++at_;
        }
        return at_;
    }

    std::string word() {
        const std::size_t begin = next();
        while (at_ < text_.size() && is_word(text_[at_])) {
            ++at_;
        }
        return std::string(text_.substr(begin, at_ - begin));
    }

    bool accept(std::string_view token) {
        if (text_.substr(next()).substr(0, token.size()) != token) {
            return false;
        }
        at_ += token.size();
        return true;
    }

    std::string found() {
        return next() == text_.size() ? "the end" : "'" + std::string(1, text_[at_]) + "'";
    }

    [[noreturn]] void fail(std::size_t where, const std::string& message,
                           const std::string& hint = {}) const {
        const std::string_view before = text_.substr(0, where);
        const auto line = 1 + std::count(before.begin(), before.end(), '\n');
        const std::size_t line_start = before.rfind('\n');  // npos + 1 is 0
        throw Error(message,
                    {file_, static_cast<int>(line), static_cast<int>(where - (line_start + 1)) + 1},
                    hint);
    }

    static constexpr std::size_t kMaxBodyAtoms = 8;

    std::string_view text_;
    const std::string& file_;
    std::size_t at_ = 0;
    Metarule result_;
};

std::string to_text(const MetaAtom& atom, const std::vector<std::string>& variables) {
    std::string text = atom.predicate;
    for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
        text += (i == 0 ? "(" : ",") + variables[static_cast<std::size_t>(atom.arguments[i])];
    }
    return atom.arguments.empty() ? text : text + ")";
}

bool repeats_a_variable(const MetaAtom& atom) {
    return atom.arguments.size() == 2 && atom.arguments[0] == atom.arguments[1];
}

int symbol_of(const Metarule& metarule, std::size_t body_atom) {
    int symbol = 0;
    while (metarule.body[static_cast<std::size_t>(symbol)].predicate !=
           metarule.body[body_atom].predicate) {
        ++symbol;
    }
    return symbol;
}

}  // namespace

Metarule parse_metarule(std::string_view text, const std::string& file_name) {
    return MetaruleParser(text, file_name).metarule();
}

std::string to_text(const Metarule& metarule) {
    std::string text = to_text(metarule.head, metarule.variables) + " <- ";
    for (std::size_t i = 0; i < metarule.body.size(); ++i) {
        text += (i == 0 ? "" : ", ") + to_text(metarule.body[i], metarule.variables);
    }
    return metarule.body.empty() ? text + "True" : text;
}

bool is_duplicate_free(const Metarule& metarule) {
    return !repeats_a_variable(metarule.head) &&
           std::none_of(metarule.body.begin(), metarule.body.end(), repeats_a_variable);
}

namespace expressivity {

bool is_built_in(const MetaAtom& atom) {
    return atom.predicate == "True" || atom.predicate == "False" || atom.predicate == "Equal";
}

expressivity::Query query_of(const Metarule& metarule) {
    expressivity::QueryBuilder builder;
    for (std::size_t v = 0; v < metarule.variables.size(); ++v) {
        builder.fresh();
    }
    for (std::size_t i = 0; i < metarule.body.size(); ++i) {
        const MetaAtom& atom = metarule.body[i];
        if (atom.predicate == "Equal") {
            builder.equate(atom.arguments[0], atom.arguments[1]);
        } else if (!is_built_in(atom)) {
            builder.add(symbol_of(metarule, i), atom.arguments);
        }
    }
    return expressivity::core(builder.query(metarule.head.arguments));
}

expressivity::Query query_of_predicate(const Metarule& metarule, std::size_t body_atom) {
    expressivity::QueryBuilder builder;
    std::vector<int> arguments;
    for (std::size_t i = 0; i < metarule.body[body_atom].arguments.size(); ++i) {
        arguments.push_back(builder.fresh());
    }
    builder.add(symbol_of(metarule, body_atom), arguments);
    return builder.query(arguments);
}

std::vector<PredicateSymbol> predicates_of(const Metarule& metarule) {
    std::vector<PredicateSymbol> symbols;
    for (std::size_t i = 0; i < metarule.body.size(); ++i) {
        const MetaAtom& atom = metarule.body[i];
        if (!is_built_in(atom) && symbol_of(metarule, i) == static_cast<int>(i)) {
            symbols.push_back({atom.predicate, static_cast<int>(atom.arguments.size())});
        }
    }
    return symbols;
}

}  // namespace expressivity
}  // namespace hri
