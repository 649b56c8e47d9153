// SPDX-License-Identifier: Apache-2.0
#include "soft/tensor_file.hpp"

#include "base/run_record.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <fmt/format.h>

namespace hri::soft {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLengthBytes = 8;
constexpr std::uint64_t kMaxHeaderBytes = 64U << 20U;
constexpr std::size_t kMaxKeys = 1000;
constexpr const char* kMetadata = "__metadata__";

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

}  // namespace

std::string tensors_to_bytes(const Json& metadata, const std::vector<TensorView>& tensors) {
    Json header;
    header[kMetadata] = metadata;
    std::size_t offset = 0;
    for (const TensorView& tensor : tensors) {
        const std::size_t begin = offset;
        offset += tensor.rows * tensor.columns * sizeof(float);
        header[tensor.name] = {{"dtype", "F32"},
                               {"shape", {tensor.rows, tensor.columns}},
                               {"data_offsets", {begin, offset}}};
    }
    std::string text = header.dump();
    text.append((kLengthBytes - text.size() % kLengthBytes) % kLengthBytes, ' ');  // aligned data
    std::string bytes;
    bytes.reserve(kLengthBytes + text.size() + offset);
    const std::uint64_t length = text.size();
    append_little_endian(bytes, length);
    bytes += text;
    for (const TensorView& tensor : tensors) {
        for (std::size_t i = 0; i < tensor.rows * tensor.columns; ++i) {
            append_little_endian(bytes, std::bit_cast<std::uint32_t>(tensor.values[i]));
        }
    }
    return bytes;
}

TensorFile::TensorFile(std::string content, const std::string& file_name)
    : place_{file_name, 0, 0}, content_(std::move(content)) {
    if (content_.size() < kLengthBytes) {
        fail(fmt::format("a model has more than {} bytes", content_.size()));
    }
    const auto length = little_endian<std::uint64_t>(content_);
    if (length > kMaxHeaderBytes || length > content_.size() - kLengthBytes) {
        fail(fmt::format("the header of {} bytes does not fit into the file of {}", length,
                         content_.size()));
    }
    const std::string_view text = std::string_view(content_).substr(kLengthBytes, length);
    data_ = std::string_view(content_).substr(kLengthBytes + length);
    header_ = base::parse_json(text, file_name);
    if (!header_.is_object()) {
        fail("the header is no JSON object");
    }
}

void TensorFile::fail(const std::string& message) const {
    fail(message, "the file is damaged or was not written by hri");
}

void TensorFile::fail(const std::string& message, const std::string& hint) const {
    throw Error(message, place_, hint);
}

void TensorFile::check_names(const std::vector<std::string>& known) const {
    for (const auto& entry : header_.items()) {
        if (entry.key() != kMetadata &&
            std::find(known.begin(), known.end(), entry.key()) == known.end()) {
            fail(fmt::format("there is an unknown tensor '{}'", entry.key()));
        }
    }
}

void TensorFile::check_offsets() const {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> parts;
    for (const auto& entry : header_.items()) {
        if (entry.key() != kMetadata) {
            const Tensor part = tensor(entry.key());
            parts.emplace_back(part.begin, part.end);
        }
    }
    std::sort(parts.begin(), parts.end());
    std::uint64_t end = 0;
    for (const auto& [begin, its_end] : parts) {
        if (begin != end) {
            fail("the tensors do not fill the file");
        }
        end = its_end;
    }
    if (end != data_.size()) {
        fail("the tensors do not fill the file");
    }
}

Json TensorFile::parsed(std::string_view text, const std::string& what) const {
    // keys in the order of the text are looked up one by one: that bears a few
    if (base::check_json_nesting(text, place_.file) > kMaxKeys) {
        fail(what + " has too many keys");
    }
    Json json = Json::parse(text.begin(), text.end(), nullptr, false);
    if (json.is_discarded()) {
        fail(what + " is not valid JSON");
    }
    return json;
}

std::string TensorFile::metadata(const std::string& key) const {
    const auto metadata = header_.find(kMetadata);
    if (metadata == header_.end() || !metadata->is_object()) {
        fail("the metadata are missing", "only models that hri has written can be read");
    }
    const auto value = metadata->find(key);
    if (value == metadata->end() || !value->is_string()) {
        fail(fmt::format("'{}' is missing in the metadata", key));
    }
    return value->get<std::string>();
}

Tensor TensorFile::tensor(const std::string& name) const {
    const auto found = header_.find(name);
    if (found == header_.end() || !found->is_object()) {
        fail(fmt::format("the tensor '{}' is missing", name));
    }
    const nlohmann::json& json = *found;
    const auto pair = [&](const std::string& key) {
        const auto value = json.find(key);
        const bool shaped = value != json.end() && value->is_array() && value->size() == 2 &&
                            (*value)[0].is_number_unsigned() && (*value)[1].is_number_unsigned();
        if (!shaped) {
            fail(fmt::format("'{}' of the tensor '{}' are no two numbers", key, name));
        }
        return std::array{(*value)[0].get<std::uint64_t>(), (*value)[1].get<std::uint64_t>()};
    };
    if (json.value("dtype", nlohmann::json()) != "F32") {
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

std::vector<float> TensorFile::values(const std::string& name) const {
    const Tensor tensor = this->tensor(name);
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

std::vector<float> TensorFile::values(const std::string& name, std::size_t rows,
                                      std::size_t columns) const {
    const Tensor found = tensor(name);
    if (found.rows != rows || found.columns != columns) {
        fail(fmt::format("the tensor '{}' has shape ({}, {}) instead of ({}, {})", name, found.rows,
                         found.columns, rows, columns));
    }
    return values(name);
}

}  // namespace hri::soft
