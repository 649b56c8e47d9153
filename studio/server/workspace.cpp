// SPDX-License-Identifier: Apache-2.0
// The open data. Runs are in workspace_runs.cpp, rules in workspace_rules.cpp.

#include "workspace.hpp"

#include "hri/files.hpp"
#include "hri/graph.hpp"
#include "hri/several_targets.hpp"
#include "hri/tasks.hpp"

#include "learned.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace hri::studio {

namespace fs = std::filesystem;

namespace {

constexpr int kShownDraws = 3;  // instances of a generator

bool is_inside(const fs::path& path, const fs::path& root) {
    const auto [end, other] = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
    return end == root.end() || (end->empty() && std::next(end) == root.end());
}

std::string symbol_text(const PredicateSymbol& symbol) {
    return fmt::format("{}/{}", symbol.name, symbol.arity);
}

}  // namespace

Workspace::Workspace(fs::path folder, const std::vector<fs::path>& roots)
    : folder_(std::move(folder)) {
    fs::create_directories(folder_ / "uploads");
    fs::permissions(folder_, fs::perms::owner_all);
    for (const fs::path& root : roots) {
        roots_.push_back(fs::weakly_canonical(root));
    }
    roots_.push_back(fs::weakly_canonical(folder_ / "uploads"));
    restore();
}

Workspace::~Workspace() {
    close();
    interrupt_ = true;
    join();
}

void Workspace::join() {
    const std::lock_guard lock(thread_mutex_);
    if (thread_.joinable()) {
        thread_.join();
    }
}

void Workspace::close() {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    changes_.notify_all();
}

void Workspace::changed() {
    ++version_;
    changes_.notify_all();
}

std::uint64_t Workspace::wait(std::uint64_t version, std::chrono::milliseconds most) const {
    std::unique_lock lock(mutex_);
    changes_.wait_for(lock, most, [&] { return is_closed_ || version_ != version; });
    return version_;
}

fs::path Workspace::checked(const std::string& source) const {
    if (source.find("://") != std::string::npos) {
        throw Error("databases on servers are opened from the command line only", {},
                    "start the studio with `hri studio postgresql://...`");
    }
    fs::path path = fs::weakly_canonical(source);
    const auto is_given = [&](const fs::path& one) {
        return std::any_of(roots_.begin(), roots_.end(),
                           [&](const fs::path& root) { return is_inside(one, root); });
    };
    const auto leads_outside = [&](const fs::directory_entry& entry) {
        return entry.is_symlink() && !is_given(fs::weakly_canonical(entry.path()));
    };
    std::error_code ignored;
    const fs::directory_iterator files(path, ignored);
    if (!is_given(path) || std::any_of(begin(files), end(files), leads_outside)) {
        throw Error("this path is outside the folders that the studio may read", {},
                    "start the studio with --root FOLDER, or upload the files");
    }
    return path;
}

std::string Workspace::path_of(const std::string& source, bool is_trusted) const {
    constexpr std::string_view kUpload = "upload:";
    if (source.starts_with(kUpload)) {
        const fs::path folder = upload_folder(source.substr(kUpload.size()));
        std::vector<fs::path> files;
        for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
            files.push_back(entry.path());
        }
        return files.size() == 1 ? files.front().string() : folder.string();
    }
    return is_trusted ? source : checked(source).string();
}

namespace {

/// A compact file of scenes, or JSON, which only scene graphs come in.
bool looks_like_scenes(const fs::path& path) {
    return path.extension() == ".scenes" || path.extension() == ".json";
}

/// Data without examples name no target: of their relations the first yes-or-no column, else the
/// first property, if there is one.
std::string guessed_target(const std::vector<std::string>& relations) {
    const auto is_property = [](const std::string& name) {
        return name.ends_with("/1") && !name.starts_with("not_");
    };
    const auto has_negation = [&](const std::string& name) {
        return is_property(name) &&
               std::find(relations.begin(), relations.end(), "not_" + name) != relations.end();
    };
    auto found = std::find_if(relations.begin(), relations.end(), has_negation);
    if (found == relations.end()) {
        found = std::find_if(relations.begin(), relations.end(), is_property);
    }
    return found == relations.end() ? relations.front() : *found;
}

void read_relations(const std::string& path, const OpenRequest& wanted, OpenData& data) {
    ReadOptions options;
    options.target = wanted.target;
    options.closed_world = wanted.closed_world;
    std::vector<Problem> problems;
    try {
        problems = read_problems(path, options);
    } catch (const Error&) {
        std::vector<std::string> relations;
        try {
            read_problems(path, options, [&](const std::string& name) {
                relations.push_back(name);
                return false;
            });
        } catch (const Error&) {
        }
        if (relations.empty()) {
            throw;
        }
        options.target = guessed_target(relations);
        problems = {read_problem(path, options)};
        data.targets = std::move(relations);
        data.guessed = true;
    }
    if (data.targets.empty()) {
        for (const Problem& problem : problems) {
            data.targets.push_back(symbol_text(problem.target()));
        }
    }
    data.problem = std::move(problems.front());
    data.shown = data.problem.training.instances;
}

}  // namespace

void Workspace::open(const OpenRequest& wanted) {
    const std::string& source = wanted.source;
    auto data = std::make_shared<OpenData>();
    data->source = source;
    data->closed_world = wanted.closed_world;
    constexpr std::string_view kTask = "task:";
    constexpr std::string_view kPolicy = "policy:";
    if (source.starts_with(kTask)) {
        data->problem = make_problem(find_task(source.substr(kTask.size())));
        data->generated = true;
        Random random(0, Random::kData);
        Instance scratch;
        for (int i = 0; i < kShownDraws; ++i) {
            data->shown.push_back(data->problem.training.draw(i, random, scratch));
        }
    } else if (source.starts_with(kPolicy)) {
        data->world = open_policy_world(source.substr(kPolicy.size()));
    } else if (source == "scenes:synthetic") {
        data->world = make_scene_world();
    } else {
        const std::string path = path_of(source, wanted.is_trusted);
        if (wanted.target.empty() && looks_like_graph(path)) {
            data->world = open_graph_world(path);
        } else if (looks_like_scenes(path)) {
            data->world = open_scene_world(path);
        } else {
            read_relations(path, wanted, *data);
        }
    }
    if (data->world) {
        data->target = data->world->kind();
    } else {
        data->target = symbol_text(data->problem.target());
    }
    if (data->targets.empty()) {
        data->targets.push_back(data->target);
    }
    stop();
    join();
    const std::lock_guard lock(mutex_);
    // The list of targets stays when one of them is chosen.
    if (data_ && data_->source == source && data_->targets.size() > data->targets.size()) {
        data->targets = data_->targets;
    }
    if (!data_ || data_->source != source) {
        wishes_ = Json::object();
    }
    data_ = std::move(data);
    ++opens_;
    learned_.reset();
    is_outdated_ = false;
    model_.reset();
    labels_.clear();
    constraints_ = {};
    checkpoint_.clear();
    run_ = {};
    save();
    changed();
}

std::shared_ptr<const OpenData> Workspace::opened() const {
    const std::lock_guard lock(mutex_);
    if (!data_) {
        throw Error("no data are open", {}, "open some on the page Data");
    }
    return data_;
}

std::shared_ptr<const OpenData> Workspace::relations() const {
    std::shared_ptr<const OpenData> data = opened();
    if (data->world) {
        throw Error("this needs facts and examples of a target; what is open is of another kind",
                    {}, "see the page Explore");
    }
    return data;
}

std::shared_ptr<World> Workspace::world() const {
    const std::shared_ptr<const OpenData> data = opened();
    if (!data->world) {
        throw Error("these data have examples of a target: see the page Rules");
    }
    return data->world;
}

Json Workspace::world_rules(const Json& wanted) const { return world()->rules(wanted); }

Json Workspace::ask(const Json& question) const { return world()->ask(question); }

}  // namespace hri::studio
