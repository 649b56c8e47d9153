// SPDX-License-Identifier: Apache-2.0
#pragma once

// Descriptions of the fields of settings structs. Flags, TOML keys, JSON and Python keywords, their
// help, defaults and checks all come from these lists.
//
//   for (const Field<LearnSettings>& field : fields_of<LearnSettings>()) {
//       std::cout << field.name << " = " << field.get({}) << ": " << field.help << '\n';
//   }
//   set_field(settings, "time_limit", "10");

#include "hri/error.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hri {

/// A field without its struct.
struct FieldInfo {
    enum class Kind {
        integer,
        real,
        boolean,
        text,
        choice,
        list  ///< texts, separated by commas
    };
    std::string name;              ///< as in the struct, a TOML key or a Python keyword
    std::string help = {};         ///< one or two whole sentences
    std::string group = {};        ///< "Training": what the field belongs to
    std::string flag = {};         ///< on the command line, where it is not the name
    std::string placeholder = {};  ///< of its value: FILE, SECONDS
    std::string strategies = {};   ///< that it affects: "gradient, portfolio"; empty: all
    bool common = false;           ///< for most users: a short help shows it
    bool turns_off = false;        ///< a boolean whose flag sets it to false
    Kind kind = Kind::text;
    std::vector<std::string> choices = {};  ///< of an enumeration, else empty
    std::string expected = {};              ///< "an integer from 1 to 1000"
};

/// A field of one struct. Values are texts here, as flags and files give them.
template <class Settings>
struct Field : FieldInfo {
    std::function<std::string(const Settings&)> get;
    std::function<void(Settings&, const std::string&)> set;  ///< throws Error on a bad value
    std::function<void(const Settings&)> check;  ///< throws Error where the value is out of range
};

/// The fields of a settings struct, in its order. Its header declares the specialisation.
template <class Settings>
const std::vector<Field<Settings>>& fields_of();

/// The member of `names` that is closest to `name` by edit distance, for error messages.
std::string nearest(std::string_view name, const std::vector<std::string>& names);

/// "there is no option 'layrs' (did you mean layers?)"
Error unknown_field(std::string_view name, const std::vector<std::string>& names,
                    const Place& place = {});

template <class Settings>
std::vector<std::string> field_names() {
    std::vector<std::string> names;
    for (const Field<Settings>& field : fields_of<Settings>()) {
        names.push_back(field.name);
    }
    return names;
}

/// Throws Error naming the nearest field.
template <class Settings>
const Field<Settings>& find_field(std::string_view name, const Place& place = {}) {
    for (const Field<Settings>& field : fields_of<Settings>()) {
        if (field.name == name) {
            return field;
        }
    }
    throw unknown_field(name, field_names<Settings>(), place);
}

/// Throws Error naming the nearest field or the allowed values.
template <class Settings>
void set_field(Settings& settings, std::string_view name, const std::string& value) {
    find_field<Settings>(name).set(settings, value);
}

/// Throws Error on the first field whose value is out of range.
template <class Settings>
void check_fields(const Settings& settings) {
    for (const Field<Settings>& field : fields_of<Settings>()) {
        field.check(settings);
    }
}

}  // namespace hri
