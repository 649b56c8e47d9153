// SPDX-License-Identifier: Apache-2.0
// Chests are locked, their keys lie about, and the way out opens when all chests are empty.
// Facts, in this order: key(X) lies there, carried(X), chest(X) is closed, fits(K,C), exit(X),
// open(X).

#include "rl/puzzle.hpp"
#include "rl/puzzle_tasks.hpp"

#include <algorithm>
#include <optional>
#include <sstream>

namespace hri::rl {
namespace {

constexpr int kMaxChests = 12;
constexpr int kNothing = -1;

const SharedSchema& loot_schema() {
    static const SharedSchema schema = make_schema(
        {{"key", 1}, {"carried", 1}, {"chest", 1}, {"fits", 2}, {"exit", 1}, {"open", 1}},
        {"take", 1});
    return schema;
}

struct Thing {
    char kind = 'k';      // k key, c chest, x the way out
    int fits = kNothing;  // the chest of a key
    bool done = false;    // carried, emptied, left by
};

using Things = std::vector<Thing>;

std::string name_of_thing(int thing) { return std::string(1, static_cast<char>('a' + thing)); }

/// A chest and its key, ..., a key that fits nothing, the way out.
Things treasure(int chests) {
    Things things;
    for (int i = 0; i < chests; ++i) {
        things.push_back({'c', kNothing, false});
        things.push_back({'k', 2 * i, false});
    }
    things.push_back({'k', kNothing, false});
    things.push_back({'x', kNothing, false});
    return things;
}

Things shuffled(const Things& things, Random& random) {
    std::vector<int> order(things.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        order[i] = static_cast<int>(i);
    }
    random.shuffle(order);
    Things result;
    for (const int from : order) {
        Thing thing = things[static_cast<std::size_t>(from)];
        if (thing.fits != kNothing) {
            thing.fits =
                static_cast<int>(std::find(order.begin(), order.end(), thing.fits) - order.begin());
        }
        result.push_back(thing);
    }
    return result;
}

Things parse_things(const std::string& text) {
    const Error wrong("this is no world of keys, chests and a way out", {text, 0, 0},
                      "name things a, b, ... in their order, * for what is done: c k:a k x");
    std::istringstream words(text);
    Things things;
    for (std::string word; words >> word;) {
        Thing thing;
        if (word[0] == '*') {
            thing.done = true;
            word.erase(0, 1);
        }
        if (word != "c" && word != "x" && word != "k" &&
            (word.size() != 3 || word[0] != 'k' || word[1] != ':')) {
            throw wrong;
        }
        thing.kind = word[0];
        thing.fits = word.size() == 3 ? word[2] - 'a' : kNothing;
        things.push_back(thing);
    }
    int exits = 0;
    for (const Thing& thing : things) {
        exits += thing.kind == 'x' ? 1 : 0;
        if (thing.fits != kNothing &&
            (thing.fits < 0 || thing.fits >= static_cast<int>(things.size()) ||
             things[static_cast<std::size_t>(thing.fits)].kind != 'c')) {
            throw wrong;
        }
    }
    if (exits != 1 || things.size() > 26) {
        throw wrong;
    }
    return things;
}

class Loot final : public Puzzle {
  public:
    /// Without a start, so many chests in a random order in every episode.
    Loot(std::optional<Things> start, int chests)
        : start_(std::move(start)), chests_(chests), things_(start_ ? *start_ : treasure(chests)) {
        prepare();
    }

    std::string text() const override {
        std::string text;
        for (const Thing& thing : things_) {
            text += (text.empty() ? "" : " ") + std::string(thing.done ? "*" : "") + thing.kind;
            text += thing.fits == kNothing ? "" : ":" + name_of_thing(thing.fits);
        }
        return text;
    }

    std::vector<PictureBox> picture() const override {
        std::vector<PictureBox> boxes;
        for (std::size_t i = 0; i < things_.size(); ++i) {
            const Thing& thing = things_[i];
            const std::string fits =
                thing.fits == kNothing ? "" : " to " + name_of_thing(thing.fits);
            const std::string what = thing.kind == 'k'   ? "key" + fits
                                     : thing.kind == 'c' ? "chest"
                                                         : "exit";
            boxes.push_back({2.2 * static_cast<double>(i), 0, 2, 1,
                             name_of_thing(static_cast<int>(i)) + " " + what,
                             thing.done          ? "#d8e8d0"
                             : thing.kind == 'k' ? "#f3dd8c"
                                                 : "#d9b38c"});
        }
        return boxes;
    }

  private:
    void begin(Random& random) override {
        things_ = start_ ? *start_ : shuffled(treasure(chests_), random);
    }

    bool all_empty() const {
        return std::all_of(things_.begin(), things_.end(),
                           [](const Thing& thing) { return thing.kind != 'c' || thing.done; });
    }

    bool goal_reached() const override {
        return std::any_of(things_.begin(), things_.end(),
                           [](const Thing& thing) { return thing.kind == 'x' && thing.done; });
    }

    bool apply(int action) override {
        Thing& thing = things_[static_cast<std::size_t>(action)];
        const bool possible =
            !thing.done &&
            (thing.kind == 'k' || (thing.kind == 'x' && all_empty()) ||
             (thing.kind == 'c' && std::any_of(things_.begin(), things_.end(), [&](const Thing& k) {
                  return k.kind == 'k' && k.done && k.fits == action;
              })));
        thing.done = thing.done || possible;
        return possible;
    }

    void write(Instance& facts) const override {
        facts.schema = loot_schema();
        facts.reset(static_cast<int>(things_.size()), Label::unlabelled);
        for (int i = 0; i < static_cast<int>(things_.size()); ++i) {
            const Thing& thing = things_[static_cast<std::size_t>(i)];
            facts.names.push_back(name_of_thing(i));
            if (thing.kind == 'k') {
                facts.facts[thing.done ? 1 : 0].push_back({i});
            } else if (thing.kind == 'x' && !thing.done) {
                facts.facts[4].push_back({i});
            } else if (thing.kind == 'c' && !thing.done) {
                facts.facts[2].push_back({i});
            }
            if (thing.fits != kNothing) {
                facts.facts[3].push_back({i, thing.fits});
            }
            if (thing.kind == 'x' && !thing.done && all_empty()) {
                facts.facts[5].push_back({i});
            }
        }
    }

    std::optional<Things> start_;
    int chests_;
    Things things_;
};

}  // namespace

RlTask loot_task() {
    RlTask task;
    task.name = "loot";
    task.explanation =
        "Empty all chests, each with its key, then leave; the way out opens when all are empty.";
    task.inputs = loot_schema()->inputs;
    task.target = loot_schema()->target;
    task.training_size = 2;
    task.tests = {"x c k:b", "k:c x c k k:f c", "k k c c k:d x k:c", "x k:e k:d c c k:h k c",
                  "c c c c k:a k:b k:c k:d k x"};
    task.solution =
        "take(X) :- key(X), fits(X,_).\n"
        "take(X) :- chest(X), fits(K,X), carried(K).\n"
        "take(X) :- exit(X), open(X).\n";
    task.make = [](const std::string& start, int size) -> std::unique_ptr<Environment> {
        if (!start.empty() && start != "random") {
            return std::make_unique<Loot>(parse_things(start), size);
        }
        checked_size(size, 1, kMaxChests, "chests");
        return start == "random" ? std::make_unique<Loot>(std::nullopt, size)
                                 : std::make_unique<Loot>(treasure(size), size);
    };
    return task;
}

}  // namespace hri::rl
