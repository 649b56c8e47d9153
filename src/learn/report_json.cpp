// SPDX-License-Identifier: Apache-2.0
#include "learn/report_json.hpp"

#include "hri/version.hpp"

#include "hypotheses/options_file.hpp"

#include <nlohmann/json.hpp>

namespace hri {

using OrderedJson = nlohmann::ordered_json;

namespace learning {

namespace {

/// Percent; 100 of none.
double share(std::int64_t part, std::int64_t whole) {
    return whole == 0 ? 100 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

OrderedJson score_json(const Score& score) {
    const double negatives_right = share(score.negatives - score.false_positives, score.negatives);
    return {{"mse", score.mse},
            {"accuracy", 100 * score.accuracy},
            {"balanced_accuracy", (100 * score.recall + negatives_right) / 2},
            {"all_false_accuracy", share(score.negatives, score.positives + score.negatives)},
            {"precision", 100 * score.precision},
            {"recall", 100 * score.recall},
            {"positives", score.positives},
            {"negatives", score.negatives},
            {"false_positives", score.false_positives},
            {"false_negatives", score.false_negatives}};
}

OrderedJson curve_json(const std::vector<CurvePoint>& curve) {
    OrderedJson points = OrderedJson::array();
    for (const CurvePoint& point : curve) {
        points.push_back({{"iteration", point.iteration},
                          {"loss", point.loss},
                          {"sharpness", point.sharpness},
                          {"accuracy", 100 * point.accuracy}});
    }
    return points;
}

OrderedJson report_json(const Report& report) {
    OrderedJson protorules = OrderedJson::array();
    for (const ProtoRule& rule : report.model.protorules) {
        protorules.push_back(to_text(rule));
    }
    OrderedJson json;
    json["version"] = version();
    json["task"] = report.problem;
    json["program"] = to_text(report.program);
    json["prolog"] = to_prolog(report.program);
    json["fits"] = report.fits;
    json["accuracy"] = 100 * report.evaluation.value_or(report.training).accuracy;
    json["seconds"] = report.seconds;
    json["seed"] = report.seed;
    json["stop_reason"] = to_string(report.stop_reason);
    json["training"] = score_json(report.training);
    json["evaluation"] = report.evaluation ? score_json(*report.evaluation) : OrderedJson(nullptr);
    json["size"] = size(report.program);
    json["recursive"] = is_recursive(report.program);
    json["bits"] = report.bits;
    json["baseline_bits"] = report.baseline_bits;
    json["strategy"] = to_string(report.strategy);
    json["model"] = report.lri ? "lri" : "hri";
    json["restarts"] = report.restarts;
    json["fitting"] = report.fitting;
    json["different"] = report.different;
    json["alternatives"] = OrderedJson::array();
    for (const Alternative& alternative : report.alternatives)
        json["alternatives"].push_back({{"program", to_text(alternative.program)},
                                        {"bits", alternative.bits},
                                        {"fits", alternative.fits}});
    json["evidence"] = OrderedJson::array();
    for (const ClauseEvidence& clause : report.evidence)
        json["evidence"].push_back({{"positives", clause.positives},
                                    {"negatives", clause.negatives},
                                    {"confidence", clause.confidence()},
                                    {"only", clause.only}});
    json["trials"] = report.trials;
    json["iterations"] = report.iterations;
    json["final_loss"] = report.final_loss;
    json["raw_program"] = to_text(report.raw);
    json["options"] = hypotheses::options_to_json(report.model.options);
    json["protorules"] = std::move(protorules);
    json["curve"] = curve_json(report.curve);
    return json;
}

std::string dumped(const OrderedJson& json) {
    return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace learning

std::string to_json(const Report& report) {
    return learning::dumped(learning::report_json(report));
}

}  // namespace hri
