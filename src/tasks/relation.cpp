// SPDX-License-Identifier: Apache-2.0
#include "tasks/relation.hpp"

#include "tasks/generators.hpp"

namespace hri::tasks {

void Relation::reset(int n) {
    constants_ = n;
    words_ = (n + 63) / 64;
    bits_.assign(static_cast<std::size_t>(n) * static_cast<std::size_t>(words_), 0);
}

void Relation::mirror() {
    for (int x = 0; x < constants_; ++x) {
        for_each(x, [this, x](int y) { add(y, x); });
    }
}

void Relation::close() {
    for (int middle = 0; middle < constants_; ++middle) {
        for (int x = 0; x < constants_; ++x) {
            if (!has(x, middle)) {
                continue;
            }
            for (int w = 0; w < words_; ++w) {
                bits_[word(x, 64 * w)] |= bits_[word(middle, 64 * w)];
            }
        }
    }
}

int Relation::out_degree(int x) const {
    int degree = 0;
    for (int w = 0; w < words_; ++w) {
        degree += std::popcount(bits_[word(x, 64 * w)]);
    }
    return degree;
}

void Relation::write_facts(std::vector<Fact>& facts) const {
    for (int x = 0; x < constants_; ++x) {
        for_each(x, [&facts, x](int y) { facts.push_back({x, y}); });
    }
}

void Relation::write_labels(Instance& instance) const {
    for (int x = 0; x < constants_; ++x) {
        for_each(x, [&instance, x](int y) { label_positive(instance, x, y); });
    }
}

}  // namespace hri::tasks
