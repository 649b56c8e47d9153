// SPDX-License-Identifier: Apache-2.0

// The fields of the export to SQL.

#include "hri/export.hpp"

#include "base/fields.hpp"

namespace hri {

template <>
const std::vector<Field<SqlOptions>>& fields_of<SqlOptions>() {
    using S = SqlOptions;
    constexpr const char* kGroup = "SQL";
    static const std::vector<Field<S>> fields = {
        base::text({.name = "mapping",
                    .help = "The text of the mapping by which the data were read. Views then read "
                            "those tables.",
                    .group = kGroup},
                   &S::mapping),
        base::text({.name = "mapping_name",
                    .help = "The name of the mapping in error messages.",
                    .group = kGroup},
                   &S::mapping_name),
        base::boolean({.name = "create_tables",
                       .help = "SQL without a mapping: makes the tables that views read, where "
                               "they are missing.",
                       .group = kGroup,
                       .common = true},
                      &S::create_tables)};
    return fields;
}

}  // namespace hri
