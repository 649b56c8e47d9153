// SPDX-License-Identifier: Apache-2.0

// The layering rule of docs/design/architecture.md: each room of src/ may include itself, the rooms
// before it and the public headers of those rooms; public headers stand on the standard library and
// on public headers of their own and earlier rooms. A namespace defines a type once.

#include "paths.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 13> kRooms = {
    "base", "logic", "datalog", "data",  "evaluate", "hypotheses", "tasks",
    "soft", "train", "search",  "learn", "rl",       "export"};

/// The room to which each public header belongs.
const std::map<std::string, std::string, std::less<>> kPublic = {
    {"version", "base"},
    {"files", "base"},
    {"fields", "base"},
    {"paper_options", "tasks"},
    {"cross_validation", "learn"},
    {"several_targets", "learn"},
    {"apply", "learn"},
    {"diagnosis", "learn"},
    {"why_not", "learn"},
    {"schema", "data"},
    {"recall", "evaluate"},
    {"scene_rules", "evaluate"},
    {"explain_model", "soft"},
    {"error", "base"},
    {"random", "base"},
    {"logic", "logic"},
    {"data", "data"},
    {"database", "data"},
    {"tables", "data"},
    {"graph", "data"},
    {"ranking", "evaluate"},
    {"comparisons", "evaluate"},
    {"derive", "evaluate"},
    {"library", "evaluate"},
    {"mine", "search"},
    {"learn_graph", "learn"},
    {"folds", "data"},
    {"scenes", "data"},
    {"evaluate", "evaluate"},
    {"explain", "evaluate"},
    {"protorules", "hypotheses"},
    {"options", "hypotheses"},
    {"model", "hypotheses"},
    {"expressivity", "hypotheses"},
    {"smallest_hierarchy", "hypotheses"},
    {"tasks", "tasks"},
    {"compositions", "tasks"},
    {"customers", "tasks"},
    {"priors", "soft"},
    {"device", "soft"},
    {"cuda_layer", "soft"},
    {"train", "train"},
    {"trainable", "train"},
    {"lri", "train"},
    {"multitask", "train"},
    {"graph_scenes", "train"},
    {"learn", "learn"},
    {"rl", "rl"},
    {"export", "export"},
    {"plot", "export"}};

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

/// The room of "hri/learn.hpp". A header that kPublic does not list counts as the last room's.
std::string_view room_of_header(std::string_view path) {
    const std::string_view name = path.substr(4, path.size() - 8);
    const auto found = kPublic.find(name);
    return found == kPublic.end() ? kRooms.back() : std::string_view(found->second);
}

/// What is wrong with including `name` (delimiters and all) in `file`, a path such as
/// "src/rules/plan.cpp"; empty if nothing is.
std::string objection(std::string_view file, std::string_view name) {
    const bool quoted = name.front() == '"';
    const std::string_view path = name.substr(1, name.size() - 2);
    const std::string_view into = first_part(path);

    if (file.starts_with("include/")) {
        if (quoted) {
            if (into != "hri")
                return "a public header includes public headers only";
            return *rank(room_of_header(path)) <= *rank(room_of_header(file.substr(8))) ||
                           file == "include/hri/hri.hpp"
                       ? ""
                       : "a public header of a later room";
        }
        const bool standard = path.find_first_of("/.") == std::string_view::npos;
        return standard ? "" : "a public header includes no third-party headers";
    }
    if (!quoted) {
        return "";
    }
    if (into == "hri") {
        if (!file.starts_with("src/"))
            return "";
        const auto from = rank(first_part(file.substr(4)));
        return !from || *rank(room_of_header(path)) <= *from ? ""
                                                             : "a public header of a later room";
    }
    if (file.starts_with("python/")) {  // stands on the public headers alone
        return into.empty() ? "" : "the Python package uses public headers only";
    }
    if (file.starts_with("apps/") || file.starts_with("experiments/")) {
        // may use every room, and their neighbours
        return rank(into) || into.empty() || into == "reference" || into == "studio"
                   ? ""
                   : "not a room of src/";
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
    const std::set<std::string> extensions = {".hpp", ".cpp", ".ipp", ".cu"};
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

TEST(Architecture, EveryPublicHeaderHasARoomAndADescription) {
    const auto headers = sources_in({"include"});
    const auto whole = std::find_if(headers.begin(), headers.end(), [](const Source& source) {
        return source.path == "include/hri/hri.hpp";
    });
    ASSERT_NE(whole, headers.end());
    std::ifstream page(fs::path(HRI_SOURCE_DIR) / "docs/reference/cpp.md");
    const std::string reference((std::istreambuf_iterator<char>(page)), {});
    for (const Source& header : headers) {
        const std::string file = header.path.substr(std::string("include/").size());
        if (file == "hri/hri.hpp") {
            continue;
        }
        EXPECT_TRUE(kPublic.contains(file.substr(4, file.size() - 8))) << file << " has no room";
        EXPECT_THAT(reference, testing::HasSubstr("`" + file.substr(4) + "`"));
        EXPECT_TRUE(std::any_of(
            whole->lines.begin(), whole->lines.end(),
            [&](const std::string& line) { return line.starts_with("#include \"" + file + "\""); }))
            << file << " is not in hri/hri.hpp";
    }
}

/// The types that a file defines directly in a named namespace, as "hri::search::Candidate".
std::vector<std::string> types_defined_in(const Source& source) {
    const std::regex opens(R"(^namespace ([\w:]+) \{)");
    const std::regex closes(R"(^\}  // namespace(.*))");
    const std::regex defines(
        R"(^(?:template <.*> )?(?:struct|class|enum class|union) (\w+)(?: final)?(?: : [^{]*)? \{.*)");
    std::vector<std::string> types;
    std::vector<std::string> scopes;
    for (const std::string& line : source.lines) {
        std::smatch match;
        if (line == "namespace {") {
            scopes.emplace_back();
        } else if (std::regex_match(line, match, opens)) {
            scopes.push_back(match[1].str() + "::");
        } else if (std::regex_match(line, match, closes) && !scopes.empty()) {
            scopes.pop_back();
        } else if (std::regex_match(line, match, defines)) {
            const bool named = std::find(scopes.begin(), scopes.end(), "") == scopes.end();
            std::string type;
            for (const std::string& scope : scopes)
                type += scope;
            if (named && !scopes.empty())
                types.push_back(type + match[1].str());
        }
    }
    return types;
}

TEST(Architecture, ANamespaceDefinesATypeOnce) {
    std::map<std::string, std::string> defined;  // type -> file
    std::size_t types = 0;
    for (const Source& source :
         sources_in({"include", "src", "apps", "experiments", "reference"})) {
        for (const std::string& type : types_defined_in(source)) {
            const auto [known, is_new] = defined.emplace(type, source.path);
            EXPECT_TRUE(is_new) << type << " stands in " << known->second << " and " << source.path;
            ++types;
        }
    }
    EXPECT_GT(types, 100U);
}

TEST(Architecture, ATypeInAnUnnamedNamespaceIsNobodyElses) {
    const Source source{"src/rl/a.cpp",
                        {"namespace hri::rl {", "namespace {", "struct Own {", "};",
                         "}  // namespace", "struct State {", "};", "}  // namespace hri::rl"}};
    EXPECT_THAT(types_defined_in(source), testing::ElementsAre("hri::rl::State"));
}

/// What a file defines for itself, in unnamed namespaces: types, constants, and functions by their
/// first line.
std::vector<std::string> own_names(const Source& source) {
    const std::regex opens(R"(^namespace ([\w:]+) \{)");
    const std::regex closes(R"(^\}  // namespace(.*))");
    const std::regex type(R"(^(?:struct|class|enum class) (\w+)(?: final)?(?: : [^{]*)? \{.*)");
    const std::regex constant(R"(^(?:constexpr|const) [^=]*\b(k[A-Z]\w*)(?: =|\{|\[).*)");
    const std::regex function(R"(^([A-Za-z][^()]*\(.*\)(?: const| noexcept)*) \{$)");
    std::vector<std::string> names;
    std::vector<std::string> scopes;
    for (const std::string& line : source.lines) {
        std::smatch match;
        if (line == "namespace {") {
            scopes.emplace_back("own ");
        } else if (std::regex_match(line, match, opens)) {
            scopes.push_back(match[1].str() + "::");
        } else if (std::regex_match(line, match, closes) && !scopes.empty()) {
            scopes.pop_back();
        } else if (std::find(scopes.begin(), scopes.end(), "own ") != scopes.end() &&
                   (std::regex_match(line, match, type) ||
                    std::regex_match(line, match, constant) ||
                    std::regex_match(line, match, function))) {
            std::string name;
            for (const std::string& scope : scopes)
                name += scope;
            names.push_back(name + match[1].str());
        }
    }
    return names;
}

// The builds with sanitizers compile a folder as one source.
TEST(Architecture, FilesOfAFolderHaveDifferentNamesOfTheirOwn) {
    std::map<std::string, std::string> defined;  // folder and name -> file
    for (const Source& source : sources_in({"src"})) {
        if (!source.path.ends_with(".cpp") || source.path.find("_avx") != std::string::npos)
            continue;
        const std::string folder = source.path.substr(0, source.path.rfind('/') + 1);
        for (const std::string& name : own_names(source)) {
            const auto [known, is_new] = defined.emplace(folder + ": " + name, source.path);
            EXPECT_TRUE(is_new || known->second == source.path)
                << name << " stands in " << known->second << " and " << source.path;
        }
    }
    EXPECT_GT(defined.size(), 1000U);
}

TEST(Architecture, EachRoomHasItsOwnNamespace) {
    const std::map<std::string, std::string, std::less<>> nouns = {{"evaluate", "evaluation"},
                                                                   {"train", "training"},
                                                                   {"learn", "learning"},
                                                                   {"export", "exporting"}};
    const std::set<std::string> shared = {"prolog", "simplify", "scenes", "expressivity", "lri"};
    const std::regex opens(R"(^namespace hri::(\w+)(::\w+)? \{)");
    for (const Source& source : sources_in({"src"})) {
        const std::string room(first_part(std::string_view(source.path).substr(4)));
        const auto noun = nouns.find(room);
        const std::string expected = noun == nouns.end() ? room : noun->second;
        for (const std::string& line : source.lines) {
            std::smatch match;
            if (std::regex_match(line, match, opens)) {
                EXPECT_TRUE(match[1].str() == expected || shared.contains(match[1].str()))
                    << source.path << ": " << line;
            }
        }
    }
}

TEST(Architecture, EveryPublicSettingsStructDescribesItsFields) {
    const std::regex settings(R"(^struct (\w+(?:Settings|Options)|Options) \{)");
    std::set<std::string> structs;
    std::set<std::string> described;
    for (const Source& source : sources_in({"include"})) {
        for (const std::string& line : source.lines) {
            std::smatch match;
            if (std::regex_search(line, match, settings)) {
                structs.insert(match[1].str());
            }
            if (std::regex_search(line, match, std::regex(R"(fields_of<(\w+)>\(\);)"))) {
                described.insert(match[1].str());
            }
        }
    }
    EXPECT_GT(structs.size(), 20U);
    EXPECT_THAT(structs, testing::IsSubsetOf(described));
}

TEST(Architecture, EverySourceBeginsWithItsLicence) {
    for (const Source& source : sources_in({"include", "src", "apps", "experiments", "reference",
                                            "python", "tests", "bench", "fuzz"})) {
        EXPECT_TRUE(!source.lines.empty() &&
                    source.lines[0] == "// SPDX-License-Identifier: Apache-2.0")
            << source.path;
    }
}

TEST(Architecture, TheRuleItselfKnowsRightFromWrong) {
    using testing::HasSubstr;
    using testing::IsEmpty;
    EXPECT_THAT(objection("src/soft/model.cpp", "\"base/files.hpp\""), IsEmpty());
    EXPECT_THAT(objection("src/soft/model.cpp", "\"soft/slots.hpp\""), IsEmpty());
    EXPECT_THAT(objection("src/logic/program.cpp", "\"hri/logic.hpp\""), IsEmpty());
    EXPECT_THAT(objection("src/logic/program.cpp", "<fmt/format.h>"), IsEmpty());
    EXPECT_THAT(objection("src/evaluate/evaluate.cpp", "\"soft/model.hpp\""),
                HasSubstr("wrong way"));
    EXPECT_THAT(objection("src/evaluate/evaluate.cpp", "\"search/space.hpp\""),
                HasSubstr("wrong way"));
    EXPECT_THAT(objection("src/logic/program.cpp", "\"../soft/model.hpp\""),
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
    EXPECT_THAT(objection("include/hri/logic.hpp", "\"hri/learn.hpp\""), HasSubstr("later room"));
    EXPECT_THAT(objection("src/logic/program.cpp", "\"hri/learn.hpp\""), HasSubstr("later room"));
    EXPECT_THAT(objection("include/hri/logic.hpp", "<Eigen/Dense>"), HasSubstr("third-party"));
    EXPECT_THAT(objection("include/hri/logic.hpp", "\"logic/lexer.hpp\""),
                HasSubstr("public headers only"));
}

}  // namespace
