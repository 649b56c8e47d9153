// SPDX-License-Identifier: Apache-2.0

// Images to judge by, over the predicates of the images to learn from.

#include "hri/scenes.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace hri {
namespace {

std::string spelled(std::string predicate) {
    std::replace(predicate.begin(), predicate.end(), '_', ' ');
    return predicate;
}

/// [predicate of second]: that of first with the same name and arity.
std::vector<std::uint32_t> places(const SceneSet& first, const SceneSet& second) {
    std::vector<std::uint32_t> places;
    const std::vector<PredicateSymbol>& known = first.predicates();
    for (const PredicateSymbol& predicate : second.predicates()) {
        const auto found = std::find_if(known.begin(), known.end(), [&](const auto& other) {
            return other.name == predicate.name && other.arity == predicate.arity;
        });
        if (found == known.end()) {
            throw Error(fmt::format("the images to learn from have no '{}'", predicate.name),
                        {second.origin().source},
                        "build the images to judge by with the same names: `hri scenes build "
                        "--like TRAINING`");
        }
        places.push_back(static_cast<std::uint32_t>(found - known.begin()));
    }
    return places;
}

}  // namespace

SceneOptions same_predicates(const SceneSet& scenes, SceneOptions options) {
    options.name_counts.clear();
    options.relation_counts.clear();
    options.targets.clear();
    options.min_count = 1;
    options.box_relations = false;
    // names are put in the order of their counts
    auto count = static_cast<std::int64_t>(scenes.predicates().size());
    for (const PredicateSymbol& predicate : scenes.predicates()) {
        const std::string name = spelled(predicate.name);
        (predicate.arity == 1 ? options.name_counts : options.relation_counts)[name] = count--;
        // a name of its own stays one, whatever the lists merge
        (predicate.arity == 1 ? options.merged_names : options.merged_relations).erase(name);
        options.dropped.erase(name);
        options.box_relations = options.box_relations || predicate.name.starts_with("box_");
    }
    for (const std::uint32_t target : scenes.targets()) {
        options.targets.push_back(spelled(scenes.predicates()[target].name));
    }
    return options;
}

SceneSet joined_scenes(const SceneSet& first, const SceneSet& second) {
    const std::vector<std::uint32_t> place = places(first, second);
    std::vector<SceneData> all;
    for (const SceneSet* set : {&first, &second}) {
        for (std::size_t i = 0; i < set->size(); ++i) {
            const Scene scene = (*set)[i];
            SceneData& data =
                all.emplace_back(SceneData{std::string(scene.image),
                                           scene.objects,
                                           {scene.names.begin(), scene.names.end()},
                                           {scene.relations.begin(), scene.relations.end()}});
            for (SceneLabel& name : data.names) {
                name.predicate = set == &first ? name.predicate : place[name.predicate];
            }
            for (SceneRelation& relation : data.relations) {
                relation.predicate = set == &first ? relation.predicate : place[relation.predicate];
            }
        }
    }
    return make_scenes(first.predicates(), all, {first.targets().begin(), first.targets().end()},
                       first.origin());
}

}  // namespace hri
