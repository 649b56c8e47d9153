// SPDX-License-Identifier: Apache-2.0
#include "hri/logic.hpp"

namespace hri {

Predicate Vocabulary::intern(const PredicateSymbol& symbol) {
    const auto [entry, added] =
        ids_.try_emplace(symbol, static_cast<std::uint32_t>(symbols_.size()));
    const Predicate result{entry->second};
    if (added) {
        symbols_.push_back(symbol);
        if (symbol.negated) {
            intern({symbol.name, symbol.arity});
        }
    }
    return result;
}

Predicate Vocabulary::positive(Predicate p) const {
    const PredicateSymbol& symbol = symbols_[p.id];
    return symbol.negated ? *find({symbol.name, symbol.arity}) : p;
}

std::optional<Predicate> Vocabulary::find(const PredicateSymbol& symbol) const {
    const auto entry = ids_.find(symbol);
    return entry == ids_.end() ? std::nullopt : std::optional(Predicate{entry->second});
}

std::int32_t Vocabulary::intern_constant(const std::string& name) {
    const auto [entry, added] =
        constant_ids_.try_emplace(name, static_cast<std::int32_t>(constants_.size()));
    if (added) {
        constants_.push_back(name);
    }
    return entry->second;
}

std::optional<std::int32_t> Vocabulary::find_constant(const std::string& name) const {
    const auto entry = constant_ids_.find(name);
    return entry == constant_ids_.end() ? std::nullopt : std::optional(entry->second);
}

}  // namespace hri
