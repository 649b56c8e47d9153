// SPDX-License-Identifier: Apache-2.0
#pragma once

// Makes the lists that fields_of() gives.
//
//   base::number({.name = "layers", .help = "..."}, &Options::layers, 1, 1000)

#include "hri/fields.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace hri::base {

/// The largest value: no upper bound.
template <class Number>
constexpr Number kNoLimit = std::numeric_limits<Number>::max();

// Numbers as texts. Reading throws Error "NAME: expected ..., found ...".
std::string show(std::int64_t value);
std::string show(std::uint64_t value);
std::string show(double value);
void read(std::int64_t& value, const FieldInfo& field, const std::string& text);
void read(std::uint64_t& value, const FieldInfo& field, const std::string& text);
void read(double& value, const FieldInfo& field, const std::string& text);
/// "an integer from 1 to 1000", "a number of 0 or more"
std::string expected_number(bool integer, const std::string& min, const std::string& max);
[[noreturn]] void refuse_value(const FieldInfo& field, const std::string& value);
/// "NAME: 'cosin' is not one of cosine, l1 (did you mean cosine?)"
[[noreturn]] void refuse_choice(const FieldInfo& field, const std::string& text);
[[noreturn]] void refuse_empty(const FieldInfo& field);
std::string joined(const std::vector<std::string>& texts, const std::string& separator);
/// At commas; empty pieces are left out.
std::vector<std::string> pieces(const std::string& text);

/// A number between two bounds, both included.
template <class Settings, class Number>
Field<Settings> number(FieldInfo info, Number Settings::*member, std::type_identity_t<Number> min,
                       std::type_identity_t<Number> max = kNoLimit<Number>) {
    constexpr bool kInteger = std::is_integral_v<Number>;
    using Wide = std::conditional_t<
        !kInteger, double,
        std::conditional_t<std::is_signed_v<Number>, std::int64_t, std::uint64_t>>;
    info.kind = kInteger ? FieldInfo::Kind::integer : FieldInfo::Kind::real;
    info.expected = expected_number(kInteger, show(Wide{min}),
                                    max == kNoLimit<Number> ? std::string() : show(Wide{max}));
    Field<Settings> field{info, {}, {}, {}};
    field.get = [member](const Settings& settings) { return show(Wide{settings.*member}); };
    field.check = [=](const Settings& settings) {
        if (!(settings.*member >= min && settings.*member <= max)) {
            refuse_value(info, show(Wide{settings.*member}));
        }
    };
    field.set = [=](Settings& settings, const std::string& text) {
        Wide value{};
        read(value, info, text);
        if (!(value >= Wide{min} && value <= Wide{max})) {
            refuse_value(info, text);
        }
        settings.*member = static_cast<Number>(value);
    };
    return field;
}

/// One of a few named values.
template <class Settings, class Enum>
Field<Settings> choice(
    FieldInfo info, Enum Settings::*member,
    const std::vector<std::pair<std::string, std::type_identity_t<Enum>>>& names) {
    info.kind = FieldInfo::Kind::choice;
    for (const auto& known : names) {
        info.choices.push_back(known.first);
    }
    info.expected = "one of " + joined(info.choices, ", ");
    Field<Settings> field{info, {}, {}, {}};
    field.get = [member, names](const Settings& settings) {
        for (const auto& known : names) {
            if (known.second == settings.*member) {
                return known.first;
            }
        }
        return std::string();
    };
    field.check = [info, get = field.get](const Settings& settings) {
        if (get(settings).empty()) {
            throw Error(info.name + ": not one of its values");
        }
    };
    field.set = [=](Settings& settings, const std::string& text) {
        for (const auto& known : names) {
            if (known.first == text) {
                settings.*member = known.second;
                return;
            }
        }
        refuse_choice(info, text);
    };
    return field;
}

/// One of a few words, or nothing where it `may_be_empty`.
template <class Settings>
Field<Settings> word(const FieldInfo& info, std::string Settings::*member,
                     const std::vector<std::string>& words, bool may_be_empty = false) {
    std::vector<std::pair<std::string, std::string>> names;
    for (const std::string& known : words) {
        names.emplace_back(known, known);
    }
    Field<Settings> field = choice(info, member, names);
    if (may_be_empty) {
        field.check = [member, check = field.check](const Settings& settings) {
            if (!(settings.*member).empty()) {
                check(settings);
            }
        };
        field.set = [member, set = field.set](Settings& settings, const std::string& value) {
            if (value.empty()) {
                (settings.*member).clear();
            } else {
                set(settings, value);
            }
        };
    }
    return field;
}

template <class Settings>
Field<Settings> boolean(const FieldInfo& info, bool Settings::*member) {
    Field<Settings> field = choice(info, member, {{"true", true}, {"false", false}});
    field.kind = FieldInfo::Kind::boolean;
    field.choices.clear();
    field.expected = "true or false";
    return field;
}

/// A text or a path, which may be empty unless `needed`.
template <class Settings, class Text>
Field<Settings> text(FieldInfo info, Text Settings::*member, bool needed = false) {
    info.kind = FieldInfo::Kind::text;
    info.expected = "a text in quotes";
    Field<Settings> field{info, {}, {}, {}};
    field.get = [member](const Settings& settings) {
        if constexpr (std::is_same_v<Text, std::string>) {
            return settings.*member;
        } else {
            return (settings.*member).string();
        }
    };
    field.check = [=](const Settings& settings) {
        if (needed && (settings.*member).empty()) {
            refuse_empty(info);
        }
    };
    field.set = [=](Settings& settings, const std::string& value) {
        if (needed && value.empty()) {
            refuse_empty(info);
        }
        settings.*member = value;
    };
    return field;
}

/// Texts, each of `allowed` where that is not empty.
template <class Settings, class Texts>
Field<Settings> list(FieldInfo info, Texts Settings::*member,
                     const std::vector<std::string>& allowed = {}) {
    info.kind = FieldInfo::Kind::list;
    info.choices = allowed;
    info.expected = "texts separated by commas";
    Field<Settings> field{info, {}, {}, {}};
    field.get = [member](const Settings& settings) {
        return joined({(settings.*member).begin(), (settings.*member).end()}, ",");
    };
    field.check = [](const Settings&) {};
    field.set = [=](Settings& settings, const std::string& value) {
        const std::vector<std::string> found = pieces(value);
        for (const std::string& piece : found) {
            bool known = allowed.empty();
            for (const std::string& one : allowed) {
                known = known || one == piece;
            }
            if (!known) {
                refuse_choice(info, piece);
            }
        }
        settings.*member = Texts(found.begin(), found.end());
    };
    return field;
}

}  // namespace hri::base
