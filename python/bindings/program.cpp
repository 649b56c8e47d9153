// SPDX-License-Identifier: Apache-2.0

// Programs: print, predict, explain, export.

#include "bind.hpp"

#include <algorithm>

namespace hri::python {
namespace {

const PredicateSymbol& target_of(const Program& program) {
    return program.vocabulary[program.target];
}

/// As print() wants it.
std::string without_last_newline(std::string text) {
    text.erase(text.find_last_not_of('\n') + 1);
    return text;
}

/// Whether a predicate has more arguments than those of instances have.
bool is_wide(const Program& program) {
    const auto wide = [](const Atom& atom) { return atom.arguments.size() > 2; };
    return std::any_of(program.rules.begin(), program.rules.end(), [&](const Rule& rule) {
        return wide(rule.head) || std::any_of(rule.body.begin(), rule.body.end(), wide);
    });
}

/// Throws Error for such a program.
void refuse_wide(const Program& program, const char* function) {
    if (is_wide(program)) {
        throw Error(
            std::string(function) + "() takes programs whose predicates have one or two arguments",
            {}, "use predict() or explain()");
    }
}

Truth evaluated(const Program& program, const Instance& instance, int steps) {
    const py::gil_scoped_release nogil;
    const ComparisonFacts comparisons(program);
    return comparisons.empty()
               ? evaluate(comparisons.program(), instance, steps)
               : evaluate(comparisons.program(), comparisons.with_facts(instance), steps);
}

/// What the target holds of: an array that owns the evaluator's memory.
py::array truth_of(const Program& program, const py::object& facts, int steps) {
    refuse_wide(program, "truth");
    const Instance instance = instance_of(facts, target_of(program));
    return moved(evaluated(program, instance, steps),
                 shape_of(instance.constants, target_of(program).arity))
        .attr("view")("bool");
}

py::list predicted_of_database(const Program& program, const py::object& facts, int steps) {
    if (steps != kToFixpoint) {
        throw py::value_error("steps: predicates of three arguments and more go to the fixpoint");
    }
    const std::shared_ptr<const Database> database = database_of(facts, target_of(program));
    const Database derived = with_derived(program, *database);
    const FactTable* table = find_table(derived, target_of(program));
    const auto arity = static_cast<std::size_t>(target_of(program).arity);
    py::list atoms;
    for (std::size_t row = 0; table != nullptr && row < table->rows(); ++row) {
        py::tuple atom(arity);
        for (std::size_t a = 0; a < arity; ++a) {
            atom[a] = derived.constants[static_cast<std::size_t>(table->cells[row * arity + a])];
        }
        atoms.append(atom);
    }
    return atoms;
}

/// Data that were read in parts: what a program says of all of them follows from the whole.
bool is_split(const py::object& facts) {
    if (!py::isinstance<Problem>(facts)) {
        return false;
    }
    const auto& problem = facts.cast<const Problem&>();
    return problem.database && problem.training.instances.size() != 1;
}

py::list predicted(const Program& program, const py::object& facts, int steps) {
    if (is_wide(program) || is_split(facts)) {
        return predicted_of_database(program, facts, steps);
    }
    const Instance instance = instance_of(facts, target_of(program));
    const Truth truth = evaluated(program, instance, steps);
    const int n = instance.constants;
    const int arity = target_of(program).arity;
    py::list atoms;
    for (std::size_t i = 0; i < truth.size(); ++i) {
        if (truth[i] == 0) {
            continue;
        }
        py::tuple atom(arity);
        int rest = static_cast<int>(i);
        for (int a = arity; a-- > 0; rest /= n) {
            atom[static_cast<std::size_t>(a)] = instance.name_of(rest % n);
        }
        atoms.append(atom);
    }
    return atoms;
}

Score scored(const Program& program, const Problem& problem, const std::string& part, int count,
             std::uint64_t seed, int steps) {
    refuse_wide(program, "score");
    const Source& source = part_of(problem, part);
    if (source.empty()) {
        throw py::value_error("the problem has no instances for " + part);
    }
    const py::gil_scoped_release nogil;
    const ComparisonFacts comparisons(program);
    return comparisons.empty() ? score_program(comparisons.program(), source, seed, count, steps)
                               : score_program(comparisons.program(),
                                               comparisons.with_facts(source), seed, count, steps);
}

/// The atom from "grandparent(ann,bob)" or from a predicate's name and its arguments.
GroundAtom ground_atom(const std::string& predicate, const py::args& arguments) {
    if (arguments.empty() && predicate.find('(') != std::string::npos) {
        return parse_ground_atom(predicate);
    }
    GroundAtom atom{predicate, {}};
    for (const py::handle& argument : arguments) {
        atom.arguments.push_back(py::str(argument));
    }
    return atom;
}

/// The facts it was learned from, where none are given: of the instance that has the constants.
Instance instance_to_explain(const py::object& self, const py::object& facts,
                             const GroundAtom& atom) {
    const Program& program = self.cast<const Program&>();
    if (!facts.is_none()) {
        return instance_of(facts, target_of(program));
    }
    const py::object problem = self.attr("problem");
    if (problem.is_none()) {
        throw py::value_error(
            "explain() needs facts: this program was not learned here, so give them by facts=...");
    }
    const Problem& learned_from = problem.cast<const Problem&>();
    Random random(0, Random::kData);
    Instance scratch;
    if (!learned_from.training.fixed()) {
        return learned_from.training.draw(0, random, scratch);
    }
    return learned_from.training.with_constants(atom.arguments);
}

/// Without comparisons, which need no facts.
Program program_of(const std::string& text) {
    if (text.ends_with(".pl") && text.find_first_of("(\n") == std::string::npos) {
        throw Error("expected the text of a program, found the name of a file: '" + text + "'", {},
                    "hri.Program.load(path) reads a file");
    }
    return parse_program(text);
}

std::vector<PredicateSymbol> relations_read(const Program& program) {
    std::vector<PredicateSymbol> inputs = input_predicates(program);
    std::erase_if(inputs, [](const PredicateSymbol& input) { return is_comparison(input); });
    return inputs;
}

/// Comparisons that they read are relations at random too.
bool same_on_random_facts(const Program& a, const Program& b, std::vector<PredicateSymbol> inputs,
                          int instances, std::uint64_t seed) {
    for (const Program* program : {&a, &b}) {
        for (const PredicateSymbol& input : input_predicates(*program)) {
            if (is_comparison(input) &&
                std::find(inputs.begin(), inputs.end(), input) == inputs.end()) {
                inputs.push_back(input);
            }
        }
    }
    return same_answers(a, b, inputs, instances, seed);
}

SqlDialect dialect_named(const std::string& name) {
    if (name != "sqlite" && name != "postgresql") {
        throw py::value_error("dialect: expected 'sqlite' or 'postgresql', found '" + name + "'");
    }
    return name == "sqlite" ? SqlDialect::sqlite : SqlDialect::postgresql;
}

}  // namespace

void bind_program(py::module_& module) {
    py::class_<Reason>(module, "Reason", "An atom of an explanation and what it rests on.")
        .def_readonly("atom", &Reason::atom,
                      "Variables stay where an attempt failed before they got a value.")
        .def_readonly("holds", &Reason::holds, "Whether it is true.")
        .def_readonly("value", &Reason::value, "Its valuation: a fact's, or a model's.")
        .def_readonly("weight", &Reason::weight, "How strongly a model's slot matches it.")
        .def_readonly("because", &Reason::because,
                      "The rule, \"a fact\", \"no such fact\" and so on.")
        .def_readonly("body", &Reason::body, "What the rule asks for.")
        .def("__repr__", [](const Reason& self) {
            return "<hri.Reason " + self.atom + (self.holds ? "" : " fails") + ": " + self.because +
                   ">";
        });
    py::class_<Explanation>(module, "Explanation", "Why an atom is true, or what it lacks.")
        .def_readonly("holds", &Explanation::holds,
                      "Whether the atom is true; of a model from 0.5 on.")
        .def_readonly("value", &Explanation::value, "Its valuation, of a model.")
        .def_readonly("soft", &Explanation::soft, "Whether a model was asked.")
        .def_readonly("reason", &Explanation::reason, "The atom and what it rests on.")
        .def("__bool__", [](const Explanation& self) { return self.holds; })
        .def("__str__", [](const Explanation& self) { return without_last_newline(to_text(self)); })
        .def("__repr__", [](const Explanation& self) {
            return "<hri.Explanation: " + self.reason.atom +
                   (self.holds ? " is true>" : " is false>");
        });

    py::class_<Program> program(module, "Program", py::dynamic_attr(),
                                R"(Definite rules that define a target.

>>> import hri
>>> program = hri.Program('''
... grandparent(X,Y) :- parent(X,Z), parent(Z,Y).
... ''')
>>> print(program)
grandparent(X,Y) <- parent(X,Z) & parent(Z,Y)
>>> program.predict({"parent": [("ann", "bob"), ("bob", "cleo")]})
[('ann', 'cleo')]
)");
    program.attr("report") = py::none();
    program.attr("problem") = py::none();
    program.attr("settings") = py::none();
    program
        .def(py::init(&program_of), py::arg("prolog"),
             "Rules as Prolog text; the first rule's head is the target.")
        .def_property_readonly(
            "target", [](const Program& self) { return target_of(self); }, "(name, arity)")
        .def_property_readonly("inputs", &relations_read,
                               "Relations that no rule defines: (name, arity).")
        .def_property_readonly("recursive", &is_recursive, "Whether a predicate depends on itself.")
        .def_property_readonly(
            "size", [](const Program& self) { return size(self); },
            "The number of atoms, heads included.")
        .def(
            "simplified", [](const Program& self) { return simplified(self); },
            "The same meaning in fewer words.")
        .def("predict", &predicted, py::arg("facts"), py::arg("steps") = kToFixpoint,
             R"(The target's tuples that follow from facts.

`facts` are what hri.problem takes as background, an Instance, or a problem of one instance.
)")
        .def("truth", &truth_of, py::arg("facts"), py::arg("steps") = kToFixpoint,
             "The target's truth as an array of shape (n,) * arity.")
        .def(
            "explain",
            [](const py::object& self, const std::string& predicate, const py::args& arguments,
               const py::object& facts) {
                const Program& rules = self.cast<const Program&>();
                const GroundAtom atom = ground_atom(predicate, arguments);
                if (is_wide(rules)) {
                    const py::object known = facts.is_none() ? self.attr("problem") : facts;
                    if (known.is_none()) {
                        throw py::value_error(
                            "explain() needs facts: this program was not learned here, so give "
                            "them by facts=...");
                    }
                    const auto database = database_of(known, target_of(rules));
                    const py::gil_scoped_release nogil;
                    return explain(rules, *database, atom);
                }
                Instance instance = instance_to_explain(self, facts, atom);
                const py::gil_scoped_release nogil;
                const ComparisonFacts comparisons(rules);
                return explain(comparisons.program(), comparisons.with_facts(std::move(instance)),
                               atom);
            },
            py::arg("predicate"), py::kw_only(), py::arg("facts") = py::none(),
            R"(The proof of an atom, or what it lacks.

>>> import hri
>>> program = hri.Program("grandparent(X,Y) :- parent(X,Z), parent(Z,Y).")
>>> facts = {"parent": [("ann", "bob"), ("bob", "cleo")]}
>>> print(program.explain("grandparent", "ann", "cleo", facts=facts))
grandparent(ann,cleo) is true
grandparent(ann,cleo)  by grandparent(X,Y) :- parent(X,Z), parent(Z,Y)
├─ parent(ann,bob)  a fact
└─ parent(bob,cleo)  a fact
)")
        .def("score", &scored, py::arg("problem"), py::arg("part") = "training",
             py::arg("count") = 10, py::arg("seed") = 0, py::arg("steps") = kToFixpoint,
             "How its answers compare with a problem's labels.")
        .def(
            "to_prolog", [](const Program& self) { return to_prolog(self); },
            "Prolog that SWI-Prolog runs unchanged.")
        .def(
            "to_text", [](const Program& self) { return to_text(self); }, "The paper's notation.")
        .def(
            "to_datalog", [](const Program& self) { return to_datalog(self); }, "For Souffle.")
        .def(
            "to_sql",
            [](const Program& self, const std::string& dialect) {
                return to_sql(self, dialect_named(dialect));
            },
            py::arg("dialect") = "sqlite", "Views, for 'sqlite' or 'postgresql'.")
        .def(
            "to_json", [](const Program& self) { return to_json(self); },
            "Target, inputs and rules as data: see docs/reference/json.md.")
        .def(
            "to_latex", [](const Program& self) { return to_latex(self); },
            "An align* environment, one line per rule.")
        .def(
            "to_dot", [](const Program& self) { return to_dot(self); }, "For Graphviz.")
        .def(
            "to_svg", [](const Program& self) { return to_svg(self); },
            "Which predicates define which, as a drawing.")
        .def(
            "__len__", [](const Program& self) { return self.rules.size(); },
            "The number of rules.")
        .def("__str__", [](const Program& self) { return without_last_newline(to_text(self)); })
        .def("__repr__",
             [](const Program& self) {
                 return "<hri.Program for " + text_of(target_of(self)) + " of " +
                        std::to_string(self.rules.size()) + " rules>";
             })
        .def("__eq__", [](const Program& self,
                          const Program& other) { return to_prolog(self) == to_prolog(other); })
        .def("__eq__", [](const Program&, const py::object&) { return false; })
        .def("__hash__", [](const Program& self) { return py::hash(py::str(to_prolog(self))); })
        .def(py::pickle([](const Program& self) { return to_prolog(self); },
                        [](const std::string& text) { return parse_program(text, "<pickle>"); }));
    module.def("same_answers", &same_on_random_facts, py::arg("a"), py::arg("b"), py::arg("inputs"),
               py::arg("instances") = 500, py::arg("seed") = 1,
               "Whether two programs answer alike on random instances.",
               py::call_guard<py::gil_scoped_release>());
}

}  // namespace hri::python
