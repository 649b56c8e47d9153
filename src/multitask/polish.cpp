// SPDX-License-Identifier: Apache-2.0

// The argmax program of a target, changed by one atom at a time as long as that makes the shortest
// description shorter: bits for the program, and for what it gets wrong on training images. A slot
// that matches several predicates, each in the images that have it, is a disjunction to the soft
// model; its argmax names one of them, and the others come back here as copies of a clause.

#include "hri/multitask.hpp"
#include "hri/random.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <map>
#include <set>
#include <thread>

namespace hri {

namespace {

constexpr std::size_t kMostClauses = 12;  // of the program that is begun with
constexpr std::size_t kMostAtoms = 5;     // of a clause
constexpr int kMostVariables = 16;
constexpr int kMostChanges = 30;
constexpr double kLeastShare = 0.02;  // of the images with the target, for a predicate to be tried

/// An atom over the predicates of the scenes; variable 0 is the head's.
struct SceneAtom {
    std::uint32_t predicate;
    int first;
    int second;  // -1: unary
    auto operator<=>(const SceneAtom&) const = default;
};

using Clause = std::vector<SceneAtom>;
using Bits = std::vector<std::uint64_t>;

/// All objects of some images in one row, and which images have which predicate.
class Evidence {
  public:
    Evidence(const SceneSet& scenes, const PolishSettings& settings) : scenes_(scenes) {
        std::vector<std::uint32_t> images;
        for (std::size_t i = 0; i < scenes.size(); ++i)
            if (scenes[i].objects > 0 && scenes[i].objects <= settings.most_objects)
                images.push_back(static_cast<std::uint32_t>(i));
        Random random(settings.seed, Random::kData);
        random.shuffle(images);
        if (images.size() > settings.most_images)
            images.resize(settings.most_images);
        std::sort(images.begin(), images.end());
        with_.resize(scenes.predicates().size());
        for (const std::uint32_t image : images) {
            const Scene scene = scenes[image];
            const auto number = static_cast<std::uint32_t>(scenes_at_.size());
            const auto note = [&](std::uint32_t p) {
                if (with_[p].empty() || with_[p].back() != number)
                    with_[p].push_back(number);
            };
            for (const SceneName& name : scene.names)
                note(name.predicate);
            for (const SceneRelation& relation : scene.relations)
                note(relation.predicate);
            scenes_at_.push_back({image, objects_});
            objects_ += static_cast<std::size_t>(scene.objects);
        }
    }

    std::size_t objects() const { return objects_; }

    const std::vector<std::uint32_t>& with(std::uint32_t p) const { return with_[p]; }

    Bits none() const { return Bits((objects_ + 63) / 64, 0); }

    Bits labelled(std::uint32_t target) const { return covered({{target, 0, -1}}); }

    /// The objects that the clause holds of.
    Bits covered(const Clause& clause) const {
        Bits bits = none();
        for (const std::uint32_t number : images_of(clause)) {
            const Scene scene = scenes_[scenes_at_[number].image];
            int binding[kMostVariables];
            std::fill(std::begin(binding), std::end(binding), -1);
            match(scene, clause, 0, binding, scenes_at_[number].first, bits);
        }
        return bits;
    }

  private:
    struct Place {
        std::uint32_t image;
        std::size_t first;  // object
    };

    /// Images that have all its predicates.
    std::vector<std::uint32_t> images_of(const Clause& clause) const {
        std::vector<std::uint32_t> images = with_[clause.front().predicate];
        for (const SceneAtom& atom : clause) {
            std::vector<std::uint32_t> both;
            std::set_intersection(images.begin(), images.end(), with_[atom.predicate].begin(),
                                  with_[atom.predicate].end(), std::back_inserter(both));
            images = std::move(both);
        }
        return images;
    }

    static bool bind(int* binding, int variable, std::uint32_t object) {
        if (binding[variable] >= 0)
            return binding[variable] == static_cast<int>(object);
        binding[variable] = static_cast<int>(object);
        return true;
    }

    static void match(const Scene& scene, const Clause& clause, std::size_t i, int* binding,
                      std::size_t first, Bits& bits) {
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
            for (const SceneName& name : scene.names)
                if (name.predicate == atom.predicate)
                    go_on(name.object, 0);
        } else {
            for (const SceneRelation& relation : scene.relations)
                if (relation.predicate == atom.predicate)
                    go_on(relation.subject, relation.object);
        }
    }

    static void set(Bits& bits, std::size_t i) { bits[i / 64] |= std::uint64_t{1} << (i % 64); }

    const SceneSet& scenes_;
    std::vector<Place> scenes_at_;
    std::vector<std::vector<std::uint32_t>> with_;  // [predicate]: numbers of images
    std::size_t objects_ = 0;
};

/// The clauses of a program's target, with its other predicates' rules put in their places.
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
    while (!open.empty() && done.size() < kMostClauses) {
        const auto [rule, count] = open.back();
        open.pop_back();
        const auto call = std::find_if(rule.body.begin(), rule.body.end(), [&](const Atom& atom) {
            return inputs.count(program.vocabulary[atom.predicate]) == 0 ||
                   atom.predicate == program.target;
        });
        if (rule.body.size() > kMostAtoms || count > kMostVariables)
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

class Polishing {
  public:
    Polishing(const SceneSet& scenes, const Evidence& evidence, std::uint32_t target)
        : scenes_(scenes),
          evidence_(evidence),
          target_(target),
          labels_(evidence.labelled(target)) {
        const std::vector<std::uint32_t>& with_target = evidence.with(target);
        for (std::size_t p = 0; p < scenes.predicates().size(); ++p) {
            const auto id = static_cast<std::uint32_t>(p);
            if (id == target)
                continue;
            std::vector<std::uint32_t> both;
            std::set_intersection(with_target.begin(), with_target.end(), evidence.with(id).begin(),
                                  evidence.with(id).end(), std::back_inserter(both));
            if (static_cast<double>(both.size()) >
                kLeastShare * static_cast<double>(with_target.size()))
                (scenes.predicates()[p].arity == 1 ? names_ : relations_).push_back(id);
        }
    }

    void start(const std::vector<Clause>& clauses) {
        for (const Clause& clause : clauses)
            program_.push_back({clause, evidence_.covered(clause)});
        bits_ = bits_of(program_);
    }

    /// The best single change, until none helps.
    void run() {
        for (int i = 0; i < kMostChanges && change(); ++i) {
        }
    }

    double bits() const { return bits_; }

    Program program() const {
        Program program;
        program.target = program.vocabulary.intern(scenes_.predicates()[target_]);
        for (const Covering& covering : program_)
            program.rules.push_back(rule_of(covering.clause, program));
        if (program.rules.empty()) {
            const Atom never{program.target, {Term::variable(0)}};
            program.rules.push_back({never, {never}});
        }
        return simplified(program);
    }

  private:
    struct Covering {
        Clause clause;
        Bits bits;
    };

    Rule rule_of(const Clause& clause, Program& program) const {
        Rule rule{{program.target, {Term::variable(0)}}, {}};
        for (const SceneAtom& atom : clause) {
            Atom to{program.vocabulary.intern(scenes_.predicates()[atom.predicate]),
                    {Term::variable(atom.first)}};
            if (atom.second >= 0)
                to.arguments.push_back(Term::variable(atom.second));
            rule.body.push_back(std::move(to));
        }
        return rule;
    }

    double bits_of(const std::vector<Covering>& coverings) const {
        Score score;
        Program program;
        program.target = program.vocabulary.intern(scenes_.predicates()[target_]);
        Bits covered = evidence_.none();
        for (const Covering& covering : coverings) {
            for (std::size_t w = 0; w < covered.size(); ++w)
                covered[w] |= covering.bits[w];
            program.rules.push_back(rule_of(covering.clause, program));
        }
        for (std::size_t w = 0; w < covered.size(); ++w) {
            score.positives += std::popcount(labels_[w]);
            score.false_positives += std::popcount(covered[w] & ~labels_[w]);
            score.false_negatives += std::popcount(labels_[w] & ~covered[w]);
        }
        score.negatives = static_cast<std::int64_t>(evidence_.objects()) - score.positives;
        return program_bits(program, static_cast<int>(scenes_.predicates().size()) - 1) +
               error_bits(score);
    }

    bool change() {
        std::vector<Covering> best;
        double best_bits = bits_;
        const auto offer = [&](std::vector<Covering> candidate) {
            const double bits = bits_of(candidate);
            if (bits < best_bits - 1e-9) {
                best_bits = bits;
                best = std::move(candidate);
            }
        };
        std::set<Clause> tried;
        // A new clause in the place of an old one, and beside it; old < 0: beside all.
        const auto offer_clause = [&](int old, Clause clause) {
            if (clause.size() > kMostAtoms)
                return;
            const Covering fresh{clause, evidence_.covered(clause)};
            if (old >= 0) {
                std::vector<Covering> changed = program_;
                changed[static_cast<std::size_t>(old)] = fresh;
                offer(std::move(changed));
            }
            if (tried.insert(std::move(clause)).second) {
                std::vector<Covering> more = program_;
                more.push_back(fresh);
                offer(std::move(more));
            }
        };
        for (const std::uint32_t p : relations_) {
            offer_clause(-1, {{p, 0, 1}});
            offer_clause(-1, {{p, 1, 0}});
        }
        for (std::size_t i = 0; i < program_.size(); ++i) {
            std::vector<Covering> fewer = program_;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
            offer(std::move(fewer));
            const Clause& clause = program_[i].clause;
            int variables = 0;
            for (std::size_t a = 0; a < clause.size(); ++a) {
                variables = std::max({variables, clause[a].first + 1, clause[a].second + 1});
                if (clause.size() > 1) {
                    Clause shorter = clause;
                    shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(a));
                    offer_clause(static_cast<int>(i), std::move(shorter));
                }
                for (const std::uint32_t p : clause[a].second < 0 ? names_ : relations_) {
                    Clause other = clause;
                    other[a].predicate = p;
                    if (p != clause[a].predicate)
                        offer_clause(static_cast<int>(i), other);
                    if (clause[a].second < 0)
                        continue;
                    std::swap(other[a].first, other[a].second);
                    offer_clause(static_cast<int>(i), std::move(other));
                }
            }
            for (int v = 0; v < variables; ++v)
                for (const std::uint32_t p : names_) {
                    Clause longer = clause;
                    longer.push_back({p, v, -1});
                    offer_clause(static_cast<int>(i), std::move(longer));
                }
            if (variables < kMostVariables)
                for (int v = 0; v < variables; ++v)
                    for (const std::uint32_t p : relations_)
                        for (const bool turned : {false, true}) {
                            Clause longer = clause;
                            longer.push_back(turned ? SceneAtom{p, variables, v}
                                                    : SceneAtom{p, v, variables});
                            offer_clause(static_cast<int>(i), std::move(longer));
                        }
        }
        if (best_bits >= bits_)  // a clause whose relation alone holds too often
            for (const std::uint32_t p : relations_)
                for (const std::uint32_t name : names_) {
                    offer_clause(-1, {{p, 0, 1}, {name, 1, -1}});
                    offer_clause(-1, {{p, 1, 0}, {name, 1, -1}});
                }
        if (best_bits >= bits_)
            return false;
        program_ = std::move(best);
        bits_ = best_bits;
        return true;
    }

    const SceneSet& scenes_;
    const Evidence& evidence_;
    std::uint32_t target_;
    Bits labels_;
    std::vector<std::uint32_t> names_, relations_;  // that are tried
    std::vector<Covering> program_;
    double bits_ = 0;
};

}  // namespace

std::vector<Polished> polish(const SceneSet& scenes, const Multitask& learned,
                             const PolishSettings& settings) {
    const Evidence evidence(scenes, settings);
    std::vector<Polished> results(learned.targets.size());
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t t = next++; t < results.size(); t = next++) {
            Polishing polishing(scenes, evidence, learned.targets[t].target);
            polishing.start(clauses_of(extract(learned, t, scenes), scenes));
            results[t].bits_before = polishing.bits();
            polishing.run();
            results[t].bits = polishing.bits();
            results[t].program = polishing.program();
        }
    };
    {
        std::vector<std::jthread> workers;
        for (int i = 1; i < std::min(settings.threads, static_cast<int>(results.size())); ++i)
            workers.emplace_back(work);
        work();
    }
    return results;
}

}  // namespace hri
