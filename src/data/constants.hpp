// SPDX-License-Identifier: Apache-2.0
#pragma once

// The names of constants while files are read: interned in order of appearance, numbered anew in
// the end, so that the order of lines in a file does not matter.

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hri::data {

class Constants {
  public:
    std::int32_t intern(std::string_view name);

    std::int64_t size() const { return static_cast<std::int64_t>(names_.size()); }

    const std::string& name(std::int32_t id) const { return names_[static_cast<std::size_t>(id)]; }

    /// Numbers the constants by name: integers by value, then the others by their bytes.
    struct Numbering {
        std::vector<std::string> names;        ///< [new id]; empty where they are 0, 1, 2, ...
        std::vector<std::int32_t> renumbered;  ///< [id from intern]: the new id; -1: not used
    };

    /// Only those that are used, [id from intern].
    Numbering numbered(const std::vector<bool>& used) const;

  private:
    std::deque<std::string> names_;  // stay where they are: ids_ looks at them
    std::unordered_map<std::string_view, std::int32_t> ids_;
};

}  // namespace hri::data
