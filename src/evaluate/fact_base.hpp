// SPDX-License-Identifier: Apache-2.0
#pragma once

// The facts that proofs begin from: an instance's, or a database's of any arity.

#include "hri/data.hpp"
#include "hri/database.hpp"

#include "datalog/relation.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace hri::evaluation {

class FactBase {
  public:
    explicit FactBase(const Instance& instance);
    explicit FactBase(const Database& database);

    std::int32_t constants() const { return constants_; }

    const std::vector<PredicateSymbol>& inputs() const { return inputs_; }

    std::size_t size(std::size_t input) const;

    std::string name_of(std::int32_t constant) const;

    /// -1 for none.
    std::int32_t find(const std::string& name) const;

    using Use = std::function<void(datalog::Tuple tuple, float value)>;
    void each(std::size_t input, const Use& use) const;

    /// 0 where there is none.
    double value_of(std::size_t input, datalog::Tuple tuple) const;

  private:
    const Instance* instance_ = nullptr;
    const Database* database_ = nullptr;
    std::int32_t constants_ = 0;
    std::vector<PredicateSymbol> inputs_;
    std::unordered_map<std::string, std::int32_t> numbers_;  // of a database's constants
};

}  // namespace hri::evaluation
