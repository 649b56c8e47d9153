// SPDX-License-Identifier: Apache-2.0
#include "logic/prolog/terms.hpp"

#include <ctime>
#include <gtest/gtest.h>

namespace hri::prolog {
namespace {

// A term in prefix form, with a letter for the kind where the text would not tell: v: variable, n:
// number.
std::string shown(const Node& node) {
    std::string text;
    switch (node.kind) {
        case Kind::variable:
            text = "v:";
            break;
        case Kind::number:
            text = "n:";
            break;
        case Kind::string:
            text = "s:";
            break;
        case Kind::list:
            text = "l:";
            break;
        default:
            break;
    }
    text += node.name;
    for (std::size_t i = 0; i < node.arguments.size(); ++i) {
        text += (i == 0 ? "(" : " ") + shown(node.arguments[i]);
    }
    return node.arguments.empty() ? text : text + ")";
}

std::string read_one(const std::string& text) {
    Reader reader(text, "t.pl");
    const Node* clause = reader.next();
    return clause == nullptr ? "nothing" : shown(*clause);
}

std::string error_of(const std::string& text) {
    try {
        Reader reader(text, "t.pl");
        while (reader.next() != nullptr) {
        }
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(PrologReader, ReadsWhatTaskFilesHold) {
    EXPECT_EQ(read_one("father(ann,'Bob B')."), "father(ann Bob B)");
    EXPECT_EQ(read_one("pos(grandparent(ann,amy))."), "pos(grandparent(ann amy))");
    EXPECT_EQ(read_one("head_pred(f,2)."), "head_pred(f n:2)");
    EXPECT_EQ(read_one("type(f,(a,b))."), "type(f ,(a b))");
    EXPECT_EQ(read_one("type(f,(a,))."), "type(f ,(a))");
    EXPECT_EQ(read_one("enable_recursion."), "enable_recursion");
    EXPECT_EQ(read_one("0.8::edge(a,b)."), "::(n:0.8 edge(a b))");
    EXPECT_EQ(read_one("p([a,b],[],[H|T])."), "p(l:[](a b) l:[] [|](v:H v:T))");
    EXPECT_EQ(read_one("p(\"a b\")."), "p(s:a b)");
    EXPECT_EQ(read_one("p()."), "p");
}

TEST(PrologReader, ReadsRulesAndDirectives) {
    EXPECT_EQ(read_one("h(X) :- b(X,Y), c(Y), d."), ":-(h(v:X) ,(b(v:X v:Y) c(v:Y) d))");
    EXPECT_EQ(read_one("h :- a, (b, c)."), ":-(h ,(a b c))");
    EXPECT_EQ(read_one("h :- (a, b), c."), ":-(h ,(,(a b) c))");
    EXPECT_EQ(read_one("h :- \\+ b(X), c."), ":-(h ,(\\+(b(v:X)) c))");
    EXPECT_EQ(read_one("h :- a ; b -> c."), ":-(h ;(a ->(b c)))");
    EXPECT_EQ(read_one(":- dynamic p/2, q/3."), ":-(dynamic(,(/(p n:2) /(q n:3))))");
    EXPECT_EQ(read_one(":- table p/2."), ":-(table(/(p n:2)))");
    EXPECT_EQ(read_one("x :- A = b - c - 1."), ":-(x =(v:A -(-(b c) n:1)))");
}

TEST(PrologReader, ReadsNumbers) {
    EXPECT_EQ(read_one("p(-3,2.5,-0.25,1e3,2.0E-2)."), "p(n:-3 n:2.5 n:-0.25 n:1e3 n:2.0E-2)");
    EXPECT_EQ(read_one("p(0x1F,0'a,0b101,0o17)."), "p(n:31 n:97 n:5 n:15)");
    EXPECT_EQ(read_one("p(1-2,- 3)."), "p(-(n:1 n:2) -(n:3))");
    Reader reader("p(-0.25).", "t.pl");
    EXPECT_EQ(reader.next()->arguments[0].value, -0.25);
}

TEST(PrologReader, UnquotesNames) {
    EXPECT_EQ(read_one("'it''s'."), "it's");
    EXPECT_EQ(read_one(R"('a\'b\\c\x41\\101\d'.)"), "a'b\\cAAd");
    EXPECT_EQ(read_one("'Zo\xC3\xAB'(x)."), "Zo\xC3\xAB(x)");
    EXPECT_EQ(read_one("zo\xC3\xAB(x)."), "zo\xC3\xAB(x)");
    EXPECT_EQ(read_one("''."), "");
}

TEST(PrologReader, SkipsCommentsAndKeepsThem) {
    Reader reader("#!/usr/bin/swipl\n% one\np. /* two\n lines */ q.% three", "t.pl");
    EXPECT_EQ(shown(*reader.next()), "p");
    EXPECT_EQ(shown(*reader.next()), "q");
    EXPECT_EQ(reader.next(), nullptr);
    EXPECT_EQ(reader.next(), nullptr);
    ASSERT_EQ(reader.comments().size(), 3U);
    EXPECT_EQ(reader.comments()[0].text, " one");
    EXPECT_EQ(reader.comments()[2].text, " three");
    EXPECT_EQ(read_one("% nothing else"), "nothing");
}

TEST(PrologReader, TellsWhereTermsStand) {
    const std::string text = "p(a).\n  q('\xC3\xA4', b) :-\n\tr(c).";
    Reader reader(text, "t.pl");
    reader.next();
    const Node& rule = *reader.next();
    const auto at = [&](const Node& node) {
        const Place place = reader.place(node);
        return std::to_string(place.line) + ":" + std::to_string(place.column);
    };
    EXPECT_EQ(at(rule), "2:13");
    EXPECT_EQ(at(rule.arguments[0]), "2:3");
    EXPECT_EQ(at(rule.arguments[0].arguments[1]), "2:10");
    EXPECT_EQ(at(rule.arguments[1].arguments[0]), "3:4");
    EXPECT_EQ(at(rule.arguments[0]), "2:3") << "asking backwards";
    EXPECT_EQ(reader.place(rule).file, "t.pl");
}

TEST(PrologReader, TellsWhereTextIsBroken) {
    EXPECT_EQ(error_of("p(a).\nq(b)\nr(c)."),
              "t.pl:3:1: expected '.' at the end of the clause, found 'r' (end each fact and rule "
              "with a full stop)");
    EXPECT_EQ(error_of("p(a).\nq(b)  "),
              "t.pl:2:5: expected '.' at the end of the clause, found the end of the text (end "
              "each fact and rule "
              "with a full stop)");
    EXPECT_EQ(error_of("p(a).q(b)."),
              "t.pl:1:5: expected '.' at the end of the clause, found '.' (a space or a new line "
              "follows the full stop)");
    EXPECT_EQ(error_of("p(a b)."),
              "t.pl:1:5: expected ',' or ')', found 'b' (the bracket opened at line 1, column 2)");
    EXPECT_EQ(error_of("p(a,)."), "t.pl:1:5: expected a term, found ')'");
    EXPECT_EQ(error_of("p(a :- b)."),
              "t.pl:1:5: expected ',' or ')', found ':-' (the bracket opened at line 1, column 2)");
    EXPECT_EQ(error_of("p :- ."), "t.pl:1:6: expected a term, found the full stop");
    EXPECT_EQ(error_of("p.\n 'open"),
              "t.pl:2:2: this quote is never closed (close it on the same line; write a quote "
              "inside a name twice)");
    EXPECT_EQ(error_of("p. /* open"), "t.pl:1:4: this comment never ends (close it with */)");
    EXPECT_EQ(error_of("p(\x01)."),
              "t.pl:1:3: a character that Prolog does not know (quote names with unusual "
              "characters: 'like this')");
    EXPECT_EQ(error_of("p('\\q')."),
              "t.pl:1:4: an escape that Prolog does not know (write a backslash as \\\\)");
    EXPECT_EQ(error_of("p(0x)."), "t.pl:1:3: a number without digits");
    EXPECT_EQ(error_of("p('\\xD800\\')."),
              "t.pl:1:4: this escape is half of a character in UTF-16 (write the character's own "
              "code)");
    EXPECT_EQ(error_of("p(a). % caf\xE9"),
              "t.pl:1:12: expected UTF-8, found the byte 0xE9 (save the text as UTF-8: iconv -f "
              "latin1 -t utf-8 converts from Latin-1)");
}

TEST(PrologReader, RefusesHostileNestingInsteadOfRunningOutOfStack) {
    for (const std::string piece :
         {"f(", "[", "(", "{", "- ", "\\+ ", "a:-", "a;", "a=b^", "p,("}) {
        std::string text;
        for (int i = 0; i < 100'000; ++i) {
            text += piece;
        }
        EXPECT_NE(error_of(text), "no error") << piece;
    }
    std::string chain = "x :- a";
    for (int i = 0; i < 100'000; ++i) {
        chain += "+a";
    }
    EXPECT_NE(error_of(chain + ".").find("nested more than 256 levels"), std::string::npos);
}

TEST(PrologReader, ReadsLongConjunctionsWithoutNesting) {
    std::string text = "x :- a";
    for (int i = 0; i < 100'000; ++i) {
        text += ", a";
    }
    text += ".";
    Reader reader(text, "t.pl");
    const Node* clause = reader.next();
    EXPECT_EQ(clause->arguments[1].arity(), 100'001);
    EXPECT_EQ(clause->depth, 3);
}

TEST(PrologReader, NeedsTimeInProportionToTheText) {
    std::string text;
    for (int i = 0; i < 200'000; ++i) {
        text += "edge(n" + std::to_string(i) + ",'N " + std::to_string(i / 2) +
                "'). ";  // all on one line
    }
    const std::clock_t begin = std::clock();
    Reader reader(text, "t.pl");
    int lines = 0;
    int clauses = 0;
    while (const Node* clause = reader.next()) {
        lines += reader.place(*clause).line;
        ++clauses;
    }
    const std::clock_t spent = std::clock() - begin;  // of the processor, whoever else is at work
    EXPECT_EQ(clauses, 200'000);
    EXPECT_EQ(lines, 200'000);
    EXPECT_LT(spent / CLOCKS_PER_SEC, 5) << "about 0.1 s is usual";
}

TEST(PrologQuoted, QuotesWhatPrologWouldMisread) {
    for (const std::string bare : {"ann", "aB_9", "3", "-3", "2.5", "1.0", "-0.0015", "[]"}) {
        EXPECT_EQ(prolog::quoted(bare), bare);
    }
    for (const std::string other : {"007", "-0", "1e5", "1.00", "1e400", "2.50"}) {
        EXPECT_EQ(prolog::quoted(other), "'" + other + "'") << "it would become another number";
    }
    EXPECT_EQ(prolog::quoted("Bob"), "'Bob'");
    EXPECT_EQ(prolog::quoted("_x"), "'_x'");
    EXPECT_EQ(prolog::quoted(""), "''");
    EXPECT_EQ(prolog::quoted("two words"), "'two words'");
    EXPECT_EQ(prolog::quoted("it's"), "'it\\'s'");
    EXPECT_EQ(prolog::quoted("a\\b\n"), "'a\\\\b\\x0a\\'");
    EXPECT_EQ(prolog::quoted("zo\xC3\xAB"), "'zo\xC3\xAB'");
    EXPECT_EQ(prolog::quoted("3x"), "'3x'");
    EXPECT_EQ(prolog::quoted("-"), "'-'");
    EXPECT_EQ(prolog::quoted("1."), "'1.'");
    EXPECT_EQ(prolog::quoted("is"), "'is'");
    EXPECT_EQ(prolog::quoted("dynamic"), "'dynamic'");
}

TEST(PrologQuoted, IsReadBack) {
    for (const std::string name :
         {"Bob", "it's", "a\\b\n\x7F", "", "is", "\x01", "zo\xC3\xAB", "%", "/*"}) {
        const std::string text = "p(" + prolog::quoted(name) + ").";
        Reader whole(text, "t.pl");
        EXPECT_EQ(whole.next()->arguments[0].name, name);
    }
}

}  // namespace
}  // namespace hri::prolog
