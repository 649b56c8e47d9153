// SPDX-License-Identifier: Apache-2.0
#include "hri/options.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace hri {
namespace {

using Kind = OptionField::Kind;

std::string joined(const std::vector<std::string>& names) {
    return fmt::format("{}", fmt::join(names, ", "));
}

/// The whole text as a number, or an Error that says what was expected.
template <class Number>
Number parse_number(const std::string& name, const std::string& text, const std::string& expected) {
    Number value{};
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    if (result.ec == std::errc{} && result.ptr == end &&
        std::isfinite(static_cast<double>(value))) {
        return value;
    }
    throw Error(fmt::format("{}: expected {}, found '{}'", name, expected, text));
}

/// A number between two bounds, both included.
template <class Number>
OptionField number(std::string group, const std::string& name, Number Options::*member,
                   std::pair<Number, Number> bounds, std::string help) {
    constexpr bool kInteger = std::is_integral_v<Number>;
    const std::string expected = fmt::format(
        "{} from {} to {}", kInteger ? "an integer" : "a number", bounds.first, bounds.second);
    OptionField field;
    field.name = name;
    field.help = std::move(help);
    field.kind = kInteger ? Kind::integer : Kind::real;
    field.group = std::move(group);
    field.get = [member](const Options& options) { return fmt::format("{}", options.*member); };
    field.check = [=](const Options& options) {
        const Number value = options.*member;
        if (!(value >= bounds.first && value <= bounds.second)) {
            throw Error(fmt::format("{}: expected {}, found {}", name, expected, value));
        }
    };
    field.set = [=, check = field.check](Options& options, const std::string& text) {
        Options changed = options;
        changed.*member = parse_number<Number>(name, text, expected);
        check(changed);
        options.*member = changed.*member;
    };
    return field;
}

template <class Enum>
using Names = std::vector<std::pair<std::string, Enum>>;

/// One of a few named values.
template <class Enum>
OptionField choice(std::string group, const std::string& name, Enum Options::*member,
                   const Names<Enum>& names, std::string help) {
    OptionField field;
    field.name = name;
    field.help = std::move(help);
    field.kind = Kind::choice;
    field.group = std::move(group);
    for (const auto& known : names) {
        field.choices.push_back(known.first);
    }
    field.get = [member, names](const Options& options) {
        for (const auto& known : names) {
            if (known.second == options.*member) {
                return known.first;
            }
        }
        return std::string();
    };
    field.check = [name, get = field.get](const Options& options) {
        if (get(options).empty()) {
            throw Error(name + ": not one of its values");
        }
    };
    field.set = [name, member, names, choices = field.choices](Options& options,
                                                               const std::string& text) {
        for (const auto& known : names) {
            if (known.first == text) {
                options.*member = known.second;
                return;
            }
        }
        throw Error(fmt::format("{}: '{}' is not one of {}", name, text, joined(choices)), {},
                    fmt::format("did you mean {}?", nearest(text, choices)));
    };
    return field;
}

OptionField boolean(std::string group, const std::string& name, bool Options::*member,
                    std::string help) {
    OptionField field = choice<bool>(std::move(group), name, member,
                                     {{"true", true}, {"false", false}}, std::move(help));
    field.kind = Kind::boolean;
    field.choices.clear();
    return field;
}

OptionField text(std::string group, const std::string& name, std::string Options::*member,
                 std::string help) {
    OptionField field;
    field.name = name;
    field.help = std::move(help);
    field.kind = Kind::text;
    field.group = std::move(group);
    field.get = [member](const Options& options) { return options.*member; };
    field.check = [name, member](const Options& options) {
        if ((options.*member).empty()) {
            throw Error(name + ": expected a name, found nothing");
        }
    };
    field.set = [member, name](Options& options, const std::string& value) {
        if (value.empty()) {
            throw Error(name + ": expected a name, found nothing");
        }
        options.*member = value;
    };
    return field;
}

/// Every field of Options, in its order, with the range of its values.
std::vector<OptionField> make_fields() {
    using O = Options;
    constexpr int kMany = 1'000'000;
    constexpr int kIterations = 1'000'000'000;
    const Names<Pool> pools = {{"sum", Pool::sum}, {"max", Pool::max}};
    std::vector<OptionField> fields;
    auto add = [&fields](OptionField field) { fields.push_back(std::move(field)); };

    std::string group = "Hierarchy";
    add(text(group, "rules", &O::rules,
             "proto-rules: R0, R0v, R*, MIL, a file, or rules separated by semicolons"));
    add(number<int>(group, "layers", &O::layers, {1, 1000}, "layers of auxiliary predicates, n_L"));
    add(number<int>(group, "auxiliaries", &O::auxiliaries, {1, 1000},
                    "auxiliary predicates per proto-rule and layer"));
    add(choice<Recursivity>(
        group, "recursivity", &O::recursivity,
        {{"none", Recursivity::none}, {"iso", Recursivity::iso}, {"full", Recursivity::full}},
        "which predicates of its own layer a rule may use"));
    add(choice<DisjunctVisibility>(
        group, "disjunct_visibility", &O::disjunct_visibility,
        {{"lower", DisjunctVisibility::lower}, {"same", DisjunctVisibility::same}},
        "layers that the disjunct may match under full recursivity"));
    add(choice<LastLayer>(group, "last_layer", &O::last_layer,
                          {{"target_arity", LastLayer::target_arity}, {"all", LastLayer::all}},
                          "proto-rules of the last layer: those of the target's arity, or all"));

    group = "Beyond the paper";
    add(boolean(group, "negation", &O::negation,
                "slots may match negated inputs and negated predicates of lower layers"));
    add(boolean(group, "equality", &O::equality, "X = Y is an input predicate"));
    add(boolean(group, "nullary", &O::nullary,
                "predicates without arguments: adds the proto-rule Z, H() <- ~P(X,Y)"));

    group = "Embeddings and unification";
    add(number<int>(group, "dimension", &O::dimension, {0, kMany},
                    "of the embeddings; 0: the number of predicates"));
    add(choice<Init>(
        group, "start", &O::start,
        {{"identity", Init::identity}, {"uniform", Init::uniform}, {"biased", Init::biased}},
        "embeddings before training"));
    add(choice<Similarity>(group, "similarity", &O::similarity,
                           {{"cosine", Similarity::cosine},
                            {"l1", Similarity::l1},
                            {"l2", Similarity::l2},
                            {"scalar_product", Similarity::scalar_product}},
                           "of embeddings; l1 and l2 are negative distances"));
    add(number<double>(group, "temperature", &O::temperature, {1e-4, 1e4}, "of the softmax"));
    add(number<double>(group, "final_temperature", &O::final_temperature, {1e-4, 1e4},
                       "at the last iteration, unless the schedule is constant"));
    add(choice<Schedule>(group, "temperature_schedule", &O::temperature_schedule,
                         {{"constant", Schedule::constant},
                          {"linear", Schedule::linear},
                          {"exponential", Schedule::exponential}},
                         "from temperature to final_temperature"));
    add(boolean(group, "mask_absent", &O::mask_absent,
                "inputs without a fact in an instance take no part in its softmax"));

    group = "Inference";
    add(number<int>(group, "train_steps", &O::train_steps, {1, kMany},
                    "inference steps in training, n_I"));
    add(number<int>(group, "eval_steps", &O::eval_steps, {-1, kMany},
                    "inference steps in evaluation; -1: until nothing changes"));
    add(choice<Pool>(group, "pool", &O::pool, pools, "over predicates"));
    add(choice<And>(
        group, "fuzzy_and", &O::fuzzy_and,
        {{"min", And::min}, {"product", And::product}, {"lukasiewicz", And::lukasiewicz}},
        "conjunction of valuations"));
    add(choice<Or>(
        group, "fuzzy_or", &O::fuzzy_or,
        {{"max", Or::max}, {"prodminus", Or::prodminus}, {"lukasiewicz", Or::lukasiewicz}},
        "disjunction of valuations"));
    add(choice<Merge>(group, "merge", &O::merge, {{"max", Merge::max}, {"sum", Merge::sum}},
                      "of a step's valuations with those before"));
    add(choice<Pool>(group, "target_pool", &O::target_pool, pools,
                     "over the predicates of the last layer"));

    group = "Training";
    add(number<int>(group, "iterations", &O::iterations, {1, kIterations},
                    "n_T, over which the noise falls to nothing"));
    add(number<int>(group, "annealing_cycles", &O::annealing_cycles, {1, 1'000'000},
                    "how often it may, where the run errs on fresh training instances"));
    add(number<int>(group, "check_instances", &O::check_instances, {1, 1'000'000'000},
                    "fresh training instances that end the run if it is right on all"));
    add(number<double>(group, "learning_rate", &O::learning_rate, {0, 100},
                       "of predicate embeddings"));
    add(number<double>(group, "learning_rate_rules", &O::learning_rate_rules, {0, 100},
                       "of slot embeddings"));
    add(boolean(group, "train_predicates", &O::train_predicates,
                "false: predicate embeddings stay as they start"));
    add(number<double>(group, "regularisation", &O::regularisation, {0, 1e6},
                       "lambda, the weight of sum a(1-a)"));
    add(number<double>(group, "gumbel", &O::gumbel, {0, 1000},
                       "scale of the Gumbel noise at the start; 0: none"));
    add(choice<GumbelConvention>(
        group, "gumbel_convention", &O::gumbel_convention,
        {{"inside", GumbelConvention::inside}, {"outside", GumbelConvention::outside}},
        "the scale inside the logarithms (the code) or outside (the text)"));
    add(number<double>(group, "predicate_noise", &O::predicate_noise, {0, 1000},
                       "Gaussian, on predicate embeddings, at the start"));
    add(number<int>(group, "predicate_noise_halving", &O::predicate_noise_halving, {1, kIterations},
                    "iterations until it is halved"));
    add(number<double>(group, "slot_noise", &O::slot_noise, {0, 1000},
                       "Gaussian, on slot embeddings, at the start"));
    add(number<int>(group, "slot_noise_half_life", &O::slot_noise_half_life, {1, kIterations},
                    "iterations until it is halved"));
    add(number<double>(group, "log_floor", &O::log_floor, {1e-12, 0.1},
                       "how far valuations are kept from 0 and 1 in the loss's gradient"));

    group = "Speed";
    add(number<double>(group, "skip_pairs", &O::skip_pairs, {0, 1},
                       "pairs of predicates of a smaller weight are skipped; 0: exact"));
    add(number<double>(group, "skip_gradients", &O::skip_gradients, {0, 1},
                       "smaller gradients of valuations are skipped; 0: exact"));
    return fields;
}

/// Insertions, deletions, replacements and exchanges of neighbours between two names.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> cost(a.size() + 1,
                                               std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                cost[i][j] = i + j;
                continue;
            }
            const std::size_t replace = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U);
            cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, replace});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
            }
        }
    }
    return cost[a.size()][b.size()];
}

}  // namespace

const std::vector<OptionField>& option_fields() {
    static const std::vector<OptionField> fields = make_fields();
    return fields;
}

void set_option(Options& options, std::string_view name, const std::string& value) {
    std::string wanted(name);
    std::replace(wanted.begin(), wanted.end(), '-', '_');
    std::vector<std::string> names;
    for (const OptionField& field : option_fields()) {
        if (field.name == wanted) {
            field.set(options, value);
            return;
        }
        names.push_back(field.name);
    }
    throw Error(fmt::format("there is no option '{}'", name), {},
                fmt::format("did you mean {}?", nearest(wanted, names)));
}

void validate(const Options& options) {
    for (const OptionField& field : option_fields()) {
        field.check(options);
    }
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

std::string nearest(std::string_view name, const std::vector<std::string>& names) {
    name = name.substr(0, 100);  // nobody means that much, and the cost grows with the length
    std::string best;
    std::size_t least = std::numeric_limits<std::size_t>::max();
    for (const std::string& candidate : names) {
        const std::size_t distance = edit_distance(name, candidate);
        if (distance < least) {
            least = distance;
            best = candidate;
        }
    }
    return best;
}

}  // namespace hri
