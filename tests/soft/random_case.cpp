// SPDX-License-Identifier: Apache-2.0
#include "soft/random_case.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace hri {

namespace {

/// Proto-rules that leave a variable of the head unbound, which the parser refuses and the model
/// can do.
std::vector<NamedShape> unbound_heads() {
    return {
        {"H(X,Y) <- ~P(Y)", {{"F", {0, 1}, {{true, {1}}}, {}}}},
        {"H(X,Y) <- P(Y)", {{"F1", {0, 1}, {{false, {1}}}, {}}}},
        {"H(X) <- ~P(Y)", {{"F2", {0}, {{true, {1}}}, {}}}},
        {"H(X) <- ~P(Z,W) & ~Q(Z,W)", {{"G", {0}, {{true, {1, 2}}, {true, {1, 2}}}, {}}}},
        {"H(X,Y) <- ~P(Z,W) & ~Q(W,Z)", {{"G2", {0, 1}, {{true, {2, 3}}, {true, {3, 2}}}, {}}}},
        {"H(X,X) <- ~P(Z,W) & ~Q(W,Z)", {{"G3", {0, 0}, {{true, {1, 2}}, {true, {2, 1}}}, {}}}},
        {"H(X,Y) <- ~P(Z) & ~Q(Z,Y)", {{"K", {0, 1}, {{true, {2}}, {true, {2, 1}}}, {}}}},
        {"H(X,Y) <- ~P(Z,X) & ~Q(X,Z)", {{"K2", {0, 1}, {{true, {2, 0}}, {true, {0, 2}}}, {}}}},
        {"H(X,Y) <- ~P(Z,Z) & ~Q(Z)", {{"K3", {0, 1}, {{true, {2, 2}}, {true, {2}}}, {}}}},
        {"H(X,Y) <- ~P(Z,W) & ~Q(U,V)", {{"K4", {0, 1}, {{true, {2, 3}}, {true, {4, 5}}}, {}}}},
        {"H(X) <- ~P(Z,Z)", {{"K5", {0}, {{true, {1, 1}}}, {}}}},
    };
}

const std::vector<std::string>& written_shapes() {
    static const std::vector<std::string> texts = {
        // one atom
        "D: H(X,X) <- ~P(X)",
        "D2: H(X,X) <- ~P(X,Z)",
        "D3: H(X,X) <- ~P(Z,X)",
        "E: H(X) <- ~P(X,X)",
        "M: H(X) <- ~P(Y,X)",
        "M2: H(X) <- ~P(X,Y)",
        "I: H(X,Y) <- ~F(Y,X)",
        "J: H(X,Y) <- P(X,Y)",
        // two atoms without a common existential variable
        "N: H(X,Y) <- ~P(X,Y) & ~Q(X,Y)",
        "N2: H(X,Y) <- ~P(X) & ~Q(Y)",
        "N3: H(X,Y) <- P(X) & Q(Y,Z)",
        "N4: H(X,Y) <- ~P(X,Z) & ~Q(W,Y)",
        "N5: H(X,X) <- ~P(X,Z) & ~Q(X,X)",
        "N6: H(X) <- ~P(X) & ~Q(Y)",
        "N7: H(X,Y) <- ~P(X,X) & ~Q(Y,Y)",
        // a join over Z in every direction
        "B: H(X,Y) <- ~P(X,Z) & ~Q(Z,Y)",
        "S: H(X,Y) <- ~P(Z,X) & ~Q(Y,Z)",
        "T: H(X,Y) <- ~P(X,Z) & ~Q(Y,Z)",
        "U: H(X,Y) <- ~P(Z,Y) & ~Q(Z,X)",
        "V: H(X,Y) <- P(X,Z) & Q(Z,Y)",
        // a shared existential variable on one axis
        "A: H(X) <- ~P(X,Y) & ~Q(Y,X)",
        "A2: H(X) <- ~P(X,Y) & ~Q(Y)",
        "A3: H(X) <- ~P(X,Y) & ~Q(Y,Z)",
        "A4: H(X,X) <- ~P(Z,X) & ~Q(X,Z)",
        "A5: H(X,X) <- ~P(X,Z) & ~Q(Z,W)",
        // disjuncts
        "L: H(X,Y) <- (~P(X) & ~Q(Y,Z)) | ~R(Y,X)",
        "L2: H(X,Y) <- (~P(Z,W) & ~Q(Z,W)) | ~R(X,Y)",
        "L3: H(X,X) <- (~P(Z,W) & ~Q(Z,X)) | ~R(X,T)",
        "L4: H(X) <- ~P(X) | ~R(T,X)",
        "L5: H(X,Y) <- (~P(Z,X) & ~Q(Z)) | ~R(Y)",
        "L6: H(X,Y) <- ~P(Y,X) | ~R(T,T)",
        "L7: H(X) <- (~P(X,Z) & ~Q(Z,Z)) | ~R(X,X)",
        "L8: H(X,Y) <- (~P(X,Z) & ~Q(Z,Y)) | R(Y,X)",
        // heads and atoms without arguments
        "Z: H() <- ~P(X,Y)",
        "Z2: H() <- ~P(X,Y) & ~Q(Y,X)",
        "Z3: H() <- ~P(X) & ~Q(X,Y)",
        "Z4: H() <- (~P(X,Y) & ~Q(Z)) | ~R(X,X)",
        "Z5: H(X) <- ~P(X) & ~Q()",
        "Z6: H(X,Y) <- (~P() & ~Q(X,Y)) | ~R()",
        // constants, of which small instances lack some
        "O: H(X) <- ~P(X,0)",
        "O2: H(X) <- ~P(1,X) & ~Q(X,0)",
        "O3: H(X,Y) <- ~P(X,1) & ~Q(0,Y)",
        "O4: H(X) <- ~P(0,Z) & ~Q(X)",
        "O5: H(X,Y) <- ~P(X,Y) & ~Q(0,1)",
        "O6: H(X,Y) <- (~P(X,Z) & ~Q(Z,2)) | ~R(Y,3)",
        "O7: H(X) <- (~P(X) & ~Q(0)) | ~R(Z,0)",
        "O8: H(X,Y) <- ~P(Y,0) & ~Q(X,Z)",
        // three conjoined atoms
        "W: H(X,Y) <- ~P(X,Z) & ~Q(Z,T) & ~R(T,Y)",
        "W2: H(X) <- ~P(X,Y) & ~Q(Y,Z) & ~R(Z,X)",
        "W3: H(X,Y) <- (~P(X) & ~Q(Z,Z) & ~R(X,Y)) | ~S(Y,X)",
        "W4: H(X,Y) <- ~P(X,0) & ~Q(Z,Y) & ~R(Z)",
    };
    return texts;
}

/// What the naive model does in one step over n constants, roughly.
double work_of_a_step(const RandomCase& c, int n) {
    double work = 0;
    for (const Auxiliary& auxiliary : c.hierarchy.auxiliaries) {
        const ProtoRule& rule = c.protorules[static_cast<std::size_t>(auxiliary.protorule)];
        double pairs = 1;
        for (std::size_t s = 0; s < rule.body.size(); ++s) {
            pairs *= static_cast<double>(
                c.hierarchy.slots[static_cast<std::size_t>(auxiliary.slots[s])].candidates.size());
        }
        std::vector<int> variables = rule.head;
        for (const ProtoAtom& atom : rule.body) {
            variables.insert(variables.end(), atom.arguments.begin(), atom.arguments.end());
        }
        std::sort(variables.begin(), variables.end());
        const auto distinct = std::unique(variables.begin(), variables.end()) - variables.begin();
        work += pairs * std::pow(n, static_cast<double>(distinct));
    }
    return work;
}

bool has_exact_atoms(const ProtoRules& rules) {
    for (const ProtoRule& rule : rules) {
        for (const auto* atoms : {&rule.body, &rule.disjunct}) {
            for (const ProtoAtom& atom : *atoms) {
                if (!atom.any_lower_arity) {
                    return true;
                }
            }
        }
    }
    return false;
}

std::vector<PredicateSymbol> random_inputs(bool every_arity, Random& random) {
    std::vector<int> arities;
    if (every_arity) {
        arities = {1, 2};
    }
    for (int more = random.chance(0.1) ? 0 : 1 + random.below(3); more > 0; --more) {
        arities.push_back(random.chance(0.5) ? 2 : random.chance(0.6) ? 1 : 0);
    }
    random.shuffle(arities);
    std::vector<PredicateSymbol> inputs;
    for (std::size_t i = 0; i < arities.size(); ++i) {
        inputs.push_back({"p" + std::to_string(i), arities[i]});
    }
    return inputs;
}

/// The facts of `=` and of negated inputs, as they follow from the others.
void add_built_in(const std::vector<PredicateSymbol>& inputs, Instance& instance) {
    const int n = instance.constants;
    const bool negates = std::any_of(inputs.begin(), inputs.end(),
                                     [](const PredicateSymbol& p) { return p.negated; });
    for (std::vector<Fact>& facts : instance.facts) {
        for (std::size_t f = 0; negates && f < facts.size(); ++f) {
            facts[f].value = std::round(facts[f].value * 0x1p20F) * 0x1p-20F;  // 1 - it is exact
        }
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const PredicateSymbol& symbol = inputs[i];
        if (is_equality(symbol) && !symbol.negated) {
            instance.facts[i].clear();
            for (int c = 0; c < n; ++c) {
                instance.facts[i].push_back({c, c});
            }
        }
        if (!symbol.negated) {
            continue;
        }
        instance.facts[i].clear();
        const auto of =
            std::find(inputs.begin(), inputs.end(), PredicateSymbol{symbol.name, symbol.arity}) -
            inputs.begin();
        for (int x = 0; x < (symbol.arity > 0 ? n : 1); ++x) {
            for (int y = 0; y < (symbol.arity > 1 ? n : 1); ++y) {
                const std::vector<Fact>& facts = instance.facts[static_cast<std::size_t>(of)];
                const auto fact = std::find_if(facts.begin(), facts.end(), [&](const Fact& f) {
                    return f.first == x && f.second == y;
                });
                const float value = fact == facts.end() ? 1.0F : 1 - fact->value;
                if (value > 0) {
                    instance.facts[i].push_back({x, y, value});
                }
            }
        }
    }
}

}  // namespace

const std::vector<NamedShape>& shapes() {
    static const std::vector<NamedShape> all = [] {
        std::vector<NamedShape> result;
        for (const char* name : {"R0", "R0v", "R*", "MIL"}) {
            result.push_back({name, load_protorules(name)});
        }
        for (const std::string& text : written_shapes()) {
            result.push_back({text, binarised(parse_protorules(text))});
        }
        for (NamedShape& unbound : unbound_heads()) {
            result.push_back(std::move(unbound));
        }
        return result;
    }();
    return all;
}

const ProtoRules& shape(const std::string& name) {
    for (const NamedShape& s : shapes()) {
        if (s.name == name || (s.name.find(name + ":") == 0 && s.rules.back().name == name) ||
            (s.rules.size() == 1 && s.rules[0].name == name)) {
            return s.rules;
        }
    }
    throw std::invalid_argument("there is no shape " + name);
}

Options random_options(Random& random) {
    Options options = exact_options();
    for (const OptionField& field : fields_of<Options>()) {
        if (field.kind == OptionField::Kind::choice) {
            const int i = random.below(static_cast<int>(field.choices.size()));
            field.set(options, field.choices[static_cast<std::size_t>(i)]);
        }
    }
    options.layers = 1 + random.below(2);
    options.auxiliaries = 1 + random.below(2);
    options.dimension = random.chance(0.3) ? 0 : 3 + random.below(5);
    options.temperature = random.uniform(0.1, 1.0);
    options.final_temperature = random.uniform(0.1, 1.0);
    return options;
}

Instance random_instance(const std::vector<PredicateSymbol>& inputs, int target_arity,
                         int constants, bool fuzzy, Random& random) {
    Instance instance = make_instance(make_schema(inputs, {"target", target_arity}), constants);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const double density = fuzzy ? 0.9 : random.chance(0.15) ? 0.0 : random.uniform();
        const bool crisp = !fuzzy && random.chance(0.4);
        for (int x = 0; x < (inputs[i].arity > 0 ? constants : 1); ++x) {
            for (int y = 0; y < (inputs[i].arity > 1 ? constants : 1); ++y) {
                if (random.chance(density)) {
                    const double value = crisp ? 1.0 : random.uniform(0.02, 0.98);
                    instance.facts[i].push_back({x, y, static_cast<float>(value)});
                }
            }
        }
    }
    return instance;
}

RandomCase random_case(const ProtoRules& rules, const Options& options, Random& random,
                       const CaseLimits& limits) {
    RandomCase c;
    c.protorules = rules;
    c.options = options;
    c.inputs = make_inputs(random_inputs(has_exact_atoms(rules), random), options);
    const int target_arity = rules.back().arity() == 0 ? random.below(3) : 1 + random.below(2);
    const bool fits = std::any_of(rules.begin(), rules.end(), [&](const ProtoRule& rule) {
        return rule.arity() == target_arity && !rule.is_helper;
    });
    if (!fits) {
        c.options.last_layer = LastLayer::all;
    }
    c.hierarchy = make_hierarchy(rules, c.inputs, target_arity, c.options);
    c.dimension = options.dimension > 0 ? options.dimension : c.hierarchy.predicates();

    c.steps = random.chance(0.1) ? 0 : 1 + random.below(limits.max_steps);
    int n = 1 + random.below(limits.max_constants);
    while (n > 1 && work_of_a_step(c, n) * std::max(c.steps, 1) > limits.max_work) {
        --n;
    }
    c.instance = random_instance(c.inputs, target_arity, n, limits.fuzzy, random);
    add_built_in(c.inputs, c.instance);

    // True and False have a dimension of their own each.
    const auto d = static_cast<std::size_t>(c.dimension);
    c.predicates.assign(static_cast<std::size_t>(c.hierarchy.predicates()) * d, 0.0F);
    c.predicates[0] = 1;
    c.predicates[d + 1] = 1;
    for (std::size_t p = 2; p < static_cast<std::size_t>(c.hierarchy.predicates()); ++p) {
        for (std::size_t k = 2; k < d; ++k) {
            c.predicates[p * d + k] = static_cast<float>(random.normal());
        }
    }
    const bool sharp = random.chance(0.5);  // each slot near one of its candidates, or anywhere
    for (const Slot& slot : c.hierarchy.slots) {
        const int some = random.below(static_cast<int>(slot.candidates.size()));
        const auto p = static_cast<std::size_t>(slot.candidates[static_cast<std::size_t>(some)]);
        for (std::size_t k = 0; k < d; ++k) {
            const double noise = random.normal();
            c.slots.push_back(sharp ? c.predicates[p * d + k] + static_cast<float>(0.2 * noise)
                                    : static_cast<float>(noise));
        }
    }
    if (random.chance(0.5)) {
        const std::size_t scores =
            c.hierarchy.slots.size() * static_cast<std::size_t>(c.hierarchy.predicates());
        for (std::size_t i = 0; i < scores; ++i) {
            c.gumbel.push_back(static_cast<float>(0.3 * random.normal()));
        }
    }
    return c;
}

void label_at_random(Instance& instance, const std::vector<double>& target, Random& random) {
    for (std::size_t i = 0; i < target.size(); ++i) {
        const double kind = random.uniform();
        instance.labels[i] = Label::unlabelled;
        if (kind < 0.45 && target[i] > 1e-3) {
            instance.labels[i] = Label::positive;
        } else if (kind < 0.9 && target[i] < 1 - 1e-3) {
            instance.labels[i] = Label::negative;
        }
    }
}

reference::Point RandomCase::naive_point() const {
    return {converted<double>(predicates), converted<double>(slots), converted<double>(gumbel),
            options.temperature};
}

std::string RandomCase::describe() const {
    std::string text;
    for (const ProtoRule& rule : protorules) {
        text += to_text(rule) + "; ";
    }
    for (const PredicateSymbol& input : inputs) {
        text += input.name + "/" + std::to_string(input.arity) + " ";
    }
    text += "-> target/" + std::to_string(hierarchy.target_arity) + ", constants " +
            std::to_string(instance.constants) + ", steps " + std::to_string(steps);
    for (const OptionField& field : fields_of<Options>()) {
        if (field.get(options) != field.get(Options{})) {
            text += ", " + field.name + " " + field.get(options);
        }
    }
    return text;
}

}  // namespace hri
