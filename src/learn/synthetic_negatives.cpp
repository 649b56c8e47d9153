// SPDX-License-Identifier: Apache-2.0
#include "learn/synthetic_negatives.hpp"

#include "hri/random.hpp"

#include "base/checked_size.hpp"
#include "data/example_limits.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <string>

namespace hri::learning {
namespace {

constexpr std::size_t kMaxRepeated = 32;  // constants of an instance

/// The constants that facts lead to from those of positive examples, then others.
std::vector<int> around_positives(const Instance& instance) {
    const std::vector<PredicateSymbol>& inputs = instance.inputs();
    const auto n = static_cast<std::size_t>(instance.constants);
    std::vector<std::vector<int>> neighbours(n);
    for (std::size_t p = 0; p < inputs.size(); ++p)
        if (inputs[p].arity == 2)
            for (const Fact& fact : instance.facts[p]) {
                neighbours[static_cast<std::size_t>(fact.first)].push_back(fact.second);
                neighbours[static_cast<std::size_t>(fact.second)].push_back(fact.first);
            }
    std::vector<int> found;
    std::set<int> known;
    const auto add = [&](int constant) {
        if (found.size() < kMaxRepeated && known.insert(constant).second)
            found.push_back(constant);
    };
    std::size_t reached = 0;
    for (std::size_t atom = 0; atom < instance.labels.size(); ++atom) {
        if (instance.labels[atom] != Label::positive)
            continue;
        add(static_cast<int>(atom / n));
        add(static_cast<int>(atom % n));
        for (; reached < found.size(); ++reached)
            for (const int constant : neighbours[static_cast<std::size_t>(found[reached])])
                add(constant);
    }
    for (int constant = 0; constant < instance.constants; ++constant)
        add(constant);
    std::sort(found.begin(), found.end());
    return found;
}

/// The instance with one more constant for each of these.
Instance enlarged(const Instance& instance, const std::vector<int>& repeated) {
    const std::vector<PredicateSymbol>& inputs = instance.inputs();
    Instance both = instance;
    std::set<std::string> taken;
    both.names.clear();
    for (int c = 0; c < instance.constants; ++c) {
        both.names.push_back(instance.name_of(c));
        taken.insert(both.names.back());
    }
    std::vector<int> stranger(static_cast<std::size_t>(instance.constants), -1);
    for (const int constant : repeated) {
        if (constant >= 0)
            stranger[static_cast<std::size_t>(constant)] = both.constants;
        std::string name = "stranger " + std::to_string(both.constants++);
        while (taken.count(name) != 0)
            name += "'";
        both.names.push_back(name);
    }
    for (std::size_t p = 0; p < inputs.size(); ++p) {
        for (Fact fact : instance.facts[p]) {
            fact.first = stranger[static_cast<std::size_t>(fact.first)];
            if (inputs[p].arity == 2)
                fact.second = stranger[static_cast<std::size_t>(fact.second)];
            if (inputs[p].arity > 0 && fact.first >= 0 && fact.second >= 0)
                both.facts[p].push_back(fact);
        }
        std::sort(both.facts[p].begin(), both.facts[p].end());
    }
    return both;
}

Instance beside_strangers(const Instance& instance, const Problem& problem) {
    const bool are_related =
        std::any_of(problem.inputs().begin(), problem.inputs().end(),
                    [](const PredicateSymbol& input) { return input.arity == 2; });
    const bool of_pairs = problem.target().arity == 2;
    Instance both =
        enlarged(instance, of_pairs && are_related ? around_positives(instance)
                                                   : std::vector<int>{-1});  // repeats nobody
    const int n = instance.constants;
    const int columns = of_pairs ? both.constants : 1;
    both.labels.assign(
        base::checked_size("labels", {{"constants", both.constants}, {"constants", columns}}, 1),
        Label::unlabelled);
    for (int x = 0; x < both.constants; ++x)
        for (int y = 0; y < columns; ++y) {
            Label& label = both.labels[static_cast<std::size_t>(x * columns + y)];
            if (x < n && (!of_pairs || y < n))
                label = instance.labels[static_cast<std::size_t>(of_pairs ? x * n + y : x)];
            else if (!of_pairs || x < n || y < n)
                label = Label::negative;
        }
    return both;
}

}  // namespace

std::optional<Problem> add_unrelated_constants(const Problem& problem) {
    std::int64_t positive = 0;
    std::int64_t negative = 0;
    std::int64_t unlabelled = 0;
    for (const Instance& instance : problem.training.instances) {
        if (instance.labels.empty())
            return std::nullopt;
        positive += instance.count(Label::positive);
        negative += instance.count(Label::negative);
        unlabelled += instance.count(Label::unlabelled);
    }
    if (problem.target().arity == 0 || negative >= positive || negative >= unlabelled)
        return std::nullopt;
    Problem result = problem;
    for (Instance& instance : result.training.instances)
        instance = beside_strangers(instance, problem);
    return result;
}

namespace {

constexpr std::size_t kMaxDrawnFrom = 2'000;  // positive examples
constexpr int kDrawn = 2;                     // of each kind, for an argument of an example

/// Constants that facts of two arguments lead to.
class Neighbours {
  public:
    explicit Neighbours(const Database& database) : starts_(database.constants.size() + 1, 0) {
        for (const bool fill : {false, true}) {
            for (const FactTable& table : database.tables) {
                if (table.symbol.arity != 2 || table.symbol == database.examples.target)
                    continue;
                for (std::size_t i = 0; i < table.cells.size(); ++i) {
                    const auto from = static_cast<std::size_t>(table.cells[i]);
                    if (fill)
                        ends_[--starts_[from]] = table.cells[i ^ 1U];
                    else
                        ++starts_[from];
                }
            }
            if (fill)
                break;
            for (std::size_t c = 1; c < starts_.size(); ++c)
                starts_[c] += starts_[c - 1];
            ends_.resize(starts_.back());
        }
    }

    /// -1 where there is none.
    std::int32_t any_of(std::int32_t constant, Random& random) const {
        if (constant < 0)
            return -1;
        const std::size_t begin = starts_[static_cast<std::size_t>(constant)];
        const auto count =
            static_cast<int>(starts_[static_cast<std::size_t>(constant) + 1] - begin);
        return count == 0 ? -1 : ends_[begin + static_cast<std::size_t>(random.below(count))];
    }

  private:
    std::vector<std::size_t> starts_;
    std::vector<std::int32_t> ends_;
};

}  // namespace

namespace {

std::span<const std::int32_t> row_of(const ExampleTable& table, std::size_t row) {
    const auto arity = static_cast<std::size_t>(table.target.arity);
    return {table.cells.data() + row * arity, arity};
}

void add_row(ExampleTable& table, std::span<const std::int32_t> row, bool positive) {
    table.cells.insert(table.cells.end(), row.begin(), row.end());
    table.positive.push_back(positive ? 1 : 0);
}

/// Rows of that sign, `most` of them at random, in their order.
std::vector<std::size_t> sampled_rows(const ExampleTable& table, bool positive, std::size_t most,
                                      Random& random) {
    std::vector<std::size_t> rows;
    for (std::size_t r = 0; r < table.positive.size(); ++r)
        if ((table.positive[r] != 0) == positive)
            rows.push_back(r);
    if (rows.size() > most) {
        random.shuffle(rows);
        rows.resize(most);
        std::sort(rows.begin(), rows.end());
    }
    return rows;
}

/// Adds tuples that differ from the positive ones of `rows` in one argument and are not listed.
void draw_negatives(const Database& database, const std::vector<std::size_t>& rows, Random& random,
                    ExampleTable& drawn) {
    const ExampleTable& given = database.examples;
    const auto arity = static_cast<std::size_t>(given.target.arity);
    std::set<std::vector<std::int32_t>> known;
    std::vector<std::set<std::int32_t>> columns(arity);
    for (std::size_t r = 0; r < given.positive.size(); ++r) {
        const auto row = row_of(given, r);
        known.emplace(row.begin(), row.end());
        for (std::size_t a = 0; a < arity && given.positive[r] != 0; ++a)
            columns[a].insert(row[a]);
    }
    const Neighbours neighbours(database);
    std::vector<std::vector<std::int32_t>> choices;
    for (const std::set<std::int32_t>& column : columns)
        choices.emplace_back(column.begin(), column.end());
    // In a closed world any constant makes a negative example, also one that no positive one has:
    // an aunt is no uncle.
    const bool any = database.unlisted_negative;
    const auto another = [&](std::size_t argument, std::int32_t from, int steps) {
        std::int32_t reached = steps > 0 ? neighbours.any_of(from, random) : -1;
        if (steps > 1)
            reached = neighbours.any_of(reached, random);
        const std::vector<std::int32_t>& all = choices[argument];
        return reached >= 0 && (any || columns[argument].count(reached) > 0)
                   ? reached
                   : all[static_cast<std::size_t>(random.below(static_cast<int>(all.size())))];
    };
    for (const std::size_t r : rows)
        for (std::size_t a = 0; a < arity; ++a)
            for (int i = 0; i < 2 * kDrawn; ++i) {
                std::vector<std::int32_t> row(row_of(given, r).begin(), row_of(given, r).end());
                const int near = any && i % 4 == 1 ? 1 : 2;  // facts to the other argument
                row[a] = another(a, row[a == 0 ? 1 : 0], i % 2 == 1 ? near : 0);
                if (known.insert(row).second)
                    add_row(drawn, row, false);
            }
}

}  // namespace

std::optional<Problem> drawn_examples(const Problem& problem, std::uint64_t seed) {
    if (!problem.database || problem.database->examples.positive.empty())
        return std::nullopt;
    const ExampleTable& given = problem.database->examples;
    const auto positives =
        static_cast<std::size_t>(std::count(given.positive.begin(), given.positive.end(), char{1}));
    const std::size_t negatives = given.positive.size() - positives;
    const bool lacks =
        given.target.arity >= 2 && positives > 0 &&
        (problem.sampled || problem.database->unlisted_negative) &&
        (negatives == 0 || (problem.database->unlisted_negative && negatives <= positives));
    if (!lacks && given.positive.size() <= data::kMaxLearnedFrom)
        return std::nullopt;
    Random random(seed, Random::kData);
    Problem result = problem;
    result.database = std::make_shared<Database>(*problem.database);
    ExampleTable& drawn = result.database->examples;
    drawn = {given.target, {}, {}};
    if (lacks)  // known positive facts would tell which are drawn
        std::erase_if(result.database->tables, [&](const FactTable& table) {
            return table.symbol == given.target && !problem.recursion_wanted;
        });
    constexpr std::size_t kHalf = data::kMaxLearnedFrom / 2;
    const std::vector<std::size_t> right =
        sampled_rows(given, true, lacks ? kMaxDrawnFrom : kHalf, random);
    for (const std::size_t r : right)
        add_row(drawn, row_of(given, r), true);
    for (const std::size_t r : sampled_rows(given, false, kHalf, random))
        add_row(drawn, row_of(given, r), false);
    if (lacks)
        draw_negatives(*problem.database, right, random, drawn);
    return result;
}

}  // namespace hri::learning
