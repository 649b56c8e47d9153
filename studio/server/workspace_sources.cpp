// SPDX-License-Identifier: Apache-2.0
// Sources of data: folders, uploads, tasks.

#include "hri/files.hpp"
#include "hri/rl.hpp"
#include "hri/tasks.hpp"

#include "workspace.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <random>

namespace hri::studio {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxUploads = 100;
constexpr std::size_t kMaxUploadFiles = 50;
constexpr std::uintmax_t kMaxUploadBytes = 512'000'000;  // of all files of one upload

constexpr int kDeepest = 3;  // below a root
constexpr std::size_t kMaxVisited = 3'000;
constexpr std::size_t kMaxSources = 200;

/// Endings of single files that look like data.
bool is_readable(const std::string& ending) {
    return ending == ".sqlite" || ending == ".db" || ending == ".scenes";
}

/// A folder of facts and examples, of triples, or of tables.
bool is_data_folder(const fs::path& path) {
    std::error_code ignored;
    if (fs::exists(path / "exs.pl", ignored) || fs::exists(path / "train.txt", ignored)) {
        return true;
    }
    const fs::directory_iterator files(path, ignored);
    return std::any_of(begin(files), end(files), [](const fs::directory_entry& entry) {
        return entry.path().extension() == ".csv";
    });
}

/// Files and folders at the path and below it whose names look like data.
void find_sources(const fs::path& root, std::map<std::string, std::string>& found) {
    const auto add = [&](const fs::path& path) {
        const std::string name = path.lexically_relative(root).string();
        if (found.size() < kMaxSources) {
            found.emplace(path.string(), name == "." ? root.filename().string() : name);
        }
    };
    if (is_data_folder(root)) {
        add(root);
    }
    std::error_code ignored;
    std::size_t visited = 0;
    fs::recursive_directory_iterator at(root, fs::directory_options::skip_permission_denied,
                                        ignored);
    for (; at != fs::recursive_directory_iterator() && ++visited < kMaxVisited;
         at.increment(ignored)) {
        const std::string name = at->path().filename().string();
        if (at->is_directory(ignored)) {
            if (name.starts_with(".") || name == "build" || name == "node_modules" ||
                at.depth() + 1 >= kDeepest) {
                at.disable_recursion_pending();
            }
            if (!name.starts_with(".") && is_data_folder(at->path())) {
                add(at->path());
            }
        } else if (is_readable(at->path().extension().string())) {
            add(at->path());
        }
    }
}

/// Names of uploads and of their files lead nowhere else.
bool is_plain(const std::string& text) {
    return !text.empty() && text.size() <= 100 && text[0] != '.' &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) {
               return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-';
           });
}

}  // namespace

fs::path Workspace::upload_folder(const std::string& id) const {
    if (!is_plain(id) || !fs::is_directory(folder_ / "uploads" / id)) {
        throw Error("there is no such upload");
    }
    return folder_ / "uploads" / id;
}

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
    std::string id = fmt::format("{:08x}{:08x}", device(), device());
    fs::create_directory(folder_ / "uploads" / id);
    return id;
}

void Workspace::upload(const std::string& id, const std::string& name, const std::string& bytes) {
    const fs::path folder = upload_folder(id);
    if (!is_plain(name)) {
        throw Error("names of uploaded files have letters, digits, '.', '_' and '-' only");
    }
    std::size_t files = 0;
    std::uintmax_t size = bytes.size();
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        ++files;
        size += entry.file_size();
    }
    if (files >= kMaxUploadFiles) {
        throw Error(fmt::format("an upload has at most {} files", kMaxUploadFiles));
    }
    if (size > kMaxUploadBytes) {
        throw Error(fmt::format("an upload has at most {} MB", kMaxUploadBytes / 1'000'000), {},
                    "start the studio with --root FOLDER and open the files by their path");
    }
    write_file(folder / name, bytes);
}

Json Workspace::sources() const {
    std::map<std::string, std::string> found;  // names by path
    for (const fs::path& root : roots_) {
        if (root != fs::weakly_canonical(folder_ / "uploads")) {
            find_sources(root, found);
        }
    }
    Json folders = Json::array();
    for (const auto& [path, name] : found) {
        folders.push_back({{"path", path}, {"name", name}});
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
