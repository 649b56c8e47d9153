// SPDX-License-Identifier: Apache-2.0
#pragma once

// Options as TOML and as JSON. Keys are the fields of Options.
//
//   Options options = read_options("config.toml", Options{.layers = 3});
//   write_file("used.toml", options_to_toml(options));

#include "hri/options.hpp"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace hri::hypotheses {

/// `base` with the file's keys set. Throws Error with file, line and column on an unknown key, a
/// value of the wrong type or out of range.
Options read_options(const std::filesystem::path& path, Options base = {});
Options parse_options(std::string_view toml, const std::string& file_name, Options base = {});

/// Every field, grouped as in --help; read_options gives the options back.
std::string options_to_toml(const Options& options);

/// {"rules": "R*", "layers": 4, ...}
nlohmann::ordered_json options_to_json(const Options& options);
/// Fields that are missing keep their default. Throws Error on unknown ones and on wrong values.
Options options_from_json(const nlohmann::ordered_json& json);

}  // namespace hri::hypotheses
