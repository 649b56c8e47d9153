// SPDX-License-Identifier: Apache-2.0

#include "hri/customers.hpp"

#include "hri/error.hpp"
#include "hri/random.hpp"

#include <array>
#include <string>
#include <utility>

namespace hri {
namespace {

constexpr int kMaxOrders = 5;  // of a customer
constexpr int kMaxAmount = 700;
constexpr std::array kRegions = {"north", "south", "east", "west"};
constexpr std::array kChannels = {"shop", "web", "phone"};

template <class Row>
void add(NamedTuples& table, Row&& row) {
    for (std::string& cell : row) {
        table.cells.push_back(std::move(cell));
    }
    table.values.push_back(1);
}

NamedTuples table(const char* name) { return {{name, 2}, {}, {}}; }

template <std::size_t n>
std::string any(const std::array<const char*, n>& of, Random& random) {
    return of[static_cast<std::size_t>(random.below(static_cast<int>(n)))];
}

}  // namespace

InMemoryData customer_data(const CustomerSettings& settings) {
    check_fields(settings);
    using Pair = std::array<std::string, 2>;
    Random random(settings.seed, Random::kData);
    NamedTuples region = table("region");
    NamedTuples age = table("age");
    NamedTuples placed = table("placed");
    NamedTuples amount = table("amount");
    NamedTuples channel = table("channel");
    NamedTuples day = table("day");
    NamedTuples valued{{"valued", 1}, {}, {}};
    NamedTuples others = valued;
    int orders = 0;
    for (int c = 0; c < settings.customers; ++c) {
        const std::string customer = "customer" + std::to_string(c);
        const std::string home = any(kRegions, random);
        add(region, Pair{customer, home});
        add(age, Pair{customer, std::to_string(18 + random.below(70))});
        bool is_valued = false;
        for (int o = random.below(kMaxOrders + 1); o > 0; --o) {
            const std::string order = "order" + std::to_string(orders++);
            const int paid = 1 + random.below(kMaxAmount);
            add(placed, Pair{customer, order});
            add(amount, Pair{order, std::to_string(paid)});
            add(channel, Pair{order, any(kChannels, random)});
            add(day, Pair{order, std::to_string(1 + random.below(365))});
            is_valued = is_valued || (home == "north" && paid >= kPlantedAmount);
        }
        const bool label = is_valued != random.chance(settings.noise);
        add(label ? valued : others, std::array<std::string, 1>{customer});
    }
    InMemoryData data;
    data.name = "customers";
    data.from = "customers";
    data.facts = {region, age, placed, amount, channel, day};
    data.positive = {valued};
    data.negative = {others};
    return data;
}

}  // namespace hri
