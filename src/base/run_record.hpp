// SPDX-License-Identifier: Apache-2.0
#pragma once

// The one format of run state: checkpoints, messages between processes, lines of --state files.
//
//   RunRecord record{.kind = "learn checkpoint", .run = identity, .values = {{"round", 7}}};
//   record.add_floats("slots", slots);
//   write_file(path, to_bytes(record));
//   RunRecord read = parse_record(read_file(path), path, "learn checkpoint");
//   require_same_run(read, identity, path);
//
// The bytes are one line of JSON and, where there are blobs, their bytes after it, one after the
// other. A file of several records without blobs holds one record per line.

#include "hri/error.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace hri::base {

struct RunRecord {
    /// Bytes that are no text: a model, or parameters.
    struct Blob {
        std::string name;
        std::string bytes;
    };

    std::string kind;
    nlohmann::json run = {};     ///< what must be the same for a run to go on
    nlohmann::json values = {};  ///< where it stands
    std::vector<Blob> blobs = {};

    void add_floats(std::string name, const std::vector<float>& values);
    /// Throws Error where the blob is missing, has another length, or a number is not finite.
    std::vector<float> floats(const std::string& name, std::size_t count, const Place& place) const;
    /// The bytes of a blob. Throws Error where it is missing.
    const std::string& blob(const std::string& name, const Place& place) const;
};

std::string to_bytes(const RunRecord& record);

/// Throws Error with a place where the text is no record, is of another kind or version, or is
/// nested too deeply. `file` stands in the place.
RunRecord parse_record(std::string_view bytes, const std::string& file, const std::string& kind);

/// Throws Error that names the first difference between record.run and `run`.
void require_same_run(const RunRecord& record, const nlohmann::json& run, const std::string& file);

/// JSON text of a file. Throws Error with line and column; so do more than 64 levels.
nlohmann::json parse_json(std::string_view text, const std::string& file);

/// Throws Error where JSON text has more than 64 levels. Gives the number of its keys.
std::size_t check_json_nesting(std::string_view text, const std::string& file);

}  // namespace hri::base
