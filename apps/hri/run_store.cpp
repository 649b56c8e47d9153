// SPDX-License-Identifier: Apache-2.0

#include "model/options_file.hpp"
#include "output.hpp"
#include "runs.hpp"

#include <filesystem>
#include <fmt/format.h>

namespace hri::cli {
namespace {

/// FNV-1a, 64 bits.
std::uint64_t hash(const std::string& text) {
    std::uint64_t value = 0xcbf29ce484222325U;
    for (const char c : text) {
        value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    }
    return value;
}

/// Everything but task and seed that a result depends on.
std::string fingerprint(const RunJob& job) {
    std::string text = HRI_VERSION + options_to_json(job.options).dump();
    for (const ProtoRule& rule : load_protorules(job.options.rules)) {
        text += to_text(rule) + "\n";
    }
    text += fmt::format("{} {}", job.task->train_constants, job.task->eval_constants);
    return fmt::format("{:016x}", hash(text));
}

Json to_json(const RunResult& result) {
    return {{"train", result.train},         {"soft", result.soft},
            {"symbolic", result.symbolic},   {"symbolic_fixpoint", result.symbolic_fixpoint},
            {"train_mse", result.train_mse}, {"soft_mse", result.soft_mse},
            {"seconds", result.seconds},     {"iterations", result.iterations},
            {"program", result.program}};
}

RunResult from_json(const Json& json) {
    RunResult result;
    json.at("train").get_to(result.train);
    json.at("soft").get_to(result.soft);
    json.at("symbolic").get_to(result.symbolic);
    json.at("symbolic_fixpoint").get_to(result.symbolic_fixpoint);
    json.at("train_mse").get_to(result.train_mse);
    json.at("soft_mse").get_to(result.soft_mse);
    json.at("seconds").get_to(result.seconds);
    json.at("iterations").get_to(result.iterations);
    json.at("program").get_to(result.program);
    return result;
}

}  // namespace

RunStore::Key RunStore::key(const RunJob& job) {
    return {job.task->name, job.seed, fingerprint(job)};
}

RunStore::RunStore(const std::string& path) : path_(path) {
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
            const Json json = Json::parse(content.begin() + static_cast<std::ptrdiff_t>(at),
                                          content.begin() + static_cast<std::ptrdiff_t>(end));
            results_[{json.at("task").get<std::string>(), json.at("seed").get<std::uint64_t>(),
                      json.at("options").get<std::string>()}] = from_json(json);
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

const RunResult* RunStore::find(const RunJob& job) const {
    const auto found = results_.find(key(job));
    return found == results_.end() ? nullptr : &found->second;
}

void RunStore::add(const RunJob& job, const RunResult& result) {
    const Key job_key = key(job);
    results_[job_key] = result;
    if (path_.empty()) {
        return;
    }
    Json line = {{"task", std::get<0>(job_key)},
                 {"seed", std::get<1>(job_key)},
                 {"options", std::get<2>(job_key)},
                 {"variant", job.variant}};
    line.update(to_json(result));
    file_ << line.dump() << "\n" << std::flush;
    if (!file_) {
        throw Error("cannot write", {path_, 0, 0});
    }
}

}  // namespace hri::cli
