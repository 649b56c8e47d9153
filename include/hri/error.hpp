// SPDX-License-Identifier: Apache-2.0
#pragma once

// A user's mistake, told so that the user can mend it: where, what was expected, what to try.
//
//   throw hri::Error("expected '.' after the fact", {"family/bk.pl", 12, 7}, "end each fact with a
//   full stop");
//   // what(): family/bk.pl:12:7: expected '.' after the fact (end each fact with a full stop)

#include <stdexcept>
#include <string>

namespace hri {

/// A position in an input. Line and column count from 1; 0 means "not known".
struct Place {
    std::string file;
    int line = 0;
    int column = 0;
};

class Error : public std::runtime_error {
  public:
    explicit Error(const std::string& message, Place place = {}, std::string hint = {});

    const std::string& message() const { return message_; }  ///< what() without place and hint

    const Place& place() const { return place_; }

    const std::string& hint() const { return hint_; }

  private:
    std::string message_;
    Place place_;
    std::string hint_;
};

}  // namespace hri
