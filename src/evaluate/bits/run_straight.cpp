// SPDX-License-Identifier: Apache-2.0
// Most rules on few constants: rows of one word, and at most one loop, which fills the head's rows
// one by one. The same as run_from<1>(), without asking at each constant what is where.

#include "base/index.hpp"
#include "evaluate/bits/compiled_program.hpp"

#include <array>
#include <bit>
#include <cassert>

namespace hri::evaluation {
namespace {

using evaluation::kMaxStraight;
using evaluation::Operand;
using evaluation::Operation;
using evaluation::RulePlan;
using Word = std::uint64_t;

using base::at;

/// A word that may depend on the loop's constant x: at[step * x].
struct Reading {
    const Word* at;
    std::size_t step;

    Word operator()(std::size_t x) const { return at[step * x]; }
};

struct Act {  // not initialised: there are more than a rule needs
    Operation::Kind kind;
    Word* out;
    const Word* in;
    const Word* rows;
    std::size_t operands;
    std::array<Reading, kMaxStraight> sources;  // a meet's operands, or an elimination's base
};

// False: nothing is left.
bool run(const Act* act, const Act* end, std::size_t x) {
    for (; act != end; ++act) {
        Word word = act->sources[0](x);
        if (act->kind == Operation::Kind::meet) {
            for (std::size_t k = 1; k < act->operands; ++k) {
                word &= act->sources[k](x);
            }
        } else if (act->kind == Operation::Kind::scatter) {
            Word sum = 0;
            for (Word rest = *act->in; rest != 0; rest &= rest - 1) {
                sum |= act->rows[std::countr_zero(rest)];
            }
            word &= sum;
        } else {
            const Word in = *act->in;
            for (Word rest = word; rest != 0; rest &= rest - 1) {
                const bool meets = (act->rows[std::countr_zero(rest)] & in) != 0;
                word ^= meets ? 0 : rest & (0 - rest);
            }
        }
        if (word == 0) {
            return false;
        }
        *act->out = word;
    }
    return true;
}

}  // namespace

void CompiledProgram::run_straight(const RulePlan& plan) {
    const auto source = [this](const Operand& operand) -> Reading {
        switch (operand.kind) {
            case Operand::Kind::all:
                return {all_.data(), 0};
            case Operand::Kind::row:
                return {registers_.data() + at(operand.index), 0};
            case Operand::Kind::unary:
                return {values_.data() + predicates_[at(operand.index)].offset, 0};
            default:
                break;
        }
        const Word* rows = matrix({operand.index, operand.kind == Operand::Kind::transposed});
        return operand.at >= 0 ? Reading{rows, 1} : Reading{rows + value_of(operand.at), 0};
    };
    std::array<Act, kMaxStraight> acts;
    std::size_t count = 0;
    std::size_t loop = 0;  // acts before it
    Word* over = nullptr;
    assert(plan.operations.size() <= acts.size());
    for (const Operation& operation : plan.operations) {
        if (operation.kind == Operation::Kind::loop) {
            loop = count;
            over = row_register(operation.in);
            continue;
        }
        Act& act = acts[count++];
        act.kind = operation.kind;
        act.out = row_register(operation.out);
        if (operation.kind == Operation::Kind::meet) {
            act.operands = operation.operands.size();
            for (std::size_t k = 0; k < act.operands; ++k) {
                act.sources[k] = source(operation.operands[k]);
            }
        } else {
            act.in = row_register(operation.in);
            act.rows = matrix(operation.matrices[0]);
            act.sources[0] = source(operation.base);
        }
    }
    const Word* last = row_register(plan.arguments.back().at);
    Word fresh = 0;
    if (over == nullptr) {
        if (run(acts.data(), acts.data() + count, 0)) {
            fresh = *last & ~*write_;
            *write_ |= *last;
        }
    } else if (run(acts.data(), acts.data() + loop, 0)) {
        for (Word rest = *over; rest != 0; rest &= rest - 1) {
            const auto x = static_cast<std::size_t>(std::countr_zero(rest));
            if (run(acts.data() + loop, acts.data() + count, x)) {
                fresh |= *last & ~write_[x];
                write_[x] |= *last;
            }
        }
    }
    changed_ = changed_ || fresh != 0;
}

}  // namespace hri::evaluation
