// SPDX-License-Identifier: Apache-2.0
#include "rl/state_extensions.hpp"

#include "base/index.hpp"

#include <algorithm>

namespace hri::rl {
namespace {

constexpr float kHolds = 0.5F;  // as symbolic evaluation has it

using base::at;

}  // namespace

StateExtensions::StateExtensions(const std::vector<State>& states, const Model& model)
    : model_(&model), constants_(states[0].facts.constants), words_((states.size() + 63) / 64) {
    Table all(words_, ~Word{0});
    if (states.size() % 64 != 0) {
        all.back() = (Word{1} << (states.size() % 64)) - 1;
    }
    given_ = {intern(all), intern(Table(words_, 0))};
    for (std::size_t p = 0; p < model.inputs.size(); ++p) {
        const int arity = model.inputs[p].arity;
        Table table(cells(arity) * words_, 0);
        for (std::size_t s = 0; s < states.size(); ++s) {
            for (const Fact& fact : states[s].facts.facts[p]) {
                const int cell = arity == 0   ? 0
                                 : arity == 1 ? fact.first
                                              : fact.first * constants_ + fact.second;
                if (fact.value >= kHolds) {
                    table[at(cell) * words_ + s / 64] |= Word{1} << (s % 64);
                }
            }
        }
        given_.push_back(intern(table));
    }
}

const std::vector<int>& StateExtensions::of(const std::vector<int>& matches,
                                            const std::vector<std::uint8_t>& reached) {
    const Hierarchy& h = model_->hierarchy;
    current_ = given_;
    for (std::size_t a = 0; a < reached.size(); ++a) {
        current_.push_back(
            reached[a] != 0 ? intern(Table(cells(h.auxiliaries[a].arity) * words_, 0)) : -1);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t a = 0; a < reached.size(); ++a) {
            if (reached[a] == 0) {
                continue;
            }
            int& meaning = current_[at(h.first_auxiliary()) + a];
            const int next = applied(h.auxiliaries[a], matches);
            changed = changed || next != meaning;
            meaning = next;
        }
    }
    return current_;
}

int StateExtensions::applied(const Auxiliary& aux, const std::vector<int>& matches) {
    key_.assign(1, aux.protorule);
    arities_.clear();
    for (const int slot : aux.slots) {
        const int p = matches[at(slot)];
        key_.push_back(current_[at(p)]);
        arities_.push_back(model_->hierarchy.arity[at(p)]);
        key_.push_back(arities_.back());
    }
    const auto known = applications_.find(key_);
    if (known != applications_.end()) {
        return known->second;
    }
    const ProtoRule& rule = model_->protorules[at(aux.protorule)];
    std::vector<int> meanings;
    for (const int slot : aux.slots) {
        meanings.push_back(current_[at(matches[at(slot)])]);
    }
    Table out(cells(rule.arity()) * words_, 0);
    conjoin(out, rule.head, rule.body, meanings.data(), arities_.data());
    if (!rule.disjunct.empty()) {
        conjoin(out, rule.head, rule.disjunct, meanings.data() + rule.body.size(),
                arities_.data() + rule.body.size());
    }
    const int result = intern(out);
    applications_.emplace(key_, result);
    return result;
}

/// out[head] |= the conjunction, for every assignment of constants to the variables.
void StateExtensions::conjoin(Table& out, const std::vector<int>& head,
                              const std::vector<ProtoAtom>& atoms, const int* meanings,
                              const int* arities) const {
    std::vector<int> variables = head;
    for (const ProtoAtom& atom : atoms) {
        variables.insert(variables.end(), atom.arguments.begin(), atom.arguments.end());
    }
    std::sort(variables.begin(), variables.end());
    variables.erase(std::unique(variables.begin(), variables.end()), variables.end());

    std::vector<int> value(variables.empty() ? 0 : at(variables.back()) + 1, 0);
    const auto row = [&](const std::vector<int>& arguments, int arity) {
        int cell = 0;
        for (int i = 0; i < arity; ++i) {
            cell = cell * constants_ + value[at(arguments[at(i)])];
        }
        return at(cell) * words_;
    };
    for (;;) {
        Word* to = out.data() + row(head, static_cast<int>(head.size()));
        for (std::size_t w = 0; w < words_; ++w) {
            Word bits = ~Word{0};
            for (std::size_t i = 0; i < atoms.size(); ++i) {
                bits &= tables_[at(meanings[i])][row(atoms[i].arguments, arities[i]) + w];
            }
            to[w] |= bits;
        }
        std::size_t v = 0;
        while (v < variables.size() && ++value[at(variables[v])] == constants_) {
            value[at(variables[v++])] = 0;
        }
        if (v == variables.size()) {
            return;
        }
    }
}

int StateExtensions::intern(const Table& table) {
    const auto [found, fresh] = numbers_.emplace(table, size());
    if (fresh) {
        tables_.push_back(table);
    }
    return found->second;
}

std::size_t StateExtensions::cells(int arity) const {
    std::size_t count = 1;
    for (int i = 0; i < arity; ++i) {
        count *= at(constants_);
    }
    return count;
}

}  // namespace hri::rl
