// SPDX-License-Identifier: Apache-2.0
#include "data/grounding/ground_background.hpp"

#include "logic/prolog/terms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <span>

namespace hri::data {
namespace {

using Status = PrologProcess::Status;

constexpr std::size_t kSamples = 24;             // constants tried when a mode is looked for
constexpr std::size_t kMaxListedCalls = 20'000;  // to list a predicate by its inputs

std::string count_of(std::int64_t number) {
    std::string text = std::to_string(number);
    for (std::size_t i = text.size(); i > 3; i -= 3) {
        text.insert(i - 3, ",");
    }
    return text;
}

class Grounding {
  public:
    Grounding(RawDataset& data, const GroundingBounds& bounds)
        : data_(data), bounds_(bounds), prolog_(std::make_shared<PrologProcess>()) {
        for (const auto& [file, text] : data_.background) {
            prolog_->load(text, file);
        }
        for (std::int32_t id = 0; id < data_.constants.size(); ++id) {
            // what may be written in several ways is one term; the data's way stays
            const std::string& name = data_.constants.name(id);
            if (name.find('.') != std::string::npos || prolog::is_written_term(name)) {
                prolog_->number(name);
            }
        }
    }

    Grounded run(const std::vector<int>& wanted) {
        Grounded result;
        result.prolog = prolog_;
        for (const int table : wanted) {
            list(table);
        }
        for (const int table : wanted) {
            if (listed_.count(table) == 0 && !list_by_inputs(table, wanted)) {
                result.computed.push_back(table);
            }
        }
        std::string names;
        for (const int table : result.computed) {
            find_mode(table);
            names += (names.empty() ? "" : ", ") + described(symbol(table));
        }
        std::size_t rows = 0;
        for (const int table : wanted) {
            rows += data_.tables[static_cast<std::size_t>(table)].rows();
        }
        result.notes.push_back("SWI-Prolog runs the background: " + count_of(std::int64_t(rows)) +
                               (rows == 1 ? " fact" : " facts"));
        if (!facts_alone_.empty()) {
            result.notes.push_back(facts_alone_ + ": facts alone, since rules take more than " +
                                   count_of(bounds_.call_inferences) + " inferences a call");
        }
        if (!names.empty()) {
            result.notes.push_back(names + ": called when needed, with at most " +
                                   count_of(bounds_.call_inferences) + " inferences and " +
                                   count_of(bounds_.call_rows) + " answers a call");
        }
        return result;
    }

  private:
    const PredicateSymbol& symbol(int table) const {
        return data_.tables[static_cast<std::size_t>(table)].symbol;
    }

    Place place(int table) const { return data_.tables[static_cast<std::size_t>(table)].first; }

    /// Fills the table with all tuples of its predicate, where calls without values give them.
    void list(int table) {
        const PredicateSymbol of = symbol(table);
        const std::vector<std::int32_t> open(static_cast<std::size_t>(of.arity), -1);
        const PrologProcess::Answer answer =
            prolog_->call(of, open, {bounds_.table_inferences, bounds_.table_rows, true});
        refuse_unsafe(answer, table);
        if (answer.status == Status::ok) {
            fill(table, answer.rows);
        }
    }

    /// The same for a predicate that is to be called with values for some arguments, where these
    /// are names of things that no computed predicate makes: it is called with all of them.
    bool list_by_inputs(int table, const std::vector<int>& wanted) {
        const PredicateSymbol of = symbol(table);
        const auto directions = data_.directions.find(of);
        if (directions == data_.directions.end() || data_.types.count(of) == 0) {
            return false;
        }
        std::vector<std::size_t> in;
        for (std::size_t i = 0; i < directions->second.size(); ++i) {
            if (directions->second[i] == "in") {
                in.push_back(i);
            }
        }
        const std::set<std::vector<std::int32_t>> inputs = names_for(of, in, wanted);
        std::vector<std::int32_t> rows;
        for (const std::vector<std::int32_t>& values : inputs) {
            std::vector<std::int32_t> pattern(static_cast<std::size_t>(of.arity), -1);
            for (std::size_t i = 0; i < in.size(); ++i) {
                pattern[in[i]] = prolog_->number(data_.constants.name(values[i]));
            }
            const PrologProcess::Answer answer =
                prolog_->call(of, pattern, {bounds_.call_inferences, bounds_.call_rows, false});
            refuse_unsafe(answer, table);
            if (answer.status == Status::inferences) {
                return keep_facts(table);
            }
            if (answer.status != Status::ok ||
                rows.size() > static_cast<std::size_t>(bounds_.table_rows)) {
                return false;
            }
            rows.insert(rows.end(), answer.rows.begin(), answer.rows.end());
        }
        if (inputs.empty() || makes_inputs(of, in, inputs, rows)) {
            return false;
        }
        fill(table, rows);
        return true;
    }

    /// Whether answers have values that the predicate would have to be called with, too.
    bool makes_inputs(const PredicateSymbol& of, const std::vector<std::size_t>& in,
                      const std::set<std::vector<std::int32_t>>& inputs,
                      const std::vector<std::int32_t>& rows) const {
        const std::vector<std::string>& types = data_.types.at(of);
        for (std::size_t k = 0; k < in.size(); ++k) {
            std::set<std::string> known;
            for (const std::vector<std::int32_t>& values : inputs) {
                known.insert(data_.constants.name(values[k]));
            }
            for (std::size_t cell = 0; cell < rows.size(); ++cell) {
                const std::size_t i = cell % types.size();
                if (i != in[k] && types[i] == types[in[k]] &&
                    known.count(prolog_->constant(rows[cell])) == 0) {
                    return true;
                }
            }
        }
        return false;
    }

    /// Where rules take too long, the facts beside them stand for the predicate, if there are any.
    bool keep_facts(int table) {
        if (data_.tables[static_cast<std::size_t>(table)].rows() == 0) {
            return false;
        }
        facts_alone_ += (facts_alone_.empty() ? "" : ", ") + described(symbol(table));
        listed_.insert(table);
        return true;
    }

    /// The tuples of names that stand together in facts and examples, at arguments of the types
    /// that `in` of a predicate have. None where some of these are no names, where computed
    /// predicates make values of such a type, or where there are too many.
    std::set<std::vector<std::int32_t>> names_for(const PredicateSymbol& of,
                                                  const std::vector<std::size_t>& in,
                                                  const std::vector<int>& wanted) const {
        std::set<std::vector<std::int32_t>> found;
        if (in.empty() || in.size() > 2) {
            return found;
        }
        const std::vector<std::string>& types = data_.types.at(of);
        for (const int other : wanted) {
            const auto made = data_.types.find(symbol(other));
            const auto modes = data_.directions.find(symbol(other));
            const bool is_listed = listed_.count(other) != 0;
            for (std::size_t i = 0;
                 made != data_.types.end() && symbol(other) != of && i < made->second.size(); ++i) {
                const bool gives = modes == data_.directions.end() || modes->second[i] != "in";
                for (const std::size_t a : in) {
                    if (gives && !is_listed && made->second[i] == types[a]) {
                        return found;
                    }
                }
            }
        }
        const auto add = [&](const PredicateSymbol& from, std::span<const std::int32_t> row) {
            const auto known = data_.types.find(from);
            if (known == data_.types.end() || found.size() > kMaxListedCalls) {
                return;
            }
            for (std::size_t i = 0; i < row.size(); ++i) {
                if (known->second[i] != types[in[0]]) {
                    continue;
                }
                if (in.size() == 1) {
                    found.insert({row[i]});
                }
                for (std::size_t k = 0; in.size() == 2 && k < row.size(); ++k) {
                    if (known->second[k] == types[in[1]] && k != i) {
                        found.insert({row[i], row[k]});
                    }
                }
            }
        };
        for (const RawDataset::Table& table : data_.tables) {
            const auto arity = static_cast<std::size_t>(table.symbol.arity);
            for (std::size_t row = 0; row < table.rows(); ++row) {
                add(table.symbol, {table.cells.data() + row * arity, arity});
            }
        }
        for (const RawDataset::Example& example : data_.examples) {
            add(symbol(example.table), data_.cells(example));
        }
        const auto is_name = [&](std::int32_t constant) {
            const std::string& name = data_.constants.name(constant);
            return std::isnan(prolog::number_of(name)) && !prolog::is_written_term(name);
        };
        const bool are_names =
            std::all_of(found.begin(), found.end(), [&](const std::vector<std::int32_t>& values) {
                return std::all_of(values.begin(), values.end(), is_name);
            });
        return are_names && found.size() <= kMaxListedCalls ? found
                                                            : std::set<std::vector<std::int32_t>>();
    }

    /// Puts what SWI-Prolog answered in the place of a table's facts.
    void fill(int table, const std::vector<std::int32_t>& rows) {
        listed_.insert(table);
        RawDataset::Table& into = data_.tables[static_cast<std::size_t>(table)];
        std::map<std::vector<std::int32_t>, float> valued;  // SWI-Prolog knows no valuations
        const auto arity = static_cast<std::size_t>(into.symbol.arity);
        for (std::size_t row = 0; row < into.rows(); ++row) {
            const auto begin = into.cells.begin() + static_cast<std::ptrdiff_t>(row * arity);
            valued[{begin, begin + static_cast<std::ptrdiff_t>(arity)}] = into.values[row];
        }
        into.cells.clear();
        into.values.clear();
        into.given = true;
        std::vector<std::int32_t> tuple(arity);
        const std::size_t count =
            arity == 0 ? std::min<std::size_t>(rows.size(), 1) : rows.size() / arity;
        for (std::size_t row = 0; row < count; ++row) {
            for (std::size_t i = 0; i < arity; ++i) {
                tuple[i] = data_.constants.intern(prolog_->constant(rows[row * arity + i]));
            }
            const auto known = valued.find(tuple);
            data_.add_fact(table, tuple, known == valued.end() ? 1.0F : known->second);
        }
    }

    void refuse_unsafe(const PrologProcess::Answer& answer, int table) const {
        if (answer.status == Status::error &&
            (answer.message.find("permission_error(call,sandboxed") != std::string::npos ||
             answer.message.find("permission_error(open") != std::string::npos)) {
            throw Error(
                described(symbol(table)) +
                    " is not run: it could reach files or other programs: " + answer.message,
                place(table), "backgrounds use pure Prolog alone");
        }
    }

    /// Which arguments need a value where no line says so: none that can be asked for.
    void find_mode(int table) {
        const PredicateSymbol of = symbol(table);
        const auto arity = static_cast<std::size_t>(of.arity);
        if (data_.directions.count(of) != 0) {
            return;
        }
        std::vector<std::string> directions(arity, "in");
        for (std::size_t bound = 0; bound < arity && arity > 1; ++bound) {
            if (answers_with(of, bound)) {
                directions.assign(arity, "out");
                directions[bound] = "in";
                break;
            }
        }
        data_.directions.emplace(of, std::move(directions));
    }

    /// Whether calls with a value for that argument alone end and give values for the others.
    bool answers_with(const PredicateSymbol& of, std::size_t bound) {
        const auto arity = static_cast<std::size_t>(of.arity);
        std::size_t rows = 0;
        for (const std::int32_t sample : samples(of, bound)) {
            std::vector<std::int32_t> pattern(arity, -1);
            pattern[bound] = prolog_->number(data_.constants.name(sample));
            const PrologProcess::Answer answer =
                prolog_->call(of, pattern, {bounds_.call_inferences / 10, bounds_.call_rows, true});
            const bool is_type_error = answer.message.find("type_error") != std::string::npos;
            if (answer.status != Status::ok && !is_type_error) {
                return false;
            }
            rows += answer.rows.size();
        }
        return rows > 0;
    }

    /// Constants that the argument may have: of its type where there are types.
    std::vector<std::int32_t> samples(const PredicateSymbol& of, std::size_t argument) const {
        const auto types = data_.types.find(of);
        std::set<std::int32_t> found;
        const auto typed = [&](const PredicateSymbol& symbol, std::size_t i) {
            const auto other = data_.types.find(symbol);
            return types == data_.types.end() || other == data_.types.end() ||
                   other->second[i] == types->second[argument];
        };
        const auto add = [&](const PredicateSymbol& symbol, std::size_t rows, const auto& cells) {
            const auto arity = static_cast<std::size_t>(symbol.arity);
            for (std::size_t i = 0; i < arity; ++i) {
                for (std::size_t row = 0; typed(symbol, i) && row < std::min(rows, kSamples);
                     ++row) {
                    found.insert(cells(row, i));
                }
            }
        };
        for (const RawDataset::Table& table : data_.tables) {
            add(table.symbol, table.rows(), [&](std::size_t row, std::size_t i) {
                return table.cells[row * static_cast<std::size_t>(table.symbol.arity) + i];
            });
        }
        for (std::size_t e = 0; e < std::min(data_.examples.size(), kSamples); ++e) {
            add(symbol(data_.examples[e].table), 1,
                [&](std::size_t, std::size_t i) { return data_.cells(data_.examples[e])[i]; });
        }
        std::vector<std::int32_t> some;
        const std::size_t step = std::max<std::size_t>(1, found.size() / kSamples);
        std::size_t at = 0;
        for (const std::int32_t constant : found) {
            if (at++ % step == 0) {
                some.push_back(constant);
            }
        }
        return some;
    }

    RawDataset& data_;
    const GroundingBounds bounds_;
    std::shared_ptr<PrologProcess> prolog_;
    std::string facts_alone_;  // predicates whose rules are left out
    std::set<int> listed_;     // tables that hold all that their predicates mean
};

}  // namespace

Grounded ground_background(RawDataset& data, const std::vector<int>& wanted,
                           const GroundingBounds& bounds) {
    return Grounding(data, bounds).run(wanted);
}

}  // namespace hri::data
