// SPDX-License-Identifier: Apache-2.0

// Text files, read whole and written whole or not at all.

#include "hri/files.hpp"

#include "hri/error.hpp"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>
#include <unistd.h>

namespace hri {
namespace {

namespace fs = std::filesystem;

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

using File = std::unique_ptr<std::FILE, Close>;

std::string reason(int code) { return std::generic_category().message(code); }

[[noreturn]] void fail(const std::string& what, int code, const fs::path& path) {
    std::string hint;
    if (code == ENOENT || code == ENOTDIR) {
        hint = "check the path";
    } else if (code == EACCES || code == EPERM || code == EROFS) {
        hint = "check the permissions of the file and its folder";
    } else if (code == ENOSPC || code == EDQUOT) {
        hint = "free some space";
    }
    throw Error(what + ": " + reason(code), {path.string()}, hint);
}

/// Writes and closes; 0 or errno.
int write_all(File file, std::string_view content) {
    errno = 0;
    if (std::fwrite(content.data(), 1, content.size(), file.get()) != content.size()) {
        return errno != 0 ? errno : EIO;
    }
    return std::fclose(file.release()) == 0 ? 0 : errno;
}

/// A name that no other thread or process writes to.
fs::path temporary_beside(const fs::path& path) {
    static std::atomic<unsigned> count = 0;
    return path.parent_path() / ("." + path.filename().string() + "." + std::to_string(getpid()) +
                                 "." + std::to_string(count++) + ".tmp");
}

}  // namespace

void write_file(const fs::path& path, std::string_view content) {
    std::error_code ignored;
    const fs::file_status status = fs::status(path, ignored);
    if (fs::is_directory(status)) {
        throw Error("cannot write: this is a folder", {path.string()}, "give the name of a file");
    }
    if (fs::exists(status) && !fs::is_regular_file(status)) {  // a pipe or device: never replaced
        File file(std::fopen(path.c_str(), "wb"));
        if (!file) {
            fail("cannot write", errno, path);
        }
        if (const int code = write_all(std::move(file), content); code != 0) {
            fail("cannot write", code, path);
        }
        return;
    }
    const fs::path real = fs::exists(status) ? fs::canonical(path, ignored) : path;  // behind links
    const fs::path temporary = temporary_beside(real.empty() ? path : real);
    File file(std::fopen(temporary.c_str(), "wbx"));
    if (!file) {
        fail("cannot write", errno, path);
    }
    int code = write_all(std::move(file), content);
    if (code == 0 && std::rename(temporary.c_str(), (real.empty() ? path : real).c_str()) != 0) {
        code = errno;
    }
    if (code != 0) {
        fs::remove(temporary, ignored);
        fail("cannot write", code, path);
    }
}

std::string read_file(const fs::path& path) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) {
        throw Error("cannot read: this is a folder", {path.string()}, "give the name of a file");
    }
    const File file(std::fopen(path.c_str(), "rb"));
    if (!file) {
        fail("cannot read", errno, path);
    }
    std::string content;
    constexpr std::size_t kBlock = std::size_t{1} << 16U;
    while (true) {
        const std::size_t before = content.size();
        content.resize(before + kBlock);
        errno = 0;
        const std::size_t got = std::fread(content.data() + before, 1, kBlock, file.get());
        content.resize(before + got);
        if (got < kBlock) {
            if (std::ferror(file.get()) != 0) {
                fail("cannot read", errno != 0 ? errno : EIO, path);
            }
            return content;
        }
    }
}

}  // namespace hri
