// SPDX-License-Identifier: Apache-2.0
#include "soft/dense.hpp"

#include "base/checked_size.hpp"

#include <algorithm>

namespace hri::soft {

std::vector<int> columns_of(const std::vector<PredicateSymbol>& inputs,
                            const std::vector<PredicateSymbol>& model_inputs) {
    std::vector<int> columns;
    for (const PredicateSymbol& input : inputs) {
        const auto found = std::find(model_inputs.begin(), model_inputs.end(), input);
        columns.push_back(
            found == model_inputs.end() ? -1 : static_cast<int>(found - model_inputs.begin()));
    }
    return columns;
}

namespace {

/// `=` and negations, from the inputs before them.
template <class Real>
void add_built_in(DenseInstance<Real>& dense, const std::vector<int>& columns,
                  const std::vector<PredicateSymbol>& model_inputs) {
    const int n = dense.n;
    for (std::size_t i = 0; i < model_inputs.size(); ++i) {
        const PredicateSymbol& symbol = model_inputs[i];
        const auto matrix = static_cast<int>(i) + 2;
        const auto row = [&](int p, int x) { return dense.values.data() + (p * n + x) * dense.ld; };
        if (symbol.negated) {
            const auto of = std::find(model_inputs.begin(), model_inputs.end(),
                                      PredicateSymbol{symbol.name, symbol.arity}) -
                            model_inputs.begin();
            for (int x = 0; x < n; ++x)
                for (int y = 0; y < n; ++y)
                    row(matrix, x)[y] = 1 - row(static_cast<int>(of) + 2, x)[y];
        } else if (is_equality(symbol) && std::find(columns.begin(), columns.end(),
                                                    static_cast<int>(i)) == columns.end()) {
            for (int x = 0; x < n; ++x)
                row(matrix, x)[x] = 1;
        } else {
            continue;
        }
        dense.zero[static_cast<std::size_t>(matrix)] = false;
    }
}

}  // namespace

template <class Real>
void make_dense(DenseInstance<Real>& dense, const Instance& instance,
                const std::vector<int>& columns, const std::vector<PredicateSymbol>& model_inputs,
                int target_arity, const std::vector<std::string>& constants) {
    const int n = instance.constants;
    const int ld = stride_for<Real>(n);
    const int matrices = 2 + static_cast<int>(model_inputs.size());
    dense.n = n;
    dense.ld = ld;
    dense.values.assign(
        base::checked_size("input matrices",
                           {{"predicates", matrices}, {"constants", n}, {"columns", ld}},
                           sizeof(Real)),
        Real(0));
    dense.zero.assign(static_cast<std::size_t>(matrices), true);
    dense.labels = instance.labels;
    dense.target_arity = target_arity;

    const auto fill_row = [&](int matrix, int x, Real value) {
        std::fill_n(dense.values.begin() + (matrix * n + x) * ld, n, value);
    };
    for (int x = 0; x < n; ++x)
        fill_row(0, x, Real(1));
    dense.zero[0] = false;
    for (std::size_t f = 0; f < columns.size(); ++f) {
        if (columns[f] < 0)
            continue;
        const int matrix = 2 + columns[f];
        const int arity = model_inputs[static_cast<std::size_t>(columns[f])].arity;
        for (const Fact& fact : instance.facts[f]) {
            const Real value = static_cast<Real>(fact.value);
            if (arity == 2)
                dense.values[static_cast<std::size_t>((matrix * n + fact.first) * ld +
                                                      fact.second)] = value;
            else if (arity == 1)
                fill_row(matrix, fact.first, value);
            else
                for (int x = 0; x < n; ++x)
                    fill_row(matrix, x, value);
            dense.zero[static_cast<std::size_t>(matrix)] = false;
        }
    }
    add_built_in(dense, columns, model_inputs);
    dense.constants.clear();
    for (const std::string& name : constants)
        dense.constants.push_back(instance.find(name));
}

template void make_dense(DenseInstance<float>&, const Instance&, const std::vector<int>&,
                         const std::vector<PredicateSymbol>&, int, const std::vector<std::string>&);
template void make_dense(DenseInstance<double>&, const Instance&, const std::vector<int>&,
                         const std::vector<PredicateSymbol>&, int, const std::vector<std::string>&);

}  // namespace hri::soft
