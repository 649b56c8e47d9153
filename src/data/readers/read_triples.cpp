// SPDX-License-Identifier: Apache-2.0

// Lines of head, relation and tail, as knowledge graphs have them; and Datalog's relations, one
// file each.

#include "data/raw_dataset.hpp"
#include "data/readers/delimited.hpp"
#include "data/readers/task_files.hpp"

namespace hri::data {
namespace {

void read_lines(const TextFile& file, RawDataset& into, bool held_out) {
    Delimited rows(file, {});
    while (rows.next()) {
        const std::vector<std::string>& cells = rows.cells();
        if (cells.size() != 3) {
            throw Error("expected head, relation and tail, found " + std::to_string(cells.size()) +
                            (cells.size() == 1 ? " cell" : " cells"),
                        rows.place(cells.size() < 3 ? cells.size() : 3),
                        "separate them by one tab each");
        }
        for (std::size_t i = 0; i < 3; ++i) {
            if (cells[i].empty()) {
                throw Error("expected a name, found an empty cell", rows.place(i),
                            "separate head, relation and tail by one tab each");
            }
        }
        check_name(cells[1], rows.place(1));
        const int table = into.table({cells[1], 2}, rows.place(1));
        const std::vector<std::int32_t> pair{into.constants.intern(cells[0]),
                                             into.constants.intern(cells[2])};
        if (held_out) {
            into.add_example(table, rows.place(0), pair, true, true);
        } else {
            into.add_fact(table, pair, 1.0F);
        }
    }
}

}  // namespace

Problem read_triples(const TripleFiles& files, const ReadOptions& options) {
    RawDataset into;
    into.progress = options.progress;
    into.name = files.name;
    into.facts_are_examples = true;
    into.has_evaluation = !files.held_out.empty();
    into.no_examples = {files.training.empty() ? files.name : files.training.front().path, 1, 1};
    into.hint_no_target = "{target} names the relation to learn";
    into.hint_all_targets = "; {targets=all} learns rules for all relations of a knowledge graph";
    for (const TextFile& file : files.training) {
        read_lines(file, into, false);
    }
    for (const TextFile& file : files.held_out) {
        read_lines(file, into, true);
    }
    for (const TextFile& file : files.ignored) {
        RawDataset aside;  // its damage is told all the same
        read_lines(file, aside, true);
    }
    return build_problem(std::move(into), options);
}

Problem read_datalog(const std::vector<TextFile>& files, const std::string& name,
                     const ReadOptions& options) {
    RawDataset into;
    into.progress = options.progress;
    into.name = name;
    into.facts_are_examples = true;
    into.no_examples = {files.empty() ? name : files.front().path, 1, 1};
    into.hint_no_target = "name.pos and name.neg hold examples, or {target} names a relation";
    for (const TextFile& file : files) {
        const bool positive = file.path.ends_with(".pos");
        const bool is_example = positive || file.path.ends_with(".neg");
        Delimited rows(file, {});
        std::size_t width = SIZE_MAX;
        while (rows.next()) {
            const std::vector<std::string>& cells = rows.cells();
            const bool nullary = cells.size() == 1 && cells[0] == "()";
            const std::size_t arity = nullary ? 0 : cells.size();
            width = width == SIZE_MAX ? arity : width;
            if (arity != width) {
                throw Error("expected " + std::to_string(width) +
                                (width == 1 ? " cell, found " : " cells, found ") +
                                std::to_string(arity),
                            rows.place(std::min(arity, width)), "the first line has that many");
            }
            if (arity > kMaxArityRead) {
                throw Error("expected at most " + std::to_string(kMaxArityRead) + " cells, found " +
                                std::to_string(arity),
                            rows.place(kMaxArityRead));
            }
            std::vector<std::int32_t> tuple;
            for (std::size_t i = 0; i < arity; ++i) {
                if (cells[i].empty()) {
                    throw Error("expected a constant, found an empty cell", rows.place(i),
                                "separate constants by one tab each");
                }
                tuple.push_back(into.constants.intern(cells[i]));
            }
            check_name(name_of(file.path), rows.place(0));
            const int table =
                into.table({name_of(file.path), static_cast<int>(arity)}, rows.place(0));
            if (is_example) {
                into.add_example(table, rows.place(0), tuple, positive);
            } else {
                into.add_fact(table, tuple, 1.0F);
            }
        }
    }
    return build_problem(std::move(into), options);
}

}  // namespace hri::data
