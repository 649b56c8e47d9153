// SPDX-License-Identifier: Apache-2.0
#include "base/output_files.hpp"

#include "hri/error.hpp"
#include "hri/version.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace hri::base {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHeadBytes = 1024;
constexpr std::string_view kWritten = "written by hri ";

/// A lock file that is held. Removed at the end.
class Lock {
  public:
    Lock(fs::path claimed, fs::path file, int number)
        : claimed_(std::move(claimed)), file_(std::move(file)), number_(number) {}

    Lock(Lock&& other) noexcept
        : claimed_(std::move(other.claimed_)),
          file_(std::move(other.file_)),
          number_(std::exchange(other.number_, -1)) {}

    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    Lock& operator=(Lock&&) = delete;

    ~Lock() {
        if (number_ >= 0) {
            ::unlink(file_.c_str());  // while it is held: nobody else can have taken it
            ::close(number_);
        }
    }

    const fs::path& claimed() const { return claimed_; }

  private:
    fs::path claimed_;
    fs::path file_;
    int number_;
};

std::vector<Lock>& locks() {
    static std::vector<Lock> held;
    return held;
}

/// The lock file's number, or -1 where the file system knows no locks.
int take_lock(const fs::path& file, const fs::path& claimed) {
    while (true) {
        const int number = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (number < 0) {
            return -1;
        }
        if (::flock(number, LOCK_EX | LOCK_NB) != 0) {
            const int code = errno;
            ::close(number);
            if (code == EWOULDBLOCK) {
                throw Error("another run of hri is writing this", {claimed.string()},
                            "wait for it, or give another name");
            }
            return -1;
        }

        struct stat held {};

        struct stat named {};

        if (::fstat(number, &held) == 0 && ::stat(file.c_str(), &named) == 0 &&
            held.st_ino == named.st_ino) {
            return number;
        }
        ::close(number);  // removed by the run that held it: once more
    }
}

fs::path resolved(const fs::path& path) {
    std::error_code failed;
    const fs::path whole = fs::absolute(path);  // weakly_canonical() may leave it relative
    const fs::path real = fs::weakly_canonical(whole, failed);
    return failed || real.empty() ? whole : real;
}

void lock(const fs::path& claimed, const fs::path& file) {
    for (const Lock& one : locks()) {
        if (one.claimed() == claimed) {
            throw Error("two outputs have this name", {claimed.string()}, "give each its own file");
        }
    }
    locks().emplace_back(claimed, file, take_lock(file, claimed));
}

/// Temporary files of this output whose process is no more: .NAME.PID.NUMBER.tmp
void remove_leftovers(const fs::path& target) {
    const std::string begin = "." + target.filename().string().substr(0, 200) + ".";
    std::error_code failed;
    std::vector<fs::path> leftovers;
    for (const fs::directory_entry& entry :
         fs::directory_iterator(target.has_parent_path() ? target.parent_path() : ".", failed)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(begin) || !name.ends_with(".tmp")) {
            continue;
        }
        int process = 0;
        const char* from = name.data() + begin.size();
        const auto parsed = std::from_chars(from, name.data() + name.size(), process);
        if (parsed.ec == std::errc() && *parsed.ptr == '.' && process > 0 &&
            ::kill(process, 0) != 0 && errno == ESRCH) {
            leftovers.push_back(entry.path());
        }
    }
    for (const fs::path& leftover : leftovers) {
        fs::remove(leftover, failed);
    }
}

std::string head_bytes(const fs::path& path) {
    std::string head(kHeadBytes, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
    return head;
}

void require_folder(const fs::path& path, const fs::path& folder) {
    std::error_code failed;
    if (!fs::is_directory(folder, failed)) {
        throw Error(fmt::format("cannot write: there is no folder {}", folder.string()),
                    {path.string()}, "create it first");
    }
    if (access(folder.c_str(), W_OK | X_OK) != 0) {
        throw Error(fmt::format("cannot write: the folder {} is read-only", folder.string()),
                    {path.string()}, "choose another folder or change its permissions");
    }
    // permissions do not tell everything (a read-only or special file system): try
    std::string trial = (folder / ".hri-trial-XXXXXX").string();
    const int file = mkstemp(trial.data());
    if (file < 0) {
        throw Error(
            fmt::format("cannot write: no file can be made in the folder {}", folder.string()),
            {path.string()}, "choose another folder");
    }
    close(file);
    fs::remove(trial, failed);
}

}  // namespace

bool is_ours(std::string_view content) {
    const std::string_view head = content.substr(0, kHeadBytes);
    if (head.empty()) {
        return true;
    }
    // programs, models, scenes, and what begins with a comment
    for (const std::string_view mark : {"% learned by hri ", "% target: ", "// target: ",
                                        "-- target: ", "hriscene", "{\"blobs\":["}) {
        if (head.starts_with(mark)) {
            return true;
        }
    }
    const std::size_t line = std::min(head.find('\n'), head.size());
    if (const std::size_t at = head.find(kWritten); at <= 5 && at < line) {
        return true;
    }
    // JSON: reports, records; a model after its eight bytes of length
    const std::size_t open = head.find('{');
    const bool is_json = open == 0 || open == 8;
    const auto has = [&](std::string_view mark) {
        return head.find(mark) != std::string_view::npos;
    };
    return is_json && (has("\"format\": \"hri") || has("\"hri_record\":") ||
                       has("\"hri_version\":") || has("\"command\": \"hri "));
}

void require_ours(const fs::path& path) {
    std::error_code failed;
    if (fs::is_regular_file(path, failed) && !is_ours(head_bytes(path))) {
        throw Error("this file exists, and hri did not write it", {path.string()},
                    "give another name, or {force} to replace it");
    }
}

void claim_output(const fs::path& path, bool force) {
    std::error_code failed;
    const fs::path target = resolved(path);
    if (fs::is_directory(target, failed)) {
        throw Error("cannot write: it is a folder", {path.string()}, "give the name of a file");
    }
    if (fs::exists(target, failed) && !fs::is_regular_file(target, failed)) {
        if (access(target.c_str(), W_OK) != 0) {
            throw Error("cannot write: no permission", {path.string()});
        }
        return;  // a pipe or device is written in place
    }
    require_folder(path, target.parent_path());
    if (!force) {
        require_ours(path);
    }
    lock(target,
         target.parent_path() / ("." + target.filename().string().substr(0, 200) + ".lock"));
    remove_leftovers(target);
}

void claim_folder(const fs::path& folder) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed || !fs::is_directory(folder)) {
        throw Error("cannot make the folder" + (failed ? ": " + failed.message() : std::string()),
                    {folder.string()}, "check the path and its permissions");
    }
    require_folder(folder, folder);
    lock(resolved(folder), folder / ".lock");
}

std::string comment(Language language, std::string_view text) {
    std::string shown;
    for (const char c : printable(text)) {
        shown += language == Language::svg && c == '-' && shown.ends_with('-') ? "\\x2d"
                                                                               : std::string(1, c);
    }
    switch (language) {
        case Language::datalog:
        case Language::dot:
            return "// " + shown + "\n";
        case Language::sql:
            return "-- " + shown + "\n";
        case Language::svg:
            return "<!-- " + shown + " -->\n";
        case Language::text:
            return "# " + shown + "\n";
        default:
            return "% " + shown + "\n";
    }
}

std::string head_of_file(Language language) {
    return comment(language, std::string(kWritten) + std::string(version()));
}

}  // namespace hri::base
