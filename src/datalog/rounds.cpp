// SPDX-License-Identifier: Apache-2.0
#include "datalog/rounds.hpp"

namespace hri::datalog {

void Rounds::note(std::uint32_t predicate, const Relation& relation) {
    History& history = of_.try_emplace(predicate, relation.arity()).first->second;
    std::vector<std::int32_t> row;
    relation.each(
        [&](Tuple tuple) {
            row.assign(tuple.begin(), tuple.end());
            row.push_back(now_);
            history.batch.add(Tuple(row));
        },
        Part::delta);
    const std::size_t before = history.counts.back();
    history.counts.resize(static_cast<std::size_t>(now_), before);
    history.counts.push_back(before + relation.size(Part::delta));
}

void Rounds::finish() {
    for (auto& [predicate, history] : of_) {
        history.rounds.advance(history.batch);
        history.rounds.settle();
    }
}

int Rounds::of(std::uint32_t predicate, Tuple tuple) const {
    const auto history = of_.find(predicate);
    if (history == of_.end()) {
        return 0;
    }
    std::vector<std::int32_t> pattern(tuple.begin(), tuple.end());
    pattern.push_back(kOpen);
    int round = 0;
    history->second.rounds.any(pattern, [&](Tuple found) {
        round = found.back();
        return true;
    });
    return round;
}

std::size_t Rounds::derived_before(std::uint32_t predicate, int round) const {
    const auto history = of_.find(predicate);
    if (history == of_.end() || round < 1) {
        return 0;
    }
    const std::vector<std::size_t>& counts = history->second.counts;
    return counts[std::min(static_cast<std::size_t>(round), counts.size()) - 1];
}

}  // namespace hri::datalog
