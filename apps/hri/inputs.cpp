// SPDX-License-Identifier: Apache-2.0
#include "inputs.hpp"

#include "hri/several_targets.hpp"

#include "base/secrets.hpp"
#include "base/utf8.hpp"
#include "data/several_targets.hpp"
#include "output.hpp"
#include "parse.hpp"
#include "progress.hpp"
#include "soft/looks_like_model.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <set>
#include <span>
#include <system_error>

namespace hri::cli {

namespace {

constexpr std::string_view kTask = "task:";

bool is_path(const std::string& source) {
    std::error_code ignored;
    return std::filesystem::exists(source, ignored) ||
           std::filesystem::exists(source + ".b", ignored);
}

const Task* listed_task(std::string_view name) {
    for (const std::vector<Task>* tasks : {&all_tasks(), &extension_tasks()}) {
        for (const Task& task : *tasks) {
            if (task.name == name) {
                return &task;
            }
        }
    }
    return nullptr;
}

/// Throws Error naming the nearest task that `hri tasks` lists.
[[noreturn]] void fail_no_task(const std::string& name) {
    const std::size_t dot = name.rfind('.');
    if (dot != std::string::npos && dot > 0 && dot + 1 < name.size()) {
        throw Error("there is no such file or folder", {name}, "see hri inspect --help");
    }
    std::vector<std::string> names;
    for (const std::vector<Task>* tasks : {&all_tasks(), &extension_tasks()}) {
        for (const Task& task : *tasks) {
            names.push_back(task.name);
        }
    }
    throw Error("there is no task, file or folder '" + name + "'", {},
                "did you mean the task '" + nearest(name, names) + "'? `hri tasks` lists them");
}

}  // namespace

const Task* built_in_task(const std::string& name) {
    if (name.starts_with(kTask)) {
        return &find_task(name.substr(kTask.size()));
    }
    return is_path(name) ? nullptr : listed_task(name);
}

ReadFlags::ReadFlags(SplitOptions::When split) { options_.split.when = split; }

ReadOptions ReadFlags::options_for_model() const {
    ReadOptions options = options_;
    if (!split_given_) {
        options.split.when = SplitOptions::When::automatic;
    }
    return options;
}

void ReadFlags::add_to(Command& command) {
    add_flags(command, options_, fields_of<ReadOptions>());
    add_flags(command, tables_, fields_of<TableOptions>());
    add_flags(command, options_.split, fields_of<SplitOptions>());
    Flag& split = command.flag("split");
    split.set = [this, set = split.set](const std::string& when) {
        set(when);
        split_given_ = true;
    };
}

namespace {

/// Flags that have no effect on a built-in task or on data.
std::optional<TaskArgument> built_in(const std::string& name_or_source, const Sizes& sizes,
                                     const ReadOptions& reading) {
    const Task* known = built_in_task(name_or_source);
    if (known != nullptr && reading.format.empty()) {
        if (reading.closed_world) {
            throw Error(
                "closed_world: this is for data; every atom of a built-in task has a label");
        }
        return TaskArgument{make_problem(*known, sizes), known};
    }
    const bool is_data = is_path(name_or_source) || name_or_source.find('/') != std::string::npos ||
                         !reading.format.empty();
    if (!is_data) {
        fail_no_task(name_or_source);
    }
    if (listed_task(name_or_source) != nullptr) {
        fmt::print(stderr, "hri: note: these are the data in {0}; the built-in task is task:{0}\n",
                   name_or_source);
    }
    if (sizes.training != 0 || sizes.evaluation != 0) {
        throw Error(
            "constants: this is for built-in tasks; data have the constants of their facts");
    }
    return std::nullopt;
}

/// Each line once.
void tell(std::span<const TaskArgument> arguments) {
    std::set<std::string> told;
    const auto tell_all = [&](const char* kind, const std::vector<std::string>& lines) {
        for (const std::string& line : lines) {
            if (told.insert(kind + line).second) {
                fmt::print(stderr, "hri: {}: {}\n", kind,
                           base::printable(base::without_secrets(with_flags(line))));
            }
        }
    };
    for (const TaskArgument& argument : arguments) {
        tell_all("warning", argument.problem.warnings);
        tell_all("note", argument.problem.notes);
    }
}

constexpr std::uintmax_t kMinBytesForProgress = 5'000'000;

/// The bytes of a file, or of the files in a folder.
std::uintmax_t bytes_of(const std::string& source) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    if (!fs::is_directory(source, ignored)) {
        const std::uintmax_t size = fs::file_size(source, ignored);
        return ignored ? 0 : size;
    }
    std::uintmax_t sum = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(source, ignored)) {
        const std::uintmax_t size = entry.is_regular_file(ignored) ? entry.file_size(ignored) : 0;
        sum += ignored ? 0 : size;
    }
    return sum;
}

/// Says that large data are being read, how far that is, and how long it took.
class ReadingNote {
  public:
    explicit ReadingNote(const std::string& source) : bytes_(bytes_of(source)) {
        if (bytes_ > kMinBytesForProgress) {
            fmt::print(stderr, "hri: note: reading {} MB\n", bytes_ / 1'000'000);
        }
    }

    ~ReadingNote() {
        bar_.clear();
        if (bytes_ > kMinBytesForProgress) {
            const std::chrono::duration<double> seconds =
                std::chrono::steady_clock::now() - started_;
            fmt::print(stderr, "hri: note: read in {}\n", duration(seconds.count()));
        }
    }

    ReadingNote(const ReadingNote&) = delete;
    ReadingNote& operator=(const ReadingNote&) = delete;

    ReadOptions watched(ReadOptions options) {
        options.progress = [this](const ReadProgress& now) { show(now); };
        return options;
    }

  private:
    void show(const ReadProgress& now) {
        // shares of the time, as measured on a million triples
        const double begin = now.stage == "facts" ? 0 : now.stage == "database" ? 0.4 : 0.7;
        const double share =
            now.count > 0 ? static_cast<double>(now.done) / static_cast<double>(now.count)
            : now.stage == "facts"
                ? std::min(1.0, static_cast<double>(now.done) * kBytesOfFact /
                                    static_cast<double>(std::max<std::uintmax_t>(bytes_, 1)))
                : 0.0;
        bar_.show(begin + share * (now.stage == "facts" ? 0.4 : 0.3),
                  now.done > 0 ? fmt::format("reading: {} {}", now.done, now.stage)
                               : fmt::format("reading: making the {}", now.stage));
    }

    static constexpr double kBytesOfFact = 25;
    ProgressBar bar_;
    std::uintmax_t bytes_;
    std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

}  // namespace

bool holds_examples(const std::string& source) {
    std::error_code ignored;
    const std::filesystem::path path(source);
    return std::filesystem::exists(path / "exs.pl", ignored) || path.extension() == ".b" ||
           std::filesystem::exists(source + ".b", ignored);
}

TaskArgument load_task(const std::string& name_or_source, const Sizes& sizes,
                       const ReadOptions& reading, const TableOptions& tables) {
    std::optional<TaskArgument> one = built_in(name_or_source, sizes, reading);
    if (!one) {
        ReadingNote note(name_or_source);
        one = TaskArgument{read_problem(name_or_source, note.watched(reading), tables), nullptr};
    }
    tell({&*one, 1});
    return std::move(*one);
}

std::vector<TaskArgument> load_tasks(const std::string& name_or_source, const Sizes& sizes,
                                     const ReadOptions& reading,
                                     const std::function<bool(const std::string&)>& wanted,
                                     const TableOptions& tables, const std::string& learned) {
    std::vector<TaskArgument> all;
    if (std::optional<TaskArgument> one = built_in(name_or_source, sizes, reading)) {
        all.push_back(std::move(*one));
    } else {
        ReadingNote note(name_or_source);
        const auto read = [&](const ReadOptions& options) {
            for (Problem& problem :
                 read_problems(name_or_source, note.watched(options), wanted, tables)) {
                all.push_back({std::move(problem), nullptr});
            }
        };
        try {
            read(reading);
        } catch (const data::SeveralTargets& several) {
            ReadOptions named = reading;
            named.target = learned;
            try {
                if (!learned.empty()) {
                    read(named);
                }
            } catch (const Error&) {  // the first message tells more
                all.clear();
            }
            if (all.empty()) {
                throw several;
            }
        }
    }
    tell(all);
    return all;
}

Learned load_learned(const std::filesystem::path& path) {
    const std::string content = read_file(path);
    Learned learned;
    if (soft::looks_like_model(path, content)) {
        learned.model = model_from_bytes(content, path.string());  // a pipe is read once
        learned.program = extract(*learned.model);
    } else {
        learned.program = parse_program(content, path.string());
    }
    return learned;
}

void warn(const NameCheck& check) {
    for (const std::string& note : check.notes) {
        fmt::print(stderr, "hri: note: {}\n", base::printable(note));
    }
    for (const std::string& warning : check.warnings) {
        fmt::print(stderr, "hri: warning: {}\n", base::printable(warning));
    }
}

std::string target_of(const Learned& learned) {
    const PredicateSymbol& target =
        learned.model ? learned.model->target : learned.program.vocabulary[learned.program.target];
    return fmt::format("{}/{}", target.name, target.arity);
}

}  // namespace hri::cli
