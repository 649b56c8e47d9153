// SPDX-License-Identifier: Apache-2.0

// Rules with confidences for each name. A name's objects are described by whether each object has
// the name, coded by the confidence of the best rule that covers it. Rules are added while that
// shortens the description. A literal of a rule costs the fewer bits the more frequent it is among
// the neighbours in the training images.

#include "hri/scene_rules.hpp"

#include "base/thread_pool.hpp"
#include "evaluate/neighbours.hpp"
#include "evaluate/scene_bodies.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <queue>
#include <tuple>
#include <unordered_map>

namespace hri {

namespace {

using evaluation::BodyKind;
using evaluation::NamedObject;
using evaluation::SceneBodies;

/// Bits for the bodies of rules.
class BodyCode {
  public:
    BodyCode(const SceneBodies& bodies, const std::vector<NamedObject>& objects,
             std::size_t predicates)
        : bodies_(bodies), names_(predicates, 1), sides_(2 * predicates, 1) {
        for (const NamedObject& object : objects)
            for (const SceneBody body : object.bodies)
                if (const SceneBodies::Parts parts = bodies.parts(body);
                    parts.kind == BodyKind::neighbour)
                    ++(parts.first.name == SceneBodies::kNoName ? sides_[side(parts.first)]
                                                                : names_[parts.first.name]);
        for (std::vector<double>* counts : {&names_, &sides_}) {
            double sum = 0;
            for (const double count : *counts)
                sum += count;
            for (double& count : *counts)
                count = -std::log2(count / sum);
        }
    }

    double bits(SceneBody body) const {
        const SceneBodies::Parts parts = bodies_.parts(body);
        const double kind = 2;
        return kind + step_bits(parts.first) +
               (parts.kind == BodyKind::neighbour ? 0 : step_bits(parts.second));
    }

  private:
    static std::size_t side(const SceneBodies::Step& step) {
        return 2 * std::size_t{step.relation} + (step.outwards ? 1 : 0);
    }

    double step_bits(const SceneBodies::Step& step) const {
        const double named = 1;  // or not
        return sides_[side(step)] + named +
               (step.name == SceneBodies::kNoName ? 0 : names_[step.name]);
    }

    const SceneBodies& bodies_;
    std::vector<double> names_;  // [predicate]
    std::vector<double> sides_;  // [relation, direction]
};

/// The training objects, and which of them each body covers.
struct Coverage {
    std::vector<SceneBody> bodies;
    std::vector<std::vector<std::uint32_t>> covered;    // [body]: objects, ascending
    std::vector<std::vector<std::uint32_t>> of_object;  // [object]: bodies
    std::vector<std::size_t> target;                    // [object]
    std::vector<double> bits;                           // [body]
};

Coverage coverage_of(const std::vector<NamedObject>& objects, const BodyCode& code) {
    Coverage coverage;
    std::unordered_map<std::uint64_t, std::uint32_t> number;
    for (std::size_t e = 0; e < objects.size(); ++e) {
        std::vector<std::uint32_t>& mine = coverage.of_object.emplace_back();
        for (const SceneBody body : objects[e].bodies) {
            const auto [found, is_new] =
                number.emplace(body.code, static_cast<std::uint32_t>(coverage.bodies.size()));
            if (is_new) {
                coverage.bodies.push_back(body);
                coverage.covered.emplace_back();
                coverage.bits.push_back(code.bits(body));
            }
            coverage.covered[found->second].push_back(static_cast<std::uint32_t>(e));
            mine.push_back(found->second);
        }
        coverage.target.push_back(objects[e].target);
    }
    return coverage;
}

/// Chooses the rules of one name.
class RuleChoice {
  public:
    RuleChoice(const Coverage& coverage, std::size_t target, const SceneRuleSettings& settings)
        : coverage_(coverage),
          target_(target),
          smoothing_(settings.smoothing),
          best_(coverage.target.size(), kUncovered) {
        std::unordered_map<std::uint32_t, std::int64_t> correct;
        for (std::size_t e = 0; e < coverage.target.size(); ++e)
            if (coverage.target[e] == target) {
                ++open_correct_;
                for (const std::uint32_t body : coverage.of_object[e])
                    ++correct[body];
            }
        open_ = static_cast<double>(coverage.target.size());
        frequency_ = (open_correct_ + 0.5) / (open_ + 1);
        for (const auto& [body, count] : correct)
            if (count >= settings.min_correct)
                candidates_.push_back(
                    {body, count, confidence(static_cast<double>(count), covered(body).size())});
        std::sort(candidates_.begin(), candidates_.end(),
                  [](const Candidate& a, const Candidate& b) { return a.body < b.body; });
    }

    NameRules run(std::uint32_t name) {
        NameRules result;
        result.target = name;
        result.bits_without = bits(open_correct_, open_, otherwise());
        result.bits = result.bits_without;
        // a rule lowers the confidence of what no rule covers, and so may raise the gain of others
        while (add_rules(result)) {
        }
        result.otherwise = otherwise();
        std::sort(
            result.rules.begin(), result.rules.end(), [](const SceneRule& a, const SceneRule& b) {
                return a.confidence != b.confidence ? a.confidence > b.confidence : a.body < b.body;
            });
        return result;
    }

  private:
    static constexpr double kUncovered = -1;

    struct Candidate {
        std::uint32_t body;
        std::int64_t correct;
        double confidence;
        bool chosen = false;
    };

    const std::vector<std::uint32_t>& covered(std::uint32_t body) const {
        return coverage_.covered[body];
    }

    double confidence(double correct, std::size_t covered) const {
        return (correct + smoothing_ * frequency_) / (static_cast<double>(covered) + smoothing_);
    }

    /// Of an object that no rule covers.
    double otherwise() const {
        return (open_correct_ + smoothing_ * frequency_) / (open_ + smoothing_);
    }

    /// Of so many objects, each coded by one probability.
    static double bits(double correct, double all, double probability) {
        return -correct * std::log2(probability) - (all - correct) * std::log2(1 - probability);
    }

    /// What one more rule saves.
    double gain(const Candidate& rule) const {
        double saved = -coverage_.bits[rule.body];
        double open = open_;
        double open_correct = open_correct_;
        const double before = otherwise();
        for (const std::uint32_t e : covered(rule.body)) {
            const bool is_correct = coverage_.target[e] == target_;
            double old = best_[e];
            if (old == kUncovered) {
                old = before;
                --open;
                open_correct -= is_correct ? 1 : 0;
            } else if (rule.confidence <= old) {
                continue;
            }
            saved += is_correct ? std::log2(rule.confidence / old)
                                : std::log2((1 - rule.confidence) / (1 - old));
        }
        const double after = (open_correct + smoothing_ * frequency_) / (open + smoothing_);
        return saved + bits(open_correct, open, before) - bits(open_correct, open, after);
    }

    void add(Candidate& rule, double gain, NameRules& result) {
        rule.chosen = true;
        result.bits -= gain;
        result.rules.push_back({coverage_.bodies[rule.body], rule.correct,
                                static_cast<std::int64_t>(covered(rule.body).size()),
                                rule.confidence});
        for (const std::uint32_t e : covered(rule.body)) {
            if (best_[e] == kUncovered) {
                --open_;
                open_correct_ -= coverage_.target[e] == target_ ? 1 : 0;
            }
            best_[e] = std::max(best_[e], rule.confidence);
        }
    }

    /// The rule that saves most, as long as one saves anything. Gains are computed again only when
    /// they come first. False where none was added.
    bool add_rules(NameRules& result) {
        std::priority_queue<std::pair<double, std::size_t>> queue;
        for (std::size_t i = 0; i < candidates_.size(); ++i)
            if (!candidates_[i].chosen && candidates_[i].confidence > otherwise())
                if (const double saved = gain(candidates_[i]); saved > 0)
                    queue.emplace(saved, i);
        const std::size_t before = result.rules.size();
        while (!queue.empty()) {
            const std::size_t i = queue.top().second;
            queue.pop();
            const double saved = gain(candidates_[i]);
            if (saved <= 0)
                continue;
            if (!queue.empty() && saved < queue.top().first)
                queue.emplace(saved, i);
            else
                add(candidates_[i], saved, result);
        }
        return result.rules.size() > before;
    }

    const Coverage& coverage_;
    std::size_t target_;
    double smoothing_;
    double frequency_ = 0;      // of the name among all objects
    std::vector<double> best_;  // [object]: confidence of the best rule that covers it
    double open_ = 0;           // objects that no rule covers
    double open_correct_ = 0;   // of them have the name
    std::vector<Candidate> candidates_;
};

/// What rules that cover an object say together.
double evidence(double confidence) { return -std::log1p(-confidence); }

}  // namespace

SceneRules learn_scene_rules(const SceneSet& scenes, std::span<const std::uint32_t> training,
                             std::span<const std::uint32_t> targets,
                             const SceneRuleSettings& settings) {
    const SceneBodies bodies(scenes.predicates(), settings.bodies);
    Coverage coverage;
    {
        const std::vector<NamedObject> objects =
            evaluation::named_objects(scenes, training, targets, bodies);
        coverage = coverage_of(objects, BodyCode(bodies, objects, scenes.predicates().size()));
    }
    SceneRules rules{scenes.predicates(), settings.bodies, std::vector<NameRules>(targets.size())};
    base::ThreadPool pool(std::max(settings.threads, 1));
    pool.each(static_cast<int>(targets.size()), [&](int i) {
        const auto t = static_cast<std::size_t>(i);
        rules.names[t] = RuleChoice(coverage, t, settings).run(targets[t]);
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
        guess.probability = -std::expm1(-sum);
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
    const NameRules& of_name = rules.names[i];
    const std::string program = to_prolog(program_of(rules, i));
    std::size_t from = program.size();  // of the rules, each on a line
    for (std::size_t r = 0; r < of_name.rules.size(); ++r)
        from = program.rfind('\n', from - 2) + 1;
    std::string text = program.substr(0, from);
    text += fmt::format("% confidence {:.4f} where no rule covers an object\n", of_name.otherwise);
    for (const SceneRule& rule : of_name.rules) {
        const std::size_t end = program.find('\n', from) + 1;
        text += fmt::format("% confidence {:.4f}: {} of {}\n", rule.confidence, rule.correct,
                            rule.covered);
        text += program.substr(from, end - from);
        from = end;
    }
    return text + program.substr(from);
}

}  // namespace hri
