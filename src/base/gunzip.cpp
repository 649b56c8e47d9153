// SPDX-License-Identifier: Apache-2.0
#include "base/gunzip.hpp"

#include "hri/error.hpp"

#include <zlib.h>

namespace hri::base {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{4} << 30U;
constexpr std::size_t kBlock = std::size_t{1} << 20U;

/// Ends the stream where it goes out of scope.
struct Inflater {
    z_stream stream{};

    Inflater() { inflateInit2(&stream, 15 + 16); }  // gzip's header alone

    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    ~Inflater() { inflateEnd(&stream); }
};

}  // namespace

std::string gunzipped(std::string bytes, const std::string& file) {
    if (!bytes.starts_with("\x1F\x8B")) {
        return bytes;
    }
    Inflater inflater;
    z_stream& stream = inflater.stream;
    std::string text;
    std::size_t read = 0;
    int code = Z_OK;
    while (code != Z_STREAM_END || read < bytes.size()) {
        if (code == Z_STREAM_END && inflateReset(&stream) != Z_OK) {  // another part follows
            break;
        }
        const std::size_t given = std::min(bytes.size() - read, kBlock);
        stream.next_in = reinterpret_cast<Bytef*>(bytes.data() + read);
        stream.avail_in = static_cast<uInt>(given);
        const std::size_t before = text.size();
        text.resize(before + 4 * kBlock);
        stream.next_out = reinterpret_cast<Bytef*>(text.data() + before);
        stream.avail_out = static_cast<uInt>(4 * kBlock);
        code = inflate(&stream, Z_NO_FLUSH);
        text.resize(text.size() - stream.avail_out);
        read += given - stream.avail_in;
        const bool stuck = given == stream.avail_in && text.size() == before;
        if ((code != Z_OK && code != Z_STREAM_END) || (stuck && code != Z_STREAM_END)) {
            throw Error("the compressed file is damaged or cut off", {file},
                        "gzip -t FILE tests it");
        }
        if (text.size() > kMaxBytes) {
            throw Error("the compressed file holds more than 4 GiB", {file}, "split it");
        }
    }
    return text;
}

}  // namespace hri::base
