// SPDX-License-Identifier: Apache-2.0
// A list is sorted by swaps of neighbours. The objects are places; items are seen by comparison.
// Facts, in this order: next(X,Y), larger(X,Y): the item at X is larger than that at Y.

#include "rl/puzzle.hpp"
#include "rl/puzzle_tasks.hpp"

#include <algorithm>
#include <optional>
#include <sstream>

namespace hri::rl {
namespace {

constexpr int kMaxItems = 60;

const SharedSchema& sorting_schema() {
    static const SharedSchema schema = make_schema({{"next", 2}, {"larger", 2}}, {"swap", 2});
    return schema;
}

std::vector<int> ascending(int size) {
    std::vector<int> items;
    for (int item = 1; item <= size; ++item) {
        items.push_back(item);
    }
    return items;
}

std::vector<int> parse_items(const std::string& text) {
    std::istringstream words(text);
    std::vector<int> items;
    for (int item = 0; words >> item;) {
        items.push_back(item);
    }
    std::vector<int> sorted = items;
    std::sort(sorted.begin(), sorted.end());
    if (!words.eof() || items.size() < 2 || sorted != ascending(static_cast<int>(items.size()))) {
        throw Error("this is no list of the numbers 1, 2, ...", {text, 0, 0},
                    "write each number once: 3 1 2");
    }
    checked_size(static_cast<int>(items.size()), 2, kMaxItems, "items");
    return items;
}

class Sorting final : public Puzzle {
  public:
    /// Without a start, a random list of so many items in every episode.
    Sorting(std::optional<std::vector<int>> start, int size)
        : start_(std::move(start)), items_(start_ ? *start_ : ascending(size)) {
        prepare();
    }

    std::string text() const override {
        std::string text;
        for (const int item : items_) {
            text += (text.empty() ? "" : " ") + std::to_string(item);
        }
        return text;
    }

    std::vector<PictureBox> picture() const override {
        std::vector<PictureBox> boxes;
        for (std::size_t i = 0; i < items_.size(); ++i) {
            const double height = 0.5 + 0.5 * items_[i];
            boxes.push_back(
                {static_cast<double>(i), 0, 0.9, height, std::to_string(items_[i]), "#8fb8de"});
        }
        return boxes;
    }

  private:
    void begin(Random& random) override {
        if (start_) {
            items_ = *start_;
        } else {
            random.shuffle(items_);
        }
    }

    bool goal_reached() const override { return std::is_sorted(items_.begin(), items_.end()); }

    bool apply(int action) override {
        const int n = static_cast<int>(items_.size());
        const int x = action / n;
        const int y = action % n;
        if (std::abs(x - y) != 1) {
            return false;
        }
        std::swap(items_[static_cast<std::size_t>(x)], items_[static_cast<std::size_t>(y)]);
        return true;
    }

    void write(Instance& facts) const override {
        const int n = static_cast<int>(items_.size());
        facts.schema = sorting_schema();
        facts.reset(n, Label::unlabelled);
        for (int x = 0; x < n; ++x) {
            facts.names.push_back("p" + std::to_string(x + 1));
            if (x + 1 < n) {
                facts.facts[0].push_back({x, x + 1});
            }
            for (int y = 0; y < n; ++y) {
                if (items_[static_cast<std::size_t>(x)] > items_[static_cast<std::size_t>(y)]) {
                    facts.facts[1].push_back({x, y});
                }
            }
        }
    }

    std::optional<std::vector<int>> start_;
    std::vector<int> items_;
};

}  // namespace

RlTask sorting_task() {
    RlTask task;
    task.name = "sort";
    task.explanation = "Sort a list by swaps of neighbours.";
    task.inputs = sorting_schema()->inputs;
    task.target = sorting_schema()->target;
    task.tests = {"4 3 1 2", "2 1 4 3", "5 4 3 2 1", "3 6 1 5 2 4", "7 6 5 4 3 2 1"};
    task.solution = "swap(X,Y) :- next(X,Y), larger(X,Y).\n";
    task.make = [](const std::string& start, int size) -> std::unique_ptr<Environment> {
        if (!start.empty() && start != "random") {
            return std::make_unique<Sorting>(parse_items(start), size);
        }
        std::vector<int> items = ascending(checked_size(size, 2, kMaxItems, "items"));
        if (start == "random") {
            return std::make_unique<Sorting>(std::nullopt, size);
        }
        std::reverse(items.begin(), items.end());
        return std::make_unique<Sorting>(std::move(items), size);
    };
    return task;
}

}  // namespace hri::rl
