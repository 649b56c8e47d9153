// SPDX-License-Identifier: Apache-2.0

// The programs of many targets over scenes, refined to the shortest description: bits for the
// program, and for what it gets wrong on training images. A slot that matches several predicates,
// each in the images that have it, is a disjunction to the soft model; its argmax names one of
// them, and the others come back here as copies of a clause.

#include "hri/multitask.hpp"
#include "hri/random.hpp"

#include "base/hash.hpp"
#include "base/mpi.hpp"
#include "base/run_record.hpp"
#include "search/clauses/refine_clauses.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <fmt/format.h>
#include <mutex>
#include <optional>
#include <sstream>
#include <thread>

namespace hri {

namespace {

bool is_set(const std::atomic<bool>* interrupt) {
    return interrupt != nullptr && interrupt->load();
}

/// Images of moderate size, drawn at random, ascending.
std::vector<std::uint32_t> sampled_images(const SceneSet& scenes,
                                          const RefineRulesSettings& settings) {
    std::vector<std::uint32_t> images;
    for (std::size_t i = 0; i < scenes.size(); ++i)
        if (scenes[i].objects > 0 && scenes[i].objects <= settings.max_objects)
            images.push_back(static_cast<std::uint32_t>(i));
    Random random(settings.seed, Random::kData);
    random.shuffle(images);
    if (images.size() > settings.max_images)
        images.resize(settings.max_images);
    std::sort(images.begin(), images.end());
    return images;
}

constexpr const char* kKind = "message of refined rules";

/// A part of the results as text, for another rank.
std::string serialised(std::span<const RefinedRules> some) {
    base::RunRecord record{.kind = kKind, .values = nlohmann::json::array()};
    for (const RefinedRules& one : some)
        record.values.push_back({one.bits, one.bits_before, to_prolog(one.program)});
    return base::to_bytes(record);
}

void deserialise(std::span<RefinedRules> some, const std::string& text) {
    const base::RunRecord record = base::parse_record(text, "<message>", kKind);
    for (std::size_t i = 0; i < some.size(); ++i) {
        const nlohmann::json& one = record.values.at(i);
        some[i] = {parse_program(one.at(2).get<std::string>()), one.at(0).get<double>(),
                   one.at(1).get<double>()};
    }
}

/// The programs that are ready, one file for each target, so that neither a kill nor another number
/// of ranks costs more than the programs at work.
class Ready {
  public:
    Ready(const SceneSet& scenes, const RefineRulesSettings& settings) : settings_(settings) {
        if (settings.checkpoint.empty())
            return;
        base::Hash hash;
        hash.add({scenes.bytes().data(), scenes.bytes().size()});
        run_ = {{"data", hash.text()},
                {"max_images", settings.max_images},
                {"max_objects", settings.max_objects},
                {"seed", settings.seed}};
    }

    std::optional<RefinedRules> find(const std::string& target, const Program& start) const {
        const std::filesystem::path path = path_of(target);
        if (path.empty() || !std::filesystem::exists(path))
            return {};
        try {
            const base::RunRecord record =
                base::parse_record(read_file(path), path.string(), kReady);
            if (record.run != run_of(target, start))
                return {};
            return RefinedRules{parse_program(record.values.at(2).get<std::string>()),
                                record.values.at(0).get<double>(),
                                record.values.at(1).get<double>()};
        } catch (const std::exception&) {
            return {};  // damaged: it is made again
        }
    }

    void keep(const std::string& target, const Program& start, const RefinedRules& found) const {
        const std::filesystem::path path = path_of(target);
        if (path.empty())
            return;
        try {
            write_file(path, base::to_bytes({.kind = kReady,
                                             .run = run_of(target, start),
                                             .values = {found.bits, found.bits_before,
                                                        to_prolog(found.program)}}));
        } catch (const Error& error) {
            if (!settings_.checkpoint_failed)
                throw;
            settings_.checkpoint_failed(error);
        }
    }

  private:
    static constexpr const char* kReady = "refined rules";

    /// Names may be longer than those of files.
    std::filesystem::path path_of(const std::string& target) const {
        if (settings_.checkpoint.empty())
            return {};
        base::Hash hash;
        hash.add(target);
        return settings_.checkpoint / ("polished-" + hash.text() + ".json");
    }

    nlohmann::json run_of(const std::string& target, const Program& start) const {
        nlohmann::json run = run_;
        run["target"] = target;
        run["program"] = to_prolog(start);
        return run;
    }

    const RefineRulesSettings& settings_;
    nlohmann::json run_;
};

}  // namespace

std::vector<RefinedRules> refine_rules(const SceneSet& scenes, const Multitask& learned,
                                       const RefineRulesSettings& settings) {
    base::Communicator& ranks =
        settings.split ? base::Communicator::all() : base::Communicator::alone();
    const std::size_t targets = learned.targets.size();
    const auto first_of = [&](std::size_t rank) {
        return targets * rank / static_cast<std::size_t>(ranks.size());
    };
    const auto rank = static_cast<std::size_t>(ranks.rank());
    const std::size_t first = first_of(rank);
    const std::size_t last = first_of(rank + 1);
    const std::vector<PredicateSymbol>& predicates = scenes.predicates();
    const search::RefinementData data(
        data::instance_database(scenes, sampled_images(scenes, settings)));
    const search::ProgramCost cost = [inputs = static_cast<int>(predicates.size()) - 1](
                                         const Program& rules, const Score& score) {
        return program_bits(rules, inputs) + error_bits(score);
    };
    const Ready ready(scenes, settings);
    std::vector<RefinedRules> results(targets);
    std::atomic<std::size_t> next{first};
    std::size_t done = 0;
    std::mutex mutex;
    std::exception_ptr failure;
    const auto refine_next = [&] {
        for (std::size_t t = next++; t < last && !is_set(settings.interrupt); t = next++) {
            const std::uint32_t target = learned.targets[t].target;
            const Program start = extract(learned, t, scenes);
            const std::string name = to_text(predicates[target]);
            if (std::optional<RefinedRules> found = ready.find(name, start)) {
                results[t] = std::move(*found);
            } else {
                search::RefinedClauses refined =
                    search::refine_clauses(data, data.labelled_constants(target), start, cost,
                                           [&] { return is_set(settings.interrupt); });
                results[t] = {std::move(refined.program), refined.cost, refined.cost_before};
                if (!is_set(settings.interrupt))
                    ready.keep(name, start, results[t]);
            }
            const std::lock_guard lock(mutex);
            ++done;
            if (settings.progress && ranks.is_first())
                settings.progress(static_cast<double>(done) / static_cast<double>(last - first));
        }
    };
    const auto work = [&] {
        try {
            refine_next();
        } catch (...) {
            const std::lock_guard lock(mutex);
            failure = std::current_exception();
            next = last;
        }
    };
    {
        std::vector<std::jthread> workers;
        for (int i = 1; i < std::min(settings.threads, static_cast<int>(last - first)); ++i)
            workers.emplace_back(work);
        work();
    }
    if (failure)
        std::rethrow_exception(failure);
    const bool whole = !is_set(settings.interrupt);
    if (ranks.size() == 1)
        return whole ? results : std::vector<RefinedRules>{};
    const std::vector<std::string> all =
        ranks.gather(whole ? serialised({results.data() + first, last - first}) : "interrupted");
    if (!whole || std::find(all.begin(), all.end(), "interrupted") != all.end())
        return {};
    for (std::size_t from = 1; from < all.size(); ++from)
        deserialise({results.data() + first_of(from), first_of(from + 1) - first_of(from)},
                    all[from]);
    return results;
}

}  // namespace hri
