// SPDX-License-Identifier: Apache-2.0
#pragma once

// The studio's HTTP server: the page, and an API in JSON over a Workspace. docs/reference/studio.md
// lists the calls.
//
// Every call needs the token, in a cookie or as a bearer, and has to name this server as its host,
// and as its origin where it has one.

#include "workspace.hpp"

#include <atomic>
#include <functional>
#include <string>

namespace hri::studio {

struct ServerSettings {
    std::string host = "127.0.0.1";
    int port = 0;  ///< 0: any that is free
    std::string token;
    std::size_t max_upload = 64U << 20U;
    std::size_t max_body = 1U << 20U;
};

/// Serves until `interrupt` is true. Calls `ready` with the port once it listens. Throws Error
/// where the port is taken.
void serve(Workspace& workspace, const ServerSettings& settings, const std::atomic<bool>& interrupt,
           const std::function<void(int port)>& ready);

/// 32 random bytes as hexadecimal digits.
std::string random_token();

/// Equal in a time that does not tell where they differ.
bool same_secret(const std::string& a, const std::string& b);

}  // namespace hri::studio
