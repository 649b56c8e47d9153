// SPDX-License-Identifier: Apache-2.0
#include "search/clause_coverage.hpp"

#include "hri/random.hpp"

#include <algorithm>
#include <map>

namespace hri::search {

namespace {

constexpr std::size_t kMaxClauses = 12;  // of a program

void set(Bits& bits, std::size_t i) { bits[i / 64] |= std::uint64_t{1} << (i % 64); }

bool bind(int* binding, int variable, std::uint32_t object) {
    if (binding[variable] >= 0)
        return binding[variable] == static_cast<int>(object);
    binding[variable] = static_cast<int>(object);
    return true;
}

void match(const Scene& scene, const Clause& clause, std::size_t i, int* binding, std::size_t first,
           Bits& bits) {
    if (i == clause.size()) {
        if (binding[0] < 0) {  // says nothing about the head's object: all of them
            for (int x = 0; x < scene.objects; ++x)
                set(bits, first + static_cast<std::size_t>(x));
            return;
        }
        set(bits, first + static_cast<std::size_t>(binding[0]));
        return;
    }
    const SceneAtom& atom = clause[i];
    const auto go_on = [&](std::uint32_t x, std::uint32_t y) {
        const int old_first = binding[atom.first];
        const int old_second = atom.second < 0 ? -1 : binding[atom.second];
        if (bind(binding, atom.first, x) && (atom.second < 0 || bind(binding, atom.second, y)))
            match(scene, clause, i + 1, binding, first, bits);
        binding[atom.first] = old_first;
        if (atom.second >= 0 && atom.second != atom.first)
            binding[atom.second] = old_second;
    };
    if (atom.second < 0) {
        for (const SceneLabel& name : scene.names)
            if (name.predicate == atom.predicate)
                go_on(name.object, 0);
    } else {
        for (const SceneRelation& relation : scene.relations)
            if (relation.predicate == atom.predicate)
                go_on(relation.subject, relation.object);
    }
}

}  // namespace

ClauseCoverage::ClauseCoverage(const SceneSet& scenes, const RefineRulesSettings& settings)
    : scenes_(scenes) {
    std::vector<std::uint32_t> images;
    for (std::size_t i = 0; i < scenes.size(); ++i)
        if (scenes[i].objects > 0 && scenes[i].objects <= settings.max_objects)
            images.push_back(static_cast<std::uint32_t>(i));
    Random random(settings.seed, Random::kData);
    random.shuffle(images);
    if (images.size() > settings.max_images)
        images.resize(settings.max_images);
    std::sort(images.begin(), images.end());
    with_.resize(scenes.predicates().size());
    for (const std::uint32_t image : images) {
        const Scene scene = scenes[image];
        const auto number = static_cast<std::uint32_t>(scenes_at_.size());
        const auto note = [&](std::uint32_t p) {
            if (with_[p].empty() || with_[p].back() != number)
                with_[p].push_back(number);
        };
        for (const SceneLabel& name : scene.names)
            note(name.predicate);
        for (const SceneRelation& relation : scene.relations)
            note(relation.predicate);
        scenes_at_.push_back({image, objects_});
        objects_ += static_cast<std::size_t>(scene.objects);
    }
}

Bits ClauseCoverage::covered(const Clause& clause) const {
    Bits bits = none();
    for (const std::uint32_t number : images_of(clause)) {
        const Scene scene = scenes_[scenes_at_[number].image];
        int binding[kMaxVariables];
        std::fill(std::begin(binding), std::end(binding), -1);
        match(scene, clause, 0, binding, scenes_at_[number].first, bits);
    }
    return bits;
}

/// Images that have all its predicates.
std::vector<std::uint32_t> ClauseCoverage::images_of(const Clause& clause) const {
    std::vector<std::uint32_t> images = with_[clause.front().predicate];
    for (const SceneAtom& atom : clause) {
        std::vector<std::uint32_t> both;
        std::set_intersection(images.begin(), images.end(), with_[atom.predicate].begin(),
                              with_[atom.predicate].end(), std::back_inserter(both));
        images = std::move(both);
    }
    return images;
}

std::vector<Clause> clauses_of(const Program& program, const SceneSet& scenes) {
    std::map<PredicateSymbol, std::uint32_t> inputs;
    for (std::size_t p = 0; p < scenes.predicates().size(); ++p)
        inputs[scenes.predicates()[p]] = static_cast<std::uint32_t>(p);
    std::vector<Clause> done;
    // Rules to be unfolded, each with the number of its variables.
    std::vector<std::pair<Rule, int>> open;
    const auto variables = [](const Rule& rule) {
        int count = static_cast<int>(rule.head.arguments.size());
        for (const Atom& atom : rule.body)
            for (const Term& term : atom.arguments)
                count = std::max(count, term.index() + 1);
        return count;
    };
    for (const Rule& rule : program.rules)
        if (rule.head.predicate == program.target)
            open.emplace_back(rule, variables(rule));
    while (!open.empty() && done.size() < kMaxClauses) {
        const auto [rule, count] = open.back();
        open.pop_back();
        const auto call = std::find_if(rule.body.begin(), rule.body.end(), [&](const Atom& atom) {
            return inputs.count(program.vocabulary[atom.predicate]) == 0 ||
                   atom.predicate == program.target;
        });
        if (rule.body.size() > kMaxBody || count > kMaxVariables)
            continue;
        if (call == rule.body.end()) {
            Clause clause;
            for (const Atom& atom : rule.body)
                clause.push_back({inputs.at(program.vocabulary[atom.predicate]),
                                  atom.arguments[0].index(),
                                  atom.arguments.size() > 1 ? atom.arguments[1].index() : -1});
            if (!clause.empty())
                done.push_back(std::move(clause));
            continue;
        }
        for (const Rule& definition : program.rules) {
            if (definition.head.predicate != call->predicate || call->predicate == program.target)
                continue;
            std::map<int, int> renamed;
            for (std::size_t a = 0; a < call->arguments.size(); ++a)
                renamed[definition.head.arguments[a].index()] = call->arguments[a].index();
            Rule unfolded = rule;
            unfolded.body.erase(unfolded.body.begin() + (call - rule.body.begin()));
            int next = count;
            for (Atom atom : definition.body) {
                for (Term& term : atom.arguments) {
                    const auto [known, fresh] = renamed.emplace(term.index(), next);
                    next += fresh ? 1 : 0;
                    term = Term::variable(known->second);
                }
                unfolded.body.push_back(std::move(atom));
            }
            open.emplace_back(std::move(unfolded), next);
        }
    }
    return done;
}

}  // namespace hri::search
