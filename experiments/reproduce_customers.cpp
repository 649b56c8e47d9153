// SPDX-License-Identifier: Apache-2.0

// hri reproduce customers: a rule over two tables and a number, planted and found.

#include "hri/customers.hpp"
#include "hri/learn.hpp"

#include "interrupt.hpp"
#include "json.hpp"
#include "output.hpp"
#include "own_fields.hpp"
#include "reproduce.hpp"
#include "search/clauses/learn_clauses.hpp"

#include <fmt/format.h>
#include <memory>

namespace hri::cli {
namespace {

struct Flags {
    int seeds = 3;
    std::string json_file;
    CustomerSettings data;
    LearnSettings settings;
};

int run(const Flags& flags) {
    check_writable(flags.json_file);
    std::vector<std::vector<std::string>> table = {
        {"noise", "seed", "training", "clean, unseen", "seconds", "program"}};
    Json json = Json::array();
    for (const double noise : {0.0, 0.05, 0.1}) {
        for (int seed = 0; seed < flags.seeds; ++seed) {
            LearnSettings settings = flags.settings;
            settings.seed = static_cast<std::uint64_t>(seed);
            settings.interrupt = &catch_interrupts();
            const Problem problem = make_problem(customer_data(
                {.customers = flags.data.customers, .noise = noise, .seed = settings.seed}));
            const Report report = learn(problem, Options{}, settings);
            const Problem unseen =
                make_problem(customer_data({.customers = 4 * flags.data.customers,
                                            .noise = 0,
                                            .seed = settings.seed + 1'000}));
            const Score score = search::score_on_examples(
                report.program, *unseen.database, unseen.database->examples, settings.threads);
            std::string program = to_text(report.program);
            for (std::size_t at = program.find('\n'); at != std::string::npos;
                 at = program.find('\n', at)) {
                program.replace(at, 1, " ");
            }
            table.push_back({fmt::format("{:.0f} %", 100 * noise), std::to_string(seed),
                             fmt::format("{:.1f} %", 100 * report.training.accuracy),
                             fmt::format("{:.2f} %", 100 * score.accuracy),
                             fmt::format("{:.1f}", report.seconds), program});
            json.push_back({{"noise", noise},
                            {"seed", seed},
                            {"training", report.training.accuracy},
                            {"accuracy", score.accuracy},
                            {"program", to_prolog(report.program)}});
            if (settings.interrupt->load()) {
                return kNo;
            }
        }
    }
    fmt::print("{}", aligned(table));
    write_json(flags.json_file, {{"runs", std::move(json)}});
    return kYes;
}

}  // namespace

Command customers_table() {
    auto flags = std::make_shared<Flags>();
    Command command{.name = "customers",
                    .help = "A rule over two tables and a number, at 0, 5 and 10 % noise.",
                    .examples = "hri reproduce customers --customers 1000"};
    using F = Flags;
    static const std::vector<Field<F>> fields = {
        base::number(own("seeds", "The data sets of each kind."), &F::seeds, 1, 100),
        base::text(own("json", "Writes the table as JSON.", "FILE"), &F::json_file)};
    add_flags(command, flags->data, fields_of<CustomerSettings>(), {"customers"});
    add_flags(command, *flags, fields);
    add_flags(command, flags->settings, fields_of<LearnSettings>(), {"time_limit", "threads"});
    make_threads(command, flags->settings.threads);
    command.run = [flags] { return run(*flags); };
    return command;
}

}  // namespace hri::cli
