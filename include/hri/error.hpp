// SPDX-License-Identifier: Apache-2.0
#pragma once

// A mistake of the user, with its place, what was expected and a hint.
//
//   throw hri::Error("expected '.' after the fact", {"family/bk.pl", 12, 7}, "end each fact with a
//   full stop");
//   // what(): family/bk.pl:12:7: expected '.' after the fact (end each fact with a full stop)

#include <functional>
#include <stdexcept>
#include <string>

namespace hri {

/// A position in an input. Line and column count from 1; 0 means "not known".
struct Place {
    std::string file;
    int line = 0;
    int column = 0;
};

/// A hint may name fields of settings in braces: {target}, {split=always}, {reify=true}; and
/// functions: {proposed_mapping()}. `show` says how a front end writes one, given what is before
/// and behind the equals sign.
std::string show_fields(
    const std::string& text,
    const std::function<std::string(const std::string& name, const std::string& value)>& show);

/// what() writes the fields of a hint as C++ knows them: target, split = always, reify.
class Error : public std::runtime_error {
  public:
    explicit Error(const std::string& message, Place place = {}, std::string hint = {});

    const std::string& message() const { return message_; }  ///< what() without place and hint

    const Place& place() const { return place_; }

    const std::string& hint() const { return hint_; }  ///< with fields in braces

  private:
    std::string message_;
    Place place_;
    std::string hint_;
};

}  // namespace hri
