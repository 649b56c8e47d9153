// SPDX-License-Identifier: Apache-2.0

#include "hri/protorules.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

namespace hri {
namespace {

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '\'';
}

/// An atom as written, before its variables are numbered.
struct WrittenAtom {
    bool any_lower_arity = false;
    std::string predicate;
    std::vector<std::string> arguments;
    std::vector<std::size_t> argument_at;  ///< where each argument begins
    std::size_t at = 0;                    ///< where the predicate begins
};

/// Atoms joined by `&`.
using Conjunction = std::vector<WrittenAtom>;

/// Reads one line:  name ":" atom "<-" conjunction [ "|" atom ].
class LineParser {
  public:
    LineParser(std::string_view line, const std::string& file, int number)
        : line_(line), file_(file), number_(number) {}

    std::size_t name_at() const { return name_at_; }

    ProtoRule rule() {
        ProtoRule rule;
        rule.name = name();
        const WrittenAtom head = atom("the head, such as H(X,Y)");
        expect("<-", "after the head");
        const std::vector<Conjunction> alternatives = body();
        check_predicates(head, alternatives);
        check_head(head, alternatives);

        std::vector<std::string> variables;
        rule.head = number(head, variables, rule.constants);
        const auto numbered = [&](const WrittenAtom& written) {
            return ProtoAtom{written.any_lower_arity, number(written, variables, rule.constants)};
        };
        for (const WrittenAtom& written : alternatives[0]) {
            rule.body.push_back(numbered(written));
        }
        if (alternatives.size() > 1) {
            rule.disjunct.push_back(numbered(alternatives[1][0]));
        }
        return rule;
    }

    [[noreturn]] void fail(std::size_t at, const std::string& message,
                           const std::string& hint = {}) const {
        const std::string_view before = line_.substr(0, at);
        const auto characters = std::count_if(before.begin(), before.end(), base::begins_character);
        throw Error(message, {file_, number_, static_cast<int>(characters) + 1}, hint);
    }

  private:
    void skip_space() {
        while (at_ < line_.size() && std::isspace(static_cast<unsigned char>(line_[at_])) != 0) {
            ++at_;
        }
    }

    bool accept(std::string_view symbol) {
        skip_space();
        if (line_.substr(at_, symbol.size()) != symbol) {
            return false;
        }
        at_ += symbol.size();
        return true;
    }

    std::string found() {
        skip_space();
        if (at_ == line_.size()) {
            return "the end of the line";
        }
        std::size_t end = at_ + 1;
        if (is_word(line_[at_])) {
            while (end < line_.size() && is_word(line_[end])) {
                ++end;
            }
        } else {
            while (end < line_.size() && !base::begins_character(line_[end])) {
                ++end;
            }
        }
        return "'" + std::string(line_.substr(at_, end - at_)) + "'";
    }

    void expect(std::string_view symbol, const std::string& where) {
        if (!accept(symbol)) {
            const std::string what = found();
            fail(at_, "expected '" + std::string(symbol) + "' " + where + ", found " + what,
                 what == "':'" ? "the arrow is written <-" : "");
        }
    }

    std::string word() {
        skip_space();
        const std::size_t begin = at_;
        while (at_ < line_.size() && is_word(line_[at_])) {
            ++at_;
        }
        return std::string(line_.substr(begin, at_ - begin));
    }

    std::string name() {
        skip_space();
        name_at_ = at_;
        std::string name;
        while (at_ < line_.size() && (is_word(line_[at_]) || line_[at_] == '*' ||
                                      line_[at_] == '+' || line_[at_] == '-')) {
            name += line_[at_++];
        }
        const std::string hint = "a proto-rule is written as in B: H(X,Y) <- ~P(X,Z) & ~Q(Z,Y)";
        if (name.empty() || std::isalpha(static_cast<unsigned char>(name[0])) == 0) {
            at_ = name_at_;
            fail(name_at_, "expected the proto-rule's name, found " + found(), hint);
        }
        if (!accept(":")) {
            const std::string what = found();
            fail(at_, "expected ':' after the proto-rule's name, found " + what, hint);
        }
        return name;
    }

    void refuse_negation() {
        skip_space();
        const std::string_view rest = line_.substr(at_);
        const bool is_not = rest.substr(0, 3) == "not" && rest.size() > 3 && !is_word(rest[3]);
        if (rest.substr(0, 1) == "!" || rest.substr(0, 2) == "\\+" ||
            rest.substr(0, 2) == "\xC2\xAC" || is_not) {
            fail(at_, "proto-rules have no negated atoms",
                 "with the option negation any slot may match a negated predicate; ~P means \"of "
                 "this arity or lower\"");
        }
    }

    WrittenAtom atom(const std::string& what) {
        refuse_negation();
        WrittenAtom atom;
        atom.any_lower_arity = accept("~");
        skip_space();
        atom.at = at_;
        atom.predicate = word();
        if (atom.predicate.empty() ||
            std::isupper(static_cast<unsigned char>(atom.predicate[0])) == 0) {
            at_ = atom.at;
            const std::string instead = found();
            fail(atom.at, "expected " + what + ", found " + instead,
                 "predicate variables begin with an upper-case letter");
        }
        if (!accept("(") || accept(")")) {
            return atom;
        }
        do {
            atom.arguments.push_back(argument(atom));
        } while (accept(","));
        expect(")", "after the arguments of '" + atom.predicate + "'");
        if (atom.arguments.size() > 2) {
            fail(atom.at,
                 "'" + atom.predicate + "' has " + std::to_string(atom.arguments.size()) +
                     " arguments: proto-rules such as Curry need arity 3, and predicates here have "
                     "at "
                     "most two",
                 "atoms take one or two variables");
        }
        return atom;
    }

    std::string argument(WrittenAtom& atom) {
        skip_space();
        const std::size_t begin = at_;
        atom.argument_at.push_back(begin);
        std::string argument = word();
        if (argument.empty()) {
            fail(begin, "expected a variable, found " + found());
        }
        if (accept("(")) {
            fail(begin,
                 "'" + argument + "' is a predicate as argument: that needs arity 3, as Curry does",
                 "arguments are variables");
        }
        return argument;
    }

    std::vector<Conjunction> body() {
        std::vector<Conjunction> alternatives;
        do {
            skip_space();
            const std::size_t begin = at_;
            if (alternatives.size() == 2) {
                fail(begin, "a proto-rule has at most one disjunct");
            }
            const bool parenthesised = accept("(");
            Conjunction conjunction;
            do {
                skip_space();
                const std::size_t next = at_;
                conjunction.push_back(atom("an atom, such as ~P(X,Y)"));
                if (conjunction.size() > 3) {
                    fail(next, "more than three conjoined atoms",
                         "auxiliary predicates of a lower layer join more");
                }
                if (conjunction.size() > 1 && !alternatives.empty()) {
                    fail(next, "the disjunct is a single atom", "write the conjunction first");
                }
            } while (accept("&") || accept(","));
            if (parenthesised) {
                expect(")", "after the conjunction");
            }
            alternatives.push_back(std::move(conjunction));
        } while (accept("|"));
        skip_space();
        if (at_ != line_.size()) {
            const std::string what = found();
            fail(at_, "expected '&', '|' or the end of the line, found " + what);
        }
        return alternatives;
    }

    /// Each predicate variable stands for a slot of its own, so that no name may come twice.
    void check_predicates(const WrittenAtom& head,
                          const std::vector<Conjunction>& alternatives) const {
        if (head.any_lower_arity) {
            fail(head.at, "the head's arity is fixed: '~' has no meaning there");
        }
        std::vector<const WrittenAtom*> atoms{&head};
        for (const Conjunction& conjunction : alternatives) {
            for (const WrittenAtom& atom : conjunction) {
                if (atom.predicate == head.predicate) {
                    fail(atom.at,
                         "the head's predicate '" + head.predicate + "' stands in the body",
                         "recursion is chosen by the option recursivity");
                }
                for (const WrittenAtom* other : atoms) {
                    if (other->predicate == atom.predicate) {
                        fail(atom.at, "'" + atom.predicate + "' stands for two atoms",
                             "each atom is matched on its own: give it another name");
                    }
                }
                atoms.push_back(&atom);
            }
        }
        for (const WrittenAtom* atom : atoms) {
            for (std::size_t i = 0; i < atom->arguments.size(); ++i) {
                for (const WrittenAtom* other : atoms) {
                    if (atom->arguments[i] == other->predicate) {
                        fail(atom->argument_at[i],
                             "'" + other->predicate +
                                 "' is a predicate as argument: that needs arity 3, as Curry does",
                             "arguments are variables");
                    }
                }
            }
        }
    }

    /// Every variable of the head occurs in the body.
    void check_head(const WrittenAtom& head, const std::vector<Conjunction>& alternatives) const {
        for (std::size_t i = 0; i < head.arguments.size(); ++i) {
            const std::string& variable = head.arguments[i];
            if (is_constant(variable)) {
                fail(head.argument_at[i], "the constant '" + variable + "' in a head",
                     "constants stand in bodies; variables begin with an upper-case letter");
            }
            bool occurs = false;
            for (const Conjunction& conjunction : alternatives) {
                for (const WrittenAtom& atom : conjunction) {
                    occurs = occurs ||
                             std::count(atom.arguments.begin(), atom.arguments.end(), variable) > 0;
                }
            }
            if (!occurs) {
                fail(head.argument_at[i],
                     "the head's variable " + variable + " does not occur in the body",
                     "~P(X,Y) takes unary predicates too, which ignore Y");
            }
        }
    }

    static bool is_constant(const std::string& argument) {
        return std::isupper(static_cast<unsigned char>(argument[0])) == 0 && argument[0] != '_';
    }

    /// Variables by number, in order of appearance; constants as -1, -2, ...
    static std::vector<int> number(const WrittenAtom& atom, std::vector<std::string>& variables,
                                   std::vector<std::string>& constants) {
        std::vector<int> numbers;
        for (const std::string& argument : atom.arguments) {
            std::vector<std::string>& names = is_constant(argument) ? constants : variables;
            const auto known = std::find(names.begin(), names.end(), argument);
            const auto index = static_cast<int>(known - names.begin());
            numbers.push_back(is_constant(argument) ? -1 - index : index);
            if (known == names.end()) {
                names.push_back(argument);
            }
        }
        return numbers;
    }

    std::string_view line_;
    const std::string& file_;
    int number_;
    std::size_t at_ = 0;
    std::size_t name_at_ = 0;
};

std::string to_text(const ProtoAtom& atom, char predicate,
                    const std::vector<std::string>& constants) {
    static const std::string variables = "XYZTUVW";  // more are called X7, X8, ...
    std::string text = atom.any_lower_arity ? "~" : "";
    text += predicate;
    text += "(";
    for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
        text += i == 0 ? "" : ",";
        if (atom.arguments[i] < 0) {
            text += constants[static_cast<std::size_t>(-1 - atom.arguments[i])];
            continue;
        }
        const auto variable = static_cast<std::size_t>(atom.arguments[i]);
        text += variable < variables.size() ? std::string(1, variables[variable])
                                            : "X" + std::to_string(variable);
    }
    return text + ")";
}

}  // namespace

ProtoRules parse_protorules(std::string_view text, const std::string& file_name) {
    base::require_utf8(text, file_name);
    ProtoRules rules;
    int number = 0;
    while (!text.empty()) {
        ++number;
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        line = line.substr(0, line.find('%'));
        if (line.find_first_not_of(" \t\r\f\v") == std::string_view::npos) {
            continue;
        }
        LineParser parser(line, file_name, number);
        ProtoRule rule = parser.rule();
        for (const ProtoRule& other : rules) {
            if (other.name == rule.name) {
                parser.fail(parser.name_at(), "there is a proto-rule '" + rule.name + "' already",
                            "give each its own name");
            }
        }
        rules.push_back(std::move(rule));
    }
    if (rules.empty()) {
        throw Error("there are no proto-rules", {file_name, 1, 1},
                    "write one per line, as in B: H(X,Y) <- ~P(X,Z) & ~Q(Z,Y)");
    }
    return rules;
}

std::string to_text(const ProtoRule& rule) {
    const auto written = [&](const ProtoAtom& atom, char predicate) {
        return to_text(atom, predicate, rule.constants);
    };
    const std::string text = rule.name + ": " + written({false, rule.head}, 'H') + " <- ";
    std::vector<ProtoAtom> body = rule.helper_atoms;
    body.insert(body.end(), rule.body.begin() + (body.empty() ? 0 : 1), rule.body.end());
    char predicate = 'P';
    std::string conjunction;
    for (const ProtoAtom& atom : body) {
        conjunction += (conjunction.empty() ? "" : " & ") + written(atom, predicate++);
    }
    if (rule.disjunct.empty()) {
        return text + conjunction;
    }
    if (body.size() > 1) {
        conjunction = "(" + conjunction + ")";
    }
    return text + conjunction + " | " + written(rule.disjunct[0], predicate);
}

}  // namespace hri
