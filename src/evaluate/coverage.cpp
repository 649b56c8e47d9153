// SPDX-License-Identifier: Apache-2.0
#include "evaluate/coverage.hpp"

#include "evaluate/bits/compiled_program.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

namespace hri::evaluation {

namespace {

constexpr std::size_t kSparse = 16;  // constants for each fact: beyond, rows are searched for

/// Moves the literals that the head's variables reach to the front; returns their end.
Clause::iterator connect(Clause& clause, int target_arity) {
    std::set<int> reached = {0, target_arity - 1};
    const auto known = [&](const Literal& literal) {
        return reached.count(literal.first) + reached.count(literal.second);
    };
    auto end = clause.begin();
    while (end != clause.end()) {
        auto next =
            std::find_if(end, clause.end(), [&](const Literal& l) { return known(l) == 2; });
        if (next == clause.end())
            next = std::find_if(end, clause.end(), [&](const Literal& l) { return known(l) == 1; });
        if (next == clause.end())
            break;
        reached.insert(next->first);
        reached.insert(next->second);
        std::rotate(end, next, next + 1);
        ++end;
    }
    return end;
}

void add_example(LabelledAtoms& atoms, const Example& example, bool positive) {
    const std::size_t e = atoms.examples.size();
    if (e % 64 == 0)
        atoms.positive.push_back(0);
    if (positive)
        atoms.positive.back() |= std::uint64_t{1} << (e % 64);
    atoms.examples.push_back(example);
}

}  // namespace

FactColumn::FactColumn(const std::vector<std::pair<int, int>>& pairs, int constants)
    : is_dense_(static_cast<std::size_t>(constants) <= kSparse * pairs.size()) {
    std::vector<int> order(pairs.size());
    std::iota(order.begin(), order.end(), 0);
    const auto key = [&](int i) { return pairs[static_cast<std::size_t>(i)].first; };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
    for (const int i : order) {
        const auto end = static_cast<int>(values_.size());
        if (is_dense_)
            starts_.resize(static_cast<std::size_t>(key(i)) + 1, end);
        else if (keys_.empty() || keys_.back() != key(i)) {
            keys_.push_back(key(i));
            starts_.push_back(end);
        }
        values_.push_back(pairs[static_cast<std::size_t>(i)].second);
    }
    starts_.resize((is_dense_ ? static_cast<std::size_t>(constants) : keys_.size()) + 1,
                   static_cast<int>(values_.size()));
}

std::size_t FactColumn::find(int key) const {
    return static_cast<std::size_t>(std::lower_bound(keys_.begin(), keys_.end(), key) -
                                    keys_.begin());
}

FactIndex::FactIndex(const std::vector<PredicateSymbol>& predicates,
                     const std::vector<const Instance*>& instances) {
    std::vector<std::vector<std::pair<int, int>>> facts(predicates.size());
    for (const Instance* instance : instances) {
        const int start = starts_.back();
        for (std::size_t p = 0; p < predicates.size(); ++p)
            for (const Fact& fact : instance->facts[p])
                if (predicates[p].arity > 0 && fact.value >= 0.5F)
                    facts[p].emplace_back(
                        start + fact.first,
                        start + (predicates[p].arity == 2 ? fact.second : fact.first));
        starts_.push_back(start + instance->constants);
    }
    build(facts);
}

FactIndex::FactIndex(const SceneSet& scenes, const std::vector<std::uint32_t>& images) {
    std::vector<std::vector<std::pair<int, int>>> facts(scenes.predicates().size());
    for (const std::uint32_t image : images) {
        const Scene scene = scenes[image];
        const int start = starts_.back();
        const auto add = [&](std::uint32_t predicate, std::uint32_t first, std::uint32_t second) {
            facts[predicate].emplace_back(start + static_cast<int>(first),
                                          start + static_cast<int>(second));
        };
        for (const SceneLabel& name : scene.names)
            add(name.predicate, name.object, name.object);
        for (const SceneRelation& relation : scene.relations)
            add(relation.predicate, relation.subject, relation.object);
        starts_.push_back(start + scene.objects);
    }
    build(facts);
}

void FactIndex::build(const std::vector<std::vector<std::pair<int, int>>>& facts) {
    for (const std::vector<std::pair<int, int>>& pairs : facts) {
        by_first_.emplace_back(pairs, constants());
        std::vector<std::pair<int, int>> turned;
        for (const auto& [first, second] : pairs)
            turned.emplace_back(second, first);
        by_second_.emplace_back(turned, constants());
        std::vector<int>& with = with_.emplace_back();
        int instance = 0;  // facts come instance by instance
        for (const auto& [first, second] : pairs) {
            while (starts_[static_cast<std::size_t>(instance) + 1] <= first)
                ++instance;
            if (with.empty() || with.back() != instance)
                with.push_back(instance);
        }
    }
}

std::vector<Literal> FactIndex::literals(int instance) const {
    std::vector<Literal> result;
    for (int p = 0; p < static_cast<int>(by_first_.size()); ++p)
        if (std::binary_search(instances_with(p).begin(), instances_with(p).end(), instance))
            for (int first = start(instance); first < start(instance + 1); ++first)
                for (const int second : seconds(p, first))
                    result.push_back({p, first, second});
    return result;
}

bool FactIndex::holds(int predicate, int first, int second) const {
    const std::span<const int> all = seconds(predicate, first);
    return std::find(all.begin(), all.end(), second) != all.end();
}

std::optional<bool> Matcher::covers(const Clause& clause, const Example& example) {
    std::fill(values_.begin(), values_.end(), -1);
    values_[0] = example.first;
    if (target_arity_ == 2)
        values_[1] = example.second;
    steps_ = 0;
    const bool found = solve(clause, 0, example.instance);
    return steps_ > max_steps_ ? std::nullopt : std::optional(found);
}

bool Matcher::solve(const Clause& clause, std::size_t at, int instance) {
    if (at == clause.size())
        return true;
    if (++steps_ > max_steps_)
        return false;
    const Literal& literal = clause[at];
    const int first = values_[static_cast<std::size_t>(literal.first)];
    const int second = values_[static_cast<std::size_t>(literal.second)];
    if (first >= 0 && second >= 0)
        return facts_.holds(literal.predicate, first, second) && solve(clause, at + 1, instance);
    if (first < 0 && second < 0)
        return solve_unbound(clause, at, instance);
    int& free = values_[static_cast<std::size_t>(first < 0 ? literal.first : literal.second)];
    for (const int value : first < 0 ? facts_.firsts(literal.predicate, second)
                                     : facts_.seconds(literal.predicate, first)) {
        free = value;
        if (solve(clause, at + 1, instance))
            return true;
    }
    free = -1;
    return false;
}

/// No variable of the literal has a value: any constants of the instance.
bool Matcher::solve_unbound(const Clause& clause, std::size_t at, int instance) {
    const Literal& literal = clause[at];
    int& first = values_[static_cast<std::size_t>(literal.first)];
    int& second = values_[static_cast<std::size_t>(literal.second)];
    for (int c = facts_.start(instance); c < facts_.start(instance + 1); ++c)
        for (const int d : facts_.seconds(literal.predicate, c)) {
            if (literal.first == literal.second && c != d)
                continue;
            first = c;
            second = d;
            if (solve(clause, at + 1, instance))
                return true;
        }
    first = second = -1;
    return false;
}

Clause connected(Clause clause, int target_arity) {
    clause.erase(connect(clause, target_arity), clause.end());
    return clause;
}

LabelledAtoms labelled_atoms(const FactIndex& facts, const PredicateSymbol& target,
                             const std::vector<Instance>& instances,
                             const std::vector<Instance>& others) {
    LabelledAtoms atoms{&facts, target, {}, {0}, {}};
    const auto add = [&](const Instance& instance, bool with_positives) {
        const int n = instance.constants;
        const auto number = static_cast<int>(atoms.starts.size()) - 1;
        const int start = facts.start(number);
        for (int atom = 0; atom < static_cast<int>(instance.labels.size()); ++atom) {
            const Label label = instance.labels[static_cast<std::size_t>(atom)];
            if (label == Label::negative || (label == Label::positive && with_positives))
                add_example(
                    atoms,
                    {number, start + (target.arity == 2 ? atom / n : atom), start + atom % n},
                    label == Label::positive);
        }
        atoms.starts.push_back(atoms.examples.size());
    };
    for (const Instance& instance : instances)
        add(instance, true);
    for (const Instance& instance : others)
        add(instance, false);
    atoms.starts.resize(static_cast<std::size_t>(facts.instances()) + 1, atoms.examples.size());
    return atoms;
}

LabelledAtoms labelled_objects(const FactIndex& facts, const PredicateSymbol& target, int name) {
    LabelledAtoms atoms{&facts, target, {}, {0}, {}};
    for (int i = 0; i < facts.instances(); ++i) {
        for (int c = facts.start(i); c < facts.start(i + 1); ++c)
            add_example(atoms, {i, c, c}, facts.holds(name, c, c));
        atoms.starts.push_back(atoms.examples.size());
    }
    return atoms;
}

Bits covered(const LabelledAtoms& atoms, const Clause& clause) {
    Clause ordered = clause;
    connect(ordered, atoms.target.arity);
    int variables = atoms.target.arity;
    std::vector<int> instances = atoms.facts->instances_with(clause.front().predicate);
    for (const Literal& literal : clause) {
        variables = std::max({variables, literal.first + 1, literal.second + 1});
        const std::vector<int>& with = atoms.facts->instances_with(literal.predicate);
        std::vector<int> both;
        std::set_intersection(instances.begin(), instances.end(), with.begin(), with.end(),
                              std::back_inserter(both));
        instances = std::move(both);
    }
    Matcher matcher(*atoms.facts, atoms.target.arity, static_cast<std::size_t>(variables),
                    std::numeric_limits<std::int64_t>::max());
    Bits bits(atoms.positive.size(), 0);
    for (const int instance : instances)
        for (std::size_t e = atoms.starts[static_cast<std::size_t>(instance)];
             e < atoms.starts[static_cast<std::size_t>(instance) + 1]; ++e)
            if (matcher.covers(ordered, atoms.examples[e]).value_or(false))
                bits[e / 64] |= std::uint64_t{1} << (e % 64);
    return bits;
}

Score coverage_score(const Program& program, const std::vector<PredicateSymbol>& inputs,
                     const std::vector<Instance>& instances, std::int64_t max_errors) {
    Scorer scorer;
    if (instances.empty())
        return scorer.score();
    CompiledProgram compiled(program, inputs);
    Truth truth;
    for (const Instance& instance : instances) {
        compiled.evaluate(instance, kToFixpoint, truth);
        scorer.add(instance.labels, truth);
        if (max_errors < INT64_MAX && errors(scorer.score()) > max_errors)
            break;
    }
    return scorer.score();
}

}  // namespace hri::evaluation
