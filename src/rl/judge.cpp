// SPDX-License-Identifier: Apache-2.0
#include "rl/judge.hpp"

#include <algorithm>

namespace hri::rl {
namespace {

constexpr double kLostReward = -1.0;  // less than what an episode gives in which the time runs out
constexpr double kMaxReward = 1.0;
constexpr int kDrawnStarts = 100;       // until one is no test start
constexpr std::size_t kRepeats = 10;    // of the training start, where chance has a part
constexpr std::uint64_t kChoices = 13;  // streams of random numbers
constexpr std::uint64_t kWalks = 14;

}  // namespace

Starts::Starts(const RlTask& task, const RlSettings& settings)
    : task_(task),
      size_(settings.size),
      failure_(settings.failure),
      training_(make_environment(task, "train", settings.size, settings.failure)) {
    for (const std::string& test : task.tests) {
        tests_.insert(sorted_key(make_environment(task, test)->facts()));
    }
}

StateKey Starts::sorted_key(const Instance& facts) {
    StateKey key = key_of(facts);
    for (std::vector<Fact>& of_predicate : key.facts) {
        std::sort(of_predicate.begin(), of_predicate.end());
    }
    return key;
}

std::unique_ptr<Environment> Starts::anywhere(int size) const {
    return make_environment(task_, "random", size == 0 ? size_ : size, failure_);
}

bool Starts::begin_anywhere(Environment& random, Random& numbers) const {
    for (int drawn = 0; drawn < kDrawnStarts; ++drawn) {
        random.reset(numbers);
        if (!is_test(random.facts())) {
            return true;
        }
    }
    return false;
}

Judge::Judge(const Starts& starts, const RlSettings& settings, std::uint64_t seed)
    : anywhere_(starts.anywhere()) {
    training_plays_ = starts.training().deterministic() ? 1 : kRepeats;
    Random seeds(seed, Random::kEvaluation);
    while (plays_.size() < training_plays_) {
        plays_.push_back({&starts.training(), seeds.next()});
    }
    for (int tried = 0;
         tried < kDrawnStarts * settings.judged_starts &&
         plays_.size() < training_plays_ + static_cast<std::size_t>(settings.judged_starts);
         ++tried) {
        const std::uint64_t own = seeds.next();
        Random numbers(own);
        anywhere_->reset(numbers);
        if (!starts.is_test(anywhere_->facts())) {
            plays_.push_back({anywhere_.get(), own});
        }
    }
}

Episode Judge::episode(const Play& play, const Asks& asks, Choice choice) {
    ++episodes_;
    Random numbers(play.seed);
    Random choices(play.seed, kChoices);
    Environment& environment = *play.environment;
    environment.reset(numbers);
    const bool repeats = choice == Choice::first && environment.deterministic();
    met_.clear();
    Episode result;
    std::vector<int> asked;
    for (;;) {
        const Instance& facts = environment.facts();
        if (repeats) {
            const int known = met_.size();
            if (met_.add(facts, {}) < known) {  // round in a circle until the time is up
                result.reward = kLostReward;
                return result;
            }
        }
        const std::vector<std::uint8_t>& wanted = asks(facts);
        asked.clear();
        for (const int action : environment.actions()) {
            if (wanted[static_cast<std::size_t>(action)] != 0) {
                asked.push_back(action);
                if (choice == Choice::first) {
                    break;
                }
            }
        }
        const double draw = choices.uniform();
        const bool none = asked.empty();
        if (none) {
            asked.push_back(environment.actions().front());  // a goal is seen by any step
        }
        const StepResult step = environment.step(
            asked[static_cast<std::size_t>(draw * static_cast<double>(asked.size()))]);
        result.reward += step.reward;
        if (step.done) {
            result.solved = step.solved;
            return result;
        }
        if (none) {
            result.reward = kLostReward;
            return result;
        }
        ++result.moves;
    }
}

bool Judge::part(std::size_t from, std::size_t to, const Asks& asks, Choice choice, double& mean,
                 int* solved, const std::function<bool()>& worth_it) {
    const double share = 1 / std::max(static_cast<double>(to - from), 1.0);
    mean = to > from ? kMaxReward : 0;
    for (std::size_t i = from; i < to; ++i) {
        if (!worth_it()) {
            return false;
        }
        const Episode played = episode(plays_[i], asks, choice);
        mean += share * (played.reward - kMaxReward);
        if (solved != nullptr) {
            *solved += played.solved ? 1 : 0;
        }
    }
    return true;
}

PolicyValue Judge::play(const Asks& asks, double least) {
    PolicyValue value{kMaxReward, kMaxReward, kMaxReward, kMaxReward, 0, true};
    const auto worth_it = [&] { return value.reward() >= least; };
    const std::size_t all = plays_.size();
    const auto both = [&](Choice choice, double& at_start, double& elsewhere, int* solved) {
        return part(0, training_plays_, asks, choice, at_start, solved, worth_it) &&
               part(training_plays_, all, asks, choice, elsewhere, solved, worth_it);
    };
    value.complete = both(Choice::first, value.first, value.everywhere_first, &value.solved) &&
                     both(Choice::uniform, value.uniform, value.everywhere_uniform, nullptr);
    if (value.complete) {
        saw(value.first);
    }
    return value;
}

StateTable Judge::sample(int most) {
    StateTable states;
    Random walk(plays_[0].seed, kWalks);
    for (int round = 0; round < 4; ++round) {
        for (const Play& play : plays_) {
            Random numbers(play.seed);
            Environment& environment = *play.environment;
            environment.reset(numbers);
            const int constants =
                states.size() == 0 ? environment.facts().constants : states[0].facts.constants;
            for (bool done = false; !done && states.size() < most;) {
                const std::vector<int>& actions = environment.actions();
                if (environment.facts().constants == constants) {
                    states.add(environment.facts(), actions);
                }
                done = environment
                           .step(actions[static_cast<std::size_t>(
                               walk.below(static_cast<int>(actions.size())))])
                           .done;
            }
        }
    }
    return states;
}

}  // namespace hri::rl
