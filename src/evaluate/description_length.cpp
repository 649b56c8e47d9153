// SPDX-License-Identifier: Apache-2.0
#include "hri/evaluate.hpp"

#include "logic/dependencies.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace hri {
namespace {

double log2_choose(std::int64_t n, std::int64_t k) {
    const auto log_factorial = [](std::int64_t m) {
        int sign = 0;  // std::lgamma() would write it to a global, of all threads
        return lgamma_r(static_cast<double>(m) + 1, &sign);
    };
    return (log_factorial(n) - log_factorial(k) - log_factorial(n - k)) / std::log(2.0);
}

/// Bits of the wrong ones among `all`: their number, then their places.
double choice_bits(std::int64_t all, std::int64_t wrong) {
    return std::log2(static_cast<double>(all) + 1) + log2_choose(all, wrong);
}

}  // namespace

double program_bits(const Program& program, int inputs) {
    std::set<Predicate> defined;
    for (const Rule& rule : program.rules)
        defined.insert(rule.head.predicate);
    const double predicate = std::log2(std::max(inputs + static_cast<double>(defined.size()), 2.0));
    const double sign = logic::has_negation(program) ? 1 : 0;  // of each body atom
    double bits = 0;
    for (const Rule& rule : program.rules) {
        std::set<Term> terms;
        std::size_t arguments = 0;
        const auto read = [&](const Atom& atom) {
            terms.insert(atom.arguments.begin(), atom.arguments.end());
            arguments += atom.arguments.size();
        };
        read(rule.head);
        std::for_each(rule.body.begin(), rule.body.end(), read);
        const double atoms = 1 + static_cast<double>(rule.body.size());
        const double argument = std::log2(std::max(static_cast<double>(terms.size()), 2.0));
        // one bit after each atom says whether the rule goes on
        bits += (atoms - 1) * sign + atoms * (predicate + 1) +
                static_cast<double>(arguments) * argument;
    }
    return bits;
}

double error_bits(const Score& score) {
    const std::int64_t predicted_positive =
        score.positives - score.false_negatives + score.false_positives;
    const std::int64_t predicted_negative =
        score.negatives - score.false_positives + score.false_negatives;
    return choice_bits(predicted_positive, score.false_positives) +
           choice_bits(predicted_negative, score.false_negatives);
}

}  // namespace hri
