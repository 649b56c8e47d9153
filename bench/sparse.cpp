// SPDX-License-Identifier: Apache-2.0

// Programs over large random graphs, by our sparse evaluator and by SWI-Prolog's tabling on the
// same facts in the same run:
//   build/release/bench/bench_sparse [CONSTANTS...]        (10000 100000 1000000)
// Each runs in a process of its own; seconds are its processor time for the query, without reading
// facts, memory is what the process peaked at.

#include "hri/evaluate.hpp"
#include "hri/random.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Case {
    const char* name;
    std::vector<hri::PredicateSymbol>
        inputs;  // each a random graph of half as many edges as constants
    const char* rules;
    const char* target;
};

const std::vector<Case> kCases = {
    {"grandparent",
     {{"father", 2}, {"mother", 2}},
     "grandparent(X,Y) :- parent(X,Z), parent(Z,Y).\n"
     "parent(X,Y) :- father(X,Y).\nparent(X,Y) :- mother(X,Y).\n",
     "grandparent"},
    {"closure",
     {{"edge", 2}},
     "path(X,Y) :- edge(X,Y).\npath(X,Y) :- path(X,Z), edge(Z,Y).\n",
     "path"},
    {"same generation",
     {{"edge", 2}},
     "same(X,Y) :- edge(Z,X), edge(Z,Y).\nsame(X,Y) :- edge(Z,X), same(Z,V), edge(V,Y).\n",
     "same"},
};

hri::Instance random_graphs(const Case& test, int constants) {
    hri::Random random(7);
    hri::Instance instance = hri::make_instance(hri::make_schema(test.inputs), constants);
    for (std::size_t i = 0; i < test.inputs.size(); ++i) {
        std::vector<hri::Fact>& facts = instance.facts[i];
        for (int e = 0; e < constants / 2; ++e) {
            facts.push_back({random.below(constants), random.below(constants)});
        }
        std::sort(facts.begin(), facts.end());
        facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
    }
    return instance;
}

struct Outcome {
    double load = 0;
    double query = 0;
    long long answers = -1;
    double megabytes = 0;
};

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Runs `work` in a process of its own; what it prints are Outcome's first three figures.
template <class Work>
Outcome in_a_process(Work work) {
    std::fflush(stdout);
    int ends[2];
    if (pipe(ends) != 0) {
        std::exit(1);
    }
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        work();
        std::fflush(stdout);
        _exit(0);
    }
    close(ends[1]);
    std::string text(4096, '\0');
    std::size_t size = 0;
    for (ssize_t more = 1; more > 0 && size < text.size();) {
        more = read(ends[0], text.data() + size, text.size() - size);
        size += more > 0 ? static_cast<std::size_t>(more) : 0;
    }
    close(ends[0]);
    rusage usage{};
    int status = 0;
    wait4(child, &status, 0, &usage);
    Outcome outcome;
    std::istringstream(text.substr(0, size)) >> outcome.load >> outcome.query >> outcome.answers;
    outcome.megabytes = static_cast<double>(usage.ru_maxrss) / 1024;
    return outcome;
}

Outcome run_ours(const Case& test, int constants) {
    return in_a_process([&] {
        const double start = processor_seconds();
        const hri::Instance instance = random_graphs(test, constants);
        const hri::Program program = hri::parse_program(test.rules, "bench");
        const double loaded = processor_seconds();
        const std::size_t answers = hri::true_atoms(program, instance).size();
        std::printf("%f %f %zu\n", loaded - start, processor_seconds() - loaded, answers);
    });
}

Outcome run_swi_prolog(const Case& test, int constants, const fs::path& folder) {
    const hri::Instance instance = random_graphs(test, constants);
    const hri::Program program = hri::parse_program(test.rules, "bench");
    {
        std::ofstream facts(folder / "facts.pl");
        for (std::size_t i = 0; i < test.inputs.size(); ++i) {
            for (const hri::Fact& fact : instance.facts[i]) {
                facts << test.inputs[i].name << '(' << fact.first << ',' << fact.second << ").\n";
            }
        }
        std::ofstream(folder / "run.pl")
            << ":- table " << test.target << "/2.\n"
            << test.rules
            << "main :- statistics(cputime,A), load_files(facts,[silent(true)]),\n"
               "    statistics(cputime,B), aggregate_all(count,"
            << test.target
            << "(_,_),N),\n    statistics(cputime,C), L is B-A, Q is C-B,\n"
               "    format(\"~6f ~6f ~d~n\",[L,Q,N]).\n";
    }
    return in_a_process([&] {
        fs::current_path(folder);
        execlp("swipl", "swipl", "-q", "-f", "none", "--stack-limit=16g", "--table-space=16g", "-g",
               "main", "-t", "halt", "run.pl", static_cast<char*>(nullptr));
        _exit(127);
    });
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<int> sizes;
    for (int i = 1; i < argc; ++i) {
        sizes.push_back(std::atoi(argv[i]));
        if (sizes.back() < 2) {
            std::fprintf(stderr, "usage: %s [CONSTANTS...]  (10000 100000 1000000)\n", argv[0]);
            return 2;
        }
    }
    if (sizes.empty()) {
        sizes = {10'000, 100'000, 1'000'000};
    }
    const fs::path folder =
        fs::temp_directory_path() / ("hri_bench_sparse_" + std::to_string(getpid()));
    fs::create_directories(folder);
    std::printf(
        "| program | constants | answers | ours, s | MB | SWI-Prolog, s | MB | ratio |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    bool agree = true;
    for (const Case& test : kCases) {
        for (const int constants : sizes) {
            const Outcome ours = run_ours(test, constants);
            const Outcome theirs = run_swi_prolog(test, constants, folder);
            std::printf("| %s | %d | %lld | %.3f | %.0f | ", test.name, constants, ours.answers,
                        ours.query, ours.megabytes);
            if (theirs.answers < 0) {
                std::printf("did not run | | |\n");
                continue;
            }
            std::printf("%.3f | %.0f | %.0f |\n", theirs.query, theirs.megabytes,
                        theirs.query / ours.query);
            agree = agree && theirs.answers == ours.answers;
        }
    }
    fs::remove_all(folder);
    if (!agree) {
        std::printf("the answers differ\n");
    }
    return agree ? 0 : 1;
}
