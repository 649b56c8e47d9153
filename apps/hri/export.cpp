// SPDX-License-Identifier: Apache-2.0

// hri export MODEL|PROGRAM: the rules in the languages of others.

#include "hri/export.hpp"

#include "command.hpp"
#include "inputs.hpp"
#include "output.hpp"

#include <fmt/format.h>
#include <memory>

namespace hri::cli {
namespace {

struct Flags {
    std::string file;
    std::string to = "prolog";
    std::string dialect = "sqlite";
    double min_weight = kMinWeightDrawn;
    bool raw = false;
    std::string out;
};

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
                      flags.dialect == "sqlite" ? SqlDialect::sqlite : SqlDialect::postgresql);
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

int run(const Flags& flags) {
    check_writable(flags.out);
    const std::string text = exported(flags, load_learned(flags.file));
    if (flags.out.empty()) {
        fmt::print("{}", text);
    } else {
        write_output(flags.out, text);
    }
    return kYes;
}

}  // namespace

void add_export(CLI::App& app, Action& action) {
    auto flags = std::make_shared<Flags>();
    CLI::App* command =
        app.add_subcommand("export", "Write a program or a model in another language");
    command->option_defaults()->take_last();
    command->footer(
        "Examples:\n"
        "  hri export program.pl --to sql --dialect postgresql --out views.sql\n"
        "  hri export model.safetensors --to svg --out model.svg");
    command->add_option("file", flags->file, "model.safetensors or program.pl")
        ->required()
        ->option_text("MODEL|PROGRAM");
    command
        ->add_option("--to", flags->to,
                     "prolog, datalog (Souffle), sql, json, dot, svg, latex or text")
        ->check(CLI::IsMember({"prolog", "datalog", "sql", "json", "dot", "svg", "latex", "text"}))
        ->option_text("[prolog]");
    command->add_option("--dialect", flags->dialect, "of SQL: sqlite or postgresql")
        ->check(CLI::IsMember({"sqlite", "postgresql"}))
        ->option_text("[sqlite]");
    command
        ->add_option("--least-weight", flags->min_weight,
                     "of the matches that a model's drawing shows")
        ->check(CLI::Range(0.0, 1.0))
        ->option_text(fmt::format("[{}]", kMinWeightDrawn));
    command->add_flag("--raw", flags->raw, "a model's program as extracted, not simplified");
    command->add_option("--out", flags->out, "instead of standard output")->option_text("FILE");
    command->callback([flags, &action] { action = [flags] { return run(*flags); }; });
}

}  // namespace hri::cli
