// SPDX-License-Identifier: Apache-2.0
#include "rl/blocksworld.hpp"

#include <algorithm>
#include <cctype>
#include <deque>
#include <map>
#include <string>

namespace hri::rl {
namespace {

constexpr int kMaxBlocks = 200;

/// a to z, then a1 to z1, a2, ...
std::string block_name(int block) {
    const int index = block - 1;
    std::string name(1, static_cast<char>('a' + index % 26));
    if (index >= 26) {
        name += std::to_string(index / 26);
    }
    return name;
}

int block_count(const Stacks& stacks) {
    int count = 0;
    for (const std::vector<int>& stack : stacks) {
        count += static_cast<int>(stack.size());
    }
    return count;
}

/// Whether the goal holds. The empty state, after the time limit, reaches none.
bool reached(Blocksworld::Goal goal, const Stacks& stacks) {
    switch (goal) {
        case Blocksworld::Goal::unstack:
            return !stacks.empty() &&
                   std::all_of(stacks.begin(), stacks.end(),
                               [](const std::vector<int>& stack) { return stack.size() == 1; });
        case Blocksworld::Goal::stack:
            return stacks.size() == 1;
        case Blocksworld::Goal::on:
            break;
    }
    for (const std::vector<int>& stack : stacks) {
        for (std::size_t i = 1; i < stack.size(); ++i) {
            if (stack[i] == 1 && stack[i - 1] == 2) {
                return true;
            }
        }
    }
    return false;
}

/// What the move does; false where it is impossible.
bool apply_move(Stacks& stacks, int block, int onto) {
    const auto with_top = [&](int top) {
        return std::find_if(stacks.begin(), stacks.end(),
                            [&](const std::vector<int>& stack) { return stack.back() == top; });
    };
    if (block == Blocksworld::kFloor || block == onto) {
        return false;
    }
    const auto from = with_top(block);
    if (from == stacks.end()) {
        return false;
    }
    if (onto == Blocksworld::kFloor) {
        if (from->size() == 1) {
            return false;
        }
        from->pop_back();
        stacks.push_back({block});
        return true;
    }
    const auto to = with_top(onto);
    if (to == stacks.end()) {
        return false;
    }
    to->push_back(block);
    from->pop_back();
    if (from->empty()) {
        stacks.erase(from);
    }
    return true;
}

}  // namespace

Blocksworld::Blocksworld(Goal goal, Stacks start)
    : goal_(goal), blocks_(block_count(start)), start_(std::move(start)) {
    prepare();
}

Blocksworld::Blocksworld(Goal goal, int blocks) : goal_(goal), blocks_(blocks) {
    if (blocks < 1 || blocks > kMaxBlocks) {
        throw Error("a world of " + std::to_string(blocks) + " blocks is not possible", {},
                    "1 to " + std::to_string(kMaxBlocks) + " blocks");
    }
    if (goal == Goal::on && blocks < 2) {
        throw Error("the goal on(a,b) takes two blocks at least");
    }
    prepare();
}

const SharedSchema& Blocksworld::schema(Goal goal) {
    static const SharedSchema plain =
        make_schema({{"top", 1}, {"floor", 1}, {"on", 2}}, {"move", 2});
    static const SharedSchema with_goal =
        make_schema({{"top", 1}, {"floor", 1}, {"on", 2}, {"goal_on", 2}}, {"move", 2});
    return goal == Goal::on ? with_goal : plain;
}

void Blocksworld::begin(Random& random) {
    stacks_ = start_ ? *start_ : random_stacks(blocks_, random);
}

void Blocksworld::write(Instance& facts) const {
    const bool has_goal = goal_ == Goal::on;
    facts.schema = schema(goal_);
    facts.reset(blocks_ + 1, Label::unlabelled);
    facts.names.emplace_back("floor");
    for (int block = 1; block <= blocks_; ++block) {
        facts.names.push_back(block_name(block));
    }
    for (const std::vector<int>& stack : stacks_) {
        facts.facts[0].push_back({stack.back()});
        int below = kFloor;
        for (const int block : stack) {
            facts.facts[2].push_back({block, below});
            below = block;
        }
    }
    facts.facts[1].push_back({kFloor});
    if (has_goal) {
        facts.facts[3].push_back({1, 2});
    }
}

bool Blocksworld::goal_reached() const { return reached(goal_, stacks_); }

bool Blocksworld::apply(int action) {
    return apply_move(stacks_, action / (blocks_ + 1), action % (blocks_ + 1));
}

std::vector<PictureBox> Blocksworld::picture() const {
    std::vector<PictureBox> boxes;
    for (std::size_t s = 0; s < stacks_.size(); ++s) {
        for (std::size_t i = 0; i < stacks_[s].size(); ++i) {
            boxes.push_back({1.2 * static_cast<double>(s), static_cast<double>(i), 1, 0.95,
                             block_name(stacks_[s][i]), "#d9b38c"});
        }
    }
    boxes.push_back({-0.2, -0.2, 1.2 * blocks_ + 0.2, 0.15, "", "#777"});
    return boxes;
}

std::string Blocksworld::text() const { return to_text(stacks_); }

std::string Blocksworld::to_text(const Stacks& stacks) {
    std::string text;
    for (const std::vector<int>& stack : stacks) {
        text += '[';
        for (std::size_t i = 0; i < stack.size(); ++i) {
            text += (i == 0 ? "" : " ") + block_name(stack[i]);
        }
        text += ']';
    }
    return text.empty() ? "[]" : text;
}

Stacks Blocksworld::parse(const std::string& text) {
    const std::string hint = "write stacks from the bottom up: [a b][c d]";
    std::map<std::string, int> numbers;
    for (int block = 1; block <= kMaxBlocks; ++block) {
        numbers[block_name(block)] = block;
    }
    const auto wrong = [&](const std::string& what, std::size_t at) {
        throw Error(what, {text, 1, static_cast<int>(at) + 1}, hint);
    };
    Stacks stacks;
    std::vector<bool> seen(kMaxBlocks + 1, false);
    bool open = false;
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        if (c == '[' && !open) {
            open = true;
            stacks.emplace_back();
        } else if (c == ']' && open && !stacks.back().empty()) {
            open = false;
        } else if (std::isalpha(static_cast<unsigned char>(c)) != 0 && open) {
            std::size_t end = i + 1;
            while (end < text.size() && std::isalnum(static_cast<unsigned char>(text[end])) != 0) {
                ++end;
            }
            const auto found = numbers.find(text.substr(i, end - i));
            if (found == numbers.end()) {
                wrong("there is no block " + text.substr(i, end - i), i);
            }
            if (seen[static_cast<std::size_t>(found->second)]) {
                wrong("block " + found->first + " stands twice", i);
            }
            seen[static_cast<std::size_t>(found->second)] = true;
            stacks.back().push_back(found->second);
            i = end;
            continue;
        } else if (c != ' ' && c != ',') {
            wrong(std::string("unexpected '") + c + "'", i);
        }
        ++i;
    }
    const int count = block_count(stacks);
    if (open || count == 0) {
        wrong(open ? "a stack is not closed" : "there are no blocks", text.size());
    }
    for (int block = 1; block <= count; ++block) {
        if (!seen[static_cast<std::size_t>(block)]) {
            wrong("block " + block_name(block) + " is missing", text.size());
        }
    }
    return stacks;
}

Stacks Blocksworld::tower(int blocks) {
    Stacks stacks(1);
    for (int block = 1; block <= blocks; ++block) {
        stacks[0].push_back(block);
    }
    return stacks;
}

Stacks Blocksworld::singles(int blocks) {
    Stacks stacks;
    for (int block = 1; block <= blocks; ++block) {
        stacks.push_back({block});
    }
    return stacks;
}

Stacks random_stacks(int blocks, Random& random) {
    std::vector<int> order;
    for (int block = 1; block <= blocks; ++block) {
        order.push_back(block);
    }
    random.shuffle(order);
    Stacks stacks;
    for (const int block : order) {
        const auto place =
            static_cast<std::size_t>(random.below(static_cast<int>(stacks.size()) + 1));
        if (place == stacks.size()) {
            stacks.push_back({block});
        } else {
            stacks[place].push_back(block);
        }
    }
    return stacks;
}

std::optional<int> fewest_moves(Blocksworld::Goal goal, const Stacks& start) {
    const auto canonical = [](Stacks stacks) {
        std::sort(stacks.begin(), stacks.end());
        return stacks;
    };
    const int n = block_count(start) + 1;
    std::map<Stacks, int> distance{{canonical(start), 0}};
    std::deque<Stacks> open{canonical(start)};
    while (!open.empty()) {
        const Stacks here = open.front();
        open.pop_front();
        const int moves = distance[here];
        if (reached(goal, here)) {
            return moves;
        }
        for (int action = 0; action < n * n; ++action) {
            Stacks next = here;
            if (apply_move(next, action / n, action % n)) {
                next = canonical(std::move(next));
                if (distance.emplace(next, moves + 1).second) {
                    open.push_back(std::move(next));
                }
            }
        }
    }
    return std::nullopt;
}

}  // namespace hri::rl
