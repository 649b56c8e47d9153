// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs recursive clauses with many base clauses at once. What is derived carries the set of base
// clauses in which each derivation ended.

#include "search/clauses/bindings.hpp"
#include "search/clauses/language.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

namespace hri::search {

constexpr std::size_t kMaxBases = 512;

using Bases = std::array<std::uint64_t, kMaxBases / 64>;

bool is_empty(const Bases& bases);

/// The answers of a call: values of the head's other arguments, each with the base clauses that end
/// a derivation of it.
struct Answers {
    std::vector<std::vector<std::int32_t>> outputs;
    std::vector<Bases> by;
    bool running = false;
};

using Inputs = std::vector<std::int32_t>;

struct InputsHash {
    std::size_t operator()(const Inputs& inputs) const;
};

/// Runs bodies from left to right.
class BodyRunner {
  public:
    /// `recursive`: the predicate that stands for the target.
    BodyRunner(const evaluation::DatabaseIndex& index, const Language& language, int recursive);

    const std::vector<int>& in() const { return in_; }

    const std::vector<int>& out() const { return out_; }

    int recursive() const { return recursive_; }

    const Language& language() const { return language_; }

    Inputs inputs_of(const std::int32_t* tuple) const;

    /// Values of all variables of a body: those of the inputs, and none of others.
    std::vector<std::int32_t> values_for(const Body& body, const Inputs& inputs) const;

    /// Calls `found` with the values of all variables for each way in which the body holds. `call`
    /// answers recursive literals.
    void solve(const Body& body, std::size_t at, std::vector<std::int32_t>& values,
               std::int64_t& steps, const std::function<const Answers&(const Inputs&)>& call,
               const std::function<void(const std::vector<std::int32_t>&, const Bases&)>& found,
               const Bases& bases) const;

    void add(Answers& answers, const std::vector<std::int32_t>& values, const Bases& bases) const;

  private:
    const evaluation::DatabaseIndex& index_;
    const Language& language_;
    int recursive_;
    std::vector<int> in_;
    std::vector<int> out_;
};

/// Whether the recursive call of the body asks for what the head asks for.
bool passes_on(const BodyRunner& runner, const Body& body);

/// Base clauses, with their answers to each call that was asked.
class BaseClauses {
  public:
    BaseClauses(const BodyRunner& runner, std::vector<Body> bodies)
        : runner_(runner), bodies_(std::move(bodies)) {}

    const std::vector<Body>& bodies() const { return bodies_; }

    /// Those of `allowed`.
    void append(const Inputs& inputs, const Bases& allowed, Answers& to);

  private:
    const BodyRunner& runner_;
    std::vector<Body> bodies_;
    std::unordered_map<Inputs, Answers, InputsHash> known_;
};

/// One set of recursive clauses with base clauses.
class RecursiveRun {
  public:
    RecursiveRun(const BodyRunner& runner, BaseClauses& bases, const Bases& allowed,
                 const std::vector<const Body*>& clauses);

    /// The base clauses that derive the tuple.
    Bases derive(const std::int32_t* tuple);

    /// The number of answers of a call with the tuple's inputs, as far as the bounds reach.
    std::size_t answers(const std::int32_t* tuple);

  private:
    const Answers& call(const Inputs& inputs);
    void only_wanted(Answers& answers) const;

    const BodyRunner& runner_;
    BaseClauses& bases_;
    const Bases& allowed_;
    const std::vector<const Body*>& clauses_;
    bool passes_on_;  // what is asked for is what the recursive calls are asked for
    std::vector<std::int32_t> wanted_;
    std::unordered_map<Inputs, Answers, InputsHash> known_;
    std::int64_t steps_ = 0;
    int depth_ = 0;
};

/// Bits that say which of the program's answers the positive examples are: programs that answer
/// with much are less likely meant. Nothing where the head has no outputs.
double answer_bits(const BodyRunner& runner, const std::vector<Body>& bases,
                   const std::vector<Body>& recursive, const SearchExamples& examples);

}  // namespace hri::search
