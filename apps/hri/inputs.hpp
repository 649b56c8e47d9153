// SPDX-License-Identifier: Apache-2.0
#pragma once

// The arguments TASK and MODEL|PROGRAM.

#include "hri/apply.hpp"
#include "hri/data.hpp"
#include "hri/logic.hpp"
#include "hri/model.hpp"
#include "hri/options.hpp"
#include "hri/paper_options.hpp"
#include "hri/tables.hpp"
#include "hri/tasks.hpp"

#include "command.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hri::cli {

constexpr int kEvaluationInstances = 10;  ///< fresh ones, as in the paper

struct TaskArgument {
    Problem problem;
    const Task* task = nullptr;  ///< where it is a built-in one
};

/// The built-in task of `task:NAME`, or of NAME where `hri tasks` lists it and there is no file or
/// folder of that name. Nothing for others.
const Task* built_in_task(const std::string& name);

/// The flags of ReadOptions and SplitOptions, of a command that reads data.
class ReadFlags {
  public:
    explicit ReadFlags(SplitOptions::When split = SplitOptions::When::automatic);

    /// The flags keep pointers to this object.
    void add_to(Command& command);

    const ReadOptions& options() const { return options_; }

    const TableOptions& tables() const { return tables_; }

    /// For a model, which cannot take as many constants as a program: split as for learning unless
    /// --split says otherwise.
    ReadOptions options_for_model() const;

  private:
    ReadOptions options_;
    TableOptions tables_;
    bool split_given_ = false;
};

/// Whether these are data with examples in files of their own: a task folder, or Aleph's.
bool holds_examples(const std::string& source);

/// A built-in task, or data that read_problem() reads. Sizes are for built-in tasks only, reading
/// options for data only. Tells on standard error what the reader passed over and
/// what it did.
TaskArgument load_task(const std::string& name_or_source, const Sizes& sizes = {},
                       const ReadOptions& reading = {}, const TableOptions& tables = {});

/// The same, once for each target where the data have several and `reading` names none. With
/// `wanted`, for those name/arity alone, which may then be relations of data without examples; for
/// `learned` where none of them is wanted: a class of a column has no relation of its own.
std::vector<TaskArgument> load_tasks(const std::string& name_or_source, const Sizes& sizes,
                                     const ReadOptions& reading,
                                     const std::function<bool(const std::string&)>& wanted = {},
                                     const TableOptions& tables = {},
                                     const std::string& learned = {});

/// A model with its argmax program, or a program alone.
struct Learned {
    std::optional<Model> model;
    Program program;  ///< a model's: as extracted
};

Learned load_learned(const std::filesystem::path& path);

/// Prints notes and warnings about a program on data.
void warn(const NameCheck& check);

/// name/arity
std::string target_of(const Learned& learned);

}  // namespace hri::cli
