// SPDX-License-Identifier: Apache-2.0
#include "evaluate/proof_search.hpp"

#include "logic/dependencies.hpp"
#include "logic/simplify/state.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace hri::evaluation {
namespace {

using datalog::kOpen;
using datalog::Tuple;

constexpr std::int64_t kWorkPerAttempt = 2'000'000;
constexpr std::size_t kMaxDerivedToExplain = 2'000'000;
constexpr std::size_t kMaxBindingsToExplain = 200'000'000;

/// Binds an atom's variables to a tuple; false where they disagree, and then nothing is bound.
bool bind_to(const Atom& atom, Tuple tuple, Binding& binding, std::vector<std::int32_t>& bound) {
    const std::size_t before = bound.size();
    for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
        const Term term = atom.arguments[i];
        std::int32_t have = term.index();
        if (term.is_variable()) {
            std::int32_t& value = binding[static_cast<std::size_t>(term.index())];
            if (value == kOpen) {
                value = tuple[i];
                bound.push_back(term.index());
            }
            have = value;
        }
        if (have != tuple[i]) {
            while (bound.size() > before) {
                binding[static_cast<std::size_t>(bound.back())] = kOpen;
                bound.pop_back();
            }
            return false;
        }
    }
    return true;
}

void unbind(Binding& binding, const std::vector<std::int32_t>& bound) {
    for (const std::int32_t variable : bound) {
        binding[static_cast<std::size_t>(variable)] = kOpen;
    }
}

Binding empty_binding(const Rule& rule) {
    return Binding(static_cast<std::size_t>(simplify::variable_count(rule)), kOpen);
}

}  // namespace

std::vector<std::int32_t> ground(const Atom& atom, const Binding& binding) {
    std::vector<std::int32_t> tuple;
    for (const Term term : atom.arguments) {
        tuple.push_back(term.is_variable() ? binding[static_cast<std::size_t>(term.index())]
                                           : term.index());
    }
    return tuple;
}

ProofSearch::ProofSearch(const Program& program, const FactBase& facts)
    : restricted_(logic::range_restricted(program)), facts_(facts) {
    const std::vector<PredicateSymbol>& inputs = facts.inputs();
    Vocabulary& vocabulary = restricted_.program.vocabulary;
    for (const PredicateSymbol& input : inputs) {
        vocabulary.intern(input);
    }
    restricted_.derived.resize(static_cast<std::size_t>(vocabulary.size()), false);
    const auto constants = static_cast<std::size_t>(facts.constants());
    relations_ = datalog::empty_relations(vocabulary, constants);
    without_facts_ = logic::without_facts(restricted_.program);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        load(*vocabulary.find(inputs[i]), i);
    }
    if (restricted_.constants) {
        fill(*restricted_.constants);
    }
    const std::optional<Predicate> equality = vocabulary.find({"=", 2});
    if (equality && inputs_.count(*equality) == 0) {
        fill(*equality);
    }
    for (const Rule& rule : restricted_.program.rules) {
        if (std::optional<Rule> here = over_the_data(rule)) {
            rules_.push_back(std::move(*here));
        }
    }
    derive();
}

void ProofSearch::derive() {
    const Program program{vocabulary(), restricted_.program.target, rules_};
    datalog::EvaluateSettings settings;
    settings.constants = static_cast<std::size_t>(facts_.constants());
    settings.limits.derived = kMaxDerivedToExplain;
    settings.limits.bindings = kMaxBindingsToExplain;
    settings.rounds = &rounds_;
    try {
        datalog::evaluate(program, relations_, settings);
    } catch (const datalog::LimitReached&) {
        throw Error("the program derives too much to explain", {}, "take a smaller instance");
    }
}

/// Every constant, or every pair of a constant with itself.
void ProofSearch::fill(Predicate p) {
    datalog::Batch batch(relations_[p.id].arity());
    for (std::int32_t c = 0; c < facts_.constants(); ++c) {
        batch.add(datalog::key_of(c, relations_[p.id].arity() == 2 ? c : 0));
    }
    relations_[p.id].advance(batch);
    relations_[p.id].settle();
}

/// Calls use(tuple) for what the predicate holds of and the pattern allows, until it returns
/// true; says whether it did.
template <class Use>
bool ProofSearch::any(Predicate p, std::vector<std::int32_t>& pattern, const Use& use) const {
    if (!vocabulary().is_negated(p)) {
        return relations_[p.id].any(pattern, use);
    }
    const auto open = std::find(pattern.begin(), pattern.end(), kOpen);
    if (open == pattern.end()) {
        const bool denied = is_equality(vocabulary()[p])
                                ? pattern[0] == pattern[1]
                                : relations_[vocabulary().positive(p).id].contains(pattern);
        return !denied && use(Tuple(pattern));
    }
    bool stopped = false;
    for (std::int32_t c = 0; c < facts_.constants() && !stopped; ++c) {
        *open = c;
        stopped = any(p, pattern, use);
    }
    *open = kOpen;
    return stopped;
}

void ProofSearch::load(Predicate p, std::size_t input) {
    if (without_facts_[p.id]) {
        return;
    }
    datalog::Batch batch(relations_[p.id].arity());
    facts_.each(input, [&](Tuple tuple, float value) {
        if (value >= 0.5F) {
            batch.add(tuple);
        }
    });
    relations_[p.id].advance(batch);
    relations_[p.id].settle();
    inputs_[p] = input;
}

/// A rule with the constants of the data; none where they lack one.
std::optional<Rule> ProofSearch::over_the_data(Rule rule) const {
    const auto translate = [this](Atom& atom) {
        for (Term& term : atom.arguments) {
            if (!term.is_variable()) {
                const std::int32_t known =
                    facts_.find(restricted_.program.vocabulary
                                    .constants()[static_cast<std::size_t>(term.index())]);
                if (known < 0) {
                    return false;
                }
                term = Term::constant(known);
            }
        }
        return true;
    };
    const bool possible =
        translate(rule.head) && std::all_of(rule.body.begin(), rule.body.end(), translate);
    return possible ? std::optional<Rule>(std::move(rule)) : std::nullopt;
}

/// Binds the variables of the atoms that are not done so that they hold before a round. What
/// holds since earlier rounds is tried first.
bool ProofSearch::bind_body(const Rule& rule, std::vector<bool> done, int round,
                            Binding& binding) const {
    const std::size_t at = cheapest(rule, done, round, binding);
    if (at == rule.body.size()) {
        return true;
    }
    const Atom& atom = rule.body[at];
    done[at] = true;
    std::vector<std::pair<int, std::vector<std::int32_t>>> candidates;
    std::vector<std::int32_t> pattern = ground(atom, binding);
    any(atom.predicate, pattern, [&](Tuple tuple) {
        const int since = rounds_.of(atom.predicate.id, tuple);
        if (since < round) {
            candidates.push_back({since, {tuple.begin(), tuple.end()}});
        }
        return false;
    });
    std::sort(candidates.begin(), candidates.end());
    return std::any_of(candidates.begin(), candidates.end(), [&](const auto& candidate) {
        std::vector<std::int32_t> bound;
        if (bind_to(atom, candidate.second, binding, bound) &&
            bind_body(rule, done, round, binding)) {
            return true;
        }
        unbind(binding, bound);
        return false;
    });
}

/// The atom to go on with: fewest open arguments, then fewest tuples before the round. What is
/// negated waits until it is ground.
std::size_t ProofSearch::cheapest(const Rule& rule, const std::vector<bool>& done, int round,
                                  const Binding& binding) const {
    std::size_t best = rule.body.size();
    std::tuple<bool, std::size_t, std::size_t> least{};
    for (std::size_t i = 0; i < rule.body.size(); ++i) {
        if (done[i]) {
            continue;
        }
        const Predicate p = rule.body[i].predicate;
        const std::vector<std::int32_t> pattern = ground(rule.body[i], binding);
        const auto open =
            static_cast<std::size_t>(std::count(pattern.begin(), pattern.end(), kOpen));
        const bool all_open = open > 0 && open == pattern.size();
        const auto known = inputs_.find(p);
        const std::size_t tuples =
            restricted_.derived[p.id]
                ? rounds_.derived_before(p.id, round) +
                      (known == inputs_.end() ? 0 : facts_.size(known->second))
                : relations_[p.id].size();
        const std::tuple cost{vocabulary().is_negated(p) && open > 0,
                              tuples == 0 ? 0
                              : all_open  ? open + datalog::kMaxArity
                                          : open,
                              tuples};
        if (best == rule.body.size() || cost < least) {
            best = i;
            least = cost;
        }
    }
    return best;
}

/// Chooses bindings under which all atoms from `at` on hold but for `failures` of them, which
/// do not.
bool ProofSearch::fail_exactly(Attempt& attempt, std::size_t at, std::size_t failures,
                               std::int64_t& work) const {
    const std::vector<Atom>& body = attempt.rule->body;
    if (body.size() - at < failures || --work < 0) {
        return false;
    }
    if (at == body.size()) {
        return true;
    }
    const Atom& atom = body[at];
    std::vector<std::int32_t> pattern = ground(atom, attempt.binding);
    const bool held = any(atom.predicate, pattern, [&](Tuple tuple) {
        std::vector<std::int32_t> bound;
        if (!bind_to(atom, tuple, attempt.binding, bound)) {
            return --work < 0;
        }
        if (fail_exactly(attempt, at + 1, failures, work)) {
            return true;
        }
        unbind(attempt.binding, bound);
        return work < 0;
    });
    if (held && work >= 0) {
        return true;
    }
    attempt.fails[at] = true;
    if (failures > 0 && fail_exactly(attempt, at + 1, failures - 1, work)) {
        return true;
    }
    attempt.fails[at] = false;
    return false;
}

double ProofSearch::value_of(Predicate p, Tuple tuple) const {
    const auto input = inputs_.find(p);
    return input == inputs_.end() ? 0 : facts_.value_of(input->second, tuple);
}

bool ProofSearch::has_rules(Predicate p) const {
    return std::any_of(rules_.begin(), rules_.end(),
                       [p](const Rule& rule) { return rule.head.predicate == p; });
}

ProofSearch::Proof ProofSearch::prove(Predicate p, Tuple tuple) const {
    const int round = rounds_.of(p.id, tuple);
    for (const Rule& rule : rules_) {
        Proof proof{&rule, empty_binding(rule)};
        std::vector<std::int32_t> bound;
        if (rule.head.predicate == p && bind_to(rule.head, tuple, proof.binding, bound) &&
            bind_body(rule, std::vector<bool>(rule.body.size(), false), round, proof.binding)) {
            return proof;
        }
    }
    throw std::logic_error("a derived atom has no rule");
}

ProofSearch::Attempt ProofSearch::nearest(Predicate p, Tuple tuple) const {
    Attempt best;
    for (const Rule& rule : rules_) {
        Attempt candidate;
        candidate.rule = &rule;
        candidate.binding = empty_binding(rule);
        std::vector<std::int32_t> bound;
        if (rule.head.predicate != p || !bind_to(rule.head, tuple, candidate.binding, bound)) {
            continue;
        }
        const std::size_t most = std::min(rule.body.size(), best.failures);
        for (std::size_t failures = 1; failures <= most; ++failures) {
            std::int64_t work = kWorkPerAttempt;
            candidate.fails.assign(rule.body.size(), false);
            if (fail_exactly(candidate, 0, failures, work)) {
                candidate.failures = failures;
                const bool longer = best.rule == nullptr || failures < best.failures ||
                                    rule.body.size() > best.rule->body.size();
                if (longer) {
                    best = candidate;
                }
                break;
            }
        }
    }
    return best;
}

}  // namespace hri::evaluation
