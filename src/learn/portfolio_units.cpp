// SPDX-License-Identifier: Apache-2.0
#include "learn/portfolio_units.hpp"

#include "search/matches_search.hpp"

#include <algorithm>
#include <utility>

namespace hri::learning {

namespace {

// Chosen on the development tasks (docs/results/).
constexpr std::int64_t kFirstTrials =
    20'000;                         // of a search in round 0; they double with each round
constexpr int kTrialDoublings = 2;  // at most
constexpr std::int64_t kShrinkTrials = 5'000;
constexpr int kMaxInputsForAll = 12;  // more: some searches look at some of them only
constexpr int kSideBySide = 64;       // runs of one training on a GPU
constexpr int kCheckEvery = 100;      // iterations between looks at the argmax program of a run

}  // namespace

bool is_preferred(const Alternative& a, const Alternative& b) {
    if (a.fits != b.fits)
        return a.fits;
    return is_better(a, b);
}

UnitRunner::UnitRunner(UnitContext context) : context_(std::move(context)) {
    if (has_many_inputs())
        relevant_ = search::relevant_inputs(context_.problem, context_.judge.instances());
}

bool UnitRunner::has_many_inputs() const {
    return static_cast<int>(context_.problem.inputs().size()) > kMaxInputsForAll;
}

Outcome UnitRunner::run(const Unit& unit, const Matches& start, int threads) const {
    switch (unit.kind) {
        case Unit::Kind::search:
            return unit.among_few ? search_among_few(unit)
                                  : search(unit, trials_of(unit), nullptr, nullptr);
        case Unit::Kind::train:
        case Unit::Kind::retrain:
            return train(unit, start, threads);
    }
    return {};
}

Options UnitRunner::training_options(const Unit& unit) const {
    Options options = level_of(unit).options;
    options.iterations = unit.iterations;
    options.annealing_cycles = 1;
    options.train_steps = std::min(options.train_steps + 2 * unit.round, 12);
    return options;
}

std::int64_t UnitRunner::trials_of(const Unit& unit) const {
    return level_of(unit).weight * (kFirstTrials << std::min(unit.round, kTrialDoublings));
}

/// Short searches, each among a few of the inputs: a program needs few, and among few the right
/// ones are soon matched.
Outcome UnitRunner::search_among_few(const Unit& unit) const {
    const HierarchySize& level = level_of(unit);
    Random random(unit.seed, Random::kStart);
    Outcome all;
    Unit part = unit;
    for (std::int64_t left = trials_of(unit); left > 0 && !context_.should_stop();
         left -= kFirstTrials) {
        const search::Proposals few =
            search::proposals_among_few(level.space.hierarchy(), relevant_, random);
        part.seed = random.next();
        Outcome one = search(part, kFirstTrials, nullptr, &few);
        all.trials += one.trials;
        all.found.insert(all.found.end(), one.found.begin(), one.found.end());
    }
    if (all.found.empty())
        return search(unit, 1, nullptr, nullptr);
    return all;
}

Outcome UnitRunner::search(const Unit& unit, std::int64_t trials, const Matches* start,
                           const search::Proposals* proposals) const {
    const HierarchySize& level = level_of(unit);
    search::SearchSettings settings;
    settings.seed = unit.seed;
    settings.trials = trials;
    settings.shrink = kShrinkTrials;
    settings.start = start;
    settings.tolerant = unit.tolerant;
    settings.proposals = proposals;
    settings.stop = context_.should_stop;
    if (!context_.judge.vetoes().empty())
        settings.is_allowed = [&](const Matches& matches) {
            return context_.judge.vetoes().allow(judged(unit.level, matches).judged.program);
        };
    const search::SearchResult result =
        search::search_program(level.space, context_.problem.training, settings);
    Outcome outcome;
    outcome.trials = result.trials;
    outcome.found.push_back(judged(unit.level, result.matches));
    for (const Matches& other : result.others)
        outcome.found.push_back(judged(unit.level, other));
    return outcome;
}

/// The models that a unit trains: on a GPU many, with seeds of their own.
std::vector<Model> UnitRunner::starts_of(const Unit& unit, const Matches& start) const {
    std::vector<Model> starts;
    for (int i = 0; i < (context_.settings.device == Device::cpu ? 1 : kSideBySide); ++i) {
        starts.push_back(make_model(context_.problem.inputs(), context_.problem.target(),
                                    training_options(unit), restart_seed(unit.seed, i)));
        if (unit.kind == Unit::Kind::retrain)
            set_matches(starts.back(), start);
    }
    return starts;
}

/// Trains, then searches from what the best network proposes.
Outcome UnitRunner::train(const Unit& unit, const Matches& start, int threads) const {
    TrainSettings settings;
    settings.device = context_.settings.device;
    settings.threads = threads;
    settings.check_every = kCheckEvery;
    settings.is_done = [&](const Model& model) {
        if (context_.settings.watch)
            context_.settings.watch(model);
        return context_.should_stop() || judged(unit.level, best_matches(model)).judged.fits;
    };
    if (context_.settings.progress)
        settings.progress = [&](const Progress& progress) { context_.report_loss(progress.loss); };
    std::vector<Model> starts = starts_of(unit, start);
    std::vector<std::uint64_t> seeds;
    for (std::size_t i = 0; i < starts.size(); ++i)
        seeds.push_back(restart_seed(unit.seed, static_cast<int>(i)));
    const std::vector<TrainResult> runs =
        train_many_from(std::move(starts), context_.problem, seeds, settings);
    std::vector<Found> found;
    std::size_t best = 0;
    for (const TrainResult& run : runs) {
        found.push_back(judged(unit.level, best_matches(run.model)));
        if (is_preferred(found.back().judged, found[best].judged))
            best = found.size() - 1;
    }
    Outcome outcome;
    if (!found[best].judged.fits && !context_.should_stop()) {
        const search::Proposals proposals = search::proposals_of(runs[best].model);
        outcome = search(unit, trials_of(unit), &found[best].matches, &proposals);
    }
    outcome.iterations = runs[best].iterations;
    outcome.found.insert(outcome.found.end(), found.begin(), found.end());
    return outcome;
}

Found UnitRunner::judged(int level, const Matches& matches) const {
    const hypotheses::ProgramSpace& space = context_.levels[static_cast<std::size_t>(level)].space;
    return {level, matches, connected(extract(space.skeleton, matches))};
}

Alternative UnitRunner::connected(const Program& program) const {
    return context_.judge.judge(context_.connector.connected(simplified(program)));
}

}  // namespace hri::learning
