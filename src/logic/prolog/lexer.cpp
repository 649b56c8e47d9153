// SPDX-License-Identifier: Apache-2.0
#include "logic/prolog/lexer.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace hri::prolog {
namespace {

bool is_upper(char c) { return (c >= 'A' && c <= 'Z') || c == '_'; }

// Bytes of characters beyond ASCII count as small letters.
bool is_lower(char c) { return (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80; }

bool is_letter(char c) { return is_lower(c) || is_upper(c) || is_digit(c); }

bool is_symbol(char c) {
    return std::string_view("+-*/\\^<>=~:.?@#&$").find(c) != std::string_view::npos;
}

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

int digit_value(char c) {
    if (is_digit(c)) {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    if (c >= 'A' && c <= 'F') {
        return c - 'A' + 10;
    }
    return 99;
}

void append_utf8(std::string& into, std::uint32_t code) {
    const auto byte = [&into](std::uint32_t value) { into += static_cast<char>(value); };
    if (code < 0x80) {
        byte(code);
    } else if (code < 0x800) {
        byte(0xC0U | (code >> 6U));
        byte(0x80U | (code & 0x3FU));
    } else if (code < 0x10000) {
        byte(0xE0U | (code >> 12U));
        byte(0x80U | ((code >> 6U) & 0x3FU));
        byte(0x80U | (code & 0x3FU));
    } else {
        byte(0xF0U | (code >> 18U));
        byte(0x80U | ((code >> 12U) & 0x3FU));
        byte(0x80U | ((code >> 6U) & 0x3FU));
        byte(0x80U | (code & 0x3FU));
    }
}

}  // namespace

Lexer::Lexer(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {
    base::require_utf8(text_, file_);
    if (text_.starts_with("\xEF\xBB\xBF")) {  // byte order mark
        at_ = 3;
    }
    if (text_.substr(at_).starts_with("#!")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
    }
}

Place Lexer::place(std::size_t offset) const {
    if (offset < known_offset_) {
        known_offset_ = 0;
        known_line_ = 1;
        known_column_ = 1;
    }
    for (; known_offset_ < offset && known_offset_ < text_.size(); ++known_offset_) {
        const char c = text_[known_offset_];
        if (c == '\n') {
            ++known_line_;
            known_column_ = 1;
        } else if (base::begins_character(c)) {
            ++known_column_;
        }
    }
    return {file_, known_line_, known_column_};
}

void Lexer::skip_layout() {
    while (at_ < text_.size()) {
        const char c = text_[at_];
        if (is_space(c)) {
            ++at_;
        } else if (c == '%') {
            const std::size_t end = std::min(text_.find('\n', at_), text_.size());
            comments_.push_back({text_.substr(at_ + 1, end - at_ - 1), at_});
            at_ = end;
        } else if (c == '/' && text_.substr(at_, 2) == "/*") {
            const std::size_t end = text_.find("*/", at_ + 2);
            if (end == std::string_view::npos) {
                throw Error("this comment never ends", place(at_), "close it with */");
            }
            comments_.push_back({text_.substr(at_ + 2, end - at_ - 2), at_});
            at_ = end + 2;
        } else {
            return;
        }
    }
}

Token Lexer::next() {
    skip_layout();
    Token token;
    token.offset = at_;
    token.end = at_;
    if (at_ == text_.size()) {
        return token;
    }
    const char c = text_[at_];
    const auto at = [this](std::size_t i) { return i < text_.size() ? text_[i] : '\0'; };
    const auto take_while = [&](bool (*belongs)(char)) {
        while (at_ < text_.size() && belongs(text_[at_])) {
            ++at_;
        }
    };
    if (is_digit(c)) {
        token = number_token();
    } else if (is_upper(c)) {
        token.kind = TokenKind::variable;
        take_while(is_letter);
    } else if (is_lower(c)) {
        token.kind = TokenKind::name;
        take_while(is_letter);
    } else if (c == '\'') {
        token = quoted_token('\'', TokenKind::quoted);
    } else if (c == '"') {
        token = quoted_token('"', TokenKind::string);
    } else if (c == '.' &&
               (at_ + 1 == text_.size() || is_space(text_[at_ + 1]) || text_[at_ + 1] == '%')) {
        token.kind = TokenKind::stop;
        ++at_;
    } else if (std::string_view("()[]{},|").find(c) != std::string_view::npos) {
        token.kind = TokenKind::punctuation;
        ++at_;
        if (c == '|' && at(at_) == '|') {
            token.kind = TokenKind::name;
            ++at_;
        }
    } else if (c == '!' || c == ';') {
        token.kind = TokenKind::name;
        ++at_;
    } else if (is_symbol(c)) {
        token.kind = TokenKind::name;
        take_while(is_symbol);
    } else {
        throw Error("a character that Prolog does not know", place(at_),
                    "quote names with unusual characters: 'like this'");
    }
    if (token.kind != TokenKind::quoted && token.kind != TokenKind::string &&
        token.kind != TokenKind::number) {
        token.text = text_.substr(token.offset, at_ - token.offset);
    }
    token.end = at_;
    token.functional =
        (token.kind == TokenKind::name || token.kind == TokenKind::quoted) && at(at_) == '(';
    return token;
}

Token Lexer::quoted_token(char quote, TokenKind kind) {
    Token token;
    token.kind = kind;
    token.offset = at_;
    const std::size_t begin = ++at_;
    bool plain = true;  // the name is a piece of the text
    std::string name;
    while (true) {
        if (at_ == text_.size() || text_[at_] == '\n') {
            throw Error("this quote is never closed", place(token.offset),
                        "close it on the same line; write a quote inside a name twice");
        }
        const char c = text_[at_];
        const bool doubled = c == quote && text_.substr(at_ + 1, 1) == std::string_view(&quote, 1);
        if (c == quote && !doubled) {
            break;
        }
        if (plain && (doubled || c == '\\')) {
            plain = false;
            name = text_.substr(begin, at_ - begin);
        }
        if (doubled) {
            at_ += 2;
            name += quote;
        } else if (c == '\\') {
            read_escape(name, token.offset);
        } else {
            ++at_;
            if (!plain) {
                name += c;
            }
        }
    }
    token.text = plain ? text_.substr(begin, at_ - begin) : keep(std::move(name));
    ++at_;
    return token;
}

void Lexer::append_character(std::string& into, std::uint32_t code, std::size_t escape_at) const {
    if (code >= 0x110000) {
        throw Error("an escape beyond the last character", place(escape_at));
    }
    if (code >= 0xD800 && code < 0xE000) {
        throw Error("this escape is half of a character in UTF-16", place(escape_at),
                    "write the character's own code");
    }
    append_utf8(into, code);
}

void Lexer::read_escape(std::string& into, std::size_t quote_at) {
    const std::size_t escape_at = at_++;
    if (at_ == text_.size()) {
        throw Error("this quote is never closed", place(quote_at));
    }
    const char c = text_[at_++];
    static constexpr std::string_view kLetters = "abfnrtv0\\'\"`s";
    static constexpr std::string_view kMeant("\a\b\f\n\r\t\v\0\\'\"` ", 13);
    if (c == '\n') {  // a name continued on the next line
        return;
    }
    if (c == 'x' || is_digit(c)) {  // \x41\ or \101\ : a character by its code
        const std::uint32_t base = c == 'x' ? 16 : 8;
        if (c != 'x') {
            --at_;
        }
        std::uint32_t code = 0;
        while (at_ < text_.size() && static_cast<std::uint32_t>(digit_value(text_[at_])) < base &&
               code < 0x110000) {
            code = code * base + static_cast<std::uint32_t>(digit_value(text_[at_++]));
        }
        if (at_ < text_.size() && text_[at_] == '\\') {
            ++at_;
        }
        append_character(into, code, escape_at);
        return;
    }
    if (c == 'u' || c == 'U') {  // \u2028, \U0001F600
        const std::size_t digits = c == 'u' ? 4 : 8;
        std::uint32_t code = 0;
        for (std::size_t i = 0; i < digits; ++i, ++at_) {
            const int digit = at_ < text_.size() ? digit_value(text_[at_]) : 99;
            if (digit > 15 || code > 0xFFFFFFU) {
                throw Error("expected " + std::to_string(digits) + " hexadecimal digits",
                            place(escape_at));
            }
            code = code * 16 + static_cast<std::uint32_t>(digit);
        }
        append_character(into, code, escape_at);
        return;
    }
    const std::size_t known = kLetters.find(c);
    if (known == std::string_view::npos) {
        throw Error("an escape that Prolog does not know", place(escape_at),
                    "write a backslash as \\\\");
    }
    into += kMeant[known];
}

Token Lexer::number_token() {
    Token token;
    token.kind = TokenKind::number;
    token.offset = at_;
    const auto at = [this](std::size_t i) { return i < text_.size() ? text_[i] : '\0'; };
    const auto skip_digits = [&] {
        while (is_digit(at(at_))) {
            ++at_;
        }
    };
    const auto code_number = [&](std::uint64_t code) {
        token.text = keep(std::to_string(code));
        token.value = static_cast<double>(code);
        return token;
    };

    if (at(at_) == '0' && at(at_ + 1) == '\'' && at_ + 2 < text_.size()) {  // 0'a
        std::string one;
        at_ += 2;
        if (at(at_) == '\\') {
            read_escape(one, token.offset);
        } else {
            if (at(at_) == '\'' && at(at_ + 1) == '\'') {
                ++at_;
            }
            do {
                one += text_[at_++];
            } while (!base::begins_character(at(at_)));
        }
        std::uint64_t code = one.empty() ? 0 : static_cast<unsigned char>(one[0]);
        if (code >= 0xC0) {
            code &= code >= 0xF0 ? 0x07U : code >= 0xE0 ? 0x0FU : 0x1FU;
            for (std::size_t i = 1; i < one.size() && i < 4; ++i) {
                code = (code << 6U) | (static_cast<unsigned char>(one[i]) & 0x3FU);
            }
        }
        return code_number(code);
    }
    const char kind = at(at_ + 1);
    if (at(at_) == '0' && (kind == 'x' || kind == 'o' || kind == 'b')) {
        const int base = kind == 'x' ? 16 : kind == 'o' ? 8 : 2;
        std::uint64_t code = 0;
        const std::size_t begin = at_ + 2;
        for (at_ = begin; digit_value(at(at_)) < base; ++at_) {
            if (code >> 59U != 0) {
                throw Error("a number beyond 64 bits", place(token.offset));
            }
            code = code * static_cast<std::uint64_t>(base) +
                   static_cast<std::uint64_t>(digit_value(at(at_)));
        }
        if (at_ == begin) {
            throw Error("a number without digits", place(token.offset));
        }
        return code_number(code);
    }
    skip_digits();
    if (at(at_) == '.' && is_digit(at(at_ + 1))) {
        ++at_;
        skip_digits();
    }
    if (at(at_) == 'e' || at(at_) == 'E') {
        const std::size_t sign = at(at_ + 1) == '+' || at(at_ + 1) == '-' ? 1 : 0;
        if (is_digit(at(at_ + 1 + sign))) {
            at_ += 1 + sign;
            skip_digits();
        }
    }
    token.text = text_.substr(token.offset, at_ - token.offset);
    const auto parsed =
        std::from_chars(token.text.data(), token.text.data() + token.text.size(), token.value);
    if (parsed.ec != std::errc()) {
        throw Error("a number out of range", place(token.offset));
    }
    return token;
}

std::string_view Lexer::keep(std::string name) {
    kept_.push_back(std::move(name));
    return kept_.back();
}

}  // namespace hri::prolog
