// SPDX-License-Identifier: Apache-2.0
#include "base/run_record.hpp"

#include "hri/version.hpp"

#include "base/utf8.hpp"
#include "base/whole_number.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>

namespace hri::base {
namespace {

using Json = nlohmann::json;

constexpr int kFormat = 1;
constexpr int kMaxDepth = 64;
constexpr const char* kDamaged = "the file is damaged or was not written by hri";

/// The place of a byte, counted from 1.
Place place_of(std::string_view text, std::size_t byte, const std::string& file) {
    const std::string_view before = text.substr(0, byte == 0 ? 0 : byte - 1);
    const std::size_t line = before.rfind('\n');
    const std::string_view columns =
        line == std::string_view::npos ? before : before.substr(line + 1);
    return {file, 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')),
            1 + static_cast<int>(std::count_if(columns.begin(), columns.end(), begins_character))};
}

/// The first difference of two objects, in words.
std::string difference(const Json& now, const Json& then) {
    for (const auto& [key, value] : now.items()) {
        const Json before = then.is_object() ? then.value(key, Json()) : Json();
        if (value == before)
            continue;
        if (value.is_object() && before.is_object())
            return difference(value, before);
        const auto shown = [](const Json& json) {
            return json.is_structured() ? "another list" : json.dump();
        };
        return fmt::format("{} was {} and is now {}", key, shown(before), shown(value));
    }
    return "it has settings that this run lacks";
}

void append(std::string& bytes, std::uint32_t value) {
    for (unsigned shift = 0; shift < 32; shift += 8)
        bytes += static_cast<char>(static_cast<unsigned char>(value >> shift));
}

std::uint32_t little_endian(const char* bytes) {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;)
        value = (value << 8U) | static_cast<unsigned char>(bytes[i]);
    return value;
}

}  // namespace

void RunRecord::add_floats(std::string name, const std::vector<float>& values_of) {
    std::string bytes;
    bytes.reserve(values_of.size() * sizeof(float));
    for (const float value : values_of)
        append(bytes, std::bit_cast<std::uint32_t>(value));
    blobs.push_back({std::move(name), std::move(bytes)});
}

const std::string& RunRecord::blob(const std::string& name, const Place& place) const {
    const auto found =
        std::find_if(blobs.begin(), blobs.end(), [&](const Blob& one) { return one.name == name; });
    if (found == blobs.end())
        throw Error("the record lacks '" + name + "'", place, kDamaged);
    return found->bytes;
}

std::vector<float> RunRecord::floats(const std::string& name, std::size_t count,
                                     const Place& place) const {
    const std::string& bytes = blob(name, place);
    if (bytes.size() / sizeof(float) != count || bytes.size() % sizeof(float) != 0)
        throw Error(
            fmt::format("'{}' has {} bytes, expected {} numbers", name, bytes.size(), count), place,
            kDamaged);
    std::vector<float> values_of(count);
    for (std::size_t i = 0; i < count; ++i) {
        values_of[i] = std::bit_cast<float>(little_endian(bytes.data() + i * sizeof(float)));
        if (!std::isfinite(values_of[i]))
            throw Error("'" + name + "' has a number that is not finite", place, kDamaged);
    }
    return values_of;
}

std::string to_bytes(const RunRecord& record) {
    Json blobs = Json::array();
    for (const RunRecord::Blob& blob : record.blobs)
        blobs.push_back({blob.name, blob.bytes.size()});
    const Json line = {{"hri_record", kFormat}, {"version", version()},    {"kind", record.kind},
                       {"run", record.run},     {"values", record.values}, {"blobs", blobs}};
    std::string bytes = line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    for (const RunRecord::Blob& blob : record.blobs)
        bytes += blob.bytes;
    return bytes;
}

std::size_t check_json_nesting(std::string_view text, const std::string& file) {
    // a parser with a callback could count, but takes time that grows with the square of the keys
    int depth = 0;
    std::size_t keys = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"')
            in_string = !in_string;
        else if (in_string)
            i += c == '\\' ? 1 : 0;
        else if (c == '}' || c == ']')
            --depth;
        else if ((c == '{' || c == '[') && ++depth > kMaxDepth)
            throw Error(fmt::format("the JSON has more than {} levels", kMaxDepth),
                        place_of(text, i + 1, file), kDamaged);
        else
            keys += c == ':' ? 1 : 0;
    }
    return keys;
}

Json parse_json(std::string_view text, const std::string& file) {
    check_json_nesting(text, file);
    try {
        return Json::parse(text.begin(), text.end());
    } catch (const Json::parse_error& error) {
        throw Error("the JSON ends or goes wrong here", place_of(text, error.byte, file), kDamaged);
    } catch (const Json::exception&) {
        throw Error("the JSON has a number out of range", {file}, kDamaged);
    }
}

RunRecord parse_record(std::string_view bytes, const std::string& file, const std::string& kind) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    const Json json = parse_json(bytes.substr(0, end), file);
    RunRecord record;
    try {
        if (!json.is_object() || !json.contains("hri_record"))
            throw Error("expected a record that hri wrote", {file, 1, 1}, kDamaged);
        if (json.at("hri_record") != kFormat)
            throw Error("the record has format " + json.at("hri_record").dump() + ", expected " +
                            std::to_string(kFormat),
                        {file}, "use the version of hri that wrote it");
        record.kind = json.at("kind").get<std::string>();
        if (record.kind != kind)
            throw Error("expected a " + kind + ", found a " + record.kind, {file});
        record.run = json.at("run");
        record.values = json.at("values");
        std::string_view rest = bytes.substr(std::min(end + 1, bytes.size()));
        for (const Json& blob : json.at("blobs")) {
            const auto size = whole_number<std::size_t>(blob.at(1));
            if (size > rest.size())
                throw Error("the record ends in the middle", {file}, kDamaged);
            record.blobs.push_back(
                {blob.at(0).get<std::string>(), std::string(rest.substr(0, size))});
            rest.remove_prefix(size);
        }
        if (!rest.empty())
            throw Error("there are bytes behind the record", {file}, kDamaged);
    } catch (const Json::exception& error) {
        const std::string what = error.what();  // "[json.exception.out_of_range.403] key ..."
        throw Error("this is no record: " + what.substr(what.find(']') + 2), {file}, kDamaged);
    }
    return record;
}

void require_same_run(const RunRecord& record, const Json& run, const std::string& file) {
    if (record.run != run)
        throw Error("the record is of another run: " + difference(run, record.run), {file},
                    "resume with the data and settings that it was made with, or start anew");
}

}  // namespace hri::base
