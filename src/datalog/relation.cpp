// SPDX-License-Identifier: Apache-2.0
#include "datalog/relation.hpp"

#include "logic/simplify/state.hpp"

#include <algorithm>

namespace hri::datalog {

std::uint64_t Relation::hash(std::uint32_t mask, Tuple tuple) {
    std::uint64_t state = 0x9E3779B97F4A7C15ULL;
    for (std::size_t i = 0; i < tuple.size(); ++i) {
        if ((mask >> i & 1U) != 0) {
            state ^= static_cast<std::uint32_t>(tuple[i]);
            state *= 0xBF58476D1CE4E5B9ULL;
            state ^= state >> 29U;
        }
    }
    return state;
}

bool Relation::equal(std::uint32_t mask, Tuple like, std::size_t row) const {
    const Tuple cells = (*this)[row];
    for (std::size_t i = 0; i < arity_; ++i) {
        if ((mask >> i & 1U) != 0 && cells[i] != like[i]) {
            return false;
        }
    }
    return true;
}

const std::vector<std::uint32_t>* Relation::rows_like(std::uint32_t mask, Tuple like) const {
    Index& index = indices_[mask];
    for (; index.done < size_; ++index.done) {
        index.rows[hash(mask, (*this)[index.done])].push_back(
            static_cast<std::uint32_t>(index.done));
    }
    const auto found = index.rows.find(hash(mask, like));
    return found == index.rows.end() ? nullptr : &found->second;
}

std::size_t Relation::slot_of(Tuple tuple) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash(everything(), tuple) & mask;
    while (slots_[slot] != kNone && !equal(everything(), tuple, slots_[slot])) {
        slot = (slot + 1) & mask;
    }
    return slot;
}

std::uint32_t Relation::find(Tuple tuple) const {
    return slots_.empty() ? kNone : slots_[slot_of(tuple)];
}

void Relation::grow() {
    slots_.assign(std::max<std::size_t>(2 * slots_.size(), 16), kNone);
    for (std::size_t row = 0; row < size_; ++row) {
        slots_[slot_of((*this)[row])] = static_cast<std::uint32_t>(row);
    }
}

bool Relation::contains(Tuple tuple) const { return find(tuple) != kNone; }

bool Relation::add(Tuple tuple, int round) {
    if (2 * (size_ + 1) > slots_.size()) {
        grow();
    }
    std::uint32_t& slot = slots_[slot_of(tuple)];
    if (slot != kNone) {
        return false;
    }
    slot = static_cast<std::uint32_t>(size_);
    first_row_.resize(std::max(first_row_.size(), static_cast<std::size_t>(round) + 1), size_);
    cells_.insert(cells_.end(), tuple.begin(), tuple.end());
    ++size_;
    return true;
}

std::size_t Relation::rows_before(int round) const {
    const auto at = static_cast<std::size_t>(round);
    return at < first_row_.size() ? first_row_[at] : size_;
}

int Relation::round_of(Tuple tuple) const {
    const std::uint32_t row = find(tuple);
    if (row == kNone) {
        return -1;
    }
    const auto after =
        std::upper_bound(first_row_.begin(), first_row_.end(), static_cast<std::size_t>(row));
    return static_cast<int>(after - first_row_.begin()) - 1;
}

bool Matcher::bind(const Atom& atom, Tuple tuple, std::vector<std::int32_t>& binding,
                   std::vector<std::int32_t>& bound) {
    const std::size_t before = bound.size();
    for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
        const Term term = atom.arguments[i];
        std::int32_t have = term.index();
        if (term.is_variable()) {
            std::int32_t& value = binding[static_cast<std::size_t>(term.index())];
            if (value == kUnbound) {
                value = tuple[i];
                bound.push_back(term.index());
            }
            have = value;
        }
        if (have != tuple[i]) {
            while (bound.size() > before) {
                binding[static_cast<std::size_t>(bound.back())] = kUnbound;
                bound.pop_back();
            }
            return false;
        }
    }
    return true;
}

std::uint32_t Matcher::known_cells(const Atom& atom, const std::vector<std::int32_t>& binding,
                                   std::vector<std::int32_t>& like) {
    std::uint32_t mask = 0;
    for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
        const Term term = atom.arguments[i];
        like[i] =
            term.is_variable() ? binding[static_cast<std::size_t>(term.index())] : term.index();
        mask |= like[i] == kUnbound ? 0U : std::uint32_t{1} << i;
    }
    return mask;
}

/// The atom to go on with: fewest open variables, then fewest rows.
std::size_t Matcher::cheapest(const std::vector<Atom>& body, const std::vector<Range>& ranges,
                              const std::vector<std::int32_t>& binding,
                              const std::vector<bool>& done) const {
    std::size_t best = body.size();
    std::pair<std::size_t, std::size_t> best_cost{};
    for (std::size_t i = 0; i < body.size(); ++i) {
        if (done[i]) {
            continue;
        }
        const auto open = static_cast<std::size_t>(
            std::count_if(body[i].arguments.begin(), body[i].arguments.end(), [&](Term term) {
                return term.is_variable() &&
                       binding[static_cast<std::size_t>(term.index())] == kUnbound;
            }));
        std::size_t rows = relations_[body[i].predicate.id].size();
        if (!ranges.empty()) {
            rows = std::min(rows, ranges[i].end) - std::min({rows, ranges[i].end, ranges[i].begin});
        }
        const bool whole = open == body[i].arguments.size();
        const std::pair<std::size_t, std::size_t> cost{rows == 0 ? 0
                                                       : whole && open > 0
                                                           ? open + Relation::kMaxArity
                                                           : open,
                                                       rows};
        if (best == body.size() || cost < best_cost) {
            best = i;
            best_cost = cost;
        }
    }
    return best;
}

bool derive(const std::vector<Rule>& rules, std::vector<Relation>& relations,
            const DeriveLimits& limits, int first_round) {
    std::int64_t work = limits.work;
    std::int64_t tuples = limits.tuples;
    Matcher matcher(relations, work);
    std::vector<std::size_t> old(relations.size(), 0);  // rows known before the last round
    std::vector<Relation> fresh;
    for (const Relation& relation : relations) {
        fresh.emplace_back(relation.arity());
    }
    std::vector<std::int32_t> head;
    for (int round = first_round;; ++round) {
        std::vector<std::size_t> now(relations.size());
        for (std::size_t p = 0; p < relations.size(); ++p) {
            now[p] = relations[p].size();
        }
        const auto run = [&](const Rule& rule, const std::vector<Range>& ranges) {
            std::vector<std::int32_t> binding(
                static_cast<std::size_t>(simplify::variable_count(rule)), kUnbound);
            matcher.match(rule.body, ranges, binding, [&] {
                head.clear();
                for (const Term term : rule.head.arguments) {
                    head.push_back(term.is_variable()
                                       ? binding[static_cast<std::size_t>(term.index())]
                                       : term.index());
                }
                const std::uint32_t p = rule.head.predicate.id;
                if (!relations[p].contains(head) && fresh[p].add(head)) {
                    --tuples;
                }
                return tuples < 0;
            });
            return work >= 0 && tuples >= 0;
        };
        for (const Rule& rule : rules) {
            if (rule.body.empty()) {
                if (round == first_round && !run(rule, {})) {
                    return false;
                }
                continue;
            }
            // the last round's rows in one place, older ones after it, all before it
            for (std::size_t place = 0; place < rule.body.size(); ++place) {
                std::vector<Range> ranges;
                for (std::size_t i = 0; i < rule.body.size(); ++i) {
                    const std::uint32_t p = rule.body[i].predicate.id;
                    ranges.push_back({i == place ? old[p] : 0, i > place ? old[p] : now[p]});
                }
                if (ranges[place].begin < ranges[place].end && !run(rule, ranges)) {
                    return false;
                }
            }
        }
        old = now;
        bool grown = false;
        for (std::size_t p = 0; p < relations.size(); ++p) {
            for (std::size_t row = 0; row < fresh[p].size(); ++row) {
                relations[p].add(fresh[p][row], round);
                grown = true;
            }
            if (fresh[p].size() > 0) {
                fresh[p] = Relation(relations[p].arity());
            }
        }
        if (!grown) {
            return true;
        }
    }
}

}  // namespace hri::datalog
