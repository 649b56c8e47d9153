// SPDX-License-Identifier: Apache-2.0
// Rooms on a grid behind locked doors. A key is picked up where one stands, and opens one door.
// Facts, in this order: at(X), key(X) lies there, locked(X), exit(X), next(X,Y), and toward(X,Y):
// the cell Y is next on a shortest way to a key or the exit X, through doors for which keys are
// carried.

#include "rl/puzzle.hpp"
#include "rl/puzzle_tasks.hpp"

#include <algorithm>
#include <deque>
#include <sstream>

namespace hri::rl {
namespace {

constexpr int kMaxRooms = 8;

const SharedSchema& doors_schema() {
    static const SharedSchema schema = make_schema(
        {{"at", 1}, {"key", 1}, {"locked", 1}, {"exit", 1}, {"next", 2}, {"toward", 2}}, {"go", 1});
    return schema;
}

/// Rows of # wall, . free, k key, + locked door, x exit.
struct Grid {
    std::vector<std::string> rows;
    int row = 0, column = 0;  // where one stands
    int carried = 0;          // keys

    char& cell(int r, int c) {
        return rows[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)];
    }

    char at(int r, int c) const {
        const bool inside = r >= 0 && c >= 0 && r < static_cast<int>(rows.size()) &&
                            c < static_cast<int>(rows[0].size());
        return inside ? rows[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)] : '#';
    }
};

/// Rooms of two by two cells in a line, with a key in each but the last.
Grid house(int rooms, Random* random) {
    Grid grid;
    grid.rows.assign(2, std::string(static_cast<std::size_t>(3 * rooms - 1), '.'));
    const auto pick = [&](int fixed) { return random != nullptr ? random->below(4) : fixed; };
    for (int room = 0; room < rooms; ++room) {
        const int thing = pick(3);
        grid.cell(thing / 2, 3 * room + thing % 2) = room + 1 < rooms ? 'k' : 'x';
        if (room + 1 < rooms) {
            grid.cell(0, 3 * room + 2) = '+';
            grid.cell(1, 3 * room + 2) = '#';
        }
        if (room == 0) {
            const int here = random != nullptr ? (thing + 1 + random->below(3)) % 4 : 0;
            grid.row = here / 2;
            grid.column = here % 2;
        }
    }
    return grid;
}

Grid parse_grid(const std::string& text) {
    const Error wrong("this is no grid of rooms", {text, 0, 0},
                      "write rows between slashes, @ where one stands, k keys, + doors, x the "
                      "exit, # walls, then the keys carried: @.+.x/k.#.. 0");
    std::istringstream words(text);
    std::string picture;
    Grid grid;
    if (!(words >> picture) || (words >> grid.carried && grid.carried < 0)) {
        throw wrong;
    }
    std::istringstream lines(picture);
    int starts = 0;
    int exits = 0;
    for (std::string line; std::getline(lines, line, '/');) {
        for (std::size_t c = 0; c < line.size(); ++c) {
            exits += line[c] == 'x' ? 1 : 0;
            if (line[c] == '@') {
                ++starts;
                grid.row = static_cast<int>(grid.rows.size());
                grid.column = static_cast<int>(c);
                line[c] = '.';
            }
        }
        if (line.empty() || line.find_first_not_of(".k+x#") != std::string::npos ||
            (!grid.rows.empty() && line.size() != grid.rows[0].size())) {
            throw wrong;
        }
        grid.rows.push_back(line);
    }
    if (grid.rows.empty() || starts != 1 || exits != 1 ||
        grid.rows.size() * grid.rows[0].size() > 200) {
        throw wrong;
    }
    return grid;
}

class Doors final : public Puzzle {
  public:
    /// `random`: keys, exit and start lie anywhere in their rooms, anew in every episode.
    Doors(Grid start, int rooms, bool random)
        : start_(std::move(start)), rooms_(rooms), random_(random) {
        prepare();
    }

    std::string text() const override {
        Grid shown = grid_;
        // Where one stands on the exit, the episode is over.
        shown.cell(grid_.row, grid_.column) = '@';
        std::string text;
        for (const std::string& row : shown.rows) {
            text += (text.empty() ? "" : "/") + row;
        }
        return text + " " + std::to_string(grid_.carried);
    }

    std::vector<PictureBox> picture() const override {
        std::vector<PictureBox> boxes;
        const int rows = static_cast<int>(grid_.rows.size());
        for (int r = 0; r < rows; ++r) {
            for (int c = 0; c < static_cast<int>(grid_.rows[0].size()); ++c) {
                const char cell = grid_.at(r, c);
                const bool here = r == grid_.row && c == grid_.column;
                const std::string label = here          ? "I"
                                          : cell == 'k' ? "key"
                                          : cell == '+' ? "door"
                                          : cell == 'x' ? "exit"
                                                        : "";
                const std::string fill = cell == '#'   ? "#777"
                                         : here        ? "#8fb8de"
                                         : cell == '+' ? "#d9b38c"
                                         : cell == 'k' ? "#f3dd8c"
                                                       : "#f4f4f4";
                boxes.push_back({static_cast<double>(c), static_cast<double>(rows - 1 - r), 0.95,
                                 0.95, label, fill});
            }
        }
        return boxes;
    }

  private:
    void begin(Random& random) override {
        grid_ = random_ ? house(rooms_, &random) : start_;
        cells_.clear();
        for (int r = 0; r < static_cast<int>(grid_.rows.size()); ++r) {
            for (int c = 0; c < static_cast<int>(grid_.rows[0].size()); ++c) {
                if (grid_.at(r, c) != '#') {
                    cells_.emplace_back(r, c);
                }
            }
        }
    }

    bool goal_reached() const override { return grid_.at(grid_.row, grid_.column) == 'x'; }

    bool apply(int action) override {
        const auto [r, c] = cells_[static_cast<std::size_t>(action)];
        if (std::abs(r - grid_.row) + std::abs(c - grid_.column) != 1) {
            return false;
        }
        char& cell = grid_.cell(r, c);
        if (cell == '+' && grid_.carried == 0) {
            return false;
        }
        grid_.carried += cell == 'k' ? 1 : cell == '+' ? -1 : 0;
        cell = cell == 'x' ? 'x' : '.';
        grid_.row = r;
        grid_.column = c;
        return true;
    }

    int cell_at(int r, int c) const {
        const auto found = std::find(cells_.begin(), cells_.end(), std::make_pair(r, c));
        return found == cells_.end() ? -1 : static_cast<int>(found - cells_.begin());
    }

    std::vector<int> neighbours(int cell) const {
        const auto [r, c] = cells_[static_cast<std::size_t>(cell)];
        std::vector<int> result;
        for (const auto& [dr, dc] : {std::pair{-1, 0}, {0, -1}, {0, 1}, {1, 0}}) {
            const int other = cell_at(r + dr, c + dc);
            if (other >= 0) {
                result.push_back(other);
            }
        }
        return result;
    }

    char kind(int cell) const {
        const auto [r, c] = cells_[static_cast<std::size_t>(cell)];
        return grid_.at(r, c);
    }

    /// [cell] steps from here; -1: not within reach.
    std::vector<int> distances(int from, int keys) const {
        std::vector<int> steps(cells_.size(), -1);
        std::vector<int> doors(cells_.size(), 0);
        steps[static_cast<std::size_t>(from)] = 0;
        std::deque<int> open{from};
        while (!open.empty()) {
            const auto here = static_cast<std::size_t>(open.front());
            for (const int cell : neighbours(open.front())) {
                const auto next = static_cast<std::size_t>(cell);
                const int needed = doors[here] + (kind(cell) == '+' ? 1 : 0);
                if (steps[next] < 0 && needed <= keys) {
                    steps[next] = steps[here] + 1;
                    doors[next] = needed;
                    open.push_back(cell);
                }
            }
            open.pop_front();
        }
        return steps;
    }

    void write(Instance& facts) const override {
        facts.schema = doors_schema();
        const int n = static_cast<int>(cells_.size());
        facts.reset(n, Label::unlabelled);
        const int here = cell_at(grid_.row, grid_.column);
        facts.facts[0].push_back({here});
        const std::vector<int> from_here = distances(here, grid_.carried);
        for (int x = 0; x < n; ++x) {
            const auto [r, c] = cells_[static_cast<std::size_t>(x)];
            facts.names.push_back("r" + std::to_string(r + 1) + "c" + std::to_string(c + 1));
            const char what = kind(x);
            if (what == 'k' || what == '+' || what == 'x') {
                facts.facts[what == 'k' ? 1 : what == '+' ? 2 : 3].push_back({x});
            }
            for (const int y : neighbours(x)) {
                facts.facts[4].push_back({x, y});
            }
            if ((what == 'k' || what == 'x') && from_here[static_cast<std::size_t>(x)] > 0) {
                write_way(facts, here, x, from_here[static_cast<std::size_t>(x)]);
            }
        }
    }

    void write_way(Instance& facts, int here, int to, int steps) const {
        for (const int y : neighbours(here)) {
            const int keys = grid_.carried - (kind(y) == '+' ? 1 : 0);
            if (keys >= 0 && distances(y, keys)[static_cast<std::size_t>(to)] == steps - 1) {
                facts.facts[5].push_back({to, y});
            }
        }
    }

    Grid start_;
    int rooms_;
    bool random_;
    Grid grid_;
    std::vector<std::pair<int, int>> cells_;  // by constant
};

}  // namespace

RlTask doors_task() {
    RlTask task;
    task.name = "doors";
    task.explanation = "Find the way out through locked doors, for which keys lie about.";
    task.inputs = doors_schema()->inputs;
    task.target = doors_schema()->target;
    task.training_size = 2;
    task.tests = {".k+x./@.#.. 0", "k.+.x/.@#.. 0", "@.+k.+.x/.k#..#.. 0", "k..+../.@.#.x/####.. 0",
                  "@.+.k+.k+../.k#..#..#.x 0"};
    task.solution =
        "go(Y) :- key(X), toward(X,Y).\n"
        "go(Y) :- exit(X), toward(X,Y).\n";
    task.make = [](const std::string& start, int size) -> std::unique_ptr<Environment> {
        if (!start.empty() && start != "random") {
            return std::make_unique<Doors>(parse_grid(start), size, false);
        }
        checked_size(size, 1, kMaxRooms, "rooms");
        return std::make_unique<Doors>(house(size, nullptr), size, start == "random");
    };
    return task;
}

}  // namespace hri::rl
