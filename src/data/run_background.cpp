// SPDX-License-Identifier: Apache-2.0
#include "data/run_background.hpp"

#include "datalog/evaluate.hpp"
#include "logic/prolog/terms.hpp"

#include <algorithm>
#include <set>

namespace hri::data {
namespace {

constexpr std::size_t kMaxBackgroundFacts = 2'000'000;
constexpr std::size_t kMaxBackgroundBindings = 200'000'000;

class BackgroundRun {
  public:
    BackgroundRun(RawDataset& data, int target, std::vector<int>& inputs,
                  std::vector<std::string>& notes)
        : data_(data), target_(target), inputs_(inputs), notes_(notes) {}

    std::optional<Grounded> run() {
        const std::set<int> prolog = of_prolog();
        run_prolog(prolog);
        const std::set<int> needed = this->needed();
        for (const Refusal& refusal : data_.refusals) {
            if (!refusal.is_prolog && needed.count(data_.table(refusal.symbol, {})) != 0) {
                throw refusal.error;
            }
        }
        std::vector<Rule> rules;
        for (const Rule& rule : data_.rules) {
            const int head = static_cast<int>(rule.head.predicate.id);
            if (needed.count(head) != 0 && prolog.count(head) == 0) {
                rules.push_back(rule);
            }
        }
        if (rules.empty()) {
            return std::move(grounded_);
        }
        const std::size_t derived = derive(std::move(rules));
        notes_.push_back("the background's rules give " + std::to_string(derived) +
                         (derived == 1 ? " fact" : " facts"));
        return std::move(grounded_);
    }

  private:
    RawDataset::Table& table(int index) { return data_.tables[static_cast<std::size_t>(index)]; }

    /// The inputs and what their rules are made of.
    std::set<int> needed() const {
        std::set<int> needed(inputs_.begin(), inputs_.end());
        std::vector<int> open = inputs_;
        while (!open.empty()) {
            const auto p = static_cast<std::uint32_t>(open.back());
            open.pop_back();
            for (const Rule& rule : data_.rules) {
                for (std::size_t i = 0; rule.head.predicate.id == p && i < rule.body.size(); ++i) {
                    const int below = static_cast<int>(rule.body[i].predicate.id);
                    if (needed.insert(below).second) {
                        open.push_back(below);
                    }
                }
            }
        }
        return needed;
    }

    /// Tables that only SWI-Prolog can fill: by their own clauses or by what those call.
    std::set<int> of_prolog() {
        std::set<int> found;
        if (data_.background.empty()) {
            return found;
        }
        for (const Refusal& refusal : data_.refusals) {
            if (refusal.is_prolog) {
                found.insert(data_.table(refusal.symbol, {}));
            }
        }
        for (std::size_t i = 0; i < data_.tables.size(); ++i) {
            if (!data_.tables[i].given && static_cast<int>(i) != target_ &&
                prolog::is_library_predicate(data_.tables[i].symbol)) {
                found.insert(static_cast<int>(i));
            }
        }
        for (bool grows = !found.empty(); grows;) {
            grows = false;
            for (const Rule& rule : data_.rules) {
                const bool calls =
                    std::any_of(rule.body.begin(), rule.body.end(), [&](const Atom& atom) {
                        return found.count(static_cast<int>(atom.predicate.id)) != 0;
                    });
                grows = (calls && found.insert(static_cast<int>(rule.head.predicate.id)).second) ||
                        grows;
            }
        }
        return found;
    }

    /// Where the background first asks for SWI-Prolog.
    Place why_prolog(const std::set<int>& of_prolog) {
        for (const Refusal& refusal : data_.refusals) {
            if (refusal.is_prolog) {
                return refusal.error.place();
            }
        }
        return table(*of_prolog.begin()).first;
    }

    /// Runs what is more than rules over constants.
    void run_prolog(const std::set<int>& of_prolog) {
        std::vector<int> wanted;
        std::copy_if(inputs_.begin(), inputs_.end(), std::back_inserter(wanted),
                     [&](int input) { return of_prolog.count(input) != 0; });
        if (wanted.empty()) {
            return;
        }
        try {
            grounded_ = ground_background(data_, wanted);
        } catch (const Error& error) {
            throw error.place().file.empty()
                ? Error(error.message(), why_prolog(of_prolog), error.hint())
                : error;
        }
        notes_.insert(notes_.end(), grounded_->notes.begin(), grounded_->notes.end());
        std::erase_if(inputs_, [&](int input) {
            return std::count(grounded_->computed.begin(), grounded_->computed.end(), input) != 0;
        });
    }

    /// Adds what the rules give to the tables; says how many facts that is.
    std::size_t derive(std::vector<Rule> rules) {
        Program program;
        program.rules = std::move(rules);
        for (const RawDataset::Table& t : data_.tables) {
            program.vocabulary.intern(t.symbol);
        }
        datalog::EvaluateSettings settings;
        settings.constants = static_cast<std::size_t>(data_.constants.size());
        settings.limits.derived = kMaxBackgroundFacts;
        settings.limits.bindings = kMaxBackgroundBindings;
        std::vector<datalog::Relation> relations =
            datalog::empty_relations(program.vocabulary, settings.constants);
        for (std::size_t i = 0; i < data_.tables.size(); ++i) {
            const RawDataset::Table& t = data_.tables[i];
            const auto arity = static_cast<std::size_t>(t.symbol.arity);
            datalog::Batch given(t.symbol.arity);
            for (std::size_t row = 0; row < t.rows(); ++row) {
                if (t.values[row] >= 0.5F) {
                    given.add(datalog::Tuple(t.cells.data() + row * arity, arity));
                }
            }
            relations[i].advance(given);
            relations[i].settle();
        }
        const std::vector<datalog::Relation> before = relations;
        try {
            datalog::evaluate(program, relations, settings);
        } catch (const datalog::LimitReached&) {
            throw Error("the background's rules give too much: more than " +
                            std::to_string(kMaxBackgroundFacts) + " facts or " +
                            std::to_string(kMaxBackgroundBindings) + " rows to look at",
                        table(static_cast<int>(program.rules.front().head.predicate.id)).first,
                        "write out the facts that are needed");
        }
        std::size_t derived = 0;
        for (std::size_t i = 0; i < relations.size(); ++i) {
            relations[i].each([&](datalog::Tuple tuple) {
                if (relations[i].size() > before[i].size() && !before[i].contains(tuple)) {
                    data_.add_fact(static_cast<int>(i), {tuple.begin(), tuple.end()}, 1.0F);
                    ++derived;
                }
            });
        }
        return derived;
    }

    RawDataset& data_;
    int target_;
    std::vector<int>& inputs_;  // tables
    std::vector<std::string>& notes_;
    std::optional<Grounded> grounded_;
};

}  // namespace

std::optional<Grounded> run_background(RawDataset& data, int target, std::vector<int>& inputs,
                                       std::vector<std::string>& notes) {
    return BackgroundRun(data, target, inputs, notes).run();
}

}  // namespace hri::data
