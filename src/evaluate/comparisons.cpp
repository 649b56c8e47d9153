// SPDX-License-Identifier: Apache-2.0
#include "hri/comparisons.hpp"

#include "hri/error.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

namespace hri {
namespace {

constexpr std::size_t kMaxPairs = 20'000'000;

/// The number; NaN where the text is no number.
double number_of(const std::string& name) {
    double value = std::numeric_limits<double>::quiet_NaN();
    const char* end = name.data() + name.size();
    const auto parsed = std::from_chars(name.data(), end, value);
    const bool begins = !name.empty() && (name[0] == '-' || (name[0] >= '0' && name[0] <= '9'));
    return begins && parsed.ec == std::errc() && parsed.ptr == end
               ? value
               : std::numeric_limits<double>::quiet_NaN();
}

bool compares(const std::string& sign, double left, double right) {
    if (std::isnan(left) || std::isnan(right)) {
        return false;
    }
    return sign == "<"     ? left < right
           : sign == "=<"  ? left <= right
           : sign == ">"   ? left > right
           : sign == ">="  ? left >= right
           : sign == "=:=" ? left == right
                           : left != right;
}

/// 18 =< Y as Y >= 18.
std::string turned(const std::string& sign) {
    return sign == "<" ? ">" : sign == "=<" ? ">=" : sign == ">" ? "<" : sign == ">=" ? "=<" : sign;
}

}  // namespace

ComparisonFacts::ComparisonFacts(const Program& program) : program_(program) {
    std::vector<Rule> rules;
    for (Rule rule : program_.rules) {
        bool fires = true;
        std::vector<Atom> body;
        for (const Atom& atom : rule.body) {
            const PredicateSymbol symbol = program_.vocabulary[atom.predicate];
            if (!is_comparison(symbol)) {
                body.push_back(atom);
                continue;
            }
            const Term left = atom.arguments[0];
            const Term right = atom.arguments[1];
            const auto name = [&](Term term) {
                return program_.vocabulary.constants()[static_cast<std::size_t>(term.index())];
            };
            if (!left.is_variable() && !right.is_variable()) {
                fires = fires && compares(symbol.name, number_of(name(left)),
                                          number_of(name(right))) != symbol.negated;
                continue;
            }
            Atom replaced{{}, {left, right}};
            if (left.is_variable() && right.is_variable()) {
                replaced.predicate = input_of(symbol.name, nullptr, "");
            } else {
                const Term constant = left.is_variable() ? right : left;
                const std::string sign = left.is_variable() ? symbol.name : turned(symbol.name);
                const double bound = number_of(name(constant));
                replaced.predicate = input_of(sign, &bound, name(constant));
                replaced.arguments = {left.is_variable() ? left : right};
            }
            if (symbol.negated) {
                PredicateSymbol negated = program_.vocabulary[replaced.predicate];
                negated.negated = true;
                replaced.predicate = program_.vocabulary.intern(negated);
            }
            body.push_back(std::move(replaced));
        }
        if (fires) {
            rule.body = std::move(body);
            rules.push_back(std::move(rule));
        }
    }
    program_.rules = std::move(rules);
}

Predicate ComparisonFacts::input_of(const std::string& sign, const double* bound,
                                    const std::string& name) {
    PredicateSymbol symbol{bound == nullptr ? sign + " of numbers" : sign + " " + name,
                           bound == nullptr ? 2 : 1};
    const bool known = std::any_of(used_.begin(), used_.end(),
                                   [&](const Used& used) { return used.symbol == symbol; });
    if (!known) {
        used_.push_back({symbol, sign, bound == nullptr ? 0 : *bound});
    }
    return program_.vocabulary.intern(symbol);
}

std::vector<Fact> ComparisonFacts::facts_of(const Used& used,
                                            const std::vector<double>& numbers) const {
    std::vector<Fact> facts;
    const auto count = static_cast<std::int32_t>(numbers.size());
    const auto number = [&](std::int32_t i) { return numbers[static_cast<std::size_t>(i)]; };
    for (std::int32_t i = 0; i < count; ++i) {
        if (used.symbol.arity == 1) {
            if (compares(used.sign, number(i), used.bound)) {
                facts.push_back({i});
            }
            continue;
        }
        for (std::int32_t j = 0; j < count && !std::isnan(number(i)); ++j) {
            if (compares(used.sign, number(i), number(j))) {
                facts.push_back({i, j});
            }
        }
        if (facts.size() > kMaxPairs) {
            throw Error("the program compares two numbers, and the data have too many", {},
                        "compare a number with a constant");
        }
    }
    return facts;
}

Instance ComparisonFacts::with_facts(const Instance& instance) const {
    if (used_.empty()) {
        return instance;
    }
    Instance result = instance;
    std::vector<double> numbers;
    for (int i = 0; i < instance.constants; ++i) {
        numbers.push_back(number_of(instance.name_of(i)));
    }
    Schema schema = *instance.schema;
    for (const Used& used : used_) {
        schema.inputs.push_back(used.symbol);
        result.facts.push_back(facts_of(used, numbers));
    }
    result.schema = std::make_shared<const Schema>(schema);
    return result;
}

Database ComparisonFacts::with_facts(const Database& database) const {
    Database result = database;
    std::vector<double> numbers(database.numbers.begin(), database.numbers.end());
    numbers.resize(database.constants.size(), std::numeric_limits<double>::quiet_NaN());
    for (const Used& used : used_) {
        FactTable table{used.symbol, {}, {}};
        for (const Fact& fact : facts_of(used, numbers)) {
            table.cells.push_back(fact.first);
            if (used.symbol.arity == 2) {
                table.cells.push_back(fact.second);
            }
        }
        result.tables.push_back(std::move(table));
    }
    return result;
}

Source ComparisonFacts::with_facts(const Source& source) const {
    Source result = source;
    for (Instance& instance : result.instances) {
        instance = with_facts(instance);
    }
    if (source.generate) {
        result.generate = [this, generate = source.generate](Random& random, Instance& instance) {
            generate(random, instance);
            instance = with_facts(instance);
        };
    }
    return result;
}

}  // namespace hri
