// SPDX-License-Identifier: Apache-2.0
#include "evaluate/bits/rule_plan.hpp"

#include <algorithm>
#include <map>

namespace hri::evaluation {
namespace {

using OperandKind = Operand::Kind;
using OperationKind = Operation::Kind;

void add_once(std::vector<int>& items, int item) {
    if (std::find(items.begin(), items.end(), item) == items.end()) {
        items.push_back(item);
    }
}

class Planner {
  public:
    Planner(const Rule& rule, const std::vector<int>& number_of)
        : rule_(rule), number_of_(number_of) {}

    RulePlan run() {
        plan_.head = number(rule_.head);
        read_atoms();
        while (eliminate_one() || bind_one()) {
        }
        finish_head();
        plan_.straight = is_straight();
        return std::move(plan_);
    }

  private:
    enum class State : std::uint8_t { open, bound, gone };

    struct Variable {
        bool in_head = false;
        State state = State::open;
        int slot = 0;                    // where it is bound
        std::vector<Operand> operands;   // their meet is its row
        std::vector<std::size_t> edges;  // atoms with another variable
    };

    struct Edge {  // an atom predicate(first, second) of two variables
        int predicate;
        std::size_t first;
        std::size_t second;

        std::size_t other(std::size_t v) const { return v == first ? second : first; }
    };

    int number(const Atom& atom) const { return number_of_[atom.predicate.id]; }

    std::size_t variable(Term term) {
        const auto [entry, added] = index_.try_emplace(term.index(), variables_.size());
        if (added) {
            variables_.emplace_back();
        }
        return entry->second;
    }

    int constant(Term term) {
        add_once(plan_.constants, term.index());
        return -1 - term.index();
    }

    void read_atoms() {
        for (const Term term : rule_.head.arguments) {
            if (term.is_variable()) {
                variables_[variable(term)].in_head = true;
            } else {
                constant(term);
            }
        }
        for (const Atom& atom : rule_.body) {
            add_once(plan_.body, number(atom));
            read_atom(atom);
        }
    }

    void read_atom(const Atom& atom) {
        const int p = number(atom);
        const auto ground = std::none_of(atom.arguments.begin(), atom.arguments.end(),
                                         [](Term term) { return term.is_variable(); });
        if (ground) {
            Operation check;
            check.kind = OperationKind::check;
            check.predicate = p;
            check.arity = static_cast<int>(atom.arguments.size());
            check.first = check.arity > 0 ? constant(atom.arguments[0]) : 0;
            check.second = check.arity > 1 ? constant(atom.arguments[1]) : 0;
            plan_.operations.push_back(std::move(check));
            return;
        }
        const Term first = atom.arguments.front();
        const Term second = atom.arguments.back();
        if (atom.arguments.size() == 1) {
            variables_[variable(first)].operands.push_back({OperandKind::unary, p, 0});
        } else if (first == second) {
            variables_[variable(first)].operands.push_back({OperandKind::diagonal, p, 0});
        } else if (!first.is_variable()) {
            variables_[variable(second)].operands.push_back(
                {OperandKind::binary, p, constant(first)});
        } else if (!second.is_variable()) {
            variables_[variable(first)].operands.push_back(
                {OperandKind::transposed, p, constant(second)});
        } else {
            const Edge edge{p, variable(first), variable(second)};
            variables_[edge.first].edges.push_back(edges_.size());
            variables_[edge.second].edges.push_back(edges_.size());
            edges_.push_back(edge);
        }
    }

    std::vector<std::size_t> open_neighbours(std::size_t v) const {
        std::vector<std::size_t> result;
        for (const std::size_t e : variables_[v].edges) {
            const std::size_t u = edges_[e].other(v);
            if (variables_[u].state == State::open &&
                std::find(result.begin(), result.end(), u) == result.end()) {
                result.push_back(u);
            }
        }
        return result;
    }

    // The register that holds a variable's row.
    int row_of(std::size_t v) {
        std::vector<Operand>& operands = variables_[v].operands;
        if (operands.size() == 1 && operands[0].kind == OperandKind::row) {
            return operands[0].index;
        }
        Operation meet;
        meet.kind = OperationKind::meet;
        meet.out = plan_.rows++;
        meet.operands = operands.empty() ? std::vector<Operand>{Operand{}} : operands;
        operands = {{OperandKind::row, meet.out, 0}};
        plan_.operations.push_back(meet);
        return meet.out;
    }

    bool eliminate_one() {
        for (std::size_t v = 0; v < variables_.size(); ++v) {
            if (variables_[v].in_head || variables_[v].state != State::open) {
                continue;
            }
            const std::vector<std::size_t> neighbours = open_neighbours(v);
            if (neighbours.size() > 1) {
                continue;
            }
            const int row = row_of(v);
            if (!neighbours.empty()) {
                eliminate(v, row, neighbours[0]);
            }
            variables_[v].state = State::gone;
            return true;
        }
        return false;
    }

    void eliminate(std::size_t v, int row, std::size_t neighbour) {
        std::vector<Edge> shared;
        for (const std::size_t e : variables_[v].edges) {
            if (edges_[e].other(v) == neighbour) {
                shared.push_back(edges_[e]);
            }
        }
        // Outside of loops: rows as they are stored, by the neighbour if it is the first argument
        // everywhere. Inside, the few rows of v's constants are worth a transposed copy.
        const bool by_neighbour =
            plan_.slots == 0 && std::all_of(shared.begin(), shared.end(), [&](const Edge& edge) {
                return edge.first == neighbour;
            });
        Operation operation;
        operation.kind = by_neighbour ? OperationKind::gather : OperationKind::scatter;
        for (const Edge& edge : shared) {
            operation.matrices.push_back(
                {edge.predicate, edge.first != (by_neighbour ? neighbour : v)});
        }
        operation.in = row;
        if (!variables_[neighbour].operands.empty()) {
            operation.base = {OperandKind::row, row_of(neighbour), 0};
        }
        operation.out = plan_.rows++;
        variables_[neighbour].operands = {{OperandKind::row, operation.out, 0}};
        plan_.operations.push_back(std::move(operation));
    }

    bool bind_one() {
        const std::optional<std::size_t> v = variable_to_bind();
        if (!v) {
            return false;
        }
        Variable& bound = variables_[*v];
        Operation loop;
        loop.kind = OperationKind::loop;
        loop.in = row_of(*v);
        loop.slot = plan_.slots++;
        loop.is_head = bound.in_head;
        bound.state = State::bound;
        bound.slot = loop.slot;
        for (const std::size_t e : bound.edges) {
            const Edge& edge = edges_[e];
            Variable& other = variables_[edge.other(*v)];
            if (other.state == State::open) {
                const OperandKind kind =
                    edge.first == *v ? OperandKind::binary : OperandKind::transposed;
                other.operands.push_back({kind, edge.predicate, loop.slot});
            }
        }
        plan_.operations.push_back(std::move(loop));
        return true;
    }

    // The head's first variable, so that its rows are filled one by one; else the one with most
    // neighbours.
    std::optional<std::size_t> variable_to_bind() const {
        std::optional<std::size_t> best;
        std::size_t most = 0;
        for (std::size_t v = 0; v < variables_.size(); ++v) {
            if (variables_[v].state != State::open) {
                continue;
            }
            const std::size_t neighbours = open_neighbours(v).size();
            if (v == 0 && variables_[v].in_head && neighbours > 0) {
                return v;
            }
            if (neighbours > most) {
                best = v;
                most = neighbours;
            }
        }
        return best;
    }

    void finish_head() {
        for (const Term term : rule_.head.arguments) {
            if (!term.is_variable()) {
                plan_.arguments.push_back({false, constant(term)});
                continue;
            }
            const std::size_t v = variable(term);
            if (variables_[v].state == State::bound) {
                plan_.arguments.push_back({false, variables_[v].slot});
            } else {
                plan_.arguments.push_back({true, row_of(v)});
            }
        }
        const std::vector<Term>& arguments = rule_.head.arguments;
        plan_.diagonal =
            arguments.size() == 2 && arguments[0] == arguments[1] && plan_.arguments[0].is_row;
    }

    bool is_straight() const {
        const bool plain = std::all_of(
            plan_.operations.begin(), plan_.operations.end(), [](const Operation& operation) {
                const bool has_diagonal =
                    std::any_of(operation.operands.begin(), operation.operands.end(),
                                [](const Operand& o) { return o.kind == OperandKind::diagonal; });
                return operation.kind != OperationKind::check && !has_diagonal &&
                       operation.operands.size() <= kMaxStraight &&
                       operation.matrices.size() <= 1 &&
                       (operation.kind != OperationKind::loop || operation.is_head);
            });
        if (!plain || plan_.operations.size() > kMaxStraight || plan_.arguments.empty() ||
            !plan_.arguments.back().is_row) {
            return false;
        }
        return plan_.arguments.size() == 1
                   ? plan_.slots == 0
                   : plan_.slots == 1 && plan_.arguments[0].at == 0 && !plan_.arguments[0].is_row;
    }

    const Rule& rule_;
    const std::vector<int>& number_of_;
    RulePlan plan_;
    std::map<std::int32_t, std::size_t> index_;
    std::vector<Variable> variables_;
    std::vector<Edge> edges_;
};

}  // namespace

void refuse_large_arity(const Program& program) {
    for (const PredicateSymbol& symbol : program.vocabulary.symbols()) {
        if (symbol.arity > 2) {
            throw Error("the predicate " + symbol.name + "/" + std::to_string(symbol.arity) +
                            " takes more than two arguments",
                        {}, "programs have predicates of at most two arguments");
        }
    }
}

RulePlan plan_rule(const Rule& rule, const std::vector<int>& number_of) {
    return Planner(rule, number_of).run();
}

}  // namespace hri::evaluation
