// SPDX-License-Identifier: Apache-2.0
// Checkpoints behind the part that names the run (keys are in alphabetical order): what can be read
// is written and read again the same.

#include "learn/checkpoint.hpp"

#include "hri/tasks.hpp"

#include <cstddef>
#include <cstdlib>

namespace {

const hri::Problem kProblem = hri::make_problem(hri::find_task("buzz"));
const hri::Options kOptions;

hri::learning::Checkpoint read(const std::string& text) {
    hri::LearnSettings settings;
    settings.resume = text;
    return hri::learning::read_checkpoint(kProblem, kOptions, settings);
}

std::string written(const hri::learning::Checkpoint& checkpoint) {
    return hri::learning::to_text(checkpoint, kProblem, kOptions, hri::LearnSettings{});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::string run = [] {
        const std::string whole = written({});
        return whole.substr(0, whole.find("\"values\""));
    }();
    const std::string input(reinterpret_cast<const char*>(data), size);
    try {
        const std::string text = written(read(run + input));
        if (written(read(text)) != text)
            std::abort();
    } catch (const hri::Error&) {
    }
    return 0;
}
