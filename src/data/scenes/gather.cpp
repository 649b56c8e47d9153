// SPDX-License-Identifier: Apache-2.0

#include "data/scenes/gather.hpp"

#include "data/scenes/contents.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace hri::scenes {
namespace {

const std::string& merged(const std::map<std::string, std::string>& into, const std::string& name) {
    const auto found = into.find(name);
    return found == into.end() ? name : found->second;
}

}  // namespace

std::string plain_name(std::string_view text) {
    std::string name;
    for (const char byte : text) {
        const bool space = byte == '_' || (byte >= 0 && byte <= ' ');
        if (!space) {
            name += byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
        } else if (!name.empty() && name.back() != ' ') {
            name += ' ';
        }
    }
    if (name.ends_with(' ')) {
        name.pop_back();
    }
    return name;
}

std::vector<std::pair<std::string, std::int64_t>> frequent_names(
    const std::map<std::string, std::int64_t>& counts,
    const std::map<std::string, std::string>& merges, std::int64_t min_count) {
    std::map<std::string, std::int64_t> sums;
    for (const auto& [name, count] : counts) {
        sums[merged(merges, name)] += count;
    }
    std::vector<std::pair<std::string, std::int64_t>> out;
    std::copy_if(sums.begin(), sums.end(), std::back_inserter(out),
                 [&](const auto& entry) { return entry.second >= min_count; });
    std::stable_sort(out.begin(), out.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    return out;
}

std::int64_t min_count_of(const SceneOptions& options,
                          const std::map<std::string, std::int64_t>& given, std::int64_t images) {
    constexpr std::int64_t kLeast = 1500;     // of the paper,
    constexpr std::int64_t kImages = 85'638;  // in the training and validation images of GQA
    if (options.min_count > 0 || !given.empty())
        return options.min_count > 0 ? options.min_count : kLeast;
    return std::clamp<std::int64_t>((kLeast * images + kImages / 2) / kImages, 1, kLeast);
}

std::string predicate_name(std::string name) {
    std::replace(name.begin(), name.end(), ' ', '_');
    return name;
}

std::uint32_t Gatherer::Names::id(const std::string& text) {
    const auto [place, fresh] = ids.emplace(text, static_cast<std::uint32_t>(texts.size()));
    if (fresh) {
        texts.push_back(text);
        counts.push_back(0);
    }
    return place->second;
}

Gatherer::Gatherer(const SceneOptions& options) : options_(options) {}

bool Gatherer::add(const RawScene& scene) {
    if (!images_.insert(scene.image).second) {
        return false;
    }
    ++report.images;
    report.objects += static_cast<std::int64_t>(scene.objects.size());
    report.unknown += scene.unknown;
    SceneData data{scene.image, static_cast<int>(scene.objects.size()), {}, {}};
    std::vector<bool> touched(scene.objects.size(), options_.isolated);
    for (const RawScene::Relation& relation : scene.relations) {
        ++report.relations;
        const std::string name = plain_name(relation.name);
        if (options_.dropped.contains(name)) {
            ++report.dropped;
            continue;
        }
        const std::uint32_t id = relations_.id(merged(options_.merged_relations, name));
        ++relations_.counts[id];
        touched[relation.subject] = touched[relation.object] = true;
        data.relations.push_back({id, static_cast<std::uint32_t>(relation.subject),
                                  static_cast<std::uint32_t>(relation.object)});
    }
    if (options_.box_relations) {
        add_box_relations(scene, touched, data);
    }
    for (std::size_t o = 0; o < scene.objects.size(); ++o) {
        for (const std::string& spelled : scene.objects[o]) {
            const std::string name = plain_name(spelled);
            if (name.empty()) {
                continue;
            }
            const std::uint32_t id = names_.id(merged(options_.merged_names, name));
            ++names_.counts[id];
            if (touched[o]) {
                data.names.push_back({id, static_cast<std::uint32_t>(o)});
            }
        }
    }
    scenes_.push_back(std::move(data));
    return true;
}

void Gatherer::add_box_relations(const RawScene& scene, const std::vector<bool>& touched,
                                 SceneData& data) {
    const auto area = [](const Box& box) {
        return (box.right - box.left) * (box.bottom - box.top);
    };
    const auto add = [&](const char* name, bool holds, std::size_t a, std::size_t b) {
        if (!holds) {
            return;
        }
        const std::uint32_t id = relations_.id(name);
        ++relations_.counts[id];
        of_boxes_.resize(relations_.texts.size(), false);
        of_boxes_[id] = true;
        data.relations.push_back(
            {id, static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)});
    };
    for (std::size_t a = 0; a < scene.boxes.size(); ++a) {
        for (std::size_t b = 0; b < scene.boxes.size(); ++b) {
            if (a == b || !scene.boxes[a] || !scene.boxes[b] || !touched[a] || !touched[b]) {
                continue;
            }
            const Box& first = *scene.boxes[a];
            const Box& second = *scene.boxes[b];
            add("box left of", first.right <= second.left, a, b);
            add("box above", first.bottom <= second.top, a, b);
            add("box inside",
                first != second && first.left >= second.left && first.right <= second.right &&
                    first.top >= second.top && first.bottom <= second.bottom,
                a, b);
            add("box larger than", area(first) > area(second), a, b);
        }
    }
}

Gatherer::Vocabulary Gatherer::frequent(const Names& met,
                                        const std::map<std::string, std::int64_t>& given,
                                        const std::map<std::string, std::string>& merges,
                                        std::int64_t min_count) {
    std::map<std::string, std::int64_t> counts;
    for (std::size_t i = 0; given.empty() && i < met.texts.size(); ++i) {
        counts[met.texts[i]] = met.counts[i];
    }
    Vocabulary vocabulary;
    vocabulary.from.assign(met.texts.size(), kNone);
    for (const auto& [name, count] :
         frequent_names(given.empty() ? counts : given, merges, min_count)) {
        const auto found = met.ids.find(name);
        if (found != met.ids.end()) {
            vocabulary.from[found->second] = static_cast<std::uint32_t>(vocabulary.texts.size());
        }
        vocabulary.texts.push_back(name);
    }
    return vocabulary;
}

std::vector<std::uint32_t> Gatherer::targets(const Vocabulary& names) {
    std::vector<std::uint32_t> targets;
    if (options_.targets.empty()) {
        targets.resize(std::min(names.texts.size(),
                                static_cast<std::size_t>(std::max(options_.max_targets, 0))));
        std::iota(targets.begin(), targets.end(), 0U);
        return targets;
    }
    for (const std::string& wanted : options_.targets) {
        const std::string name = merged(options_.merged_names, plain_name(wanted));
        const auto found = std::find(names.texts.begin(), names.texts.end(), name);
        const auto id = static_cast<std::uint32_t>(found - names.texts.begin());
        if (found == names.texts.end()) {
            report.warnings.push_back(
                fmt::format("the target '{}' is not among the frequent names", wanted));
        } else if (std::find(targets.begin(), targets.end(), id) == targets.end()) {
            targets.push_back(id);
        }
    }
    return targets;
}

SceneData Gatherer::kept(const SceneData& scene, const Vocabulary& names,
                         const Vocabulary& relations) const {
    const auto objects = static_cast<std::size_t>(scene.objects);
    std::vector<bool> named(objects, false);
    for (const SceneLabel& name : scene.names) {
        named[name.object] = named[name.object] || names.from[name.predicate] != kNone;
    }
    const auto survives = [&](const SceneRelation& relation) {
        return relations.from[relation.predicate] != kNone && named[relation.subject] &&
               named[relation.object];
    };
    std::vector<bool> touched(objects, options_.isolated);
    const auto of_boxes = [&](const SceneRelation& relation) {
        return relation.predicate < of_boxes_.size() && of_boxes_[relation.predicate];
    };
    for (const SceneRelation& relation : scene.relations) {
        if (survives(relation) && !of_boxes(relation)) {
            touched[relation.subject] = touched[relation.object] = true;
        }
    }
    SceneData out{scene.image, 0, {}, {}};
    std::vector<std::uint32_t> number(objects, kNone);
    for (std::size_t o = 0; o < objects; ++o) {
        if (named[o] && touched[o]) {
            number[o] = static_cast<std::uint32_t>(out.objects++);
        }
    }
    for (const SceneLabel& name : scene.names) {
        if (names.from[name.predicate] != kNone && number[name.object] != kNone) {
            out.names.push_back({names.from[name.predicate], number[name.object]});
        }
    }
    for (const SceneRelation& relation : scene.relations) {
        if (survives(relation) && number[relation.subject] != kNone &&
            number[relation.object] != kNone) {
            out.relations.push_back({static_cast<std::uint32_t>(names.texts.size()) +
                                         relations.from[relation.predicate],
                                     number[relation.subject], number[relation.object]});
        }
    }
    return out;
}

SceneSet Gatherer::finish(const std::string& source) {
    const std::int64_t least = min_count_of(options_, options_.name_counts, report.images);
    const Vocabulary names = frequent(names_, options_.name_counts, options_.merged_names, least);
    const Vocabulary relations =
        frequent(relations_, options_.relation_counts, options_.merged_relations,
                 min_count_of(options_, options_.relation_counts, report.images));
    std::vector<PredicateSymbol> predicates;
    for (const std::string& name : names.texts) {
        predicates.push_back({predicate_name(name), 1});
    }
    for (const std::string& name : relations.texts) {
        predicates.push_back({predicate_name(name), 2});
    }
    Encoder encoder(std::move(predicates), targets(names));
    std::int64_t images = 0;
    for (SceneData& scene : scenes_) {
        SceneData out = kept(scene, names, relations);
        scene = {};  // frees what is done with
        if (out.objects == 0) {
            ++report.empty;
        } else if (options_.max_objects > 0 && out.objects > options_.max_objects) {
            ++report.too_large;
        } else {
            encoder.add(std::move(out));
            ++images;
        }
    }
    if (images == 0) {
        throw Error(fmt::format("nothing is left of {} images: no relation that occurs {} times "
                                "between names that do",
                                report.images, least),
                    {source},
                    "give a smaller {min_count}, lists of frequencies, or {isolated=true}");
    }
    if (report.unknown > 0) {
        report.warnings.push_back(
            fmt::format("left out {} relations of objects that their image lacks", report.unknown));
    }
    return decode(encoder.finish({source, false, 0, {}}), source);
}

}  // namespace hri::scenes
