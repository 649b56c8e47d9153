// SPDX-License-Identifier: Apache-2.0
#include "soft/cuda/packed_instances.hpp"

#include <algorithm>
#include <cstring>

namespace hri::soft {

void PackedInstances::clear() {
    bytes_.clear();
    places_.clear();
    constants_ = 0;
}

std::uint64_t PackedInstances::reserve(std::size_t count) {
    constexpr std::size_t kAlignment = 16;
    const std::size_t first = (bytes_.size() + kAlignment - 1) / kAlignment * kAlignment;
    bytes_.resize(first + count);
    return first;
}

int PackedInstances::add(const DenseInstance<float>& dense) {
    const auto n = static_cast<std::size_t>(dense.n);
    const auto area = static_cast<std::size_t>(area_of(dense.n));
    InstancePlace place;
    place.n = dense.n;
    place.inputs = reserve(dense.zero.size() * area * sizeof(float));
    for (std::size_t p = 0; p < dense.zero.size(); ++p)
        for (std::size_t x = 0; x < n; ++x)
            std::memcpy(bytes_.data() + place.inputs + (p * area + x * n) * sizeof(float),
                        dense.matrix(static_cast<int>(p)) + x * static_cast<std::size_t>(dense.ld),
                        n * sizeof(float));
    place.labels = reserve(dense.labels.size());
    for (std::size_t i = 0; i < dense.labels.size(); ++i)
        bytes_[place.labels + i] =
            static_cast<std::byte>(dense.labels[i] == Label::unlabelled
                                       ? std::int8_t(-1)
                                       : std::int8_t(dense.labels[i] == Label::positive ? 1 : 0));
    place.zero = reserve(dense.zero.size());
    for (std::size_t p = 0; p < dense.zero.size(); ++p)
        bytes_[place.zero + p] = static_cast<std::byte>(dense.zero[p] ? 1 : 0);
    place.constants = reserve(dense.constants.size() * sizeof(int));
    if (!dense.constants.empty())
        std::memcpy(bytes_.data() + place.constants, dense.constants.data(),
                    dense.constants.size() * sizeof(int));
    places_.push_back(place);
    constants_ = std::max(constants_, dense.n);
    return static_cast<int>(places_.size()) - 1;
}

int PackedInstances::append(const PackedInstances& other) {
    const std::uint64_t shift = reserve(other.bytes_.size());
    std::copy(other.bytes_.begin(), other.bytes_.end(),
              bytes_.begin() + static_cast<std::ptrdiff_t>(shift));
    const int first = static_cast<int>(places_.size());
    for (InstancePlace place : other.places_) {
        place.inputs += shift;
        place.labels += shift;
        place.zero += shift;
        place.constants += shift;
        places_.push_back(place);
    }
    constants_ = std::max(constants_, other.constants_);
    return first;
}

}  // namespace hri::soft
