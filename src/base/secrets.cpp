// SPDX-License-Identifier: Apache-2.0
#include "base/secrets.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace hri::base {
namespace {

constexpr std::string_view kHidden = "***";

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// Whether the text has `word` at `at`, in small or capital letters.
bool has_at(const std::string& text, std::size_t at, std::string_view word) {
    return at + word.size() <= text.size() &&
           std::equal(word.begin(), word.end(), text.begin() + static_cast<std::ptrdiff_t>(at),
                      [](char a, char b) {
                          return a ==
                                 static_cast<char>(std::tolower(static_cast<unsigned char>(b)));
                      });
}

/// The end of `'a value'` or `value` that begins at `at`, as libpq reads it.
std::size_t end_of_value(const std::string& text, std::size_t at) {
    if (at < text.size() && text[at] == '\'') {
        for (++at; at < text.size() && text[at] != '\''; ++at) {
            at += text[at] == '\\' ? 1U : 0U;
        }
        return std::min(at + 1, text.size());
    }
    while (at < text.size() && !is_space(text[at]) && text[at] != '&' && text[at] != '\'' &&
           text[at] != '"') {
        ++at;
    }
    return at;
}

/// password = VALUE, sslpassword=VALUE, ?password=VALUE&
std::string without_keywords(const std::string& text) {
    constexpr std::string_view kKey = "password";
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        if (!has_at(text, at, kKey)) {
            result += text[at++];
            continue;
        }
        std::size_t value = at + kKey.size();
        while (value < text.size() && is_space(text[value])) {
            ++value;
        }
        if (value == text.size() || text[value] != '=') {
            result += text[at++];
            continue;
        }
        ++value;
        while (value < text.size() && is_space(text[value])) {
            ++value;
        }
        result += text.substr(at, value - at);
        const std::size_t end = end_of_value(text, value);
        result += end > value ? kHidden : "";
        at = end;
    }
    return result;
}

/// The end of what begins a connection at `at`: its slashes. npos where there is none.
std::size_t connection_at(const std::string& text, std::size_t at) {
    constexpr std::string_view kScheme = "postgres";
    if (has_at(text, at, "//")) {
        return std::min(text.find_first_not_of('/', at), text.size());
    }
    if (!has_at(text, at, kScheme)) {
        return std::string::npos;
    }
    at += kScheme.size();
    at += has_at(text, at, "ql") ? 2U : 0U;
    at += has_at(text, at, ":") ? 1U : 0U;
    return has_at(text, at, "/") ? std::min(text.find_first_not_of('/', at), text.size())
                                 : std::string::npos;
}

}  // namespace

std::string without_secrets(const std::string& given) {
    std::string text = without_keywords(given);
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::size_t user = connection_at(text, at);
        if (user == std::string::npos) {
            continue;
        }
        const std::size_t colon = text.find_first_of(":/ \n", user);
        const std::size_t line = std::min(text.find('\n', user), text.size());
        const std::size_t host = line == 0 ? std::string::npos : text.rfind('@', line - 1);
        if (colon != std::string::npos && text[colon] == ':' && host != std::string::npos &&
            host > colon) {
            text.replace(colon + 1, host - colon - 1, kHidden);
            at = colon;
        } else {
            at = user - 1;
        }
    }
    return text;
}

}  // namespace hri::base
