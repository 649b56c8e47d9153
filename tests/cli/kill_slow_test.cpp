// SPDX-License-Identifier: Apache-2.0

// Runs are killed at random moments (SIGKILL: nothing can be tidied up), resumed until they end,
// and compared with a run that nobody disturbed, bit by bit. HRI_KILLS says how many kills each
// test makes; 50 without it.

#include "cli/run_hri.hpp"
#include "support/databases.hpp"
#include "train/planted.hpp"

#include <chrono>
#include <cstdlib>
#include <fstream>
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

/// Ends a run, or one process of it, and says whether there was one.
using Kill = std::function<bool(const Process& run, std::mt19937& random)>;

bool kill_the_program(const Process& run, std::mt19937& /*random*/) {
    run.signal(SIGKILL);
    return true;
}

/// The programs that mpirun has started: its children, those of its daemons among them.
std::vector<pid_t> ranks_of(pid_t parent) {
    std::vector<pid_t> ranks;
    for (const auto& entry : fs::directory_iterator("/proc")) {
        const pid_t pid = std::atoi(entry.path().filename().c_str());
        std::ifstream file(entry.path() / "stat");
        std::string stat;
        if (pid <= 0 || !std::getline(file, stat))
            continue;
        const std::size_t end = stat.rfind(')');
        pid_t of = 0;
        if (std::sscanf(stat.c_str() + end + 1, " %*c %d", &of) == 1 && of == parent &&
            stat.substr(0, end).find("(hri") != std::string::npos)
            ranks.push_back(pid);
    }
    return ranks;
}

bool kill_a_rank(const Process& run, std::mt19937& random) {
    const std::vector<pid_t> ranks = ranks_of(run.pid());
    return !ranks.empty() && kill(ranks[random() % ranks.size()], SIGKILL) == 0;
}

/// `state`: the file that a run goes on from.
void kill_and_compare(const std::string& state, const Arguments& arguments, const Result& result,
                      const std::vector<std::string>& launcher = {},
                      const Kill& kill_once = kill_the_program) {
    const ScratchFolder folder;
    const auto begin = Clock::now();
    fs::create_directories(folder / "whole");
    const Outcome whole = Process(arguments(folder / "whole", false), launcher).wait();
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
            Process process(arguments(run, fs::exists(run / state)), launcher);
            const double after = std::uniform_real_distribution<double>(0.0, patience)(random);
            std::this_thread::sleep_for(Seconds(after));
            const bool was_killed = kill_once(process, random);
            const Outcome outcome = process.wait();
            is_over = outcome.code == whole.code;
            ASSERT_TRUE(is_over || was_killed) << outcome.code << ": " << outcome.err;
            ASSERT_TRUE(is_over || !launcher.empty() || outcome.code == -SIGKILL)
                << outcome.code << ": " << outcome.err;
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

class KillsOfManyTargets : public testing::Test {
  protected:
    KillsOfManyTargets() { write_scenes(data_ / "data", planted_set(5, 6, 3, 60, 7, 1).scenes); }

    void kill_and_compare(const std::string& rounds, const std::string& threads,
                          const std::vector<std::string>& launcher, const Kill& kill_once) const {
        test::kill_and_compare(
            "checkpoint.safetensors",
            [&](const fs::path& folder, bool resumed) {
                std::vector<std::string> all = {
                    "multitask", (data_ / "data").string(), "--out", folder.string(), "--rounds",
                    rounds,      "--checkpoint-every",      "10",    "--threads",     threads};
                if (resumed) {
                    all.emplace_back("--resume");
                }
                return all;
            },
            [](const fs::path& folder) {
                return read_file(folder / "shared.safetensors") +
                       read_file(folder / "checkpoint.safetensors") +
                       read_file(folder / "programs/target1.pl");
            },
            launcher, kill_once);
    }

  private:
    ScratchFolder data_;
};

TEST_F(KillsOfManyTargets, LoseNothing) { kill_and_compare("300", "2", {}, kill_the_program); }

TEST_F(KillsOfManyTargets, LoseNothingWhereOneRankOfMpirunIsKilled) {
    if (!is_installed("mpirun"))
        GTEST_SKIP() << "mpirun is not installed";
    for (const char* name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
                             "OMPI_MCA_rmaps_base_oversubscribe"})
        setenv(name, "1", 1);
    kill_and_compare("200", "1", {"mpirun", "-n", "2"}, kill_a_rank);
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
