// SPDX-License-Identifier: Apache-2.0
#pragma once

// Prolog text, clause by clause, as terms that know where they stand.
//
//   prolog::Reader reader(text, "family/bk.pl");
//   while (const prolog::Node* clause = reader.next()) {
//       if (clause->is("father", 2)) ... clause->arguments[0].name ...
//       else throw Error("expected father/2", reader.place(*clause));
//   }
//
// Examples of input and output:
//   ann  'Bob B'             atom, name without the quotes
//   -3  2.5  0x1F  0'a       number, name as written (0x1F and 0'a: in decimal digits)
//   X  _  _Y                 variable
//   "text"                   string, name without the quotes
//   f(a,B)  f()              compound "f" with the arguments
//   h :- b, c                compound ":-" of h and compound "," of b and c; `:- d` has one
//   argument a, b, c   (a,b,c)        ONE compound "," with three arguments
//   (a,)                     compound "," with one argument, as bias files have it
//   \+ a   x = y   0.8::p    compounds named by the operator
//   [a,b]   []   [H|T]       list "[]" of its elements; compound "[|]" of the elements and the tail
//
// Reading is linear in the text and allocates nothing per term once the longest clause has been
// seen.

#include "hri/error.hpp"
#include "hri/logic.hpp"

#include "logic/prolog/lexer.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hri::prolog {

enum class Kind : std::uint8_t { atom, number, variable, string, compound, list };

struct Node {
    Kind kind = Kind::atom;
    int depth = 1;           ///< of the tree below; at most Reader::kMaximalDepth
    std::string_view name;   ///< of atom, functor, variable or string; a number's digits
    double value = 0;        ///< of a number
    std::size_t offset = 0;  ///< where it begins in the text; an infix term: at its operator
    std::span<const Node> arguments;
    std::size_t first = 0;  // index of the first argument while the clause is being read

    int arity() const { return static_cast<int>(arguments.size()); }

    /// An atom or compound of this name and arity.
    bool is(std::string_view wanted, int wanted_arity) const {
        return (kind == Kind::atom || kind == Kind::compound) && arity() == wanted_arity &&
               name == wanted;
    }

    /// Something that may be a fact's or an atom's predicate: p, p(a,b).
    bool is_callable() const { return kind == Kind::atom || kind == Kind::compound; }
};

/// Reads one clause after the other. The text must outlive the reader.
class Reader {
  public:
    static constexpr int kMaximalDepth = 256;

    Reader(std::string_view text, std::string file);

    /// The next clause without its full stop, or nullptr at the end. The nodes live until the next
    /// call; names live as long as the reader and the text. Throws Error.
    const Node* next();

    /// Line and column (in characters, from 1). Asking in the order of the text is linear overall.
    Place place(std::size_t offset) const { return lexer_.place(offset); }

    Place place(const Node& node) const { return lexer_.place(node.offset); }

    /// Whether the name stands in quotes, as in '#rooms'(X,3): then it is no operator.
    bool is_quoted(const Node& node) const {
        return node.offset < lexer_.text().size() && lexer_.text()[node.offset] == '\'';
    }

    /// Comments met so far.
    const std::vector<Comment>& comments() const { return lexer_.comments(); }

  private:
    int parse(int limit, int level);
    void parse_operand(int limit, int level, int& precedence);
    void parse_arguments(const Token& functor, int level);
    void parse_list(const Token& bracket, int level);
    void parse_conjunction(int level, std::size_t offset);
    void expect_closing(std::string_view bracket, const Token& opened);
    void push(Kind kind, const Token& token);
    void build(Kind kind, std::string_view name, std::size_t arity, std::size_t offset);
    bool starts_operand(const Token& token) const;
    void advance();
    [[noreturn]] void fail(const std::string& expected, const std::string& hint = {}) const;
    [[noreturn]] void fail_too_deep(std::size_t offset) const;

    Lexer lexer_;
    Token token_;               // the next one, not yet consumed
    std::size_t last_end_ = 0;  // where the last consumed token ended
    std::vector<Node> stack_;   // finished terms that wait for their parent
    std::vector<Node> nodes_;   // arguments of finished compounds, contiguous per compound
};

/// The name of the constant that a ground term is: an atom's without quotes, a number's digits, the
/// text of a string; of lists and terms with functions their text without operators and spaces,
/// such as [1,f(a,'B')]. An atom whose name could be taken for such a text keeps its quotes. None:
/// the term has variables.
std::optional<std::string> constant_name(const Node& node);
/// The same from text, such as what Prolog wrote. None: not a ground term.
std::optional<std::string> constant_name(std::string_view text);
/// A list or a term with functions, or an atom that keeps its quotes.
bool is_written_term(std::string_view name);
/// The value of a constant that is a number, NaN for others.
double number_of(std::string_view name);

/// The name of a constant as Prolog writes it: quoted where it must be; numbers, lists and terms
/// with functions stay as they are.
std::string quoted(std::string_view name);
/// The same for a predicate's name: numbers and [] are quoted too.
std::string quoted_predicate(std::string_view name);

/// A predicate that SWI-Prolog has without a definition: append/3, last/2, ...
bool is_library_predicate(const PredicateSymbol& symbol);

/// The goals of a body: the arguments of nested "," compounds in order, or the term itself.
void append_goals(const Node& body, std::vector<const Node*>& goals);

}  // namespace hri::prolog
