// SPDX-License-Identifier: Apache-2.0
#include "learn/serialised.hpp"

#include "base/run_record.hpp"

namespace hri::learning {
namespace {

using Json = nlohmann::json;

constexpr const char* kMessage = "message of training restarts";
constexpr const char* kPlace = "<message>";

}  // namespace

std::string serialised(const std::map<int, TrainResult>& runs) {
    base::RunRecord record{.kind = kMessage, .values = Json::array()};
    for (const auto& [restart, run] : runs) {
        Json curve = Json::array();
        for (const CurvePoint& point : run.curve)
            curve.push_back({point.iteration, point.loss, point.sharpness, point.accuracy});
        record.values.push_back({{"restart", restart},
                                 {"iterations", run.iterations},
                                 {"final_loss", run.final_loss},
                                 {"last_instance_mse", run.last_instance_mse},
                                 {"stop_reason", static_cast<int>(run.stop_reason)},
                                 {"seconds", run.seconds},
                                 {"curve", curve}});
        record.blobs.push_back({std::to_string(restart), model_to_bytes(run.model)});
    }
    return base::to_bytes(record);
}

std::map<int, TrainResult> deserialised(const std::string& text) {
    const base::RunRecord record = base::parse_record(text, kPlace, kMessage);
    std::map<int, TrainResult> runs;
    for (const Json& json : record.values) {
        const int restart = json.at("restart").get<int>();
        TrainResult& run = runs[restart];
        run.model = model_from_bytes(record.blob(std::to_string(restart), {kPlace}));
        run.iterations = json.at("iterations").get<int>();
        run.final_loss = json.at("final_loss").get<double>();
        run.last_instance_mse = json.at("last_instance_mse").get<double>();
        run.stop_reason = static_cast<StopReason>(json.at("stop_reason").get<int>());
        run.seconds = json.at("seconds").get<double>();
        for (const Json& point : json.at("curve"))
            run.curve.push_back({point.at(0).get<int>(), point.at(1).get<double>(),
                                 point.at(2).get<std::vector<double>>(),
                                 point.at(3).get<double>()});
    }
    return runs;
}

}  // namespace hri::learning
