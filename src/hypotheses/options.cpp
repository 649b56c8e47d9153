// SPDX-License-Identifier: Apache-2.0
#include "hri/options.hpp"

#include "base/fields.hpp"

#include <algorithm>
#include <utility>

namespace hri {
namespace {

using Fields = std::vector<Field<Options>>;
using base::boolean;
using base::choice;
using base::number;
using O = Options;
constexpr int kMany = 1'000'000;
constexpr int kIterations = 1'000'000'000;
constexpr const char* kTrained = "gradient, portfolio";

void add_hierarchy(Fields& fields) {
    const std::string group = "Hierarchy";
    fields.push_back(base::text({.name = "rules",
                                 .help = "The proto-rules: R0, R0v, R*, MIL, a file, or rules "
                                         "separated by semicolons.",
                                 .group = group,
                                 .placeholder = "RULES",
                                 .common = true},
                                &O::rules, true));
    fields.push_back(number({.name = "layers",
                             .help = "The number of layers of auxiliary predicates, n_L. Search "
                                     "and portfolio add layers.",
                             .group = group},
                            &O::layers, 1, 1000));
    fields.push_back(number({.name = "auxiliaries",
                             .help = "The number of auxiliary predicates per proto-rule and layer.",
                             .group = group},
                            &O::auxiliaries, 1, 1000));
    fields.push_back(choice(
        {.name = "recursivity",
         .help = "The predicates of its own layer that a rule may use.",
         .group = group},
        &O::recursivity,
        {{"none", Recursivity::none}, {"iso", Recursivity::iso}, {"full", Recursivity::full}}));
    fields.push_back(
        choice({.name = "disjunct_visibility",
                .help = "The layers that the disjunct may match under full recursivity.",
                .group = group},
               &O::disjunct_visibility,
               {{"lower", DisjunctVisibility::lower}, {"same", DisjunctVisibility::same}}));
    fields.push_back(choice(
        {.name = "last_layer",
         .help = "The proto-rules of the last layer: those of the target's arity, or all.",
         .group = group},
        &O::last_layer, {{"target_arity", LastLayer::target_arity}, {"all", LastLayer::all}}));
}

void add_extensions(Fields& fields) {
    const std::string group = "Beyond the paper";
    fields.push_back(boolean({.name = "negation",
                              .help = "Rules may negate inputs and predicates of lower layers.",
                              .group = group,
                              .common = true},
                             &O::negation));
    fields.push_back(boolean({.name = "equality",
                              .help = "Rules may use X = Y, and X \\= Y with negation.",
                              .group = group,
                              .common = true},
                             &O::equality));
    fields.push_back(boolean({.name = "nullary",
                              .help = "Predicates may have no arguments: this adds the proto-rule "
                                      "Z, H() <- ~P(X,Y).",
                              .group = group},
                             &O::nullary));
}

void add_unification(Fields& fields) {
    const std::string group = "Embeddings and unification";
    fields.push_back(number({.name = "dimension",
                             .help = "The dimension of the embeddings; 0 means the number of "
                                     "predicates.",
                             .group = group,
                             .strategies = kTrained},
                            &O::dimension, 0, kMany));
    fields.push_back(choice(
        {.name = "start",
         .help = "The embeddings before training.",
         .group = group,
         .strategies = kTrained},
        &O::start,
        {{"identity", Init::identity}, {"uniform", Init::uniform}, {"biased", Init::biased}}));
    fields.push_back(choice({.name = "similarity",
                             .help = "The similarity of embeddings; l1 and l2 are negative "
                                     "distances.",
                             .group = group,
                             .strategies = kTrained},
                            &O::similarity,
                            {{"cosine", Similarity::cosine},
                             {"l1", Similarity::l1},
                             {"l2", Similarity::l2},
                             {"scalar_product", Similarity::scalar_product}}));
    fields.push_back(number({.name = "temperature",
                             .help = "The temperature of the softmax.",
                             .group = group,
                             .strategies = kTrained},
                            &O::temperature, 1e-4, 1e4));
    fields.push_back(
        number({.name = "final_temperature",
                .help = "The temperature at the last iteration, unless the schedule is "
                        "constant.",
                .group = group,
                .strategies = kTrained},
               &O::final_temperature, 1e-4, 1e4));
    fields.push_back(choice({.name = "temperature_schedule",
                             .help = "The course of the temperature to its final value.",
                             .group = group,
                             .strategies = kTrained},
                            &O::temperature_schedule,
                            {{"constant", Schedule::constant},
                             {"linear", Schedule::linear},
                             {"exponential", Schedule::exponential}}));
    fields.push_back(boolean({.name = "mask_absent",
                              .help = "Inputs without a fact in an instance take no part in its "
                                      "softmax.",
                              .group = group,
                              .strategies = kTrained},
                             &O::mask_absent));
}

void add_inference(Fields& fields) {
    const std::string group = "Inference";
    const std::vector<std::pair<std::string, Pool>> pools = {{"sum", Pool::sum},
                                                             {"max", Pool::max}};
    fields.push_back(number({.name = "train_steps",
                             .help = "The inference steps of a training iteration, n_I.",
                             .group = group,
                             .strategies = kTrained},
                            &O::train_steps, 1, kMany));
    fields.push_back(number({.name = "eval_steps",
                             .help = "The inference steps of evaluation; -1 goes on until nothing "
                                     "changes.",
                             .group = group,
                             .strategies = kTrained},
                            &O::eval_steps, -1, kMany));
    fields.push_back(
        choice({.name = "pool",
                .help = "The operation that combines the valuations of the matched predicates.",
                .group = group,
                .strategies = kTrained},
               &O::pool, pools));
    fields.push_back(
        choice({.name = "fuzzy_and",
                .help = "The conjunction of valuations.",
                .group = group,
                .strategies = kTrained},
               &O::fuzzy_and,
               {{"min", And::min}, {"product", And::product}, {"lukasiewicz", And::lukasiewicz}}));
    fields.push_back(
        choice({.name = "fuzzy_or",
                .help = "The disjunction of valuations.",
                .group = group,
                .strategies = kTrained},
               &O::fuzzy_or,
               {{"max", Or::max}, {"prodminus", Or::prodminus}, {"lukasiewicz", Or::lukasiewicz}}));
    fields.push_back(
        choice({.name = "merge",
                .help = "The operation that merges the valuations of a step with earlier ones.",
                .group = group,
                .strategies = kTrained},
               &O::merge, {{"max", Merge::max}, {"sum", Merge::sum}}));
    fields.push_back(
        choice({.name = "target_pool",
                .help = "The operation that combines the predicates of the last layer for the "
                        "target.",
                .group = group,
                .strategies = kTrained},
               &O::target_pool, pools));
}

/// A field of training.
FieldInfo trained(std::string name, std::string help) {
    return {.name = std::move(name),
            .help = std::move(help),
            .group = "Training",
            .strategies = kTrained};
}

void add_training(Fields& fields) {
    fields.push_back(number(
        trained("iterations", "The training iterations, n_T, over which the noise falls to 0."),
        &O::iterations, 1, kIterations));
    fields.push_back(
        number(trained("annealing_cycles",
                       "The most annealing cycles of a run. Another one follows where the run "
                       "errs on fresh training instances."),
               &O::annealing_cycles, 1, kMany));
    fields.push_back(number(
        trained("check_instances",
                "The fresh training instances that end the run if it is right on all of them."),
        &O::check_instances, 1, kIterations));
    fields.push_back(number(trained("learning_rate", "The learning rate of predicate embeddings."),
                            &O::learning_rate, 0, 100));
    fields.push_back(number(trained("learning_rate_rules", "The learning rate of slot embeddings."),
                            &O::learning_rate_rules, 0, 100));
    fields.push_back(boolean(trained("train_predicates", "Predicate embeddings are trained too."),
                             &O::train_predicates));
    fields.push_back(number(
        trained("regularisation", "The weight lambda of the regulariser, the sum of a(1-a)."),
        &O::regularisation, 0, 1e6));
    fields.push_back(
        number(trained("gumbel", "The scale of the Gumbel noise at the start; 0 means none."),
               &O::gumbel, 0, 1000));
    fields.push_back(choice(
        trained("gumbel_convention",
                "The place of the scale: inside the logarithms (the authors' code) or outside (the "
                "paper's text)."),
        &O::gumbel_convention,
        {{"inside", GumbelConvention::inside}, {"outside", GumbelConvention::outside}}));
    fields.push_back(
        number(trained("predicate_noise",
                       "The deviation of the Gaussian noise on predicate embeddings at the start."),
               &O::predicate_noise, 0, 1000));
    fields.push_back(number(
        trained("predicate_noise_halving", "The iterations until predicate noise is halved."),
        &O::predicate_noise_halving, 1, kIterations));
    fields.push_back(
        number(trained("slot_noise",
                       "The deviation of the Gaussian noise on slot embeddings at the start."),
               &O::slot_noise, 0, 1000));
    fields.push_back(
        number(trained("slot_noise_half_life", "The iterations until slot noise is halved."),
               &O::slot_noise_half_life, 1, kIterations));
    fields.push_back(number(
        trained("log_floor",
                "The smallest distance of valuations from 0 and 1 in the gradient of the loss."),
        &O::log_floor, 1e-12, 0.1));
}

void add_speed(Fields& fields) {
    const std::string group = "Speed";
    fields.push_back(number({.name = "skip_pairs",
                             .help = "Pairs of predicates of a smaller weight are skipped; 0 is "
                                     "exact.",
                             .group = group,
                             .strategies = kTrained},
                            &O::skip_pairs, 0, 1));
    fields.push_back(number({.name = "skip_gradients",
                             .help = "Smaller gradients of valuations are skipped; 0 is exact.",
                             .group = group,
                             .strategies = kTrained},
                            &O::skip_gradients, 0, 1));
}

}  // namespace

template <>
const std::vector<Field<Options>>& fields_of<Options>() {
    static const Fields fields = [] {
        Fields all;
        add_hierarchy(all);
        add_extensions(all);
        add_unification(all);
        add_inference(all);
        add_training(all);
        add_speed(all);
        return all;
    }();
    return fields;
}

void set_option(Options& options, std::string_view name, const std::string& value) {
    std::string wanted(name);
    std::replace(wanted.begin(), wanted.end(), '-', '_');
    set_field(options, wanted, value);
}

void validate(const Options& options) {
    check_fields(options);
    if (options.dimension == 1 || options.dimension == 2) {
        throw Error("dimension: True and False take two dimensions of their own", {},
                    "give 3 or more, or 0 for the number of predicates");
    }
    if (static_cast<long>(options.layers) * options.auxiliaries > 2000) {
        throw Error("layers, auxiliaries: more than 2000 auxiliary predicates per proto-rule", {},
                    "give fewer of either");
    }
    if (options.eval_steps == 0) {
        throw Error("eval_steps: without a step every auxiliary predicate is false", {},
                    "give 1 or more, or -1 to go on until nothing changes");
    }
    if (options.mask_absent && options.negation) {
        throw Error("mask_absent: what is absent is true where it is negated", {},
                    "use one of mask_absent and negation");
    }
    if (options.gumbel_convention == GumbelConvention::inside && options.gumbel > 1) {
        throw Error("gumbel: -log(-log(g U)) has no value where g U exceeds 1", {},
                    "with gumbel_convention inside, gumbel is at most 1");
    }
}

}  // namespace hri
