// SPDX-License-Identifier: Apache-2.0
#include "search/covering.hpp"

#include "hri/evaluate.hpp"
#include "hri/random.hpp"

#include "search/facts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace hri::search {

namespace {

// Around an example, the nearest ones. Where constants have many neighbours, many atoms take too
// long to match, and few are enough.
constexpr std::size_t kMaxAtoms = 60;
constexpr std::size_t kFewAtoms = 15;
constexpr int kBegun = 100;  // rules that are begun for each that stays
constexpr std::size_t kMaxRules = 10;
constexpr int kMinCovered = 2;                   // examples: a rule of one would be a list
constexpr int kMaxTries = 20'000;                // of one match: harder ones are given up
constexpr std::int64_t kMaxSteps = 100'000'000;  // of all matches together; tolerant: of a rule
constexpr std::size_t kWeighedOn = 1'000;        // examples of each kind, drawn at random

struct Example {
    int instance = 0;
    int first = 0;
    int second = 0;
};

class Covering {
  public:
    Covering(const std::vector<PredicateSymbol>& inputs, const PredicateSymbol& target,
             const std::vector<Instance>& instances, const std::vector<Instance>& others,
             std::uint64_t seed, const std::function<bool()>& stop)
        : inputs_(inputs), target_(target), stop_(stop), random_(seed, Random::kSearch) {
        for (const Instance& instance : instances)
            add(instance, true);
        for (const Instance& instance : others)
            add(instance, false);
    }

    Program run() {
        Program program = empty();
        while (!open_.empty() && program.rules.size() < kMaxRules && !is_over()) {
            Body best;
            std::vector<Example> best_left = open_;
            for (int begun = 0; begun < kBegun && !is_over(); ++begun) {
                const Body body = make_rule();
                std::vector<Example> left = uncovered(open_, body);
                if (body.empty() || is_over())
                    continue;
                if (left.size() < best_left.size() ||
                    (left.size() == best_left.size() && body.size() < best.size())) {
                    best = body;
                    best_left = std::move(left);
                }
            }
            if (open_.size() < best_left.size() + kMinCovered)
                break;
            program.rules.push_back(rule_of(best, program));
            open_ = std::move(best_left);
        }
        return program;
    }

    Program run_tolerant() {
        score_.positives = score_.false_negatives = static_cast<std::int64_t>(open_.size());
        score_.negatives = static_cast<std::int64_t>(negatives_.size());
        Program program = empty();
        while (!open_.empty() && program.rules.size() < kMaxRules && !is_over()) {
            const Weighed best = best_rule();
            steps_ = 0;
            if (best.saved <= 0)
                break;
            program.rules.push_back(rule_of(best.body, program));
            open_ = uncovered(open_, best.body);
            negatives_ = uncovered(negatives_, best.body);
            score_.false_negatives = static_cast<std::int64_t>(open_.size());
            score_.false_positives =
                score_.negatives - static_cast<std::int64_t>(negatives_.size());
        }
        return program;
    }

  private:
    /// A rule's body, and the bits that it saves beside the rules there are.
    struct Weighed {
        Body body;
        double saved = -std::numeric_limits<double>::infinity();
    };

    void add(const Instance& instance, bool positives) {
        const int n = instance.constants;
        for (int atom = 0; atom < static_cast<int>(instance.labels.size()); ++atom) {
            const Label label = instance.labels[static_cast<std::size_t>(atom)];
            const Example example{static_cast<int>(facts_.size()),
                                  target_.arity == 2 ? atom / n : atom, atom % n};
            if (label == Label::positive && positives)
                open_.push_back(example);
            else if (label == Label::negative)
                negatives_.push_back(example);
        }
        facts_.emplace_back(instance, inputs_);
    }

    bool is_over() { return steps_ > kMaxSteps || (stop_ && stop_()); }

    const Example& any(const std::vector<Example>& of) {
        return of[static_cast<std::size_t>(random_.below(static_cast<int>(of.size())))];
    }

    Program empty() const {
        Program program;
        program.target = program.vocabulary.intern(target_);
        return program;
    }

    std::vector<Example> uncovered(const std::vector<Example>& examples, const Body& body) {
        std::vector<Example> left;
        std::copy_if(examples.begin(), examples.end(), std::back_inserter(left),
                     [&](const Example& e) { return !covers(body, e, false); });
        return left;
    }

    /// The rule that saves most, among many begun at examples that none covers yet.
    Weighed best_rule() {
        random_.shuffle(open_);
        random_.shuffle(negatives_);
        Weighed best;
        for (int begun = 0; begun < kBegun && !is_over(); ++begun) {
            const Body all = around(any(open_), kFewAtoms);
            Weighed now = weighed(all);
            // until no atom alone, dropped or taken back, saves anything
            for (bool better = true; better && !is_over();) {
                better = false;
                std::vector<Literal> order = all;
                random_.shuffle(order);
                for (const Literal& literal : order) {
                    Weighed other = weighed(connected(toggled(now.body, literal)));
                    if (other.saved > now.saved) {
                        now = std::move(other);
                        better = true;
                    }
                }
            }
            if (now.saved > best.saved)
                best = std::move(now);
        }
        return best;
    }

    static Body toggled(Body body, const Literal& literal) {
        if (std::erase(body, literal) == 0)
            body.push_back(literal);
        return body;
    }

    Weighed weighed(Body body) {
        if (body.empty())
            return {};
        // an estimate from the first ones, where there are many
        const auto covered = [&](const std::vector<Example>& examples) {
            const std::size_t some = std::min(examples.size(), kWeighedOn);
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
        after.false_positives += covered(negatives_);
        Program program = empty();
        program.rules.push_back(rule_of(body, program));
        const double saved = error_bits(score_) - error_bits(after) -
                             program_bits(program, static_cast<int>(inputs_.size()));
        return {std::move(body), saved};
    }

    /// Nothing where even all that holds around the example holds around a negative one.
    Body make_rule() {
        Body body = around(any(open_), random_.chance(0.5) ? kMaxAtoms : kFewAtoms);
        // what another example has too, which is often of the same rule
        if (open_.size() > 1)
            if (const Body common = shared(body, any(open_)); excludes_negatives(common))
                body = common;
        if (!excludes_negatives(body))
            return {};
        std::vector<Literal> order = body;
        random_.shuffle(order);
        for (const Literal& dropped : order) {
            if (std::find(body.begin(), body.end(), dropped) == body.end())
                continue;
            Body fewer = body;
            fewer.erase(std::find(fewer.begin(), fewer.end(), dropped));
            fewer = connected(fewer);
            if (excludes_negatives(fewer))
                body = std::move(fewer);
        }
        return body;
    }

    /// The nearest facts as literals over variables: 0 (and 1) are the target's arguments.
    Body around(const Example& seed, std::size_t most) {
        const Facts& facts = facts_[static_cast<std::size_t>(seed.instance)];
        std::map<int, int> variables = {{seed.first, 0}};
        if (target_.arity == 2)
            variables.emplace(seed.second, 1);  // p(X,X): one variable for both
        Body body;
        std::set<Literal> taken;
        for (bool grown = true; grown && body.size() < most;) {
            grown = false;
            Body near;
            std::copy_if(
                facts.literals.begin(), facts.literals.end(), std::back_inserter(near),
                [&](const Literal& literal) {
                    return variables.count(literal.first) + variables.count(literal.second) > 0 &&
                           taken.insert(literal).second;
                });
            if (body.size() + near.size() > most) {
                random_.shuffle(near);
                near.resize(most - body.size());
            }
            for (const Literal& literal : near) {
                const auto variable = [&](int constant) {
                    return variables
                        .emplace(constant, static_cast<int>(variables.size()) + target_.arity)
                        .first->second;
                };
                const int first = variable(literal.first);
                body.push_back({literal.input, first, variable(literal.second)});
                grown = true;
            }
        }
        return connected(std::move(body));
    }

    /// The literals that the head's variables reach, in an order in which each meets one before it,
    /// and those without a new variable come as soon as they can.
    Body connected(Body body) const {
        std::set<int> reached = {0, target_.arity - 1};
        const auto known = [&](const Literal& literal) {
            return reached.count(literal.first) + reached.count(literal.second);
        };
        auto end = body.begin();
        while (end != body.end()) {
            auto next =
                std::find_if(end, body.end(), [&](const Literal& l) { return known(l) == 2; });
            if (next == body.end())
                next =
                    std::find_if(end, body.end(), [&](const Literal& l) { return known(l) == 1; });
            if (next == body.end())
                break;
            reached.insert(next->first);
            reached.insert(next->second);
            std::rotate(end, next, next + 1);
            ++end;
        }
        body.erase(end, body.end());
        return body;
    }

    /// The literals, one after the other, with which the example is still covered.
    Body shared(const Body& body, const Example& example) {
        Body result;
        for (const Literal& literal : body) {
            Body more = result;
            more.push_back(literal);
            if (connected(more).size() == more.size() && covers(more, example, false))
                result = std::move(more);
        }
        return result;
    }

    /// The negative example that told last is asked first.
    bool excludes_negatives(const Body& body) {
        for (std::size_t i = 0; i < negatives_.size(); ++i) {
            if (covers(body, negatives_[i], true)) {
                std::swap(negatives_[i], negatives_[i / 2]);
                return false;
            }
        }
        return true;
    }

    /// What is too hard to say is `otherwise`.
    bool covers(const Body& body, const Example& example, bool otherwise) {
        values_.assign(2 * kMaxAtoms + 2, -1);
        values_[0] = example.first;
        if (target_.arity == 2)
            values_[1] = example.second;
        tries_ = 0;
        const bool found = solve(body, 0, facts_[static_cast<std::size_t>(example.instance)]);
        steps_ += tries_;
        return tries_ > kMaxTries ? otherwise : found;
    }

    bool solve(const Body& body, std::size_t at, const Facts& facts) {
        if (at == body.size())
            return true;
        if (++tries_ > kMaxTries)
            return false;
        const Literal& literal = body[at];
        const int first = values_[static_cast<std::size_t>(literal.first)];
        const int second = values_[static_cast<std::size_t>(literal.second)];
        if (first >= 0 && second >= 0)
            return facts.holds(literal.input, first, second) && solve(body, at + 1, facts);
        const int free = first < 0 ? literal.first : literal.second;
        for (const int value :
             first < 0 ? facts.back(literal.input, second) : facts.ahead(literal.input, first)) {
            values_[static_cast<std::size_t>(free)] = value;
            if (solve(body, at + 1, facts))
                return true;
        }
        values_[static_cast<std::size_t>(free)] = -1;
        return false;
    }

    Rule rule_of(const Body& body, Program& program) const {
        std::map<int, int> variables;
        for (int i = 0; i < target_.arity; ++i)
            variables.emplace(i, i);
        const auto term = [&](int variable) {
            return Term::variable(
                variables.emplace(variable, static_cast<int>(variables.size())).first->second);
        };
        Rule rule{{program.target, {}}, {}};
        for (int i = 0; i < target_.arity; ++i)
            rule.head.arguments.push_back(Term::variable(i));
        for (const Literal& literal : body) {
            const PredicateSymbol& symbol = inputs_[static_cast<std::size_t>(literal.input)];
            Atom atom{program.vocabulary.intern(symbol), {term(literal.first)}};
            if (symbol.arity == 2)
                atom.arguments.push_back(term(literal.second));
            rule.body.push_back(std::move(atom));
        }
        return rule;
    }

    const std::vector<PredicateSymbol>& inputs_;
    const PredicateSymbol& target_;
    const std::function<bool()>& stop_;
    Random random_;
    std::vector<Facts> facts_;
    std::vector<Example> open_;  // positive ones that no rule covers yet
    std::vector<Example> negatives_;
    Score score_;              // of the tolerant rules so far
    std::vector<int> values_;  // of variables, while matching
    int tries_ = 0;            // of the match under way
    std::int64_t steps_ = 0;
};

}  // namespace

Program learn_by_covering(const std::vector<PredicateSymbol>& inputs, const PredicateSymbol& target,
                          const std::vector<Instance>& instances,
                          const std::vector<Instance>& others, std::uint64_t seed,
                          const std::function<bool()>& stop) {
    return Covering(inputs, target, instances, others, seed, stop).run();
}

Program learn_by_tolerant_covering(const std::vector<PredicateSymbol>& inputs,
                                   const PredicateSymbol& target,
                                   const std::vector<Instance>& instances, std::uint64_t seed,
                                   const std::function<bool()>& stop) {
    return Covering(inputs, target, instances, {}, seed, stop).run_tolerant();
}

}  // namespace hri::search
