// SPDX-License-Identifier: Apache-2.0
#pragma once

// The hierarchy of auxiliary predicates and its embeddings.
//
//   Model model = make_model(problem.inputs(), problem.target(), options, seed);
//   std::vector<float> valuations = infer(model, instance, 4);
//   Program program = extract(model);          // the argmax of the match, unsimplified
//   save_model("model.safetensors", model);

#include "hri/data.hpp"
#include "hri/logic.hpp"
#include "hri/options.hpp"
#include "hri/protorules.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace hri {

/// One place in a rule's body (or the target) that is matched with a predicate.
struct Slot {
    std::vector<int> candidates;  ///< predicates it may match, ascending
};

/// An auxiliary predicate and the one rule that defines it.
struct Auxiliary {
    std::string name;   ///< "B*_2": proto-rule and layer; "B*_2.1" with several per layer
    int layer = 1;      ///< 1 .. n_L
    int protorule = 0;  ///< index into Model::protorules
    int arity = 2;
    std::vector<int>
        slots;  ///< conjoined first, then the disjunct's; indices into Hierarchy::slots
};

/// Predicates are numbered True = 0, False = 1, then inputs, then auxiliaries layer by layer, then,
/// with Options::negation, the negations of auxiliaries below the last layer.
struct Hierarchy {
    int inputs = 0;
    std::vector<int> arity;              ///< of every predicate
    std::vector<Auxiliary> auxiliaries;  ///< predicate 2 + inputs + i is auxiliaries[i]
    std::vector<Slot> slots;             ///< the last one is the target's
    int target_arity = 2;
    std::vector<int> negated;  ///< predicate first_negation() + i is the negation of negated[i]

    static constexpr int kTrue = 0;
    static constexpr int kFalse = 1;

    int predicates() const { return static_cast<int>(arity.size()); }

    int first_auxiliary() const { return 2 + inputs; }

    int first_negation() const { return first_auxiliary() + static_cast<int>(auxiliaries.size()); }

    bool is_negation(int predicate) const { return predicate >= first_negation(); }

    /// The predicate that a negation negates; other predicates as they are.
    int positive(int predicate) const {
        return is_negation(predicate)
                   ? negated[static_cast<std::size_t>(predicate - first_negation())]
                   : predicate;
    }

    int target_slot() const { return static_cast<int>(slots.size()) - 1; }
};

/// `protorules` as joined_in_pairs() gives them: a link stands in the first slot of the rule after
/// it and nowhere else.
Hierarchy make_hierarchy(const ProtoRules& protorules, const std::vector<PredicateSymbol>& inputs,
                         int target_arity, const Options& options);

/// The parameters that training learns.
struct Parameters {
    int dimension = 0;
    std::vector<float> predicates;  ///< (predicates, dimension); rows of True and False are fixed
    std::vector<float> slots;       ///< (slots, dimension)
};

/// The map from a table's vectors to embeddings: (vector - mean) axes, in the dimensions that True
/// and False leave free.
struct Projection {
    std::vector<float> mean;  ///< (of the table); empty: there is no projection
    std::vector<float> axes;  ///< (of the table, dimension - 2)

    /// The embedding of a vector as the table has them.
    std::vector<float> operator()(const std::vector<float>& vector) const;
};

struct Model {
    Options options;
    ProtoRules protorules;                ///< joined_in_pairs()
    std::vector<PredicateSymbol> inputs;  ///< the problem's, then those that the options add
    PredicateSymbol target;
    Hierarchy hierarchy;  ///< follows from the four above
    Parameters parameters;
    Projection projection;  ///< of the table that the inputs' embeddings started from
};

/// The proto-rules of the options: their set, with Z where it is asked for, joined_in_pairs().
ProtoRules make_protorules(const Options& options);

/// The problem's inputs, then `=` and the negations of all of them, as the options ask. What is
/// added has no facts of its own: it follows from the others'.
std::vector<PredicateSymbol> make_inputs(const std::vector<PredicateSymbol>& inputs,
                                         const Options& options);

Model make_model(const std::vector<PredicateSymbol>& inputs, const PredicateSymbol& target,
                 const Options& options, std::uint64_t seed);

/// The names of the rows of the predicates' embeddings: True, False, inputs, auxiliaries.
std::vector<std::string> row_names(const Model& model);

/// Embeddings by predicate name, for predicates that a model was not trained with.
using Embeddings = std::map<PredicateSymbol, std::vector<float>>;

/// The same model over other input predicates: known ones keep their embedding, new ones take
/// theirs from `extra`; missing ones stay (their facts are simply absent). New ones without an
/// embedding: Error.
Model with_inputs(const Model& model, const std::vector<PredicateSymbol>& inputs,
                  const Embeddings& extra = {});

/// Unification scores without noise: (slots, predicates), 0 where a predicate is no candidate.
std::vector<float> unification(const Model& model);

/// Soft valuations of the target's atoms, without noise, after `steps` steps (-1: until nothing
/// changes). Facts of predicates that the model does not know are ignored. The result does not
/// depend on `threads`.
std::vector<float> infer(const Model& model, const Instance& instance, int steps, int threads = 1);

/// The predicate that each slot takes: what the argmax of the match is, and what program search
/// moves through.
using Matches = std::vector<int>;

/// The argmax of the match; the first where several are equal.
Matches best_matches(const Model& model);

/// The program of given matches as it stands: one predicate per auxiliary that the target reaches,
/// a rule for the conjunction and one for the disjunct, True left out of bodies, rules with False
/// left out. The model's parameters are not read.
Program extract(const Model& model, const Matches& matches);

/// The argmax program.
Program extract(const Model& model);

/// Moves the slots' embeddings onto their matches', so that those are the argmax.
void set_matches(Model& model, const Matches& matches);

/// Safetensors: "predicates" and "slots" as F32, "projection_mean" and "projection_axes" where the
/// model has them; options, proto-rules, vocabulary and version in
/// the metadata.
void save_model(const std::filesystem::path& path, const Model& model);
/// Checks version, names and shapes; throws Error on a damaged file.
Model load_model(const std::filesystem::path& path);

/// The bytes of such a file. The name is for errors.
std::string model_to_bytes(const Model& model, const std::string& file_name = "<bytes>");
Model model_from_bytes(std::string bytes, const std::string& file_name = "<bytes>");

}  // namespace hri
