// SPDX-License-Identifier: Apache-2.0
#include "hri/protorules.hpp"

#include <algorithm>
#include <set>

namespace hri {
namespace {

std::set<int> variables_of(const ProtoAtom& atom) {
    std::set<int> result;
    for (const int argument : atom.arguments)
        if (argument >= 0)
            result.insert(argument);
    return result;
}

/// Two atoms of a rule, and the variables that they share with the rest of it.
struct Split {
    std::size_t first;
    std::size_t second;
    std::vector<int> outer;
    bool connected;  // they share a variable
};

Split split_at(const ProtoRule& rule, std::size_t first, std::size_t second) {
    std::set<int> elsewhere(rule.head.begin(), rule.head.end());
    elsewhere.merge(variables_of(rule.body[3 - first - second]));
    const std::set<int> left = variables_of(rule.body[first]);
    const std::set<int> right = variables_of(rule.body[second]);
    std::set<int> both = left;
    both.insert(right.begin(), right.end());
    Split split{first, second, {}, both.size() < left.size() + right.size()};
    for (const int v : both)
        if (elsewhere.contains(v))
            split.outer.push_back(v);
    return split;
}

}  // namespace

ProtoRules binarised(const ProtoRules& rules) {
    ProtoRules result;
    for (const ProtoRule& rule : rules) {
        if (rule.body.size() < 3) {
            result.push_back(rule);
            continue;
        }
        std::vector<Split> splits = {split_at(rule, 0, 1), split_at(rule, 0, 2),
                                     split_at(rule, 1, 2)};
        std::erase_if(splits, [](const Split& split) { return split.outer.size() > 2; });
        if (splits.empty())
            throw Error("the proto-rule " + rule.name +
                            " cannot be computed with auxiliary predicates of two arguments",
                        {}, "any two of its atoms share three variables with the rest");
        const auto best = std::find_if(splits.begin(), splits.end(),
                                       [](const Split& split) { return split.connected; });
        const Split& split = best == splits.end() ? splits.front() : *best;
        ProtoRule link;
        link.name = rule.name + "'";
        link.head = split.outer;
        link.body = {rule.body[split.first], rule.body[split.second]};
        link.constants = rule.constants;
        link.is_helper = true;
        ProtoRule rest = rule;
        rest.helper_atoms = link.body;
        rest.body = {{false, split.outer}, rule.body[3 - split.first - split.second]};
        result.push_back(std::move(link));
        result.push_back(std::move(rest));
    }
    return result;
}

std::vector<std::string> constants_of(const ProtoRules& rules) {
    std::vector<std::string> names;
    for (const ProtoRule& rule : rules)
        for (const std::string& name : rule.constants)
            if (std::find(names.begin(), names.end(), name) == names.end())
                names.push_back(name);
    return names;
}

}  // namespace hri
