// SPDX-License-Identifier: Apache-2.0
// The inner loops of CompiledProgram: one rule over the present state.

#include "base/index.hpp"
#include "evaluate/bits/compiled_program.hpp"

#include <bit>

namespace hri::evaluation {
namespace {

using evaluation::HeadArgument;
using evaluation::Matrix;
using evaluation::Operand;
using evaluation::Operation;
using evaluation::RulePlan;
using Word = std::uint64_t;

using base::at;

bool test(const Word* row, std::size_t bit) {
    return ((row[bit / kBits] >> (bit % kBits)) & 1U) != 0;
}

void set(Word* row, std::size_t bit, bool& changed) {
    Word& word = row[bit / kBits];
    const Word mask = Word{1} << (bit % kBits);
    changed = changed || (word & mask) == 0;
    word |= mask;
}

// Calls visit(i) for each set bit until it returns true; says whether it did.
template <class Visit>
bool any_bit(const Word* row, std::size_t words, Visit visit) {
    for (std::size_t w = 0; w < words; ++w) {
        for (Word rest = row[w]; rest != 0; rest &= rest - 1) {
            if (visit(w * kBits + static_cast<std::size_t>(std::countr_zero(rest)))) {
                return true;
            }
        }
    }
    return false;
}

template <class Visit>
void each_bit(const Word* row, std::size_t words, Visit visit) {
    any_bit(row, words, [&](std::size_t i) {
        visit(i);
        return false;
    });
}

}  // namespace

// In place: rules see what others have derived in the same round. Otherwise it goes to next_.
bool CompiledProgram::run_rule(RuleState& rule, bool in_place) {
    if (!rule.possible) {
        return false;
    }
    std::uint64_t seen = 0;
    for (const int p : rule.plan.body) {
        seen += predicates_[at(p)].version;
    }
    if (seen == rule.seen) {
        return false;
    }
    rule.seen = seen;
    update_transposes(rule.plan);
    PredicateState& head = predicates_[at(rule.plan.head)];
    write_ = (in_place ? values_.data() + head.offset : next_.data() + (head.offset - derived_));
    changed_ = false;
    if (words_ == 1 && rule.plan.straight) {
        run_straight(rule.plan);
    } else if (words_ == 1) {
        run_from<1>(rule.plan, 0);
    } else {
        run_from<0>(rule.plan, 0);
    }
    if (changed_ && in_place) {
        ++head.version;
    } else if (changed_) {
        head.grows = true;
    }
    return changed_;
}

void CompiledProgram::update_transposes(const RulePlan& plan) {
    for (const int p : plan.body) {
        PredicateState& state = predicates_[at(p)];
        if (!state.needs_transpose || state.transposed_version == state.version) {
            continue;
        }
        state.transposed_version = state.version;
        Word* out = transposes_.data() + state.transposed;
        std::fill(out, out + n_ * words_, 0);
        for (std::size_t r = 0; r < n_; ++r) {
            each_bit(values_.data() + state.offset + r * words_, words_,
                     [&](std::size_t c) { out[c * words_ + r / kBits] |= Word{1} << (r % kBits); });
        }
    }
}

int CompiledProgram::value_of(int slot_or_constant) const {
    return slot_or_constant >= 0 ? slots_[at(slot_or_constant)]
                                 : constants_[at(-1 - slot_or_constant)];
}

const Word* CompiledProgram::matrix(const Matrix& matrix) const {
    const PredicateState& state = predicates_[at(matrix.predicate)];
    return matrix.transposed ? transposes_.data() + state.transposed
                             : values_.data() + state.offset;
}

template <int Words>
const Word* CompiledProgram::row(const Operand& operand, Word* scratch) const {
    const std::size_t words = Words == 0 ? words_ : std::size_t{Words};
    switch (operand.kind) {
        case Operand::Kind::all:
            return all_.data();
        case Operand::Kind::row:
            return registers_.data() + at(operand.index) * words;
        case Operand::Kind::unary:
            return values_.data() + predicates_[at(operand.index)].offset;
        case Operand::Kind::binary:
            return matrix({operand.index, false}) + at(value_of(operand.at)) * words;
        case Operand::Kind::transposed:
            return matrix({operand.index, true}) + at(value_of(operand.at)) * words;
        case Operand::Kind::diagonal:
            break;
    }
    const Word* rows = matrix({operand.index, false});
    std::fill(scratch, scratch + words, 0);
    for (std::size_t i = 0; i < n_; ++i) {
        scratch[i / kBits] |= Word{test(rows + i * words, i)} << (i % kBits);
    }
    return scratch;
}

// True: the head's slots are served, other values of the body's variables add nothing.
template <int Words>
bool CompiledProgram::run_from(const RulePlan& plan, std::size_t first) {
    const std::size_t words = Words == 0 ? words_ : std::size_t{Words};
    for (std::size_t i = first; i < plan.operations.size(); ++i) {
        const Operation& operation = plan.operations[i];
        switch (operation.kind) {
            case Operation::Kind::check: {
                const PredicateState& state = predicates_[at(operation.predicate)];
                const std::size_t row = operation.arity == 2 ? at(value_of(operation.first)) : 0;
                const std::size_t bit =
                    operation.arity == 0
                        ? 0
                        : at(value_of(operation.arity == 2 ? operation.second : operation.first));
                if (!test(values_.data() + state.offset + row * words, bit)) {
                    return false;
                }
                break;
            }
            case Operation::Kind::meet: {
                Word* out = row_register(operation.out);
                Word any = 0;
                for (std::size_t k = 0; k < operation.operands.size(); ++k) {
                    const Word* in = row<Words>(operation.operands[k], scratch_.data());
                    any = 0;
                    for (std::size_t w = 0; w < words; ++w) {
                        out[w] = k == 0 ? in[w] : out[w] & in[w];
                        any |= out[w];
                    }
                }
                if (any == 0) {
                    return false;
                }
                break;
            }
            case Operation::Kind::scatter:
            case Operation::Kind::gather:
                if (!eliminate<Words>(operation)) {
                    return false;
                }
                break;
            case Operation::Kind::loop:
                return any_bit(row_register(operation.in), words,
                               [&](std::size_t value) {
                                   slots_[at(operation.slot)] = static_cast<int>(value);
                                   return run_from<Words>(plan, i + 1) && !operation.is_head;
                               }) &&
                       !operation.is_head;
        }
    }
    return emit<Words>(plan);
}

// False: nothing is left.
template <int Words>
bool CompiledProgram::eliminate(const Operation& operation) {
    const std::size_t words = Words == 0 ? words_ : std::size_t{Words};
    const Word* base = row<Words>(operation.base, scratch_.data());
    const Word* in = row_register(operation.in);
    Word* out = row_register(operation.out);
    std::fill(out, out + words, 0);
    // word w of the meet of the matrices' rows
    const auto word = [&](std::size_t index, std::size_t w) {
        Word result = ~Word{0};
        for (const Matrix& m : operation.matrices) {
            result &= matrix(m)[index * words + w];
        }
        return result;
    };
    if (operation.kind == Operation::Kind::gather) {
        each_bit(base, words, [&](std::size_t v) {
            for (std::size_t w = 0; w < words; ++w) {
                if ((word(v, w) & in[w]) != 0) {
                    out[v / kBits] |= Word{1} << (v % kBits);
                    break;
                }
            }
        });
    } else {
        each_bit(in, words, [&](std::size_t z) {
            for (std::size_t w = 0; w < words; ++w) {
                out[w] |= word(z, w);
            }
        });
        for (std::size_t w = 0; w < words; ++w) {
            out[w] &= base[w];
        }
    }
    Word any = 0;
    for (std::size_t w = 0; w < words; ++w) {
        any |= out[w];
    }
    return any != 0;
}

template <int Words>
bool CompiledProgram::emit(const RulePlan& plan) {
    const std::size_t words = Words == 0 ? words_ : std::size_t{Words};
    if (plan.arguments.empty()) {
        set(write_, 0, changed_);
        return true;
    }
    const auto add_row = [&](Word* to, const Word* from) {
        Word fresh = 0;
        for (std::size_t w = 0; w < words; ++w) {
            fresh |= from[w] & ~to[w];
            to[w] |= from[w];
        }
        changed_ = changed_ || fresh != 0;
    };
    const HeadArgument last = plan.arguments.back();
    const auto add_last = [&](Word* to) {
        if (last.is_row) {
            add_row(to, row_register(last.at));
        } else {
            set(to, at(value_of(last.at)), changed_);
        }
    };
    const HeadArgument first = plan.arguments.front();
    if (plan.arguments.size() == 1) {
        add_last(write_);
    } else if (plan.diagonal) {
        each_bit(row_register(first.at), words,
                 [&](std::size_t x) { set(write_ + x * words, x, changed_); });
    } else if (first.is_row) {
        each_bit(row_register(first.at), words,
                 [&](std::size_t x) { add_last(write_ + x * words); });
    } else {
        add_last(write_ + at(value_of(first.at)) * words);
    }
    return !first.is_row && !last.is_row;
}

}  // namespace hri::evaluation
