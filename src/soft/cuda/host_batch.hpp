// SPDX-License-Identifier: Apache-2.0
#pragma once

// A batch on the processor, phase by phase: what CudaBatch is tested against.

#include "soft/cuda/batch.hpp"
#include "soft/cuda/iterate.hpp"

#include <algorithm>
#include <cstdint>

namespace hri::soft {

class HostBatch {
  public:
    HostBatch(const Hierarchy& hierarchy, const ProtoRules& protorules, const Options& options,
              int dimension, int steps, int models)
        : plan_(make_dense_plan(hierarchy, protorules, options, dimension, {1, steps, 64, 1})),
          works_(static_cast<std::size_t>(models)),
          lasting_(works_.size()),
          buffers_(works_.size()) {
        const BatchBytes bytes = bytes_of(plan_.view());
        for (std::size_t m = 0; m < works_.size(); ++m) {
            works_[m].plan = plan_.view();
            lasting_[m].assign(bytes.lasting, std::byte{0});
            MemoryPiece memory{lasting_[m].data()};
            place_lasting(works_[m], memory);
        }
    }

    void set(int model, const Parameters& parameters, std::uint64_t seed) {
        DenseWork<float>& w = works_[static_cast<std::size_t>(model)];
        std::fill(lasting_[static_cast<std::size_t>(model)].begin(),
                  lasting_[static_cast<std::size_t>(model)].end(), std::byte{0});
        w.seed = seed;
        std::copy(parameters.predicates.begin(), parameters.predicates.end(), w.predicates);
        std::copy(parameters.slots.begin(), parameters.slots.end(), w.slots);
    }

    void get(int model, Parameters& parameters) {
        const DenseWork<float>& w = works_[static_cast<std::size_t>(model)];
        parameters.predicates.assign(w.predicates, w.predicates + w.predicate_count());
        parameters.slots.assign(w.slots, w.slots + w.slot_count());
    }

    void start(const BatchRound& round) {
        if (round.instances != nullptr)
            instances_ = *round.instances;
        outcomes_.clear();
        for (std::size_t i = 0; i < round.models.size(); ++i)
            for (std::size_t k = 0; k < round.iterations.size(); ++k)
                iterate_once(round, i, k);
    }

    /// (models, iterations)
    const std::vector<BatchOutcome>& finish() { return outcomes_; }

    std::vector<float> gradient(int i) const {
        const DenseWork<float>& w = works_[static_cast<std::size_t>(i)];
        std::vector<float> result(w.d_predicates, w.d_predicates + w.predicate_count());
        result.insert(result.end(), w.d_slots, w.d_slots + w.slot_count());
        return result;
    }

    std::vector<float> target(int i) const {
        const DenseWork<float>& w = works_[static_cast<std::size_t>(i)];
        return {w.target, w.target + w.plan.atoms};
    }

  private:
    void iterate_once(const BatchRound& round, std::size_t i, std::size_t k) {
        const auto m = static_cast<std::size_t>(round.models[i]);
        DenseWork<float>& w = works_[m];
        const int number = round.instance[i * round.iterations.size() + k];
        set_instance(w, instances_.places()[static_cast<std::size_t>(number)],
                     instances_.bytes().data());
        w.given_gumbel = round.gumbel.empty() ? nullptr : round.gumbel.data();
        w.now = round.iterations[k];
        buffers_[m].assign(bytes_of(w.plan).buffers, std::byte{0xA5});  // poisoned
        MemoryPiece memory{buffers_[m].data()};
        MemoryPiece none;
        place_buffers(w, memory, none, 0);
        const HostExecutor run;
        if (round.does == BatchRound::Does::train) {
            iterate(run, w);
        } else {
            unify(run, w);
            forward(run, w);
            measure_loss(run, w);
            if (round.does == BatchRound::Does::differentiate)
                backward(run, w);
        }
        outcomes_.push_back({w.outcome[0], w.outcome[1]});
    }

    DensePlan plan_;
    std::vector<DenseWork<float>> works_;
    std::vector<std::vector<std::byte>> lasting_, buffers_;
    PackedInstances instances_;
    std::vector<BatchOutcome> outcomes_;
};

}  // namespace hri::soft
