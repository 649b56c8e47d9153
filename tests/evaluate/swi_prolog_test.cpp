// SPDX-License-Identifier: Apache-2.0
// SWI-Prolog runs what we print and agrees with our evaluator.

#include "hri/evaluate.hpp"

#include "datalog/evaluate.hpp"
#include "logic/prolog/terms.hpp"
#include "support/random_programs.hpp"
#include "support/truth.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <unistd.h>

namespace hri {
namespace {

namespace fs = std::filesystem;

class SwiProlog : public testing::Test {
  protected:
    void SetUp() override {
        if (std::system("command -v swipl > /dev/null 2>&1") != 0) {
            GTEST_SKIP() << "swipl is not installed (package swi-prolog-nox)";
        }
        folder_ = fs::path(testing::TempDir()) / ("hri_swi_prolog_" + std::to_string(getpid()));
        fs::create_directories(folder_);
    }

    void TearDown() override { fs::remove_all(folder_); }

    void write(const std::string& name, const std::string& content) const {
        std::ofstream(folder_ / name) << content;
    }

    // What it prints, errors and warnings included.
    std::string run(const std::string& arguments) const {
        const std::string command = "cd '" + folder_.string() +
                                    "' && timeout 120 swipl -q -f none -t halt " + arguments +
                                    " < /dev/null > out.txt 2>&1";
        const int status = std::system(command.c_str());
        std::ostringstream text;
        text << std::ifstream(folder_ / "out.txt").rdbuf();
        return text.str() + (status == 0 ? "" : "\nexit status " + std::to_string(status));
    }

    fs::path folder_;
};

std::string facts_of(const Instance& instance) {
    const std::vector<PredicateSymbol>& inputs = instance.inputs();
    std::string text;
    const auto name = [](int constant) { return "c" + std::to_string(constant); };
    for (std::size_t p = 0; p < inputs.size(); ++p) {
        for (const Fact& fact : instance.facts[p]) {
            if (fact.value >= 0.5F) {
                text += inputs[p].name;
                text += inputs[p].arity > 0 ? "(" + name(fact.first) : "";
                text += inputs[p].arity > 1 ? "," + name(fact.second) : "";
                text += inputs[p].arity > 0 ? ").\n" : ".\n";
            }
        }
    }
    return text;
}

std::vector<std::string> target_atoms(const Program& program, int constants) {
    const PredicateSymbol& target = program.vocabulary[program.target];
    std::vector<std::string> atoms;
    for (int i = 0; i < (target.arity > 0 ? constants : 1); ++i) {
        for (int j = 0; j < (target.arity > 1 ? constants : 1); ++j) {
            std::string atom = target.name;
            atom += target.arity > 0 ? "(c" + std::to_string(i) : "";
            atom += target.arity > 1 ? ",c" + std::to_string(j) : "";
            atoms.push_back(atom + (target.arity > 0 ? ")" : ""));
        }
    }
    return atoms;
}

TEST_F(SwiProlog, AgreesOnTwoHundredRandomRecursivePrograms) {
    Random random(77);
    std::string script =
        ":- initialization(main).\nask(M, G) :- ( call(M:G) -> write(1) ; write(0) ).\n";
    std::string goals;
    std::string expected;
    int programs = 0;
    int with_truth = 0;
    while (programs < 200) {
        test::ProgramSpace space;
        space.constants = programs % 3 == 0 ? 0.1 : 0;
        space.negation = programs % 4 < 2 ? 0.3 : 0;
        space.equality = programs % 8 < 2 ? 0.2 : 0;
        Program program = test::random_program(space, random);
        if (programs % 2 == 0) {
            program = simplified(program);
        }
        if (!is_recursive(program)) {
            continue;
        }
        // at least c0, c1, c2: Prolog does not ask whether a constant exists
        Instance instance = test::random_instance(space.inputs, 3 + random.below(3), random);
        instance.names.clear();
        for (int i = 0; i < instance.constants; ++i) {
            instance.names.push_back("c" + std::to_string(i));
        }
        const Truth truth = evaluate(program, instance);
        ASSERT_EQ(truth,
                  test::truth_of(true_atoms(program, instance), program, instance.constants));
        const auto trues = std::count(truth.begin(), truth.end(), 1);
        if (trues == 0 && random.chance(0.9)) {
            continue;
        }
        const std::string module = "m" + std::to_string(programs++);
        // rules first, then facts of the inputs that they declare
        std::string facts;
        std::istringstream lines(facts_of(instance));
        for (std::string line; std::getline(lines, line);) {
            const std::string name = line.substr(0, line.find_first_of("(."));
            const int arity = static_cast<int>(std::count(line.begin(), line.end(), 'c'));
            facts += program.vocabulary.find({name, arity}) ? line + "\n" : "";
        }
        for (int i = 0; to_prolog(program).find("dynamic constant/1") != std::string::npos &&
                        i < instance.constants;
             ++i) {
            facts += "constant(c" + std::to_string(i) + ").\n";
        }
        write(module + ".pl", ":- module(" + module + ", []).\n" + to_prolog(program) + facts);
        script += ":- use_module(" + module + ").\n";
        goals += "    forall(member(G, [";
        const std::vector<std::string> atoms = target_atoms(program, instance.constants);
        for (std::size_t i = 0; i < atoms.size(); ++i) {
            goals += (i == 0 ? "" : ",") + atoms[i];
            expected += truth[i] != 0 ? "1" : "0";
        }
        goals += "]), ask(" + module + ", G)), nl,\n";
        expected += "\n";
        with_truth += trues > 0 ? 1 : 0;
    }
    EXPECT_GT(with_truth, 150);
    write("main.pl", script + "main :-\n" + goals + "    true.\n");
    EXPECT_EQ(run("main.pl"), expected);
}

std::string written(const std::string& predicate, const std::vector<std::int32_t>& tuple) {
    std::string text = predicate;
    for (std::size_t i = 0; i < tuple.size(); ++i) {
        text += (i == 0 ? "(c" : ",c") + std::to_string(tuple[i]);
    }
    return tuple.empty() ? text : text + ")";
}

/// All tuples of an arity over the constants.
std::vector<std::vector<std::int32_t>> all_tuples(int arity, int constants) {
    std::vector<std::vector<std::int32_t>> tuples{{}};
    for (int a = 0; a < arity; ++a) {
        std::vector<std::vector<std::int32_t>> longer;
        for (const std::vector<std::int32_t>& tuple : tuples) {
            for (std::int32_t c = 0; c < constants; ++c) {
                longer.push_back(tuple);
                longer.back().push_back(c);
            }
        }
        tuples = std::move(longer);
    }
    return tuples;
}

TEST_F(SwiProlog, AgreesOnFiftyRandomProgramsOfArityThree) {
    Random random(21);
    std::string script =
        ":- initialization(main).\nask(M, G) :- ( call(M:G) -> write(1) ; write(0) ).\n";
    std::string goals;
    std::string expected;
    int with_truth = 0;
    for (int programs = 0; programs < 50;) {
        test::ProgramSpace space;
        space.inputs = {{"u", 1}, {"e", 2}, {"r", 3}, {"s", 3}};
        space.max_arity = 3;
        space.negation = programs % 2 == 0 ? 0.3 : 0;
        const Program program = test::random_program(space, random);
        if (program.vocabulary[program.target].arity != 3 || !is_recursive(program)) {
            continue;
        }
        const int constants = 2 + random.below(3);
        const auto tuples = test::random_tuples(space.inputs, constants, random);
        const std::string module = "m" + std::to_string(programs++);
        std::string text = ":- module(" + module + ", []).\n" + to_prolog(program);
        for (int c = 0; text.find("dynamic constant/1") != std::string::npos && c < constants;
             ++c) {
            text += written("constant", {c}) + ".\n";
        }
        datalog::EvaluateSettings settings;
        settings.constants = static_cast<std::size_t>(constants);
        std::vector<datalog::Relation> relations =
            datalog::empty_relations(program.vocabulary, settings.constants);
        for (std::size_t p = 0; p < space.inputs.size(); ++p) {
            datalog::Batch batch(space.inputs[p].arity);
            for (const std::vector<std::int32_t>& tuple : tuples[p]) {
                batch.add(datalog::Tuple(tuple));
                const bool used = text.find(space.inputs[p].name + "/") != std::string::npos;
                text += used ? written(space.inputs[p].name, tuple) + ".\n" : "";
            }
            relations[program.vocabulary.find(space.inputs[p])->id].advance(batch);
        }
        write(module + ".pl", text);
        datalog::evaluate(program, relations, settings);
        const datalog::Relation& target = relations[program.target.id];
        script += ":- use_module(" + module + ").\n";
        goals += "    forall(member(G, [";
        std::string separator;
        for (const std::vector<std::int32_t>& tuple : all_tuples(3, constants)) {
            goals += separator + written("target", tuple);
            expected += target.contains(tuple) ? "1" : "0";
            separator = ",";
        }
        goals += "]), ask(" + module + ", G)), nl,\n";
        expected += "\n";
        with_truth += target.size() > 0 ? 1 : 0;
    }
    EXPECT_GT(with_truth, 20);
    write("main.pl", script + "main :-\n" + goals + "    true.\n");
    EXPECT_EQ(run("main.pl"), expected);
}

TEST_F(SwiProlog, RunsAProgramBesideItsFactsInEitherOrder) {
    const Program program = parse_program(
        "reach(X,Y) :- succ(X,Y). reach(X,Y) :- succ(X,Z), reach(Z,Y). reach(X,X) :- nowhere(X), "
        "'Odd name'(X).");
    write("program.pl", to_prolog(program));
    write("bk.pl", "succ(a,b).\nsucc(b,c).\nsucc(c,a).\n'Odd name'(a).\n");
    for (const std::string files : {"program.pl bk.pl", "bk.pl program.pl"}) {
        EXPECT_EQ(run("-g \"findall(Y,reach(c,Y),L),sort(L,S),writeln(S)\" " + files), "[a,b,c]\n")
            << files;
    }
}

TEST_F(SwiProlog, RunsProgramsThatUseItsOwnNames) {
    const Program program = parse_program(
        "length(X,Y) :- nil(X), number(Y). length(X,Y) :- cons(X,Z), length(Z,V), sort(V,Y). "
        "length(X,Y) :- atom(X), table(Y), string(Y).");
    write("program.pl",
          to_prolog(program) +
              "nil(e).\nnumber(zero).\ncons(l,e).\nsort(zero,one).\natom(l).\ntable(two).\n"
              "string(two).\n");
    EXPECT_EQ(run("-g \"findall(Y,length(l,Y),L),msort(L,S),writeln(S)\" program.pl"),
              "[one,two]\n");
}

TEST_F(SwiProlog, TakesItsBuiltInsAsNamesOfInputs) {
    const std::vector<PredicateSymbol> names = {
        {"call", 2},       {"call", 1},        {"retractall", 1}, {"assertz", 1},   {"rational", 1},
        {"var", 1},        {"atom_length", 2}, {"keysort", 2},    {"read_term", 2}, {"writeq", 1},
        {"mutex_lock", 1}, {"throw", 1},       {"@<", 2},         {"==", 2},        {"is", 2},
        {"@>=", 2},        {"not", 1},         {"#rooms", 2},     {"&", 2},         {"false", 1}};
    Program program;
    program.target = program.vocabulary.intern({"t", 1});
    std::string facts;
    std::string expected;
    for (const PredicateSymbol& symbol : names) {
        const std::string constant = "c" + std::to_string(program.rules.size());
        Atom atom{program.vocabulary.intern(symbol), {Term::variable(0), Term::variable(1)}};
        atom.arguments.resize(static_cast<std::size_t>(symbol.arity), Term::variable(0));
        program.rules.push_back({{program.target, {Term::variable(0)}}, {atom}});
        facts += prolog::quoted_predicate(symbol.name) + "(" + constant +
                 (symbol.arity == 2 ? "," + constant : "") + ").\n";
        expected += (expected.empty() ? "" : ",") + constant;
    }
    const std::string text = to_prolog(program);
    EXPECT_EQ(to_prolog(parse_program(text)), text);
    write("program.pl", text + facts);
    EXPECT_EQ(run("-g \"findall(Y,t(Y),L),writeln(L)\" program.pl"), "[" + expected + "]\n");
}

TEST_F(SwiProlog, KeepsConstantsApart) {
    const std::vector<std::string> constants = {"7",  "007", "1.0",   "1.00", "1e5", "100000.0",
                                                "-0", "0",   "1e400", "0x1F", "31",  "2.5"};
    std::string facts = ":- dynamic p/1.\n";
    for (const std::string& constant : constants) {
        facts += "p(" + prolog::quoted(constant) + ").\n";
    }
    write("facts.pl", facts);
    EXPECT_EQ(run("-g \"findall(X,p(X),L),sort(L,S),length(S,N),writeln(N)\" facts.pl"), "12\n");
}

}  // namespace
}  // namespace hri
