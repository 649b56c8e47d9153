// SPDX-License-Identifier: Apache-2.0
#include "hri/random.hpp"

#include "search/clause_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

namespace hri::search {

namespace {

using evaluation::Clause;
using evaluation::Example;
using evaluation::Literal;

// Around an example, the nearest ones. Where constants have many neighbours, many atoms take too
// long to match, and few are enough.
constexpr std::size_t kMaxAtoms = 60;
constexpr std::size_t kFewAtoms = 15;
constexpr int kBegun = 100;  // rules that are begun for each that stays
constexpr std::size_t kMaxRules = 10;
constexpr std::int64_t kMaxTries = 20'000;       // of one match: harder ones are given up
constexpr std::int64_t kMaxSteps = 100'000'000;  // of all matches together; tolerant: of a rule
constexpr std::size_t kWeighedOn = 1'000;        // examples of each kind, drawn at random

class Covering {
  public:
    Covering(const ClauseTask& task, const ClauseObjective& objective, std::uint64_t seed,
             const std::function<bool()>& stop)
        : task_(task),
          objective_(objective),
          stop_(stop),
          random_(seed, Random::kSearch),
          facts_(*task.atoms.facts),
          arity_(task.atoms.target.arity),
          matcher_(facts_, arity_, 2 * kMaxAtoms + 2, kMaxTries) {
        for (std::size_t e = 0; e < task.atoms.examples.size(); ++e)
            ((task.atoms.positive[e / 64] >> (e % 64) & 1U) != 0 ? open_ : negatives_)
                .push_back(task.atoms.examples[e]);
        score_.positives = score_.false_negatives = static_cast<std::int64_t>(open_.size());
        score_.negatives = static_cast<std::int64_t>(negatives_.size());
    }

    Program run() {
        std::vector<Clause> clauses;
        while (!open_.empty() && clauses.size() < kMaxRules && !is_over()) {
            const Weighed best = best_rule();
            if (best.gain <= objective_.min_gain)
                break;
            clauses.push_back(best.body);
            take(best.body);
        }
        return program_of(task_, clauses);
    }

  private:
    /// A rule's body, and what it saves beside the rules there are.
    struct Weighed {
        Clause body;
        double gain = -std::numeric_limits<double>::infinity();
    };

    /// The best of many begun at examples that none covers yet.
    Weighed best_rule() {
        if (!objective_.exact) {
            random_.shuffle(open_);
            random_.shuffle(negatives_);
        }
        Weighed best;
        for (int begun = 0; begun < kBegun && !is_over(); ++begun) {
            Weighed now = objective_.exact ? generalised() : climbed();
            if (now.gain > best.gain && (!objective_.exact || !is_over()))
                best = std::move(now);
        }
        return best;
    }

    void take(const Clause& body) {
        const std::int64_t before = steps_;
        if (!objective_.exact)  // the limit is that of a rule
            steps_ = 0;
        open_ = uncovered(open_, body);
        score_.false_negatives = static_cast<std::int64_t>(open_.size());
        if (objective_.exact) {
            steps_ = before;
            return;
        }
        negatives_ = uncovered(negatives_, body);
        score_.false_positives = score_.negatives - static_cast<std::int64_t>(negatives_.size());
    }

    bool is_over() { return steps_ > kMaxSteps || (stop_ && stop_()); }

    const Example& any(const std::vector<Example>& of) {
        return of[static_cast<std::size_t>(random_.below(static_cast<int>(of.size())))];
    }

    std::vector<Example> uncovered(const std::vector<Example>& examples, const Clause& body) {
        std::vector<Example> left;
        std::copy_if(examples.begin(), examples.end(), std::back_inserter(left),
                     [&](const Example& e) { return !covers(body, e, false); });
        return left;
    }

    /// Literals of the bottom clause are dropped and taken back, until none alone saves anything.
    Weighed climbed() {
        const Clause all = around(any(open_), kFewAtoms);
        Weighed now = weighed(all);
        for (bool better = true; better && !is_over();) {
            better = false;
            Clause order = all;
            random_.shuffle(order);
            for (const Literal& literal : order) {
                Weighed other = weighed(connected(toggled(now.body, literal), arity_));
                if (other.gain > now.gain) {
                    now = std::move(other);
                    better = true;
                }
            }
        }
        return now;
    }

    /// Literals of the bottom clause are dropped as long as no negative example is covered.
    Weighed generalised() { return weighed(excluding_negatives()); }

    static Clause toggled(Clause body, const Literal& literal) {
        if (std::erase(body, literal) == 0)
            body.push_back(literal);
        return body;
    }

    Weighed weighed(Clause body) {
        if (body.empty())
            return {};
        // an estimate from the first ones, where there are many
        const auto covered = [&](const std::vector<Example>& examples) {
            const std::size_t some =
                objective_.exact ? examples.size() : std::min(examples.size(), kWeighedOn);
            const auto count = std::count_if(
                examples.begin(), examples.begin() + static_cast<std::ptrdiff_t>(some),
                [&](const Example& e) { return covers(body, e, false); });
            return some == 0 ? 0
                             : std::llround(static_cast<double>(count) *
                                            static_cast<double>(examples.size()) /
                                            static_cast<double>(some));
        };
        Score after = score_;
        after.false_negatives -= covered(open_);
        if (!objective_.exact)  // the others cover no negative example
            after.false_positives += covered(negatives_);
        const double gain = objective_.errors(score_) - objective_.errors(after) -
                            objective_.rules(program_of(task_, {body}));
        return {std::move(body), gain};
    }

    /// Nothing where even all that holds around the example holds around a negative one.
    Clause excluding_negatives() {
        Clause body = around(any(open_), random_.chance(0.5) ? kMaxAtoms : kFewAtoms);
        // what another example has too, which is often of the same rule
        if (open_.size() > 1)
            if (const Clause common = shared(body, any(open_)); excludes_negatives(common))
                body = common;
        if (!excludes_negatives(body))
            return {};
        Clause order = body;
        random_.shuffle(order);
        for (const Literal& dropped : order) {
            if (std::find(body.begin(), body.end(), dropped) == body.end())
                continue;
            Clause fewer = body;
            fewer.erase(std::find(fewer.begin(), fewer.end(), dropped));
            fewer = connected(fewer, arity_);
            if (excludes_negatives(fewer))
                body = std::move(fewer);
        }
        return body;
    }

    /// The nearest facts as literals over variables: 0 (and 1) are the target's arguments.
    Clause around(const Example& seed, std::size_t most) {
        const Clause facts = facts_.literals(seed.instance);
        std::map<int, int> variables = {{seed.first, 0}};
        if (arity_ == 2)
            variables.emplace(seed.second, 1);  // p(X,X): one variable for both
        Clause body;
        std::set<Literal> taken;
        for (bool grown = true; grown && body.size() < most;) {
            grown = false;
            Clause near;
            std::copy_if(
                facts.begin(), facts.end(), std::back_inserter(near), [&](const Literal& literal) {
                    return variables.count(literal.first) + variables.count(literal.second) > 0 &&
                           taken.insert(literal).second;
                });
            if (body.size() + near.size() > most) {
                random_.shuffle(near);
                near.resize(most - body.size());
            }
            for (const Literal& literal : near) {
                const auto variable = [&](int constant) {
                    return variables.emplace(constant, static_cast<int>(variables.size()) + arity_)
                        .first->second;
                };
                const int first = variable(literal.first);
                body.push_back({literal.predicate, first, variable(literal.second)});
                grown = true;
            }
        }
        return connected(std::move(body), arity_);
    }

    /// The literals, one after the other, with which the example is still covered.
    Clause shared(const Clause& body, const Example& example) {
        Clause result;
        for (const Literal& literal : body) {
            Clause more = result;
            more.push_back(literal);
            if (connected(more, arity_).size() == more.size() && covers(more, example, false))
                result = std::move(more);
        }
        return result;
    }

    /// The negative example that told last is asked first.
    bool excludes_negatives(const Clause& body) {
        for (std::size_t i = 0; i < negatives_.size(); ++i) {
            if (covers(body, negatives_[i], true)) {
                std::swap(negatives_[i], negatives_[i / 2]);
                return false;
            }
        }
        return true;
    }

    /// What is too hard to say is `otherwise`.
    bool covers(const Clause& body, const Example& example, bool otherwise) {
        const std::optional<bool> found = matcher_.covers(body, example);
        steps_ += matcher_.steps();
        return found.value_or(otherwise);
    }

    const ClauseTask& task_;
    const ClauseObjective& objective_;
    const std::function<bool()>& stop_;
    Random random_;
    const evaluation::FactIndex& facts_;
    int arity_;  // of the target
    evaluation::Matcher matcher_;
    std::vector<Example> open_;  // positive ones that no rule covers yet
    std::vector<Example> negatives_;
    Score score_;  // of the rules so far
    std::int64_t steps_ = 0;
};

}  // namespace

Program cover(const ClauseTask& task, const ClauseObjective& objective, std::uint64_t seed,
              const std::function<bool()>& stop) {
    return Covering(task, objective, seed, stop).run();
}

}  // namespace hri::search
