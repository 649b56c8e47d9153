// SPDX-License-Identifier: Apache-2.0
// What processes send each other and what plots and lists read: JSON, records, training runs. What
// can be read is written and read again the same.

#include "base/run_record.hpp"
#include "learn/serialised.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string input(reinterpret_cast<const char*>(data), size);
    try {
        const nlohmann::json json = hri::base::parse_json(input, "input");
        const std::string text =
            json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
        if (hri::base::parse_json(text, "text") != json)
            std::abort();
    } catch (const hri::Error&) {
    }
    try {
        const hri::base::RunRecord record = hri::base::parse_record(input, "input", "finished run");
        const std::string bytes = hri::base::to_bytes(record);
        if (hri::base::to_bytes(hri::base::parse_record(bytes, "bytes", "finished run")) != bytes)
            std::abort();
    } catch (const hri::Error&) {
    }
    try {
        const std::string text = hri::learning::serialised(hri::learning::deserialised(input));
        if (hri::learning::serialised(hri::learning::deserialised(text)) != text)
            std::abort();
    } catch (const hri::Error&) {
    }
    return 0;
}
