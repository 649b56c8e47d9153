// SPDX-License-Identifier: Apache-2.0
#include "learn/program_scorer.hpp"

#include "evaluate/bits/compiled_program.hpp"
#include "evaluate/fingerprint.hpp"
#include "evaluate/score.hpp"
#include "logic/range_restricted.hpp"
#include "search/head_connected.hpp"

#include <algorithm>
#include <set>
#include <string>

namespace hri {

namespace {

constexpr int kJudged = 300;    // instances drawn from a generator
constexpr int kMaxShared = 50;  // training instances that do
constexpr std::size_t kMaxKnown = 10'000;
constexpr double kVetoBits = 1e9;  // more than any errors take

}  // namespace

namespace learning {

ProgramScorer::ProgramScorer(const Problem& problem, std::uint64_t seed, Vetoes vetoes)
    : problem_(problem), vetoes_(std::move(vetoes)), instances_(&problem.training.instances) {
    if (problem.training.fixed()) {
        if (problem.training.instances.size() > 1)
            pairs_ = search::paired_instances(problem.training.instances, problem.target().arity);
        return;
    }
    // Fresh draws from the training source; never the evaluation source.
    Random random(seed ^ 0x7261696eU, Random::kEvaluation);
    drawn_.resize(kJudged);
    for (int i = 0; i < kJudged; ++i)
        problem.training.generate(random, drawn_[static_cast<std::size_t>(i)]);
    instances_ = &drawn_;
}

Alternative ProgramScorer::judge(const Program& program) const {
    const std::string text = to_text(program);
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = known_.find(text); found != known_.end())
            return found->second;
    }
    Alternative judged = judged_afresh(program);
    const std::lock_guard lock(mutex_);
    if (known_.size() >= kMaxKnown)
        known_.clear();
    known_.emplace(text, judged);
    return judged;
}

Alternative ProgramScorer::judged_afresh(const Program& program) const {
    Alternative result;
    result.training = evaluation::score_of(program, problem_.inputs(), *instances_);
    const Score together = evaluation::score_of(program, problem_.inputs(), pairs_);
    result.fits = evaluation::errors(result.training) == 0 && evaluation::errors(together) == 0;
    result.bits = program_bits(program, static_cast<int>(problem_.inputs().size())) +
                  error_bits(result.training);
    // what is right of the parts and wrong of the whole
    if (evaluation::errors(result.training) == 0)
        result.bits += error_bits(together);
    if (!vetoes_.allow(program)) {
        result.fits = false;
        result.bits += kVetoBits;
    }
    result.program = program;
    return result;
}

double ProgramScorer::baseline_bits() const {
    Score score;
    for (const Instance& instance : *instances_) {
        score.positives += instance.count(Label::positive);
        score.negatives += instance.count(Label::negative);
    }
    score.false_negatives = score.positives;
    return error_bits(score);
}

bool is_better(const Alternative& a, const Alternative& b) {
    if (a.bits != b.bits)
        return a.bits < b.bits;
    if (is_recursive(a.program) != is_recursive(b.program))
        return is_recursive(a.program);
    const auto is_safe = [](const Program& program) {
        return std::all_of(program.rules.begin(), program.rules.end(), [&](const Rule& rule) {
            return logic::is_range_restricted(rule, program.vocabulary);
        });
    };
    if (is_safe(a.program) != is_safe(b.program))
        return is_safe(a.program);
    return to_text(a.program) < to_text(b.program);
}

std::vector<Alternative> different_ones(std::vector<Alternative> alternatives,
                                        const Problem& problem, const ProgramScorer& judge,
                                        std::uint64_t seed) {
    std::sort(alternatives.begin(), alternatives.end(), is_better);
    Random random(seed, Random::kEvaluation);
    std::vector<Instance> probes = evaluation::random_instances(problem.schema, {}, random);
    const std::vector<Instance>& shared = judge.instances();
    const auto most = static_cast<std::ptrdiff_t>(shared.size());
    probes.insert(probes.end(), shared.begin(),
                  shared.begin() + std::min<std::ptrdiff_t>(most, kMaxShared));
    std::vector<Alternative> kept;
    std::set<std::string> met;
    for (Alternative& alternative : alternatives)
        if (met.insert(evaluation::fingerprint(alternative.program, probes)).second)
            kept.push_back(std::move(alternative));
    return kept;
}

}  // namespace learning

std::vector<Question> questions(const Problem& problem, const std::vector<Alternative>& programs,
                                int count) {
    std::vector<Question> found;
    std::vector<evaluation::CompiledProgram> compiled;
    for (const Alternative& alternative : programs)
        if (alternative.fits)
            compiled.emplace_back(alternative.program, problem.inputs());
    Truth truth;
    for (std::size_t i = 0; i < problem.training.instances.size(); ++i) {
        const Instance& instance = problem.training.instances[i];
        std::vector<int> yes(instance.labels.size(), 0);
        for (evaluation::CompiledProgram& program : compiled) {
            program.evaluate(instance, kToFixpoint, truth);
            for (std::size_t a = 0; a < yes.size(); ++a)
                yes[a] += truth[a] != 0 ? 1 : 0;
        }
        for (std::size_t a = 0; a < yes.size(); ++a)
            if (const int no = static_cast<int>(compiled.size()) - yes[a];
                instance.labels[a] == Label::unlabelled && yes[a] > 0 && no > 0)
                found.push_back({static_cast<int>(i), static_cast<int>(a), yes[a], no});
    }
    std::stable_sort(found.begin(), found.end(), [](const Question& a, const Question& b) {
        return std::max(a.says_yes, a.says_no) < std::max(b.says_yes, b.says_no);
    });
    if (static_cast<int>(found.size()) > count)
        found.resize(static_cast<std::size_t>(count));
    return found;
}

}  // namespace hri
