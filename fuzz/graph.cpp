// SPDX-License-Identifier: Apache-2.0
// Knowledge graphs: lines with tabs or N-Triples by the first byte; what is read has an adjacency
// of all its triples.

#include "hri/graph.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    try {
        hri::GraphData read;
        hri::read_graph_text({reinterpret_cast<const char*>(data) + 1, size - 1}, "graph",
                             data[0] % 2 == 1, read, read.training);
        const hri::Graph graph(read);
        for (const hri::Triple& triple : read.training) {
            if (!graph.contains(triple.head, hri::forward(triple.relation), triple.tail) ||
                !graph.contains(triple.tail, hri::backward(triple.relation), triple.head)) {
                std::abort();
            }
        }
    } catch (const hri::Error&) {
    }
    return 0;
}
