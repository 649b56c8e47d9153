// SPDX-License-Identifier: Apache-2.0

// Where a run of the miner stands, as text, and back.

#include "base/run_record.hpp"
#include "search/graph_miner.hpp"

#include <algorithm>
#include <type_traits>

namespace hri::search {
namespace {

template <class Value>
std::string bytes_of(const std::vector<Value>& values) {
    static_assert(std::is_trivially_copyable_v<Value>);
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value)};
}

template <class Value>
std::vector<Value> values_of(const std::string& bytes, const Place& place) {
    if (bytes.size() % sizeof(Value) != 0) {
        throw Error("the checkpoint is damaged", place);
    }
    std::vector<Value> values(bytes.size() / sizeof(Value));
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(values.data()));
    return values;
}

}  // namespace

/// The values that must be the same for a run to go on.
nlohmann::json Miner::identity() const {
    nlohmann::json json = {{"entities", graph_.entities()},
                           {"relations", graph_.relations()},
                           {"triples", graph_.size()},
                           {"seed", settings_.seed},
                           {"rule_bytes", sizeof(GraphRule)}};
    for (const Field<MineSettings>& field : fields_of<MineSettings>()) {
        json[field.name] = field.get(settings_);
    }
    for (const RelationSearch& search : searches_) {
        json["targets"].push_back(search.relation);
    }
    return json;
}

std::string Miner::checkpoint(int next_round) const {
    base::RunRecord record{.kind = "graph mining", .run = identity()};
    record.values["round"] = next_round;
    for (const RelationSearch& search : searches_) {
        const std::string name = std::to_string(search.relation);
        record.values["relations"].push_back({search.work, search.bodies, search.idle,
                                              search.has_trees, search.has_long_constants,
                                              search.finished});
        record.blobs.push_back({"paths " + name, bytes_of(search.paths)});
        record.blobs.push_back({"constants " + name, bytes_of(search.constants)});
        record.blobs.push_back(
            {"counted " + name,
             bytes_of(std::vector<PathBody>(search.counted.begin(), search.counted.end()))});
    }
    return base::to_bytes(record);
}

/// The round to go on with.
int Miner::restore(const std::string& bytes) {
    const std::string file = "checkpoint";
    const base::RunRecord record = base::parse_record(bytes, file, "graph mining");
    base::require_same_run(record, identity(), file);
    try {
        for (std::size_t i = 0; i < searches_.size(); ++i) {
            RelationSearch& search = searches_[i];
            const nlohmann::json& values = record.values.at("relations").at(i);
            values.at(0).get_to(search.work);
            values.at(1).get_to(search.bodies);
            values.at(2).get_to(search.idle);
            values.at(3).get_to(search.has_trees);
            values.at(4).get_to(search.has_long_constants);
            values.at(5).get_to(search.finished);
            const std::string name = std::to_string(search.relation);
            search.paths = values_of<GraphRule>(record.blob("paths " + name, {file}), {file});
            search.constants =
                values_of<GraphRule>(record.blob("constants " + name, {file}), {file});
            for (const PathBody& body :
                 values_of<PathBody>(record.blob("counted " + name, {file}), {file})) {
                search.counted.insert(body);
            }
        }
        return record.values.at("round").get<int>();
    } catch (const nlohmann::json::exception&) {
        throw Error("the checkpoint is damaged", {file});
    }
}

}  // namespace hri::search
