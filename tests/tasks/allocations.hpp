// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace hri::test {

/// How often this thread has called operator new.
long allocations();

}  // namespace hri::test
