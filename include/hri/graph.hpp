// SPDX-License-Identifier: Apache-2.0
#pragma once

// Knowledge graphs: triples of head, relation and tail, and rules about them with their evidence.
//
//   GraphData data = read_graph("wn18rr/");
//   Graph graph(data);                                     // the training triples as adjacency
//   for (std::uint32_t tail : graph.neighbours(head, forward(relation))) ...

#include "hri/error.hpp"

#include <array>
#include <compare>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hri {

/// Texts and their ids, which count from 0 in the order of their first use.
class Names {
  public:
    std::uint32_t intern(std::string_view name);
    std::optional<std::uint32_t> find(std::string_view name) const;

    const std::string& operator[](std::uint32_t id) const { return texts_[id]; }

    std::size_t size() const { return texts_.size(); }

  private:
    std::deque<std::string> texts_;  // texts stay where they are: ids_ looks at them
    std::unordered_map<std::string_view, std::uint32_t> ids_;
};

struct Triple {
    std::uint32_t head = 0;
    std::uint32_t relation = 0;
    std::uint32_t tail = 0;
    auto operator<=>(const Triple&) const = default;
};

/// The triples of a folder. Ids are shared by its parts.
struct GraphData {
    std::string name;
    Names entities;
    Names relations;
    std::vector<Triple> training;  ///< train.* and facts.*, or a single file
    std::vector<Triple> valid;
    std::vector<Triple> test;
    std::vector<std::string> warnings;

    GraphData() = default;
    GraphData(GraphData&&) = default;
    GraphData& operator=(GraphData&&) = default;
    GraphData(const GraphData&) = delete;  // the ids look at the texts of their own names
    GraphData& operator=(const GraphData&) = delete;
    ~GraphData() = default;
};

/// Reads a file of triples, or a folder with facts, train, valid and test; lines of three cells
/// with tabs between them (.txt, .tsv), or N-Triples (.nt), each also compressed (.gz). Throws
/// Error.
GraphData read_graph(const std::filesystem::path& path);
/// A folder that holds train or facts in one of these formats, or a file of triples by its name.
bool looks_like_graph(const std::filesystem::path& path);

/// Adds the triples of a text; `n_triples` says in which of the two formats.
void read_graph_text(std::string_view text, const std::string& file, bool n_triples,
                     GraphData& into, std::vector<Triple>& triples);

/// A relation, followed from head to tail or back. Even codes go forward.
using StepCode = std::uint32_t;

constexpr StepCode forward(std::uint32_t relation) { return 2 * relation; }

constexpr StepCode backward(std::uint32_t relation) { return 2 * relation + 1; }

constexpr StepCode opposite(StepCode step) { return step ^ 1U; }

constexpr std::uint32_t relation_of(StepCode step) { return step >> 1U; }

constexpr bool is_backward(StepCode step) { return (step & 1U) != 0; }

/// An edge as seen from one of its ends.
struct Edge {
    std::uint32_t target = 0;
    StepCode step = 0;
    auto operator<=>(const Edge&) const = default;
};

/// A relation that rules define: it holds of (X,Y) where one of its steps leads from X to Y.
struct InventedRelation {
    std::uint32_t relation = 0;
    std::vector<StepCode> steps;
    auto operator<=>(const InventedRelation&) const = default;
};

/// Adjacency of the training triples, both ways. Memory is linear in the triples, whatever the
/// number of relations.
class Graph {
  public:
    /// The graph with the facts of invented relations, where rules have any.
    explicit Graph(const GraphData& data, std::span<const InventedRelation> invented = {});
    Graph(std::size_t entities, std::size_t relations, std::vector<Triple> triples);

    std::uint32_t entities() const { return static_cast<std::uint32_t>(edge_begin_.size() - 1); }

    std::uint32_t relations() const {
        return static_cast<std::uint32_t>(relation_begin_.size() - 1);
    }

    std::uint32_t steps() const { return 2 * relations(); }

    std::size_t size() const { return triples_.size(); }

    /// The triples of a relation by head, then tail.
    std::span<const Triple> facts(std::uint32_t relation) const;
    /// The entities to which a step leads, sorted.
    std::span<const std::uint32_t> neighbours(std::uint32_t entity, StepCode step) const;
    /// All edges of an entity, by target, then step.
    std::span<const Edge> edges(std::uint32_t entity) const;
    /// The edges from one entity to another.
    std::span<const Edge> edges_between(std::uint32_t from, std::uint32_t to) const;
    /// The entities from which a step leads somewhere, sorted.
    std::span<const std::uint32_t> subjects(StepCode step) const;

    bool contains(std::uint32_t from, StepCode step, std::uint32_t to) const;

    /// Some triple of the relation has equal ends.
    bool is_reflexive(std::uint32_t relation) const { return reflexive_[relation]; }

  private:
    struct Run {
        StepCode step = 0;
        std::uint32_t begin = 0;
    };

    std::vector<Triple> triples_;                // by relation, head, tail
    std::vector<std::uint32_t> relation_begin_;  // R + 1, into triples_
    std::vector<std::uint32_t> edge_begin_;      // N + 1, into edges_ and targets_
    std::vector<Edge> edges_;                    // 2 T, by entity, target, step
    std::vector<std::uint32_t> targets_;         // 2 T, by entity, step, target
    std::vector<std::uint32_t> run_begin_;       // N + 1, into runs_
    std::vector<Run> runs_;                      // by entity, step; one more at the end
    std::vector<std::uint32_t> subject_begin_;   // 2 R + 1, into subjects_
    std::vector<std::uint32_t> subjects_;
    std::vector<bool> reflexive_;
};

constexpr std::uint32_t kNoEntity = ~std::uint32_t{0};

/// The evidence for a rule on the training triples. A triple is no evidence for itself: where all
/// proofs of a fact use that fact, it counts neither as right nor as wrong.
struct Evidence {
    double support = 0;        ///< facts that the body predicts
    double predictions = 0;    ///< pairs that the body predicts
    double of_known_head = 0;  ///< of them those whose head has some tail by the relation
    double of_known_tail = 0;  ///< of them those whose tail has some head
    bool sampled = false;      ///< estimated from some of the pairs
    auto operator<=>(const Evidence&) const = default;
};

/// One of
///   r(X,Y) :- p(X,Z1), q(Z1,Z2), s(Z2,Y).    a path: no constant
///   r(X,c) :- p(X,Z1), q(Z1,d).              constants; the head step is r forward
///   r(c,X) :- p(X,Z1).                       a free end; the head step is r backward
///   r(X,c).                                  without a body: how frequent c is
/// and, where `condition` is given, one more literal about X or Y.
struct GraphRule {
    static constexpr int kMaxLength = 6;

    /// One more literal q(X,c) or q(X,_) of a path's end.
    struct Condition {
        StepCode step = 0;
        std::uint32_t constant = kNoEntity;
        bool of_answer = false;  ///< of Y instead of X
        bool given = false;
        auto operator<=>(const Condition&) const = default;
    };

    StepCode head = 0;  ///< of a path: forward
    std::uint32_t constant = kNoEntity;
    std::uint32_t end = kNoEntity;  ///< the last entity of the body, where it is a constant
    std::array<StepCode, kMaxLength> steps{};
    int length = 0;
    Condition condition{};
    Evidence evidence{};
    /// Added to the score of what it predicts as tails and as heads, where weights are learned.
    std::array<float, 2> weights{};

    bool is_path() const { return constant == kNoEntity; }

    std::span<const StepCode> body() const {
        return {steps.data(), static_cast<std::size_t>(length)};
    }
};

/// The function from the rules that predict an answer to its score, for a relation and direction.
struct Aggregation {
    enum class Kind {
        maximum,   ///< the best rule; ties by the second best, and so on
        noisy_or,  ///< 1 - product of (1 - confidence), the k-th best rule counted by decay^k
        clusters,  ///< noisy-or of the best rule of each cluster of redundant rules
        learned    ///< a weighted sum by kinds of rules, and what each rule adds
    };
    Kind kind = Kind::maximum;
    bool pca = false;      ///< confidence among pairs whose given entity is known to the relation
    double pessimism = 5;  ///< added to the predictions
    double decay = 0.5;    ///< noisy_or
    std::vector<double> weights{};  ///< learned
    auto operator<=>(const Aggregation&) const = default;
};

struct GraphRules {
    std::vector<GraphRule> rules;
    /// Bodies may hold them. Rules run on a Graph that was made with them.
    std::vector<InventedRelation> invented;
    /// Aggregations by step: forward(r) for (h,r,?), backward(r) for (?,r,t). Steps that the file
    /// does not name take the default.
    std::unordered_map<StepCode, Aggregation> aggregations;
};

/// Right predictions among all, `pessimism` added to these.
double confidence(const Evidence& evidence, double pessimism = 0);
/// The same among pairs whose head (tail) has some tail (head) by the relation.
double pca_confidence(const Evidence& evidence, bool of_tail, double pessimism = 0);
/// The share of the relation's facts that the rule predicts.
double head_coverage(const GraphRule& rule, const Graph& graph);

/// Triples with the facts of invented relations added.
std::vector<Triple> with_invented(std::vector<Triple> triples,
                                  std::span<const InventedRelation> invented);

/// One clause of Prolog without its evidence.
std::string to_prolog(const GraphRule& rule, const GraphData& data);
/// A clause per line with its evidence in a comment, and aggregations as facts.
std::string to_prolog(const GraphRules& rules, const GraphData& data, const Graph& graph);
/// Reads what to_prolog wrote. Names that the graph lacks are added to `data`. Throws Error.
GraphRules parse_graph_rules(std::string_view text, const std::string& file, GraphData& data);
/// Whether a text begins as to_prolog writes rules of a graph.
bool looks_like_graph_rules(std::string_view text);

}  // namespace hri
