// SPDX-License-Identifier: Apache-2.0

// Models as safetensors: eight bytes with the header's length (little-endian), a JSON header that
// names the tensors' types, shapes and offsets, then the data. The "__metadata__" of the header
// holds strings:
//
//   format_version  "1"
//   hri_version     "0.1.0"
//   options         JSON text of every field
//   protorules      one per line
//   inputs, target  JSON text: [["father",2],["mother",2]] and ["grandparent",2]
//   predicates      JSON text: what each row of "predicates" stands for

#include "hri/model.hpp"

#include "model/options_file.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <string_view>

namespace hri {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFormatVersion = "1";
constexpr std::size_t kLengthBytes = 8;
constexpr std::uint64_t kMostHeaderBytes = 64U << 20U;
constexpr std::uint64_t kMostPredicates =
    10'000;  // slots list their candidates: this bounds the memory
constexpr const char* kHint = "the file is damaged or was not written by hri";

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

template <class Unsigned>
void append_little_endian(std::string& bytes, Unsigned value) {
    for (std::size_t i = 0; i < sizeof(Unsigned); ++i) {
        bytes += static_cast<char>(static_cast<unsigned char>(value >> (8 * i)));
    }
}

template <class Unsigned>
Unsigned little_endian(std::string_view bytes) {
    Unsigned value = 0;
    for (std::size_t i = sizeof(Unsigned); i-- > 0;) {
        value = static_cast<Unsigned>((value << 8U) | static_cast<unsigned char>(bytes[i]));
    }
    return value;
}

Json tensor_json(std::size_t rows, int columns, std::size_t& offset) {
    const std::size_t begin = offset;
    offset += rows * static_cast<std::size_t>(columns) * sizeof(float);
    return {{"dtype", "F32"}, {"shape", {rows, columns}}, {"data_offsets", {begin, offset}}};
}

std::string header_text(const Model& model) {
    std::string protorules;
    for (const ProtoRule& rule : model.protorules) {
        protorules += rule.is_link ? "" : to_text(rule) + "\n";
    }
    Json inputs = Json::array();
    for (const PredicateSymbol& input : model.inputs) {
        inputs.push_back(symbol_json(input));
    }
    std::size_t offset = 0;
    Json header;
    header["__metadata__"] = {{"format_version", kFormatVersion},
                              {"hri_version", HRI_VERSION},
                              {"options", options_to_json(model.options).dump()},
                              {"protorules", protorules},
                              {"inputs", inputs.dump()},
                              {"target", symbol_json(model.target).dump()},
                              {"predicates", Json(predicate_names(model)).dump()}};
    const int dimension = model.parameters.dimension;
    header["predicates"] = tensor_json(model.hierarchy.arity.size(), dimension, offset);
    header["slots"] = tensor_json(model.hierarchy.slots.size(), dimension, offset);
    std::string text = header.dump();
    text.append((kLengthBytes - text.size() % kLengthBytes) % kLengthBytes, ' ');  // aligned data
    return text;
}

/// A tensor as the header describes it.
struct Tensor {
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

/// Reads and checks one file. Everything that fails is an Error that names it.
class ModelReader {
  public:
    ModelReader(std::string content, const std::string& file_name)
        : place_{file_name, 0, 0}, content_(std::move(content)) {}

    Model model() {
        read_header();
        read_metadata();
        const Tensor predicates = tensor("predicates");
        const Tensor slots = tensor("slots");
        check_offsets(predicates, slots);
        check_hierarchy(predicates, slots);
        model_.parameters.dimension = static_cast<int>(predicates.columns);
        model_.parameters.predicates = values("predicates", predicates);
        model_.parameters.slots = values("slots", slots);
        return std::move(model_);
    }

  private:
    [[noreturn]] void fail(const std::string& message, const std::string& hint = kHint) const {
        throw Error(message, place_, hint);
    }

    void read_header() {
        if (content_.size() < kLengthBytes) {
            fail(fmt::format("a model has more than {} bytes", content_.size()));
        }
        const auto length = little_endian<std::uint64_t>(content_);
        if (length > kMostHeaderBytes || length > content_.size() - kLengthBytes) {
            fail(fmt::format("the header of {} bytes does not fit into the file of {}", length,
                             content_.size()));
        }
        const std::string_view text = std::string_view(content_).substr(kLengthBytes, length);
        data_ = std::string_view(content_).substr(kLengthBytes + length);
        header_ = parsed(text, "the header");
        if (!header_.is_object()) {
            fail("the header is no JSON object");
        }
        for (const auto& entry : header_.items()) {
            if (entry.key() != "__metadata__" && entry.key() != "predicates" &&
                entry.key() != "slots") {
                fail(fmt::format("there is an unknown tensor '{}'", entry.key()));
            }
        }
    }

    Json parsed(std::string_view text, const std::string& what) const {
        Json json = Json::parse(text.begin(), text.end(), nullptr, false);
        if (json.is_discarded()) {
            fail(what + " is not valid JSON");
        }
        return json;
    }

    std::string metadata(const std::string& key) const {
        const auto metadata = header_.find("__metadata__");
        if (metadata == header_.end() || !metadata->is_object()) {
            fail("the metadata are missing", "only models that hri has written can be read");
        }
        const auto value = metadata->find(key);
        if (value == metadata->end() || !value->is_string()) {
            fail(fmt::format("'{}' is missing in the metadata", key));
        }
        return value->get<std::string>();
    }

    void read_metadata() {
        const std::string version = metadata("format_version");
        if (version != kFormatVersion) {
            fail(fmt::format("the format has version '{}', and this hri reads version {}", version,
                             kFormatVersion),
                 "use the version of hri that wrote it: " + metadata("hri_version"));
        }
        try {
            model_.options = options_from_json(parsed(metadata("options"), "'options'"));
            validate(model_.options);
            model_.protorules =
                joined_in_pairs(parse_protorules(metadata("protorules"), "protorules"));
        } catch (const Error& error) {
            if (error.place().file == place_.file) {
                throw;
            }
            fail(std::string("in the metadata: ") + error.what());
        }
        const Json inputs = parsed(metadata("inputs"), "'inputs'");
        if (!inputs.is_array()) {
            fail("'inputs' is no list of predicates");
        }
        for (const Json& input : inputs) {
            model_.inputs.push_back(symbol(input));
            for (std::size_t i = 0; i + 1 < model_.inputs.size(); ++i) {
                if (model_.inputs[i] == model_.inputs.back()) {
                    fail(fmt::format("the input '{}' is there twice", model_.inputs[i].name));
                }
            }
        }
        model_.target = symbol(parsed(metadata("target"), "'target'"));
    }

    PredicateSymbol symbol(const Json& json) const {
        const bool negated = json.is_array() && json.size() == 3 && json[2] == "negated";
        const bool shaped = json.is_array() && (json.size() == 2 || negated) &&
                            json[0].is_string() && json[1].is_number_unsigned();
        if (!shaped || json[1].get<std::uint64_t>() > 2 || json[0].get<std::string>().empty()) {
            fail("expected predicates as a name and an arity from 0 to 2 in the metadata");
        }
        return {json[0].get<std::string>(), json[1].get<int>(), negated};
    }

    Tensor tensor(const std::string& name) const {
        const auto found = header_.find(name);
        if (found == header_.end() || !found->is_object()) {
            fail(fmt::format("the tensor '{}' is missing", name));
        }
        const Json& json = *found;
        const auto pair = [&](const std::string& key) {
            const auto value = json.find(key);
            const bool shaped = value != json.end() && value->is_array() && value->size() == 2 &&
                                (*value)[0].is_number_unsigned() &&
                                (*value)[1].is_number_unsigned();
            if (!shaped) {
                fail(fmt::format("'{}' of the tensor '{}' are no two numbers", key, name));
            }
            return std::array{(*value)[0].get<std::uint64_t>(), (*value)[1].get<std::uint64_t>()};
        };
        if (json.value("dtype", Json()) != "F32") {
            fail(fmt::format("the tensor '{}' is not of type F32", name));
        }
        const auto shape = pair("shape");
        const auto offsets = pair("data_offsets");
        const std::uint64_t cells = data_.size() / sizeof(float);
        const bool fits = offsets[0] <= offsets[1] && offsets[1] <= data_.size() && shape[0] > 0 &&
                          shape[1] > 0 && shape[0] <= cells && shape[1] <= cells / shape[0] &&
                          offsets[1] - offsets[0] == shape[0] * shape[1] * sizeof(float);
        if (!fits) {
            fail(
                fmt::format("the tensor '{}' of shape ({}, {}) does not fit bytes {} to {} of the "
                            "{} that are there",
                            name, shape[0], shape[1], offsets[0], offsets[1], data_.size()));
        }
        return {shape[0], shape[1], offsets[0], offsets[1]};
    }

    /// The two tensors fill the data without a gap.
    void check_offsets(const Tensor& predicates, const Tensor& slots) const {
        const Tensor& first = predicates.begin <= slots.begin ? predicates : slots;
        const Tensor& second = predicates.begin <= slots.begin ? slots : predicates;
        if (first.begin != 0 || first.end != second.begin || second.end != data_.size()) {
            fail("the tensors do not fill the file");
        }
    }

    void check_hierarchy(const Tensor& predicates, const Tensor& slots) {
        const Options& options = model_.options;
        const std::uint64_t fixed = 2 + model_.inputs.size();
        const std::uint64_t per_layer =
            model_.protorules.size() * static_cast<std::uint64_t>(options.auxiliaries);
        const auto layers = static_cast<std::uint64_t>(options.layers);
        // checked first, because making a hierarchy of any size would take any memory
        if (predicates.rows < fixed + per_layer * (layers - 1) ||
            predicates.rows > fixed + per_layer * layers * (options.negation ? 2 : 1) ||
            predicates.rows > kMostPredicates) {
            fail(fmt::format("{} predicates do not fit the options and proto-rules",
                             predicates.rows));
        }
        if (predicates.columns != slots.columns || predicates.columns < 3 ||
            (options.dimension != 0 &&
             predicates.columns != static_cast<std::uint64_t>(options.dimension))) {
            fail(fmt::format("embeddings of {} and {} dimensions do not fit the options",
                             predicates.columns, slots.columns));
        }
        try {
            model_.hierarchy =
                make_hierarchy(model_.protorules, model_.inputs, model_.target.arity, options);
        } catch (const Error& error) {
            fail(error.message());
        }
        if (model_.hierarchy.arity.size() != predicates.rows ||
            model_.hierarchy.slots.size() != slots.rows) {
            fail(fmt::format("expected {} predicates and {} slots by the options, found {} and {}",
                             model_.hierarchy.arity.size(), model_.hierarchy.slots.size(),
                             predicates.rows, slots.rows));
        }
        if (parsed(metadata("predicates"), "'predicates'") != Json(predicate_names(model_))) {
            fail("the names of the predicates do not fit the options and proto-rules");
        }
    }

    std::vector<float> values(const std::string& name, const Tensor& tensor) const {
        std::vector<float> values(tensor.rows * tensor.columns);
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = std::bit_cast<float>(little_endian<std::uint32_t>(
                data_.substr(tensor.begin + i * sizeof(float), sizeof(float))));
            if (!std::isfinite(values[i])) {
                fail(fmt::format("the tensor '{}' holds a value that is not finite in row {}", name,
                                 i / tensor.columns));
            }
        }
        return values;
    }

    Place place_;
    std::string content_;
    std::string_view data_;
    Json header_;
    Model model_;
};

}  // namespace

std::string model_to_bytes(const Model& model, const std::string& file_name) {
    std::string header;
    try {
        header = header_text(model);
    } catch (const Json::exception&) {
        throw Error("cannot save: a predicate's name is not valid UTF-8", {file_name, 0, 0});
    }
    const std::uint64_t length = header.size();
    std::string bytes;
    append_little_endian(bytes, length);
    bytes += header;
    for (const std::vector<float>* values :
         {&model.parameters.predicates, &model.parameters.slots}) {
        for (const float value : *values) {
            append_little_endian(bytes, std::bit_cast<std::uint32_t>(value));
        }
    }
    return bytes;
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
