// SPDX-License-Identifier: Apache-2.0
// Data and runs. What concerns rules is in workspace_rules.cpp.

#include "workspace.hpp"

#include "hri/export.hpp"
#include "hri/files.hpp"
#include "hri/graph.hpp"
#include "hri/plot.hpp"
#include "hri/several_targets.hpp"
#include "hri/tasks.hpp"
#include "hri/version.hpp"

#include "learned.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace hri::studio {

namespace fs = std::filesystem;

namespace {

constexpr int kShownDraws = 3;           // instances of a generator
constexpr std::size_t kMaxPoints = 500;  // of a curve; every second one goes when there are more
constexpr auto kTellEvery = std::chrono::milliseconds(100);
constexpr int kPause = 100;  // a drawing is made again after so many times as long as it took
constexpr auto kSaveEvery = std::chrono::seconds(3);

void add_point(std::vector<std::pair<double, double>>& curve, double seconds, double value) {
    curve.emplace_back(seconds, value);
    if (curve.size() > kMaxPoints) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < curve.size(); i += 2) {
            curve[kept++] = curve[i];
        }
        curve.resize(kept);
    }
}

bool is_inside(const fs::path& path, const fs::path& root) {
    const auto [end, other] = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
    return end == root.end() || (end->empty() && std::next(end) == root.end());
}

Json curve_json(const std::vector<std::pair<double, double>>& curve) {
    Json points = Json::array();
    for (const auto& [x, y] : curve) {
        points.push_back({x, y});
    }
    return points;
}

/// Mean over slots of the largest unification score: 1 where every slot has made up its mind.
double sharpness_of(const Model& model) {
    const std::vector<float> scores = unification(model);
    const std::size_t slots = model.hierarchy.slots.size();
    const std::size_t width = slots == 0 ? 0 : scores.size() / slots;
    double sum = 0;
    for (std::size_t s = 0; s < slots; ++s) {
        const auto row = scores.begin() + static_cast<std::ptrdiff_t>(s * width);
        sum +=
            static_cast<double>(*std::max_element(row, row + static_cast<std::ptrdiff_t>(width)));
    }
    return slots == 0 ? 0 : sum / static_cast<double>(slots);
}

std::string symbol_text(const PredicateSymbol& symbol) {
    return fmt::format("{}/{}", symbol.name, symbol.arity);
}

}  // namespace

std::string to_string(RunState::Phase phase) {
    constexpr std::array kNames = {"none", "running", "stopping",   "stopped",
                                   "done", "failed",  "interrupted"};
    return kNames[static_cast<std::size_t>(phase)];
}

Workspace::Workspace(fs::path folder, std::vector<fs::path> roots) : folder_(std::move(folder)) {
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
    const fs::path path = fs::weakly_canonical(source);
    const bool inside = std::any_of(roots_.begin(), roots_.end(),
                                    [&](const fs::path& root) { return is_inside(path, root); });
    if (!inside) {
        throw Error("this path is outside the folders that the studio may read", {},
                    "start the studio with --root FOLDER, or upload the files");
    }
    return path;
}

std::string Workspace::path_of(const std::string& source, bool is_trusted) const {
    constexpr std::string_view kUpload = "upload:";
    if (source.starts_with(kUpload)) {
        const fs::path folder =
            checked((folder_ / "uploads" / source.substr(kUpload.size())).string());
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

void read_relations(const std::string& path, const std::string& target, OpenData& data) {
    ReadOptions options;
    options.target = target;
    std::vector<Problem> problems = read_problems(path, options);
    for (const Problem& problem : problems) {
        data.targets.push_back(symbol_text(problem.target()));
    }
    data.problem = std::move(problems.front());
    data.shown = data.problem.training.instances;
}

}  // namespace

void Workspace::open(const std::string& source, const std::string& target, bool is_trusted) {
    auto data = std::make_shared<OpenData>();
    data->source = source;
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
        const std::string path = path_of(source, is_trusted);
        if (target.empty() && looks_like_graph(path)) {
            data->world = open_graph_world(path);
        } else if (looks_like_scenes(path)) {
            data->world = open_scene_world(path);
        } else {
            read_relations(path, target, *data);
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
    data_ = std::move(data);
    learned_.reset();
    model_.reset();
    labels_.clear();
    constraints_ = {};
    checkpoint_.clear();
    run_ = {};
    save();
    changed();
}

Json field_json(const FieldInfo& field, const std::string& standard) {
    return {{"name", field.name},
            {"help", field.help},
            {"group", field.group},
            {"strategies", field.strategies},
            {"common", field.common},
            {"choices", field.choices},
            {"expected", field.expected},
            {"standard", standard},
            {"boolean", field.kind == FieldInfo::Kind::boolean}};
}

std::string wish_text(const Json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

Json Workspace::fields() const {
    {
        const std::lock_guard lock(mutex_);
        if (data_ && data_->world) {
            return data_->world->fields();
        }
    }
    Json list = Json::array();
    for (const Field<LearnSettings>& field : fields_of<LearnSettings>()) {
        if (field.name != "log_every" && field.name != "threads") {
            list.push_back(field_json(field, field.get({})));
        }
    }
    for (const Field<Options>& field : fields_of<Options>()) {
        list.push_back(field_json(field, field.get({})));
    }
    return list;
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

void Workspace::start(const Json& wishes, bool resume) {
    const std::shared_ptr<const OpenData> data = opened();
    Options options;
    LearnSettings settings;
    if (!data->world) {
        const std::vector<std::string> own = field_names<LearnSettings>();
        for (const auto& [name, value] : wishes.items()) {
            if (std::find(own.begin(), own.end(), name) != own.end()) {
                set_field(settings, name, wish_text(value));
            } else {
                set_field(options, name, wish_text(value));
            }
        }
        check_fields(settings);
        check_fields(options);
    }
    settings.threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()) - 1);
    {
        const std::lock_guard lock(mutex_);
        if (run_.phase == RunState::Phase::running || run_.phase == RunState::Phase::stopping) {
            throw Error("a run is under way", {}, "stop it first");
        }
        if (resume && checkpoint_.empty()) {
            throw Error("there is no run to go on with", {}, "start one");
        }
        settings.constraints = constraints_;
        settings.resume = resume ? checkpoint_ : std::string{};
    }
    join();
    const std::lock_guard thread_lock(thread_mutex_);
    {
        const std::lock_guard lock(mutex_);
        interrupt_ = false;
        run_ = {};
        run_.phase = RunState::Phase::running;
        wishes_ = wishes;
        model_.reset();
        started_ = told_ = std::chrono::steady_clock::now();
        save();
        changed();
    }
    if (data->world) {
        WorldRun run;
        run.wishes = wishes;
        run.threads = settings.threads;
        run.resume = settings.resume;
        thread_ = std::thread([this, data, run] { run_world(data->world, run); });
    } else {
        thread_ = std::thread([this, data, options, settings] { run(data, options, settings); });
    }
}

void Workspace::stop() {
    const std::lock_guard lock(mutex_);
    if (run_.phase == RunState::Phase::running) {
        interrupt_ = true;
        run_.phase = RunState::Phase::stopping;
        changed();
    }
}

void Workspace::take(const LearnProgress& now) {
    const std::lock_guard lock(mutex_);
    const auto time = std::chrono::steady_clock::now();
    run_.progress = now;
    run_.seconds = std::chrono::duration<double>(time - started_).count();
    if (time - told_ < kTellEvery) {
        return;
    }
    told_ = time;
    if (now.loss >= 0) {
        add_point(run_.losses, run_.seconds, now.loss);
    }
    if (now.errors >= 0) {
        add_point(run_.errors, run_.seconds, static_cast<double>(now.errors));
    }
    changed();
}

/// Seldom enough that training does not wait for it.
void Workspace::look(const Model& model) {
    const auto time = std::chrono::steady_clock::now();
    {
        const std::lock_guard lock(mutex_);
        if (model_ && time - looked_ < kTellEvery) {
            return;
        }
        looked_ = time;
    }
    auto copy = std::make_shared<const Model>(model);
    const double sharpness = sharpness_of(model);
    const std::lock_guard lock(mutex_);
    model_ = std::move(copy);
    add_point(run_.sharpness, std::chrono::duration<double>(time - started_).count(), sharpness);
    if (time - told_ >= kTellEvery) {
        told_ = time;
        changed();
    }
}

void Workspace::run(std::shared_ptr<const OpenData> data, Options options, LearnSettings settings) {
    settings.interrupt = &interrupt_;
    settings.progress = [this](const LearnProgress& now) { take(now); };
    settings.watch = [this](const Model& model) { look(model); };
    settings.checkpoint = keeper();
    std::shared_ptr<const Learned> result;
    std::string failure;
    try {
        result = make_learned(*data, learn(data->problem, options, settings), settings);
    } catch (const Error& error) {
        failure = error.what();
    } catch (const std::exception& error) {
        failure = std::string("internal error: ") + error.what();
    }
    ended(std::move(result), failure);
}

void Workspace::run_world(std::shared_ptr<World> world, WorldRun run) {
    run.interrupt = &interrupt_;
    run.progress = [this](const LearnProgress& now) { take(now); };
    run.checkpoint = keeper();
    std::string failure;
    try {
        world->learn(run);
    } catch (const Error& error) {
        failure = error.what();
    } catch (const std::exception& error) {
        failure = std::string("internal error: ") + error.what();
    }
    ended(nullptr, failure);
}

/// Keeps checkpoints, and writes one now and then.
std::function<void(const std::string&)> Workspace::keeper() {
    auto saved = std::make_shared<std::chrono::steady_clock::time_point>(
        std::chrono::steady_clock::now() - kSaveEvery);
    return [this, saved](const std::string& text) {
        const std::lock_guard lock(mutex_);
        checkpoint_ = text;
        if (const auto now = std::chrono::steady_clock::now(); now - *saved > kSaveEvery) {
            *saved = now;
            save();
        }
    };
}

void Workspace::ended(std::shared_ptr<const Learned> result, const std::string& failure) {
    const std::lock_guard lock(mutex_);
    run_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    run_.error = failure;
    if (failure.empty()) {
        learned_ = std::move(result);
        run_.phase = interrupt_ ? RunState::Phase::stopped : RunState::Phase::done;
    } else {
        run_.phase = RunState::Phase::failed;
    }
    save();
    changed();
}

Json Workspace::state() const {
    const std::lock_guard lock(mutex_);
    Json json = {{"version", version_}, {"hri", version()}};
    json["data"] =
        data_ ? Json{{"source", data_->source}, {"target", data_->target}, {"kind", data_->kind()}}
              : Json();
    const LearnProgress& now = run_.progress;
    const bool is_running =
        run_.phase == RunState::Phase::running || run_.phase == RunState::Phase::stopping;
    const std::chrono::duration<double> since = std::chrono::steady_clock::now() - started_;
    json["run"] = {{"phase", to_string(run_.phase)},
                   {"seconds", is_running ? since.count() : run_.seconds},
                   {"fraction", now.fraction},
                   {"restarts", now.restarts},
                   {"fits", now.fits},
                   {"trials", now.trials},
                   {"errors", now.errors},
                   {"loss", now.loss},
                   {"program", now.program},
                   {"losses", curve_json(run_.losses)},
                   {"sharpness", curve_json(run_.sharpness)},
                   {"error_curve", curve_json(run_.errors)},
                   {"model", model_ != nullptr},
                   {"resumable", !checkpoint_.empty()},
                   {"error", run_.error}};
    json["has_rules"] = data_ && data_->world ? data_->world->has_learned() : learned_ != nullptr;
    json["constraints"] = {{"vetoed_rules", constraints_.vetoed_rules},
                           {"vetoed_predicates", constraints_.vetoed_predicates},
                           {"pinned", constraints_.pinned}};
    Json labels = Json::array();
    for (const auto& [atom, positive] : labels_) {
        labels.push_back({{"atom", atom}, {"positive", positive}});
    }
    json["labels"] = std::move(labels);
    json["wishes"] = wishes_;
    return json;
}

std::string Workspace::drawn(Picture& picture,
                             const std::function<std::string(const Model&)>& draw) const {
    const std::lock_guard drawing(drawing_mutex_);
    std::shared_ptr<const Model> model;
    std::chrono::steady_clock::time_point run;
    bool is_running = false;
    {
        const std::lock_guard lock(mutex_);
        model = model_;
        run = started_;
        is_running = run_.phase == RunState::Phase::running;
    }
    if (!model) {
        throw Error("no model has been trained in this run");
    }
    const auto begin = std::chrono::steady_clock::now();
    if (model == picture.model ||
        (is_running && picture.run == run && begin - picture.drawn < kPause * picture.cost)) {
        return picture.svg;
    }
    picture.svg = draw(*model);
    picture.model = std::move(model);
    picture.run = run;
    picture.drawn = std::chrono::steady_clock::now();
    picture.cost = picture.drawn - begin;
    return picture.svg;
}

std::string Workspace::heat_map_svg() const {
    return drawn(heat_map_, [](const Model& model) { return to_svg(unification_map(model)); });
}

std::string Workspace::hierarchy_svg() const {
    return drawn(hierarchy_, [](const Model& model) { return to_svg(model); });
}

}  // namespace hri::studio
