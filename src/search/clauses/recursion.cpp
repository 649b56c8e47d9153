// SPDX-License-Identifier: Apache-2.0
#include "search/clauses/recursion.hpp"

#include "base/thread_pool.hpp"
#include "search/clauses/bodies.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <map>
#include <numeric>
#include <unordered_map>

namespace hri::search {

namespace {

constexpr std::size_t kMaxBases = 512;
constexpr std::int64_t kMaxSteps = 6'000;  // literals tried for a clause and an example
constexpr int kMaxDepth = 400;
constexpr std::size_t kMaxAnswers = 400;  // of a call
constexpr int kFewLiterals = 2;           // of base clauses, at first
constexpr int kFirstRecursive = 4;        // literals of recursive clauses, at first
constexpr int kFirstPositives = 4;        // a clause that derives none of them is given up
constexpr std::size_t kPromising = 60;    // recursive clauses of which pairs are tried

using Bases = std::array<std::uint64_t, kMaxBases / 64>;

bool is_empty(const Bases& bases) {
    return std::all_of(bases.begin(), bases.end(), [](std::uint64_t w) { return w == 0; });
}

/// What a call gives: values of the head's other arguments, each with the base clauses that end a
/// derivation of it.
struct Answers {
    std::vector<std::vector<std::int32_t>> outputs;
    std::vector<Bases> by;
    bool running = false;
};

using Inputs = std::vector<std::int32_t>;

struct InputsHash {
    std::size_t operator()(const Inputs& inputs) const {
        std::uint64_t hash = 3;
        for (const std::int32_t value : inputs)
            hash = (hash ^ static_cast<std::uint32_t>(value)) * 0x9e3779b97f4a7c15U;
        return hash ^ (hash >> 31);
    }
};

/// Runs bodies from left to right.
class Runner {
  public:
    Runner(const evaluation::DatabaseIndex& index, const Language& language, int recursive)
        : index_(index), language_(language), recursive_(recursive) {
        for (int a = 0; a < language.target.arity; ++a)
            ((language.head_in >> a & 1U) != 0 ? in_ : out_).push_back(a);
    }

    const std::vector<int>& in() const { return in_; }

    const std::vector<int>& out() const { return out_; }

    /// Calls `found` with the values of all variables for each way in which the body holds. `call`
    /// answers recursive literals.
    void solve(const Body& body, std::size_t at, std::vector<std::int32_t>& values,
               std::int64_t& steps, const std::function<const Answers&(const Inputs&)>& call,
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
        const LanguagePredicate& of =
            language_.predicates[static_cast<std::size_t>(literal.predicate)];
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
                    std::int32_t& value = values[static_cast<std::size_t>(
                        literal.terms[static_cast<std::size_t>(a)])];
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

    void add(Answers& answers, const std::vector<std::int32_t>& values, const Bases& bases) const {
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

  private:
    const evaluation::DatabaseIndex& index_;
    const Language& language_;
    int recursive_;
    std::vector<int> in_;
    std::vector<int> out_;
};

/// Base clauses, with their answers to each call that was asked.
class BaseClauses {
  public:
    BaseClauses(const Runner& runner, const Language& language, std::vector<Body> bodies)
        : runner_(runner), language_(language), bodies_(std::move(bodies)) {}

    const std::vector<Body>& bodies() const { return bodies_; }

    void append(const Inputs& inputs, Answers& to) {
        auto found = known_.find(inputs);
        if (found == known_.end()) {
            Answers answers;
            for (std::size_t b = 0; b < bodies_.size(); ++b) {
                Bases own{};
                own[b / 64] = std::uint64_t(1) << (b % 64);
                std::vector<std::int32_t> values(
                    static_cast<std::size_t>(variables_of(language_, bodies_[b])), kAnyConstant);
                for (std::size_t i = 0; i < inputs.size(); ++i)
                    values[static_cast<std::size_t>(runner_.in()[i])] = inputs[i];
                std::int64_t steps = kMaxSteps;
                static const Answers none;
                runner_.solve(
                    bodies_[b], 0, values, steps,
                    [](const Inputs&) -> const Answers& { return none; },
                    [&](const std::vector<std::int32_t>& all, const Bases& bases) {
                        runner_.add(answers, all, bases);
                    },
                    own);
            }
            found = known_.emplace(inputs, std::move(answers)).first;
        }
        for (std::size_t i = 0; i < found->second.outputs.size(); ++i) {
            to.outputs.push_back(found->second.outputs[i]);
            to.by.push_back(found->second.by[i]);
        }
    }

  private:
    const Runner& runner_;
    const Language& language_;
    std::vector<Body> bodies_;
    std::unordered_map<Inputs, Answers, InputsHash> known_;
};

/// One set of recursive clauses with all base clauses.
class RecursiveRun {
  public:
    RecursiveRun(const Runner& runner, const Language& language, BaseClauses& bases,
                 const std::vector<const Body*>& clauses)
        : runner_(runner),
          language_(language),
          bases_(bases),
          clauses_(clauses),
          passes_on_(std::all_of(clauses.begin(), clauses.end(), [&](const Body* body) {
              const auto call =
                  std::find_if(body->begin(), body->end(), [&](const BodyLiteral& literal) {
                      return literal.predicate == static_cast<int>(language.predicates.size()) - 1;
                  });
              return std::all_of(runner.out().begin(), runner.out().end(), [&](int a) {
                  return call->terms[static_cast<std::size_t>(a)] == a;
              });
          })) {}

    /// The base clauses that derive the tuple.
    Bases derive(const std::int32_t* tuple) {
        steps_ = kMaxSteps;
        depth_ = 0;
        Inputs inputs;
        std::vector<std::int32_t> output;
        for (const int a : runner_.in())
            inputs.push_back(tuple[a]);
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

  private:
    const Answers& call(const Inputs& inputs) {
        const auto [place, fresh] = known_.try_emplace(inputs);
        Answers& answers = place->second;
        if (!fresh || answers.running)
            return answers;
        if (depth_ >= kMaxDepth || steps_ <= 0)
            return answers;
        ++depth_;
        answers.running = true;
        Answers made;
        bases_.append(inputs, made);
        if (passes_on_)
            only_wanted(made);
        for (const Body* body : clauses_) {
            std::vector<std::int32_t> values(
                static_cast<std::size_t>(variables_of(language_, *body)), kAnyConstant);
            for (std::size_t i = 0; i < inputs.size(); ++i)
                values[static_cast<std::size_t>(runner_.in()[i])] = inputs[i];
            if (passes_on_)
                for (std::size_t i = 0; i < wanted_.size(); ++i)
                    values[static_cast<std::size_t>(runner_.out()[i])] = wanted_[i];
            runner_.solve(
                *body, 0, values, steps_,
                [this](const Inputs& asked) -> const Answers& { return call(asked); },
                [&](const std::vector<std::int32_t>& all, const Bases& bases) {
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

    void only_wanted(Answers& answers) const {
        for (std::size_t i = 0; i < answers.outputs.size(); ++i)
            if (answers.outputs[i] == wanted_) {
                answers.by = {answers.by[i]};
                answers.outputs = {wanted_};
                return;
            }
        answers.by.clear();
        answers.outputs.clear();
    }

    const Runner& runner_;
    const Language& language_;
    BaseClauses& bases_;
    const std::vector<const Body*>& clauses_;
    bool passes_on_;  // what is asked for is what the recursive call is asked for
    std::vector<std::int32_t> wanted_;
    std::unordered_map<Inputs, Answers, InputsHash> known_;
    std::int64_t steps_ = 0;
    int depth_ = 0;
};

/// Of base clauses that derive no negative example, few that derive the most positive ones.
RecursiveProgram chosen_bases(const Language& language, const std::vector<Body>& bases,
                              const std::vector<Bases>& derived, int positives) {
    Bases wrong{};
    for (std::size_t e = static_cast<std::size_t>(positives); e < derived.size(); ++e)
        for (std::size_t w = 0; w < wrong.size(); ++w)
            wrong[w] |= derived[e][w];
    RecursiveProgram program;
    std::vector<char> open(static_cast<std::size_t>(positives), 1);
    for (;;) {
        int best = -1;
        double most = 0;
        for (std::size_t b = 0; b < bases.size(); ++b) {
            if ((wrong[b / 64] >> (b % 64) & 1U) != 0)
                continue;
            int fresh = 0;
            for (int e = 0; e < positives; ++e)
                fresh += open[static_cast<std::size_t>(e)] != 0 &&
                         (derived[static_cast<std::size_t>(e)][b / 64] >> (b % 64) & 1U) != 0;
            const double value = fresh - clause_bits(language, bases[b]) * 1e-4;
            if (fresh > 0 && value > most) {
                most = value;
                best = static_cast<int>(b);
            }
        }
        if (best < 0)
            break;
        const auto b = static_cast<std::size_t>(best);
        program.bases.push_back(bases[b]);
        program.bits += clause_bits(language, bases[b]);
        for (int e = 0; e < positives; ++e)
            if ((derived[static_cast<std::size_t>(e)][b / 64] >> (b % 64) & 1U) != 0 &&
                open[static_cast<std::size_t>(e)] != 0) {
                open[static_cast<std::size_t>(e)] = 0;
                program.positives.push_back(e);
            }
    }
    return program;
}

class RecursionSearch {
  public:
    RecursionSearch(const evaluation::DatabaseIndex& index, const Language& language,
                    const SearchExamples& examples, const RecursionLimits& limits,
                    const std::function<bool()>& stop)
        : language_(language),
          examples_(examples),
          limits_(limits),
          stop_(stop),
          recursive_(static_cast<int>(language.predicates.size()) - 1),
          runner_(index, language, recursive_),
          threads_(std::max(limits.threads, 1)) {}

    RecursionResult run() {
        // short base clauses first: the fewer they are, the less a call answers
        const int few = std::min(kFewLiterals, limits_.max_base);
        const int most = std::min(kFirstRecursive, limits_.max_recursive);
        if (search(few, 1, most) || (few < limits_.max_base && search(limits_.max_base, 1, most)))
            return std::move(result_);
        if (most < limits_.max_recursive &&
            (search(few, most + 1, limits_.max_recursive) ||
             (few < limits_.max_base && search(limits_.max_base, most + 1, limits_.max_recursive))))
            return std::move(result_);
        try_pairs();
        return std::move(result_);
    }

  private:
    static constexpr int kShares =
        8;  // of the clauses of a batch, each with base answers of its own

    static bool is_better(const RecursiveProgram& a, const RecursiveProgram& b) {
        return a.positives.size() != b.positives.size() ? a.positives.size() > b.positives.size()
                                                        : a.bits < b.bits;
    }

    /// Recursive clauses of so many literals, with base clauses of at most `max_base`. True where
    /// a program covers all positive examples.
    bool search(int max_base, int least, int most) {
        use_bases(max_base);
        BodyGenerator generator(language_, recursive_);
        std::vector<OpenBody> level{generator.start()};
        for (int size = 1; size <= most && !stop_(); ++size) {
            std::vector<OpenBody> next;
            std::vector<Body> clauses;
            for (const OpenBody& from : level)
                if (next.size() < limits_.max_clauses)
                    generator.longer(from, most - size, [&](OpenBody&& body) {
                        if (size >= least && body.calls > 0 && generator.is_closed(body))
                            clauses.push_back(body.body);
                        next.push_back(std::move(body));
                    });
            level = std::move(next);
            try_single(clauses);
            if (result_.best &&
                static_cast<int>(result_.best->positives.size()) == examples_.positives)
                return true;
        }
        return stop_();
    }

    void use_bases(int max_base) {
        bodies_ = closed_bodies(language_, max_base, kMaxBases);
        bases_.clear();
        for (int i = 0; i < kShares; ++i)
            bases_.emplace_back(runner_, language_, bodies_);
        // what base clauses do alone: a recursive clause has to add to it
        alone_ = program_with({}, bases_.front()).positives.size();
    }

    /// The recursive clauses with the base clauses that serve them best.
    RecursiveProgram program_with(const std::vector<const Body*>& clauses,
                                  BaseClauses& bases) const {
        RecursiveRun run(runner_, language_, bases, clauses);
        std::vector<Bases> derived(static_cast<std::size_t>(examples_.count));
        int hits = 0;
        for (int e = 0; e < examples_.count; ++e) {
            derived[static_cast<std::size_t>(e)] = run.derive(examples_.tuple(e));
            hits += e < examples_.positives && !is_empty(derived[static_cast<std::size_t>(e)]);
            if (hits == 0 && (e + 1 == examples_.positives || e + 1 == kFirstPositives))
                return {};
        }
        return chosen_bases(language_, bodies_, derived, examples_.positives);
    }

    void try_single(const std::vector<Body>& clauses) {
        std::vector<RecursiveProgram> outcomes(clauses.size());
        std::atomic<bool> over{false};
        threads_.each(kShares, [&](int share) {
            for (std::size_t c = static_cast<std::size_t>(share); c < clauses.size();
                 c += kShares) {
                if (over || stop_()) {
                    over = true;
                    return;
                }
                outcomes[c] = program_with({&clauses[c]}, bases_[static_cast<std::size_t>(share)]);
            }
        });
        for (std::size_t c = 0; c < clauses.size(); ++c) {
            ++result_.tested;
            RecursiveProgram& program = outcomes[c];
            if (program.positives.size() <= alone_)
                continue;
            program.recursive = {clauses[c]};
            program.bits += clause_bits(language_, clauses[c]);
            promising_.emplace_back(program.positives.size(), clauses[c]);
            if (!result_.best || is_better(program, *result_.best))
                result_.best = program;
        }
    }

    /// Two recursive clauses of those that add most by themselves.
    void try_pairs() {
        std::stable_sort(promising_.begin(), promising_.end(),
                         [](const auto& a, const auto& b) { return a.first > b.first; });
        if (promising_.size() > kPromising)
            promising_.resize(kPromising);
        for (std::size_t i = 0; i < promising_.size() && !stop_(); ++i)
            for (std::size_t j = 0; j < i && !stop_(); ++j) {
                ++result_.tested;
                RecursiveProgram program =
                    program_with({&promising_[i].second, &promising_[j].second}, bases_.front());
                program.recursive = {promising_[i].second, promising_[j].second};
                for (const Body& body : program.recursive)
                    program.bits += clause_bits(language_, body);
                if (is_better(program, *result_.best))
                    result_.best = std::move(program);
            }
    }

    const Language& language_;
    const SearchExamples& examples_;
    const RecursionLimits& limits_;
    const std::function<bool()>& stop_;
    const int recursive_;  // the predicate of recursive literals
    std::vector<Body> bodies_;
    const Runner runner_;
    base::ThreadPool threads_;
    std::vector<BaseClauses> bases_;
    std::size_t alone_ = 0;
    std::vector<std::pair<std::size_t, Body>> promising_;
    RecursionResult result_;
};

}  // namespace

Language with_recursion(Language language) {
    LanguagePredicate recursive;
    recursive.symbol = language.target;
    recursive.index = -2;
    recursive.types = language.head_types;
    if (!language.head_has_modes)
        language.head_in = 1;
    recursive.in = language.head_in;
    language.predicates.push_back(std::move(recursive));
    return language;
}

RecursionResult search_recursion(const evaluation::DatabaseIndex& index, const Language& language,
                                 const SearchExamples& examples, const RecursionLimits& limits,
                                 const std::function<bool()>& stop) {
    return RecursionSearch(index, language, examples, limits, stop).run();
}

}  // namespace hri::search
