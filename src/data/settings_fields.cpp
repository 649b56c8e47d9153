// SPDX-License-Identifier: Apache-2.0

// The fields of the settings for reading data and scene graphs.

#include "hri/data.hpp"
#include "hri/scenes.hpp"
#include "hri/tables.hpp"

#include "base/fields.hpp"

namespace hri {

constexpr const char* kData = "Data";

template <>
const std::vector<Field<ReadOptions>>& fields_of<ReadOptions>() {
    using S = ReadOptions;
    static const std::vector<Field<S>> fields = {
        base::boolean({.name = "closed_world",
                       .help = "Atoms of the target that no example lists are negative.",
                       .group = kData,
                       .common = true},
                      &S::closed_world),
        base::word({.name = "format",
                    .help = "The format of the data, where it is not recognised.",
                    .group = kData,
                    .placeholder = "NAME"},
                   &S::format, read_formats(), true),
        base::text({.name = "target",
                    .help = "The predicate to learn, where there are several.",
                    .group = kData,
                    .placeholder = "NAME/ARITY",
                    .common = true},
                   &S::target),
        base::boolean({.name = "reify",
                       .help = "Facts of three and more arguments become events with binary "
                               "facts.",
                       .group = kData},
                      &S::reify),
        base::text({.name = "mapping",
                    .help = "A TOML file that maps tables to predicates.",
                    .group = kData,
                    .placeholder = "FILE"},
                   &S::mapping)};
    return fields;
}

template <>
const std::vector<Field<TableOptions>>& fields_of<TableOptions>() {
    using S = TableOptions;
    static const std::vector<Field<S>> fields = {
        base::text({.name = "separator",
                    .help = "The character between the cells of CSV files, or `tab`; without it "
                            "it is recognised file by file.",
                    .group = kData,
                    .placeholder = "CHARACTER"},
                   &S::separator),
        base::boolean({.name = "aggregates",
                       .help = "Adds for each foreign key how many rows name it, and sums, least, "
                               "greatest and mean values of their numbers.",
                       .group = kData},
                      &S::aggregates)};
    return fields;
}

template <>
const std::vector<Field<SplitOptions>>& fields_of<SplitOptions>() {
    using S = SplitOptions;
    static const std::vector<Field<S>> fields = {
        base::choice({.name = "split",
                      .help = "Splits the constants into instances: automatic does so "
                              "above 150 constants.",
                      .group = kData},
                     &S::when,
                     {{"automatic", S::When::automatic},
                      {"always", S::When::always},
                      {"never", S::When::never}}),
        base::number({.name = "max_constants",
                      .help = "The largest number of constants of an instance after a split.",
                      .group = kData,
                      .flag = "split-size"},
                     &S::max_constants, 2, 100'000),
        base::list({.name = "value_types",
                    .help = "Types whose constants do not connect others in a split.",
                    .group = kData,
                    .placeholder = "NAME,..."},
                   &S::value_types),
        base::number({.name = "value_degree",
                      .help = "Constants with more neighbours do not connect others in a split; 0 "
                              "means a quarter of all, and at least 20.",
                      .group = kData},
                     &S::value_degree, 0)};
    return fields;
}

template <>
const std::vector<Field<SceneOptions>>& fields_of<SceneOptions>() {
    using S = SceneOptions;
    static const std::vector<Field<S>> fields = {
        base::list({.name = "dropped",
                    .help = "Relations that are left out.",
                    .group = kData,
                    .flag = "drop",
                    .placeholder = "NAME,...",
                    .common = true},
                   &S::dropped),
        base::number(
            {.name = "min_count",
             .help = "Names and relations that occur less often are left out. 0 means 1500 "
                     "for as many images as GQA has, and in proportion for fewer.",
             .group = kData,
             .common = true},
            &S::min_count, 0, std::int64_t{1} << 40U),
        base::number({.name = "max_targets",
                      .help = "So many of the most frequent names are targets.",
                      .group = kData},
                     &S::max_targets, 1, 1'000'000),
        base::number({.name = "max_objects",
                      .help = "Images with more objects are left out; 0 keeps all.",
                      .group = kData,
                      .common = true},
                     &S::max_objects, 0, 1'000'000),
        base::boolean({.name = "isolated",
                       .help = "Objects that no relation touches are kept.",
                       .group = kData,
                       .common = true},
                      &S::isolated),
        base::word({.name = "format",
                    .help = "The format of the files, where it is not recognised.",
                    .group = kData,
                    .placeholder = "NAME",
                    .common = true},
                   &S::format, {"gqa", "visual-genome", "clevr", "vrd"}, true),
        base::text({.name = "object_names",
                    .help = "The names of objects that VRD's annotations number, a JSON list. "
                            "Without it objects.json beside them.",
                    .group = kData,
                    .flag = "objects",
                    .placeholder = "FILE",
                    .common = true},
                   &S::object_names),
        base::text({.name = "predicate_names",
                    .help = "The names of relations that VRD's annotations number, a JSON list. "
                            "Without it predicates.json beside them.",
                    .group = kData,
                    .flag = "predicates",
                    .placeholder = "FILE",
                    .common = true},
                   &S::predicate_names),
        base::boolean({.name = "box_relations",
                       .help = "Adds relations of boxes: box_left_of, box_above, box_inside and "
                               "box_larger_than.",
                       .group = kData,
                       .common = true},
                      &S::box_relations)};
    return fields;
}

}  // namespace hri
