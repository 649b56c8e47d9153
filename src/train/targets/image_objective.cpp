// SPDX-License-Identifier: Apache-2.0
#include "train/targets/image_objective.hpp"

#include "base/checked_size.hpp"

#include <algorithm>

namespace hri::training {

namespace {

Hierarchy small_hierarchy(const ProtoRules& protorules, std::size_t names, std::size_t relations,
                          const Options& options) {
    std::vector<PredicateSymbol> inputs(names, {"name", 1});
    inputs.resize(names + relations, {"relation", 2});
    return make_hierarchy(protorules, inputs, 1, options);
}

}  // namespace

ImageObjective::Small::Small(const ProtoRules& protorules, std::size_t names, std::size_t relations,
                             const Options& options, int dimension)
    : hierarchy(small_hierarchy(protorules, names, relations, options)),
      objective(hierarchy, protorules, dimension, options),
      noise(hierarchy, 0) {
    const auto d = static_cast<std::size_t>(dimension);
    predicates.assign(hierarchy.arity.size() * d, 0.0F);
    predicates[0] = 1;      // True
    predicates[d + 1] = 1;  // False
    noisy_predicates.resize(predicates.size());
    d_predicates.resize(predicates.size());
    slots.resize(hierarchy.slots.size() * d);
    noisy_slots.resize(slots.size());
    d_slots.resize(slots.size());
}

ImageObjective::ImageObjective(const Options& options, const ProtoRules& protorules, int dimension,
                               std::size_t predicates)
    : options_(options),
      protorules_(protorules),
      dimension_(static_cast<std::size_t>(dimension)),
      place_(predicates, -1) {
    options_.mask_absent = false;  // all that is here is present
    present_.reserve(predicates);
}

void ImageObjective::list_present(const Scene& scene, std::uint32_t target, std::uint32_t hidden) {
    for (const std::uint32_t p : present_)
        place_[p] = -1;
    present_.clear();
    const auto note = [&](std::uint32_t p) {  // facts are sorted by predicate
        if (p != target && p != hidden && (present_.empty() || present_.back() != p)) {
            place_[p] = static_cast<int>(present_.size());
            present_.push_back(p);
        }
    };
    for (const SceneLabel& name : scene.names)
        note(name.predicate);
    names_ = present_.size();
    for (const SceneRelation& relation : scene.relations)
        note(relation.predicate);
}

void ImageObjective::fill(const Scene& scene, std::uint32_t target) {
    const int n = scene.objects;
    const int ld = soft::stride_for<float>(n);
    const std::size_t matrices = 2 + present_.size();
    dense_.n = n;
    dense_.ld = ld;
    dense_.target_arity = 1;
    dense_.values.assign(
        base::checked_size(
            "matrices of an image",
            {{"predicates", static_cast<std::int64_t>(matrices)}, {"objects", n}, {"columns", ld}},
            sizeof(float)),
        0.0F);
    dense_.zero.assign(matrices, false);
    dense_.zero[Hierarchy::kFalse] = true;
    dense_.labels.assign(static_cast<std::size_t>(n), Label::negative);
    const auto row = [&](int matrix, std::uint32_t x) {
        return dense_.values.data() + (matrix * n + static_cast<int>(x)) * ld;
    };
    for (int x = 0; x < n; ++x)
        std::fill_n(row(0, static_cast<std::uint32_t>(x)), n, 1.0F);
    for (const SceneLabel& name : scene.names) {
        if (name.predicate == target)
            dense_.labels[name.object] = Label::positive;
        else if (place_[name.predicate] >= 0)
            std::fill_n(row(2 + place_[name.predicate], name.object), n, 1.0F);
    }
    for (const SceneRelation& relation : scene.relations)
        row(2 + place_[relation.predicate], relation.subject)[relation.object] = 1;
}

ImageObjective::Small& ImageObjective::small() {
    const std::size_t relations = present_.size() - names_;
    if (small_.size() <= names_)
        small_.resize(names_ + 1);
    if (small_[names_].size() <= relations)
        small_[names_].resize(relations + 1);
    std::unique_ptr<Small>& small = small_[names_][relations];
    if (!small)
        small = std::make_unique<Small>(protorules_, names_, relations, options_,
                                        static_cast<int>(dimension_));
    return *small;
}

float ImageObjective::loss(const Scene& scene, std::uint32_t target, const Point& point,
                           const NoiseLevels& weather, std::uint64_t seed, std::uint32_t hidden) {
    list_present(scene, target, hidden);
    fill(scene, target);
    now_ = &small();

    const int dimension = static_cast<int>(dimension_);
    float* to = now_->predicates.data() + 2 * dimension_;
    for (const std::uint32_t p : present_)
        to = std::copy_n(point.background + p * dimension_, dimension_, to);
    std::copy_n(point.auxiliaries, now_->hierarchy.auxiliaries.size() * dimension_, to);
    Noise& noise = now_->noise;
    noise.reseed(seed);
    noise.add_gaussian(now_->noisy_predicates, now_->predicates, dimension, 2, 2,
                       options_.train_predicates ? weather.predicate_noise : 0.0);
    std::copy_n(point.slots, now_->slots.size(), now_->slots.begin());
    noise.add_gaussian(now_->noisy_slots, now_->slots, dimension, 0, 0, weather.slot_noise);
    const float* gumbel = noise.gumbel(weather.gumbel, options_.gumbel_convention);
    return now_->objective.loss(now_->noisy_predicates.data(), now_->noisy_slots.data(), gumbel,
                                static_cast<float>(weather.temperature), dense_,
                                options_.train_steps);
}

void ImageObjective::gradient(const float* d_target) {
    now_->objective.gradient(now_->d_predicates.data(), now_->d_slots.data(), d_target);
}

void ImageObjective::add_background_gradient(float* d_background) const {
    const float* from = now_->d_predicates.data() + 2 * dimension_;
    for (const std::uint32_t p : present_) {
        float* to = d_background + p * dimension_;
        for (std::size_t k = 0; k < dimension_; ++k)
            to[k] += from[k];
        from += dimension_;
    }
}

const float* ImageObjective::d_auxiliaries() const {
    return now_->d_predicates.data() + (2 + present_.size()) * dimension_;
}

const float* ImageObjective::d_slots() const { return now_->d_slots.data(); }

const std::vector<float>& ImageObjective::target() const { return now_->objective.target(); }

}  // namespace hri::training
