// SPDX-License-Identifier: Apache-2.0

// Tasks of our own on which settings of the learner are chosen, so that the paper's tasks measure
// them afterwards. Labels come from direct definitions, as everywhere.

#include "hri/tasks.hpp"

#include "base/index.hpp"
#include "tasks/generators.hpp"
#include "tasks/people.hpp"
#include "tasks/relation.hpp"

#include <numeric>

namespace hri {
namespace {

using tasks::People;
using tasks::Relation;

using base::at;

template <class Holds>
Relation relation(int n, Holds holds) {
    Relation result;
    result.reset(n);
    for (int x = 0; x < n; ++x)
        for (int y = 0; y < n; ++y)
            if (holds(x, y))
                result.add(x, y);
    return result;
}

template <class Holds>
void write_unary(int n, std::vector<Fact>& facts, Holds holds) {
    for (int x = 0; x < n; ++x)
        if (holds(x))
            facts.push_back({x, 0});
}

template <class Holds>
void label_unary(int n, Instance& instance, Holds holds) {
    for (int x = 0; x < n; ++x)
        if (holds(x))
            tasks::label_positive(instance, x);
}

Relation differ(int n) {
    return relation(n, [](int x, int y) { return x != y; });
}

Relation random_graph(int n, double densest, Random& random) {
    const double p = random.uniform(0, densest);
    return relation(n, [&](int x, int y) { return x != y && random.chance(p); });
}

Relation compose(const Relation& left, const Relation& right) {
    const int n = left.constants();
    Relation result;
    result.reset(n);
    for (int x = 0; x < n; ++x)
        left.for_each(x, [&](int z) { right.for_each(z, [&](int y) { result.add(x, y); }); });
    return result;
}

void uncles(int n, Random& random, Instance& instance) {
    People people;
    tasks::draw_until_mixed(instance, [&] {
        instance.reset(n, Label::negative);
        people.draw(n, 0.7, random);
        const auto brothers = relation(n, [&](int x, int y) {
            return x != y && people.man[at(x)] != 0 && people.share_a_parent(x, y);
        });
        const Relation parents = people.parents();
        relation(n, [&](int x, int y) {
            return people.father[at(y)] == x;
        }).write_facts(instance.facts[0]);
        relation(n, [&](int x, int y) {
            return people.mother[at(y)] == x;
        }).write_facts(instance.facts[1]);
        brothers.write_facts(instance.facts[2]);
        compose(brothers, parents).write_labels(instance);
    });
}

void ancestor(int n, Random& random, Instance& instance) {
    People people;
    tasks::draw_until_mixed(instance, [&] {
        instance.reset(n, Label::negative);
        people.draw(n, 0.7, random);
        relation(n, [&](int x, int y) {
            return people.father[at(y)] == x;
        }).write_facts(instance.facts[0]);
        relation(n, [&](int x, int y) {
            return people.mother[at(y)] == x;
        }).write_facts(instance.facts[1]);
        Relation ancestors = people.parents();
        ancestors.close();
        ancestors.write_labels(instance);
    });
}

void sister(int n, Random& random, Instance& instance) {
    People people;
    tasks::draw_until_mixed(instance, [&] {
        instance.reset(n, Label::negative);
        people.draw(n, 0.7, random);
        people.parents().write_facts(instance.facts[0]);
        write_unary(n, instance.facts[1], [&](int x) { return people.man[at(x)] == 0; });
        differ(n).write_facts(instance.facts[2]);
        relation(n, [&](int x, int y) {
            return x != y && people.man[at(x)] == 0 && people.share_a_parent(x, y);
        }).write_labels(instance);
    });
}

// A tree by one parent each: two people are of one generation if they are equally far below a
// common ancestor, at least one step.
void same_generation(int n, Random& random, Instance& instance) {
    std::vector<int> parent;
    std::vector<int> order;
    tasks::draw_until_mixed(instance, [&] {
        instance.reset(n, Label::negative);
        order.resize(at(n));
        std::iota(order.begin(), order.end(), 0);
        random.shuffle(order);
        parent.assign(at(n), People::kNobody);
        for (int i = 1; i < n; ++i)
            if (random.chance(0.85))
                parent[at(order[at(i)])] = order[at(random.below(i))];
        relation(n, [&](int x, int y) {
            return parent[at(y)] == x;
        }).write_facts(instance.facts[0]);
        relation(n, [&](int x, int y) {
            while (x != People::kNobody && y != People::kNobody) {
                x = parent[at(x)];
                y = parent[at(y)];
                if (x == y && x != People::kNobody)
                    return true;
            }
            return false;
        }).write_labels(instance);
    });
}

void reaches_red(int n, Random& random, Instance& instance) {
    std::vector<std::uint8_t> red(at(n));
    tasks::draw_until_mixed(instance, [&] {
        instance.reset(n, Label::negative);
        for (std::uint8_t& r : red)
            r = random.chance(0.25) ? 1 : 0;
        Relation edges = random_graph(n, 0.4, random);
        edges.write_facts(instance.facts[0]);
        write_unary(n, instance.facts[1], [&](int x) { return red[at(x)] != 0; });
        edges.close();
        label_unary(n, instance, [&](int x) {
            bool found = false;
            edges.for_each(x, [&](int y) { found = found || red[at(y)] != 0; });
            return found;
        });
    });
}

void triangle(int n, Random& random, Instance& instance) {
    tasks::draw_until_mixed(instance, [&] {
        instance.reset(n, Label::negative);
        const Relation edges = random_graph(n, 0.5, random);
        edges.write_facts(instance.facts[0]);
        const Relation three = compose(compose(edges, edges), edges);
        label_unary(n, instance, [&](int x) { return three.has(x, x); });
    });
}

void even_path(int n, Random& random, Instance& instance) {
    tasks::draw_until_mixed(instance, [&] {
        instance.reset(n, Label::negative);
        const Relation edges = random_graph(n, 0.35, random);
        edges.write_facts(instance.facts[0]);
        Relation even = compose(edges, edges);
        even.close();
        even.write_labels(instance);
    });
}

void alternating_path(int n, Random& random, Instance& instance) {
    tasks::draw_until_mixed(instance, [&] {
        instance.reset(n, Label::negative);
        const Relation train = random_graph(n, 0.4, random);
        const Relation bus = random_graph(n, 0.4, random);
        train.write_facts(instance.facts[0]);
        bus.write_facts(instance.facts[1]);
        Relation trips = compose(train, bus);
        trips.close();
        trips.write_labels(instance);
    });
}

/// zero and succ; labels by a test of the number, or of two.
void odd(int n, Random&, Instance& instance) {
    tasks::count_up(n, instance);
    label_unary(n, instance, [](int x) { return x % 2 == 1; });
}

void divisible_by_four(int n, Random&, Instance& instance) {
    tasks::count_up(n, instance);
    label_unary(n, instance, [](int x) { return x % 4 == 0; });
}

void same_parity(int n, Random&, Instance& instance) {
    tasks::count_up(n, instance);
    relation(n, [](int x, int y) { return x < y && (y - x) % 2 == 0; }).write_labels(instance);
}

/// A list through the nodes 1 .. n-1 in a random order, which ends in the null node 0.
std::vector<int> random_list(int n, Random& random, std::vector<Fact>& cons) {
    std::vector<int> nodes(at(n - 1));
    std::iota(nodes.begin(), nodes.end(), 1);
    random.shuffle(nodes);
    nodes.push_back(0);
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i)
        cons.push_back({nodes[i], nodes[i + 1]});
    std::sort(cons.begin(), cons.end());
    return nodes;
}

void last_node(int n, Random& random, Instance& instance) {
    instance.reset(n, Label::negative);
    const std::vector<int> nodes = random_list(n, random, instance.facts[0]);
    instance.facts[1].push_back({0, 0});
    for (int i = 0; i + 1 < n; ++i)
        tasks::label_positive(instance, nodes[at(i)], nodes[at(n - 2)]);
}

void repeated_value(int n, Random& random, Instance& instance) {
    std::vector<int> value(at(n));
    tasks::draw_until_mixed(instance, [&] {
        instance.reset(n, Label::negative);
        const std::vector<int> nodes = random_list(n, random, instance.facts[0]);
        for (int& v : value)
            v = random.below(n);
        for (int x = 1; x < n; ++x)
            instance.facts[1].push_back({x, value[at(x)]});
        for (int i = 0; i + 1 < n; ++i)
            for (int j = i + 1; j + 1 < n; ++j)
                if (value[at(nodes[at(i)])] == value[at(nodes[at(j)])])
                    tasks::label_positive(instance, nodes[at(i)]);
    });
}

// The same constants are nodes and numbers.
void tree_depth(int n, Random& random, Instance& instance) {
    instance.reset(n, Label::negative);
    std::vector<int> order(at(n));
    std::iota(order.begin(), order.end(), 0);
    random.shuffle(order);
    std::vector<int> depth(at(n), 0);
    instance.facts[0].push_back({order[0], 0});
    for (int i = 1; i < n; ++i) {
        const int parent = order[at(random.below(i))];
        depth[at(order[at(i)])] = depth[at(parent)] + 1;
        instance.facts[1].push_back({parent, order[at(i)]});
    }
    std::sort(instance.facts[1].begin(), instance.facts[1].end());
    instance.facts[2].push_back({0, 0});
    tasks::write_steps(n, 1, instance.facts[3]);
    for (int x = 0; x < n; ++x)
        tasks::label_positive(instance, x, depth[at(x)]);
}

std::vector<Task> development_list() {
    std::vector<Task> tasks = {
        {.name = "uncle",
         .title = "Uncle",
         .explanation = "People with father, mother and brother. Learn uncle(X,Y): X is a brother "
                        "of a parent of Y.",
         .inputs = {{"father", 2}, {"mother", 2}, {"brother", 2}},
         .target = {"uncle", 2},
         .min_constants = 6,
         .solution = "uncle(X,Y) :- brother(X,Z), parent(Z,Y).\n"
                     "parent(X,Y) :- father(X,Y).\n"
                     "parent(X,Y) :- mother(X,Y).\n",
         .generate = uncles},
        {.name = "ancestor",
         .title = "Ancestor",
         .explanation = "People with father and mother. Learn ancestor(X,Y).",
         .inputs = {{"father", 2}, {"mother", 2}},
         .target = {"ancestor", 2},
         .recursive = true,
         .train_constants = 8,
         .min_constants = 4,
         .solution = "ancestor(X,Y) :- father(X,Y).\n"
                     "ancestor(X,Y) :- mother(X,Y).\n"
                     "ancestor(X,Y) :- ancestor(X,Z), ancestor(Z,Y).\n",
         .generate = ancestor},
        {.name = "sister",
         .title = "Sister",
         .explanation =
             "People with parent, female and neq. Learn sister(X,Y): X is female and has "
             "a parent of Y, who is somebody else.",
         .inputs = {{"parent", 2}, {"female", 1}, {"neq", 2}},
         .target = {"sister", 2},
         .train_constants = 8,
         .min_constants = 5,
         .solution = "sister(X,Y) :- female(X), sibling(X,Y), neq(X,Y).\n"
                     "sibling(X,Y) :- parent(Z,X), parent(Z,Y).\n",
         .generate = sister},
        {.name = "same-generation",
         .title = "Same Generation",
         .explanation = "A forest with parent. Learn same_generation(X,Y): X and Y are equally far "
                        "below a common ancestor.",
         .inputs = {{"parent", 2}},
         .target = {"same_generation", 2},
         .recursive = true,
         .train_constants = 8,
         .eval_constants = 12,
         .min_constants = 4,
         .solution = "same_generation(X,Y) :- parent(Z,X), parent(Z,Y).\n"
                     "same_generation(X,Y) :- parent(Z,X), same_generation(Z,U), parent(U,Y).\n",
         .generate = same_generation},
        {.name = "reaches-red",
         .title = "Reaches Red",
         .explanation = "A graph with edge and red. Learn reaches_red(X): a path of one or more "
                        "edges leads from X to a red node.",
         .inputs = {{"edge", 2}, {"red", 1}},
         .target = {"reaches_red", 1},
         .recursive = true,
         .train_constants = 7,
         .eval_constants = 11,
         .solution = "reaches_red(X) :- edge(X,Y), red(Y).\n"
                     "reaches_red(X) :- edge(X,Y), reaches_red(Y).\n",
         .generate = reaches_red},
        {.name = "triangle",
         .title = "Triangle",
         .explanation = "A graph with edge. Learn triangle(X): three edges lead from X back to X.",
         .inputs = {{"edge", 2}},
         .target = {"triangle", 1},
         .train_constants = 6,
         .eval_constants = 9,
         .min_constants = 4,
         .solution = "triangle(X) :- edge(X,Y), edge(Y,Z), edge(Z,X).\n",
         .generate = triangle},
        {.name = "even-path",
         .title = "Even Path",
         .explanation =
             "A graph with edge. Learn even_path(X,Y): a path of an even number of edges "
             "leads from X to Y.",
         .inputs = {{"edge", 2}},
         .target = {"even_path", 2},
         .recursive = true,
         .train_constants = 7,
         .eval_constants = 11,
         .min_constants = 3,
         .solution = "even_path(X,Y) :- edge(X,Z), edge(Z,Y).\n"
                     "even_path(X,Y) :- even_path(X,Z), even_path(Z,Y).\n",
         .generate = even_path},
        {.name = "alternating-path",
         .title = "Alternating Path",
         .explanation =
             "Places joined by train and bus. Learn trip(X,Y): by train and bus in turn, "
             "one or more times, from X to Y.",
         .inputs = {{"train", 2}, {"bus", 2}},
         .target = {"trip", 2},
         .recursive = true,
         .train_constants = 7,
         .eval_constants = 11,
         .min_constants = 3,
         .solution = "trip(X,Y) :- train(X,Z), bus(Z,Y).\n"
                     "trip(X,Y) :- trip(X,Z), trip(Z,Y).\n",
         .generate = alternating_path},
        {.name = "odd",
         .title = "Odd",
         .explanation = "The numbers from 0, with zero and succ. Learn odd(X).",
         .inputs = {{"zero", 1}, {"succ", 2}},
         .target = {"odd", 1},
         .recursive = true,
         .fixed = true,
         .train_constants = 9,
         .eval_constants = 20,
         .solution = "odd(X) :- zero(Y), succ(Y,X).\n"
                     "odd(X) :- odd(Y), succ(Y,Z), succ(Z,X).\n",
         .generate = odd},
        {.name = "divisible-by-four",
         .title = "Divisible By Four",
         .explanation = "The numbers from 0, with zero and succ. Learn fourth(X): 4 divides X.",
         .inputs = {{"zero", 1}, {"succ", 2}},
         .target = {"fourth", 1},
         .recursive = true,
         .fixed = true,
         .train_constants = 10,
         .eval_constants = 20,
         .solution = "fourth(X) :- zero(X).\n"
                     "fourth(X) :- fourth(Y), plus2(Y,Z), plus2(Z,X).\n"
                     "plus2(X,Y) :- succ(X,Z), succ(Z,Y).\n",
         .generate = divisible_by_four},
        {.name = "same-parity",
         .title = "Same Parity",
         .explanation =
             "The numbers from 0, with zero and succ. Learn same_parity(X,Y): Y is larger "
             "than X by an even number.",
         .inputs = {{"zero", 1}, {"succ", 2}},
         .target = {"same_parity", 2},
         .recursive = true,
         .fixed = true,
         .train_constants = 9,
         .eval_constants = 16,
         .min_constants = 3,
         .solution = "same_parity(X,Y) :- succ(X,Z), succ(Z,Y).\n"
                     "same_parity(X,Y) :- same_parity(X,Z), same_parity(Z,Y).\n",
         .generate = same_parity},
        {.name = "last-node",
         .title = "Last Node",
         .explanation = "A list with cons, down to the null node. Learn last(X,Y): Y is the last "
                        "node of the list that begins at X.",
         .inputs = {{"cons", 2}, {"null", 1}},
         .target = {"last", 2},
         .recursive = true,
         .train_constants = 5,
         .eval_constants = 9,
         .solution = "last(X,X) :- cons(X,Y), null(Y).\n"
                     "last(X,Y) :- cons(X,Z), last(Z,Y).\n",
         .generate = last_node},
        {.name = "tree-depth",
         .title = "Tree Depth",
         .explanation = "A tree with root and parent, and the numbers from 0, with zero and succ. "
                        "Learn depth(X,N): N steps lead from the root to X.",
         .inputs = {{"root", 1}, {"parent", 2}, {"zero", 1}, {"succ", 2}},
         .target = {"depth", 2},
         .recursive = true,
         .train_constants = 5,
         .eval_constants = 9,
         .solution = "depth(X,N) :- root(X), zero(N).\n"
                     "depth(X,N) :- parent(Y,X), depth(Y,M), succ(M,N).\n",
         .generate = tree_depth},
        {.name = "repeated-value",
         .title = "Repeated Value",
         .explanation = "A list with cons and value. Learn repeated(X): a later node has the value "
                        "of X.",
         .inputs = {{"cons", 2}, {"value", 2}},
         .target = {"repeated", 1},
         .recursive = true,
         .train_constants = 7,
         .eval_constants = 10,
         .min_constants = 4,
         .solution = "repeated(X) :- later(X,Y), same(X,Y).\n"
                     "later(X,Y) :- cons(X,Y).\n"
                     "later(X,Y) :- cons(X,Z), later(Z,Y).\n"
                     "same(X,Y) :- value(X,V), value(Y,V).\n",
         .generate = repeated_value},
    };
    for (Task& task : tasks) {
        task.in_table = false;
        task.train_steps = task.eval_steps = task.recursive ? 10 : 4;
    }
    return tasks;
}

}  // namespace

const std::vector<Task>& development_tasks() {
    static const std::vector<Task> tasks = development_list();
    return tasks;
}

}  // namespace hri
