// SPDX-License-Identifier: Apache-2.0
#pragma once

// LRI's equations as they stand: every rule, every head, every pair of predicates, every constant.

#include "hri/lri.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace hri::test {

/// The cosine of two vectors of length d.
inline double cosine(const double* a, const double* b, std::size_t d) {
    double dot = 0;
    double aa = 0;
    double bb = 0;
    for (std::size_t k = 0; k < d; ++k) {
        dot += a[k] * b[k];
        aa += a[k] * a[k];
        bb += b[k] * b[k];
    }
    return dot / std::sqrt(aa * bb);
}

/// The target's valuations after `steps` steps. `facts`: [predicate][x * n + y], the second
/// argument of a unary predicate being 0; those of intensional predicates are 0 at first.
inline std::vector<double> naive_lri(const LriModel& model, const std::vector<double>& predicates,
                                     const std::vector<double>& rules,
                                     std::vector<std::vector<double>> values, int n, int steps) {
    const std::vector<int> arities = model.arities();
    const std::size_t count = arities.size();
    const auto d = static_cast<std::size_t>(model.dimension);
    const auto at = [n](int x, int y) { return static_cast<std::size_t>(x * n + y); };
    for (int step = 0; step < steps; ++step) {
        std::vector<std::vector<double>> next = values;
        for (std::size_t r = 0; r < model.task.templates.size(); ++r) {
            const ProtoRule& rule = model.task.templates[r];
            const auto match = [&](std::size_t atom, std::size_t p) {
                return cosine(&predicates[p * d], &rules[(3 * r + atom) * d], d);
            };
            const auto arity_of = [&](std::size_t atom) {
                return atom == 0 ? rule.arity()
                                 : static_cast<int>(rule.body[atom - 1].arguments.size());
            };
            const bool two = rule.body.size() == 2;
            for (std::size_t head = model.inputs.size(); head < count; ++head)
                for (std::size_t p = 0; p < count; ++p)
                    for (std::size_t q = 0; q < (two ? count : 1); ++q) {
                        if (arities[head] != arity_of(0) || arities[p] != arity_of(1) ||
                            (two && arities[q] != arity_of(2)))
                            continue;
                        const double weight =
                            match(0, head) * match(1, p) * (two ? match(2, q) : 1.0);
                        // all assignments of three variables; the head's come first
                        for (int x = 0; x < n; ++x)
                            for (int y = 0; y < n; ++y)
                                for (int z = 0; z < n; ++z) {
                                    const int variables[3] = {x, y, z};
                                    const auto place = [&](const std::vector<int>& arguments) {
                                        const auto value = [&](std::size_t i) {
                                            return variables[arguments[i]];
                                        };
                                        return at(value(0), arguments.size() == 2 ? value(1) : 0);
                                    };
                                    const double a = values[p][place(rule.body[0].arguments)];
                                    const double b =
                                        two ? values[q][place(rule.body[1].arguments)] : 1.0;
                                    const double both = model.options.fuzzy_and == And::product
                                                            ? a * b
                                                        : two ? std::min(a, b)
                                                              : a;
                                    double& v = next[head][place(rule.head)];
                                    v = std::max(v, weight * both);
                                }
                    }
        }
        values = next;
    }
    std::vector<double> target;
    for (int x = 0; x < n; ++x)
        for (int y = 0; y < (model.target.arity == 2 ? n : 1); ++y)
            target.push_back(std::min(values.back()[at(x, y)], 1.0));
    return target;
}

}  // namespace hri::test
