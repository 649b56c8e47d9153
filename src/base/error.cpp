// SPDX-License-Identifier: Apache-2.0
#include "hri/error.hpp"

#include <algorithm>
#include <utility>

namespace hri {
namespace {

bool is_name(const std::string& text) {
    return !text.empty() &&
           text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_()") == std::string::npos;
}

std::string in_cpp(const std::string& name, const std::string& value) {
    return value.empty() || value == "true" ? name : name + " = " + value;
}

std::string described(const std::string& message, const Place& place, const std::string& hint) {
    std::string text = place.file;
    if (place.line > 0) {
        text += (text.empty() ? "" : ":") + std::to_string(place.line);
        if (place.column > 0) {
            text += ":" + std::to_string(place.column);
        }
    }
    text += (text.empty() ? "" : ": ") + message;
    if (!hint.empty()) {
        text += " (" + show_fields(hint, in_cpp) + ")";
    }
    return text;
}

}  // namespace

std::string show_fields(
    const std::string& text,
    const std::function<std::string(const std::string& name, const std::string& value)>& show) {
    std::string shown;
    std::size_t begin = 0;
    while (begin < text.size()) {
        const std::size_t open = text.find('{', begin);
        const std::size_t close =
            open == std::string::npos ? open : text.find_first_of("{}", open + 1);
        if (close == std::string::npos) {
            break;
        }
        const std::string inside = text.substr(open + 1, close - open - 1);
        const std::size_t equals = std::min(inside.find('='), inside.size());
        const std::string name = inside.substr(0, equals);
        shown += text.substr(begin, open - begin);
        if (text[close] == '}' && is_name(name)) {
            shown += show(name, equals == inside.size() ? "" : inside.substr(equals + 1));
            begin = close + 1;
        } else {
            shown += text[open];
            begin = open + 1;
        }
    }
    return shown + text.substr(std::min(begin, text.size()));
}

Error::Error(const std::string& message, Place place, std::string hint)
    : std::runtime_error(described(message, place, hint)),
      message_(message),
      place_(std::move(place)),
      hint_(std::move(hint)) {}

}  // namespace hri
