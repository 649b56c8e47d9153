// SPDX-License-Identifier: Apache-2.0
#include "logic/dependencies.hpp"

#include <algorithm>

namespace hri {
namespace {

using Edges = std::vector<std::vector<std::uint32_t>>;

// [predicate] the predicates of its rules' bodies, in order of appearance, each once.
Edges body_predicates(const Program& program) {
    const auto count = static_cast<std::size_t>(program.vocabulary.size());
    Edges edges(count);
    for (const Rule& rule : program.rules) {
        std::vector<std::uint32_t>& to = edges[rule.head.predicate.id];
        for (const Atom& atom : rule.body) {
            to.push_back(atom.predicate.id);
        }
    }
    for (std::uint32_t p = 0; p < count; ++p) {
        if (program.vocabulary.is_negated(Predicate{p})) {
            edges[p].push_back(program.vocabulary.positive(Predicate{p}).id);
        }
    }
    std::vector<std::uint32_t> seen_by(count, UINT32_MAX);
    for (std::uint32_t p = 0; p < count; ++p) {
        std::erase_if(edges[p], [&](std::uint32_t q) {
            const bool again = seen_by[q] == p;
            seen_by[q] = p;
            return again;
        });
    }
    return edges;
}

// Tarjan's algorithm with a stack of its own, since programs may be deep.
class Tarjan {
  public:
    explicit Tarjan(const Edges& edges)
        : edges_(edges), order_(edges.size(), -1), low_(edges.size()) {
        result_.of.assign(edges.size(), -1);
    }

    logic::Components run() {
        for (std::uint32_t p = 0; p < edges_.size(); ++p) {
            if (order_[p] < 0) {
                visit(p);
            }
        }
        return std::move(result_);
    }

  private:
    struct Frame {
        std::uint32_t predicate;
        std::size_t next_edge;
    };

    void visit(std::uint32_t start) {
        enter(start);
        while (!frames_.empty()) {
            Frame& frame = frames_.back();
            const std::uint32_t p = frame.predicate;
            if (frame.next_edge < edges_[p].size()) {
                const std::uint32_t q = edges_[p][frame.next_edge++];
                if (order_[q] < 0) {
                    enter(q);
                } else if (result_.of[q] < 0) {
                    low_[p] = std::min(low_[p], order_[q]);
                }
                continue;
            }
            frames_.pop_back();
            if (!frames_.empty()) {
                const std::uint32_t parent = frames_.back().predicate;
                low_[parent] = std::min(low_[parent], low_[p]);
            }
            if (low_[p] == order_[p]) {
                close(p);
            }
        }
    }

    void enter(std::uint32_t p) {
        order_[p] = low_[p] = next_order_++;
        open_.push_back(p);
        frames_.push_back({p, 0});
    }

    void close(std::uint32_t root) {
        std::vector<std::uint32_t> members;
        std::uint32_t p = 0;
        do {
            p = open_.back();
            open_.pop_back();
            result_.of[p] = static_cast<int>(result_.members.size());
            members.push_back(p);
        } while (p != root);
        std::sort(members.begin(), members.end());
        const bool self =
            std::find(edges_[root].begin(), edges_[root].end(), root) != edges_[root].end();
        result_.recursive.push_back(members.size() > 1 || self);
        result_.members.push_back(std::move(members));
    }

    const Edges& edges_;
    std::vector<int> order_;
    std::vector<int> low_;
    std::vector<std::uint32_t> open_;
    std::vector<Frame> frames_;
    int next_order_ = 0;
    logic::Components result_;
};

}  // namespace

namespace logic {

Components components(const Program& program) { return Tarjan(body_predicates(program)).run(); }

bool has_negation(const Program& program) {
    return std::any_of(program.rules.begin(), program.rules.end(), [&](const Rule& rule) {
        return std::any_of(rule.body.begin(), rule.body.end(), [&](const Atom& atom) {
            return program.vocabulary.is_negated(atom.predicate);
        });
    });
}

bool is_stratified(const Program& program) {
    const Components found = components(program);
    for (std::uint32_t p = 0; p < found.of.size(); ++p) {
        if (program.vocabulary.is_negated(Predicate{p}) &&
            found.recursive[static_cast<std::size_t>(found.of[p])]) {
            return false;
        }
    }
    return true;
}

std::vector<bool> defined_predicates(const Program& program) {
    std::vector<bool> defined(static_cast<std::size_t>(program.vocabulary.size()), false);
    for (const Rule& rule : program.rules) {
        defined[rule.head.predicate.id] = true;
    }
    return defined;
}

std::vector<bool> without_facts(const Program& program) {
    std::vector<bool> result = defined_predicates(program);
    for (std::uint32_t p = 0; p < result.size(); ++p) {
        const std::string& name = program.vocabulary[Predicate{p}].name;
        result[p] = result[p] && name.starts_with("aux") && name.size() > 3 &&
                    name.find_first_not_of("0123456789", 3) == std::string::npos;
    }
    result[program.target.id] = true;
    return result;
}

std::vector<bool> reachable_predicates(const Program& program) {
    const Edges edges = body_predicates(program);
    std::vector<bool> reached(edges.size(), false);
    std::vector<std::uint32_t> open{program.target.id};
    reached[program.target.id] = true;
    while (!open.empty()) {
        const std::uint32_t p = open.back();
        open.pop_back();
        for (const std::uint32_t q : edges[p]) {
            if (!reached[q]) {
                reached[q] = true;
                open.push_back(q);
            }
        }
    }
    return reached;
}

std::vector<bool> mentioned_predicates(const Program& program) {
    std::vector<bool> mentioned(static_cast<std::size_t>(program.vocabulary.size()), false);
    mentioned[program.target.id] = true;
    const auto mention = [&](const Atom& atom) {
        mentioned[atom.predicate.id] = true;
        mentioned[program.vocabulary.positive(atom.predicate).id] = true;
    };
    for (const Rule& rule : program.rules) {
        mention(rule.head);
        std::for_each(rule.body.begin(), rule.body.end(), mention);
    }
    return mentioned;
}

Program used_part(Program program) {
    const std::vector<bool> defined = defined_predicates(program);
    const std::vector<bool> reached = reachable_predicates(program);
    std::erase_if(program.rules, [&](const Rule& rule) {
        const bool is_false =
            std::any_of(rule.body.begin(), rule.body.end(), [&](const Atom& atom) {
                const PredicateSymbol& symbol = program.vocabulary[atom.predicate];
                return !defined[atom.predicate.id] && symbol.name == "false" && symbol.arity == 0 &&
                       !symbol.negated;
            });
        return is_false || !reached[rule.head.predicate.id];
    });
    return program;
}

std::vector<int> strata(const Program& program) {
    const Components found = components(program);
    std::vector<int> result(found.of.size(), 0);
    std::vector<std::vector<const Rule*>> rules_of(found.of.size());
    for (const Rule& rule : program.rules) {
        rules_of[rule.head.predicate.id].push_back(&rule);
    }
    for (std::size_t c = 0; c < found.members.size(); ++c) {
        int stratum = 0;
        for (const std::uint32_t p : found.members[c]) {
            if (program.vocabulary.is_negated(Predicate{p})) {
                stratum = result[program.vocabulary.positive(Predicate{p}).id] + 1;
            }
            for (const Rule* rule : rules_of[p]) {
                for (const Atom& atom : rule->body) {
                    stratum = std::max(stratum, result[atom.predicate.id]);
                }
            }
        }
        for (const std::uint32_t p : found.members[c]) {
            result[p] = stratum;
        }
    }
    return result;
}

}  // namespace logic

int size(const Program& program) {
    std::size_t atoms = program.rules.size();
    for (const Rule& rule : program.rules) {
        atoms += rule.body.size();
    }
    return static_cast<int>(atoms);
}

bool is_recursive(const Program& program) {
    const logic::Components found = logic::components(program);
    return std::find(found.recursive.begin(), found.recursive.end(), true) != found.recursive.end();
}

}  // namespace hri
