// SPDX-License-Identifier: Apache-2.0
#pragma once

// Failures of files on purpose, for tests: what happens when the disk is full just now?
//
//   const FileFaults faults([&](const char* call) { return ++count == 3 ? ENOSPC : 0; });
//   learn(...);  // the third call fails

#include <functional>

namespace hri::base {

/// While it lives, `fault` is asked before each "open", "write", "fsync", "rename" and "read". It
/// gives 0, or the errno that the call fails with. One at a time, in one thread.
class FileFaults {
  public:
    explicit FileFaults(std::function<int(const char* call)> fault);
    ~FileFaults();
    FileFaults(const FileFaults&) = delete;
    FileFaults& operator=(const FileFaults&) = delete;
};

/// 0 where no FileFaults lives.
int next_file_fault(const char* call);

}  // namespace hri::base
