// SPDX-License-Identifier: Apache-2.0
#include "hri/evaluate.hpp"
#include "hri/export.hpp"

#include "support/random_programs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

namespace hri {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const char* const kFamily =
    "grandparent(X,Y) :- parent(X,Z), parent(Z,Y). parent(X,Y) :- father(X,Y). "
    "parent(X,Y) :- mother(X,Y).";

TEST(Datalog, DeclaresRelationsAndPrintsRules) {
    EXPECT_EQ(to_datalog(parse_program(kFamily)),
              "// target: grandparent/2\n"
              ".decl father(a: symbol, b: symbol)\n.input father(filename=\"father.facts\")\n"
              ".decl mother(a: symbol, b: symbol)\n.input mother(filename=\"mother.facts\")\n"
              ".decl grandparent(a: symbol, b: symbol)\n.output grandparent\n"
              ".decl parent(a: symbol, b: symbol)\n"
              "grandparent(X, Y) :- parent(X, Z), parent(Z, Y).\n"
              "parent(X, Y) :- father(X, Y).\n"
              "parent(X, Y) :- mother(X, Y).\n");
}

TEST(Datalog, HasAllTargetsOfAProgram) {
    const std::string text =
        to_datalog(parse_program("% target: p/1\np(X) :- e(X,Y). q(X) :- a(X), \\+ p(X). "
                                 "a(X) :- e(Y,X). a(X) :- e(X,Y), a(Y)."));
    EXPECT_THAT(text, HasSubstr(".output p\n"));
    EXPECT_THAT(text, HasSubstr(".output q\n"));
    EXPECT_THAT(text, Not(HasSubstr(".output a\n")));
    EXPECT_THAT(text, HasSubstr("q(X) :- a(X), !p(X).\n"));
}

TEST(Datalog, ChangesNamesThatSouffleLacks) {
    const std::string text = to_datalog(parse_program(
        "count(X) :- 'Odd name'(X,a), p(X), p(X,X). count(Y). count('say \"hi\"\\n')."));
    EXPECT_THAT(text, HasSubstr("// count_ is count/1\n"));
    EXPECT_THAT(text, HasSubstr(".input Odd_name(filename=\"Odd_name.facts\")"));
    EXPECT_THAT(text, HasSubstr("// p_2 is p/2\n"));
    EXPECT_THAT(text, HasSubstr("count_(X) :- Odd_name(X, \"a\"), p(X), p_2(X, X).\n"));
    EXPECT_THAT(text, HasSubstr("// constant lists all constants of the data\n"));
    EXPECT_THAT(text, HasSubstr("count_(X) :- constant(X).\n"));
    EXPECT_THAT(text,
                HasSubstr("count_(\"say \\\"hi\\\"\\n\") :- constant(\"say \\\"hi\\\"\\n\").\n"));
}

/// Rules of the Datalog text as a program: its strings are our constants.
Program from_datalog(const std::string& text, const PredicateSymbol& target) {
    std::string rules = "% target: " + target.name + "/" + std::to_string(target.arity) + "\n";
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with('.') && !line.starts_with("//")) {
            rules += std::regex_replace(std::regex_replace(line, std::regex("\""), "'"),
                                        std::regex("\\(\\)"), "") +
                     "\n";
        }
    }
    return rules.find(":-") == std::string::npos && rules.find('(') == std::string::npos
               ? Program{}
               : parse_program(rules);
}

TEST(Datalog, MeansTheSameAsTheProgram) {
    Random random(5);
    int compared = 0;
    for (int i = 0; i < 300; ++i) {
        test::ProgramSpace space;
        space.constants = 0.1;
        const Program program = test::random_program(space, random);
        Instance instance = test::random_instance(space.inputs, 3, random);
        const Truth truth = evaluate(program, instance);
        const std::string text = to_datalog(program);
        if (text.find(":-") == std::string::npos) {
            continue;
        }
        std::vector<PredicateSymbol> inputs = space.inputs;
        inputs.push_back({"constant", 1});
        instance.schema = make_schema(inputs);
        instance.facts.push_back({{0}, {1}, {2}});
        const Program again = from_datalog(text, program.vocabulary[program.target]);
        EXPECT_EQ(evaluate(again, instance), truth) << to_prolog(program) << text;
        ++compared;
    }
    EXPECT_GT(compared, 250);
}

TEST(Latex, EscapesNames) {
    EXPECT_EQ(to_latex(parse_program("p_1(X,a_b) :- q(X,Y), r(Y), 's{}^~\\\\'. p_1(X,X).")),
              "\\begin{align*}\n"
              "\\textit{p\\_1}(X, \\textsf{a\\_b}) &\\leftarrow \\textit{q}(X, Y) \\land "
              "\\textit{r}(Y) \\land "
              "\\textit{s\\{\\}\\textasciicircum{}\\textasciitilde{}\\textbackslash{}} \\\\\n"
              "\\textit{p\\_1}(X, X) &\\leftarrow \\top\n"
              "\\end{align*}\n");
    EXPECT_THAT(to_latex(parse_program("% target: t/1\np(X) :- p(X).")), Not(HasSubstr("bot")));
}

TEST(Json, HoldsTheRulesAsData) {
    const auto json = nlohmann::json::parse(to_json(parse_program("p(X,c) :- p(X,Y), e(Y,c).")));
    EXPECT_EQ(json["target"], (nlohmann::json{{"name", "p"}, {"arity", 2}}));
    EXPECT_EQ(json["inputs"], nlohmann::json::parse(R"([{"name":"e","arity":2}])"));
    EXPECT_EQ(json["recursive"], true);
    EXPECT_EQ(json["rules"][0]["head"], nlohmann::json::parse(
                                            R"({"predicate":"p","arguments":[{"variable":"X"},
                                                {"constant":"c"}]})"));
    EXPECT_EQ(json["rules"][0]["body"].size(), 2U);
    EXPECT_EQ(to_prolog(parse_program(json["prolog"].get<std::string>())),
              json["prolog"].get<std::string>());
}

TEST(Json, ReplacesBytesThatAreNoText) {
    Program program = parse_program("p(X) :- q(X).");
    program.vocabulary.intern({"a\xFF", 1});
    program.target = program.rules[0].head.predicate = program.vocabulary.intern({"\xC3", 1});
    EXPECT_TRUE(nlohmann::json::accept(to_json(program)));
}

Model small_model() {
    Options options;
    options.layers = 2;
    return make_model({{"edge", 2}, {"red", 1}}, {"path", 2}, options, 3);
}

TEST(Json, HoldsAModelsHierarchy) {
    const Model model = small_model();
    const auto json = nlohmann::json::parse(to_json(model));
    EXPECT_EQ(json["hierarchy"]["auxiliaries"].size(), model.hierarchy.auxiliaries.size());
    double sum = 0;
    for (const auto& match : json["hierarchy"]["target"]) {
        sum += match["weight"].get<double>();
    }
    EXPECT_NEAR(sum, 1, 1e-4);
    EXPECT_EQ(json["target"]["name"], "path");
}

TEST(Drawing, OfAProgramShowsWhatUsesWhat) {
    const Program program = parse_program(kFamily);
    const std::string dot = to_dot(program);
    EXPECT_THAT(dot, HasSubstr("n0 [label=\"grandparent/2\", peripheries=2]"));
    EXPECT_THAT(dot, HasSubstr("[label=\"2 times\""));
    const std::string svg = to_svg(program);
    for (const char* name : {"grandparent/2", "parent/2", "father/2", "mother/2"}) {
        EXPECT_THAT(svg, HasSubstr(std::string(">") + name + "</text>"));
    }
    EXPECT_THAT(svg, HasSubstr("grandparent(X,Y) &lt;- parent(X,Z) &amp; parent(Z,Y)</text>"));
    EXPECT_THAT(svg, Not(HasSubstr("2 times")));  // the rule says so
}

TEST(Drawing, OfAModelShowsTheWeightsOfWhatIsReached) {
    const Model model = small_model();
    const std::string few = to_dot(model, 0.5);
    const std::string many = to_dot(model, 0);
    EXPECT_LT(few.size(), many.size());
    EXPECT_THAT(few, HasSubstr("path/2"));
    const std::regex weight("label=\"([PQR] )?[01]\\.[0-9][0-9]\"");
    EXPECT_TRUE(std::regex_search(few, weight)) << few;
    EXPECT_THAT(to_svg(model, 0), HasSubstr("edge</text>"));
}

/// Names and tags in the order in which they open and close.
bool is_well_formed(const std::string& xml) {
    std::vector<std::string> open;
    const std::regex tag("<(/?)([a-z]+)[^<>]*?(/?)>");
    for (auto it = std::sregex_iterator(xml.begin(), xml.end(), tag); it != std::sregex_iterator();
         ++it) {
        if ((*it)[1].length() > 0) {
            if (open.empty() || open.back() != (*it)[2]) {
                return false;
            }
            open.pop_back();
        } else if ((*it)[3].length() == 0) {
            open.push_back((*it)[2]);
        }
    }
    return open.empty();
}

TEST(Drawing, IsWellFormedWhateverTheNames) {
    const Program program =
        parse_program("'<a href=\"x\">&'(X) :- '</svg>'(X), '<a href=\"x\">&'(X), 'q\"\\\\n'(X).");
    EXPECT_TRUE(is_well_formed(to_svg(program))) << to_svg(program);
    EXPECT_TRUE(is_well_formed(to_svg(small_model())));
    EXPECT_THAT(to_dot(program), HasSubstr("\\\"x\\\""));
}

}  // namespace
}  // namespace hri
