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
           std::string_view bytes, std::uint64_t seed) {
    Random random(seed);
    int fine = 0;
    for (int i = 0; i < kVariants; ++i) {
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
    EXPECT_GT(fine, kVariants / 20);
    EXPECT_LT(fine, kVariants - kVariants / 100);
}

constexpr std::string_view kPrologBytes = "().,:-'\"%*/\\_X aZ09[]{}|\n\t#\x80\xFF";
constexpr std::string_view kTableBytes = ",,\"\"\n\t \r;x0.1\x80\xFF";

TEST(Mutations, OfTaskFoldersWithRulesTypesAndSeveralTargets) {
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

TEST(Mutations, OfAlephsFiles) {
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
