// SPDX-License-Identifier: Apache-2.0
#include "data/split.hpp"

#include "hri/random.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace hri::data {
namespace {

constexpr std::size_t kUnlistedToListed = 4;
// Limit of the atoms of all instances, a constant counting as several. Beyond it a sample is
// nearly as good, and programs are tried faster.
constexpr std::int64_t kMaxSampled = 2'000'000;
constexpr std::int64_t kAtomsOfConstant = 30;

using base::at;

bool is_number(const std::string& name) {
    const char* begin = name.c_str();
    char* end = nullptr;
    const bool digit = !name.empty() && (name[0] == '-' || (name[0] >= '0' && name[0] <= '9'));
    if (digit) {
        std::strtod(begin, &end);
    }
    return digit && end == begin + name.size();
}

bool contains(const std::vector<std::int32_t>& sorted, std::int32_t constant) {
    return std::binary_search(sorted.begin(), sorted.end(), constant);
}

}  // namespace

Split::Split(const Problem& problem, const IndexedDataset& data, const ReadOptions& options)
    : problem_(problem), data_(data), options_(options), arity_(problem.target().arity) {
    find_value_types();
    find_value_places();
    find_edges();
    find_components();
}

/// Types that only describe: never in the target, never the first of two arguments.
void Split::find_value_types() {
    const auto& types = problem_.schema->types;
    if (!options_.split.value_types.empty()) {
        std::set<std::string> known;
        for (const auto& [symbol, of] : types) {
            known.insert(of.begin(), of.end());
        }
        for (const std::string& type : options_.split.value_types) {
            if (known.count(type) == 0) {
                std::string listed;
                for (const std::string& other : known) {
                    listed += (listed.empty() ? "" : ", ") + other;
                }
                throw Error("there is no type '" + type + "'", {},
                            known.empty() ? "the data have no types" : "the data have " + listed);
            }
        }
        value_types_.insert(options_.split.value_types.begin(), options_.split.value_types.end());
        return;
    }
    for (const PredicateSymbol& input : problem_.inputs()) {
        if (const auto found = types.find(input); found != types.end()) {
            value_types_.insert(found->second.begin(), found->second.end());
        }
    }
    for (const auto& [symbol, of] : types) {
        for (std::size_t i = 0; i < of.size(); ++i) {
            if (symbol == problem_.target() || (symbol.arity == 2 && i == 0)) {
                value_types_.erase(of[i]);
            }
        }
    }
}

void Split::find_value_places() {
    std::vector<bool> elsewhere(at(data_.constants), false);  // an entity for sure
    for (const IndexedDataset::Labelled& example : data_.examples) {
        elsewhere[at(example.first)] = true;
        elsewhere[at(example.second)] = arity_ > 1 || elsewhere[at(example.second)];
    }
    for (std::size_t p = 0; p < problem_.inputs().size(); ++p) {
        value_place_.emplace_back(at(problem_.inputs()[p].arity), false);
        for (const Fact& fact : data_.facts[p]) {
            if (problem_.inputs()[p].arity == 2) {
                elsewhere[at(fact.first)] = true;
            }
        }
    }
    for (std::size_t p = 0; p < problem_.inputs().size(); ++p) {
        const auto types = problem_.schema->types.find(problem_.inputs()[p]);
        for (std::size_t i = 0; i < value_place_[p].size(); ++i) {
            if (types != problem_.schema->types.end()) {
                value_place_[p][i] = value_types_.count(types->second[i]) != 0;
            } else if (!data_.facts[p].empty() && (problem_.inputs()[p].arity != 2 || i == 1)) {
                value_place_[p][i] = std::all_of(
                    data_.facts[p].begin(), data_.facts[p].end(), [&](const Fact& fact) {
                        const std::int32_t c = i == 0 ? fact.first : fact.second;
                        return !elsewhere[at(c)] && is_number(data_.name_of(c));
                    });
                number_places_ += value_place_[p][i] ? 1 : 0;
            }
        }
    }
}

void Split::find_edges() {
    std::vector<std::pair<std::int32_t, std::int32_t>> neighbours;
    for (std::size_t p = 0; p < problem_.inputs().size(); ++p) {
        for (std::size_t row = 0; row < data_.facts[p].size(); ++row) {
            const Fact& fact = data_.facts[p][row];
            Edge edge{static_cast<int>(p),
                      static_cast<int>(row),
                      {fact.first, fact.second},
                      {false, false},
                      problem_.inputs()[p].arity};
            for (int i = 0; i < edge.arity; ++i) {
                edge.is_value[i] = value_place_[p][at(i)];
            }
            if (edge.arity == 2 && !edge.is_value[0] && !edge.is_value[1]) {
                neighbours.emplace_back(fact.first, fact.second);
                neighbours.emplace_back(fact.second, fact.first);
            }
            edges_.push_back(edge);
        }
    }
    const int most = options_.split.value_degree > 0 ? options_.split.value_degree
                                                     : std::max(20, data_.constants / 4);
    std::sort(neighbours.begin(), neighbours.end());
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
    std::vector<int> degree(at(data_.constants), 0);
    for (const auto& [constant, other] : neighbours) {
        ++degree[at(constant)];
    }
    hub_.resize(degree.size());
    for (std::size_t c = 0; c < hub_.size(); ++c) {
        hub_[c] = degree[c] > most;
        hubs_ += hub_[c] ? 1 : 0;
    }
    edges_of_.resize(hub_.size());
    among_values_.resize(hub_.size());
    for (std::size_t e = 0; e < edges_.size(); ++e) {
        Edge& edge = edges_[e];
        bool has_entity = false;
        for (int i = 0; i < edge.arity; ++i) {
            edge.is_value[i] = edge.is_value[i] || hub_[at(edge.constants[i])];
            has_entity = has_entity || !edge.is_value[i];
        }
        for (int i = 0; i < edge.arity; ++i) {
            if (!edge.is_value[i]) {
                edges_of_[at(edge.constants[i])].push_back(static_cast<int>(e));
            } else if (!has_entity) {
                among_values_[at(edge.constants[i])].push_back(static_cast<int>(e));
            }
        }
    }
}

void Split::find_components() {
    std::vector<std::int32_t> parent(at(data_.constants));
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](std::int32_t c) {
        while (parent[at(c)] != c) {
            c = parent[at(c)] = parent[at(parent[at(c)])];
        }
        return c;
    };
    for (const Edge& edge : edges_) {
        if (edge.arity == 2 && !edge.is_value[0] && !edge.is_value[1]) {
            parent[at(root(edge.constants[0]))] = root(edge.constants[1]);
        }
    }
    component_.assign(parent.size(), -1);
    for (std::int32_t c = 0; c < data_.constants; ++c) {
        int& of_root = component_[at(root(c))];
        if (of_root < 0) {
            of_root = static_cast<int>(members_.size());
            members_.emplace_back();
        }
        component_[at(c)] = of_root;
        members_[at(of_root)].push_back(c);
    }
    for (const std::vector<std::int32_t>& members : members_) {
        std::set<std::int32_t> touched(members.begin(), members.end());
        for (const std::int32_t c : members) {
            for (const int e : edges_of_[at(c)]) {
                const Edge& edge = edges_[at(e)];
                touched.insert(edge.constants, edge.constants + edge.arity);
            }
        }
        component_size_.push_back(touched.size());
    }
}

std::vector<int> Split::components_of(std::int32_t first, std::int32_t second) const {
    std::vector<int> result{component_[at(first)]};
    if (arity_ > 1 && component_[at(second)] != result[0]) {
        result.push_back(component_[at(second)]);
        std::sort(result.begin(), result.end());
    }
    return result;
}

Split::Part Split::whole_parts(const std::vector<int>& components) const {
    Part part;
    for (const int c : components) {
        const std::vector<std::int32_t>& members = members_[at(c)];
        part.entities.insert(part.entities.end(), members.begin(), members.end());
    }
    std::sort(part.entities.begin(), part.entities.end());
    add_values(part);
    return part;
}

/// The nearest constants, as many as an instance may have.
Split::Part Split::around(const IndexedDataset::Labelled& example) const {
    const auto most = at(options_.split.max_constants);
    std::vector<std::int32_t> order;
    std::set<std::int32_t> entities;
    std::set<std::int32_t> all;
    // with the values that it touches; false where they are too many
    const auto add = [&](std::int32_t c, bool always) {
        std::set<std::int32_t> with_values{c};
        for (const int e : edges_of_[at(c)]) {
            const Edge& edge = edges_[at(e)];
            for (int i = 0; i < edge.arity; ++i) {
                if (edge.is_value[i]) {
                    with_values.insert(edge.constants[i]);
                }
            }
        }
        std::erase_if(with_values, [&](std::int32_t v) { return all.count(v) != 0; });
        if (!always && all.size() + with_values.size() > most) {
            return false;
        }
        if (entities.insert(c).second) {
            order.push_back(c);
            all.insert(with_values.begin(), with_values.end());
        }
        return true;
    };
    add(example.first, true);
    if (arity_ > 1) {
        add(example.second, true);
    }
    bool room = true;
    for (std::size_t next = 0; next < order.size() && room; ++next) {
        for (const int e : edges_of_[at(order[next])]) {
            const Edge& edge = edges_[at(e)];
            for (int i = 0; i < edge.arity && room; ++i) {
                room = edge.is_value[i] || add(edge.constants[i], false);
            }
        }
    }
    Part part;
    part.entities.assign(entities.begin(), entities.end());
    for (const std::int32_t c : part.entities) {
        for (const int e : edges_of_[at(c)]) {
            const Edge& edge = edges_[at(e)];
            for (int i = 0; i < edge.arity; ++i) {
                if (!edge.is_value[i] && entities.count(edge.constants[i]) == 0) {
                    part.border.insert(c);
                }
            }
        }
    }
    add_values(part);
    return part;
}

void Split::add_values(Part& part) const {
    std::set<std::int32_t> values;
    for (const std::int32_t c : part.entities) {
        for (const int e : edges_of_[at(c)]) {
            const Edge& edge = edges_[at(e)];
            for (int i = 0; i < edge.arity; ++i) {
                if (edge.is_value[i] && !contains(part.entities, edge.constants[i])) {
                    values.insert(edge.constants[i]);
                }
            }
        }
    }
    part.values.assign(values.begin(), values.end());
}

Instance Split::instance(const Part& part, const std::vector<IndexedDataset::Labelled>& examples,
                         bool cut) const {
    std::vector<std::int32_t> constants;
    std::merge(part.entities.begin(), part.entities.end(), part.values.begin(), part.values.end(),
               std::back_inserter(constants));
    const auto number = [&](std::int32_t c) {
        const auto at = std::lower_bound(constants.begin(), constants.end(), c);
        return at != constants.end() && *at == c ? static_cast<std::int32_t>(at - constants.begin())
                                                 : -1;
    };
    Instance result = make_instance(problem_.schema, static_cast<int>(constants.size()));
    for (const std::int32_t c : constants) {
        result.names.push_back(data_.name_of(c));
    }
    const auto add = [&](int e) {
        const Edge& edge = edges_[at(e)];
        Fact fact = data_.facts[at(edge.input)][at(edge.row)];
        for (int i = 0; i < edge.arity; ++i) {
            std::int32_t& cell = i == 0 ? fact.first : fact.second;
            cell = number(cell);
            const bool outside =
                cell < 0 || (!edge.is_value[i] && !contains(part.entities, edge.constants[i]));
            if (outside) {
                return;
            }
        }
        result.facts[at(edge.input)].push_back(fact);
    };
    for (const std::int32_t c : part.entities) {
        std::for_each(edges_of_[at(c)].begin(), edges_of_[at(c)].end(), add);
    }
    for (const std::int32_t c : constants) {
        std::for_each(among_values_[at(c)].begin(), among_values_[at(c)].end(), add);
    }
    for (std::size_t p = 0; p < problem_.inputs().size(); ++p) {
        if (problem_.inputs()[p].arity == 0) {
            result.facts[p] = data_.facts[p];
        }
        std::sort(result.facts[p].begin(), result.facts[p].end());
        result.facts[p].erase(std::unique(result.facts[p].begin(), result.facts[p].end()),
                              result.facts[p].end());
    }
    const auto label = [&](std::int32_t first, std::int32_t second) -> Label& {
        const auto n = constants.size();
        return result
            .labels[arity_ == 1 ? at(number(first)) : at(number(first)) * n + at(number(second))];
    };
    if (options_.closed_world) {
        const auto key = components_of(examples.front().first, examples.front().second);
        for (const std::int32_t x : part.entities) {
            for (const std::int32_t y : part.entities) {
                const bool inside = part.border.count(x) == 0 && part.border.count(y) == 0;
                if ((arity_ == 1 && x != y) || !inside || (!cut && components_of(x, y) != key)) {
                    continue;
                }
                label(x, y) = Label::negative;
            }
        }
    }
    for (const IndexedDataset::Labelled& example : examples) {
        label(example.first, example.second) = example.positive ? Label::positive : Label::negative;
    }
    return result;
}

std::vector<IndexedDataset::Labelled> Split::closed(
    std::vector<IndexedDataset::Labelled> examples) const {
    if (!options_.closed_world || arity_ != 1) {
        return examples;
    }
    std::vector<bool> is_listed(at(data_.constants), false);
    for (const IndexedDataset::Labelled& example : examples) {
        is_listed[at(example.first)] = true;
    }
    std::size_t cut_out = kUnlistedToListed * examples.size();
    std::vector<std::int32_t> order(at(data_.constants));
    std::iota(order.begin(), order.end(), 0);
    Random random(0, Random::kData);
    random.shuffle(order);
    for (const std::int32_t c : order) {
        const auto component = at(component_[at(c)]);
        const bool is_cut = component_size_[component] > at(options_.split.max_constants);
        if (is_listed[at(c)] || edges_of_[at(c)].empty() || (is_cut && cut_out == 0)) {
            continue;
        }
        cut_out -= is_cut ? 1 : 0;
        examples.push_back({c, 0, false});
    }
    return examples;
}

std::vector<Split::Group> Split::groups_of(
    const std::vector<IndexedDataset::Labelled>& examples) const {
    std::vector<Group> groups;
    std::map<std::vector<int>, std::size_t> known;
    for (const IndexedDataset::Labelled& example : examples) {
        const std::vector<int> components = components_of(example.first, example.second);
        std::size_t size = 0;
        for (const int c : components) {
            size += component_size_[at(c)];
        }
        if (size > at(options_.split.max_constants)) {
            groups.push_back({{}, {example}});
            continue;
        }
        const auto [place, is_new] = known.try_emplace(components, groups.size());
        if (is_new) {
            groups.push_back({components, {}});
        }
        groups[place->second].examples.push_back(example);
    }
    return groups;
}

std::vector<std::size_t> Split::sampling_order(const std::vector<Group>& groups) {
    std::vector<std::size_t> positive;
    std::vector<std::size_t> negative;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const auto& of = groups[g].examples;
        const bool has_positive =
            std::any_of(of.begin(), of.end(), [](const auto& e) { return e.positive; });
        (has_positive ? positive : negative).push_back(g);
    }
    Random random(0, Random::kData);
    random.shuffle(positive);
    random.shuffle(negative);
    std::vector<std::size_t> order;
    while (order.size() < groups.size()) {
        std::vector<std::size_t>& from =
            negative.empty() || (order.size() % 2 == 0 && !positive.empty()) ? positive : negative;
        order.push_back(from.back());
        from.pop_back();
    }
    return order;
}

std::vector<Instance> Split::instances(const std::vector<IndexedDataset::Labelled>& examples) {
    const std::vector<Group> groups = groups_of(examples);
    const std::vector<std::size_t> order = sampling_order(groups);
    std::vector<std::pair<std::size_t, Instance>> made;
    std::int64_t atoms = 0;
    for (std::size_t i = 0; i < groups.size() && atoms <= kMaxSampled; ++i) {
        const Group& group = groups[order[i]];
        if (options_.progress && i % 100 == 0) {
            options_.progress({"instances", static_cast<std::int64_t>(i),
                               static_cast<std::int64_t>(groups.size())});
        }
        made.emplace_back(order[i], instance(group.is_cut() ? around(group.examples.front())
                                                            : whole_parts(group.components),
                                             group.examples, group.is_cut()));
        atoms += static_cast<std::int64_t>(made.back().second.labels.size()) +
                 kAtomsOfConstant * made.back().second.constants;
    }
    std::sort(made.begin(), made.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Instance> result;
    std::int64_t cuts = 0;
    for (auto& [g, instance] : made) {
        cuts += groups[g].is_cut() ? 1 : 0;
        result.push_back(std::move(instance));
    }
    is_sample_ = result.size() < groups.size();
    summary_ = summary_of(result, groups.size(), cuts);
    return result;
}

std::string Split::summary_of(const std::vector<Instance>& instances, std::size_t groups,
                              std::int64_t cuts) const {
    int min = data_.constants;
    int max = 0;
    for (const Instance& instance : instances) {
        min = std::min(min, instance.constants);
        max = std::max(max, instance.constants);
    }
    std::string summary = "split " + std::to_string(data_.constants) + " constants into " +
                          std::to_string(instances.size()) +
                          (instances.size() == 1 ? " instance of " : " instances of ") +
                          std::to_string(min) + " to " + std::to_string(max) + " constants";
    if (instances.size() < groups) {
        summary += " (a sample of " + std::to_string(groups) + ", judged by all)";
    }
    if (cuts > 0) {
        summary += ", " + std::to_string(cuts) + " of them cut out around one example";
    }
    std::string values;
    for (const std::string& type : value_types_) {
        values += (values.empty() ? "types " : ", ") + type;
    }
    const auto also = [&](int count, const std::string& what) {
        if (count > 0) {
            values += (values.empty() ? "" : "; ") + std::to_string(count) + " " + what;
        }
    };
    also(number_places_, number_places_ == 1 ? "column of numbers" : "columns of numbers");
    also(hubs_, hubs_ == 1 ? "constant with many neighbours" : "constants with many neighbours");
    return summary + (values.empty() ? "; no values" : "; values: " + values);
}

}  // namespace hri::data
