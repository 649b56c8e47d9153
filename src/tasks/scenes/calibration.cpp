// SPDX-License-Identifier: Apache-2.0

#include "tasks/scenes/calibration.hpp"

#include "data/scenes/gather.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hri::scenes {
namespace {

// Measured on the frequency lists that the paper's code publishes and on 100 scene graphs of GQA:
// 190 names fall from 95,544 to 1,504 occurrences, 23 relations from 103,515 to 1,557; images of
// which something is left have 3.9 relations.
constexpr int kNames = 190;
constexpr double kNameExponent = 0.79;
constexpr double kRelationExponent = 1.34;
constexpr double kMeanRelations = 3.9;
constexpr int kMaxRelations = 20;
constexpr std::size_t kMinLinks = 4;  // of a name; what the sample lacks is made up
constexpr double kLinked =
    0.3;  // how often a name's own links are drawn: Freq then finds what it finds in GQA

/// NLIL's relations after the filter, the most frequent first.
constexpr std::array kRelations = {
    "on",          "wearing",     "near",       "of",       "in",         "above",
    "behind",      "in front of", "below",      "holding",  "with",       "by",
    "sitting on",  "standing on", "carrying",   "at",       "walking on", "riding",
    "standing in", "covered by",  "hanging on", "lying on", "eating"};

std::int64_t zipf(std::size_t rank, double top, double exponent) {
    return std::llround(top * std::pow(static_cast<double>(rank + 1), -exponent));
}

/// Names of the rules planted by default, then things with numbers.
void make_up_counts(SceneOptions& lists) {
    const Program planted = parse_program(default_planted_rules());
    std::vector<std::string> names;
    for (const PredicateSymbol& symbol : planted.vocabulary.symbols()) {
        if (symbol.arity == 1) {
            names.push_back(plain_name(symbol.name));
        }
    }
    while (names.size() < kNames) {
        names.push_back("thing " + std::to_string(names.size()));
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        lists.name_counts[names[i]] = zipf(i, 95'544, kNameExponent);
    }
    for (std::size_t i = 0; i < kRelations.size(); ++i) {
        lists.relation_counts[kRelations[i]] = zipf(i, 103'515, kRelationExponent);
    }
    lists.merged_names.clear();
    lists.merged_relations.clear();
    lists.min_count = 1;
}

void learn_from_sample(const SceneSet& sample, Calibration& out) {
    std::map<PredicateSymbol, std::uint32_t> ids;
    for (std::uint32_t p = 0; p < out.predicates.size(); ++p) {
        ids.emplace(out.predicates[p], p);
    }
    const auto id = [&](std::uint32_t of_sample) {
        const auto found = ids.find(sample.predicates()[of_sample]);
        return found == ids.end() ? UINT32_MAX : found->second;
    };
    for (std::size_t i = 0; i < sample.size(); ++i) {
        const Scene scene = sample[i];
        out.sizes.push_back(std::min(static_cast<int>(scene.relations.size()), kMaxRelations));
        std::vector<std::uint32_t> name(static_cast<std::size_t>(scene.objects), UINT32_MAX);
        for (const SceneLabel& of_object : scene.names) {
            name[of_object.object] = id(of_object.predicate);
        }
        for (const auto& [relation, subject, object] : scene.relations) {
            const std::uint32_t r = id(relation);
            const std::uint32_t a = name[subject];
            const std::uint32_t b = name[object];
            if (r != UINT32_MAX && a != UINT32_MAX && b != UINT32_MAX) {
                out.links[a].push_back({r, true, b});
                out.links[b].push_back({r, false, a});
            }
        }
    }
}

}  // namespace

std::uint32_t Weighted::draw(Random& random) const {
    const double at = random.uniform() * ends_.back();
    const auto found = std::upper_bound(ends_.begin(), ends_.end(), at);
    return static_cast<std::uint32_t>(std::min(found, ends_.end() - 1) - ends_.begin());
}

int Calibration::draw_size(Random& random) const {
    if (!sizes.empty()) {
        return sizes[static_cast<std::size_t>(random.below(static_cast<int>(sizes.size())))];
    }
    int size = 1;  // geometric
    while (size < kMaxRelations && random.chance(1 - 1 / kMeanRelations)) {
        ++size;
    }
    return size;
}

Link Calibration::draw_link(std::uint32_t name, Random& random) const {
    const std::vector<Link>& own = links[name];
    if (!own.empty() && random.chance(kLinked)) {
        return own[static_cast<std::size_t>(random.below(static_cast<int>(own.size())))];
    }
    const std::uint32_t relation = unary + relations.draw(random);
    return {relation, random.chance(0.5), names.draw(random)};
}

Calibration calibrate(const GenerateOptions& options) {
    SceneOptions lists = options.lists;
    if (lists.name_counts.empty() || lists.relation_counts.empty()) {
        make_up_counts(lists);
    }
    Calibration out;
    for (const auto& [name, count] :
         frequent_names(lists.name_counts, lists.merged_names,
                        scenes::min_count_of(lists, lists.name_counts, 0))) {
        out.predicates.push_back({predicate_name(name), 1});
        out.names.add(static_cast<double>(count));
    }
    out.unary = static_cast<std::uint32_t>(out.predicates.size());
    for (const auto& [name, count] :
         frequent_names(lists.relation_counts, lists.merged_relations,
                        scenes::min_count_of(lists, lists.relation_counts, 0))) {
        out.predicates.push_back({predicate_name(name), 2});
        out.relations.add(static_cast<double>(count));
    }
    if (out.unary == 0 || out.unary == out.predicates.size()) {
        throw Error("no name or no relation is frequent enough to generate scenes of", {},
                    "give a smaller {min_count}");
    }
    for (std::uint32_t p = 0; p < out.unary; ++p) {
        const auto& wanted = lists.targets;
        const std::string name = plain_name(out.predicates[p].name);
        if (wanted.empty() ? p < static_cast<std::uint32_t>(std::max(lists.max_targets, 0))
                           : std::find(wanted.begin(), wanted.end(), name) != wanted.end()) {
            out.targets.push_back(p);
        }
    }
    out.links.resize(out.unary);
    if (options.sample != nullptr) {
        learn_from_sample(*options.sample, out);
    }
    Random random(0, Random::kData);  // whatever the seed: other scenes, the same world
    for (std::vector<Link>& of_name : out.links) {
        while (of_name.size() < kMinLinks) {
            const std::uint32_t relation = out.unary + out.relations.draw(random);
            of_name.push_back({relation, random.chance(0.5), out.names.draw(random)});
        }
    }
    return out;
}

}  // namespace hri::scenes
