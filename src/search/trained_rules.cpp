// SPDX-License-Identifier: Apache-2.0

// Rules with confidences of what many targets have learned by training: of the clauses that their
// slots say in single images, those that name_cost.hpp chooses.

#include "hri/multitask.hpp"

#include "base/thread_pool.hpp"
#include "evaluate/bits/compiled_program.hpp"
#include "evaluate/neighbours.hpp"
#include "logic/unfold.hpp"
#include "search/confidence_text.hpp"
#include "search/name_cost.hpp"
#include "train/targets/image_programs.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <numeric>
#include <set>

namespace hri {

namespace {

constexpr std::size_t kMaxClauses = 200;        // of a target, to choose from
constexpr std::size_t kMaxImages = 10'000;      // to choose by
constexpr std::size_t kClausesAtATime = 4'000;  // a compiled one takes about 10 kB

/// A clause of a target, alone in its program.
struct Clause {
    std::size_t target = 0;  // its place
    Program program;
};

/// The clause over a vocabulary of its own; nothing where it calls what only the program defines.
std::optional<Program> alone(const Program& program, const Rule& rule) {
    Program one;
    one.target = one.vocabulary.intern(program.vocabulary[program.target]);
    const auto moved = [&](const Atom& atom) {
        return Atom{one.vocabulary.intern(program.vocabulary[atom.predicate]), atom.arguments};
    };
    one.rules.push_back({moved(rule.head), {}});
    for (const Atom& atom : rule.body) {
        const bool is_defined =
            std::any_of(program.rules.begin(), program.rules.end(),
                        [&](const Rule& other) { return other.head.predicate == atom.predicate; });
        if (is_defined)
            return {};
        one.rules.back().body.push_back(moved(atom));
    }
    return one;
}

/// The clauses that one target's slots say in images, the most frequent ones, and those of a
/// program.
std::vector<Program> clauses_of(const Multitask& learned, std::size_t t, const SceneSet& scenes,
                                const Program* more) {
    std::map<std::string, std::pair<int, Program>> found;  // [text]: in how many images
    const auto add = [&](const Program& program, int images) {
        for (const Rule& rule : logic::expanded_target_rules(program))
            if (std::optional<Program> clause = alone(program, rule)) {
                Program plain = simplified(std::move(*clause));
                if (plain.rules.size() != 1 || plain.rules[0].body.empty())
                    continue;
                auto& [count, kept] = found[to_text(plain)];
                count += images;
                kept = std::move(plain);
            }
    };
    for (const training::ImageProgram& one : training::image_programs(learned, t, scenes))
        add(one.program, one.images);
    if (more != nullptr)
        add(*more, static_cast<int>(kMaxImages));
    std::vector<std::pair<int, Program>> all;
    for (auto& [text, clause] : found)
        all.push_back(std::move(clause));
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    all.resize(std::min(all.size(), kMaxClauses));
    std::vector<Program> clauses;
    for (auto& [count, clause] : all)
        clauses.push_back(std::move(clause));
    return clauses;
}

/// Clauses made ready to run on images. One thread at a time may use it: copy it.
class RunClauses {
  public:
    RunClauses(const SceneSet& scenes, std::span<const Clause> clauses) : scenes_(&scenes) {
        for (const Clause& clause : clauses) {
            compiled_.emplace_back(clause.program, scenes.predicates());
            std::set<std::uint32_t> needed;
            for (const Atom& atom : clause.program.rules[0].body)
                needed.insert(number(clause.program.vocabulary[atom.predicate]));
            needed_.emplace_back(needed.begin(), needed.end());
        }
    }

    /// Calls visit(clause, truth of the objects) for those that may hold of an object of the image,
    /// where no object is known by the name `hidden`.
    template <class Visit>
    void each(std::size_t image, std::uint32_t hidden, Visit visit) {
        const Instance instance = scene_instance(*scenes_, image, hidden);
        for (std::size_t c = 0; c < compiled_.size(); ++c) {
            const bool is_possible =
                std::all_of(needed_[c].begin(), needed_[c].end(), [&](std::uint32_t p) {
                    return p < instance.facts.size() && !instance.facts[p].empty();
                });
            if (is_possible) {
                compiled_[c].evaluate(instance, kToFixpoint, truth_);
                visit(c, truth_);
            }
        }
    }

  private:
    std::uint32_t number(const PredicateSymbol& symbol) const {
        const auto& all = scenes_->predicates();
        return static_cast<std::uint32_t>(std::find(all.begin(), all.end(), symbol) - all.begin());
    }

    const SceneSet* scenes_;
    std::vector<evaluation::CompiledProgram> compiled_;
    std::vector<std::vector<std::uint32_t>> needed_;  // [clause]: predicates
    Truth truth_;
};

/// What clauses hold of the named objects of one image, each with its own name hidden.
struct ImageCoverage {
    std::vector<std::size_t> targets;                   // [object]
    std::vector<std::vector<std::uint32_t>> of_object;  // clauses
};

/// Adds what some clauses hold of; `first` is the number of the first one.
void cover(RunClauses& run, std::size_t first, const SceneSet& scenes, std::uint32_t image,
           ImageCoverage& result) {
    const Scene scene = scenes[image];
    for (std::size_t from = 0; from < scene.names.size();) {
        const std::uint32_t name = scene.names[from].predicate;
        std::size_t to = from;
        while (to < scene.names.size() && scene.names[to].predicate == name)
            ++to;
        run.each(image, name, [&](std::size_t clause, const Truth& truth) {
            for (std::size_t i = from; i < to; ++i)
                if (truth[scene.names[i].object] != 0)
                    result.of_object[i].push_back(static_cast<std::uint32_t>(first + clause));
        });
        from = to;
    }
}

search::BodyCoverage coverage_of(const SceneSet& scenes, const std::vector<Clause>& clauses,
                                 std::span<const std::uint32_t> targets, int threads) {
    const std::vector<std::size_t> place = evaluation::places_of(scenes, targets);
    const std::size_t stride = scenes.size() / kMaxImages + 1;
    std::vector<ImageCoverage> images((scenes.size() + stride - 1) / stride);
    for (std::size_t i = 0; i < images.size(); ++i) {
        for (const SceneLabel& label : scenes[i * stride].names)
            images[i].targets.push_back(place[label.predicate]);
        images[i].of_object.resize(images[i].targets.size());
    }
    for (std::size_t first = 0; first < clauses.size(); first += kClausesAtATime) {
        const std::span<const Clause> some =
            std::span(clauses).subspan(first, std::min(kClausesAtATime, clauses.size() - first));
        std::atomic<std::size_t> next{0};
        base::ThreadPool(threads).each(threads, [&](int) {
            RunClauses run(scenes, some);
            for (std::size_t i = next++; i < images.size(); i = next++)
                cover(run, first, scenes, static_cast<std::uint32_t>(i * stride), images[i]);
        });
    }
    search::BodyCoverage all;
    all.covered.assign(clauses.size(), 0);
    all.having.resize(targets.size());
    for (const Clause& clause : clauses)
        all.owner.push_back(clause.target);
    for (ImageCoverage& image : images)
        for (std::size_t o = 0; o < image.targets.size(); ++o) {
            if (image.targets[o] < targets.size())
                all.having[image.targets[o]].push_back(
                    static_cast<std::uint32_t>(all.of_object.size()));
            for (const std::uint32_t clause : image.of_object[o])
                ++all.covered[clause];
            all.of_object.push_back(std::move(image.of_object[o]));
        }
    return all;
}

/// The chosen clauses as one program, the most confident first.
ConfidentRules together(search::ChosenBodies chosen, const std::vector<Clause>& clauses,
                        const PredicateSymbol& target) {
    std::stable_sort(chosen.bodies.begin(), chosen.bodies.end(),
                     [](const auto& a, const auto& b) { return a.confidence > b.confidence; });
    ConfidentRules rules;
    rules.otherwise = chosen.otherwise;
    rules.program.target = rules.program.vocabulary.intern(target);
    if (chosen.bodies.empty()) {
        const Atom never{rules.program.target, {Term::variable(0)}};
        rules.program.rules.push_back({never, {never}});
        rules.program = simplified(rules.program);
    }
    for (const search::ChosenBody& one : chosen.bodies) {
        const Program& clause = clauses[one.body].program;
        Rule rule = clause.rules[0];
        const auto move = [&](Atom& atom) {
            atom.predicate = rules.program.vocabulary.intern(clause.vocabulary[atom.predicate]);
        };
        move(rule.head);
        std::for_each(rule.body.begin(), rule.body.end(), move);
        rules.program.rules.push_back(std::move(rule));
        rules.rules.push_back({one.correct, one.covered, one.confidence});
    }
    return rules;
}

}  // namespace

std::vector<ConfidentRules> extract_rules(const SceneSet& training, const Multitask& learned,
                                          const std::vector<Program>& more,
                                          const SceneRuleSettings& settings) {
    const int threads = std::max(settings.threads, 1);
    std::vector<std::uint32_t> targets;
    for (const TargetParameters& target : learned.targets)
        targets.push_back(target.target);
    std::vector<std::vector<Program>> found(targets.size());
    base::ThreadPool pool(threads);
    pool.each(static_cast<int>(targets.size()), [&](int i) {
        const auto t = static_cast<std::size_t>(i);
        found[t] = clauses_of(learned, t, training, more.empty() ? nullptr : &more[t]);
    });
    std::vector<Clause> clauses;
    for (std::size_t t = 0; t < targets.size(); ++t)
        for (Program& program : found[t])
            clauses.push_back({t, std::move(program)});
    const search::BodyCoverage coverage = coverage_of(training, clauses, targets, threads);
    std::vector<ConfidentRules> rules(targets.size());
    pool.each(static_cast<int>(targets.size()), [&](int i) {
        const auto t = static_cast<std::size_t>(i);
        rules[t] = together(search::choose_bodies(coverage, t, settings), clauses,
                            learned.predicates[targets[t]]);
    });
    return rules;
}

SceneScores confidence_scores(const SceneSet& scenes, std::span<const std::uint32_t> targets,
                              const std::vector<ConfidentRules>& rules) {
    std::vector<Clause> clauses;
    std::vector<double> evidence;
    std::vector<double> otherwise;
    for (std::size_t t = 0; t < rules.size(); ++t) {
        otherwise.push_back(search::evidence(rules[t].otherwise));
        for (std::size_t r = 0; r < rules[t].rules.size(); ++r) {
            clauses.push_back({t, *alone(rules[t].program, rules[t].program.rules[r])});
            evidence.push_back(search::evidence(rules[t].rules[r].confidence));
        }
    }
    const auto run = std::make_shared<RunClauses>(scenes, clauses);
    std::vector<std::size_t> owner;
    for (const Clause& clause : clauses)
        owner.push_back(clause.target);
    const std::vector<std::uint32_t> own(targets.begin(), targets.end());
    return [=, &scenes](std::size_t image, std::uint32_t hidden, std::span<float> scores) {
        const auto n = static_cast<std::size_t>(scenes[image].objects);
        for (std::size_t t = 0; t < own.size(); ++t)
            std::fill_n(scores.begin() + static_cast<std::ptrdiff_t>(t * n), n,
                        static_cast<float>(otherwise[t]));
        const auto add = [&](std::size_t clause, const Truth& truth) {
            for (std::size_t object = 0; object < n; ++object)
                if (truth[object] != 0)
                    scores[owner[clause] * n + object] += static_cast<float>(evidence[clause]);
        };
        // a target's own name is in none of its rules
        run->each(image, hidden, add);
    };
}

std::string to_prolog(const ConfidentRules& rules) {
    return search::with_confidences(rules.program, rules.otherwise, rules.rules);
}

}  // namespace hri
