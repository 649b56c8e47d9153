// SPDX-License-Identifier: Apache-2.0

// The heaviest path through a model's soft inference. Valuations are computed atom by atom, as the
// equations have them, with all that contributes remembered: small instances only.

#include "hri/explain_model.hpp"

#include "evaluate/tree.hpp"
#include "logic/range_restricted_program.hpp"
#include "soft/matches.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace hri {
namespace {

constexpr double kNegligible = 1e-6;  // weights below it are left out
constexpr std::int64_t kMaxWork = 2'000'000'000;
constexpr int kMaxSteps = 1000;

using Arguments = std::array<std::int32_t, 2>;
using Grounding = std::vector<std::int32_t>;  // [variable of a proto-rule], then its constants

constexpr int kMaxVariables = 8;  // of a proto-rule
constexpr std::int32_t kUnbound = -1;
constexpr std::int32_t kNoConstant = -2;  // that the instance lacks

std::size_t as_size(int i) { return static_cast<std::size_t>(i); }

struct Candidate {
    int predicate = 0;
    double weight = 0;
};

/// What makes up an atom's valuation: the matches of slots and the constants of variables.
struct Contribution {
    double amount = 0;
    std::vector<Candidate> matches;  // by slot; of the conjunction or the disjunct alone
    Grounding grounding;
    bool disjunct = false;
};

class SoftWorld {
  public:
    SoftWorld(const Model& model, const Instance& instance, int steps)
        : model_(model), h_(model.hierarchy), n_(instance.constants), rules_(model.protorules) {
        number_constants(instance);
        const std::vector<float> scores = unification(model);
        for (std::size_t s = 0; s < h_.slots.size(); ++s) {
            std::vector<Candidate>& candidates = candidates_.emplace_back();
            for (const soft::Match& match : soft::matches(model, scores, static_cast<int>(s))) {
                if (match.weight >= kNegligible) {
                    candidates.push_back({match.predicate, match.weight});
                }
            }
        }
        refuse_if_long(steps);
        history_.push_back(start(instance));
        // with negation one layer after the other, else all at once
        const int layers = model.options.negation ? h_.auxiliaries.back().layer : 0;
        for (int layer = std::min(layers, 1); layer <= layers; ++layer) {
            for (int step = 0; steps < 0 ? step < kMaxSteps : step < steps; ++step) {
                if (!advance(layer) && steps < 0) {
                    break;
                }
            }
            for (int p = h_.first_negation(); p < h_.predicates(); ++p) {
                negate(history_.back(), p, h_.positive(p));
            }
        }
    }

    Explanation explained(const Instance& instance, const Arguments& arguments) const {
        const int step = static_cast<int>(history_.size()) - 1;
        const ProtoAtom atom{true, h_.target_arity == 0 ? std::vector<int>{} : std::vector{0, 1}};
        std::vector<int> head(as_size(h_.target_arity));
        for (int i = 0; i < h_.target_arity; ++i) {
            head[as_size(i)] = i;
        }
        Contribution best;
        const double value = std::clamp(pooled({atom}, {h_.target_slot()}, bound(head, arguments),
                                               step, &best, model_.options.target_pool),
                                        0.0, 1.0);
        Explanation explanation;
        explanation.soft = true;
        explanation.value = value;
        explanation.holds = value >= 0.5;
        explanation.reason.atom = written(model_.target, arguments, instance);
        explanation.reason.value = value;
        explanation.reason.holds = explanation.holds;
        if (!best.matches.empty()) {
            explanation.reason.because = told(value, best.amount);
            explanation.reason.body = reasons({atom}, best, step, instance);
        }
        return explanation;
    }

  private:
    using Valuations = std::vector<std::vector<float>>;  // [predicate][atom]

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
                                                         rule.constants[as_size(-1 - argument)]);
                            argument = kMaxVariables + static_cast<int>(known - names.begin());
                        }
                    }
                }
            }
        }
    }

    static void negate(Valuations& values, int predicate, int of) {
        for (std::size_t i = 0; i < values[as_size(of)].size(); ++i) {
            values[as_size(predicate)][i] = 1.0F - values[as_size(of)][i];
        }
    }

    std::size_t atoms_of(int arity) const {
        std::size_t count = 1;
        for (int i = 0; i < arity; ++i) {
            count *= as_size(n_);
        }
        return count;
    }

    void refuse_if_long(int steps) const {
        double work = 0;
        for (const Auxiliary& auxiliary : h_.auxiliaries) {
            const ProtoRule& rule = rules_[as_size(auxiliary.protorule)];
            double per_atom = std::pow(n_, static_cast<double>(fresh(rule.head, rule.body).size()));
            for (std::size_t i = 0; i < rule.body.size(); ++i) {
                per_atom *= static_cast<double>(candidates_[as_size(auxiliary.slots[i])].size());
            }
            work += per_atom * static_cast<double>(atoms_of(auxiliary.arity));
        }
        if (work * (steps < 0 ? 20 : steps) > static_cast<double>(kMaxWork)) {
            throw Error(fmt::format("{} constants are too many to explain a model on", n_), {},
                        "take a smaller instance, or explain the model's program, which "
                        "{extract()} gives");
        }
    }

    Valuations start(const Instance& instance) const {
        const std::vector<PredicateSymbol>& inputs = instance.inputs();
        Valuations values;
        for (const int arity : h_.arity) {
            values.emplace_back(atoms_of(arity), 0.0F);
        }
        std::fill(values[Hierarchy::kTrue].begin(), values[Hierarchy::kTrue].end(), 1.0F);
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const auto known = std::find(model_.inputs.begin(), model_.inputs.end(), inputs[i]);
            if (known == model_.inputs.end()) {
                continue;
            }
            const int predicate = 2 + static_cast<int>(known - model_.inputs.begin());
            for (const Fact& fact : instance.facts[i]) {
                values[as_size(predicate)][place(predicate, {fact.first, fact.second})] =
                    fact.value;
            }
        }
        for (std::size_t i = 0; i < model_.inputs.size(); ++i) {
            const PredicateSymbol& symbol = model_.inputs[i];
            const int predicate = 2 + static_cast<int>(i);
            if (symbol.negated) {
                const auto of = std::find(model_.inputs.begin(), model_.inputs.end(),
                                          PredicateSymbol{symbol.name, symbol.arity});
                negate(values, predicate, 2 + static_cast<int>(of - model_.inputs.begin()));
            } else if (is_equality(symbol) &&
                       std::find(inputs.begin(), inputs.end(), symbol) == inputs.end()) {
                for (std::int32_t c = 0; c < n_; ++c) {
                    values[as_size(predicate)][place(predicate, {c, c})] = 1.0F;
                }
            }
        }
        return values;
    }

    /// One step of all auxiliaries, or of those of a layer; false where nothing changed.
    bool advance(int layer) {
        Valuations next = history_.back();
        const int step = static_cast<int>(history_.size()) - 1;
        double change = 0;
        for (std::size_t a = 0; a < h_.auxiliaries.size(); ++a) {
            if (layer > 0 && h_.auxiliaries[a].layer != layer) {
                continue;
            }
            std::vector<float>& values = next[as_size(h_.first_auxiliary()) + a];
            for (std::size_t i = 0; i < values.size(); ++i) {
                const bool binary = h_.auxiliaries[a].arity == 2;
                const auto index = static_cast<std::int32_t>(i);
                const Arguments arguments{binary ? index / n_ : index, binary ? index % n_ : 0};
                const double old = static_cast<double>(values[i]);
                const double derived = value_of(h_.auxiliaries[a], arguments, step, nullptr);
                const double now = model_.options.merge == Merge::max
                                       ? std::max(old, derived)
                                       : std::min(1.0, old + derived);
                change = std::max(change, std::abs(now - old));
                values[i] = static_cast<float>(now);
            }
        }
        history_.push_back(std::move(next));
        return change > 1e-6;
    }

    /// What an auxiliary's rule gives from the valuations after `step`.
    double value_of(const Auxiliary& auxiliary, const Arguments& arguments, int step,
                    Contribution* best) const {
        const ProtoRule& rule = rules_[as_size(auxiliary.protorule)];
        const Grounding grounding = bound(rule.head, arguments);
        if (grounding.empty() && !rule.head.empty()) {
            return 0;  // the head repeats a variable
        }
        const auto middle = auxiliary.slots.begin() + static_cast<std::ptrdiff_t>(rule.body.size());
        const double conjunction = pooled(rule.body, {auxiliary.slots.begin(), middle}, grounding,
                                          step, best, model_.options.pool);
        if (rule.disjunct.empty()) {
            return conjunction;
        }
        Contribution other;
        const double disjunct =
            pooled(rule.disjunct, {middle, auxiliary.slots.end()}, grounding, step,
                   best == nullptr ? nullptr : &other, model_.options.pool);
        if (best != nullptr && other.amount > best->amount) {
            *best = std::move(other);
            best->disjunct = true;
        }
        switch (model_.options.fuzzy_or) {
            case Or::max:
                return std::max(conjunction, disjunct);
            case Or::prodminus:
                return conjunction + disjunct - conjunction * disjunct;
            case Or::lukasiewicz:
                return std::min(1.0, conjunction + disjunct);
        }
        return 0;
    }

    /// Sum (or maximum) over the slots' candidates of weight times the best grounding's value.
    double pooled(const std::vector<ProtoAtom>& atoms, const std::vector<int>& slots,
                  const Grounding& grounding, int step, Contribution* best, Pool pool) const {
        const std::vector<int> head_free = open_variables(atoms, grounding);
        double sum = 0;
        std::vector<Candidate> chosen;
        const auto choose = [&](const auto& self, double weight) -> void {
            if (chosen.size() < slots.size()) {
                for (const Candidate& candidate : candidates_[as_size(slots[chosen.size()])]) {
                    chosen.push_back(candidate);
                    self(self, weight * candidate.weight);
                    chosen.pop_back();
                }
                return;
            }
            Grounding at = grounding;
            Grounding where;
            const double amount = weight * strongest(atoms, chosen, head_free, 0, step, at, where);
            sum = pool == Pool::sum ? sum + amount : std::max(sum, amount);
            if (best != nullptr && amount > best->amount) {
                *best = {amount, chosen, where, false};
            }
        };
        choose(choose, 1.0);
        return sum;
    }

    /// The largest value of the conjoined atoms over the groundings of `open` from `next` on.
    double strongest(const std::vector<ProtoAtom>& atoms, const std::vector<Candidate>& chosen,
                     const std::vector<int>& open, std::size_t next, int step, Grounding& at,
                     Grounding& where) const {
        if (next == open.size()) {
            double value = 1;
            for (std::size_t i = 0; i < atoms.size(); ++i) {
                const double one = valuation(chosen[i].predicate, atoms[i], at, step);
                value = i == 0 ? one : conjoined(value, one);
            }
            where = at;
            return value;
        }
        double best = 0;
        Grounding here;
        for (std::int32_t c = 0; c < n_; ++c) {
            at[as_size(open[next])] = c;
            const double value = strongest(atoms, chosen, open, next + 1, step, at, here);
            if (value > best || c == 0) {
                best = value;
                where = here;
            }
        }
        return best;
    }

    double conjoined(double a, double b) const {
        switch (model_.options.fuzzy_and) {
            case And::min:
                return std::min(a, b);
            case And::product:
                return a * b;
            case And::lukasiewicz:
                return std::max(0.0, a + b - 1);
        }
        return 0;
    }

    static Arguments arguments_of(const ProtoAtom& atom, const Grounding& grounding) {
        Arguments arguments{0, 0};
        for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
            arguments[i] = grounding[as_size(atom.arguments[i])];
        }
        return arguments;
    }

    double valuation(int predicate, const ProtoAtom& atom, const Grounding& grounding,
                     int step) const {
        const Arguments arguments = arguments_of(atom, grounding);
        for (int i = 0; i < h_.arity[as_size(predicate)]; ++i) {
            if (arguments[as_size(i)] == kNoConstant) {
                return 0;
            }
        }
        return static_cast<double>(
            history_[as_size(step)][as_size(predicate)][place(predicate, arguments)]);
    }

    std::size_t place(int predicate, const Arguments& arguments) const {
        switch (h_.arity[as_size(predicate)]) {
            case 0:
                return 0;
            case 1:
                return as_size(arguments[0]);
            default:
                return as_size(arguments[0]) * as_size(n_) + as_size(arguments[1]);
        }
    }

    /// The head's variables bound; empty where a repeated one meets two constants.
    Grounding bound(const std::vector<int>& head, const Arguments& arguments) const {
        Grounding grounding = unbound();
        for (std::size_t i = 0; i < head.size(); ++i) {
            std::int32_t& value = grounding[as_size(head[i])];
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
                if (grounding[as_size(v)] == kUnbound &&
                    std::find(open.begin(), open.end(), v) == open.end()) {
                    open.push_back(v);
                }
            }
        }
        return open;
    }

    Grounding unbound() const {
        Grounding grounding(as_size(kMaxVariables), kUnbound);
        grounding.insert(grounding.end(), constants_.begin(), constants_.end());
        return grounding;
    }

    std::vector<int> fresh(const std::vector<int>& head,
                           const std::vector<ProtoAtom>& atoms) const {
        Grounding grounding = unbound();
        for (const int v : head) {
            grounding[as_size(v)] = 0;
        }
        return open_variables(atoms, grounding);
    }

    std::vector<Reason> reasons(const std::vector<ProtoAtom>& atoms, const Contribution& best,
                                int step, const Instance& instance) const {
        std::vector<Reason> result;
        for (std::size_t i = 0; i < atoms.size(); ++i) {
            result.push_back(
                reason(best.matches[i], arguments_of(atoms[i], best.grounding), step, instance));
        }
        return result;
    }

    Reason reason(const Candidate& match, const Arguments& arguments, int step,
                  const Instance& instance) const {
        const int p = match.predicate;
        Reason result;
        result.weight = match.weight;
        const double value =
            static_cast<double>(history_[as_size(step)][as_size(p)][place(p, arguments)]);
        result.value = value;
        result.holds = value >= 0.5;
        result.atom =
            written({soft::predicate_name(model_, p), h_.arity[as_size(p)]}, arguments, instance);
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
        while (step > 0 && h_.auxiliaries.size() > 0 &&
               history_[as_size(step) - 1][as_size(p)][place(p, arguments)] ==
                   history_[as_size(step)][as_size(p)][place(p, arguments)]) {
            --step;
        }
        if (step == 0) {
            result.because = "not derived";
            return result;
        }
        const Auxiliary& auxiliary = h_.auxiliaries[as_size(p - h_.first_auxiliary())];
        const ProtoRule& rule = rules_[as_size(auxiliary.protorule)];
        Contribution best;
        value_of(auxiliary, arguments, step - 1, &best);
        result.because = told(value, best.amount) + " by " +
                         to_text(model_.protorules[as_size(auxiliary.protorule)]);
        if (!best.matches.empty()) {
            result.body =
                reasons(best.disjunct ? rule.disjunct : rule.body, best, step - 1, instance);
        }
        return result;
    }

    static std::string told(double value, double amount) {
        return fmt::format("{:.3f} of it", std::min(amount, value));
    }

    static std::string written(const PredicateSymbol& symbol, const Arguments& arguments,
                               const Instance& instance) {
        return evaluation::ground_atom(
            symbol.name, {arguments.begin(), arguments.begin() + symbol.arity},
            evaluation::FactBase(instance));
    }

    const Model& model_;
    const Hierarchy& h_;
    std::int32_t n_;
    ProtoRules rules_;                                // constants numbered as in a Grounding
    std::vector<std::int32_t> constants_;             // of the instance
    std::vector<std::vector<Candidate>> candidates_;  // [slot]
    std::vector<Valuations> history_;                 // [step]
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
    const std::vector<std::int32_t> constants = evaluation::constants_of(evaluation::FactBase(instance), atom);
    Arguments arguments{0, 0};
    std::copy(constants.begin(), constants.end(), arguments.begin());
    return SoftWorld(model, instance, steps).explained(instance, arguments);
}

}  // namespace hri
