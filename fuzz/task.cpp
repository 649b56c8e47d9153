// SPDX-License-Identifier: Apache-2.0
// Task folders: the input is bk.pl, exs.pl and bias.pl with a zero byte between them. Whatever is
// read can be written and read again to the same instance.

#include "data/task_files.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    try {
        const std::size_t first = text.find('\0');
        const std::size_t second = first == std::string::npos ? first : text.find('\0', first + 1);
        hri::data::TaskFiles files;
        files.background = {"bk.pl", text.substr(0, first)};
        if (first != std::string::npos)
            files.examples = {
                "exs.pl",
                text.substr(first + 1, second == std::string::npos ? second : second - first - 1)};
        if (second != std::string::npos)
            files.bias = hri::data::TextFile{"bias.pl", text.substr(second + 1)};
        const hri::Problem problem = hri::data::read_task(files);
        const hri::Instance& instance = problem.training.instances.front();
        if (instance.labels.size() > 100'000)
            return 0;
        const hri::Problem again = hri::data::read_task(hri::data::write_task(problem, instance));
        if (!(again.training.instances.front() == instance))
            std::abort();
    } catch (const hri::Error&) {
    }
    return 0;
}
