// SPDX-License-Identifier: Apache-2.0

// hri inspect DATA: what would be read, and how a database's tables would be mapped.

#include "base/utf8.hpp"
#include "commands.hpp"
#include "inputs.hpp"
#include "json.hpp"
#include "output.hpp"
#include "own_fields.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <memory>

namespace hri::cli {
namespace {

struct Flags {
    std::string source;
    ReadFlags reading;
    std::string json_file;
};

bool is_database(const Flags& flags) {
    const std::string& format = flags.reading.options().format;
    if (!format.empty()) {
        return format == "sqlite" || format == "postgresql";
    }
    std::string begin(15, '\0');
    std::ifstream(flags.source, std::ios::binary).read(begin.data(), 15);
    return begin == "SQLite format 3" || flags.source.starts_with("postgresql://") ||
           flags.source.starts_with("postgres://");
}

struct Counts {
    std::size_t instances = 0;
    int least = 0;
    int most = 0;
    std::int64_t positives = 0;
    std::int64_t negatives = 0;
    std::vector<std::size_t> facts;  // [input]

    Counts(const Source& source, std::size_t inputs) : facts(inputs, 0) {
        instances = source.instances.size();
        for (const Instance& instance : source.instances) {
            least = instances == 0 || least == 0 ? instance.constants
                                                 : std::min(least, instance.constants);
            most = std::max(most, instance.constants);
            positives += instance.count(Label::positive);
            negatives += instance.count(Label::negative);
            for (std::size_t p = 0; p < inputs; ++p) {
                facts[p] += instance.facts[p].size();
            }
        }
    }

    std::string told() const {
        const std::string size = least == most ? counted(most, "constant")
                                               : fmt::format("{} to {} constants", least, most);
        return fmt::format(
            "{} of {}, {} and {}", counted(static_cast<std::int64_t>(instances), "instance"), size,
            counted(positives, "positive example"), counted(negatives, "negative one"));
    }
};

Json tell(const Problem& problem) {
    const Counts training(problem.training, problem.inputs().size());
    fmt::print("target   {}/{}\n", base::printable(problem.target().name), problem.target().arity);
    std::vector<std::vector<std::string>> rows = {{"input", "facts", "types"}};
    Json inputs = Json::array();
    for (std::size_t p = 0; p < problem.inputs().size(); ++p) {
        const PredicateSymbol& symbol = problem.inputs()[p];
        const auto types = problem.schema->types.find(symbol);
        rows.push_back({fmt::format("{}/{}", symbol.name, symbol.arity),
                        grouped(static_cast<std::int64_t>(training.facts[p])),
                        types == problem.schema->types.end()
                            ? ""
                            : fmt::format("{}", fmt::join(types->second, ", "))});
        inputs.push_back(
            {{"name", symbol.name}, {"arity", symbol.arity}, {"facts", training.facts[p]}});
    }
    fmt::print("{}training {}\n", aligned(rows, 1), training.told());
    if (problem.evaluation.fixed()) {
        fmt::print("held out {}\n", Counts(problem.evaluation, problem.inputs().size()).told());
    }
    return {{"version", HRI_VERSION},
            {"command", command_line()},
            {"target", {{"name", problem.target().name}, {"arity", problem.target().arity}}},
            {"inputs", inputs},
            {"instances", training.instances},
            {"min_constants", training.least},
            {"max_constants", training.most},
            {"positives", training.positives},
            {"negatives", training.negatives},
            {"notes", problem.notes},
            {"warnings", problem.warnings}};
}

int run(const Flags& flags) {
    check_writable(flags.json_file);
    const ReadOptions& options = flags.reading.options();
    if (is_database(flags) && options.target.empty() && options.mapping.empty()) {
        fmt::print("{}", proposed_mapping(flags.source));
        return kYes;
    }
    Json json = Json::array();
    for (const TaskArgument& argument : load_tasks(flags.source, {}, options)) {
        json.push_back(tell(argument.problem));
    }
    write_json(flags.json_file, json.size() > 1 ? Json{{"targets", std::move(json)}} : json[0]);
    return kYes;
}

}  // namespace

Command inspect_command() {
    using F = Flags;
    static const std::vector<Field<F>> fields = {
        base::text(own("source", "A folder, a file or postgresql://...", "DATA"), &F::source),
        base::text(own("json", "Writes the same as JSON.", "FILE"), &F::json_file)};
    auto flags = std::make_shared<Flags>();
    Command command{.name = "inspect",
                    .help = "Tells what data hold, and maps the tables of a database.",
                    .details =
                        "Of a database without --target and --mapping it prints the mapping "
                        "that it would be read by.",
                    .examples =
                        "hri inspect trains/ --split always\n"
                        "hri inspect people.sqlite > mapping.toml"};
    add_flags(command, *flags, fields);
    make_argument(command, "source");
    flags->reading.add_to(command);
    command.run = [flags] { return run(*flags); };
    return command;
}

}  // namespace hri::cli
