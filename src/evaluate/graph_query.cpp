// SPDX-License-Identifier: Apache-2.0
#include "hri/ranking.hpp"

#include "logic/prolog/terms.hpp"

#include <fmt/format.h>

namespace hri {

GraphQuery parse_graph_query(const std::string& text, const GraphData& data,
                             const std::string& from) {
    // ? is no Prolog term: the last one that stands alone becomes a variable
    std::string clause = text;
    const std::size_t first = clause.find_first_not_of(' ', clause.find('(') + 1);
    const bool head_asked = first != std::string::npos && clause[first] == '?';
    const std::size_t mark = head_asked ? first : clause.rfind('?');
    const Error expected("expected a query such as r(a,?) or r(?,b)", {from, 1, 1},
                         "names with other characters than letters and digits stand in single "
                         "quotes");
    if (mark == std::string::npos)
        throw expected;
    clause.replace(mark, 1, "Answer");
    clause += clause.ends_with('.') ? "" : ".";
    prolog::Reader reader(clause, from);
    const prolog::Node* node = reader.next();
    if (node == nullptr || node->kind != prolog::Kind::compound || node->arity() != 2)
        throw expected;
    const prolog::Node& given = node->arguments[head_asked ? 1 : 0];
    const prolog::Node& asked = node->arguments[head_asked ? 0 : 1];
    if (asked.kind != prolog::Kind::variable ||
        (given.kind != prolog::Kind::atom && given.kind != prolog::Kind::number))
        throw expected;
    const std::optional<std::uint32_t> relation = data.relations.find(node->name);
    const std::optional<std::uint32_t> source = data.entities.find(given.name);
    if (!relation)
        throw Error(fmt::format("there is no relation '{}' in the graph", node->name));
    if (!source && given.name == "?")
        throw Error("expected one ? in the query, found two", {from, 1, 1},
                    "name the head or the tail: r(a,?) or r(?,b)");
    if (!source)
        throw Error(fmt::format("there is no entity '{}' in the graph", given.name));
    return {head_asked ? backward(*relation) : forward(*relation), *source};
}

}  // namespace hri
