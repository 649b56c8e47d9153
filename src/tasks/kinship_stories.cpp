// SPDX-License-Identifier: Apache-2.0

// Chains of family relations and what they say of their ends.

#include "hri/compositions.hpp"
#include "hri/error.hpp"
#include "hri/random.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

namespace hri {
namespace {

/// Relations without the sex of the relative.
enum Kin {
    parent,
    child,
    spouse,
    sibling,
    grandparent,
    grandchild,
    uncle,   // or aunt: a parent's sibling
    nephew,  // or niece: a sibling's child
    parent_in_law,
    child_in_law
};

struct Names {
    const char* male;
    const char* female;
};

constexpr std::array<Names, 10> kNames = {{{"father", "mother"},
                                           {"son", "daughter"},
                                           {"husband", "wife"},
                                           {"brother", "sister"},
                                           {"grandfather", "grandmother"},
                                           {"grandson", "granddaughter"},
                                           {"uncle", "aunt"},
                                           {"nephew", "niece"},
                                           {"father_in_law", "mother_in_law"},
                                           {"son_in_law", "daughter_in_law"}}};

/// What the first relative's relative is, where that is certain: siblings have both parents in
/// common, couples all children, and nobody occurs twice in a story.
struct Composition {
    Kin first;
    Kin second;
    Kin both;
};

constexpr std::array kCompositions = {Composition{child, child, grandchild},
                                      Composition{child, sibling, child},
                                      Composition{child, spouse, child_in_law},
                                      Composition{child, parent, spouse},
                                      Composition{spouse, child, child},
                                      Composition{spouse, grandchild, grandchild},
                                      Composition{spouse, parent, parent_in_law},
                                      Composition{spouse, child_in_law, child_in_law},
                                      Composition{parent, parent, grandparent},
                                      Composition{parent, spouse, parent},
                                      Composition{parent, sibling, uncle},
                                      Composition{parent, child, sibling},
                                      Composition{parent, parent_in_law, grandparent},
                                      Composition{sibling, parent, parent},
                                      Composition{sibling, sibling, sibling},
                                      Composition{sibling, grandparent, grandparent},
                                      Composition{sibling, uncle, uncle},
                                      Composition{sibling, child, nephew},
                                      Composition{grandchild, sibling, grandchild},
                                      Composition{grandparent, spouse, grandparent},
                                      Composition{uncle, parent, grandparent},
                                      Composition{nephew, sibling, nephew},
                                      Composition{parent_in_law, spouse, parent_in_law},
                                      Composition{child_in_law, spouse, child},
                                      Composition{child_in_law, child, grandchild}};

using Person = std::string;

class Stories {
  public:
    explicit Stories(const StorySettings& settings)
        : settings_(settings), random_(settings.seed, Random::kData) {
        for (const Names& names : kNames) {
            for (const char* name : {names.male, names.female}) {
                facts_[name].symbol = {name, 2};
            }
        }
        for (const std::string& target : kinship_targets()) {
            for (auto* examples : {&positive_, &negative_}) {
                (*examples)[target].symbol = {target, 2};
            }
        }
    }

    InMemoryData run() {
        const int lengths = settings_.longest - settings_.shortest + 1;
        for (int told = 0; told < settings_.stories;) {
            told += tell(told, settings_.shortest + told % lengths) ? 1 : 0;
        }
        InMemoryData data;
        data.name = "kinship-stories";
        data.from = "stories";
        append(facts_, data.facts);
        append(positive_, data.positive);
        append(negative_, data.negative);
        return data;
    }

  private:
    using Tables = std::map<std::string, NamedTuples>;

    static void append(const Tables& tables, std::vector<NamedTuples>& to) {
        for (const auto& [name, tuples] : tables) {
            to.push_back(tuples);
        }
    }

    static void add(NamedTuples& tuples, const Person& first, const Person& second) {
        tuples.cells.insert(tuples.cells.end(), {first, second});
        tuples.values.push_back(1);
    }

    static const char* name(Kin kin, bool female) {
        const Names& names = kNames[static_cast<std::size_t>(kin)];
        return female ? names.female : names.male;
    }

    /// False where the chain came to an end that says nothing certain.
    bool tell(int number, int length) {
        std::vector<std::pair<Kin, bool>> links;
        std::optional<Kin> ends;
        bool female = random_.below(2) == 1;
        while (static_cast<int>(links.size()) < length) {
            std::vector<std::pair<Kin, Kin>> next;  // link, relation of the ends
            for (const Composition& rule : kCompositions) {
                const bool back =
                    rule.second == spouse && !links.empty() && links.back().first == spouse;
                if (!ends) {  // so that each composition begins equally many stories
                    next.emplace_back(rule.first, rule.first);
                } else if (rule.first == *ends && !back) {
                    next.emplace_back(rule.second, rule.both);
                }
            }
            if (next.empty()) {
                return false;
            }
            const auto [link, both] =
                next[static_cast<std::size_t>(random_.below(static_cast<int>(next.size())))];
            female = link == spouse ? !female : random_.below(2) == 1;
            links.emplace_back(link, female);
            ends = both;
        }
        if (*ends == spouse) {
            return false;
        }
        const auto person = [&](std::size_t i) {
            return "p" + std::to_string(number) + "_" + std::to_string(i);
        };
        for (std::size_t i = 0; i < links.size(); ++i) {
            add(facts_.at(name(links[i].first, links[i].second)), person(i), person(i + 1));
        }
        for (const std::string& target : kinship_targets()) {
            add((target == name(*ends, female) ? positive_ : negative_).at(target), person(0),
                person(links.size()));
        }
        return true;
    }

    const StorySettings& settings_;
    Random random_;
    Tables facts_;
    Tables positive_;
    Tables negative_;
};

}  // namespace

const std::vector<std::string>& kinship_targets() {
    static const std::vector<std::string> targets = [] {
        std::vector<std::string> all;
        for (std::size_t kin = 0; kin < kNames.size(); ++kin) {
            if (kin != spouse) {
                all.insert(all.end(), {kNames[kin].male, kNames[kin].female});
            }
        }
        return all;
    }();
    return targets;
}

InMemoryData kinship_stories(const StorySettings& settings) {
    check_fields(settings);
    if (settings.longest < settings.shortest) {
        throw Error("longest: expected no fewer links than the shortest chain has");
    }
    return Stories(settings).run();
}

std::vector<Problem> kinship_problems(const InMemoryData& stories) {
    std::vector<Problem> problems;
    for (const std::string& target : kinship_targets()) {
        InMemoryData data = stories;
        data.target = PredicateSymbol{target, 2};
        ReadOptions options;
        options.split.when = SplitOptions::When::never;  // clauses are learned from the whole
        options.list_labels = true;
        problems.push_back(make_problem(data, options));
    }
    return problems;
}

}  // namespace hri
