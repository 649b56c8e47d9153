// SPDX-License-Identifier: Apache-2.0
#include "hri/why_not.hpp"

#include "hri/fields.hpp"

#include "evaluate/rule_evidence.hpp"
#include "learn/constraints.hpp"
#include "learn/evidence.hpp"
#include "learn/program_scorer.hpp"
#include "logic/prolog/terms.hpp"
#include "search/clauses/learn_clauses.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace hri {
namespace {

constexpr std::size_t kMaxShown = 20;

struct Judgement {
    ProgramFigures figures;
    std::vector<std::string> missed;
    std::vector<std::string> wrong;
};

std::string atom_text(const PredicateSymbol& target, const std::vector<std::string>& arguments) {
    std::string text = prolog::quoted_predicate(target.name);
    for (std::size_t i = 0; i < arguments.size(); ++i)
        text += (i == 0 ? "(" : ",") + prolog::quoted(arguments[i]);
    return arguments.empty() ? text : text + ")";
}

/// Programs on the training examples: of a database where a program needs it, else of instances.
class Judge {
  public:
    Judge(const Problem& problem, bool by_database, int threads)
        : problem_(problem), by_database_(by_database), threads_(threads) {
        if (!by_database_)
            instances_ = learning::ProgramScorer(problem, 0).instances();
    }

    Judgement judge(const Program& program) const {
        Judgement result;
        std::vector<Label> labels;
        Truth truth;
        const auto add = [&](bool positive, bool predicted, auto arguments) {
            labels.push_back(positive ? Label::positive : Label::negative);
            truth.push_back(predicted ? 1 : 0);
            std::vector<std::string>& list = positive ? result.missed : result.wrong;
            if (positive != predicted && list.size() < kMaxShown)
                list.push_back(atom_text(problem_.target(), arguments()));
        };
        if (by_database_)
            each_row(program, add);
        else
            each_atom(program, add);
        Scorer scorer;
        scorer.add(labels, truth);
        result.figures.score = scorer.score();
        result.figures.bits = program_bits(program, static_cast<int>(problem_.inputs().size())) +
                              error_bits(result.figures.score);
        return result;
    }

  private:
    template <class Add>
    void each_row(const Program& program, const Add& add) const {
        const Database& database = *problem_.database;
        const ExampleTable& examples = database.examples;
        const std::vector<char> says =
            search::answers_on_examples(program, database, examples, threads_);
        const auto width = static_cast<std::size_t>(examples.target.arity);
        for (std::size_t row = 0; row < says.size(); ++row)
            add(examples.positive[row] != 0, says[row] != 0, [&] {
                std::vector<std::string> names;
                for (std::size_t i = 0; i < width; ++i)
                    names.push_back(
                        database
                            .constants[static_cast<std::size_t>(examples.cells[row * width + i])]);
                return names;
            });
    }

    template <class Add>
    void each_atom(const Program& program, const Add& add) const {
        for (const evaluation::CoveredExample& example :
             evaluation::covered_examples(program, instances_)) {
            const Instance& instance = instances_[static_cast<std::size_t>(example.instance)];
            add(example.positive, example.predicted, [&] {
                std::vector<std::string> names(static_cast<std::size_t>(problem_.target().arity));
                int rest = example.atom;
                for (std::size_t i = names.size(); i-- > 0; rest /= instance.constants)
                    names[i] = instance.name_of(rest % instance.constants);
                return names;
            });
        }
    }

    const Problem& problem_;
    bool by_database_;
    int threads_;
    std::vector<Instance> instances_;
};

std::int64_t errors(const ProgramFigures& figures) {
    return figures.score.false_positives + figures.score.false_negatives;
}

std::string counted_errors(std::int64_t count) {
    return fmt::format("{} error{}", count, count == 1 ? "" : "s");
}

/// The verdict of the declared bias on the rules.
void add_limits(WhyNot& answer, const Problem& problem) {
    if (!problem.database)
        return;
    const ClauseBias& bias = problem.database->bias;
    int literals = 0;
    int variables = 0;
    for (const Rule& rule : answer.program.rules) {
        literals = std::max(literals, static_cast<int>(rule.body.size()));
        std::set<std::int32_t> met;
        for (const Atom& atom : rule.body)
            for (const Term& term : atom.arguments)
                if (term.is_variable())
                    met.insert(term.index());
        for (const Term& term : rule.head.arguments)
            if (term.is_variable())
                met.insert(term.index());
        variables = std::max(variables, static_cast<int>(met.size()));
    }
    if (bias.max_body && literals > *bias.max_body)
        answer.reasons.push_back(
            fmt::format("It has {} body literals; the bias allows {}.", literals, *bias.max_body));
    if (bias.max_variables && variables > *bias.max_variables)
        answer.reasons.push_back(fmt::format("It has {} variables; the bias allows {}.", variables,
                                             *bias.max_variables));
}

std::string comparison_text(const WhyNot& answer) {
    const ProgramFigures& rule = answer.rule;
    const ProgramFigures& learned = *answer.learned;
    const std::string both = fmt::format("It makes {}, the learned program {}.",
                                         counted_errors(errors(rule)), errors(learned));
    const std::string bits =
        fmt::format("It takes {:.0f} bits with its errors, the learned program {:.0f}.", rule.bits,
                    learned.bits);
    if (errors(rule) > errors(learned) && errors(learned) == 0)
        return both + " Programs without errors come first.";
    if (rule.bits > learned.bits)
        return both + " " + bits;
    if (rule.bits < learned.bits)
        return both + " " + bits + " The learner has not found it: pin it, or give it more time.";
    return "It is as good as the learned program.";
}

std::string together_text(const WhyNot& answer) {
    const ProgramFigures& learned = *answer.learned;
    const ProgramFigures& together = *answer.together;
    const std::int64_t mended = learned.score.false_negatives - together.score.false_negatives;
    const std::int64_t made = together.score.false_positives - learned.score.false_positives;
    const std::string effect = fmt::format(
        "Beside the learned rules it covers {} more positive{} and {} more negative{}, and the "
        "description takes {:.0f} bits instead of {:.0f}",
        mended, mended == 1 ? "" : "s", made, made == 1 ? "" : "s", together.bits, learned.bits);
    if (together.bits >= learned.bits)
        return effect + (mended <= 0 ? ": it adds nothing that they lack."
                                     : ": it costs more than it explains.");
    return effect + ": the learner has not found it. Pin it, or give it more time.";
}

}  // namespace

std::string rules_as_prolog(std::string rules) {
    const auto replace = [&](const std::string& from, const std::string& to) {
        for (std::size_t at = rules.find(from); at != std::string::npos;
             at = rules.find(from, at + to.size()))
            rules.replace(at, from.size(), to);
    };
    replace("<-", ":-");
    replace(" &", ",");
    replace("&", ",");
    const std::size_t end = rules.find_last_not_of(" \t\r\n");
    rules.erase(end == std::string::npos ? 0 : end + 1);
    if (!rules.empty() && rules.back() != '.')
        rules += '.';
    return rules;
}

WhyNot why_not(const std::string& rules, const Problem& problem, const Program* learned,
               int threads) {
    WhyNot answer;
    answer.prolog = rules_as_prolog(rules);
    answer.program = parse_program(answer.prolog, "<your rule>");
    const PredicateSymbol& target = problem.target();
    const auto check = [&](const Program& program, const char* what) {
        const PredicateSymbol& own = program.vocabulary[program.target];
        if (own != target)
            throw Error(fmt::format("the {} defines {}/{}, expected {}/{}", what, own.name,
                                    own.arity, target.name, target.arity));
    };
    check(answer.program, "rule");
    if (learned != nullptr)
        check(*learned, "program");
    answer.unknown = learning::unknown_predicates(problem, answer.program);
    const Judge judge(problem,
                      learning::needs_database(answer.program, problem) ||
                          (learned != nullptr && learning::needs_database(*learned, problem)),
                      threads);
    Judgement own = judge.judge(answer.program);
    answer.rule = own.figures;
    answer.missed = std::move(own.missed);
    answer.wrong = std::move(own.wrong);
    for (const MissingPredicate& missing : answer.unknown)
        answer.reasons.push_back(fmt::format(
            "The data have no {}, which counts as false{}.", missing.name,
            missing.nearest.empty() ? "" : fmt::format(" (did you mean {}?)", missing.nearest)));
    add_limits(answer, problem);
    if (learned == nullptr)
        return answer;
    answer.learned = judge.judge(*learned).figures;
    answer.together = judge.judge(learning::with_pinned(*learned, answer.program)).figures;
    answer.reasons.push_back(comparison_text(answer));
    answer.reasons.push_back(together_text(answer));
    return answer;
}

std::string to_text(const WhyNot& answer) {
    const Score& score = answer.rule.score;
    std::string text = to_text(answer.program);
    text += fmt::format("covers {} of {} positives and {} of {} negatives: accuracy {:.2f} %\n",
                        score.positives - score.false_negatives, score.positives,
                        score.false_positives, score.negatives, 100 * score.accuracy);
    const auto list = [&](const char* what, const std::vector<std::string>& atoms,
                          std::int64_t count) {
        if (atoms.empty())
            return;
        text += fmt::format("{} {}: {}{}\n", what, count, fmt::join(atoms, ", "),
                            count > static_cast<std::int64_t>(atoms.size()) ? ", ..." : "");
    };
    list("misses", answer.missed, score.false_negatives);
    list("wrongly covers", answer.wrong, score.false_positives);
    for (const std::string& reason : answer.reasons)
        text += reason + "\n";
    return text;
}

}  // namespace hri
