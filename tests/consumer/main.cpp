// SPDX-License-Identifier: Apache-2.0

#include <hri/learn.hpp>
#include <hri/tasks.hpp>
#include <hri/version.hpp>
#include <iostream>

int main() {
    std::cout << "hri " << hri::version() << '\n';
    const hri::Problem problem = hri::make_problem(hri::find_task("grandparent"));
    const hri::Program program = hri::parse_program(
        "grandparent(X,Y) :- parent(X,Z), parent(Z,Y).\n"
        "parent(X,Y) :- father(X,Y).\n"
        "parent(X,Y) :- mother(X,Y).\n");
    const hri::Score score =
        hri::score_program(program, problem.evaluation, /*seed=*/1, /*count=*/3);
    std::cout << hri::to_text(program) << "accuracy on unseen families: " << score.accuracy << '\n';
    return score.accuracy == 1.0 ? 0 : 1;
}
