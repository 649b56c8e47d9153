// SPDX-License-Identifier: Apache-2.0
#include "search/clauses/iterated_clauses.hpp"

#include "search/clauses/bodies.hpp"
#include "search/clauses/enumeration.hpp"

#include <algorithm>
#include <unordered_set>

namespace hri::search {

namespace {

constexpr std::size_t kMaxReached = 150;        // inputs of an example
constexpr std::int64_t kReachSteps = 5'000;     // literals tried for them
constexpr std::size_t kIteratedFrontier = 400;  // clauses of a level that are refined
constexpr std::size_t kReachedRows = 40;        // of a reached input
constexpr std::size_t kAllReachedRows = 40'000;
constexpr std::int64_t kIteratedNodes = 2'000;

/// Examples with each input that steps reach, and the example that each is of.
struct Reached {
    SearchExamples examples;
    std::vector<int> owner;
    int endless = 0;  // examples of which not all inputs were looked for
};

class Iteration {
  public:
    Iteration(const evaluation::DatabaseIndex& index, const BodyRunner& runner,
              const SearchExamples& examples, const IterationLimits& limits,
              const std::function<bool()>& stop)
        : index_(index), runner_(runner), examples_(examples), limits_(limits), stop_(stop) {}

    RecursionResult run() {
        std::size_t size = 0;
        for (const Body& step : steps()) {
            const bool is_longer = step.size() > size;
            if (stop_() || (is_longer && result_.best && is_complete(*result_.best)))
                break;
            size = step.size();
            try_step(step);
        }
        return std::move(result_);
    }

  private:
    bool is_complete(const RecursiveProgram& program) const {
        return static_cast<int>(program.positives.size()) == examples_.positives;
    }

    std::vector<Body> steps() const {
        std::vector<Body> found;
        BodyGenerator generator(runner_.language(), runner_.recursive());
        std::vector<OpenBody> level{generator.start()};
        for (int size = 1; size <= limits_.max_step; ++size) {
            std::vector<OpenBody> next;
            for (const OpenBody& from : level)
                generator.longer(from, limits_.max_step - size, [&](OpenBody&& body) {
                    if (body.calls == 0)
                        next.push_back(std::move(body));
                    else if (generator.is_closed(body) && is_step(body.body))
                        found.push_back(body.body);
                });
            level = std::move(next);
        }
        return found;
    }

    /// Whether the head's outputs stand in their places of the call alone.
    bool is_step(const Body& body) const {
        if (!passes_on(runner_, body) ||
            (limits_.verdict && limits_.verdict(body) != ClauseVerdict::allowed))
            return false;
        std::size_t times = 0;
        for (const BodyLiteral& literal : body) {
            const LanguagePredicate& of =
                runner_.language().predicates[static_cast<std::size_t>(literal.predicate)];
            for (int a = 0; a < of.symbol.arity; ++a)
                for (const int out : runner_.out())
                    times += literal.terms[static_cast<std::size_t>(a)] == out ? 1U : 0U;
        }
        return times == runner_.out().size();
    }

    std::vector<Inputs> reached_from(const Body& step, const Inputs& first) const {
        std::vector<Inputs> found{first};
        std::unordered_set<Inputs, InputsHash> met{first};
        std::int64_t left = kReachSteps;
        static const Answers none;
        for (std::size_t i = 0; i < found.size() && left > 0; ++i) {
            std::vector<std::int32_t> values = runner_.values_for(step, found[i]);
            runner_.solve(
                step, 0, values, left,
                [&](const Inputs& asked) -> const Answers& {
                    if (found.size() < kMaxReached && met.insert(asked).second)
                        found.push_back(asked);
                    return none;
                },
                [](const std::vector<std::int32_t>&, const Bases&) {}, Bases{});
        }
        return found;
    }

    Reached reached_by(const Body& step) const {
        Reached reached;
        reached.examples.arity = examples_.arity;
        for (int e = 0; e < examples_.count; ++e) {
            const std::int32_t* tuple = examples_.tuple(e);
            const std::vector<Inputs> found = reached_from(step, runner_.inputs_of(tuple));
            reached.endless += found.size() >= kMaxReached ? 1 : 0;
            for (const Inputs& inputs : found) {
                std::vector<std::int32_t> cells(tuple, tuple + examples_.arity);
                for (std::size_t i = 0; i < inputs.size(); ++i)
                    cells[static_cast<std::size_t>(runner_.in()[i])] = inputs[i];
                reached.examples.cells.insert(reached.examples.cells.end(), cells.begin(),
                                              cells.end());
                reached.owner.push_back(e);
                ++reached.examples.count;
                reached.examples.positives += e < examples_.positives ? 1 : 0;
            }
        }
        return reached;
    }

    void try_step(const Body& step) {
        const Reached reached = reached_by(step);
        if (reached.examples.count == examples_.count || 2 * reached.endless > examples_.count)
            return;
        const Language& language = runner_.language();
        RefinerLimits limits;
        limits.max_rows = kReachedRows;
        limits.all_rows = kAllReachedRows;
        limits.verdict = limits_.verdict;
        Enumeration enumeration(index_, language, reached.examples, limits, limits_.threads, stop_,
                                {});
        enumeration.limit_tests(limits_.tests);
        for (bool more = true; more;) {
            more = enumeration.next_level();
            RecursiveProgram program = chosen(enumeration.pool(), reached);
            program.recursive = {step};
            program.bits += clause_bits(language, step);
            more = more && !is_complete(program) && enumeration.counts().tested < limits_.tests;
            if (is_complete(program))
                program.answer_bits =
                    answer_bits(runner_, program.bases, program.recursive, examples_);
            if (!program.bases.empty() && (!result_.best || is_better(program, *result_.best)))
                result_.best = std::move(program);
            enumeration.keep(kIteratedFrontier, {});
        }
        result_.tested += enumeration.counts().tested;
    }

    /// Clauses that cover an input of each positive example and none of a negative one.
    RecursiveProgram chosen(const std::vector<PoolClause>& pool, const Reached& reached) const {
        std::vector<PoolClause> grouped;
        for (const PoolClause& clause : pool) {
            if (clause.negatives > 0 || clause.estimated)
                continue;
            PoolClause group = clause;
            group.covered.assign((static_cast<std::size_t>(examples_.count) + 63) / 64, 0);
            for (std::size_t r = 0; r < reached.owner.size(); ++r)
                if ((clause.covered[r / 64] >> (r % 64) & 1U) != 0)
                    group.covered[static_cast<std::size_t>(reached.owner[r]) / 64] |=
                        std::uint64_t(1) << (reached.owner[r] % 64);
            group.positives = 0;
            for (const std::uint64_t word : group.covered)
                group.positives += __builtin_popcountll(word);
            grouped.push_back(std::move(group));
        }
        RecursiveProgram program;
        if (grouped.empty())
            return program;
        const PoolExamples examples{examples_.positives, examples_.count - examples_.positives, 1,
                                    1};
        std::vector<std::uint64_t> covered(grouped.front().covered.size(), 0);
        for (const int i : cover_exactly(grouped, examples, kIteratedNodes, 0).chosen) {
            const PoolClause& clause = grouped[static_cast<std::size_t>(i)];
            program.bases.push_back(clause.body);
            program.bits += clause.bits;
            for (std::size_t w = 0; w < covered.size(); ++w)
                covered[w] |= clause.covered[w];
        }
        for (int e = 0; e < examples_.positives; ++e)
            if ((covered[static_cast<std::size_t>(e) / 64] >> (e % 64) & 1U) != 0)
                program.positives.push_back(e);
        return program;
    }

    const evaluation::DatabaseIndex& index_;
    const BodyRunner& runner_;
    const SearchExamples& examples_;
    const IterationLimits& limits_;
    const std::function<bool()>& stop_;
    RecursionResult result_;
};

}  // namespace

RecursionResult search_iterated(const evaluation::DatabaseIndex& index, const BodyRunner& runner,
                                const SearchExamples& examples, const IterationLimits& limits,
                                const std::function<bool()>& stop) {
    return Iteration(index, runner, examples, limits, stop).run();
}

}  // namespace hri::search
