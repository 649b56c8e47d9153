// SPDX-License-Identifier: Apache-2.0
#include "search/clauses/run_state.hpp"

#include "hri/error.hpp"

#include "base/hash.hpp"
#include "base/run_record.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>

namespace hri::search {

namespace {

constexpr const char* kKind = "checkpoint of clauses";
constexpr const char* kPlace = "<checkpoint>";
constexpr int kBase = 16;  // of numbers
constexpr std::int32_t kMaxRecordVariables = 64;

[[noreturn]] void fail() {
    throw Error("the checkpoint is damaged", {kPlace}, "expected a file that {checkpoint} wrote");
}

/// Numbers of 64 bits, one after the other.
class Writer {
  public:
    template <class Number>
    void add(Number number) {
        if constexpr (std::is_same_v<Number, double>)
            words_.push_back(std::bit_cast<std::uint64_t>(number));
        else
            words_.push_back(static_cast<std::uint64_t>(number));
    }

    template <class Items, class Use>
    void list(const Items& items, const Use& use) {
        add(items.size());
        for (const auto& item : items)
            use(item);
    }

    template <class Items>
    void numbers(const Items& items) {
        list(items, [this](auto number) { this->add(number); });
    }

    void body(const Body& body) {
        list(body, [this](const BodyLiteral& literal) {
            add(literal.predicate);
            add(literal.negated ? 1 : 0);
            numbers(literal.terms);
        });
    }

    /// Hexadecimal digits, with a blank behind each number.
    std::string text() const {
        std::string text;
        std::array<char, 17> digits{};
        for (const std::uint64_t word : words_) {
            const auto end =
                std::to_chars(digits.data(), digits.data() + digits.size(), word, kBase).ptr;
            text.append(digits.data(), end);
            text += ' ';
        }
        return text;
    }

  private:
    std::vector<std::uint64_t> words_;
};

class Reader {
  public:
    explicit Reader(const std::string& text) {
        const char* at = text.data();
        const char* const end = at + text.size();
        while (at != end) {
            std::uint64_t word = 0;
            const auto [next, error] = std::from_chars(at, end, word, kBase);
            if (error != std::errc() || next == end || *next != ' ')
                fail();
            words_.push_back(word);
            at = next + 1;
        }
    }

    template <class Number>
    void take(Number& number) {
        if (at_ >= words_.size())
            fail();
        const std::uint64_t word = words_[at_++];
        if constexpr (std::is_same_v<Number, double>) {
            number = std::bit_cast<double>(word);
            if (!std::isfinite(number))
                fail();
        } else if constexpr (std::is_same_v<Number, bool>) {
            number = word != 0;
        } else {
            number = static_cast<Number>(word);
            if (static_cast<std::uint64_t>(number) != word)
                fail();
        }
    }

    std::size_t size() {
        std::size_t size = 0;
        take(size);
        if (size > words_.size() - at_)
            fail();
        return size;
    }

    template <class Number>
    void numbers(std::vector<Number>& items) {
        items.resize(size());
        for (Number& item : items)
            take(item);
    }

    template <class Use>
    void list(const Use& use) {
        for (std::size_t left = size(); left > 0; --left)
            use();
    }

    Body body() {
        Body body(size());
        for (BodyLiteral& literal : body) {
            take(literal.predicate);
            take(literal.negated);
            std::vector<std::int32_t> terms;
            numbers(terms);
            if (terms.size() != literal.terms.size())
                fail();
            std::copy(terms.begin(), terms.end(), literal.terms.begin());
        }
        return body;
    }

    bool is_done() const { return at_ == words_.size(); }

  private:
    std::vector<std::uint64_t> words_;
    std::size_t at_ = 0;
};

/// Calls each(member) for the numbers of a node, a clause or a set of them.
template <class Node, class Each>
void numbers_of(Node& node, const Each& each) {
    each(node.bound);
    each(node.positives);
    each(node.negatives);
    each(node.promise);
    each(node.truncated);
    each(node.form);
    each(node.meaning);
}

template <class Clause, class Each>
void numbers_of_clause(Clause& clause, const Each& each) {
    each(clause.positives);
    each(clause.negatives);
    each(clause.bits);
    each(clause.estimated);
}

template <class Some, class Each>
void numbers_of_combination(Some& some, const Each& each) {
    each(some.cost);
    each(some.bits);
    each(some.clause_bits);
    each(some.false_positives);
    each(some.false_negatives);
}

template <class State, class Each>
void numbers_of_run(State& state, const Each& each) {
    each(state.tested);
    each(state.tested_before);
    each(state.found_at);
    each(state.duplicates);
    each(state.equal);
}

template <class State, class Each>
void numbers_of_enumeration(State& state, const Each& each) {
    each(state.counts.tested);
    each(state.counts.duplicates);
    each(state.counts.equal);
    each(state.counts.rows);
    each(state.level);
    each(state.complete);
}

void write(Writer& to, const EnumerationState& state) {
    const auto add = [&](auto number) { to.add(number); };
    numbers_of_enumeration(state, add);
    to.list(state.frontier, [&](const ClauseNode& node) {
        to.body(node.body);
        to.numbers(node.types);
        to.numbers(node.covered);
        numbers_of(node, add);
    });
    to.list(state.pool, [&](const PoolClause& clause) {
        to.body(clause.body);
        to.numbers(clause.covered);
        numbers_of_clause(clause, add);
    });
    to.numbers(state.forms);
    to.numbers(state.meanings);
}

EnumerationState read_enumeration(Reader& from) {
    EnumerationState state;
    const auto take = [&](auto& number) { from.take(number); };
    numbers_of_enumeration(state, take);
    from.list([&] {
        ClauseNode& node = state.frontier.emplace_back();
        node.body = from.body();
        from.numbers(node.types);
        from.numbers(node.covered);
        numbers_of(node, take);
    });
    from.list([&] {
        PoolClause& clause = state.pool.emplace_back();
        clause.body = from.body();
        from.numbers(clause.covered);
        numbers_of_clause(clause, take);
    });
    from.numbers(state.forms);
    from.numbers(state.meanings);
    return state;
}

std::string hash_of(const Database& database) {
    base::Hash hash;
    hash.add(database.examples.target.name).add(database.examples.target.arity);
    // computed predicates add constants to those of the data
    const auto names = [&](const std::vector<std::int32_t>& cells) {
        for (const std::int32_t cell : cells)
            hash.add(database.constants[static_cast<std::size_t>(cell)]).add('\0');
    };
    names(database.examples.cells);
    for (const char positive : database.examples.positive)
        hash.add(positive);
    for (const FactTable& table : database.tables) {
        hash.add(table.symbol.name).add(table.symbol.arity).add(table.rows());
        names(table.cells);
    }
    for (const ComputedPredicate& computed : database.computed)
        hash.add(computed.symbol.name).add(computed.symbol.arity);
    return hash.text();
}

nlohmann::json identity(const Database& database, const ClauseSettings& settings) {
    return {{"data", hash_of(database)},
            {"seed", settings.seed},
            {"constants", static_cast<int>(settings.constants)},
            {"thresholds", static_cast<int>(settings.thresholds)},
            {"negation", settings.negation},
            {"linked", settings.linked},
            {"literals", settings.max_body},
            {"first fit", settings.first_fit},
            {"constraints", static_cast<bool>(settings.verdict)}};
}

void check_covered(const std::vector<std::uint64_t>& covered, const SearchExamples& examples) {
    if (covered.size() != (static_cast<std::size_t>(examples.count) + 63) / 64)
        fail();
}

}  // namespace

std::string to_text(const RunState& state, const Database& database,
                    const ClauseSettings& settings) {
    Writer to;
    const auto add = [&](auto number) { to.add(number); };
    to.add(static_cast<int>(state.stage));
    numbers_of_run(state, add);
    to.list(state.tuned, [&](const Body& body) { to.body(body); });
    to.add(state.best ? 1 : 0);
    if (state.best) {
        to.add(static_cast<int>(state.best->stage));
        to.list(state.best->bodies, [&](const Body& body) { to.body(body); });
        numbers_of_combination(state.best->combination, add);
        to.add(state.best->exact ? 1 : 0);
    }
    to.add(state.enumeration ? 1 : 0);
    if (state.enumeration)
        write(to, *state.enumeration);
    base::RunRecord record{.kind = kKind, .run = identity(database, settings)};
    record.values = {{"tested", state.tested}, {"state", to.text()}};
    return base::to_bytes(record);
}

RunState read_state(const Database& database, const ClauseSettings& settings) {
    const base::RunRecord record = base::parse_record(settings.resume, kPlace, kKind);
    base::require_same_run(record, identity(database, settings), kPlace);
    const auto text = record.values.find("state");
    if (text == record.values.end() || !text->is_string())
        fail();
    Reader from(text->get<std::string>());
    const auto take = [&](auto& number) { from.take(number); };
    const auto stage = [&] {
        std::uint8_t number = 0;
        from.take(number);
        if (number > static_cast<std::uint8_t>(Stage::rich))
            fail();
        return static_cast<Stage>(number);
    };
    RunState state;
    state.stage = stage();
    numbers_of_run(state, take);
    from.list([&] { state.tuned.insert(from.body()); });
    bool has = false;
    from.take(has);
    if (has) {
        ChosenState& best = state.best.emplace();
        best.stage = stage();
        from.list([&] { best.bodies.push_back(from.body()); });
        numbers_of_combination(best.combination, take);
        from.take(best.exact);
    }
    from.take(has);
    if (has)
        state.enumeration = read_enumeration(from);
    if (!from.is_done())
        fail();
    return state;
}

void check_bodies(const std::vector<Body>& bodies, const Language& language,
                  const Database& database) {
    const auto constants = static_cast<std::int32_t>(database.constants.size());
    for (const Body& body : bodies) {
        std::int32_t known = language.target.arity;  // new variables are the next ones
        for (const BodyLiteral& literal : body) {
            if (literal.predicate < 0 ||
                literal.predicate >= static_cast<int>(language.predicates.size()))
                fail();
            const int arity =
                language.predicates[static_cast<std::size_t>(literal.predicate)].symbol.arity;
            for (int a = 0; a < arity; ++a) {
                const std::int32_t term = literal.terms[static_cast<std::size_t>(a)];
                const bool is_new = term == known;
                if (term > known || term < -constants || (is_new && literal.negated))
                    fail();
                known += is_new ? 1 : 0;
            }
        }
        if (known > kMaxRecordVariables)
            fail();
    }
}

void check_state(const RunState& state, const Language& language, const Database& database,
                 const SearchExamples& examples) {
    check_bodies({state.tuned.begin(), state.tuned.end()}, language, database);
    if (!state.enumeration)
        return;
    for (const ClauseNode& node : state.enumeration->frontier) {
        check_bodies({node.body}, language, database);
        check_covered(node.covered, examples);
        if (static_cast<int>(node.types.size()) != variables_of(language, node.body) ||
            std::any_of(node.types.begin(), node.types.end(),
                        [&](int type) { return type < 0 || type >= language.types; }))
            fail();
    }
    for (const PoolClause& clause : state.enumeration->pool) {
        check_bodies({clause.body}, language, database);
        check_covered(clause.covered, examples);
    }
}

}  // namespace hri::search
