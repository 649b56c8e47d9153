// SPDX-License-Identifier: Apache-2.0
#pragma once

// Cuts one large set of constants into instances around examples.
//
// An argument's place is a value place if its type only describes others, or if all its constants
// are numbers that occur nowhere else; a constant with very many neighbours is a value everywhere.
// Other occurrences connect constants. Examples whose constants lie in the same connected parts
// share an instance of these parts and the values that they touch. Where that would be too large,
// an example gets the nearest constants alone: then atoms of constants with neighbours outside have
// no label.

#include "data/instances.hpp"

#include <set>
#include <string>
#include <vector>

namespace hri::data {

constexpr int kMaxConstantsUnsplit = 150;  // the automatic choice

class Split {
  public:
    Split(const Problem& problem, const IndexedDataset& data, const ReadOptions& options);

    std::vector<Instance> instances(const std::vector<IndexedDataset::Labelled>& examples);

    /// In a closed world, with the other constants that facts speak of as negative examples of a
    /// unary target: all of small parts, of large ones a few times as many as there are examples.
    std::vector<IndexedDataset::Labelled> closed(
        std::vector<IndexedDataset::Labelled> examples) const;

    /// A note on the last call of instances().
    const std::string& summary() const { return summary_; }

    /// Whether it left examples out.
    bool is_sample() const { return is_sample_; }

  private:
    /// A fact as an edge of the graph.
    struct Edge {
        int input;
        int row;
        std::int32_t constants[2];
        bool is_value[2];
        int arity;
    };

    /// The constants of an instance.
    struct Part {
        std::vector<std::int32_t> entities;  // sorted
        std::vector<std::int32_t> values;    // sorted, without entities
        std::set<std::int32_t> border;       // entities with neighbours outside
    };

    /// Examples of one instance.
    struct Group {
        std::vector<int> components;  // empty: the instance is cut out around the one example
        std::vector<IndexedDataset::Labelled> examples;

        bool is_cut() const { return components.empty(); }
    };

    void find_value_types();
    void find_value_places();
    void find_edges();
    void find_components();
    Part whole_parts(const std::vector<int>& components) const;
    Part around(const IndexedDataset::Labelled& example) const;
    void add_values(Part& part) const;
    Instance instance(const Part& part, const std::vector<IndexedDataset::Labelled>& examples,
                      bool cut) const;
    std::vector<int> components_of(std::int32_t first, std::int32_t second) const;
    std::vector<Group> groups_of(const std::vector<IndexedDataset::Labelled>& examples) const;

    /// A fixed order of which every part is a fair sample: every other group has positive examples,
    /// as long as there are such.
    static std::vector<std::size_t> sampling_order(const std::vector<Group>& groups);

    std::string summary_of(const std::vector<Instance>& instances, std::size_t groups,
                           std::int64_t cuts) const;

    const Problem& problem_;
    const IndexedDataset& data_;
    const ReadOptions& options_;
    int arity_;
    std::set<std::string> value_types_;
    std::vector<std::vector<bool>> value_place_;  // [input][argument]
    std::vector<bool> hub_;                       // [constant]
    std::vector<Edge> edges_;
    std::vector<std::vector<int>> edges_of_;          // [constant] where it is an entity
    std::vector<std::vector<int>> among_values_;      // [constant] facts without entities
    std::vector<int> component_;                      // [constant]
    std::vector<std::vector<std::int32_t>> members_;  // [component]
    std::vector<std::size_t> component_size_;         // with values, [component]
    int number_places_ = 0;
    int hubs_ = 0;
    std::string summary_;
    bool is_sample_ = false;
};

}  // namespace hri::data
