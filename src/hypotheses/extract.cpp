// SPDX-License-Identifier: Apache-2.0
// The argmax of the match is a logic program.

#include "hri/model.hpp"

#include <algorithm>
#include <optional>

namespace hri {

namespace {

/// A name that Prolog takes without quotes and that no input has.
std::string invented_name(const std::string& name, const Model& model) {
    std::string result = "aux";
    for (const char c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_')
            result += c;
        else if (c == '.')
            result += '_';
    const auto taken = [&](const std::string& candidate) {
        return candidate == model.target.name ||
               std::any_of(model.inputs.begin(), model.inputs.end(),
                           [&](const PredicateSymbol& p) { return p.name == candidate; });
    };
    while (taken(result))
        result += "_";
    return result;
}

class Extraction {
  public:
    Extraction(const Model& model, const Matches& matches) : model_(model), matches_(matches) {
        const Hierarchy& h = model.hierarchy;
        program_.target = program_.vocabulary.intern(model.target);
        ids_.resize(static_cast<std::size_t>(h.predicates()));
        for (int i = 0; i < h.inputs; ++i)
            ids_[static_cast<std::size_t>(2 + i)] =
                program_.vocabulary.intern(model.inputs[static_cast<std::size_t>(i)]);
        for (std::size_t a = 0; a < h.auxiliaries.size(); ++a)
            ids_[static_cast<std::size_t>(h.first_auxiliary()) + a] =
                program_.vocabulary.intern({unique_name(a), h.auxiliaries[a].arity});
        for (int p = h.first_negation(); p < h.predicates(); ++p) {
            const auto a = static_cast<std::size_t>(h.positive(p) - h.first_auxiliary());
            ids_[static_cast<std::size_t>(p)] =
                program_.vocabulary.intern({unique_name(a), h.auxiliaries[a].arity, true});
        }
    }

    Program run() {
        const Hierarchy& h = model_.hierarchy;
        std::vector<bool> reached(h.auxiliaries.size(), false);
        std::vector<int> open;
        const auto reach = [&](int p) {
            if (p < h.first_auxiliary())
                return;
            const auto a = static_cast<std::size_t>(h.positive(p) - h.first_auxiliary());
            if (!reached[a]) {
                reached[a] = true;
                open.push_back(static_cast<int>(a));
            }
        };
        const int top = best(h.target_slot());
        reach(top);
        while (!open.empty()) {
            const Auxiliary& aux = h.auxiliaries[static_cast<std::size_t>(open.back())];
            open.pop_back();
            for (const int slot : aux.slots)
                reach(best(slot));
        }
        add_target_rule(top);
        for (std::size_t a = h.auxiliaries.size(); a-- > 0;)
            if (reached[a])
                add_rules(static_cast<int>(a));
        return std::move(program_);
    }

  private:
    std::string unique_name(std::size_t a) const {
        // "B*_2" and "B_2" would collide without the star: the position tells them apart.
        const auto& all = model_.hierarchy.auxiliaries;
        const std::string name = invented_name(all[a].name, model_);
        int same = 0;
        for (std::size_t b = 0; b < a; ++b)
            same += invented_name(all[b].name, model_) == name ? 1 : 0;
        return same == 0 ? name : name + "_" + std::to_string(same + 1);
    }

    int best(int slot) const { return matches_[static_cast<std::size_t>(slot)]; }

    int arity(int predicate) const {
        return model_.hierarchy.arity[static_cast<std::size_t>(predicate)];
    }

    /// The atom that a slot's winner makes of a proto-atom; arguments beyond its arity fall away.
    Atom atom(int predicate, const std::vector<int>& arguments,
              const std::vector<std::string>& constants = {}) {
        Atom result{ids_[static_cast<std::size_t>(predicate)], {}};
        for (int i = 0; i < arity(predicate); ++i) {
            const int argument = arguments[static_cast<std::size_t>(i)];
            result.arguments.push_back(
                argument >= 0 ? Term::variable(argument)
                              : Term::constant(program_.vocabulary.intern_constant(
                                    constants[static_cast<std::size_t>(-1 - argument)])));
        }
        return result;
    }

    void add_target_rule(int top) {
        Atom head{program_.target, {}};
        std::vector<int> variables{0, 1};
        for (int i = 0; i < model_.target.arity; ++i)
            head.arguments.push_back(Term::variable(i));
        program_.rules.push_back({head, {atom(top, variables)}});
    }

    void add_rules(int a) {
        const Auxiliary& aux = model_.hierarchy.auxiliaries[static_cast<std::size_t>(a)];
        const ProtoRule& rule = model_.protorules[static_cast<std::size_t>(aux.protorule)];
        Atom head{ids_[static_cast<std::size_t>(model_.hierarchy.first_auxiliary() + a)], {}};
        for (const int v : rule.head)
            head.arguments.push_back(Term::variable(v));
        bool defined = false;
        const auto add = [&](const std::vector<ProtoAtom>& atoms, std::size_t first_slot) {
            Rule result{head, {}};
            for (std::size_t i = 0; i < atoms.size(); ++i) {
                const int p = best(aux.slots[first_slot + i]);
                if (p == Hierarchy::kFalse)
                    return;
                if (p != Hierarchy::kTrue)
                    result.body.push_back(atom(p, atoms[i].arguments, rule.constants));
            }
            program_.rules.push_back(std::move(result));
            defined = true;
        };
        add(rule.body, 0);
        if (!rule.disjunct.empty())
            add(rule.disjunct, rule.body.size());
        if (!defined)  // never true: say so by a rule that never fires
            program_.rules.push_back({head, {head}});
    }

    const Model& model_;
    const Matches& matches_;
    Program program_;
    std::vector<Predicate> ids_;
};

}  // namespace

Matches best_matches(const Model& model) {
    const std::vector<float> alpha = unification(model);
    Matches matches;
    for (std::size_t slot = 0; slot < model.hierarchy.slots.size(); ++slot) {
        const std::vector<int>& candidates = model.hierarchy.slots[slot].candidates;
        const float* row =
            alpha.data() + slot * static_cast<std::size_t>(model.hierarchy.predicates());
        matches.push_back(*std::max_element(candidates.begin(), candidates.end(),
                                            [&](int a, int b) { return row[a] < row[b]; }));
    }
    return matches;
}

Program extract(const Model& model, const Matches& matches) {
    return Extraction(model, matches).run();
}

Program extract(const Model& model) { return extract(model, best_matches(model)); }

void set_matches(Model& model, const Matches& matches) {
    Parameters& parameters = model.parameters;
    const auto d = static_cast<std::size_t>(parameters.dimension);
    for (std::size_t slot = 0; slot < matches.size(); ++slot)
        std::copy_n(parameters.predicates.begin() +
                        static_cast<std::ptrdiff_t>(static_cast<std::size_t>(matches[slot]) * d),
                    d, parameters.slots.begin() + static_cast<std::ptrdiff_t>(slot * d));
}

}  // namespace hri
