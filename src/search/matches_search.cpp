// SPDX-License-Identifier: Apache-2.0
#include "search/matches_search.hpp"

#include "search/instance_objective.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace hri::search {

void MatchesSearch::start(Matches matches) {
    matches_ = std::move(matches);
    reached_.find(space_, matches_);
    const Candidate incumbent{&matches_, &reached_, -1};
    objective_.forget();
    cost_ = objective_.cost(incumbent, std::numeric_limits<double>::infinity());
    objective_.accept(incumbent);
}

void MatchesSearch::step(double heat) {
    change_.before.clear();
    change_.auxiliary = -1;
    change_.reaches_the_same = false;
    change_.is_judged = true;
    moves_.change(matches_, reached_, random_, change_);
    if (!change_.is_judged)
        return;
    if (!change_.reaches_the_same)
        trial_reached_.find(space_, matches_);
    const Candidate candidate{&matches_, change_.reaches_the_same ? &reached_ : &trial_reached_,
                              change_.auxiliary};
    ++trials_;
    const double max = heat > 0 ? cost_ - heat * std::log(1 - random_.uniform()) : cost_;
    const double cost = objective_.cost(candidate, max);
    if (cost > max) {
        for (auto slot = change_.before.rbegin(); slot != change_.before.rend(); ++slot)
            matches_[static_cast<std::size_t>(slot->first)] = slot->second;
        return;
    }
    objective_.accept(candidate);
    if (!change_.reaches_the_same)
        std::swap(reached_, trial_reached_);
    cost_ = cost;
}

namespace {

using Keep = InstanceObjective::Keep;

constexpr int kFirstWorlds = 2;  // instances that the search begins with
constexpr int kVerified = 500;   // instances of a generator that a fitting program must explain
constexpr double kKeepDrifting = 0.5;     // share of changes spent on slots that the target reaches
constexpr double kHot = 10;               // bits that a tolerant search may lose when it begins,
constexpr double kCold = 0.2;             // ... and when it ends,
constexpr int kCooling = 10'000;          // ... after so many trials; then it begins anew
constexpr std::int64_t kLookUp = 50'000;  // pairs of constants between questions whether to stop

/// One slot takes another candidate.
class OneSlot final : public MatchesMoves {
  public:
    OneSlot(const hypotheses::ProgramSpace& space, const Proposals* proposals)
        : space_(space), proposals_(proposals) {}

    int candidate(int slot, Random& random) const {
        const std::vector<int>& all =
            space_.hierarchy().slots[static_cast<std::size_t>(slot)].candidates;
        if (proposals_ == nullptr || proposals_->empty())
            return all[static_cast<std::size_t>(random.below(static_cast<int>(all.size())))];
        const std::vector<double>& share = (*proposals_)[static_cast<std::size_t>(slot)];
        double left = random.uniform();
        for (std::size_t i = 0; i + 1 < all.size(); ++i)
            if ((left -= share[i]) < 0)
                return all[i];
        return all.back();
    }

    Matches random_matches(Random& random) const {
        Matches matches;
        for (int slot = 0; slot < space_.slots(); ++slot)
            matches.push_back(candidate(slot, random));
        return matches;
    }

    void change(Matches& matches, const hypotheses::Reached& reached, Random& random,
                Change& change) override {
        const int slot = pick(reached, random);
        const int old = matches[static_cast<std::size_t>(slot)];
        const int fresh = candidate(slot, random);
        change.auxiliary = space_.auxiliary_of[static_cast<std::size_t>(slot)];
        change.is_judged =
            fresh != old && (change.auxiliary < 0 || reached.contains(change.auxiliary));
        change.reaches_the_same = space_.auxiliary(old) < 0 && space_.auxiliary(fresh) < 0;
        change.set(matches, slot, fresh);
    }

  private:
    /// Half of the times one that the target reaches.
    int pick(const hypotheses::Reached& reached, Random& random) const {
        const Hierarchy& h = space_.hierarchy();
        if (random.uniform() >= kKeepDrifting)
            return random.below(space_.slots());
        // the target's slot, or one of an auxiliary that it reaches
        const int pick = random.below(static_cast<int>(reached.auxiliaries.size()) + 1);
        if (pick == 0)
            return h.target_slot();
        const Auxiliary& aux = h.auxiliaries[static_cast<std::size_t>(
            reached.auxiliaries[static_cast<std::size_t>(pick - 1)])];
        return aux
            .slots[static_cast<std::size_t>(random.below(static_cast<int>(aux.slots.size())))];
    }

    const hypotheses::ProgramSpace& space_;
    const Proposals* proposals_;
};

/// The search for a program that explains instances.
class ProgramSearch {
  public:
    ProgramSearch(const hypotheses::ProgramSpace& space, const Source& training,
                  const SearchSettings& settings)
        : space_(space),
          training_(training),
          settings_(settings),
          is_tolerant_(settings.tolerant && training.fixed()),
          random_(settings.seed, Random::kSearch),
          data_(settings.seed, Random::kData),
          moves_(space, settings.proposals),
          objective_(space, is_tolerant_ ? Keep::bits : Keep::errors, training.instances.size()),
          search_(space, objective_, moves_, random_) {}

    SearchResult run() {
        const Matches start =
            settings_.start != nullptr ? *settings_.start : moves_.random_matches(random_);
        return is_tolerant_ ? run_tolerant(start) : run_strict(start);
    }

  private:
    SearchResult run_strict(const Matches& start) {
        for (int i = 0; i < kFirstWorlds; ++i)
            objective_.add(training_.draw(drawn_++, data_, scratch_));
        search_.start(start);
        while (search_.trials() + rejected_ < settings_.trials && !stopped_) {
            if (search_.cost() > 0) {
                step(0);
                continue;
            }
            const Instance* counterexample = find_counterexample();
            if (counterexample == nullptr) {
                if (is_allowed(search_.matches()))
                    return {shrunk(), {}, search_.trials()};
                search_.start(moves_.random_matches(random_));
                ++rejected_;
                continue;
            }
            objective_.add(*counterexample);
            search_.start(search_.matches());
        }
        return {search_.matches(), {}, search_.trials()};
    }

    bool is_allowed(const Matches& matches) const {
        return !settings_.is_allowed || settings_.is_allowed(matches);
    }

    /// Simulated annealing, again and again.
    SearchResult run_tolerant(const Matches& start) {
        add_all_instances();
        SearchResult result;
        double least = std::numeric_limits<double>::infinity();
        while (search_.trials() < settings_.trials && !stopped_) {
            search_.start(search_.trials() > 0 ? moves_.random_matches(random_) : start);
            const std::int64_t first = search_.trials();
            const std::int64_t last = std::min(first + kCooling, settings_.trials);
            while (search_.trials() < last && !stopped_) {
                const double cooled = static_cast<double>(search_.trials() - first) / kCooling;
                step(kHot * std::pow(kCold / kHot, cooled));
            }
            result.others.push_back(search_.matches());
            if (search_.cost() < least) {
                least = search_.cost();
                result.matches = search_.matches();
            }
        }
        result.trials = search_.trials();
        return result;
    }

    /// All of a fixed source, or as many as a working set may have.
    void add_all_instances() {
        std::vector<int> numbers(training_.instances.size());
        std::iota(numbers.begin(), numbers.end(), 0);
        data_.shuffle(numbers);
        for (std::size_t i = 0; i < std::min(numbers.size(), InstanceObjective::kMax); ++i)
            objective_.add(training_.instances[static_cast<std::size_t>(numbers[i])]);
    }

    void step(double heat) {
        const std::int64_t before = search_.trials();
        search_.step(heat);
        if (search_.trials() > before)
            look_up(objective_.pairs());
    }

    /// Asks now and then whether to stop, the sooner the more there is to look at.
    void look_up(std::int64_t pairs) {
        unasked_ += pairs;
        if (unasked_ < kLookUp)
            return;
        unasked_ = 0;
        stopped_ = stopped_ || (settings_.stop && settings_.stop());
    }

    /// A training instance that the incumbent gets wrong, or has to be stopped before.
    const Instance* find_counterexample() {
        const Candidate incumbent{&search_.matches(), &search_.reached(), -1};
        const int count =
            training_.fixed() ? static_cast<int>(training_.instances.size()) : kVerified;
        for (int i = 0; i < count; ++i) {
            const Instance& instance = training_.draw(drawn_++, data_, scratch_);
            std::unique_ptr<InstanceState>& world = verifiers_[instance.constants];
            if (!world)
                world = InstanceState::make(space_, instance.constants);
            world->load(instance);
            look_up(std::int64_t{instance.constants} * instance.constants);
            if (world->judge(incumbent).total() > 0 || stopped_)
                return &instance;
        }
        return nullptr;
    }

    /// Neutral drift towards fewer atoms, then as far as every training instance allows.
    Matches shrunk() {
        Matches best = search_.matches();
        int best_size = hypotheses::atoms(space_, best, search_.reached());
        objective_.set_size(best_size);
        objective_.set_keep(Keep::size);
        const std::int64_t last = search_.trials() + settings_.shrink;
        while (search_.trials() < last && !stopped_) {
            step(0);
            if (objective_.size() >= best_size)
                continue;
            if (const Instance* counterexample = find_counterexample()) {
                objective_.add(*counterexample);
                objective_.set_size(best_size);
                search_.start(best);
            } else if (is_allowed(search_.matches())) {
                best = search_.matches();
                best_size = objective_.size();
            }
        }
        return best;
    }

    const hypotheses::ProgramSpace& space_;
    const Source& training_;
    const SearchSettings& settings_;
    bool is_tolerant_;
    Random random_;
    Random data_;
    OneSlot moves_;
    InstanceObjective objective_;
    MatchesSearch search_;
    int drawn_ = 0;
    Instance scratch_;
    std::map<int, std::unique_ptr<InstanceState>> verifiers_;  // by number of constants
    std::int64_t rejected_ = 0;  // programs that fit and are not allowed
    std::int64_t unasked_ = 0;   // looked at since settings_.stop was asked
    bool stopped_ = false;
};

}  // namespace

SearchResult search_program(const hypotheses::ProgramSpace& space, const Source& training,
                            const SearchSettings& settings) {
    return ProgramSearch(space, training, settings).run();
}

}  // namespace hri::search
