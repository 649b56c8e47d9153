// SPDX-License-Identifier: Apache-2.0

#include "run_store.hpp"

#include "base/hash.hpp"
#include "base/run_record.hpp"
#include "base/whole_number.hpp"

#include <filesystem>
#include <fmt/format.h>

namespace hri::cli {

namespace {

constexpr const char* kKind = "finished run";
constexpr std::string_view kBegin = R"({"blobs":[],"hri_record":)";  // of every line

}  // namespace

std::string fingerprint(const std::string& text) { return base::Hash().add(text).text(); }

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
            const std::string_view rest = std::string_view(content).substr(at);
            if (at == 0 ? !rest.starts_with(kBegin)
                        : !kBegin.starts_with(rest.substr(0, kBegin.size())))
                throw Error("this is no line of finished runs", {path, line, 1},
                            "give a new file, or one that an earlier --state wrote");
            std::filesystem::resize_file(path, at);
            break;
        }
        try {
            const base::RunRecord record =
                base::parse_record(std::string_view(content).substr(at, end - at), path, kKind);
            const RunKey key{record.run.at("task").get<std::string>(),
                             base::whole_number<std::uint64_t>(record.run.at("seed")),
                             record.run.at("options").get<std::string>()};
            for (const std::string& needed : keys) {
                static_cast<void>(record.values.at(needed));
            }
            results_[key] = record.values;
        } catch (const std::exception&) {
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
    const base::RunRecord record{
        .kind = kKind,
        .run = {{"task", key.task}, {"seed", key.seed}, {"options", key.settings}},
        .values = result};
    file_ << base::to_bytes(record) << std::flush;
    if (!file_) {
        throw Error("cannot write", {path_, 0, 0});
    }
}

}  // namespace hri::cli
