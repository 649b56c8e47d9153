// SPDX-License-Identifier: Apache-2.0
#include "data/readers/bias.hpp"

#include "base/utf8.hpp"
#include "data/readers/bias_rules.hpp"
#include "logic/prolog/terms.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <regex>
#include <set>
#include <span>
#include <sstream>
#include <utility>

namespace hri::data {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Cuts a text into statements that end in a full stop, without understanding them: bias files mix
/// Prolog with answer set programming. Keeps count of lines and columns.
class Statements {
  public:
    Statements(std::string_view text, std::string file)
        : text_(text), place_{std::move(file), 1, 1} {}

    /// The next statement with its full stop, layout and comments before it skipped; empty at the
    /// end.
    std::string_view next() {
        while (skip_comment() || (at_ < text_.size() && is_space(text_[at_]))) {
            if (at_ < text_.size() && is_space(text_[at_])) {
                step();
            }
        }
        start_ = place_;
        const std::size_t begin = at_;
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (skip_comment()) {
                continue;
            }
            step();
            if (c == '\'' || c == '"') {
                skip_quoted(c);
            } else if (c == '.' &&
                       (at_ == text_.size() || is_space(text_[at_]) || text_[at_] == '%')) {
                break;
            }
        }
        return text_.substr(begin, at_ - begin);
    }

    /// Where the last statement begins.
    const Place& start() const { return start_; }

  private:
    void step() {
        if (text_[at_] == '\n') {
            ++place_.line;
            place_.column = 1;
        } else if (base::begins_character(text_[at_])) {
            ++place_.column;
        }
        ++at_;
    }

    bool skip_comment() {
        const std::string_view rest = text_.substr(at_);
        std::size_t end = 0;
        if (rest.starts_with('%')) {
            end = rest.find('\n');
        } else if (rest.starts_with("/*")) {
            end = rest.find("*/", 2);
            end = end == std::string_view::npos ? end : end + 2;
        } else {
            return false;
        }
        const std::size_t stop = end == std::string_view::npos ? text_.size() : at_ + end;
        while (at_ < stop) {
            step();
        }
        return true;
    }

    void skip_quoted(char quote) {  // to the end of the line at most
        while (at_ < text_.size() && text_[at_] != '\n') {
            const char c = text_[at_];
            step();
            if (c == '\\' && at_ < text_.size() && text_[at_] != '\n') {
                // \x1f\ and \37\ are closed by a second backslash
                const bool is_code = text_[at_] == 'x' || (text_[at_] >= '0' && text_[at_] <= '7');
                step();
                while (is_code && at_ < text_.size() &&
                       std::isxdigit(static_cast<unsigned char>(text_[at_])) != 0) {
                    step();
                }
                if (is_code && at_ < text_.size() && text_[at_] == '\\') {
                    step();
                }
            } else if (c == quote) {
                return;
            }
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
    Place place_;
    Place start_;
};

/// A place in a statement as a place in the file.
Place shifted(const Place& start, const Place& inside) {
    return {start.file, start.line + inside.line - 1,
            inside.line == 1 ? start.column + inside.column - 1 : inside.column};
}

constexpr std::array<std::string_view, 4> kDeclarations = {"head_pred", "body_pred", "type",
                                                           "direction"};

class BiasReader {
  public:
    explicit BiasReader(RawDataset& into) : into_(into) {}

    void read(std::string_view text, const std::string& file) {
        base::require_utf8(text, file);
        Statements statements(text, file);
        for (std::string_view statement = statements.next(); !statement.empty();
             statement = statements.next()) {
            start_ = statements.start();
            read_statement(statement);
        }
        rules_.expand(
            [&](const std::string& fact, const Place& place) {
                start_ = place;
                read_statement(fact);
            },
            [&](const std::string& used) { used_.insert(used); });
        apply_constants();
        apply_head_variables();
        for (const Unused& unused : unused_) {
            if (used_.count(unused.what) != 0) {
                continue;
            }
            const std::string times =
                unused.count > 1 ? ", and " + std::to_string(unused.count - 1) + " more like it"
                                 : "";
            into_.warn(unused.place, unused.what + " is not used" + times);
        }
    }

  private:
    struct Unused {
        std::string what;
        Place place;
        int count = 0;
    };

    struct HeadVariable {
        std::string predicate;
        std::size_t argument = 0;
        std::size_t variable = 0;  ///< of the head
    };

    void pass_over(const std::string& what) {
        const auto [known, is_new] = index_.try_emplace(what, unused_.size());
        if (is_new) {
            unused_.push_back({what, start_, 0});
        }
        ++unused_[known->second].count;
    }

    void read_statement(std::string_view statement) {
        if (statement.starts_with(":-") || statement.starts_with('#')) {
            return read_constraint(statement);
        }
        if (statement.starts_with("bad_body") && read_head_variable(statement)) {
            return;
        }
        try {
            prolog::Reader reader(statement, start_.file);
            const prolog::Node* clause = reader.next();
            if (clause == nullptr) {
                return;
            }
            if (clause->is(":-", 2)) {
                if (!rules_.add_rule(*clause, start_)) {
                    pass_over("a rule for " + std::string(clause->arguments[0].name.substr(0, 40)));
                }
                return;
            }
            rules_.add_fact(*clause);
            read_fact(reader, *clause);
        } catch (const Error& error) {
            // a forgotten full stop must not swallow a declaration
            const bool declares =
                std::any_of(kDeclarations.begin(), kDeclarations.end(), [&](std::string_view word) {
                    return statement.find(word) != std::string_view::npos;
                });
            if (declares) {
                throw Error(error.message(), shifted(start_, error.place()), error.hint());
            }
            pass_over("a statement that is not Prolog");
        }
    }

    void read_fact(const prolog::Reader& reader, const prolog::Node& clause) {
        if (clause.is("head_pred", 2)) {
            into_.heads.push_back(declaration(reader, clause));
        } else if (clause.is("body_pred", 2)) {
            into_.bodies.push_back(declaration(reader, clause));
        } else if (clause.name == "head_pred" || clause.name == "body_pred") {
            throw Error("expected a name and an arity", reader.place(clause),
                        "write " + std::string(clause.name) + "(parent,2).");
        } else if (clause.is("type", 2) || clause.is("direction", 2)) {
            describe(reader, clause);
        } else if (clause.is("max_vars", 1) || clause.is("max_body", 1) ||
                   clause.is("max_clauses", 1)) {
            bound(clause);
        } else if (clause.is("constant", 2) && clause.arguments[1].kind == prolog::Kind::number) {
            allow_constants(clause);
        } else if (clause.is("enable_recursion", 0)) {
            into_.bias.recursion = true;
        } else if (clause.is("enable_pi", 0)) {
            into_.bias.invention = true;
        } else if (clause.is("non_datalog", 0) || clause.is("allow_singletons", 0)) {
            // true here of all rules
        } else {
            unused_fact(clause);
        }
    }

    /// Rules of the bias may use it after all.
    void unused_fact(const prolog::Node& clause) {
        pass_over(clause.is_callable()
                      ? std::string(clause.name) + "/" + std::to_string(clause.arity())
                      : "a statement");
    }

    /// One kind of constraint is understood: a clause has one variable of some type.
    ///   :- clause(C), #count{V : var_type(C,V,ex)} != 1.
    void read_constraint(std::string_view statement) {
        const std::string dense = without_spaces(statement);
        static const std::regex one_variable(
            R"(:-clause\((\w+)\),#count\{(\w+):var_type\(\1,\2,([a-z]\w*)\)\}!=1\.)");
        std::smatch match;
        if (dense.size() < 200 && std::regex_match(dense, match, one_variable)) {
            into_.bias.single_types.push_back(match[3]);
        } else {
            pass_over("a constraint");
        }
    }

    /// Another kind: an argument of a predicate is a variable of the head.
    ///   bad_body(in,Vars) :- vars(_,Vars), Vars = (V0,_,_), V0 != 0.
    bool read_head_variable(std::string_view statement) {
        const std::string dense = without_spaces(statement);
        static const std::regex form(
            R"(bad_body\(([a-z]\w*),([A-Z]\w*)\):-vars\(_,\2\),\2=\(([\w,]+)\),([A-Z]\w*)!=(\d)\.)");
        std::smatch match;
        if (dense.size() >= 200 || !std::regex_match(dense, match, form)) {
            return false;
        }
        std::size_t argument = 0;
        std::istringstream words(match[3]);
        for (std::string word; std::getline(words, word, ','); ++argument) {
            if (word == match[4]) {
                head_variables_.push_back(
                    {match[1], argument, static_cast<std::size_t>(match[5].str()[0] - '0')});
                return true;
            }
        }
        return false;
    }

    /// Where all arguments of a type are one variable of the head, clauses have that one alone.
    void apply_head_variables() {
        const auto type_of = [&](const PredicateSymbol& symbol, std::size_t argument) {
            const auto types = into_.types.find(symbol);
            return types != into_.types.end() && argument < types->second.size()
                       ? types->second[argument]
                       : std::string();
        };
        for (const HeadVariable& one : head_variables_) {
            const std::string type =
                into_.heads.empty() ? "" : type_of(into_.heads.front().symbol, one.variable);
            auto& single = into_.bias.single_types;
            if (type.empty() || std::find(single.begin(), single.end(), type) != single.end()) {
                continue;
            }
            const auto is_bound = [&](const std::string& predicate, std::size_t argument) {
                return std::any_of(
                    head_variables_.begin(), head_variables_.end(), [&](const HeadVariable& other) {
                        return other.predicate == predicate && other.argument == argument &&
                               other.variable == one.variable;
                    });
            };
            bool all = true;
            for (const Declaration& body : into_.bodies) {
                for (std::size_t a = 0; a < static_cast<std::size_t>(body.symbol.arity); ++a) {
                    all = all && (type_of(body.symbol, a) != type || is_bound(body.symbol.name, a));
                }
            }
            if (all) {
                single.push_back(type);
            }
        }
    }

    static std::string without_spaces(std::string_view statement) {
        std::string dense;
        std::copy_if(statement.begin(), statement.end(), std::back_inserter(dense),
                     [](char c) { return !is_space(c); });
        return dense;
    }

    /// max_vars(4).
    void bound(const prolog::Node& clause) {
        const prolog::Node& number = clause.arguments[0];
        const bool is_count = number.kind == prolog::Kind::number && number.value >= 1 &&
                              number.value <= 1000 &&
                              number.name.find_first_not_of("0123456789") == std::string_view::npos;
        if (!is_count) {
            return pass_over(std::string(clause.name) + " without a number from 1 to 1000");
        }
        auto& into = clause.name == "max_vars"   ? into_.bias.max_variables
                     : clause.name == "max_body" ? into_.bias.max_body
                                                 : into_.bias.max_clauses;
        into = static_cast<int>(number.value);
    }

    /// constant(p,2): the second argument of p may be a constant in rules.
    void allow_constants(const prolog::Node& clause) {
        const double argument = clause.arguments[1].value;
        if (clause.arguments[0].kind != prolog::Kind::atom || argument < 1 ||
            argument > kMaxArityRead) {
            return unused_fact(clause);
        }
        constants_.emplace_back(std::string(clause.arguments[0].name),
                                static_cast<std::size_t>(argument));
    }

    void apply_constants() {
        const auto allow = [&](const PredicateSymbol& symbol) {
            for (const auto& [name, argument] : constants_) {
                if (name == symbol.name && argument <= static_cast<std::size_t>(symbol.arity)) {
                    std::vector<bool>& allowed = into_.bias.constants[symbol];
                    allowed.resize(static_cast<std::size_t>(symbol.arity));
                    allowed[argument - 1] = true;
                }
            }
        };
        for (const Declaration& head : into_.heads) {
            allow(head.symbol);
        }
        for (const Declaration& body : into_.bodies) {
            allow(body.symbol);
        }
    }

    Declaration declaration(const prolog::Reader& reader, const prolog::Node& clause) const {
        const prolog::Node& name = clause.arguments[0];
        const prolog::Node& arity = clause.arguments[1];
        if (name.kind != prolog::Kind::atom) {
            throw Error("expected the name of a predicate", reader.place(name),
                        "names begin with a small letter or stand in single quotes");
        }
        const bool is_integer =
            arity.kind == prolog::Kind::number &&
            arity.name.find_first_not_of("0123456789") == std::string_view::npos;
        if (!is_integer) {
            throw Error("expected an arity: 0, 1, 2, ...", reader.place(arity));
        }
        if (arity.value > kMaxArityRead) {
            throw Error("predicates of arity " + std::string(arity.name) + " are not supported",
                        reader.place(arity), "give the fact a name of its own");
        }
        return {{std::string(name.name), static_cast<int>(arity.value)},
                shifted(start_, reader.place(clause)),
                shifted(start_, reader.place(arity))};
    }

    /// type(father,(person,person)), direction(tall,(in,)): a word for each argument.
    void describe(const prolog::Reader& reader, const prolog::Node& clause) {
        const std::string example =
            "write " + std::string(clause.name) +
            (clause.name == "type" ? "(father,(person,person))." : "(father,(in,out)).");
        const prolog::Node& name = clause.arguments[0];
        const prolog::Node& words = clause.arguments[1];
        if (name.kind != prolog::Kind::atom) {
            throw Error("expected the name of a predicate", reader.place(name), example);
        }
        std::vector<std::string> result;
        const bool is_tuple = words.kind == prolog::Kind::compound && words.name == ",";
        for (const prolog::Node& word :
             is_tuple ? words.arguments : std::span<const prolog::Node>(&words, 1)) {
            if (word.kind == prolog::Kind::compound && word.arity() == 1) {
                return pass_over("a " + std::string(clause.name) + " with an operator");
            }
            if (word.kind != prolog::Kind::atom) {
                throw Error("expected a name for each argument", reader.place(word), example);
            }
            result.emplace_back(word.name);
        }
        const PredicateSymbol symbol{std::string(name.name), static_cast<int>(result.size())};
        const bool is_direction = clause.name == "direction";
        if (is_direction && std::any_of(result.begin(), result.end(), [](const std::string& word) {
                return word != "in" && word != "out";
            })) {
            return pass_over("a direction other than in and out");
        }
        if (is_direction) {
            into_.add_directions({symbol, start_, start_}, std::move(result));
        } else {
            into_.add_types({symbol, start_, start_}, std::move(result));
        }
    }

    RawDataset& into_;
    Place start_;                               // of the statement
    std::vector<Unused> unused_;                // in order of appearance
    std::map<std::string, std::size_t> index_;  // into unused_
    BiasRules rules_;
    std::set<std::string> used_;                                  // by rules: "constant/2"
    std::vector<std::pair<std::string, std::size_t>> constants_;  // predicate, argument from 1
    std::vector<HeadVariable> head_variables_;
};

}  // namespace

void read_bias(std::string_view text, const std::string& file, RawDataset& into) {
    BiasReader(into).read(text, file);
}

}  // namespace hri::data
