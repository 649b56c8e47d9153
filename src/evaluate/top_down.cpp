// SPDX-License-Identifier: Apache-2.0
#include "evaluate/top_down.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace hri::evaluation {

namespace {

constexpr std::int32_t kUnbound = kAnyConstant;
constexpr std::int32_t kUnknown = std::numeric_limits<std::int32_t>::max();  // no such constant
constexpr double kNotYet = 1e12;  // the cost of a literal whose arguments are not bound
constexpr std::size_t kMaxTables = 200'000;

std::uint64_t hash_row(const std::int32_t* row, int arity) {
    std::uint64_t hash = 1469598103934665603U;
    for (int a = 0; a < arity; ++a) {
        hash ^= static_cast<std::uint32_t>(row[a]);
        hash *= 1099511628211U;
    }
    return hash;
}

std::uint32_t in_arguments(const ClauseBias& bias, const PredicateSymbol& symbol) {
    std::uint32_t in = 0;
    if (const auto found = bias.directions.find(symbol); found != bias.directions.end())
        for (std::size_t a = 0; a < found->second.size() && a < 32; ++a)
            in |= found->second[a] == "in" ? 1U << a : 0U;
    return in;
}

}  // namespace

ConstantNumbers constant_numbers(const Database& database) {
    ConstantNumbers numbers;
    numbers.reserve(database.constants.size());
    for (std::size_t c = 0; c < database.constants.size(); ++c)
        numbers.emplace(database.constants[c], static_cast<std::int32_t>(c));
    return numbers;
}

TopDown::TopDown(const DatabaseIndex& index, const Program& program, const ConstantNumbers& names,
                 TopDownLimits limits)
    : index_(index), limits_(limits) {
    const ClauseBias& bias = index.database().bias;
    std::map<Predicate, int> defined;
    for (const Rule& rule : program.rules)
        if (defined.emplace(rule.head.predicate, static_cast<int>(definitions_.size())).second) {
            definitions_.push_back({});
            Definition& definition = definitions_.back();
            const PredicateSymbol& symbol = program.vocabulary[rule.head.predicate];
            definition.arity = symbol.arity;
            definition.in = in_arguments(bias, symbol);
            definition.facts = index.find(symbol);
        }
    target_facts_ = index.find(program.vocabulary[program.target]);
    if (const auto found = defined.find(program.target); found != defined.end())
        target_ = found->second;
    const auto term_of = [&](const Term& term) -> std::int32_t {
        if (term.is_variable())
            return term.index();
        const std::string& name =
            program.vocabulary.constants()[static_cast<std::size_t>(term.index())];
        const auto found = names.find(name);
        return found == names.end() ? -2 - (kUnknown - 2) : -2 - found->second;
    };
    for (const Rule& rule : program.rules) {
        CompiledRule compiled;
        const auto read = [&](const Atom& atom, std::vector<std::int32_t>& terms) {
            for (const Term& term : atom.arguments) {
                terms.push_back(term_of(term));
                if (term.is_variable())
                    compiled.variables = std::max(compiled.variables, term.index() + 1);
            }
        };
        read(rule.head, compiled.head);
        for (const Atom& atom : rule.body) {
            Literal literal;
            PredicateSymbol symbol = program.vocabulary[atom.predicate];
            literal.negated = symbol.negated;
            symbol.negated = false;
            read(atom, literal.terms);
            const Predicate positive = program.vocabulary.positive(atom.predicate);
            literal.comparison = comparison_of(symbol);
            if (const auto found = defined.find(positive); found != defined.end()) {
                literal.kind = Literal::Kind::defined;
                is_flat_ = false;
                literal.definition = found->second;
                literal.in = definitions_[static_cast<std::size_t>(found->second)].in;
            } else if (is_equality(symbol)) {
                literal.kind = Literal::Kind::equality;
            } else if ((literal.predicate = index.find(symbol)) >= 0) {
                literal.kind = Literal::Kind::facts;
                if (index.is_computed(literal.predicate))
                    literal.in = in_arguments(bias, symbol);
            } else if (literal.comparison != Comparison::none) {
                literal.kind = Literal::Kind::comparison;
                for (std::size_t a = 0; a < 2; ++a)
                    if (!atom.arguments[a].is_variable())
                        literal.bounds[a] = std::strtod(
                            program.vocabulary
                                .constants()[static_cast<std::size_t>(atom.arguments[a].index())]
                                .c_str(),
                            nullptr);
            }
            compiled.body.push_back(std::move(literal));
        }
        definitions_[static_cast<std::size_t>(defined.at(rule.head.predicate))].rules.push_back(
            std::move(compiled));
    }
}

bool TopDown::holds(std::span<const std::int32_t> tuple, bool hide) {
    steps_ = 0;
    gave_up_ = false;
    hide_ = hide && target_facts_ >= 0;
    if (hide_ || tables_.size() > kMaxTables)  // what is hidden differs from atom to atom
        tables_.clear();
    hidden_.assign(tuple.begin(), tuple.end());
    open_.clear();
    depth_ = 0;
    if (target_ < 0)
        return false;
    bool found = false;
    if (is_flat_) {
        flat_.complete = false;
        run_rules(target_, hidden_, flat_);
        found = flat_.complete;
    } else {
        found = !answer(target_, hidden_).answers.empty() ||
                (tuple.empty() && tables_[{target_, hidden_}].met.count(0) > 0);
    }
    if (gave_up_)
        tables_.clear();
    all_steps_ += steps_;
    return found;
}

bool TopDown::is_hidden(const std::int32_t* row) const {
    return hide_ && std::equal(hidden_.begin(), hidden_.end(), row);
}

bool TopDown::add(Table& table, const std::int32_t* row, int arity) {
    std::vector<std::uint32_t>& same = table.met[arity == 0 ? 0 : hash_row(row, arity)];
    const auto width = static_cast<std::size_t>(arity);
    for (const std::uint32_t other : same)
        if (std::equal(row, row + width, table.answers.data() + other * width))
            return false;
    same.push_back(static_cast<std::uint32_t>(arity == 0 ? 0 : table.answers.size() / width));
    table.answers.insert(table.answers.end(), row, row + width);
    ++added_;
    return true;
}

/// The answers of a goal. Those of goals that ask each other are computed again until nothing is
/// added; the lowest of them on the stack then completes all.
TopDown::Table& TopDown::answer(int definition, const std::vector<std::int32_t>& pattern) {
    Table& table = tables_[{definition, pattern}];
    if (table.complete)
        return table;
    if (table.depth >= 0) {
        lowest_ = std::min(lowest_, table.depth);
        return table;
    }
    if (depth_ >= limits_.depth) {
        gave_up_ = true;
        return table;
    }
    table.depth = depth_++;
    const int lowest_before = lowest_;
    const std::size_t open_before = open_.size();
    open_.push_back(&table);
    lowest_ = std::numeric_limits<int>::max();
    const bool is_ground = std::find(pattern.begin(), pattern.end(), kUnbound) == pattern.end();
    std::int64_t last_run = 0;
    for (;;) {
        const std::int64_t before = added_;
        table.ran = last_run = ++runs_;
        run_rules(definition, pattern, table);
        if (gave_up_ || added_ == before || lowest_ > table.depth ||
            (is_ground && !table.met.empty()))
            break;
        if (lowest_ < table.depth)  // a lower goal repeats it
            break;
    }
    if (lowest_ >= table.depth || (is_ground && !table.met.empty())) {
        if (lowest_ >= table.depth)
            for (std::size_t i = open_before; i < open_.size(); ++i)
                open_[i]->complete = !gave_up_ && open_[i]->ran >= last_run;
        table.complete = !gave_up_;
        if (lowest_ >= table.depth) {
            open_.resize(open_before);
            lowest_ = std::numeric_limits<int>::max();
        }
    }
    table.depth = -1;
    --depth_;
    lowest_ = std::min(lowest_, lowest_before);
    return table;
}

void TopDown::run_rules(int definition, const std::vector<std::int32_t>& pattern, Table& table) {
    Definition& defined = definitions_[static_cast<std::size_t>(definition)];
    const bool is_ground = std::find(pattern.begin(), pattern.end(), kUnbound) == pattern.end();
    if (defined.facts >= 0 && depth_ > 1) {
        std::uint32_t mask = 0;
        for (std::size_t a = 0; a < pattern.size(); ++a)
            mask |= pattern[a] != kUnbound ? 1U << a : 0U;
        const std::span<const std::int32_t> rows =
            index_.match(defined.facts, mask, pattern.data());
        const auto width = static_cast<std::size_t>(defined.arity);
        for (std::size_t r = 0; width > 0 && r < rows.size(); r += width)
            if (defined.facts != target_facts_ || !is_hidden(rows.data() + r))
                add(table, rows.data() + r, defined.arity);
    }
    for (CompiledRule& rule : defined.rules) {
        if (gave_up_ || (is_ground && (table.complete || !table.met.empty())))
            return;
        std::vector<std::int32_t> values(static_cast<std::size_t>(rule.variables), kUnbound);
        std::uint64_t bound = 0;
        bool fits = true;
        for (std::size_t a = 0; a < rule.head.size() && fits; ++a) {
            if (pattern[a] == kUnbound)
                continue;
            if (rule.head[a] < 0) {
                fits = value_of(rule.head[a], values) == pattern[a];
                continue;
            }
            std::int32_t& value = values[static_cast<std::size_t>(rule.head[a])];
            fits = value == kUnbound || value == pattern[a];
            value = pattern[a];
            bound |= std::uint64_t(1) << std::min(rule.head[a], 63);
        }
        if (fits)
            solve(rule, order_of(rule, bound), 0, values, pattern, table);
    }
}

double TopDown::cost_of(const Literal& literal, std::uint64_t bound) const {
    std::uint32_t mask = 0;
    int free = 0;
    for (std::size_t a = 0; a < literal.terms.size(); ++a)
        if (literal.terms[a] < 0 || (bound >> std::min(literal.terms[a], 63) & 1U) != 0)
            mask |= 1U << a;
        else
            ++free;
    if (literal.negated)
        return free == 0 ? 0.2 : kNotYet;
    switch (literal.kind) {
        case Literal::Kind::absent:
            return 0;
        case Literal::Kind::comparison:
            return free == 0 ? 0.05 : kNotYet;
        case Literal::Kind::equality:
            return free <= 1 ? 0.01 : kNotYet;
        case Literal::Kind::defined:
            if ((literal.in & ~mask) != 0)
                return kNotYet;
            return free == 0 ? 5 : 20.0 * (1 + free) + (mask == 0 ? 1e6 : 0);
        case Literal::Kind::facts:
            if ((literal.in & ~mask) != 0)
                return kNotYet;
            if (free == 0)
                return 0.1;
            return index_.mean_rows(literal.predicate, mask);
    }
    return kNotYet;
}

const std::vector<int>& TopDown::order_of(CompiledRule& rule, std::uint64_t bound) {
    const auto [place, fresh] = rule.orders.try_emplace(bound);
    if (!fresh)
        return place->second;
    std::vector<int> left(rule.body.size());
    for (std::size_t i = 0; i < left.size(); ++i)
        left[i] = static_cast<int>(i);
    while (!left.empty()) {
        std::size_t best = 0;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < left.size(); ++i)
            if (const double cost = cost_of(rule.body[static_cast<std::size_t>(left[i])], bound);
                cost < least) {
                least = cost;
                best = i;
            }
        for (const std::int32_t term : rule.body[static_cast<std::size_t>(left[best])].terms)
            if (term >= 0)
                bound |= std::uint64_t(1) << std::min(term, 63);
        place->second.push_back(left[best]);
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
    }
    return place->second;
}

/// Whether the search may end: a ground goal has its answer, or a limit was met.
bool TopDown::solve(CompiledRule& rule, const std::vector<int>& order, std::size_t at,
                    std::vector<std::int32_t>& values, const std::vector<std::int32_t>& pattern,
                    Table& table) {
    if (++steps_ > limits_.steps) {
        gave_up_ = true;
        return true;
    }
    if (at == order.size()) {
        if (&table == &flat_)
            return flat_.complete = true;
        std::vector<std::int32_t> row(rule.head.size());
        for (std::size_t a = 0; a < row.size(); ++a) {
            row[a] = value_of(rule.head[a], values);
            if (row[a] == kUnbound)
                return false;  // any constant: only asked with it bound
        }
        add(table, row.data(), static_cast<int>(row.size()));
        return std::find(pattern.begin(), pattern.end(), kUnbound) == pattern.end();
    }
    const Literal& literal = rule.body[static_cast<std::size_t>(order[at])];
    if (literal.negated || literal.kind == Literal::Kind::comparison ||
        literal.kind == Literal::Kind::absent)
        return is_true(literal, values) && solve(rule, order, at + 1, values, pattern, table);
    if (literal.kind == Literal::Kind::equality) {
        const std::int32_t left = value_of(literal.terms[0], values);
        const std::int32_t right = value_of(literal.terms[1], values);
        if (left != kUnbound && right != kUnbound)
            return left == right && solve(rule, order, at + 1, values, pattern, table);
        if (left == right)
            return false;
        const std::int32_t free = left == kUnbound ? literal.terms[0] : literal.terms[1];
        values[static_cast<std::size_t>(free)] = std::max(left, right);
        const bool over = solve(rule, order, at + 1, values, pattern, table);
        values[static_cast<std::size_t>(free)] = kUnbound;
        return over;
    }
    if (literal.kind == Literal::Kind::facts) {
        const std::size_t width = literal.terms.size();
        if (width == 0)
            return index_.rows(literal.predicate) > 0 &&
                   solve(rule, order, at + 1, values, pattern, table);
        std::array<std::int32_t, kMaxIndexedArity> key;
        std::uint32_t mask = 0;
        for (std::size_t a = 0; a < width; ++a) {
            key[a] = value_of(literal.terms[a], values);
            mask |= key[a] != kUnbound ? 1U << a : 0U;
        }
        return match_rows(rule, order, at, values, pattern, table, literal,
                          index_.match(literal.predicate, mask, key.data()),
                          literal.predicate == target_facts_);
    }
    std::vector<std::int32_t> key;
    for (const std::int32_t term : literal.terms)
        key.push_back(value_of(term, values));
    const Table& asked = answer(literal.definition, key);
    if (gave_up_)
        return true;
    if (key.empty())
        return !asked.met.empty() && solve(rule, order, at + 1, values, pattern, table);
    const std::vector<std::int32_t> rows = asked.answers;  // the table may grow meanwhile
    return match_rows(rule, order, at, values, pattern, table, literal, rows, false);
}

bool TopDown::match_rows(CompiledRule& rule, const std::vector<int>& order, std::size_t at,
                         std::vector<std::int32_t>& values,
                         const std::vector<std::int32_t>& pattern, Table& table,
                         const Literal& literal, std::span<const std::int32_t> rows,
                         bool may_hide) {
    const std::size_t width = literal.terms.size();
    std::uint32_t newly = 0;
    for (std::size_t a = 0; a < width; ++a)
        if (value_of(literal.terms[a], values) == kUnbound)
            newly |= 1U << a;
    const auto unbind = [&] {
        for (std::size_t a = 0; a < width; ++a)
            if ((newly >> a & 1U) != 0)
                values[static_cast<std::size_t>(literal.terms[a])] = kUnbound;
    };
    if (newly == 0) {  // one row is as good as many
        for (std::size_t r = 0; r < rows.size(); r += width)
            if (!may_hide || !is_hidden(rows.data() + r))
                return solve(rule, order, at + 1, values, pattern, table);
        return false;
    }
    for (std::size_t r = 0; r < rows.size(); r += width) {
        if (may_hide && is_hidden(rows.data() + r))
            continue;
        bool fits = true;
        for (std::size_t a = 0; a < width && fits; ++a) {
            if (literal.terms[a] < 0)
                continue;
            std::int32_t& value = values[static_cast<std::size_t>(literal.terms[a])];
            if (value == kUnbound)
                value = rows[r + a];
            else
                fits = value == rows[r + a];
        }
        const bool over = fits && solve(rule, order, at + 1, values, pattern, table);
        unbind();
        if (over)
            return true;
    }
    return false;
}

bool TopDown::is_true(const Literal& literal, const std::vector<std::int32_t>& values) {
    bool found = false;
    std::vector<std::int32_t> key(literal.terms.size());
    for (std::size_t a = 0; a < key.size(); ++a)
        key[a] = value_of(literal.terms[a], values);
    switch (literal.kind) {
        case Literal::Kind::absent:
            break;
        case Literal::Kind::comparison: {
            double numbers[2];
            for (std::size_t a = 0; a < 2; ++a)
                numbers[a] = literal.terms[a] < 0 ? literal.bounds[a]
                             : key[a] == kUnbound ? std::nan("")
                                                  : index_.number(key[a]);
            found = compares(literal.comparison, numbers[0], numbers[1]);
            break;
        }
        case Literal::Kind::equality:
            found = key[0] == key[1];
            break;
        case Literal::Kind::facts:
        case Literal::Kind::defined: {
            std::uint32_t mask = 0;
            for (std::size_t a = 0; a < key.size(); ++a)
                mask |= key[a] != kUnbound ? 1U << a : 0U;
            if (literal.kind == Literal::Kind::defined) {
                found = !answer(literal.definition, key).met.empty();
            } else if (key.empty()) {
                found = index_.rows(literal.predicate) > 0;
            } else {
                const std::span<const std::int32_t> rows =
                    index_.match(literal.predicate, mask, key.data());
                for (std::size_t r = 0; r < rows.size() && !found; r += key.size())
                    found = literal.predicate != target_facts_ || !is_hidden(rows.data() + r);
            }
            break;
        }
    }
    return found != literal.negated;
}

}  // namespace hri::evaluation
