// SPDX-License-Identifier: Apache-2.0

// hri reach METARULE: how a set of proto-rules expresses a clause; hri reach --theorem: which ones
// it does; for programs see reach_program.cpp.

#include "hri/expressivity.hpp"

#include "commands.hpp"
#include "json.hpp"
#include "output.hpp"
#include "own_fields.hpp"
#include "reach_program.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <stdexcept>

namespace hri::cli {
namespace {

struct Flags {
    std::string metarule;
    std::string rules;
    std::string with;
    bool theorem = false;
    bool tasks = false;
    std::string recursivity = "full";
    int atoms = 2;
    std::string json_file;
};

ExpressivityOptions options_of(const std::string& with) {
    ExpressivityOptions options{.with_true = false, .with_equal = false};
    std::size_t begin = 0;
    while (begin <= with.size()) {
        const std::size_t end = std::min(with.find(',', begin), with.size());
        const std::string name = with.substr(begin, end - begin);
        if (name == "True") {
            options.with_true = true;
        } else if (name == "Equal") {
            options.with_equal = true;
        } else if (name != "False" && name != "nothing") {
            throw Error(fmt::format("there is no built-in predicate '{}'", name), {},
                        "--with takes True, Equal, or both as True,Equal, or nothing");
        }
        begin = end + 1;
    }
    return options;
}

std::string text_of(const ExpressivityOptions& options) {
    if (!options.with_true && !options.with_equal) {
        return "nothing";
    }
    return std::string(options.with_true ? "True" : "") +
           (options.with_true && options.with_equal ? "," : "") +
           (options.with_equal ? "Equal" : "");
}

Json steps_json(const Derivation& derivation, const ProtoRules& rules) {
    Json steps = Json::array();
    for (const DerivationStep& step : derivation.steps) {
        steps.push_back({{"protorule", rules[static_cast<std::size_t>(step.protorule)].name},
                         {"layer", step.layer}});
    }
    return steps;
}

int run_one(const Flags& flags) {
    const Metarule metarule = parse_metarule(flags.metarule);
    const std::string set = flags.rules.empty() ? "R0" : flags.rules;
    const ProtoRules rules = load_protorules(set);
    const ExpressivityOptions options = options_of(flags.with.empty() ? "True" : flags.with);
    const Derivability answer = derivability(metarule, rules, options);

    fmt::print("{}\nfrom {} with {}: ", to_text(metarule), set, text_of(options));
    Json json = {{"version", HRI_VERSION},        {"command", command_line()},
                 {"metarule", to_text(metarule)}, {"rules", set},
                 {"with", text_of(options)},      {"reachable", answer.derivation.has_value()},
                 {"complete", answer.complete},   {"queries", answer.queries},
                 {"max_atoms", answer.max_atoms}};
    if (!answer.derivation) {
        fmt::print("not reachable\n\n");
        const std::string tried =
            fmt::format("{} of different meaning, in {}", counted(answer.queries, "predicate"),
                        counted(answer.layers_searched, "layer"));
        if (answer.complete) {
            fmt::print(
                "No derivation of any depth exists: the search met all predicates that could "
                "be\na piece of it ({}).\n",
                tried);
        } else {
            fmt::print("Search bound: auxiliary predicates that unfold to at most {} ({}).\n",
                       counted(answer.max_atoms, "body atom"), tried);
        }
        write_json(flags.json_file, json);
        return kNo;
    }
    const Derivation& derivation = *answer.derivation;
    const Program program = to_program(derivation, metarule, rules);
    const Comparison comparison = compare(program, metarule);
    if (!comparison.equal) {
        throw std::logic_error("the derived program differs from the metarule");
    }
    fmt::print("reachable in {}, {}{}\n\n{}\n", counted(derivation.layers, "layer"),
               counted(static_cast<std::int64_t>(derivation.steps.size()), "rule"),
               answer.complete ? "; fewer layers do not suffice" : "",
               to_text(derivation, metarule, rules));
    fmt::print(
        "Verified: the program equals the metarule on {}{} interpretations over 2 constants\n"
        "and on {} random ones over 3 and 4.\n",
        comparison.all_over_two ? "all " : "", grouped(comparison.over_two),
        grouped(comparison.over_three + comparison.over_four));
    json["layers"] = derivation.layers;
    json["steps"] = steps_json(derivation, rules);
    json["derivation"] = to_text(derivation, metarule, rules);
    json["prolog"] = to_prolog(program);
    json["verified"] = {{"all_over_two", comparison.all_over_two},
                        {"over_two", comparison.over_two},
                        {"over_three", comparison.over_three},
                        {"over_four", comparison.over_four}};
    write_json(flags.json_file, json);
    return kYes;
}

/// One line of the theorem: a list of clauses and what derives them.
struct Part {
    std::string set;
    std::string with;
    std::string clauses;
    Coverage coverage;
};

void print(const std::vector<Part>& parts) {
    std::vector<std::vector<std::string>> rows = {{"rules", "with", "clauses", "number", "reached",
                                                   "verified", "layers", "auxiliaries", "time"}};
    for (const Part& part : parts) {
        const Coverage& c = part.coverage;
        rows.push_back({part.set, part.with, part.clauses, grouped(c.clauses), grouped(c.reached),
                        grouped(c.verified), std::to_string(c.layers),
                        std::to_string(c.auxiliaries), duration(c.seconds)});
    }
    fmt::print("{}", aligned(rows, 3));
    for (const Part& part : parts) {
        const Coverage& c = part.coverage;
        if (c.not_reached.empty()) {
            continue;
        }
        fmt::print("\n{} with {} {} {}:\n", part.set, part.with,
                   c.complete ? "cannot express" : "did not reach, within the search bound,",
                   counted(static_cast<std::int64_t>(c.not_reached.size()), "clause"));
        for (const Metarule& metarule : c.not_reached) {
            fmt::print("  {}\n", to_text(metarule));
        }
    }
}

Json to_json(const Part& part) {
    const Coverage& c = part.coverage;
    Json not_reached = Json::array();
    for (const Metarule& metarule : c.not_reached) {
        not_reached.push_back(to_text(metarule));
    }
    return {{"rules", part.set},          {"with", part.with},
            {"clauses", part.clauses},    {"number", c.clauses},
            {"reached", c.reached},       {"verified", c.verified},
            {"layers", c.layers},         {"longest", c.reached > 0 ? to_text(c.longest) : ""},
            {"by_layers", c.by_layers},   {"auxiliaries", c.auxiliaries},
            {"not_reached", not_reached}, {"complete", c.complete},
            {"queries", c.queries},       {"seconds", c.seconds}};
}

/// The metarules of meta-interpretive learning, read back as clauses.
std::vector<Metarule> mil_clauses() {
    std::vector<Metarule> clauses;
    for (const ProtoRule& rule : load_protorules("MIL")) {
        const std::string text = to_text(rule);  // Chain: H(X,Y) <- P(X,Z) & Q(Z,Y)
        clauses.push_back(parse_metarule(text.substr(text.find(':') + 1)));
    }
    return clauses;
}

constexpr const char* kIrreducible = "P(A,B) <- Q(A,C), R(A,D), S(B,C), T(B,D), U(C,D)";

/// The claims of the paper beside its theorem.
struct Claim {
    std::string key;  // of the JSON
    std::string text;
    bool holds = false;
    std::string why;
};

std::vector<Claim> claims() {
    std::vector<Claim> result;
    const auto add_joins = [&result](const std::string& key, int atoms, int arity) {
        const Joins joins = joined_by_pairs(atoms, arity);
        result.push_back(
            {key, fmt::format("{} body atoms, auxiliaries of arity {} at most", atoms, arity),
             joins.joined == joins.bodies,
             fmt::format("all {} bodies are joins of two at a time ({})", grouped(joins.bodies),
                         duration(joins.seconds))});
    };
    add_joins("three_atoms", 3, 2);
    add_joins("four_atoms", 4, 2);
    const Metarule clause = parse_metarule(kIrreducible);
    const Derivability five =
        derivability(clause, load_protorules("R*"), {.with_true = true, .with_equal = true});
    result.push_back(
        {"five_atoms_irreducible", kIrreducible,
         !five.derivation && five.complete && separates(three_colours(clause), {0, 1}, clause, 3),
         "no derivation exists"});
    add_joins("five_atoms_by_arity_three", 5, 3);
    bool kept = true;
    for (const NamedRules& set : named_protorules()) {
        kept = kept && keeps_answers(load_protorules(set.name));
    }
    result.push_back({"universal_contraction_barred", "P(A) <- forall B: Q(A,B)", kept,
                      "not reachable; all that is derived keeps its answers when a constant is "
                      "added, this loses them"});
    return result;
}

int run_theorem(const Flags& flags) {
    const auto started = std::chrono::steady_clock::now();
    std::vector<Metarule> all = clauses_up_to(flags.atoms);
    std::vector<Metarule> duplicate_free;
    std::copy_if(all.begin(), all.end(), std::back_inserter(duplicate_free), is_duplicate_free);

    std::vector<Part> parts;
    const auto add_rules = [&parts](const std::string& set, const ProtoRules& rules,
                                    const std::string& with, const std::string& name,
                                    const std::vector<Metarule>& clauses) {
        const ExpressivityOptions options = options_of(with);
        parts.push_back({set, text_of(options), name, coverage(clauses, rules, options)});
    };
    const auto add = [&add_rules](const std::string& set, const std::string& with,
                                  const std::string& name, const std::vector<Metarule>& clauses) {
        add_rules(set, load_protorules(set), with, name, clauses);
    };
    const std::vector<std::string> sets = flags.rules.empty()
                                              ? std::vector<std::string>{"R0", "R0v", "R*"}
                                              : std::vector<std::string>{flags.rules};
    for (const std::string& set : sets) {
        if (!flags.with.empty()) {
            add(set, flags.with, "all", all);
            continue;
        }
        add(set, "True", "duplicate-free", duplicate_free);
        add(set, "True,Equal", "all", all);
    }
    const bool is_paper = flags.rules.empty() && flags.with.empty();
    if (is_paper) {
        add("R0", "True", "MIL", mil_clauses());
        ProtoRules with_zero_ary = load_protorules("R0");
        with_zero_ary.push_back({"Z", {}, {{true, {0, 1}}}, {}});  // H() <- ~P(X,Y)
        add_rules("R0 and Z", with_zero_ary, "True,Equal", "also nullary",
                  clauses_up_to(flags.atoms, true));
    }
    fmt::print(
        "Definite clauses with at most {} over unary and binary predicates, up to the names "
        "of\nvariables and the order of the body.\n\n",
        counted(flags.atoms, "body atom"));
    print(parts);
    bool holds = std::all_of(parts.begin(), parts.end(),
                             [](const Part& part) { return part.coverage.whole(); });
    Json json = {{"version", HRI_VERSION}, {"command", command_line()}, {"atoms", flags.atoms}};
    Json rows = Json::array();
    for (const Part& part : parts) {
        rows.push_back(to_json(part));
    }
    json["rows"] = rows;
    if (is_paper) {
        fmt::print("\n");
        for (const Claim& claim : claims()) {
            fmt::print("{}: {}\n", claim.text, claim.holds ? claim.why : "this was not confirmed");
            json[claim.key] = claim.holds;
            holds = holds && claim.holds;
        }
    }
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started;
    json["seconds"] = elapsed.count();
    fmt::print("\n{} ({})\n", holds ? "All of it holds." : "Not all of it holds.",
               duration(elapsed.count()));
    json["holds"] = holds;
    write_json(flags.json_file, json);
    return holds ? kYes : kNo;
}

bool is_program(const std::string& text) {
    return text.size() > 3 && text.substr(text.size() - 3) == ".pl";
}

int run(const Flags& flags) {
    check_writable(flags.json_file);
    const int given =
        (flags.metarule.empty() ? 0 : 1) + (flags.theorem ? 1 : 0) + (flags.tasks ? 1 : 0);
    if (given != 1) {
        throw Error(given == 0 ? "there is no metarule" : "one of a metarule, --theorem, --tasks",
                    {},
                    "hri reach 'P(A,B) <- Q(B,A)', hri reach program.pl, or hri reach --theorem");
    }
    if (flags.theorem) {
        return run_theorem(flags);
    }
    if (!flags.tasks && !is_program(flags.metarule)) {
        return run_one(flags);
    }
    if (!flags.with.empty()) {
        throw Error("--with is for metarules", {}, "a model has True and False, and no Equal");
    }
    Options options;
    options.rules = flags.rules.empty() ? options.rules : flags.rules;
    set_option(options, "recursivity", flags.recursivity);
    return flags.tasks ? reach_tasks(options, flags.json_file)
                       : reach_program(flags.metarule, options, flags.json_file);
}

}  // namespace

Command reach_command() {
    using F = Flags;
    static const std::vector<Field<F>> fields = {
        base::text(own("metarule", "Such as 'P(A,B) <- Q(A,B), R(B,C)', or a file program.pl.",
                       "METARULE"),
                   &F::metarule),
        base::text(own("rules",
                       "The proto-rules: R0, R0v, R*, MIL or a file. Without it R0, for programs "
                       "R*.",
                       "RULES"),
                   &F::rules),
        base::boolean(own("tasks", "Takes the solutions of all built-in tasks, as programs."),
                      &F::tasks),
        base::word(own("recursivity", "The recursivity of the model, for programs.", "NAME"),
                   &F::recursivity, {"none", "iso", "full"}),
        base::text(own("with", "The built-in predicates: True, Equal, nothing. Without it True.",
                       "NAME,..."),
                   &F::with),
        base::boolean(own("theorem",
                          "Derives every clause with few body atoms, from R0, R0v and R* or from "
                          "--rules."),
                      &F::theorem),
        base::number(own("atoms", "The body atoms of the theorem's clauses."), &F::atoms, 0, 4),
        base::text(own("json", "Writes the derivation or the counts as JSON.", "FILE"),
                   &F::json_file)};
    auto flags = std::make_shared<Flags>();
    Command command{.name = "reach",
                    .help = "Derives a clause from proto-rules, or says that none can.",
                    .details =
                        "Exit code 0: reachable; 1: not reachable.\n"
                        "For a program: the smallest model that can represent it, with its slots.",
                    .examples =
                        "hri reach 'P(A,B) <- Q(A,B), R(B,C)'\n"
                        "hri reach 'P(A,A) <- Q(A)' --rules R* --with True,Equal\n"
                        "hri reach even.pl\nhri reach --theorem\nhri reach --tasks"};
    add_flags(command, *flags, fields);
    make_argument(command, "metarule", false);
    command.run = [flags] { return run(*flags); };
    return command;
}

}  // namespace hri::cli
