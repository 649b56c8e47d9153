// SPDX-License-Identifier: Apache-2.0

// A derivation's program against the metarule's own words: the program runs through the evaluator,
// the metarule through loops over all its variables, so that neither shares code with the search.

#include "hri/expressivity.hpp"
#include "hri/random.hpp"

#include "base/index.hpp"
#include "evaluate/bits/compiled_program.hpp"
#include "hypotheses/expressivity/metarule.hpp"

#include <algorithm>

namespace hri {
namespace {

using base::at;

int power(int base, int exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }

/// A relation for each predicate, as bits in row-major order.
using Relations = std::vector<std::vector<char>>;

class Comparator {
  public:
    Comparator(const Program& program, const Metarule& metarule)
        : metarule_(metarule), inputs_(expressivity::predicates_of(metarule)) {
        inputs_.push_back({"Equal", 2});
        compiled_.emplace(program, inputs_);
        instance_.schema = make_schema(inputs_);
        for (const MetaAtom& atom : metarule.body) {
            const auto found = std::find_if(
                inputs_.begin(), inputs_.end(),
                [&atom](const PredicateSymbol& s) { return s.name == atom.predicate; });
            // inputs_.end() is True, which holds
            relation_of_.push_back(static_cast<std::size_t>(found - inputs_.begin()));
        }
    }

    /// The number of bits of an interpretation.
    int bits(int constants) const {
        int count = 0;
        for (std::size_t p = 0; p + 1 < inputs_.size(); ++p) {
            count += power(constants, inputs_[p].arity);
        }
        return count;
    }

    /// Compares on the interpretation that takes its bits from the source.
    template <class Bit>
    bool equal_on(int constants, const Bit& bit) {
        n_ = constants;
        relations_.resize(inputs_.size());
        for (std::size_t p = 0; p < inputs_.size(); ++p) {
            std::vector<char>& relation = relations_[p];
            relation.assign(at(power(n_, inputs_[p].arity)), 0);
            const bool is_equal = p + 1 == inputs_.size();
            for (std::size_t i = 0; i < relation.size(); ++i) {
                const bool value = is_equal ? i % at(n_ + 1) == 0 : bit();
                relation[i] = value ? 1 : 0;
            }
        }
        write_facts();
        compiled_->evaluate(instance_, kToFixpoint, truth_);
        evaluate_metarule();
        return truth_ == expected_;
    }

  private:
    void write_facts() {
        instance_.reset(n_, Label::unlabelled);
        for (std::size_t p = 0; p < inputs_.size(); ++p) {
            for (std::size_t i = 0; i < relations_[p].size(); ++i) {
                if (relations_[p][i] != 0) {
                    const int cell = static_cast<int>(i);
                    const bool binary = inputs_[p].arity == 2;
                    instance_.facts[p].push_back(
                        {binary ? cell / n_ : cell, binary ? cell % n_ : 0});
                }
            }
        }
    }

    void evaluate_metarule() {
        const int variables = static_cast<int>(metarule_.variables.size());
        expected_.assign(at(power(n_, static_cast<int>(metarule_.head.arguments.size()))), 0);
        values_.assign(at(variables), 0);
        while (true) {
            bool holds = true;
            for (std::size_t i = 0; i < metarule_.body.size() && holds; ++i) {
                holds = relation_of_[i] == inputs_.size() ||
                        relations_[relation_of_[i]][cell(metarule_.body[i].arguments)] != 0;
            }
            if (holds) {
                expected_[cell(metarule_.head.arguments)] = 1;
            }
            int v = 0;
            while (v < variables && ++values_[at(v)] == n_) {
                values_[at(v++)] = 0;
            }
            if (v == variables) {
                return;
            }
        }
    }

    std::size_t cell(const std::vector<int>& arguments) const {
        int index = 0;
        for (const int v : arguments) {
            index = index * n_ + values_[at(v)];
        }
        return at(index);
    }

    const Metarule& metarule_;
    std::vector<PredicateSymbol> inputs_;   // Equal last
    std::vector<std::size_t> relation_of_;  // [body atom]
    std::optional<evaluation::CompiledProgram> compiled_;
    int n_ = 0;
    Relations relations_;
    Instance instance_;
    std::vector<int> values_;  // [variable]
    Truth truth_;
    Truth expected_;
};

}  // namespace

Comparison compare(const Program& program, const Metarule& metarule, int max_bits, int random_ones,
                   std::uint64_t seed) {
    constexpr std::int64_t kSample = 1 << 12;
    Comparator comparator(program, metarule);
    Comparison result;
    result.equal = true;
    Random random(seed, Random::kEvaluation);
    const int bits = comparator.bits(2);
    result.all_over_two = bits <= max_bits;
    const std::int64_t count = result.all_over_two ? std::int64_t{1} << bits : kSample;
    for (std::int64_t i = 0; i < count && result.equal; ++i) {
        std::int64_t rest = i;
        result.equal = comparator.equal_on(2, [&] {
            if (!result.all_over_two) {
                return random.chance(0.5);
            }
            const bool bit = (rest & 1) != 0;
            rest >>= 1;
            return bit;
        });
        ++result.over_two;
    }
    for (int n = 3; n <= 4; ++n) {
        for (int i = 0; i < random_ones && result.equal; ++i) {
            const double density = random.uniform();
            result.equal = comparator.equal_on(n, [&] { return random.chance(density); });
            ++(n == 3 ? result.over_three : result.over_four);
        }
    }
    return result;
}

}  // namespace hri
