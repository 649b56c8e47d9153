// SPDX-License-Identifier: Apache-2.0
#include "data/readers/bias.hpp"

#include "base/utf8.hpp"
#include "logic/prolog/terms.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <span>
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
        for (const Unused& unused : unused_) {
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

    void pass_over(const std::string& what) {
        const auto [known, is_new] = index_.try_emplace(what, unused_.size());
        if (is_new) {
            unused_.push_back({what, start_, 0});
        }
        ++unused_[known->second].count;
    }

    void read_statement(std::string_view statement) {
        if (statement.starts_with(":-") || statement.starts_with('#')) {
            return pass_over("a constraint");
        }
        try {
            prolog::Reader reader(statement, start_.file);
            const prolog::Node* clause = reader.next();
            if (clause == nullptr) {
                return;
            }
            if (clause->is("head_pred", 2)) {
                into_.heads.push_back(declaration(reader, *clause));
            } else if (clause->is("body_pred", 2)) {
                into_.bodies.push_back(declaration(reader, *clause));
            } else if (clause->name == "head_pred" || clause->name == "body_pred") {
                throw Error("expected a name and an arity", reader.place(*clause),
                            "write " + std::string(clause->name) + "(parent,2).");
            } else if (clause->is("type", 2)) {
                describe(reader, *clause, into_.types);
            } else if (clause->is("direction", 2)) {
                describe(reader, *clause, into_.directions);
            } else if (clause->is("enable_recursion", 0)) {
                into_.recursion_wanted = true;
            } else {
                pass_over(clause->is_callable()
                              ? std::string(clause->name) + "/" + std::to_string(clause->arity())
                              : "a statement");
            }
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
    void describe(const prolog::Reader& reader, const prolog::Node& clause,
                  std::map<PredicateSymbol, std::vector<std::string>>& into) {
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
        into_.described.push_back({symbol, start_, start_});
        into[symbol] = std::move(result);
    }

    RawDataset& into_;
    Place start_;                               // of the statement
    std::vector<Unused> unused_;                // in order of appearance
    std::map<std::string, std::size_t> index_;  // into unused_
};

}  // namespace

void read_bias(std::string_view text, const std::string& file, RawDataset& into) {
    BiasReader(into).read(text, file);
}

}  // namespace hri::data
