// SPDX-License-Identifier: Apache-2.0

// Rules of knowledge graphs: hri._core.GraphRules.

#include "hri/graph.hpp"

#include "hri/learn_graph.hpp"
#include "hri/ranking.hpp"

#include "bind.hpp"
#include "watched.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>

namespace hri::python {
namespace {

using Row = std::array<std::string, 3>;

std::vector<std::string> texts(const Names& names) {
    std::vector<std::string> all;
    for (std::uint32_t id = 0; id < names.size(); ++id) {
        all.push_back(names[id]);
    }
    return all;
}

/// Rules with the graph that they are about. One thread at a time; others wait.
class GraphRulesOfData {
  public:
    GraphRulesOfData(GraphData data, GraphRules rules)
        : data_(std::move(data)), rules_(std::move(rules)), graph_(data_, rules_.invented) {}

    std::size_t size() const { return rules_.rules.size(); }

    std::string text() const {
        const auto lock = locked();
        return to_prolog(rules_, data_, graph_);
    }

    /// Columns by name.
    py::dict columns() const {
        const auto lock = locked();
        std::vector<std::string> rules;
        std::vector<std::string> relations;
        std::vector<double> support;
        std::vector<double> predictions;
        std::vector<double> confident;
        std::vector<double> pca_tails;
        std::vector<double> pca_heads;
        std::vector<double> coverage;
        for (const GraphRule& rule : rules_.rules) {
            rules.push_back(to_prolog(rule, data_));
            relations.push_back(data_.relations[relation_of(rule.head)]);
            support.push_back(rule.evidence.support);
            predictions.push_back(rule.evidence.predictions);
            confident.push_back(confidence(rule.evidence));
            pca_tails.push_back(pca_confidence(rule.evidence, false));
            pca_heads.push_back(pca_confidence(rule.evidence, true));
            coverage.push_back(head_coverage(rule, graph_));
        }
        py::dict result;
        result["relation"] = relations;
        result["rule"] = rules;
        result["support"] = support;
        result["predictions"] = predictions;
        result["confidence"] = confident;
        result["pca_confidence"] = pca_tails;
        result["pca_confidence_heads"] = pca_heads;
        result["head_coverage"] = coverage;
        return result;
    }

    py::dict ranks(const std::vector<Row>& rows, int threads) {
        const auto lock = locked();
        const std::size_t names = data_.entities.size() + data_.relations.size();
        std::vector<Triple> triples;
        for (const auto& [head, relation, tail] : rows) {
            triples.push_back({data_.entities.intern(head), data_.relations.intern(relation),
                               data_.entities.intern(tail)});
        }
        if (data_.entities.size() + data_.relations.size() > names) {  // candidates, too
            graph_ = Graph(data_, rules_.invented);
        }
        std::vector<Triple> test = data_.test;
        data_.test.insert(data_.test.end(), triples.begin(), triples.end());  // for the filter
        Ranking ranking;
        {
            const py::gil_scoped_release release;
            ranking = rank(rules_, data_, graph_, triples, {.threads = threads});
        }
        data_.test = std::move(test);
        py::dict result;
        result["queries"] = ranking.all.queries;
        result["mrr"] = ranking.all.mrr;
        result["hits_1"] = ranking.all.hits_1;
        result["hits_3"] = ranking.all.hits_3;
        result["hits_10"] = ranking.all.hits_10;
        result["optimistic_mrr"] = ranking.all.optimistic_mrr;
        return result;
    }

    std::vector<std::tuple<std::string, double, std::vector<std::string>>> answer(
        const std::string& relation, const std::string& given, bool of_head, int top) const {
        const auto lock = locked();
        const std::optional<std::uint32_t> step = data_.relations.find(relation);
        const std::optional<std::uint32_t> source = data_.entities.find(given);
        if (!step || !source) {
            throw unknown("answer", !step, step ? given : relation);
        }
        std::vector<std::tuple<std::string, double, std::vector<std::string>>> result;
        for (const Answer& one :
             answers(rules_, graph_, of_head ? forward(*step) : backward(*step), *source, top)) {
            std::vector<std::string> because;
            for (const std::uint32_t i : one.rules) {
                because.push_back(to_prolog(rules_.rules[i], data_));
            }
            result.emplace_back(data_.entities[one.entity], one.score, std::move(because));
        }
        return result;
    }

    std::string explanation(const std::string& relation, const std::string& head,
                            const std::string& tail) const {
        const auto lock = locked();
        const std::optional<std::uint32_t> r = data_.relations.find(relation);
        const std::optional<std::uint32_t> h = data_.entities.find(head);
        const std::optional<std::uint32_t> t = data_.entities.find(tail);
        if (!r || !h || !t) {
            throw unknown("explain", !r, !r ? relation : !h ? head : tail);
        }
        return to_text(explain(rules_, data_, graph_, {*h, *r, *t}));
    }

    std::vector<Row> test() const {
        const auto lock = locked();
        std::vector<Row> rows;
        for (const Triple& triple : data_.test) {
            rows.push_back({data_.entities[triple.head], data_.relations[triple.relation],
                            data_.entities[triple.tail]});
        }
        return rows;
    }

    std::vector<std::string> warnings() const { return data_.warnings; }

  private:
    /// Waits without the interpreter's lock, which who has this one may want.
    std::unique_lock<std::mutex> locked() const {
        const py::gil_scoped_release release;
        return std::unique_lock(mutex_);
    }

    Error unknown(const std::string& function, bool is_relation, const std::string& name) const {
        const Names& known = is_relation ? data_.relations : data_.entities;
        return Error(function + ": '" + name + "' does not occur in the graph", {},
                     "did you mean " + nearest(name, texts(known)) + "?");
    }

    mutable std::mutex mutex_;
    GraphData data_;
    GraphRules rules_;
    Graph graph_;
};

void add(GraphData& data, const std::vector<Row>& rows, std::vector<Triple>& into) {
    for (const Row& row : rows) {
        into.push_back({data.entities.intern(row[0]), data.relations.intern(row[1]),
                        data.entities.intern(row[2])});
    }
}

py::dict told(const MineProgress& now, const GraphData& data) {
    return py::dict(
        py::arg("fraction") = std::clamp(now.fraction, 0.0, 1.0), py::arg("round") = now.round,
        py::arg("relations") = now.relations, py::arg("done") = now.done,
        py::arg("relation") =
            now.relation < data.relations.size() ? data.relations[now.relation] : std::string());
}

/// The rules, and the exception that stopped the run (a KeyboardInterrupt, or the callback's) or
/// None.
py::tuple mine(GraphData data, const std::vector<std::string>& targets, const py::object& progress,
               py::kwargs keywords) {
    MineSettings settings;
    LearnSettings common;
    take_fields(settings, keywords);
    take_fields(common, keywords);
    std::vector<std::string> known = field_names<MineSettings>();
    for (const std::string& name : field_names<LearnSettings>()) {
        known.push_back(name);
    }
    refuse_rest(keywords, known, "learn");
    settings.seed = common.seed;
    settings.time_limit = common.time_limit;
    settings.max_work = common.max_work;
    settings.threads = common.threads;
    for (const std::string& name : targets) {
        const std::optional<std::uint32_t> relation = data.relations.find(name);
        if (!relation) {
            throw Error("there is no relation '" + name + "' in the graph", {},
                        "did you mean " + nearest(name, texts(data.relations)) + "?");
        }
        settings.targets.push_back(*relation);
    }
    Watched<MineProgress> watched;
    settings.interrupt = watched.stop();
    settings.progress = [&](const MineProgress& now) { watched.tell(now); };
    GraphRules rules;
    const py::object raised = watched.run([&] { rules = learn_graph_rules(data, settings).rules; },
                                          [&](const MineProgress& now) {
                                              if (!progress.is_none()) {
                                                  progress(told(now, data));
                                              }
                                          });
    return py::make_tuple(std::make_unique<GraphRulesOfData>(std::move(data), std::move(rules)),
                          raised);
}

GraphData graph_of(const std::vector<Row>& training, const std::vector<Row>& valid,
                   const std::vector<Row>& test) {
    GraphData data;
    data.name = "memory";
    add(data, training, data.training);
    add(data, valid, data.valid);
    add(data, test, data.test);
    return data;
}

std::unique_ptr<GraphRulesOfData> parsed(const std::string& text, const std::string& file,
                                         GraphData data) {
    GraphRules rules = parse_graph_rules(text, file, data);
    return std::make_unique<GraphRulesOfData>(std::move(data), std::move(rules));
}

}  // namespace

void bind_graph(py::module_& module) {
    py::class_<GraphRulesOfData>(module, "GraphRules",
                                 "Rules about the relations of a knowledge graph.")
        .def("__len__", &GraphRulesOfData::size)
        .def("__str__", &GraphRulesOfData::text)
        .def("columns", &GraphRulesOfData::columns)
        .def("ranks", &GraphRulesOfData::ranks, py::arg("triples"), py::arg("threads") = 1)
        .def("answers", &GraphRulesOfData::answer, py::arg("relation"), py::arg("given"),
             py::arg("of_head"), py::arg("top"))
        .def("explain", &GraphRulesOfData::explanation, py::arg("relation"), py::arg("head"),
             py::arg("tail"))
        .def_property_readonly("test", &GraphRulesOfData::test)
        .def_property_readonly("warnings", &GraphRulesOfData::warnings);
    module.def(
        "mine_triples",
        [](const std::vector<Row>& training, const std::vector<Row>& valid,
           const std::vector<Row>& test, const std::vector<std::string>& targets,
           const py::object& progress, const py::kwargs& keywords) {
            return mine(graph_of(training, valid, test), targets, progress, keywords);
        },
        py::arg("training"), py::arg("valid"), py::arg("test"), py::arg("targets"),
        py::arg("progress"));
    module.def(
        "mine_folder",
        [](const std::string& path, const std::vector<std::string>& targets,
           const py::object& progress, const py::kwargs& keywords) {
            return mine(read_graph(path), targets, progress, keywords);
        },
        py::arg("path"), py::arg("targets"), py::arg("progress"));
    module.def(
        "graph_rules_of_triples",
        [](const std::string& text, const std::string& file, const std::vector<Row>& training,
           const std::vector<Row>& valid, const std::vector<Row>& test) {
            return parsed(text, file, graph_of(training, valid, test));
        },
        py::arg("text"), py::arg("file"), py::arg("training"), py::arg("valid"), py::arg("test"));
    module.def(
        "graph_rules_of_folder",
        [](const std::string& text, const std::string& file, const std::string& path) {
            return parsed(text, file, read_graph(path));
        },
        py::arg("text"), py::arg("file"), py::arg("path"));
    module.def(
        "looks_like_graph", [](const std::string& path) { return looks_like_graph(path); },
        py::arg("path"));
}

}  // namespace hri::python
