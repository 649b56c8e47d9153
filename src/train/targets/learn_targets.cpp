// SPDX-License-Identifier: Apache-2.0
// Rounds over all targets, split over ranks and threads.

#include "base/mpi.hpp"
#include "soft/cuda/cuda_images.hpp"
#include "train/targets/batch_rounds.hpp"
#include "train/targets/contests.hpp"
#include "train/targets/image_objective.hpp"
#include "train/targets/image_sampler.hpp"
#include "train/targets/training.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <fmt/format.h>
#include <mutex>
#include <optional>
#include <thread>

namespace hri {

namespace {

using Clock = std::chrono::steady_clock;

void check(const SceneSet& scenes, const Options& options, const MultitaskSettings& settings) {
    validate(options);
    if (options.dimension < 3)
        throw Error("dimension: background embeddings need one that all targets share", {},
                    "give 3 or more");
    if (options.negation || options.equality || options.nullary)
        throw Error("many targets are learned without negation, equality and nullary");
    if (settings.targets.empty())
        throw Error("there is no target to learn", {}, "name some");
    for (const std::uint32_t target : settings.targets)
        if (target >= scenes.unary())
            throw Error(fmt::format("there is no unary predicate {}", target));
    if (settings.prior &&
        settings.prior->rows.size() !=
            scenes.predicates().size() * static_cast<std::size_t>(options.dimension))
        throw Error("the prior is of other predicates, or of another dimension");
    require(settings.device);
    if (settings.device == Device::cuda &&
        (!settings.shared || settings.update == Update::sequential))
        throw Error("device: a GPU trains targets that share embeddings, once per round", {},
                    "use {update=summed} and {shared}, or {device=cpu}");
}

/// The rounds of one run.
class Rounds {
  public:
    Rounds(const SceneSet& scenes, const Options& options, const MultitaskSettings& settings)
        : scenes_(scenes),
          options_(options),
          settings_(settings),
          ranks_(settings.split ? base::Communicator::all() : base::Communicator::alone()),
          protocol_(settings.checkpoint.empty() ? std::string()
                                                : training::protocol_of(scenes, options, settings)),
          protorules_(make_protorules(options)),
          draws_(scenes, settings.targets, settings),
          contests_(scenes, settings.targets, settings),
          training_(scenes, options, settings) {
        if (settings.shared && settings.update == Update::sequential && ranks_.size() > 1)
            throw Error("update: sequential updates run on one rank only", {},
                        "use {update=summed}, or run it without mpirun");
        if (settings.device == Device::cuda && ranks_.size() > 1)
            throw Error("device: a GPU is used by one process", {}, "run it without mpirun");
        const std::size_t targets = settings.targets.size();
        const auto rank = static_cast<std::size_t>(ranks_.rank());
        const auto size = static_cast<std::size_t>(ranks_.size());
        first_ = targets * rank / size;
        last_ = targets * (rank + 1) / size;
        background_size_ = training_.learned.background.size();
        gradients_.resize(targets);
        first_joint_ = contests_.any()
                           ? settings.rounds - static_cast<int>(settings.joint * settings.rounds)
                           : settings.rounds;
        for (std::size_t t = 0; t < targets; ++t) {
            TargetParameters& target = training_.learned.targets[t];
            if (!target.calibration.empty())
                target.calibration[0] = contests_.log_frequency(t);
            target.images = draws_.images(t);
            if (t >= first_ && t < last_)
                gradients_[t].resize(background_size_);
        }
        const bool in_turn = settings.shared && settings.update == Update::sequential;
        const int threads =
            in_turn ? 1 : std::clamp(settings.threads, 1, static_cast<int>(targets));
        for (int i = 0; i < threads; ++i)
            objectives_.push_back(std::make_unique<training::ImageObjective>(
                options, protorules_, options.dimension, scenes.predicates().size()));
        picked_.resize(static_cast<std::size_t>(threads));
        exchanged_.resize(background_size_ + kSignals);
    }

    MultitaskResult run() {
        const auto started = Clock::now();
        MultitaskResult result;
        ranks_.watch(settings_.interrupt, settings_.checkpoint.empty()
                                              ? ""
                                              : fmt::format("go on from the checkpoint {}",
                                                            settings_.checkpoint.string()));
        resume();
        const int first_round = training_.round;
        open_device();
        while (training_.round < settings_.rounds) {
            const int last = device_ ? end_of_batch() : training_.round + 1;
            const int checkpoint = training_.round / settings_.checkpoint_every;
            train_rounds(last);
            const bool time_up = settings_.time_limit > 0 &&
                                 std::chrono::duration<double>(Clock::now() - started).count() >
                                     settings_.time_limit;
            const float* signals = exchange(time_up);
            training_.round = last;
            if (settings_.progress && ranks_.is_first())
                settings_.progress({training_.round, settings_.rounds,
                                    static_cast<double>(signals[2]) /
                                        static_cast<double>(settings_.targets.size())});
            if (signals[0] > 0 || signals[1] > 0) {
                result.stop_reason =
                    signals[0] > 0 ? StopReason::interrupted : StopReason::time_limit;
                break;
            }
            if (!settings_.checkpoint.empty() && training_.round < settings_.rounds &&
                training_.round / settings_.checkpoint_every > checkpoint)
                save();
        }
        save();
        long trained = 0;
        for (std::size_t t = 0; t < settings_.targets.size(); ++t)
            trained += draws_.images(t) > 0 ? settings_.positives + settings_.randoms : 0;
        result.instances = trained * (training_.round - first_round);
        result.rounds = training_.round;
        result.seconds = std::chrono::duration<double>(Clock::now() - started).count();
        result.learned = std::move(training_.learned);
        return result;
    }

  private:
    // Values that ranks exchange beside gradients: interrupted, time is up, the sum of losses.
    static constexpr std::size_t kSignals = 3;

    void resume() {
        if (!settings_.resume || !std::filesystem::exists(settings_.checkpoint))
            return;
        training::load_checkpoint(settings_.checkpoint, training_, protocol_);
        const long alone = std::min(training_.round, first_joint_);  // rounds
        const long joint = training_.round - alone;
        const long images = settings_.positives + settings_.randoms;
        long steps = 0;  // of the shared embeddings in a round
        for (std::size_t t = 0; t < settings_.targets.size(); ++t) {
            training::TargetAdam& adam = training_.target_adam[t];
            const long mine = draws_.images(t) == 0 ? 0 : images;
            adam.auxiliaries.set_steps(mine * alone + joint);
            adam.slots.set_steps(mine * alone + joint);
            adam.background.set_steps((in_sequence() ? mine * alone : alone) + joint);
            adam.calibration.set_steps(joint);
            steps += mine;
        }
        training_.background_adam.set_steps((in_sequence() ? steps * alone : alone) + joint);
    }

    bool in_sequence() const { return settings_.update == Update::sequential; }

    void open_device() {
        if (settings_.device != Device::cuda)
            return;
        const soft::ImageSetup setup =
            soft::make_image_setup(scenes_, protorules_, options_, settings_.targets,
                                   settings_.max_objects, settings_.joint > 0);
        device_.emplace(setup, training::RoundJobs(options_, settings_, draws_, contests_,
                                                   training_, first_joint_));
    }

    /// The rounds of a GPU go on without the host, up to here.
    int end_of_batch() const {
        constexpr int kAtOnce = 32;
        const int first = training_.round;
        const int stop = first < first_joint_ ? first_joint_ : settings_.rounds;
        return std::min(first / kAtOnce * kAtOnce + kAtOnce, stop);
    }

    /// The rounds before `last`: of a GPU some, else one.
    void train_rounds(int last) {
        const bool alone = training_.round < first_joint_;
        if (training_.round == first_joint_)
            for (TargetParameters& target : training_.learned.targets)
                target.loss = contests_.first_loss();
        if (device_) {
            if (alone)
                device_->train_alone(training_.round, last);
            for (int round = training_.round; !alone && round < last; ++round)
                device_->train_jointly(round);
            device_->store(alone);
            return;
        }
        weather_ = training::noise_levels(options_, training_.round, settings_.rounds);
        if (alone)
            over_targets([&](std::size_t t, std::size_t thread) { train_target(t, thread); });
        else
            train_jointly();
    }

    /// This rank's targets, each by one thread: use(target, thread).
    template <class Use>
    void over_targets(const Use& use) {
        std::atomic<std::size_t> next{first_};
        std::exception_ptr failure;
        std::mutex mutex;
        const auto work = [&](std::size_t thread) {
            try {
                for (std::size_t t = next++; t < last_; t = next++)
                    use(t, thread);
            } catch (...) {
                const std::lock_guard lock(mutex);
                failure = std::current_exception();
            }
        };
        {
            std::vector<std::jthread> workers;
            for (std::size_t i = 1; i < objectives_.size(); ++i)
                workers.emplace_back(work, i);
            work(0);
        }
        if (failure)
            std::rethrow_exception(failure);
    }

    void train_target(std::size_t t, std::size_t thread) {
        training::ImageObjective& objective = *objectives_[thread];
        std::vector<std::uint32_t>& images = picked_[thread];
        TargetParameters& target = training_.learned.targets[t];
        training::TargetAdam& adam = training_.target_adam[t];
        float* background =
            settings_.shared ? training_.learned.background.data() : target.background.data();
        std::vector<float>& gradient = gradients_[t];
        std::fill(gradient.begin(), gradient.end(), 0.0F);

        const auto round = static_cast<std::uint64_t>(training_.round);
        draws_.pick(images, t, training_.round);
        for (std::size_t j = 0; j < images.size(); ++j) {
            const float loss =
                objective.loss(scenes_[images[j]], target.target,
                               {background, target.auxiliaries.data(), target.slots.data()},
                               weather_, training::seed_of(settings_.seed, t, round) + j);
            objective.gradient();
            const bool is_first = training_.round == 0 && j == 0;
            target.loss = is_first ? loss : 0.98F * target.loss + 0.02F * loss;
            adam.slots.step(target.slots.data(), objective.d_slots());
            if (!options_.train_predicates)
                continue;
            adam.auxiliaries.step(target.auxiliaries.data(), objective.d_auxiliaries());
            objective.add_background_gradient(gradient.data());
            if (in_sequence()) {
                (settings_.shared ? training_.background_adam : adam.background)
                    .step(background, gradient.data());
                std::fill(gradient.begin(), gradient.end(), 0.0F);
            }
        }
        if (!settings_.shared && !in_sequence() && options_.train_predicates)
            adam.background.step(background, gradient.data());
    }

    /// A round in which the targets compete: their valuations of some objects, the slopes of the
    /// softmax over targets, and one step of each target against them.
    void train_jointly() {
        contests_.pick(training_.round, training_.learned.targets);
        std::vector<float> mine(contests_.values().size(), 0.0F);
        const std::size_t columns = mine.size() / settings_.targets.size();
        over_targets([&](std::size_t t, std::size_t thread) {
            for (const training::Contest& contest : contests_.contests()) {
                value(t, thread, contest);
                const std::vector<float>& values = objectives_[thread]->target();
                float* to = mine.data() + t * columns + contest.start;
                for (const std::uint32_t object : contest.objects)
                    *to++ = values[object];
            }
        });
        std::vector<float>& all = contests_.values();
        ranks_.sum_in_turn(all, [&] {
            for (std::size_t i = 0; i < all.size(); ++i)
                all[i] += mine[i];
        });
        contests_.compete(training_.learned.targets);
        for (std::size_t t = 0; t < settings_.targets.size(); ++t)  // on every rank
            training_.target_adam[t].calibration.step(
                training_.learned.targets[t].calibration.data(), contests_.calibration_slopes(t));
        over_targets([&](std::size_t t, std::size_t thread) { step_against_slopes(t, thread); });
    }

    /// The valuations of the objects of one contest by one target, with the noise of the round.
    void value(std::size_t t, std::size_t thread, const training::Contest& contest) {
        const TargetParameters& target = training_.learned.targets[t];
        const std::vector<float>& background =
            settings_.shared ? training_.learned.background : target.background;
        const auto round = static_cast<std::uint64_t>(training_.round);
        objectives_[thread]->loss(
            scenes_[contest.image], target.target,
            {background.data(), target.auxiliaries.data(), target.slots.data()}, weather_,
            training::seed_of(settings_.seed, t, round) + contest.start,
            settings_.targets[contest.target]);
    }

    void step_against_slopes(std::size_t t, std::size_t thread) {
        training::ImageObjective& objective = *objectives_[thread];
        TargetParameters& target = training_.learned.targets[t];
        training::TargetAdam& adam = training_.target_adam[t];
        std::vector<float>& gradient = gradients_[t];
        std::fill(gradient.begin(), gradient.end(), 0.0F);
        std::vector<float> d_slots(target.slots.size(), 0.0F);
        std::vector<float> d_auxiliaries(target.auxiliaries.size(), 0.0F);
        std::vector<float> d_target;
        for (const training::Contest& contest : contests_.contests()) {
            if (!contests_.matters(t, contest))
                continue;
            value(t, thread, contest);
            d_target.assign(objective.target().size(), 0.0F);
            for (std::size_t i = 0; i < contest.objects.size(); ++i)
                d_target[contest.objects[i]] = contests_.slopes_of(t)[contest.start + i];
            objective.gradient(d_target.data());
            for (std::size_t i = 0; i < d_slots.size(); ++i)
                d_slots[i] += objective.d_slots()[i];
            for (std::size_t i = 0; i < d_auxiliaries.size(); ++i)
                d_auxiliaries[i] += objective.d_auxiliaries()[i];
            objective.add_background_gradient(gradient.data());
        }
        adam.slots.step(target.slots.data(), d_slots.data());
        if (!options_.train_predicates)
            return;
        adam.auxiliaries.step(target.auxiliaries.data(), d_auxiliaries.data());
        if (!settings_.shared)
            adam.background.step(target.background.data(), gradient.data());
    }

    /// Gradients summed in the order of targets, and one step against them; the summed signals.
    const float* exchange(bool time_up) {
        const bool step = !device_ && settings_.shared && options_.train_predicates &&
                          (!in_sequence() || training_.round >= first_joint_);
        float* const begin = exchanged_.data() + (step ? 0 : background_size_);
        float* const signals = exchanged_.data() + background_size_;
        std::fill(exchanged_.begin(), exchanged_.end(), 0.0F);
        ranks_.sum_in_turn({begin, exchanged_.data() + exchanged_.size()}, [&] {
            for (std::size_t t = first_; t < last_; ++t) {
                const float* gradient = gradients_[t].data();
                for (std::size_t i = 0; step && i < background_size_; ++i)
                    exchanged_[i] += gradient[i];
                signals[2] += training_.learned.targets[t].loss;
            }
            signals[0] +=
                settings_.interrupt != nullptr && settings_.interrupt->load() ? 1.0F : 0.0F;
            signals[1] += time_up ? 1.0F : 0.0F;
        });
        if (step)
            training_.background_adam.step(training_.learned.background.data(), exchanged_.data());
        return signals;
    }

    /// Brings all targets to the first rank, which writes the checkpoint.
    void save() {
        std::string mine;
        const auto each = [&](std::size_t first, std::size_t last, const auto& use) {
            for (std::size_t t = first; t < last; ++t) {
                for (const training::Training::Field& field : training_.fields(t))
                    use(field.values->data(), field.values->size() * sizeof(float));
                use(&training_.learned.targets[t].loss, sizeof(float));
            }
        };
        if (!ranks_.is_first())
            each(first_, last_, [&](const void* data, std::size_t bytes) {
                mine.append(static_cast<const char*>(data), bytes);
            });
        const std::vector<std::string> all = ranks_.gather(mine);
        std::size_t first = last_;
        for (std::size_t rank = 1; rank < all.size(); ++rank) {
            const std::size_t last =
                settings_.targets.size() * (rank + 1) / static_cast<std::size_t>(ranks_.size());
            std::string_view from = all[rank];
            each(first, last, [&](void* data, std::size_t bytes) {
                if (from.size() < bytes)
                    throw Error("a rank sent fewer bytes than its targets have", {},
                                "run the same hri on all machines");
                std::copy_n(from.data(), bytes, static_cast<char*>(data));  // data: null if empty
                from.remove_prefix(bytes);
            });
            first = last;
        }
        if (!ranks_.is_first() || settings_.checkpoint.empty())
            return;
        try {
            training::save_checkpoint(settings_.checkpoint, training_, protocol_);
        } catch (const Error& error) {
            if (!settings_.checkpoint_failed)
                throw;
            settings_.checkpoint_failed(error);
        }
    }

    const SceneSet& scenes_;
    const Options& options_;
    const MultitaskSettings& settings_;
    base::Communicator& ranks_;
    std::string protocol_;
    ProtoRules protorules_;
    training::ImageSampler draws_;
    training::Contests contests_;
    int first_joint_ = 0;  // the first round in which targets compete
    training::Training training_;
    std::optional<training::BatchRounds<soft::CudaImages>> device_;
    std::size_t first_ = 0;  // this rank's targets
    std::size_t last_ = 0;
    std::size_t background_size_ = 0;
    training::NoiseLevels weather_;
    std::vector<std::vector<float>> gradients_;  // [target]: (predicates, dimension)
    std::vector<std::unique_ptr<training::ImageObjective>> objectives_;  // [thread]
    std::vector<std::vector<std::uint32_t>> picked_;                     // [thread]
    std::vector<float> exchanged_;
};

}  // namespace

MultitaskResult learn_targets(const SceneSet& scenes, const Options& options,
                              const MultitaskSettings& settings) {
    MultitaskSettings complete = settings;
    if (complete.targets.empty())
        complete.targets.assign(scenes.targets().begin(), scenes.targets().end());
    check(scenes, options, complete);
    return Rounds(scenes, options, complete).run();
}

}  // namespace hri
