// SPDX-License-Identifier: Apache-2.0
#include "datalog/limits.hpp"

#include <string>

namespace hri::datalog {
namespace {

constexpr const char* kHint = "split the data into smaller instances";

void spend(std::size_t& left, std::size_t count, std::size_t limit, const char* what) {
    if (count > left) {
        throw LimitReached(
            "the program derives too much: more than " + std::to_string(limit) + what, {}, kHint);
    }
    left -= count;
}

}  // namespace

void Budget::spend_bindings(std::size_t count) {
    spend(bindings_, count, limits_.bindings, " bindings of rule bodies");
    if (limits_.stop && limits_.stop()) {
        throw LimitReached("the evaluation was stopped");
    }
}

void Budget::spend_derived(std::size_t count) { spend(derived_, count, limits_.derived, " atoms"); }

void refuse_more(std::size_t atoms, std::size_t max_atoms) {
    if (atoms > max_atoms) {
        throw LimitReached("the program derives too much: more than " + std::to_string(max_atoms) +
                               " atoms of one predicate",
                           {}, kHint);
    }
}

}  // namespace hri::datalog
