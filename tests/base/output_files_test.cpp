// SPDX-License-Identifier: Apache-2.0
#include "base/output_files.hpp"

#include "hri/error.hpp"
#include "hri/files.hpp"

#include "data/scratch_folder.hpp"

#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>

namespace hri::base {
namespace {

namespace fs = std::filesystem;
using test::ScratchFolder;

std::string claim_error(const fs::path& path, bool force = false) {
    try {
        claim_output(path, force);
    } catch (const Error& error) {
        return error.message();
    }
    return "no error";
}

TEST(OutputFiles, AreOursByTheirFirstBytes) {
    for (const char* ours :
         {"", "% learned by hri 0.2.0 from family\n", "% written by hri 0.2.0\nedge(a,b).\n",
          "-- written by hri 0.2.0\n", "<!-- written by hri 0.2.0 -->\n<svg>",
          "{\n  \"format\": \"hri 1\",", "{\"blobs\":[],\"hri_record\":1", "% target: p/2\n"}) {
        EXPECT_TRUE(is_ours(ours)) << ours;
    }
    EXPECT_TRUE(is_ours(std::string("\x08\x01\0\0\0\0\0\0", 8) +
                        "{\"__metadata__\":{\"hri_version\":\"0.2.0\""));
    for (const char* other : {"my thesis", "edge(a,b).\n", "{\"a\": 1}", "{\n  \"version\": \"2\"",
                              "This was written by hri last year.", "\n"}) {
        EXPECT_FALSE(is_ours(other)) << other;
    }
}

TEST(OutputFiles, ThatAreNotOursAreNotReplaced) {
    const ScratchFolder folder;
    write_file(folder / "thesis.txt", "my thesis");
    EXPECT_EQ(claim_error(folder / "thesis.txt"), "this file exists, and hri did not write it");
    EXPECT_EQ(claim_error(folder / "thesis.txt", true), "no error");
    write_file(folder / "program.pl", head_of_file(Language::prolog) + "p(a).\n");
    EXPECT_EQ(claim_error(folder / "program.pl"), "no error");
    EXPECT_EQ(claim_error(folder / "new"), "no error");
}

TEST(OutputFiles, MayStandInTheCurrentFolder) {
    const ScratchFolder folder;
    const fs::path before = fs::current_path();
    fs::current_path(folder.path());
    EXPECT_EQ(claim_error("plain.txt"), "no error");
    fs::current_path(before);
}

TEST(OutputFiles, OfOneNameAreAMistake) {
    const ScratchFolder folder;
    fs::create_symlink(folder / "x", folder / "y");
    EXPECT_EQ(claim_error(folder / "x"), "no error");
    EXPECT_EQ(claim_error(folder / "x"), "two outputs have this name");
    EXPECT_EQ(claim_error(folder.path() / "." / "x"), "two outputs have this name");
}

TEST(OutputFiles, ThatAnotherRunWritesAreRefused) {
    const ScratchFolder folder;
    const int other = open((folder / ".x.lock").c_str(), O_RDWR | O_CREAT, 0600);
    ASSERT_EQ(flock(other, LOCK_EX), 0);
    EXPECT_EQ(claim_error(folder / "x"), "another run of hri is writing this");
    close(other);
    EXPECT_EQ(claim_error(folder / "x"), "no error") << "a lock file that nobody holds counts for "
                                                        "nothing";
}

TEST(OutputFiles, LoseWhatKilledRunsLeftBehind) {
    const ScratchFolder folder;
    write_file(folder / ".x.999999999.0.tmp", "half");
    write_file(folder / (".x." + std::to_string(getpid()) + ".0.tmp"), "of a living process");
    write_file(folder / ".xy.999999999.0.tmp", "of another output");
    EXPECT_EQ(claim_error(folder / "x"), "no error");
    EXPECT_FALSE(fs::exists(folder / ".x.999999999.0.tmp"));
    EXPECT_TRUE(fs::exists(folder / (".x." + std::to_string(getpid()) + ".0.tmp")));
    EXPECT_TRUE(fs::exists(folder / ".xy.999999999.0.tmp"));
}

TEST(Comment, HoldsNothingButText) {
    EXPECT_EQ(comment(Language::prolog, "fam\n:- initialization(halt)."),
              "% fam\\n:- initialization(halt).\n");
    EXPECT_EQ(comment(Language::sql, "a\r\nDROP TABLE x;"), "-- a\\x0d\\nDROP TABLE x;\n");
    EXPECT_EQ(comment(Language::svg, "a--><script>"), "<!-- a-\\x2d><script> -->\n");
    EXPECT_EQ(comment(Language::dot,
                      "a\xE2\x80\xA8"
                      "b"),
              "// a\\u2028b\n");
    EXPECT_EQ(comment(Language::latex, "a\x1b[2J"), "% a\\x1b[2J\n");
    EXPECT_EQ(comment(Language::text, "Mäuse"), "# Mäuse\n");
}

}  // namespace
}  // namespace hri::base
