// SPDX-License-Identifier: Apache-2.0
#include "comparisons.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

namespace hri::python {
namespace {

constexpr std::size_t kMostPairs = 20'000'000;

/// NaN of what is no number.
double number_of(const std::string& name) {
    double value = 0;
    const char* end = name.data() + name.size();
    const bool begins = !name.empty() && (name[0] == '-' || (name[0] >= '0' && name[0] <= '9'));
    const auto parsed = std::from_chars(name.data(), end, value);
    return begins && parsed.ec == std::errc() && parsed.ptr == end
               ? value
               : std::numeric_limits<double>::quiet_NaN();
}

/// False of what is no number.
bool compares(const std::string& sign, double left, double right) {
    return sign == "<"     ? left < right
           : sign == "=<"  ? left <= right
           : sign == ">"   ? left > right
           : sign == ">="  ? left >= right
           : sign == "=:=" ? left == right
                           : left < right || left > right;
}

/// 18 =< Y as Y >= 18.
std::string turned(const std::string& sign) {
    return sign == "<" ? ">" : sign == "=<" ? ">=" : sign == ">" ? "<" : sign == ">=" ? "=<" : sign;
}

}  // namespace

Comparisons::Comparisons(const Program& program) : program_(program) {
    program_.rules.clear();
    for (Rule rule : program.rules) {
        bool may_hold = true;
        std::vector<Atom> body;
        for (const Atom& atom : rule.body) {
            const PredicateSymbol symbol = program.vocabulary[atom.predicate];
            if (!is_comparison(symbol)) {
                body.push_back(atom);
                continue;
            }
            const Term left = atom.arguments[0];
            const Term right = atom.arguments[1];
            const auto name = [&](Term term) {
                return program.vocabulary.constants()[static_cast<std::size_t>(term.index())];
            };
            if (!left.is_variable() && !right.is_variable()) {
                const bool holds =
                    compares(symbol.name, number_of(name(left)), number_of(name(right)));
                may_hold = may_hold && holds != symbol.negated;
                continue;
            }
            Atom fact = left.is_variable() && right.is_variable()
                            ? Atom{input(symbol.name, ""), {left, right}}
                        : left.is_variable()
                            ? Atom{input(symbol.name, name(right)), {left}}
                            : Atom{input(turned(symbol.name), name(left)), {right}};
            if (symbol.negated) {
                PredicateSymbol negated = program_.vocabulary[fact.predicate];
                negated.negated = true;
                fact.predicate = program_.vocabulary.intern(negated);
            }
            body.push_back(std::move(fact));
        }
        if (may_hold) {
            rule.body = std::move(body);
            program_.rules.push_back(std::move(rule));
        }
    }
}

Predicate Comparisons::input(const std::string& sign, const std::string& bound) {
    const PredicateSymbol symbol{sign + " " + (bound.empty() ? "of numbers" : bound),
                                 bound.empty() ? 2 : 1};
    if (std::none_of(inputs_.begin(), inputs_.end(),
                     [&](const Input& known) { return known.symbol == symbol; })) {
        inputs_.push_back({symbol, sign, number_of(bound)});
    }
    return program_.vocabulary.intern(symbol);
}

Instance Comparisons::with_facts(Instance instance) const {
    if (inputs_.empty()) {
        return instance;
    }
    std::vector<std::pair<std::int32_t, double>> numbers;
    for (std::int32_t i = 0; i < instance.constants; ++i) {
        const double number = number_of(instance.name_of(i));
        if (number == number) {
            numbers.emplace_back(i, number);
        }
    }
    Schema schema = *instance.schema;
    for (const Input& input : inputs_) {
        std::vector<Fact> facts;
        for (const auto& [i, number] : numbers) {
            if (input.symbol.arity == 1) {
                if (compares(input.sign, number, input.bound)) {
                    facts.push_back({i});
                }
                continue;
            }
            for (const auto& [j, other] : numbers) {
                if (compares(input.sign, number, other)) {
                    facts.push_back({i, j});
                }
            }
            if (facts.size() > kMostPairs) {
                throw Error("the program compares two numbers, and the data have too many", {},
                            "compare a number with a constant");
            }
        }
        schema.inputs.push_back(input.symbol);
        instance.facts.push_back(std::move(facts));
    }
    instance.schema = std::make_shared<const Schema>(std::move(schema));
    return instance;
}

Source Comparisons::with_facts(const Source& source) const {
    Source result = source;
    for (Instance& instance : result.instances) {
        instance = with_facts(std::move(instance));
    }
    if (source.generate) {
        result.generate = [this, generate = source.generate](Random& random, Instance& instance) {
            generate(random, instance);
            instance = with_facts(std::move(instance));
        };
    }
    return result;
}

}  // namespace hri::python
