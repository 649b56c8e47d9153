// SPDX-License-Identifier: Apache-2.0

// hri: learns logic programs from relational examples. One file per command.

#include "hri/error.hpp"

#include "base/mpi.hpp"
#include "commands.hpp"
#include "parse.hpp"

#include <cstdio>
#include <string>

namespace {

int failed(const std::string& message, int code) {
    hri::base::Communicator::give_up(message, code);
    std::fprintf(stderr, "%s\n", message.c_str());
    return code;
}

}  // namespace

int main(int argc, char** argv) {
    using namespace hri::cli;
    try {
        Command program = all_commands();
        const int code = run_command_line(program, {argv, argv + argc});
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
            throw hri::Error("cannot write to standard output");
        }
        return code;
    } catch (const hri::Error& error) {
        return failed(std::string("hri: ") + error.what(), kMistake);
    } catch (const std::exception& error) {
        return failed(std::string("hri: internal error: ") + error.what(), kInternal);
    }
}
