// SPDX-License-Identifier: Apache-2.0

// hri studio [DATA]: a page to see the data, watch a run, question and correct the rules.

#include "hri/error.hpp"

#include "commands.hpp"
#include "interrupt.hpp"
#include "own_fields.hpp"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#ifdef HRI_STUDIO
#include "studio/server/server.hpp"

#include <spawn.h>
#include <unistd.h>
#endif

namespace hri::cli {
namespace {

struct Flags {
    std::string data;
    std::string target;
    std::string host = "127.0.0.1";
    int port = 8420;
    bool remote = false;
    bool browser = true;
    std::string folder;
    std::vector<std::string> roots;
};

#ifdef HRI_STUDIO

/// The folder of sessions unless the user names another.
std::filesystem::path standard_folder() {
    if (const char* state = std::getenv("XDG_STATE_HOME"); state != nullptr && *state != '\0') {
        return std::filesystem::path(state) / "hri" / "studio";
    }
    const char* home = std::getenv("HOME");
    return std::filesystem::path(home != nullptr ? home : ".") / ".local/state/hri/studio";
}

bool is_loopback(const std::string& host) {
    return host == "localhost" || host == "::1" || host.starts_with("127.");
}

void open_browser(const std::string& address) {
    if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) {
        return;
    }
    std::string program = "xdg-open";
    std::string argument = address;
    char* arguments[] = {program.data(), argument.data(), nullptr};
    pid_t child = 0;
    posix_spawnp(&child, program.c_str(), nullptr, nullptr, arguments, environ);
}

/// Whether the name/arity is what the user calls it; nothing calls all.
bool is_target(const std::string& target, const std::string& wanted) {
    return wanted.empty() || target == wanted || target.substr(0, target.rfind('/')) == wanted;
}

int run(const Flags& flags) {
    if (!is_loopback(flags.host) && !flags.remote) {
        throw Error(fmt::format("host: {} can be reached from other machines", flags.host), {},
                    "add {remote=true} if everybody who has the token may read your data and start "
                    "runs; the connection is not encrypted");
    }
    std::vector<std::filesystem::path> roots(flags.roots.begin(), flags.roots.end());
    if (roots.empty()) {
        roots.push_back(std::filesystem::current_path());
    }
    std::error_code ignored;
    if (!flags.data.empty() && std::filesystem::exists(flags.data, ignored)) {
        roots.emplace_back(flags.data);
    }
    studio::Workspace workspace(
        flags.folder.empty() ? standard_folder() : std::filesystem::path(flags.folder), roots);
    const studio::Json before = workspace.state()["data"];
    const bool is_open = !before.is_null() && before["source"] == flags.data &&
                         is_target(before["target"], flags.target);
    if (!flags.data.empty() && !is_open) {
        workspace.open({flags.data, flags.target, false, true});
    }
    studio::ServerSettings settings;
    settings.host = flags.host;
    settings.port = flags.port;
    settings.token = studio::random_token();
    studio::serve(workspace, settings, catch_interrupts(), [&](int port) {
        const std::string host =
            flags.host.find(':') != std::string::npos ? "[" + flags.host + "]" : flags.host;
        const std::string address =
            fmt::format("http://{}:{}/?token={}", host, port, settings.token);
        fmt::print("{}\n", address);
        std::fflush(stdout);
        fmt::print(stderr, "hri: the studio is open; Ctrl-C ends it\n");
        if (flags.browser) {
            open_browser(address);
        }
    });
    return kYes;
}

#else

int run(const Flags&) {
    throw Error("this program was built without the studio", {},
                "install libcpp-httplib-dev and build again");
}

#endif

}  // namespace

Command studio_command() {
    using F = Flags;
    static const std::vector<Field<F>> fields = {
        base::text(own("data",
                       "Data to open: a folder, a file, a database, task:NAME, policy:TASK or "
                       "scenes:synthetic.",
                       "DATA"),
                   &F::data),
        base::text(own("target", "The target to learn, where the data have several.", "TARGET"),
                   &F::target),
        base::number(own("port", "The port; 0 takes any that is free.", "PORT"), &F::port, 0,
                     65'535),
        base::text(rare("folder", "Keeps uploads, the session and its checkpoint there.", "FOLDER"),
                   &F::folder),
        base::list(
            rare("root",
                 "Folders that the page may read, separated by commas; else the current one.",
                 "FOLDERS"),
            &F::roots),
        base::text(rare("host", "The address to listen on.", "ADDRESS"), &F::host),
        base::boolean(rare("remote", "Allows a host that other machines can reach."), &F::remote),
        base::boolean(off("browser", "no-browser", "Does not open a browser."), &F::browser)};
    auto flags = std::make_shared<Flags>();
    Command command{
        .name = "studio",
        .help = "Opens a page to see data, watch learning, and question and correct rules.",
        .details =
            "The page is served on this machine only, and needs the token in the address "
            "that is printed. A run goes on when the page is closed, and can be resumed "
            "after a restart.",
        .examples =
            "hri studio examples/data/family\nhri studio task:grandparent --port 0\n"
            "hri studio shop.sqlite --target churned"};
    add_flags(command, *flags, fields);
    make_argument(command, "data", false);
    command.run = [flags] { return run(*flags); };
    return command;
}

}  // namespace hri::cli
