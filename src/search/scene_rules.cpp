// SPDX-License-Identifier: Apache-2.0

// Rules with confidences for each name: of the bodies that hold of training objects, those that
// name_cost.hpp chooses.

#include "hri/scene_rules.hpp"

#include "base/hash.hpp"
#include "base/thread_pool.hpp"
#include "evaluate/neighbours.hpp"
#include "evaluate/scene_bodies.hpp"
#include "search/confidence_text.hpp"
#include "search/name_cost.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

namespace hri {

namespace {

using evaluation::NamedObject;
using evaluation::SceneBodies;

using search::evidence;
using search::probability;

/// Of bodies that hold of the same objects the simplest one is kept.
struct Coverage : search::BodyCoverage {
    std::vector<SceneBody> bodies;
};

/// [body]: whether no simpler one holds of the same objects.
std::vector<bool> simplest(const Coverage& coverage) {
    std::vector<std::uint64_t> sum(coverage.bodies.size(), 0);  // of random numbers of objects
    for (std::size_t e = 0; e < coverage.of_object.size(); ++e)
        for (const std::uint32_t body : coverage.of_object[e])
            sum[body] += base::mixed(e + 1);
    std::unordered_map<std::uint64_t, std::size_t> first;  // [sum]
    for (std::size_t body = 0; body < sum.size(); ++body)
        if (const auto [found, is_new] = first.emplace(sum[body], body);
            !is_new && coverage.bodies[body] < coverage.bodies[found->second])
            found->second = body;
    std::vector<bool> is_simplest(sum.size());
    for (const auto& [of, body] : first)
        is_simplest[body] = true;
    return is_simplest;
}

Coverage coverage_of(const std::vector<NamedObject>& objects, std::size_t targets) {
    Coverage coverage;
    coverage.having.resize(targets);
    std::unordered_map<std::uint64_t, std::uint32_t> number;
    for (std::size_t e = 0; e < objects.size(); ++e) {
        std::vector<std::uint32_t>& mine = coverage.of_object.emplace_back();
        for (const SceneBody body : objects[e].bodies) {
            const auto [found, is_new] =
                number.emplace(body.code, static_cast<std::uint32_t>(coverage.bodies.size()));
            if (is_new) {
                coverage.bodies.push_back(body);
                coverage.covered.push_back(0);
            }
            ++coverage.covered[found->second];
            mine.push_back(found->second);
        }
        if (objects[e].target < targets)
            coverage.having[objects[e].target].push_back(static_cast<std::uint32_t>(e));
    }
    const std::vector<bool> is_kept = simplest(coverage);
    for (std::vector<std::uint32_t>& mine : coverage.of_object)
        std::erase_if(mine, [&](std::uint32_t body) { return !is_kept[body]; });
    return coverage;
}

NameRules choose_rules(const Coverage& coverage, std::size_t t, std::uint32_t name,
                       const SceneRuleSettings& settings) {
    const search::ChosenBodies chosen = search::choose_bodies(coverage, t, settings);
    NameRules result{name, {}, chosen.otherwise, chosen.bits, chosen.bits_without};
    for (const search::ChosenBody& one : chosen.bodies)
        result.rules.push_back(
            {{one.correct, one.covered, one.confidence}, coverage.bodies[one.body]});
    std::sort(result.rules.begin(), result.rules.end(), [](const SceneRule& a, const SceneRule& b) {
        return a.confidence != b.confidence ? a.confidence > b.confidence : a.body < b.body;
    });
    return result;
}

}  // namespace

SceneRules learn_scene_rules(const SceneSet& scenes, std::span<const std::uint32_t> training,
                             std::span<const std::uint32_t> targets,
                             const SceneRuleSettings& settings) {
    const SceneBodies bodies(scenes.predicates(), settings.bodies);
    Coverage coverage;
    {
        const std::vector<NamedObject> objects =
            evaluation::named_objects(scenes, training, targets, bodies);
        coverage = coverage_of(objects, targets.size());
    }
    SceneRules rules{scenes.predicates(), settings.bodies, std::vector<NameRules>(targets.size())};
    base::ThreadPool pool(std::max(settings.threads, 1));
    pool.each(static_cast<int>(targets.size()), [&](int i) {
        const auto t = static_cast<std::size_t>(i);
        rules.names[t] = choose_rules(coverage, t, targets[t], settings);
    });
    return rules;
}

SceneScores rule_scores(const SceneSet& scenes, const SceneRules& rules) {
    struct Vote {
        std::size_t target;
        double evidence;
    };

    auto votes = std::make_shared<std::unordered_map<std::uint64_t, std::vector<Vote>>>();
    std::vector<std::uint32_t> own;
    std::vector<double> otherwise;
    for (std::size_t t = 0; t < rules.names.size(); ++t) {
        own.push_back(rules.names[t].target);
        otherwise.push_back(evidence(rules.names[t].otherwise));
        for (const SceneRule& rule : rules.names[t].rules)
            (*votes)[rule.body.code].push_back({t, evidence(rule.confidence)});
    }
    const auto bodies = std::make_shared<SceneBodies>(rules.predicates, rules.bodies);
    return [=, &scenes](std::size_t image, std::uint32_t hidden, std::span<float> scores) {
        const Scene scene = scenes[image];
        const auto n = static_cast<std::size_t>(scene.objects);
        std::vector<double> sums(own.size());
        evaluation::each_view(
            *bodies, scene, own, hidden,
            [&](const auto& of_objects, const std::vector<std::size_t>& of_targets) {
                for (std::size_t object = 0; object < n; ++object) {
                    sums = otherwise;
                    for (const SceneBody body : of_objects[object])
                        if (const auto found = votes->find(body.code); found != votes->end())
                            for (const Vote& vote : found->second)
                                sums[vote.target] += vote.evidence;
                    for (const std::size_t t : of_targets)
                        scores[t * n + object] = static_cast<float>(sums[t]);
                }
            });
    };
}

std::vector<NameGuess> guess_names(const SceneSet& scenes, const SceneRules& rules,
                                   std::size_t image, std::uint32_t object, std::uint32_t hidden,
                                   std::size_t top) {
    const SceneBodies bodies(rules.predicates, rules.bodies);
    const std::vector<SceneBody> here = bodies.around(scenes[image], hidden)[object];
    std::vector<NameGuess> guesses;
    for (std::size_t i = 0; i < rules.names.size(); ++i) {
        NameGuess guess{.name = i};
        double sum = evidence(rules.names[i].otherwise);
        for (std::size_t r = 0; r < rules.names[i].rules.size(); ++r)
            if (std::binary_search(here.begin(), here.end(), rules.names[i].rules[r].body)) {
                guess.rules.push_back(r);
                sum += evidence(rules.names[i].rules[r].confidence);
            }
        guess.probability = probability(sum);
        guesses.push_back(std::move(guess));
    }
    std::stable_sort(guesses.begin(), guesses.end(), [](const NameGuess& a, const NameGuess& b) {
        return a.probability > b.probability;
    });
    guesses.resize(std::min(guesses.size(), top));
    for (NameGuess& guess : guesses) {
        const std::vector<SceneRule>& own = rules.names[guess.name].rules;
        std::stable_sort(guess.rules.begin(), guess.rules.end(), [&](std::size_t a, std::size_t b) {
            return own[a].confidence > own[b].confidence;
        });
    }
    return guesses;
}

std::string rule_text(const SceneRules& rules, std::size_t i, std::size_t rule) {
    const SceneBodies bodies(rules.predicates, rules.bodies);
    Program program;
    program.target = program.vocabulary.intern(rules.predicates[rules.names[i].target]);
    program.rules.push_back(bodies.rule(program, rules.names[i].rules[rule].body));
    const std::string text = to_prolog(program);
    const std::size_t from = text.rfind('\n', text.size() - 2) + 1;
    return text.substr(from, text.size() - from - 1);
}

std::vector<Confusion> confusions(const SceneSet& scenes, std::span<const std::uint32_t> images,
                                  const SceneRules& rules, std::size_t count) {
    const SceneScores score = rule_scores(scenes, rules);
    std::vector<std::uint32_t> own;
    for (const NameRules& name : rules.names)
        own.push_back(name.target);
    const std::vector<std::size_t> place = evaluation::places_of(scenes, own);
    std::vector<std::int64_t> objects(own.size(), 0);
    std::map<std::pair<std::size_t, std::size_t>, std::pair<Confusion, float>> found;
    std::vector<float> scores;
    for (const std::uint32_t image : images) {
        const Scene scene = scenes[image];
        const auto n = static_cast<std::size_t>(scene.objects);
        std::uint32_t hidden = kHideOwnLabel;
        for (const auto& labelled : scene.names) {
            const auto name = labelled.predicate;
            const auto object = labelled.object;
            const std::size_t truth = place[name];
            if (truth == own.size())
                continue;
            if (name != hidden) {  // names are sorted
                scores.assign(own.size() * n, 0.0F);
                score(image, name, scores);
            }
            hidden = name;
            ++objects[truth];
            const auto of = [&](std::size_t t) { return scores[t * n + object]; };
            std::size_t guess = truth;
            for (std::size_t t = 0; t < own.size(); ++t)
                if (of(t) > of(guess))
                    guess = t;
            if (guess == truth)
                continue;
            auto& [confusion, lead] = found[{truth, guess}];
            if (++confusion.count == 1 || of(guess) - of(truth) > lead) {
                lead = of(guess) - of(truth);
                confusion.image = image;
                confusion.object = object;
            }
        }
    }
    std::vector<Confusion> all;
    for (auto& [names, one] : found) {
        Confusion& confusion = all.emplace_back(one.first);
        std::tie(confusion.name, confusion.guess) = names;
        confusion.objects = objects[confusion.name];
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Confusion& a, const Confusion& b) { return a.count > b.count; });
    all.resize(std::min(all.size(), count));
    for (Confusion& one : all)
        for (NameGuess& guess :
             guess_names(scenes, rules, one.image, one.object, own[one.name], rules.names.size()))
            if (guess.name == one.guess)
                one.rules = std::move(guess.rules);
    return all;
}

Program program_of(const SceneRules& rules, std::size_t i) {
    const SceneBodies bodies(rules.predicates, rules.bodies);
    Program program;
    program.target = program.vocabulary.intern(rules.predicates[rules.names[i].target]);
    for (const SceneRule& rule : rules.names[i].rules)
        program.rules.push_back(bodies.rule(program, rule.body));
    if (program.rules.empty()) {
        const Atom never{program.target, {Term::variable(0)}};
        program.rules.push_back({never, {never}});
        return simplified(program);
    }
    return program;
}

std::string to_prolog(const SceneRules& rules, std::size_t i) {
    const std::vector<SceneRule>& own = rules.names[i].rules;
    return search::with_confidences(program_of(rules, i), rules.names[i].otherwise,
                                    {own.begin(), own.end()});
}

}  // namespace hri
