// SPDX-License-Identifier: Apache-2.0

// hri reproduce ilp, operators, sensitivity, lri, scaling, protorules, initialisation, noise: the
// tables as data, with the paper's figures.

#include "hri/tasks.hpp"

#include "comparison.hpp"
#include "growth.hpp"

namespace hri::cli {
namespace {

/// The four tasks of the paper's ablations, in its order.
const std::vector<std::string> kFour = {"adjacent-to-red", "member", "cyclic", "two-children"};
/// Ours, for what the paper says without figures.
const std::vector<std::string> kSix = {"adjacent-to-red", "member",      "cyclic",
                                       "two-children",    "grandparent", "son"};

std::vector<std::string> big_table() {
    std::vector<std::string> names;
    for (const Task& task : all_tasks()) {
        if (task.in_table) {
            names.push_back(task.name);
        }
    }
    return names;
}

/// The paper's soft figures for the tasks, in their order.
std::map<std::string, Figures> soft(const std::vector<std::string>& tasks,
                                    const std::vector<double>& figures) {
    std::map<std::string, Figures> paper;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        paper[tasks[i]] = {{"soft", figures[i]}};
    }
    return paper;
}

Comparison ilp() {
    Variant variant{"default"};
    for (const Task& task : all_tasks()) {
        variant.paper[task.name] = {{"train", task.paper.train},
                                    {"soft", task.paper.soft},
                                    {"symbolic", task.paper.symbolic},
                                    {"dilp", task.paper.ilp},
                                    {"lri", task.paper.lri}};
    }
    return {"ilp", "The big table of ILP tasks, single runs", "", big_table(), {variant}};
}

Comparison operators() {
    return {"operators",
            "POOL, AND and OR: the paper's choices and others",
            "",
            kFour,
            {{"default", {}, soft(kFour, {100, 100, 100, 100})},
             {"pool-max", {{"pool", "max"}, {"target_pool", "max"}}, soft(kFour, {20, 40, 50, 70})},
             {"and-product", {{"fuzzy_and", "product"}}, soft(kFour, {100, 100, 90, 80})},
             {"or-prodminus", {{"fuzzy_or", "prodminus"}}, soft(kFour, {100, 90, 100, 80})}},
            {"soft", "symbolic"}};
}

Comparison sensitivity() {
    const auto steps = [](const char* change, const std::vector<double>& figures) {
        return Variant{std::string("steps") + change,
                       {{"train_steps", change}, {"eval_steps", change}},
                       soft(kFour, figures)};
    };
    const auto with = [](const char* name, const char* option, const char* value,
                         const std::vector<double>& figures) {
        return Variant{name, {{option, value}}, soft(kFour, figures)};
    };
    return {"sensitivity",
            "Steps, similarity, recursivity and depth",
            "steps-2: two inference steps fewer in training and in evaluation, and so on.\n",
            kFour,
            {{"default", {}, soft(kFour, {100, 100, 100, 100})},
             steps("-2", {90, 100, 90, 80}),
             steps("-1", {100, 100, 90, 100}),
             steps("+1", {100, 100, 90, 100}),
             steps("+2", {100, 100, 100, 100}),
             with("l1", "similarity", "l1", {10, 60, 60, 0}),
             with("l2", "similarity", "l2", {80, 100, 80, 60}),
             with("scalar", "similarity", "scalar_product", {40, 80, 50, 10}),
             with("none", "recursivity", "none", {100, 0, 90, 90}),
             with("iso", "recursivity", "iso", {100, 100, 100, 100}),
             with("depth1", "layers", "1", {0, 50, 10, 0}),
             with("depth2", "layers", "2", {90, 100, 60, 70}),
             with("depth3", "layers", "3", {100, 100, 80, 70}),
             with("depth5", "layers", "5", {100, 100, 90, 100})},
            {"soft", "symbolic"}};
}

Comparison lri() {
    const std::vector<std::string> tasks = big_table();
    return {"lri",
            "LRI with templates chosen for each task, and with all of them",
            "specific: the templates that Campero et al. chose for a task; R_LRI: all 18.\n",
            tasks,
            {{"specific",
              {},
              soft(tasks,
                   {100, 100, 100, 100, 100, 100, 100, 100, 0, 100, 100, 0, 100, 100, 100, 70, 10}),
              {},
              0,
              "task"},
             {"R_LRI",
              {},
              soft(tasks, {100, 80, 100, 30, 100, 80, 90, 0, 0, 100, 0, 0, 50, 20, 10, 0, 0}),
              {},
              0,
              "rlri"}},
            {"rounded", "soft", "symbolic"}};
}

Comparison scaling() {
    const auto of = [](const std::string& task, int constants, const Figures& paper) {
        Variant variant{std::to_string(constants) + " constants"};
        variant.tasks = {task};
        variant.constants = constants;
        variant.paper[task] = paper;
        return variant;
    };
    Comparison table{"scaling",
                     "More constants, in NLM's setting: success and training time",
                     "",
                     {"adjacent-to-red-nlm", "grandparent-nlm"},
                     {}};
    const auto paper = [](double success, double seconds, double nlm, double dlm) {
        return Figures{
            {"success", success}, {"seconds", seconds}, {"nlm_seconds", nlm}, {"dlm_seconds", dlm}};
    };
    table.variants = {of("adjacent-to-red-nlm", 7, paper(100, 62, 163, 920)),
                      of("adjacent-to-red-nlm", 10, paper(100, 71, 334, 6629)),
                      of("grandparent-nlm", 9, paper(100, 79, 402, 2047)),
                      of("grandparent-nlm", 20, paper(100, 89, 1441, 3331))};
    table.more = add_growth;
    return table;
}

/// The metarules of meta-interpretive learning as proto-rules, so that True, False and lower
/// arities match too: data without unary predicates would leave slots without any.
std::string overlined_metarules() {
    std::string text;
    for (ProtoRule rule : load_protorules("MIL")) {
        for (ProtoAtom& atom : rule.body) {
            atom.any_lower_arity = true;
        }
        text += (text.empty() ? "" : "; ") + to_text(rule);
    }
    return text;
}

Comparison protorules() {
    Comparison table{
        "protorules",
        "Sets of proto-rules and recursivity",
        "The paper says that redundancy helps and shows no figures. MIL: the metarules "
        "of\nmeta-interpretive learning, each atom with an overline.\n",
        kSix,
        {},
        {"symbolic", "soft"}};
    const std::vector<std::pair<std::string, std::string>> sets = {
        {"R0", "R0"}, {"R0v", "R0v"}, {"R*", "R*"}, {"MIL", overlined_metarules()}};
    for (const auto& [name, rules] : sets) {
        for (const char* recursivity : {"none", "iso", "full"}) {
            table.variants.push_back(
                {name + " " + recursivity, {{"rules", rules}, {"recursivity", recursivity}}});
        }
    }
    return table;
}

Comparison initialisation() {
    return {"initialisation",
            "How embeddings start",
            "fixed: predicates' embeddings stay the unit vectors that they start as.\n",
            kSix,
            {{"identity"},
             {"uniform", {{"start", "uniform"}}},
             {"biased", {{"start", "biased"}}},
             {"fixed", {{"train_predicates", "false"}}}},
            {"symbolic", "soft"}};
}

Comparison noise() {
    return {"noise",
            "With and without noise and the regulariser",
            "outside: Gumbel noise as the paper's text has it; default: as the authors' code draws "
            "it.\n",
            kSix,
            {{"default"},
             {"outside", {{"gumbel_convention", "outside"}}},
             {"no-gumbel", {{"gumbel", "0"}}},
             {"no-gaussian", {{"predicate_noise", "0"}, {"slot_noise", "0"}}},
             {"no-noise", {{"gumbel", "0"}, {"predicate_noise", "0"}, {"slot_noise", "0"}}},
             {"no-regulariser", {{"regularisation", "0"}}}},
            {"symbolic", "soft"}};
}

}  // namespace

std::vector<Command> comparison_commands() {
    std::vector<Command> commands;
    for (const Comparison& table : {ilp(), operators(), sensitivity(), lri(), scaling(),
                                    protorules(), initialisation(), noise()}) {
        commands.push_back(comparison_command(table));
    }
    return commands;
}

}  // namespace hri::cli
