// SPDX-License-Identifier: Apache-2.0

// hri predict MODEL|PROGRAM DATA: every atom that holds.

#include "hri/apply.hpp"
#include "hri/tables.hpp"

#include "commands.hpp"
#include "inputs.hpp"
#include "json.hpp"
#include "logic/prolog/terms.hpp"
#include "output.hpp"
#include "own_fields.hpp"

#include <fmt/format.h>
#include <memory>

namespace hri::cli {
namespace {

struct Flags {
    std::string file;
    std::string task;
    std::string query;
    std::string to = "text";
    bool rules = false;
    double min_value = 0.5;
    int steps = 0;
    ReadFlags reading{SplitOptions::When::never};
    std::string out;
};

std::string atom_text(const PredicateSymbol& symbol, const std::vector<std::string>& arguments) {
    std::string text = prolog::quoted_predicate(symbol.name);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        text += (i == 0 ? "(" : ",") + prolog::quoted(arguments[i]);
    }
    return text + (arguments.empty() ? "" : ")");
}

std::string csv_cell(const std::string& text) {
    if (text.find_first_of(",\"\n\r") == std::string::npos) {
        return text;
    }
    std::string cell = "\"";
    for (const char c : text) {
        cell += c == '"' ? "\"\"" : std::string(1, c);
    }
    return cell + "\"";
}

/// customers:3 as 3, as the table has it.
std::string as_in_table(const std::string& constant, const std::vector<std::string>& prefixes) {
    for (const std::string& prefix : prefixes) {
        if (constant.starts_with(prefix)) {
            return constant.substr(prefix.size());
        }
    }
    return constant;
}

/// Without the word that a proof puts before it.
std::string plain_rule(const std::string& rule) {
    return rule.starts_with("by ") ? rule.substr(3) : rule;
}

std::string written(const Flags& flags, const AtomQuery& query, const Problem& problem, bool soft,
                    const std::vector<Prediction>& predictions) {
    if (flags.to == "json") {
        Json json = {{"version", HRI_VERSION},
                     {"command", command_line()},
                     {"predicate", {{"name", query.symbol.name}, {"arity", query.symbol.arity}}},
                     {"atoms", Json::array()}};
        for (const Prediction& one : predictions) {
            Json atom = {{"atom", atom_text(query.symbol, one.arguments)},
                         {"arguments", one.arguments}};
            if (soft) {
                atom["value"] = one.value;
            }
            if (flags.rules) {
                atom["rule"] = plain_rule(one.rule);
                atom["confidence"] = one.confidence ? Json(*one.confidence) : Json();
            }
            json["atoms"].push_back(std::move(atom));
        }
        return json.dump(2) + "\n";
    }
    std::string text;
    if (flags.to == "csv") {
        const std::vector<std::string> prefixes =
            describe_tables(flags.task, flags.reading.options(), flags.reading.tables()).prefixes;
        const auto types = problem.schema->types.find(query.symbol);
        for (int i = 0; i < query.symbol.arity; ++i) {
            std::string name = fmt::format("argument_{}", i + 1);
            if (types != problem.schema->types.end()) {
                name = types->second[static_cast<std::size_t>(i)];
                if (i > 0 && name == types->second[0]) {
                    name += "_2";
                }
            }
            text += (i == 0 ? "" : ",") + csv_cell(name);
        }
        text += soft ? ",value" : "";
        text += flags.rules ? ",rule,confidence\n" : "\n";
        for (const Prediction& one : predictions) {
            for (std::size_t i = 0; i < one.arguments.size(); ++i) {
                text += (i == 0 ? "" : ",") + csv_cell(as_in_table(one.arguments[i], prefixes));
            }
            text += soft ? fmt::format(",{:.4f}", one.value) : "";
            text += !flags.rules
                        ? ""
                        : "," + csv_cell(plain_rule(one.rule)) + "," +
                              (one.confidence ? fmt::format("{:.4f}", *one.confidence) : "");
            text += "\n";
        }
        return text;
    }
    for (const Prediction& one : predictions) {
        text += atom_text(query.symbol, one.arguments);
        text += soft ? fmt::format("  {:.4f}", one.value) : "";
        if (flags.rules) {
            text += "  " + one.rule;
            text += one.confidence ? fmt::format("  ({:.0f} % of its labelled atoms are true)",
                                                 100 * *one.confidence)
                                   : "";
        }
        text += "\n";
    }
    return text;
}

int run(const Flags& flags) {
    check_writable(flags.out);
    const Learned learned = load_learned(flags.file);
    ReadOptions reading =
        learned.model ? flags.reading.options_for_model() : flags.reading.options();
    reading.list_labels = !learned.model;
    if (reading.target.empty()) {
        reading.target = target_of(learned);
    }
    TableOptions tables = flags.reading.tables();
    tables.target_needed = false;
    const Problem problem = load_task(flags.task, {}, reading, tables).problem;
    warn(check_names(learned.program, problem));
    const PredicateSymbol target =
        learned.model ? learned.model->target : learned.program.vocabulary[learned.program.target];
    const AtomQuery query = flags.query.empty() ? all_atoms_of(target) : parse_query(flags.query);
    warn(check_names(query, problem));
    const int steps =
        flags.steps != 0 || !learned.model ? flags.steps : learned.model->options.eval_steps;
    const std::vector<Prediction> all =
        learned.model ? predict(*learned.model, problem, query, steps, flags.min_value)
                      : predict(learned.program, problem, query, flags.rules);
    const std::string text = written(flags, query, problem, learned.model.has_value(), all);
    if (flags.out.empty()) {
        fmt::print("{}", text);
    } else {
        write_output(flags.out, text);
    }
    return all.empty() ? kNo : kYes;
}

}  // namespace

Command predict_command() {
    using F = Flags;
    static const std::vector<Field<F>> fields = {
        base::text(own("file", "A model.safetensors or a program.pl.", "MODEL|PROGRAM"), &F::file),
        base::text(own("task", "Data: a folder, a file or a database.", "DATA"), &F::task),
        base::text(own("query",
                       "Prints the atoms that match this one alone, such as 'grandparent(ann,X)'.",
                       "ATOM"),
                   &F::query),
        base::word(own("to", "The form of the output: one atom per line, or a table.", "NAME"),
                   &F::to, {"text", "csv", "json"}),
        base::boolean(own("rules",
                          "Adds the rule that proves each atom, and how many of the labelled atoms "
                          "that it proves are true."),
                      &F::rules),
        base::number(own("min_value", "The smallest value of a model's atoms."), &F::min_value, 0,
                     1),
        base::number(rare("steps",
                          "The steps of a model's inference; -1 goes on until nothing changes. By "
                          "default a model takes its own steps."),
                     &F::steps, -1, 1'000'000),
        base::text(own("out", "The file to write instead of standard output.", "FILE"), &F::out)};
    auto flags = std::make_shared<Flags>();
    Command command{.name = "predict",
                    .help = "Prints every atom that a program or a model holds true of data.",
                    .details =
                        "The data need no examples. In CSV, keys stand as the tables have them.\n"
                        "Exit code 0: some atom holds; 1: none does.",
                    .examples =
                        "hri predict program.pl family/\n"
                        "hri predict program.pl family/ --query 'grandparent(ann,X)'\n"
                        "hri predict churn.pl shop.sqlite --to csv --rules --out churn.csv"};
    add_flags(command, *flags, fields);
    make_argument(command, "file");
    make_argument(command, "task");
    refuse_zero(command.flag("steps"));
    flags->reading.add_to(command);
    command.run = [flags] { return run(*flags); };
    return command;
}

}  // namespace hri::cli
