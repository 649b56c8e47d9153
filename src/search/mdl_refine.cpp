// SPDX-License-Identifier: Apache-2.0

// The program of a target, changed by one atom at a time as long as that makes the shortest
// description shorter: bits for the program, and for what it gets wrong on training images. A slot
// that matches several predicates, each in the images that have it, is a disjunction to the soft
// model; its argmax names one of them, and the others come back here as copies of a clause.

#include "base/mpi.hpp"
#include "base/run_record.hpp"
#include "search/clause_coverage.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <fmt/format.h>
#include <mutex>
#include <set>
#include <thread>

namespace hri {

namespace {

constexpr int kMaxChanges = 30;
constexpr double kMinShare = 0.02;  // of the images with the target, for a predicate to be tried

bool is_set(const std::atomic<bool>* interrupt) {
    return interrupt != nullptr && interrupt->load();
}

class Polishing {
  public:
    Polishing(const SceneSet& scenes, const search::ClauseCoverage& evidence, std::uint32_t target,
              const std::atomic<bool>* interrupt)
        : scenes_(scenes),
          evidence_(evidence),
          target_(target),
          interrupt_(interrupt),
          labels_(evidence.labelled(target)) {
        const std::vector<std::uint32_t>& with_target = evidence.with(target);
        for (std::size_t p = 0; p < scenes.predicates().size(); ++p) {
            const auto id = static_cast<std::uint32_t>(p);
            if (id == target)
                continue;
            std::vector<std::uint32_t> both;
            std::set_intersection(with_target.begin(), with_target.end(), evidence.with(id).begin(),
                                  evidence.with(id).end(), std::back_inserter(both));
            if (static_cast<double>(both.size()) >
                kMinShare * static_cast<double>(with_target.size()))
                (scenes.predicates()[p].arity == 1 ? names_ : relations_).push_back(id);
        }
    }

    void start(const std::vector<search::Clause>& clauses) {
        for (const search::Clause& clause : clauses)
            program_.push_back({clause, evidence_.covered(clause)});
        bits_ = bits_of(program_);
    }

    /// The best single change, until none helps.
    void run() {
        for (int i = 0; i < kMaxChanges && change(); ++i) {
        }
    }

    double bits() const { return bits_; }

    Program program() const {
        Program program;
        program.target = program.vocabulary.intern(scenes_.predicates()[target_]);
        for (const Covering& covering : program_)
            program.rules.push_back(rule_of(covering.clause, program));
        if (program.rules.empty()) {
            const Atom never{program.target, {Term::variable(0)}};
            program.rules.push_back({never, {never}});
        }
        return simplified(program);
    }

  private:
    struct Covering {
        search::Clause clause;
        search::Bits bits;
    };

    Rule rule_of(const search::Clause& clause, Program& program) const {
        Rule rule{{program.target, {Term::variable(0)}}, {}};
        for (const search::SceneAtom& atom : clause) {
            Atom to{program.vocabulary.intern(scenes_.predicates()[atom.predicate]),
                    {Term::variable(atom.first)}};
            if (atom.second >= 0)
                to.arguments.push_back(Term::variable(atom.second));
            rule.body.push_back(std::move(to));
        }
        return rule;
    }

    double bits_of(const std::vector<Covering>& coverings) const {
        Score score;
        Program program;
        program.target = program.vocabulary.intern(scenes_.predicates()[target_]);
        search::Bits covered = evidence_.none();
        for (const Covering& covering : coverings) {
            for (std::size_t w = 0; w < covered.size(); ++w)
                covered[w] |= covering.bits[w];
            program.rules.push_back(rule_of(covering.clause, program));
        }
        for (std::size_t w = 0; w < covered.size(); ++w) {
            score.positives += std::popcount(labels_[w]);
            score.false_positives += std::popcount(covered[w] & ~labels_[w]);
            score.false_negatives += std::popcount(labels_[w] & ~covered[w]);
        }
        score.negatives = static_cast<std::int64_t>(evidence_.objects()) - score.positives;
        return program_bits(program, static_cast<int>(scenes_.predicates().size()) - 1) +
               error_bits(score);
    }

    bool change() {
        std::vector<Covering> best;
        double best_bits = bits_;
        const auto offer = [&](std::vector<Covering> candidate) {
            const double bits = bits_of(candidate);
            if (bits < best_bits - 1e-9) {
                best_bits = bits;
                best = std::move(candidate);
            }
        };
        std::set<search::Clause> tried;
        // A new clause in the place of an old one, and beside it; old < 0: beside all.
        const auto offer_clause = [&](int old, search::Clause clause) {
            if (clause.size() > search::kMaxBody || is_set(interrupt_))
                return;
            const Covering fresh{clause, evidence_.covered(clause)};
            if (old >= 0) {
                std::vector<Covering> changed = program_;
                changed[static_cast<std::size_t>(old)] = fresh;
                offer(std::move(changed));
            }
            if (tried.insert(std::move(clause)).second) {
                std::vector<Covering> more = program_;
                more.push_back(fresh);
                offer(std::move(more));
            }
        };
        for (const std::uint32_t p : relations_) {
            offer_clause(-1, {{p, 0, 1}});
            offer_clause(-1, {{p, 1, 0}});
        }
        for (std::size_t i = 0; i < program_.size(); ++i) {
            std::vector<Covering> fewer = program_;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
            offer(std::move(fewer));
            const search::Clause& clause = program_[i].clause;
            int variables = 0;
            for (std::size_t a = 0; a < clause.size(); ++a) {
                variables = std::max({variables, clause[a].first + 1, clause[a].second + 1});
                if (clause.size() > 1) {
                    search::Clause shorter = clause;
                    shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(a));
                    offer_clause(static_cast<int>(i), std::move(shorter));
                }
                for (const std::uint32_t p : clause[a].second < 0 ? names_ : relations_) {
                    search::Clause other = clause;
                    other[a].predicate = p;
                    if (p != clause[a].predicate)
                        offer_clause(static_cast<int>(i), other);
                    if (clause[a].second < 0)
                        continue;
                    std::swap(other[a].first, other[a].second);
                    offer_clause(static_cast<int>(i), std::move(other));
                }
            }
            for (int v = 0; v < variables; ++v)
                for (const std::uint32_t p : names_) {
                    search::Clause longer = clause;
                    longer.push_back({p, v, -1});
                    offer_clause(static_cast<int>(i), std::move(longer));
                }
            if (variables < search::kMaxVariables)
                for (int v = 0; v < variables; ++v)
                    for (const std::uint32_t p : relations_)
                        for (const bool turned : {false, true}) {
                            search::Clause longer = clause;
                            longer.push_back(turned ? search::SceneAtom{p, variables, v}
                                                    : search::SceneAtom{p, v, variables});
                            offer_clause(static_cast<int>(i), std::move(longer));
                        }
        }
        if (best_bits >= bits_)  // a clause whose relation alone holds too often
            for (const std::uint32_t p : relations_)
                for (const std::uint32_t name : names_) {
                    offer_clause(-1, {{p, 0, 1}, {name, 1, -1}});
                    offer_clause(-1, {{p, 1, 0}, {name, 1, -1}});
                }
        if (best_bits >= bits_)
            return false;
        program_ = std::move(best);
        bits_ = best_bits;
        return true;
    }

    const SceneSet& scenes_;
    const search::ClauseCoverage& evidence_;
    std::uint32_t target_;
    const std::atomic<bool>* interrupt_;
    search::Bits labels_;
    std::vector<std::uint32_t> names_, relations_;  // that are tried
    std::vector<Covering> program_;
    double bits_ = 0;
};

constexpr const char* kKind = "message of refined rules";

/// A part of the results as text, for another rank.
std::string serialised(std::span<const Polished> some) {
    base::RunRecord record{.kind = kKind, .values = nlohmann::json::array()};
    for (const Polished& one : some)
        record.values.push_back({one.bits, one.bits_before, to_prolog(one.program)});
    return base::to_bytes(record);
}

void deserialise(std::span<Polished> some, const std::string& text) {
    const base::RunRecord record = base::parse_record(text, "<message>", kKind);
    for (std::size_t i = 0; i < some.size(); ++i) {
        const nlohmann::json& one = record.values.at(i);
        some[i] = {parse_program(one.at(2).get<std::string>()), one.at(0).get<double>(),
                   one.at(1).get<double>()};
    }
}

}  // namespace

std::vector<Polished> polish(const SceneSet& scenes, const Multitask& learned,
                             const RefineRulesSettings& settings) {
    base::Communicator& ranks =
        settings.split ? base::Communicator::all() : base::Communicator::alone();
    const std::size_t targets = learned.targets.size();
    const auto first_of = [&](std::size_t rank) {
        return targets * rank / static_cast<std::size_t>(ranks.size());
    };
    const auto rank = static_cast<std::size_t>(ranks.rank());
    const std::size_t first = first_of(rank);
    const std::size_t last = first_of(rank + 1);
    const search::ClauseCoverage evidence(scenes, settings);
    std::vector<Polished> results(targets);
    std::atomic<std::size_t> next{first};
    std::size_t done = 0;
    std::mutex mutex;
    const auto work = [&] {
        for (std::size_t t = next++; t < last && !is_set(settings.interrupt); t = next++) {
            Polishing polishing(scenes, evidence, learned.targets[t].target, settings.interrupt);
            polishing.start(search::clauses_of(extract(learned, t, scenes), scenes));
            results[t].bits_before = polishing.bits();
            polishing.run();
            results[t].bits = polishing.bits();
            results[t].program = polishing.program();
            const std::lock_guard lock(mutex);
            ++done;
            if (settings.progress && ranks.is_first())
                settings.progress(static_cast<double>(done) / static_cast<double>(last - first));
        }
    };
    {
        std::vector<std::jthread> workers;
        for (int i = 1; i < std::min(settings.threads, static_cast<int>(last - first)); ++i)
            workers.emplace_back(work);
        work();
    }
    const bool whole = !is_set(settings.interrupt);
    const std::vector<std::string> all =
        ranks.gather(whole ? serialised({results.data() + first, last - first}) : "interrupted");
    if (!whole || std::find(all.begin(), all.end(), "interrupted") != all.end())
        return {};
    for (std::size_t from = 1; from < all.size(); ++from)
        deserialise({results.data() + first_of(from), first_of(from + 1) - first_of(from)},
                    all[from]);
    return results;
}

}  // namespace hri
