// SPDX-License-Identifier: Apache-2.0

// hri rules MODEL: the rules that a model has learned.

#include "commands.hpp"
#include "inputs.hpp"
#include "json.hpp"
#include "output.hpp"
#include "own_fields.hpp"
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

Command rules_command() {
    using F = Flags;
    static const std::vector<Field<F>> fields = {
        base::text(own("file", "A model.safetensors or a program.pl.", "MODEL|PROGRAM"), &F::file),
        base::word(own("to", "The language.", "NAME"), &F::to, {"text", "prolog"}),
        base::boolean(own("raw", "Prints the program as extracted, not simplified."), &F::raw),
        base::boolean(own("weights", "Also prints the matches of each slot with their weights."),
                      &F::weights),
        base::text(own("json", "Writes the program as JSON.", "FILE"), &F::json_file)};
    auto flags = std::make_shared<Flags>();
    Command command{.name = "rules",
                    .help = "Prints the rules of a model or a program.",
                    .examples = "hri rules model.safetensors --to prolog"};
    add_flags(command, *flags, fields);
    make_argument(command, "file");
    command.run = [flags] { return run(*flags); };
    return command;
}

}  // namespace hri::cli
