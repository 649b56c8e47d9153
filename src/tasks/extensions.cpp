// SPDX-License-Identifier: Apache-2.0

// Tasks whose solutions lie outside of the paper's language: each needs an extension of the model,
// which Task::options names, or (alarm) an input without arguments. Labels come from direct
// definitions, as everywhere.

#include "hri/tasks.hpp"

#include "base/index.hpp"
#include "tasks/generators.hpp"
#include "tasks/relation.hpp"

namespace hri {
namespace {

using tasks::Relation;

using base::at;

/// Edges of a random density, loops with a chance of their own.
Relation random_graph(int n, double densest, double loops, Random& random) {
    const double p = random.uniform(0, densest);
    Relation result;
    result.reset(n);
    for (int x = 0; x < n; ++x)
        for (int y = 0; y < n; ++y)
            if (random.chance(x == y ? loops : p))
                result.add(x, y);
    return result;
}

template <class Holds>
void label_each(int n, Instance& instance, Holds holds) {
    for (int x = 0; x < n; ++x)
        if (holds(x))
            tasks::label_positive(instance, x);
}

template <class Holds>
void label_pairs(int n, Instance& instance, Holds holds) {
    for (int x = 0; x < n; ++x)
        for (int y = 0; y < n; ++y)
            if (holds(x, y))
                tasks::label_positive(instance, x, y);
}

template <class Holds>
bool any_of(int n, Holds holds) {
    for (int x = 0; x < n; ++x)
        if (holds(x))
            return true;
    return false;
}

void leaf(int n, Random& random, Instance& instance) {
    tasks::draw_until_mixed(instance, [&] {
        instance.reset(n, Label::negative);
        const Relation edges = random_graph(n, 0.4, 0, random);
        edges.write_facts(instance.facts[0]);
        label_each(n, instance, [&](int x) { return edges.out_degree(x) == 0; });
    });
}

void isolated(int n, Random& random, Instance& instance) {
    tasks::draw_until_mixed(instance, [&] {
        instance.reset(n, Label::negative);
        const Relation edges = random_graph(n, 0.25, 0, random);
        edges.write_facts(instance.facts[0]);
        label_each(n, instance, [&](int x) {
            return !any_of(n, [&](int y) { return edges.has(x, y) || edges.has(y, x); });
        });
    });
}

void unreachable(int n, Random& random, Instance& instance) {
    tasks::draw_until_mixed(instance, [&] {
        instance.reset(n, Label::negative);
        Relation edges = random_graph(n, 0.35, 0, random);
        edges.write_facts(instance.facts[0]);
        edges.close();
        label_pairs(n, instance, [&](int x, int y) { return !edges.has(x, y); });
    });
}

void one_way(int n, Random& random, Instance& instance) {
    tasks::draw_until_mixed(instance, [&] {
        instance.reset(n, Label::negative);
        const Relation edges = random_graph(n, 0.6, 0, random);
        edges.write_facts(instance.facts[0]);
        label_pairs(n, instance, [&](int x, int y) { return edges.has(x, y) && !edges.has(y, x); });
    });
}

/// A target without arguments has one label: half of the instances are positive.
template <class Draw>
void draw_either(Random& random, const Instance& instance, Draw draw) {
    const Label wanted = random.chance(0.5) ? Label::positive : Label::negative;
    for (int i = 0; i < 1'000; ++i) {
        draw();
        if (instance.labels[0] == wanted)
            return;
    }
}

void some_loop(int n, Random& random, Instance& instance) {
    draw_either(random, instance, [&] {
        instance.reset(n, Label::negative);
        const Relation edges = random_graph(n, 0.5, random.chance(0.5) ? 0.2 : 0, random);
        edges.write_facts(instance.facts[0]);
        if (any_of(n, [&](int x) { return edges.has(x, x); }))
            instance.labels[0] = Label::positive;
    });
}

void has_cycle(int n, Random& random, Instance& instance) {
    draw_either(random, instance, [&] {
        instance.reset(n, Label::negative);
        Relation edges = random_graph(n, 0.3, 0, random);
        edges.write_facts(instance.facts[0]);
        edges.close();
        if (any_of(n, [&](int x) { return edges.has(x, x); }))
            instance.labels[0] = Label::positive;
    });
}

void alarm(int n, Random& random, Instance& instance) {
    instance.reset(n, Label::negative);
    const bool armed = random.chance(0.5);
    if (armed)
        instance.facts[0].push_back({});
    for (int x = 0; x < n; ++x) {
        if (!random.chance(0.4))
            continue;
        instance.facts[1].push_back({x, 0});
        if (armed)
            tasks::label_positive(instance, x);
    }
}

/// Children of at most one parent each.
Relation random_forest(int n, Random& random) {
    Relation parent;
    parent.reset(n);
    for (int x = 1; x < n; ++x)
        if (random.chance(0.8))
            parent.add(random.below(x), x);
    return parent;
}

void siblings(int n, Random& random, Instance& instance) {
    tasks::draw_until_mixed(instance, [&] {
        instance.reset(n, Label::negative);
        const Relation parent = random_forest(n, random);
        parent.write_facts(instance.facts[0]);
        label_pairs(n, instance, [&](int x, int y) {
            return x != y && any_of(n, [&](int z) { return parent.has(z, x) && parent.has(z, y); });
        });
    });
}

void only_child(int n, Random& random, Instance& instance) {
    tasks::draw_until_mixed(instance, [&] {
        instance.reset(n, Label::negative);
        const Relation parent = random_forest(n, random);
        parent.write_facts(instance.facts[0]);
        label_each(n, instance, [&](int x) {
            return any_of(n, [&](int z) { return parent.has(z, x) && parent.out_degree(z) == 1; });
        });
    });
}

void within_reach(int n, Random& random, Instance& instance) {
    tasks::draw_until_mixed(instance, [&] {
        instance.reset(n, Label::negative);
        Relation edges = random_graph(n, 0.3, 0, random);
        edges.write_facts(instance.facts[0]);
        edges.close();
        label_pairs(n, instance, [&](int x, int y) { return x == y || edges.has(x, y); });
    });
}

Relation three_steps(const Relation& edges) {
    const int n = edges.constants();
    Relation result;
    result.reset(n);
    for (int x = 0; x < n; ++x)
        edges.for_each(x, [&](int z) {
            edges.for_each(z, [&](int u) { edges.for_each(u, [&](int y) { result.add(x, y); }); });
        });
    return result;
}

void path_of_three(int n, Random& random, Instance& instance) {
    tasks::draw_until_mixed(instance, [&] {
        instance.reset(n, Label::negative);
        const Relation edges = random_graph(n, 0.4, 0, random);
        edges.write_facts(instance.facts[0]);
        three_steps(edges).write_labels(instance);
    });
}

void red_triangle(int n, Random& random, Instance& instance) {
    std::vector<std::uint8_t> red(at(n));
    tasks::draw_until_mixed(instance, [&] {
        instance.reset(n, Label::negative);
        const Relation edges = random_graph(n, 0.6, 0, random);
        edges.write_facts(instance.facts[0]);
        for (int x = 0; x < n; ++x) {
            red[at(x)] = random.chance(0.5) ? 1 : 0;
            if (red[at(x)] != 0)
                instance.facts[1].push_back({x, 0});
        }
        label_each(n, instance, [&](int x) {
            return any_of(n, [&](int y) {
                return edges.has(x, y) && red[at(y)] != 0 &&
                       any_of(n, [&](int z) { return edges.has(y, z) && edges.has(z, x); });
            });
        });
    });
}

/// The first constant is called start, the others s1, s2, ...
void name_start(int n, Instance& instance) {
    instance.names.clear();
    instance.names.emplace_back("start");
    for (int x = 1; x < n; ++x)
        instance.names.push_back("s" + std::to_string(x));
}

void from_start(int n, Random& random, Instance& instance) {
    tasks::draw_until_mixed(instance, [&] {
        instance.reset(n, Label::negative);
        Relation edges = random_graph(n, 0.35, 0, random);
        edges.write_facts(instance.facts[0]);
        edges.close();
        label_each(n, instance, [&](int x) { return edges.has(0, x); });
        name_start(n, instance);
    });
}

void beside_start(int n, Random& random, Instance& instance) {
    tasks::draw_until_mixed(instance, [&] {
        instance.reset(n, Label::negative);
        const Relation edges = random_graph(n, 0.6, 0, random);
        edges.write_facts(instance.facts[0]);
        label_each(n, instance, [&](int x) { return edges.has(0, x) || edges.has(x, 0); });
        name_start(n, instance);
    });
}

/// The numbers from 0 by their names.
void multiple_of_three(int n, Random&, Instance& instance) {
    instance.reset(n, Label::negative);
    tasks::write_steps(n, 1, instance.facts[0]);
    label_each(n, instance, [](int x) { return x % 3 == 0 && x > 0; });
}

std::vector<Task> extension_list() {
    using Options = std::vector<std::pair<std::string, std::string>>;
    const Options negation = {{"negation", "true"}};
    const Options nullary = {{"nullary", "true"}};
    const Options equality = {{"equality", "true"}};
    const Options both = {{"equality", "true"}, {"negation", "true"}};
    std::vector<Task> tasks = {
        {.name = "leaf",
         .title = "Leaf",
         .explanation = "A graph with edge. Learn leaf(X): no edge leaves X.",
         .inputs = {{"edge", 2}},
         .target = {"leaf", 1},
         .train_constants = 6,
         .eval_constants = 10,
         .solution = "leaf(X) :- \\+ inner(X).\n"
                     "inner(X) :- edge(X,Y).\n",
         .generate = leaf,
         .options = negation},
        {.name = "isolated",
         .title = "Isolated",
         .explanation = "A graph with edge. Learn isolated(X): no edge leaves or enters X.",
         .inputs = {{"edge", 2}},
         .target = {"isolated", 1},
         .train_constants = 6,
         .eval_constants = 10,
         .min_constants = 3,
         .solution = "isolated(X) :- \\+ joined(X).\n"
                     "joined(X) :- edge(X,Y).\n"
                     "joined(X) :- edge(Y,X).\n",
         .generate = isolated,
         .options = negation},
        {.name = "unreachable",
         .title = "Unreachable",
         .explanation = "A graph with edge. Learn unreachable(X,Y): no path leads from X to Y.",
         .inputs = {{"edge", 2}},
         .target = {"unreachable", 2},
         .recursive = true,
         .train_constants = 6,
         .eval_constants = 10,
         .solution = "unreachable(X,Y) :- \\+ path(X,Y).\n"
                     "path(X,Y) :- edge(X,Y).\n"
                     "path(X,Y) :- path(X,Z), path(Z,Y).\n",
         .generate = unreachable,
         .options = negation},
        {.name = "one-way",
         .title = "One Way",
         .explanation = "A graph with edge. Learn one_way(X,Y): an edge leads from X to Y and none "
                        "back.",
         .inputs = {{"edge", 2}},
         .target = {"one_way", 2},
         .train_constants = 6,
         .eval_constants = 10,
         .solution = "one_way(X,Y) :- edge(X,Y), \\+ edge(Y,X).\n",
         .generate = one_way,
         .options = negation},
        {.name = "some-loop",
         .title = "Some Loop",
         .explanation =
             "A graph with edge. Learn some_loop: an edge leads from some node to itself.",
         .inputs = {{"edge", 2}},
         .target = {"some_loop", 0},
         .train_constants = 5,
         .eval_constants = 8,
         .solution = "some_loop :- edge(X,X).\n",
         .generate = some_loop,
         .options = {{"nullary", "true"}, {"equality", "true"}}},
        {.name = "has-cycle",
         .title = "Has Cycle",
         .explanation = "A graph with edge. Learn has_cycle: some node lies on a cycle.",
         .inputs = {{"edge", 2}},
         .target = {"has_cycle", 0},
         .recursive = true,
         .train_constants = 7,
         .eval_constants = 11,
         .solution = "has_cycle :- path(X,X).\n"
                     "path(X,Y) :- edge(X,Y).\n"
                     "path(X,Y) :- path(X,Z), path(Z,Y).\n",
         .generate = has_cycle,
         .options = nullary},
        {.name = "alarm",
         .title = "Alarm",
         .explanation = "An input without arguments, armed, and open windows. Learn alarm(X): X is "
                        "open while the alarm is armed.",
         .inputs = {{"armed", 0}, {"open", 1}},
         .target = {"alarm", 1},
         .train_constants = 5,
         .eval_constants = 8,
         .solution = "alarm(X) :- armed, open(X).\n",
         .generate = alarm},
        {.name = "sibling",
         .title = "Sibling",
         .explanation =
             "A forest with parent. Learn sibling(X,Y): different children of one parent.",
         .inputs = {{"parent", 2}},
         .target = {"sibling", 2},
         .train_constants = 7,
         .eval_constants = 11,
         .min_constants = 4,
         .solution = "sibling(X,Y) :- parent(Z,X), parent(Z,Y), X \\= Y.\n",
         .generate = siblings,
         .options = both},
        {.name = "only-child",
         .title = "Only Child",
         .explanation = "A forest with parent. Learn only_child(X): X has a parent and no sibling.",
         .inputs = {{"parent", 2}},
         .target = {"only_child", 1},
         .train_constants = 7,
         .eval_constants = 11,
         .min_constants = 4,
         .solution = "only_child(X) :- parent(Y,X), \\+ sibling(X).\n"
                     "sibling(X) :- parent(Z,X), parent(Z,Y), X \\= Y.\n",
         .generate = only_child,
         .options = both},
        {.name = "within-reach",
         .title = "Within Reach",
         .explanation = "A graph with edge. Learn within(X,Y): a path of any length, 0 included, "
                        "leads from X to Y.",
         .inputs = {{"edge", 2}},
         .target = {"within", 2},
         .recursive = true,
         .train_constants = 6,
         .eval_constants = 10,
         .solution = "within(X,X).\n"
                     "within(X,Y) :- edge(X,Y).\n"
                     "within(X,Y) :- within(X,Z), within(Z,Y).\n",
         .generate = within_reach,
         .options = equality},
        {.name = "path-of-three",
         .title = "Path of Three",
         .explanation = "A graph with edge. Learn three(X,Y): three edges lead from X to Y.",
         .inputs = {{"edge", 2}},
         .target = {"three", 2},
         .train_constants = 6,
         .eval_constants = 10,
         .min_constants = 3,
         .solution = "three(X,Y) :- edge(X,Z), edge(Z,U), edge(U,Y).\n",
         .generate = path_of_three,
         .options = {{"rules", "Path: H(X,Y) <- ~P(X,Z) & ~Q(Z,T) & ~R(T,Y)"}, {"layers", "1"}}},
        {.name = "red-triangle",
         .title = "Red Triangle",
         .explanation =
             "A graph with edge and red nodes. Learn triangle(X): three edges lead from X "
             "to a red node, on, and back.",
         .inputs = {{"edge", 2}, {"red", 1}},
         .target = {"triangle", 1},
         .train_constants = 6,
         .eval_constants = 10,
         .min_constants = 3,
         .solution = "triangle(X) :- edge(X,Y), red(Y), edge(Y,Z), edge(Z,X).\n",
         .generate = red_triangle,
         .options = {{"rules",
                      "Triangle: H(X) <- ~P(X,Y) & ~Q(Y,Z) & ~R(Z,X); C: H(X,Y) <- ~P(X,Y) & "
                      "~Q(Y,X)"},
                     {"layers", "2"}}},
        {.name = "from-start",
         .title = "From Start",
         .explanation =
             "A graph with edge, one of whose nodes is called start. Learn reached(X): a "
             "path leads from start to X.",
         .inputs = {{"edge", 2}},
         .target = {"reached", 1},
         .recursive = true,
         .train_constants = 6,
         .eval_constants = 10,
         .solution = "reached(X) :- edge(start,X).\n"
                     "reached(X) :- reached(Y), edge(Y,X).\n",
         .generate = from_start,
         .options = {{"rules", "R*; S: H(X) <- ~P(start,X)"}}},
        {.name = "beside-start",
         .title = "Beside Start",
         .explanation =
             "A graph with edge, one of whose nodes is called start. Learn beside(X): an "
             "edge leads from X to start or back.",
         .inputs = {{"edge", 2}},
         .target = {"beside", 1},
         .train_constants = 6,
         .eval_constants = 10,
         .solution = "beside(X) :- edge(X,start).\n"
                     "beside(X) :- edge(start,X).\n",
         .generate = beside_start,
         .options = {{"rules", "S: H(X) <- ~P(X,start) | ~Q(start,X)"}, {"layers", "1"}}},
        {.name = "multiple-of-three",
         .title = "Multiple of Three",
         .explanation = "The numbers from 0 by their names, with succ alone. Learn multiple(X): 3 "
                        "divides X, which is not 0.",
         .inputs = {{"succ", 2}},
         .target = {"multiple", 1},
         .recursive = true,
         .fixed = true,
         .train_constants = 10,
         .eval_constants = 20,
         .min_constants = 4,
         .solution = "multiple(X) :- three(0,X).\n"
                     "multiple(X) :- multiple(Y), three(Y,X).\n"
                     "three(X,Y) :- succ(X,Z), succ(Z,U), succ(U,Y).\n",
         .generate = multiple_of_three,
         .options = {{"rules", "R*; N: H(X) <- ~P(0,X)"}}},
    };
    for (Task& task : tasks) {
        task.in_table = false;
        task.train_steps = task.eval_steps = task.recursive ? 10 : 4;
    }
    return tasks;
}

}  // namespace

const std::vector<Task>& extension_tasks() {
    static const std::vector<Task> tasks = extension_list();
    return tasks;
}

}  // namespace hri
