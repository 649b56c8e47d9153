// SPDX-License-Identifier: Apache-2.0
#pragma once

// Real databases for tests: the sqlite3 program, and a PostgreSQL server of one's own on a socket
// in a scratch folder.
//
//   const Postgres server;
//   if (!server.running()) GTEST_SKIP() << server.why_not();
//   EXPECT_EQ(server.run("SELECT 1;"), "1\n");

#include "hri/data.hpp"

#include "data/scratch_folder.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace hri::test {

/// What a shell command prints, errors included, and its exit status if that is not 0.
inline std::string printed_by(const std::string& command, const std::filesystem::path& folder) {
    const std::filesystem::path out = folder / "printed.txt";
    const int status =
        std::system(("( " + command + " ) < /dev/null > '" + out.string() + "' 2>&1").c_str());
    return read_file(out) + (status == 0 ? "" : "exit status " + std::to_string(status) + "\n");
}

inline bool is_installed(const std::string& program) {
    return std::system(("command -v " + program + " > /dev/null 2>&1").c_str()) == 0;
}

/// Runs a script with the sqlite3 program on a database file.
inline std::string run_sqlite(const std::string& script,
                              const std::filesystem::path& database = ":memory:") {
    const ScratchFolder folder;
    write_file(folder / "script.sql", script);
    return printed_by("timeout 120 sqlite3 -bail -batch '" + database.string() + "' '.read " +
                          (folder / "script.sql").string() + "'",
                      folder.path());
}

class Postgres {
  public:
    Postgres() {
        const std::string found = printed_by(
            "ls -d /usr/lib/postgresql/*/bin/initdb | sort -V | tail -n 1", folder_.path());
        if (!found.starts_with('/') || !is_installed("psql")) {
            why_not_ = "there is no PostgreSQL server here (package postgresql)";
            return;
        }
        const std::string bin = found.substr(0, found.find("/initdb"));
        // the server refuses to run as root
        if (getuid() == 0) {
            as_ = "runuser -u postgres -- ";
            if (std::system(("chown postgres '" + folder_.path().string() + "'").c_str()) != 0) {
                why_not_ = "there is no user postgres (package postgresql)";
                return;
            }
        }
        const std::string at = folder_.path().string();
        control_ = "cd / && " + as_ + bin + "/pg_ctl -w -s -D '" + at + "/data' -l '" + at +
                   "/log' -o \"-c listen_addresses='' -c fsync=off -c jit=off -k '" + at + "'\" ";
        std::string told = printed_by("cd / && " + as_ + bin +
                                          "/initdb -N -A trust -U postgres "
                                          "-E UTF8 --locale=C -D '" +
                                          at + "/data' > '" + at + "/initdb.log'",
                                      scratch_.path());
        running_ = std::system((control_ + "start > /dev/null 2>&1").c_str()) == 0;
        if (!running_) {
            why_not_ = "PostgreSQL does not start: " + told;
        }
    }

    ~Postgres() {
        if (running_ &&
            std::system((control_ + "-m immediate stop > /dev/null 2>&1").c_str()) != 0) {
            std::fputs("PostgreSQL does not stop\n", stderr);
        }
    }

    Postgres(const Postgres&) = delete;
    Postgres& operator=(const Postgres&) = delete;

    bool running() const { return running_; }

    const std::string& why_not() const { return why_not_; }

    /// As libpq takes it.
    std::string connection() const {
        return "postgresql:///postgres?host=" + folder_.path().string() + "&user=postgres";
    }

    std::string run(const std::string& script) const {
        write_file(scratch_ / "script.sql", script);
        return printed_by(
            "PGOPTIONS=--client-min-messages=warning timeout 120 psql -X -q -A -t -v "
            "ON_ERROR_STOP=1 -f '" +
                (scratch_ / "script.sql").string() + "' '" + connection() + "'",
            scratch_.path());
    }

  private:
    ScratchFolder folder_;   // the server's
    ScratchFolder scratch_;  // ours
    std::string as_;
    std::string control_;
    std::string why_not_;
    bool running_ = false;
};

}  // namespace hri::test
