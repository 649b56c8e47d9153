// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace hri::data {

/// The clauses that SWI-Prolog runs to answer the requests of a PrologProcess.
std::string_view prolog_server();

}  // namespace hri::data
