// SPDX-License-Identifier: Apache-2.0
// SQLite and PostgreSQL run what we print and agree with our evaluator, row by row.

#include "hri/evaluate.hpp"
#include "hri/export.hpp"

#include "support/databases.hpp"
#include "support/random_programs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri {
namespace {

using testing::HasSubstr;
using testing::Not;

const SqlOptions kWithTables{.create_tables = true};

std::string literal(const std::string& text) {
    std::string result = "'";
    for (const char c : text) {
        result += c == '\'' ? "''" : std::string(1, c);
    }
    return result + "'";
}

/// Fills the tables that a script has made.
std::string inserts(const std::string& script, const Instance& instance) {
    const std::vector<PredicateSymbol>& inputs = instance.inputs();
    std::string text;
    const auto has_table = [&](const std::string& name) {
        return script.find("TABLE IF NOT EXISTS \"" + name + "\" ") != std::string::npos;
    };
    for (std::size_t p = 0; p < inputs.size(); ++p) {
        for (const Fact& fact : instance.facts[p]) {
            if (fact.value < 0.5F || !has_table(inputs[p].name)) {
                continue;
            }
            const int arity = inputs[p].arity;
            text += "INSERT INTO \"" + inputs[p].name + "\" VALUES (" +
                    (arity == 0 ? "1" : literal(instance.name_of(fact.first))) +
                    (arity < 2 ? "" : ", " + literal(instance.name_of(fact.second))) + ");\n";
        }
    }
    for (int c = 0; c < instance.constants && has_table("constant"); ++c) {
        text += "INSERT INTO \"constant\" VALUES (" + literal(instance.name_of(c)) + ");\n";
    }
    return text;
}

/// A query for the target's rows, and what it must print.
std::string query(const PredicateSymbol& target) {
    const std::string name = "\"" + target.name + "\"";
    return target.arity == 0   ? "SELECT holds FROM " + name + ";\n"
           : target.arity == 1 ? "SELECT a FROM " + name + " ORDER BY a;\n"
                               : "SELECT a, b FROM " + name + " ORDER BY a, b;\n";
}

std::string rows(const Program& program, const Instance& instance) {
    const int arity = program.vocabulary[program.target].arity;
    const Truth truth = evaluate(program, instance);
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < truth.size(); ++i) {
        const int index = static_cast<int>(i);
        if (truth[i] == 0) {
            continue;
        }
        const int first = arity == 2 ? index / instance.constants : index;
        lines.push_back(
            arity == 0
                ? "1"
                : instance.name_of(first) +
                      (arity == 1 ? "" : "|" + instance.name_of(index % instance.constants)));
    }
    std::sort(lines.begin(), lines.end());
    std::string text;
    for (const std::string& line : lines) {
        text += line + "\n";
    }
    return text;
}

struct Case {
    Program program;
    Instance instance;
};

Case case_of(const std::string& rules, const std::string& edges) {
    Case result;
    result.program = parse_program(rules);
    result.instance = make_instance(make_schema({{"e", 2}, {"f", 2}, {"u", 1}, {"z", 0}}), 7);
    for (std::size_t i = 0; i + 1 < edges.size(); i += 2) {
        result.instance.facts[0].push_back({edges[i] - '0', edges[i + 1] - '0'});
        result.instance.facts[1].push_back({edges[i + 1] - '0', edges[i] - '0'});
        result.instance.facts[2].push_back({edges[i] - '0'});
    }
    result.instance.facts[3] = {{}};
    return result;
}

/// Every kind of recursion, by hand.
std::vector<Case> chosen_cases() {
    const std::string path = "0112233445";
    return {
        case_of("p(X,Y) :- e(X,Y). p(X,Y) :- e(X,Z), p(Z,Y).", path),
        case_of("p(X,Y) :- e(X,Y). p(X,Y) :- p(X,Z), p(Z,Y).", path + "50"),
        case_of("p(X,Y) :- p(Z,Y), p(X,Z). p(X,X) :- u(X). p(X,Y) :- e(X,Z), e(Z,Y).", path),
        case_of("p(X,Y) :- e(X,Y). p(X,Y) :- e(X,Z), p(Z,U), p(U,V), f(V,Y).", path),
        case_of("even(X) :- u(X), p0(X). p0(0). even(Y) :- odd(X), e(X,Y). odd(Y) :- even(X), "
                "e(X,Y).",
                path),
        case_of("a(X,Y) :- e(X,Y). a(X,Y) :- b(X,Z), a(Z,Y). b(X,Y) :- a(X,Y). b(X,Y) :- a(X,Z), "
                "b(Z,Y), z.",
                "01122334"),
        case_of("p(X,Y) :- p(X,Y).", path),
        case_of("p(X,Y) :- z.", path),
        case_of("p(X) :- q, e(X,X). q :- p(X), q. q :- e(X,Y), f(X,Y).", path + "66"),
        case_of("p :- p, u(X). p :- e(0,X), z.", path),
        case_of("p(X,Y) :- e(X,Y), false. p(6,9). p(6,0) :- e(X,Y), e(0,X).", path),
        case_of("% target: nothing/2\np(X) :- u(X).", path),
        case_of("p(X,Y) :- \\+ q(X,Y). q(X,Y) :- e(X,Y). q(X,Y) :- q(X,Z), q(Z,Y).", path),
        case_of("p(X) :- u(X), \\+ q(X), \\+ z2. q(X) :- e(X,Y), \\+ e(Y,X), X \\= Y.", path),
        case_of("p(X,Y) :- e(Z,X), e(Z,Y), X \\= Y. p(X,Y) :- X = Y, \\+ u(X).", "010212"),
        case_of("p(X) :- e(0,X), X \\= 1. p(X) :- p(Y), e(Y,X), \\+ f(0,X).", path),
    };
}

std::vector<Case> random_cases(int count, std::uint64_t seed) {
    Random random(seed);
    std::vector<Case> cases;
    while (static_cast<int>(cases.size()) < count) {
        test::ProgramSpace space;
        space.constants = cases.size() % 3 == 0 ? 0.1 : 0;
        space.negation = cases.size() % 4 < 2 ? 0.3 : 0;
        space.equality = cases.size() % 8 < 2 ? 0.2 : 0;
        Case drawn;
        drawn.program = test::random_program(space, random);
        if (cases.size() % 2 == 0) {
            drawn.program = simplified(drawn.program);
        }
        drawn.instance = test::random_instance(space.inputs, 2 + random.below(4), random);
        const Truth truth = evaluate(drawn.program, drawn.instance);
        const bool varied = std::count(truth.begin(), truth.end(), 1) > 0 &&
                            std::count(truth.begin(), truth.end(), 0) > 0;
        if (is_recursive(drawn.program) && (varied || random.chance(0.1))) {
            cases.push_back(std::move(drawn));
        }
    }
    return cases;
}

void expect_agreement_of_sqlite(const std::vector<Case>& cases) {
    if (!test::is_installed("sqlite3")) {
        GTEST_SKIP() << "sqlite3 is not installed";
    }
    for (const Case& the : cases) {
        const std::string script = to_sql(the.program, SqlDialect::sqlite, kWithTables);
        const PredicateSymbol& target = the.program.vocabulary[the.program.target];
        EXPECT_EQ(test::run_sqlite(script + inserts(script, the.instance) + query(target)),
                  rows(the.program, the.instance))
            << to_prolog(the.program) << script;
    }
}

/// All in one session, each in a schema of its own.
void expect_agreement_of_postgresql(const std::vector<Case>& cases, const test::Postgres& server) {
    std::string all;
    std::string expected;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const Case& the = cases[i];
        const std::string schema = "s" + std::to_string(i);
        const std::string script = to_sql(the.program, SqlDialect::postgresql, kWithTables);
        all += "CREATE SCHEMA " + schema + ";\nSET search_path = " + schema + ";\n" + script +
               inserts(script, the.instance) + "SELECT '" + schema + "';\n" +
               query(the.program.vocabulary[the.program.target]);
        expected += schema + "\n" + rows(the.program, the.instance);
    }
    EXPECT_EQ(server.run(all), expected);
}

TEST(Sql, AgreesOnSqliteWithEveryKindOfRecursion) { expect_agreement_of_sqlite(chosen_cases()); }

TEST(Sql, AgreesOnSqliteWithRandomRecursivePrograms) {
    expect_agreement_of_sqlite(random_cases(100, 20));
}

TEST(Sql, AgreesOnPostgresqlWithEveryKindOfRecursionAndRandomPrograms) {
    const test::Postgres server;
    if (!server.running()) {
        GTEST_SKIP() << server.why_not();
    }
    expect_agreement_of_postgresql(chosen_cases(), server);
    server.run(
        "DO $$ BEGIN FOR i IN 0..50 LOOP EXECUTE 'DROP SCHEMA IF EXISTS s' || i || ' "
        "CASCADE'; END LOOP; END $$;");
    expect_agreement_of_postgresql(random_cases(100, 21), server);
}

TEST(Sql, CarriesNamesThatAreNoIdentifiers) {
    const Program program = parse_program(
        "'select \"x\"'(X,Y) :- 'Table'(X,Z), table(Z,Y), 'it''s'(X), table(X). "
        "'it''s'(X) :- table(X), 'pg_class'('a''b;--',X). 'it''s'('new\\nline') :- "
        "'sqlite_x'(Y,Y), "
        "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        "aaaa'"
        "(Y).");
    const std::string query = "SELECT a, b FROM \"select \"\"x\"\"\";";
    const auto facts = [](const std::string& script) {
        EXPECT_THAT(script, HasSubstr("CREATE TABLE IF NOT EXISTS \"_pg_class\""));
        EXPECT_THAT(script, HasSubstr("-- table_2/2 is 'table'/2"));
        return std::string(
            "INSERT INTO \"Table\" VALUES ('k', 'l'); INSERT INTO \"table_2\" VALUES ('l', 'm'); "
            "INSERT INTO \"table_1\" VALUES ('k'); INSERT INTO \"_pg_class\" VALUES "
            "('a''b;--', 'k');\n");
    };
    if (test::is_installed("sqlite3")) {
        const std::string script = to_sql(program, SqlDialect::sqlite, kWithTables);
        EXPECT_EQ(test::run_sqlite(script + facts(script) + query), "k|m\n") << script;
    }
    const test::Postgres server;
    if (server.running()) {
        const std::string script = to_sql(program, SqlDialect::postgresql, kWithTables);
        EXPECT_EQ(server.run(script + facts(script) + query), "k|m\n") << script;
    }
}

TEST(Sql, MakesTheViewsAnewWhenRunAgain) {
    if (!test::is_installed("sqlite3")) {
        GTEST_SKIP() << "sqlite3 is not installed";
    }
    const std::string script =
        to_sql(parse_program("p(X,Y) :- q(X,Y). p(X,Y) :- p(X,Z), q(Z,Y). q(X,Y) :- e(Y,X)."),
               SqlDialect::sqlite, kWithTables);
    EXPECT_EQ(
        test::run_sqlite(script + "INSERT INTO e VALUES ('b','a');" + script + "SELECT * FROM p;"),
        "a|b\n");
}

TEST(Sql, WritesTransitivityAsALinearRecursion) {
    const std::string script =
        to_sql(parse_program("p(X,Y) :- e(X,Y). p(X,Y) :- p(X,Z), p(Z,Y)."), SqlDialect::sqlite);
    EXPECT_THAT(script, Not(HasSubstr("json")));
    EXPECT_THAT(
        to_sql(parse_program("p(X,Y) :- e(X,Y). p(X,Y) :- p(Z,X), p(Z,Y)."), SqlDialect::sqlite),
        HasSubstr("json_each"));
}

TEST(Sql, RefusesAZeroByte) {
    EXPECT_THROW(to_sql(parse_program("p('a\\x0\\b')."), SqlDialect::sqlite), Error);
    EXPECT_THROW(to_sql(parse_program("p(X) :- 'a\\x0\\b'(X)."), SqlDialect::sqlite), Error);
}

}  // namespace
}  // namespace hri
