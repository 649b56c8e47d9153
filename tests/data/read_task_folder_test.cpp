// SPDX-License-Identifier: Apache-2.0
#include "data/folder_texts.hpp"

#include <ctime>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <utility>

namespace hri {
namespace {

using test::FolderTexts;
using test::ScratchFolder;
using testing::ElementsAre;
using testing::IsEmpty;
using Symbols = std::vector<PredicateSymbol>;

const Instance& only_instance(const Problem& problem) {
    EXPECT_EQ(problem.training.instances.size(), 1U);
    EXPECT_TRUE(problem.evaluation.empty());
    return problem.training.instances.front();
}

std::vector<std::string> warnings_of(const FolderTexts& texts) {
    const ScratchFolder folder;
    texts.write_to(folder.path());
    std::vector<std::string> warnings;
    for (const std::string& warning : read_task_folder(folder.path()).warnings) {
        warnings.push_back(FolderTexts::without(warning, folder.path().string() + "/"));
    }
    return warnings;
}

TEST(ReadTaskFolder, ReadsFactsExamplesAndBias) {
    const Problem problem = FolderTexts{}.read();
    EXPECT_EQ(problem.target(), (PredicateSymbol{"grandparent", 2}));
    EXPECT_EQ(problem.inputs(), (Symbols{{"parent", 2}}));
    EXPECT_THAT(problem.warnings, IsEmpty());
    const Instance& instance = only_instance(problem);
    EXPECT_EQ(instance.constants, 3);
    EXPECT_THAT(instance.names, ElementsAre("ann", "bob", "cleo"));
    EXPECT_THAT(instance.facts, ElementsAre(ElementsAre(Fact{0, 1}, Fact{1, 2})));
    std::vector<Label> labels(9, Label::unlabelled);
    labels[2] = Label::positive;
    labels[1] = Label::negative;
    EXPECT_EQ(instance.labels, labels);
}

TEST(ReadTaskFolder, TakesTheFolderForItsName) {
    const ScratchFolder folder;
    std::filesystem::create_directory(folder / "family");
    FolderTexts{}.write_to(folder / "family");
    EXPECT_EQ(read_task_folder(folder / "family").name, "family");
    EXPECT_EQ(read_task_folder(folder / "family/").name, "family");
    EXPECT_EQ(read_task_folder(folder / "family/.").name, "family");
}

TEST(ReadTaskFolder, MakesUnlistedAtomsNegativeInAClosedWorld) {
    const Problem problem = FolderTexts{}.read({.closed_world = true});
    EXPECT_EQ(only_instance(problem).count(Label::negative), 8);
    EXPECT_EQ(only_instance(problem).count(Label::positive), 1);
}

TEST(ReadTaskFolder, FindsTargetAndInputsWithoutBias) {
    FolderTexts texts;
    texts.bk = "zoo. tall(b).\nparent(a,b).\nrain.\ntall(a). parent(b,c).\n";
    texts.exs = "neg(happy(a)).\npos(happy(d)).\n";
    texts.bias.reset();
    const Problem problem = texts.read();
    EXPECT_EQ(problem.target(), (PredicateSymbol{"happy", 1}));
    EXPECT_EQ(problem.inputs(), (Symbols{{"zoo", 0}, {"tall", 1}, {"parent", 2}, {"rain", 0}}));
    const Instance& instance = only_instance(problem);
    EXPECT_THAT(instance.names, ElementsAre("a", "b", "c", "d"));
    EXPECT_THAT(instance.facts,
                ElementsAre(ElementsAre(Fact{}), ElementsAre(Fact{0}, Fact{1}),
                            ElementsAre(Fact{0, 1}, Fact{1, 2}), ElementsAre(Fact{})));
    EXPECT_THAT(instance.labels, ElementsAre(Label::negative, Label::unlabelled, Label::unlabelled,
                                             Label::positive));
}

TEST(ReadTaskFolder, TakesInputsAsBiasListsThem) {
    FolderTexts texts;
    texts.bk = "other(x,y,z). other(X) :- parent(X,Y). parent(ann,bob). likes(cleo,dan).\n";
    texts.exs = "pos(grandparent(ann,bob)).";
    texts.bias =
        "body_pred(tall,1). body_pred(parent,2). head_pred(grandparent,2). body_pred(parent,2).";
    const Problem problem = texts.read();
    EXPECT_EQ(problem.inputs(), (Symbols{{"tall", 1}, {"parent", 2}}));
    EXPECT_THAT(only_instance(problem).names, ElementsAre("ann", "bob"));
    EXPECT_THAT(only_instance(problem).facts, ElementsAre(IsEmpty(), ElementsAre(Fact{0, 1})));
}

TEST(ReadTaskFolder, NumbersConstantsByNameWhateverTheOrderOfLines) {
    FolderTexts texts;
    texts.bk = "parent(b,a). parent(10,9). parent(-1,'B b'). parent(10,1.5).";
    texts.exs = "pos(grandparent(a,10)).";
    EXPECT_THAT(only_instance(texts.read()).names,
                ElementsAre("-1", "9", "10", "1.5", "B b", "a", "b"));
    texts.bk = "parent(2,1). parent(1,0).";
    texts.exs = "pos(grandparent(2,0)).";
    const Problem problem = texts.read();
    EXPECT_THAT(only_instance(problem).names, IsEmpty());
    EXPECT_THAT(only_instance(problem).facts, ElementsAre(ElementsAre(Fact{1, 0}, Fact{2, 1})));
    EXPECT_EQ(only_instance(problem).labels[6], Label::positive);
}

TEST(ReadTaskFolder, ReadsValuations) {
    FolderTexts texts;
    texts.bk =
        "0.25::parent(ann,bob).\n1::parent(bob,cleo).\n0.5::parent(ann,bob).\n0.125::rain.\n";
    texts.bias.reset();
    EXPECT_THAT(
        only_instance(texts.read()).facts,
        ElementsAre(ElementsAre(Fact{0, 1, 0.5F}, Fact{1, 2}), ElementsAre(Fact{0, 0, 0.125F})));
}

TEST(ReadTaskFolder, ReadsPrologAsPeopleWriteIt) {
    FolderTexts texts;
    texts.bk =
        "\xEF\xBB\xBF:- style_check(-discontiguous).\r\n:- dynamic parent/2.\r\n"
        "% a comment\r\n/* and\r\n   another */ parent( ann , 'Bob B' ) .parent(ann,'it''s').\r\n"
        "parent(\"text\",'ann').\r\n";
    texts.exs = ":- use_module(library(x)).\npos(grandparent(ann,[])).";
    EXPECT_EQ(texts.error(),
              "bk.pl:5:39: expected '.' at the end of the clause, found '.' (a space "
              "or a new line follows the full stop)");
    texts.bk.replace(texts.bk.find(".parent"), 1, ".\n");
    EXPECT_THAT(only_instance(texts.read()).names,
                ElementsAre("Bob B", "[]", "ann", "it's", "text"));
}

TEST(ReadTaskFolder, KeepsConstantsThatOnlyACommentMentions) {
    FolderTexts texts;
    texts.bk += "% constants: zoe, 'Al B', 3\n";
    EXPECT_THAT(only_instance(texts.read()).names,
                ElementsAre("3", "Al B", "ann", "bob", "cleo", "zoe"));
    texts.bk += "% constants: see the manual\n";
    EXPECT_THAT(warnings_of(texts), ElementsAre("bk.pl:4:1: this comment lists no constants"));
}

TEST(ReadTaskFolder, WarnsOfBiasThatItDoesNotUse) {
    FolderTexts texts;
    texts.bias =
        "max_rules(4).\nenable_recursion.\n% head_pred(x,1).\nhead_pred(grandparent,2).\n"
        "type(parent,(person,person)).\n  type(grandparent,(person,person)).\n"
        ":-\n    clause(C),\n    #count{V : var_type(C,V,train)} > 1.\n"
        "body_pred(parent,2).\nmax_body(N) :- N = 1..3, not x { y }.\n";
    EXPECT_THAT(
        warnings_of(texts),
        ElementsAre("bias.pl:1:1: max_rules/1 is not used", "bias.pl:7:1: a constraint is not used",
                    "bias.pl:11:1: a statement that is not Prolog is not used"));
    EXPECT_EQ(texts.read().inputs(), (Symbols{{"parent", 2}}));
}

TEST(ReadTaskFolder, KeepsTypesDirectionsAndTheWishForRecursion) {
    FolderTexts texts;
    EXPECT_FALSE(texts.read().recursion_wanted);
    texts.bias =
        "head_pred(grandparent,2). body_pred(parent,2). body_pred(tall,1). enable_recursion.\n"
        "type(parent,(person,person)). type(tall,(person,)).\n"
        "direction(parent,(in,out)).\n";
    texts.bk += "tall(ann).\n";
    const Problem problem = texts.read();
    EXPECT_TRUE(problem.recursion_wanted);
    EXPECT_THAT(problem.warnings, IsEmpty());
    EXPECT_THAT(
        problem.schema->types,
        ElementsAre(testing::Pair(PredicateSymbol{"parent", 2}, ElementsAre("person", "person")),
                    testing::Pair(PredicateSymbol{"tall", 1}, ElementsAre("person"))));
    EXPECT_THAT(problem.schema->directions,
                ElementsAre(testing::Pair(PredicateSymbol{"parent", 2}, ElementsAre("in", "out"))));
}

TEST(ReadTaskFolder, WarnsOfLinesAboutWhatIsNotThere) {
    FolderTexts texts;
    texts.bias =
        "head_pred(grandparent,2). body_pred(parent,2).\nbody_pred(paretn,2).\n"
        "type(parent,(person,person,person)). type(grandparent,(person,person)).\n"
        "direction(paren,(in,out)).\ndirection(parent,(in,sideways)).\n";
    EXPECT_THAT(warnings_of(texts),
                ElementsAre("bias.pl:5:1: a direction other than in and out is not used",
                            "bias.pl:3:1: there is no parent/3: this is not used",
                            "bias.pl:4:1: there is no paren/2: this is not used",
                            "bias.pl:2:1: there are no facts of paretn/2"));
    EXPECT_THAT(texts.read().schema->directions, IsEmpty());
}

TEST(ReadTaskFolder, RunsRulesOfTheBackground) {
    FolderTexts texts;
    texts.bk =
        "father(ann,bob). mother(bob,cleo). 0.3::mother(cleo,dan). knows(a,b,c).\n"
        "parent(X,Y) :- father(X,Y).\nparent(X,Y) :- mother(X,Y).\n"
        "older(X,Y) :- parent(X,Y). older(X,Z) :- older(X,Y), older(Y,Z), true.\n"
        "met(X) :- knows(X,_,c), knows(_,Y,_). strange(X) :- \\+ parent(X,Y). never :- fail.\n";
    texts.bias =
        "head_pred(grandparent,2). body_pred(parent,2). body_pred(older,2). body_pred(met,1).";
    const Problem problem = texts.read();
    EXPECT_THAT(problem.notes, ElementsAre("the background's rules give 6 facts"));
    const Instance& instance = only_instance(problem);
    EXPECT_THAT(instance.names, ElementsAre("a", "ann", "bob", "cleo"));
    EXPECT_THAT(instance.facts,
                ElementsAre(ElementsAre(Fact{1, 2}, Fact{2, 3}),
                            ElementsAre(Fact{1, 2}, Fact{1, 3}, Fact{2, 3}), ElementsAre(Fact{0})));
}

TEST(ReadTaskFolder, ChoosesAmongSeveralTargets) {
    FolderTexts texts;
    texts.bias = "head_pred(grandparent,2).\nhead_pred(uncle,2).\nbody_pred(parent,2).\n";
    texts.exs += "pos(uncle(dan,ann)).";
    EXPECT_EQ(texts.error(),
              "bias.pl:2:1: there are several targets: say which one (target with one of "
              "grandparent/2, uncle/2)");
    EXPECT_EQ(texts.read({.target = "uncle"}).target(), (PredicateSymbol{"uncle", 2}));
    const Problem chosen = texts.read({.target = "grandparent/2"});
    EXPECT_EQ(chosen.target(), (PredicateSymbol{"grandparent", 2}));
    EXPECT_THAT(only_instance(chosen).names, ElementsAre("ann", "bob", "cleo"));
    texts.bias.reset();
    EXPECT_EQ(texts.error(),
              "exs.pl:3:5: there are several targets: say which one (target with one of "
              "grandparent/2, uncle/2)");
    try {
        texts.read({.target = "aunt/2"});
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.message() + " (" + error.hint() + ")",
                  "there is no target aunt/2 (expected one of grandparent/2, uncle/2)");
    }
}

TEST(ReadTaskFolder, ReifiesFactsOfThreeArgumentsWhenAsked) {
    FolderTexts texts;
    texts.bk = "gave(ann,bob,'a book').\n0.5::gave(ann,ann,3).\ngave_2(x,y).\n";
    texts.exs = "pos(kind(ann)).";
    texts.bias.reset();
    const Problem problem = texts.read({.reify = true});
    EXPECT_EQ(problem.inputs(),
              (Symbols{{"gave_1", 2}, {"gave_2_", 2}, {"gave_3", 2}, {"gave_2", 2}}));
    EXPECT_THAT(problem.notes, ElementsAre("gave/3 is reified: gave_1/2 to gave_3/2"));
    const Instance& instance = only_instance(problem);
    EXPECT_THAT(instance.names, ElementsAre("3", "a book", "ann", "bob", "gave(ann,ann,3)",
                                            "gave(ann,bob,'a book')", "x", "y"));
    EXPECT_THAT(instance.facts[2], ElementsAre(Fact{4, 0, 0.5F}, Fact{5, 1}));
}

TEST(ReadTaskFolder, TakesAllPredicatesWhereBiasNamesNoInput) {
    FolderTexts texts;
    texts.bias = "head_pred(grandparent,2).\n";
    EXPECT_EQ(texts.read().inputs(), (Symbols{{"parent", 2}}));
    texts.bias = "";
    EXPECT_EQ(texts.read().inputs(), (Symbols{{"parent", 2}}));
}

TEST(ReadTaskFolder, TakesFactsOfTheTargetForKnownFacts) {
    FolderTexts texts;
    texts.bk += "grandparent(ann,cleo).\n";
    const Problem problem = texts.read();
    EXPECT_THAT(problem.warnings, IsEmpty());
    EXPECT_THAT(problem.notes, ElementsAre("1 known fact of grandparent/2: clauses may use it"));
    EXPECT_EQ(problem.inputs(), (Symbols{{"parent", 2}}));
    EXPECT_FALSE(problem.recursion_wanted);
    texts.bias = "body_pred(parent,2).\nbody_pred(grandparent,2).\n";
    EXPECT_THAT(texts.read().warnings, IsEmpty());
    EXPECT_EQ(texts.read().inputs(), (Symbols{{"parent", 2}}));
    EXPECT_TRUE(texts.read().recursion_wanted);
}

TEST(ReadTaskFolder, WarnsWhenAnInputHasFactsOfAnotherArityOnly) {
    FolderTexts texts;
    texts.bias = "head_pred(grandparent,2).\nbody_pred(parent,1).\n";
    EXPECT_THAT(warnings_of(texts),
                ElementsAre("bk.pl:1:1: parent/2 is not an input: bias.pl has parent/1",
                            "bias.pl:2:1: there are no facts of parent/1"));
}

TEST(ReadTaskFolder, LetsPositiveWinOverNegative) {
    FolderTexts texts;
    texts.exs =
        "pos(grandparent(ann,cleo)).\nneg(grandparent(ann,cleo)).\n"
        "neg(grandparent(ann,bob)). pos(grandparent(ann,bob)).\n";
    EXPECT_THAT(
        warnings_of(texts),
        ElementsAre("exs.pl:2:5: this example is positive elsewhere and counts as positive, "
                    "with 1 more"));
    EXPECT_EQ(only_instance(texts.read()).count(Label::positive), 2);
    EXPECT_EQ(only_instance(texts.read()).count(Label::negative), 0);
}

TEST(ReadTaskFolder, ReadsATargetWithoutArguments) {
    FolderTexts texts;
    texts.exs = "pos(wet).";
    texts.bias.reset();
    const Problem problem = texts.read();
    EXPECT_EQ(problem.target(), (PredicateSymbol{"wet", 0}));
    EXPECT_THAT(only_instance(problem).labels, ElementsAre(Label::positive));
}

TEST(ReadTaskFolder, ReadsAFolderWithoutExamplesIfTheTargetIsKnown) {
    FolderTexts texts;
    texts.exs = "% none\n";
    EXPECT_THAT(warnings_of(texts), ElementsAre("exs.pl: there are no examples"));
    EXPECT_EQ(only_instance(texts.read()).count(Label::unlabelled), 9);
}

TEST(ReadTaskFolder, RefusesMoreAtomsThanItCanLabel) {
    FolderTexts texts;
    texts.bk.clear();
    for (int i = 0; i < 7072; ++i) {
        texts.bk += "parent(" + std::to_string(i) + ",0).\n";
    }
    texts.exs = "pos(grandparent(0,0)).";
    EXPECT_EQ(
        texts.error({.split = {.when = SplitOptions::When::never}}),
        "exs.pl:1:1: the instance is too large: 7072 constants give grandparent/2 50013184 atoms, "
        "expected at most 50000000 (every atom has a label) (cut the data into smaller folders, or "
        "into instances by split = always)");
    texts.exs = "pos(old(0)).";
    texts.bias = "head_pred(old,1).";
    EXPECT_EQ(texts.error(), "no error");
}

TEST(ReadTaskFolder, ReadsAHundredThousandExamplesInAboutASecond) {
    FolderTexts texts;
    texts.exs.clear();
    for (int i = 0; i < 100'000; ++i) {
        texts.exs += std::string(i % 10 == 0 ? "pos" : "neg") + "(grandparent(person_number_" +
                     std::to_string(i / 400) + ",person_number_" + std::to_string(i % 400) +
                     ")).\n";
    }
    const ScratchFolder folder;
    texts.write_to(folder.path());
    const std::clock_t begin = std::clock();
    const Problem problem =
        read_task_folder(folder.path(), {.split = {.when = SplitOptions::When::never}});
    const std::clock_t spent = std::clock() - begin;  // of the processor, whoever else is at work
    EXPECT_EQ(only_instance(problem).count(Label::positive), 10'000);
    EXPECT_EQ(only_instance(problem).count(Label::negative), 90'000);
    EXPECT_LT(spent / CLOCKS_PER_SEC, 10) << "about 0.1 in a release";
}

}  // namespace
}  // namespace hri
