// SPDX-License-Identifier: Apache-2.0

// hri predict MODEL|PROGRAM DATA: every atom that holds.

#include "hri/comparisons.hpp"
#include "hri/derive.hpp"
#include "hri/evaluate.hpp"
#include "hri/explain.hpp"
#include "hri/tables.hpp"

#include "commands.hpp"
#include "inputs.hpp"
#include "json.hpp"
#include "logic/prolog/terms.hpp"
#include "output.hpp"
#include "own_fields.hpp"
#include "program_on_data.hpp"
#include "search/clauses/learn_clauses.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <set>

namespace hri::cli {
namespace {

struct Flags {
    std::string file;
    std::string task;
    std::string query;
    std::string to = "text";
    bool rules = false;
    double least = 0.5;
    int steps = 0;
    ReadFlags reading{SplitOptions::When::never};
    std::string out;
};

struct Prediction {
    std::vector<std::string> arguments;
    double value = 1;                       // a model's
    std::string rule = {};                  // that proves it
    std::optional<double> confidence = {};  // of that rule
    Label label = Label::unlabelled;
};

/// What is asked for: a predicate, and constants where only some atoms are wanted.
struct Query {
    PredicateSymbol symbol;
    std::vector<std::optional<std::string>> arguments;
    std::vector<std::size_t> same_as;  // an argument with the same variable

    bool matches(const std::vector<std::string>& constants) const {
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            if ((arguments[i] && *arguments[i] != constants[i]) ||
                constants[i] != constants[same_as[i]]) {
                return false;
            }
        }
        return true;
    }

    std::set<std::string> constants() const {
        std::set<std::string> names;
        for (const std::optional<std::string>& argument : arguments) {
            if (argument) {
                names.insert(*argument);
            }
        }
        return names;
    }
};

/// customers:117 also without its quotes, as in other atoms.
std::string pasted(const std::string& constant) {
    return constant.starts_with("':'(") ? parse_ground_atom("q(" + constant + ")").arguments[0]
                                        : constant;
}

Query query_of(const Flags& flags, const PredicateSymbol& target) {
    Query query{target,
                std::vector<std::optional<std::string>>(static_cast<std::size_t>(target.arity)),
                {}};
    if (!flags.query.empty()) {
        std::string text = flags.query;
        text.erase(text.find_last_not_of(" .\n") + 1);
        // ? stands for what is asked, as in `hri rank`
        for (std::size_t at = text.find('?'); at != std::string::npos; at = text.find('?', at)) {
            text.replace(at, 1, "_");
        }
        const Program parsed = parse_program(text + ".", "query");
        if (parsed.rules.size() != 1 || !parsed.rules[0].body.empty()) {
            throw Error("query: expected one atom, such as 'grandparent(ann,X)'");
        }
        const Atom& head = parsed.rules[0].head;
        query.symbol = parsed.vocabulary[head.predicate];
        query.arguments.clear();
        for (std::size_t i = 0; i < head.arguments.size(); ++i) {
            const Term term = head.arguments[i];
            query.arguments.push_back(
                term.is_variable()
                    ? std::nullopt
                    : std::optional(pasted(
                          parsed.vocabulary.constants()[static_cast<std::size_t>(term.index())])));
            query.same_as.push_back(static_cast<std::size_t>(
                std::find(head.arguments.begin(), head.arguments.end(), term) -
                head.arguments.begin()));
        }
    }
    for (std::size_t i = query.same_as.size(); i < query.arguments.size(); ++i) {
        query.same_as.push_back(i);
    }
    return query;
}

std::string atom_text(const PredicateSymbol& symbol, const std::vector<std::string>& arguments) {
    std::string text = prolog::quoted_predicate(symbol.name);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        text += (i == 0 ? "(" : ",") + prolog::quoted(arguments[i]);
    }
    return text + (arguments.empty() ? "" : ")");
}

Label label_of(const Instance& instance, int arity, std::int32_t first, std::int32_t second) {
    if (!instance.labels.empty()) {
        const auto n = static_cast<std::size_t>(instance.constants);
        const auto index =
            arity < 2 ? static_cast<std::size_t>(first)
                      : static_cast<std::size_t>(first) * n + static_cast<std::size_t>(second);
        return arity == 0 ? instance.labels[0] : instance.labels[index];
    }
    const auto found = std::find_if(
        instance.listed.begin(), instance.listed.end(),
        [&](const LabelledAtom& atom) { return atom.first == first && atom.second == second; });
    return found == instance.listed.end() ? instance.unlisted : found->label;
}

Prediction prediction_of(const Instance& instance, int arity, std::int32_t first,
                         std::int32_t second, double value) {
    Prediction prediction;
    prediction.value = value;
    if (arity > 0) {
        prediction.arguments.push_back(instance.name_of(first));
    }
    if (arity > 1) {
        prediction.arguments.push_back(instance.name_of(second));
    }
    return prediction;
}

std::vector<Prediction> by_program(Program program, const Instance& instance, const Query& query) {
    const std::optional<Predicate> wanted = program.vocabulary.find(query.symbol);
    const bool defined =
        wanted && std::any_of(program.rules.begin(), program.rules.end(),
                              [&](const Rule& rule) { return rule.head.predicate == *wanted; });
    const bool is_false = program.rules.empty() && wanted == program.target;
    if (is_false) {  // as it was learned
        return {};
    }
    if (!defined) {
        throw Error(
            fmt::format("the program does not define {}/{}", query.symbol.name, query.symbol.arity),
            {}, "`hri rules PROGRAM` prints what it defines");
    }
    program.target = *wanted;
    const bool is_target = instance.schema->target == query.symbol;
    std::vector<Prediction> all;
    for (const Fact& atom : true_atoms(program, instance)) {
        Prediction one = prediction_of(instance, query.symbol.arity, atom.first, atom.second, 1);
        if (query.matches(one.arguments)) {
            if (is_target) {
                one.label = label_of(instance, query.symbol.arity, atom.first, atom.second);
            }
            all.push_back(std::move(one));
        }
    }
    return all;
}

std::vector<Prediction> by_model(const Model& model, const Instance& instance, const Query& query,
                                 const Flags& flags) {
    if (query.symbol != model.target) {
        throw Error(
            fmt::format("the model's target is {}/{}", model.target.name, model.target.arity), {},
            "a query may name no other predicate");
    }
    const int steps = flags.steps != 0 ? flags.steps : model.options.eval_steps;
    const std::vector<float> values = infer(model, instance, steps);
    std::vector<Prediction> all;
    const int arity = model.target.arity;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto n = static_cast<std::size_t>(instance.constants);
        const auto first = static_cast<std::int32_t>(arity == 2 ? i / n : i);
        const auto second = static_cast<std::int32_t>(arity == 2 ? i % n : 0);
        if (values[i] >= static_cast<float>(flags.least)) {
            Prediction one =
                prediction_of(instance, arity, first, second, static_cast<double>(values[i]));
            if (query.matches(one.arguments)) {
                all.push_back(std::move(one));
            }
        }
    }
    return all;
}

/// By the facts of a database, of any arity. What computed predicates are needed for is asked of
/// the listed examples alone: there is no end of terms.
std::vector<Prediction> by_database(Program program, const Database& database, const Query& query) {
    program.target = program.vocabulary.intern(query.symbol);
    const auto width = static_cast<std::size_t>(query.symbol.arity);
    const ExampleTable& examples = database.examples;
    const bool is_target = examples.target == query.symbol;
    std::map<std::vector<std::int32_t>, Label> labels;
    for (std::size_t row = 0; is_target && row < examples.positive.size(); ++row) {
        const std::int32_t* cells = examples.cells.data() + row * width;
        labels.emplace(std::vector<std::int32_t>(cells, cells + width),
                       examples.positive[row] != 0 ? Label::positive : Label::negative);
    }
    std::vector<std::vector<std::int32_t>> rows;
    if (is_over_facts(program, database)) {
        const Database derived = with_derived(program, database);
        if (const FactTable* table = find_table(derived, query.symbol)) {
            for (std::size_t row = 0; row < table->rows(); ++row) {
                const std::int32_t* cells = table->cells.data() + row * width;
                rows.emplace_back(cells, cells + width);
            }
        }
    } else {
        const std::vector<char> says = search::answers_on_examples(program, database, examples);
        for (std::size_t row = 0; row < says.size(); ++row) {
            if (says[row] != 0) {
                const std::int32_t* cells = examples.cells.data() + row * width;
                rows.emplace_back(cells, cells + width);
            }
        }
    }
    std::vector<Prediction> all;
    for (const std::vector<std::int32_t>& row : rows) {
        Prediction one;
        for (const std::int32_t cell : row) {
            one.arguments.push_back(database.constants[static_cast<std::size_t>(cell)]);
        }
        if (query.matches(one.arguments)) {
            const auto label = labels.find(row);
            one.label = label == labels.end() ? Label::unlabelled : label->second;
            all.push_back(std::move(one));
        }
    }
    return all;
}

/// The rule that proves each atom, and how often what it proves is labelled true.
template <class Data>
void add_rules(std::vector<Prediction>& predictions, const Program& program, const Data& data,
               const PredicateSymbol& symbol) {
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> counts;  // [rule] true, labelled
    for (Prediction& one : predictions) {
        one.rule = explain(program, data, {symbol.name, one.arguments}).reason.because;
        if (one.label != Label::unlabelled) {
            counts[one.rule].first += one.label == Label::positive ? 1 : 0;
            ++counts[one.rule].second;
        }
    }
    for (Prediction& one : predictions) {
        const auto found = counts.find(one.rule);
        if (found != counts.end()) {
            one.confidence = static_cast<double>(found->second.first) /
                             static_cast<double>(found->second.second);
        }
    }
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

std::string written(const Flags& flags, const Query& query, const Problem& problem, bool soft,
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
    warn_about_missing(learned.program, problem);
    const PredicateSymbol target =
        learned.model ? learned.model->target : learned.program.vocabulary[learned.program.target];
    const Query query = query_of(flags, target);
    warn_about_constants(query.constants(), problem, "--query");
    const ComparisonFacts comparisons(learned.program);
    const Program& program = comparisons.program();
    std::vector<Prediction> all;
    const bool whole = !learned.model && needs_database(learned.program, problem);
    if (whole) {
        all = by_database(learned.program, *problem.database, query);
        if (flags.rules) {
            add_rules(all, learned.program, *problem.database, query.symbol);
        }
    }
    for (const Instance& read : problem.training.instances) {
        if (whole) {
            break;
        }
        const Instance instance = comparisons.with_facts(read);
        std::vector<Prediction> some = learned.model
                                           ? by_model(*learned.model, instance, query, flags)
                                           : by_program(program, instance, query);
        if (flags.rules && !learned.model) {
            add_rules(some, program, instance, query.symbol);
        }
        all.insert(all.end(), some.begin(), some.end());
    }
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
        base::word(own("to", "What to write: one atom per line, or a table.", "NAME"), &F::to,
                   {"text", "csv", "json"}),
        base::boolean(own("rules",
                          "Adds the rule that proves each atom, and how many of the labelled atoms "
                          "that it proves are true."),
                      &F::rules),
        base::number(own("least", "The smallest value of a model's atoms."), &F::least, 0, 1),
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
