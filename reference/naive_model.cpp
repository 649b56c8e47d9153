// SPDX-License-Identifier: Apache-2.0
#include "reference/naive_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace hri::reference {

namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

int power(int base, int exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }

double conjunction(And kind, double a, double b) {
    switch (kind) {
        case And::min:
            return std::min(a, b);
        case And::product:
            return a * b;
        case And::lukasiewicz:
            return std::max(0.0, a + b - 1.0);
    }
    return 0;
}

double disjunction(Or kind, double a, double b) {
    switch (kind) {
        case Or::max:
            return std::max(a, b);
        case Or::prodminus:
            return a + b - a * b;
        case Or::lukasiewicz:
            return std::min(1.0, a + b);
    }
    return 0;
}

double merged(Merge kind, double old, double now) {
    return kind == Merge::max ? std::max(old, now) : std::min(1.0, old + now);
}

void pool(Pool kind, double& pooled, double value) {
    pooled = kind == Pool::sum ? pooled + value : std::max(pooled, value);
}

/// A constant for each variable of a proto-rule, -1 where none is chosen yet. Three atoms and a
/// head have eight at most.
using Grounding = std::array<int, 8>;

/// The atom's valuation under a grounding.
double ground(const Valuations& v, int predicate, const ProtoAtom& atom, const Grounding& grounding,
              const ProtoRule& rule) {
    std::array<int, 2> constants{};
    // a predicate of lower arity ignores the rest, also constants that are not there
    for (std::size_t i = 0; i < index(v.arity[index(predicate)]); ++i) {
        const int argument = atom.arguments[i];
        constants[i] = argument >= 0 ? grounding[index(argument)]
                                     : v.named.at(rule.constants[index(-1 - argument)]);
        if (constants[i] < 0) {
            return 0;
        }
    }
    return v(predicate, constants.data());
}

/// Variables of the atoms that the head lacks, each once.
std::vector<int> existential(const std::vector<int>& head, const std::vector<ProtoAtom>& atoms) {
    std::vector<int> result;
    for (const ProtoAtom& atom : atoms) {
        for (const int variable : atom.arguments) {
            if (variable >= 0 && std::count(head.begin(), head.end(), variable) == 0 &&
                std::count(result.begin(), result.end(), variable) == 0) {
                result.push_back(variable);
            }
        }
    }
    return result;
}

/// max over all groundings of `variables` of value(grounding).
template <class Value>
double exists(int constants, const std::vector<int>& variables, Grounding grounding,
              const Value& value) {
    double best = 0;
    const int groundings = power(constants, static_cast<int>(variables.size()));
    for (int g = 0; g < groundings; ++g) {
        int rest = g;
        for (const int variable : variables) {
            grounding[index(variable)] = rest % constants;
            rest /= constants;
        }
        best = std::max(best, value(grounding));
    }
    return best;
}

/// The head's variables bound to an atom's arguments; false where a repeated variable meets two
/// constants.
bool bind(Grounding& grounding, const std::vector<int>& head, const std::vector<int>& arguments) {
    for (std::size_t i = 0; i < head.size(); ++i) {
        int& bound = grounding[index(head[i])];
        if (bound != -1 && bound != arguments[i]) {
            return false;
        }
        bound = arguments[i];
    }
    return true;
}

/// v_and and v_or of the paper's equation (one_step_inference) for one ground atom of one auxiliary
/// predicate.
double derived(const Model& model, const Matrix& alpha, const Valuations& old,
               const Auxiliary& auxiliary, const std::vector<int>& arguments) {
    const ProtoRule& rule = model.protorules[index(auxiliary.protorule)];
    const auto candidates = [&](std::size_t slot) -> const std::vector<int>& {
        return model.hierarchy.slots[index(auxiliary.slots[slot])].candidates;
    };
    const auto score = [&](std::size_t slot, int predicate) {
        return alpha[index(auxiliary.slots[slot])][index(predicate)];
    };
    Grounding grounding;
    grounding.fill(-1);
    if (!bind(grounding, rule.head, arguments)) {
        return 0;  // no instance of the rule has this head
    }

    double v_and = 0;
    const std::vector<int> variables = existential(rule.head, rule.body);
    for (const int p : candidates(0)) {
        if (rule.body.size() == 1) {
            const double value =
                exists(old.constants, variables, grounding,
                       [&](const Grounding& g) { return ground(old, p, rule.body[0], g, rule); });
            pool(model.options.pool, v_and, score(0, p) * value);
            continue;
        }
        for (const int q : candidates(1)) {
            const double value =
                exists(old.constants, variables, grounding, [&](const Grounding& g) {
                    return conjunction(model.options.fuzzy_and,
                                       ground(old, p, rule.body[0], g, rule),
                                       ground(old, q, rule.body[1], g, rule));
                });
            pool(model.options.pool, v_and, score(0, p) * score(1, q) * value);
        }
    }
    if (rule.disjunct.empty()) {
        return v_and;
    }

    double v_disjunct = 0;
    const std::size_t slot = rule.body.size();
    const std::vector<int> others = existential(rule.head, rule.disjunct);
    for (const int r : candidates(slot)) {
        const double value = exists(old.constants, others, grounding, [&](const Grounding& g) {
            return ground(old, r, rule.disjunct[0], g, rule);
        });
        pool(model.options.pool, v_disjunct, score(slot, r) * value);
    }
    return disjunction(model.options.fuzzy_or, v_and, v_disjunct);
}

/// The arguments of the i-th atom of a predicate.
std::vector<int> arguments_of(int i, int arity, int constants) {
    if (arity == 0) {
        return {};
    }
    if (arity == 1) {
        return {i};
    }
    return {i / constants, i % constants};
}

}  // namespace

double Valuations::operator()(int predicate, const int* arguments) const {
    int place = 0;
    for (int i = 0; i < arity[index(predicate)]; ++i) {
        place = place * constants + arguments[i];
    }
    return atoms[index(predicate)][index(place)];
}

double similarity(Similarity kind, const double* a, const double* b, int dimension) {
    double product = 0;
    double a_square = 0;
    double b_square = 0;
    double l1 = 0;
    double l2_square = 0;
    for (int k = 0; k < dimension; ++k) {
        product += a[k] * b[k];
        a_square += a[k] * a[k];
        b_square += b[k] * b[k];
        l1 += std::abs(a[k] - b[k]);
        l2_square += (a[k] - b[k]) * (a[k] - b[k]);
    }
    switch (kind) {
        case Similarity::cosine:
            return product / (std::sqrt(a_square) * std::sqrt(b_square));
        case Similarity::l1:
            return -l1;
        case Similarity::l2:
            return -std::sqrt(l2_square);
        case Similarity::scalar_product:
            return product;
    }
    return 0;
}

Matrix unify(const Model& model, const Point& point) {
    const std::size_t predicates = index(model.hierarchy.predicates());
    const auto d = static_cast<std::size_t>(model.dimension);
    Matrix alpha;
    for (std::size_t s = 0; s < model.hierarchy.slots.size(); ++s) {
        std::vector<double> row(predicates, 0.0);
        double sum = 0;
        for (const int p : model.hierarchy.slots[s].candidates) {
            const double noise =
                point.gumbel.empty() ? 0.0 : point.gumbel[s * predicates + index(p)];
            const double similar =
                similarity(model.options.similarity, &point.predicates[index(p) * d],
                           &point.slots[s * d], model.dimension);
            row[index(p)] = std::exp((similar + noise) / point.temperature);
            sum += row[index(p)];
        }
        for (double& a : row) {
            a /= sum;
        }
        alpha.push_back(std::move(row));
    }
    return alpha;
}

Valuations start(const Model& model, const Instance& instance) {
    Valuations v;
    v.constants = instance.constants;
    v.arity = model.hierarchy.arity;
    for (const int arity : v.arity) {
        v.atoms.emplace_back(index(power(v.constants, arity)), 0.0);
    }
    v.atoms[Hierarchy::kTrue][0] = 1;
    for (const std::string& name : constants_of(model.protorules)) {
        v.named[name] = instance.find(name);
    }
    for (std::size_t i = 0; i < instance.facts.size(); ++i) {
        for (const Fact& fact : instance.facts[i]) {
            const int arity = v.arity[2 + i];
            const int place = arity == 0   ? 0
                              : arity == 1 ? fact.first
                                           : fact.first * v.constants + fact.second;
            v.atoms[2 + i][index(place)] = static_cast<double>(fact.value);
        }
    }
    return v;
}

Valuations step(const Model& model, const Matrix& alpha, const Valuations& old, int layer) {
    Valuations next = old;
    for (std::size_t a = 0; a < model.hierarchy.auxiliaries.size(); ++a) {
        const Auxiliary& auxiliary = model.hierarchy.auxiliaries[a];
        if (layer > 0 && auxiliary.layer != layer) {
            continue;
        }
        std::vector<double>& atoms = next.atoms[index(model.hierarchy.first_auxiliary()) + a];
        for (std::size_t i = 0; i < atoms.size(); ++i) {
            const std::vector<int> arguments =
                arguments_of(static_cast<int>(i), auxiliary.arity, old.constants);
            const double v_or = derived(model, alpha, old, auxiliary, arguments);
            atoms[i] = merged(model.options.merge, atoms[i], v_or);
        }
    }
    return next;
}

Valuations infer(const Model& model, const Matrix& alpha, const Instance& instance, int steps) {
    return infer(model, alpha, start(model, instance), steps);
}

Valuations infer(const Model& model, const Matrix& alpha, Valuations v, int steps) {
    const Hierarchy& h = model.hierarchy;
    const int layers = model.options.negation ? h.auxiliaries.back().layer : 0;
    for (int layer = std::min(layers, 1); layer <= layers; ++layer) {
        for (int s = 0; s < steps; ++s) {
            v = step(model, alpha, v, layer);
        }
        for (int p = h.first_negation(); p < h.predicates(); ++p) {
            const std::vector<double>& of = v.atoms[index(h.positive(p))];
            for (std::size_t i = 0; i < of.size(); ++i) {
                v.atoms[index(p)][i] = 1 - of[i];
            }
        }
    }
    return v;
}

Valuations infer_to_fixpoint(const Model& model, const Matrix& alpha, const Instance& instance,
                             int most, int& took) {
    Valuations v = start(model, instance);
    for (took = 0; took < most;) {
        const Valuations old = v;
        v = step(model, alpha, old);
        ++took;
        double change = 0;
        for (std::size_t p = 0; p < v.atoms.size(); ++p) {
            for (std::size_t i = 0; i < v.atoms[p].size(); ++i) {
                change = std::max(change, std::abs(v.atoms[p][i] - old.atoms[p][i]));
            }
        }
        if (change <= 1e-6) {
            break;
        }
    }
    return v;
}

std::vector<double> target(const Model& model, const Matrix& alpha, const Valuations& valuations) {
    const Hierarchy& h = model.hierarchy;
    const int n = valuations.constants;
    const std::vector<double>& scores = alpha[index(h.target_slot())];
    std::vector<double> result;
    for (int i = 0; i < power(n, h.target_arity); ++i) {
        const std::vector<int> arguments = arguments_of(i, h.target_arity, n);
        double pooled = 0;
        for (const int p : h.slots[index(h.target_slot())].candidates) {
            // The target is P(X,Y) as in a rule's body: a variable that a unary target lacks is
            // existential.
            Grounding grounding{};
            std::copy(arguments.begin(), arguments.end(), grounding.begin());
            std::vector<int> variables;
            for (int variable = h.target_arity; variable < 2; ++variable) {
                variables.push_back(variable);
            }
            const double value = exists(n, variables, grounding, [&](const Grounding& g) {
                return valuations(p, g.data());
            });
            pool(model.options.target_pool, pooled, scores[index(p)] * value);
        }
        result.push_back(std::clamp(pooled, 0.0, 1.0));
    }
    return result;
}

double loss(const Model& model, const Matrix& alpha, const std::vector<double>& target,
            const Instance& instance) {
    double total = 0;
    for (std::size_t i = 0; i < target.size(); ++i) {
        if (instance.labels[i] == Label::positive) {
            total -= std::max(std::log(target[i]), -100.0);
        } else if (instance.labels[i] == Label::negative) {
            total -= std::max(std::log(1 - target[i]), -100.0);
        }
    }
    double spread = 0;
    for (const std::vector<double>& row : alpha) {
        for (const double a : row) {
            spread += a * (1 - a);
        }
    }
    return total + model.options.regularisation * spread;
}

double loss_at(const Model& model, const Point& point, const Instance& instance, int steps) {
    const Matrix alpha = unify(model, point);
    return loss(model, alpha, target(model, alpha, infer(model, alpha, instance, steps)), instance);
}

}  // namespace hri::reference
