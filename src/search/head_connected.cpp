// SPDX-License-Identifier: Apache-2.0
#include "search/head_connected.hpp"

#include "hri/evaluate.hpp"

#include "base/checked_size.hpp"
#include "evaluate/score.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace hri::search {
namespace {

constexpr std::size_t kMaxPairs = 20;
constexpr std::size_t kMaxKnown = 10'000;
constexpr std::size_t kMaxTrials = 400;  // of atoms to link one variable

/// The variables of a rule that are connected by atoms.
class Links {
  public:
    explicit Links(const Rule& rule) {
        for (const Atom& atom : rule.body)
            for (const Term& term : atom.arguments)
                add(term);
        for (const Term& term : rule.head.arguments)
            add(term);
        for (const Atom& atom : rule.body)
            if (atom.arguments.size() == 2 && atom.arguments[0].is_variable() &&
                atom.arguments[1].is_variable())
                root_[root(atom.arguments[0].index())] = root(atom.arguments[1].index());
    }

    /// Each group once, by ascending variables.
    std::vector<std::vector<int>> groups() {
        std::map<int, std::vector<int>> by_root;
        for (const auto& [variable, next] : root_)
            by_root[root(variable)].push_back(variable);
        std::vector<std::vector<int>> result;
        for (auto& [at, group] : by_root)
            result.push_back(std::move(group));
        return result;
    }

    int root(int variable) {
        while (root_[variable] != variable)
            variable = root_[variable];
        return variable;
    }

  private:
    void add(const Term& term) {
        if (term.is_variable())
            root_.emplace(term.index(), term.index());
    }

    std::map<int, int> root_;
};

/// Variables without a link to those that they are to be linked with.
struct Disconnected {
    std::size_t rule = 0;
    std::vector<int> from;  ///< linked
    std::vector<int> to;
};

std::optional<Disconnected> first_disconnected(const Program& program) {
    for (std::size_t r = 0; r < program.rules.size(); ++r) {
        const Rule& rule = program.rules[r];
        Links links(rule);
        std::set<int> roots;
        for (const Term& term : rule.head.arguments)
            if (term.is_variable())
                roots.insert(links.root(term.index()));
        if (roots.empty())
            continue;
        if (rule.head.predicate != program.target && roots.size() > 1)
            roots.erase(std::next(roots.begin()), roots.end());
        Disconnected disconnected{r, {}, {}};
        for (const std::vector<int>& group : links.groups()) {
            const bool is_head_connected = roots.count(links.root(group.front())) != 0;
            if (is_head_connected)
                disconnected.from.insert(disconnected.from.end(), group.begin(), group.end());
            else if (disconnected.to.empty())
                disconnected.to = group;
        }
        if (!disconnected.to.empty())
            return disconnected;
    }
    return std::nullopt;
}

/// Links of one atom or two between the two groups.
std::vector<std::vector<Atom>> bridges(const Program& program, const Disconnected& disconnected,
                                       const std::vector<Predicate>& inputs, bool of_two) {
    const Rule& rule = program.rules[disconnected.rule];
    int fresh = 0;
    const auto pass = [&](const Atom& atom) {
        for (const Term& term : atom.arguments)
            fresh = std::max(fresh, term.is_variable() ? term.index() + 1 : 0);
    };
    pass(rule.head);
    std::for_each(rule.body.begin(), rule.body.end(), pass);
    const auto both_ways = [](Predicate p, int a, int b) {
        return std::vector<Atom>{{p, {Term::variable(a), Term::variable(b)}},
                                 {p, {Term::variable(b), Term::variable(a)}}};
    };
    std::vector<std::vector<Atom>> result;
    for (const int from : disconnected.from)
        for (const int to : disconnected.to)
            for (const Predicate p : inputs)
                for (const Atom& first : both_ways(p, from, of_two ? fresh : to)) {
                    if (!of_two) {
                        result.push_back({first});
                        continue;
                    }
                    for (const Predicate q : inputs)
                        for (const Atom& second : both_ways(q, fresh, to))
                            result.push_back({first, second});
                }
    if (result.size() > kMaxTrials)
        result.resize(kMaxTrials);
    return result;
}

/// The program with each of the bridges in its disconnected rule.
std::vector<Program> bridged(const Program& program, const Disconnected& disconnected,
                             const std::vector<std::vector<Atom>>& bridges) {
    std::vector<Program> result;
    for (const std::vector<Atom>& bridge : bridges) {
        std::vector<Atom>& body = result.emplace_back(program).rules[disconnected.rule].body;
        body.insert(body.begin(), bridge.begin(), bridge.end());
    }
    return result;
}

Instance side_by_side(const Instance& a, const Instance& b, int arity) {
    Instance both = a;
    std::map<std::string, int> known;
    for (int c = 0; c < a.constants; ++c)
        known.emplace(a.names[static_cast<std::size_t>(c)], c);
    std::vector<int> number;
    for (const std::string& name : b.names) {
        const auto [at, is_new] = known.emplace(name, both.constants);
        if (is_new) {
            both.names.push_back(name);
            ++both.constants;
        }
        number.push_back(at->second);
    }
    for (std::size_t p = 0; p < b.facts.size(); ++p) {
        for (Fact fact : b.facts[p]) {
            fact.first = number[static_cast<std::size_t>(fact.first)];
            fact.second = number[static_cast<std::size_t>(fact.second)];
            both.facts[p].push_back(fact);
        }
        std::sort(both.facts[p].begin(), both.facts[p].end());
        both.facts[p].erase(std::unique(both.facts[p].begin(), both.facts[p].end()),
                            both.facts[p].end());
    }
    const auto n = static_cast<std::size_t>(both.constants);
    both.labels.assign(base::checked_size("labels",
                                          {{"constants", both.constants},
                                           {"constants", arity == 1 ? 1 : both.constants}},
                                          sizeof(Label)),
                       Label::unlabelled);
    const auto copy = [&](const Instance& from, const auto& renamed) {
        const auto m = static_cast<std::size_t>(from.constants);
        for (std::size_t atom = 0; atom < from.labels.size(); ++atom)
            if (from.labels[atom] != Label::unlabelled)
                both.labels[arity == 1 ? renamed(atom)
                                       : renamed(atom / m) * n + renamed(atom % m)] =
                    from.labels[atom];
    };
    copy(a, [](std::size_t c) { return c; });
    copy(b, [&](std::size_t c) { return static_cast<std::size_t>(number[c]); });
    return both;
}

}  // namespace

bool is_head_connected(const Program& program) { return !first_disconnected(program); }

HeadConnector::HeadConnector(const std::vector<PredicateSymbol>& inputs,
                             const std::vector<Instance>& instances,
                             const std::vector<Instance>& pairs)
    : inputs_(inputs), instances_(instances), pairs_(pairs) {}

Program HeadConnector::connected(const Program& program) const {
    if (pairs_.empty() || is_head_connected(program))
        return program;
    const std::string text = to_text(program);
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = known_.find(text); found != known_.end())
            return found->second;
    }
    Program repaired = connected_afresh(program);
    const std::lock_guard lock(mutex_);
    if (known_.size() >= kMaxKnown)
        known_.clear();
    known_.emplace(text, repaired);
    return repaired;
}

Program HeadConnector::connected_afresh(const Program& program) const {
    const std::int64_t allowed = errors(program, instances_, INT64_MAX);
    std::vector<Predicate> binary;
    Program result = program;
    for (const PredicateSymbol& input : inputs_)
        if (input.arity == 2 && !input.negated)
            binary.push_back(result.vocabulary.intern(input));
    while (const std::optional<Disconnected> disconnected = first_disconnected(result)) {
        std::optional<Program> best;
        for (const bool of_two : {false, true})
            if (!best)
                best = fewest_errors(
                    bridged(result, *disconnected, bridges(result, *disconnected, binary, of_two)),
                    allowed);
        if (!best)
            return program;
        result = std::move(*best);
    }
    return simplified(std::move(result));
}

std::optional<Program> HeadConnector::fewest_errors(std::vector<Program> programs,
                                                    std::int64_t allowed) const {
    // the pairs are few: only those that do well there are tried on all instances
    std::vector<std::pair<std::int64_t, Program*>> order;
    for (Program& program : programs)
        order.emplace_back(errors(program, pairs_, INT64_MAX), &program);
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::optional<Program> best;
    std::int64_t on_pairs = INT64_MAX;
    std::int64_t fewest = allowed + 1;
    for (const auto& [wrong_on_pairs, program] : order) {
        if (wrong_on_pairs > on_pairs)
            break;
        const std::int64_t wrong = errors(*program, instances_, fewest - 1);
        if (wrong < fewest) {
            fewest = wrong;
            on_pairs = wrong_on_pairs;
            best = std::move(*program);
        }
    }
    return best;
}

std::int64_t HeadConnector::errors(const Program& program, const std::vector<Instance>& instances,
                                   std::int64_t most) const {
    return evaluation::errors(evaluation::score_of(program, inputs_, instances, most));
}

std::vector<Instance> paired_instances(const std::vector<Instance>& instances, int target_arity) {
    std::vector<const Instance*> positive;
    std::vector<const Instance*> negative;
    for (const Instance& instance : instances) {
        if (instance.names.empty() || target_arity == 0)
            return {};
        if (instance.count(Label::positive) > 0)
            positive.push_back(&instance);
        else if (instance.count(Label::negative) > 0)
            negative.push_back(&instance);
    }
    std::vector<Instance> pairs;
    const std::size_t most = std::min(std::max(positive.size(), negative.size()), kMaxPairs);
    for (std::size_t i = 0; i < most && !positive.empty() && !negative.empty(); ++i)
        pairs.push_back(side_by_side(*positive[i % positive.size()], *negative[i % negative.size()],
                                     target_arity));
    return pairs;
}

}  // namespace hri::search
