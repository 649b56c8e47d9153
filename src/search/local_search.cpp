// SPDX-License-Identifier: Apache-2.0
#include "search/local_search.hpp"

#include "hri/evaluate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace hri::search {

namespace {

constexpr int kFirstWorlds = 2;  // instances that the search begins with
constexpr int kMaxWorlds = 40;   // the oldest one leaves when there are more
constexpr int kVerified = 500;   // instances of a generator that a fitting program must explain
constexpr double kKeepDrifting = 0.5;     // share of changes spent on slots that the target reaches
constexpr double kArgumentBits = 1;       // of an atom, beside which predicate it has
constexpr double kSimplified = 0.67;      // share of atoms that stay when a program is simplified
constexpr double kHot = 10;               // bits that a tolerant search may lose when it begins,
constexpr double kCold = 0.2;             // ... and when it ends,
constexpr int kCooling = 10'000;          // ... after so many trials; then it begins anew
constexpr std::int64_t kLookUp = 50'000;  // pairs of constants between questions whether to stop

class LocalSearch {
  public:
    LocalSearch(const hypotheses::ProgramSpace& space, const Source& training,
                const SearchSettings& settings)
        : space_(space),
          training_(training),
          settings_(settings),
          random_(settings.seed, Random::kSearch),
          data_(settings.seed, Random::kData) {
        matches_ = settings.start != nullptr ? *settings.start : random_matches();
        reached_.find(space_, matches_);
        if (settings.tolerant && training.fixed())
            add_all_worlds();
        else
            for (int i = 0; i < kFirstWorlds; ++i)
                add_world(training_.draw(drawn_++, data_, scratch_));
    }

    SearchResult run() {
        return settings_.tolerant && training_.fixed() ? run_tolerant() : run_strict();
    }

  private:
    SearchResult run_strict() {
        restart_cost();
        while (trials_ < settings_.trials && !stopped_) {
            if (cost_ == 0) {
                const Instance* counterexample = find_counterexample();
                if (counterexample == nullptr) {
                    fits_ = true;
                    shrink();
                    break;
                }
                add_world(*counterexample);
                restart_cost();
                continue;
            }
            step(Keep::errors);
        }
        SearchResult result;
        result.matches = matches_;
        result.fits = fits_;
        result.trials = trials_;
        result.cost = static_cast<double>(cost_);
        return result;
    }

    /// Simulated annealing, again and again.
    SearchResult run_tolerant() {
        SearchResult result;
        double least = std::numeric_limits<double>::infinity();
        while (trials_ < settings_.trials && !stopped_) {
            if (trials_ > 0) {
                matches_ = random_matches();
                reached_.find(space_, matches_);
            }
            restart_cost();
            const std::int64_t first = trials_;
            const std::int64_t last = std::min(first + kCooling, settings_.trials);
            while (trials_ < last && !stopped_) {
                const double cooled = static_cast<double>(trials_ - first) / kCooling;
                slack_ = kHot * std::pow(kCold / kHot, cooled);
                step(Keep::bits);
            }
            result.others.push_back(matches_);
            if (bits_ < least) {
                least = bits_;
                result.matches = matches_;
                result.cost = static_cast<double>(cost_);
            }
        }
        result.trials = trials_;
        return result;
    }

    /// What a change must not increase.
    enum class Keep {
        errors,
        size,  ///< and errors
        bits   ///< of the program and its errors, save for some slack
    };

    int candidate(int slot) {
        const std::vector<int>& all =
            space_.hierarchy().slots[static_cast<std::size_t>(slot)].candidates;
        if (settings_.proposals == nullptr || settings_.proposals->empty())
            return all[static_cast<std::size_t>(random_.below(static_cast<int>(all.size())))];
        const std::vector<double>& share = (*settings_.proposals)[static_cast<std::size_t>(slot)];
        double left = random_.uniform();
        for (std::size_t i = 0; i + 1 < all.size(); ++i)
            if ((left -= share[i]) < 0)
                return all[i];
        return all.back();
    }

    Matches random_matches() {
        Matches matches;
        for (int slot = 0; slot < space_.slots(); ++slot)
            matches.push_back(candidate(slot));
        return matches;
    }

    /// All of a fixed source, or as many as a working set may have.
    void add_all_worlds() {
        std::vector<int> numbers(training_.instances.size());
        std::iota(numbers.begin(), numbers.end(), 0);
        data_.shuffle(numbers);
        for (std::size_t i = 0; i < std::min(numbers.size(), std::size_t{kMaxWorlds}); ++i)
            add_world(training_.instances[static_cast<std::size_t>(numbers[i])]);
    }

    void add_world(const Instance& instance) {
        std::unique_ptr<InstanceState> world;
        if (worlds_.size() >= kMaxWorlds && worlds_.front()->constants() == instance.constants) {
            world = std::move(worlds_.front());
            worlds_.erase(worlds_.begin());
        } else {
            world = InstanceState::make(space_, instance.constants);
        }
        world->load(instance);
        worlds_.push_back(std::move(world));
        totals_.positives = totals_.negatives = 0;
        pairs_ = 0;
        for (const auto& w : worlds_) {
            pairs_ += std::int64_t{w->constants()} * w->constants();
            totals_.positives += w->positives();
            totals_.negatives += w->negatives();
        }
        const std::int64_t positives = totals_.positives;
        const std::int64_t negatives = totals_.negatives;
        // Positives weigh as much as negatives, all together.
        constexpr std::int64_t kScale = 16;
        positive_weight_ = negative_weight_ = kScale;
        if (positives > 0 && negatives > positives)
            positive_weight_ = std::max(kScale * negatives / positives, kScale);
        if (negatives > 0 && positives > negatives)
            negative_weight_ = std::max(kScale * positives / negatives, kScale);
    }

    std::int64_t cost_of(const Errors& errors) const {
        return positive_weight_ * errors.false_negatives +
               negative_weight_ * errors.false_positives;
    }

    /// Judges the incumbent on all worlds.
    void restart_cost() {
        const Candidate trial{&matches_, &reached_, -1};
        Errors errors;
        for (const auto& world : worlds_) {
            world->forget_all();
            errors += world->judge(trial);
            world->accept(trial);
        }
        cost_ = cost_of(errors);
        if (settings_.tolerant)
            bits_ = description(hypotheses::atoms(space_, matches_, reached_), errors);
    }

    /// Bits of a program of so many atoms and of what it gets wrong in all instances, if they are
    /// like those looked at.
    double description(int size, const Errors& errors) const {
        Score score = totals_;
        score.false_positives = errors.false_positives;
        score.false_negatives = errors.false_negatives;
        const double atom =
            kSimplified * (std::log2(space_.hierarchy().predicates()) + kArgumentBits);
        const double share =
            static_cast<double>(worlds_.size()) /
            static_cast<double>(std::max(training_.instances.size(), worlds_.size()));
        return atom * size + error_bits(score) / share;
    }

    /// Asks now and then whether to stop, the sooner the more there is to look at.
    void look_up(std::int64_t pairs) {
        unasked_ += pairs;
        if (unasked_ < kLookUp)
            return;
        unasked_ = 0;
        stopped_ = stopped_ || (settings_.stop && settings_.stop());
    }

    /// Tries one change.
    void step(Keep keep) {
        const int slot = pick_slot();
        const int old = matches_[static_cast<std::size_t>(slot)];
        const int fresh = candidate(slot);
        if (fresh == old)
            return;
        const int owner = space_.auxiliary_of[static_cast<std::size_t>(slot)];
        if (owner >= 0 && !reached_.contains(owner)) {
            matches_[static_cast<std::size_t>(slot)] = fresh;
            return;
        }
        matches_[static_cast<std::size_t>(slot)] = fresh;
        const bool reaches_the_same = space_.auxiliary(old) < 0 && space_.auxiliary(fresh) < 0;
        if (!reaches_the_same)
            trial_reached_.find(space_, matches_);
        const hypotheses::Reached& reached = reaches_the_same ? reached_ : trial_reached_;
        const Candidate trial{&matches_, &reached, owner};
        ++trials_;
        look_up(pairs_);
        const int size = keep == Keep::errors ? 0 : hypotheses::atoms(space_, matches_, reached);
        bool kept = keep != Keep::size || size <= size_;
        std::int64_t cost = 0;
        Errors errors;
        for (std::size_t w = 0; w < worlds_.size() && kept; ++w) {
            const Errors more = worlds_[w]->judge(trial);
            cost += cost_of(more);
            errors += more;
            kept = keep == Keep::bits || cost <= cost_;
            if (!kept && w > 0)  // the world that tells most goes first
                std::swap(worlds_[w], worlds_[w / 2]);
        }
        const double bits = keep == Keep::bits ? description(size, errors) : 0;
        if (keep == Keep::bits)
            kept = bits <= bits_ - slack_ * std::log(1 - random_.uniform());
        if (!kept) {
            matches_[static_cast<std::size_t>(slot)] = old;
            return;
        }
        for (const auto& world : worlds_)
            world->accept(trial);
        if (!reaches_the_same)
            std::swap(reached_, trial_reached_);
        cost_ = cost;
        size_ = size;
        bits_ = bits;
    }

    int pick_slot() {
        const Hierarchy& h = space_.hierarchy();
        if (random_.uniform() >= kKeepDrifting)
            return random_.below(space_.slots());
        // the target's slot, or one of an auxiliary that it reaches
        const int pick = random_.below(static_cast<int>(reached_.auxiliaries.size()) + 1);
        if (pick == 0)
            return h.target_slot();
        const Auxiliary& aux = h.auxiliaries[static_cast<std::size_t>(
            reached_.auxiliaries[static_cast<std::size_t>(pick - 1)])];
        return aux
            .slots[static_cast<std::size_t>(random_.below(static_cast<int>(aux.slots.size())))];
    }

    /// A training instance that the incumbent gets wrong, or has to be stopped before.
    const Instance* find_counterexample() {
        const Candidate trial{&matches_, &reached_, -1};
        const int count =
            training_.fixed() ? static_cast<int>(training_.instances.size()) : kVerified;
        for (int i = 0; i < count; ++i) {
            const Instance& instance = training_.draw(drawn_++, data_, scratch_);
            std::unique_ptr<InstanceState>& world = verifiers_[instance.constants];
            if (!world)
                world = InstanceState::make(space_, instance.constants);
            world->load(instance);
            look_up(std::int64_t{instance.constants} * instance.constants);
            if (world->judge(trial).total() > 0 || stopped_)
                return &instance;
        }
        return nullptr;
    }

    /// Neutral drift towards fewer atoms, then as far as every training instance allows.
    void shrink() {
        Matches best = matches_;
        int best_size = size_ = hypotheses::atoms(space_, matches_, reached_);
        const std::int64_t last = trials_ + settings_.shrink;
        while (trials_ < last && !stopped_) {
            step(Keep::size);
            if (size_ >= best_size)
                continue;
            if (const Instance* counterexample = find_counterexample()) {
                add_world(*counterexample);
                matches_ = best;
                size_ = best_size;
                reached_.find(space_, matches_);
                restart_cost();
            } else {
                best = matches_;
                best_size = size_;
            }
        }
        matches_ = best;
    }

    const hypotheses::ProgramSpace& space_;
    const Source& training_;
    const SearchSettings& settings_;
    Random random_;
    Random data_;
    int drawn_ = 0;
    Instance scratch_;
    std::vector<std::unique_ptr<InstanceState>> worlds_;
    std::map<int, std::unique_ptr<InstanceState>> verifiers_;  // by number of constants
    Score totals_;                                             // examples of the working set
    std::int64_t positive_weight_ = 1;
    std::int64_t negative_weight_ = 1;

    Matches matches_;  // the incumbent, save in the middle of step()
    hypotheses::Reached reached_;
    hypotheses::Reached trial_reached_;
    std::int64_t cost_ = 0;
    int size_ = 0;      // atoms, while shrinking
    double bits_ = 0;   // of a tolerant search,
    double slack_ = 0;  // ... which takes what is longer by so much, on average
    std::int64_t trials_ = 0;
    std::int64_t pairs_ = 0;    // of constants in the working set
    std::int64_t unasked_ = 0;  // looked at since settings_.stop was asked
    bool fits_ = false;
    bool stopped_ = false;
};

}  // namespace

SearchResult search_program(const hypotheses::ProgramSpace& space, const Source& training,
                            const SearchSettings& settings) {
    return LocalSearch(space, training, settings).run();
}

}  // namespace hri::search
