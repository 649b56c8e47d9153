// SPDX-License-Identifier: Apache-2.0
#pragma once

// A shop's customers and their orders, with a planted rule over both tables and a number.
//
//   const Problem shop = make_problem(customer_data({.customers = 500, .noise = 0.1}));
//   learn(shop, {}).program;     // valued(X) <- region(X,north) & placed(X,Y) & amount(Y,Z) & ...

#include "hri/data.hpp"
#include "hri/fields.hpp"

#include <cstdint>

namespace hri {

struct CustomerSettings {
    int customers = 500;
    double noise = 0;  ///< share of the labels that are turned around
    std::uint64_t seed = 0;
};

template <>
const std::vector<Field<CustomerSettings>>& fields_of<CustomerSettings>();

/// valued(X) holds of customers of one region with an order of at least kPlantedAmount. Regions,
/// ages, channels and dates of orders say nothing more.
InMemoryData customer_data(const CustomerSettings& settings);

constexpr int kPlantedAmount = 420;

}  // namespace hri
