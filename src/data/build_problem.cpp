// SPDX-License-Identifier: Apache-2.0

// Builds a problem from the data that a reader gathered.

#include "data/build_database.hpp"
#include "data/check_examples.hpp"
#include "data/example_limits.hpp"
#include "data/grounding/ground_background.hpp"
#include "data/instances.hpp"
#include "data/raw_dataset.hpp"
#include "data/run_background.hpp"
#include "data/several_targets.hpp"
#include "data/views.hpp"
#include "logic/prolog/terms.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace hri::data {
namespace {

class Finish {
  public:
    Finish(RawDataset&& data, const ReadOptions& options)
        : data_(std::move(data)), options_(options) {}

    Problem run() {
        problem_.name = data_.name;
        problem_.warnings = data_.warnings;
        problem_.recursion_wanted = data_.bias.recursion;
        choose_target();
        choose_inputs();
        if (options_.progress) {
            options_.progress({"database", 0, 0});
        }
        grounded_ = run_background(data_, target_, inputs_, problem_.notes);
        problem_.database = build_database(data_, target_, inputs_, options_.closed_world);
        if (grounded_) {
            add_computed(problem_.database, data_, *grounded_);
        }
        if (problem_.database->computed.empty()) {  // those may make constants
            warn_about_examples(data_, target_, inputs_, problem_.warnings);
        }
        reify();
        for (const auto& [symbol, types] : data_.types) {
            keep_declared(schema_.types, symbol, types);
        }
        for (const auto& [symbol, directions] : data_.directions) {
            keep_declared(schema_.directions, symbol, directions);
        }
        check_declared();
        problem_.schema = std::make_shared<const Schema>(schema_);
        if (schema_.target.arity > kMaxArity) {
            problem_.notes.push_back(described(schema_.target) + " has " +
                                     std::to_string(schema_.target.arity) +
                                     " arguments: clauses are learned, without a hierarchy");
            return std::move(problem_);
        }
        if (options_.progress) {
            options_.progress({"instances", 0, 0});
        }
        const IndexedDataset numbered = number();
        make_instances(problem_, numbered, options_, data_.has_evaluation, data_.no_examples);
        note_what_is_learned_from();
        return std::move(problem_);
    }

  private:
    RawDataset::Table& table(int index) { return data_.tables[static_cast<std::size_t>(index)]; }

    void warn(const Place& place, const std::string& message) {
        problem_.warnings.push_back(warning_at(place, message));
    }

    template <class Map, class Names>
    void keep_declared(Map& into, const PredicateSymbol& symbol, const Names& names) const {
        const bool counts =
            symbol == schema_.target ||
            std::find(schema_.inputs.begin(), schema_.inputs.end(), symbol) != schema_.inputs.end();
        if (counts && static_cast<int>(names.size()) == symbol.arity) {
            into[symbol] = names;
        }
    }

    /// Warns of lines about names that do not occur: they are often misspelt.
    void check_declared() {
        const auto is_known = [&](const PredicateSymbol& symbol) {
            const auto same = [&](const auto& other) { return other.symbol == symbol; };
            return std::any_of(data_.tables.begin(), data_.tables.end(), same) ||
                   std::any_of(data_.heads.begin(), data_.heads.end(), same) ||
                   std::any_of(data_.refusals.begin(), data_.refusals.end(), same);
        };
        for (const Declaration& line : data_.described) {
            if (!is_known(line.symbol)) {
                warn(line.place, "there is no " + described(line.symbol) + ": this is not used");
            }
        }
        for (const Declaration& body : data_.bodies) {
            const int index = data_.table(body.symbol, {});
            const bool is_computed = grounded_ && std::count(grounded_->computed.begin(),
                                                             grounded_->computed.end(), index) != 0;
            if (!table(index).given && !is_computed && body.symbol != schema_.target) {
                warn(body.place, "there are no facts of " + described(body.symbol));
            }
        }
    }

    /// Notes which examples are learned from: all, a sample, or drawn negative ones as well.
    void note_what_is_learned_from() {
        const std::vector<char>& listed = problem_.database->examples.positive;
        const auto positives =
            static_cast<std::size_t>(std::count(listed.begin(), listed.end(), char{1}));
        const bool none = positives == listed.size() && !problem_.database->unlisted_negative;
        if (positives > 0 && schema_.target.arity >= 2 &&
            ((none && problem_.sampled) || problem_.database->unlisted_negative)) {
            problem_.notes.emplace_back(
                none ? "no example is negative: clauses are learned beside some that are drawn by "
                       "chance, with one argument of a positive one exchanged"
                     : "the tuples that no example lists are too many to be listed: clauses are "
                       "learned beside a sample of them, and judged by all");
        } else if (listed.size() > kMaxLearnedFrom) {
            problem_.notes.push_back(std::to_string(listed.size()) +
                                     " examples: clauses are learned from a sample of " +
                                     std::to_string(kMaxLearnedFrom) + " and judged by all");
        }
    }

    void choose_target() {
        std::vector<Declaration> candidates = data_.heads;
        if (candidates.empty()) {
            std::set<int> seen;
            for (const RawDataset::Example& example : data_.examples) {
                if (!example.held_out && seen.insert(example.table).second) {
                    const Place place = data_.place(example);
                    candidates.push_back({table(example.table).symbol, place, place});
                }
            }
        }
        const auto same = [](const Declaration& a, const Declaration& b) {
            return a.symbol == b.symbol;
        };
        for (std::size_t i = 0; i < candidates.size(); ++i) {  // each once, in order
            for (std::size_t j = candidates.size() - 1; j > i; --j) {
                if (same(candidates[i], candidates[j])) {
                    candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(j));
                }
            }
        }
        const bool only_facts = candidates.empty() && data_.facts_are_examples;
        if (data_.facts_are_examples) {
            std::set<PredicateSymbol> known;
            for (const Declaration& candidate : candidates) {
                known.insert(candidate.symbol);
            }
            for (const RawDataset::Table& t : data_.tables) {
                if (t.given && (only_facts || !options_.target.empty()) &&
                    known.insert(t.symbol).second) {
                    candidates.push_back({t.symbol, t.first, t.first});
                }
            }
        }
        if (!options_.target.empty()) {
            candidates = named(candidates, options_.target);
        } else if (candidates.empty()) {
            throw Error("expected examples, found none", data_.no_examples, data_.hint_no_target);
        } else if (candidates.size() > 1) {
            const std::string hint =
                "{target} with one of " + listed(candidates) + data_.hint_all_targets;
            std::vector<std::string> targets;
            for (const Declaration& candidate : candidates) {
                const auto classes = data_.instead.find(candidate.symbol);
                if (classes == data_.instead.end()) {
                    targets.push_back(described(candidate.symbol));
                } else {
                    targets.insert(targets.end(), classes->second.begin(), classes->second.end());
                }
            }
            const Error error =
                only_facts
                    ? Error("there are no examples: say which predicate is the target",
                            data_.no_examples, hint)
                    : Error("there are several targets: say which one", candidates[1].place, hint);
            if (targets.empty()) {  // columns of tables without rows
                throw error;
            }
            throw SeveralTargets(error, std::move(targets), !only_facts);
        }
        const Declaration& chosen = candidates.front();
        schema_.target = chosen.symbol;
        target_ = data_.table(chosen.symbol, chosen.place);
        const bool has_examples = std::any_of(
            data_.examples.begin(), data_.examples.end(),
            [&](const RawDataset::Example& e) { return e.table == target_ && !e.held_out; });
        if (!has_examples && data_.facts_are_examples) {
            take_facts_as_examples();
        } else if (!has_examples) {
            warn({data_.no_examples.file}, "there are no examples");
        }
    }

    static std::string listed(const std::vector<Declaration>& candidates) {
        constexpr std::size_t kShown = 20;
        std::string text;
        for (std::size_t i = 0; i < std::min(candidates.size(), kShown); ++i) {
            text += (i == 0 ? "" : ", ") + described(candidates[i].symbol);
        }
        return candidates.size() > kShown
                   ? text + ", and " + std::to_string(candidates.size() - kShown) + " more"
                   : text;
    }

    std::vector<Declaration> named(const std::vector<Declaration>& candidates,
                                   const std::string& wanted) const {
        std::vector<Declaration> found;
        for (const Declaration& candidate : candidates) {
            if (candidate.symbol.name == wanted || described(candidate.symbol) == wanted) {
                found.push_back(candidate);
            }
        }
        if (found.empty() && !data_.target_needed) {
            const std::size_t slash = std::min(wanted.rfind('/'), wanted.size());
            const int arity = slash + 2 == wanted.size() ? wanted.back() - '0' : 1;
            return {{{wanted.substr(0, slash), arity}, data_.no_examples, data_.no_examples}};
        }
        if (found.empty()) {
            throw Error("there is no target " + wanted, data_.no_examples,
                        candidates.empty() ? data_.hint_no_target
                                           : "expected one of " + listed(candidates));
        }
        if (found.size() > 1) {
            throw Error("there are several targets " + wanted, data_.no_examples,
                        "{target} with one of " + listed(found));
        }
        return found;
    }

    void take_facts_as_examples() {
        const RawDataset::Table facts = table(target_);
        const auto arity = static_cast<std::size_t>(facts.symbol.arity);
        for (std::size_t row = 0; row < facts.rows(); ++row) {
            const auto begin = facts.cells.begin() + static_cast<std::ptrdiff_t>(row * arity);
            if (facts.values[row] >= 0.5F) {
                data_.add_example(target_, facts.first,
                                  {begin, begin + static_cast<std::ptrdiff_t>(arity)}, true);
            }
        }
    }

    void choose_inputs() {
        std::set<int> chosen;
        const auto add = [&](int index) {
            if (chosen.insert(index).second) {
                inputs_.push_back(index);
            }
        };
        for (const Declaration& body : data_.bodies) {
            if (body.symbol == schema_.target) {
                problem_.recursion_wanted = data_.bias.recursion = true;
            } else {
                add(data_.table(body.symbol, body.arity_place));
            }
        }
        for (std::size_t i = 0; i < data_.tables.size(); ++i) {
            const RawDataset::Table& t = data_.tables[i];
            const int index = static_cast<int>(i);
            const bool refused =
                std::any_of(data_.refusals.begin(), data_.refusals.end(),
                            [&](const Refusal& refusal) { return refusal.symbol == t.symbol; });
            if (index == target_) {
                if (t.rows() > 0 && !data_.facts_are_examples) {
                    problem_.notes.push_back(std::to_string(t.rows()) + " known " +
                                             (t.rows() == 1 ? "fact of " : "facts of ") +
                                             described(t.symbol) + ": clauses may use " +
                                             (t.rows() == 1 ? "it" : "them"));
                }
            } else if (data_.bodies.empty()) {
                const bool is_head =
                    std::any_of(data_.heads.begin(), data_.heads.end(),
                                [&](const Declaration& head) { return head.symbol == t.symbol; });
                if ((t.given || refused) && (!is_head || t.rows() > 0)) {  // its known facts
                    add(index);
                }
            } else if (t.given && chosen.count(index) == 0) {
                for (const Declaration& body : data_.bodies) {
                    if (body.symbol.name == t.symbol.name) {
                        warn(t.first, described(t.symbol) + " is not an input: " +
                                          data_.inputs_from + " has " + described(body.symbol));
                        break;
                    }
                }
            }
        }
    }

    /// A type of events that is none of the user's own.
    std::string unused_type(std::string name) const {
        const auto is_used = [&](const auto& typed) {
            return std::find(typed.second.begin(), typed.second.end(), name) != typed.second.end();
        };
        while (std::any_of(data_.types.begin(), data_.types.end(), is_used)) {
            name += "_event";
        }
        return name;
    }

    /// Inputs of arity 3 and more: an event constant per fact, and p_1(event,first), ...
    void reify() {
        std::vector<int> inputs;
        std::vector<int> wide;
        for (const int index : inputs_) {
            const PredicateSymbol symbol = table(index).symbol;
            if (symbol.arity <= kMaxArity) {
                inputs.push_back(index);
                continue;
            }
            if (!options_.reify) {
                wide.push_back(index);
                continue;
            }
            const RawDataset::Table facts = table(index);
            const auto arity = static_cast<std::size_t>(symbol.arity);
            const auto types = data_.types.find(symbol);
            std::vector<int> parts;
            const std::string event_type = unused_type(symbol.name);
            for (std::size_t i = 0; i < arity; ++i) {
                PredicateSymbol part{symbol.name + "_" + std::to_string(i + 1), 2};
                while (std::any_of(data_.tables.begin(), data_.tables.end(),
                                   [&](const RawDataset::Table& t) { return t.symbol == part; })) {
                    part.name += "_";
                }
                parts.push_back(data_.table(part, facts.first));
                if (types != data_.types.end() && types->second.size() == arity) {
                    data_.types[part] = {event_type, types->second[i]};
                }
            }
            for (std::size_t row = 0; row < facts.rows(); ++row) {
                std::string event = prolog::quoted(symbol.name);
                for (std::size_t i = 0; i < arity; ++i) {
                    event += (i == 0 ? "(" : ",") +
                             prolog::quoted(data_.constants.name(facts.cells[row * arity + i]));
                }
                const std::int32_t id = data_.constants.intern(event + ")");
                for (std::size_t i = 0; i < arity; ++i) {
                    data_.add_fact(parts[i], {id, facts.cells[row * arity + i]}, facts.values[row]);
                }
            }
            inputs.insert(inputs.end(), parts.begin(), parts.end());
            problem_.notes.push_back(described(symbol) +
                                     " is reified: " + described(table(parts.front()).symbol) +
                                     " to " + described(table(parts.back()).symbol));
        }
        add_views(wide, inputs);
        inputs_ = inputs;
        for (const int index : inputs_) {
            schema_.inputs.push_back(table(index).symbol);
        }
    }

    /// The hierarchy sees wide predicates as views of one and two arguments.
    void add_views(const std::vector<int>& wide, std::vector<int>& inputs) {
        if (wide.empty() || schema_.target.arity > kMaxArity) {
            return;
        }
        std::string names;
        for (const int index : wide) {
            names += (names.empty() ? "" : ", ") + described(table(index).symbol);
        }
        std::vector<int> views;
        if (problem_.database->computed.empty()) {  // else clauses are learned alone
            views = data::add_views(data_, wide, target_);
        }
        inputs.insert(inputs.end(), views.begin(), views.end());
        problem_.notes.push_back(
            names + ": more than two arguments; clauses see all of them, the hierarchy " +
            (views.empty() ? "needs {reify=true}"
                           : std::to_string(views.size()) + " views of one and two of them"));
    }

    IndexedDataset number() {
        std::vector<bool> used(static_cast<std::size_t>(data_.constants.size()), false);
        const auto use = [&](std::int32_t id) { used[static_cast<std::size_t>(id)] = true; };
        for (const int index : inputs_) {
            for (const std::int32_t cell : table(index).cells) {
                use(cell);
            }
        }
        for (const RawDataset::Example& example : data_.examples) {
            if (example.table == target_) {
                const auto cells = data_.cells(example);
                std::for_each(cells.begin(), cells.end(), use);
            }
        }
        for (const std::int32_t extra : data_.extra_constants) {
            use(extra);
        }
        Constants::Numbering numbering = data_.constants.numbered(used);
        IndexedDataset result;
        result.constants = static_cast<int>(std::count(used.begin(), used.end(), true));
        result.names = std::move(numbering.names);
        for (const int index : inputs_) {
            result.facts.push_back(facts(table(index), numbering.renumbered));
        }
        for (const bool held_out : {false, true}) {
            label(numbering.renumbered, held_out, held_out ? result.held_out : result.examples);
        }
        return result;
    }

    static std::vector<Fact> facts(const RawDataset::Table& table,
                                   const std::vector<std::int32_t>& renumbered) {
        const auto arity = static_cast<std::size_t>(table.symbol.arity);
        std::vector<Fact> facts;
        for (std::size_t row = 0; row < table.rows(); ++row) {
            const auto cell = [&](std::size_t i) {
                return i < arity
                           ? renumbered[static_cast<std::size_t>(table.cells[row * arity + i])]
                           : 0;
            };
            facts.push_back({cell(0), cell(1), table.values[row]});
        }
        // of facts that differ in their valuation alone the largest stays
        std::sort(facts.begin(), facts.end(), [](const Fact& a, const Fact& b) {
            return std::tie(a.first, a.second, b.value) < std::tie(b.first, b.second, a.value);
        });
        const auto same = [](const Fact& a, const Fact& b) {
            return a.first == b.first && a.second == b.second;
        };
        facts.erase(std::unique(facts.begin(), facts.end(), same), facts.end());
        return facts;
    }

    /// Positive wins over negative.
    void label(const std::vector<std::int32_t>& renumbered, bool held_out,
               std::vector<IndexedDataset::Labelled>& into) {
        const auto atom = [&](const RawDataset::Example& example) {
            const auto cells = data_.cells(example);
            const auto cell = [&](std::size_t i) {
                return i < cells.size() ? renumbered[static_cast<std::size_t>(cells[i])] : 0;
            };
            return std::pair{cell(0), cell(1)};
        };
        std::vector<std::pair<std::int32_t, std::int32_t>> positive;
        for (const RawDataset::Example& example : data_.examples) {
            if (example.table == target_ && example.held_out == held_out && example.positive) {
                positive.push_back(atom(example));
            }
        }
        std::sort(positive.begin(), positive.end());
        positive.erase(std::unique(positive.begin(), positive.end()), positive.end());
        for (const auto& [first, second] : positive) {
            into.push_back({first, second, true});
        }
        int contradictions = 0;
        Place place;
        for (const RawDataset::Example& example : data_.examples) {
            if (example.table != target_ || example.held_out != held_out || example.positive) {
                continue;
            }
            if (std::binary_search(positive.begin(), positive.end(), atom(example))) {
                if (contradictions++ == 0) {
                    place = data_.place(example);
                }
            } else {
                into.push_back({atom(example).first, atom(example).second, false});
            }
        }
        std::sort(into.begin(), into.end());
        into.erase(std::unique(into.begin(), into.end()), into.end());
        if (contradictions > 0) {
            warn(place, "this example is positive elsewhere and counts as positive" +
                            (contradictions == 1
                                 ? ""
                                 : ", with " + std::to_string(contradictions - 1) + " more"));
        }
    }

    RawDataset data_;
    const ReadOptions& options_;
    Problem problem_;
    Schema schema_;  // becomes the problem's
    int target_ = -1;
    std::vector<int> inputs_;  // tables, without those that are computed
    std::optional<Grounded> grounded_;
};

}  // namespace

Problem build_problem(RawDataset&& data, const ReadOptions& options) {
    return Finish(std::move(data), options).run();
}

}  // namespace hri::data
