// SPDX-License-Identifier: Apache-2.0
// Rules with their evidence, proofs, proposals and corrections.

#include "hri/diagnosis.hpp"
#include "hri/explain.hpp"
#include "hri/export.hpp"
#include "hri/why_not.hpp"

#include "learn/evidence.hpp"
#include "learned.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace hri::studio {

namespace {

constexpr int kMaxShown = 200;               // rows of an answer
constexpr std::size_t kMaxAlternatives = 8;  // with their evidence

Json score_json(const Score& score) {
    const double negative_rate = score.negatives == 0
                                     ? 1.0
                                     : 1.0 - static_cast<double>(score.false_positives) /
                                                 static_cast<double>(score.negatives);
    return {{"accuracy", score.accuracy},
            {"balanced", (score.recall + negative_rate) / 2},
            {"precision", score.precision},
            {"recall", score.recall},
            {"positives", score.positives},
            {"negatives", score.negatives},
            {"false_positives", score.false_positives},
            {"false_negatives", score.false_negatives}};
}

Score score_of(const std::vector<evaluation::CoveredExample>& examples) {
    Scorer scorer;
    std::vector<Label> labels;
    Truth truth;
    for (const evaluation::CoveredExample& example : examples) {
        labels.push_back(example.positive ? Label::positive : Label::negative);
        truth.push_back(example.predicted ? 1 : 0);
    }
    scorer.add(labels, truth);
    return scorer.score();
}

Json rules_json(const Judged& judged) {
    const std::vector<int> targets = evaluation::target_rules(judged.program);
    Json rules = Json::array();
    for (std::size_t i = 0; i < judged.program.rules.size(); ++i) {
        const Rule& rule = judged.program.rules[i];
        Json json = {{"text", rule_text(judged.program, rule)}};
        Json predicates = Json::array();
        for (const Atom& atom : rule.body) {
            const Predicate predicate = judged.program.vocabulary.positive(atom.predicate);
            const PredicateSymbol& symbol = judged.program.vocabulary[predicate];
            const bool is_defined =
                std::any_of(judged.program.rules.begin(), judged.program.rules.end(),
                            [&](const Rule& r) { return r.head.predicate == predicate; });
            if (is_defined || is_comparison(symbol) || is_equality(symbol)) {
                continue;
            }
            predicates.push_back(fmt::format("{}/{}", symbol.name, symbol.arity));
        }
        json["predicates"] = std::move(predicates);
        const auto at = std::find(targets.begin(), targets.end(), static_cast<int>(i));
        if (at != targets.end()) {
            const auto number = static_cast<std::size_t>(at - targets.begin());
            const ClauseEvidence& evidence = judged.evidence[number];
            json["number"] = number;
            json["positives"] = evidence.positives;
            json["negatives"] = evidence.negatives;
            json["only"] = evidence.only;
            json["confidence"] = evidence.confidence();
        }
        rules.push_back(std::move(json));
    }
    return rules;
}

Json reason_json(const Reason& reason) {
    Json json = {{"atom", reason.atom}, {"holds", reason.holds}, {"because", reason.because}};
    json["body"] = Json::array();
    for (const Reason& part : reason.body) {
        json["body"].push_back(reason_json(part));
    }
    return json;
}

}  // namespace

Judged judged(Program program, const OpenData& data) {
    Judged result{std::move(program), {}, {}};
    result.by_rows = learning::needs_database(result.program, data.problem);
    result.examples = result.by_rows
                          ? learning::covered_rows(result.program, *data.problem.database)
                          : evaluation::covered_examples(result.program, data.shown);
    result.evidence =
        learning::evidence_of(result.examples, evaluation::target_rules(result.program).size());
    return result;
}

std::string example_text(const OpenData& data, const Judged& judged,
                         const evaluation::CoveredExample& example) {
    if (!judged.by_rows) {
        return atom_text(data.shown[static_cast<std::size_t>(example.instance)], example.atom);
    }
    const Database& database = *data.problem.database;
    const auto width = static_cast<std::size_t>(database.examples.target.arity);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < width; ++i) {
        const std::int32_t cell =
            database.examples.cells[static_cast<std::size_t>(example.atom) * width + i];
        names.push_back(database.constants[static_cast<std::size_t>(cell)]);
    }
    return atom_text(database.examples.target, names);
}

const Judged& Learned::program(int alternative) const {
    if (alternative < 0 || alternative >= static_cast<int>(programs.size())) {
        throw Error("there is no such program");
    }
    return programs[static_cast<std::size_t>(alternative)];
}

std::shared_ptr<const Learned> make_learned(const OpenData& data, Report report,
                                            const LearnSettings& settings) {
    auto learned = std::make_shared<Learned>();
    learned->settings = settings;
    learned->settings.progress = {};
    learned->settings.watch = {};
    learned->settings.checkpoint = {};
    learned->settings.interrupt = nullptr;
    learned->programs.push_back(judged(report.program, data));
    const std::string chosen = to_text(report.program);
    std::erase_if(report.alternatives,
                  [&](const Alternative& a) { return to_text(a.program) == chosen; });
    for (const Alternative& alternative : report.alternatives) {
        if (learned->programs.size() <= kMaxAlternatives) {
            learned->programs.push_back(judged(alternative.program, data));
        }
    }
    learned->report = std::move(report);
    return learned;
}

std::shared_ptr<const Learned> learned_again(const OpenData& data, const std::string& prolog) {
    Report report;
    report.problem = data.problem.name;
    report.program = parse_program(prolog, "the last session");
    report.raw = report.program;
    auto learned = std::make_shared<Learned>();
    learned->programs.push_back(judged(report.program, data));
    report.training = score_of(learned->programs.front().examples);
    report.fits = report.training.false_positives + report.training.false_negatives == 0;
    report.bits = program_bits(report.program, static_cast<int>(data.problem.inputs().size())) +
                  error_bits(report.training);
    learned->report = std::move(report);
    return learned;
}

std::shared_ptr<const Learned> Workspace::learned() const {
    const std::lock_guard lock(mutex_);
    if (!learned_) {
        throw Error("nothing has been learned yet", {}, "start a run on the page Learn");
    }
    return learned_;
}

Json Workspace::rules(int alternative) const {
    const std::shared_ptr<const Learned> result = learned();
    const Judged& shown = result->program(alternative);
    const Report& report = result->report;
    Json json = {{"text", to_text(shown.program)},
                 {"prolog", to_prolog(shown.program)},
                 {"rules", rules_json(shown)},
                 {"score", score_json(score_of(shown.examples))},
                 {"fits", report.fits},
                 {"bits", report.bits},
                 {"baseline_bits", report.baseline_bits},
                 {"seconds", report.seconds},
                 {"stop_reason", to_string(report.stop_reason)}};
    const std::string raw = to_text(report.raw);
    json["raw"] = alternative == 0 && raw != to_text(shown.program) ? Json(raw) : Json();
    json["evaluation"] = report.evaluation ? score_json(*report.evaluation) : Json();
    Json alternatives = Json::array();
    for (std::size_t i = 0; i < result->programs.size(); ++i) {
        const bool is_first = i == 0;
        alternatives.push_back(
            {{"text", to_text(result->programs[i].program)},
             {"bits", is_first ? report.bits : report.alternatives[i - 1].bits},
             {"fits", is_first ? report.fits : report.alternatives[i - 1].fits}});
    }
    json["alternatives"] = std::move(alternatives);
    Json hints = Json::array();
    for (const std::string& hint : diagnose(report, opened()->problem, result->settings).hints) {
        hints.push_back(hint);
    }
    json["hints"] = std::move(hints);
    return json;
}

Json Workspace::examples(int alternative, const std::string& kind, int offset, int count) const {
    const std::shared_ptr<const Learned> result = learned();
    const std::shared_ptr<const OpenData> data = relations();
    const Judged& shown = result->program(alternative);
    constexpr std::string_view kRule = "rule:";
    const int rule = kind.starts_with(kRule) ? std::atoi(kind.c_str() + kRule.size()) : -1;
    const auto belongs = [&](const evaluation::CoveredExample& example) {
        if (rule >= 0) {
            return std::find(example.rules.begin(), example.rules.end(), rule) !=
                   example.rules.end();
        }
        return kind != "wrong" || example.positive != example.predicted;
    };
    Json rows = Json::array();
    std::int64_t all = 0;
    for (const evaluation::CoveredExample& example : shown.examples) {
        if (!belongs(example)) {
            continue;
        }
        if (all >= offset && all < offset + std::clamp(count, 0, kMaxShown)) {
            rows.push_back({{"atom", example_text(*data, shown, example)},
                            {"instance", example.instance},
                            {"positive", example.positive},
                            {"predicted", example.predicted},
                            {"rules", example.rules}});
        }
        ++all;
    }
    return {{"count", all}, {"rows", std::move(rows)}};
}

Json Workspace::explain(int alternative, const std::string& atom) const {
    const std::shared_ptr<const Learned> result = learned();
    const std::shared_ptr<const OpenData> data = relations();
    const GroundAtom asked = parse_ground_atom(atom);
    Source source;
    source.instances = data->shown;
    const Explanation why = hri::explain(result->program(alternative).program,
                                         source.with_constants(asked.arguments), asked);
    return {{"holds", why.holds}, {"text", to_text(why)}, {"reason", reason_json(why.reason)}};
}

Json Workspace::propose(const std::string& rule) const {
    const std::shared_ptr<const OpenData> data = relations();
    std::shared_ptr<const Learned> result;
    {
        const std::lock_guard lock(mutex_);
        result = learned_;
    }
    const WhyNot answer =
        why_not(rule, data->problem, result ? &result->programs.front().program : nullptr);
    Json json = {{"text", to_text(answer.program)},
                 {"prolog", answer.prolog},
                 {"rules", rules_json(judged(answer.program, *data))},
                 {"score", score_json(answer.rule.score)},
                 {"bits", answer.rule.bits},
                 {"missed", answer.missed},
                 {"wrong", answer.wrong},
                 {"unknown", Json::array()}};
    for (const MissingPredicate& missing : answer.unknown) {
        json["unknown"].push_back({{"name", missing.name}, {"nearest", missing.nearest}});
    }
    if (answer.learned) {
        json["learned_bits"] = answer.learned->bits;
        json["verdict"] = fmt::format("{}", fmt::join(answer.reasons, " "));
    }
    return json;
}

std::string Workspace::exported(int alternative, const std::string& format) const {
    const std::shared_ptr<const Learned> result = learned();
    const Program& program = result->program(alternative).program;
    if (format == "prolog") {
        return to_prolog(program);
    }
    if (format == "sql") {
        return to_sql(program, SqlDialect::sqlite);
    }
    if (format == "datalog") {
        return to_datalog(program);
    }
    if (format == "latex") {
        return to_latex(program);
    }
    if (format == "json") {
        return to_json(program);
    }
    throw Error("there is no format '" + format + "'", {},
                "use prolog, sql, datalog, latex or json");
}

void Workspace::constrain(const Json& given) {
    const std::shared_ptr<const OpenData> data = relations();
    Constraints constraints;
    constraints.vetoed_rules = given.value("vetoed_rules", std::vector<std::string>{});
    for (std::string& rule : constraints.vetoed_rules) {
        rule = rules_as_prolog(rule);
        parse_program(rule, "<vetoed rule>");
    }
    constraints.vetoed_predicates = given.value("vetoed_predicates", std::vector<std::string>{});
    constraints.pinned = given.value("pinned", std::string{});
    if (!constraints.pinned.empty()) {
        parse_program(constraints.pinned, "<pinned rules>");
    }
    const std::lock_guard lock(mutex_);
    constraints_ = std::move(constraints);
    checkpoint_.clear();  // a run under other constraints is another run
    save();
    changed();
}

Json Workspace::questions(int count) const {
    const std::shared_ptr<const Learned> result = learned();
    const std::shared_ptr<const OpenData> data = relations();
    Json rows = Json::array();
    if (!data->generated) {
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
    return {{"questions", std::move(rows)}};
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
    checkpoint_.clear();  // other examples make another run
    save();
    changed();
}

Json Workspace::answers(int alternative, const std::string& query, int count) const {
    const std::shared_ptr<const Learned> result = learned();
    const std::shared_ptr<const OpenData> data = relations();
    std::string text = query;
    for (std::size_t at = text.find('?'); at != std::string::npos; at = text.find('?')) {
        text.replace(at, 1, "'?'");
        text[at + 1] = '\x01';
    }
    std::replace(text.begin(), text.end(), '\x01', '*');
    const GroundAtom asked = parse_ground_atom(text);
    const Program& program = result->program(alternative).program;
    const PredicateSymbol& target = program.vocabulary[program.target];
    if (asked.predicate != target.name ||
        static_cast<int>(asked.arguments.size()) != target.arity) {
        throw Error(fmt::format("queries are about {}/{}", target.name, target.arity), {},
                    "write ? for what is asked");
    }
    Json rows = Json::array();
    for (const Instance& instance : data->shown) {
        for (const Fact& fact : true_atoms(program, instance)) {
            const std::array<int, 2> constants = {fact.first, fact.second};
            bool agrees = true;
            for (std::size_t i = 0; i < asked.arguments.size(); ++i) {
                agrees = agrees && (asked.arguments[i] == "*" ||
                                    asked.arguments[i] == instance.name_of(constants[i]));
            }
            if (agrees && static_cast<int>(rows.size()) < std::clamp(count, 1, kMaxShown)) {
                rows.push_back(atom_text(
                    instance, target.arity == 2 ? fact.first * instance.constants + fact.second
                                                : fact.first));
            }
        }
    }
    return {{"answers", std::move(rows)}};
}

}  // namespace hri::studio
