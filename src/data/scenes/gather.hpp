// SPDX-License-Identifier: Apache-2.0
#pragma once

// Scenes as they are read, their names merged; at the end the frequent ones are kept.

#include "hri/scenes.hpp"

#include "data/scenes/json_scene.hpp"

#include <unordered_map>
#include <unordered_set>

namespace hri::scenes {

/// Without spaces around it, in small letters, words separated by single spaces.
std::string plain_name(std::string_view text);

/// Names after merging and their counts: those that occur `least` times, the most frequent first.
std::vector<std::pair<std::string, std::int64_t>> frequent_names(
    const std::map<std::string, std::int64_t>& counts,
    const std::map<std::string, std::string>& merged, std::int64_t least);

/// SceneOptions::min_count of names that `given` counts, or that were counted in so many images.
std::int64_t min_count_of(const SceneOptions& options,
                          const std::map<std::string, std::int64_t>& given, std::int64_t images);

/// As predicates are called: words joined by underscores.
std::string predicate_name(std::string name);

class Gatherer {
  public:
    explicit Gatherer(const SceneOptions& options);

    /// False where an image of that name was there before.
    bool add(const RawScene& scene);

    SceneSet finish(const std::string& source);

    const SceneOptions& options() const { return options_; }

    SceneReport report;

  private:
    struct Names {  // interned in the order in which they are met
        std::unordered_map<std::string, std::uint32_t> ids;
        std::vector<std::string> texts;
        std::vector<std::int64_t> counts;

        std::uint32_t id(const std::string& text);
    };

    struct Vocabulary {
        std::vector<std::string> texts;   // of what is frequent, the most frequent first
        std::vector<std::uint32_t> from;  // [id in Names]: place in texts, or kNone
    };

    static constexpr std::uint32_t kNone = UINT32_MAX;

    static Vocabulary frequent(const Names& met, const std::map<std::string, std::int64_t>& given,
                               const std::map<std::string, std::string>& merged,
                               std::int64_t least);
    std::vector<std::uint32_t> targets(const Vocabulary& names);
    SceneData kept(const SceneData& scene, const Vocabulary& names,
                   const Vocabulary& relations) const;

    /// What the boxes of touched objects tell.
    void add_box_relations(const RawScene& scene, const std::vector<bool>& touched,
                           SceneData& data);

    const SceneOptions& options_;
    Names names_;
    Names relations_;
    std::vector<bool> of_boxes_;  // [id in relations_]: such relations keep no object
    std::unordered_set<std::string> images_;
    std::vector<SceneData> scenes_;  // ids of Names; relations count from 0 too
};

}  // namespace hri::scenes
