// SPDX-License-Identifier: Apache-2.0
#include "output.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>

namespace hri::cli {
namespace {

namespace fs = std::filesystem;

std::size_t width_of(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
}

}  // namespace

void check_writable(const std::string& path) {
    if (path.empty()) {
        return;
    }
    std::error_code failed;
    const fs::path real = fs::exists(path, failed) ? fs::canonical(path, failed) : fs::path(path);
    const fs::path target = real.empty() ? fs::path(path) : real;
    if (fs::is_directory(target, failed)) {
        throw Error("cannot write: it is a folder", {path, 0, 0}, "give the name of a file");
    }
    if (fs::exists(target, failed) && !fs::is_regular_file(target, failed)) {
        if (access(target.c_str(), W_OK) != 0) {
            throw Error("cannot write: no permission", {path, 0, 0});
        }
        return;  // a pipe or device is written in place
    }
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, failed)) {
        throw Error(fmt::format("cannot write: there is no folder {}", folder.string()),
                    {path, 0, 0}, "create it first");
    }
    if (access(folder.c_str(), W_OK | X_OK) != 0) {
        throw Error(fmt::format("cannot write: the folder {} is read-only", folder.string()),
                    {path, 0, 0}, "choose another folder or change its permissions");
    }
    // permissions do not tell everything (a read-only or special file system): try
    std::string trial = (folder / ".hri-trial-XXXXXX").string();
    const int file = mkstemp(trial.data());
    if (file < 0) {
        throw Error(
            fmt::format("cannot write: no file can be made in the folder {}", folder.string()),
            {path, 0, 0}, "choose another folder");
    }
    close(file);
    fs::remove(trial, failed);
}

void write_output(const std::string& path, const std::string& content) {
    if (!path.empty()) {
        write_file(path, content);
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

std::string aligned(const std::vector<std::vector<std::string>>& rows, std::size_t to_the_left) {
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
