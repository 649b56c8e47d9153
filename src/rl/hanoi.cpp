// SPDX-License-Identifier: Apache-2.0
// The tower of Hanoi: disks go to another peg one by one, none on a smaller one.
// Facts, in this order: top(X) of a peg, or an empty peg itself; smaller(X,Y), pegs the largest;
// moved(X), the disk of the last move, at the start the largest; beside(X,Y): Y stands on the next
// peg after that of X, in a circle.

#include "rl/puzzle.hpp"
#include "rl/puzzle_tasks.hpp"

#include <algorithm>
#include <array>
#include <sstream>

namespace hri::rl {
namespace {

constexpr int kPegs = 3;
constexpr int kMaxDisks = 5;  // 31 moves

const SharedSchema& hanoi_schema() {
    static const SharedSchema schema =
        make_schema({{"top", 1}, {"smaller", 2}, {"moved", 1}, {"beside", 2}}, {"move", 2});
    return schema;
}

struct Towers {
    std::array<std::vector<int>, kPegs> pegs;  // disks, 1 the smallest, from the bottom up
    int moved = 0;
    int disks = 0;

    /// A disk or peg as a constant: pegs are 0, 1, 2, then the disks.
    int top(std::size_t peg) const {
        return pegs[peg].empty() ? static_cast<int>(peg) : pegs[peg].back() + kPegs - 1;
    }

    bool move(std::size_t from, std::size_t to) {
        if (pegs[from].empty() || from == to ||
            (!pegs[to].empty() && pegs[to].back() < pegs[from].back())) {
            return false;
        }
        moved = pegs[from].back();
        pegs[to].push_back(moved);
        pegs[from].pop_back();
        return true;
    }
};

Towers tower_of(int disks) {
    Towers towers;
    for (int disk = disks; disk > 0; --disk) {
        towers.pegs[0].push_back(disk);
    }
    towers.moved = towers.disks = disks;
    return towers;
}

/// The smallest disk goes round; between its moves there is one other move.
void follow_the_circle(Towers& towers) {
    std::size_t smallest = 0;
    while (towers.pegs[smallest].empty() || towers.pegs[smallest].back() != 1) {
        ++smallest;
    }
    const std::size_t next = (smallest + 1) % kPegs;
    if (towers.moved != 1) {
        towers.move(smallest, next);
    } else if (!towers.move(next, (next + 1) % kPegs)) {
        towers.move((next + 1) % kPegs, next);
    }
}

Towers parse_towers(const std::string& text) {
    const Error wrong("these are no towers", {text, 0, 0},
                      "write three pegs from the bottom up, and the disk of the last move: "
                      "[3 2][1][] after 1");
    Towers towers;
    std::string rest = text;
    std::replace(rest.begin(), rest.end(), '[', ' ');
    std::vector<bool> seen(kMaxDisks + 1, false);
    for (std::vector<int>& peg : towers.pegs) {
        const std::size_t end = rest.find(']');
        if (end == std::string::npos) {
            throw wrong;
        }
        std::istringstream disks(rest.substr(0, end));
        rest.erase(0, end + 1);
        for (int disk = 0; disks >> disk;) {
            if (disk < 1 || disk > kMaxDisks || seen[static_cast<std::size_t>(disk)] ||
                (!peg.empty() && peg.back() < disk)) {
                throw wrong;
            }
            seen[static_cast<std::size_t>(disk)] = true;
            peg.push_back(disk);
            towers.disks = std::max(towers.disks, disk);
        }
        if (!disks.eof()) {
            throw wrong;
        }
    }
    towers.moved = towers.disks;
    std::istringstream last(rest);
    std::string after;
    if (last >> after && (after != "after" || !(last >> towers.moved))) {
        throw wrong;
    }
    if (towers.disks < 1 || towers.moved < 1 || towers.moved > towers.disks ||
        std::count(seen.begin(), seen.end(), true) != towers.disks) {
        throw wrong;
    }
    return towers;
}

class Hanoi final : public Puzzle {
  public:
    /// `random`: an episode begins somewhere on the shortest way.
    Hanoi(Towers start, bool random) : start_(std::move(start)), random_(random), towers_(start_) {
        prepare();
    }

    std::string text() const override {
        std::string text;
        for (const std::vector<int>& peg : towers_.pegs) {
            text += '[';
            for (std::size_t i = 0; i < peg.size(); ++i) {
                text += (i == 0 ? "" : " ") + std::to_string(peg[i]);
            }
            text += ']';
        }
        return towers_.moved == towers_.disks ? text
                                              : text + " after " + std::to_string(towers_.moved);
    }

    std::vector<PictureBox> picture() const override {
        std::vector<PictureBox> boxes;
        const double width = towers_.disks + 1;
        for (std::size_t peg = 0; peg < kPegs; ++peg) {
            const double middle = (static_cast<double>(peg) + 0.5) * width;
            boxes.push_back(
                {middle - 0.05, 0, 0.1, static_cast<double>(towers_.disks), "", "#999"});
            for (std::size_t i = 0; i < towers_.pegs[peg].size(); ++i) {
                const int disk = towers_.pegs[peg][i];
                boxes.push_back({middle - 0.5 * disk, 0.8 * static_cast<double>(i),
                                 static_cast<double>(disk), 0.75, std::to_string(disk), "#8fb8de"});
            }
        }
        return boxes;
    }

  private:
    void begin(Random& random) override {
        towers_ = start_;
        if (random_) {
            for (int i = random.below((1 << start_.disks) - 1); i > 0; --i) {
                follow_the_circle(towers_);
            }
        }
    }

    bool goal_reached() const override {
        return static_cast<int>(std::max(towers_.pegs[1].size(), towers_.pegs[2].size())) ==
               towers_.disks;
    }

    bool apply(int action) override {
        const int n = towers_.disks + kPegs;
        std::size_t from = kPegs;
        std::size_t to = kPegs;
        for (std::size_t peg = 0; peg < kPegs; ++peg) {
            from = towers_.top(peg) == action / n ? peg : from;
            to = towers_.top(peg) == action % n ? peg : to;
        }
        return from < kPegs && to < kPegs && towers_.move(from, to);
    }

    void write(Instance& facts) const override {
        facts.schema = hanoi_schema();
        const int n = towers_.disks + kPegs;
        facts.reset(n, Label::unlabelled);
        facts.names = {"p", "q", "r"};
        std::vector<std::size_t> peg_of(static_cast<std::size_t>(n));
        for (std::size_t peg = 0; peg < kPegs; ++peg) {
            facts.facts[0].push_back({towers_.top(peg)});
            peg_of[peg] = peg;
            for (const int disk : towers_.pegs[peg]) {
                peg_of[static_cast<std::size_t>(disk + kPegs - 1)] = peg;
            }
        }
        facts.facts[2].push_back({towers_.moved + kPegs - 1});
        for (int disk = 1; disk <= towers_.disks; ++disk) {
            facts.names.push_back("d" + std::to_string(disk));
            for (int peg = 0; peg < kPegs; ++peg) {
                facts.facts[1].push_back({disk + kPegs - 1, peg});
            }
            for (int larger = disk + 1; larger <= towers_.disks; ++larger) {
                facts.facts[1].push_back({disk + kPegs - 1, larger + kPegs - 1});
            }
        }
        for (int x = kPegs; x < n; ++x) {
            for (int y = 0; y < n; ++y) {
                if (peg_of[static_cast<std::size_t>(y)] ==
                    (peg_of[static_cast<std::size_t>(x)] + 1) % kPegs) {
                    facts.facts[3].push_back({x, y});
                }
            }
        }
    }

    Towers start_;
    bool random_;
    Towers towers_;
};

}  // namespace

RlTask hanoi_task() {
    RlTask task;
    task.name = "hanoi";
    task.explanation = "Move the tower of Hanoi to another peg.";
    task.inputs = hanoi_schema()->inputs;
    task.target = hanoi_schema()->target;
    task.training_size = 3;
    task.tests = {"[2 1][][]", "[3 2][1][] after 1", "[3][1][2] after 2", "[4 3 2 1][][]",
                  "[5 4 3 2 1][][]"};
    task.solution =
        "% the smallest disk goes round; between its moves there is one other move\n"
        "move(X,Y) :- moved(Z), smaller(X,Z), top(X), top(Y), beside(X,Y).\n"
        "move(X,Y) :- moved(Z), smaller(Z,X), top(X), top(Y), smaller(X,Y).\n";
    task.make = [](const std::string& start, int size) -> std::unique_ptr<Environment> {
        if (!start.empty() && start != "random") {
            return std::make_unique<Hanoi>(parse_towers(start), false);
        }
        checked_size(size, 2, kMaxDisks, "disks");
        return std::make_unique<Hanoi>(tower_of(size), start == "random");
    };
    return task;
}

}  // namespace hri::rl
