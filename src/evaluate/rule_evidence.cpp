// SPDX-License-Identifier: Apache-2.0
#include "evaluate/rule_evidence.hpp"

#include "hri/evaluate.hpp"

#include "evaluate/bits/compiled_program.hpp"

namespace hri::evaluation {

Program alone(const Program& program, int rule) {
    Program one = program;
    const PredicateSymbol target = program.vocabulary[program.target];
    one.target = one.vocabulary.intern({target.name + "#", target.arity, false});
    Rule copy = program.rules[static_cast<std::size_t>(rule)];
    copy.head.predicate = one.target;
    one.rules.push_back(std::move(copy));
    return one;
}

std::vector<int> target_rules(const Program& program) {
    std::vector<int> rules;
    for (std::size_t i = 0; i < program.rules.size(); ++i)
        if (program.rules[i].head.predicate == program.target)
            rules.push_back(static_cast<int>(i));
    return rules;
}

std::vector<CoveredExample> covered_examples(const Program& program,
                                             const std::vector<Instance>& instances) {
    std::vector<CoveredExample> examples;
    if (instances.empty())
        return examples;
    const std::vector<PredicateSymbol>& inputs = instances.front().inputs();
    CompiledProgram whole(program, inputs);
    const std::vector<int> rules = target_rules(program);
    std::vector<CompiledProgram> parts;
    parts.reserve(rules.size());
    for (const int rule : rules)
        parts.emplace_back(alone(program, rule), inputs);
    Truth truth;
    for (std::size_t i = 0; i < instances.size(); ++i) {
        const std::size_t first = examples.size();
        const Instance& instance = instances[i];
        whole.evaluate(instance, kToFixpoint, truth);
        for (std::size_t a = 0; a < instance.labels.size(); ++a)
            if (instance.labels[a] != Label::unlabelled)
                examples.push_back({static_cast<int>(i),
                                    static_cast<int>(a),
                                    instance.labels[a] == Label::positive,
                                    truth[a] != 0,
                                    {}});
        for (std::size_t r = 0; r < parts.size(); ++r) {
            parts[r].evaluate(instance, kToFixpoint, truth);
            for (std::size_t e = first; e < examples.size(); ++e)
                if (truth[static_cast<std::size_t>(examples[e].atom)] != 0)
                    examples[e].rules.push_back(static_cast<int>(r));
        }
    }
    return examples;
}

}  // namespace hri::evaluation
