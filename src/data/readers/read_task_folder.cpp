// SPDX-License-Identifier: Apache-2.0

// Task folders: bk.pl, exs.pl and, if wanted, bias.pl.

#include "hri/data.hpp"

#include "base/gunzip.hpp"
#include "data/raw_dataset.hpp"
#include "data/readers/bias.hpp"
#include "data/readers/clauses.hpp"
#include "data/readers/task_files.hpp"
#include "logic/prolog/terms.hpp"

#include <algorithm>

namespace hri {

using data::TextFile;

namespace {

namespace fs = std::filesystem;

constexpr const char* kHintFolder =
    "a task folder holds bk.pl (facts), exs.pl (examples) and, if wanted, bias.pl";

void read_task_examples(const TextFile& file, data::RawDataset& into) {
    prolog::Reader reader(file.text, file.path);
    while (const prolog::Node* clause = reader.next()) {
        if (data::is_directive(*clause)) {
            continue;
        }
        if (!clause->is("pos", 1) && !clause->is("neg", 1)) {
            throw Error("expected pos(...) or neg(...), found " + data::described(*clause),
                        reader.place(*clause), "write each example as pos(target(a,b)).");
        }
        const prolog::Node& atom = clause->arguments[0];
        const Place place = reader.place(atom);
        if (!data::is_atom(atom)) {
            throw Error("expected an atom of the target, found " + data::described(atom), place,
                        "write each example as pos(target(a,b)).");
        }
        const PredicateSymbol symbol{std::string(atom.name), atom.arity()};
        const bool declared =
            into.heads.empty() ||
            std::any_of(into.heads.begin(), into.heads.end(),
                        [&](const data::Declaration& head) { return head.symbol == symbol; });
        if (!declared) {
            throw Error("expected an example of " + data::described(into.heads.front().symbol) +
                            ", found " + data::described(symbol),
                        place, "bias.pl names the targets by head_pred");
        }
        into.add_example(into.table(symbol, place), place,
                         data::ground_tuple(reader, atom, into.constants), clause->name == "pos");
    }
}

}  // namespace

TextFile data::read_text(const fs::path& path, const std::string& hint) {
    std::error_code ignored;
    if (!fs::exists(path, ignored)) {
        throw Error("expected this file", {path.string()}, hint);
    }
    TextFile file{path.string(), base::gunzipped(read_file(path), path.string())};
    if (file.text.starts_with("\xEF\xBB\xBF")) {  // a byte order mark
        file.text.erase(0, 3);
    }
    return file;
}

std::string data::name_of(const fs::path& path) {
    std::error_code ignored;
    const fs::path name = fs::absolute(path, ignored).lexically_normal();
    const fs::path last = name.has_filename() ? name : name.parent_path();
    return (last.extension() == ".gz" ? last.stem() : last).stem().string();
}

Problem data::read_task(const TaskFiles& files, const ReadOptions& options) {
    RawDataset into;
    into.progress = options.progress;
    into.name = files.name;
    into.no_examples = {files.examples.path, 1, 1};
    into.inputs_from = "bias.pl";
    if (files.bias) {
        read_bias(files.bias->text, files.bias->path, into);
    }
    read_task_examples(files.examples, into);
    read_background(files.background.text, files.background.path, into);
    return build_problem(std::move(into), options);
}

Problem read_task_folder(const fs::path& folder, const ReadOptions& options) {
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored)) {
        throw Error(
            fs::exists(folder, ignored) ? "this is not a folder" : "there is no such folder",
            {folder.string()}, kHintFolder);
    }
    data::TaskFiles files;
    files.background = data::read_text(folder / "bk.pl", kHintFolder);
    files.examples = data::read_text(folder / "exs.pl", kHintFolder);
    if (fs::exists(folder / "bias.pl", ignored)) {
        files.bias = data::read_text(folder / "bias.pl", kHintFolder);
    }
    files.name = data::name_of(folder);
    return data::read_task(files, options);
}

}  // namespace hri
