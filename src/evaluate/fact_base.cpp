// SPDX-License-Identifier: Apache-2.0
#include "evaluate/fact_base.hpp"

#include <algorithm>
#include <array>

namespace hri::evaluation {

using datalog::Tuple;

FactBase::FactBase(const Instance& instance)
    : instance_(&instance), constants_(instance.constants), inputs_(instance.inputs()) {}

FactBase::FactBase(const Database& database)
    : database_(&database), constants_(static_cast<std::int32_t>(database.constants.size())) {
    for (const FactTable& table : database.tables)
        inputs_.push_back(table.symbol);
    for (std::int32_t c = 0; c < constants_; ++c)
        numbers_.emplace(database.constants[static_cast<std::size_t>(c)], c);
}

std::size_t FactBase::size(std::size_t input) const {
    return instance_ != nullptr ? instance_->facts[input].size() : database_->tables[input].rows();
}

std::string FactBase::name_of(std::int32_t constant) const {
    return instance_ != nullptr ? instance_->name_of(constant)
                                : database_->constants[static_cast<std::size_t>(constant)];
}

std::int32_t FactBase::find(const std::string& name) const {
    if (instance_ != nullptr)
        return instance_->find(name);
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? -1 : found->second;
}

void FactBase::each(std::size_t input, const Use& use) const {
    if (instance_ != nullptr) {
        const auto width = static_cast<std::size_t>(inputs_[input].arity);
        for (const Fact& fact : instance_->facts[input]) {
            const std::array<std::int32_t, 2> cells = {fact.first, fact.second};
            use(Tuple(cells.data(), width), fact.value);
        }
        return;
    }
    const FactTable& table = database_->tables[input];
    const auto width = static_cast<std::size_t>(table.symbol.arity);
    for (std::size_t row = 0; row < table.rows(); ++row)
        use(Tuple(table.cells.data() + row * width, width),
            table.values.empty() ? 1.0F : table.values[row]);
}

double FactBase::value_of(std::size_t input, Tuple tuple) const {
    double value = 0;
    each(input, [&](Tuple other, float of) {
        if (value == 0 && std::equal(other.begin(), other.end(), tuple.begin()))
            value = static_cast<double>(of);
    });
    return value;
}

}  // namespace hri::evaluation
