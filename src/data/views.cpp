// SPDX-License-Identifier: Apache-2.0
#include "data/views.hpp"

#include "logic/prolog/terms.hpp"

#include <algorithm>
#include <map>

namespace hri::data {
namespace {

constexpr std::size_t kMaxViews = 32;        // of all wide predicates together
constexpr std::size_t kMaxRows = 300'000;    // of a table that is shown
constexpr std::size_t kMaxSelected = 8;      // constants of an argument that views select
constexpr std::size_t kRowsPerConstant = 3;  // on average, where constants are selected
constexpr std::size_t kMinSupport = 2;       // rows of a view

/// What a view shows of a table: by argument its place in the view, a constant or neither.
struct Shape {
    int table = 0;
    std::vector<std::size_t> shown;
    std::map<std::size_t, std::int32_t> selected;  // [argument]: constant
    std::size_t rows = 0;
};

class Views {
  public:
    Views(RawDataset& data, int target) : data_(data), target_(target) {}

    void propose(int index) {
        const auto arity = static_cast<std::size_t>(table(index).symbol.arity);
        std::vector<std::vector<std::int32_t>> constants;
        for (std::size_t a = 0; a < arity; ++a)
            constants.push_back(selected_constants(index, a));
        for (std::size_t x = 0; x < arity; ++x) {
            for (std::size_t y = x + 1; y < arity; ++y) {
                add({index, {x, y}, {}, 0});
                for (std::size_t a = 0; a < arity; ++a)
                    if (a != x && a != y)
                        for (const std::int32_t c : constants[a])
                            add({index, {x, y}, {{a, c}}, 0});
            }
            for (std::size_t a = 0; a < arity; ++a)
                for (std::size_t b = a + 1; b < arity; ++b)
                    if (a != x && b != x)
                        for (const std::int32_t c : constants[a])
                            for (const std::int32_t d : constants[b])
                                add({index, {x}, {{a, c}, {b, d}}, 0});
        }
    }

    /// Those that select less come first, then those of more rows.
    std::vector<int> take() {
        std::stable_sort(shapes_.begin(), shapes_.end(), [](const Shape& a, const Shape& b) {
            return a.selected.size() != b.selected.size() ? a.selected.size() < b.selected.size()
                                                          : a.rows > b.rows;
        });
        std::vector<int> result;
        for (const Shape& shape : shapes_)
            if (result.size() < kMaxViews)
                result.push_back(filled(shape));
        return result;
    }

  private:
    const RawDataset::Table& table(int index) const {
        return data_.tables[static_cast<std::size_t>(index)];
    }

    const std::vector<std::string>* types(const PredicateSymbol& symbol) const {
        const auto found = data_.types.find(symbol);
        return found == data_.types.end() ||
                       found->second.size() != static_cast<std::size_t>(symbol.arity)
                   ? nullptr
                   : &found->second;
    }

    /// What the target is about is named by a list of examples more often than by a rule.
    bool is_of_target(int index, std::size_t argument) const {
        const auto* own = types(table(index).symbol);
        const auto* targets = types(table(target_).symbol);
        return own != nullptr && targets != nullptr &&
               std::find(targets->begin(), targets->end(), (*own)[argument]) != targets->end();
    }

    std::vector<std::int32_t> selected_constants(int index, std::size_t argument) const {
        const RawDataset::Table& facts = table(index);
        const auto arity = static_cast<std::size_t>(facts.symbol.arity);
        const auto declared = data_.bias.constants.find(facts.symbol);
        const bool is_declared =
            declared != data_.bias.constants.end() && declared->second[argument];
        if (!data_.bias.constants.empty() ? !is_declared : is_of_target(index, argument))
            return {};
        std::map<std::int32_t, std::size_t> rows;
        for (std::size_t i = argument; i < facts.cells.size(); i += arity)
            ++rows[facts.cells[i]];
        if (rows.size() < 2 || rows.size() > kMaxSelected ||
            facts.rows() < kRowsPerConstant * rows.size())
            return {};
        std::vector<std::int32_t> result;
        for (const auto& [constant, count] : rows)
            if (count >= kMinSupport)
                result.push_back(constant);
        return result;
    }

    std::size_t rows_of(const Shape& shape) const {
        std::size_t rows = 0;
        for (std::size_t row = 0; row < table(shape.table).rows(); ++row)
            rows += shows(shape, row) ? 1U : 0U;
        return rows;
    }

    bool shows(const Shape& shape, std::size_t row) const {
        const RawDataset::Table& facts = table(shape.table);
        const auto arity = static_cast<std::size_t>(facts.symbol.arity);
        return facts.values[row] > 0 &&
               std::all_of(shape.selected.begin(), shape.selected.end(), [&](const auto& one) {
                   return facts.cells[row * arity + one.first] == one.second;
               });
    }

    void add(Shape shape) {
        shape.rows = rows_of(shape);
        if (shape.rows >= kMinSupport || (shape.selected.empty() && shape.rows > 0))
            shapes_.push_back(std::move(shape));
    }

    int filled(const Shape& shape) {
        const RawDataset::Table facts = table(shape.table);
        const auto arity = static_cast<std::size_t>(facts.symbol.arity);
        const PredicateSymbol symbol{name_of(shape), static_cast<int>(shape.shown.size())};
        const int result = data_.table(symbol, facts.first);
        if (const auto* declared = types(facts.symbol)) {
            const std::vector<std::string> all = *declared;
            for (const std::size_t argument : shape.shown)
                data_.types[symbol].push_back(all[argument]);
        }
        std::vector<std::int32_t> tuple(shape.shown.size());
        for (std::size_t row = 0; row < facts.rows(); ++row) {
            if (!shows(shape, row))
                continue;
            for (std::size_t i = 0; i < tuple.size(); ++i)
                tuple[i] = facts.cells[row * arity + shape.shown[i]];
            data_.add_fact(result, tuple, facts.values[row]);
        }
        return result;
    }

    std::string name_of(const Shape& shape) const {
        const PredicateSymbol& of = table(shape.table).symbol;
        std::string text = prolog::quoted_predicate(of.name);
        for (std::size_t a = 0; a < static_cast<std::size_t>(of.arity); ++a) {
            const auto selected = shape.selected.find(a);
            const auto shown = std::find(shape.shown.begin(), shape.shown.end(), a);
            text += a == 0 ? "(" : ",";
            text += selected != shape.selected.end()
                        ? prolog::quoted(data_.constants.name(selected->second))
                    : shown == shape.shown.end()   ? "_"
                    : shown == shape.shown.begin() ? "X"
                                                   : "Y";
        }
        return text + ")";
    }

    RawDataset& data_;
    int target_;
    std::vector<Shape> shapes_;
};

}  // namespace

std::vector<int> add_views(RawDataset& data, const std::vector<int>& wide, int target) {
    Views views(data, target);
    for (const int index : wide)
        if (data.tables[static_cast<std::size_t>(index)].rows() <= kMaxRows)
            views.propose(index);
    return views.take();
}

Program views_of(const Problem& problem) {
    if (!problem.database)
        return {};
    const auto is_wide = [&](const PredicateSymbol& symbol) {
        const auto same = [&](const FactTable& table) { return table.symbol == symbol; };
        const auto& tables = problem.database->tables;
        return symbol.arity > kMaxArity && std::any_of(tables.begin(), tables.end(), same);
    };
    std::string text;
    for (const PredicateSymbol& input : problem.inputs()) {
        if (input.arity == 0 || input.name.find('(') == std::string::npos)
            continue;
        const std::string rule = prolog::quoted_predicate(input.name) +
                                 (input.arity == 1 ? "(X)" : "(X,Y)") + " :- " + input.name + ".\n";
        try {
            const Program one = parse_program(rule);
            const std::vector<Atom>& body = one.rules.at(0).body;
            if (body.size() == 1 && is_wide(one.vocabulary[body.front().predicate]))
                text += rule;
        } catch (const Error&) {  // a name of the user's own
        }
    }
    return text.empty() ? Program{} : parse_program(text);
}

}  // namespace hri::data
