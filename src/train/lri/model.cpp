// SPDX-License-Identifier: Apache-2.0
// LRI's model: its start, its soft valuations, its program.

#include "hri/lri.hpp"

#include "base/checked_size.hpp"
#include "train/lri/objective.hpp"

#include <algorithm>
#include <set>

namespace hri {
namespace {

constexpr float kKept = 0.5F;  // of the product of a rule's cosines

/// Throws unless LRI can run the template.
void check_template(const ProtoRule& rule) {
    std::set<int> existential;
    bool exact = rule.body.size() <= 2 && rule.disjunct.empty() && rule.constants.empty() &&
                 (rule.arity() == 1 || rule.arity() == 2);
    for (const ProtoAtom& atom : rule.body) {
        exact = exact && !atom.any_lower_arity &&
                (atom.arguments.size() == 1 || atom.arguments.size() == 2);
        for (const int variable : atom.arguments)
            if (std::find(rule.head.begin(), rule.head.end(), variable) == rule.head.end())
                existential.insert(variable);
    }
    for (const int variable : rule.head)
        exact = exact && std::any_of(rule.body.begin(), rule.body.end(), [&](const auto& atom) {
                    return std::find(atom.arguments.begin(), atom.arguments.end(), variable) !=
                           atom.arguments.end();
                });
    if (!exact || existential.size() > 1)
        throw Error("'" + to_text(rule) + "' is no template of LRI", {},
                    "templates have one or two body atoms P(X,Y) without ~, all variables of the "
                    "head, one other variable at most, and no disjunct, such as H(X,Y) <- P(X,Z) & "
                    "Q(Z,Y)");
}

std::vector<PredicateSymbol> symbols(const LriModel& model) {
    std::vector<PredicateSymbol> all = model.inputs;
    const auto taken = [&](const std::string& name) {
        return name == model.target.name ||
               std::any_of(model.inputs.begin(), model.inputs.end(),
                           [&](const PredicateSymbol& p) { return p.name == name; });
    };
    for (std::size_t i = 0; i < model.task.auxiliaries.size(); ++i) {
        std::string name = "aux" + std::to_string(i + 1);
        while (taken(name))
            name += "_";
        all.push_back({name, model.task.auxiliaries[i]});
    }
    all.push_back(model.target);
    return all;
}

std::vector<Term> terms(const std::vector<int>& variables) {
    std::vector<Term> result;
    for (const int variable : variables)
        result.push_back(Term::variable(variable));
    return result;
}

}  // namespace

std::vector<int> LriModel::arities() const {
    std::vector<int> result;
    for (const PredicateSymbol& input : inputs)
        result.push_back(input.arity);
    result.insert(result.end(), task.auxiliaries.begin(), task.auxiliaries.end());
    result.push_back(target.arity);
    return result;
}

LriModel make_lri(const std::vector<PredicateSymbol>& inputs, const PredicateSymbol& target,
                  const LriTask& task, const Options& options, std::uint64_t seed) {
    for (const ProtoRule& rule : task.templates)
        check_template(rule);
    if (target.arity != 1 && target.arity != 2)
        throw Error("LRI learns predicates of one or two arguments, not " + target.name + "/" +
                    std::to_string(target.arity));
    LriModel model{options, task, inputs, target, 0, {}, {}};
    const auto predicates = model.arities().size();
    model.dimension = static_cast<int>(predicates);
    const auto count = static_cast<std::int64_t>(predicates);
    model.predicates.assign(
        base::checked_size("embeddings", {{"predicates", count}, {"dimensions", count}},
                           sizeof(float)),
        0.0F);
    for (std::size_t p = 0; p < predicates; ++p)
        model.predicates[p * predicates + p] = 1.0F;
    Random random(seed, Random::kStart);
    model.rules.resize(
        base::checked_size("embeddings of templates",
                           {{"atoms", 3},
                            {"templates", static_cast<std::int64_t>(task.templates.size())},
                            {"predicates", count}},
                           sizeof(float)));
    for (float& x : model.rules)
        x = static_cast<float>(random.uniform());
    return model;
}

std::vector<float> unification(const LriModel& model) {
    lri::Cosines<float> cosines(static_cast<int>(model.task.templates.size()),
                                static_cast<int>(model.arities().size()), model.dimension);
    cosines.forward(model.predicates.data(), model.rules.data());
    return cosines.scores();
}

std::vector<float> infer(const LriModel& model, const Instance& instance, int steps) {
    soft::DenseInstance<float> dense;
    soft::make_dense(dense, instance, soft::columns_of(instance.inputs(), model.inputs),
                     model.inputs, model.target.arity);
    lri::LriObjective<float> objective(model);
    return objective.infer(model.predicates.data(), model.rules.data(), dense, steps);
}

Program extract(const LriModel& model) {
    const std::vector<float> scores = unification(model);
    const std::vector<PredicateSymbol> all = symbols(model);
    const std::size_t rules = model.task.templates.size();
    Program program;
    program.target = program.vocabulary.intern(model.target);
    for (const PredicateSymbol& symbol : all)
        program.vocabulary.intern(symbol);
    const auto score = [&](std::size_t atom, std::size_t rule, std::size_t p) {
        return scores[(atom * rules + rule) * all.size() + p];
    };
    const auto matching = [&](std::size_t from, std::size_t arity) {
        std::vector<std::size_t> found;
        for (std::size_t p = from; p < all.size(); ++p)
            if (all[p].arity == static_cast<int>(arity))
                found.push_back(p);
        return found;
    };
    for (std::size_t r = 0; r < rules; ++r) {
        const ProtoRule& rule = model.task.templates[r];
        const auto body_atom = [&](std::size_t atom, std::size_t p) {
            return Atom{*program.vocabulary.find(all[p]), terms(rule.body[atom].arguments)};
        };
        for (const std::size_t head : matching(model.inputs.size(), rule.head.size()))
            for (const std::size_t first : matching(0, rule.body[0].arguments.size())) {
                const float weight = score(0, r, head) * score(1, r, first);
                Rule kept{{*program.vocabulary.find(all[head]), terms(rule.head)},
                          {body_atom(0, first)}};
                if (rule.body.size() == 1) {
                    if (weight >= kKept)
                        program.rules.push_back(kept);
                    continue;
                }
                kept.body.resize(2);
                for (const std::size_t second : matching(0, rule.body[1].arguments.size()))
                    if (weight * score(2, r, second) >= kKept) {
                        kept.body[1] = body_atom(1, second);
                        program.rules.push_back(kept);
                    }
            }
    }
    return program;
}

}  // namespace hri
