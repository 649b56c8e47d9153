// SPDX-License-Identifier: Apache-2.0

// hri rules MODEL: the rules that a model has learned.

#include "command.hpp"
#include "inputs.hpp"
#include "output.hpp"
#include "soft/matches.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <set>

namespace hri::cli {
namespace {

using soft::Match;
using soft::matches;
using soft::predicate_name;

struct Flags {
    std::string file;
    std::string to = "text";
    bool raw = false;
    bool weights = false;
    std::string json_file;
};

/// The slots of the auxiliaries that the target reaches by best matches, with their unification
/// scores.
std::string weights_text(const Model& model) {
    constexpr double kShown = 0.01;
    constexpr std::size_t kMax = 5;
    const Hierarchy& h = model.hierarchy;
    const std::vector<float> scores = unification(model);
    std::string text;
    const auto show = [&](const std::string& title, int slot) {
        const std::vector<Match> found = matches(model, scores, slot);
        text += fmt::format("{:<16}", title);
        for (std::size_t i = 0; i < std::min(found.size(), kMax); ++i) {
            if (i == 0 || found[i].weight >= kShown) {
                text += fmt::format("  {} {:.3f}", predicate_name(model, found[i].predicate),
                                    found[i].weight);
            }
        }
        text += "\n";
        return found.empty() ? Hierarchy::kFalse : found.front().predicate;
    };
    std::vector<int> open{show(model.target.name, h.target_slot())};
    std::set<int> seen(open.begin(), open.end());
    while (!open.empty()) {
        const int predicate = open.back();
        open.pop_back();
        if (predicate < h.first_auxiliary()) {
            continue;
        }
        const auto index = static_cast<std::size_t>(h.positive(predicate) - h.first_auxiliary());
        const Auxiliary& auxiliary = h.auxiliaries[index];
        text += to_text(model.protorules[static_cast<std::size_t>(auxiliary.protorule)]) + "\n";
        for (std::size_t i = 0; i < auxiliary.slots.size(); ++i) {
            const int next =
                show(fmt::format("  {} {}", auxiliary.name, "PQRS"[i % 4]), auxiliary.slots[i]);
            if (seen.insert(next).second) {
                open.push_back(next);
            }
        }
    }
    return text;
}

int run(const Flags& flags) {
    check_writable(flags.json_file);
    const Learned learned = load_learned(flags.file);
    if (flags.weights && !learned.model) {
        throw Error("--weights is for models: a program has none", {flags.file, 0, 0});
    }
    const Program program = flags.raw ? learned.program : simplified(learned.program);
    fmt::print("{}", flags.to == "prolog" ? to_prolog(program) : to_text(program));
    if (flags.weights) {
        fmt::print("\n{}", weights_text(*learned.model));
    }
    write_json(flags.json_file, {{"version", HRI_VERSION},
                                 {"command", command_line()},
                                 {"program", to_text(program)},
                                 {"prolog", to_prolog(program)},
                                 {"size", size(program)},
                                 {"recursive", is_recursive(program)}});
    return kYes;
}

}  // namespace

void add_rules(CLI::App& app, Action& action) {
    auto flags = std::make_shared<Flags>();
    CLI::App* command = app.add_subcommand("rules", "Print the rules of a model or a program");
    command->option_defaults()->take_last();
    command->footer("Example:\n  hri rules model.safetensors --to prolog");
    command->add_option("file", flags->file, "model.safetensors or program.pl")
        ->required()
        ->option_text("MODEL");
    command->add_option("--to", flags->to, "text or prolog")
        ->check(CLI::IsMember({"text", "prolog"}))
        ->option_text("[text]");
    command->add_flag("--raw", flags->raw, "as extracted, not simplified");
    command->add_flag("--weights", flags->weights, "also what each slot matches, and how strongly");
    command->add_option("--json", flags->json_file, "the program")->option_text("FILE");
    command->callback([flags, &action] { action = [flags] { return run(*flags); }; });
}

}  // namespace hri::cli
