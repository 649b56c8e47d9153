// SPDX-License-Identifier: Apache-2.0

// Recognises what kind of data a source holds.

#include "hri/data.hpp"

#include "data/readers/database.hpp"
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

/// Files of a folder with one of these endings, by name.
std::vector<fs::path> files_in(const fs::path& folder, const std::vector<std::string>& endings) {
    std::vector<fs::path> found;
    std::error_code failure;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, failure)) {
        const std::string ending = entry.path().extension().string();
        if (entry.is_regular_file(failure) &&
            std::find(endings.begin(), endings.end(), ending) != endings.end()) {
            found.push_back(entry.path());
        }
    }
    std::sort(found.begin(), found.end());
    return found;
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
        if (fs::exists(path / "train.txt", ignored) || fs::exists(path / "facts.txt", ignored)) {
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
        const std::string ending = path.extension().string();
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
    const auto add = [&](const char* name, std::vector<TextFile>& to) {
        if (fs::exists(source / name, ignored)) {
            to.push_back(data::read_text(source / name, kHint));
        }
    };
    add("facts.txt", files.training);
    add("train.txt", files.training);
    add("test.txt", files.held_out);
    add("valid.txt", files.ignored);
    return data::read_triples(files, options);
}

std::unique_ptr<data::Database> open(const std::string& source, const std::string& format) {
    return format == "postgresql" ? data::open_postgresql(source) : data::open_sqlite(source);
}

}  // namespace

const std::vector<std::string>& read_formats() {
    static const std::vector<std::string> formats = {"popper",  "aleph",  "tables", "triples",
                                                     "datalog", "scenes", "sqlite", "postgresql"};
    return formats;
}

Problem read_problem(const std::string& source, const ReadOptions& options) {
    const std::string format = options.format.empty() ? recognised(source) : options.format;
    const fs::path path = source;
    std::error_code ignored;
    const bool is_folder = fs::is_directory(path, ignored);
    if (!options.mapping.empty() && format != "sqlite" && format != "postgresql") {
        throw Error("a mapping is for databases, and " + source + " is read as " + format, {},
                    "leave out {mapping}");
    }
    if (format == "popper") {
        return read_task_folder(path, options);
    }
    if (format == "aleph") {
        return aleph_files(path, options);
    }
    if (format == "tables") {
        return data::read_tables(
            texts(is_folder ? files_in(path, {".csv", ".tsv"}) : std::vector{path}),
            data::name_of(path), options);
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
    if (format != "sqlite" && format != "postgresql") {
        throw Error(
            "there is no format '" + format + "'", {},
            "expected popper, aleph, tables, triples, datalog, scenes, sqlite or postgresql");
    }
    const std::unique_ptr<data::Database> database = open(source, format);
    std::optional<TextFile> mapping;
    if (!options.mapping.empty()) {
        mapping =
            data::read_text(options.mapping, "{proposed_mapping()} gives a mapping to begin with");
    }
    // a connection may hold a password
    const bool is_file = format == "sqlite";
    return data::read_database(*database, is_file ? data::name_of(path) : format,
                               is_file ? source : format, mapping, options);
}

std::string proposed_mapping(const std::string& source) {
    const std::unique_ptr<data::Database> database =
        open(source, is_connection(source) ? "postgresql" : "sqlite");
    return data::to_toml(data::propose_mapping(database->tables()));
}

}  // namespace hri
