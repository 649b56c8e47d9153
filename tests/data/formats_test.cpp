// SPDX-License-Identifier: Apache-2.0
// Aleph's files, tables, triples and Datalog's facts: what is read, and how damage is told.

#include "hri/tables.hpp"

#include "data/readers/task_files.hpp"
#include "data/scratch_folder.hpp"
#include "paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

namespace hri {
namespace {

using test::ScratchFolder;
using testing::ElementsAre;
using testing::IsEmpty;
using Symbols = std::vector<PredicateSymbol>;

/// Files by name, read as one source.
struct Files {
    std::map<std::string, std::string> texts;

    Problem read(const ReadOptions& options = {}, const std::string& source = "") const {
        const ScratchFolder folder;
        write(folder);
        return read_problem((folder / source).string(), options);
    }

    /// The error without the folder's own path.
    std::string error(const ReadOptions& options = {}, const std::string& source = "") const {
        const ScratchFolder folder;
        write(folder);
        try {
            read_problem((folder / source).string(), options);
        } catch (const Error& error) {
            std::string text = error.what();
            const std::string path = folder.path().string() + "/";
            for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path)) {
                text.erase(at, path.size());
            }
            return text;
        }
        return "no error";
    }

    void write(const ScratchFolder& folder) const {
        for (const auto& [name, text] : texts) {
            write_file(folder / name, text);
        }
    }
};

const Instance& only(const Problem& problem) {
    EXPECT_EQ(problem.training.instances.size(), 1U);
    return problem.training.instances.front();
}

// Aleph

Files trains() {
    return {{{"trains.b",
              ":- modeh(1,eastbound(+train)).\n:- modeb(*,has_car(+train,-car)).\n"
              ":- modeb(1,long(+car)).\n:- determination(eastbound/1,has_car/2).\n"
              ":- determination(eastbound/1,long/1).\n:- set(verbosity,4).\n"
              "has_car(t1,c1). has_car(t2,c2). wheels(c1,3).\nlong(X) :- wheels(X,3).\n"},
             {"trains.f", "eastbound(t1).\n"},
             {"trains.n", "eastbound(t2).\n"}}};
}

TEST(Aleph, ReadsItsThreeFiles) {
    for (const char* source : {"", "trains", "trains.b", "trains.f"}) {
        const Problem problem = trains().read({}, source);
        EXPECT_EQ(problem.target(), (PredicateSymbol{"eastbound", 1}));
        EXPECT_EQ(problem.inputs(), (Symbols{{"has_car", 2}, {"long", 1}}));
        EXPECT_EQ(problem.name, "trains");
        EXPECT_EQ(problem.schema->types.at({"has_car", 2}),
                  (std::vector<std::string>{"train", "car"}));
        EXPECT_EQ(problem.schema->directions.at({"has_car", 2}),
                  (std::vector<std::string>{"in", "out"}));
        const Instance& instance = only(problem);
        EXPECT_THAT(instance.names, ElementsAre("c1", "c2", "t1", "t2"));
        EXPECT_THAT(instance.facts,
                    ElementsAre(ElementsAre(Fact{2, 0}, Fact{3, 1}), ElementsAre(Fact{0})));
        EXPECT_EQ(instance.labels[2], Label::positive);
        EXPECT_EQ(instance.labels[3], Label::negative);
        EXPECT_THAT(problem.warnings,
                    ElementsAre(testing::HasSubstr("trains.b:6:4: :- set is not used")));
    }
}

TEST(Aleph, TellsDamage) {
    Files files = trains();
    files.texts["trains.f"] = "eastbound(t1).\neastbound(T).\n";
    EXPECT_EQ(files.error(),
              "trains.f:2:11: expected a constant, found the variable T (names of constants begin "
              "with a small letter or stand in single quotes)");
    files.texts["trains.f"] = "eastbound(t1)\n";
    EXPECT_EQ(files.error(),
              "trains.f:1:14: expected '.' at the end of the clause, found the end of the text "
              "(end each fact and rule with a full stop)");
    files.texts["trains.f"] = ":- x.\n3.\n";
    EXPECT_EQ(files.error(),
              "trains.f:2:1: expected an example, found the number 3 (write each example as "
              "target(a).)");
    files = trains();
    files.texts["trains.b"] += ":- determination(eastbound/1,long).\n";
    EXPECT_EQ(files.error(),
              "trains.b:9:30: expected a predicate's name and arity, found 'long' (write :- "
              "determination(target/1, has_car/2).)");
    files.texts.erase("trains.b");
    EXPECT_EQ(files.error({}, "trains.f"),
              "trains.b: expected this file (Aleph's background stands in a file .b)");
    files = trains();
    files.texts["other.b"] = "";
    EXPECT_THAT(files.error({}, ""), testing::HasSubstr("several files that end in .b"));
}

// Tables

TEST(Tables, OfOneAndTwoColumnsAreRelations) {
    const Files files{
        {{"tall.csv", "who\nann\n"},
         {"parent.csv", "\"a\",\"b\",value\r\nann,bob,0.5\r\n\"x \"\"y\"\",\nz\",bob,\r\n"},
         {"grandparent.tsv", "a\tb\tlabel\nann\tbob\tpos\nbob\tann\tNo\nann\tann\t\n"}}};
    const Problem problem = files.read();
    EXPECT_EQ(problem.target(), (PredicateSymbol{"grandparent", 2}));
    EXPECT_EQ(problem.inputs(), (Symbols{{"parent", 2}, {"tall", 1}}));
    const Instance& instance = only(problem);
    EXPECT_THAT(instance.names, ElementsAre("ann", "bob", "x \"y\",\nz"));
    EXPECT_THAT(instance.facts[0], ElementsAre(Fact{0, 1, 0.5F}, Fact{2, 1}));
    EXPECT_EQ(instance.count(Label::positive), 1);
    EXPECT_EQ(instance.count(Label::negative), 1);
}

TEST(Tables, OfMoreColumnsAreThingsWithTheirProperties) {
    const Files files{
        {{"play.csv", "day,outlook,windy,label\nmon,sunny,true,1\ntue,,false,0\nwed,rain,,\n"}}};
    for (const char* source : {"", "play.csv"}) {
        const Problem problem = files.read({}, source);
        EXPECT_EQ(problem.target(), (PredicateSymbol{"play", 1}));
        EXPECT_EQ(problem.inputs(), (Symbols{{"outlook", 2}, {"windy", 1}, {"not_windy", 1}}));
        EXPECT_THAT(only(problem).names, ElementsAre("mon", "rain", "sunny", "tue", "wed"));
        EXPECT_THAT(only(problem).facts, ElementsAre(ElementsAre(Fact{0, 2}, Fact{4, 1}),
                                                     ElementsAre(Fact{0}), ElementsAre(Fact{3})));
    }
}

TEST(Tables, TakeARelationAsTargetWhenAsked) {
    const Files files{{{"p.csv", "a,b\n1,2\n2,3\n"}, {"q.csv", "a,b\n1,3\n"}}};
    EXPECT_EQ(files.error(),
              "p.csv:1:1: there are no examples: say which predicate is the target (target with "
              "one of p/2, q/2)");
    const Problem problem = files.read({.closed_world = true, .target = "q"});
    EXPECT_EQ(problem.inputs(), (Symbols{{"p", 2}}));
    EXPECT_EQ(only(problem).count(Label::positive), 1);
    EXPECT_EQ(only(problem).count(Label::negative), 8);
}

TEST(Tables, TellTheirSeparator) {
    for (const char* text :
         {"a;b;label\nx;y;pos\nu;v;neg\n", "a|b|label\nx|y|pos\nu|v|neg\n",
          "a\tb\tlabel\nx\ty\tpos\nu\tv\tneg\n", "a;b;label\n\"x\";\"y\";pos\nu;v;neg"}) {
        const Problem problem = Files{{{"p.csv", text}, {"q.csv", "n\nx\n"}}}.read();
        EXPECT_EQ(problem.target(), (PredicateSymbol{"p", 2})) << text;
        EXPECT_THAT(only(problem).names, ElementsAre("u", "v", "x", "y")) << text;
    }
    const ScratchFolder folder;
    write_file(folder / "p.csv", "a:b:c\nx:1,5:yes\n");
    const Problem problem =
        read_problem((folder / "p.csv").string(), {.target = "c"}, {.separator = ":"});
    EXPECT_EQ(problem.inputs(), (Symbols{{"b", 2}}));
    EXPECT_THROW(read_problem((folder / "p.csv").string(), {}, {.separator = "::"}), Error);
}

TEST(Tables, KeepIdsAndNumbersApart) {
    const Files files{
        {{"risk.csv", "id,visits,vip,label\n1,2,yes,pos\n2,1.50,no,neg\n3,3,no,pos\n"}}};
    const Problem problem = files.read();
    EXPECT_THAT(only(problem).names,
                testing::UnorderedElementsAre("1.5", "2", "3", "risk:1", "risk:2", "risk:3"));
    // without numbers there is nothing to confuse
    const Problem plain =
        Files{{{"risk.csv", "id,region,label\n1,north,pos\n2,south,neg\n"}}}.read();
    EXPECT_THAT(only(plain).names, ElementsAre("1", "2", "north", "south"));
}

TEST(Tables, TakeColumnsOf0And1ForBooleansAndLabels) {
    const Files files{{{"t.csv", "id,colour,big\na,red,1\nb,red,0\nc,blue,1\nd,blue,\n"}}};
    EXPECT_EQ(files.read({.target = "colour=red"}).inputs(), (Symbols{{"big", 1}, {"not_big", 1}}));
    EXPECT_THROW(files.read({.target = "colour"}), Error);
    const Problem problem = files.read({.target = "big/1"});
    EXPECT_EQ(only(problem).count(Label::positive), 2);
    EXPECT_EQ(only(problem).count(Label::negative), 1);
    EXPECT_EQ(problem.inputs(), (Symbols{{"colour", 2}}));
}

TEST(Tables, NameRowsThatHaveNoKey) {
    const Files files{{{"t.csv", "colour,size,big\nred,1,yes\nred,2,no\nblue,2,yes\n"}}};
    const Problem problem = files.read({.target = "big"});
    EXPECT_EQ(problem.inputs(), (Symbols{{"colour", 2}, {"size", 2}}));
    EXPECT_THAT(only(problem).names, testing::IsSupersetOf({"t:1", "t:2", "t:3"}));
}

TEST(Tables, ReadDatesAndTimesAsNumbers) {
    const Files files{{{"t.csv",
                        "id,day,at,ok\na,1970-01-02,1970-01-01 00:01,yes\n"
                        "b,2000-03-01,1970-01-01T01:00:00+01:00,no\n"}}};
    const Problem problem = files.read({.target = "ok"});
    EXPECT_THAT(only(problem).names,
                testing::UnorderedElementsAre("0", "1", "11017", "60", "a", "b"));
}

TEST(Tables, TellWhatTheirColumnsAre) {
    const ScratchFolder folder;
    write_file(folder / "customers.csv", "id,name,since,vip\n1,Ann,2023-01-05,y\n2,Bob,,n\n");
    write_file(folder / "orders.csv", "id,customer_id,amount\n7,2,5.5\n8,2,10\n");
    std::map<std::string, ColumnType> types;
    for (const ColumnSummary& column : describe_tables(folder.path().string()).columns) {
        types[column.table + "." + column.name] = column.type;
        if (column.name == "since") {
            EXPECT_EQ(column.empty, 1);
            EXPECT_THAT(column.relations, ElementsAre("since/2"));
        }
    }
    EXPECT_EQ(types,
              (std::map<std::string, ColumnType>{{"customers.id", ColumnType::key},
                                                 {"customers.name", ColumnType::category},
                                                 {"customers.since", ColumnType::date},
                                                 {"customers.vip", ColumnType::boolean},
                                                 {"orders.id", ColumnType::key},
                                                 {"orders.customer_id", ColumnType::foreign_key},
                                                 {"orders.amount", ColumnType::number}}));
}

TEST(Tables, TellDamage) {
    const auto error = [](const std::string& text) { return Files{{{"p.csv", text}}}.error(); };
    EXPECT_EQ(error(""),
              "p.csv:1:1: expected a header, found nothing (the first line names the "
              "columns)");
    EXPECT_EQ(error("a,,b\n"),
              "p.csv:1:3: expected a column's name, found nothing (the first line "
              "names the columns)");
    EXPECT_EQ(error("a,b,a\n"), "p.csv:1:5: a second column 'a'");
    EXPECT_EQ(error("value,label\n"), "p.csv:1:1: expected a column beside value and label");
    EXPECT_EQ(error("a,b\nx,y\nx\n"),
              "p.csv:3:2: expected 2 cells, found 1 (the header says how many)");
    EXPECT_EQ(error("a,b\nx,y,z\n"),
              "p.csv:2:5: expected 2 cells, found 3 (the header says how many)");
    EXPECT_EQ(error("a,b\nx,\n"), "p.csv:2:3: expected a constant, found an empty cell");
    EXPECT_EQ(error("a,b\nx,\"y\n"),
              "p.csv:2:3: this quote is never closed (write a quote inside a cell twice)");
    EXPECT_EQ(error("a,b\n\"x\"y,z\n"),
              "p.csv:2:4: expected ',' or the end of the line after the quoted cell (write a quote "
              "inside a cell twice)");
    EXPECT_EQ(error("a,value\nx,2\n"),
              "p.csv:2:3: expected a valuation above 0 and at most 1, found '2'");
    EXPECT_EQ(error("a,label\nx,maybe\n"),
              "p.csv:2:3: expected a label, found 'maybe' (labels are pos or neg, 1 or 0, true or "
              "false, yes or no, or empty)");
    EXPECT_EQ(error("a,b\nx,caf\xE9\n"),
              "p.csv:2:6: expected UTF-8, found the byte 0xE9 (save the text as UTF-8: iconv -f "
              "latin1 -t utf-8 converts from Latin-1)");
}

// Triples

Files graph() {
    return {{{"facts.txt", "ann\tparent\tbob\n"},
             {"train.txt", "bob\tparent\tcleo\nann\tgrandparent\tcleo\n"},
             {"valid.txt", "x\tgrandparent\ty\n"},
             {"test.txt", "dan\tgrandparent\tann\nann\tparent\tdan\n"}}};
}

TEST(Triples, AreLearnedFromAndJudgedApart) {
    const Problem problem = graph().read({.closed_world = true, .target = "grandparent"});
    EXPECT_EQ(problem.target(), (PredicateSymbol{"grandparent", 2}));
    EXPECT_EQ(problem.inputs(), (Symbols{{"parent", 2}}));
    EXPECT_THAT(only(problem).names, ElementsAre("ann", "bob", "cleo", "dan"));
    EXPECT_THAT(only(problem).facts[0], ElementsAre(Fact{0, 1}, Fact{1, 2}));
    EXPECT_EQ(only(problem).count(Label::positive), 1);
    EXPECT_EQ(only(problem).count(Label::negative), 15);
    ASSERT_EQ(problem.evaluation.instances.size(), 1U);
    const Instance& judged = problem.evaluation.instances[0];
    EXPECT_EQ(judged.labels[3 * 4 + 0], Label::positive);
    EXPECT_EQ(judged.labels[0 * 4 + 2], Label::unlabelled);  // learned from
    EXPECT_EQ(judged.count(Label::negative), 14);
}

TEST(Triples, NeedATarget) {
    EXPECT_EQ(
        graph().error(),
        "facts.txt:1:1: there are no examples: say which predicate is the target (target "
        "with one of parent/2, grandparent/2; targets = all learns rules for all relations of a "
        "knowledge graph)");
    EXPECT_EQ(graph().read({.target = "parent/2"}, "facts.txt").inputs(), Symbols{});
}

TEST(Triples, AreRecognisedInTsvFilesWhereTheFirstLineIsNoHeader) {
    const Problem problem = Files{{{"train.tsv", "ann\tparent\tbob\nbob\tparent\tcleo\n"},
                                   {"test.tsv", "cleo\tparent\tdan\n"}}}
                                .read({.target = "parent"});
    EXPECT_EQ(problem.target(), (PredicateSymbol{"parent", 2}));
    EXPECT_EQ(only(problem).count(Label::positive), 2);
    EXPECT_EQ(problem.evaluation.instances.size(), 1U);
    const Problem tables =
        Files{{{"train.tsv", "who\tcolour\tlabel\nann\tred\tyes\nbob\tred\tno\n"},
               {"test.tsv", "who\tsize\ncleo\tbig\n"}}}
            .read();
    EXPECT_EQ(tables.target(), (PredicateSymbol{"train", 2}));
}

TEST(Triples, TellDamage) {
    const auto error = [](const std::string& name, const std::string& text) {
        Files files = graph();
        files.texts[name] = text;
        return files.error({.target = "parent"});
    };
    EXPECT_EQ(error("train.txt", "a\tp\tb\na p b\n"),
              "train.txt:2:6: expected head, relation and tail, found 1 cell (separate them by one "
              "tab each)");
    EXPECT_EQ(error("train.txt", "a\tp\tb\tc\n"),
              "train.txt:1:7: expected head, relation and tail, found 4 cells (separate them by "
              "one tab each)");
    EXPECT_EQ(error("valid.txt", "a\t\tb\n"),
              "valid.txt:1:3: expected a name, found an empty cell (separate head, relation and "
              "tail by one tab each)");
    EXPECT_EQ(error("train.txt", "a\tp\tb\xFF\n"),
              "train.txt:1:6: expected UTF-8, found the byte 0xFF (save the text as UTF-8: iconv "
              "-f latin1 -t utf-8 converts from Latin-1)");
}

TEST(Triples, OfPublicKnowledgeGraphsAreRead) {
    const std::filesystem::path family = std::filesystem::path(HRI_SHARED_DATA) / "kg/family";
    if (!std::filesystem::exists(family)) {
        GTEST_SKIP() << "the public data sets are not in " << HRI_SHARED_DATA;
    }
    const Problem problem = read_problem(
        family.string(), {.target = "uncle", .split = {.when = SplitOptions::When::never}});
    EXPECT_EQ(problem.inputs().size(), 11U);
    EXPECT_EQ(only(problem).constants, 2992);
    EXPECT_GT(only(problem).count(Label::positive), 1000);
    EXPECT_GT(problem.evaluation.instances.at(0).count(Label::positive), 100);
}

// Datalog

TEST(Datalog, ReadsAFileForEachRelation) {
    const Files files{{{"parent.facts", "ann\tbob\nbob\tcleo\n"},
                       {"rain.facts", "()\n"},
                       {"none.facts", ""},
                       {"grandparent.pos", "ann\tcleo\n"},
                       {"grandparent.neg", "bob\tann\n"}}};
    const Problem problem = files.read();
    EXPECT_EQ(problem.target(), (PredicateSymbol{"grandparent", 2}));
    EXPECT_EQ(problem.inputs(), (Symbols{{"parent", 2}, {"rain", 0}}));
    EXPECT_THAT(only(problem).facts,
                ElementsAre(ElementsAre(Fact{0, 1}, Fact{1, 2}), ElementsAre(Fact{})));
    EXPECT_EQ(files.read({.target = "parent"}).inputs(), (Symbols{{"rain", 0}}));
}

TEST(Datalog, TellsDamage) {
    const auto error = [](const std::string& text) {
        return Files{{{"p.facts", text}}}.error({.target = "p"});
    };
    EXPECT_EQ(error("a\tb\na\n"),
              "p.facts:2:2: expected 2 cells, found 1 (the first line has that "
              "many)");
    EXPECT_EQ(error("a\na\tb\n"),
              "p.facts:2:3: expected 1 cell, found 2 (the first line has that "
              "many)");
    EXPECT_EQ(error("a\t\n"),
              "p.facts:1:3: expected a constant, found an empty cell (separate constants by one "
              "tab each)");
    EXPECT_EQ(error(""),
              "p.facts:1:1: there is no target p (name.pos and name.neg hold examples, "
              "or target names a relation)");
}

// Any of them

TEST(ReadProblem, TakesAMappingForTablesOnly) {
    const Files files{{{"p.txt", "a\tp\tb\n"}}};
    EXPECT_EQ(files.error({.mapping = "map.toml"}, "p.txt"),
              "a mapping is for tables, and p.txt is read as triples (leave out mapping)");
}

TEST(ReadProblem, RecognisesTheFormatOrSaysWhatItExpected) {
    const ScratchFolder folder;
    EXPECT_THROW(read_problem(folder.path().string()), Error);
    EXPECT_THROW(read_problem((folder / "none").string()), Error);
    write_file(folder / "data.xyz", "a\tp\tb\n");
    EXPECT_THROW(read_problem((folder / "data.xyz").string()), Error);
    EXPECT_EQ(read_problem((folder / "data.xyz").string(), {.format = "triples", .target = "p"})
                  .target()
                  .name,
              "p");
    EXPECT_THROW(read_problem((folder / "data.xyz").string(), {.format = "excel"}), Error);
}

}  // namespace
}  // namespace hri
