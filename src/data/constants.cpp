// SPDX-License-Identifier: Apache-2.0
#include "data/constants.hpp"

#include <algorithm>
#include <charconv>
#include <tuple>

namespace hri::data {
namespace {

struct Key {
    bool is_word = false;
    std::int64_t value = 0;  // of an integer
    std::string_view name;
    std::int32_t id = 0;

    auto ranks() const { return std::tie(is_word, value, name); }
};

Key key_of(std::string_view name, std::int32_t id) {
    Key key{true, 0, name, id};
    std::int64_t value = 0;
    const auto parsed = std::from_chars(name.data(), name.data() + name.size(), value);
    if (parsed.ec == std::errc() && parsed.ptr == name.data() + name.size()) {
        key.is_word = false;
        key.value = value;
    }
    return key;
}

}  // namespace

std::int32_t Constants::intern(std::string_view name) {
    const auto known = ids_.find(name);
    if (known != ids_.end()) {
        return known->second;
    }
    const auto id = static_cast<std::int32_t>(names_.size());
    ids_.emplace(names_.emplace_back(name), id);
    return id;
}

Constants::Numbering Constants::numbered(const std::vector<bool>& used) const {
    std::vector<Key> keys;
    for (std::size_t id = 0; id < names_.size(); ++id) {
        if (used[id]) {
            keys.push_back(key_of(names_[id], static_cast<std::int32_t>(id)));
        }
    }
    std::sort(keys.begin(), keys.end(),
              [](const Key& a, const Key& b) { return a.ranks() < b.ranks(); });
    Numbering numbering;
    numbering.renumbered.assign(names_.size(), -1);
    bool counts_up = true;  // 0, 1, 2, ...
    for (std::size_t i = 0; i < keys.size(); ++i) {
        numbering.renumbered[static_cast<std::size_t>(keys[i].id)] = static_cast<std::int32_t>(i);
        numbering.names.emplace_back(keys[i].name);
        counts_up = counts_up && numbering.names.back() == std::to_string(i);
    }
    if (counts_up) {
        numbering.names.clear();
    }
    return numbering;
}

}  // namespace hri::data
