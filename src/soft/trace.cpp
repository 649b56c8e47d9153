// SPDX-License-Identifier: Apache-2.0

// The heaviest path through a model's soft inference. Valuations are those that inference keeps of
// each step. From them the contributions to an atom are computed, one match and grounding each.

#include "hri/explain_model.hpp"

#include "base/index.hpp"
#include "evaluate/tree.hpp"
#include "logic/range_restricted_program.hpp"
#include "soft/cuda/equations.hpp"
#include "soft/matches.hpp"
#include "soft/model_inference.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>

namespace hri {
namespace {

constexpr double kNegligible = 1e-6;  // weights below it are left out

using Arguments = std::array<std::int32_t, 2>;
using Grounding = std::vector<std::int32_t>;  // [variable of a proto-rule], then its constants

constexpr int kMaxVariables = 8;  // of a proto-rule
constexpr std::int32_t kUnbound = -1;
constexpr std::int32_t kNoConstant = -2;  // that the instance lacks

using base::at;

struct Candidate {
    int predicate = 0;
    double weight = 0;
};

/// The parts of an atom's valuation: the matches of slots and the constants of variables.
struct Contribution {
    double amount = 0;
    std::vector<Candidate> matches;  // by slot; of the conjunction or the disjunct alone
    Grounding grounding;
    bool disjunct = false;
};

class Trace {
  public:
    Trace(const Model& model, const Instance& instance, int steps)
        : model_(model),
          h_(model.hierarchy),
          n_(instance.constants),
          rules_(model.protorules),
          run_(model, instance) {
        number_constants(instance);
        run_.inference.keep_all(true);
        int kept = steps;
        if (steps < 0) {
            run_.inference.forward_only(run_.alpha.data(), run_.dense, steps);
            kept = 1;
            for (int p = h_.first_auxiliary(); p < h_.first_negation(); ++p)
                kept = std::max(kept, run_.inference.steps_done(p));
        }
        run_.inference.forward(run_.alpha.data(), run_.dense, kept);
        for (std::size_t s = 0; s < h_.slots.size(); ++s) {
            std::vector<Candidate>& candidates = candidates_.emplace_back();
            for (const soft::Match& match : soft::matches(model, run_.alpha, static_cast<int>(s)))
                if (match.weight >= kNegligible)
                    candidates.push_back({match.predicate, match.weight});
        }
    }

    Explanation explained(const Instance& instance, const Arguments& arguments) {
        const ProtoAtom atom{true, h_.target_arity == 0 ? std::vector<int>{} : std::vector{0, 1}};
        std::vector<int> head(at(h_.target_arity));
        std::iota(head.begin(), head.end(), 0);
        Contribution best;
        find_best({atom}, {h_.target_slot()}, bound(head, arguments), nullptr, 0, best);
        const int place = h_.target_arity == 2 ? arguments[0] * n_ + arguments[1] : arguments[0];
        const auto value = static_cast<double>(run_.inference.target()[at(place)]);
        Explanation explanation;
        explanation.soft = true;
        explanation.value = value;
        explanation.holds = value >= 0.5;
        explanation.reason.atom = written(model_.target, arguments, instance);
        explanation.reason.value = value;
        explanation.reason.holds = explanation.holds;
        if (!best.matches.empty()) {
            explanation.reason.because = told(value, best.amount);
            explanation.reason.body = reasons({atom}, best, nullptr, 0, instance);
        }
        return explanation;
    }

  private:
    /// Constants become the variables from kMaxVariables on, bound from the start.
    void number_constants(const Instance& instance) {
        const std::vector<std::string> names = constants_of(model_.protorules);
        for (const std::string& name : names) {
            const int known = instance.find(name);
            constants_.push_back(known < 0 ? kNoConstant : known);
        }
        for (ProtoRule& rule : rules_) {
            for (std::vector<ProtoAtom>* atoms : {&rule.body, &rule.disjunct}) {
                for (ProtoAtom& atom : *atoms) {
                    for (int& argument : atom.arguments) {
                        if (argument < 0) {
                            const auto known = std::find(names.begin(), names.end(),
                                                         rule.constants[at(-1 - argument)]);
                            argument = kMaxVariables + static_cast<int>(known - names.begin());
                        }
                    }
                }
            }
        }
    }

    /// The step whose valuation of a predicate a rule sees in its step: the one before, or the last
    /// where a lower layer has taken all its steps. Without a rule: the last.
    int step_seen(const Auxiliary* by, int step, int predicate) {
        if (predicate < h_.first_auxiliary())
            return 0;
        if (h_.is_negation(predicate))
            predicate = h_.positive(predicate);
        const Auxiliary& of = h_.auxiliaries[at(predicate - h_.first_auxiliary())];
        const bool is_same = by != nullptr && (!model_.options.negation || by->layer == of.layer);
        return is_same ? step - 1 : run_.inference.steps_done(predicate);
    }

    double value_of(int predicate, const Arguments& arguments, int step) {
        const std::size_t place = at(arguments[0] * run_.dense.ld + arguments[1]);
        if (predicate < h_.first_auxiliary())
            return static_cast<double>(run_.dense.matrix(predicate)[place]);
        if (h_.is_negation(predicate))
            return 1 - value_of(h_.positive(predicate), arguments, step);
        return step == 0 ? 0 : static_cast<double>(run_.inference.value_at(predicate, step)[place]);
    }

    /// The largest contribution to an auxiliary's atom in a step.
    Contribution best_of(const Auxiliary& auxiliary, const Arguments& arguments, int step) {
        const ProtoRule& rule = rules_[at(auxiliary.protorule)];
        const Grounding grounding = bound(rule.head, arguments);
        Contribution best;
        if (grounding.empty())
            return best;  // the head repeats a variable
        const auto middle = auxiliary.slots.begin() + static_cast<std::ptrdiff_t>(rule.body.size());
        find_best(rule.body, {auxiliary.slots.begin(), middle}, grounding, &auxiliary, step, best);
        if (rule.disjunct.empty())
            return best;
        Contribution other;
        find_best(rule.disjunct, {middle, auxiliary.slots.end()}, grounding, &auxiliary, step,
                  other);
        other.disjunct = true;
        return other.amount > best.amount ? other : best;
    }

    /// Over the slots' candidates: weight times the best grounding's value.
    void find_best(const std::vector<ProtoAtom>& atoms, const std::vector<int>& slots,
                   const Grounding& grounding, const Auxiliary* by, int step, Contribution& best) {
        const std::vector<int> open = open_variables(atoms, grounding);
        std::vector<Candidate> chosen;
        const auto choose = [&](const auto& self, double weight) -> void {
            if (weight <= best.amount)
                return;
            if (chosen.size() < slots.size()) {
                for (const Candidate& candidate : candidates_[at(slots[chosen.size()])]) {
                    chosen.push_back(candidate);
                    self(self, weight * candidate.weight);
                    chosen.pop_back();
                }
                return;
            }
            Grounding tried = grounding;
            Grounding where;
            const double amount =
                weight * strongest(atoms, chosen, open, 0, by, step, tried, where);
            if (amount > best.amount)
                best = {amount, chosen, where, false};
        };
        choose(choose, 1.0);
    }

    /// The largest value of the conjoined atoms over the groundings of `open` from `next` on.
    double strongest(const std::vector<ProtoAtom>& atoms, const std::vector<Candidate>& chosen,
                     const std::vector<int>& open, std::size_t next, const Auxiliary* by, int step,
                     Grounding& tried, Grounding& where) {
        if (next == open.size()) {
            double value = 1;
            for (std::size_t i = 0; i < atoms.size(); ++i) {
                const double one = valuation(chosen[i].predicate, atoms[i], tried, by, step);
                value = i == 0 ? one : soft::conjunction(model_.options.fuzzy_and, value, one);
            }
            where = tried;
            return value;
        }
        double best = 0;
        Grounding here;
        for (std::int32_t c = 0; c < n_; ++c) {
            tried[at(open[next])] = c;
            const double value = strongest(atoms, chosen, open, next + 1, by, step, tried, here);
            if (value > best || c == 0) {
                best = value;
                where = here;
            }
        }
        return best;
    }

    static Arguments arguments_of(const ProtoAtom& atom, const Grounding& grounding) {
        Arguments arguments{0, 0};
        for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
            arguments[i] = grounding[at(atom.arguments[i])];
        }
        return arguments;
    }

    double valuation(int predicate, const ProtoAtom& atom, const Grounding& grounding,
                     const Auxiliary* by, int step) {
        const Arguments arguments = arguments_of(atom, grounding);
        if (arguments[0] == kNoConstant || arguments[1] == kNoConstant)
            return 0;
        return value_of(predicate, arguments, step_seen(by, step, predicate));
    }

    /// The head's variables bound; empty where a repeated one meets two constants.
    Grounding bound(const std::vector<int>& head, const Arguments& arguments) const {
        Grounding grounding = unbound();
        for (std::size_t i = 0; i < head.size(); ++i) {
            std::int32_t& value = grounding[at(head[i])];
            if (value != kUnbound && value != arguments[i]) {
                return {};
            }
            value = arguments[i];
        }
        return grounding;
    }

    static std::vector<int> open_variables(const std::vector<ProtoAtom>& atoms,
                                           const Grounding& grounding) {
        std::vector<int> open;
        for (const ProtoAtom& atom : atoms) {
            for (const int v : atom.arguments) {
                if (grounding[at(v)] == kUnbound &&
                    std::find(open.begin(), open.end(), v) == open.end()) {
                    open.push_back(v);
                }
            }
        }
        return open;
    }

    Grounding unbound() const {
        Grounding grounding(at(kMaxVariables), kUnbound);
        grounding.insert(grounding.end(), constants_.begin(), constants_.end());
        return grounding;
    }

    std::vector<Reason> reasons(const std::vector<ProtoAtom>& atoms, const Contribution& best,
                                const Auxiliary* by, int step, const Instance& instance) {
        std::vector<Reason> result;
        for (std::size_t i = 0; i < atoms.size(); ++i)
            result.push_back(reason(best.matches[i], arguments_of(atoms[i], best.grounding),
                                    step_seen(by, step, best.matches[i].predicate), instance));
        return result;
    }

    Reason reason(const Candidate& match, const Arguments& arguments, int step,
                  const Instance& instance) {
        const int p = match.predicate;
        Reason result;
        result.weight = match.weight;
        const double value = value_of(p, arguments, step);
        result.value = value;
        result.holds = value >= 0.5;
        result.atom =
            written({soft::predicate_name(model_, p), h_.arity[at(p)]}, arguments, instance);
        if (h_.is_negation(p)) {
            result.because = "1 - its value";
            result.body.push_back(reason({h_.positive(p), 1.0}, arguments, step, instance));
            return result;
        }
        if (p < h_.first_auxiliary()) {
            result.because = p < 2 ? "" : value > 0 ? "a fact" : "no such fact";
            return result;
        }
        // back to the step in which it got most of its value
        while (step > 0 && value_of(p, arguments, step - 1) == value)
            --step;
        if (step == 0) {
            result.because = "not derived";
            return result;
        }
        const Auxiliary& auxiliary = h_.auxiliaries[at(p - h_.first_auxiliary())];
        const ProtoRule& rule = rules_[at(auxiliary.protorule)];
        const Contribution best = best_of(auxiliary, arguments, step);
        result.because =
            told(value, best.amount) + " by " + to_text(model_.protorules[at(auxiliary.protorule)]);
        if (!best.matches.empty())
            result.body = reasons(best.disjunct ? rule.disjunct : rule.body, best, &auxiliary, step,
                                  instance);
        return result;
    }

    static std::string told(double value, double amount) {
        return fmt::format("{:.3f} of it", std::min(amount, value));
    }

    static std::string written(const PredicateSymbol& symbol, const Arguments& arguments,
                               const Instance& instance) {
        return evaluation::ground_atom(symbol.name,
                                       {arguments.begin(), arguments.begin() + symbol.arity},
                                       evaluation::FactBase(instance));
    }

    const Model& model_;
    const Hierarchy& h_;
    std::int32_t n_;
    ProtoRules rules_;                                // constants numbered as in a Grounding
    std::vector<std::int32_t> constants_;             // of the instance
    std::vector<std::vector<Candidate>> candidates_;  // [slot]
    soft::ModelInference run_;
};

}  // namespace

Explanation explain(const Model& model, const Instance& instance, const GroundAtom& atom,
                    int steps) {
    const PredicateSymbol symbol{atom.predicate, static_cast<int>(atom.arguments.size())};
    if (symbol != model.target) {
        throw Error("the model's target is " + logic::indicator(model.target) + ", not " +
                        logic::indicator(symbol),
                    {}, "ask for an atom of the target");
    }
    const std::vector<std::int32_t> constants =
        evaluation::constants_of(evaluation::FactBase(instance), atom);
    Arguments arguments{0, 0};
    std::copy(constants.begin(), constants.end(), arguments.begin());
    if (instance.constants == 0)
        throw Error("the instance has no constants");
    return Trace(model, instance, steps).explained(instance, arguments);
}

}  // namespace hri
