// SPDX-License-Identifier: Apache-2.0
#include "output.hpp"

#include "base/mpi.hpp"
#include "base/output_files.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>

namespace hri::cli {
namespace {

std::size_t width_of(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
}

}  // namespace

OutputFlags& output_flags() {
    static OutputFlags flags;
    return flags;
}

void check_writable(const std::string& path) {
    if (!path.empty() && base::Communicator::all().is_first()) {
        base::claim_output(path, output_flags().force);
    }
}

void check_folder(const std::string& folder, const std::vector<std::string>& files) {
    if (!base::Communicator::all().is_first()) {
        return;
    }
    base::claim_folder(folder);
    for (const std::string& file : files) {
        if (!output_flags().force) {
            base::require_ours(std::filesystem::path(folder) / file);
        }
    }
}

void write_output(const std::string& path, const std::string& content) {
    if (!path.empty()) {
        write_file(path, content);
    }
}

void Attempts::attempt(const std::function<void()>& write) {
    try {
        write();
    } catch (const Error& error) {
        first_ = first_ ? first_ : error;
    }
}

void Attempts::finish() const {
    if (first_) {
        throw *first_;
    }
}

std::string grouped(std::int64_t number) {
    std::string digits = std::to_string(number);
    const std::size_t first = number < 0 ? 1 : 0;
    for (std::size_t i = digits.size(); i > first + 3;) {
        i -= 3;
        digits.insert(i, ",");
    }
    return digits;
}

std::string counted(std::int64_t number, const std::string& noun) {
    return grouped(number) + " " + noun + (number == 1 ? "" : "s");
}

std::string precision_text(const Score& score) {
    const bool says_nothing =
        score.false_positives == 0 && score.false_negatives == score.positives;
    return says_nothing ? "-" : fmt::format("{:.2f} %", 100 * score.precision);
}

std::string duration(double seconds) {
    if (seconds < 100) {
        return fmt::format("{:.{}f} s", seconds, seconds < 10 ? 2 : 1);
    }
    const long whole = std::lround(seconds);
    return whole < 3600 ? fmt::format("{} min {} s", whole / 60, whole % 60)
                        : fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string describe(const Source& source, int count, const std::string& adjective) {
    Instance scratch;
    Random random(0, Random::kEvaluation);
    const Instance& sample = source.draw(0, random, scratch);
    std::string noun = adjective.empty() ? "instance" : adjective + " instance";
    const auto instances = static_cast<int>(source.instances.size());
    return counted(source.fixed() ? instances : count, noun) + " of " +
           counted(sample.constants, "constant");
}

std::string aligned(const std::vector<std::vector<std::string>>& given, std::size_t to_the_left) {
    std::vector<std::vector<std::string>> rows = given;
    for (auto& row : rows) {
        std::transform(row.begin(), row.end(), row.begin(),
                       [](const std::string& cell) { return base::printable(cell); });
    }
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], width_of(row[i]));
        }
    }
    std::string text;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string padding(widths[i] - width_of(row[i]), ' ');
            line += (i == 0 ? "" : "  ") + (i < to_the_left ? row[i] + padding : padding + row[i]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

}  // namespace hri::cli
