// SPDX-License-Identifier: Apache-2.0
#include "hri/several_targets.hpp"

#include "hri/derive.hpp"
#include "hri/error.hpp"

#include "data/several_targets.hpp"
#include "learn/strategies.hpp"
#include "logic/merged.hpp"
#include "search/clauses/learn_clauses.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>

namespace hri {

std::vector<Problem> read_problems(const std::string& source, ReadOptions options,
                                   const std::function<bool(const std::string&)>& wanted,
                                   const TableOptions& tables) {
    std::vector<Problem> all;
    try {
        all.push_back(read_problem(source, options, tables));
    } catch (const data::SeveralTargets& several) {
        for (const std::string& target : several.targets()) {
            if (wanted ? wanted(target) : several.with_examples()) {
                options.target = target;
                all.push_back(read_problem(source, options, tables));
            }
        }
        if (all.empty()) {
            throw;
        }
    }
    return all;
}

namespace {

constexpr int kRounds = 5;
constexpr int kLinkedRounds = 4;  // of clauses that connect the ends
constexpr int kShortest = 2;      // literals, for two rounds; then one more for two
constexpr int kRestRound = 2;     // ... which are learned from what is left

/// Constants in groups of those that facts connect.
std::vector<std::int32_t> connected_groups(const Database& database) {
    std::vector<std::int32_t> group(database.constants.size());
    std::iota(group.begin(), group.end(), 0);
    const auto find = [&](std::int32_t c) {
        while (group[static_cast<std::size_t>(c)] != c)
            c = group[static_cast<std::size_t>(c)] =
                group[static_cast<std::size_t>(group[static_cast<std::size_t>(c)])];
        return c;
    };
    for (const FactTable& table : database.tables) {
        const auto width = static_cast<std::size_t>(table.symbol.arity);
        for (std::size_t i = 0; i < table.cells.size(); ++i)
            group[static_cast<std::size_t>(find(table.cells[i]))] =
                find(table.cells[i - i % width]);
    }
    for (std::int32_t c = 0; c < static_cast<std::int32_t>(group.size()); ++c)
        group[static_cast<std::size_t>(c)] = find(c);
    return group;
}

/// The first argument of a positive example with the others of another, where no facts connect
/// them: negative ones, one for each positive. Rules that do not connect their arguments would hold
/// of nearly everything.
void add_strangers(Database& database) {
    ExampleTable& examples = database.examples;
    const auto width = static_cast<std::size_t>(examples.target.arity);
    if (width < 2)
        return;
    const std::vector<std::int32_t> group = connected_groups(database);
    std::vector<const std::int32_t*> positive;
    const std::vector<std::int32_t> cells = examples.cells;
    for (std::size_t row = 0; row < examples.positive.size(); ++row)
        if (examples.positive[row] != 0)
            positive.push_back(cells.data() + row * width);
    for (std::size_t i = 0; i < positive.size(); ++i) {
        const std::int32_t* other = positive[(i + 1) % positive.size()];
        if (group[static_cast<std::size_t>(positive[i][0])] ==
            group[static_cast<std::size_t>(other[width - 1])])
            continue;
        examples.cells.push_back(positive[i][0]);
        examples.cells.insert(examples.cells.end(), other + 1, other + width);
        examples.positive.push_back(0);
    }
}

/// Rounds of learning all targets that the joint program does not explain yet.
class Together {
  public:
    Together(std::vector<Problem> problems, const Options& options, const LearnSettings& settings)
        : options_(options), settings_(settings) {
        for (Problem& problem : problems) {
            if (!problem.database)
                throw Error("targets are learned together from data, and " + problem.name +
                            " has a generator");
            reports_.push_back({std::move(problem), settings, {}, {}});
            TargetReport& target = reports_.back();
            target.report.problem = target.problem.name;
            target.report.by_clauses = true;
            target.report.strategy = Strategy::clauses;
            target.report.seed = settings.seed;
            target.report.program.target =
                target.report.program.vocabulary.intern(target.problem.target());
        }
        score(reports_);
    }

    std::vector<TargetReport> run() {
        for (int round = 0; round < kRounds && errors(reports_) > 0; ++round) {
            std::vector<TargetReport> next = reports_;
            for (TargetReport& target : next)
                if (!is_over())
                    learn_one(target, round);
            score(next);
            const bool same = errors(next) >= errors(reports_);
            if (errors(next) < errors(reports_))
                reports_ = std::move(next);
            if (is_over() || (same && round >= kLinkedRounds))
                break;
        }
        for (TargetReport& target : reports_) {
            target.report.seconds = seconds();
            target.report.stop_reason = interrupted()        ? StopReason::interrupted
                                        : target.report.fits ? StopReason::fits
                                        : is_over()          ? StopReason::time_limit
                                                             : StopReason::finished;
        }
        return std::move(reports_);
    }

  private:
    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    }

    bool interrupted() const {
        return settings_.interrupt != nullptr && settings_.interrupt->load();
    }

    bool is_over() const {
        return interrupted() ||
               (settings_.time_limit > 0 &&
                seconds() > settings_.time_limit * static_cast<double>(reports_.size()));
    }

    static std::int64_t errors(const std::vector<TargetReport>& reports) {
        std::int64_t sum = 0;
        for (const TargetReport& target : reports)
            sum += target.report.training.false_positives + target.report.training.false_negatives;
        return sum;
    }

    /// The database with the facts that the joint program derives.
    Database derived(const Database& database) const {
        const Program joint = joint_program(reports_);
        try {
            return is_over_facts(joint, database) ? with_derived(joint, database) : database;
        } catch (const Error&) {  // too much
            return database;
        }
    }

    /// Keeps the positive examples that the joint program does not derive.
    void keep_open_examples(Database& database, const TargetReport& target) const {
        Program joint = joint_program(reports_);
        joint.target = joint.vocabulary.intern(target.problem.target());
        ExampleTable& examples = database.examples;
        const std::vector<char> says = search::answers_on_examples(joint, *target.problem.database,
                                                                   examples, settings_.threads);
        ExampleTable open{examples.target, {}, {}};
        const auto width = static_cast<std::ptrdiff_t>(examples.target.arity);
        for (std::size_t row = 0; row < says.size(); ++row) {
            if (examples.positive[row] != 0 && says[row] != 0)
                continue;
            const auto from = examples.cells.begin() + static_cast<std::ptrdiff_t>(row) * width;
            open.cells.insert(open.cells.end(), from, from + width);
            open.positive.push_back(examples.positive[row]);
        }
        examples = std::move(open);
    }

    /// A target that the joint program explains keeps its rules.
    void learn_one(TargetReport& target, int round) const {
        if (target.report.fits)
            return;
        Problem problem = target.problem;
        auto database = std::make_shared<Database>(derived(*problem.database));
        // what rules without errors leave open may need longer ones
        const bool is_rest = round >= kRestRound && !target.report.program.rules.empty() &&
                             target.report.training.false_positives == 0;
        if (is_rest)
            keep_open_examples(*database, target);
        add_strangers(*database);
        problem.database = std::move(database);
        LearnSettings settings = settings_;
        settings.strategy = Strategy::clauses;
        // Short clauses connect the ends. Others would fit what the rules of other targets are to
        // explain.
        Report report =
            round < kLinkedRounds && learning::offers_clauses(problem)
                ? learning::learn_by_clauses(problem, options_, settings,
                                             {.linked = true, .max_body = kShortest + round / 2})
                : learn(problem, options_, settings);
        report.trials += target.report.trials;
        if (is_rest) {
            report.program = logic::merged({target.report.program, report.program});
            report.program.target = report.program.vocabulary.intern(problem.target());
        }
        target.report = std::move(report);
    }

    /// Scores the targets by the joint program over the known facts.
    void score(std::vector<TargetReport>& reports) const {
        Program joint = joint_program(reports);
        for (TargetReport& target : reports) {
            joint.target = joint.vocabulary.intern(target.problem.target());
            const Database& database = *target.problem.database;
            Report& report = target.report;
            report.training =
                search::score_on_examples(joint, database, database.examples, settings_.threads);
            report.fits = report.training.false_positives + report.training.false_negatives == 0;
            Score nothing = report.training;
            nothing.false_negatives = nothing.positives;
            nothing.false_positives = 0;
            report.baseline_bits = error_bits(nothing);
            report.bits = program_bits(report.program, static_cast<int>(database.tables.size())) +
                          error_bits(report.training);
            report.raw = report.program;
            report.evidence.clear();
            report.alternatives = {{report.program, report.fits, report.training, report.bits}};
            report.restarts = 1;
            report.fitting = report.different = report.fits ? 1 : 0;
            if (!database.held_out.positive.empty())
                report.evaluation = search::score_on_examples(joint, database, database.held_out,
                                                              settings_.threads);
        }
    }

    const Options& options_;
    const LearnSettings& settings_;
    std::vector<TargetReport> reports_;
    const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

}  // namespace

std::vector<TargetReport> learn_together(std::vector<Problem> problems, const Options& options,
                                         const LearnSettings& settings) {
    return Together(std::move(problems), options, settings).run();
}

Program joint_program(const std::vector<TargetReport>& reports) {
    std::vector<Program> programs;
    for (const TargetReport& target : reports) {
        programs.push_back(target.report.program);
    }
    return programs.size() == 1 ? programs.front() : logic::merged(programs);
}

}  // namespace hri
