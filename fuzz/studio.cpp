// SPDX-License-Identifier: Apache-2.0
// Requests to the studio over HTTP, and the session that its folder keeps. The first byte chooses
// the call; the rest is the body, or values of parameters with a zero byte between them. Whatever
// comes: an answer that is no internal error, and JSON where it says so.

#include "hri/data.hpp"

#include "fuzz/parts.hpp"
#include "studio/server/server.hpp"
#include "studio/server/workspace.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <httplib.h>
#include <string>
#include <thread>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

constexpr const char* kGet[] = {"/api/data",      "/api/facts",   "/api/graph",    "/api/state",
                                "/api/rules",     "/api/sources", "/api/examples", "/api/export",
                                "/api/questions", "/api/fields"};
constexpr const char* kPost[] = {"/api/explain", "/api/propose", "/api/answers", "/api/constraints",
                                 "/api/label",   "/api/data",    "/api/start"};
constexpr const char* kParameters[] = {"predicate", "instance", "offset", "count",
                                       "program",   "kind",     "format"};

fs::path scratch() {
    const fs::path memory = "/dev/shm";
    const fs::path folder = (fs::is_directory(memory) ? memory : fs::temp_directory_path()) /
                            ("hri-fuzz-studio-" + std::to_string(getpid()));
    fs::create_directories(folder / "task");
    hri::write_file(folder / "task/bk.pl", "edge(a,b). edge(b,c). edge(c,a). red(b).\n");
    hri::write_file(folder / "task/exs.pl",
                    "pos(back(b,a)). pos(back(c,b)). neg(back(a,b)). neg(back(a,a)).\n");
    return folder;
}

/// A server that lives as long as the process.
struct Studio {
    fs::path folder = scratch();
    hri::studio::Workspace workspace{folder / "state", {folder}};
    std::atomic<bool> interrupt{false};
    int port = 0;
    std::thread thread;

    Studio() {
        reopen();
        std::promise<int> ready;
        thread = std::thread([this, &ready] {
            hri::studio::serve(workspace, {.token = "token"}, interrupt,
                               [&ready](int found) { ready.set_value(found); });
        });
        port = ready.get_future().get();
    }

    ~Studio() {
        interrupt = true;
        thread.join();
        std::error_code ignored;
        fs::remove_all(folder, ignored);
    }

    void reopen() { workspace.open({.source = (folder / "task").string(), .is_trusted = true}); }
};

void check(const httplib::Result& result, const std::string& call) {
    if (!result || result->status == 500) {
        std::fprintf(stderr, "%s: %s\n", call.c_str(), result ? result->body.c_str() : "no answer");
        std::abort();
    }
    if (result->get_header_value("Content-Type") == "application/json")
        static_cast<void>(nlohmann::json::parse(result->body));
}

/// A session that a folder holds is opened again, or is left with a warning.
void restore(const Studio& studio, const std::string& session) {
    const fs::path folder = studio.folder / "restored";
    fs::create_directories(folder);
    hri::write_file(folder / "session.json", session);
    const hri::studio::Workspace workspace(folder, {studio.folder});
    static_cast<void>(workspace.state());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static Studio studio;
    static httplib::Client client("127.0.0.1", studio.port);
    client.set_keep_alive(true);
    client.set_read_timeout(60, 0);
    if (size == 0)
        return 0;
    const std::string rest(reinterpret_cast<const char*>(data) + 1, size - 1);
    const httplib::Headers headers = {{"Authorization", "Bearer token"}};
    const std::size_t which = data[0] % (std::size(kGet) + std::size(kPost) + 1);
    if (which < std::size(kGet)) {
        httplib::Params parameters;
        std::size_t next = 0;
        for (const hri::data::TextFile& part :
             hri::fuzz::parts(data + 1, size - 1, {std::begin(kParameters), std::end(kParameters)}))
            parameters.emplace(kParameters[next++], part.text);
        check(client.Get(kGet[which], parameters, headers), kGet[which]);
    } else if (which < std::size(kGet) + std::size(kPost)) {
        const char* call = kPost[which - std::size(kGet)];
        check(client.Post(call, headers, rest, "application/json"), call);
        studio.workspace.stop();
        studio.reopen();
    } else {
        restore(studio, rest);
    }
    return 0;
}
