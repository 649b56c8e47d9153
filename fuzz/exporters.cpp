// SPDX-License-Identifier: Apache-2.0
// A program with names of any kind in every language: Prolog is read back, JSON is valid, SQLite
// runs the SQL, and no picture or comment holds what a name should not bring with it.

#include "hri/export.hpp"

#include "base/output_files.hpp"
#include "base/utf8.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <sqlite3.h>
#include <string>
#include <vector>

namespace {

using namespace hri;

/// Names between zero bytes; those that the input lacks have others.
std::vector<std::string> names(const std::uint8_t* data, std::size_t size) {
    std::vector<std::string> all(1);
    for (std::size_t i = 0; i < size; ++i) {
        if (data[i] == 0)
            all.emplace_back();
        else
            all.back() += static_cast<char>(data[i]);
    }
    for (std::size_t i = 0; all.size() < 5; ++i)
        all.push_back("name" + std::to_string(i));
    return all;
}

/// target(X) <- a(X,Y) & \+ b(Y); target(X) <- a(X,c); a(X,Y) <- in(Y,X) | in(X,Z) & a(Z,Y)
Program program_of(const std::vector<std::string>& given) {
    Program program;
    Vocabulary& words = program.vocabulary;
    program.target = words.intern({given[0], 1});
    const Predicate a = words.intern({given[1], 2});
    const Predicate in = words.intern({given[2], 2});
    const Predicate no_b = words.intern({given[3], 1, true});
    const Term x = Term::variable(0);
    const Term y = Term::variable(1);
    const Term z = Term::variable(2);
    const Term c = Term::constant(words.intern_constant(given[4]));
    program.rules = {{{program.target, {x}}, {{a, {x, y}}, {no_b, {y}}}},
                     {{program.target, {x}}, {{a, {x, c}}}},
                     {{a, {x, y}}, {{in, {y, x}}}},
                     {{a, {x, y}}, {{in, {x, z}}, {a, {z, y}}}}};
    return program;
}

bool is_reserved(const std::string& name) {
    for (const char* word : {"=", "true", "false", "fail", "\\="})
        if (name == word)
            return true;
    return false;
}

void check_sqlite(const std::string& sql) {
    sqlite3* opened = nullptr;
    if (sqlite3_open(":memory:", &opened) != SQLITE_OK)
        std::abort();
    const std::unique_ptr<sqlite3, int (*)(sqlite3*)> database(opened, sqlite3_close);
    if (sqlite3_exec(opened, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
        std::fprintf(stderr, "%s\n%s\n", sqlite3_errmsg(opened), sql.c_str());
        std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<std::string> given = names(data, size);
    for (std::size_t i = 0; i < 5; ++i) {
        if (given[i].empty() || is_reserved(given[i]) ||
            base::valid_utf8(given[i]) != given[i].size())
            return 0;
        for (std::size_t j = 0; j < i && i < 4; ++j)
            if (given[i] == given[j])
                return 0;
    }
    const Program program = program_of(given);
    try {
        const std::string prolog = to_prolog(program);
        if (to_prolog(parse_program(prolog)) != prolog)
            std::abort();
        const std::string dot = to_dot(program) + to_latex(program) + to_datalog(program) +
                                to_sql(program, SqlDialect::postgresql);
        const std::string svg = to_svg(program);
        if (svg.find("<script") != std::string::npos)
            std::abort();
        static_cast<void>(nlohmann::json::parse(to_json(program)));
        check_sqlite(to_sql(program, SqlDialect::sqlite));
        for (const std::string& name : given)
            if (const std::string line = base::comment(base::Language::prolog, name);
                line.find('\n') + 1 != line.size())
                std::abort();
    } catch (const Error&) {  // names that a language cannot write
    }
    return 0;
}
