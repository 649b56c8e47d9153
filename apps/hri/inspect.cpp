// SPDX-License-Identifier: Apache-2.0

// hri inspect DATA: what would be read, and how tables would be mapped.

#include "base/utf8.hpp"
#include "commands.hpp"
#include "inputs.hpp"
#include "json.hpp"
#include "output.hpp"
#include "own_fields.hpp"
#include "parse.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <memory>

namespace hri::cli {
namespace {

struct Flags {
    std::string source;
    ReadFlags reading;
    bool proposes = false;
    std::string json_file;
};

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

    std::string summary() const {
        const std::string size = least == most ? counted(most, "constant")
                                               : fmt::format("{} to {} constants", least, most);
        return fmt::format(
            "{} of {}, {} and {}", counted(static_cast<std::int64_t>(instances), "instance"), size,
            counted(positives, "positive example"), counted(negatives, "negative one"));
    }
};

/// A few values, cut to fit.
std::string examples_of(const ColumnSummary& column) {
    const bool ordered = column.type == ColumnType::number || column.type == ColumnType::date ||
                         column.type == ColumnType::time;
    std::string text;
    for (const std::string& value : column.examples) {
        std::string shown = value.substr(0, 20);
        std::replace_if(
            shown.begin(), shown.end(), [](unsigned char c) { return c < ' '; }, ' ');
        text += (text.empty() ? ""
                 : ordered    ? " to "
                              : ", ") +
                shown + (value.size() > 20 ? "..." : "");
    }
    const auto all = static_cast<std::int64_t>(column.examples.size());
    return ordered || column.different <= all ? text : text + ", ...";
}

std::string type_of(const ColumnSummary& column) {
    const std::string name(to_string(column.type));
    switch (column.type) {
        case ColumnType::foreign_key:
            return name + " of " + column.references;
        case ColumnType::date:
            return name + ", in days";
        case ColumnType::time:
            return name + ", in seconds";
        default:
            return column.unit.empty() ? name : name + ", in " + column.unit;
    }
}

/// Prints the types of the columns.
Json tell(const TableSummary& tables) {
    Json json = Json::array();
    std::vector<std::vector<std::string>> rows = {
        {"table", "column", "type", "values", "rows", "different", "empty", "relation"}};
    std::string table;
    for (const ColumnSummary& column : tables.columns) {
        const std::string relation = column.relations.empty() ? "(left out)"
                                     : column.relations.size() > 2
                                         ? fmt::format("{} and {} more", column.relations.front(),
                                                       column.relations.size() - 1)
                                         : fmt::format("{}", fmt::join(column.relations, ", "));
        rows.push_back({column.table == table ? "" : column.table, column.name, type_of(column),
                        examples_of(column), grouped(column.rows), grouped(column.different),
                        grouped(column.empty), relation});
        table = column.table;
        json.push_back({{"table", column.table},
                        {"column", column.name},
                        {"type", to_string(column.type)},
                        {"references", column.references},
                        {"unit", column.unit},
                        {"rows", column.rows},
                        {"different", column.different},
                        {"empty", column.empty},
                        {"values", column.examples},
                        {"relations", column.relations}});
    }
    fmt::print("{}\n", aligned(rows, rows.front().size()));
    for (const std::string& prefix : tables.prefixes) {
        fmt::print("keys of {0} are called {1}...\n", prefix.substr(0, prefix.size() - 1), prefix);
    }
    return json;
}

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
    fmt::print("{}training {}\n", aligned(rows, 1), training.summary());
    if (problem.evaluation.fixed()) {
        fmt::print("held out {}\n", Counts(problem.evaluation, problem.inputs().size()).summary());
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
    if (flags.proposes) {
        fmt::print("{}", proposed_mapping(flags.source, options, flags.reading.tables()));
        return kYes;
    }
    const auto begin = std::chrono::steady_clock::now();
    TableSummary tables;
    if (built_in_task(flags.source) == nullptr) {
        tables = describe_tables(flags.source, options, flags.reading.tables());
    }
    Json columns;
    if (!tables.columns.empty()) {
        columns = tell(tables);
    }
    Json json = Json::array();
    try {
        for (const TaskArgument& argument :
             load_tasks(flags.source, {}, options, {}, flags.reading.tables())) {
            json.push_back(tell(argument.problem));
        }
    } catch (const Error& error) {
        if (tables.columns.empty() || !options.target.empty()) {
            throw;
        }
        // the columns are printed; the choice of a target comes next
        for (const std::string& remark : tables.remarks) {
            fmt::print(stderr, "hri: warning: {}: {}\n", flags.source, base::printable(remark));
        }
        fmt::print("no target yet: {}\n", with_flags(error.hint()));
        json.push_back({{"version", HRI_VERSION}, {"command", command_line()}});
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    fmt::print("read in {}\n", duration(seconds.count()));
    if (!tables.columns.empty()) {
        json[0]["columns"] = columns;
    }
    json[0]["seconds"] = seconds.count();
    write_json(flags.json_file, json.size() > 1 ? Json{{"targets", std::move(json)}} : json[0]);
    return kYes;
}

}  // namespace

Command inspect_command() {
    using F = Flags;
    static const std::vector<Field<F>> fields = {
        base::text(own("source", "A folder, a file or postgresql://...", "DATA"), &F::source),
        base::boolean(own("propose_mapping",
                          "Prints the mapping by which tables are read, to begin one's own with."),
                      &F::proposes),
        base::text(own("json", "Writes the same as JSON.", "FILE"), &F::json_file)};
    auto flags = std::make_shared<Flags>();
    Command command{.name = "inspect",
                    .help = "Shows what data hold, and how they are read.",
                    .examples =
                        "hri inspect trains/ --split always\n"
                        "hri inspect shop.sqlite --target churned\n"
                        "hri inspect shop.sqlite --propose-mapping > mapping.toml"};
    add_flags(command, *flags, fields);
    make_argument(command, "source");
    flags->reading.add_to(command);
    command.run = [flags] { return run(*flags); };
    return command;
}

}  // namespace hri::cli
