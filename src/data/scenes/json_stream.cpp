// SPDX-License-Identifier: Apache-2.0

#include "data/scenes/json_stream.hpp"

#include "base/utf8.hpp"

#include <fmt/format.h>

namespace hri::scenes {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{64} << 20U;  // of one element

bool is_space(int byte) { return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t'; }

/// Means nothing special within a string.
bool is_plain(char byte) {
    return byte != '"' && byte != '\\' && static_cast<unsigned char>(byte) >= 0x20;
}

std::string described(int byte) {
    if (byte < 0) {
        return "the end of the file";
    }
    return byte > 0x20 && byte < 0x7F ? fmt::format("'{}'", static_cast<char>(byte))
                                      : fmt::format("byte {}", byte);
}

}  // namespace

JsonStream::JsonStream(std::istream& in, std::string file, std::string nested)
    : in_(in), file_(std::move(file)), nested_(std::move(nested)) {
    if (peek() == 0xEF) {  // a byte-order mark
        for (const int byte : {0xEF, 0xBB, 0xBF}) {
            if (take() != byte) {
                fail("expected JSON, found " + described(byte));
            }
        }
        column_ = 1;
    }
    skip_space();
    const int open = peek();
    if (open != '{' && open != '[') {
        fail("expected '{' or '[', found " + described(open), "scene graphs are JSON files");
    }
    array_ = open == '[';
    take();
}

void JsonStream::fail(const std::string& what, const std::string& hint) const {
    throw Error(what, {file_, line_, column_}, hint);
}

int JsonStream::peek() {
    if (at_ == size_) {
        in_.read(block_.data(), static_cast<std::streamsize>(block_.size()));
        if (in_.bad()) {
            fail("cannot read on");
        }
        size_ = static_cast<std::size_t>(in_.gcount());
        at_ = 0;
        bytes_ += static_cast<std::int64_t>(size_);
        if (size_ == 0) {
            return kEnd;
        }
    }
    return static_cast<unsigned char>(block_[at_]);
}

int JsonStream::take() {
    const int byte = peek();
    if (byte == kEnd) {
        return byte;
    }
    ++at_;
    if (byte == '\n') {
        ++line_;
        column_ = 1;
    } else if (base::begins_character(static_cast<char>(byte))) {
        ++column_;
    }
    return byte;
}

void JsonStream::skip_space() {
    while (is_space(peek())) {
        take();
    }
}

void JsonStream::expect(char wanted, const std::string& what) {
    skip_space();
    if (peek() != wanted) {
        fail(fmt::format("expected {}, found {}", what, described(peek())));
    }
    take();
}

/// Appends a string up to its closing quote.
void JsonStream::read_string(std::string& out, bool with_quotes) {
    take();
    if (with_quotes) {
        out += '"';
    }
    while (true) {
        if (peek() == kEnd || peek() < 0x20) {
            fail("expected the end of a string, found " + described(peek()),
                 "the file may have been cut off");
        }
        if (out.size() > kMaxBytes) {
            fail("expected a scene, found an element of more than 64 MiB");
        }
        const std::size_t begin = at_;  // as much as the block has of plain characters
        while (at_ < size_ && is_plain(block_[at_])) {
            column_ += base::begins_character(block_[at_]) ? 1 : 0;
            ++at_;
        }
        out.append(block_.data() + begin, at_ - begin);
        if (at_ == size_ || peek() < 0x20) {
            continue;  // a new block, or what is described above
        }
        const auto byte = static_cast<char>(take());
        if (byte == '"') {
            break;
        }
        out += byte;
        if (peek() != kEnd) {  // behind a backslash
            out += static_cast<char>(take());
        }
    }
    if (with_quotes) {
        out += '"';
    }
}

void JsonStream::read_value(JsonPiece& piece) {
    piece.text.clear();
    piece.line = line_;
    piece.column = column_;
    int depth = 0;
    while (true) {
        const int byte = peek();
        if (byte == kEnd) {
            fail("expected the end of a scene, found the end of the file",
                 "the file may have been cut off");
        }
        if (piece.text.size() > kMaxBytes) {
            fail("expected a scene, found an element of more than 64 MiB");
        }
        const bool closes = byte == '}' || byte == ']';
        if (depth == 0 && (closes || byte == ',' || is_space(byte))) {
            break;  // behind a number or word
        }
        if (byte == '"') {
            read_string(piece.text, true);
        } else {
            depth += byte == '{' || byte == '[' ? 1 : closes ? -1 : 0;
            piece.text += static_cast<char>(take());
        }
        if (depth == 0 && (closes || byte == '"')) {
            break;
        }
    }
    if (piece.text.empty()) {
        fail("expected a value, found " + described(peek()));
    }
}

/// Whether another element follows; otherwise the closing bracket is taken.
bool JsonStream::at_element(char close) {
    skip_space();
    if (peek() == close) {
        take();
        return false;
    }
    if (!first_) {
        expect(',', fmt::format("',' or '{}'", close));
        skip_space();
    }
    first_ = false;
    return true;
}

bool JsonStream::next(JsonPiece& piece) {
    while (!done_) {
        const bool in_array = array_ || inside_;
        if (!at_element(in_array ? ']' : '}')) {
            if (inside_) {
                inside_ = false;  // back in the object, behind this member
                first_ = false;
                continue;
            }
            skip_space();
            if (peek() != kEnd) {
                fail("expected the end of the file, found " + described(peek()));
            }
            done_ = true;
            break;
        }
        piece.key = inside_ ? nested_ : "";
        if (!in_array) {
            if (peek() != '"') {
                fail("expected a key in double quotes, found " + described(peek()));
            }
            read_string(piece.key, false);
            expect(':', "':' after the key");
            skip_space();
            if (piece.key == nested_ && peek() == '[') {
                take();
                inside_ = true;
                first_ = true;
                continue;
            }
        }
        read_value(piece);
        return true;
    }
    return false;
}

}  // namespace hri::scenes
