// SPDX-License-Identifier: Apache-2.0
#pragma once

// Prolog text as tokens. Used by prolog::Reader.

#include "hri/error.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace hri::prolog {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

enum class TokenKind : std::uint8_t {
    name,         // ann, :-, !, ;
    quoted,       // 'Bob B'
    variable,     // X, _
    number,       // 3, 2.5, 0x1F, 0'a
    string,       // "text"
    punctuation,  // ( ) [ ] { } , |
    stop,         // the full stop that ends a clause
    end           // of the text
};

struct Token {
    TokenKind kind = TokenKind::end;
    bool functional = false;  ///< a name directly followed by "("
    std::string_view text;    ///< without quotes, escapes resolved
    double value = 0;
    std::size_t offset = 0;  ///< where it begins ...
    std::size_t end = 0;     ///< ... and where it ends

    bool is(std::string_view punctuation) const {
        return kind == TokenKind::punctuation && text == punctuation;
    }
};

/// A comment without its delimiters.
struct Comment {
    std::string_view text;
    std::size_t offset = 0;
};

class Lexer {
  public:
    Lexer(std::string_view text, std::string file);

    Token next();
    Place place(std::size_t offset) const;

    const std::vector<Comment>& comments() const { return comments_; }

    std::string_view text() const { return text_; }

  private:
    void skip_layout();
    Token quoted_token(char quote, TokenKind kind);
    void append_character(std::string& into, std::uint32_t code, std::size_t escape_at) const;
    void read_escape(std::string& into, std::size_t quote_at);
    Token number_token();
    std::string_view keep(std::string name);

    std::string_view text_;
    std::string file_;
    std::size_t at_ = 0;
    std::vector<Comment> comments_;
    std::deque<std::string> kept_;  // names that are not a piece of the text

    // the last place asked for: later ones are counted from here
    mutable std::size_t known_offset_ = 0;
    mutable int known_line_ = 1;
    mutable int known_column_ = 1;
};

}  // namespace hri::prolog
