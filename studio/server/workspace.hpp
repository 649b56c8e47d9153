// SPDX-License-Identifier: Apache-2.0
#pragma once

// The state behind the studio's page: the data, the user's labels and constraints, and one run.
//
//   Workspace workspace("state-folder", {"examples/data"});
//   workspace.open({"examples/data/family"});
//   workspace.start({{"time_limit", 10}});
//   Json rules = workspace.rules(0);
//
// All functions may be called from several threads. Mistakes of the user are hri::Error.

#include "hri/learn.hpp"

#include "world.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace hri::studio {

/// Data as the page shows them. They never change: a new label makes new data.
struct OpenData {
    std::string source;  ///< as the user named it
    std::string target;  ///< name/arity, empty: the data's only one
    std::vector<std::string> targets;
    Problem problem;
    std::vector<Instance> shown;  ///< all instances, or some that a generator draws
    bool generated = false;
    bool guessed = false;          ///< the data name no target
    bool closed_world = false;     ///< atoms that no example lists are negative
    std::shared_ptr<World> world;  ///< instead of a problem: a graph, scenes or an environment

    std::string kind() const { return world ? world->kind() : "relations"; }
};

/// The state of a run. The page draws it.
struct RunState {
    enum class Phase { none, running, stopping, stopped, done, failed, interrupted };
    Phase phase = Phase::none;
    LearnProgress progress;
    double seconds = 0;
    double rate = 0;         ///< programs tried per second, of late; else training iterations
    std::int64_t count = 0;  ///< of them when the rate was counted
    double counted = 0;      ///< seconds, then
    std::vector<std::pair<double, double>> losses;     ///< (seconds, loss)
    std::vector<std::pair<double, double>> sharpness;  ///< (seconds, mean largest score of a slot)
    std::vector<std::pair<double, double>> errors;     ///< (seconds, errors of the best program)
    std::string error;                                 ///< why it failed
};

std::string to_string(RunState::Phase phase);

Json constraints_json(const Constraints& constraints);

/// Constraints from the JSON of the page or a session; rules may be in the paper's notation.
Constraints constraints_of(const Json& json);

/// The data to open.
struct OpenRequest {
    std::string source;
    std::string target = {};  ///< name/arity, where the data have several
    bool closed_world = false;
    bool is_trusted = false;  ///< named on the command line; what the page names is checked
};

struct Learned;

class Workspace {
  public:
    /// `folder` keeps uploads, the session and its checkpoint. Paths that the page names have to
    /// lie in `roots` or in the folder. A session that the folder holds is opened again.
    Workspace(std::filesystem::path folder, const std::vector<std::filesystem::path>& roots);
    ~Workspace();
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

    // Data
    void open(const OpenRequest& wanted);
    std::string new_upload();
    void upload(const std::string& id, const std::string& name, const std::string& bytes);
    Json data() const;
    Json facts(const std::string& predicate, int instance, int offset, int count) const;
    /// The binary and unary facts of a small instance as nodes and edges.
    Json graph(int instance) const;
    /// Files and folders below the roots that look like data, and the built-in tasks.
    Json sources() const;

    // Runs
    Json fields() const;
    void start(const Json& wishes, bool resume = false);
    void stop();
    Json state() const;
    /// The same as text, which all who ask within a fifth of a second share.
    std::shared_ptr<const std::string> state_text() const;
    /// Waits until the state is another than `version`, at most so long; its version then.
    std::uint64_t wait(std::uint64_t version, std::chrono::milliseconds most) const;
    /// Ends all waits; for a server that shuts down.
    void close();
    std::string heat_map_svg() const;
    std::string hierarchy_svg() const;

    // Rules
    Json rules(int alternative) const;
    /// Rules of a graph, scenes or a policy, and answers to questions of the page Explore.
    Json world_rules(const Json& wanted) const;
    Json ask(const Json& question) const;
    Json examples(int alternative, const std::string& kind, int offset, int count) const;
    Json explain(int alternative, const std::string& atom) const;
    /// Scores a rule that the user proposes beside the learned program.
    Json propose(const std::string& rule) const;
    std::string exported(int alternative, const std::string& format) const;

    // Corrections
    void constrain(const Json& constraints);
    Json questions(int count) const;
    void label(const std::string& atom, bool positive);
    /// Atoms of the target that hold, for a query such as `uncle(ann,?)`.
    Json answers(int alternative, const std::string& query, int count) const;

  private:
    /// A drawing of the model, for all who ask.
    struct Picture {
        std::shared_ptr<const Model> model;
        std::chrono::steady_clock::time_point run;  ///< when it began
        std::string svg;
        std::chrono::steady_clock::time_point drawn;
        std::chrono::steady_clock::duration cost{};
    };

    /// While a run goes on, drawing takes a hundredth of a processor at most.
    std::string drawn(Picture& picture, const std::function<std::string(const Model&)>& draw) const;
    std::filesystem::path checked(const std::string& source) const;
    void check_files(const Json& wishes) const;
    std::filesystem::path upload_folder(const std::string& id) const;
    std::string path_of(const std::string& source, bool is_trusted) const;
    std::shared_ptr<const OpenData> opened() const;
    std::shared_ptr<const OpenData> relations() const;  // throws where a world is open
    std::shared_ptr<World> world() const;               // throws where none is
    std::shared_ptr<const Learned> learned() const;
    /// The data of each target that the wishes name; empty where they name one or none.
    std::vector<std::shared_ptr<const OpenData>> parts_of(const Json& wishes) const;
    std::vector<std::shared_ptr<const OpenData>> read_parts(
        const std::vector<std::string>& targets) const;
    void run(const std::function<std::shared_ptr<const Learned>(const LearnSettings&)>& learn,
             LearnSettings settings);
    void run_world(std::shared_ptr<World> world, WorldRun run);
    void ended(std::shared_ptr<const Learned> result, const std::string& failure);
    std::function<void(const std::string&)> keeper();
    void take(const LearnProgress& now);
    void look(const Model& model);
    void changed();
    void save() const;
    void restore();
    void restore_targets(std::vector<std::string> targets);
    void restore_world(const Json& session, const std::string& checkpoint);
    void join();

    std::filesystem::path folder_;
    std::vector<std::filesystem::path> roots_;
    mutable std::mutex mutex_;
    mutable std::condition_variable changes_;
    std::uint64_t version_ = 1;
    mutable std::shared_ptr<const std::string> text_;  // of a state
    mutable std::uint64_t text_version_ = 0;
    mutable std::chrono::steady_clock::time_point text_made_;
    bool is_closed_ = false;
    std::shared_ptr<const OpenData> data_;
    std::uint64_t opens_ = 0;  // how often data were opened, and runs begun, since the server began
    std::uint64_t runs_ = 0;
    std::shared_ptr<const Learned> learned_;
    bool is_outdated_ = false;  // constraints or labels are others than those of the last run
    std::vector<std::pair<std::string, bool>> labels_;
    Constraints constraints_;
    Json wishes_ = Json::object();
    RunState run_;
    std::shared_ptr<const Model> model_;  // the latest look at a model in training
    mutable std::mutex drawing_mutex_;
    mutable Picture heat_map_;
    mutable Picture hierarchy_;
    std::string checkpoint_;
    std::atomic<bool> interrupt_{false};
    std::chrono::steady_clock::time_point started_;
    std::chrono::steady_clock::time_point told_;
    std::chrono::steady_clock::time_point drawn_;  // the last point of the loss
    std::chrono::steady_clock::time_point looked_;
    std::thread thread_;
    mutable std::mutex thread_mutex_;  // of start, stop and the end
};

}  // namespace hri::studio
