// SPDX-License-Identifier: Apache-2.0
#include "server.hpp"

#include "hri/error.hpp"

#include "base/run_record.hpp"
#include "page.hpp"

#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <httplib.h>
#include <memory>
#include <random>

namespace hri::studio {

namespace {

constexpr int kMaxListeners = 16;  // pages that wait for events
constexpr int kThreads = 32;
constexpr auto kKeepAlive = std::chrono::milliseconds(10'000);
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

std::string dumped(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Sends the text uncompressed: the library would compress the text of set_content(), which costs
/// far more time than it saves on one machine.
void send(httplib::Response& response, std::string text, const std::string& type) {
    if (text.empty()) {
        response.set_content(text, type);
        return;
    }
    const auto body = std::make_shared<const std::string>(std::move(text));
    response.set_content_provider(
        body->size(), type,
        [body](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
            return sink.write(body->data() + offset, length);
        });
}

void answer(httplib::Response& response, const Json& json) {
    send(response, dumped(json), "application/json");
}

void refuse(httplib::Response& response, int status, const std::string& message,
            const std::string& hint = {}) {
    response.status = status;
    answer(response, {{"error", message}, {"hint", hint}});
}

/// The same before the body has been read: the connection ends, so that nobody takes the body for
/// another request.
void refuse_unread(const httplib::Request& request, httplib::Response& response, int status,
                   const std::string& message, const std::string& hint = {}) {
    if (request.get_header_value<std::uint64_t>("Content-Length", 0) == 0 &&
        !request.has_header("Transfer-Encoding")) {
        refuse(response, status, message, hint);
        return;
    }
    response.status = status;
    response.set_header("Connection", "close");
    const std::string text = dumped({{"error", message}, {"hint", hint}});
    response.set_content_provider(
        text.size(), "application/json",
        [text](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
            sink.write(text.data() + offset, length);
            return false;
        });
}

std::string cookie(const httplib::Request& request, const std::string& name) {
    const std::string all = request.get_header_value("Cookie");
    for (std::size_t from = 0; from < all.size();) {
        const std::size_t end = std::min(all.find(';', from), all.size());
        std::string one = all.substr(from, end - from);
        one.erase(0, one.find_first_not_of(' '));
        if (one.starts_with(name + "=")) {
            return one.substr(name.size() + 1);
        }
        from = end + 1;
    }
    return {};
}

/// At most 64 levels, so that nothing that walks through it runs out of stack.
Json parsed(const std::string& body) {
    Json json = base::parse_json(body, "the request");
    if (!json.is_object()) {
        throw Error("the request is no JSON object", {},
                    R"(send something like {"name": "value"})");
    }
    return json;
}

/// The message after the place, whose file stands without its folders.
std::string placed(const Error& error) {
    const Place& place = error.place();
    const std::string file = std::filesystem::path(place.file).filename().string();
    if (file.empty()) {
        return error.message();
    }
    return place.line > 0
               ? fmt::format("{}:{}:{}: {}", file, place.line, place.column, error.message())
               : fmt::format("{}: {}", file, error.message());
}

int number(const httplib::Request& request, const char* name, int otherwise) {
    const std::string text = request.get_param_value(name);
    int value = otherwise;
    if (!text.empty()) {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size()) {
            throw Error(fmt::format("{}: expected a whole number", name));
        }
    }
    return value;
}

class Handlers {
  public:
    Handlers(Workspace& workspace, const ServerSettings& settings)
        : workspace_(workspace), settings_(settings) {}

    void add_to(httplib::Server& server, int port) {
        port_ = port;
        cookie_ = fmt::format("hri_studio_{}", port);
        server.set_payload_max_length(settings_.max_upload);
        server.set_read_timeout(10, 0);
        server.set_keep_alive_max_count(1000);
        server.set_default_headers({{"Content-Security-Policy", kPolicy},
                                    {"X-Content-Type-Options", "nosniff"},
                                    {"Referrer-Policy", "no-referrer"},
                                    {"Cache-Control", "no-store"}});
        server.set_pre_routing_handler(
            [this](const httplib::Request& request, httplib::Response& response) {
                return is_allowed(request, response) ? httplib::Server::HandlerResponse::Unhandled
                                                     : httplib::Server::HandlerResponse::Handled;
            });
        server.set_exception_handler([](const httplib::Request&, httplib::Response& response,
                                        const std::exception_ptr& failure) {
            try {
                std::rethrow_exception(failure);
            } catch (const Error& error) {
                refuse(response, 400, placed(error), error.hint());
            } catch (const std::filesystem::filesystem_error& error) {
                refuse(response, 400, "this cannot be read: " + error.code().message());
            } catch (const nlohmann::json::exception&) {
                refuse(response, 400, "this is not the JSON that was expected");
            } catch (const std::exception& error) {
                refuse(response, 500, std::string("internal error: ") + error.what());
            }
        });
        for (const PageFile& file : page_files()) {
            const std::string path =
                file.name == "index.html" ? std::string("/") : "/" + std::string(file.name);
            server.Get(path, [&file](const httplib::Request&, httplib::Response& response) {
                send(response, std::string(file.content),
                     std::string(file.type) + "; charset=utf-8");
            });
        }
        add_data_calls(server);
        add_run_calls(server);
        add_rule_calls(server);
    }

  private:
    using Request = httplib::Request;
    using Response = httplib::Response;

    /// Host and origin are ours, and the token is right. A token in the address of the page becomes
    /// a cookie.
    bool is_allowed(const Request& request, Response& response) const {
        const std::string host = request.get_header_value("Host");
        const auto is_own = [&](const std::string& name) {
            return name == fmt::format("127.0.0.1:{}", port_) ||
                   name == fmt::format("localhost:{}", port_) ||
                   name == fmt::format("[::1]:{}", port_) ||
                   name == fmt::format("{}:{}", settings_.host, port_);
        };
        if (!is_own(host)) {
            refuse_unread(request, response, 403, "this server does not answer for that host");
            return false;
        }
        const std::string origin = request.get_header_value("Origin");
        if (!origin.empty() && origin != "http://" + host) {
            refuse_unread(request, response, 403, "requests from other sites are refused");
            return false;
        }
        if (request.path == "/" && request.has_param("token") &&
            same_secret(request.get_param_value("token"), settings_.token)) {
            response.set_header(
                "Set-Cookie",
                fmt::format("{}={}; HttpOnly; SameSite=Strict; Path=/", cookie_, settings_.token));
            response.set_redirect("/");
            return false;
        }
        const std::string bearer = request.get_header_value("Authorization");
        const bool is_known = same_secret(cookie(request, cookie_), settings_.token) ||
                              same_secret(bearer, "Bearer " + settings_.token);
        if (!is_known) {
            refuse_unread(request, response, 401, "the token is missing or wrong",
                          "open the address that `hri studio` printed");
            return false;
        }
        if (request.method == "POST" && request.path != "/api/upload" &&
            (!request.get_header_value("Content-Type").starts_with("application/json") ||
             request.get_header_value<std::uint64_t>("Content-Length", 0) > settings_.max_body)) {
            refuse_unread(request, response, 400,
                          fmt::format("expected JSON of at most {} bytes", settings_.max_body));
            return false;
        }
        return true;
    }

    void add_data_calls(httplib::Server& server) {
        server.Get("/api/sources", [this](const Request&, Response& response) {
            answer(response, workspace_.sources());
        });
        server.Get("/api/data", [this](const Request&, Response& response) {
            answer(response, workspace_.data());
        });
        server.Post("/api/data", [this](const Request& request, Response& response) {
            const Json body = parsed(request.body);
            workspace_.open(
                {body.at("source"), body.value("target", ""), body.value("closed_world", false)});
            answer(response, workspace_.data());
        });
        server.Get("/api/facts", [this](const Request& request, Response& response) {
            answer(response,
                   workspace_.facts(request.get_param_value("predicate"),
                                    number(request, "instance", 0), number(request, "offset", 0),
                                    number(request, "count", 100)));
        });
        server.Get("/api/graph", [this](const Request& request, Response& response) {
            answer(response, workspace_.graph(number(request, "instance", 0)));
        });
        server.Post("/api/uploads", [this](const Request&, Response& response) {
            answer(response, {{"id", workspace_.new_upload()}});
        });
        server.Post("/api/upload", [this](const Request& request, Response& response) {
            workspace_.upload(request.get_param_value("id"), request.get_param_value("name"),
                              request.body);
            answer(response, {{"bytes", request.body.size()}});
        });
    }

    void add_run_calls(httplib::Server& server) {
        server.Get("/api/fields", [this](const Request&, Response& response) {
            answer(response, workspace_.fields());
        });
        server.Get("/api/state", [this](const Request&, Response& response) {
            send(response, *workspace_.state_text(), "application/json");
        });
        server.Post("/api/start", [this](const Request& request, Response& response) {
            workspace_.start(parsed(request.body));
            send(response, *workspace_.state_text(), "application/json");
        });
        server.Post("/api/resume", [this](const Request& request, Response& response) {
            workspace_.start(parsed(request.body), true);
            send(response, *workspace_.state_text(), "application/json");
        });
        server.Post("/api/stop", [this](const Request&, Response& response) {
            workspace_.stop();
            send(response, *workspace_.state_text(), "application/json");
        });
        server.Get("/api/heat-map.svg", [this](const Request&, Response& response) {
            send(response, workspace_.heat_map_svg(), "image/svg+xml");
        });
        server.Get("/api/hierarchy.svg", [this](const Request&, Response& response) {
            send(response, workspace_.hierarchy_svg(), "image/svg+xml");
        });
        server.Get("/api/events", [this](const Request&, Response& response) {
            if (listeners_ >= kMaxListeners) {
                refuse(response, 503, "too many pages are open");
                return;
            }
            ++listeners_;
            auto seen = std::make_shared<std::uint64_t>(0);
            response.set_chunked_content_provider(
                "text/event-stream",
                [this, seen](std::size_t, httplib::DataSink& sink) {
                    const std::uint64_t now = workspace_.wait(*seen, kKeepAlive);
                    std::string text = ": nothing new\n\n";
                    if (now != *seen) {
                        *seen = now;
                        text = "data: " + *workspace_.state_text() + "\n\n";
                    }
                    return !is_closing_ && sink.write(text.data(), text.size());
                },
                [this](bool) { --listeners_; });
        });
    }

    void add_rule_calls(httplib::Server& server) {
        server.Get("/api/rules", [this](const Request& request, Response& response) {
            answer(response, workspace_.rules(number(request, "program", 0)));
        });
        server.Post("/api/world/rules", [this](const Request& request, Response& response) {
            answer(response, workspace_.world_rules(parsed(request.body)));
        });
        server.Post("/api/world/ask", [this](const Request& request, Response& response) {
            answer(response, workspace_.ask(parsed(request.body)));
        });
        server.Get("/api/examples", [this](const Request& request, Response& response) {
            answer(response, workspace_.examples(
                                 number(request, "program", 0), request.get_param_value("kind"),
                                 number(request, "offset", 0), number(request, "count", 50)));
        });
        server.Post("/api/explain", [this](const Request& request, Response& response) {
            const Json body = parsed(request.body);
            answer(response, workspace_.explain(body.value("program", 0), body.at("atom")));
        });
        server.Post("/api/propose", [this](const Request& request, Response& response) {
            answer(response, workspace_.propose(parsed(request.body).at("rule")));
        });
        server.Get("/api/export", [this](const Request& request, Response& response) {
            send(response,
                 workspace_.exported(number(request, "program", 0),
                                     request.get_param_value("format")),
                 "text/plain; charset=utf-8");
        });
        server.Post("/api/constraints", [this](const Request& request, Response& response) {
            workspace_.constrain(parsed(request.body));
            send(response, *workspace_.state_text(), "application/json");
        });
        server.Get("/api/questions", [this](const Request& request, Response& response) {
            answer(response, workspace_.questions(number(request, "count", 5)));
        });
        server.Post("/api/label", [this](const Request& request, Response& response) {
            const Json body = parsed(request.body);
            workspace_.label(body.at("atom"), body.at("positive"));
            send(response, *workspace_.state_text(), "application/json");
        });
        server.Post("/api/answers", [this](const Request& request, Response& response) {
            const Json body = parsed(request.body);
            answer(response, workspace_.answers(body.value("program", 0), body.at("query"),
                                                body.value("count", 50)));
        });
    }

    Workspace& workspace_;
    const ServerSettings& settings_;
    int port_ = 0;
    std::string cookie_;
    std::atomic<int> listeners_{0};

  public:
    std::atomic<bool> is_closing_{false};
};

}  // namespace

std::string random_token() {
    std::random_device device;
    std::string token;
    for (int i = 0; i < 8; ++i) {
        token += fmt::format("{:08x}", device());
    }
    return token;
}

bool same_secret(const std::string& a, const std::string& b) {
    unsigned difference = a.size() == b.size() ? 0U : 1U;
    for (std::size_t i = 0; i < b.size(); ++i) {
        difference |= static_cast<unsigned>(static_cast<unsigned char>(b[i])) ^
                      static_cast<unsigned>(static_cast<unsigned char>(i < a.size() ? a[i] : '\0'));
    }
    return difference == 0;
}

void serve(Workspace& workspace, const ServerSettings& settings, const std::atomic<bool>& interrupt,
           const std::function<void(int port)>& ready) {
    Handlers handlers(workspace, settings);
    httplib::Server server;
    server.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
    int port = settings.port;
    if (port == 0) {
        port = server.bind_to_any_port(settings.host);
    } else if (!server.bind_to_port(settings.host, port)) {
        port = -1;
    }
    if (port < 0) {
        throw Error(fmt::format("the port {} of {} cannot be used", settings.port, settings.host),
                    {}, "choose another one by {port}, or 0 for any");
    }
    handlers.add_to(server, port);
    std::thread watcher([&] {
        while (!interrupt && !handlers.is_closing_) {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
        handlers.is_closing_ = true;
        workspace.close();
        server.stop();
    });
    ready(port);
    server.listen_after_bind();
    handlers.is_closing_ = true;
    watcher.join();
}

}  // namespace hri::studio
