// SPDX-License-Identifier: Apache-2.0
// Scene graphs: the objects of an image, the names that rules give them, and why.

#include "hri/files.hpp"
#include "hri/recall.hpp"
#include "hri/scene_rules.hpp"

#include "world.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace hri::studio {

namespace {

constexpr int kMaxRows = 200;
constexpr int kFolds = 5;  // one of them is not learned from
constexpr std::size_t kGuesses = 5;
constexpr std::size_t kReasons = 3;
constexpr std::int64_t kMinCount = 20;  // facts of a name or a relation, where no list says more
constexpr std::size_t kMaxTargets = 50;

struct LearnedScenes {
    SceneRules rules;
    Recalls recalls;
};

class SceneWorld : public World {
  public:
    explicit SceneWorld(SceneSet scenes, std::vector<std::string> warnings = {})
        : scenes_(std::move(scenes)),
          warnings_(std::move(warnings)),
          folds_(scene_folds(scenes_.size(), kFolds, 0)) {
        if (scenes_.size() < kFolds) {
            throw Error(
                fmt::format("{} images are too few to learn from and to judge by", scenes_.size()));
        }
        counts_.resize(scenes_.predicates().size(), 0);
        for (std::size_t i = 0; i < scenes_.size(); ++i) {
            const Scene scene = scenes_[i];
            objects_ += scene.objects;
            for (const SceneLabel& name : scene.names) {
                ++counts_[name.predicate];
            }
            for (const SceneRelation& relation : scene.relations) {
                ++counts_[relation.predicate];
                ++relations_;
            }
        }
        const auto targets = scenes_.targets();
        targets_.assign(targets.begin(), targets.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                               targets.size(), kMaxTargets)));
    }

    std::string kind() const override { return "scenes"; }

    Json about() const override {
        std::vector<std::size_t> order(counts_.size());
        for (std::size_t p = 0; p < order.size(); ++p) {
            order[p] = p;
        }
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return counts_[a] > counts_[b]; });
        Json rows = Json::array();
        for (const std::size_t p : order) {
            if (rows.size() < kMaxRows) {
                rows.push_back({scenes_.predicates()[p].name,
                                p < scenes_.unary() ? "name" : "relation", counts_[p]});
            }
        }
        return {{"name", scenes_.origin().synthetic ? "synthetic scenes" : scenes_.origin().source},
                {"figures",
                 {{{"name", "images"}, {"value", scenes_.size()}},
                  {{"name", "objects"}, {"value", objects_}},
                  {{"name", "relations between objects"}, {"value", relations_}},
                  {{"name", "names to learn"}, {"value", targets_.size()}}}},
                {"columns", {"Predicate", "Kind", "Facts"}},
                {"rows", std::move(rows)},
                {"warnings", warnings_}};
    }

    Json fields() const override {
        Json list = Json::array();
        for (const Field<SceneRuleSettings>& field : fields_of<SceneRuleSettings>()) {
            if (field.name != "threads") {
                list.push_back(field_json(field, field.get({})));
            }
        }
        return list;
    }

    void learn(const WorldRun& run) override {
        SceneRuleSettings settings;
        for (const auto& [name, value] : run.wishes.items()) {
            set_field(settings, name, wish_text(value));
        }
        check_fields(settings);
        settings.threads = run.threads;
        auto learned = std::make_shared<LearnedScenes>();
        run.progress({.fraction = 0.1, .program = "counting what rules cover"});
        learned->rules = learn_scene_rules(scenes_, training(), targets_, settings);
        if (*run.interrupt) {
            return;
        }
        run.progress({.fraction = 0.8, .program = "judging by images that were not learned from"});
        learned->recalls = recalls(scenes_, folds_[0], targets_,
                                   rule_scores(scenes_, learned->rules), {.normalised = false});
        learned_.set(std::move(learned));
    }

    bool has_learned() const override { return learned_.get() != nullptr; }

    Json rules(const Json& wanted) const override {
        const auto learned = learned_.required();
        const SceneRules& rules = learned->rules;
        const std::string group = wanted.value("group", "");
        const int offset = wanted.value("offset", 0);
        const int count = std::clamp(wanted.value("count", 50), 0, kMaxRows);
        Json groups = Json::array();
        Json rows = Json::array();
        std::size_t all = 0;
        for (std::size_t i = 0; i < rules.names.size(); ++i) {
            const std::string& name = rules.predicates[rules.names[i].target].name;
            groups.push_back({{"name", name}, {"count", rules.names[i].rules.size()}});
            if (name != group) {
                continue;
            }
            all = rules.names[i].rules.size();
            for (std::size_t r = 0; r < all; ++r) {
                if (static_cast<int>(r) >= offset && static_cast<int>(r) < offset + count) {
                    rows.push_back(rule_json(rules, i, r));
                }
            }
        }
        return {{"groups", std::move(groups)}, {"count", all}, {"rows", std::move(rows)}};
    }

    /// An image that was not learned from: its objects, what rules take them for, and why.
    Json ask(const Json& question) const override {
        const auto learned = learned_.get();
        const std::vector<std::uint32_t>& unseen = folds_[0];
        const int wanted = question.value("image", 0);
        if (wanted < 0 || static_cast<std::size_t>(wanted) >= unseen.size()) {
            throw Error(
                fmt::format("there are {} images that were not learned from", unseen.size()));
        }
        const std::size_t image = unseen[static_cast<std::size_t>(wanted)];
        const Scene scene = scenes_[image];
        std::vector<std::vector<std::uint32_t>> names(static_cast<std::size_t>(scene.objects));
        for (const SceneLabel& name : scene.names) {
            names[name.object].push_back(name.predicate);
        }
        Json objects = Json::array();
        for (std::uint32_t object = 0; object < names.size(); ++object) {
            Json json = {{"names", Json::array()}, {"guesses", Json::array()}};
            for (const std::uint32_t name : names[object]) {
                json["names"].push_back(scenes_.predicates()[name].name);
            }
            if (learned) {
                const std::uint32_t hidden =
                    names[object].empty() ? kHideOwnLabel : names[object].front();
                json["guesses"] = guesses_json(learned->rules, image, object, hidden);
            }
            objects.push_back(std::move(json));
        }
        Json relations = Json::array();
        for (const SceneRelation& relation : scene.relations) {
            relations.push_back({{"from", relation.subject},
                                 {"to", relation.object},
                                 {"predicate", scenes_.predicates()[relation.predicate].name}});
        }
        Json json = {{"image", std::string(scene.image)},
                     {"images", unseen.size()},
                     {"objects", std::move(objects)},
                     {"relations", std::move(relations)}};
        if (learned) {
            const Recall& found = learned->recalls.per_object;
            json["recall"] = {
                {"at_1", found.recall_at_1}, {"at_5", found.recall_at_5}, {"objects", found.count}};
        }
        return json;
    }

    std::string learned() const override { return learned_.get() ? "scenes" : ""; }

    /// Rules of scenes take a moment: they are learned again.
    void restore(const std::string&) override {
        const std::atomic<bool> never{false};
        WorldRun run;
        run.interrupt = &never;
        run.progress = [](const LearnProgress&) {};
        learn(run);
    }

  private:
    std::vector<std::uint32_t> training() const {
        std::vector<std::uint32_t> images;
        for (std::size_t f = 1; f < folds_.size(); ++f) {
            images.insert(images.end(), folds_[f].begin(), folds_[f].end());
        }
        std::sort(images.begin(), images.end());
        return images;
    }

    static Json rule_json(const SceneRules& rules, std::size_t i, std::size_t r) {
        const SceneRule& rule = rules.names[i].rules[r];
        return {{"text", rule_text(rules, i, r)},
                {"confidence", rule.confidence},
                {"support", rule.correct},
                {"predictions", rule.covered}};
    }

    Json guesses_json(const SceneRules& rules, std::size_t image, std::uint32_t object,
                      std::uint32_t hidden) const {
        Json guesses = Json::array();
        for (const NameGuess& guess :
             guess_names(scenes_, rules, image, object, hidden, kGuesses)) {
            Json because = Json::array();
            for (std::size_t r = 0; r < std::min(guess.rules.size(), kReasons); ++r) {
                because.push_back(rule_json(rules, guess.name, guess.rules[r]));
            }
            guesses.push_back({{"name", rules.predicates[rules.names[guess.name].target].name},
                               {"probability", guess.probability},
                               {"rules", std::move(because)},
                               {"all", guess.rules.size()}});
        }
        return guesses;
    }

    SceneSet scenes_;
    std::vector<std::string> warnings_;
    std::vector<std::vector<std::uint32_t>> folds_;
    std::vector<std::uint32_t> targets_;
    std::vector<std::int64_t> counts_;
    std::int64_t objects_ = 0;
    std::int64_t relations_ = 0;
    Shared<LearnedScenes> learned_;
};

}  // namespace

std::shared_ptr<World> open_scene_world(const std::filesystem::path& path) {
    if (path.extension() == ".scenes") {
        return std::make_shared<SceneWorld>(open_scenes(path));
    }
    SceneOptions options = paper_merges();
    options.min_count = kMinCount;
    SceneReport report;
    SceneSet scenes = read_scenes({path}, options, &report);
    return std::make_shared<SceneWorld>(std::move(scenes), report.warnings);
}

std::shared_ptr<World> make_scene_world() {
    GenerateOptions options;
    options.planted = default_planted_rules();
    return std::make_shared<SceneWorld>(generate_scenes(options));
}

}  // namespace hri::studio
