// SPDX-License-Identifier: Apache-2.0

#include "run_store.hpp"

#include "base/whole_number.hpp"

#include <filesystem>
#include <fmt/format.h>

namespace hri::cli {

/// FNV-1a, 64 bits.
std::string fingerprint(const std::string& text) {
    std::uint64_t value = 0xcbf29ce484222325U;
    for (const char c : text) {
        value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    }
    return fmt::format("{:016x}", value);
}

RunStore::RunStore(const std::string& path, const std::vector<std::string>& keys) : path_(path) {
    if (path.empty()) {
        return;
    }
    check_writable(path);
    std::error_code ignored;
    const std::string content = std::filesystem::exists(path, ignored) ? read_file(path) : "";
    int line = 0;
    for (std::size_t at = 0; at < content.size();) {
        ++line;
        const std::size_t end = content.find('\n', at);
        if (end == std::string::npos) {  // the run that was being written when it was cut short
            std::filesystem::resize_file(path, at);
            break;
        }
        try {
            Json json = Json::parse(content.begin() + static_cast<std::ptrdiff_t>(at),
                                    content.begin() + static_cast<std::ptrdiff_t>(end));
            const RunKey key{json.at("task").get<std::string>(),
                             base::whole_number<std::uint64_t>(json.at("seed")),
                             json.at("options").get<std::string>()};
            for (const std::string& needed : keys) {
                static_cast<void>(json.at(needed));
            }
            results_[key] = std::move(json);
        } catch (const Json::exception&) {
            throw Error("this is no line of finished runs", {path, line, 1},
                        "give a new file, or one that an earlier --state wrote");
        }
        at = end + 1;
    }
    file_.open(path, std::ios::app);
    if (!file_) {
        throw Error("cannot write", {path, 0, 0});
    }
}

const Json* RunStore::find(const RunKey& key) const {
    const auto found = results_.find(key);
    return found == results_.end() ? nullptr : &found->second;
}

void RunStore::add(const RunKey& key, const Json& result) {
    results_[key] = result;
    if (path_.empty()) {
        return;
    }
    Json line = {{"task", key.task}, {"seed", key.seed}, {"options", key.settings}};
    line.update(result);
    file_ << line.dump() << "\n" << std::flush;
    if (!file_) {
        throw Error("cannot write", {path_, 0, 0});
    }
}

}  // namespace hri::cli
