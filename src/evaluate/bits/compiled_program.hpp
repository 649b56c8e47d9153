// SPDX-License-Identifier: Apache-2.0
#pragma once

// A program made ready to run on many instances.
//
//   CompiledProgram compiled(program, problem.inputs());
//   Truth truth;
//   for (const Instance& instance : instances) {
//       compiled.evaluate(instance, kToFixpoint, truth);      // nothing is allocated after the
//       first call
//       ...                                                    // unless an instance is larger than
//       all before
//   }
//
// A unary predicate is a row of n bits, a binary one n rows. Not to be shared between threads: copy
// it.

#include "hri/evaluate.hpp"

#include "evaluate/bits/rule_plan.hpp"

#include <cstdint>
#include <vector>

namespace hri::evaluation {

inline constexpr std::size_t kBits = 64;  // of a word

class CompiledProgram {
  public:
    /// Throws Error where a predicate takes more than two arguments.
    CompiledProgram(const Program& program, const std::vector<PredicateSymbol>& inputs);

    /// The target's truth values on an instance, as hri::evaluate() gives them.
    void evaluate(const Instance& instance, int steps, Truth& out);

    int target_arity() const { return predicates_[static_cast<std::size_t>(target_)].arity; }

  private:
    using Word = std::uint64_t;

    struct PredicateState {
        int arity = 0;
        int input = -1;         // index into the instance's facts; -1: none
        bool derived = true;    // defined by rules, or false
        int negates = -1;       // predicate whose complement this is
        bool equality = false;  // the built-in X = Y
        bool needs_transpose = false;
        std::size_t offset = 0;      // into values_
        std::size_t transposed = 0;  // into transposes_
        std::uint64_t version = 0;   // grows with each change
        std::uint64_t transposed_version = 0;
        bool grows = false;  // in the step that is being made
    };

    struct RuleState {
        evaluation::RulePlan plan;
        int stratum = 0;                  // how many negations lie below it
        bool possible = true;             // the instance has its constants
        std::uint64_t seen = UINT64_MAX;  // sum of the versions that it read last time
    };

    struct Component {  // rules that depend on each other, or one complement
        std::vector<int> rules;
        int complement = -1;  // predicate
        int stratum = 0;
        bool recursive = false;
    };

    void compile(const Program& program, const std::vector<PredicateSymbol>& inputs);
    void compile_rules(const Program& program, const std::vector<int>& number_of,
                       const std::vector<bool>& reached);
    void find_transposes();
    void lay_out(int constants);
    void load(const Instance& instance);
    void find_constants(const Instance& instance);
    void run_to_fixpoint();
    void run_steps(int steps);
    bool run_stage(bool with_target, int stratum);
    void complement(PredicateState& state);
    bool run_rule(RuleState& rule, bool in_place);
    void update_transposes(const evaluation::RulePlan& plan);
    void write_out(Truth& out) const;

    // Templates over the number of words of a row; 0: more than one, known at run time.
    template <int Words>
    bool run_from(const evaluation::RulePlan& plan, std::size_t operation);
    template <int Words>
    bool emit(const evaluation::RulePlan& plan);
    template <int Words>
    const Word* row(const evaluation::Operand& operand, Word* scratch) const;
    template <int Words>
    bool eliminate(const evaluation::Operation& operation);

    void run_straight(const evaluation::RulePlan& plan);

    int value_of(int slot_or_constant) const;
    const Word* matrix(const evaluation::Matrix& matrix) const;

    Word* row_register(int index) {
        return registers_.data() + static_cast<std::size_t>(index) * words_;
    }

    std::vector<std::string> constant_names_;
    std::vector<PredicateState> predicates_;
    std::vector<RuleState> rules_;
    std::vector<Component> components_;  // each after those it depends on
    int target_ = 0;
    bool target_in_bodies_ = false;
    int strata_ = 1;

    // the current instance
    std::size_t n_ = 0;
    std::size_t words_ = 0;    // of a row
    std::size_t derived_ = 0;  // values_ from here on are derived, not given
    std::vector<Word> values_;
    std::vector<Word> next_;  // the derived ones after the step that is being made
    std::vector<Word> transposes_;
    std::vector<Word> registers_;
    std::vector<Word> all_;       // a row of n ones
    std::vector<Word> scratch_;   // rows that are computed on the way: a diagonal
    std::vector<int> constants_;  // [constant of the program] of the instance; -1: it lacks it
    std::vector<int> slots_;
    Word* write_ = nullptr;  // where rules put what they derive, indexed as values_
    bool changed_ = false;
};

}  // namespace hri::evaluation
