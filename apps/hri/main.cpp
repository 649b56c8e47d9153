// SPDX-License-Identifier: Apache-2.0

// hri: learns logic programs from relational examples. One file per command.

#include "hri/error.hpp"

#include "base/mpi.hpp"
#include "base/secrets.hpp"
#include "base/utf8.hpp"
#include "commands.hpp"
#include "parse.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <system_error>

namespace {

/// Texts of data and arguments stand in messages: without passwords and terminal escapes.
int failed(const std::string& message, int code) {
    std::string shown;
    std::istringstream lines(hri::base::without_secrets(message));
    for (std::string line; std::getline(lines, line);) {
        std::replace(line.begin(), line.end(), '\t', ' ');
        shown += (shown.empty() ? "" : "\n") + hri::base::printable(line);
    }
    hri::base::Communicator::give_up(shown, code);
    std::fprintf(stderr, "%s\n", shown.c_str());
    return code;
}

/// Allocates nothing.
int out_of_memory() {
    std::fputs("hri: out of memory (use smaller data, fewer threads, or a machine with more)\n",
               stderr);
    hri::base::Communicator::give_up(std::string(), hri::cli::kMistake);
    return hri::cli::kMistake;
}

/// Memory for destructors, some of which allocate, where there is no more.
std::unique_ptr<char[]>& reserve() {
    static std::unique_ptr<char[]> bytes;
    return bytes;
}

[[noreturn]] void on_lack_of_memory() {
    reserve().reset();
    throw std::bad_alloc();
}

}  // namespace

int main(int argc, char** argv) {
    using namespace hri::cli;
    reserve() = std::make_unique<char[]>(std::size_t{4} << 20U);
    std::set_new_handler(on_lack_of_memory);
    try {
        Command program = all_commands();
        const int code = run_command_line(program, {argv, argv + argc});
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
            throw hri::Error("cannot write to standard output");
        }
        return code;
    } catch (const std::bad_alloc&) {
        return out_of_memory();
    } catch (const hri::Error& error) {
        return failed(std::string("hri: ") + error.what(), kMistake);
    } catch (const std::system_error& error) {  // what fmt throws; our own files give Error
        return std::ferror(stdout) != 0
                   ? failed("hri: cannot write to standard output", kMistake)
                   : failed(std::string("hri: internal error: ") + error.what(), kInternal);
    } catch (const std::exception& error) {
        return failed(std::string("hri: internal error: ") + error.what(), kInternal);
    }
}
