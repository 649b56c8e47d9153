// SPDX-License-Identifier: Apache-2.0
// SQLite and PostgreSQL, from real databases.

#include "data/readers/database.hpp"

#include "data/several_targets.hpp"
#include "paths.hpp"
#include "support/databases.hpp"
#include "support/mutations.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri {
namespace {

using test::ScratchFolder;
using testing::ElementsAre;
using testing::HasSubstr;
using Symbols = std::vector<PredicateSymbol>;

const char* const kPeople =
    "CREATE TABLE city (name TEXT PRIMARY KEY);\n"
    "CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, father INTEGER REFERENCES person(id), "
    "city TEXT REFERENCES city(name));\n"
    "CREATE TABLE knows (a INTEGER REFERENCES person(id), b INTEGER REFERENCES person(id), "
    "PRIMARY KEY (a, b));\n"
    "CREATE TABLE visit (who INTEGER, place TEXT, day TEXT);\n"
    "CREATE TABLE \"odd \"\"name\" (x TEXT, strength DOUBLE PRECISION, good TEXT);\n"
    "INSERT INTO city VALUES ('Ulm'), ('1');\n"
    "INSERT INTO person VALUES (1, 'ann', NULL, 'Ulm'), (2, 'bob', 1, '1'), (3, NULL, 2, NULL);\n"
    "INSERT INTO knows VALUES (1, 2), (2, 3);\n"
    "INSERT INTO visit VALUES (1, 'Ulm', 'mon');\n"
    "INSERT INTO \"odd \"\"name\" VALUES ('u', 0.5, 'yes'), ('v', 1, 'no'), ('w', 0.25, NULL);\n";

const char* const kMapping =
    "target = \"good\"\n"
    "[[relation]]\nname = \"strong\"\ntable = \"odd \\\"name\"\ncolumns = [\"x\"]\n"
    "value = \"strength\"\n"
    "[[relation]]\nname = \"good\"\ntable = \"odd \\\"name\"\ncolumns = [\"x\"]\nlabel = \"good\"\n"
    "[[relation]]\nname = \"any\"\ntable = \"visit\"\ncolumns = []\n";

std::string error_of(const std::string& source, const ReadOptions& options) {
    try {
        read_problem(source, options);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

/// The same expectations of both databases.
void expect_people(const std::string& source) {
    const std::string mapping = proposed_mapping(source);
    EXPECT_THAT(mapping, HasSubstr("name = \"father\"\ntable = \"person\"\ncolumns = [\"id\", "
                                   "\"father\"]\nprefixes = [\"person:\", \"person:\"]\n"));
    EXPECT_THAT(mapping, HasSubstr("name = \"person_city\"\ntable = \"person\"\ncolumns = [\"id\", "
                                   "\"city\"]\nprefixes = [\"person:\", \"city:\"]\n"));
    EXPECT_THAT(mapping, HasSubstr("types = [\"key\", \"foreign_key\"]\n"));
    const Problem problem = read_problem(source, {.target = "father"});
    EXPECT_EQ(problem.target(), (PredicateSymbol{"father", 2}));
    const Instance& instance = problem.training.instances.at(0);
    EXPECT_EQ(instance.count(Label::positive), 2);
    EXPECT_THAT(problem.inputs(), testing::Contains(PredicateSymbol{"knows", 2}));
    EXPECT_THAT(problem.inputs(), testing::Contains(PredicateSymbol{"person", 1}));
    // city 1 is not person 1
    EXPECT_THAT(instance.names,
                testing::IsSupersetOf({"0.25", "ann", "bob", "city:1", "city:Ulm", "person:1",
                                       "person:2", "person:3", "u", "v", "w"}));

    const ScratchFolder folder;
    write_file(folder / "proposed.toml", mapping);
    const Problem again =
        read_problem(source, {.target = "father", .mapping = folder / "proposed.toml"});
    EXPECT_EQ(again.inputs(), problem.inputs());
    EXPECT_EQ(again.training.instances, problem.training.instances);

    write_file(folder / "map.toml", kMapping);
    const Problem mapped = read_problem(source, {.mapping = folder / "map.toml"});
    EXPECT_EQ(mapped.inputs(), (Symbols{{"strong", 1}, {"any", 0}}));
    EXPECT_EQ(mapped.target(), (PredicateSymbol{"good", 1}));
    EXPECT_THAT(mapped.training.instances.at(0).facts,
                ElementsAre(ElementsAre(Fact{0, 0, 0.5F}, Fact{1}, Fact{2, 0, 0.25F}),
                            ElementsAre(Fact{})));
    EXPECT_THAT(mapped.training.instances.at(0).labels,
                ElementsAre(Label::positive, Label::negative, Label::unlabelled));

    write_file(folder / "map.toml", "[[relation]]\nname = \"p\"\ntable = \"persn\"\n");
    EXPECT_THAT(error_of(source, {.mapping = folder / "map.toml"}),
                HasSubstr("map.toml:1:1: the database has no table 'persn' (it has "));
    write_file(folder / "map.toml",
               "[[relation]]\nname = \"p\"\ntable = \"person\"\ncolumns = [\"idd\"]\n");
    EXPECT_THAT(error_of(source, {.mapping = folder / "map.toml"}),
                HasSubstr("map.toml:1:1: table person has no column 'idd' (it has id, name, "));
}

/// 1,000 variants of a mapping: each is read, or its error tells a place in it or names what in the
/// database does not fit.
void expect_mutated_mappings(const std::string& source) {
    const ScratchFolder folder;
    const std::string path = (folder / "map.toml").string();
    const std::string remarks = "# told at length so that some changes do no harm: ";
    std::string whole = kMapping;
    for (int i = 0; i < 20; ++i) {
        whole += remarks + "each relation is a table\n";
    }
    Random random(8);
    int read = 0;
    for (int i = 0; i < 1000; ++i) {
        const data::TextFile file{path, test::mutated(whole, random, "\"[]={}#\n '\\x\x80")};
        write_file(path, file.text);
        try {
            const Problem problem = read_problem(source, {.mapping = path});
            EXPECT_FALSE(problem.training.instances.empty());
            ++read;
        } catch (const Error& error) {
            EXPECT_NE(error.place().file, "") << error.what();
            if (error.place().file == path) {
                test::expect_place_inside(error, std::vector<data::TextFile>{file});
            }
        }
    }
    EXPECT_GT(read, 50);
    EXPECT_LT(read, 990);
}

TEST(SqliteFile, SurvivesAThousandMutations) {
    const ScratchFolder folder;
    const std::string whole =
        read_file(std::filesystem::path(HRI_SOURCE_DIR) / "fuzz/corpus/sqlite/people.db");
    Random random(9);
    int read = 0;
    for (int i = 0; i < 1000; ++i) {
        std::string bytes = whole;
        for (int changes = 1 + random.below(4); changes > 0; --changes) {
            bytes[static_cast<std::size_t>(random.below(static_cast<int>(bytes.size())))] =
                static_cast<char>(random.below(256));
        }
        write_file(folder / "people.db", bytes);
        try {
            read_problem((folder / "people.db").string(), {.format = "sqlite", .target = "father"});
            ++read;
        } catch (const Error& error) {
            EXPECT_EQ(error.place().file, (folder / "people.db").string()) << error.what();
        }
    }
    EXPECT_GT(read, 100);
    EXPECT_LT(read, 990);
}

TEST(SqliteFile, IsReadByAMapping) {
    if (!test::is_installed("sqlite3")) {
        GTEST_SKIP() << "sqlite3 is not installed";
    }
    const ScratchFolder folder;
    ASSERT_EQ(test::run_sqlite(kPeople, folder / "people.db"), "");
    expect_people((folder / "people.db").string());
    EXPECT_THAT(error_of((folder / "people.db").string(), {}),
                HasSubstr("say which predicate is the target (target with one of "));
    expect_mutated_mappings((folder / "people.db").string());
}

TEST(Tables, OfferClassesAsTargetsButNoMeasures) {
    const ScratchFolder folder;
    std::filesystem::create_directory(folder / "park");
    write_file(folder / "park/tree.csv",
               "id,kind,height,old\nt1,oak,3.5,yes\nt2,oak,2.5,no\nt3,fir,9,no\nt4,fir,7,yes\n"
               "t5,elm,1,no\nt6,,2,no\n");
    const std::string park = (folder / "park").string();
    std::vector<std::string> offered;
    try {
        read_problem(park);
    } catch (const data::SeveralTargets& several) {
        offered = several.targets();
    }
    EXPECT_THAT(offered,
                ElementsAre("kind_elm/1", "kind_fir/1", "kind_oak/1", "old/1", "not_old/1"));
    for (const std::string& target : offered) {
        EXPECT_EQ(read_problem(park, {.target = target}).target().arity, 1) << target;
    }
}

TEST(SqliteFile, TellsARowOfBytes) {
    if (!test::is_installed("sqlite3")) {
        GTEST_SKIP() << "sqlite3 is not installed";
    }
    const ScratchFolder folder;
    ASSERT_EQ(test::run_sqlite("CREATE TABLE likes (a TEXT, b TEXT);\n"
                               "INSERT INTO likes VALUES ('u', 'v'), ('w', x'ff');\n",
                               folder / "likes.db"),
              "");
    EXPECT_THAT(error_of((folder / "likes.db").string(), {.target = "likes"}),
                HasSubstr("likes.db: expected UTF-8 in row 2 of likes, column b (leave the column "
                          "out of the mapping; proposed_mapping() gives one)"));
    ASSERT_EQ(test::run_sqlite("CREATE TABLE photo (who TEXT PRIMARY KEY, of TEXT, jpeg BLOB);\n"
                               "INSERT INTO photo VALUES ('u', 'v', x'ff');\n",
                               folder / "photos.db"),
              "");
    const Problem photos = read_problem((folder / "photos.db").string(), {.target = "photo"});
    EXPECT_EQ(photos.inputs(), (Symbols{{"of", 2}}));
    EXPECT_THAT(photos.warnings, ElementsAre(HasSubstr("column jpeg of table photo holds bytes and "
                                                       "is left out")));
}

TEST(SqliteFile, ThatIsDamagedGivesAnError) {
    if (!test::is_installed("sqlite3")) {
        GTEST_SKIP() << "sqlite3 is not installed";
    }
    const ScratchFolder folder;
    ASSERT_EQ(test::run_sqlite(kPeople, folder / "people.db"), "");
    const std::string whole = read_file(folder / "people.db");
    Random random(7);
    int read = 0;
    for (int i = 0; i < 1000; ++i) {
        std::string bytes = whole;
        for (int changes = 1 + random.below(6); changes > 0; --changes) {
            const auto at = static_cast<std::size_t>(random.below(static_cast<int>(bytes.size())));
            bytes[at] = static_cast<char>(random.below(256));
        }
        if (random.chance(0.2)) {
            bytes.resize(static_cast<std::size_t>(random.below(static_cast<int>(bytes.size()))));
        }
        write_file(folder / "damaged.db", bytes);
        try {
            read_problem((folder / "damaged.db").string(),
                         {.format = "sqlite", .target = "father"});
            ++read;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()), "");
        }
    }
    EXPECT_GT(read, 100);
    EXPECT_LT(read, 1000);
}

TEST(PostgresqlServer, IsReadByAMapping) {
    const test::Postgres server;
    if (!server.running()) {
        GTEST_SKIP() << server.why_not();
    }
    ASSERT_EQ(server.run(kPeople), "");
    expect_people(server.connection());
    EXPECT_THAT(error_of("postgresql:///nobody?host=/nonexistent", {}),
                HasSubstr("postgresql: PostgreSQL: "));
    expect_mutated_mappings(server.connection());
}

TEST(Mapping, TellsDamage) {
    const auto error = [](const std::string& text) -> std::string {
        try {
            data::parse_mapping({"map.toml", text});
        } catch (const Error& told) {
            return told.what();
        }
        return "no error";
    };
    EXPECT_THAT(error("[[relation]"), HasSubstr("map.toml:1:"));
    EXPECT_EQ(error(""),
              "map.toml:1:1: expected a [[relation]], found none (proposed_mapping() gives a "
              "mapping to begin with)");
    EXPECT_THAT(error("# \u00e4\ntarget=\"\u00e4\"\nname \u02cb \"p\"\n"),
                HasSubstr("map.toml:3:6: "));
    EXPECT_THAT(error("[\"x\"\"\"\"\"\uFEDF\"\n"), HasSubstr("map.toml:1:"));
    EXPECT_EQ(error("relation = 3\n"), "map.toml:1:12: expected [[relation]]");
    EXPECT_EQ(error("\nrelatoin = 3\n"),
              "map.toml:2:1: there is no key 'relatoin' (expected target or [[relation]])");
    EXPECT_EQ(error("[[relation]]\nname = 3\n"), "map.toml:2:8: expected a text in quotes");
    EXPECT_EQ(error("[[relation]]\nname = \"p\"\n"),
              "map.toml:1:1: expected a name and a table (write name = \"parent\" and table = "
              "\"person\")");
    EXPECT_EQ(error("[[relation]]\nname = \"p\"\ntable = \"t\"\ncolumns = \"id\"\n"),
              "map.toml:4:11: expected a list of texts (write [\"id\", \"father\"])");
    EXPECT_EQ(error("[[relation]]\nname = \"p\"\ntable = \"t\"\nprefixes = [\"a\"]\n"),
              "map.toml:1:1: expected as many prefixes as columns");
}

TEST(Mapping, RoundTrips) {
    const std::string text = data::to_toml(data::parse_mapping({"map.toml", kMapping}));
    EXPECT_EQ(data::to_toml(data::parse_mapping({"map.toml", text})), text);
}

}  // namespace
}  // namespace hri
