// SPDX-License-Identifier: Apache-2.0

#include "hri/expressivity.hpp"

#include "hypotheses/expressivity/metarule.hpp"

#include <algorithm>
#include <chrono>
#include <set>

namespace hri {
namespace {

using expressivity::Query;

/// Gives the argument positions of the body variables in all ways: known ones, or the next new one.
class Enumeration {
  public:
    Enumeration(std::vector<int> head, std::vector<int> arities)
        : head_(std::move(head)), arities_(std::move(arities)) {}

    void run(std::vector<Metarule>& out) {
        std::set<Query> seen;
        std::vector<int> body;
        extend(body, head_.empty() ? 0 : 1 + *std::max_element(head_.begin(), head_.end()), seen,
               out);
    }

  private:
    void extend(std::vector<int>& body, int variables, std::set<Query>& seen,
                std::vector<Metarule>& out) {
        std::size_t positions = 0;
        for (const int arity : arities_) {
            positions += static_cast<std::size_t>(arity);
        }
        if (body.size() == positions) {
            // Without names for the predicates, clauses that differ in the order of atoms are one.
            if (seen.insert(anonymous(body, variables)).second) {
                out.push_back(named(body, variables));
            }
            return;
        }
        for (int v = 0; v <= variables; ++v) {
            body.push_back(v);
            extend(body, std::max(variables, v + 1), seen, out);
            body.pop_back();
        }
    }

    /// The least of the queries that arise when the predicates of one arity change places.
    Query anonymous(const std::vector<int>& body, int variables) const {
        std::vector<int> symbols(arities_.size());
        for (std::size_t i = 0; i < symbols.size(); ++i) {
            symbols[i] = static_cast<int>(i);
        }
        std::optional<Query> least;
        do {
            expressivity::QueryBuilder builder;
            for (int v = 0; v < variables; ++v) {
                builder.fresh();
            }
            bool keeps_arity = true;
            std::size_t position = 0;
            for (std::size_t i = 0; i < arities_.size(); ++i) {
                const auto symbol = static_cast<std::size_t>(symbols[i]);
                keeps_arity = keeps_arity && arities_[symbol] == arities_[i];
                builder.add(symbols[i], arguments(body, position, arities_[i]));
                position += static_cast<std::size_t>(arities_[i]);
            }
            if (keeps_arity) {
                const Query query = builder.query(head_);
                least = least ? std::min(*least, query) : query;
            }
        } while (std::next_permutation(symbols.begin(), symbols.end()));
        return *least;
    }

    static std::vector<int> arguments(const std::vector<int>& body, std::size_t from, int arity) {
        const auto begin = body.begin() + static_cast<std::ptrdiff_t>(from);
        return {begin, begin + arity};
    }

    Metarule named(const std::vector<int>& body, int variables) const {
        static const std::string predicates = "QRSTUVWXYZ";
        Metarule metarule{{"P", head_}, {}, {}};
        for (int v = 0; v < variables; ++v) {
            metarule.variables.emplace_back(1, static_cast<char>('A' + v));
        }
        std::size_t position = 0;
        for (std::size_t i = 0; i < arities_.size(); ++i) {
            metarule.body.push_back(
                {std::string(1, predicates[i]), arguments(body, position, arities_[i])});
            position += static_cast<std::size_t>(arities_[i]);
        }
        return metarule;
    }

    std::vector<int> head_;
    std::vector<int> arities_;
};

/// All ascending lists of that many arities up to 2.
template <class Use>
void each_body(int atoms, int least, std::vector<int>& arities, const Use& use) {
    if (atoms == 0) {
        use();
        return;
    }
    for (int arity = least; arity <= 2; ++arity) {
        arities.push_back(arity);
        each_body(atoms - 1, arity, arities, use);
        arities.pop_back();
    }
}

}  // namespace

std::vector<Metarule> clauses_up_to(int body_atoms, bool nullary) {
    std::vector<std::vector<int>> heads = {{0}, {0, 1}, {0, 0}};
    if (nullary) {
        heads.emplace_back();
    }
    std::vector<Metarule> clauses;
    std::vector<int> arities;
    for (int atoms = 0; atoms <= body_atoms; ++atoms) {
        for (const std::vector<int>& head : heads) {
            each_body(atoms, nullary ? 0 : 1, arities,
                      [&] { Enumeration(head, arities).run(clauses); });
        }
    }
    return clauses;
}

Coverage coverage(const std::vector<Metarule>& clauses, const ProtoRules& rules,
                  const ExpressivityOptions& options) {
    const auto start = std::chrono::steady_clock::now();
    Coverage result;
    result.clauses = static_cast<int>(clauses.size());
    for (const Metarule& clause : clauses) {
        const Derivability answer = derivability(clause, rules, options);
        result.queries += answer.queries;
        if (!answer.derivation) {
            result.not_reached.push_back(clause);
            result.complete = result.complete && answer.complete;
            continue;
        }
        const Derivation& derivation = *answer.derivation;
        ++result.reached;
        constexpr int kMaxBits = 12;  // three binary predicates over two constants
        if (compare(to_program(derivation, clause, rules), clause, kMaxBits).equal) {
            ++result.verified;
        }
        if (derivation.layers > result.layers || result.reached == 1) {
            result.layers = derivation.layers;
            result.longest = clause;
        }
        result.auxiliaries =
            std::max(result.auxiliaries, static_cast<int>(derivation.steps.size()));
        const auto layers = static_cast<std::size_t>(derivation.layers);
        result.by_layers.resize(std::max(result.by_layers.size(), layers + 1));
        ++result.by_layers[layers];
    }
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    result.seconds = elapsed.count();
    return result;
}

}  // namespace hri
