// SPDX-License-Identifier: Apache-2.0
#include "logic/prolog/terms.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace hri::prolog {
namespace {

struct Operator {
    int precedence;
    int left;   // the largest precedence of the left argument
    int right;  // ... of the right one
};

constexpr int kClause = 1200;
constexpr int kConjunction = 1000;
constexpr int kArgument = 999;

struct NamedOperator {
    std::string_view name;
    Operator op;
};

constexpr auto kInfix = std::to_array<NamedOperator>({
    {":-", {1200, 1199, 1199}},
    {"-->", {1200, 1199, 1199}},
    {";", {1100, 1099, 1100}},
    {"|", {1100, 1099, 1100}},
    {"->", {1050, 1049, 1050}},
    {"*->", {1050, 1049, 1050}},
    {"::", {950, 949, 949}},
    {"=", {700, 699, 699}},
    {"\\=", {700, 699, 699}},
    {"==", {700, 699, 699}},
    {"\\==", {700, 699, 699}},
    {"is", {700, 699, 699}},
    {"<", {700, 699, 699}},
    {">", {700, 699, 699}},
    {"=<", {700, 699, 699}},
    {">=", {700, 699, 699}},
    {"=:=", {700, 699, 699}},
    {"=\\=", {700, 699, 699}},
    {"=..", {700, 699, 699}},
    {"@<", {700, 699, 699}},
    {"@>", {700, 699, 699}},
    {"@=<", {700, 699, 699}},
    {"@>=", {700, 699, 699}},
    {":", {200, 199, 200}},
    {"+", {500, 500, 499}},
    {"-", {500, 500, 499}},
    {"*", {400, 400, 399}},
    {"/", {400, 400, 399}},
    {"//", {400, 400, 399}},
    {"mod", {400, 400, 399}},
    {"rem", {400, 400, 399}},
    {"**", {200, 199, 199}},
    {"^", {200, 199, 200}},
    {"div", {400, 400, 399}},
    {"rdiv", {400, 400, 399}},
    {"<<", {400, 400, 399}},
    {">>", {400, 400, 399}},
    {"/\\", {500, 500, 499}},
    {"\\/", {500, 500, 499}},
    {"xor", {500, 500, 499}},
    {"=@=", {700, 699, 699}},
    {"\\=@=", {700, 699, 699}},
    // of SWI-Prolog's library(clpfd)
    {"#=", {700, 699, 699}},
    {"#\\=", {700, 699, 699}},
    {"#<", {700, 699, 699}},
    {"#>", {700, 699, 699}},
    {"#=<", {700, 699, 699}},
    {"#>=", {700, 699, 699}},
    {"in", {700, 699, 699}},
    {"ins", {700, 699, 699}},
    {"..", {450, 449, 449}},
    {"#<==>", {760, 760, 759}},
    {"#==>", {750, 749, 750}},
    {"#<==", {750, 750, 749}},
    {"#\\/", {740, 740, 739}},
    {"#/\\", {720, 720, 719}},
    {"#\\", {730, 730, 729}},
});

constexpr auto kPrefix = std::to_array<NamedOperator>({
    {":-", {1200, 0, 1199}},
    {"?-", {1200, 0, 1199}},
    {"dynamic", {1150, 0, 1149}},
    {"discontiguous", {1150, 0, 1149}},
    {"multifile", {1150, 0, 1149}},
    {"initialization", {1150, 0, 1149}},
    {"table", {1150, 0, 1149}},
    {"\\+", {900, 0, 900}},
    {"not", {900, 0, 900}},
    {"-", {200, 0, 200}},
    {"+", {200, 0, 200}},
    {"\\", {200, 0, 200}},
    {"#\\", {710, 0, 710}},
    {"#", {200, 0, 200}},  // of Aleph's modes
});

template <std::size_t N>
std::optional<Operator> find(const std::array<NamedOperator, N>& table, const Token& token) {
    if (token.kind != TokenKind::name && token.kind != TokenKind::punctuation) {
        return std::nullopt;
    }
    for (const NamedOperator& entry : table) {
        if (entry.name == token.text) {
            return entry.op;
        }
    }
    return std::nullopt;
}

std::string described(const Token& token) {
    switch (token.kind) {
        case TokenKind::stop:
            return "the full stop";
        case TokenKind::end:
            return "the end of the text";
        default: {
            const std::size_t shown = std::min<std::size_t>(token.text.size(), 40);
            return "'" + std::string(token.text.substr(0, shown)) + "'";
        }
    }
}

}  // namespace

Reader::Reader(std::string_view text, std::string file) : lexer_(text, std::move(file)) {}

const Node* Reader::next() {
    stack_.clear();
    nodes_.clear();
    if (token_.kind == TokenKind::end) {  // the very first clause
        advance();
    }
    if (token_.kind == TokenKind::end) {
        return nullptr;
    }
    parse(kClause, 0);
    if (token_.kind != TokenKind::stop) {
        fail("expected '.' at the end of the clause",
             token_.text.starts_with('.') ? "a space or a new line follows the full stop"
                                          : "end each fact and rule with a full stop");
    }
    advance();
    // only now the storage stays where it is
    for (Node& node : nodes_) {
        node.arguments = {nodes_.data() + node.first, node.arguments.size()};
    }
    stack_.back().arguments = {nodes_.data() + stack_.back().first, stack_.back().arguments.size()};
    return &stack_.back();
}

// Reads a term of at most this precedence onto the stack and returns its precedence.
int Reader::parse(int limit, int level) {
    if (level >= kMaximalDepth) {
        fail_too_deep(token_.offset);
    }
    int precedence = 0;
    parse_operand(limit, level, precedence);
    while (true) {
        if (token_.is(",")) {
            if (limit < kConjunction || precedence >= kConjunction) {
                return precedence;
            }
            parse_conjunction(level, token_.offset);
            precedence = kConjunction;
            continue;
        }
        const std::optional<Operator> infix = find(kInfix, token_);
        if (!infix || infix->precedence > limit || precedence > infix->left) {
            return precedence;
        }
        const Token name = token_;
        advance();
        parse(infix->right, level + 1);
        build(Kind::compound, name.text, 2, name.offset);
        precedence = infix->precedence;
    }
}

void Reader::parse_operand(int limit, int level, int& precedence) {
    const Token token = token_;
    switch (token.kind) {
        case TokenKind::variable:
            advance();
            return push(Kind::variable, token);
        case TokenKind::number:
            advance();
            return push(Kind::number, token);
        case TokenKind::string:
            advance();
            return push(Kind::string, token);
        case TokenKind::stop:
        case TokenKind::end:
            fail("expected a term");
        case TokenKind::punctuation:
            if (token.text == "(") {
                advance();
                parse(kClause, level + 1);
                return expect_closing(")", token);
            }
            if (token.text == "[") {
                return parse_list(token, level);
            }
            if (token.text == "{") {
                advance();
                if (token_.is("}")) {
                    advance();
                    return build(Kind::atom, "{}", 0, token.offset);
                }
                parse(kClause, level + 1);
                expect_closing("}", token);
                return build(Kind::compound, "{}", 1, token.offset);
            }
            fail("expected a term");
        case TokenKind::name:
        case TokenKind::quoted:
            break;
    }
    advance();
    if (token.functional) {
        return parse_arguments(token, level);
    }
    if (token.text == "-" && token_.kind == TokenKind::number && token_.offset == token.end) {
        Token number = token_;
        advance();
        number.value = -number.value;
        number.offset = token.offset;
        number.text = lexer_.text().substr(token.offset, number.end - token.offset);
        return push(Kind::number, number);
    }
    const std::optional<Operator> prefix = find(kPrefix, token);
    if (prefix && prefix->precedence <= limit && starts_operand(token_)) {
        parse(prefix->right, level + 1);
        precedence = prefix->precedence;
        return build(Kind::compound, token.text, 1, token.offset);
    }
    push(Kind::atom, token);
}

// After a prefix operator: does its argument follow, or was it an atom?
bool Reader::starts_operand(const Token& token) const {
    switch (token.kind) {
        case TokenKind::stop:
        case TokenKind::end:
            return false;
        case TokenKind::punctuation:
            return token.text == "(" || token.text == "[" || token.text == "{";
        case TokenKind::name:
            return token.functional || !find(kInfix, token) || find(kPrefix, token);
        default:
            return true;
    }
}

void Reader::parse_arguments(const Token& functor, int level) {
    const Token bracket = token_;
    advance();
    std::size_t arity = 0;
    if (!token_.is(")")) {
        while (true) {
            parse(kArgument, level + 1);
            ++arity;
            if (!token_.is(",")) {
                break;
            }
            advance();
        }
    }
    expect_closing(")", bracket);
    build(Kind::compound, functor.text, arity, functor.offset);
}

void Reader::parse_list(const Token& bracket, int level) {
    advance();
    std::size_t length = 0;
    bool tail = false;
    if (!token_.is("]")) {
        while (true) {
            parse(kArgument, level + 1);
            ++length;
            if (token_.is(",") && !tail) {
                advance();
            } else if (token_.is("|") && !tail) {
                advance();
                tail = true;
            } else {
                break;
            }
        }
    }
    expect_closing("]", bracket);
    build(tail ? Kind::compound : Kind::list, tail ? "[|]" : "[]", length, bracket.offset);
}

// The first goal is on the stack and a comma is next: reads the others into one n-ary node.
void Reader::parse_conjunction(int level, std::size_t offset) {
    std::size_t count = 1;
    while (token_.is(",")) {
        advance();
        if (token_.is(")")) {  // (a,): the one-tuple of answer set programming, seen in bias files
            break;
        }
        parse(kArgument, level + 1);
        ++count;
    }
    const Node last = stack_.back();
    if (last.kind == Kind::compound && last.name == ",") {  // a,(b,c) is a,b,c
        stack_.pop_back();
        for (std::size_t i = 0; i < last.arguments.size(); ++i) {
            stack_.push_back(nodes_[last.first + i]);
        }
        count += last.arguments.size() - 1;
    }
    build(Kind::compound, ",", count, offset);
}

void Reader::expect_closing(std::string_view bracket, const Token& opened) {
    if (!token_.is(bracket)) {
        const Place place = lexer_.place(opened.offset);
        fail("expected ',' or '" + std::string(bracket) + "'",
             "the bracket opened at line " + std::to_string(place.line) + ", column " +
                 std::to_string(place.column));
    }
    advance();
}

void Reader::push(Kind kind, const Token& token) {
    Node node;
    node.kind = kind;
    node.name = token.text;
    node.value = token.value;
    node.offset = token.offset;
    stack_.push_back(node);
}

// The last `arity` terms of the stack become the arguments of a new one.
void Reader::build(Kind kind, std::string_view name, std::size_t arity, std::size_t offset) {
    Node node;
    node.kind = kind;
    node.name = name;
    node.offset = offset;
    node.first = nodes_.size();
    const std::size_t begin = stack_.size() - arity;
    for (std::size_t i = begin; i < stack_.size(); ++i) {
        node.depth = std::max(node.depth, stack_[i].depth + 1);
        nodes_.push_back(stack_[i]);
    }
    if (node.depth > kMaximalDepth) {
        fail_too_deep(offset);
    }
    // the address is settled at the end of the clause; until then the span tells the length alone
    node.arguments = {nodes_.data() + node.first, arity};
    stack_.resize(begin);
    stack_.push_back(node);
}

void Reader::advance() {
    last_end_ = token_.end;
    token_ = lexer_.next();
}

void Reader::fail(const std::string& expected, const std::string& hint) const {
    const std::size_t offset = token_.kind == TokenKind::end ? last_end_ : token_.offset;
    throw Error(expected + ", found " + described(token_), place(offset), hint);
}

void Reader::fail_too_deep(std::size_t offset) const {
    throw Error("a term nested more than " + std::to_string(kMaximalDepth) + " levels deep",
                place(offset), "facts and rules need no nested terms");
}

void append_goals(const Node& body, std::vector<const Node*>& goals) {
    if (body.kind != Kind::compound || body.name != ",") {
        goals.push_back(&body);
        return;
    }
    for (const Node& goal : body.arguments) {
        append_goals(goal, goals);
    }
}

}  // namespace hri::prolog
