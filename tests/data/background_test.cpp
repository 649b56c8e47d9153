// SPDX-License-Identifier: Apache-2.0

// Databases of any arity, and backgrounds that SWI-Prolog runs.

#include "hri/data.hpp"

#include "data/folder_texts.hpp"
#include "paths.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace hri {
namespace {

using test::FolderTexts;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

const FactTable* table(const Problem& problem, const std::string& name) {
    for (const FactTable& found : problem.database->tables) {
        if (found.symbol.name == name) {
            return &found;
        }
    }
    return nullptr;
}

std::vector<std::string> texts_of(const Database& database, const std::vector<std::int32_t>& cells,
                                  int arity) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string& name = database.constants[static_cast<std::size_t>(cells[i])];
        if (i % static_cast<std::size_t>(arity) == 0) {
            texts.push_back(name);
        } else {
            texts.back() += " " + name;
        }
    }
    return texts;
}

std::vector<std::string> rows_of(const Problem& problem, const std::string& name) {
    const FactTable* found = table(problem, name);
    return found == nullptr ? std::vector<std::string>{"no table"}
                            : texts_of(*problem.database, found->cells, found->symbol.arity);
}

/// The answers of a computed predicate; "_" asks.
std::vector<std::string> call(const Problem& problem, const std::string& name,
                              const std::vector<std::string>& arguments) {
    Database& database = *problem.database;
    for (const ComputedPredicate& computed : database.computed) {
        if (computed.symbol.name != name) {
            continue;
        }
        std::vector<std::int32_t> pattern;
        for (const std::string& argument : arguments) {
            const auto at =
                std::find(database.constants.begin(), database.constants.end(), argument);
            pattern.push_back(argument == "_"
                                  ? kAnyConstant
                                  : static_cast<std::int32_t>(at - database.constants.begin()));
        }
        std::vector<std::int32_t> rows;
        computed.call(pattern, rows);
        return texts_of(database, rows, computed.symbol.arity);
    }
    return {"not computed"};
}

TEST(Database, HoldsFactsAndExamplesOfAnyArity) {
    FolderTexts texts;
    texts.bk = "gave(bob,ann,book).\ngave(ann,bob,3).\ngave(ann,bob,3).\nrain.\nold(ann).\n";
    texts.exs = "pos(got(bob,book,1.5)).\nneg(got(bob,3,2)).\nneg(got(bob,book,1.5)).\n";
    texts.bias.reset();
    const Problem problem = texts.read();
    EXPECT_EQ(problem.target(), (PredicateSymbol{"got", 3}));
    EXPECT_TRUE(problem.training.empty());
    const Database& database = *problem.database;
    EXPECT_THAT(rows_of(problem, "gave"), ElementsAre("ann bob 3", "bob ann book"));
    EXPECT_EQ(table(problem, "rain")->rows(), 1U);
    EXPECT_THAT(texts_of(database, database.examples.cells, 3),
                ElementsAre("bob 3 2", "bob book 1.5"));
    EXPECT_THAT(database.examples.positive, ElementsAre(0, 1));
    for (std::size_t i = 0; i < database.constants.size(); ++i) {
        EXPECT_EQ(std::isnan(database.numbers[i]),
                  database.constants[i].find_first_not_of("0123456789.") != std::string::npos);
    }
}

TEST(Database, HoldsKnownFactsOfTheTarget) {
    FolderTexts texts;
    texts.bk += "grandparent(dan,eve).\n";
    EXPECT_THAT(rows_of(texts.read(), "grandparent"), ElementsAre("dan eve"));
}

TEST(Database, HasTheBias) {
    FolderTexts texts;
    texts.bias =
        "head_pred(grandparent,2).\nbody_pred(P,2) :- relation(P).\nrelation(parent).\n"
        "type(P,(person,person)) :- relation(P).\nmax_vars(4). max_body(3). max_clauses(2).\n"
        "enable_pi. constant(parent,2).\ndirection(parent,(in,in)). direction(parent,(in,out)).\n"
        ":- clause(C), #count{V : var_type(C,V,ex)} != 1.\n";
    const Problem problem = texts.read();
    EXPECT_THAT(problem.warnings, IsEmpty());
    const ClauseBias& bias = problem.database->bias;
    EXPECT_EQ(bias.max_variables, 4);
    EXPECT_EQ(bias.max_body, 3);
    EXPECT_EQ(bias.max_clauses, 2);
    EXPECT_TRUE(bias.invention);
    EXPECT_FALSE(bias.recursion);
    EXPECT_THAT(bias.types.at({"parent", 2}), ElementsAre("person", "person"));
    EXPECT_THAT(bias.directions.at({"parent", 2}), ElementsAre("in", "out"));
    EXPECT_THAT(bias.constants.at({"parent", 2}), ElementsAre(false, true));
    EXPECT_THAT(bias.single_types, ElementsAre("ex"));
    texts.bias = "head_pred(grandparent,2). body_pred(parent,2). max_vars(many).";
    EXPECT_THAT(texts.read().warnings,
                ElementsAre(HasSubstr(
                    "bias.pl:1:48: max_vars without a number from 1 to 1000 is not used")));
}

TEST(Database, HasOneVariableOfATypeWhoseArgumentsAreTheHeads) {
    FolderTexts texts;
    const std::string declared =
        "head_pred(grandparent,2).\nbody_pred(parent,2).\n"
        "type(grandparent,(person,name)).\ntype(parent,(person,name)).\n";
    texts.bias = declared +
                 "bad_body(parent,Vars) :-\n    vars(_,Vars),\n    Vars = (V0,_),\n    V0 != 0.\n";
    EXPECT_THAT(texts.read().database->bias.single_types, ElementsAre("person"));
    // another argument of the type stays free
    texts.bias = declared + "bad_body(parent,Vars) :- vars(_,Vars), Vars = (_,V1), V1 != 0.\n";
    EXPECT_THAT(texts.read().database->bias.single_types, IsEmpty());
}

class Background : public testing::Test {
  protected:
    void SetUp() override {
        if (std::system("command -v swipl > /dev/null 2>&1") != 0) {
            GTEST_SKIP() << "swipl is not installed (package swi-prolog-nox)";
        }
    }

    /// Lists and numbers.
    static FolderTexts lists() {
        FolderTexts texts;
        texts.bk =
            "tail([_|T],T).\nhead([H|_],H).\nempty([]).\nzero(0).\neven(A) :- 0 is A mod 2.\n"
            "small(X) :- between(1,3,X).\nodd_small(X) :- small(X), \\+ even(X).\n"
            "plain(a,b).\ntwice(X,Y) :- plain(X,Z), plain(Z,Y).\n";
        texts.exs = "pos(f([2,4.50,'A b'],x)).\nneg(f([1],g(x,1))).\n";
        texts.bias =
            "head_pred(f,2). body_pred(tail,2). body_pred(head,2). body_pred(empty,1).\n"
            "body_pred(zero,1). body_pred(even,1). body_pred(odd_small,1). body_pred(twice,2).\n"
            "body_pred(last,2). direction(tail,(in,out)). direction(head,(in,out)).\n"
            "direction(even,(in,)).\n";
        return texts;
    }
};

TEST_F(Background, OfListsIsCalledAndOfFiniteRelationsListed) {
    const Problem problem = lists().read();
    EXPECT_THAT(problem.warnings, IsEmpty());
    EXPECT_THAT(rows_of(problem, "empty"), ElementsAre("[]"));
    EXPECT_THAT(rows_of(problem, "zero"), ElementsAre("0"));
    EXPECT_THAT(rows_of(problem, "odd_small"), ElementsAre("1", "3"));
    EXPECT_THAT(rows_of(problem, "twice"), IsEmpty());
    EXPECT_THAT(call(problem, "tail", {"[2,4.50,'A b']", "_"}),
                ElementsAre("[2,4.50,'A b'] [4.5,'A b']"));
    EXPECT_THAT(call(problem, "tail", {"[4.5,'A b']", "_"}), ElementsAre("[4.5,'A b'] ['A b']"));
    EXPECT_THAT(call(problem, "head", {"['A b']", "_"}), ElementsAre("['A b'] A b"));
    EXPECT_THAT(call(problem, "last", {"[2,4.50,'A b']", "_"}), ElementsAre("[2,4.50,'A b'] A b"));
    EXPECT_THAT(call(problem, "even", {"0"}), ElementsAre("0"));
    EXPECT_THAT(call(problem, "even", {"1"}), IsEmpty());
    EXPECT_THAT(call(problem, "even", {"x"}), IsEmpty());
    EXPECT_THAT(problem.database->bias.directions.at({"last", 2}), ElementsAre("in", "out"));
}

TEST_F(Background, NumbersOfNewTermsAreKnown) {
    FolderTexts texts = lists();
    texts.bk += "next(X,Y) :- Y is X + 1.\n";
    *texts.bias += "body_pred(next,2). direction(next,(in,out)).\n";
    const Problem problem = texts.read();
    EXPECT_THAT(call(problem, "next", {"1", "_"}), ElementsAre("1 2"));
    EXPECT_THAT(call(problem, "next", {"2", "_"}), ElementsAre("2 3"));
    EXPECT_THAT(call(problem, "next", {"3", "_"}), ElementsAre("3 4"));
    const Database& database = *problem.database;
    ASSERT_EQ(database.numbers.size(), database.constants.size());
    EXPECT_EQ(database.numbers[database.numbers.size() - 1], 4);
}

TEST_F(Background, ThatDoesNotEndIsCutOff) {
    FolderTexts texts;
    texts.bk = "loop(X) :- loop(s(X)).\nall(X) :- between(1,inf,X).\n";
    texts.exs = "pos(f(a)).\n";
    texts.bias.reset();
    const Problem problem = texts.read();
    for (const auto& [name, argument, message] :
         {std::tuple{"loop", "a", "a call of loop/1 takes more than 1000000 inferences"},
          std::tuple{"all", "_", "a call of all/1 has more than 10000 answers"}}) {
        try {
            call(problem, name, {argument});
            ADD_FAILURE() << "no error";
        } catch (const Error& error) {
            EXPECT_THAT(error.message(), HasSubstr(message));
        }
    }
}

/// Molecules: a ring is a list of atoms.
FolderTexts molecules() {
    FolderTexts texts;
    texts.bk =
        "atom(m1,a1,c). atom(m1,a2,n). atom(m2,a3,c).\n"
        "pair(M,[A,B]) :- atom(M,A,_), atom(M,B,_), A @< B, B \\== A.\n"
        "next(M,A,B) :- nonvar(A), atom(M,A,_), atom(M,B,_), A \\== B.\n"
        "ring(m1,[a1,a2,a1]).\nring(M,R) :- atom(M,_,_), nonvar(M), longer(R), loop(R).\n"
        "longer(_). loop(R) :- loop([x|R]).\n";
    texts.exs = "pos(active(m1)). neg(active(m2)).\n";
    texts.bias =
        "head_pred(active,1). body_pred(atom,3). body_pred(pair,2). body_pred(next,3).\n"
        "body_pred(ring,2). type(active,(drug,)). type(atom,(drug,atomid,element)).\n"
        "type(pair,(drug,atoms)). type(next,(drug,atomid,atomid)). type(ring,(drug,atoms)).\n"
        "direction(pair,(in,out)). direction(next,(in,in,out)). direction(ring,(in,out)).\n";
    return texts;
}

TEST_F(Background, ThatIsCalledWithNamesAloneIsListedByThem) {
    const Problem problem = molecules().read();
    EXPECT_THAT(rows_of(problem, "pair"), ElementsAre("m1 [a1,a2]"));
    EXPECT_THAT(rows_of(problem, "next"), UnorderedElementsAre("m1 a1 a2", "m1 a2 a1"));
    EXPECT_THAT(problem.database->computed, IsEmpty());
}

TEST_F(Background, WhoseRulesTakeTooLongKeepsItsFacts) {
    const Problem problem = molecules().read();
    EXPECT_THAT(rows_of(problem, "ring"), ElementsAre("m1 [a1,a2,a1]"));
    EXPECT_THAT(problem.notes, Contains(HasSubstr("ring/2: facts alone, since rules take more")));
}

TEST_F(Background, ThatMakesItsOwnInputsIsCalled) {
    FolderTexts texts = molecules();
    texts.bk += "grow(M,N) :- nonvar(M), atom_concat(M,x,N).\n";
    *texts.bias += "body_pred(grow,2). type(grow,(drug,drug)). direction(grow,(in,out)).\n";
    const Problem problem = texts.read();
    std::vector<std::string> called;  // the others are called with what it makes
    for (const ComputedPredicate& computed : problem.database->computed) {
        called.push_back(computed.symbol.name);
    }
    EXPECT_THAT(called, UnorderedElementsAre("next", "ring", "grow"));
}

TEST_F(Background, ReachesNoFilesAndNoOtherPrograms) {
    const test::ScratchFolder folder;
    const std::string mark = (folder / "mark").string();
    FolderTexts texts;
    texts.bk = ":- initialization(shell('touch " + mark + "')).\n:- shell('touch " + mark +
               "').\np(X) :- X is 1 + 1.\n";
    texts.exs = "pos(f(2)).\n";
    texts.bias.reset();
    EXPECT_THAT(rows_of(texts.read(), "p"), ElementsAre("2"));
    texts.bk = "p(X) :- X is 1, shell('touch " + mark + "').\n";
    EXPECT_THAT(texts.error(), HasSubstr("p/1 is not run: it could reach files or other programs"));
    EXPECT_FALSE(std::filesystem::exists(mark));
}

TEST_F(Background, WithoutSwiPrologSaysHowToInstallIt) {
    const std::string path = std::getenv("PATH");
    setenv("PATH", "/nowhere", 1);
    const std::string error = lists().error();
    setenv("PATH", path.c_str(), 1);
    EXPECT_EQ(
        error,
        "bk.pl:1:6: the background needs SWI-Prolog, and there is no program swipl (install it: on "
        "Debian, apt install swi-prolog-nox)");
}

class SharedFolders : public testing::TestWithParam<const char*> {};

TEST_P(SharedFolders, AreAllRead) {
    const std::filesystem::path data = std::filesystem::path(HRI_SHARED_DATA) / GetParam();
    if (!std::filesystem::exists(data)) {
        GTEST_SKIP() << "the public data sets are not in " << HRI_SHARED_DATA;
    }
    std::set<std::filesystem::path> folders;
    for (const auto& entry : std::filesystem::directory_iterator(data)) {
        if (entry.is_directory()) {
            folders.insert(entry.path());
        }
    }
    for (const std::filesystem::path& folder : folders) {
        SCOPED_TRACE(folder.filename());
        const Problem problem = read_task_folder(folder);
        ASSERT_NE(problem.database, nullptr);
        EXPECT_FALSE(problem.database->examples.positive.empty());
        EXPECT_FALSE(problem.database->tables.empty() && problem.database->computed.empty());
    }
}

INSTANTIATE_TEST_SUITE_P(Data, SharedFolders, testing::Values("popper", "ilp"));

}  // namespace
}  // namespace hri
