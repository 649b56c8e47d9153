// SPDX-License-Identifier: Apache-2.0
#pragma once

// Data of the studio beside facts and examples of targets: knowledge graphs, scene graphs and
// environments. Each is looked at, learned from and asked in its own way.

#include "hri/learn.hpp"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>

namespace hri::studio {

using Json = nlohmann::ordered_json;

/// The input of a run, and its callbacks.
struct WorldRun {
    Json wishes = Json::object();  ///< settings by name
    int threads = 1;
    std::string resume;  ///< a checkpoint
    const std::atomic<bool>* interrupt = nullptr;
    std::function<void(const LearnProgress&)> progress;
    std::function<void(const std::string&)> checkpoint;
};

/// Functions may be called from several threads, learn() from one at a time. Mistakes of the user
/// are hri::Error.
class World {
  public:
    virtual ~World() = default;
    /// "graph", "scenes" or "policy"
    virtual std::string kind() const = 0;
    /// Name, figures and a table, for the page Data.
    virtual Json about() const = 0;
    /// The settings of learn().
    virtual Json fields() const = 0;
    virtual void learn(const WorldRun& run) = 0;
    virtual bool has_learned() const = 0;
    /// Some of the learned rules: {"group", "offset", "count"}.
    virtual Json rules(const Json& wanted) const = 0;
    /// A question of the page Explore.
    virtual Json ask(const Json& question) const = 0;
    /// The learned rules, as text that restore() reads again; empty: nothing yet.
    virtual std::string learned() const = 0;
    virtual void restore(const std::string& text) = 0;
};

/// A knowledge graph: a folder with train.txt, or a file of triples.
std::shared_ptr<World> open_graph_world(const std::filesystem::path& path);
/// A file that `hri scenes build` wrote, or the JSON of scene graphs.
std::shared_ptr<World> open_scene_world(const std::filesystem::path& path);
/// Synthetic scenes in which planted rules hold.
std::shared_ptr<World> make_scene_world();
/// unstack, stack, on or boxes.
std::shared_ptr<World> open_policy_world(const std::string& task);

/// One setting for the page. `standard` is its default.
Json field_json(const FieldInfo& field, const std::string& standard);

/// A wish as text, whatever JSON it was.
std::string wish_text(const Json& value);

/// The rules of a world. Readers see them whole while a run replaces them.
template <class T>
class Shared {
  public:
    std::shared_ptr<const T> get() const {
        const std::lock_guard lock(mutex_);
        return value_;
    }

    /// Throws Error where nothing was learned yet.
    std::shared_ptr<const T> required() const {
        std::shared_ptr<const T> value = get();
        if (!value) {
            throw Error("nothing has been learned yet", {}, "start a run on the page Learn");
        }
        return value;
    }

    void set(std::shared_ptr<const T> value) {
        const std::lock_guard lock(mutex_);
        value_ = std::move(value);
    }

  private:
    mutable std::mutex mutex_;
    std::shared_ptr<const T> value_;
};

}  // namespace hri::studio
