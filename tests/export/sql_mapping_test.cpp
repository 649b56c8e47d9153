// SPDX-License-Identifier: Apache-2.0
// Views over the user's own tables have the rows that our evaluator gives, on both databases.

#include "hri/comparisons.hpp"
#include "hri/evaluate.hpp"
#include "hri/export.hpp"
#include "hri/tables.hpp"

#include "support/databases.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri {
namespace {

using test::ScratchFolder;

const char* const kShop =
    "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, \"from\" TEXT, since DATE, "
    "vip INTEGER);\n"
    "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), "
    "amount REAL, paid BOOLEAN, placed TEXT);\n"
    "CREATE TABLE products (id INTEGER PRIMARY KEY, kind TEXT, follows INTEGER);\n"
    "CREATE TABLE order_items (order_id INTEGER REFERENCES orders(id), product_id INTEGER "
    "REFERENCES products(id), quantity INTEGER, PRIMARY KEY (order_id, product_id));\n"
    "INSERT INTO customers VALUES (1, 'Ann', 'Ulm', '2024-01-05', 1), (2, 'O''Neil', 'Ulm', "
    "'2023-05-01', 0), (3, '', 'Rom', NULL, 0), (4, '4', NULL, '2024-02-29', 1);\n"
    "INSERT INTO orders VALUES (1, 2, 10.5, '1', '2024-02-29 10:00:00+02'), "
    "(2, 2, 200, '0', '2024-02-29 08:00'), (3, 1, 99.25, '1', '2024-02-29T07:59:59Z'), "
    "(4, 4, 3, '0', NULL), (5, NULL, 99.95, '1', '2024-02-28 20:30:00-1130');\n"
    "INSERT INTO products VALUES (1, 'toy', NULL), (2, 'book', 1), (3, 'toy', 2), (4, 'book', 3);\n"
    "INSERT INTO order_items VALUES (1, 1, 2), (1, 2, 1), (2, 3, 5), (3, 2, 1), (4, 1, 1), "
    "(5, 3, 1);\n";

/// Each defines `answer`.
const std::vector<std::string>& programs() {
    static const std::vector<std::string> all = {
        "answer(X) :- vip(X).",
        "answer(X) :- not_vip(X), from(X,'Ulm').",
        "answer(X) :- customer_id(O,X), paid(O).",
        "answer(X) :- customer_id(O,X), \\+ paid(O).",
        "answer(X,Y) :- customer_id(O,X), order_items(O,Y).",
        "answer(X,K) :- customer_id(O,X), order_items(O,Y), kind(Y,K).",
        "answer(X,Y) :- from(X,Z), from(Y,Z), X \\= Y.",
        "answer(O) :- amount(O,200).",
        "answer(X) :- customer_id(O,X), amount(O,A), A >= 99.25.",
        "answer(X) :- since(X,D), D < 19500.",
        "answer(O) :- amount(O,A), \\+ A > 10.",
        "answer(O,A) :- amount(O,A).",
        "answer(O) :- amount(O,A), A >= 99.95, A =< 99.95.",
        "answer(O,T) :- placed(O,T).",
        "answer(O) :- placed(O,T), T >= 1709193600.",
        "answer(X,Y) :- customer_id(O,X), amount(O,A), customer_id(P,Y), amount(P,B), A < B.",
        "answer(X) :- customers_orders_count(X,N), N =< 1, N > 0.",
        "answer(X) :- since(X,19782).",
        "answer(O,Q) :- order_id(I,O), quantity(I,Q).",
        "answer('customers:2') :- vip(X).",
        "answer(X) :- name(X,'O''Neil').",
        "answer(X) :- customer_id('orders:1',X).",
        "answer(X,Y) :- follows(X,Y). answer(X,Y) :- follows(X,Z), answer(Z,Y).",
        "answer(X) :- vip(X). answer(O) :- paid(O).",
        "answer(X) :- aux(X), paid(X). aux(X) :- orders(X). aux(X) :- customers(X).",
        "answer(X) :- vip(X), amount(X,Y).",
        "answer(X) :- customers_orders_count(X,0).",
        "answer(X) :- customers_orders_max_amount(X,200).",
        "answer(X) :- customers(X), \\+ bought(X). bought(X) :- customer_id(O,X)."};
    return all;
}

std::string without_prefix(const std::string& constant, const TableSummary& tables) {
    for (const std::string& prefix : tables.prefixes) {
        if (constant.starts_with(prefix)) {
            return constant.substr(prefix.size());
        }
    }
    return constant;
}

void expect_the_same_rows(const std::string& source, SqlDialect dialect,
                          const std::function<std::string(const std::string&)>& run) {
    const TableOptions with_aggregates{.aggregates = true, .target_needed = false};
    const std::string mapping = proposed_mapping(source, {}, with_aggregates);
    const TableSummary tables = describe_tables(source, {}, with_aggregates);
    for (const std::string& text : programs()) {
        const Program program = parse_program(text);
        const PredicateSymbol target = program.vocabulary[program.target];
        ReadOptions reading;
        reading.target = "answer/" + std::to_string(target.arity);
        reading.split.when = SplitOptions::When::never;
        const Problem problem = read_problem(source, reading, with_aggregates);
        const Instance& instance = problem.training.instances.at(0);
        const bool mixed = text.find("answer(O) :- paid(O)") != std::string::npos ||
                           text.find("aux(X)") != std::string::npos || text.starts_with("answer('");
        std::vector<std::string> expected;
        const ComparisonFacts comparisons(program);
        for (const Fact& atom :
             true_atoms(comparisons.program(), comparisons.with_facts(instance))) {
            const auto name = [&](std::int32_t constant) {
                const std::string whole = instance.name_of(constant);
                return mixed ? whole : without_prefix(whole, tables);
            };
            expected.push_back(name(atom.first) +
                               (target.arity == 1 ? "" : "|" + name(atom.second)));
        }
        std::sort(expected.begin(), expected.end());
        std::string lines;
        for (const std::string& line : expected) {
            lines += line + "\n";
        }
        const std::string script = to_sql(program, dialect, {.mapping = mapping});
        EXPECT_THAT(script, testing::Not(testing::HasSubstr("CREATE TABLE")));
        const std::string columns =
            target.arity == 1 ? "CAST(a AS TEXT)" : "CAST(a AS TEXT), CAST(b AS TEXT)";
        EXPECT_EQ(run(script + "SELECT " + columns + " FROM answer ORDER BY " +
                      (target.arity == 1 ? "1" : "1, 2") + ";\n"),
                  lines)
            << text << "\n"
            << script;
    }
}

TEST(SqlByAMapping, HasTheRowsOfOurEvaluatorOnSqlite) {
    if (!test::is_installed("sqlite3")) {
        GTEST_SKIP() << "sqlite3 is not installed";
    }
    const ScratchFolder folder;
    ASSERT_EQ(test::run_sqlite(kShop, folder / "shop.db"), "");
    const std::string before = test::run_sqlite("SELECT * FROM customers;", folder / "shop.db");
    expect_the_same_rows(
        (folder / "shop.db").string(), SqlDialect::sqlite, [&](const std::string& script) {
            const std::string printed = test::run_sqlite(script, folder / "shop.db");
            test::run_sqlite(
                "DROP VIEW IF EXISTS answer; DROP VIEW IF EXISTS "
                "aux; DROP VIEW IF EXISTS bought; DROP VIEW IF "
                "EXISTS hri_recursion_1;",
                folder / "shop.db");
            return printed;
        });
    EXPECT_EQ(test::run_sqlite("SELECT * FROM customers;", folder / "shop.db"), before);
}

TEST(SqlByAMapping, HasTheRowsOfOurEvaluatorOnPostgresql) {
    const test::Postgres server;
    if (!server.running()) {
        GTEST_SKIP() << server.why_not();
    }
    // times without a zone are not those of the session
    ASSERT_EQ(server.run("ALTER ROLE postgres SET timezone TO 'America/New_York';"), "");
    ASSERT_EQ(server.run(kShop), "");
    expect_the_same_rows(server.connection(), SqlDialect::postgresql,
                         [&](const std::string& script) {
                             const std::string printed = server.run(script);
                             server.run(
                                 "DROP VIEW IF EXISTS answer, aux, bought, "
                                 "hri_recursion_1 CASCADE;");
                             return printed;
                         });
}

TEST(SqlByAMapping, TellsWhatTheMappingLacks) {
    const std::string mapping =
        "[[relation]]\nname = \"severity\"\ntable = \"tickets\"\ncolumns = [\"id\", \"s\"]\n";
    try {
        to_sql(parse_program("p(X) :- severty(X,high)."), SqlDialect::sqlite, {.mapping = mapping});
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "the mapping has no relation severty/2 (did you mean severity/2?)");
    }
}

}  // namespace
}  // namespace hri
