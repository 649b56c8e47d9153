// SPDX-License-Identifier: Apache-2.0

// hri learn SCENES --targets all: rules with confidences for every name.

#include "interrupt.hpp"
#include "many_targets.hpp"
#include "scenes.hpp"

#include <fmt/format.h>
#include <numeric>

namespace hri::cli {
namespace {

Json json_of(const SceneRules& rules) {
    Json names = Json::array();
    for (std::size_t i = 0; i < rules.names.size(); ++i) {
        const NameRules& of_name = rules.names[i];
        Json json = {{"target", rules.predicates[of_name.target].name},
                     {"otherwise", of_name.otherwise},
                     {"bits", of_name.bits},
                     {"bits_without", of_name.bits_without},
                     {"program", to_prolog(rules, i)},
                     {"rules", Json::array()}};
        for (const SceneRule& rule : of_name.rules) {
            json["rules"].push_back({{"confidence", rule.confidence},
                                     {"correct", rule.correct},
                                     {"covered", rule.covered}});
        }
        names.push_back(std::move(json));
    }
    return names;
}

/// R@k of unseen images, beside counting.
Json judge(const NameRulesFlags& flags, const SceneSet& scenes,
           const std::vector<std::uint32_t>& targets) {
    using Images = std::span<const std::uint32_t>;
    const std::vector<Baseline> rows = {
        {"freq_all_partners", "Freq, all partners",
         [](const SceneSet& all, Images training, Images names) {
             return freq_scores(all, training, names, true);
         }},
        {"rules", "rules by confidence",
         [&](const SceneSet& all, Images training, Images names) {
             return rule_scores(
                 all, learn_scene_rules(all, training, names, {.threads = flags.threads}));
         }},
        {"weights", "weighted rules", [&](const SceneSet& all, Images training, Images names) {
             return softmax_scores(all, training, names, {.seed = flags.seed});
         }}};
    const auto folds = scene_folds(scenes.size(), flags.folds, flags.seed);
    std::vector<std::vector<std::string>> table = {recall_header("in percent")};
    Json json;
    for (const Baseline& row : rows) {
        FoldedRecalls found;
        for (std::size_t f = 0; f < folds.size() && !catch_interrupts(); ++f) {
            found.add(recalls(scenes, folds[f], targets,
                              row.scores(scenes, without_fold(folds, f), targets),
                              {.normalised = false}));
        }
        std::vector<std::string> cells = found.cells();
        cells.insert(cells.begin(), row.title);
        table.push_back(std::move(cells));
        json[row.key] = found.json();
    }
    fmt::print("{} folds of images, R@k\n{}\n", flags.folds, aligned(table, 1));
    return json;
}

}  // namespace

int learn_name_rules(const NameRulesFlags& flags) {
    const SceneSet scenes = load_scenes(flags.data);
    const std::vector<std::uint32_t> targets = named_targets(flags.targets, scenes);
    check_writable(flags.program_file);
    check_writable(flags.json_file);
    Json json = {{"version", HRI_VERSION}, {"command", command_line()}, {"images", scenes.size()}};
    if (flags.folds > 0) {
        if (scenes.size() < static_cast<std::size_t>(flags.folds)) {
            throw Error("there are fewer images than folds", {flags.data}, "give fewer {folds}");
        }
        json["folds"] = judge(flags, scenes, targets);
        if (catch_interrupts()) {
            return kNo;
        }
    }
    std::vector<std::uint32_t> images(scenes.size());
    std::iota(images.begin(), images.end(), 0U);
    const SceneRules rules = learn_scene_rules(scenes, images, targets, {.threads = flags.threads});
    std::string text;
    std::size_t count = 0;
    for (std::size_t i = 0; i < rules.names.size(); ++i) {
        text += (i == 0 ? "" : "\n") + to_prolog(rules, i);
        count += rules.names[i].rules.size();
    }
    fmt::print("{}\n{} of {} over {}{}\n", text, counted(static_cast<std::int64_t>(count), "rule"),
               counted(static_cast<std::int64_t>(targets.size()), "name"),
               counted(static_cast<std::int64_t>(scenes.size()), "image"),
               scenes.origin().synthetic ? " (synthetic)" : "");
    write_output(flags.program_file, text);
    json["targets"] = json_of(rules);
    write_json(flags.json_file, json);
    return kYes;
}

}  // namespace hri::cli
