// SPDX-License-Identifier: Apache-2.0
#include "hri/error.hpp"

#include <utility>

namespace hri {
namespace {

std::string told(const std::string& message, const Place& place, const std::string& hint) {
    std::string text = place.file;
    if (place.line > 0) {
        text += (text.empty() ? "" : ":") + std::to_string(place.line);
        if (place.column > 0) {
            text += ":" + std::to_string(place.column);
        }
    }
    text += (text.empty() ? "" : ": ") + message;
    if (!hint.empty()) {
        text += " (" + hint + ")";
    }
    return text;
}

}  // namespace

Error::Error(const std::string& message, Place place, std::string hint)
    : std::runtime_error(told(message, place, hint)),
      message_(message),
      place_(std::move(place)),
      hint_(std::move(hint)) {}

}  // namespace hri
