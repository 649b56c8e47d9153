// SPDX-License-Identifier: Apache-2.0
#include "train/targets/image_sampler.hpp"

#include "hri/random.hpp"

namespace hri::training {

std::uint64_t seed_of(std::uint64_t seed, std::uint64_t a, std::uint64_t b) {
    return Random(Random(seed, a).next(), b).next();
}

ImageSampler::ImageSampler(const SceneSet& scenes, const std::vector<std::uint32_t>& targets,
                           const MultitaskSettings& settings)
    : seed_(settings.seed), positives_(settings.positives), randoms_(settings.randoms) {
    std::vector<bool> usable(scenes.size());
    for (std::size_t i = 0; i < scenes.size(); ++i)
        usable[i] = scenes[i].objects <= settings.max_objects && scenes[i].objects > 0;
    for (const std::uint32_t target : targets) {
        std::vector<std::uint32_t>& images = with_target_.emplace_back();
        for (const std::uint32_t i : scenes.with_name(target))
            if (usable[i])
                images.push_back(i);
        Random random(seed_of(seed_, target, 0), Random::kData);
        random.shuffle(images);
        if (!images.empty())
            others_.push_back(with_target_.size() - 1);
    }
    for (std::size_t i = 0; others_.size() < 2 && i < usable.size(); ++i)
        if (usable[i])
            all_.push_back(static_cast<std::uint32_t>(i));
}

void ImageSampler::pick(std::vector<std::uint32_t>& images, std::size_t t, int round) const {
    images.clear();
    const std::vector<std::uint32_t>& mine = with_target_[t];
    if (mine.empty())
        return;
    Random random(seed_of(seed_, t, static_cast<std::uint64_t>(round)), Random::kData);
    const auto any_of = [&](const std::vector<std::uint32_t>& some) {
        return some[static_cast<std::size_t>(random.below(static_cast<int>(some.size())))];
    };
    for (int j = 0; j < positives_; ++j)
        images.push_back(
            mine[(static_cast<std::size_t>(round) * static_cast<std::size_t>(positives_) +
                  static_cast<std::size_t>(j)) %
                 mine.size()]);
    for (int j = 0; j < randoms_; ++j) {
        if (!all_.empty()) {
            images.push_back(any_of(all_));
            continue;
        }
        std::size_t other = t;
        while (other == t)
            other =
                others_[static_cast<std::size_t>(random.below(static_cast<int>(others_.size())))];
        images.push_back(any_of(with_target_[other]));
    }
    random.shuffle(images);
}

}  // namespace hri::training
