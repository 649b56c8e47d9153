// SPDX-License-Identifier: Apache-2.0
#pragma once

// SWI-Prolog as a judge of what we print.
//
//   EXPECT_TRUE(swi_prolog_agrees(report.program, problem));

#include "hri/data.hpp"
#include "hri/evaluate.hpp"

#include "logic/prolog/terms.hpp"
#include "support/databases.hpp"

#include <gtest/gtest.h>

namespace hri::test {

/// Whether SWI-Prolog, given what to_prolog() prints and an instance's facts, holds the same atoms
/// of the target true as our evaluator. Without SWI-Prolog there is nothing to say against it.
inline testing::AssertionResult swi_prolog_agrees(const Program& program,
                                                  const Instance& instance) {
    if (!is_installed("swipl")) {
        return testing::AssertionSuccess();
    }
    const auto atom = [&](const std::string& name, int arity, int first, int second) {
        const auto constant = [&](int c) { return prolog::quoted(instance.name_of(c)); };
        return prolog::quoted_predicate(name) + (arity > 0 ? "(" + constant(first) : "") +
               (arity > 1 ? "," + constant(second) : "") + (arity > 0 ? ")" : "");
    };
    const std::vector<PredicateSymbol>& inputs = instance.inputs();
    std::string text = to_prolog(program);
    const bool lists_constants = text.find("% domain: constant/1") != std::string::npos;
    for (std::size_t p = 0; p < inputs.size(); ++p) {
        for (const Fact& fact : instance.facts[p]) {
            if (fact.value >= 0.5F && program.vocabulary.find(inputs[p])) {
                text += atom(inputs[p].name, inputs[p].arity, fact.first, fact.second) + ".\n";
            }
        }
    }
    for (int c = 0; lists_constants && c < instance.constants; ++c) {
        text += atom("constant", 1, c, c) + ".\n";
    }
    const PredicateSymbol& target = program.vocabulary[program.target];
    std::string goals;
    for (int i = 0; i < (target.arity > 0 ? instance.constants : 1); ++i) {
        for (int j = 0; j < (target.arity > 1 ? instance.constants : 1); ++j) {
            goals += (goals.empty() ? "" : ",\n") + atom(target.name, target.arity, i, j);
        }
    }
    text += "hri_asked([" + goals + "]).\n";
    std::string expected;
    for (const auto holds : evaluate(program, instance)) {
        expected += holds != 0 ? '1' : '0';
    }
    const ScratchFolder folder;
    write_file(folder / "program.pl", text);
    const std::string printed = printed_by(
        "timeout 120 swipl -q -f none -t halt -g 'hri_asked(L), "
        "forall(member(G, L), (call(G) -> write(1) ; write(0)))' '" +
            (folder / "program.pl").string() + "'",
        folder.path());
    if (printed == expected) {
        return testing::AssertionSuccess();
    }
    return testing::AssertionFailure()
           << "SWI-Prolog says " << printed << "\nwe say " << expected << "\nof " << text;
}

/// The same on an instance that the program was judged on, or learned from where there is no other.
inline testing::AssertionResult swi_prolog_agrees(const Program& program, const Problem& problem) {
    Instance scratch;
    Random random(1, Random::kEvaluation);
    const Source& source = problem.evaluation.empty() ? problem.training : problem.evaluation;
    return swi_prolog_agrees(program, source.draw(0, random, scratch));
}

}  // namespace hri::test
