// SPDX-License-Identifier: Apache-2.0
#include "learn/serialised.hpp"

#include <nlohmann/json.hpp>

namespace hri::learning {

namespace {

using Json = nlohmann::json;

}  // namespace

std::string serialised(const std::map<int, TrainResult>& runs) {
    Json list = Json::array();
    for (const auto& [restart, run] : runs) {
        Json curve = Json::array();
        for (const CurvePoint& point : run.curve)
            curve.push_back({point.iteration, point.loss, point.sharpness, point.accuracy});
        const std::string model = model_to_bytes(run.model);
        list.push_back({{"restart", restart},
                        {"model", Json::binary({model.begin(), model.end()})},
                        {"iterations", run.iterations},
                        {"final_loss", run.final_loss},
                        {"last_instance_mse", run.last_instance_mse},
                        {"stop_reason", static_cast<int>(run.stop_reason)},
                        {"seconds", run.seconds},
                        {"curve", curve}});
    }
    std::string text;
    Json::to_cbor(list, text);
    return text;
}

std::map<int, TrainResult> deserialised(const std::string& text) {
    std::map<int, TrainResult> runs;
    for (const Json& json : Json::from_cbor(text)) {
        TrainResult& run = runs[json["restart"].get<int>()];
        const auto& model = json["model"].get_binary();
        run.model = model_from_bytes({model.begin(), model.end()});
        run.iterations = json["iterations"].get<int>();
        run.final_loss = json["final_loss"].get<double>();
        run.last_instance_mse = json["last_instance_mse"].get<double>();
        run.stop_reason = static_cast<StopReason>(json["stop_reason"].get<int>());
        run.seconds = json["seconds"].get<double>();
        for (const Json& point : json["curve"])
            run.curve.push_back({point[0].get<int>(), point[1].get<double>(),
                                 point[2].get<std::vector<double>>(), point[3].get<double>()});
    }
    return runs;
}

}  // namespace hri::learning
