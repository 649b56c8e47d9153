// SPDX-License-Identifier: Apache-2.0
// Demands, answers and questions of the user.

#include "hri/explain.hpp"
#include "hri/why_not.hpp"

#include "learn/constraints.hpp"
#include "learned.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace hri::studio {

namespace {

constexpr int kMaxAnswers = 200;
constexpr const char* kAsked = "?";  // stands for what is asked

}  // namespace

Json constraints_json(const Constraints& constraints) {
    return {{"vetoed_rules", constraints.vetoed_rules},
            {"vetoed_literals", constraints.vetoed_literals},
            {"vetoed_predicates", constraints.vetoed_predicates},
            {"pinned", constraints.pinned}};
}

Constraints constraints_of(const Json& json) {
    using Texts = std::vector<std::string>;
    const auto as_prolog = [](Texts rules) {
        for (std::string& rule : rules) {
            rule = rules_as_prolog(rule);
        }
        return rules;
    };
    Constraints constraints;
    constraints.vetoed_rules = as_prolog(json.value("vetoed_rules", Texts{}));
    constraints.vetoed_literals = as_prolog(json.value("vetoed_literals", Texts{}));
    constraints.vetoed_predicates = json.value("vetoed_predicates", Texts{});
    constraints.pinned = json.value("pinned", std::string{});
    return constraints;
}

void Workspace::constrain(const Json& given) {
    const std::shared_ptr<const OpenData> data = relations();
    Constraints constraints = constraints_of(given);
    // Mistakes are told now, not when the next run begins.
    const learning::Vetoes vetoes(data->problem.target(), constraints);
    learning::constrained(data->problem, constraints,
                          learning::pinned_rules(data->problem, constraints));
    const std::lock_guard lock(mutex_);
    constraints_ = std::move(constraints);
    is_outdated_ = true;
    checkpoint_.clear();  // a run under other constraints is another run
    save();
    changed();
}

Json Workspace::questions(int count) const {
    const std::shared_ptr<const Learned> result = learned();
    const std::shared_ptr<const OpenData> data = relations();
    Json rows = Json::array();
    if (!data->generated && result->parts.empty()) {
        std::vector<Alternative> programs = result->report.alternatives;
        Alternative first;
        first.program = result->report.program;
        first.fits = result->report.fits;
        programs.insert(programs.begin(), first);
        for (const Question& question :
             hri::questions(data->problem, programs, std::clamp(count, 1, 50))) {
            rows.push_back(
                {{"atom", atom_text(data->shown[static_cast<std::size_t>(question.instance)],
                                    question.atom)},
                 {"yes", question.says_yes},
                 {"no", question.says_no}});
        }
    }
    return {{"questions", std::move(rows)}, {"together", !result->parts.empty()}};
}

namespace {

/// Clauses are learned from the database: its examples get the label too.
void add_to_database(Problem& problem, const GroundAtom& atom, bool positive) {
    if (!problem.database) {
        return;
    }
    auto database = std::make_shared<Database>(*problem.database);
    std::vector<std::int32_t> row;
    for (const std::string& name : atom.arguments) {
        const auto found = std::find(database->constants.begin(), database->constants.end(), name);
        if (found == database->constants.end()) {
            return;
        }
        row.push_back(static_cast<std::int32_t>(found - database->constants.begin()));
    }
    ExampleTable& examples = database->examples;
    const std::size_t width = row.size();
    for (std::size_t i = 0; i < examples.positive.size(); ++i) {
        if (std::equal(row.begin(), row.end(),
                       examples.cells.begin() + static_cast<std::ptrdiff_t>(i * width))) {
            examples.positive[i] = positive ? 1 : 0;
            problem.database = std::move(database);
            return;
        }
    }
    examples.cells.insert(examples.cells.end(), row.begin(), row.end());
    examples.positive.push_back(positive ? 1 : 0);
    problem.database = std::move(database);
}

}  // namespace

void Workspace::label(const std::string& atom, bool positive) {
    const std::shared_ptr<const OpenData> before = relations();
    if (before->generated) {
        throw Error("a generator makes these data: every atom has its label already");
    }
    const GroundAtom asked = parse_ground_atom(atom);
    auto data = std::make_shared<OpenData>(*before);
    bool found = false;
    for (Instance& instance : data->problem.training.instances) {
        const PredicateSymbol& target = data->problem.target();
        if (asked.predicate != target.name ||
            static_cast<int>(asked.arguments.size()) != target.arity || instance.labels.empty()) {
            continue;
        }
        std::size_t index = 0;
        bool is_here = true;
        for (const std::string& name : asked.arguments) {
            const int constant = instance.find(name);
            is_here = is_here && constant >= 0;
            index = index * static_cast<std::size_t>(instance.constants) +
                    static_cast<std::size_t>(std::max(constant, 0));
        }
        if (is_here) {
            instance.labels[index] = positive ? Label::positive : Label::negative;
            found = true;
        }
    }
    if (!found) {
        throw Error(
            fmt::format("{} is no atom of the target over the constants of the data", atom));
    }
    add_to_database(data->problem, asked, positive);
    data->shown = data->problem.training.instances;
    const std::lock_guard lock(mutex_);
    data_ = std::move(data);
    std::erase_if(labels_, [&](const auto& known) { return known.first == atom; });
    labels_.emplace_back(atom, positive);
    is_outdated_ = true;
    checkpoint_.clear();  // other examples make another run
    save();
    changed();
}

Json Workspace::answers(int alternative, const std::string& query, int count) const {
    const std::shared_ptr<const Learned> result = learned();
    const std::shared_ptr<const OpenData> open = relations();
    const OpenData& data = result->data_of(alternative, *open);
    std::string text;
    for (const char c : query) {
        text += c == '?' ? "'" + std::string(kAsked) + "'" : std::string(1, c);
    }
    const GroundAtom asked = parse_ground_atom(text);
    const Program& program = result->program(alternative).program;
    const PredicateSymbol& target = program.vocabulary[program.target];
    if (asked.predicate != target.name ||
        static_cast<int>(asked.arguments.size()) != target.arity) {
        throw Error(fmt::format("queries are about {}/{}", target.name, target.arity), {},
                    "write ? for what is asked");
    }
    const int most = std::clamp(count, 1, kMaxAnswers);
    Json rows = Json::array();
    const auto take = [&](const std::vector<std::string>& names) {
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (asked.arguments[i] != kAsked && asked.arguments[i] != names[i]) {
                return;
            }
        }
        if (static_cast<int>(rows.size()) < most) {
            rows.push_back(atom_text(target, names));
        }
    };
    for_true_atoms(result->program(alternative), data, take);
    return {{"answers", std::move(rows)}};
}

}  // namespace hri::studio
