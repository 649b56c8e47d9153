// SPDX-License-Identifier: Apache-2.0
#pragma once

// Many targets over images on a GPU: a block for each target, or for each target and image. Images,
// parameters and Adam's memory stay there.
//
//   CudaImages images(setup);
//   images.set(numbers);
//   images.train(rounds);                   // returns at once
//   images.get(numbers);

#include "soft/cuda/image_batch.hpp"

#include <memory>
#include <vector>

namespace hri::soft {

class CudaImages {
  public:
    /// Error where the program was built without CUDA, or there is no GPU.
    explicit CudaImages(const ImageSetup& setup);
    CudaImages(CudaImages&&) noexcept;
    ~CudaImages();

    void set(const ImageNumbers& numbers);
    void get(ImageNumbers& numbers);

    void train(const std::vector<ImageRound>& rounds);

    /// (targets, columns)
    const std::vector<float>& values(const ImageContests& contests);
    /// A step of the targets that were valued last.
    void step(const ImageSlopes& slopes, const ImageContests& contests);

    /// The bytes that it takes of the GPU's memory.
    std::size_t bytes() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace hri::soft
