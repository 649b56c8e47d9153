// SPDX-License-Identifier: Apache-2.0

// The layering rule of docs/architecture.md: each room of src/ may include itself, the rooms before
// it and the public headers; public headers stand on the standard library alone.

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 17> kRooms = {
    "logic", "data",  "ranks", "tasks",  "rules",     "symbolic", "scenes", "reach", "kernels",
    "model", "train", "lri",   "search", "multitask", "learn",    "export", "rl"};

/// The place of a room in the order, if it is one.
std::optional<std::size_t> rank(std::string_view room) {
    const auto found = std::find(kRooms.begin(), kRooms.end(), room);
    if (found == kRooms.end()) {
        return std::nullopt;
    }
    return static_cast<std::size_t>(found - kRooms.begin());
}

/// The first part of "rules/plan.hpp", or nothing where there is no slash.
std::string_view first_part(std::string_view path) {
    const auto slash = path.find('/');
    return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}

/// What is wrong with including `name` (delimiters and all) in `file`, a path such as
/// "src/rules/plan.cpp"; empty if nothing is.
std::string objection(std::string_view file, std::string_view name) {
    const bool quoted = name.front() == '"';
    const std::string_view path = name.substr(1, name.size() - 2);
    const std::string_view into = first_part(path);

    if (file.starts_with("include/")) {
        if (quoted) {
            return into == "hri" ? "" : "a public header includes public headers only";
        }
        const bool standard = path.find_first_of("/.") == std::string_view::npos;
        return standard ? "" : "a public header includes no third-party headers";
    }
    if (!quoted || into == "hri") {
        return "";
    }
    if (file.starts_with("python/")) {  // stands on the public headers alone
        return into.empty() ? "" : "the Python package uses public headers only";
    }
    if (file.starts_with("apps/") || file.starts_with("experiments/")) {
        // may use every room, and their neighbours
        return rank(into) || into.empty() ? "" : "not a room of src/";
    }
    const auto from = rank(first_part(file.substr(std::string_view("src/").size())));
    const auto to = rank(into);
    if (!from) {
        return "the file is in no room that the architecture knows";
    }
    if (!to) {
        return "not a room of src/: name the header relative to src/, as in \"rules/plan.hpp\"";
    }
    return *to <= *from ? "" : "the arrow points the wrong way";
}

struct Source {
    std::string path;  // relative to the repository
    std::vector<std::string> lines;
};

std::vector<Source> sources_in(const std::vector<std::string>& folders) {
    const std::set<std::string> extensions = {".hpp", ".cpp", ".ipp"};
    const fs::path root = HRI_SOURCE_DIR;
    std::vector<Source> sources;
    for (const std::string& folder : folders) {
        if (!fs::exists(root / folder)) {
            continue;
        }
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
            const fs::path& path = entry.path();
            if (!extensions.contains(path.extension().string())) {
                continue;
            }
            Source source{path.lexically_relative(root).generic_string(), {}};
            std::ifstream in(path);
            for (std::string line; std::getline(in, line);) {
                source.lines.push_back(line);
            }
            sources.push_back(std::move(source));
        }
    }
    return sources;
}

TEST(Architecture, IncludesPointToEarlierRooms) {
    const std::regex include(R"re(^\s*#\s*include\s*("[^"]*"|<[^>]*>).*)re");
    const auto sources = sources_in({"include", "src", "apps", "experiments", "python"});
    ASSERT_FALSE(sources.empty());
    for (const Source& source : sources) {
        for (std::size_t i = 0; i < source.lines.size(); ++i) {
            std::smatch match;
            if (!std::regex_match(source.lines[i], match, include)) {
                continue;
            }
            const std::string problem = objection(source.path, match[1].str());
            EXPECT_EQ(problem, "")
                << source.path << ":" << i + 1 << ": " << source.lines[i] << ": " << problem;
        }
    }
}

TEST(Architecture, EverySourceBeginsWithItsLicence) {
    for (const Source& source : sources_in(
             {"include", "src", "apps", "experiments", "python", "tests", "bench", "fuzz"})) {
        EXPECT_TRUE(!source.lines.empty() &&
                    source.lines[0] == "// SPDX-License-Identifier: Apache-2.0")
            << source.path;
    }
}

TEST(Architecture, TheRuleItselfKnowsRightFromWrong) {
    using testing::HasSubstr;
    using testing::IsEmpty;
    EXPECT_THAT(objection("src/model/model.cpp", "\"kernels/join.hpp\""), IsEmpty());
    EXPECT_THAT(objection("src/model/model.cpp", "\"model/slots.hpp\""), IsEmpty());
    EXPECT_THAT(objection("src/logic/program.cpp", "\"hri/logic.hpp\""), IsEmpty());
    EXPECT_THAT(objection("src/logic/program.cpp", "<fmt/format.h>"), IsEmpty());
    EXPECT_THAT(objection("src/symbolic/evaluate.cpp", "\"model/model.hpp\""),
                HasSubstr("wrong way"));
    EXPECT_THAT(objection("src/symbolic/evaluate.cpp", "\"kernels/join.hpp\""),
                HasSubstr("wrong way"));
    EXPECT_THAT(objection("src/logic/program.cpp", "\"../model/model.hpp\""),
                HasSubstr("not a room"));
    EXPECT_THAT(objection("src/logic/program.cpp", "\"lexer.hpp\""), HasSubstr("not a room"));
    EXPECT_THAT(objection("src/utils/strings.cpp", "\"logic/lexer.hpp\""), HasSubstr("no room"));
    EXPECT_THAT(objection("apps/hri/main.cpp", "\"commands.hpp\""), IsEmpty());
    EXPECT_THAT(objection("apps/hri/main.cpp", "\"learn/json.hpp\""), IsEmpty());
    EXPECT_THAT(objection("python/bindings/data.cpp", "\"bind.hpp\""), IsEmpty());
    EXPECT_THAT(objection("python/bindings/data.cpp", "<pybind11/stl.h>"), IsEmpty());
    EXPECT_THAT(objection("python/bindings/data.cpp", "\"train/adam.hpp\""),
                HasSubstr("public headers only"));
    EXPECT_THAT(objection("include/hri/logic.hpp", "<vector>"), IsEmpty());
    EXPECT_THAT(objection("include/hri/logic.hpp", "\"hri/error.hpp\""), IsEmpty());
    EXPECT_THAT(objection("include/hri/logic.hpp", "<Eigen/Dense>"), HasSubstr("third-party"));
    EXPECT_THAT(objection("include/hri/logic.hpp", "\"logic/lexer.hpp\""),
                HasSubstr("public headers only"));
}

}  // namespace
