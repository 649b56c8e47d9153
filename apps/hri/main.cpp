// SPDX-License-Identifier: Apache-2.0

// hri: learns logic programs from relational examples. One file per command.

#include "hri/error.hpp"

#include "base/mpi.hpp"
#include "command.hpp"
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
        CLI::App app("Learns logic programs from relational examples by gradient descent.", "hri");
        app.set_version_flag("--version", "hri " HRI_VERSION);
        app.require_subcommand(1);
        app.footer(
            "Example:\n  hri learn grandparent\n\n`hri COMMAND --help` tells about a command.");
        Action action;
        add_learn(app, action);
        add_ask(app, action);
        add_eval(app, action);
        add_multitask(app, action);
        add_rules(app, action);
        add_export(app, action);
        add_explain(app, action);
        add_plot(app, action);
        add_inspect(app, action);
        add_tasks(app, action);
        add_reproduce(app, action);
        add_rl(app, action);
        add_scenes(app, action);
        add_reach(app, action);
        add_bench(app, action);

        if (const std::optional<int> answered = parse(app, {argv, argv + argc})) {
            return *answered;
        }
        const int code = action();
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
