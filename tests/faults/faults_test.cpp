// SPDX-License-Identifier: Apache-2.0

// Small runs in which one allocation or one call of the file system fails, each in turn: every time
// an error, never a crash, and the next run is as if nothing had been. With the address sanitizer
// also: nothing leaks. Allocations of JSON are left out: the destructor of nlohmann's values
// allocates, and nothing can be done where that fails (the program keeps a reserve for it).

#include "hri/evaluate.hpp"
#include "hri/export.hpp"
#include "hri/learn.hpp"
#include "hri/multitask.hpp"
#include "hri/tasks.hpp"

#include "base/file_faults.hpp"
#include "data/scratch_folder.hpp"
#include "train/planted.hpp"

#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <new>

namespace {

std::atomic<long> calls = 0;
std::atomic<long> failing = -1;  // the call that fails; -1: none

void* allocate(std::size_t size) {
    if (++calls == failing) {
        return nullptr;
    }
    return std::malloc(size == 0 ? 1 : size);
}

}  // namespace

// Not inlined: g++ 12 would see a free() of what a new made, and warn.
[[gnu::noinline]] void* operator new(std::size_t size) {
    if (void* memory = allocate(size)) {
        return memory;
    }
    throw std::bad_alloc();
}

[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return allocate(size);
}

[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }

[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace hri {
namespace {

namespace fs = std::filesystem;
using test::ScratchFolder;

Problem small_problem() {
    InMemoryData data;
    data.name = "small";
    data.facts = {{{"edge", 2}, {"a", "b", "b", "c", "c", "d"}, {1, 1, 1}},
                  {{"red", 1}, {"b", "d"}, {1, 1}}};
    data.positive = {{{"back", 2}, {"b", "a", "c", "b", "d", "c"}, {1, 1, 1}}};
    data.negative = {{{"back", 2}, {"a", "b", "a", "a", "a", "d"}, {1, 1, 1}}};
    return make_problem(data);
}

const Program& small_program() {
    static const Program program = parse_program(
        "t(X) :- p(X,Y), \\+ q(Y), Y \\= a.\nt(X) :- u(X).\np(X,Y) :- e(X,Y).\np(X,Y) :- e(X,Z), "
        "p(Z,Y).\n");
    return program;
}

struct SmallRun {
    const char* name;
    std::function<std::string(const fs::path& folder)> run;
};

bool writes_json = true;

std::string learned(const fs::path& folder, Strategy strategy, int threads) {
    LearnSettings settings{.strategy = strategy, .seed = 1, .time_limit = 0};
    settings.threads = threads;
    settings.max_work = 20'000;
    settings.restarts = 2;
    if (writes_json)
        settings.checkpoint = [&](const std::string& text) {
            write_file(folder / "checkpoint", text);
        };
    Options options;
    options.iterations = 20;
    options.layers = 2;
    const Report report = learn(small_problem(), options, settings);
    if (writes_json)
        save_model(folder / "model", report.model);
    write_file(folder / "program.pl", to_prolog(report.program));
    return to_text(report.program) +
           to_text(extract(writes_json ? load_model(folder / "model") : report.model));
}

const std::vector<SmallRun>& runs() {
    static const std::vector<SmallRun> all = {
        {"learn", [](const fs::path& f) { return learned(f, Strategy::portfolio, 1); }},
        {"learn with threads",
         [](const fs::path& f) { return learned(f, Strategy::portfolio, 2); }},
        {"train", [](const fs::path& f) { return learned(f, Strategy::gradient, 2); }},
        {"evaluate",
         [](const fs::path& folder) {
             write_file(folder / "p.pl", to_prolog(small_program()));
             const Program program = parse_program(read_file(folder / "p.pl"), "p.pl");
             const Problem problem = make_problem(find_task("connectedness"));
             Random random(1, Random::kData);
             Instance instance;
             const Instance& drawn = problem.training.draw(0, random, instance);
             std::string truth;
             for (const auto holds :
                  evaluate(parse_program(find_task("connectedness").solution), drawn))
                 truth += holds != 0 ? '1' : '0';
             return to_text(simplified(program)) + truth;
         }},
        {"export",
         [](const fs::path& folder) {
             const Program& program = small_program();
             const std::string text = to_prolog(program) + to_datalog(program) +
                                      to_sql(program, SqlDialect::sqlite) +
                                      to_sql(program, SqlDialect::postgresql) +
                                      (writes_json ? to_json(program) : std::string()) +
                                      to_dot(program) + to_svg(program) + to_latex(program);
             write_file(folder / "all", text);
             return text;
         }},
        {"many targets",
         [](const fs::path& folder) {
             static const test::PlantedSet set = test::planted_set(3, 5, 2, 20, 5, 1);
             MultitaskSettings settings;
             settings.rounds = 3;
             settings.checkpoint_every = 1;
             settings.threads = 2;
             if (writes_json)
                 settings.checkpoint = folder / "checkpoint";
             const MultitaskResult result =
                 learn_targets(set.scenes, multitask_options(), settings);
             if (writes_json)
                 save_multitask(folder / "shared", result.learned);
             const std::vector<RefinedRules> better =
                 refine_rules(set.scenes, result.learned, {.threads = 2});
             return to_text(better.front().program) +
                    (writes_json ? read_file(folder / "shared") : std::string());
         }},
    };
    return all;
}

/// Up to `count` numbers from 1 to `last`: the first ones, then ever fewer.
std::vector<long> spread(long last, int count) {
    std::vector<long> numbers;
    const double factor = std::pow(static_cast<double>(std::max(last, 2L)), 1.0 / count);
    double next = 1;
    while (static_cast<long>(next) <= last) {
        numbers.push_back(static_cast<long>(next));
        next = std::max(next + 1, next * factor);
    }
    return numbers;
}

TEST(Faults, AnAllocationThatFailsIsAnError) {
    writes_json = false;
    for (const SmallRun& run : runs()) {
        const ScratchFolder folder;
        run.run(folder.path());  // what is made once and kept
        const long before = calls;
        const std::string expected = run.run(folder.path());
        const long all = calls - before;
        int failed = 0;
        for (const long k : spread(all, 60)) {
            SCOPED_TRACE(std::string(run.name) + ", allocation " + std::to_string(k));
            failing = calls + k;
            try {
                const std::string result = run.run(folder.path());
                failing = -1;
                EXPECT_EQ(result, expected) << "what allocates may do without, but not differ";
            } catch (const std::bad_alloc&) {
                ++failed;
            } catch (const Error&) {
                ++failed;
            }
            failing = -1;
        }
        EXPECT_EQ(run.run(folder.path()), expected) << run.name;
        EXPECT_GT(failed, 10) << run.name;
        std::printf("%s: %ld allocations, %d failures\n", run.name, all, failed);
    }
}

TEST(Faults, ACallThatFailsIsAnErrorAndNoFileIsHalfWritten) {
    writes_json = true;
    for (const SmallRun& run : runs()) {
        const ScratchFolder folder;
        const std::string expected = run.run(folder.path());
        std::map<fs::path, std::string> whole;
        for (const auto& entry : fs::directory_iterator(folder.path())) {
            whole[entry.path()] = read_file(entry.path());
        }
        ASSERT_FALSE(whole.empty()) << run.name;
        int failed = 0;
        for (const int code : {ENOSPC, EIO}) {
            for (long k = 1; k < 200; k = k < 20 ? k + 1 : k * 5 / 4) {
                SCOPED_TRACE(std::string(run.name) + ", call " + std::to_string(k));
                long count = 0;
                try {
                    const base::FileFaults faults(
                        [&](const char*) { return ++count == k ? code : 0; });
                    EXPECT_EQ(run.run(folder.path()), expected);
                    break;  // there are no more calls
                } catch (const Error& error) {
                    ++failed;
                    EXPECT_NE(error.message().find("cannot"), std::string::npos);
                }
                for (const auto& entry : fs::directory_iterator(folder.path())) {
                    ASSERT_TRUE(whole.count(entry.path()) == 1) << entry.path() << " is left over";
                }
            }
        }
        EXPECT_GT(failed, 0) << run.name;
        EXPECT_EQ(run.run(folder.path()), expected) << run.name;
    }
}

}  // namespace
}  // namespace hri
