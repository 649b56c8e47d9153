// SPDX-License-Identifier: Apache-2.0
#pragma once

// Scene graphs: images as small worlds of objects with names and relations, many targets over them.
//
//   SceneSet scenes = read_scenes({"train_sceneGraphs.json"}, read_scene_lists("gqa-lists"));
//   write_scenes("gqa.scenes", scenes);
//   SceneSet mapped = open_scenes("gqa.scenes");
//   Instance instance = scene_instance(mapped, 0, mapped.targets().front());

#include "hri/data.hpp"
#include "hri/fields.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hri {

/// name(object), as ids of a SceneSet's predicates and of the scene's objects.
struct SceneLabel {
    std::uint32_t predicate;
    std::uint32_t object;
    auto operator<=>(const SceneLabel&) const = default;
};

/// relation(subject, object).
struct SceneRelation {
    std::uint32_t predicate;
    std::uint32_t subject;
    std::uint32_t object;
    auto operator<=>(const SceneRelation&) const = default;
};

/// One image: a view into the set that holds it. Names and relations are sorted without duplicates.
struct Scene {
    std::string_view image;
    int objects = 0;
    std::span<const SceneLabel> names;
    std::span<const SceneRelation> relations;
};

/// The origin of scenes.
struct SceneOrigin {
    std::string source;        ///< files or generator, for people
    bool synthetic = false;    ///< generated; to be said wherever results are shown
    double noise = 0;          ///< synthetic: the share of planted labels that are wrong
    std::string planted = {};  ///< synthetic: the rules, as parse_program reads them
    bool operator==(const SceneOrigin&) const = default;
};

/// Images over one list of predicates (unary first, then binary), in memory or mapped from a file.
/// Cheap to move, not to copy.
class SceneSet {
  public:
    SceneSet();
    SceneSet(SceneSet&&) noexcept;
    SceneSet& operator=(SceneSet&&) noexcept;
    SceneSet(const SceneSet&) = delete;
    SceneSet& operator=(const SceneSet&) = delete;
    ~SceneSet();

    const std::vector<PredicateSymbol>& predicates() const;
    /// The schema of the instances: the predicates, and a target of arity 1 for any of targets().
    const SharedSchema& schema() const;
    std::size_t size() const;
    Scene operator[](std::size_t i) const;
    /// Images with at least one object of that unary name, ascending.
    std::span<const std::uint32_t> with_name(std::uint32_t predicate) const;

    /// Number of unary predicates: ids below it are names, the others relations.
    std::uint32_t unary() const;
    /// The unary predicates to be learned, the most frequent first.
    std::span<const std::uint32_t> targets() const;
    const SceneOrigin& origin() const;
    /// The compact file's bytes.
    std::span<const char> bytes() const;

    struct Contents;
    explicit SceneSet(std::unique_ptr<const Contents> contents);

  private:
    std::unique_ptr<const Contents> contents_;
};

/// Owned copies, for tests and generators.
struct SceneData {
    std::string image;
    int objects = 0;
    std::vector<SceneLabel> names;
    std::vector<SceneRelation> relations;
};

/// The targets are all unary predicates. Throws Error where ids are out of range.
SceneSet make_scenes(std::vector<PredicateSymbol> predicates, const std::vector<SceneData>& scenes);
SceneSet make_scenes(std::vector<PredicateSymbol> predicates, const std::vector<SceneData>& scenes,
                     std::vector<std::uint32_t> targets, SceneOrigin origin);

/// The file that `hri scenes build` writes, mapped into memory. All of it is checked; a file that
/// is damaged, cut off or of another version is refused with an Error.
SceneSet open_scenes(const std::filesystem::path& path);
void write_scenes(const std::filesystem::path& path, const SceneSet& scenes);

/// The instance of one image for one target: facts of all predicates but the target, labels of
/// every object (1: has that name). facts[p] belongs to predicates()[p]; the target's are empty.
Instance scene_instance(const SceneSet& scenes, std::size_t i, std::uint32_t target);

/// The unary predicate of that name. Throws Error.
std::uint32_t scene_target(const SceneSet& scenes, const std::string& name);

// Reading.

/// Settings for reading scene graphs as facts. The defaults are NLIL's and the paper's.
struct SceneOptions {
    /// Other spellings and the names that they are merged into; see paper_merges().
    std::map<std::string, std::string> merged_names;
    std::map<std::string, std::string> merged_relations;
    /// Relations that are left out.
    std::set<std::string> dropped = {"to the left of", "to the right of"};
    /// Frequencies of names and relations before merging; empty: counted in the files.
    std::map<std::string, std::int64_t> name_counts;
    std::map<std::string, std::int64_t> relation_counts;
    /// Rarer names and relations are left out. 0: 1,500, as for GQA; where they are counted in the
    /// files, in proportion to their images if there are fewer than GQA's 85,638.
    std::int64_t min_count = 0;
    /// To be learned; empty: the `max_targets` most frequent names.
    std::vector<std::string> targets;
    int max_targets = 150;
    int max_objects = 0;    ///< images with more are left out; 0: none is
    bool isolated = false;  ///< keep objects that no relation touches
    std::string format;     ///< "gqa", "visual-genome", "clevr", "vrd"; empty: recognised
    /// VRD: JSON lists of the names that annotations number; empty: objects.json and
    /// predicates.json beside the annotations.
    std::filesystem::path object_names;
    std::filesystem::path predicate_names;
    /// Adds what boxes tell: "box left of", "box above", "box inside" and "box larger than".
    bool box_relations = false;
};

template <>
const std::vector<Field<SceneOptions>>& fields_of<SceneOptions>();

/// The merge lists that NLIL and the paper's code share.
SceneOptions paper_merges();

/// The lists of a folder, over paper_merges(): obj_freq.txt and rel_freq.txt (a name and its count
/// per line), un_merge.txt and rel_merge.txt (name: spelling, spelling, ...), freq_gqa.txt
/// (targets, one per line). Files that are not there change nothing. Throws Error with file and
/// line.
SceneOptions read_scene_lists(const std::filesystem::path& folder);

/// Counts of a reading.
struct SceneReport {
    std::int64_t images = 0;
    std::int64_t objects = 0;
    std::int64_t relations = 0;  ///< those of `dropped` included
    std::int64_t dropped = 0;    ///< relations called as SceneOptions::dropped says
    std::int64_t empty = 0;      ///< images of which nothing was left
    std::int64_t too_large = 0;  ///< images of more than max_objects
    std::int64_t unknown = 0;    ///< relations of objects that their image lacks
    std::vector<std::string> warnings;
};

/// The scene graphs of a folder in the order of their names, without VRD's lists of names. Throws
/// Error where there are none.
std::vector<std::filesystem::path> scene_files(const std::filesystem::path& folder);

/// Reads GQA's, Visual Genome's, CLEVR's or VRD's JSON (files, or folders of them), one image at a
/// time: memory grows with what is kept, not with the files. A relation r between a and b gives
/// r(a,b) and the names of a and b where r and a name of both are frequent; objects without such
/// relations are left out. `progress` gets the bytes read so far. Throws Error with file, line
/// and column.
SceneSet read_scenes(const std::vector<std::filesystem::path>& files, const SceneOptions& options,
                     SceneReport* report = nullptr,
                     const std::function<void(std::int64_t)>& progress = {});

/// The options with the names, relations and targets of `scenes`, however frequent these are in
/// what is read: for images that what was learned from `scenes` is to be judged on.
SceneOptions same_predicates(const SceneSet& scenes, SceneOptions options = paper_merges());

/// The images of both, those of `first` first, over its predicates and targets. Throws Error where
/// `second` has a predicate that `first` lacks.
SceneSet joined_scenes(const SceneSet& first, const SceneSet& second);

/// 0 .. images-1 in random order, dealt to `count` folds, each ascending.
std::vector<std::vector<std::uint32_t>> scene_folds(std::size_t images, int count,
                                                    std::uint64_t seed);

/// Some of the images.
SceneSet select_scenes(const SceneSet& scenes, std::span<const std::uint32_t> images);

/// The same images, where some names are read as others: those that `instead` has, by predicate.
SceneSet renamed_scenes(const SceneSet& scenes,
                        const std::map<std::uint32_t, std::uint32_t>& instead);

/// The single-target experiment: relations that touch an object of that name, and images with
/// `min_facts` to `max_facts` of them (names included).
SceneSet scenes_around(const SceneSet& scenes, std::uint32_t target, int min_facts = 8,
                       int max_facts = 10);

// Synthetic scenes.

/// Settings for generated scenes: their model, and the rules that hold in them.
struct GenerateOptions {
    std::size_t images = 1000;
    /// Frequencies and targets. Without counts: 190 names and 23 relations whose frequencies fall
    /// as GQA's do.
    SceneOptions lists = {};
    /// Real scenes, whose numbers of relations and whose pairs of related names are drawn from;
    /// nullptr: relations as many as in GQA on average, pairs made up.
    const SceneSet* sample = nullptr;
    /// Rules of unary targets over other names and relations, not recursive, without negation; as
    /// parse_program reads them.
    std::string planted = {};
    double planted_share = 0.7;  ///< of images begin with a planted rule's body, or nearly
    double near_misses = 0.3;    ///< of these have one atom of the body changed
    double noise = 0;            ///< share of planted labels that move to another object
    int max_objects = 15;        ///< of an image
    std::uint64_t seed = 0;
};

template <>
const std::vector<Field<GenerateOptions>>& fields_of<GenerateOptions>();

/// 20 targets with one or two rules each; among them the paper's wrist, person and vase.
std::string default_planted_rules();

/// At noise 0 an object has a planted name exactly where the rules say so. Throws Error.
SceneSet generate_scenes(const GenerateOptions& options,
                         const std::function<void(std::size_t images)>& progress = {});

/// The planted rules of one target of synthetic scenes; nothing where none are planted.
std::optional<Program> planted_program(const SceneSet& scenes, std::uint32_t target);

}  // namespace hri
