// SPDX-License-Identifier: Apache-2.0
#pragma once

// Safetensors files: eight bytes with the header's length (little-endian), a JSON header that names
// the tensors' types, shapes and offsets, then the data. The header's "__metadata__" holds strings.
// Here every tensor is a matrix of F32.

#include "hri/error.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace hri::soft {

/// A tensor to write: (rows, columns), row after row.
struct TensorView {
    std::string name;
    std::size_t rows = 0;
    std::size_t columns = 0;
    const float* values = nullptr;
};

/// The bytes of a file. Throws nlohmann's exception where a string is no UTF-8.
std::string tensors_to_bytes(const nlohmann::ordered_json& metadata,
                             const std::vector<TensorView>& tensors);

/// A tensor as a header describes it.
struct Tensor {
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

/// Reads and checks one file. Everything that fails is an Error that names it.
class TensorFile {
  public:
    using Json = nlohmann::ordered_json;

    TensorFile(std::string content, const std::string& file_name);
    TensorFile(const TensorFile&) = delete;
    TensorFile& operator=(const TensorFile&) = delete;

    [[noreturn]] void fail(const std::string& message) const;
    [[noreturn]] void fail(const std::string& message, const std::string& hint) const;

    const std::string& file_name() const { return place_.file; }

    /// An Error where there is another tensor.
    void check_names(const std::vector<std::string>& known) const;
    /// The tensors fill the data without a gap.
    void check_offsets() const;

    std::string metadata(const std::string& key) const;
    Json parsed(std::string_view text, const std::string& what) const;

    bool has(const std::string& name) const { return header_.contains(name); }

    Tensor tensor(const std::string& name) const;
    /// All finite.
    std::vector<float> values(const std::string& name) const;
    /// The same of a tensor whose shape is known.
    std::vector<float> values(const std::string& name, std::size_t rows, std::size_t columns) const;

  private:
    Place place_;
    std::string content_;
    std::string_view data_;
    nlohmann::json header_;  // sorted keys: looked up by name
};

}  // namespace hri::soft
