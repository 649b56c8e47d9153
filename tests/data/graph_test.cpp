// SPDX-License-Identifier: Apache-2.0
#include "hri/graph.hpp"

#include "hri/files.hpp"

#include "data/scratch_folder.hpp"
#include "support/random_graph.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <zlib.h>

namespace hri::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Graph, KnowsTheNeighboursOfEveryStep) {
    const GraphData data = random_graph(1, 30, 4, 300);
    const Graph graph(data);
    const std::set<Triple> facts(data.training.begin(), data.training.end());
    EXPECT_EQ(graph.size(), facts.size());
    for (std::uint32_t e = 0; e < graph.entities(); ++e) {
        std::multiset<Edge> expected;
        for (const Triple& fact : facts) {
            if (fact.head == e) {
                expected.insert({fact.tail, forward(fact.relation)});
            }
            if (fact.tail == e) {
                expected.insert({fact.head, backward(fact.relation)});
            }
        }
        const auto edges = graph.edges(e);
        EXPECT_TRUE(std::equal(edges.begin(), edges.end(), expected.begin(), expected.end()));
        for (StepCode step = 0; step < graph.steps(); ++step) {
            std::vector<std::uint32_t> targets;
            for (const Edge& edge : expected) {
                if (edge.step == step) {
                    targets.push_back(edge.target);
                }
            }
            const auto found = graph.neighbours(e, step);
            EXPECT_TRUE(std::equal(found.begin(), found.end(), targets.begin(), targets.end()));
            const auto subjects = graph.subjects(step);
            EXPECT_EQ(std::binary_search(subjects.begin(), subjects.end(), e), !targets.empty());
        }
    }
}

TEST(ReadGraph, TakesAnyCharactersBetweenTabs) {
    GraphData data;
    read_graph_text("a b\t/r/1.2\t'c'\r\n\xC3\xA9\t/r/1.2\t1740\n", "x.txt", false, data,
                    data.training);
    ASSERT_EQ(data.training.size(), 2U);
    EXPECT_EQ(data.entities[0], "a b");
    EXPECT_EQ(data.entities[1], "'c'");
    EXPECT_EQ(data.relations.size(), 1U);
}

TEST(ReadGraph, TakesNTriples) {
    GraphData data;
    read_graph_text(
        "# a comment\n\n<http://a> <http://r> \"x\\n\\u00E9\"@en .\n_:b <http://r> <http://a> . # "
        "c\n"
        "<http://a> <http://r> \"1\"^^<http://int> .",
        "x.nt", true, data, data.training);
    ASSERT_EQ(data.training.size(), 3U);
    EXPECT_EQ(data.entities[1], "\"x\n\xC3\xA9\"@en");
    EXPECT_EQ(data.entities[2], "_:b");
    EXPECT_EQ(data.entities[3], "\"1\"^^<http://int>");
}

std::string mistake(const std::string& text, bool n_triples) {
    GraphData data;
    try {
        read_graph_text(text, "x.txt", n_triples, data, data.training);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(ReadGraph, TellsWhereALineIsWrong) {
    EXPECT_THAT(mistake("a\tr\tb\na\tr\n", false), HasSubstr("x.txt:2:4: expected head"));
    EXPECT_THAT(mistake("a\tr\tb\tc\n", false), HasSubstr("more than 3 cells"));
    EXPECT_THAT(mistake("a\t\tb\n", false), HasSubstr("x.txt:1:3: expected a name"));
    EXPECT_THAT(mistake("<a> <r> <b>\n", true), HasSubstr("x.txt:1:12: expected '.'"));
    EXPECT_THAT(mistake("<a> <r> <b . \n", true), HasSubstr("expected '>'"));
    EXPECT_THAT(mistake("<a> r <b> .\n", true), HasSubstr("IRI as predicate"));
    EXPECT_THAT(mistake("<a> <r> \"b .\n", true), HasSubstr("end of the literal"));
    EXPECT_THAT(mistake("<a> <r> \"\\q\" .\n", true), HasSubstr("escape"));
    EXPECT_THAT(mistake("<a> <r> <\\u12> .\n", true), HasSubstr("hexadecimal"));
}

void write_gzip(const std::filesystem::path& path, const std::string& text) {
    gzFile file = gzopen(path.c_str(), "wb");
    gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
}

TEST(ReadGraph, ReadsFoldersAndCompressedFiles) {
    const ScratchFolder folder;
    write_file(folder / "facts.txt", "a\tr\tb\n");
    write_gzip(folder / "train.nt.gz", "<b> <r> <c> .\n");
    write_file(folder / "test.txt", "a\tq\tb\n");
    EXPECT_TRUE(looks_like_graph(folder.path()));
    const GraphData data = read_graph(folder.path());
    EXPECT_EQ(data.training.size(), 2U);
    EXPECT_EQ(data.test.size(), 1U);
    EXPECT_THAT(data.warnings, ElementsAre(HasSubstr("relation 'q' occurs in test and not")));
}

TEST(ReadGraph, RefusesWhatIsCutOff) {
    const ScratchFolder folder;
    std::string text;
    for (int i = 0; i < 5000; ++i) {
        text += "a" + std::to_string(i * 7919 % 5000) + "\tr\tb" + std::to_string(i) + "\n";
    }
    write_gzip(folder / "all.txt.gz", text);
    const std::string whole = read_file(folder / "all.txt.gz");
    EXPECT_EQ(read_graph(folder / "all.txt.gz").training.size(), 5000U);
    write_file(folder / "cut.txt.gz", whole.substr(0, whole.size() / 2));
    EXPECT_THROW(read_graph(folder / "cut.txt.gz"), Error);
    EXPECT_THROW(read_graph(folder / "none.txt"), Error);
    EXPECT_THROW(read_graph(folder.path()), Error);
}

GraphRule random_rule(Random& random, GraphData& data) {
    const auto entity = [&] {
        return static_cast<std::uint32_t>(random.below(static_cast<int>(data.entities.size())));
    };
    const auto step = [&] {
        return static_cast<StepCode>(random.below(static_cast<int>(2 * data.relations.size())));
    };
    GraphRule rule;
    const bool path = random.chance(0.5);
    rule.head = path ? forward(relation_of(step())) : step();
    rule.length = path ? 1 + random.below(GraphRule::kMaxLength) : random.below(3);
    for (int i = 0; i < rule.length; ++i) {
        rule.steps[static_cast<std::size_t>(i)] = step();
    }
    rule.constant = path ? kNoEntity : entity();
    rule.end = path || rule.length == 0 || random.chance(0.3) ? kNoEntity : entity();
    if (rule.length > 0 && random.chance(0.4)) {
        rule.condition = {step(), random.chance(0.5) ? entity() : kNoEntity,
                          path && random.chance(0.5), true};
    }
    rule.evidence = {random.uniform(0, 100), random.uniform(0, 1e6), 3, 1.0 / 3,
                     random.chance(0.5)};
    if (random.chance(0.5)) {
        rule.weights = {static_cast<float>(random.uniform(-2, 2)), 1e-9F};
    }
    return rule;
}

TEST(GraphRules, AreReadAsTheyWereWritten) {
    GraphData data;
    for (const char* name : {"a", "B", "it's", "00174", "1e400", "back\\slash", "new\nline", "[]",
                             "X", "_", "", "\xC3\xA9", "0x1F", "-3", "a b", "% no comment"}) {
        data.entities.intern(name);
        data.relations.intern(std::string("r") + name);
    }
    const Graph graph(data);
    Random random(1);
    GraphRules rules;
    for (int i = 0; i < 500; ++i) {
        rules.rules.push_back(random_rule(random, data));
    }
    rules.aggregations[forward(2)] = {Aggregation::Kind::noisy_or, true, 2, 0.75, {}};
    rules.aggregations[backward(5)] = {Aggregation::Kind::learned, false, 5, 1, {0.1, -2, 1e-7}};
    const std::string text = to_prolog(rules, data, graph);
    const GraphRules again = parse_graph_rules(text, "rules.pl", data);
    EXPECT_EQ(to_prolog(again, data, graph), text);
    ASSERT_EQ(again.rules.size(), rules.rules.size());
    EXPECT_EQ(again.aggregations, rules.aggregations);
    for (std::size_t i = 0; i < rules.rules.size(); ++i) {
        EXPECT_EQ(again.rules[i].evidence, rules.rules[i].evidence);
        EXPECT_EQ(again.rules[i].weights, rules.rules[i].weights);
        EXPECT_EQ(again.rules[i].constant, rules.rules[i].constant);
        EXPECT_EQ(again.rules[i].steps, rules.rules[i].steps);
        EXPECT_EQ(again.rules[i].condition, rules.rules[i].condition);
    }
}

std::string rule_mistake(const std::string& text) {
    GraphData data;
    try {
        parse_graph_rules(text, "rules.pl", data);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(GraphRules, AreToldByTheirTitle) {
    GraphData data;
    const Graph graph(data);
    EXPECT_TRUE(looks_like_graph_rules(to_prolog(GraphRules{}, data, graph)));
    EXPECT_FALSE(looks_like_graph_rules("aunt(X,Y) :- sister(X,Z), parent(Z,Y).\n"));
}

TEST(GraphRules, TellWhereTheirTextIsWrong) {
    const std::string evidence = "  % support 1, predictions 2, known heads 2, known tails 2\n";
    EXPECT_EQ(rule_mistake("r(X,Y) :- p(X,Y)." + evidence), "");
    EXPECT_THAT(rule_mistake("r(X,Y) :- p(X,Y).\n"), HasSubstr("rules.pl:1:1: expected the evid"));
    EXPECT_THAT(rule_mistake("r(X,Y) :- p(X,Y).  % good\n"), HasSubstr("expected the evidence"));
    EXPECT_THAT(rule_mistake("r(X,Y) :- p(X,Z)." + evidence), HasSubstr("expected a path"));
    EXPECT_THAT(rule_mistake("r(X,Y) :- p(Z,Y)." + evidence), HasSubstr("next literal"));
    EXPECT_THAT(rule_mistake("r(X) :- p(X,Y)." + evidence), HasSubstr("two arguments"));
    EXPECT_THAT(rule_mistake("r(X,X) :- p(X,X)." + evidence), HasSubstr("different variables"));
    EXPECT_THAT(rule_mistake("r(X,a) :- p(X,X)." + evidence), HasSubstr("twice"));
    EXPECT_THAT(rule_mistake("aggregation(r,both,maximum,pca,1,1,[])."), HasSubstr("tails"));
}

}  // namespace
}  // namespace hri::test
