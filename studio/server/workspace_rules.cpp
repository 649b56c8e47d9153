// SPDX-License-Identifier: Apache-2.0
// Rules with their evidence, proofs, proposals and corrections.

#include "hri/derive.hpp"
#include "hri/diagnosis.hpp"
#include "hri/explain.hpp"
#include "hri/export.hpp"
#include "hri/why_not.hpp"

#include "learn/evidence.hpp"
#include "learned.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <iterator>
#include <set>

namespace hri::studio {

namespace {

constexpr int kMaxShown = 200;                  // rows of an answer
constexpr std::size_t kMaxAlternatives = 8;     // with their evidence
constexpr std::size_t kMaxDerived = 2'000'000;  // atoms
constexpr std::size_t kMaxCompared = 20'000;    // facts of data on which programs are compared
constexpr std::size_t kMaxDiffering = 5;        // atoms that are named

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

bool is_defined(const Program& program, Predicate predicate) {
    return std::any_of(program.rules.begin(), program.rules.end(),
                       [&](const Rule& rule) { return rule.head.predicate == predicate; });
}

/// Each literal of the body over the data's predicates, with the clause that vetoes it.
Json literals_json(const Program& program, const Rule& rule) {
    const std::vector<std::string> goals = goal_texts(rule_text(program, rule));
    Json literals = Json::array();
    for (std::size_t i = 0; i < rule.body.size(); ++i) {
        const Atom& atom = rule.body[i];
        if (is_defined(program, program.vocabulary.positive(atom.predicate)) &&
            atom.predicate != program.target) {
            continue;
        }
        const std::string veto = rule_text(program, {rule.head, {atom}});
        const std::string text = goals.size() == rule.body.size() ? goals[i] : veto;
        literals.push_back({{"text", text}, {"veto", veto + "."}});
    }
    return literals;
}

/// Rules as Prolog, a line each.
std::string rule_lines(const Program& program, const std::vector<Rule>& rules) {
    std::string text;
    for (const Rule& rule : rules) {
        text += rule_text(program, rule) + ".\n";
    }
    return text;
}

/// The rule with the rules of the invented predicates that it needs, a line each.
std::string with_definitions(const Program& program, const Rule& rule) {
    std::vector<Rule> rules = {rule};
    std::set<std::uint32_t> known = {rule.head.predicate.id};
    for (std::size_t next = 0; next < rules.size(); ++next) {
        const std::vector<Atom> body = rules[next].body;
        for (const Atom& atom : body) {
            const Predicate predicate = program.vocabulary.positive(atom.predicate);
            if (predicate == program.target || !known.insert(predicate.id).second) {
                continue;
            }
            std::copy_if(program.rules.begin(), program.rules.end(), std::back_inserter(rules),
                         [&](const Rule& other) { return other.head.predicate == predicate; });
        }
    }
    return rule_lines(program, rules);
}

/// The target and what its rules call, but not what only `others` call, which are other targets.
std::set<Predicate> defined_for(const Program& program, const std::set<PredicateSymbol>& others) {
    std::set<Predicate> reached = {program.target};
    for (bool is_growing = true; is_growing;) {
        const std::size_t before = reached.size();
        for (const Rule& rule : program.rules) {
            for (const Atom& atom : rule.body) {
                const Predicate called = program.vocabulary.positive(atom.predicate);
                if (reached.count(rule.head.predicate) != 0 &&
                    others.count(program.vocabulary[called]) == 0) {
                    reached.insert(called);
                }
            }
        }
        is_growing = reached.size() > before;
    }
    return reached;
}

/// Of several targets without the rules of `others`.
Json rules_json(const Judged& judged, const std::set<PredicateSymbol>& others = {}) {
    const std::set<Predicate> own = defined_for(judged.program, others);
    const std::vector<int> targets = evaluation::target_rules(judged.program);
    Json rules = Json::array();
    for (std::size_t i = 0; i < judged.program.rules.size(); ++i) {
        const Rule& rule = judged.program.rules[i];
        if (!others.empty() && own.count(rule.head.predicate) == 0) {
            continue;
        }
        Json json = {{"text", rule_text(judged.program, rule)},
                     {"whole", with_definitions(judged.program, rule)}};
        Json predicates = Json::array();
        for (const Atom& atom : rule.body) {
            const Predicate predicate = judged.program.vocabulary.positive(atom.predicate);
            const PredicateSymbol& symbol = judged.program.vocabulary[predicate];
            if (is_defined(judged.program, predicate) || is_comparison(symbol) ||
                is_equality(symbol)) {
                continue;
            }
            predicates.push_back(fmt::format("{}/{}", symbol.name, symbol.arity));
        }
        json["predicates"] = std::move(predicates);
        json["literals"] = literals_json(judged.program, rule);
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

std::size_t atom_count(const Program& program) {
    std::size_t count = program.rules.size();
    for (const Rule& rule : program.rules) {
        count += rule.body.size();
    }
    return count;
}

std::size_t fact_count(const OpenData& data) {
    std::size_t count = 0;
    for (const Instance& instance : data.shown) {
        for (const std::vector<Fact>& facts : instance.facts) {
            count += facts.size();
        }
    }
    if (data.problem.database) {
        for (const FactTable& table : data.problem.database->tables) {
            count += table.rows();
        }
    }
    return count;
}

/// Atoms of the target of which two programs say different things: how many, and the first few.
Json difference_json(const Judged& one, const Judged& other) {
    std::vector<std::string> atoms;
    std::set_symmetric_difference(one.holds.begin(), one.holds.end(), other.holds.begin(),
                                  other.holds.end(), std::back_inserter(atoms));
    const std::size_t count = atoms.size();
    atoms.resize(std::min(count, kMaxDiffering));
    return {{"count", count}, {"atoms", std::move(atoms)}};
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

Judged judged(Program program, const OpenData& data, bool is_joint) {
    Judged result;
    result.program = std::move(program);
    result.by_rows = is_joint || learning::needs_database(result.program, data.problem);
    result.examples = result.by_rows
                          ? learning::covered_rows(result.program, *data.problem.database)
                          : evaluation::covered_examples(result.program, data.shown);
    result.evidence =
        learning::evidence_of(result.examples, evaluation::target_rules(result.program).size());
    return result;
}

void for_true_atoms(const Judged& judged, const OpenData& data,
                    const std::function<void(const std::vector<std::string>&)>& take) {
    const Program& program = judged.program;
    const PredicateSymbol& target = program.vocabulary[program.target];
    const auto width = static_cast<std::size_t>(target.arity);
    std::vector<std::string> names(width);
    if (judged.by_rows) {
        const Database all = with_derived(program, *data.problem.database, kMaxDerived);
        const FactTable* table = find_table(all, target);
        for (std::size_t row = 0; table != nullptr && row < table->rows(); ++row) {
            for (std::size_t i = 0; i < width; ++i) {
                names[i] = all.constants[static_cast<std::size_t>(table->cells[row * width + i])];
            }
            take(names);
        }
        return;
    }
    for (const Instance& instance : data.shown) {
        for (const Fact& fact : true_atoms(program, instance)) {
            const std::array<int, 2> constants = {fact.first, fact.second};
            for (std::size_t i = 0; i < width; ++i) {
                names[i] = instance.name_of(constants[i]);
            }
            take(names);
        }
    }
}

std::string example_text(const OpenData& data, std::size_t row) {
    const Database& database = *data.problem.database;
    const auto width = static_cast<std::size_t>(database.examples.target.arity);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < width; ++i) {
        const std::int32_t cell = database.examples.cells[row * width + i];
        names.push_back(database.constants[static_cast<std::size_t>(cell)]);
    }
    return atom_text(database.examples.target, names);
}

std::string example_text(const OpenData& data, const Judged& judged,
                         const evaluation::CoveredExample& example) {
    return judged.by_rows
               ? example_text(data, static_cast<std::size_t>(example.atom))
               : atom_text(data.shown[static_cast<std::size_t>(example.instance)], example.atom);
}

const Judged& Learned::program(int alternative) const {
    if (alternative < 0 || alternative >= static_cast<int>(programs.size())) {
        throw Error("there is no such program");
    }
    return programs[static_cast<std::size_t>(alternative)];
}

namespace {

/// False where there is too much to compare.
bool know_what_holds(std::vector<Judged>& programs, const OpenData& data) {
    try {
        for (Judged& one : programs) {
            const PredicateSymbol& target = one.program.vocabulary[one.program.target];
            for_true_atoms(one, data, [&](const std::vector<std::string>& names) {
                one.holds.push_back(atom_text(target, names));
            });
            std::sort(one.holds.begin(), one.holds.end());
        }
    } catch (const Error&) {
        return false;
    }
    return true;
}

}  // namespace

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
    learned->is_compared = learned->programs.size() > 1 && fact_count(data) <= kMaxCompared &&
                           know_what_holds(learned->programs, data);
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
    const Report& report = result->report_of(alternative);
    std::set<PredicateSymbol> others;
    Json targets = Json::array();
    for (const TargetPart& part : result->parts) {
        targets.push_back(target_name(*part.data));
        others.insert(part.data->problem.target());
    }
    others.erase(shown.program.vocabulary[shown.program.target]);
    Json json = {{"text", to_text(shown.program)},
                 {"prolog", to_prolog(shown.program)},
                 {"targets", std::move(targets)},
                 {"rules", rules_json(shown, others)},
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
    for (std::size_t i = 0; i < result->programs.size() && result->parts.empty(); ++i) {
        const bool is_first = i == 0;
        alternatives.push_back(
            {{"text", to_text(result->programs[i].program)},
             {"bits", is_first ? report.bits : report.alternatives[i - 1].bits},
             {"fits", is_first ? report.fits : report.alternatives[i - 1].fits}});
        if (result->is_compared) {
            alternatives.back()["differs"] = difference_json(result->programs[i], shown);
        }
    }
    json["alternatives"] = std::move(alternatives);
    Json hints = Json::array();
    const std::shared_ptr<const OpenData> open = opened();
    const Problem& problem = result->data_of(alternative, *open).problem;
    for (const std::string& hint : diagnose(report, problem, result->settings).hints) {
        hints.push_back(hint);
    }
    json["hints"] = std::move(hints);
    return json;
}

Json Workspace::examples(int alternative, const std::string& kind, int offset, int count) const {
    const std::shared_ptr<const Learned> result = learned();
    const std::shared_ptr<const OpenData> open = relations();
    const OpenData& data = result->data_of(alternative, *open);
    const Judged& shown = result->program(alternative);
    constexpr std::string_view kRule = "rule:";
    int rule = -1;
    if (kind.starts_with(kRule))
        std::from_chars(kind.data() + kRule.size(), kind.data() + kind.size(), rule);
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
            rows.push_back({{"atom", example_text(data, shown, example)},
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
    const std::shared_ptr<const OpenData> open = relations();
    const OpenData& data = result->data_of(alternative, *open);
    const GroundAtom asked = parse_ground_atom(atom);
    const Judged& shown = result->program(alternative);
    Source source;
    source.instances = data.shown;
    const Explanation why =
        shown.by_rows ? hri::explain(shown.program, *data.problem.database, asked)
                      : hri::explain(shown.program, source.with_constants(asked.arguments), asked);
    return {{"holds", why.holds}, {"text", to_text(why)}, {"reason", reason_json(why.reason)}};
}

Json Workspace::propose(const std::string& rule) const {
    const std::shared_ptr<const OpenData> data = relations();
    std::shared_ptr<const Learned> result;
    {
        const std::lock_guard lock(mutex_);
        result = learned_;
    }
    const bool is_comparable = result && result->parts.empty();
    const WhyNot answer =
        why_not(rule, data->problem, is_comparable ? &result->programs.front().program : nullptr);
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
    if (const Program shorter = simplified(answer.program);
        atom_count(shorter) < atom_count(answer.program)) {
        json["simplified"] = rule_lines(shorter, shorter.rules);
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

}  // namespace hri::studio
