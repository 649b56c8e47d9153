// SPDX-License-Identifier: Apache-2.0
#include "name_methods.hpp"

#include "hri/random.hpp"

#include "base/thread_pool.hpp"
#include "evaluate/fingerprint.hpp"
#include "interrupt.hpp"

#include <atomic>
#include <map>
#include <memory>
#include <string_view>

namespace hri::cli {

namespace {

/// Whether two programs answer alike on random scenes.
bool same_meaning(const Program& a, const Program& b, const SceneSet& scenes) {
    Random random(0);
    const auto probes = evaluation::random_instances(scenes.schema(), {}, random);
    return evaluation::fingerprint(a, probes) == evaluation::fingerprint(b, probes);
}

void judge_programs(std::vector<Program> programs, const SceneSet& scenes,
                    const std::vector<std::uint32_t>& targets,
                    std::span<const std::uint32_t> held_out, const RecallOptions& recall,
                    Symbolic& out) {
    for (std::size_t t = 0; t < targets.size(); ++t) {
        if (const auto planted = planted_program(scenes, targets[t])) {
            out.recovered.add(same_meaning(*planted, programs[t], scenes));
        }
    }
    out.recalls.add(
        recalls(scenes, held_out, targets, program_scores(scenes, targets, programs), recall));
    out.programs = std::move(programs);
}

/// The valuations of soft models, each computed once; those of some images beforehand, by threads.
class Remembered {
  public:
    Remembered(const SceneSet& scenes, const Multitask& learned,
               std::span<const std::uint32_t> images, int threads)
        : scenes_(scenes), targets_(learned.targets.size()), score_(soft_scores(scenes, learned)) {
        std::vector<Known::iterator> wanted;
        for (const std::uint32_t image : images) {
            wanted.push_back(known_.try_emplace({image, kHideOwnLabel}).first);
            for (const SceneLabel& name : scenes[image].names)
                if (const auto [at, is_new] = known_.try_emplace({image, name.predicate}); is_new)
                    wanted.push_back(at);
        }
        std::vector<SceneScores> of_threads;
        for (int i = 0; i < threads; ++i)
            of_threads.push_back(soft_scores(scenes, learned));
        std::atomic<std::size_t> next{0};
        base::ThreadPool(threads).each(threads, [&](int thread) {
            for (std::size_t i = next++; i < wanted.size(); i = next++)
                fill(of_threads[static_cast<std::size_t>(thread)], *wanted[i]);
        });
    }

    void operator()(std::size_t image, std::uint32_t hidden, std::span<float> out) {
        const auto [at, is_new] = known_.try_emplace({image, hidden});
        if (is_new)
            fill(score_, *at);
        std::copy(at->second.begin(), at->second.end(), out.begin());
    }

  private:
    using Known = std::map<std::pair<std::size_t, std::uint32_t>, std::vector<float>>;

    void fill(const SceneScores& score, Known::value_type& one) const {
        const auto& [image, hidden] = one.first;
        one.second.resize(targets_ * static_cast<std::size_t>(scenes_[image].objects));
        score(image, hidden, one.second);
    }

    const SceneSet& scenes_;
    std::size_t targets_;
    SceneScores score_;
    Known known_;
};

}  // namespace

std::vector<Baseline> untrained_methods(const NameMethods& methods) {
    using Images = std::span<const std::uint32_t>;
    std::vector<Baseline> all = baselines();
    all[0].key = "freq";
    all[1].key = "freq_all_partners";
    const auto add = [&](const char* key, const char* title, SceneBodyShapes bodies) {
        const int threads = methods.threads;
        if (std::string_view(key).starts_with("rules")) {
            all.push_back(
                {key, title, [=](const SceneSet& scenes, Images training, Images targets) {
                     return rule_scores(scenes,
                                        learn_scene_rules(scenes, training, targets,
                                                          {.bodies = bodies, .threads = threads}));
                 }});
        } else {
            all.push_back(
                {key, title, [=](const SceneSet& scenes, Images training, Images targets) {
                     return softmax_scores(scenes, training, targets, {.bodies = bodies});
                 }});
        }
    };
    if (methods.ablation) {
        add("rules_neighbours", "rules, one relation", SceneBodyShapes::neighbours);
        add("rules_pairs", "rules, and pairs", SceneBodyShapes::pairs);
        add("rules_two_hops", "rules, and two hops", SceneBodyShapes::two_hops);
        add("weights_neighbours", "weighted, one relation", SceneBodyShapes::neighbours);
        add("weights_pairs", "weighted, and pairs", SceneBodyShapes::pairs);
        add("weights_two_hops", "weighted, and two hops", SceneBodyShapes::two_hops);
    }
    add("rules", "rules by confidence", SceneBodyShapes::all);
    if (methods.ablation)
        add("weights_all", "weighted, all", SceneBodyShapes::all);
    add("weights", "weighted rules", NameSoftmaxSettings{}.bodies);
    return all;
}

void judge_fold(const NameMethods& methods, const SceneSet& scenes,
                const std::vector<std::uint32_t>& targets, std::span<const std::uint32_t> training,
                std::span<const std::uint32_t> held_out, const Options& options,
                MultitaskSettings settings, NameTable& table) {
    RecallOptions counts = methods.recall;
    counts.normalised = false;
    const std::vector<Baseline> untrained = untrained_methods(methods);
    table.untrained.resize(untrained.size());
    for (std::size_t i = 0; i < untrained.size() && !catch_interrupts(); ++i) {
        table.untrained[i].add(recalls(scenes, held_out, targets,
                                       untrained[i].scores(scenes, training, targets), counts));
    }
    if (methods.failures > 0 && table.rules.names.empty()) {
        table.rules = learn_scene_rules(scenes, training, targets, {.threads = methods.threads});
        table.confusions =
            confusions(scenes, held_out, table.rules, static_cast<std::size_t>(methods.failures));
    }
    if (!methods.training) {
        return;
    }
    const SceneSet to_learn = select_scenes(scenes, training);
    settings.targets = targets;
    const MultitaskResult result = learn_targets(to_learn, options, settings);
    if (result.stop_reason == StopReason::interrupted) {
        return;
    }
    table.seconds += result.seconds;
    table.instances += result.instances;
    const auto known =
        std::make_shared<Remembered>(scenes, result.learned, held_out, settings.threads);
    const SceneScores soft = [known](std::size_t image, std::uint32_t hidden,
                                     std::span<float> out) { (*known)(image, hidden, out); };
    RecallOptions of_soft = methods.recall;
    of_soft.normalised = settings.joint == 0;
    table.soft.add(recalls(scenes, held_out, targets, soft, of_soft));
    table.calibrated.add(
        recalls(scenes, held_out, targets,
                softmax_scores(scenes, training, targets, {.use_bodies = false}, soft), counts));
    table.blend.add(recalls(scenes, held_out, targets,
                            softmax_scores(scenes, training, targets, {}, soft), counts));
    std::vector<Program> found;
    for (std::size_t t = 0; t < targets.size(); ++t) {
        found.push_back(extract(result.learned, t, to_learn));
    }
    judge_programs(std::move(found), scenes, targets, held_out, methods.recall, table.found);
    const auto judge_rules = [&](const std::vector<Program>& more, FoldedRecalls& out) {
        const std::vector<ConfidentRules> rules =
            extract_rules(to_learn, result.learned, more, {.threads = settings.threads});
        out.add(
            recalls(scenes, held_out, targets, confidence_scores(scenes, targets, rules), counts));
    };
    judge_rules({}, table.trained_rules);
    if (!methods.polish)
        return;
    std::vector<Program> better;
    for (RefinedRules& one :
         refine_rules(to_learn, result.learned,
                      {.threads = settings.threads, .interrupt = settings.interrupt})) {
        better.push_back(std::move(one.program));
    }
    if (better.size() == targets.size()) {  // else interrupted
        judge_rules(better, table.polished_rules);
        judge_programs(std::move(better), scenes, targets, held_out, methods.recall,
                       table.polished);
    }
}

}  // namespace hri::cli
