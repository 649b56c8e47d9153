// SPDX-License-Identifier: Apache-2.0
#pragma once

// Finished runs, remembered in a file of JSON lines so that an interrupted table goes on.
//
//   RunStore store("state.jsonl", {"seconds"});
//   if (const Json* known = store.find(key)) ...
//   store.add(key, {{"seconds", 1.5}});

#include "json.hpp"
#include "output.hpp"

#include <compare>
#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace hri::cli {

struct RunKey {
    std::string task;
    std::uint64_t seed = 0;
    std::string settings;  ///< a fingerprint of everything else that the result depends on
    auto operator<=>(const RunKey&) const = default;
};

/// 16 hexadecimal digits.
std::string fingerprint(const std::string& text);

class RunStore {
  public:
    /// Reads what is there; an empty name keeps nothing. Throws Error on a file whose lines are
    /// something else or lack one of the keys.
    RunStore(const std::string& path, const std::vector<std::string>& keys);

    const Json* find(const RunKey& key) const;
    /// Also writes it at once.
    void add(const RunKey& key, const Json& result);

  private:
    std::string path_;
    std::map<RunKey, Json> results_;
    std::ofstream file_;
};

}  // namespace hri::cli
