// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rules that hold in generated scenes.

#include "hri/scenes.hpp"

#include "evaluate/bits/compiled_program.hpp"

namespace hri::scenes {

class Planted {
  public:
    /// Throws Error where the rules are recursive, negate, define no name or use a planted one.
    Planted(const std::string& rules, const std::vector<PredicateSymbol>& predicates,
            std::uint32_t unary);
    Planted(const Planted&) = delete;  // rules_of_ points into program_
    Planted& operator=(const Planted&) = delete;
    ~Planted() = default;

    /// The planted names.
    const std::vector<std::uint32_t>& targets() const { return targets_; }

    bool is_target(std::uint32_t predicate) const { return is_target_[predicate]; }

    /// Whether a rule asks for it: such a name must not change after evaluation.
    bool is_used(std::uint32_t predicate) const { return is_used_[predicate]; }

    /// Atoms that make the target hold of object 0 by one of its rules, over objects 0, 1, ...
    struct Body {
        std::uint32_t objects = 1;
        std::vector<SceneLabel> names;
        std::vector<SceneRelation> relations;
    };

    Body draw_body(std::uint32_t target, Random& random) const;

    /// Whether each planted name holds of each object, by the facts alone.
    void evaluate(const Instance& instance,
                  const std::function<void(std::uint32_t target, const Truth&)>& visit);

  private:
    void expand(const Atom& atom, const std::vector<std::uint32_t>& objects, Random& random,
                Body& body) const;

    Program program_;
    std::vector<std::uint32_t> id_;  // [predicate of the program] in the set, UINT32_MAX: invented
    std::vector<std::vector<const Rule*>> rules_of_;
    std::vector<std::uint32_t> targets_;
    std::vector<bool> is_target_, is_used_;
    std::vector<evaluation::CompiledProgram> compiled_;  // [target]
};

}  // namespace hri::scenes
