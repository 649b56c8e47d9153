// SPDX-License-Identifier: Apache-2.0

// Souffle's Datalog.

#include "hri/export.hpp"

#include "logic/range_restricted_program.hpp"
#include "logic/variable_name.hpp"

#include <algorithm>
#include <array>

namespace hri {
namespace {

using logic::indicator;
using logic::RangeRestricted;

// Words that Souffle keeps for itself.
constexpr auto kReserved = std::to_array<std::string_view>(
    {"as",          "autoinc",  "band",      "bnot",         "bor",       "brie",        "bshl",
     "bshr",        "bshru",    "btree",     "btree_delete", "bxor",      "cat",         "contains",
     "count",       "eqrel",    "false",     "float",        "inline",    "input",       "land",
     "lnot",        "lor",      "lxor",      "magic",        "match",     "max",         "mean",
     "min",         "nil",      "no_inline", "no_magic",     "number",    "ord",         "output",
     "overridable", "override", "printsize", "range",        "stateful",  "strlen",      "substr",
     "sum",         "symbol",   "to_float",  "to_number",    "to_string", "to_unsigned", "true",
     "unsigned"});

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string identifier(const std::string& name) {
    std::string result;
    for (const char c : name) {
        result += is_word(c) ? c : '_';
    }
    if (result.empty() || (result[0] >= '0' && result[0] <= '9')) {
        result.insert(0, "_");
    }
    // a lone underscore is the anonymous variable
    const bool reserved =
        std::find(kReserved.begin(), kReserved.end(), result) != kReserved.end() || result == "_";
    return reserved ? result + "_" : result;
}

std::string string_literal(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        switch (c) {
            case '"':
            case '\\':
                result += '\\';
                result += c;
                break;
            case '\n':
                result += "\\n";
                break;
            case '\t':
                result += "\\t";
                break;
            case '\r':
                result += "\\r";
                break;
            default:
                result += c;
        }
    }
    return result + "\"";
}

/// A file of that name in the folder of facts.
std::string file_name(const std::string& name, const std::string& otherwise) {
    const bool plain =
        !name.empty() && name[0] != '.' && std::all_of(name.begin(), name.end(), [](char c) {
            return is_word(c) || c == '-' || c == '.' ||
                   (static_cast<unsigned char>(c) & 0x80U) != 0;
        });
    return plain ? name : otherwise;
}

class DatalogWriter {
  public:
    explicit DatalogWriter(const Program& program)
        : restricted_(logic::range_restricted(program)),
          names_(logic::identifiers(restricted_, identifier, {})) {}

    std::string written() const {
        const Program& program = restricted_.program;
        std::string text = "// target: " + indicator(program.vocabulary[program.target]) + "\n";
        for (const Predicate p : restricted_.order) {
            text += declaration(p);
        }
        for (const Rule& rule : program.rules) {
            text += written(rule.head);
            for (std::size_t i = 0; i < rule.body.size(); ++i) {
                text += (i == 0 ? " :- " : ", ") + written(rule.body[i]);
            }
            text += ".\n";
        }
        return text;
    }

  private:
    std::string declaration(Predicate p) const {
        const PredicateSymbol& symbol = restricted_.program.vocabulary[p];
        const std::string& name = names_[p.id];
        std::string text;
        if (name != symbol.name) {
            text += "// " + name + " is " + indicator(symbol) + "\n";
        }
        if (p == restricted_.constants) {
            text += "// " + name + " lists all constants of the data\n";
        }
        text += ".decl " + name + "(";
        for (int i = 0; i < symbol.arity; ++i) {
            text += (i == 0 ? "" : ", ") + logic::column_name(i) + ": symbol";
        }
        text += ")\n";
        if (!restricted_.derived[p.id]) {
            text += ".input " + name +
                    "(filename=" + string_literal(file_name(symbol.name, name) + ".facts") + ")\n";
        } else if (restricted_.is_wanted(p)) {
            text += ".output " + name + "\n";
        }
        return text;
    }

    std::string written(const Atom& atom) const {
        const Vocabulary& vocabulary = restricted_.program.vocabulary;
        const bool negated = vocabulary.is_negated(atom.predicate);
        if (is_equality(vocabulary[atom.predicate])) {
            return written(atom.arguments[0]) + (negated ? " != " : " = ") +
                   written(atom.arguments[1]);
        }
        if (is_comparison(vocabulary[atom.predicate])) {
            return written_comparison(atom);
        }
        std::string text =
            (negated ? "!" : "") + names_[vocabulary.positive(atom.predicate).id] + "(";
        for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
            text += (i == 0 ? "" : ", ") + written(atom.arguments[i]);
        }
        return text + ")";
    }

    /// Columns are symbols: they are compared as numbers.
    std::string written_comparison(const Atom& atom) const {
        const PredicateSymbol& symbol = restricted_.program.vocabulary[atom.predicate];
        const std::array<std::array<const char*, 3>, 6> signs = {{{"<", "<", ">="},
                                                                  {"=<", "<=", ">"},
                                                                  {">", ">", "<="},
                                                                  {">=", ">=", "<"},
                                                                  {"=:=", "=", "!="},
                                                                  {"=\\=", "!=", "="}}};
        const auto found = std::find_if(signs.begin(), signs.end(),
                                        [&](const auto& sign) { return symbol.name == sign[0]; });
        return "to_float(" + written(atom.arguments[0]) + ") " + (*found)[symbol.negated ? 2 : 1] +
               " to_float(" + written(atom.arguments[1]) + ")";
    }

    std::string written(Term term) const {
        const auto index = static_cast<std::size_t>(term.index());
        return term.is_variable()
                   ? logic::variable_name(index)
                   : string_literal(restricted_.program.vocabulary.constants()[index]);
    }

    RangeRestricted restricted_;
    std::vector<std::string> names_;
};

}  // namespace

std::string to_datalog(const Program& program) { return DatalogWriter(program).written(); }

}  // namespace hri
