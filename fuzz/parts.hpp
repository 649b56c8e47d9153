// SPDX-License-Identifier: Apache-2.0
#pragma once

// Inputs of several files with a zero byte between them, and the round trip that every reader of
// data must pass.

#include "data/readers/task_files.hpp"
#include "data/several_targets.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace hri::fuzz {

/// Backgrounds that need SWI-Prolog are refused: a process for each input would take too long.
inline const bool kWithoutProlog = setenv("PATH", "/nowhere", 1) == 0;

/// One text for each name; those that the input lacks are empty.
inline std::vector<data::TextFile> parts(const std::uint8_t* bytes, std::size_t size,
                                         const std::vector<std::string>& names) {
    const std::string text(reinterpret_cast<const char*>(bytes), size);
    std::vector<data::TextFile> files;
    std::size_t begin = 0;
    for (const std::string& name : names) {
        const std::size_t end =
            begin > text.size() ? text.size() : std::min(text.find('\0', begin), text.size());
        files.push_back({name, begin > text.size() ? "" : text.substr(begin, end - begin)});
        begin = end + 1;
    }
    return files;
}

/// What was read is written and read again to the same facts and labels.
inline void check_round_trip(const Problem& problem) {
    constexpr std::size_t kMaxLabels = 100'000;
    for (const Instance& instance : problem.training.instances) {
        if (instance.labels.size() > kMaxLabels) {
            return;
        }
        const Problem again = data::read_task(
            data::write_task(problem, instance),
            {.target = problem.target().name + "/" + std::to_string(problem.target().arity),
             .split = {.when = SplitOptions::When::never}});
        const Instance& read = again.training.instances.front();
        if (again.inputs() != problem.inputs() || again.target() != problem.target() ||
            read.facts != instance.facts || read.labels != instance.labels) {
            std::abort();
        }
    }
}

/// Reads with these options, and where targets are several the first one; checks the round trip.
template <class Read>
void check_read(ReadOptions options, Read read) {
    try {
        check_round_trip(read(options));
    } catch (const data::SeveralTargets& several) {
        options.target = several.targets().front();
        check_round_trip(read(options));
    }
}

}  // namespace hri::fuzz
