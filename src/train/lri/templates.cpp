// SPDX-License-Identifier: Apache-2.0
// Templates and which of them each task gets, as Campero et al. chose them and the paper's authors
// adapted them. There are no numbers 6 and 7.

#include "hri/lri.hpp"
#include "hri/tasks.hpp"

#include <algorithm>

namespace hri {
namespace {

constexpr const char* kTemplates =
    "T1: H(X) <- P(X)\n"
    "T2: H(X) <- P(Z) & Q(Z,X)\n"
    "T3: H(X,Y) <- P(X,Z) & Q(Z,Y)\n"
    "T4: H(X) <- P(X,X)\n"
    "T5: H(X,Y) <- P(X,Y)\n"
    "T8: H(X,X) <- P(X)\n"
    "T9: H(X,Y) <- P(Y,X)\n"
    "T10: H(X,Y) <- P(X,Z) & Q(Y,Z)\n"
    "T11: H(X,Y) <- P(Y,X) & Q(X)\n"
    "T12: H(X) <- P(X,Z)\n"
    "T13: H(X) <- P(X,Z) & Q(Z)\n"
    "T14: H(X) <- P(X,Z) & Q(X,Z)\n"
    "T15: H(X,X) <- P(X,Z) & Q(X,Z)\n"
    "T16: H(X,Y) <- P(X,Y) & Q(X,Y)\n";

/// The paper's R_LRI, a multiset of 18.
const std::vector<int> kUnion = {1, 2, 2, 3, 3, 4, 5, 5, 8, 9, 10, 11, 12, 12, 13, 13, 14, 15};

struct Chosen {
    const char* task;
    std::vector<int> templates;
    std::vector<int> auxiliaries;  // arities
};

const std::vector<Chosen>& chosen() {
    static const std::vector<Chosen> sets = {
        {"predecessor", {9}, {}},
        {"undirected-edge", {5, 9}, {}},
        {"less-than", {5, 3}, {}},
        {"member", {9, 10}, {}},
        {"connectedness", {5, 3}, {}},
        {"son", {12, 12, 11}, {1}},
        {"grandparent", {5, 5, 3}, {2}},
        {"adjacent-to-red", {13, 13}, {1}},
        {"two-children", {3, 14}, {2}},
        {"relatedness", {5, 9, 3, 5}, {2}},
        {"cyclic", {5, 3, 4}, {2}},
        {"graph-coloring", {10, 14}, {2}},
        {"length", {8, 3, 3}, {2}},
        {"even-odd", {2, 1, 2}, {1}},
        {"even-succ2", {3, 1, 2}, {2}},
        {"buzz", {3, 1, 2}, {2}},
        {"fizz", {3, 3, 1, 2}, {2, 2}},
        {"has-father", {12}, {}},
        {"grandparent-nlm", {5, 5, 3}, {2}},
    };
    return sets;
}

ProtoRules numbered(const std::vector<int>& numbers) {
    ProtoRules rules;
    for (const int number : numbers) {
        const std::string name = "T" + std::to_string(number);
        const auto& all = lri_templates();
        rules.push_back(*std::find_if(all.begin(), all.end(),
                                      [&](const ProtoRule& rule) { return rule.name == name; }));
    }
    return rules;
}

}  // namespace

const ProtoRules& lri_templates() {
    static const ProtoRules templates = parse_protorules(kTemplates, "LRI's templates");
    return templates;
}

LriTask lri_task(const Task& task, const std::string& templates) {
    const auto known = std::find_if(chosen().begin(), chosen().end(),
                                    [&](const Chosen& set) { return set.task == task.name; });
    LriTask result;
    if (known == chosen().end()) {
        if (templates == "task")
            throw Error("LRI has no templates of its own for the task " + task.name, {},
                        "{templates=rlri} takes the set for all tasks");
        return lri_task(templates);
    }
    result = templates == "task" ? LriTask{numbered(known->templates), {}} : lri_task(templates);
    result.auxiliaries = known->auxiliaries;
    return result;
}

LriTask lri_task(const std::string& templates) {
    if (templates == "task")
        throw Error("LRI's templates are chosen for built-in tasks only", {},
                    "{templates=rlri} takes the set for all tasks");
    return {templates == "rlri" ? numbered(kUnion) : load_protorules(templates), {1, 2}};
}

}  // namespace hri
