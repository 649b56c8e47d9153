// SPDX-License-Identifier: Apache-2.0
#pragma once

// Every choice the paper makes or leaves open, in one plain struct. Its defaults are the paper's
// tables.
//
//   Options options{.layers = 3, .similarity = Similarity::l2};
//   set_option(options, "train_steps", "8");        // as a flag or a TOML key does it

#include "hri/fields.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hri {

enum class Recursivity { none, iso, full };
/// The matches of the disjunct (and of rules with one body atom, such as I) in full recursivity.
enum class DisjunctVisibility {
    lower,  ///< layers below the rule's own: the authors' code
    same    ///< the rule's own layer too: the paper's text
};
enum class LastLayer {
    target_arity,  ///< only proto-rules whose head has the target's arity: the authors' code
    all            ///< every proto-rule: the paper's text
};
enum class Init {
    identity,  ///< unit vectors where the dimension allows it, uniform otherwise
    uniform,
    biased  ///< slots start near True and False: conjoined slot 1 and the disjunct near False, slot
            ///< 2 near True
};
enum class Similarity { cosine, l1, l2, scalar_product };
enum class Schedule { constant, linear, exponential };
enum class GumbelConvention {
    inside,  ///< -log(-log(g U)), as the authors' code draws it
    outside  ///< -g log(-log U), as the paper's text has it
};
enum class Pool { sum, max };
enum class And { min, product, lukasiewicz };
enum class Or { max, prodminus, lukasiewicz };
enum class Merge { max, sum };

struct Options {
    // The hierarchy
    std::string rules = "R*";  ///< a named set or a file of proto-rules
    int layers = 4;            ///< the paper's n_L, "max-depth"
    int auxiliaries = 1;       ///< auxiliary predicates per proto-rule and layer
    Recursivity recursivity = Recursivity::full;
    DisjunctVisibility disjunct_visibility = DisjunctVisibility::lower;
    LastLayer last_layer = LastLayer::target_arity;

    // Beyond the paper (docs/design/expressivity.md)
    bool negation = false;  ///< slots may match negated inputs, and negated predicates of lower
                            ///< layers, which then run to their end before the next layer begins
    bool equality = false;  ///< X = Y is an input
    bool nullary = false;   ///< adds the proto-rule Z: H() <- ~P(X,Y)

    // Embeddings and unification
    int dimension = 0;  ///< 0: the number of predicates, True and False included
    Init start = Init::identity;
    Similarity similarity = Similarity::cosine;
    double temperature = 0.1;
    double final_temperature =
        0.1;  ///< reached at the last iteration unless the schedule is constant
    Schedule temperature_schedule = Schedule::constant;
    bool mask_absent = false;  ///< inputs without a fact in an instance take no part in its softmax

    // Inference
    int train_steps = 4;  ///< n_I
    int eval_steps = 4;   ///< -1: until nothing changes
    Pool pool = Pool::sum;
    And fuzzy_and = And::min;
    Or fuzzy_or = Or::max;
    Merge merge = Merge::max;
    Pool target_pool = Pool::sum;

    // Training
    int iterations = 4000;     ///< n_T, over which the noise falls to nothing
    int annealing_cycles = 1;  ///< most times that it does: again, from its start, where the run
                               ///< does not succeed on fresh training instances
    int check_instances = 10'000;       ///< how many of them it is asked to succeed on
    double learning_rate = 0.01;        ///< predicate embeddings
    double learning_rate_rules = 0.03;  ///< slot embeddings
    bool train_predicates = true;       ///< false: predicate embeddings stay as they start
    double regularisation = 0.01;       ///< lambda, of sum a (1 - a)
    double gumbel = 0.3;  ///< scale at the start, falls linearly to 0; 0: no Gumbel noise
    GumbelConvention gumbel_convention = GumbelConvention::inside;
    double predicate_noise = 1.0;      ///< Gaussian, on predicate embeddings
    int predicate_noise_halving = 30;  ///< iterations
    double slot_noise = 1.0;           ///< Gaussian, on slot embeddings
    int slot_noise_half_life = 60;
    double log_floor =
        1e-6;  ///< valuations are kept this far from 0 and 1 inside the loss's gradient

    // Speed: what is not above these thresholds is skipped; 0 is exact. Weights above half of a
    // rule's largest are never skipped, so that flat scores over many predicates keep their signal.
    double skip_pairs = 1e-3;      ///< pairs of predicates, by the product of their scores
    double skip_gradients = 1e-3;  ///< gradients of a predicate's valuations, by the largest

    bool operator==(const Options&) const = default;
};

using OptionField = Field<Options>;
template <>
const std::vector<Field<Options>>& fields_of<Options>();

/// set_field(), where dashes of the name count as underscores.
void set_option(Options& options, std::string_view name, const std::string& value);

/// Throws Error on the first combination that makes no sense (negative layers, temperature 0, ...).
void validate(const Options& options);

}  // namespace hri
