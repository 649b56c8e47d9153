// SPDX-License-Identifier: Apache-2.0
#pragma once

// Facts and examples of any arity over one set of constants, as they were read: not split into
// instances, not restricted to one or two arguments. Clauses are learned from it. The hierarchy of
// the paper learns from instances (hri/data.hpp), which are made of it.
//
//   const Database& data = *problem.database;
//   for (const FactTable& table : data.tables) ...

#include "hri/logic.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hri {

/// A list that copies share: what computed predicates add is seen in all copies of a database.
template <class T>
class SharedList {
  public:
    SharedList() : items_(std::make_shared<std::vector<T>>()) {}

    SharedList(std::vector<T> items)  // NOLINT(google-explicit-constructor): it is such a list
        : items_(std::make_shared<std::vector<T>>(std::move(items))) {}

    std::size_t size() const { return items_->size(); }

    bool empty() const { return items_->empty(); }

    const T& operator[](std::size_t i) const { return (*items_)[i]; }

    const T& back() const { return items_->back(); }

    auto begin() const { return items_->cbegin(); }

    auto end() const { return items_->cend(); }

    void push_back(T item) { items_->push_back(std::move(item)); }

    void assign(std::size_t count, const T& item) { items_->assign(count, item); }

    void clear() { items_->clear(); }

    operator const std::vector<T>&() const {  // NOLINT(google-explicit-constructor)
        return *items_;
    }

  private:
    std::shared_ptr<std::vector<T>> items_;
};

/// In a pattern: any constant.
constexpr std::int32_t kAnyConstant = -1;

/// The tuples of one predicate.
struct FactTable {
    PredicateSymbol symbol;
    std::vector<std::int32_t> cells;  ///< row after row, symbol.arity of them each
    std::vector<float> values;        ///< one per row, in (0, 1]; empty: all are 1

    std::size_t rows() const {
        return symbol.arity == 0 ? values.size()
                                 : cells.size() / static_cast<std::size_t>(symbol.arity);
    }
};

/// The labelled atoms of one target.
struct ExampleTable {
    PredicateSymbol target;
    std::vector<std::int32_t> cells;  ///< row after row, target.arity of them each
    std::vector<char> positive;       ///< one per row
};

/// A predicate whose tuples a program computes when they are asked for: lists, arithmetic.
struct ComputedPredicate {
    PredicateSymbol symbol;
    /// Appends the rows that agree with `pattern` where that is not kAnyConstant. New terms become
    /// constants of the database and of its copies. One thread at a time. Throws Error where the
    /// call does not end.
    std::function<void(std::span<const std::int32_t> pattern, std::vector<std::int32_t>& rows)>
        call;
};

/// The bias: the rules that are allowed. Types and directions stand by predicate, one per argument.
struct ClauseBias {
    std::optional<int> max_variables;
    std::optional<int> max_body;
    std::optional<int> max_clauses;
    bool recursion = false;  ///< asked for; data without a bias may still be learned recursively
    bool invention = false;
    std::map<PredicateSymbol, std::vector<std::string>> types;
    std::map<PredicateSymbol, std::vector<std::string>> directions;  ///< "in", "out"
    /// Arguments that may be constants of the data in rules.
    std::map<PredicateSymbol, std::vector<bool>> constants;
    std::map<PredicateSymbol, int> recall;  ///< occurrences in one body at most
    std::vector<std::string> single_types;  ///< a clause has exactly one variable of each
};

struct Database {
    /// Names as Instance::names and Vocabulary have them: atoms without quotes, numbers, lists and
    /// terms with functions as text, such as [1,f(a)]. Computed predicates append to them.
    SharedList<std::string> constants;
    SharedList<double> numbers;     ///< of constants, NaN for none; empty: none is a number
    std::vector<FactTable> tables;  ///< of inputs; the target's own are its known facts
    std::vector<ComputedPredicate> computed;
    ExampleTable examples;
    ExampleTable held_out;  ///< judged by, not learned from
    /// Tuples that no example lists are negative, and too many to be listed.
    bool unlisted_negative = false;
    ClauseBias bias;
};

}  // namespace hri
