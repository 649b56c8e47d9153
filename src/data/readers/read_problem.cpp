// SPDX-License-Identifier: Apache-2.0

// Recognises what kind of data a source holds.

#include "hri/tables.hpp"

#include "data/readers/column_types.hpp"
#include "data/readers/task_files.hpp"

#include <algorithm>
#include <fstream>
#include <system_error>
#include <unistd.h>

namespace hri {
namespace {

namespace fs = std::filesystem;
using data::TextFile;

constexpr const char* kHint =
    "expected a folder with bk.pl and exs.pl, with .facts, .csv or .tsv files, or with train.txt; "
    "a file that ends in .b, .csv, .tsv or .txt; an SQLite file; or postgresql://...";

bool is_connection(const std::string& source) {
    return source.starts_with("postgresql://") || source.starts_with("postgres://");
}

bool is_sqlite(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::string begin(15, '\0');
    file.read(begin.data(), 15);
    return begin == "SQLite format 3";
}

bool is_scene_file(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::string begin(8, '\0');
    file.read(begin.data(), 8);
    return begin == "hriscene" || path.extension() == ".json";
}

/// ".csv" of a.csv and of a.csv.gz.
std::string ending_of(const fs::path& path) {
    return (path.extension() == ".gz" ? path.stem() : path).extension().string();
}

/// Files of a folder with one of these endings, by name.
std::vector<fs::path> files_in(const fs::path& folder, const std::vector<std::string>& endings) {
    std::vector<fs::path> found;
    std::error_code failure;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, failure)) {
        const std::string ending = ending_of(entry.path());
        if (entry.is_regular_file(failure) &&
            std::find(endings.begin(), endings.end(), ending) != endings.end()) {
            found.push_back(entry.path());
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

/// A table with a header, or triples? A relation's name in the first line stands in others too.
bool is_triples(const fs::path& path) {
    constexpr int kLines = 10'000;
    std::ifstream file(path, std::ios::binary);
    const auto relation = [&]() -> std::optional<std::string> {
        std::string line;
        std::getline(file, line);
        const std::size_t first = line.find('\t');
        const std::size_t second = first == std::string::npos ? first : line.find('\t', first + 1);
        if (second == std::string::npos || line.find('\t', second + 1) != std::string::npos) {
            return std::nullopt;
        }
        return line.substr(first + 1, second - first - 1);
    };
    const std::optional<std::string> of_first = relation();
    for (int i = 0; of_first && i < kLines && file; ++i) {
        if (relation() == of_first) {
            return true;
        }
    }
    return false;
}

/// A knowledge graph: training triples and others beside them.
bool is_graph_of_tsv(const fs::path& folder) {
    std::error_code ignored;
    return (fs::exists(folder / "valid.tsv", ignored) ||
            fs::exists(folder / "test.tsv", ignored)) &&
           is_triples(folder / "train.tsv");
}

std::string recognised(const std::string& source) {
    if (is_connection(source)) {
        return "postgresql";
    }
    const fs::path path = source;
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) {
        if (access(path.c_str(), R_OK | X_OK) != 0) {
            throw Error("cannot read this folder: no permission", {source},
                        "check its permissions");
        }
        if (fs::exists(path / "bk.pl", ignored) || fs::exists(path / "exs.pl", ignored)) {
            return "popper";
        }
        if (!files_in(path, {".facts"}).empty()) {
            return "datalog";
        }
        if (fs::exists(path / "train.txt", ignored) || fs::exists(path / "facts.txt", ignored) ||
            is_graph_of_tsv(path)) {
            return "triples";
        }
        if (!files_in(path, {".b"}).empty()) {
            return "aleph";
        }
        if (!files_in(path, {".csv", ".tsv"}).empty()) {
            return "tables";
        }
        throw Error("there are no data that this folder could be read as", {source}, kHint);
    }
    if (fs::exists(path, ignored)) {
        if (is_sqlite(path)) {
            return "sqlite";
        }
        if (is_scene_file(path)) {
            return "scenes";
        }
        const std::string ending = ending_of(path);
        if (ending == ".b" || ending == ".f" || ending == ".n") {
            return "aleph";
        }
        if (ending == ".csv" || ending == ".tsv") {
            return "tables";
        }
        if (ending == ".txt" || ending == ".triples") {
            return "triples";
        }
        throw Error("the name does not tell how to read this file", {source},
                    "say it by {format}, or give its ending: .b, .csv, .tsv, .txt");
    }
    if (fs::exists(source + ".b", ignored)) {
        return "aleph";
    }
    throw Error("there is no such file or folder", {source}, kHint);
}

std::vector<TextFile> texts(const std::vector<fs::path>& paths) {
    std::vector<TextFile> files;
    for (const fs::path& path : paths) {
        files.push_back(data::read_text(path, kHint));
    }
    return files;
}

Problem aleph_files(const fs::path& source, const ReadOptions& options) {
    std::error_code ignored;
    fs::path stem = source;
    if (fs::is_directory(source, ignored)) {
        const std::vector<fs::path> found = files_in(source, {".b"});
        if (found.size() != 1) {
            throw Error(found.empty() ? "expected a file that ends in .b"
                                      : "there are several files that end in .b",
                        {source.string()}, "give the one to read");
        }
        stem = found.front();
    }
    const std::string ending = stem.extension().string();
    if (ending == ".b" || ending == ".f" || ending == ".n") {
        stem.replace_extension();
    }
    const auto beside = [&](const char* which) { return fs::path(stem.string() + which); };
    data::AlephFiles files;
    files.name = data::name_of(stem);
    files.background = data::read_text(beside(".b"), "Aleph's background stands in a file .b");
    if (fs::exists(beside(".f"), ignored)) {
        files.positive = data::read_text(beside(".f"), kHint);
    }
    if (fs::exists(beside(".n"), ignored)) {
        files.negative = data::read_text(beside(".n"), kHint);
    }
    return data::read_aleph(files, options);
}

Problem triple_files(const fs::path& source, const ReadOptions& options) {
    std::error_code ignored;
    data::TripleFiles files;
    files.name = data::name_of(source);
    if (!fs::is_directory(source, ignored)) {
        files.training = texts({source});
        return data::read_triples(files, options);
    }
    const auto add = [&](const std::string& name, std::vector<TextFile>& to) {
        for (const char* ending : {".txt", ".tsv"}) {
            if (fs::exists(source / (name + ending), ignored)) {
                to.push_back(data::read_text(source / (name + ending), kHint));
                return;
            }
        }
    };
    add("facts", files.training);
    add("train", files.training);
    add("test", files.held_out);
    add("valid", files.ignored);
    return data::read_triples(files, options);
}

bool is_tables(const std::string& format) {
    return format == "tables" || format == "sqlite" || format == "postgresql";
}

/// One character of `tab`, `;` or the like.
std::string separator_in(const TableOptions& tables) {
    const std::string& word = tables.separator;
    if (word == "tab" || word == "\\t") {
        return "\t";
    }
    if (word.size() > 1 || word == "\"" || word == "\n") {
        throw Error("separator: expected one character or `tab`, found '" + word + "'");
    }
    return word;
}

std::unique_ptr<data::TableSource> open(const std::string& source, const std::string& format,
                                        const TableOptions& tables) {
    if (format == "tables") {
        std::error_code ignored;
        const fs::path path = source;
        return data::open_csv(
            texts(fs::is_directory(path, ignored) ? files_in(path, {".csv", ".tsv"})
                                                  : std::vector{path}),
            separator_in(tables));
    }
    return format == "postgresql" ? data::open_postgresql(source) : data::open_sqlite(source);
}

std::optional<TextFile> mapping_of(const ReadOptions& options) {
    return options.mapping.empty()
               ? std::nullopt
               : std::optional(data::read_text(
                     options.mapping, "{proposed_mapping()} gives a mapping to begin with"));
}

Problem table_files(const std::string& source, const std::string& format,
                    const ReadOptions& options, const TableOptions& tables) {
    const std::unique_ptr<data::TableSource> database = open(source, format, tables);
    const fs::path path = source;
    std::error_code ignored;
    std::string from = source;
    if (format == "tables" && fs::is_directory(path, ignored)) {
        const std::vector<fs::path> files = files_in(path, {".csv", ".tsv"});
        from = files.empty() ? source : files.front().string();
    } else if (format == "postgresql") {
        from = format;  // a connection may hold a password
    }
    return data::read_database(*database, format == "postgresql" ? format : data::name_of(path),
                               from, mapping_of(options), options, tables);
}

}  // namespace

const std::vector<std::string>& read_formats() {
    static const std::vector<std::string> formats = {"popper",  "aleph",  "tables", "triples",
                                                     "datalog", "scenes", "sqlite", "postgresql"};
    return formats;
}

Problem read_problem(const std::string& source, const ReadOptions& options) {
    return read_problem(source, options, TableOptions{});
}

Problem read_problem(const std::string& source, const ReadOptions& options,
                     const TableOptions& tables) {
    const std::string format = options.format.empty() ? recognised(source) : options.format;
    const fs::path path = source;
    std::error_code ignored;
    const bool is_folder = fs::is_directory(path, ignored);
    if (!options.mapping.empty() && !is_tables(format)) {
        throw Error("a mapping is for tables, and " + source + " is read as " + format, {},
                    "leave out {mapping}");
    }
    if (!tables.separator.empty() && format != "tables") {
        throw Error("separator: this is for CSV files, and " + source + " is read as " + format, {},
                    "leave it out");
    }
    if (is_tables(format)) {
        return table_files(source, format, options, tables);
    }
    if (format == "popper") {
        return read_task_folder(path, options);
    }
    if (format == "aleph") {
        return aleph_files(path, options);
    }
    if (format == "triples") {
        return triple_files(path, options);
    }
    if (format == "scenes") {
        return data::read_scene_problem(path, options);
    }
    if (format == "datalog") {
        return data::read_datalog(
            texts(is_folder ? files_in(path, {".facts", ".pos", ".neg"}) : std::vector{path}),
            data::name_of(path), options);
    }
    throw Error("there is no format '" + format + "'", {},
                "expected popper, aleph, tables, triples, datalog, scenes, sqlite or postgresql");
}

TableSummary describe_tables(const std::string& source, const ReadOptions& options,
                             const TableOptions& tables) {
    const std::string format = options.format.empty() ? recognised(source) : options.format;
    if (!is_tables(format)) {
        return {};
    }
    return data::summarise(*open(source, format, tables), mapping_of(options), tables);
}

std::string proposed_mapping(const std::string& source, const ReadOptions& options,
                             const TableOptions& tables) {
    const std::string format = options.format.empty() ? recognised(source) : options.format;
    if (!is_tables(format)) {
        throw Error("a mapping is for tables, and " + source + " is read as " + format);
    }
    const std::unique_ptr<data::TableSource> database = open(source, format, tables);
    return data::to_toml(data::propose_mapping(data::typed_tables(*database), tables));
}

std::string proposed_mapping(const std::string& source) { return proposed_mapping(source, {}, {}); }

}  // namespace hri
