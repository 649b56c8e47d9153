// SPDX-License-Identifier: Apache-2.0

// The atoms that a program or a model holds true of data.

#include "hri/apply.hpp"
#include "hri/comparisons.hpp"
#include "hri/derive.hpp"
#include "hri/explain.hpp"

#include "search/clauses/learn_clauses.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace hri {
namespace learning {
namespace {

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

std::vector<Prediction> by_instance(const Program& program, const Instance& instance,
                                    const AtomQuery& query) {
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

using Row = std::vector<std::int32_t>;

Row row_of(const std::vector<std::int32_t>& cells, std::size_t row, std::size_t width) {
    const std::int32_t* begin = cells.data() + row * width;
    return {begin, begin + width};
}

/// The rows of the target that hold. Computed predicates are asked about the listed examples alone,
/// since the number of terms has no limit.
std::vector<Row> true_rows(const Program& program, const Database& database, std::size_t width) {
    std::vector<Row> rows;
    if (is_over_facts(program, database)) {
        const Database derived = with_derived(program, database);
        const FactTable* table = find_table(derived, program.vocabulary[program.target]);
        for (std::size_t row = 0; table != nullptr && row < table->rows(); ++row) {
            rows.push_back(row_of(table->cells, row, width));
        }
        return rows;
    }
    const std::vector<char> says =
        search::answers_on_examples(program, database, database.examples);
    for (std::size_t row = 0; row < says.size(); ++row) {
        if (says[row] != 0) {
            rows.push_back(row_of(database.examples.cells, row, width));
        }
    }
    return rows;
}

std::vector<Prediction> by_database(const Program& program, const Database& database,
                                    const AtomQuery& query) {
    const auto width = static_cast<std::size_t>(query.symbol.arity);
    const ExampleTable& examples = database.examples;
    const bool is_target = examples.target == query.symbol;
    std::map<Row, Label> labels;
    for (std::size_t row = 0; is_target && row < examples.positive.size(); ++row) {
        labels.emplace(row_of(examples.cells, row, width),
                       examples.positive[row] != 0 ? Label::positive : Label::negative);
    }
    std::vector<Prediction> all;
    for (const Row& row : true_rows(program, database, width)) {
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

/// The program with the query's predicate as its target; nothing where it was learned as `false`.
std::optional<Program> with_target(Program program, const PredicateSymbol& symbol) {
    const std::optional<Predicate> wanted = program.vocabulary.find(symbol);
    if (program.rules.empty() && wanted == program.target) {
        return std::nullopt;
    }
    const bool defined =
        wanted && std::any_of(program.rules.begin(), program.rules.end(),
                              [&](const Rule& rule) { return rule.head.predicate == *wanted; });
    if (!defined) {
        throw Error(fmt::format("the program does not define {}/{}", symbol.name, symbol.arity), {},
                    "`hri rules PROGRAM` prints the predicates that it defines");
    }
    program.target = *wanted;
    return program;
}

}  // namespace
}  // namespace learning

bool AtomQuery::matches(const std::vector<std::string>& constants) const {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if ((arguments[i] && *arguments[i] != constants[i]) ||
            constants[i] != constants[same_as[i]]) {
            return false;
        }
    }
    return true;
}

AtomQuery all_atoms_of(const PredicateSymbol& symbol) {
    AtomQuery query{symbol, {}, {}};
    query.arguments.resize(static_cast<std::size_t>(symbol.arity));
    for (std::size_t i = 0; i < query.arguments.size(); ++i) {
        query.same_as.push_back(i);
    }
    return query;
}

namespace learning {
namespace {

/// customers:117 also without its quotes, as in other atoms.
std::string pasted(const std::string& constant) {
    return constant.starts_with("':'(") ? parse_ground_atom("q(" + constant + ")").arguments[0]
                                        : constant;
}

}  // namespace
}  // namespace learning

AtomQuery parse_query(std::string_view asked) {
    std::string text(asked);
    text.erase(text.find_last_not_of(" .\n") + 1);
    for (std::size_t at = text.find('?'); at != std::string::npos; at = text.find('?', at)) {
        text.replace(at, 1, "_");
    }
    const Program parsed = parse_program(text + ".", "query");
    if (parsed.rules.size() != 1 || !parsed.rules[0].body.empty()) {
        throw Error("query: expected one atom, such as 'grandparent(ann,X)'");
    }
    const Atom& head = parsed.rules[0].head;
    AtomQuery query{parsed.vocabulary[head.predicate], {}, {}};
    for (const Term term : head.arguments) {
        query.arguments.push_back(
            term.is_variable()
                ? std::nullopt
                : std::optional(learning::pasted(
                      parsed.vocabulary.constants()[static_cast<std::size_t>(term.index())])));
        query.same_as.push_back(
            static_cast<std::size_t>(std::find(head.arguments.begin(), head.arguments.end(), term) -
                                     head.arguments.begin()));
    }
    return query;
}

std::vector<Prediction> predict(const Program& program, const Problem& problem,
                                const AtomQuery& query, bool with_rules) {
    if (needs_database(program, problem)) {
        Program whole = program;
        whole.target = whole.vocabulary.intern(query.symbol);
        std::vector<Prediction> all = learning::by_database(whole, *problem.database, query);
        if (with_rules) {
            learning::add_rules(all, program, *problem.database, query.symbol);
        }
        return all;
    }
    const ComparisonFacts comparisons(program);
    const std::optional<Program> over_facts =
        learning::with_target(comparisons.program(), query.symbol);
    std::vector<Prediction> all;
    for (const Instance& read : problem.training.instances) {
        if (!over_facts) {
            break;
        }
        const Instance instance = comparisons.with_facts(read);
        std::vector<Prediction> some = learning::by_instance(*over_facts, instance, query);
        if (with_rules) {
            learning::add_rules(some, comparisons.program(), instance, query.symbol);
        }
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

std::vector<Prediction> predict(const Model& model, const Problem& problem, const AtomQuery& query,
                                int steps, double min_value) {
    if (query.symbol != model.target) {
        throw Error(
            fmt::format("the model's target is {}/{}", model.target.name, model.target.arity), {},
            "a query may name no other predicate");
    }
    const int arity = model.target.arity;
    std::vector<Prediction> all;
    for (const Instance& instance : problem.training.instances) {
        const std::vector<float> values = infer(model, instance, steps);
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (values[i] < static_cast<float>(min_value)) {
                continue;
            }
            const auto n = static_cast<std::size_t>(instance.constants);
            const auto first = static_cast<std::int32_t>(arity == 2 ? i / n : i);
            const auto second = static_cast<std::int32_t>(arity == 2 ? i % n : 0);
            Prediction one = learning::prediction_of(instance, arity, first, second,
                                                     static_cast<double>(values[i]));
            if (query.matches(one.arguments)) {
                all.push_back(std::move(one));
            }
        }
    }
    return all;
}

}  // namespace hri
