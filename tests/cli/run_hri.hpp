// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs the real program.
//
//   Outcome outcome = hri({"learn", "grandparent"});
//   EXPECT_EQ(outcome.code, 0) << outcome.err;

#include "hri/data.hpp"

#include "data/scratch_folder.hpp"
#include "paths.hpp"

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace hri::test {

/// Looks every 20 ms whether something holds, a minute at most.
template <class Holds>
bool holds_soon(const Holds& holds) {
    for (int i = 0; i < 3'000 && !holds(); ++i) {
        usleep(20'000);
    }
    return holds();
}

struct Outcome {
    int code = -1;  ///< negative: ended by that signal
    std::string out;
    std::string err;
};

/// A run that can be signalled before it is waited for.
class Process {
  public:
    /// `launcher`: what stands before the program, such as mpirun and its arguments.
    explicit Process(std::vector<std::string> arguments,
                     const std::vector<std::string>& launcher = {}) {
        arguments.insert(arguments.begin(), HRI_BINARY);
        arguments.insert(arguments.begin(), launcher.begin(), launcher.end());
        std::vector<char*> pointers;
        for (std::string& argument : arguments) {
            pointers.push_back(argument.data());
        }
        pointers.push_back(nullptr);
        const std::string out = (folder_ / "out").string();
        const std::string err = (folder_ / "err").string();
        pid_ = fork();
        if (pid_ == 0) {
            const int flags = O_WRONLY | O_CREAT | O_TRUNC;
            dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
            dup2(open(out.c_str(), flags, 0600), STDOUT_FILENO);
            dup2(open(err.c_str(), flags, 0600), STDERR_FILENO);
            if (!launcher.empty()) {
                setenv("ASAN_OPTIONS", "detect_leaks=0", 0);  // Open MPI itself leaks
            }
            execvp(pointers[0], pointers.data());
            _exit(127);
        }
    }

    void signal(int number) const { kill(pid_, number); }

    /// Waits until the program handles SIGINT and SIGTERM itself, a minute at most. Before that,
    /// they would end it as they end any program.
    bool handles_signals() const {
        return holds_soon([&] {
            std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
            std::string line;
            while (std::getline(status, line) && line.rfind("SigCgt:", 0) != 0) {
            }
            const auto caught = line.empty() ? 0 : std::stoull(line.substr(7), nullptr, 16);
            return ((caught >> (SIGINT - 1)) & (caught >> (SIGTERM - 1)) & 1U) != 0;
        });
    }

    pid_t pid() const { return pid_; }

    Outcome wait() {
        int status = 0;
        waitpid(pid_, &status, 0);
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status),
                read_file(folder_ / "out"), read_file(folder_ / "err")};
    }

  private:
    ScratchFolder folder_;
    pid_t pid_ = -1;
};

inline Outcome hri(std::vector<std::string> arguments) {
    return Process(std::move(arguments)).wait();
}

inline nlohmann::json read_json(const std::filesystem::path& path) {
    return nlohmann::json::parse(read_file(path));
}

/// A folder with a task that a few hundred iterations learn: back(X,Y) <- edge(Y,X).
inline std::string write_tiny_task(const ScratchFolder& folder) {
    const std::filesystem::path task = folder / "tiny";
    std::filesystem::create_directories(task);
    write_file(task / "bk.pl", "edge(a,b). edge(b,c). edge(c,d). edge(d,a).\n");
    std::string examples;
    const std::string names = "abcd";
    for (std::size_t x = 0; x < 4; ++x) {
        for (std::size_t y = 0; y < 4; ++y) {
            examples += std::string(x == (y + 1) % 4 ? "pos" : "neg") + "(back(" + names[x] + "," +
                        names[y] + ")).\n";
        }
    }
    write_file(task / "exs.pl", examples);
    write_file(task / "bias.pl", "head_pred(back,2).\nbody_pred(edge,2).\n");
    return task.string();
}

/// Flags that make learning the tiny task take a moment.
inline std::vector<std::string> quickly(std::vector<std::string> arguments) {
    for (const char* flag : {"--layers", "2", "--train-steps", "2", "--iterations", "400"}) {
        arguments.emplace_back(flag);
    }
    return arguments;
}

}  // namespace hri::test
