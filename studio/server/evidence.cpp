// SPDX-License-Identifier: Apache-2.0
#include "evidence.hpp"

#include "hri/evaluate.hpp"

#include "evaluate/bits/compiled_program.hpp"
#include "logic/prolog/terms.hpp"

#include <algorithm>

namespace hri::studio {

namespace {

/// The program with a further predicate that only one rule of the target defines. The rule's body
/// still sees the whole program, so that recursive rules cover what they cover in it.
Program alone(const Program& program, int rule) {
    Program one = program;
    const PredicateSymbol target = program.vocabulary[program.target];
    one.target = one.vocabulary.intern({target.name + "#", target.arity, false});
    Rule copy = program.rules[static_cast<std::size_t>(rule)];
    copy.head.predicate = one.target;
    one.rules.push_back(std::move(copy));
    return one;
}

}  // namespace

std::vector<int> target_rules(const Program& program) {
    std::vector<int> rules;
    for (std::size_t i = 0; i < program.rules.size(); ++i)
        if (program.rules[i].head.predicate == program.target)
            rules.push_back(static_cast<int>(i));
    return rules;
}

std::vector<Example> covered_examples(const Program& program,
                                      const std::vector<Instance>& instances) {
    std::vector<Example> examples;
    if (instances.empty())
        return examples;
    const std::vector<PredicateSymbol>& inputs = instances.front().inputs();
    evaluation::CompiledProgram whole(program, inputs);
    const std::vector<int> rules = target_rules(program);
    std::vector<evaluation::CompiledProgram> parts;
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

std::vector<Evidence> evidence_of(const std::vector<Example>& examples, std::size_t rules) {
    std::vector<Evidence> evidence(rules);
    for (const Example& example : examples) {
        for (const int rule : example.rules) {
            Evidence& own = evidence[static_cast<std::size_t>(rule)];
            ++(example.positive ? own.positives : own.negatives);
        }
        if (example.positive && example.rules.size() == 1)
            ++evidence[static_cast<std::size_t>(example.rules.front())].only;
    }
    return evidence;
}

std::string atom_text(const Instance& instance, int atom) {
    const PredicateSymbol& target = instance.schema->target;
    const std::string name = prolog::quoted_predicate(target.name);
    if (target.arity == 0)
        return name;
    if (target.arity == 1)
        return name + "(" + prolog::quoted(instance.name_of(atom)) + ")";
    return name + "(" + prolog::quoted(instance.name_of(atom / instance.constants)) + "," +
           prolog::quoted(instance.name_of(atom % instance.constants)) + ")";
}

std::string rule_text(const Program& program, const Rule& rule) {
    Program one;
    one.vocabulary = program.vocabulary;
    one.target = rule.head.predicate;
    one.rules = {rule};
    // The clause is the last paragraph of the Prolog text; declarations and comments come before.
    const std::string text = to_prolog(one);
    std::string clause;
    std::size_t from = 0;
    while (from < text.size()) {
        std::size_t end = text.find('\n', from);
        if (end == std::string::npos)
            end = text.size();
        const std::string line = text.substr(from, end - from);
        from = end + 1;
        if (line.empty() || line[0] == '%' || line.starts_with(":-"))
            clause.clear();
        else
            clause += (clause.empty() ? "" : " ") + line.substr(line.find_first_not_of(' '));
    }
    if (!clause.empty() && clause.back() == '.')
        clause.pop_back();
    return clause;
}

}  // namespace hri::studio
