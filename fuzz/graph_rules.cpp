// SPDX-License-Identifier: Apache-2.0
// Rules of knowledge graphs: whatever is read prints, reads again and prints the same.

#include "hri/graph.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    try {
        hri::GraphData names;
        const hri::GraphRules rules = hri::parse_graph_rules(text, "rules", names);
        const hri::Graph graph(names);
        const std::string printed = hri::to_prolog(rules, names, graph);
        if (hri::to_prolog(hri::parse_graph_rules(printed, "printed", names), names, graph) !=
            printed) {
            std::abort();
        }
    } catch (const hri::Error&) {
    }
    return 0;
}
