// SPDX-License-Identifier: Apache-2.0
#include "search/clauses/recursive_run.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hri::search {

namespace {

constexpr std::int64_t kMaxSteps = 3'000;  // literals tried for a clause and an example
constexpr int kMaxDepth = 150;
constexpr std::size_t kMaxAnswers = 400;  // of base clauses
constexpr std::size_t kMaxDerived = 100;  // of recursive ones

}  // namespace

bool is_empty(const Bases& bases) {
    return std::all_of(bases.begin(), bases.end(), [](std::uint64_t w) { return w == 0; });
}

std::size_t InputsHash::operator()(const Inputs& inputs) const {
    std::uint64_t hash = 3;
    for (const std::int32_t value : inputs)
        hash = (hash ^ static_cast<std::uint32_t>(value)) * 0x9e3779b97f4a7c15U;
    return hash ^ (hash >> 31);
}

BodyRunner::BodyRunner(const evaluation::DatabaseIndex& index, const Language& language,
                       int recursive)
    : index_(index), language_(language), recursive_(recursive) {
    for (int a = 0; a < language.target.arity; ++a)
        ((language.head_in >> a & 1U) != 0 ? in_ : out_).push_back(a);
}

Inputs BodyRunner::inputs_of(const std::int32_t* tuple) const {
    Inputs inputs;
    for (const int a : in_)
        inputs.push_back(tuple[a]);
    return inputs;
}

std::vector<std::int32_t> BodyRunner::values_for(const Body& body, const Inputs& inputs) const {
    std::vector<std::int32_t> values(static_cast<std::size_t>(variables_of(language_, body)),
                                     kAnyConstant);
    for (std::size_t i = 0; i < inputs.size(); ++i)
        values[static_cast<std::size_t>(in_[i])] = inputs[i];
    return values;
}

void BodyRunner::solve(
    const Body& body, std::size_t at, std::vector<std::int32_t>& values, std::int64_t& steps,
    const std::function<const Answers&(const Inputs&)>& call,
    const std::function<void(const std::vector<std::int32_t>&, const Bases&)>& found,
    const Bases& bases) const {
    if (steps <= 0)
        return;
    --steps;
    if (at == body.size()) {
        found(values, bases);
        return;
    }
    const BodyLiteral& literal = body[at];
    const LanguagePredicate& of = language_.predicates[static_cast<std::size_t>(literal.predicate)];
    const int arity = of.symbol.arity;
    std::int32_t key[kMaxTerms];
    std::uint32_t mask = 0;
    for (int a = 0; a < arity; ++a) {
        const std::int32_t term = literal.terms[static_cast<std::size_t>(a)];
        key[a] = term < 0 ? -1 - term : values[static_cast<std::size_t>(term)];
        mask |= key[a] != kAnyConstant ? 1U << a : 0U;
    }
    const auto go_on = [&](const auto& value_at, const Bases& so_far) {
        bool fits = true;
        for (int a = 0; a < arity && fits; ++a)
            if ((mask >> a & 1U) == 0) {
                std::int32_t& value =
                    values[static_cast<std::size_t>(literal.terms[static_cast<std::size_t>(a)])];
                if (value == kAnyConstant)
                    value = value_at(a);
                else
                    fits = value == value_at(a);
            } else {
                fits = key[a] == value_at(a);
            }
        if (fits)
            solve(body, at + 1, values, steps, call, found, so_far);
        for (int a = 0; a < arity; ++a)
            if ((mask >> a & 1U) == 0)
                values[static_cast<std::size_t>(literal.terms[static_cast<std::size_t>(a)])] =
                    kAnyConstant;
    };
    if (literal.predicate == recursive_) {
        Inputs inputs;
        for (const int a : in_)
            inputs.push_back(key[a]);
        const Answers& answers = call(inputs);
        for (std::size_t i = 0; i < answers.outputs.size(); ++i) {
            const std::vector<std::int32_t> output = answers.outputs[i];  // it may move
            const Bases so_far = answers.by[i];
            go_on(
                [&](int a) {
                    const auto place = std::find(out_.begin(), out_.end(), a);
                    return place == out_.end()
                               ? key[a]
                               : output[static_cast<std::size_t>(place - out_.begin())];
                },
                so_far);
        }
        return;
    }
    const std::span<const std::int32_t> rows = index_.match(of.index, mask, key);
    for (std::size_t r = 0; r < rows.size(); r += static_cast<std::size_t>(arity)) {
        const std::int32_t* row = rows.data() + r;
        go_on([&](int a) { return row[a]; }, bases);
        if (steps <= 0)
            return;
    }
}

void BodyRunner::add(Answers& answers, const std::vector<std::int32_t>& values,
                     const Bases& bases) const {
    std::vector<std::int32_t> output;
    for (const int a : out_)
        output.push_back(values[static_cast<std::size_t>(a)]);
    for (std::size_t i = 0; i < answers.outputs.size(); ++i)
        if (answers.outputs[i] == output) {
            for (std::size_t w = 0; w < bases.size(); ++w)
                answers.by[i][w] |= bases[w];
            return;
        }
    if (answers.outputs.size() >= kMaxAnswers)
        return;
    answers.outputs.push_back(std::move(output));
    answers.by.push_back(bases);
}

bool passes_on(const BodyRunner& runner, const Body& body) {
    const auto call = std::find_if(body.begin(), body.end(), [&](const BodyLiteral& literal) {
        return literal.predicate == runner.recursive();
    });
    return std::all_of(runner.out().begin(), runner.out().end(),
                       [&](int a) { return call->terms[static_cast<std::size_t>(a)] == a; });
}

void BaseClauses::append(const Inputs& inputs, const Bases& allowed, Answers& to) {
    auto found = known_.find(inputs);
    if (found == known_.end()) {
        Answers answers;
        for (std::size_t b = 0; b < bodies_.size(); ++b) {
            Bases own{};
            own[b / 64] = std::uint64_t(1) << (b % 64);
            std::vector<std::int32_t> values = runner_.values_for(bodies_[b], inputs);
            std::int64_t steps = kMaxSteps;
            static const Answers none;
            runner_.solve(
                bodies_[b], 0, values, steps, [](const Inputs&) -> const Answers& { return none; },
                [&](const std::vector<std::int32_t>& all, const Bases& bases) {
                    runner_.add(answers, all, bases);
                },
                own);
        }
        found = known_.emplace(inputs, std::move(answers)).first;
    }
    for (std::size_t i = 0; i < found->second.outputs.size(); ++i) {
        Bases by = found->second.by[i];
        for (std::size_t w = 0; w < by.size(); ++w)
            by[w] &= allowed[w];
        if (is_empty(by))
            continue;
        to.outputs.push_back(found->second.outputs[i]);
        to.by.push_back(by);
    }
}

RecursiveRun::RecursiveRun(const BodyRunner& runner, BaseClauses& bases, const Bases& allowed,
                           const std::vector<const Body*>& clauses)
    : runner_(runner),
      bases_(bases),
      allowed_(allowed),
      clauses_(clauses),
      passes_on_(std::all_of(clauses.begin(), clauses.end(),
                             [&](const Body* body) { return passes_on(runner, *body); })) {}

Bases RecursiveRun::derive(const std::int32_t* tuple) {
    steps_ = kMaxSteps;
    depth_ = 0;
    const Inputs inputs = runner_.inputs_of(tuple);
    std::vector<std::int32_t> output;
    for (const int a : runner_.out())
        output.push_back(tuple[a]);
    if (passes_on_ && output != wanted_) {
        known_.clear();
        wanted_ = output;
    }
    const Answers& answers = call(inputs);
    for (std::size_t i = 0; i < answers.outputs.size(); ++i)
        if (answers.outputs[i] == output)
            return answers.by[i];
    return {};
}

std::size_t RecursiveRun::answers(const std::int32_t* tuple) {
    steps_ = kMaxSteps;
    depth_ = 0;
    if (std::exchange(passes_on_, false))  // all outputs, not one that is asked for
        known_.clear();
    return call(runner_.inputs_of(tuple)).outputs.size();
}

double answer_bits(const BodyRunner& runner, const std::vector<Body>& bases,
                   const std::vector<Body>& recursive, const SearchExamples& examples) {
    if (runner.out().empty())
        return 0;
    BaseClauses clauses(runner, bases);
    std::vector<const Body*> steps;
    for (const Body& body : recursive)
        steps.push_back(&body);
    Bases all;
    all.fill(~std::uint64_t{0});
    RecursiveRun run(runner, clauses, all, steps);
    double bits = 0;
    for (int e = 0; e < examples.positives; ++e)
        bits += std::log2(
            static_cast<double>(std::max<std::size_t>(run.answers(examples.tuple(e)), 1)));
    return bits;
}

const Answers& RecursiveRun::call(const Inputs& inputs) {
    const auto [place, fresh] = known_.try_emplace(inputs);
    Answers& answers = place->second;
    if (!fresh || answers.running)
        return answers;
    if (depth_ >= kMaxDepth || steps_ <= 0)
        return answers;
    ++depth_;
    answers.running = true;
    Answers made;
    bases_.append(inputs, allowed_, made);
    if (passes_on_)
        only_wanted(made);
    for (const Body* body : clauses_) {
        std::vector<std::int32_t> values = runner_.values_for(*body, inputs);
        if (passes_on_)
            for (std::size_t i = 0; i < wanted_.size(); ++i)
                values[static_cast<std::size_t>(runner_.out()[i])] = wanted_[i];
        runner_.solve(
            *body, 0, values, steps_,
            [this](const Inputs& asked) -> const Answers& { return call(asked); },
            [&](const std::vector<std::int32_t>& all, const Bases& bases) {
                if (made.outputs.size() < kMaxDerived)
                    runner_.add(made, all, bases);
            },
            Bases{});
    }
    answers.outputs = std::move(made.outputs);
    answers.by = std::move(made.by);
    answers.running = false;
    --depth_;
    return answers;
}

void RecursiveRun::only_wanted(Answers& answers) const {
    for (std::size_t i = 0; i < answers.outputs.size(); ++i)
        if (answers.outputs[i] == wanted_) {
            answers.by = {answers.by[i]};
            answers.outputs = {wanted_};
            return;
        }
    answers.by.clear();
    answers.outputs.clear();
}

}  // namespace hri::search
