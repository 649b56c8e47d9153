// SPDX-License-Identifier: Apache-2.0
// Environments: a policy is learned by reinforcement, and plays an episode step by step.

#include "hri/rl.hpp"
#include "hri/why_not.hpp"

#include "texts.hpp"
#include "world.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

namespace hri::studio {

namespace {

/// What a page shows first of the many settings.
constexpr std::array kCommon = {std::string_view("time_limit"), std::string_view("seed"),
                                std::string_view("size"), std::string_view("ppo_runs"),
                                std::string_view("evaluations")};

constexpr int kMaxSize = 20;  // blocks or boxes of an episode to look at
constexpr std::size_t kMaxText = 10'000;

class PolicyWorld : public World {
  public:
    explicit PolicyWorld(const std::string& task) : task_(find_rl_task(task)) {}

    std::string kind() const override { return "policy"; }

    Json about() const override {
        Json rows = Json::array();
        for (const PredicateSymbol& input : task_.inputs) {
            rows.push_back({fmt::format("{}/{}", input.name, input.arity), "holds in a state"});
        }
        rows.push_back({fmt::format("{}/{}", task_.target.name, task_.target.arity),
                        "the move that a policy chooses"});
        Json starts = Json::array({"train"});
        for (std::size_t i = 1; i <= task_.tests.size(); ++i) {
            starts.push_back(fmt::format("test{}", i));
        }
        starts.push_back("random");
        return {{"name", task_.name},
                {"explanation", task_.explanation},
                {"figures",
                 {{{"name", "things in training"}, {"value", task_.training_size}},
                  {{"name", "test starts"}, {"value", task_.tests.size()}}}},
                {"columns", {"Predicate", "Meaning"}},
                {"rows", std::move(rows)},
                {"starts", std::move(starts)},
                {"solution", task_.solution},
                {"warnings", Json::array()}};
    }

    Json fields() const override {
        Json list = Json::array();
        for (const Field<RlSettings>& field : fields_of<RlSettings>()) {
            Json json = field_json(field, field.get({}));
            json["common"] = std::find(kCommon.begin(), kCommon.end(), field.name) != kCommon.end();
            list.push_back(std::move(json));
        }
        const Options standard = rl_options();
        for (const Field<Options>& field : fields_of<Options>()) {
            list.push_back(field_json(field, field.get(standard)));
        }
        return list;
    }

    void learn(const WorldRun& run) override {
        RlSettings settings;
        Options options = rl_options();
        const std::vector<std::string> own = field_names<RlSettings>();
        for (const auto& [name, value] : run.wishes.items()) {
            if (std::find(own.begin(), own.end(), name) != own.end()) {
                set_field(settings, name, wish_text(value));
            } else {
                set_field(options, name, wish_text(value));
            }
        }
        check_fields(settings);
        check_fields(options);
        settings.interrupt = run.interrupt;
        settings.progress = [&](int restart, int update, int updates, double reward) {
            run.progress({.fraction = static_cast<double>(update) / std::max(updates, 1),
                          .restarts = restart + 1,
                          .program = fmt::format("run {}, update {}: mean reward {:.2f}",
                                                 restart + 1, update, reward)});
        };
        report_.set(std::make_shared<PolicyReport>(learn_policy(task_, options, settings)));
    }

    bool has_learned() const override { return report_.get() != nullptr; }

    Json rules(const Json&) const override {
        const auto report = report_.required();
        Json rows = Json::array();
        for (const Rule& rule : report->program.rules) {
            rows.push_back({{"text", rule_text(report->program, rule)}});
        }
        return {{"groups", Json::array()},
                {"count", rows.size()},
                {"rows", std::move(rows)},
                {"accepted", report->accepted},
                {"starts", report->starts},
                {"solved_starts", report->solved_starts},
                {"prolog", to_prolog(report->program)}};
    }

    /// One episode of the learned policy, or of rules that the user gives.
    Json ask(const Json& question) const override {
        const std::string given = question.value("policy", "");
        if (given.size() > kMaxText) {
            throw Error("the policy is too long");
        }
        const Program program = given.empty() ? report_.required()->program
                                              : parse_program(rules_as_prolog(given), "the policy");
        if (program.vocabulary[program.target] != task_.target) {
            throw Error(fmt::format("a policy of {} defines {}/{}", task_.name, task_.target.name,
                                    task_.target.arity));
        }
        const int size = question.value("size", 0);
        if (size < 0 || size > kMaxSize) {
            throw Error(fmt::format("size: expected 0 to {}", kMaxSize));
        }
        const auto environment = make_environment(task_, question.value("start", "train"), size);
        Random random(question.value("seed", std::uint64_t{0}), Random::kEvaluation);
        std::vector<EpisodeStep> steps;
        const Episode episode = trace_episode(*environment, program_values(program), &program,
                                              Choice::first, random, steps);
        Json json = {{"solved", episode.solved},
                     {"moves", episode.moves},
                     {"reward", episode.reward},
                     {"steps", Json::array()}};
        for (const EpisodeStep& step : steps) {
            json["steps"].push_back({{"state", step.state},
                                     {"move", step.move},
                                     {"reward", step.reward},
                                     {"changes", step.changes},
                                     {"rules", step.rules}});
        }
        return json;
    }

    std::string learned() const override {
        const auto report = report_.get();
        return report ? to_prolog(report->program) : "";
    }

    void restore(const std::string& text) override {
        auto report = std::make_shared<PolicyReport>();
        report->task = task_.name;
        report->program = parse_program(text, "the last session");
        report_.set(std::move(report));
    }

  private:
    const RlTask& task_;
    Shared<PolicyReport> report_;
};

}  // namespace

std::shared_ptr<World> open_policy_world(const std::string& task) {
    return std::make_shared<PolicyWorld>(task);
}

}  // namespace hri::studio
