// SPDX-License-Identifier: Apache-2.0
// Runs: their settings, their progress, and what is drawn of them.

#include "hri/export.hpp"
#include "hri/plot.hpp"
#include "hri/version.hpp"

#include "learned.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace hri::studio {

namespace {

constexpr std::size_t kMaxPoints = 500;  // of a curve; every second one goes when there are more
constexpr auto kTellEvery = std::chrono::milliseconds(200);
constexpr double kPointEvery = 0.02;  // of the seconds so far: short runs have curves, too
constexpr auto kLeastBetweenPoints = std::chrono::milliseconds(10);
constexpr double kRateSeconds = 1;  // over which candidates per second are counted
constexpr int kPause = 200;  // a drawing is made again after so many times as long as it took
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

Json curve_json(const std::vector<std::pair<double, double>>& curve) {
    Json points = Json::array();
    for (const auto& [x, y] : curve) {
        points.push_back({x, y});
    }
    return points;
}

/// Whether it is time for a point of a curve: dense at first, and never more often than pages are
/// told in the long run.
bool is_due(std::chrono::steady_clock::duration since, double seconds) {
    const std::chrono::duration<double> share(kPointEvery * seconds);
    return since >= kTellEvery || (since >= kLeastBetweenPoints && since >= share);
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

}  // namespace

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

std::string to_string(RunState::Phase phase) {
    constexpr std::array kNames = {"none", "running", "stopping",   "stopped",
                                   "done", "failed",  "interrupted"};
    return kNames[static_cast<std::size_t>(phase)];
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

/// Proto-rules may stand in a file, which has to lie where the studio may read.
void Workspace::check_files(const Json& wishes) const {
    const std::string rules = wishes.contains("rules") ? wish_text(wishes["rules"]) : "";
    std::error_code ignored;
    if (rules.find("<-") == std::string::npos &&
        (rules.find('/') != std::string::npos || std::filesystem::exists(rules, ignored))) {
        checked(rules);
    }
}

void Workspace::start(const Json& wishes, bool resume) {
    check_files(wishes);
    const std::shared_ptr<const OpenData> data = opened();
    Options options;
    LearnSettings settings;
    if (!data->world) {
        const std::vector<std::string> own = field_names<LearnSettings>();
        for (const auto& [name, value] : wishes.items()) {
            if (name == "targets") {  // parts_of() reads them
                continue;
            }
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
    const Parts parts = data->world ? Parts{} : parts_of(wishes);
    {
        const std::lock_guard lock(mutex_);
        if (run_.phase == RunState::Phase::running || run_.phase == RunState::Phase::stopping) {
            throw Error("a run is under way", {}, "stop it first");
        }
        if (resume && (checkpoint_.empty() || !parts.empty())) {
            throw Error("there is no run to go on with", {}, "start one");
        }
        check_together(parts, settings, constraints_);
        settings.constraints = constraints_;
        settings.resume = resume ? checkpoint_ : std::string{};
    }
    join();
    const std::lock_guard thread_lock(thread_mutex_);
    {
        const std::lock_guard lock(mutex_);
        interrupt_ = false;
        run_ = {};
        ++runs_;
        is_outdated_ = false;
        run_.phase = RunState::Phase::running;
        wishes_ = wishes;
        if (!parts.empty()) {
            checkpoint_.clear();  // of a run of one target
        }
        model_.reset();
        started_ = told_ = drawn_ = std::chrono::steady_clock::now();
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
        thread_ = std::thread([this, data, parts, options, settings] {
            const auto learned = [&](const LearnSettings& watched) {
                return parts.empty()
                           ? make_learned(*data, learn(data->problem, options, watched), watched)
                           : learn_parts(parts, options, watched);
            };
            run(learned, settings);
        });
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
    if (run_.seconds - run_.counted > kRateSeconds) {
        const std::int64_t count = now.trials > 0 ? now.trials : now.iterations;
        run_.rate = static_cast<double>(std::max<std::int64_t>(count - run_.count, 0)) /
                    (run_.seconds - run_.counted);
        run_.count = count;
        run_.counted = run_.seconds;
    }
    if (is_due(time - drawn_, run_.seconds)) {
        drawn_ = time;
        if (now.loss >= 0) {
            add_point(run_.losses, run_.seconds, now.loss);
        }
        if (now.errors >= 0) {
            add_point(run_.errors, run_.seconds, static_cast<double>(now.errors));
        }
    }
    if (time - told_ >= kTellEvery) {
        told_ = time;
        changed();
    }
}

/// Seldom enough that training does not wait for it.
void Workspace::look(const Model& model) {
    const auto time = std::chrono::steady_clock::now();
    {
        const std::lock_guard lock(mutex_);
        if (model_ &&
            !is_due(time - looked_, std::chrono::duration<double>(time - started_).count())) {
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

void Workspace::run(
    const std::function<std::shared_ptr<const Learned>(const LearnSettings&)>& learn,
    LearnSettings settings) {
    settings.interrupt = &interrupt_;
    settings.progress = [this](const LearnProgress& now) { take(now); };
    settings.watch = [this](const Model& model) { look(model); };
    settings.checkpoint = keeper();
    std::shared_ptr<const Learned> result;
    std::string failure;
    try {
        result = learn(settings);
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
        if (result) {
            const Score& score = result->report.training;
            run_.progress.program = to_text(result->report.program);
            run_.progress.errors = score.false_positives + score.false_negatives;
            run_.progress.trials = std::max(run_.progress.trials, result->report.trials);
            run_.progress.restarts = std::max(run_.progress.restarts, result->report.restarts);
            run_.progress.fits = std::max(run_.progress.fits, result->report.fitting);
            add_point(run_.errors, run_.seconds, static_cast<double>(run_.progress.errors));
        }
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
    json["data"] = data_ ? Json{{"opened", opens_},
                                {"source", data_->source},
                                {"target", data_->target},
                                {"kind", data_->kind()}}
                         : Json();
    const LearnProgress& now = run_.progress;
    const bool is_running =
        run_.phase == RunState::Phase::running || run_.phase == RunState::Phase::stopping;
    const std::chrono::duration<double> since = std::chrono::steady_clock::now() - started_;
    json["run"] = {{"number", runs_},
                   {"phase", to_string(run_.phase)},
                   {"seconds", is_running ? since.count() : run_.seconds},
                   {"fraction", now.fraction},
                   {"restarts", now.restarts},
                   {"fits", now.fits},
                   {"trials", now.trials},
                   {"iterations", now.iterations},
                   {"rate", run_.rate},
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
    json["outdated"] = is_outdated_ && learned_;
    json["constraints"] = constraints_json(constraints_);
    Json labels = Json::array();
    for (const auto& [atom, positive] : labels_) {
        labels.push_back({{"atom", atom}, {"positive", positive}});
    }
    json["labels"] = std::move(labels);
    json["wishes"] = wishes_;
    return json;
}

std::shared_ptr<const std::string> Workspace::state_text() const {
    const auto time = std::chrono::steady_clock::now();
    {
        const std::lock_guard lock(mutex_);
        if (text_ && text_version_ == version_ && time - text_made_ < kTellEvery) {
            return text_;
        }
    }
    const Json json = state();
    auto text = std::make_shared<const std::string>(
        json.dump(-1, ' ', false, Json::error_handler_t::replace));
    const std::lock_guard lock(mutex_);
    text_ = text;
    text_version_ = json["version"];
    text_made_ = time;
    return text;
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
