// SPDX-License-Identifier: Apache-2.0
// A world of the user's own, through the public header alone.

#include "hri/rl.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri {
namespace {

const SharedSchema& corridor_schema() {
    static const SharedSchema schema = make_schema({{"at", 1}, {"right", 2}}, {"go", 1});
    return schema;
}

/// Places in a line; the last one is the goal, and only neighbours can be gone to.
class Corridor final : public Environment {
  public:
    explicit Corridor(int places) : facts_(make_instance(corridor_schema(), places)) {
        Random none(0);
        reset(none);
        for (int place = 0; place < places; ++place) {
            actions_.push_back(place);
        }
    }

    void reset(Random& /*random*/) override {
        steps_ = 0;
        see(0);
    }

    const Instance& facts() const override { return facts_; }

    const std::vector<int>& actions() const override { return actions_; }

    StepResult step(int action) override {
        if (++steps_ > 30) {
            return {0, true, false};
        }
        if (std::abs(action - place_) == 1) {
            see(action);
        }
        const bool there = place_ + 1 == facts_.constants;
        return {there ? 1.0 : -0.02, there, there};
    }

    std::string text() const override { return std::to_string(place_); }

    bool deterministic() const override { return true; }

  private:
    void see(int place) {
        place_ = place;
        facts_.facts[0] = {{place}};
        facts_.facts[1].clear();
        for (int left = 0; left + 1 < facts_.constants; ++left) {
            facts_.facts[1].push_back({left, left + 1});
        }
    }

    Instance facts_;
    std::vector<int> actions_;
    int place_ = 0;
    int steps_ = 0;
};

TEST(OwnEnvironment, HasItsPolicyLearned) {
    RlTask task;
    task.name = "corridor";
    task.inputs = corridor_schema()->inputs;
    task.target = corridor_schema()->target;
    task.training_size = 5;
    task.make = [](const std::string&, int size) { return std::make_unique<Corridor>(size); };
    Options options = rl_options();
    options.layers = 2;
    options.iterations = 20;
    RlSettings settings;
    settings.ppo_runs = 1;
    settings.restarts = 2;
    settings.evaluations = 2000;
    settings.judged_starts = 0;
    settings.seed = 1;
    const PolicyReport report = learn_policy(task, options, settings);
    EXPECT_TRUE(report.accepted);
    EXPECT_THAT(to_text(report.program), testing::HasSubstr("right"));
    const EpisodeScore far = run_episodes(*make_environment(task, "train", 20),
                                          program_values(report.program), Choice::first, 1, 0);
    EXPECT_EQ(far.solved, 1) << "a longer corridor than that of training";
    EXPECT_EQ(far.moves, 18);
}

}  // namespace
}  // namespace hri
