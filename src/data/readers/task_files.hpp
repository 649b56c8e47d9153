// SPDX-License-Identifier: Apache-2.0
#pragma once

// Inputs as texts in memory, and the readers of each format over them.

#include "hri/data.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hri::data {

struct TextFile {
    std::string path;  ///< for errors; its name without the ending names a relation
    std::string text;
};

/// Reads a file without a byte order mark. Throws Error.
TextFile read_text(const std::filesystem::path& path, const std::string& hint);

/// The last part of a path without its ending.
std::string name_of(const std::filesystem::path& path);

struct TaskFiles {
    TextFile background;
    TextFile examples;
    std::optional<TextFile> bias;
    std::string name;
};

/// The problem of the files that read_task_folder reads.
Problem read_task(const TaskFiles& files, const ReadOptions& options = {});

/// The files that write_task_folder writes: bk.pl, exs.pl, bias.pl.
TaskFiles write_task(const Problem& problem, const Instance& instance);

/// Aleph's background (.b), positive (.f) and negative (.n) examples.
struct AlephFiles {
    TextFile background;
    std::optional<TextFile> positive;
    std::optional<TextFile> negative;
    std::string name;
};

Problem read_aleph(const AlephFiles& files, const ReadOptions& options = {});

/// CSV and TSV files with a header each.
Problem read_tables(const std::vector<TextFile>& files, const std::string& name,
                    const ReadOptions& options = {});

/// Lines of head, relation and tail. Without test triples there is no evaluation.
struct TripleFiles {
    std::vector<TextFile> training;
    std::vector<TextFile> held_out;  ///< test.txt
    std::vector<TextFile> ignored;   ///< valid.txt: neither learned from nor judged
    std::string name;
};

Problem read_triples(const TripleFiles& files, const ReadOptions& options = {});

/// name.facts, name.pos and name.neg: tab-separated lines without a header.
Problem read_datalog(const std::vector<TextFile>& files, const std::string& name,
                     const ReadOptions& options = {});

/// A file of `hri scenes build`, or scene graphs in JSON; ReadOptions::target names the target.
Problem read_scene_problem(const std::filesystem::path& source, const ReadOptions& options);

}  // namespace hri::data
