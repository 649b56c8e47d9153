// SPDX-License-Identifier: Apache-2.0

// Tasks about the numbers 0 .. n-1. One fixed instance per size.

#include "tasks/generators.hpp"

namespace hri::tasks {

namespace {

void label_multiples(int n, int divisor, Instance& instance) {
    for (int x = 0; x < n; x += divisor) {
        label_positive(instance, x);
    }
}

}  // namespace

void predecessor(int n, Instance& instance) {
    count_up(n, instance);
    for (int x = 1; x < n; ++x) {
        label_positive(instance, x, x - 1);
    }
}

void less_than(int n, Instance& instance) {
    count_up(n, instance);
    for (int x = 0; x < n; ++x) {
        for (int y = x + 1; y < n; ++y) {
            label_positive(instance, x, y);
        }
    }
}

void even(int n, Instance& instance) {
    count_up(n, instance);
    label_multiples(n, 2, instance);
}

void buzz(int n, Instance& instance) {
    count_up(n, instance);
    write_steps(n, 3, instance.facts[2]);
    write_steps(n, 2, instance.facts[3]);
    label_multiples(n, 5, instance);
}

void fizz(int n, Instance& instance) {
    count_up(n, instance);
    label_multiples(n, 3, instance);
}

}  // namespace hri::tasks
