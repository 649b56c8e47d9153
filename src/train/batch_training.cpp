// SPDX-License-Identifier: Apache-2.0
#include "train/batch_training.hpp"

#include "train/annealing.hpp"
#include "train/curve.hpp"
#include "train/noise.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <utility>

namespace hri::training {

namespace {

constexpr int kMaxIterations = 32;                  // of a round
constexpr std::size_t kRoundBytes = 256'000'000;    // of its instances
constexpr std::size_t kFixedBytes = 2'000'000'000;  // of a list that is kept

std::size_t bytes_of(const Instance& instance, std::size_t inputs) {
    return 4 * (inputs + 2) * static_cast<std::size_t>(instance.constants) *
           static_cast<std::size_t>(instance.constants);
}

}  // namespace

BatchTraining::BatchTraining(std::vector<Model> starts, const Problem& problem,
                             const std::vector<std::uint64_t>& seeds, const TrainSettings& settings)
    : problem_(problem), settings_(settings), crew_(settings.threads) {
    for (std::size_t m = 0; m < starts.size(); ++m) {
        Run run;
        run.seed = seeds[m];
        run.data = Random(seeds[m], Random::kData);
        run.check = Random(seeds[m], Random::kCheck);
        run.result.model = std::move(starts[m]);
        runs_.push_back(std::move(run));
        active_.push_back(static_cast<int>(m));
    }
    const Model& model = runs_.front().result.model;
    columns_ = soft::columns_of(problem.inputs(), model.inputs);
    constants_ = constants_of(model.protorules);
    if (last_iteration() == 0)
        active_.clear();
    draw(0);
}

double BatchTraining::seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

int BatchTraining::last_iteration() const {
    return static_cast<int>(
        std::min<std::int64_t>(std::int64_t{options().iterations} * options().annealing_cycles,
                               std::numeric_limits<int>::max()));
}

/// Up to the next look at the models.
std::size_t BatchTraining::round_length(int first) const {
    int end = std::min(last_iteration(), first + kMaxIterations);
    for (const int every : {options().iterations, settings_.check_every, settings_.log_every})
        if (every > 0)
            end = std::min(end, first / every * every + every);
    if (settings_.log_every > 0 && first % settings_.log_every == 0)
        end = std::min(end, first + 1);
    const auto length = static_cast<std::size_t>(std::max(end - first, 0));
    if (problem_.training.fixed())
        return length;
    const std::size_t bytes = std::max<std::size_t>(
        1, active_.size() * (runs_.front().scratch.constants == 0
                                 ? std::size_t{10'000}
                                 : bytes_of(runs_.front().scratch, columns_.size())));
    return std::min(length, std::max<std::size_t>(1, kRoundBytes / bytes));
}

soft::DenseIteration BatchTraining::iteration_at(int whole) const {
    const Options& o = options();
    const int i = whole % o.iterations;
    soft::DenseIteration now;
    now.to_unit_length = i == 0 && whole > 0 && o.similarity == Similarity::cosine;
    now.temperature = temperature_at(o, i, o.iterations);
    now.predicate_noise =
        o.train_predicates ? gaussian_scale(o.predicate_noise, o.predicate_noise_halving, i) : 0.0;
    now.slot_noise = gaussian_scale(o.slot_noise, o.slot_noise_half_life, i);
    now.gumbel = gumbel_scale(o.gumbel, i, o.iterations);
    const double power1 = std::pow(0.9, whole + 1);
    const double power2 = std::pow(0.999, whole + 1);
    now.predicate_rate = o.learning_rate / (1 - power1);
    now.slot_rate = o.learning_rate_rules / (1 - power1);
    now.correction = 1 / std::sqrt(1 - power2);
    now.number = whole;
    return now;
}

/// work(run) of all that go on, by the threads.
void BatchTraining::each_active(const std::function<void(Run&)>& work) {
    std::mutex mutex;
    std::exception_ptr failure;
    crew_.each(static_cast<int>(active_.size()), [&](int i) {
        try {
            work(run_of(active_[static_cast<std::size_t>(i)]));
        } catch (...) {
            const std::lock_guard lock(mutex);
            failure = std::current_exception();
        }
    });
    if (failure)
        std::rethrow_exception(failure);
}

void BatchTraining::draw_for(Run& run, int first, std::size_t count) {
    const Model& model = run.result.model;
    run.drawn.clear();
    for (std::size_t k = 0; k < count; ++k) {
        const Instance& instance =
            problem_.training.draw(first + static_cast<int>(k), run.data, run.scratch);
        soft::make_dense(run.dense, instance, columns_, model.inputs, model.target.arity,
                         constants_);
        run.drawn.add(run.dense);
    }
}

/// The instances of the iterations from `first` on. A fixed list is the same for all models, and is
/// packed once if it is not too long.
void BatchTraining::draw(int first) {
    drawn_ = {};
    drawn_.iterations = round_length(first);
    if (drawn_.iterations == 0 || active_.empty())
        return;
    const Source& source = problem_.training;
    drawn_.first.assign(runs_.size(), 0);
    if (source.fixed()) {
        std::size_t bytes = 0;
        for (const Instance& instance : source.instances)
            bytes += bytes_of(instance, columns_.size());
        Run& run = runs_.front();
        drawn_.is_list = bytes <= kFixedBytes;
        drawn_.are_kept = drawn_.is_list && first > 0;
        if (drawn_.are_kept)
            return;
        draw_for(run, drawn_.is_list ? 0 : first,
                 drawn_.is_list ? source.instances.size() : drawn_.iterations);
        drawn_.packed = std::move(run.drawn);
        run.drawn.clear();
        return;
    }
    each_active([&](Run& run) { draw_for(run, first, drawn_.iterations); });
    for (const int m : active_)
        drawn_.first[static_cast<std::size_t>(m)] = drawn_.packed.append(run_of(m).drawn);
}

soft::BatchRound BatchTraining::next_round() const {
    const Source& source = problem_.training;
    soft::BatchRound round;
    round.models = active_;
    round.instances = drawn_.are_kept ? nullptr : &drawn_.packed;
    for (std::size_t k = 0; k < drawn_.iterations; ++k)
        round.iterations.push_back(iteration_at(iteration_ + static_cast<int>(k)));
    for (const int m : active_)
        for (std::size_t k = 0; k < drawn_.iterations; ++k)
            round.instance.push_back(
                drawn_.is_list ? static_cast<int>((static_cast<std::size_t>(iteration_) + k) %
                                                  source.instances.size())
                               : drawn_.first[static_cast<std::size_t>(m)] + static_cast<int>(k));
    return round;
}

void BatchTraining::take(const std::vector<soft::BatchOutcome>& outcomes, std::size_t count) {
    for (std::size_t i = 0; i < active_.size(); ++i) {
        Run& run = run_of(active_[i]);
        for (std::size_t k = 0; k < count; ++k)
            run.mean.add(static_cast<double>(outcomes[i * count + k].loss));
        run.result.last_instance_mse = static_cast<double>(outcomes[i * count + count - 1].error);
        run.result.iterations = iteration_;
    }
}

/// Whether the models of iterations from `first` to before `end` are asked for.
bool BatchTraining::must_look(int first, int end) const {
    return (settings_.check_every > 0 && end % settings_.check_every == 0) ||
           (settings_.log_every > 0 &&
            (first % settings_.log_every == 0 || end == last_iteration())) ||
           (options().annealing_cycles > 1 && end % options().iterations == 0);
}

void BatchTraining::stop(Run& run, StopReason reason) {
    run.result.stop_reason = reason;
    run.is_over = true;
}

/// After a round that began at `first`: reasons to stop, the curve, progress.
void BatchTraining::look(int first) {
    const bool is_last = iteration_ >= last_iteration();
    if (settings_.log_every > 0 && (first % settings_.log_every == 0 || is_last))
        each_active([&](Run& run) {
            const Instance& instance =
                problem_.training.fixed() ? problem_.training.instances.front() : run.scratch;
            CurvePoint point =
                curve_point(run.result.model, unification(run.result.model), instance);
            point.iteration = iteration_ - 1;
            point.loss = run.mean.mean();
            run.result.curve.push_back(std::move(point));
        });
    if (settings_.check_every > 0 && iteration_ % settings_.check_every == 0 && settings_.is_done)
        for (const int m : active_)
            if (settings_.is_done(run_of(m).result.model))
                stop(run_of(m), StopReason::fits);
    if (options().annealing_cycles > 1 && iteration_ % options().iterations == 0)
        each_active([&](Run& run) {
            if (!run.is_over && succeeds_on_fresh(run.result.model, problem_, run.check))
                stop(run, StopReason::fits);
        });
    const bool is_interrupted = settings_.interrupt != nullptr && settings_.interrupt->load();
    const bool is_late = settings_.time_limit > 0 && seconds() > settings_.time_limit;
    double loss = 0;
    for (const int m : active_) {
        Run& run = run_of(m);
        loss += run.mean.mean() / static_cast<double>(active_.size());
        if (!run.is_over && !is_last && (is_interrupted || is_late))
            stop(run, is_interrupted ? StopReason::interrupted : StopReason::time_limit);
        if (is_last)
            run.is_over = true;
    }
    if (settings_.progress)
        settings_.progress({iteration_, last_iteration(), loss});
    std::erase_if(active_, [&](int m) { return run_of(m).is_over; });
}

}  // namespace hri::training
