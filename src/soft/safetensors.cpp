// SPDX-License-Identifier: Apache-2.0

// Models as safetensors. Their metadata:
//
//   format_version  "1"
//   hri_version     "0.1.0"
//   options         JSON text of every field
//   protorules      one per line
//   inputs, target  JSON text: [["father",2],["mother",2]] and ["grandparent",2]
//   predicates      JSON text: what each row of "predicates" stands for

#include "hri/model.hpp"
#include "hri/version.hpp"

#include "hypotheses/options_file.hpp"
#include "soft/tensor_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <set>
#include <string_view>

namespace hri {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFormatVersion = "1";
constexpr std::uint64_t kMaxPredicates =
    10'000;  // slots list their candidates: this bounds the memory

std::vector<std::string> predicate_names(const Model& model) {
    std::vector<std::string> names = {"True", "False"};
    for (const PredicateSymbol& input : model.inputs) {
        names.push_back(to_text(input));
    }
    for (const Auxiliary& auxiliary : model.hierarchy.auxiliaries) {
        names.push_back(auxiliary.name);
    }
    for (const int p : model.hierarchy.negated) {
        names.push_back("\\+ " + names[static_cast<std::size_t>(p)]);
    }
    return names;
}

Json symbol_json(const PredicateSymbol& symbol) {
    Json json = Json::array({symbol.name, symbol.arity});
    if (symbol.negated) {
        json.push_back("negated");
    }
    return json;
}

Json metadata_of(const Model& model) {
    std::string protorules;
    for (const ProtoRule& rule : model.protorules) {
        protorules += rule.is_helper ? "" : to_text(rule) + "\n";
    }
    Json inputs = Json::array();
    for (const PredicateSymbol& input : model.inputs) {
        inputs.push_back(symbol_json(input));
    }
    return {{"format_version", kFormatVersion},
            {"hri_version", version()},
            {"options", hypotheses::options_to_json(model.options).dump()},
            {"protorules", protorules},
            {"inputs", inputs.dump()},
            {"target", symbol_json(model.target).dump()},
            {"predicates", Json(predicate_names(model)).dump()}};
}

std::vector<soft::TensorView> tensors_of(const Model& model) {
    const auto dimension = static_cast<std::size_t>(model.parameters.dimension);
    std::vector<soft::TensorView> tensors = {
        {"predicates", model.hierarchy.arity.size(), dimension, model.parameters.predicates.data()},
        {"slots", model.hierarchy.slots.size(), dimension, model.parameters.slots.data()}};
    const Projection& projection = model.projection;
    if (!projection.mean.empty()) {
        tensors.push_back({"projection_mean", 1, projection.mean.size(), projection.mean.data()});
        tensors.push_back(
            {"projection_axes", projection.mean.size(), dimension - 2, projection.axes.data()});
    }
    return tensors;
}

/// Reads and checks one file. Everything that fails is an Error that names it.
class ModelReader {
  public:
    ModelReader(std::string content, const std::string& file_name)
        : file_(std::move(content), file_name) {}

    Model model() {
        file_.check_names({"predicates", "slots", "projection_mean", "projection_axes"});
        read_metadata();
        const soft::Tensor predicates = file_.tensor("predicates");
        const soft::Tensor slots = file_.tensor("slots");
        file_.check_offsets();
        check_hierarchy(predicates, slots);
        model_.parameters.dimension = static_cast<int>(predicates.columns);
        model_.parameters.predicates = file_.values("predicates");
        model_.parameters.slots = file_.values("slots");
        if (file_.has("projection_mean") || file_.has("projection_axes")) {
            const std::size_t from = file_.tensor("projection_mean").columns;
            model_.projection.mean = file_.values("projection_mean", 1, from);
            model_.projection.axes = file_.values("projection_axes", from, predicates.columns - 2);
        }
        return std::move(model_);
    }

  private:
    void read_metadata() {
        const std::string version = file_.metadata("format_version");
        if (version != kFormatVersion) {
            file_.fail(fmt::format("the format has version '{}', and this hri reads version {}",
                                   version, kFormatVersion),
                       "use the version of hri that wrote it: " + file_.metadata("hri_version"));
        }
        try {
            model_.options =
                hypotheses::options_from_json(file_.parsed(file_.metadata("options"), "'options'"));
            validate(model_.options);
            model_.protorules =
                binarised(parse_protorules(file_.metadata("protorules"), "protorules"));
        } catch (const Error& error) {
            if (error.place().file == file_.file_name()) {
                throw;
            }
            file_.fail(std::string("in the metadata: ") + error.what());
        }
        const Json inputs = file_.parsed(file_.metadata("inputs"), "'inputs'");
        if (!inputs.is_array()) {
            file_.fail("'inputs' is no list of predicates");
        }
        std::set<PredicateSymbol> known;
        for (const Json& input : inputs) {
            model_.inputs.push_back(symbol(input));
            if (!known.insert(model_.inputs.back()).second) {
                file_.fail(fmt::format("the input '{}' is there twice", model_.inputs.back().name));
            }
        }
        model_.target = symbol(file_.parsed(file_.metadata("target"), "'target'"));
    }

    PredicateSymbol symbol(const Json& json) const {
        const bool negated = json.is_array() && json.size() == 3 && json[2] == "negated";
        const bool shaped = json.is_array() && (json.size() == 2 || negated) &&
                            json[0].is_string() && json[1].is_number_unsigned();
        if (!shaped || json[1].get<std::uint64_t>() > 2 || json[0].get<std::string>().empty()) {
            file_.fail("expected predicates as a name and an arity from 0 to 2 in the metadata");
        }
        return {json[0].get<std::string>(), json[1].get<int>(), negated};
    }

    void check_hierarchy(const soft::Tensor& predicates, const soft::Tensor& slots) {
        const Options& options = model_.options;
        const std::uint64_t fixed = 2 + model_.inputs.size();
        const std::uint64_t per_layer =
            model_.protorules.size() * static_cast<std::uint64_t>(options.auxiliaries);
        const auto layers = static_cast<std::uint64_t>(options.layers);
        // checked first, because making a hierarchy of any size would take any memory
        if (predicates.rows < fixed + per_layer * (layers - 1) ||
            predicates.rows > fixed + per_layer * layers * (options.negation ? 2 : 1) ||
            predicates.rows > kMaxPredicates) {
            file_.fail(fmt::format("{} predicates do not fit the options and proto-rules",
                                   predicates.rows));
        }
        if (predicates.columns != slots.columns || predicates.columns < 3 ||
            (options.dimension != 0 &&
             predicates.columns != static_cast<std::uint64_t>(options.dimension))) {
            file_.fail(fmt::format("embeddings of {} and {} dimensions do not fit the options",
                                   predicates.columns, slots.columns));
        }
        try {
            model_.hierarchy =
                make_hierarchy(model_.protorules, model_.inputs, model_.target.arity, options);
        } catch (const Error& error) {
            file_.fail(error.message());
        }
        if (model_.hierarchy.arity.size() != predicates.rows ||
            model_.hierarchy.slots.size() != slots.rows) {
            file_.fail(
                fmt::format("expected {} predicates and {} slots by the options, found {} and {}",
                            model_.hierarchy.arity.size(), model_.hierarchy.slots.size(),
                            predicates.rows, slots.rows));
        }
        if (file_.parsed(file_.metadata("predicates"), "'predicates'") !=
            Json(predicate_names(model_))) {
            file_.fail("the names of the predicates do not fit the options and proto-rules");
        }
    }

    soft::TensorFile file_;
    Model model_;
};

}  // namespace

std::string model_to_bytes(const Model& model, const std::string& file_name) {
    for (const auto* values : {&model.parameters.predicates, &model.parameters.slots}) {
        if (!std::all_of(values->begin(), values->end(),
                         [](float x) { return std::isfinite(x); })) {
            throw Error("cannot save: the model has parameters that are no finite numbers",
                        {file_name}, "training diverged: use smaller learning rates or embeddings");
        }
    }
    try {
        return soft::tensors_to_bytes(metadata_of(model), tensors_of(model));
    } catch (const Json::exception&) {
        throw Error("cannot save: a predicate's name is not valid UTF-8", {file_name, 0, 0});
    }
}

Model model_from_bytes(std::string bytes, const std::string& file_name) {
    return ModelReader(std::move(bytes), file_name).model();
}

std::vector<std::string> row_names(const Model& model) { return predicate_names(model); }

void save_model(const std::filesystem::path& path, const Model& model) {
    write_file(path, model_to_bytes(model, path.string()));
}

Model load_model(const std::filesystem::path& path) {
    return model_from_bytes(read_file(path), path.string());
}

}  // namespace hri
