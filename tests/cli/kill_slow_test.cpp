// SPDX-License-Identifier: Apache-2.0

// Runs are killed at random moments (SIGKILL: nothing can be tidied up), resumed until they end,
// and compared with a run that nobody disturbed, bit by bit. HRI_KILLS says how many kills each
// test makes; 50 without it.

#include "cli/run_hri.hpp"
#include "train/planted.hpp"

#include <chrono>
#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <thread>

namespace hri::test {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

int kills_wanted() {
    const char* given = std::getenv("HRI_KILLS");
    return given == nullptr ? 50 : std::atoi(given);
}

/// What a finished run left in a folder, without times.
using Result = std::function<std::string(const fs::path& folder)>;
/// The arguments of a run in a folder, first or resumed.
using Arguments = std::function<std::vector<std::string>(const fs::path& folder, bool resumed)>;

std::string without_times(nlohmann::json json) {
    for (const char* key : {"seconds", "instances_per_second", "command", "median_seconds"}) {
        json.erase(key);
    }
    return json.dump();
}

/// `state`: the file that a run goes on from.
void kill_and_compare(const std::string& state, const Arguments& arguments, const Result& result) {
    const ScratchFolder folder;
    const auto begin = Clock::now();
    fs::create_directories(folder / "whole");
    const Outcome whole = hri(arguments(folder / "whole", false));
    ASSERT_LE(whole.code, 1) << whole.err;
    ASSERT_GE(whole.code, 0);
    const double length = Seconds(Clock::now() - begin).count();
    const std::string expected = result(folder / "whole");
    std::mt19937 random(1);
    int kills = 0;
    int finished = 0;
    while (kills < kills_wanted()) {
        const fs::path run = folder / ("run" + std::to_string(finished));
        fs::create_directories(run);
        double patience = 0.6 * length;
        for (bool is_over = false; !is_over;) {
            Process process(arguments(run, fs::exists(run / state)));
            const double after = std::uniform_real_distribution<double>(0.0, patience)(random);
            std::this_thread::sleep_for(Seconds(after));
            process.signal(SIGKILL);
            const Outcome outcome = process.wait();
            ASSERT_TRUE(outcome.code == -SIGKILL || outcome.code == 0 || outcome.code == 1)
                << outcome.code << ": " << outcome.err;
            is_over = outcome.code != -SIGKILL;
            kills += is_over ? 0 : 1;
            patience *= 1.1;  // each comes to its end
        }
        ASSERT_EQ(result(run), expected) << "after " << kills << " kills";
        ++finished;
    }
    std::printf("%d kills, %d runs resumed to the end\n", kills, finished);
}

TEST(Kills, OfLearnLoseNothing) {
    kill_and_compare(
        "c",
        [](const fs::path& folder, bool resumed) {
            std::vector<std::string> all = {"learn",
                                            "length",
                                            "--seed",
                                            "3",
                                            "--time-limit",
                                            "0",
                                            "--max-work",
                                            "3000000",
                                            "--threads",
                                            "1",
                                            "--checkpoint",
                                            (folder / "c").string(),
                                            "--checkpoint-seconds",
                                            "0",
                                            "--json",
                                            (folder / "r.json").string(),
                                            "--program",
                                            (folder / "p.pl").string()};
            if (resumed) {
                all.emplace_back("--resume");
            }
            return all;
        },
        [](const fs::path& folder) {
            return without_times(read_json(folder / "r.json")) +
                   without_times(nlohmann::json::parse(read_file(folder / "c")));
        });
}

TEST(Kills, OfTrainingRestartsLoseNothing) {
    kill_and_compare(
        "c",
        [](const fs::path& folder, bool resumed) {
            std::vector<std::string> all = {"learn",
                                            "fizz",
                                            "--strategy",
                                            "gradient",
                                            "--restarts",
                                            "12",
                                            "--iterations",
                                            "300",
                                            "--time-limit",
                                            "0",
                                            "--threads",
                                            "2",
                                            "--checkpoint",
                                            (folder / "c").string(),
                                            "--checkpoint-seconds",
                                            "0",
                                            "--json",
                                            (folder / "r.json").string(),
                                            "--out",
                                            (folder / "m").string()};
            if (resumed) {
                all.emplace_back("--resume");
            }
            return all;
        },
        [](const fs::path& folder) {
            return without_times(read_json(folder / "r.json")) + read_file(folder / "m");
        });
}

TEST(Kills, OfManyTargetsLoseNothing) {
    const PlantedSet set = planted_set(5, 6, 3, 60, 7, 1);
    const ScratchFolder data;
    write_scenes(data / "data", set.scenes);
    kill_and_compare(
        "checkpoint.safetensors",
        [&](const fs::path& folder, bool resumed) {
            std::vector<std::string> all = {
                "multitask", (data / "data").string(), "--out", folder.string(), "--rounds",
                "300",       "--checkpoint-every",     "10",    "--threads",     "2"};
            if (resumed) {
                all.emplace_back("--resume");
            }
            return all;
        },
        [](const fs::path& folder) {
            return read_file(folder / "shared.safetensors") +
                   read_file(folder / "checkpoint.safetensors") +
                   read_file(folder / "programs/target1.pl");
        });
}

TEST(Kills, OfReproduceLoseNothing) {
    kill_and_compare(
        "state",
        [](const fs::path& folder, bool) {
            return std::vector<std::string>{"reproduce",    "ilp",
                                            "--tasks",      "son,grandparent",
                                            "--seeds",      "8",
                                            "--iterations", "150",
                                            "--threads",    "2",
                                            "--state",      (folder / "state").string(),
                                            "--json",       (folder / "r.json").string()};
        },
        [](const fs::path& folder) {
            std::string rows;
            for (nlohmann::json row : read_json(folder / "r.json").at("rows")) {
                for (const char* key : {"seconds", "median_seconds", "cpu_seconds"}) {
                    row.erase(key);
                }
                rows += row.dump();
            }
            return rows;
        });
}

}  // namespace
}  // namespace hri::test
