// SPDX-License-Identifier: Apache-2.0
#pragma once

// One target on one image in phases: of all predicates only those in the image take part, so that
// the model is a small one. Its plan depends on nothing but the numbers of names and relations.

#include "hri/scenes.hpp"

#include "soft/cuda/batch.hpp"
#include "soft/cuda/iterate.hpp"

#include <cstdint>

namespace hri::soft {

/// The place of an image's facts among those of all images.
struct ImageFacts {
    int objects = 0;
    float cost = 0;  // of a job, to begin with the longest
    int name_first = 0, name_last = 0;
    int relation_first = 0, relation_last = 0;
};

/// One target on one image, where neither the target nor `hidden` is known.
struct ImageJob {
    int image = -1;  // none
    int target = 0;  // by its place
    std::uint32_t hidden = UINT32_MAX;
    int object_first = 0, object_last = 0;  // that are judged, among those of the contests
    int column = 0;                         // of the first of them
    unsigned long long seed = 0;
};

/// Numbers of a run that do not change.
struct ImageSizes {
    int predicates = 0;
    int targets = 0;
    int dimension = 0;
    int auxiliaries = 0;  // of a target
    int slots = 0;
    int plan_stride = 0;  // of the numbers of relations
    int trains_predicates = 1;

    HRI_BOTH int auxiliary_count() const { return auxiliaries * dimension; }

    HRI_BOTH int slot_count() const { return slots * dimension; }

    HRI_BOTH int own_count() const { return slot_count() + auxiliary_count(); }

    HRI_BOTH int background_count() const { return predicates * dimension; }
};

/// The buffers that all jobs read and write.
struct ImageTables {
    ImageSizes sizes;
    const PlanView* plans;  // (numbers of names, of relations)
    const ImageFacts* images;
    const SceneLabel* names;
    const SceneRelation* relations;
    const std::uint32_t* target;   // (targets): predicates
    const std::uint32_t* objects;  // of contests
    const float* slopes;           // (targets, columns)
    float* values;                 // (targets, columns)
    int columns;
    // parameters and what Adam remembers
    float *background, *background_mean, *background_square;  // (predicates, dimension)
    float *auxiliaries, *auxiliary_mean, *auxiliary_square;   // (targets, auxiliaries, dimension)
    float *slots, *slot_mean, *slot_square;                   // (targets, slots, dimension)
    float* loss;                                              // (targets)
    float* gradient;                                          // (targets, predicates, dimension)
    float* own_sum;  // (targets, slots and auxiliaries, dimension)
};

constexpr int kMaxPresent = 120;  // predicates of an image

struct ImageWork {
    DenseWork<float> w;
    ImageTables tables;
    ImageJob job;
    ImageFacts facts;
    std::uint32_t own;  // the target's predicate
    int present_count;
    std::uint32_t present[kMaxPresent];  // ascending, so names first
    float* rows;                         // (predicates of the model, dimension)
    float* inputs;
    std::int8_t *label, *zero;
};

/// The predicates of an image, but for two: fills `present`, returns how many are names.
HRI_BOTH inline int list_present(ImageWork& work) {
    work.present_count = 0;
    const auto note = [&](std::uint32_t p) {  // facts are sorted by predicate
        if (p == work.own || p == work.job.hidden)
            return;
        if (work.present_count > 0 && work.present[work.present_count - 1] == p)
            return;
        if (work.present_count < kMaxPresent)
            work.present[work.present_count++] = p;
    };
    for (int i = work.facts.name_first; i < work.facts.name_last; ++i)
        note(work.tables.names[i].predicate);
    const int names = work.present_count;
    for (int i = work.facts.relation_first; i < work.facts.relation_last; ++i)
        note(work.tables.relations[i].predicate);
    return names;
}

/// The buffers of an image, beside those of its model.
template <class Piece>
HRI_BOTH inline void place_image(ImageWork& work, Piece& memory) {
    const PlanView& plan = work.w.plan;
    const auto matrices = static_cast<std::size_t>(plan.inputs_end);
    work.rows = memory.template take<float>(work.w.predicate_count());
    work.inputs = memory.template take<float>(matrices * static_cast<std::size_t>(plan.area));
    work.label = memory.template take<std::int8_t>(static_cast<std::size_t>(plan.n));
    work.zero = memory.template take<std::int8_t>(matrices);
    work.w.outcome = memory.template take<float>(2);
}

/// Begins a job: one thread.
HRI_BOTH inline void begin_job(ImageWork& work, const ImageTables& tables, const ImageJob& job,
                               const DenseIteration& now, std::byte* memory, std::byte* fast,
                               std::size_t fast_bytes) {
    work.tables = tables;
    work.job = job;
    work.facts = tables.images[job.image];
    work.own = tables.target[job.target];
    const int names = list_present(work);
    const int relations = work.present_count - names;
    work.w = DenseWork<float>{};
    work.w.plan = tables.plans[names * tables.sizes.plan_stride + relations];
    set_constants(work.w.plan, work.facts.objects);
    work.w.now = now;
    work.w.seed = job.seed;
    MemoryPiece slow{memory};
    MemoryPiece quick{fast};
    place_image(work, slow);
    place_buffers(work.w, slow, quick, fast_bytes);
    work.w.predicates = work.rows;
    work.w.slots = tables.slots + job.target * tables.sizes.slot_count();
    work.w.inputs = work.inputs;
    work.w.label = work.label;
    work.w.zero = work.zero;
}

namespace phases {

HRI_BOTH inline int place_of(const ImageWork& work, std::uint32_t predicate) {
    for (int i = 0; i < work.present_count; ++i)
        if (work.present[i] == predicate)
            return i;
    return -1;
}

// True, False and empty relations; no labels. Items: (inputs, area).
HRI_BOTH inline void clear_image(const ImageWork& work, int item, At) {
    const PlanView& plan = work.w.plan;
    work.inputs[item] = item < plan.cells ? 1.0F : 0.0F;
    if (item < plan.n)
        work.label[item] = 0;
    if (item < plan.inputs_end)
        work.zero[item] = item == Hierarchy::kFalse ? 1 : 0;
}

// Items: facts.
HRI_BOTH inline void fill_image(const ImageWork& work, int item, At) {
    const PlanView& plan = work.w.plan;
    const int names = work.facts.name_last - work.facts.name_first;
    if (item >= names) {
        const SceneRelation& fact = work.tables.relations[work.facts.relation_first + item - names];
        const int place = place_of(work, fact.predicate);
        if (place >= 0)
            work.inputs[(2 + place) * plan.area + static_cast<int>(fact.subject) * plan.n +
                        static_cast<int>(fact.object)] = 1;
        return;
    }
    const SceneLabel& fact = work.tables.names[work.facts.name_first + item];
    if (fact.predicate == work.own) {
        work.label[fact.object] = 1;
        return;
    }
    const int place = place_of(work, fact.predicate);
    if (place < 0)
        return;
    float* row = work.inputs + (2 + place) * plan.area + static_cast<int>(fact.object) * plan.n;
    for (int y = 0; y < plan.n; ++y)
        row[y] = 1;
}

// The embeddings of True, False, the image's predicates and auxiliaries. Items: entries of rows.
HRI_BOTH inline void gather_rows(const ImageWork& work, int item, At) {
    const int d = work.w.plan.dimension;
    const int row = item / d;
    const int k = item % d;
    float value = row == k ? 1.0F : 0.0F;  // True is (1, 0, ...), False (0, 1, ...)
    if (row >= 2 + work.present_count)
        value = work.tables.auxiliaries[work.job.target * work.tables.sizes.auxiliary_count() +
                                        (row - 2 - work.present_count) * d + k];
    else if (row >= 2)
        value = work.tables.background[static_cast<int>(work.present[row - 2]) * d + k];
    work.rows[item] = value;
}

// Items: entries of rows of the image's predicates.
HRI_BOTH inline void scatter_gradient(const ImageWork& work, int item, At) {
    const int d = work.w.plan.dimension;
    const ImageSizes& sizes = work.tables.sizes;
    work.tables.gradient[work.job.target * sizes.background_count() +
                         static_cast<int>(work.present[item / d]) * d + item % d] +=
        work.w.d_predicates[2 * d + item];
}

/// One number's step of Adam.
HRI_BOTH inline void adam_step(float& value, float& mean, float& square, float g, double rate,
                               double correction) {
    mean = 0.9F * mean + 0.1F * g;
    square = 0.999F * square + 0.001F * g * g;
    value -=
        static_cast<float>(rate) * mean / (root(square) * static_cast<float>(correction) + 1e-8F);
}

/// A step of entry `item` of a target's own parameters: slots, then auxiliaries.
HRI_BOTH inline void step_own(const ImageTables& tables, int target, int item, float g,
                              const DenseIteration& now) {
    const int slots = tables.sizes.slot_count();
    if (item < slots) {
        const int i = target * slots + item;
        adam_step(tables.slots[i], tables.slot_mean[i], tables.slot_square[i], g, now.slot_rate,
                  now.correction);
    } else if (tables.sizes.trains_predicates != 0) {
        const int i = target * tables.sizes.auxiliary_count() + item - slots;
        adam_step(tables.auxiliaries[i], tables.auxiliary_mean[i], tables.auxiliary_square[i], g,
                  now.slot_rate, now.correction);
    }
}

HRI_BOTH inline float own_gradient(const ImageWork& work, int item) {
    const int slots = work.tables.sizes.slot_count();
    return item < slots
               ? work.w.d_slots[item]
               : work.w
                     .d_predicates[(2 + work.present_count) * work.w.plan.dimension + item - slots];
}

// Items: the target's own parameters.
HRI_BOTH inline void train_own(const ImageWork& work, int item, At) {
    step_own(work.tables, work.job.target, item, own_gradient(work, item), work.w.now);
}

// Items: the target's own parameters.
HRI_BOTH inline void sum_own(const ImageWork& work, int item, At) {
    work.tables.own_sum[work.job.target * work.tables.sizes.own_count() + item] +=
        own_gradient(work, item);
}

// The loss's moving mean. One item.
HRI_BOTH inline void keep_loss(const ImageWork& work, int, At at) {
    float& mean = work.tables.loss[work.job.target];
    mean = at.flag ? work.w.outcome[0] : 0.98F * mean + 0.02F * work.w.outcome[0];
}

// Valuations of the objects of a contest. Items: these.
HRI_BOTH inline void give_values(const ImageWork& work, int item, At) {
    const ImageJob& job = work.job;
    work.tables.values[job.target * work.tables.columns + job.column + item] =
        work.w.target[work.tables.objects[job.object_first + item]];
}

// Slopes by the valuations of a contest's objects. Items: objects of the image.
HRI_BOTH inline void take_slopes(const ImageWork& work, int item, At) {
    const ImageJob& job = work.job;
    float slope = 0;
    for (int i = job.object_first; i < job.object_last; ++i)
        if (static_cast<int>(work.tables.objects[i]) == item)
            slope =
                work.tables
                    .slopes[job.target * work.tables.columns + job.column + i - job.object_first];
    work.w.d_target[item] = slope;
}

// A step of the shared table against the gradients of all targets, in their order. Items: entries.
HRI_BOTH inline void step_background(const ImageTables& tables, int item,
                                     const DenseIteration& now) {
    float sum = 0;
    for (int t = 0; t < tables.sizes.targets; ++t)
        sum += tables.gradient[static_cast<long long>(t) * tables.sizes.background_count() + item];
    adam_step(tables.background[item], tables.background_mean[item], tables.background_square[item],
              sum, now.predicate_rate, now.correction);
}

}  // namespace phases

HRI_EITHER
template <class Executor>
HRI_BOTH void fill_job(const Executor& run, const ImageWork& work) {
    const PlanView& plan = work.w.plan;
    run.template each<phases::clear_image>(work, plan.inputs_end * plan.area, {});
    run.template each<phases::fill_image>(work,
                                          work.facts.name_last - work.facts.name_first +
                                              work.facts.relation_last - work.facts.relation_first,
                                          {});
    run.template each<phases::gather_rows>(work, plan.predicates * plan.dimension, {});
    unify(run, work.w);
    forward(run, work.w);
}

/// An image of a target that is trained by itself: a step of its own parameters.
HRI_EITHER
template <class Executor>
HRI_BOTH void train_job(const Executor& run, const ImageWork& work, bool is_first) {
    const ImageSizes& sizes = work.tables.sizes;
    fill_job(run, work);
    measure_loss(run, work.w);
    backward(run, work.w);
    phases::At at;
    at.flag = is_first;
    run.template each<phases::keep_loss>(work, 1, at);
    run.template each<phases::train_own>(work, sizes.own_count(), {});
    if (sizes.trains_predicates != 0)
        run.template each<phases::scatter_gradient>(work, work.present_count * sizes.dimension, {});
}

/// The valuations of the objects of a contest.
HRI_EITHER
template <class Executor>
HRI_BOTH void value_job(const Executor& run, const ImageWork& work) {
    fill_job(run, work);
    run.template each<phases::give_values>(work, work.job.object_last - work.job.object_first, {});
}

/// Adds the gradient against the slopes of a contest to the target's sums.
HRI_EITHER
template <class Executor>
HRI_BOTH void slope_job(const Executor& run, const ImageWork& work) {
    fill_job(run, work);
    run.template each<phases::take_slopes>(work, work.w.plan.n, {});
    backward(run, work.w);
    const ImageSizes& sizes = work.tables.sizes;
    run.template each<phases::sum_own>(work, sizes.own_count(), {});
    if (sizes.trains_predicates != 0)
        run.template each<phases::scatter_gradient>(work, work.present_count * sizes.dimension, {});
}

}  // namespace hri::soft
