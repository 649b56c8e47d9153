// SPDX-License-Identifier: Apache-2.0
#pragma once

// Instances in one piece of memory, as the phases read them.
//
//   PackedInstances packed;
//   const int number = packed.add(dense);
//   set_instance(work, packed.place(number), packed.bytes().data());

#include "soft/cuda/dense_work.hpp"
#include "soft/dense.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hri::soft {

/// Where the parts of an instance begin, in bytes.
struct InstancePlace {
    int n = 0;
    std::uint64_t inputs = 0;     // (matrices, area)
    std::uint64_t labels = 0;     // (atoms)
    std::uint64_t zero = 0;       // (matrices)
    std::uint64_t constants = 0;  // of the proto-rules
};

class PackedInstances {
  public:
    void clear();
    /// Its number.
    int add(const DenseInstance<float>& dense);
    /// Those of another after the own ones; the number of its first.
    int append(const PackedInstances& other);

    const std::vector<std::byte>& bytes() const { return bytes_; }

    const std::vector<InstancePlace>& places() const { return places_; }

    /// The constants of the largest instance.
    int constants() const { return constants_; }

  private:
    std::uint64_t reserve(std::size_t count);

    std::vector<std::byte> bytes_;
    std::vector<InstancePlace> places_;
    int constants_ = 0;
};

template <class Real>
HRI_BOTH inline void set_instance(DenseWork<Real>& w, const InstancePlace& place,
                                  const std::byte* bytes) {
    set_constants(w.plan, place.n);
    w.inputs = reinterpret_cast<const Real*>(bytes + place.inputs);
    w.label = reinterpret_cast<const std::int8_t*>(bytes + place.labels);
    w.zero = reinterpret_cast<const std::int8_t*>(bytes + place.zero);
    w.constant = reinterpret_cast<const int*>(bytes + place.constants);
}

}  // namespace hri::soft
