# SPDX-License-Identifier: Apache-2.0
#
# The standard headers that most sources include, parsed once for each kind of target. A source still
# includes what it uses: -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON must build as well, and clang-tidy runs so.

# The time in a precompiled header of clang would keep ccache from knowing it again.
add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")

set(HRI_PRECOMPILED
  <algorithm> <array> <atomic> <charconv> <chrono> <cmath> <cstddef> <cstdint> <filesystem> <fstream>
  <functional> <limits> <map> <memory> <mutex> <numeric> <optional> <random> <set> <span> <sstream>
  <string> <string_view> <thread> <unordered_map> <utility> <variant> <vector> <fmt/format.h>)
