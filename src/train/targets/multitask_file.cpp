// SPDX-License-Identifier: Apache-2.0
#include "hri/multitask.hpp"
#include "hri/version.hpp"

#include "base/whole_number.hpp"
#include "hypotheses/options_file.hpp"
#include "soft/tensor_file.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace hri {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kVersion = "1";

/// The same of all targets, one below the other.
std::vector<float> stacked(const Multitask& learned, std::vector<float> TargetParameters::*member) {
    std::vector<float> rows;
    for (const TargetParameters& target : learned.targets) {
        rows.insert(rows.end(), (target.*member).begin(), (target.*member).end());
    }
    return rows;
}

}  // namespace

void save_multitask(const std::filesystem::path& path, const Multitask& learned) {
    const auto dimension = static_cast<std::size_t>(learned.options.dimension);
    Json predicates = Json::array();
    for (const PredicateSymbol& predicate : learned.predicates) {
        predicates.push_back({predicate.name, predicate.arity});
    }
    Json targets = Json::array();
    std::vector<float> losses;
    for (const TargetParameters& target : learned.targets) {
        targets.push_back({target.target, target.images});
        losses.push_back(target.loss);
    }
    const std::vector<float> auxiliaries = stacked(learned, &TargetParameters::auxiliaries);
    const std::vector<float> slots = stacked(learned, &TargetParameters::slots);
    const std::vector<float> backgrounds = stacked(learned, &TargetParameters::background);
    const std::vector<float> calibration = stacked(learned, &TargetParameters::calibration);
    std::vector<soft::TensorView> tensors;
    const auto add = [&](const char* name, const std::vector<float>& values, std::size_t columns) {
        if (!values.empty()) {
            tensors.push_back({name, values.size() / columns, columns, values.data()});
        }
    };
    add("background", learned.background, dimension);
    add("start", learned.start, dimension);
    add("loss", losses, losses.size());
    add("auxiliaries", auxiliaries, dimension);
    add("slots", slots, dimension);
    add("backgrounds", backgrounds, dimension);
    add("calibration", calibration, 2);
    add("projection_mean", learned.projection.mean, learned.projection.mean.size());
    add("projection_axes", learned.projection.axes, dimension - 2);
    try {
        write_file(path, soft::tensors_to_bytes(
                             {{"format_version", kVersion},
                              {"hri_version", version()},
                              {"options", hypotheses::options_to_json(learned.options).dump()},
                              {"predicates", predicates.dump()},
                              {"targets", targets.dump()}},
                             tensors));
    } catch (const Json::exception&) {
        throw Error("cannot save: a predicate's name is not valid UTF-8", {path.string()});
    }
}

Multitask load_multitask(const std::filesystem::path& path) {
    const soft::TensorFile file(read_file(path), path.string());
    if (file.metadata("format_version") != kVersion) {
        file.fail("the file has another version",
                  "use the version of hri that wrote it: " + file.metadata("hri_version"));
    }
    Multitask learned;
    try {
        learned.options =
            hypotheses::options_from_json(file.parsed(file.metadata("options"), "'options'"));
        validate(learned.options);
        for (const Json& symbol : file.parsed(file.metadata("predicates"), "'predicates'")) {
            learned.predicates.push_back(
                {symbol.at(0).get<std::string>(), base::whole_number<int>(symbol.at(1))});
        }
        for (const Json& json : file.parsed(file.metadata("targets"), "'targets'")) {
            TargetParameters& target = learned.targets.emplace_back();
            target.target = base::whole_number<std::uint32_t>(json.at(0));
            target.images = base::whole_number<std::size_t>(json.at(1));
            if (target.target >= learned.predicates.size()) {
                file.fail("a target is no predicate");
            }
        }
    } catch (const Json::exception& error) {
        file.fail(fmt::format("the metadata are not as expected: {}", error.what()));
    }
    const auto d = static_cast<std::size_t>(learned.options.dimension);
    const std::size_t rows = learned.predicates.size();
    const std::size_t targets = learned.targets.size();
    file.check_offsets();
    if (d < 3 || rows == 0 || targets == 0) {
        file.fail("there are no predicates, targets or dimensions");
    }
    learned.background = file.values("background", rows, d);
    learned.start = file.values("start", rows, d);
    const Model model =
        make_model({{"name", 1}, {"relation", 2}}, {"target", 1}, learned.options, 0);
    const auto split = [&](const char* name, std::size_t each,
                           std::vector<float> TargetParameters::*member) {
        const std::vector<float> all = file.values(name, each * targets, d);
        for (std::size_t t = 0; t < targets; ++t) {
            const auto from = all.begin() + static_cast<std::ptrdiff_t>(t * each * d);
            (learned.targets[t].*member).assign(from, from + static_cast<std::ptrdiff_t>(each * d));
        }
    };
    split("auxiliaries", model.hierarchy.auxiliaries.size(), &TargetParameters::auxiliaries);
    split("slots", model.hierarchy.slots.size(), &TargetParameters::slots);
    if (file.has("backgrounds")) {
        split("backgrounds", rows, &TargetParameters::background);
    }
    if (file.has("calibration")) {
        const std::vector<float> calibration = file.values("calibration", targets, 2);
        for (std::size_t t = 0; t < targets; ++t) {
            learned.targets[t].calibration = {calibration[2 * t], calibration[2 * t + 1]};
        }
    }
    const std::vector<float> losses = file.values("loss", 1, targets);
    for (std::size_t t = 0; t < targets; ++t) {
        learned.targets[t].loss = losses[t];
    }
    if (file.has("projection_mean")) {
        const std::size_t from = file.tensor("projection_mean").columns;
        learned.projection.mean = file.values("projection_mean", 1, from);
        learned.projection.axes = file.values("projection_axes", from, d - 2);
    }
    return learned;
}

}  // namespace hri
