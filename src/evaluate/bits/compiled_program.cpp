// SPDX-License-Identifier: Apache-2.0
#include "evaluate/bits/compiled_program.hpp"

#include "base/index.hpp"
#include "logic/dependencies.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace hri::evaluation {
namespace {

constexpr std::size_t kMaxWords = std::size_t{1} << 30U;  // 8 GiB

using base::at;

// The lowest eight bits as eight bytes in memory, 0 or 1 each.
std::uint64_t spread(std::uint64_t bits) {
    static_assert(std::endian::native == std::endian::little);
    const std::uint64_t one_each = ((bits & 0xFFU) * 0x0101010101010101U) & 0x8040201008040201U;
    return ((one_each + 0x7F7F7F7F7F7F7F7FU) >> 7U) & 0x0101010101010101U;
}

}  // namespace

CompiledProgram::CompiledProgram(const Program& program, const std::vector<PredicateSymbol>& inputs)
    : constant_names_(program.vocabulary.constants()) {
    evaluation::refuse_large_arity(program);
    compile(program, inputs);
}

void CompiledProgram::compile(const Program& whole, const std::vector<PredicateSymbol>& inputs) {
    const std::vector<bool> defined = logic::defined_predicates(whole);
    const std::vector<bool> skipped = logic::without_facts(whole);
    const std::vector<bool> reached = logic::reachable_predicates(whole);
    const Program program = logic::used_part(whole);
    // inputs first, then what rules define
    std::vector<int> number_of(defined.size(), -1);
    for (const bool want_defined : {false, true}) {
        for (std::uint32_t p = 0; p < defined.size(); ++p) {
            const PredicateSymbol& symbol = program.vocabulary[Predicate{p}];
            const bool is_derived = defined[p] || Predicate{p} == program.target;
            if (!reached[p] || is_derived != want_defined) {
                continue;
            }
            number_of[p] = static_cast<int>(predicates_.size());
            PredicateState state;
            state.arity = symbol.arity;
            state.equality = !is_derived && is_equality(symbol) && !symbol.negated;
            const auto given = std::find(inputs.begin(), inputs.end(), symbol);
            if (!skipped[p] && given != inputs.end()) {
                state.input = static_cast<int>(given - inputs.begin());
                state.derived = is_derived;
            }
            predicates_.push_back(state);
        }
    }
    target_ = number_of[program.target.id];
    for (std::uint32_t p = 0; p < defined.size(); ++p) {
        if (reached[p] && program.vocabulary.is_negated(Predicate{p})) {
            predicates_[at(number_of[p])].negates =
                number_of[program.vocabulary.positive(Predicate{p}).id];
        }
    }

    compile_rules(program, number_of, reached);
    find_transposes();
    constants_.resize(constant_names_.size());
}

void CompiledProgram::compile_rules(const Program& program, const std::vector<int>& number_of,
                                    const std::vector<bool>& reached) {
    const std::vector<int> stratum = logic::strata(program);
    std::vector<std::vector<int>> rules_of(number_of.size());
    for (const Rule& rule : program.rules) {
        const std::uint32_t p = rule.head.predicate.id;
        rules_of[p].push_back(static_cast<int>(rules_.size()));
        rules_.push_back({evaluation::plan_rule(rule, number_of), stratum[p]});
        strata_ = std::max(strata_, stratum[p] + 1);
        target_in_bodies_ = target_in_bodies_ ||
                            std::any_of(rule.body.begin(), rule.body.end(), [&](const Atom& atom) {
                                return atom.predicate == program.target;
                            });
    }
    const logic::Components found = hri::logic::components(program);
    for (std::size_t c = 0; c < found.members.size(); ++c) {
        Component component;
        component.recursive = found.recursive[c];
        for (const std::uint32_t p : found.members[c]) {
            component.rules.insert(component.rules.end(), rules_of[p].begin(), rules_of[p].end());
            component.stratum = stratum[p];
            if (reached[p] && program.vocabulary.is_negated(Predicate{p})) {
                component.complement = number_of[p];
            }
        }
        if (!component.rules.empty() || component.complement >= 0) {
            components_.push_back(std::move(component));
        }
    }
}

void CompiledProgram::find_transposes() {
    const auto need_transpose = [this](int predicate) {
        predicates_[at(predicate)].needs_transpose = true;
    };
    std::size_t slots = 0;
    for (const RuleState& rule : rules_) {
        slots = std::max(slots, at(rule.plan.slots));
        for (const evaluation::Operation& operation : rule.plan.operations) {
            for (const evaluation::Operand& operand : operation.operands) {
                if (operand.kind == evaluation::Operand::Kind::transposed) {
                    need_transpose(operand.index);
                }
            }
            for (const evaluation::Matrix& matrix : operation.matrices) {
                if (matrix.transposed) {
                    need_transpose(matrix.predicate);
                }
            }
        }
    }
    slots_.resize(slots);
}

void CompiledProgram::evaluate(const Instance& instance, int steps, Truth& out) {
    lay_out(instance.constants);
    find_constants(instance);
    load(instance);
    if (steps < 0) {
        run_to_fixpoint();
    } else {
        run_steps(steps);
    }
    write_out(out);
}

void CompiledProgram::lay_out(int constants) {
    n_ = at(constants);
    words_ = std::max<std::size_t>((n_ + kBits - 1) / kBits, 1);
    std::size_t total = 0;
    std::size_t transposed = 0;
    const auto rows = [this](const PredicateState& state) { return state.arity == 2 ? n_ : 1; };
    derived_ = SIZE_MAX;
    for (PredicateState& state : predicates_) {
        if (state.derived && derived_ == SIZE_MAX) {
            derived_ = total;
        }
        state.offset = total;
        state.transposed = transposed;
        total += rows(state) * words_;
        transposed += state.needs_transpose ? n_ * words_ : 0;
        state.version = 1;
        state.grows = false;
        state.transposed_version = 0;
    }
    derived_ = std::min(derived_, total);
    if (total + transposed > kMaxWords) {
        throw Error("an instance of " + std::to_string(n_) + " constants is too large for bit-sets",
                    {}, "split it into smaller instances");
    }
    int registers = 0;
    for (RuleState& rule : rules_) {
        registers = std::max(registers, rule.plan.rows);
        rule.seen = UINT64_MAX;
    }
    values_.assign(total, 0);
    transposes_.resize(transposed);
    registers_.resize(at(registers) * words_);
    scratch_.resize(words_);
    all_.assign(words_, 0);
    for (std::size_t i = 0; i < n_; ++i) {
        all_[i / kBits] |= Word{1} << (i % kBits);
    }
}

void CompiledProgram::find_constants(const Instance& instance) {
    for (std::size_t c = 0; c < constant_names_.size(); ++c) {
        constants_[c] = instance.find(constant_names_[c]);
    }
    for (RuleState& rule : rules_) {
        rule.possible = std::all_of(rule.plan.constants.begin(), rule.plan.constants.end(),
                                    [this](int c) { return constants_[at(c)] >= 0; });
    }
}

void CompiledProgram::load(const Instance& instance) {
    for (const PredicateState& state : predicates_) {
        if (state.equality) {
            for (std::size_t i = 0; i < n_; ++i) {
                values_[state.offset + i * words_ + i / kBits] |= Word{1} << (i % kBits);
            }
        }
        if (state.input < 0 || at(state.input) >= instance.facts.size()) {
            continue;
        }
        for (const Fact& fact : instance.facts[at(state.input)]) {
            if (fact.value < 0.5F) {
                continue;
            }
            // arity 0: bit 0; 1: bit `first` of the row; 2: bit `second` of row `first`
            const std::size_t row = state.arity == 2 ? at(fact.first) : 0;
            const std::size_t bit =
                state.arity == 0 ? 0 : at(state.arity == 2 ? fact.second : fact.first);
            values_[state.offset + row * words_ + bit / kBits] |= Word{1} << (bit % kBits);
        }
    }
}

void CompiledProgram::run_to_fixpoint() {
    for (const Component& component : components_) {
        if (component.complement >= 0) {
            complement(predicates_[at(component.complement)]);
        }
        bool changed = true;
        while (changed) {
            changed = false;
            for (const int r : component.rules) {
                changed = run_rule(rules_[at(r)], true) || changed;
            }
            changed = changed && component.recursive;
        }
    }
}

void CompiledProgram::run_steps(int steps) {
    next_.assign(values_.begin() + static_cast<std::ptrdiff_t>(derived_), values_.end());
    for (int stratum = 0; stratum < strata_; ++stratum) {
        for (const Component& component : components_) {
            if (component.complement >= 0 && component.stratum == stratum) {
                PredicateState& state = predicates_[at(component.complement)];
                complement(state);
                const auto from = values_.begin() + static_cast<std::ptrdiff_t>(state.offset);
                std::copy_n(from, (state.arity == 2 ? n_ : 1) * words_,
                            next_.begin() + static_cast<std::ptrdiff_t>(state.offset - derived_));
            }
        }
        for (int step = 0; step < steps; ++step) {
            if (!run_stage(target_in_bodies_, stratum)) {
                break;
            }
        }
    }
    for (RuleState& rule : rules_) {
        if (rule.plan.head == target_) {
            run_rule(rule, false);
        }
    }
    // the target alone is read from here on
    std::copy(next_.begin(), next_.end(), values_.begin() + static_cast<std::ptrdiff_t>(derived_));
}

// One synchronous step: what all rules derive from the present state. False: nothing new.
bool CompiledProgram::run_stage(bool with_target, int stratum) {
    bool changed = false;
    for (RuleState& rule : rules_) {
        if (rule.stratum == stratum && (with_target || rule.plan.head != target_)) {
            changed = run_rule(rule, false) || changed;
        }
    }
    if (changed) {
        for (PredicateState& state : predicates_) {
            state.version += state.grows ? 1 : 0;
            state.grows = false;
        }
        // next_ has everything that values_ has
        std::copy(next_.begin(), next_.end(),
                  values_.begin() + static_cast<std::ptrdiff_t>(derived_));
    }
    return changed;
}

// All that the predicate below, whose rules have run, does not hold of.
void CompiledProgram::complement(PredicateState& state) {
    const PredicateState& of = predicates_[at(state.negates)];
    if (state.arity == 0) {
        values_[state.offset] = ~values_[of.offset] & 1U;
    }
    for (std::size_t row = 0; row < (state.arity == 2 ? n_ : 1) && state.arity > 0; ++row) {
        for (std::size_t w = 0; w < words_; ++w) {
            values_[state.offset + row * words_ + w] =
                all_[w] & ~values_[of.offset + row * words_ + w];
        }
    }
    ++state.version;
}

void CompiledProgram::write_out(Truth& out) const {
    const PredicateState& state = predicates_[at(target_)];
    const std::size_t rows = state.arity == 2 ? n_ : 1;
    const std::size_t columns = state.arity == 0 ? 1 : n_;
    out.resize(rows * columns);
    for (std::size_t r = 0; r < rows; ++r) {
        const Word* row = values_.data() + state.offset + r * words_;
        std::uint8_t* to = out.data() + r * columns;
        std::size_t c = 0;
        for (; c + 8 <= columns; c += 8) {
            const Word bytes = spread(row[c / kBits] >> (c % kBits));
            std::memcpy(to + c, &bytes, sizeof bytes);
        }
        for (; c < columns; ++c) {
            to[c] = static_cast<std::uint8_t>((row[c / kBits] >> (c % kBits)) & 1U);
        }
    }
}

}  // namespace hri::evaluation
