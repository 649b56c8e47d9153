// SPDX-License-Identifier: Apache-2.0

// hri plot RUN: a training run's curves, or what a model's slots match, as a picture.

#include "hri/plot.hpp"

#include "base/whole_number.hpp"
#include "command.hpp"
#include "inputs.hpp"
#include "output.hpp"

#include <fmt/format.h>
#include <memory>

namespace hri::cli {
namespace {

struct Flags {
    std::string run;
    std::string out;
};

/// The curve that `hri learn --log` or `--json` wrote.
std::vector<CurvePoint> read_curve(const Json& run, const std::string& file) {
    std::vector<CurvePoint> curve;
    try {
        for (const Json& point : run.at("curve")) {
            curve.push_back({base::whole_number<int>(point.at("iteration")), point.at("loss"),
                             point.at("sharpness").get<std::vector<double>>(),
                             point.at("accuracy").get<double>() / 100});
        }
    } catch (const Json::exception&) {
        throw Error("this is no training run", {file, 0, 0},
                    "give what `hri learn TASK --strategy gradient --log FILE` wrote, or a model");
    }
    if (curve.empty()) {
        throw Error("the run has no curve", {file, 0, 0},
                    "`hri learn TASK --strategy gradient --log FILE` keeps one");
    }
    return curve;
}

std::vector<LineChart> charts_of(const Json& run, const std::string& file) {
    std::vector<LineChart> charts = training_charts(read_curve(run, file));
    if (run.value("model", "hri") == "lri") {
        charts[1].title = "sharpness: the largest cosine of an atom, mean";
        charts[1].series[0].name = "heads";
        charts[1].series[1].name = "bodies";
    }
    charts[0].title =
        fmt::format("{}, seed {}, {}: {}", run.value("task", ""), run.value("seed", Json(0)).dump(),
                    run.value("fits", false) ? "explains the training data"
                                             : "does not explain the training data",
                    charts[0].title);
    return charts;
}

int run(const Flags& flags) {
    check_writable(flags.out);
    const std::string content = read_file(flags.run);
    if (looks_like_model(flags.run, content)) {
        write_output(flags.out, to_svg(unification_map(load_model(flags.run))));
        return kYes;
    }
    const Json json = Json::parse(content, nullptr, false);
    write_output(flags.out, to_svg(charts_of(json.is_object() ? json : Json::object(), flags.run)));
    return kYes;
}

}  // namespace

void add_plot(CLI::App& app, Action& action) {
    auto flags = std::make_shared<Flags>();
    CLI::App* command =
        app.add_subcommand("plot", "Draw a training run's curves or a model's unification scores");
    command->option_defaults()->take_last();
    command->footer(
        "Examples:\n"
        "  hri learn cyclic --strategy gradient --log run.json && hri plot run.json --out run.svg\n"
        "  hri plot model.safetensors --out match.svg");
    command
        ->add_option("run", flags->run,
                     "what learn --log or --json wrote, or model.safetensors for a heat map")
        ->required()
        ->option_text("RUN|MODEL");
    command->add_option("--out", flags->out, "the picture")->required()->option_text("FILE.svg");
    command->callback([flags, &action] { action = [flags] { return run(*flags); }; });
}

}  // namespace hri::cli
