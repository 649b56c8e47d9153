// SPDX-License-Identifier: Apache-2.0
// Programs on a small random instance: bit-sets, sparse relations, the naive evaluator and the
// simplified program agree.

#include "hri/evaluate.hpp"
#include "hri/random.hpp"

#include "evaluate/bits/compiled_program.hpp"
#include "tests/evaluate/naive_evaluator.hpp"
#include "tests/support/random_programs.hpp"
#include "tests/support/truth.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>

namespace {

using namespace hri;

/// Few enough groundings for the naive evaluator.
bool is_small(const Program& program) {
    if (program.rules.size() > 12)
        return false;
    for (const Rule& rule : program.rules) {
        std::set<Term> variables(rule.head.arguments.begin(), rule.head.arguments.end());
        for (const Atom& atom : rule.body)
            variables.insert(atom.arguments.begin(), atom.arguments.end());
        if (variables.size() > 6)
            return false;
    }
    return true;
}

std::vector<PredicateSymbol> inputs_of(const Program& program) {
    std::set<PredicateSymbol> defined = {program.vocabulary[program.target]};
    for (const Rule& rule : program.rules)
        defined.insert(program.vocabulary[rule.head.predicate]);
    std::vector<PredicateSymbol> inputs;
    for (const PredicateSymbol& symbol : program.vocabulary.symbols())
        if (!symbol.negated && symbol.name != "=" && defined.count(symbol) == 0)
            inputs.push_back(symbol);
    return inputs;
}

}  // namespace

/// The first two bytes say which instance.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2)
        return 0;
    const std::string text(reinterpret_cast<const char*>(data) + 2, size - 2);
    try {
        const Program program = parse_program(text);
        if (!is_small(program))
            return 0;
        Random random(data[0]);
        const std::vector<PredicateSymbol> inputs = inputs_of(program);
        const Instance instance = test::random_instance(inputs, data[1] % 4, random);
        const Program simple = simplified(program);
        evaluation::CompiledProgram compiled(program, inputs);
        for (const int steps : {0, 1, 3, kToFixpoint}) {
            Truth bits;
            compiled.evaluate(instance, steps, bits);
            test::NaiveEvaluator naive(program, instance);
            const Truth sparse =
                test::truth_of(true_atoms(program, instance, steps), program, instance.constants);
            if (bits != naive.run(steps) || bits != sparse)
                std::abort();
            if (steps == kToFixpoint && evaluate(simple, instance) != bits)
                std::abort();
        }
    } catch (const Error&) {
    }
    return 0;
}
