// SPDX-License-Identifier: Apache-2.0
#include "rl/boxes.hpp"

#include <algorithm>
#include <sstream>

namespace hri::rl {
namespace {

constexpr int kMaxBoxes = 26;

std::string box_name(int box) { return std::string(1, static_cast<char>('a' + box)); }

BoxesState random_tree(int boxes, Random& random) {
    std::vector<int> order;
    for (int box = 0; box < boxes; ++box) {
        order.push_back(box);
    }
    random.shuffle(order);
    BoxesState state{std::vector<bool>(order.size(), false),
                     std::vector<std::vector<int>>(order.size())};
    state.opened[static_cast<std::size_t>(order[0])] = true;
    for (int i = 1; i < boxes; ++i) {
        const int holder = order[static_cast<std::size_t>(random.below(i))];
        state.keys[static_cast<std::size_t>(holder)].push_back(order[static_cast<std::size_t>(i)]);
    }
    return state;
}

int checked(int boxes) {
    if (boxes < 2 || boxes > kMaxBoxes) {
        throw Error("a world of " + std::to_string(boxes) + " boxes is not possible", {},
                    "2 to " + std::to_string(kMaxBoxes) + " boxes");
    }
    return boxes;
}

}  // namespace

Boxes::Boxes(BoxesState start)
    : boxes_(checked(static_cast<int>(start.opened.size()))), start_(std::move(start)) {
    prepare();
}

Boxes::Boxes(int boxes) : boxes_(checked(boxes)) { prepare(); }

const SharedSchema& Boxes::schema() {
    static const SharedSchema schema =
        make_schema({{"opened", 1}, {"closed", 1}, {"key_to", 2}}, {"open", 1});
    return schema;
}

void Boxes::begin(Random& random) { state_ = start_ ? *start_ : random_tree(boxes_, random); }

void Boxes::write(Instance& facts) const {
    facts.schema = schema();
    facts.reset(boxes_, Label::unlabelled);
    for (int box = 0; box < boxes_; ++box) {
        const auto b = static_cast<std::size_t>(box);
        facts.names.push_back(box_name(box));
        facts.facts[state_.opened[b] ? 0 : 1].push_back({box});
        for (const int other : state_.keys[b]) {
            facts.facts[2].push_back({box, other});
        }
    }
}

bool Boxes::goal_reached() const {
    return std::all_of(state_.opened.begin(), state_.opened.end(), [](bool open) { return open; });
}

bool Boxes::apply(int action) {
    bool opens = false;
    for (std::size_t box = 0; box < state_.keys.size() && !opens; ++box) {
        const std::vector<int>& keys = state_.keys[box];
        opens = state_.opened[box] && std::find(keys.begin(), keys.end(), action) != keys.end();
    }
    if (opens) {
        state_.opened[static_cast<std::size_t>(action)] = true;
    }
    return opens;
}

std::vector<PictureBox> Boxes::picture() const {
    std::vector<PictureBox> boxes;
    for (std::size_t box = 0; box < state_.keys.size(); ++box) {
        std::string label = box_name(static_cast<int>(box));
        for (std::size_t i = 0; i < state_.keys[box].size(); ++i) {
            label += (i == 0 ? " with " : ", ") + box_name(state_.keys[box][i]);
        }
        boxes.push_back({3.2 * static_cast<double>(box), 0, 3, 1, label,
                         state_.opened[box] ? "#d8e8d0" : "#d9b38c"});
    }
    return boxes;
}

std::string Boxes::text() const {
    std::string text;
    for (std::size_t box = 0; box < state_.keys.size(); ++box) {
        text += (box == 0 ? "" : " ") + std::string(state_.opened[box] ? "*" : "") +
                box_name(static_cast<int>(box));
        for (std::size_t i = 0; i < state_.keys[box].size(); ++i) {
            text += (i == 0 ? ":" : ",") + box_name(state_.keys[box][i]);
        }
    }
    return text;
}

BoxesState Boxes::parse(const std::string& text) {
    const std::string hint = "write boxes with the keys in them, * for open ones: *a:b b:c,d c d";
    const auto wrong = [&](const std::string& what) { throw Error(what, {text, 0, 0}, hint); };
    const auto number = [&](char c) {
        if (c < 'a' || c > 'z') {
            wrong(std::string("'") + c + "' is no box");
        }
        return c - 'a';
    };
    BoxesState state;
    std::istringstream words(text);
    std::vector<std::string> boxes;
    for (std::string word; words >> word;) {
        boxes.push_back(word);
    }
    checked(static_cast<int>(boxes.size()));
    state.opened.resize(boxes.size());
    state.keys.resize(boxes.size());
    std::vector<bool> seen(boxes.size(), false);
    for (std::string word : boxes) {
        const bool open = word[0] == '*';
        word = word.substr(open ? 1 : 0);
        if (word.empty() || (word.size() > 1 && word[1] != ':')) {
            wrong("a box has a name of one letter");
        }
        const auto box = static_cast<std::size_t>(number(word[0]));
        if (box >= boxes.size() || seen[box]) {
            wrong("boxes are called a, b, ... once each");
        }
        seen[box] = true;
        state.opened[box] = open;
        for (std::size_t i = 2; i < word.size(); i += 2) {
            const int key = number(word[i]);
            if (key >= static_cast<int>(boxes.size()) ||
                (i + 1 < word.size() && word[i + 1] != ',')) {
                wrong("keys are names of boxes, separated by commas");
            }
            state.keys[box].push_back(key);
        }
    }
    return state;
}

BoxesState Boxes::chain(int boxes) {
    const auto count = static_cast<std::size_t>(checked(boxes));
    BoxesState state{std::vector<bool>(count, false), std::vector<std::vector<int>>(count)};
    state.opened[0] = true;
    for (int box = 0; box + 1 < boxes; ++box) {
        state.keys[static_cast<std::size_t>(box)].push_back(box + 1);
    }
    return state;
}

}  // namespace hri::rl
