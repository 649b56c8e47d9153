// SPDX-License-Identifier: Apache-2.0
#pragma once

// Fields that commands have of their own, beside those of the library's settings.
//
//   static const std::vector<Field<Flags>> fields = {
//       base::number(own("count", "The largest number of questions."), &Flags::count, 1),
//       base::text(own("json", "Writes the questions as JSON.", "FILE"), &Flags::json_file)};

#include "base/fields.hpp"
#include "command.hpp"

namespace hri::cli {

inline FieldInfo own(std::string name, std::string help, std::string placeholder = {}) {
    return {.name = std::move(name),
            .help = std::move(help),
            .group = "This command",
            .placeholder = std::move(placeholder),
            .common = true};
}

/// One that few users need.
inline FieldInfo rare(std::string name, std::string help, std::string placeholder = {}) {
    FieldInfo info = own(std::move(name), std::move(help), std::move(placeholder));
    info.common = false;
    return info;
}

/// A switch that sets a boolean to false.
inline FieldInfo off(std::string name, std::string flag, std::string help) {
    FieldInfo info = own(std::move(name), std::move(help));
    info.flag = std::move(flag);
    info.turns_off = true;
    return info;
}

}  // namespace hri::cli
