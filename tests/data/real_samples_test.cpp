// SPDX-License-Identifier: Apache-2.0

// Real samples, read and counted a second time with another JSON library, whole files in memory and
// facts as text.

#include "hri/scenes.hpp"

#include "paths.hpp"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

namespace hri {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

fs::path data() { return HRI_SHARED_DATA; }

fs::path gqa() { return data() / "scene-graphs/gqa_train_sceneGraphs_100.json"; }

class RealSamples : public testing::Test {
  protected:
    void SetUp() override {
        if (!fs::exists(gqa())) {
            GTEST_SKIP() << "the public data sets are not in " << HRI_SHARED_DATA;
        }
    }
};

std::map<std::string, std::string> merges(const std::string& file) {
    std::map<std::string, std::string> out;
    std::ifstream in(data() / "gqa-lists" / file);
    for (std::string line; std::getline(in, line);) {
        std::istringstream spellings(line.substr(line.find(": ") + 2));
        for (std::string spelling; std::getline(spellings, spelling, ',');) {
            out[spelling] = line.substr(0, line.find(':'));
        }
    }
    return out;
}

std::string renamed(const std::map<std::string, std::string>& into, const std::string& name) {
    return into.contains(name) ? into.at(name) : name;
}

std::set<std::string> frequent(const std::string& file,
                               const std::map<std::string, std::string>& into) {
    std::map<std::string, long> counts;
    std::ifstream in(data() / "gqa-lists" / file);
    std::string line;
    std::getline(in, line);  // the total
    while (std::getline(in, line)) {
        const std::size_t space = line.rfind(' ');
        counts[renamed(into, line.substr(0, space))] += std::stol(line.substr(space + 1));
    }
    std::set<std::string> out;
    for (const auto& [name, count] : counts) {
        if (count >= 1500 && name.rfind("to the ", 0) != 0) {
            out.insert(name);
        }
    }
    return out;
}

/// Facts by image; objects by the file's ids.
using Facts = std::map<std::string, std::set<std::string>>;

struct Counts {
    std::size_t images = 0;
    std::size_t facts = 0;
    std::map<std::string, std::size_t> of_predicate;

    bool operator==(const Counts&) const = default;
};

Counts counted(const Facts& facts) {
    Counts counts;
    counts.images = facts.size();
    for (const auto& [image, of_image] : facts) {
        for (const std::string& fact : of_image) {
            ++counts.facts;
            const std::size_t open = fact.rfind('(');
            std::string name = fact.substr(0, open);
            std::replace(name.begin(), name.end(), ' ', '_');
            ++counts.of_predicate[name + (fact.find(',', open) == std::string::npos ? "/1" : "/2")];
        }
    }
    return counts;
}

Counts counted(const SceneSet& scenes) {
    Counts counts;
    counts.images = scenes.size();
    const auto add = [&](std::uint32_t predicate) {
        const PredicateSymbol& symbol = scenes.predicates()[predicate];
        ++counts.facts;
        ++counts.of_predicate[symbol.name + "/" + std::to_string(symbol.arity)];
    };
    for (std::size_t i = 0; i < scenes.size(); ++i) {
        for (const SceneLabel& name : scenes[i].names) {
            add(name.predicate);
        }
        for (const SceneRelation& relation : scenes[i].relations) {
            add(relation.predicate);
        }
    }
    return counts;
}

TEST_F(RealSamples, GqaGivesTheFactsOfAnIndependentCount) {
    const auto names = merges("un_merge.txt");
    const auto relations = merges("rel_merge.txt");
    const std::set<std::string> frequent_names = frequent("obj_freq.txt", names);
    const std::set<std::string> frequent_relations = frequent("rel_freq.txt", relations);
    EXPECT_EQ(frequent_names.size(), 190U);
    EXPECT_EQ(frequent_relations.size(), 23U);

    Facts facts;
    const Json images = Json::parse(std::ifstream(gqa()));
    for (const auto& [image, value] : images.items()) {
        const Json& objects = value["objects"];
        for (const auto& [id, object] : objects.items()) {
            for (const Json& relation : object["relations"]) {
                const std::string other_id = relation["object"];
                const std::string r = renamed(relations, relation["name"]);
                const std::string a = renamed(names, object["name"]);
                const std::string b = renamed(names, objects[other_id]["name"]);
                if (frequent_relations.contains(r) && frequent_names.contains(a) &&
                    frequent_names.contains(b)) {
                    facts[image].insert({r + "(" + id + "," + other_id + ")", a + "(" + id + ")",
                                         b + "(" + other_id + ")"});
                }
            }
        }
    }
    SceneReport report;
    const SceneSet scenes = read_scenes({gqa()}, read_scene_lists(data() / "gqa-lists"), &report);
    EXPECT_EQ(report.images, 100);
    EXPECT_EQ(report.objects, 1546);
    EXPECT_EQ(report.relations, 4666);
    EXPECT_EQ(report.dropped, 4120);
    EXPECT_EQ(scenes.predicates().size(), 213U);
    EXPECT_EQ(scenes.targets().size(), 150U);
    EXPECT_EQ(counted(scenes), counted(facts));
    for (std::size_t i = 0; i < scenes.size(); ++i) {
        const auto found = facts.find(std::string(scenes[i].image));
        ASSERT_NE(found, facts.end());
        EXPECT_EQ(scenes[i].names.size() + scenes[i].relations.size(), found->second.size());
    }
}

TEST_F(RealSamples, ThePredicatesAreThoseOfNlilsList) {
    const SceneSet scenes = read_scenes({gqa()}, read_scene_lists(data() / "gqa-lists"));
    std::set<std::string> ours;
    for (const PredicateSymbol& symbol : scenes.predicates()) {
        ours.insert(symbol.name);
    }
    std::set<std::string> theirs;
    std::ifstream in(data() / "gqa-lists/nlil_pred.txt");
    for (std::string line; std::getline(in, line);) {
        theirs.insert(line.substr(0, line.find('(')));
    }
    EXPECT_TRUE(theirs.size() == ours.size() || theirs.erase("ident") == 1);
    EXPECT_EQ(ours, theirs);
}

TEST_F(RealSamples, TheMergeListsInTheCodeAreTheReleasedOnes) {
    const auto others = [](std::map<std::string, std::string> all) {
        std::erase_if(all, [](const auto& entry) { return entry.first == entry.second; });
        return all;
    };
    EXPECT_EQ(paper_merges().merged_names, others(merges("un_merge.txt")));
    EXPECT_EQ(paper_merges().merged_relations, others(merges("rel_merge.txt")));
}

TEST_F(RealSamples, ClevrGivesTheFactsOfAnIndependentCount) {
    const fs::path path = data() / "scene-graphs/CLEVR_train_scenes_100.json";
    Facts facts;
    const Json clevr = Json::parse(std::ifstream(path));
    for (const Json& scene : clevr["scenes"]) {
        std::set<std::string>& here = facts[scene["image_filename"]];
        for (std::size_t o = 0; o < scene["objects"].size(); ++o) {
            for (const char* key : {"color", "shape", "size", "material"}) {
                here.insert(scene["objects"][o][key].get<std::string>() + "(" + std::to_string(o) +
                            ")");
            }
        }
        for (const auto& [name, lists] : scene["relationships"].items()) {
            for (std::size_t o = 0; o < lists.size(); ++o) {
                for (const Json& other : lists[o]) {
                    here.insert(name + "(" + other.dump() + "," + std::to_string(o) + ")");
                }
            }
        }
    }
    SceneOptions options = paper_merges();
    options.min_count = 1;
    EXPECT_EQ(counted(read_scenes({path}, options)), counted(facts));
}

TEST_F(RealSamples, VisualGenomesTwoFilesGiveTheFactsOfAnIndependentCount) {
    const auto plain = [](const std::map<std::string, std::string>& into, std::string name) {
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return std::tolower(c); });
        std::istringstream words(name);
        std::string out;
        for (std::string word; words >> word;) {
            out += (out.empty() ? "" : " ") + word;
        }
        return renamed(into, out);
    };
    const auto names = merges("un_merge.txt");
    const auto relations = merges("rel_merge.txt");
    const auto add = [&](std::set<std::string>& facts, const Json& object) {
        const std::string id = object["object_id"].dump();
        const auto spelled = object.contains("names")
                                 ? object["names"].get<std::vector<std::string>>()
                                 : std::vector<std::string>{object["name"]};
        for (const std::string& name : spelled) {
            facts.insert(plain(names, name) + "(" + id + ")");
        }
    };
    const fs::path folder = data() / "scene-graphs/visual-genome";
    Facts graphs;
    for (const Json& image : Json::parse(std::ifstream(folder / "scene_graphs_100.json"))) {
        std::map<std::string, Json> objects;
        for (const Json& object : image["objects"]) {
            objects[object["object_id"].dump()] = object;
        }
        for (const Json& relation : image["relationships"]) {
            const std::string a = relation["subject_id"].dump();
            const std::string b = relation["object_id"].dump();
            std::set<std::string>& here = graphs[image["image_id"].dump()];
            here.insert(plain(relations, relation["predicate"]) + "(" + a + "," + b + ")");
            add(here, objects.at(a));
            add(here, objects.at(b));
        }
    }
    SceneOptions options = paper_merges();
    options.min_count = 1;
    EXPECT_EQ(counted(read_scenes({folder / "scene_graphs_100.json"}, options)), counted(graphs));
    // relationships: the same images and as many relations; objects alone: nothing to relate
    const SceneSet related = read_scenes({folder / "relationships_v1_4_100.json"}, options);
    EXPECT_EQ(related.size(), graphs.size());
    EXPECT_THROW(read_scenes({folder / "objects_v1_4_100.json"}, options), Error);
    options.isolated = true;
    EXPECT_EQ(read_scenes({folder / "objects_v1_4_100.json"}, options).size(),
              90U);  // 10 have none
}

}  // namespace
}  // namespace hri
