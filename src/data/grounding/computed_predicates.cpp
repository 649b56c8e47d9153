// SPDX-License-Identifier: Apache-2.0

// Predicates of a database that SWI-Prolog computes when they are called. Answers are kept.

#include "data/grounding/ground_background.hpp"
#include "logic/prolog/terms.hpp"

#include <cmath>
#include <limits>
#include <unordered_map>

namespace hri::data {
namespace {

using Status = PrologProcess::Status;
using Pattern = std::vector<std::int32_t>;

struct PatternHash {
    std::size_t operator()(const Pattern& pattern) const {
        std::uint64_t hash = 0x9E3779B97F4A7C15U;
        for (const std::int32_t cell : pattern) {
            hash = (hash ^ static_cast<std::uint32_t>(cell)) * 0xFF51AFD7ED558CCDU;
            hash ^= hash >> 32U;
        }
        return hash;
    }
};

/// The database's constants as terms of SWI-Prolog and back.
class Terms {
  public:
    Terms(std::shared_ptr<PrologProcess> prolog, const Database& database, std::size_t most)
        : prolog_(std::move(prolog)),
          constants_(database.constants),
          numbers_(database.numbers),
          max_terms_(most) {
        for (std::size_t i = 0; i < constants_.size(); ++i) {
            ids_.emplace(constants_[i], static_cast<std::int32_t>(i));
        }
    }

    PrologProcess& prolog() { return *prolog_; }

    std::int32_t to_prolog(std::int32_t constant) {
        const auto at = static_cast<std::size_t>(constant);
        if (at >= to_prolog_.size()) {
            to_prolog_.resize(constants_.size(), -1);
        }
        if (to_prolog_[at] < 0) {
            to_prolog_[at] = prolog_->number(constants_[at]);
        }
        return to_prolog_[at];
    }

    std::int32_t to_database(std::int32_t number) {
        const auto at = static_cast<std::size_t>(number);
        if (at >= to_database_.size()) {
            to_database_.resize(prolog_->terms(), -1);
        }
        if (to_database_[at] < 0) {
            const std::string& name = prolog_->constant(number);
            const auto next = static_cast<std::int32_t>(constants_.size());
            const auto [known, is_new] = ids_.emplace(name, next);
            if (is_new) {
                add(name);
            }
            to_database_[at] = known->second;
        }
        return to_database_[at];
    }

  private:
    void add(const std::string& name) {
        if (constants_.size() >= max_terms_) {
            throw Error("the background gives more than " + std::to_string(max_terms_) + " terms",
                        {}, "give its predicates directions that bound what they build");
        }
        const double value = prolog::number_of(name);
        if (numbers_.empty() && !std::isnan(value)) {
            numbers_.assign(constants_.size(), std::numeric_limits<double>::quiet_NaN());
        }
        constants_.push_back(name);
        if (!numbers_.empty()) {
            numbers_.push_back(value);
        }
    }

    std::shared_ptr<PrologProcess> prolog_;
    SharedList<std::string> constants_;  // the database's own
    SharedList<double> numbers_;
    std::size_t max_terms_;
    std::unordered_map<std::string, std::int32_t> ids_;
    std::vector<std::int32_t> to_prolog_;    // [constant], -1: not asked yet
    std::vector<std::int32_t> to_database_;  // [number], -1: not asked yet
};

/// One predicate and what it answered.
class Calls {
  public:
    Calls(PredicateSymbol symbol, Place place, std::shared_ptr<Terms> terms,
          const GroundingBounds& bounds)
        : symbol_(std::move(symbol)),
          place_(std::move(place)),
          terms_(std::move(terms)),
          bounds_(bounds) {}

    void call(std::span<const std::int32_t> pattern, std::vector<std::int32_t>& rows) {
        key_.assign(pattern.begin(), pattern.end());
        auto known = answers_.find(key_);
        if (known == answers_.end()) {
            known = answers_.emplace(key_, ask(pattern)).first;
        }
        rows.insert(rows.end(), known->second.begin(), known->second.end());
    }

  private:
    std::vector<std::int32_t> ask(std::span<const std::int32_t> pattern) {
        Pattern arguments;
        for (const std::int32_t cell : pattern) {
            arguments.push_back(cell == kAnyConstant ? -1 : terms_->to_prolog(cell));
        }
        const PrologProcess::Answer answer = terms_->prolog().call(
            symbol_, arguments, {bounds_.call_inferences, bounds_.call_rows, false});
        switch (answer.status) {
            case Status::ok:
                break;
            case Status::open:
            case Status::unguarded:
                throw Error(described(symbol_) + " needs values for more of its arguments", place_,
                            "say so by direction(" + symbol_.name + ",(in,...)).");
            case Status::inferences:
                throw Error("a call of " + described(symbol_) + " takes more than " +
                                std::to_string(bounds_.call_inferences) + " inferences",
                            place_, "does it end?");
            case Status::solutions:
                throw Error("a call of " + described(symbol_) + " has more than " +
                                std::to_string(bounds_.call_rows) + " answers",
                            place_, "give it a direction with fewer outputs");
            case Status::error:
                if (answer.message.find("permission_error") != std::string::npos ||
                    answer.message.find("resource_error") != std::string::npos) {
                    throw Error("a call of " + described(symbol_) + " gives " + answer.message,
                                place_);
                }
                return {};  // of the wrong type: no answer
        }
        Pattern rows;
        std::unordered_map<Pattern, bool, PatternHash> seen;
        const auto arity = static_cast<std::ptrdiff_t>(pattern.size());
        for (auto row = answer.rows.begin(); arity > 0 && row != answer.rows.end(); row += arity) {
            Pattern cells;
            for (auto cell = row; cell != row + arity; ++cell) {
                cells.push_back(terms_->to_database(*cell));
            }
            if (seen.emplace(cells, true).second) {
                rows.insert(rows.end(), cells.begin(), cells.end());
            }
        }
        return rows;
    }

    PredicateSymbol symbol_;
    Place place_;
    std::shared_ptr<Terms> terms_;
    GroundingBounds bounds_;
    Pattern key_;
    std::unordered_map<Pattern, std::vector<std::int32_t>, PatternHash> answers_;
};

}  // namespace

void add_computed(const std::shared_ptr<Database>& database, const RawDataset& data,
                  const Grounded& grounded, const GroundingBounds& bounds) {
    const auto terms = std::make_shared<Terms>(grounded.prolog, *database, bounds.terms);
    for (const int index : grounded.computed) {
        const RawDataset::Table& table = data.tables[static_cast<std::size_t>(index)];
        const auto calls = std::make_shared<Calls>(table.symbol, table.first, terms, bounds);
        database->computed.push_back({table.symbol, [calls](std::span<const std::int32_t> pattern,
                                                            std::vector<std::int32_t>& rows) {
                                          calls->call(pattern, rows);
                                      }});
    }
}

}  // namespace hri::data
