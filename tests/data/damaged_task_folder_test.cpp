// SPDX-License-Identifier: Apache-2.0

// Every kind of damage gives an error that says where, what was expected and what to try.

#include "hri/random.hpp"

#include "data/folder_texts.hpp"
#include "data/readers/task_files.hpp"
#include "support/mutations.hpp"

#include <gtest/gtest.h>

namespace hri {
namespace {

namespace fs = std::filesystem;
using test::FolderTexts;
using test::ScratchFolder;

std::string error_of_bk(const std::string& bk) {
    FolderTexts texts;
    texts.bk = bk;
    texts.bias.reset();
    return texts.error();
}

std::string error_of_exs(const std::string& exs) {
    FolderTexts texts;
    texts.exs = exs;
    return texts.error();
}

std::string error_of_bias(const std::string& bias) {
    FolderTexts texts;
    texts.bias = bias;
    return texts.error();
}

TEST(DamagedTaskFolder, NeedsAFolderAndItsFiles) {
    const std::string hint =
        " (a task folder holds bk.pl (facts), exs.pl (examples) and, if wanted, bias.pl)";
    const ScratchFolder folder;
    const auto error_at = [&](const fs::path& path) -> std::string {
        try {
            read_task_folder(path);
        } catch (const Error& error) {
            return FolderTexts::without(error.what(), folder.path().string() + "/");
        }
        return "no error";
    };
    EXPECT_EQ(error_at(folder / "none"), "none: there is no such folder" + hint);
    write_file(folder / "file", "");
    EXPECT_EQ(error_at(folder / "file"), "file: this is not a folder" + hint);
    EXPECT_EQ(error_at(folder.path()), "bk.pl: expected this file" + hint);
    write_file(folder / "bk.pl", "p(a).");
    EXPECT_EQ(error_at(folder.path()), "exs.pl: expected this file" + hint);
    fs::create_directory(folder / "exs.pl");
    EXPECT_EQ(error_at(folder.path()),
              "exs.pl: cannot read: this is a folder (give the name of a file)");
}

TEST(DamagedTaskFolder, NeedsWholeFacts) {
    EXPECT_EQ(error_of_bk("p(a).\np(b)\np(c).\n"),
              "bk.pl:3:1: expected '.' at the end of the clause, found 'p' (end each fact and rule "
              "with a full stop)");
    EXPECT_EQ(error_of_bk("p(a).\n  p(b,"),
              "bk.pl:2:7: expected a term, found the end of the text");
    EXPECT_EQ(error_of_bk("p(a"),
              "bk.pl:1:4: expected ',' or ')', found the end of the text (the bracket opened at "
              "line 1, column 2)");
    EXPECT_EQ(error_of_bk("p(a).\np('b).\n"),
              "bk.pl:2:3: this quote is never closed (close it on the same line; write a quote "
              "inside a name twice)");
    EXPECT_EQ(error_of_bk("p(a), p(b)."),
              "bk.pl:1:5: expected a fact, found several atoms (write each fact as "
              "parent(ann,bob).)");
    EXPECT_EQ(error_of_bk("p(a).\n7.\n"),
              "bk.pl:2:1: expected a fact, found the number 7 (write each fact as "
              "parent(ann,bob).)");
    EXPECT_EQ(error_of_bk("X."),
              "bk.pl:1:1: expected a fact, found the variable X (write each fact as "
              "parent(ann,bob).)");
    EXPECT_EQ(error_of_bk("[a]."),
              "bk.pl:1:1: expected a fact, found a list (write each fact as parent(ann,bob).)");
}

TEST(DamagedTaskFolder, NeedsConstantsAsArguments) {
    const std::string hint =
        " (names of constants begin with a small letter or stand in single quotes)";
    EXPECT_EQ(error_of_exs("pos(grandparent(ann,_))."),
              "exs.pl:1:21: expected a constant, found the variable _" + hint);
    EXPECT_EQ(error_of_exs("pos(grandparent(ann,f(X)))."),
              "exs.pl:1:21: expected a term without variables, found 'f' with 1 argument" + hint);
}

TEST(DamagedTaskFolder, NeedsFewArguments) {
    std::string wide = "p(a";
    for (int i = 0; i < 32; ++i) {
        wide += ",a";
    }
    EXPECT_EQ(error_of_bk(wide + ")."),
              "bk.pl:1:1: facts of arity 33 are not supported, expected at most 32 arguments (give "
              "the fact a name of its own)");
}

TEST(DamagedTaskFolder, NeedsValuationsOfFactsAlone) {
    EXPECT_EQ(error_of_bk("0.5::q(X) :- p(X)."),
              "bk.pl:1:6: a valuation before a rule (only facts have one: write 0.8::edge(a,b).)");
    EXPECT_EQ(error_of_bk("p(a).\nq(X) :- p(X).\n"), "no error");
}

TEST(DamagedTaskFolder, NeedsRulesThatEnd) {
    std::string bk;
    for (int i = 0; i < 1500; ++i) {
        bk += "p(c" + std::to_string(i) + ").\n";
    }
    EXPECT_EQ(error_of_bk(bk + "q(X,Y) :- p(X), p(Y).\n"),
              "bk.pl:1501:1: the background's rules give too much: more than 2000000 facts or "
              "200000000 rows to look at (write out the facts that are needed)");
}

TEST(DamagedTaskFolder, NeedsValuationsFromAboveZeroToOne) {
    const std::string hint = " (write 0.8::edge(a,b).)";
    EXPECT_EQ(error_of_bk("p(a).\n1.5::p(b).\n"),
              "bk.pl:2:1: expected a valuation above 0 and at most 1, found the number 1.5" + hint);
    EXPECT_EQ(error_of_bk("0::p(b)."),
              "bk.pl:1:1: expected a valuation above 0 and at most 1, found the number 0" + hint);
    EXPECT_EQ(
        error_of_bk("-0.5::p(b)."),
        "bk.pl:1:1: expected a valuation above 0 and at most 1, found the number -0.5" + hint);
    EXPECT_EQ(error_of_bk("high::p(b)."),
              "bk.pl:1:1: expected a valuation above 0 and at most 1, found 'high'" + hint);
    EXPECT_EQ(
        error_of_bk("0.5::0.5::p(b)."),
        "bk.pl:1:9: expected '.' at the end of the clause, found '::' (end each fact and rule "
        "with a full stop)");
}

TEST(DamagedTaskFolder, NeedsExamplesOfOneTarget) {
    EXPECT_EQ(error_of_exs("pos(grandparent(ann,cleo)).\ngrandparent(ann,bob).\n"),
              "exs.pl:2:1: expected pos(...) or neg(...), found 'grandparent' with 2 arguments "
              "(write each example as pos(target(a,b)).)");
    EXPECT_EQ(error_of_exs("pos(3)."),
              "exs.pl:1:5: expected an atom of the target, found the number 3 (write each example "
              "as pos(target(a,b)).)");
    EXPECT_EQ(error_of_exs("pos(grandparent(ann,cleo)).\n  neg(parent(ann,bob)).\n"),
              "exs.pl:2:7: expected an example of grandparent/2, found parent/2 (bias.pl names "
              "the targets by head_pred)");
    EXPECT_EQ(error_of_exs("pos(grandparent(ann))."),
              "exs.pl:1:5: expected an example of grandparent/2, found grandparent/1 (bias.pl "
              "names the targets by head_pred)");
    FolderTexts texts;
    texts.exs = "\n";
    texts.bias.reset();
    EXPECT_EQ(
        texts.error(),
        "exs.pl:1:1: expected examples, found none (write each example as pos(target(a,b)).)");
}

TEST(DamagedTaskFolder, NeedsWholeDeclarations) {
    EXPECT_EQ(
        error_of_bias("head_pred(grandparent,2).\nbody_pred(parent,2)\nbody_pred(x,1).\n"),
        "bias.pl:3:1: expected '.' at the end of the clause, found 'body_pred' (end each fact "
        "and rule with a full stop)");
    EXPECT_EQ(
        error_of_bias("max_vars(4)\nhead_pred(grandparent,2).\n"),
        "bias.pl:2:1: expected '.' at the end of the clause, found 'head_pred' (end each fact "
        "and rule with a full stop)");
    EXPECT_EQ(error_of_bias("\n  head_pred(grandparent)."),
              "bias.pl:2:3: expected a name and an arity (write head_pred(parent,2).)");
    EXPECT_EQ(error_of_bias("body_pred(parent,two)."),
              "bias.pl:1:18: expected an arity: 0, 1, 2, ...");
    EXPECT_EQ(error_of_bias("body_pred(parent,-1)."),
              "bias.pl:1:18: expected an arity: 0, 1, 2, ...");
    EXPECT_EQ(error_of_bias("% é\n /* é */ body_pred(Parent,2)."),
              "bias.pl:2:20: expected the name of a predicate (names begin with a small letter or "
              "stand in single quotes)");
    EXPECT_EQ(error_of_bias("head_pred(grandparent,2).\ntype(parent,(Person,x)).\n"),
              "bias.pl:2:14: expected a name for each argument (write "
              "type(father,(person,person)).)");
    EXPECT_EQ(error_of_bias("head_pred(grandparent,2).\ndirection(3,(in,out)).\n"),
              "bias.pl:2:11: expected the name of a predicate (write direction(father,(in,out)).)");
}

TEST(DamagedTaskFolder, EitherReadsAndRoundTripsOrTellsAPlaceInsideTheFile) {
    const FolderTexts whole{
        "father(ann,'Bob B').\n0.5::mother(bob,3). % constants: zoe\n:- dynamic x/1.\nrain.\n",
        "pos(grandparent(ann,bob)).\nneg(grandparent(3,-1.5e3)).\npos(grandparent(a,b)).\n",
        "max_vars(4).\nhead_pred(grandparent,2).\nbody_pred(father,2).\nbody_pred(rain,0).\n"
        ":- clause(C), #count{V : x(C)} != 1.\n"};
    Random random(11);
    int read = 0;
    for (int i = 0; i < 10'000; ++i) {
        data::TaskFiles files{{"bk.pl", whole.bk},
                              {"exs.pl", whole.exs},
                              data::TextFile{"bias.pl", *whole.bias},
                              "t"};
        data::TextFile& file = i % 3 == 0   ? files.background
                               : i % 3 == 1 ? files.examples
                                            : *files.bias;
        file.text = test::mutated(file.text, random);
        try {
            const Problem problem = data::read_task(files);
            ++read;
            const Instance& instance = problem.training.instances.front();
            const Problem again = data::read_task(data::write_task(problem, instance));
            EXPECT_EQ(again.inputs(), problem.inputs());
            EXPECT_EQ(again.target(), problem.target());
            EXPECT_EQ(again.training.instances.front(), instance) << file.text;
        } catch (const Error& error) {
            // a mutated target may make the other files wrong
            test::expect_place_inside(error,
                                      std::vector{files.background, files.examples, *files.bias});
        }
    }
    EXPECT_GT(read, 1000);
    EXPECT_LT(read, 9000);
}

}  // namespace
}  // namespace hri
