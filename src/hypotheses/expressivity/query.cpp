// SPDX-License-Identifier: Apache-2.0

#include "hypotheses/expressivity/query.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <cstddef>

namespace hri::expressivity {
namespace {

constexpr std::int8_t kNowhere = -1;

using base::at;

/// Numbers variables in order of appearance: the head's, then those of the atoms in that order.
Query numbered(const std::vector<std::int8_t>& head, const std::vector<QueryAtom>& atoms,
               std::size_t variables) {
    std::vector<std::int8_t> names(variables, kNowhere);
    std::int8_t next = 0;
    const auto name = [&](std::int8_t v) {
        if (v == kNowhere) {
            return kNowhere;
        }
        std::int8_t& known = names[at(v)];
        if (known == kNowhere) {
            known = next++;
        }
        return known;
    };
    Query query;
    query.head.reserve(head.size());
    query.atoms.reserve(atoms.size());
    for (const std::int8_t v : head) {
        query.head.push_back(name(v));
    }
    for (const QueryAtom& atom : atoms) {
        const std::int8_t first = name(atom.first);
        query.atoms.push_back({atom.symbol, first, name(atom.second)});
    }
    return query;
}

int variables(const Query& query) {
    int count = 0;
    for (const std::int8_t v : query.head) {
        count = std::max(count, v + 1);
    }
    for (const QueryAtom& atom : query.atoms) {
        count = std::max({count, atom.first + 1, atom.second + 1});
    }
    return count;
}

/// Assigns the variables of one query to those of another, atom by atom.
class Mapping {
  public:
    Mapping(const Query& from, const Query& to)
        : from_(from), to_(to), image_(at(variables(from)), kNowhere), used_(to.atoms.size()) {}

    bool injective = false;  ///< different atoms go to different atoms

    bool fix(std::int8_t v, std::int8_t to) {
        if (v == kNowhere || to == kNowhere) {
            return v == to;
        }
        std::int8_t& image = image_[at(v)];
        if (image == kNowhere) {
            image = to;
        }
        return image == to;
    }

    std::int8_t image(int v) const { return image_[at(v)]; }

    /// Whether some mapping of the atoms from this one on passes the judge.
    template <class ProgramScorer>
    bool search(std::size_t next, const ProgramScorer& judge) {
        if (next == from_.atoms.size()) {
            return judge(*this);
        }
        const QueryAtom& atom = from_.atoms[next];
        for (std::size_t i = 0; i < to_.atoms.size(); ++i) {
            const QueryAtom& goal = to_.atoms[i];
            if (goal.symbol != atom.symbol || (injective && used_[i] != 0)) {
                continue;
            }
            const std::vector<std::int8_t> before = image_;
            ++used_[i];
            if (fix(atom.first, goal.first) && fix(atom.second, goal.second) &&
                search(next + 1, judge)) {
                return true;
            }
            --used_[i];
            image_ = before;
        }
        return false;
    }

  private:
    const Query& from_;
    const Query& to_;
    std::vector<std::int8_t> image_;  // [variable of from]
    std::vector<char> used_;          // [atom of to]
};

int occurrences(const Query& query, int v) {
    int count = 0;
    for (const QueryAtom& atom : query.atoms) {
        count += (atom.first == v ? 1 : 0) + (atom.second == v ? 1 : 0);
    }
    return count;
}

}  // namespace

void QueryBuilder::add(int symbol, const std::vector<int>& arguments) {
    const auto argument = [&arguments](std::size_t i) {
        return i < arguments.size() ? static_cast<std::int8_t>(arguments[i]) : kNowhere;
    };
    atoms_.push_back({static_cast<std::int8_t>(symbol), argument(0), argument(1)});
}

Query QueryBuilder::query(const std::vector<int>& head) {
    std::vector<std::int8_t> roots;
    roots.reserve(head.size());
    for (const int v : head) {
        roots.push_back(find(v));
    }
    std::vector<QueryAtom> atoms = atoms_;
    for (QueryAtom& atom : atoms) {
        atom.first = atom.first == kNowhere ? kNowhere : find(atom.first);
        atom.second = atom.second == kNowhere ? kNowhere : find(atom.second);
    }
    std::sort(atoms.begin(), atoms.end());
    atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());

    // Atoms of different symbols have one order; of those with the same symbol every order is
    // tried, and the least result is the canonical one.
    Query best = numbered(roots, atoms, parent_.size());
    while (true) {
        bool advanced = false;
        for (std::size_t begin = 0; begin < atoms.size() && !advanced;) {
            std::size_t end = begin;
            while (end < atoms.size() && atoms[end].symbol == atoms[begin].symbol) {
                ++end;
            }
            advanced = std::next_permutation(atoms.begin() + static_cast<std::ptrdiff_t>(begin),
                                             atoms.begin() + static_cast<std::ptrdiff_t>(end));
            begin = end;
        }
        if (!advanced) {
            return best;
        }
        best = std::min(best, numbered(roots, atoms, parent_.size()));
    }
}

int head_variables(const Query& query) {
    return query.head.size() == 2 && query.head[0] == query.head[1] ? 1 : query.arity();
}

bool maps_into(const Query& from, const Query& to, bool keep_heads) {
    if (from.falsity || to.falsity) {
        return to.falsity;
    }
    Mapping mapping(from, to);
    if (keep_heads) {
        if (from.arity() != to.arity()) {
            return false;
        }
        for (std::size_t i = 0; i < from.head.size(); ++i) {
            if (!mapping.fix(from.head[i], to.head[i])) {
                return false;
            }
        }
    }
    return mapping.search(0, [](const Mapping&) { return true; });
}

Query core(Query query) {
    for (std::size_t i = 0; i < query.atoms.size();) {
        Query shorter = query;
        shorter.atoms.erase(shorter.atoms.begin() + static_cast<std::ptrdiff_t>(i));
        if (maps_into(query, shorter, true)) {
            query = shorter;
            i = 0;
        } else {
            ++i;
        }
    }
    QueryBuilder builder;
    for (int v = variables(query); v > 0; --v) {
        builder.fresh();
    }
    for (const QueryAtom& atom : query.atoms) {
        builder.add(atom);
    }
    return query.falsity ? query : builder.query({query.head.begin(), query.head.end()});
}

bool is_piece_of(const Query& part, const Query& whole) {
    const int heads = head_variables(part);
    const int count = variables(part);
    const int whole_heads = head_variables(whole);
    Mapping mapping(part, whole);
    mapping.injective = true;
    return mapping.search(0, [&](const Mapping& found) {
        for (int v = heads; v < count; ++v) {
            const std::int8_t image = found.image(v);
            if (image < whole_heads || occurrences(part, v) != occurrences(whole, image)) {
                return false;
            }
        }
        return true;
    });
}

Query conjunction(const std::vector<int>& head, const std::vector<ProtoAtom>& atoms,
                  const std::vector<const Query*>& slots) {
    for (const Query* slot : slots) {
        if (slot->falsity) {
            Query falsity;
            falsity.falsity = true;
            return falsity;
        }
    }
    QueryBuilder builder;
    int largest = -1;
    for (const int v : head) {
        largest = std::max(largest, v);
    }
    for (const ProtoAtom& atom : atoms) {
        for (const int v : atom.arguments) {
            largest = std::max(largest, v);
        }
    }
    for (int v = 0; v <= largest; ++v) {
        builder.fresh();
    }
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        const Query& slot = *slots[i];
        const int count = variables(slot);
        const int shift = builder.fresh();
        for (int v = 1; v < count; ++v) {
            builder.fresh();
        }
        const auto moved = [shift](std::int8_t v) {
            return v == kNowhere ? kNowhere : static_cast<std::int8_t>(v + shift);
        };
        for (std::size_t j = 0; j < slot.head.size(); ++j) {
            builder.equate(moved(slot.head[j]), atoms[i].arguments[j]);
        }
        for (const QueryAtom& atom : slot.atoms) {
            builder.add({atom.symbol, moved(atom.first), moved(atom.second)});
        }
    }
    return builder.query(head);
}

}  // namespace hri::expressivity
