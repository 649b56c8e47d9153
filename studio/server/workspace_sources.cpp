// SPDX-License-Identifier: Apache-2.0
// Where data come from: folders, uploads, tasks.

#include "hri/files.hpp"
#include "hri/rl.hpp"
#include "hri/tasks.hpp"

#include "workspace.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <random>

namespace hri::studio {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxUploads = 100;
constexpr std::size_t kMaxUploadFiles = 50;

/// Endings of single files that look like data.
bool is_readable(const std::string& ending) {
    return ending == ".csv" || ending == ".sqlite" || ending == ".db" || ending == ".scenes";
}

}  // namespace

std::string Workspace::new_upload() {
    std::size_t count = 0;
    for ([[maybe_unused]] const fs::directory_entry& entry :
         fs::directory_iterator(folder_ / "uploads")) {
        ++count;
    }
    if (count >= kMaxUploads) {
        throw Error(fmt::format("there are {} uploads already", count), {},
                    "remove some from the studio's folder");
    }
    std::random_device device;
    const std::string id = fmt::format("{:08x}{:08x}", device(), device());
    fs::create_directory(folder_ / "uploads" / id);
    return id;
}

void Workspace::upload(const std::string& id, const std::string& name, const std::string& bytes) {
    const auto is_plain = [](const std::string& text) {
        return !text.empty() && text.size() <= 100 && text[0] != '.' &&
               std::all_of(text.begin(), text.end(), [](unsigned char c) {
                   return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-';
               });
    };
    const fs::path folder = folder_ / "uploads" / id;
    if (!is_plain(id) || !fs::is_directory(folder)) {
        throw Error("there is no such upload");
    }
    if (!is_plain(name)) {
        throw Error("names of uploaded files have letters, digits, '.', '_' and '-' only");
    }
    const auto files = std::distance(fs::directory_iterator(folder), fs::directory_iterator{});
    if (files >= static_cast<std::ptrdiff_t>(kMaxUploadFiles)) {
        throw Error(fmt::format("an upload has at most {} files", kMaxUploadFiles));
    }
    write_file(folder / name, bytes);
}

Json Workspace::sources() const {
    Json folders = Json::array();
    for (const fs::path& root : roots_) {
        std::error_code ignored;
        if (root == fs::weakly_canonical(folder_ / "uploads")) {
            continue;
        }
        const auto is_data = [](const fs::path& path) {
            std::error_code none;
            return fs::exists(path / "exs.pl", none) || fs::exists(path / "train.txt", none);
        };
        if (is_data(root)) {
            folders.push_back(root.string());
        }
        for (const fs::directory_entry& entry : fs::directory_iterator(root, ignored)) {
            const std::string type = entry.path().extension().string();
            if (is_data(entry.path()) || is_readable(type)) {
                folders.push_back(entry.path().string());
            }
        }
    }
    Json tasks = Json::array();
    for (const Task& task : all_tasks()) {
        tasks.push_back({{"name", task.name}, {"title", task.title}, {"about", task.explanation}});
    }
    Json worlds = Json::array();
    for (const RlTask& task : rl_tasks()) {
        worlds.push_back({{"name", "policy:" + task.name},
                          {"title", "Policy: " + task.name},
                          {"about", task.explanation}});
    }
    worlds.push_back(
        {{"name", "scenes:synthetic"},
         {"title", "Scenes: synthetic images with planted rules"},
         {"about", "1,000 images as small worlds of objects with names and relations"}});
    return {{"folders", std::move(folders)},
            {"tasks", std::move(tasks)},
            {"worlds", std::move(worlds)}};
}

}  // namespace hri::studio
