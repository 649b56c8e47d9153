// SPDX-License-Identifier: Apache-2.0

// hri plot RUN: a training run's curves, a policy's learning curve, or what a model's slots match,
// as a picture.

#include "hri/plot.hpp"

#include "base/output_files.hpp"
#include "base/run_record.hpp"
#include "base/whole_number.hpp"
#include "commands.hpp"
#include "inputs.hpp"
#include "json.hpp"
#include "output.hpp"
#include "own_fields.hpp"
#include "soft/looks_like_model.hpp"

#include <fmt/format.h>
#include <memory>

namespace hri::cli {
namespace {

struct Flags {
    std::string run;
    std::string out;
};

Error no_run(const std::string& file) {
    return Error("this is no training run", {file, 0, 0},
                 "give what `hri learn TASK --strategy gradient --log FILE` or `hri rl train TASK "
                 "--json FILE` wrote, or a model");
}

/// The curve that `hri learn --log` or `--json` wrote.
std::vector<CurvePoint> read_curve(const nlohmann::json& run, const std::string& file) {
    std::vector<CurvePoint> curve;
    try {
        for (const nlohmann::json& point : run.at("curve")) {
            curve.push_back({base::whole_number<int>(point.at("iteration")), point.at("loss"),
                             point.at("sharpness").get<std::vector<double>>(),
                             point.at("accuracy").get<double>() / 100});
        }
    } catch (const nlohmann::json::exception&) {
        throw no_run(file);
    }
    if (curve.empty()) {
        throw Error("the run has no curve", {file, 0, 0},
                    "`hri learn TASK --strategy gradient --log FILE` keeps one");
    }
    return curve;
}

/// The curve that `hri rl train --json` wrote.
std::vector<LineChart> policy_charts(const nlohmann::json& run) {
    std::vector<PolicyCurvePoint> curve;
    for (const nlohmann::json& point : run.at("curve")) {
        curve.push_back({base::whole_number<int>(point.at("update")), point.at("reward")});
    }
    std::vector<LineChart> charts = training_charts(curve);
    charts[0].title = fmt::format("{}, seed {}: {}", run.value("task", ""),
                                  run.value("seed", nlohmann::json(0)).dump(), charts[0].title);
    return charts;
}

std::vector<LineChart> charts_of(const nlohmann::json& run, const std::string& file) {
    const auto curve = run.find("curve");
    if (curve != run.end() && curve->is_array() && !curve->empty() &&
        curve->front().contains("update")) {
        return policy_charts(run);
    }
    std::vector<LineChart> charts = training_charts(read_curve(run, file));
    if (run.value("model", "hri") == "lri") {
        charts[1].title = "sharpness: the largest cosine of an atom, mean";
        charts[1].series[0].name = "heads";
        charts[1].series[1].name = "bodies";
    }
    charts[0].title = fmt::format("{}, seed {}, {}: {}", run.value("task", ""),
                                  run.value("seed", nlohmann::json(0)).dump(),
                                  run.value("fits", false) ? "explains the training data"
                                                           : "does not explain the training data",
                                  charts[0].title);
    return charts;
}

int run(const Flags& flags) {
    check_writable(flags.out);
    const std::string head = base::head_of_file(base::Language::svg);
    const std::string content = read_file(flags.run);
    if (soft::looks_like_model(flags.run, content)) {
        write_output(flags.out,
                     head + to_svg(unification_map(model_from_bytes(content, flags.run))));
        return kYes;
    }
    const nlohmann::json json = base::parse_json(content, flags.run);
    try {
        write_output(flags.out, head + to_svg(charts_of(json, flags.run)));
    } catch (const nlohmann::json::exception&) {  // a value of another kind, or no object
        throw no_run(flags.run);
    }
    return kYes;
}

}  // namespace

Command plot_command() {
    using F = Flags;
    static const std::vector<Field<F>> fields = {
        base::text(
            own("run", "What learn --log or --json wrote, or a model for a heat map.", "RUN|MODEL"),
            &F::run),
        base::text(own("out", "The picture.", "FILE.svg"), &F::out)};
    auto flags = std::make_shared<Flags>();
    Command command{.name = "plot",
                    .help =
                        "Draws the curves of a training run, or the unification scores of a "
                        "model.",
                    .examples =
                        "hri learn cyclic --strategy gradient --log run.json && hri plot "
                        "run.json --out run.svg\n"
                        "hri plot model.safetensors --out match.svg"};
    add_flags(command, *flags, fields);
    make_argument(command, "run");
    command.flag("out").required = true;
    command.run = [flags] { return run(*flags); };
    return command;
}

}  // namespace hri::cli
