// SPDX-License-Identifier: Apache-2.0
// Each reader, fed with 1,000 mutated variants of valid inputs, either reads what round-trips or
// tells a place inside a file.

#include "support/mutations.hpp"

#include "data/readers/database.hpp"
#include "data/readers/task_files.hpp"

#include <functional>
#include <gtest/gtest.h>

namespace hri {
namespace {

using data::TextFile;
using Texts = std::vector<TextFile>;

constexpr int kVariants = 1000;

/// Mutates one file after the other. Instances that are read are written and read again.
void check(const Texts& whole, const std::function<Problem(const Texts&)>& read,
           std::string_view bytes, std::uint64_t seed, int variants = kVariants) {
    Random random(seed);
    int fine = 0;
    for (int i = 0; i < variants; ++i) {
        Texts files = whole;
        TextFile& file = files[static_cast<std::size_t>(i) % files.size()];
        file.text = test::mutated(file.text, random, bytes);
        try {
            const Problem problem = read(files);
            ++fine;
            for (const Instance& instance : problem.training.instances) {
                const Problem again = data::read_task(
                    data::write_task(problem, instance),
                    {.target = problem.target().name + "/" + std::to_string(problem.target().arity),
                     .split = {.when = SplitOptions::When::never}});
                EXPECT_EQ(again.inputs(), problem.inputs()) << file.text;
                EXPECT_EQ(again.target(), problem.target()) << file.text;
                EXPECT_EQ(again.training.instances.at(0).facts, instance.facts) << file.text;
                EXPECT_EQ(again.training.instances.at(0).labels, instance.labels) << file.text;
            }
        } catch (const Error& error) {
            test::expect_place_inside(error, files);
        }
    }
    EXPECT_GT(fine, variants / 20);
    EXPECT_LT(fine, variants - variants / 100);
}

/// Backgrounds that need SWI-Prolog are refused, so that there are no processes to wait for.
class WithoutProlog {
  public:
    WithoutProlog() { setenv("PATH", "/nowhere", 1); }

    ~WithoutProlog() { setenv("PATH", path_.c_str(), 1); }

    WithoutProlog(const WithoutProlog&) = delete;
    WithoutProlog& operator=(const WithoutProlog&) = delete;

  private:
    std::string path_ = std::getenv("PATH");
};

const Texts kTerms = {
    {"bk.pl",
     "tail([_|T],T).\nhead([H|_],H).\neven(A) :- 0 is A mod 2, \\+ A = 3.\nsize(f(a,'B c'),1.5).\n"
     "wide(a,b,[1,2]).\nold(X) :- age(X,A), A >= 18.\nage(ann,20).\n"},
    {"exs.pl", "pos(last([1,2],2)).\nneg(last([],f(x))).\n"},
    {"bias.pl",
     "head_pred(last,2). body_pred(tail,2). body_pred(head,2). body_pred(wide,3).\n"
     "body_pred(P,1) :- property(P). property(even). property(old). max_vars(4). max_body(3).\n"
     "direction(tail,(in,out)). type(P,(person,)) :- property(P). constant(wide,2).\n"
     ":- clause(C), #count{V : var_type(C,V,list)} != 1.\n"}};

Problem read_terms(const Texts& files) {
    return data::read_task({files[0], files[1], files[2], "t"});
}

constexpr std::string_view kPrologBytes = "().,:-'\"%*/\\_X aZ09[]{}|\n\t#\x80\xFF";
constexpr std::string_view kTableBytes = ",,\"\"\n\t \r;x0.1\x80\xFF";

TEST(Mutations, OfTaskFoldersWithRulesTypesAndSeveralTargets) {
    const WithoutProlog refused;
    check(
        {{"bk.pl",
          "father(ann,'Bob B').\n0.5::mother(bob,3). % constants: zoe\nrain.\n"
          "parent(X,Y) :- father(X,Y), mother(_,Y).\ngave(a,b,c).\n"},
         {"exs.pl", "pos(grandparent(ann,bob)).\nneg(grandparent(3,-1.5e3)).\npos(old(a)).\n"},
         {"bias.pl",
          "head_pred(grandparent,2). head_pred(old,1).\nbody_pred(father,2).\n"
          "body_pred(rain,0). body_pred(parent,2). body_pred(gave,3).\n"
          "type(father,(person,person)). direction(rain,x).\nenable_recursion.\n"}},
        [](const Texts& files) {
            return data::read_task({files[0], files[1], files[2], "t"},
                                   {.target = "grandparent/2", .reify = true});
        },
        kPrologBytes, 1);
}

TEST(Mutations, OfTaskFoldersWithTerms) {
    const WithoutProlog refused;
    Texts whole = kTerms;
    whole[0].text = "size(f(a,'B c'),1.5).\nwide(a,b,[1,2]).\neven(2).\nold(ann).\ntail([1],[]).\n";
    check(whole, read_terms, kPrologBytes, 7);
}

TEST(Mutations, OfBackgroundsThatSwiPrologRuns) {
    if (std::system("command -v swipl > /dev/null 2>&1") != 0) {
        GTEST_SKIP() << "swipl is not installed (package swi-prolog-nox)";
    }
    check(kTerms, read_terms, kPrologBytes, 8, 60);
}

TEST(Mutations, OfAlephsFiles) {
    const WithoutProlog refused;
    check(
        {{"t.b",
          ":- modeh(1,east(+train)).\n:- modeb(*,car(+train,-car)).\n"
          ":- determination(east/1,car/2).\n:- set(i,2).\n"
          "car(t1,c1).\ncar(t2,C) :- car(t1,C).\n"},
         {"t.f", "east(t1).\neast(t3).\n"},
         {"t.n", "east(t2). % none\n"}},
        [](const Texts& files) {
            return data::read_aleph({files[0], files[1], files[2], "t"});
        },
        kPrologBytes, 2);
}

TEST(Mutations, OfTables) {
    check(
        {{"parent.csv", "a,b,value\nann,bob,0.5\n\"x \"\"y\"\"\",bob,\n"},
         {"thing.csv", "id,colour,big\n1,red,true\n2,,false\n"},
         {"likes.tsv", "a\tb\tlabel\nann\tbob\tpos\nbob\tann\tno\n"}},
        [](const Texts& files) { return data::read_tables(files, "t"); }, kTableBytes, 3);
}

TEST(Mutations, OfTriples) {
    check(
        {{"train.txt", "ann\tparent\tbob\nbob\tparent\tcleo\nann\tgrand\tcleo\n"},
         {"test.txt", "bob\tgrand\tann\n"},
         {"valid.txt", "bob\tgrand\tbob\n"}},
        [](const Texts& files) {
            return data::read_triples({{files[0]}, {files[1]}, {files[2]}, "t"},
                                      {.closed_world = true, .target = "grand"});
        },
        kTableBytes, 4);
}

TEST(Mutations, OfDatalogFacts) {
    check(
        {{"parent.facts", "ann\tbob\nbob\tcleo\n"},
         {"rain.facts", "()\n"},
         {"old.pos", "ann\n"},
         {"old.neg", "bob\ncleo\n"}},
        [](const Texts& files) { return data::read_datalog(files, "t"); }, kTableBytes, 5);
}

TEST(Mutations, OfMappings) {
    const TextFile whole{
        "map.toml",
        "# which column is what, told at some length so that many changes do no harm\n"
        "# and the mapping can still be read by whoever reads mappings of tables\n"
        "target = \"p\"\n[[relation]]\nname = \"p\"\ntable = \"t\"\ncolumns = "
        "[\"a\", \"b\"]\nprefixes = [\"x:\", \"\"]\n[[relation]]\nname = \"q\"\n"
        "table = \"t\"\nvalue = \"v\"\nlabel = \"l\"\n"};
    Random random(6);
    int fine = 0;
    for (int i = 0; i < kVariants; ++i) {
        const TextFile file{whole.path,
                            test::mutated(whole.text, random, "\"[]={}#\n \t'\\x0.u\x80\xFF")};
        try {
            const std::string text = data::to_toml(data::parse_mapping(file));
            EXPECT_EQ(data::to_toml(data::parse_mapping({"again.toml", text})), text);
            ++fine;
        } catch (const Error& error) {
            test::expect_place_inside(error, Texts{file});
        }
    }
    EXPECT_GT(fine, kVariants / 20);
    EXPECT_LT(fine, kVariants - kVariants / 100);
}

}  // namespace
}  // namespace hri
