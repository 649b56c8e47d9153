// SPDX-License-Identifier: Apache-2.0

// Aleph's triple of files: stem.b, stem.f and stem.n.

#include "data/raw_dataset.hpp"
#include "data/readers/bias.hpp"
#include "data/readers/clauses.hpp"
#include "data/readers/task_files.hpp"

#include <algorithm>
#include <set>

namespace hri::data {
namespace {

using prolog::Kind;
using prolog::Node;

constexpr const char* kHintExample = "write each example as target(a).";

/// name/arity
Declaration indicator(const prolog::Reader& reader, const Node& node) {
    const bool shaped = node.is("/", 2) && node.arguments[0].kind == Kind::atom &&
                        node.arguments[1].kind == Kind::number && node.arguments[1].value >= 0 &&
                        node.arguments[1].value <= kMaxArityRead;
    if (!shaped) {
        throw Error("expected a predicate's name and arity, found " + described(node),
                    reader.place(node), "write :- determination(target/1, has_car/2).");
    }
    return {{std::string(node.arguments[0].name), static_cast<int>(node.arguments[1].value)},
            reader.place(node),
            reader.place(node.arguments[1])};
}

class Directives {
  public:
    explicit Directives(RawDataset& into) : into_(into) {}

    void read(const prolog::Reader& reader, const Node& goal) {
        if (goal.is("determination", 2)) {
            add(into_.heads, indicator(reader, goal.arguments[0]));
            const Declaration body = indicator(reader, goal.arguments[1]);
            if (!is_equality(body.symbol)) {  // built in
                add(into_.bodies, body);
            }
        } else if ((goal.is("set", 2) || goal.is("aleph_set", 2)) &&
                   goal.arguments[0].is("clauselength", 0) &&
                   goal.arguments[1].kind == Kind::number && goal.arguments[1].value >= 1) {
            // Aleph counts the head too
            into_.bias.max_body = static_cast<int>(std::min(goal.arguments[1].value, 1e6)) - 1;
        } else if ((goal.is("modeh", 2) || goal.is("modeb", 2)) &&
                   goal.arguments[1].is_callable()) {
            const Node& mode = goal.arguments[1];
            const PredicateSymbol symbol{std::string(mode.name), mode.arity()};
            if (goal.name == "modeh") {
                add(into_.heads, {symbol, reader.place(mode), reader.place(mode)});
            }
            types(symbol, mode, reader);
            if (goal.name == "modeb") {
                recall(symbol, goal.arguments[0], reader);
            }
        } else if (unused_.insert(std::string(goal.name)).second && goal.is_callable() &&
                   !goal.is("dynamic", 1) && !goal.is("discontiguous", 1)) {
            into_.warn(reader.place(goal), ":- " + std::string(goal.name) + " is not used");
        }
    }

  private:
    static void add(std::vector<Declaration>& to, const Declaration& declaration) {
        const bool known = std::any_of(to.begin(), to.end(), [&](const Declaration& d) {
            return d.symbol == declaration.symbol;
        });
        if (!known) {
            to.push_back(declaration);
        }
    }

    /// has_car(+train,-car): +, - and # before the name of a type. # asks for a constant.
    void types(const PredicateSymbol& symbol, const Node& mode, const prolog::Reader& reader) {
        std::vector<std::string> types;
        std::vector<std::string> directions;
        std::vector<bool> constants;
        for (const Node& argument : mode.arguments) {
            const bool shaped =
                argument.arity() == 1 && argument.arguments[0].kind == Kind::atom &&
                (argument.name == "+" || argument.name == "-" || argument.name == "#");
            if (!shaped) {
                into_.warn(reader.place(argument),
                           "this mode is not used: expected +, - or # and a type");
                return;
            }
            types.emplace_back(argument.arguments[0].name);
            directions.emplace_back(argument.name == "+" ? "in" : "out");
            constants.push_back(argument.name == "#");
        }
        const Declaration of{symbol, reader.place(mode), reader.place(mode)};
        into_.add_types(of, std::move(types));
        into_.add_directions(of, std::move(directions));
        std::vector<bool>& known = into_.bias.constants[symbol];
        known.resize(constants.size());
        for (std::size_t i = 0; i < constants.size(); ++i) {
            known[i] = known[i] || constants[i];
        }
    }

    /// The recall of a mode, the most calls for one set of inputs: a number, or * for any.
    void recall(const PredicateSymbol& symbol, const Node& times, const prolog::Reader& reader) {
        if (times.kind == Kind::number && times.value >= 1) {
            int& known = into_.bias.recall[symbol];
            known = std::max(known, static_cast<int>(std::min(times.value, 1e6)));
        } else if (!times.is("*", 0)) {
            into_.warn(reader.place(times), "this recall is not used: expected a number or *");
        }
    }

    RawDataset& into_;
    std::set<std::string> unused_;
};

/// A recall bounds the answers to one call. It bounds the goals of a body too where there is one
/// call to make: with a single input, which is the head's.
void keep_recall_of_properties(RawDataset& data) {
    std::set<std::string> of_heads;
    for (const Declaration& head : data.heads) {
        const auto types = data.types.find(head.symbol);
        if (types != data.types.end()) {
            of_heads.insert(types->second.begin(), types->second.end());
        }
    }
    std::erase_if(data.bias.recall, [&](const auto& entry) {
        const std::vector<std::string>& types = data.types[entry.first];
        const std::vector<std::string>& directions = data.directions[entry.first];
        const auto in = std::find(directions.begin(), directions.end(), "in");
        return std::count(directions.begin(), directions.end(), "in") != 1 ||
               of_heads.count(types[static_cast<std::size_t>(in - directions.begin())]) == 0;
    });
}

void read_examples(const TextFile& file, bool positive, RawDataset& into) {
    prolog::Reader reader(file.text, file.path);
    while (const Node* clause = reader.next()) {
        if (is_directive(*clause)) {
            continue;
        }
        const Place place = reader.place(*clause);
        if (!is_atom(*clause)) {
            throw Error("expected an example, found " + described(*clause), place, kHintExample);
        }
        const PredicateSymbol symbol{std::string(clause->name), clause->arity()};
        into.add_example(into.table(symbol, place), place,
                         ground_tuple(reader, *clause, into.constants), positive);
    }
}

}  // namespace

Problem read_aleph(const AlephFiles& files, const ReadOptions& options) {
    RawDataset into;
    into.progress = options.progress;
    into.name = files.name;
    into.no_examples = {files.positive ? files.positive->path : files.background.path, 1, 1};
    into.inputs_from = "determination";
    into.hint_no_target = std::string(kHintExample) + " in a file that ends in .f";
    Directives directives(into);
    read_background(
        files.background.text, files.background.path, into,
        [&](const prolog::Reader& reader, const Node& goal) { directives.read(reader, goal); });
    // recursion is a determination of the target by itself
    const auto is_head = [&](const Declaration& body) {
        return std::any_of(into.heads.begin(), into.heads.end(),
                           [&](const Declaration& head) { return head.symbol == body.symbol; });
    };
    into.bias.recursion = std::any_of(into.bodies.begin(), into.bodies.end(), is_head);
    std::erase_if(into.bodies, is_head);
    keep_recall_of_properties(into);
    if (files.positive) {
        read_examples(*files.positive, true, into);
    }
    if (files.negative) {
        read_examples(*files.negative, false, into);
    }
    // modes without examples are no targets
    if (!into.examples.empty()) {
        into.heads.clear();
    }
    return build_problem(std::move(into), options);
}

}  // namespace hri::data
