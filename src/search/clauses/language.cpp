// SPDX-License-Identifier: Apache-2.0
#include "search/clauses/language.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

namespace hri::search {

namespace {

constexpr std::size_t kMaxNamedConstants = 24;  // distinct values of an argument that names them
constexpr double kRepeated = 8;                 // rows for each distinct value
constexpr int kBody = 6;                        // literals at most, where the bias says nothing
constexpr int kDeclaredBody = 10;               // ... where it speaks of clauses, as Popper has it

/// Numbers from 0, in classes that grow by joining: arguments that share constants, variables that
/// share literals.
class Classes {
  public:
    int add() {
        parent_.push_back(static_cast<int>(parent_.size()));
        return parent_.back();
    }

    int find(int x) {
        while (parent_[static_cast<std::size_t>(x)] != x)
            x = parent_[static_cast<std::size_t>(x)] =
                parent_[static_cast<std::size_t>(parent_[static_cast<std::size_t>(x)])];
        return x;
    }

    void join(int x, int y) { parent_[static_cast<std::size_t>(find(x))] = find(y); }

  private:
    std::vector<int> parent_;
};

/// The different constants of an argument, sorted.
std::vector<std::int32_t> column(const std::vector<std::int32_t>& cells, int arity, int argument) {
    std::vector<std::int32_t> values;
    values.reserve(cells.size() / static_cast<std::size_t>(arity));
    for (std::size_t i = static_cast<std::size_t>(argument); i < cells.size();
         i += static_cast<std::size_t>(arity))
        values.push_back(cells[i]);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

const FactTable& table_of(const Database& database, const PredicateSymbol& symbol) {
    return *std::find_if(database.tables.begin(), database.tables.end(),
                         [&](const FactTable& t) { return t.symbol == symbol; });
}

/// Of examples, those that say of what type the target's arguments are: the positive ones. Of a
/// closed world any constant stands in a negative one, numbers and categories too. Only a negated
/// literal may speak of constants that no positive example has.
std::vector<std::int32_t> cells_of_types(const ExampleTable& examples,
                                         const LanguageOptions& options) {
    const auto arity = static_cast<std::size_t>(examples.target.arity);
    std::vector<std::int32_t> cells;
    for (std::size_t r = 0; r < examples.positive.size() && !options.negation; ++r)
        if (examples.positive[r] != 0)
            for (std::size_t a = 0; a < arity; ++a)
                cells.push_back(examples.cells[r * arity + a]);
    return cells.empty() ? examples.cells : cells;
}

/// Types by the constants that arguments share; computed predicates, which have no columns, share
/// one type with everything.
void infer_types(Language& language, const Database& database,
                 const evaluation::DatabaseIndex& index) {
    Classes classes;
    std::unordered_map<std::int32_t, int> owner;  // an argument in which a constant stands
    owner.reserve(database.constants.size());
    const auto add_column = [&](const std::vector<std::int32_t>& cells, int arity, int argument) {
        const int id = classes.add();
        for (const std::int32_t value : column(cells, arity, argument)) {
            const auto [found, fresh] = owner.emplace(value, id);
            if (!fresh)
                classes.join(found->second, id);
        }
        return id;
    };
    const int arity = database.examples.target.arity;
    const std::vector<std::int32_t> cells = cells_of_types(database.examples, language.options);
    for (int a = 0; a < arity; ++a)
        language.head_types.push_back(add_column(cells, arity, a));
    int computed = -1;
    for (LanguagePredicate& predicate : language.predicates)
        for (int a = 0; a < predicate.symbol.arity; ++a)
            if (predicate.index >= 0 && !index.is_computed(predicate.index)) {
                const FactTable& table = table_of(database, predicate.symbol);
                predicate.types.push_back(add_column(table.cells, predicate.symbol.arity, a));
            } else {
                if (computed < 0)
                    computed = classes.add();
                predicate.types.push_back(computed);
            }
    std::map<int, int> numbered;
    const auto number = [&](int& type) {
        const int root = computed >= 0 ? 0 : classes.find(type);
        type = numbered.emplace(root, static_cast<int>(numbered.size())).first->second;
    };
    for (int& type : language.head_types)
        number(type);
    for (LanguagePredicate& predicate : language.predicates)
        for (int& type : predicate.types)
            number(type);
    language.types = static_cast<int>(numbered.size());
}

/// Types of an untyped table: of the typed arguments with which it shares the most constants.
std::vector<int> types_by_constants(const FactTable& table,
                                    const std::map<std::int32_t, int>& type_of, int& types) {
    std::vector<int> result;
    for (int a = 0; a < table.symbol.arity; ++a) {
        std::map<int, int> votes;
        for (const std::int32_t value : column(table.cells, table.symbol.arity, a))
            if (const auto known = type_of.find(value); known != type_of.end())
                ++votes[known->second];
        const auto most =
            std::max_element(votes.begin(), votes.end(),
                             [](const auto& x, const auto& y) { return x.second < y.second; });
        result.push_back(most != votes.end() ? most->first : types++);
    }
    return result;
}

/// Types of the bias, where it has those of the target and of most predicates. Tables that it
/// leaves out take the types of those that share their constants; computed predicates are left out
/// then, since they would take anything.
bool read_types(Language& language, const Database& database,
                const evaluation::DatabaseIndex& index) {
    const ClauseBias& bias = database.bias;
    std::map<std::string, int> numbered;
    std::map<std::int32_t, int> type_of;
    const auto read = [&](const PredicateSymbol& symbol, std::vector<int>& types) {
        const auto found = bias.types.find(symbol);
        if (found == bias.types.end() || static_cast<int>(found->second.size()) != symbol.arity)
            return false;
        for (const std::string& name : found->second)
            types.push_back(
                numbered.emplace(name, static_cast<int>(numbered.size())).first->second);
        return true;
    };
    const auto learn_constants = [&](const std::vector<std::int32_t>& cells,
                                     const std::vector<int>& types) {
        for (std::size_t i = 0; i < cells.size(); ++i)
            type_of.emplace(cells[i], types[i % types.size()]);
    };
    bool fits = read(language.target, language.head_types);
    if (fits)
        learn_constants(database.examples.cells, language.head_types);
    std::size_t typed = 0;
    for (LanguagePredicate& predicate : language.predicates)
        if (read(predicate.symbol, predicate.types)) {
            ++typed;
            if (!index.is_computed(predicate.index))
                learn_constants(table_of(database, predicate.symbol).cells, predicate.types);
        }
    fits = fits && 2 * typed >= language.predicates.size();
    language.types = static_cast<int>(numbered.size());
    if (!fits) {
        language.head_types.clear();
        for (LanguagePredicate& predicate : language.predicates)
            predicate.types.clear();
        return false;
    }
    std::erase_if(language.predicates, [&](const LanguagePredicate& predicate) {
        return predicate.types.empty() && index.is_computed(predicate.index);
    });
    for (LanguagePredicate& predicate : language.predicates)
        if (predicate.types.empty())
            predicate.types =
                types_by_constants(table_of(database, predicate.symbol), type_of, language.types);
    language.single.assign(static_cast<std::size_t>(language.types), 0);
    for (const std::string& type : bias.single_types)
        if (const auto found = numbered.find(type); found != numbered.end())
            language.single[static_cast<std::size_t>(found->second)] = 1;
    return true;
}

/// [type]: whether its constants only describe others. No literal has two of them or one alone, the
/// target has none, and few arguments are of the type.
std::vector<char> describing_types(const Language& language) {
    constexpr int kMaxPlaces = 2;
    std::vector<int> arguments(static_cast<std::size_t>(language.types), 0);
    std::vector<char> describes(arguments.size(), 1);
    for (const int type : language.head_types)
        describes[static_cast<std::size_t>(type)] = 0;
    for (const LanguagePredicate& predicate : language.predicates) {
        std::set<int> seen;
        for (const int type : predicate.types) {
            const auto t = static_cast<std::size_t>(type);
            if (++arguments[t] > kMaxPlaces || predicate.symbol.arity == 1 ||
                !seen.insert(type).second)
                describes[t] = 0;
        }
    }
    return describes;
}

/// Types whose constants are numbers, and arguments whose constants rules may name.
void study_columns(Language& language, const Database& database,
                   const evaluation::DatabaseIndex& index, bool are_declared) {
    // Types of the target's arguments; where a bias declares types, of those that name its
    // examples.
    std::set<int> entities;
    for (int a = 0; a < language.target.arity; ++a) {
        const std::size_t values = column(database.examples.cells, language.target.arity, a).size();
        if (!are_declared || values == database.examples.positive.size())
            entities.insert(language.head_types[static_cast<std::size_t>(a)]);
    }
    const auto is_entity = [&](std::size_t type) {
        return language.single[type] != 0 ||
               (!language.options.entities && entities.count(static_cast<int>(type)) > 0);
    };
    const std::vector<char> describes = describing_types(language);
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(language.types), 0);
    std::vector<std::int64_t> others(numbers);
    for (LanguagePredicate& predicate : language.predicates) {
        const auto allowed = database.bias.constants.find(predicate.symbol);
        for (int a = 0; a < predicate.symbol.arity; ++a) {
            const auto at = static_cast<std::size_t>(a);
            if (allowed != database.bias.constants.end() && at < allowed->second.size() &&
                allowed->second[at])
                predicate.constant |= 1U << a;
            if (index.is_computed(predicate.index))
                continue;
            const FactTable& table = table_of(database, predicate.symbol);
            const std::vector<std::int32_t> values = column(table.cells, predicate.symbol.arity, a);
            const auto type = static_cast<std::size_t>(predicate.types[at]);
            for (const std::int32_t value : values)
                ++(std::isnan(index.number(value)) ? others : numbers)[type];
            const bool few = values.size() <= kMaxNamedConstants ||
                             (values.size() <= 4 * kMaxNamedConstants &&
                              static_cast<double>(table.rows()) >=
                                  kRepeated * static_cast<double>(values.size()));
            const bool wanted = language.options.constants ||
                                (language.options.described_constants && describes[type] != 0);
            if (wanted && few && predicate.symbol.arity > 1 && !is_entity(type))
                predicate.constant |= 1U << a;
        }
    }
    language.numeric.assign(static_cast<std::size_t>(language.types), 0);
    for (std::size_t t = 0; t < numbers.size(); ++t) {
        const bool wanted = language.options.thresholds ||
                            (language.options.described_thresholds && describes[t] != 0);
        language.numeric[t] = wanted && numbers[t] > 2 && others[t] == 0 && !is_entity(t) ? 1 : 0;
    }
}

/// A computed predicate that gives back the numbers that it gets: gteq(+X,-X) of Aleph's
/// backgrounds, where thresholds are chosen later. The language has comparisons of its own.
bool gives_back(const LanguagePredicate& predicate, const evaluation::DatabaseIndex& index) {
    constexpr int kSamples = 8;
    if (predicate.symbol.arity != 2 || predicate.in != 1 || !index.is_computed(predicate.index))
        return false;
    const SharedList<double>& numbers = index.database().numbers;
    const std::size_t step = std::max<std::size_t>(numbers.size() / (4 * kSamples), 1);
    int asked = 0;
    for (std::size_t c = 0; c < numbers.size() && asked < kSamples; c += step) {
        if (std::isnan(numbers[c]))
            continue;
        const std::int32_t key[2] = {static_cast<std::int32_t>(c), 0};
        const std::span<const std::int32_t> rows = index.match(predicate.index, 1, key);
        if (rows.size() > 2 || (rows.size() == 2 && (rows[0] != key[0] || rows[1] != key[0])))
            return false;
        asked += rows.empty() ? 0 : 1;  // gteq may take floats alone
    }
    return asked > 1;
}

std::uint32_t in_arguments(const ClauseBias& bias, const PredicateSymbol& symbol, bool& has) {
    const auto found = bias.directions.find(symbol);
    has = found != bias.directions.end();
    std::uint32_t in = 0;
    if (has)
        for (std::size_t a = 0; a < found->second.size() && a < 32; ++a)
            in |= found->second[a] == "in" ? 1U << a : 0U;
    return in;
}

}  // namespace

bool speaks_of_clauses(const ClauseBias& bias) {
    return !bias.directions.empty() || !bias.single_types.empty() || bias.max_variables ||
           bias.max_body || bias.max_clauses;
}

Language make_language(const evaluation::DatabaseIndex& index, const LanguageOptions& options) {
    const Database& database = index.database();
    Language language;
    language.options = options;
    language.target = database.examples.target;
    for (int p = 0; p < index.predicates(); ++p) {
        const PredicateSymbol& symbol = index.symbol(p);
        if (symbol.arity == 0 || symbol.arity > kMaxTerms)
            continue;
        LanguagePredicate predicate;
        predicate.symbol = symbol;
        predicate.index = p;
        predicate.is_target = symbol == language.target;
        bool has = false;
        predicate.in = in_arguments(database.bias, symbol, has);
        if (!has && index.is_computed(p))
            predicate.in = 1;
        if (const auto found = database.bias.recall.find(symbol);
            found != database.bias.recall.end())
            predicate.recall = found->second;
        if (!gives_back(predicate, index))
            language.predicates.push_back(std::move(predicate));
    }
    language.head_in = in_arguments(database.bias, language.target, language.head_has_modes);
    const bool are_declared = read_types(language, database, index);
    if (!are_declared)
        infer_types(language, database, index);
    language.single.resize(static_cast<std::size_t>(language.types), 0);
    study_columns(language, database, index, are_declared);
    language.max_variables =
        database.bias.max_variables.value_or(std::max(6, language.target.arity + 3));
    language.max_body =
        database.bias.max_body.value_or(speaks_of_clauses(database.bias) ? kDeclaredBody : kBody);
    if (options.max_body > 0)
        language.max_body = std::min(language.max_body, options.max_body);
    const bool compares = std::any_of(language.numeric.begin(), language.numeric.end(),
                                      [](char n) { return n != 0; });
    if (options.thresholds || compares)
        for (const char* name : {">=", "=<", "<"}) {
            LanguagePredicate predicate;
            predicate.symbol = {name, 2};
            predicate.comparison = evaluation::comparison_of(predicate.symbol);
            predicate.types = {-1, -1};
            predicate.in = 3;
            language.predicates.push_back(std::move(predicate));
        }
    return language;
}

bool links_head(const Language& language, const Body& body) {
    Classes classes;
    for (int v = variables_of(language, body); v > 0; --v)
        classes.add();
    for (const BodyLiteral& literal : body) {
        const int arity =
            language.predicates[static_cast<std::size_t>(literal.predicate)].symbol.arity;
        std::int32_t first = -1;
        for (int a = 0; a < arity; ++a) {
            const std::int32_t term = literal.terms[static_cast<std::size_t>(a)];
            if (term >= 0 && first >= 0)
                classes.join(first, term);
            first = term >= 0 ? term : first;
        }
    }
    for (int a = 1; a < language.target.arity; ++a)
        if (classes.find(a) != classes.find(0))
            return false;
    return true;
}

int variables_of(const Language& language, const Body& body) {
    int count = language.target.arity;
    for (const BodyLiteral& literal : body) {
        const int arity =
            language.predicates[static_cast<std::size_t>(literal.predicate)].symbol.arity;
        for (int a = 0; a < arity; ++a)
            count = std::max(count, literal.terms[static_cast<std::size_t>(a)] + 1);
    }
    return count;
}

double clause_bits(const Language& language, const Body& body) {
    const double predicate =
        std::log2(std::max(static_cast<double>(language.predicates.size()) + 1, 2.0));
    std::set<std::int32_t> terms;
    int arguments = language.target.arity;
    for (int a = 0; a < language.target.arity; ++a)
        terms.insert(a);
    double constants = 0;
    for (const BodyLiteral& literal : body) {
        const LanguagePredicate& of =
            language.predicates[static_cast<std::size_t>(literal.predicate)];
        arguments += of.symbol.arity;
        for (int a = 0; a < of.symbol.arity; ++a) {
            const std::int32_t term = literal.terms[static_cast<std::size_t>(a)];
            terms.insert(term);
            constants += term < 0 ? 3 : 0;  // which one
        }
    }
    const double atoms = 1 + static_cast<double>(body.size());
    return atoms * (predicate + 1) + constants +
           static_cast<double>(arguments) *
               std::log2(std::max(static_cast<double>(terms.size()), 2.0));
}

Program program_of(const Language& language, const Database& database,
                   const std::vector<Body>& bodies) {
    Program program;
    program.target = program.vocabulary.intern(language.target);
    for (const Body& body : bodies) {
        Rule rule{{program.target, {}}, {}};
        for (int a = 0; a < language.target.arity; ++a)
            rule.head.arguments.push_back(Term::variable(a));
        for (const BodyLiteral& literal : body) {
            PredicateSymbol symbol =
                language.predicates[static_cast<std::size_t>(literal.predicate)].symbol;
            symbol.negated = literal.negated;
            Atom atom{program.vocabulary.intern(symbol), {}};
            for (int a = 0; a < symbol.arity; ++a) {
                const std::int32_t term = literal.terms[static_cast<std::size_t>(a)];
                atom.arguments.push_back(
                    term >= 0 ? Term::variable(term)
                              : Term::constant(program.vocabulary.intern_constant(
                                    database.constants[static_cast<std::size_t>(-1 - term)])));
            }
            rule.body.push_back(std::move(atom));
        }
        program.rules.push_back(std::move(rule));
    }
    return program;
}

}  // namespace hri::search
