// SPDX-License-Identifier: Apache-2.0
#include "data/grounding/prolog_process.hpp"

#include "data/grounding/prolog_server.hpp"
#include "logic/prolog/terms.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX declares it nowhere

namespace hri::data {
namespace {

constexpr int kPatience = 120'000;  // ms without a word: inferences are bounded, built-ins are not
constexpr std::size_t kLongestAnswer = std::size_t{1} << 30U;

constexpr const char* kGoal =
    "current_prolog_flag(argv,Argv),last(Argv,Text),open_string(Text,S),"
    "load_files(hri_server,[stream(S)]),hri_serve";

std::int64_t take_number(std::string_view& text) {
    while (text.starts_with(' ')) {
        text.remove_prefix(1);
    }
    std::int64_t value = -1;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    return value;
}

/// The text as part of a string in double quotes.
std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            result += '\\';
        }
        result += c;
    }
    return result;
}

}  // namespace

PrologProcess::PrologProcess() {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        throw Error("there is no way to talk to SWI-Prolog: too many open files?");
    }
    socket_ = ends[0];
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const std::string server(prolog_server());
    std::array<std::string, 9> words = {"swipl", "-q",  "-f", "none", "--no-tty",
                                        "-g",    kGoal, "--", server};
    std::vector<char*> argv;
    for (std::string& word : words) {
        argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    const int status = posix_spawnp(&process_, "swipl", &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (status != 0) {
        close(socket_);
        throw Error("the background needs SWI-Prolog, and there is no program swipl", {},
                    "install it: on Debian, apt install swi-prolog-nox");
    }
}

PrologProcess::~PrologProcess() {
    close(socket_);
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
}

void PrologProcess::fail(const std::string& what) const {
    throw Error("SWI-Prolog " + what + " while it ran the background");
}

void PrologProcess::send(std::string_view request) {
    received_.erase(0, at_);
    at_ = 0;
    while (!request.empty()) {
        const ssize_t sent = ::send(socket_, request.data(), request.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR) {
            fail("ended");
        }
        request.remove_prefix(sent < 0 ? 0 : static_cast<std::size_t>(sent));
    }
}

std::string_view PrologProcess::line() {
    std::size_t from = at_;
    while (true) {
        const std::size_t end = received_.find('\n', from);
        if (end != std::string::npos) {
            const std::string_view text(received_.data() + at_, end - at_);
            at_ = end + 1;
            return text;
        }
        from = received_.size();
        pollfd wait{socket_, POLLIN, 0};
        const int ready = poll(&wait, 1, kPatience);
        if (ready == 0) {
            kill(process_, SIGKILL);
            fail("did not answer for " + std::to_string(kPatience / 1000) + " seconds");
        }
        std::array<char, 65536> piece{};
        const ssize_t got = ready < 0 ? -1 : recv(socket_, piece.data(), piece.size(), 0);
        if (got == 0 || (got < 0 && errno != EINTR) || received_.size() > kLongestAnswer) {
            fail("ended");
        }
        received_.append(piece.data(), got < 0 ? 0 : static_cast<std::size_t>(got));
    }
}

void PrologProcess::announce(std::string_view text) {
    // what our reader cannot read is kept as an atom of that text
    constants_.push_back(prolog::constant_name(text).value_or(std::string(text)));
    numbers_.try_emplace(constants_.back(), static_cast<std::int32_t>(constants_.size()) - 1);
}

void PrologProcess::load(std::string_view text, const std::string& file) {
    send("load(\"" + escaped(text) + "\").\n");
    std::string_view answer = line();
    if (answer.starts_with("e error ")) {
        answer.remove_prefix(std::string_view("e error ").size());
        const auto at = static_cast<int>(take_number(answer));
        throw Error("SWI-Prolog cannot read this: " + std::string(answer), {file, at, 1});
    }
}

std::int32_t PrologProcess::number(const std::string& constant) {
    if (const auto known = numbers_.find(constant); known != numbers_.end()) {
        return known->second;
    }
    const std::size_t before = constants_.size();
    send("term(" + prolog::quoted(constant) + ").\n");
    std::int32_t number = -1;
    for (std::string_view answer = line(); !answer.starts_with('e'); answer = line()) {
        if (answer.starts_with("t ")) {
            announce(answer.substr(2));
        } else if (answer.starts_with("n ")) {
            answer.remove_prefix(2);
            number = static_cast<std::int32_t>(take_number(answer));
        }
    }
    if (number < 0 || static_cast<std::size_t>(number) >= constants_.size()) {
        fail("cannot read the constant " + constant);
    }
    // 1.50 is 1.5: the data's way to write it stays, the first where there are several
    if (static_cast<std::size_t>(number) >= before) {
        constants_[static_cast<std::size_t>(number)] = constant;
    }
    numbers_.try_emplace(constant, number);
    return number;
}

PrologProcess::Answer PrologProcess::call(const PredicateSymbol& symbol,
                                          std::span<const std::int32_t> arguments,
                                          const Bounds& bounds) {
    std::string request = bounds.guarded ? "call(hri_guarded," : "call(hri_raw,";
    request += prolog::quoted_predicate(symbol.name) + ",[";
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        request += (i == 0 ? "" : ",") + (arguments[i] < 0 ? "_" : std::to_string(arguments[i]));
    }
    request +=
        "]," + std::to_string(bounds.inferences) + "," + std::to_string(bounds.solutions) + ").\n";
    send(request);
    Answer answer;
    while (true) {
        std::string_view text = line();
        const char kind = text.empty() ? ' ' : text[0];
        text.remove_prefix(std::min<std::size_t>(text.size(), 2));
        if (kind == 't') {
            announce(text);
        } else if (kind == 'r') {
            for (std::size_t i = 0; i < arguments.size(); ++i) {
                answer.rows.push_back(static_cast<std::int32_t>(take_number(text)));
            }
            if (arguments.empty()) {
                answer.rows.push_back(0);  // it holds
            }
        } else if (kind == 'e') {
            answer.status = text == "ok"           ? Status::ok
                            : text == "open"       ? Status::open
                            : text == "unguarded"  ? Status::unguarded
                            : text == "inferences" ? Status::inferences
                            : text == "solutions"  ? Status::solutions
                                                   : Status::error;
            answer.message = std::string(text);
            return answer;
        }
    }
}

}  // namespace hri::data
