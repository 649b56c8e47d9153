// SPDX-License-Identifier: Apache-2.0

// Scene graphs as a problem: each image is an instance, one of the names is the target.

#include "hri/scenes.hpp"

#include "data/readers/task_files.hpp"
#include "data/several_targets.hpp"

#include <algorithm>

namespace hri::data {
namespace {

/// The wanted name without the arity that may follow it.
std::string target_name(const SceneSet& scenes, const ReadOptions& options,
                        const std::string& source) {
    std::string name = options.target;
    if (name.ends_with("/1")) {
        name.resize(name.size() - 2);
    }
    if (!name.empty()) {
        return name;
    }
    std::vector<std::string> targets;
    for (const std::uint32_t target : scenes.targets()) {
        targets.push_back(scenes.predicates()[target].name + "/1");
    }
    throw SeveralTargets(Error("each name of these scene graphs could be the target", {source},
                               "{target} with one of them"),
                         std::move(targets), true);
}

}  // namespace

Problem read_scene_problem(const std::filesystem::path& source, const ReadOptions& options) {
    std::error_code ignored;
    const SceneSet scenes =
        source.extension() == ".json" || std::filesystem::is_directory(source, ignored)
            ? read_scenes({source}, paper_merges())
            : open_scenes(source);
    const std::uint32_t target =
        scene_target(scenes, target_name(scenes, options, source.string()));
    std::vector<PredicateSymbol> inputs = scenes.predicates();
    inputs.erase(inputs.begin() + target);
    Problem problem;
    problem.name = name_of(source);
    problem.schema = make_schema(std::move(inputs), scenes.predicates()[target]);
    for (std::size_t i = 0; i < scenes.size(); ++i) {
        Instance instance = scene_instance(scenes, i, target);
        instance.schema = problem.schema;
        instance.facts.erase(instance.facts.begin() + target);
        problem.training.instances.push_back(std::move(instance));
    }
    return problem;
}

}  // namespace hri::data
