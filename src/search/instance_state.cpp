// SPDX-License-Identifier: Apache-2.0
#include "search/instance_state.hpp"

#include "search/derive.hpp"

#include <algorithm>
#include <array>

namespace hri::search {

namespace {

constexpr int kMaxSlots = 8;  // of a rule

template <class Relations>
class BitInstanceState final : public InstanceState {
    using Word = typename Relations::Word;

  public:
    BitInstanceState(const hypotheses::ProgramSpace& space, int constants)
        : InstanceState(constants),
          space_(space),
          derivation_(constants),
          given_(static_cast<std::size_t>(space.hierarchy().first_auxiliary()) * area(), Word{0}),
          derived_(2 * static_cast<std::size_t>(space.auxiliaries()) * area(), Word{0}),
          incumbent_(static_cast<std::size_t>(space.auxiliaries())),
          spare_(incumbent_.size()),
          current_(static_cast<std::size_t>(space.hierarchy().predicates())),
          is_known_(incumbent_.size(), 0),
          is_new_(incumbent_.size(), 0),
          is_due_(incumbent_.size(), 0),
          positive_(area(), Word{0}),
          negative_(area(), Word{0}),
          scratch_(area(), Word{0}),
          complements_(space.hierarchy().negated.empty() ? 0 : kMaxSlots * area(), Word{0}) {
        for (std::size_t a = 0; a < incumbent_.size(); ++a) {
            incumbent_[a] = derived_.data() + 2 * a * area();
            spare_[a] = incumbent_[a] + area();
        }
        relations().fill(given_.data() + Hierarchy::kTrue * area());
        for (std::size_t p = 0; p < static_cast<std::size_t>(space.hierarchy().first_auxiliary());
             ++p)
            current_[p] = given_.data() + p * area();
    }

    void load(const Instance& instance) override {
        const Hierarchy& h = space_.hierarchy();
        for (int i = 0; i < h.inputs; ++i) {
            Word* out = given_.data() + static_cast<std::size_t>(2 + i) * area();
            if (static_cast<std::size_t>(i) < instance.facts.size())
                load_facts(out, h.arity[static_cast<std::size_t>(2 + i)],
                           instance.facts[static_cast<std::size_t>(i)]);
            else
                load_built_in(out, space_.skeleton.inputs[static_cast<std::size_t>(i)]);
        }
        std::vector<int> places;
        for (const std::string& name : space_.constants)
            places.push_back(instance.find(name));
        derivation_.set_constants(std::move(places));
        std::fill(positive_.begin(), positive_.end(), Word{0});
        std::fill(negative_.begin(), negative_.end(), Word{0});
        positives_ = negatives_ = 0;
        const int columns = h.target_arity == 2 ? constants_ : 1;
        const int rows = h.target_arity == 0 ? 1 : constants_;
        for (int x = 0; x < rows; ++x)
            for (int y = 0; y < columns; ++y) {
                const Label label = instance.labels[static_cast<std::size_t>(x * columns + y)];
                if (label == Label::unlabelled)
                    continue;
                const bool positive = label == Label::positive;
                ++(positive ? positives_ : negatives_);
                relations().set((positive ? positive_ : negative_).data(), x, y);
            }
        forget_all();
    }

    Errors judge(const Candidate& trial) override {
        const std::vector<int>& order = trial.reached->auxiliaries;
        for (std::size_t i = 0; i < order.size();) {
            const int layer = layer_of(order[i]);
            std::size_t end = i + 1;
            while (end < order.size() && layer_of(order[end]) == layer)
                ++end;
            if (trial.reached->recursive[static_cast<std::size_t>(layer)] != 0)
                close(trial, order.data() + i, order.data() + end);
            else
                for (std::size_t k = i; k < end; ++k)
                    compute(trial, order[k]);
            i = end;
        }
        const int top =
            (*trial.matches)[static_cast<std::size_t>(space_.hierarchy().target_slot())];
        return errors(current_[static_cast<std::size_t>(top)]);
    }

    void accept(const Candidate& trial) override {
        for (const int a : trial.reached->auxiliaries) {
            const auto at = static_cast<std::size_t>(a);
            if (is_new_[at] != 0)
                std::swap(incumbent_[at], spare_[at]);
        }
        is_known_ = trial.reached->is_member;
    }

    void forget_all() override { std::fill(is_known_.begin(), is_known_.end(), 0); }

  private:
    const Relations& relations() const { return derivation_.relations(); }

    std::size_t area() const { return relations().area(); }

    int layer_of(int auxiliary) const {
        return space_.hierarchy().auxiliaries[static_cast<std::size_t>(auxiliary)].layer;
    }

    void load_facts(Word* out, int arity, const std::vector<Fact>& facts) {
        std::fill(out, out + area(), Word{0});
        for (const Fact& fact : facts) {
            if (fact.value < 0.5F)
                continue;
            if (arity == 2)
                relations().set(out, fact.first, fact.second);
            else if (arity == 1)
                relations().fill_row(out, fact.first);
            else
                relations().fill(out);
        }
    }

    /// The values that follow from the inputs before it.
    void load_built_in(Word* out, const PredicateSymbol& symbol) {
        const std::vector<PredicateSymbol>& inputs = space_.skeleton.inputs;
        if (symbol.negated) {
            const auto of = std::find(inputs.begin(), inputs.end(),
                                      PredicateSymbol{symbol.name, symbol.arity}) -
                            inputs.begin();
            relations().complement(out, given_.data() + static_cast<std::size_t>(2 + of) * area());
            return;
        }
        std::fill(out, out + area(), Word{0});
        for (int i = 0; i < constants_; ++i)
            relations().set(out, i, i);
    }

    /// Whether the incumbent's value does for the trial.
    bool is_kept(const Candidate& trial, int auxiliary) const {
        if (is_known_[static_cast<std::size_t>(auxiliary)] == 0 || auxiliary == trial.changed)
            return false;
        for (const int slot :
             space_.hierarchy().auxiliaries[static_cast<std::size_t>(auxiliary)].slots)
            if (const int used = space_.auxiliary((*trial.matches)[static_cast<std::size_t>(slot)]);
                used >= 0 && is_new_[static_cast<std::size_t>(used)] != 0)
                return false;
        return true;
    }

    void derive(const Candidate& trial, int auxiliary, Word* out) {
        const Auxiliary& aux = space_.hierarchy().auxiliaries[static_cast<std::size_t>(auxiliary)];
        const hypotheses::Plan& plan = space_.plan(auxiliary);
        std::array<const Word*, kMaxSlots> values{};
        std::array<int, kMaxSlots> predicate{};
        std::array<int, kMaxSlots> arity{};
        for (std::size_t s = 0; s < aux.slots.size(); ++s) {
            predicate[s] = (*trial.matches)[static_cast<std::size_t>(aux.slots[s])];
            arity[s] = space_.hierarchy().arity[static_cast<std::size_t>(predicate[s])];
            values[s] =
                current_[static_cast<std::size_t>(space_.hierarchy().positive(predicate[s]))];
            if (space_.hierarchy().is_negation(predicate[s])) {
                Word* negated = complements_.data() + s * area();
                relations().complement(negated, values[s]);
                values[s] = negated;
            }
        }
        const bool never =
            predicate[static_cast<std::size_t>(plan.left.slot)] == Hierarchy::kFalse ||
            (plan.combine != hypotheses::Combine::single &&
             predicate[static_cast<std::size_t>(plan.right.slot)] == Hierarchy::kFalse);
        if (never)
            std::fill(out, out + area(), Word{0});
        else
            derivation_.conjoined(out, plan, values.data(), arity.data());
        if (plan.disjunct &&
            predicate[static_cast<std::size_t>(plan.disjunct->slot)] != Hierarchy::kFalse)
            derivation_.disjunct(out, plan, values.data(), arity.data());
    }

    /// Takes the new value unless it is the old one.
    void settle(int auxiliary) {
        const auto at = static_cast<std::size_t>(auxiliary);
        const bool same =
            is_known_[at] != 0 && std::equal(spare_[at], spare_[at] + area(), incumbent_[at]);
        is_new_[at] = same ? 0 : 1;
        set_current(auxiliary, same ? incumbent_[at] : spare_[at]);
    }

    void set_current(int auxiliary, const Word* value) {
        current_[static_cast<std::size_t>(space_.hierarchy().first_auxiliary() + auxiliary)] =
            value;
    }

    void compute(const Candidate& trial, int auxiliary) {
        const auto at = static_cast<std::size_t>(auxiliary);
        if (is_kept(trial, auxiliary)) {
            is_new_[at] = 0;
            set_current(auxiliary, incumbent_[at]);
            return;
        }
        derive(trial, auxiliary, spare_[at]);
        settle(auxiliary);
    }

    bool reads(const Candidate& trial, int user, int auxiliary) const {
        const Hierarchy& h = space_.hierarchy();
        const std::vector<int>& slots = h.auxiliaries[static_cast<std::size_t>(user)].slots;
        return std::any_of(slots.begin(), slots.end(), [&](int slot) {
            return space_.auxiliary((*trial.matches)[static_cast<std::size_t>(slot)]) == auxiliary;
        });
    }

    /// The least fixpoint of a layer.
    void close(const Candidate& trial, const int* first, const int* last) {
        for (const int* a = first; a != last; ++a)
            is_new_[static_cast<std::size_t>(*a)] = 0;
        if (std::all_of(first, last, [&](int a) { return is_kept(trial, a); })) {
            for (const int* a = first; a != last; ++a)
                set_current(*a, incumbent_[static_cast<std::size_t>(*a)]);
            return;
        }
        for (const int* a = first; a != last; ++a) {
            Word* value = spare_[static_cast<std::size_t>(*a)];
            std::fill(value, value + area(), Word{0});
            set_current(*a, value);
        }
        // In turn, until none of those that a rule reads has grown since it ran.
        std::fill(is_due_.begin(), is_due_.end(), 1);
        for (bool changed = true; changed;) {
            changed = false;
            for (const int* a = first; a != last; ++a) {
                if (is_due_[static_cast<std::size_t>(*a)] == 0)
                    continue;
                is_due_[static_cast<std::size_t>(*a)] = 0;
                Word* value = spare_[static_cast<std::size_t>(*a)];
                derive(trial, *a, scratch_.data());
                if (std::equal(value, value + area(), scratch_.data()))
                    continue;
                std::copy(scratch_.begin(), scratch_.end(), value);
                for (const int* user = first; user != last; ++user)
                    if (reads(trial, *user, *a)) {
                        is_due_[static_cast<std::size_t>(*user)] = 1;
                        changed = true;
                    }
            }
        }
        for (const int* a = first; a != last; ++a)
            settle(*a);
    }

    Errors errors(const Word* target) const {
        Errors result;
        for (std::size_t k = 0; k < area(); ++k) {
            const auto false_positive = static_cast<Word>(target[k] & negative_[k]);
            const auto false_negative = static_cast<Word>(~target[k] & positive_[k]);
            if (false_positive != 0)
                result.false_positives += std::popcount(false_positive);
            if (false_negative != 0)
                result.false_negatives += std::popcount(false_negative);
        }
        return result;
    }

    const hypotheses::ProgramSpace& space_;
    RuleDerivation<Relations> derivation_;
    std::vector<Word> given_;             // [True, False, input]
    std::vector<Word> derived_;           // two matrices for each auxiliary
    std::vector<Word*> incumbent_;        // [auxiliary]
    std::vector<Word*> spare_;            // [auxiliary] for the trial, where it differs
    std::vector<const Word*> current_;    // [predicate] of the trial
    std::vector<std::uint8_t> is_known_;  // [auxiliary]: incumbent_ holds its value
    std::vector<std::uint8_t> is_new_;    // [auxiliary]: the trial's value is in spare_
    std::vector<std::uint8_t> is_due_;    // [auxiliary]: close() has to run its rule again
    std::vector<Word> positive_;
    std::vector<Word> negative_;
    std::vector<Word> scratch_;
    std::vector<Word> complements_;  // [slot of a rule]
};

}  // namespace

std::unique_ptr<InstanceState> InstanceState::make(const hypotheses::ProgramSpace& space,
                                                   int constants) {
    if (constants <= TinyRelations::kMax)
        return std::make_unique<BitInstanceState<TinyRelations>>(space, constants);
    if (constants <= SmallRelations::kMax)
        return std::make_unique<BitInstanceState<SmallRelations>>(space, constants);
    return std::make_unique<BitInstanceState<LargeRelations>>(space, constants);
}

}  // namespace hri::search
