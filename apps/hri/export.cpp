// SPDX-License-Identifier: Apache-2.0

// hri export MODEL|PROGRAM: the rules in the languages of others.

#include "hri/export.hpp"

#include "hri/tables.hpp"

#include "base/output_files.hpp"
#include "commands.hpp"
#include "inputs.hpp"
#include "output.hpp"
#include "own_fields.hpp"

#include <fmt/format.h>
#include <map>
#include <memory>

namespace hri::cli {
namespace {

struct Flags {
    std::string file;
    std::string to = "prolog";
    std::string dialect = "sqlite";
    double min_weight = kMinWeightDrawn;
    bool raw = false;
    std::string mapping;
    std::string data;
    SqlOptions sql;
    std::string out;
};

/// The mapping that is named, or the one by which the data are read.
SqlOptions sql_options(const Flags& flags) {
    SqlOptions options = flags.sql;
    if (!flags.mapping.empty()) {
        options.mapping = read_file(flags.mapping);
        options.mapping_name = flags.mapping;
    } else if (!flags.data.empty()) {
        options.mapping = proposed_mapping(flags.data, {}, {});
        options.mapping_name = "mapping of " + flags.data;
    }
    return options;
}

std::string exported(const Flags& flags, const Learned& learned) {
    if (learned.model && flags.to == "json") {
        return to_json(*learned.model);
    }
    if (learned.model && flags.to == "dot") {
        return to_dot(*learned.model, flags.min_weight);
    }
    if (learned.model && flags.to == "svg") {
        return to_svg(*learned.model, flags.min_weight);
    }
    const Program program =
        learned.model && !flags.raw ? simplified(learned.program) : learned.program;
    if (flags.to == "text") {
        return to_text(program);
    }
    if (flags.to == "datalog") {
        return to_datalog(program);
    }
    if (flags.to == "sql") {
        return to_sql(program,
                      flags.dialect == "sqlite" ? SqlDialect::sqlite : SqlDialect::postgresql,
                      sql_options(flags));
    }
    if (flags.to == "json") {
        return to_json(program);
    }
    if (flags.to == "dot") {
        return to_dot(program);
    }
    if (flags.to == "svg") {
        return to_svg(program);
    }
    return flags.to == "latex" ? to_latex(program) : to_prolog(program);
}

/// The text with a first line, or a first key, that says that hri wrote it.
std::string headed(const std::string& language, std::string text) {
    using base::Language;
    static const std::map<std::string, Language> languages = {
        {"prolog", Language::prolog}, {"datalog", Language::datalog}, {"sql", Language::sql},
        {"dot", Language::dot},       {"svg", Language::svg},         {"latex", Language::latex},
        {"text", Language::text}};
    const auto found = languages.find(language);
    if (found == languages.end()) {
        return text.insert(1, "\n  \"format\": \"hri 1\",");
    }
    return base::head_of_file(found->second) + text;
}

int run(const Flags& flags) {
    if (flags.to != "sql" &&
        (flags.sql.create_tables || !flags.mapping.empty() || !flags.data.empty())) {
        throw Error("--mapping, --data and --create-tables are for --to sql");
    }
    if (flags.sql.create_tables && (!flags.mapping.empty() || !flags.data.empty())) {
        throw Error("--create-tables is for SQL without a mapping: views read your own tables");
    }
    check_writable(flags.out);
    const std::string text = exported(flags, load_learned(flags.file));
    if (flags.out.empty()) {
        fmt::print("{}", text);
    } else {
        write_output(flags.out, headed(flags.to, text));
    }
    return kYes;
}

}  // namespace

Command export_command() {
    using F = Flags;
    static const std::vector<Field<F>> fields = {
        base::text(own("file", "A model.safetensors or a program.pl.", "MODEL|PROGRAM"), &F::file),
        base::word(own("to", "The language or picture to write.", "NAME"), &F::to,
                   {"prolog", "datalog", "sql", "json", "dot", "svg", "latex", "text"}),
        base::word(own("dialect", "The dialect of SQL.", "NAME"), &F::dialect,
                   {"sqlite", "postgresql"}),
        base::text(
            own("mapping", "SQL: the mapping by which the data were read; views read those tables.",
                "FILE"),
            &F::mapping),
        base::text(
            own("data", "SQL: the database or CSV files that were learned from without a mapping.",
                "DATA"),
            &F::data),
        base::number(
            own("min_weight", "The smallest weight of the matches that a model's drawing shows."),
            &F::min_weight, 0, 1),
        base::boolean(own("raw", "Writes a model's program as extracted, not simplified."),
                      &F::raw),
        base::text(own("out", "The file to write instead of standard output.", "FILE"), &F::out)};
    auto flags = std::make_shared<Flags>();
    Command command{.name = "export",
                    .help = "Writes a program or a model in another language.",
                    .examples =
                        "hri export churn.pl --to sql --data shop.sqlite | sqlite3 shop.sqlite\n"
                        "hri export churn.pl --to sql --mapping mapping.toml --dialect postgresql "
                        "--out views.sql\n"
                        "hri export model.safetensors --to svg --out model.svg"};
    add_flags(command, *flags, fields);
    add_flags(command, flags->sql, fields_of<SqlOptions>(), {"create_tables"});
    make_argument(command, "file");
    command.run = [flags] { return run(*flags); };
    return command;
}

}  // namespace hri::cli
