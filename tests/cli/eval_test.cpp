// SPDX-License-Identifier: Apache-2.0

#include "hri/model.hpp"

#include "cli/run_hri.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri::test {
namespace {

using testing::HasSubstr;

class Eval : public testing::Test {
  protected:
    std::string file(const std::string& name) const { return (folder_ / name).string(); }

    ScratchFolder folder_;
};

TEST_F(Eval, JudgesAProgramOnFreshInstancesOfAnySize) {
    write_file(folder_ / "p.pl", "undirected_edge(X,Y) :- edge(X,Y).\n");
    const Outcome outcome = hri({"eval", file("p.pl"), "undirected-edge", "--constants", "9",
                                 "--count", "5", "--seed", "2", "--json", file("e.json")});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("on 5 instances of 9 constants"));
    const nlohmann::json json = read_json(file("e.json"));
    EXPECT_EQ(json["measure"], "symbolic_fixpoint");
    EXPECT_EQ(json["precision"], 100.0);
    EXPECT_LT(json["recall"].get<double>(), 100);
    EXPECT_GT(json["mse"].get<double>(), 0);
    EXPECT_EQ(json["positives"].get<int>() + json["negatives"].get<int>(), 5 * 81);
    EXPECT_EQ(json["false_positives"], 0);
    EXPECT_GT(json["false_negatives"].get<int>(), 0);
}

TEST_F(Eval, JudgesAProgramOnMoreConstantsThanLabelsCouldBeKeptFor) {
    std::string triples;
    for (int i = 0; i < 20'000; ++i) {
        const auto name = [](int c) { return "c" + std::to_string(c); };
        triples += name(i) + "\tparent\t" + name(i + 1) + "\n";
        if (i % 2 == 0) {
            triples += name(i) + "\tgrandparent\t" + name(i + 2) + "\n";
        }
    }
    write_file(folder_ / "kin.txt", triples + "c7\tgrandparent\tc7\n");
    write_file(folder_ / "p.pl", "grandparent(X,Y) :- parent(X,Z), parent(Z,Y).\n");
    for (const bool closed : {false, true}) {
        std::vector<std::string> arguments{"eval",        file("p.pl"), file("kin.txt"), "--target",
                                           "grandparent", "--json",     file("e.json")};
        if (closed) {
            arguments.emplace_back("--closed-world");
        }
        const Outcome outcome = hri(arguments);
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        const nlohmann::json json = read_json(file("e.json"));
        EXPECT_EQ(json["positives"], 10'001);
        EXPECT_EQ(json["false_negatives"], 1);  // c7 c7
        EXPECT_EQ(json["false_positives"], closed ? 9'999 : 0);
        EXPECT_EQ(json["negatives"], closed ? 20'001LL * 20'001 - 10'001 : 0);
    }
}

TEST_F(Eval, JudgesATargetOfThreeArguments) {
    std::filesystem::create_directory(folder_ / "trips");
    write_file(folder_ / "trips/bk.pl", "lives(ann,rome). flight(rome,oslo,mon).\n");
    write_file(folder_ / "trips/exs.pl",
               "pos(reach(ann,oslo,mon)). neg(reach(ann,oslo,tue)). neg(reach(ann,rome,mon)).\n");
    write_file(folder_ / "trips/bias.pl",
               "head_pred(reach,3). body_pred(lives,2). body_pred(flight,3).\n");
    write_file(folder_ / "p.pl", "reach(X,Y,Z) :- lives(X,U), flight(U,Y,Z).\n");
    const Outcome outcome = hri({"eval", file("p.pl"), file("trips"), "--json", file("e.json")});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("on 5 constants: 1 positive atom and 2 negative ones"));
    EXPECT_EQ(read_json(file("e.json"))["accuracy"], 100.0);
    const Outcome asked = hri({"ask", file("trips"), "--time-limit", "2"});
    EXPECT_EQ(asked.code, 2);
    EXPECT_THAT(asked.err, HasSubstr("reach/3 has 3 arguments: questions are asked of targets"));
}

TEST_F(Eval, CountsSteps) {
    write_file(folder_ / "p.pl",
               "less_than(X,Y) :- path(X,Y).\n"
               "path(X,Y) :- succ(X,Y).\n"
               "path(X,Y) :- succ(X,Z), path(Z,Y).\n");
    hri({"eval", file("p.pl"), "less-than", "--steps", "1", "--json", file("e.json")});
    const nlohmann::json json = read_json(file("e.json"));
    EXPECT_EQ(json["measure"], "symbolic");
    EXPECT_LT(json["symbolic"]["recall"].get<double>(), 100);
    EXPECT_EQ(json["symbolic_fixpoint"]["recall"], 100.0);
}

TEST_F(Eval, JudgesAModelSoftlyAndSymbolically) {
    Options options;
    options.layers = 2;
    save_model(file("m.safetensors"),
               make_model({{"edge", 2}}, {"undirected_edge", 2}, options, 1));
    const Outcome outcome =
        hri({"eval", file("m.safetensors"), "undirected-edge", "--json", file("e.json")});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("soft, 4 steps"));
    const nlohmann::json json = read_json(file("e.json"));
    EXPECT_EQ(json["measure"], "soft");
    EXPECT_EQ(json["mse"], json["soft"]["mse"]);
    EXPECT_TRUE(json.contains("symbolic"));
    EXPECT_TRUE(json.contains("symbolic_fixpoint"));
}

TEST_F(Eval, TakesDataWithMissingAndWithExtraPredicates) {
    Options options;
    options.layers = 2;
    options.dimension = 4;
    save_model(file("m"), make_model({{"edge", 2}, {"mark", 1}}, {"back", 2}, options, 1));
    std::filesystem::rename(file("m"), file("m.safetensors"));
    const std::string task = write_tiny_task(folder_);
    EXPECT_EQ(hri({"eval", file("m.safetensors"), task}).code, 0) << "mark is missing";

    write_file(folder_ / "tiny" / "bk.pl",
               "edge(a,b). edge(b,c). edge(c,d). edge(d,a). road(a,b).\n");
    write_file(folder_ / "tiny" / "bias.pl",
               "head_pred(back,2).\nbody_pred(edge,2).\nbody_pred(road,2).\n");
    const Outcome ignored = hri({"eval", file("m.safetensors"), task});
    EXPECT_EQ(ignored.code, 0) << ignored.err;
    EXPECT_THAT(ignored.err, HasSubstr("road/2"));
    write_file(folder_ / "v.txt", "other 1 2 3 4\nroad 0 0 0.5 -1e-3\n");
    const Outcome placed =
        hri({"eval", file("m.safetensors"), task, "--extra-embeddings", file("v.txt")});
    EXPECT_EQ(placed.code, 0) << placed.err;
    EXPECT_EQ(placed.err, "");
    write_file(folder_ / "v.txt", "\nroad 0 0 x 1\n");
    const Outcome wrong =
        hri({"eval", file("m.safetensors"), task, "--extra-embeddings", file("v.txt")});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_THAT(wrong.err, HasSubstr("v.txt:2:10: expected a number, found 'x'"));
    write_file(folder_ / "v.txt", "road 0 0 1\n");
    EXPECT_THAT(hri({"eval", file("m.safetensors"), task, "--extra-embeddings", file("v.txt")}).err,
                HasSubstr("v.txt:1:1: expected vectors of 4 numbers, found 3"));
}

TEST_F(Eval, RulesPrintsTextPrologAndWeights) {
    write_file(folder_ / "p.pl", "back(X,Y) :- aux(X,Y).\naux(X,Y) :- edge(Y,X).\n");
    EXPECT_EQ(hri({"rules", file("p.pl")}).out, "back(X,Y) <- edge(Y,X)\n");
    EXPECT_THAT(hri({"rules", file("p.pl"), "--raw"}).out, HasSubstr("aux"));
    EXPECT_THAT(hri({"rules", file("p.pl"), "--to", "prolog", "--json", file("r.json")}).out,
                HasSubstr("back(X,Y) :- edge(Y,X)."));
    EXPECT_EQ(read_json(file("r.json"))["program"], "back(X,Y) <- edge(Y,X)\n");
    save_model(file("m.safetensors"), make_model({{"edge", 2}}, {"back", 2}, {}, 1));
    const Outcome weights = hri({"rules", file("m.safetensors"), "--weights"});
    EXPECT_EQ(weights.code, 0) << weights.err;
    EXPECT_THAT(weights.out, HasSubstr("_4 0."));
}

}  // namespace
}  // namespace hri::test
