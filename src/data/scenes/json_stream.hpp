// SPDX-License-Identifier: Apache-2.0
#pragma once

// A large JSON document, one element at a time: the members of an object, or the elements of an
// array. Only the element at hand is in memory.
//
//   JsonStream stream(in, "scenes.json");
//   for (JsonPiece piece; stream.next(piece);) ... piece.key, piece.text, piece.line, piece.column

#include "hri/error.hpp"

#include <array>
#include <cstdint>
#include <istream>
#include <string>

namespace hri::scenes {

struct JsonPiece {
    std::string key;   // of a member, as it is written; empty in arrays
    std::string text;  // the value, not yet checked inside
    int line = 1;      // where the value begins
    int column = 1;
};

class JsonStream {
  public:
    /// `nested` is the member of the outer object whose array is opened too, so that its elements
    /// come one at a time, with its key.
    JsonStream(std::istream& in, std::string file, std::string nested = "scenes");

    /// Whether the document is an array.
    bool is_array() const { return array_; }

    /// False at the end of the document. Throws Error.
    bool next(JsonPiece& piece);

    std::int64_t bytes() const { return bytes_; }

    [[noreturn]] void fail(const std::string& what, const std::string& hint = {}) const;

  private:
    static constexpr int kEnd = -1;

    int peek();
    int take();
    void skip_space();
    void expect(char wanted, const std::string& what);
    void read_string(std::string& out, bool with_quotes);
    void read_value(JsonPiece& piece);
    bool at_element(char close);

    std::istream& in_;
    std::string file_;
    std::string nested_;
    std::array<char, 1U << 16U> block_{};
    std::size_t at_ = 0;
    std::size_t size_ = 0;
    std::int64_t bytes_ = 0;
    int line_ = 1;
    int column_ = 1;
    bool array_ = false;
    bool inside_ = false;  // the nested array
    bool first_ = true;    // no element yet
    bool done_ = false;
};

}  // namespace hri::scenes
