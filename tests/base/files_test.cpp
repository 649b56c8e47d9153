// SPDX-License-Identifier: Apache-2.0
#include "hri/data.hpp"

#include "base/file_faults.hpp"
#include "data/scratch_folder.hpp"

#include <cerrno>
#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hri {
namespace {

namespace fs = std::filesystem;
using test::ScratchFolder;

int entries(const fs::path& folder) {
    return static_cast<int>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

template <class Action>
std::string error_of(Action action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(Files, GiveBackWhatWasWritten) {
    const ScratchFolder folder;
    std::string content = "first\n\nlast line without an end";
    content += '\0';
    content += std::string(200'000, 'x');
    write_file(folder / "a.txt", content);
    EXPECT_EQ(read_file(folder / "a.txt"), content);
    write_file(folder / "a.txt", "");
    EXPECT_EQ(read_file(folder / "a.txt"), "");
    EXPECT_EQ(entries(folder.path()), 1);
}

TEST(Files, AreFoundInTheCurrentFolder) {
    const ScratchFolder folder;
    const fs::path before = fs::current_path();
    fs::current_path(folder.path());
    write_file("plain.txt", "here");
    EXPECT_EQ(read_file("plain.txt"), "here");
    fs::current_path(before);
}

TEST(Files, TellThatAFileIsMissing) {
    const ScratchFolder folder;
    const std::string path = (folder / "missing.pl").string();
    EXPECT_EQ(error_of([&] { read_file(path); }),
              path + ": cannot read: No such file or directory (check the path)");
}

TEST(Files, TellThatTheFolderOfAFileIsMissing) {
    const ScratchFolder folder;
    const std::string path = (folder / "missing/model.txt").string();
    EXPECT_EQ(error_of([&] { write_file(path, "x"); }),
              path + ": cannot write: No such file or directory (check the path)");
}

TEST(Files, TellThatAFolderStandsInTheWay) {
    const ScratchFolder folder;
    const std::string path = folder.path().string();
    EXPECT_EQ(error_of([&] { read_file(path); }),
              path + ": cannot read: this is a folder (give the name of a file)");
    EXPECT_EQ(error_of([&] { write_file(path, "x"); }),
              path + ": cannot write: this is a folder (give the name of a file)");
    EXPECT_EQ(entries(folder.path()), 0);
}

TEST(Files, TellThatAFileStandsWhereAFolderIsExpected) {
    const ScratchFolder folder;
    write_file(folder / "a", "x");
    const std::string path = (folder / "a/b").string();
    EXPECT_EQ(error_of([&] { write_file(path, "x"); }),
              path + ": cannot write: Not a directory (check the path)");
}

TEST(Files, AreNotWrittenIntoAReadOnlyFolder) {
    const ScratchFolder folder;
    fs::permissions(folder.path(), fs::perms(0555));
    constexpr uid_t kNobody = 65534;
    const bool is_root = geteuid() == 0;  // who writes everywhere
    if (is_root && seteuid(kNobody) != 0) {
        GTEST_SKIP() << "cannot give up being root";
    }
    const std::string path = (folder / "a").string();
    const std::string message = error_of([&] { write_file(path, "x"); });
    if (is_root) {
        ASSERT_EQ(seteuid(0), 0);
    }
    fs::permissions(folder.path(), fs::perms::owner_all);
    EXPECT_EQ(message, path +
                           ": cannot write: Permission denied (check the permissions of the file "
                           "and its folder)");
    EXPECT_EQ(entries(folder.path()), 0);
}

TEST(Files, StayAsTheyWereWhenWritingFails) {
    const ScratchFolder folder;
    write_file(folder / "a", "old");
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{4096, before.rlim_max};
    auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    const std::string message =
        error_of([&] { write_file(folder / "a", std::string(100'000, 'x')); });
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_NE(message.find("cannot write: File too large"), std::string::npos) << message;
    EXPECT_EQ(read_file(folder / "a"), "old");
    EXPECT_EQ(entries(folder.path()), 1) << "the temporary file is left over";
}

TEST(Files, BehindALinkAreReplacedAndTheLinkStays) {
    const ScratchFolder folder;
    write_file(folder / "real", "old");
    fs::create_symlink(folder / "real", folder / "link");
    write_file(folder / "link", "new");
    EXPECT_TRUE(fs::is_symlink(folder / "link"));
    EXPECT_EQ(read_file(folder / "real"), "new");
}

TEST(Files, ThatAreDevicesAreWrittenDirectly) {
    if (!fs::exists("/dev/full")) {
        GTEST_SKIP() << "there is no /dev/full";
    }
    EXPECT_EQ(error_of([] { write_file("/dev/full", "x"); }),
              "/dev/full: cannot write: No space left on device (free some space)");
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST(Files, KeepTheModeOfWhatTheyReplace) {
    const ScratchFolder folder;
    write_file(folder / "a", "old");
    fs::permissions(folder / "a", fs::perms(0600));
    write_file(folder / "a", "new");
    EXPECT_EQ(fs::status(folder / "a").permissions(), fs::perms(0600));
}

TEST(Files, BehindADanglingLinkAreMadeAndTheLinkStays) {
    const ScratchFolder folder;
    fs::create_symlink("real", folder / "link");
    write_file(folder / "link", "new");
    EXPECT_TRUE(fs::is_symlink(folder / "link"));
    EXPECT_EQ(read_file(folder / "real"), "new");
}

TEST(Files, TakeLongNames) {
    const ScratchFolder folder;
    const std::string name(250, 'n');
    write_file(folder / name, "x");
    EXPECT_EQ(read_file(folder / name), "x");
}

TEST(Files, ThatArePipesWithoutAReaderAreRefused) {
    const ScratchFolder folder;
    ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
    const std::string message = error_of([&] { write_file(folder / "pipe", "x"); });
    EXPECT_NE(message.find("this is a pipe that nobody reads"), std::string::npos) << message;
}

// Every call that can fail does so once: the old file stays whole, and nothing is left behind.
TEST(Files, SurviveEveryFault) {
    const ScratchFolder folder;
    for (const int code : {ENOSPC, EIO, EDQUOT, EACCES, EROFS}) {
        int failed = 0;
        for (int k = 1;; ++k) {
            write_file(folder / "a", "old");
            int calls = 0;
            std::string message;
            {
                const base::FileFaults faults([&](const char*) { return ++calls == k ? code : 0; });
                message = error_of([&] { write_file(folder / "a", "new"); });
            }
            EXPECT_EQ(entries(folder.path()), 1) << "call " << k;
            if (message == "no error") {
                EXPECT_EQ(read_file(folder / "a"), "new");
                break;
            }
            ++failed;
            EXPECT_EQ(read_file(folder / "a"), "old") << "call " << k;
        }
        EXPECT_EQ(failed, 4) << "open, write, fsync, rename";
    }
}

}  // namespace
}  // namespace hri
