// SPDX-License-Identifier: Apache-2.0

// Rules with confidences for each name. An object has the name unless the reasons of all rules that
// cover it fail, each independently of the others: a noisy or, as in ProbLog. Whether each object
// has the name is coded by that probability, and rules are added while that shortens the
// description. A rule costs the bits of drawing its body among those that hold of the name's
// objects; the order of rules costs nothing.

#include "hri/scene_rules.hpp"

#include "base/hash.hpp"
#include "base/thread_pool.hpp"
#include "evaluate/neighbours.hpp"
#include "evaluate/scene_bodies.hpp"
#include "search/combine.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <tuple>
#include <unordered_map>

namespace hri {

namespace {

using evaluation::NamedObject;
using evaluation::SceneBodies;

/// The weights of rules add up: -log of the probability that a rule's reason does not hold.
double evidence(double confidence) { return -std::log1p(-confidence); }

double probability(double evidence_of_rules) { return -std::expm1(-evidence_of_rules); }

/// The training objects, and which bodies hold of each. Of bodies that hold of the same objects the
/// simplest one is kept.
struct Coverage {
    std::vector<SceneBody> bodies;
    std::vector<std::int64_t> covered;                  // [body]: objects
    std::vector<std::vector<std::uint32_t>> of_object;  // [object]: bodies
    std::vector<std::vector<std::uint32_t>> having;     // [target]: objects
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

/// Bits of the rules of one name, and of whether each object has the name.
class NameCost : public search::SetCost {
  public:
    struct Candidate {
        std::uint32_t body = 0;
        std::vector<std::uint32_t> having;  // objects of the name that it covers
        double others = 0;                  // objects without the name that it covers
        double bits = 0;
        double evidence = 0;  // of the set's rules
        bool is_chosen = false;
    };

    NameCost(const Coverage& coverage, std::size_t target, const SceneRuleSettings& settings)
        : smoothing_(settings.smoothing) {
        const std::vector<std::uint32_t>& having = coverage.having[target];
        others_ = static_cast<double>(coverage.of_object.size() - having.size());
        const double count = static_cast<double>(having.size());
        frequency_ = (count + 0.5) / (count + others_ + 1);
        otherwise_ = evidence(frequency_);
        missed_.assign(having.size(), std::exp(-otherwise_));
        std::map<std::uint32_t, Candidate> found;  // [body]
        double pairs = 0;                          // of an object of the name and a body
        for (std::size_t e = 0; e < having.size(); ++e)
            for (const std::uint32_t body : coverage.of_object[having[e]]) {
                found[body].having.push_back(static_cast<std::uint32_t>(e));
                ++pairs;
            }
        for (auto& [body, candidate] : found) {
            const auto correct = static_cast<std::int64_t>(candidate.having.size());
            if (correct < settings.min_correct)
                continue;
            candidate.body = body;
            candidate.others = static_cast<double>(coverage.covered[body] - correct);
            candidate.bits = std::log2(pairs / static_cast<double>(correct));
            candidates_.push_back(std::move(candidate));
        }
    }

    const std::vector<Candidate>& candidates() const { return candidates_; }

    /// The evidence for an object that no rule covers.
    double otherwise() const { return otherwise_; }

    /// The bits of the set's rules and of all objects.
    double all_bits() const {
        double nats = others_ * otherwise_;
        int sign = 0;  // std::lgamma() would write it to a global, of all threads
        double sum = -lgamma_r(static_cast<double>(chosen_) + 1, &sign) / kNat;
        for (const Candidate& rule : candidates_)
            if (rule.is_chosen) {
                sum += rule.bits;
                nats += rule.others * rule.evidence;
            }
        for (const double missed : missed_)
            nats -= std::log1p(-missed);
        return sum + nats / kNat;
    }

    double gain(std::size_t i) const override {
        const Candidate& rule = candidates_[i];
        const double added = fitted(rule);
        double nats = -rule.others * added;
        for (const std::uint32_t e : rule.having)
            nats += std::log((1 - missed_[e] * std::exp(-added)) / (1 - missed_[e]));
        return nats / kNat - rule.bits + std::log2(static_cast<double>(chosen_ + 1));
    }

    void add(std::size_t i) override {
        Candidate& rule = candidates_[i];
        rule.is_chosen = true;
        ++chosen_;
        set(rule, fitted(rule));
        fit_otherwise();
    }

    void remove(std::size_t i) override {
        Candidate& rule = candidates_[i];
        rule.is_chosen = false;
        --chosen_;
        set(rule, 0);
        fit_otherwise();
    }

    /// The evidence of all rules together.
    void fit() {
        constexpr int kSweeps = 10;
        for (int sweep = 0; sweep < kSweeps; ++sweep) {
            for (Candidate& rule : candidates_)
                if (rule.is_chosen) {
                    set(rule, 0);
                    set(rule, fitted(rule));
                }
            fit_otherwise();
        }
    }

  private:
    static constexpr double kNat = 0.69314718055994531;  // bits

    /// The evidence x that maximises the likelihood of objects which one more reason covers:
    /// `count` with the name, of which other reasons miss a share missed(i), and `others` without
    /// it. The smoothing is a few objects that nothing else covers. The slope falls as x grows.
    template <class Missed>
    double most_likely(std::size_t count, Missed missed, double others) const {
        const double having = smoothing_ * frequency_;
        const double slope_of_others = others + smoothing_ * (1 - frequency_);
        const auto rises = [&](double x) {
            const double odds = std::expm1(x);
            double slope = having / odds - slope_of_others;
            for (std::size_t i = 0; i < count && slope <= 0; ++i) {
                const double share = missed(i);
                slope += share / (odds + 1 - share);
            }
            return slope > 0;
        };
        double low = 1e-9;
        double high = 30;
        while (high > low * (1 + 1e-4)) {
            const double middle = std::sqrt(low * high);
            (rises(middle) ? low : high) = middle;
        }
        return low;
    }

    /// The most likely evidence of a rule that is not in the set.
    double fitted(const Candidate& rule) const {
        return most_likely(
            rule.having.size(), [&](std::size_t i) { return missed_[rule.having[i]]; },
            rule.others);
    }

    void set(Candidate& rule, double evidence_now) {
        const double factor = std::exp(rule.evidence - evidence_now);
        for (const std::uint32_t e : rule.having)
            missed_[e] *= factor;
        rule.evidence = evidence_now;
    }

    void fit_otherwise() {
        const double before = std::exp(otherwise_);
        const double now = most_likely(
            missed_.size(), [&](std::size_t i) { return std::min(missed_[i] * before, 1.0); },
            others_);
        for (double& missed : missed_)
            missed *= std::exp(otherwise_ - now);
        otherwise_ = now;
    }

    double smoothing_;
    double others_ = 0;     // objects without the name
    double frequency_ = 0;  // of the name among all objects
    double otherwise_ = 0;
    std::vector<double> missed_;  // [object of the name]: the probability that no reason holds
    std::vector<Candidate> candidates_;
    std::int64_t chosen_ = 0;
};

NameRules choose_rules(const Coverage& coverage, std::size_t t, std::uint32_t name,
                       const SceneRuleSettings& settings) {
    NameCost cost(coverage, t, settings);
    NameRules result;
    result.target = name;
    result.bits_without = cost.all_bits();
    const auto& candidates = cost.candidates();
    const std::vector<std::size_t> chosen =
        search::combine(cost, candidates.size(), {.lazy = true, .exchange = false});
    if (!chosen.empty())
        cost.fit();
    for (const std::size_t i : chosen)
        result.rules.push_back({coverage.bodies[candidates[i].body],
                                static_cast<std::int64_t>(candidates[i].having.size()),
                                coverage.covered[candidates[i].body],
                                probability(candidates[i].evidence)});
    result.bits = cost.all_bits();
    result.otherwise = probability(cost.otherwise());
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
