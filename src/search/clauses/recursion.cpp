// SPDX-License-Identifier: Apache-2.0
#include "search/clauses/recursion.hpp"

#include "base/thread_pool.hpp"
#include "search/clauses/bodies.hpp"
#include "search/clauses/iterated_clauses.hpp"
#include "search/clauses/recursive_run.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <tuple>

namespace hri::search {

namespace {

constexpr int kRecursionExamples = 10;      // of each kind
constexpr int kShortBase = 2;               // of base clauses, at first
constexpr int kFirstRecursive = 4;          // literals of recursive clauses, at first
constexpr std::size_t kFirstPositives = 4;  // a clause that derives none of them is given up
constexpr std::size_t kPromising = 60;      // recursive clauses of which pairs are tried
constexpr std::int64_t kFirstTests = 100;   // base clauses of clauses that pass outputs on
constexpr std::int64_t kNextTests = 400;
constexpr std::int64_t kMoreTests = 5'000;
constexpr int kShortStep = 2;  // literals of those
constexpr int kLongStep = 4;
constexpr std::size_t kMaxRowsOfExample = 50;    // of an example
constexpr std::size_t kMaxAlternatives = 2'000;  // groups of clauses that differ in a test

/// A few base clauses that derive no negative example and the most positive ones.
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

/// Clauses that are alike before the call, a test aside.
struct Alternatives {
    std::vector<std::pair<BodyLiteral, Body>> clauses;  // with the test
    std::size_t tried = 0;                              // of which all pairs were tried
};

class RecursionSearch {
  public:
    RecursionSearch(const evaluation::DatabaseIndex& index, const Language& language,
                    const SearchExamples& examples, const RecursionLimits& limits,
                    const std::function<bool()>& stop)
        : index_(index),
          language_(language),
          examples_(examples),
          positives_(examples),
          limits_(limits),
          stop_(stop),
          recursive_(static_cast<int>(language.predicates.size()) - 1),
          runner_(index, language, recursive_),
          threads_(std::max(limits.threads, 1)) {
        positives_.count = positives_.positives;
        all_.fill(~std::uint64_t{0});
    }

    RecursionResult run() {
        // short clauses first: the fewer bases there are, the less a call answers
        const int few = std::min(kShortBase, limits_.max_base);
        const int most = std::min(kFirstRecursive, limits_.max_recursive);
        const bool done = iterate(kFirstTests, kShortStep) || iterate(kNextTests, kShortStep) ||
                          search(few, 1, most) || iterate(kNextTests, kShortStep + 1) ||
                          try_alternatives() || search(few, most + 1, most + 1) ||
                          try_alternatives() || search(limits_.max_base, 1, most + 1) ||
                          try_alternatives() || try_promising() ||
                          search(few, most + 2, most + 2) || iterate(kMoreTests, kLongStep);
        is_any_base_ = true;
        if (!done && !search(few, 1, most))
            search(limits_.max_base, 1, most);
        return std::move(result_);
    }

  private:
    static constexpr int kShares =
        8;  // of the clauses of a batch, each with base answers of its own

    bool fits() const {
        return result_.best &&
               static_cast<int>(result_.best->positives.size()) == examples_.positives;
    }

    void offer(RecursiveProgram&& program) {
        if (result_.best && !is_better(program, *result_.best))
            return;
        if (static_cast<int>(program.positives.size()) == examples_.positives)
            program.answer_bits = answer_bits(runner_, program.bases, program.recursive, examples_);
        if (!result_.best || is_better(program, *result_.best))
            result_.best = std::move(program);
    }

    /// True as search().
    bool iterate(std::int64_t tests, int max_step) {
        const IterationLimits limits{max_step, tests, limits_.threads, limits_.verdict};
        RecursionResult found = search_iterated(index_, runner_, examples_, limits, stop_);
        result_.tested += found.tested;
        if (found.best && (!result_.best || is_better(*found.best, *result_.best)))
            result_.best = std::move(found.best);
        return fits() || stop_();
    }

    /// Recursive clauses of so many literals, with base clauses of at most `max_base`. True where
    /// a program covers all positive examples, or the time is over.
    bool search(int max_base, int least, int most) {
        most = std::min(most, limits_.max_recursive);
        if (least > most || !searched_.insert({max_base, least, is_any_base_}).second)
            return stop_();
        use_bases(max_base);
        BodyGenerator generator(language_, recursive_, most > kFirstRecursive ? 1 : 2);
        std::vector<OpenBody> level{generator.start()};
        for (int size = 1; size <= most && !stop_(); ++size) {
            std::vector<OpenBody> next;
            std::vector<Body> clauses;
            for (const OpenBody& from : level)
                if (next.size() < limits_.max_clauses && !stop_())
                    generator.longer(from, most - size, [&](OpenBody&& body) {
                        if (!can_hold(from, body))
                            return;
                        if (size >= least && body.calls > 0 && generator.is_closed(body) &&
                            is_allowed(body.body))
                            clauses.push_back(body.body);
                        next.push_back(std::move(body));
                    });
            level = std::move(next);
            try_single(clauses);
            if (fits())
                return true;
        }
        return stop_();
    }

    bool is_allowed(const Body& body) const {
        return !limits_.verdict || limits_.verdict(body) == ClauseVerdict::allowed;
    }

    /// Whether a body holds of a positive example, as far as it has no call, and its last literal
    /// gives no value twice.
    bool can_hold(const OpenBody& from, const OpenBody& body) const {
        if (body.calls > 0)
            return true;
        const Bindings rows =
            bindings_of(index_, language_, positives_, body.body, kMaxRowsOfExample);
        const int fresh = static_cast<int>(body.types.size() - from.types.size());
        return rows.rows() > 0 && (fresh == 0 || !repeats_a_variable(positives_, rows, fresh));
    }

    void use_bases(int max_base) {
        bodies_ = closed_bodies(language_, max_base, kMaxBases);
        std::erase_if(bodies_, [this](const Body& body) { return !is_allowed(body); });
        bases_.clear();
        for (int i = 0; i < kShares; ++i)
            bases_.emplace_back(runner_, bodies_);
        // base clauses that end few calls: others would answer on each level
        std::vector<int> ends(bodies_.size(), 0);
        for (int e = 0; e < examples_.positives; ++e) {
            Answers answers;
            bases_.front().append(runner_.inputs_of(examples_.tuple(e)), all_, answers);
            Bases any{};
            for (const Bases& by : answers.by)
                for (std::size_t w = 0; w < any.size(); ++w)
                    any[w] |= by[w];
            for (std::size_t b = 0; b < bodies_.size(); ++b)
                ends[b] += (any[b / 64] >> (b % 64) & 1U) != 0 ? 1 : 0;
        }
        ending_.fill(0);
        for (std::size_t b = 0; b < bodies_.size(); ++b)
            if (2 * ends[b] <= examples_.positives)
                ending_[b / 64] |= std::uint64_t(1) << (b % 64);
        // what base clauses do alone: a recursive clause has to add to it
        needy_.clear();
        is_ended_.assign(static_cast<std::size_t>(examples_.positives), 1);
        alone_ = program_with({}, bases_.front()).positives.size();
        const std::vector<const Body*> none;
        RecursiveRun run(runner_, bases_.front(), all_, none);
        for (int e = 0; e < examples_.positives; ++e)
            if (is_empty(run.derive(examples_.tuple(e)))) {
                needy_.push_back(e);
                is_ended_[static_cast<std::size_t>(e)] = 0;
            }
    }

    /// The recursive clauses with the base clauses that serve them best.
    RecursiveProgram program_with(const std::vector<const Body*>& clauses,
                                  BaseClauses& bases) const {
        const bool any = is_any_base_ ||
                         std::all_of(clauses.begin(), clauses.end(),
                                     [&](const Body* body) { return passes_on(runner_, *body); });
        RecursiveRun run(runner_, bases, any ? all_ : ending_, clauses);
        std::vector<Bases> derived(static_cast<std::size_t>(examples_.count));
        const auto derives = [&](int e) {
            derived[static_cast<std::size_t>(e)] = run.derive(examples_.tuple(e));
            return !is_empty(derived[static_cast<std::size_t>(e)]);
        };
        // first some positive examples that need a recursive clause
        int hits = 0;
        for (std::size_t i = 0; i < needy_.size(); ++i) {
            hits += derives(needy_[i]) ? 1 : 0;
            if (hits == 0 && (i + 1 == needy_.size() || i + 1 == kFirstPositives))
                return {};
        }
        for (int e = 0; e < examples_.count; ++e)
            if (e >= examples_.positives || is_ended_[static_cast<std::size_t>(e)] != 0)
                derives(e);
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
            add_alternative(clauses[c]);
            RecursiveProgram& program = outcomes[c];
            if (program.positives.size() <= alone_)
                continue;
            program.recursive = {clauses[c]};
            program.bits += clause_bits(language_, clauses[c]);
            promising_.emplace_back(program.positives.size(), clauses[c]);
            offer(std::move(program));
        }
    }

    /// Clauses by what they do before the call, tests aside: a test is a literal that gives no
    /// value.
    void add_alternative(const Body& clause) {
        Body rest;
        BodyLiteral test;
        bool has_test = false;
        std::uint64_t bound = 0;
        for (const int a : runner_.in())
            bound |= std::uint64_t(1) << a;
        for (const BodyLiteral& literal : clause) {
            if (literal.predicate == recursive_)
                break;
            std::uint64_t uses = 0;
            const int arity =
                language_.predicates[static_cast<std::size_t>(literal.predicate)].symbol.arity;
            for (int a = 0; a < arity; ++a)
                uses |= std::uint64_t(1) << literal.terms[static_cast<std::size_t>(a)];
            if ((uses & ~bound) == 0 && !has_test) {
                test = literal;
                has_test = true;
            } else {
                rest.push_back(literal);
            }
            bound |= uses;
        }
        if (has_test && alternatives_.size() < kMaxAlternatives)
            alternatives_[canonical_form(language_, rest)].clauses.emplace_back(test, clause);
    }

    /// Pairs of clauses that differ in a test, and in what they do behind it. True as search().
    bool try_alternatives() {
        for (auto& [rest, group] : alternatives_) {
            auto& [clauses, tried] = group;
            std::vector<const Body*> firsts;
            std::vector<const Body*> seconds;
            for (std::size_t i = tried; i < clauses.size(); ++i)
                for (std::size_t j = 0; j < i; ++j)
                    if (clauses[i].first.predicate != clauses[j].first.predicate ||
                        clauses[i].first.terms != clauses[j].first.terms) {
                        firsts.push_back(&clauses[i].second);
                        seconds.push_back(&clauses[j].second);
                    }
            tried = clauses.size();
            try_pairs(firsts, seconds);
            if (fits() || stop_())
                return true;
        }
        return false;
    }

    void try_pairs(const std::vector<const Body*>& firsts,
                   const std::vector<const Body*>& seconds) {
        std::vector<RecursiveProgram> outcomes(firsts.size());
        std::atomic<bool> over{false};
        threads_.each(kShares, [&](int share) {
            for (std::size_t c = static_cast<std::size_t>(share); c < firsts.size(); c += kShares) {
                if (over || stop_()) {
                    over = true;
                    return;
                }
                outcomes[c] =
                    program_with({firsts[c], seconds[c]}, bases_[static_cast<std::size_t>(share)]);
            }
        });
        for (std::size_t c = 0; c < firsts.size(); ++c) {
            ++result_.tested;
            RecursiveProgram& program = outcomes[c];
            if (program.positives.size() <= alone_)
                continue;
            program.recursive = {*firsts[c], *seconds[c]};
            for (const Body& body : program.recursive)
                program.bits += clause_bits(language_, body);
            offer(std::move(program));
        }
    }

    /// Two recursive clauses of those that add most by themselves. True as search().
    bool try_promising() {
        std::stable_sort(promising_.begin(), promising_.end(),
                         [](const auto& a, const auto& b) { return a.first > b.first; });
        if (promising_.size() > kPromising)
            promising_.resize(kPromising);
        std::vector<const Body*> firsts;
        std::vector<const Body*> seconds;
        for (std::size_t i = 0; i < promising_.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) {
                firsts.push_back(&promising_[i].second);
                seconds.push_back(&promising_[j].second);
            }
        try_pairs(firsts, seconds);
        return fits() || stop_();
    }

    const evaluation::DatabaseIndex& index_;
    const Language& language_;
    const SearchExamples& examples_;
    SearchExamples positives_;  // alone
    const RecursionLimits& limits_;
    const std::function<bool()>& stop_;
    const int recursive_;  // the predicate of recursive literals
    std::vector<Body> bodies_;
    const BodyRunner runner_;
    base::ThreadPool threads_;
    std::vector<BaseClauses> bases_;
    Bases all_{};
    Bases ending_{};  // base clauses that hold of half of the examples' inputs at most
    bool is_any_base_ = false;
    std::size_t alone_ = 0;
    std::vector<int> needy_;      // positive examples that no base clause covers
    std::vector<char> is_ended_;  // by positive example: whether one does
    std::set<std::tuple<int, int, bool>> searched_;
    std::vector<std::pair<std::size_t, Body>> promising_;
    std::map<std::vector<std::int32_t>, Alternatives> alternatives_;
    RecursionResult result_;
};

}  // namespace

bool is_better(const RecursiveProgram& a, const RecursiveProgram& b) {
    return a.positives.size() != b.positives.size()
               ? a.positives.size() > b.positives.size()
               : a.bits + a.answer_bits < b.bits + b.answer_bits;
}

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

std::vector<int> small_examples(const Database& database, const SearchExamples& examples) {
    std::vector<std::pair<std::size_t, int>> sizes;
    for (int e = 0; e < examples.count; ++e) {
        std::size_t size = 0;
        for (int a = 0; a < examples.arity; ++a)
            size += database.constants[static_cast<std::size_t>(examples.tuple(e)[a])].size();
        sizes.emplace_back(size, e);
    }
    std::vector<int> rows;
    for (const auto& [begin, end] :
         {std::pair{0, examples.positives}, std::pair{examples.positives, examples.count}}) {
        std::sort(sizes.begin() + begin, sizes.begin() + end);
        for (int i = begin; i < std::min(begin + kRecursionExamples, end); ++i)
            rows.push_back(sizes[static_cast<std::size_t>(i)].second);
    }
    return rows;
}

SearchExamples subset(const SearchExamples& of, const std::vector<int>& rows) {
    SearchExamples some;
    some.arity = of.arity;
    for (const int e : rows) {
        some.positives += e < of.positives ? 1 : 0;
        some.cells.insert(some.cells.end(), of.tuple(e), of.tuple(e) + of.arity);
    }
    some.count = static_cast<int>(rows.size());
    return some;
}

RecursionResult search_recursion(const evaluation::DatabaseIndex& index, const Language& language,
                                 const SearchExamples& examples, const RecursionLimits& limits,
                                 const std::function<bool()>& stop) {
    return RecursionSearch(index, language, examples, limits, stop).run();
}

}  // namespace hri::search
