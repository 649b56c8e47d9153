// SPDX-License-Identifier: Apache-2.0

// Programs of any arity with comparisons: SWI-Prolog runs what we print and agrees.

#include "hri/data.hpp"

#include "evaluate/top_down.hpp"
#include "support/databases.hpp"

#include <gtest/gtest.h>
#include <set>

namespace hri {
namespace {

/// Variables S0, S1, ... are symbols, N0, N1, ... are numbers.
class RandomClauses {
  public:
    explicit RandomClauses(Random& random) : random_(random) {}

    std::string program() {
        std::string text = "% target: f/3\n";
        const bool calls_g = random_.chance(0.6);
        for (int i = 0; i < 1 + random_.below(2); ++i) {
            text += clause("f", calls_g, random_.chance(0.4), true);
        }
        for (int i = 0; calls_g && i < 1 + random_.below(2); ++i) {
            text += clause("g", random_.chance(0.3), false, false);
        }
        return text;
    }

  private:
    std::string symbol() {
        const std::string name = "S" + std::to_string(random_.below(3));
        used_.insert(name);
        return random_.chance(0.1) ? "c" + std::to_string(random_.below(5)) : name;
    }

    std::string number() {
        const std::string name = "N" + std::to_string(random_.below(2));
        used_.insert(name);
        return name;
    }

    std::string literal(bool calls_g, bool calls_f) {
        if (calls_g && random_.chance(0.4)) {
            return "g(" + symbol() + "," + symbol() + "," + number() + ")";
        }
        if (calls_f && random_.chance(0.4)) {
            return "f(" + symbol() + "," + symbol() + "," + number() + ")";
        }
        switch (random_.below(3)) {
            case 0:
                return "t(" + symbol() + "," + symbol() + "," + number() + ")";
            case 1:
                return "e(" + symbol() + "," + symbol() + ")";
            default:
                return "v(" + symbol() + "," + number() + ")";
        }
    }

    std::string clause(const std::string& head, bool calls_g, bool calls_f, bool negates) {
        static const std::vector<std::string> kSigns = {"<", ">", "=<", ">=", "=:=", "=\\="};
        used_.clear();
        std::string body;
        for (int i = 0; i < 1 + random_.below(3); ++i) {
            body += (i == 0 ? "" : ", ") + literal(calls_g, calls_f);
        }
        // every variable of the head gets a value
        body += ", t(S0,S1,N0)";
        if (random_.chance(0.5)) {
            body = "N0 " + kSigns[static_cast<std::size_t>(random_.below(6))] + " " +
                   (random_.chance(0.5) ? "2.5" : "3") + ", " + body;
        }
        if (random_.chance(0.3)) {
            body += ", v(S1,N1), N1 " + kSigns[static_cast<std::size_t>(random_.below(6))] + " N0";
        }
        if (negates && random_.chance(0.3)) {
            body += random_.chance(0.5) ? ", \\+ e(S1,S0)" : ", \\+ N0 > 4";
        }
        return head + "(S0,S1,N0) :- " + body + ".\n";
    }

    Random& random_;
    std::set<std::string> used_;
};

struct WideData {
    std::shared_ptr<Database> database = std::make_shared<Database>();
    std::string facts;
};

WideData random_data(Random& random) {
    WideData data;
    Database& database = *data.database;
    for (const char* name : {"c0", "c1", "c2", "c3", "c4"}) {
        database.constants.push_back(name);
        database.numbers.push_back(std::numeric_limits<double>::quiet_NaN());
    }
    for (const auto& [name, value] :
         {std::pair{"0", 0.0}, {"1", 1.0}, {"2.5", 2.5}, {"3", 3.0}, {"4", 4.0}, {"-1", -1.0}}) {
        database.constants.push_back(name);
        database.numbers.push_back(value);
    }
    const auto add = [&](const PredicateSymbol& symbol, const std::string& kinds, int rows) {
        FactTable table{symbol, {}, {}};
        std::set<std::vector<std::int32_t>> known;
        for (int r = 0; r < rows; ++r) {
            std::vector<std::int32_t> row;
            for (const char kind : kinds) {
                row.push_back(kind == 's' ? random.below(5) : 5 + random.below(6));
            }
            if (!known.insert(row).second) {
                continue;
            }
            table.cells.insert(table.cells.end(), row.begin(), row.end());
            data.facts += symbol.name;
            for (std::size_t i = 0; i < row.size(); ++i) {
                data.facts += (i == 0 ? "(" : ",") + database.constants[std::size_t(row[i])];
            }
            data.facts += ").\n";
        }
        database.tables.push_back(std::move(table));
    };
    add({"t", 3}, "ssn", 20);
    add({"e", 2}, "ss", 8);
    add({"v", 2}, "sn", 8);
    return data;
}

std::string judged(const Program& program, const Database& database) {
    const evaluation::DatabaseIndex index(database);
    evaluation::TopDown run(index, program, evaluation::constant_numbers(database));
    std::string truth;
    for (std::int32_t a = 0; a < 5; ++a) {
        for (std::int32_t b = 0; b < 5; ++b) {
            for (std::int32_t n = 5; n < 11; ++n) {
                const std::vector<std::int32_t> tuple{a, b, n};
                truth += run.holds(tuple) ? '1' : '0';
            }
        }
    }
    return truth;
}

TEST(WideProgram, IsPrintedAsItIsRead) {
    const char* text =
        "% target: next/3\n:- dynamic score/3, size/2.\n"
        "next(X,Y,Z) :- score(X,Y,Z), size(X,U), U >= 100, Z < U.\n"
        "next(X,'A b',[1,f(x)]) :- score(X,_,_).\n";
    const Program program = parse_program(text);
    EXPECT_EQ(to_prolog(program), text);
    EXPECT_EQ(to_prolog(parse_program(to_prolog(program))), text);
    EXPECT_EQ(to_prolog(simplified(program)), text);
    EXPECT_EQ(size(program), 7);
    EXPECT_EQ(to_text(program),
              "next(X,Y,Z) <- score(X,Y,Z) & size(X,U) & U >= 100 & Z < U\n"
              "next(X,'A b',[1,f(x)]) <- score(X,Y,Z)\n");
    EXPECT_EQ(to_prolog(parse_program("p(X) :- q(X,A), \\+ A > 3.")),
              "% target: p/1\n:- dynamic q/2.\np(X) :- q(X,Y), \\+ Y > 3.\n");
}

TEST(WideProgram, RefusesListsWithVariables) {
    for (const auto& [text, message] :
         {std::pair{"p(X) :- q(X,[Y|T]).",
                    "<text>:1:13: a list with variables as argument (take lists apart by "
                    "predicates of the data, such as head(L,X))"}}) {
        try {
            parse_program(text);
            ADD_FAILURE() << "no error";
        } catch (const Error& error) {
            EXPECT_STREQ(error.what(), message);
        }
    }
}

TEST(WideProgram, SwiPrologAgreesOnTwoHundredRandomOnes) {
    if (!test::is_installed("swipl")) {
        GTEST_SKIP() << "swipl is not installed (package swi-prolog-nox)";
    }
    constexpr int kPrograms = 200;
    Random random(1919);
    const test::ScratchFolder folder;
    std::string script = ":- initialization(main).\nmain :-\n";
    std::string expected;
    int with_truth = 0;
    int recursive = 0;
    for (int i = 0; i < kPrograms; ++i) {
        const WideData data = random_data(random);
        const Program program = parse_program(RandomClauses(random).program());
        const std::string truth = judged(program, *data.database);
        EXPECT_EQ(judged(simplified(program), *data.database), truth) << to_prolog(program);
        EXPECT_EQ(judged(parse_program(to_prolog(program)), *data.database), truth);
        with_truth += truth.find('1') != std::string::npos ? 1 : 0;
        recursive += is_recursive(program) ? 1 : 0;
        const std::string module = "m" + std::to_string(i);
        write_file(folder / (module + ".pl"),
                   ":- module(" + module + ", []).\n:- style_check(-discontiguous).\n" +
                       to_prolog(i % 2 == 0 ? program : simplified(program)) + data.facts);
        script += "    use_module('" + (folder / (module + ".pl")).string() +
                  "'),\n    forall((member(A,[c0,c1,c2,c3,c4]), member(B,[c0,c1,c2,c3,c4]), "
                  "member(N,[0,1,2.5,3,4,-1])), (" +
                  module + ":f(A,B,N) -> write(1) ; write(0))), nl,\n";
        expected += truth + "\n";
    }
    EXPECT_GE(with_truth, 100);
    EXPECT_GE(recursive, 20);
    write_file(folder / "main.pl", script + "    true.\n");
    EXPECT_EQ(test::printed_by(
                  "timeout 300 swipl -q -f none -t halt '" + (folder / "main.pl").string() + "'",
                  folder.path()),
              expected);
}

}  // namespace
}  // namespace hri
