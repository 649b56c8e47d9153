// SPDX-License-Identifier: Apache-2.0
#include "popper_test_set.hpp"

#include "hri/data.hpp"
#include "hri/files.hpp"

#include "output.hpp"
#include "search/clauses/learn_clauses.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <unistd.h>

namespace hri::cli {
namespace {

/// The text before the first parenthesis of a clause's line.
std::string name_of(const std::string& line) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos || line[begin] == '%' || line[begin] == ':')
        return {};
    const std::size_t end = line.find('(', begin);
    return end == std::string::npos ? std::string() : line.substr(begin, end - begin);
}

class TemporaryFolder {
  public:
    TemporaryFolder()
        : path_(std::filesystem::temp_directory_path() /
                ("hri-test-set-" + std::to_string(getpid()))) {
        std::filesystem::create_directories(path_);
    }

    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

}  // namespace

Score score_on_test_set(const Program& program, const std::filesystem::path& folder) {
    std::istringstream test(read_file((folder / "test.pl").string()));
    std::string examples;
    std::string facts;
    std::set<std::string> replaced;
    for (std::string line; std::getline(test, line);) {
        const std::string name = name_of(line);
        if (name == "pos" || name == "neg") {
            examples += line + "\n";
        } else {
            facts += line + "\n";
            if (!name.empty())
                replaced.insert(name);
        }
    }
    std::istringstream background(read_file((folder / "bk.pl").string()));
    std::string clause;
    for (std::string line; std::getline(background, line);) {
        clause += line + "\n";
        const std::size_t end = line.find_last_not_of(" \t\r");
        const bool is_open = end != std::string::npos && line[end] != '.' && line[0] != '%';
        if (is_open)
            continue;
        if (replaced.count(name_of(clause)) == 0)
            facts += clause;
        clause.clear();
    }
    facts += clause;
    const TemporaryFolder written;
    write_output((written.path() / "bk.pl").string(), facts);
    write_output((written.path() / "exs.pl").string(), examples);
    if (std::filesystem::exists(folder / "bias.pl"))
        write_output((written.path() / "bias.pl").string(),
                     read_file((folder / "bias.pl").string()));
    const Problem problem = read_task_folder(written.path());
    return search::score_on_examples(program, *problem.database, problem.database->examples);
}

}  // namespace hri::cli
