// SPDX-License-Identifier: Apache-2.0
#pragma once

// Passwords of database connections, kept out of everything that is printed or written.
//
//   without_secrets("postgresql://ann:s3cret@host/db")   // postgresql://ann:***@host/db
//   without_secrets("host=h password=s3cret")            // host=h password=***

#include <string>

namespace hri::base {

/// Hides what stands between `//user:` and `@`, and what follows `password=`. Connections that are
/// misspelt (postgres//, postgresql:/) are recognised as well. A password may hold any character:
/// the last `@` of the line ends it.
std::string without_secrets(const std::string& text);

}  // namespace hri::base
