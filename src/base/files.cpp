// SPDX-License-Identifier: Apache-2.0

// Text files, read whole and written whole or not at all.

#include "hri/files.hpp"

#include "hri/error.hpp"

#include "base/file_faults.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

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
    } else if (code == ENXIO) {
        hint = "this is a pipe that nobody reads";
    }
    throw Error(what + ": " + reason(code), {path.string()}, hint);
}

/// A file that is written to, by its number.
class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {}

    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    ~Descriptor() { close(); }

    bool is_open() const { return number_ >= 0; }

    int number() const { return number_; }

    /// 0 or errno.
    int close() {
        const int number = std::exchange(number_, -1);
        return number < 0 || ::close(number) == 0 ? 0 : errno;
    }

  private:
    int number_;
};

/// 0 or errno.
int write_all(const Descriptor& file, std::string_view content) {
    while (!content.empty()) {
        if (const int fault = base::next_file_fault("write"); fault != 0) {
            return fault;
        }
        const ssize_t written = ::write(file.number(), content.data(), content.size());
        if (written < 0 && errno != EINTR) {
            return errno;
        }
        content.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
    return 0;
}

/// Syncs, so that the file survives a power cut. Returns 0 or errno.
int sync(const Descriptor& file) {
    if (const int fault = base::next_file_fault("fsync"); fault != 0) {
        return fault;
    }
    const bool done = ::fsync(file.number()) == 0 || errno == EINVAL || errno == ENOTSUP;
    return done ? 0 : errno;
}

/// A name that no other thread or process writes to.
fs::path temporary_beside(const fs::path& path) {
    static std::atomic<unsigned> count = 0;
    constexpr std::size_t kMaxName = 200;  // of 255, so that a long name fits with what is added
    return path.parent_path() / ("." + path.filename().string().substr(0, kMaxName) + "." +
                                 std::to_string(getpid()) + "." + std::to_string(count++) + ".tmp");
}

/// The end of a chain of links, whether it exists or not.
fs::path behind_links(fs::path path) {
    constexpr int kMaxLinks = 40;
    std::error_code failed;
    for (int i = 0; i < kMaxLinks && fs::is_symlink(path, failed); ++i) {
        const fs::path to = fs::read_symlink(path, failed);
        path = to.is_absolute() ? to : path.parent_path() / to;
    }
    return path;
}

/// A pipe gets a few seconds for somebody to read it.
int open_special(const fs::path& path) {
    constexpr auto kPatience = std::chrono::seconds(5);
    const auto begin = std::chrono::steady_clock::now();
    while (true) {
        const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
        if (file >= 0) {
            fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
            return file;
        }
        if (errno != ENXIO || std::chrono::steady_clock::now() - begin > kPatience) {
            return file;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

void write_special(const fs::path& path, std::string_view content) {
    Descriptor file(open_special(path));
    if (!file.is_open()) {
        fail("cannot write", errno, path);
    }
    int code = write_all(file, content);
    code = code != 0 ? code : file.close();
    if (code != 0) {
        fail("cannot write", code, path);
    }
}

/// Mode and owner of the file that is replaced.
void take_over(const Descriptor& file, const fs::path& replaced) {
    struct stat status {};

    if (::stat(replaced.c_str(), &status) == 0) {
        // the owner first: changing it clears some bits of the mode
        const bool owner = ::fchown(file.number(), status.st_uid, status.st_gid) == 0;
        static_cast<void>(owner ||
                          ::fchown(file.number(), static_cast<uid_t>(-1), status.st_gid) == 0);
        static_cast<void>(::fchmod(file.number(), status.st_mode & 07777U));
    }
}

/// 0 or errno. The temporary file is gone afterwards.
int replace(const fs::path& path, const fs::path& temporary, std::string_view content) {
    const int fault = base::next_file_fault("open");
    Descriptor file(
        fault != 0 ? -1 : ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!file.is_open()) {
        return fault != 0 ? fault : errno;
    }
    take_over(file, path);
    int code = write_all(file, content);
    code = code != 0 ? code : sync(file);
    const int closed = file.close();
    code = code != 0 ? code : closed;
    code = code != 0 ? code : base::next_file_fault("rename");
    if (code == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) {
        code = errno;
    }
    if (code != 0) {
        ::unlink(temporary.c_str());
        return code;
    }
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    const Descriptor of_folder(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (of_folder.is_open()) {
        ::fsync(of_folder.number());  // some file systems cannot: the file itself is safe
    }
    return 0;
}

}  // namespace

void write_file(const fs::path& path, std::string_view content) {
    std::error_code ignored;
    const fs::file_status status = fs::status(path, ignored);
    if (fs::is_directory(status)) {
        throw Error("cannot write: this is a folder", {path.string()}, "give the name of a file");
    }
    if (fs::exists(status) && !fs::is_regular_file(status)) {  // a pipe or device: never replaced
        write_special(path, content);
        return;
    }
    const fs::path real = behind_links(path);
    if (const int code = replace(real, temporary_beside(real), content); code != 0) {
        fail("cannot write", code, path);
    }
}

std::string read_file(const fs::path& path) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) {
        throw Error("cannot read: this is a folder", {path.string()}, "give the name of a file");
    }
    if (const int fault = base::next_file_fault("read"); fault != 0) {
        fail("cannot read", fault, path);
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
