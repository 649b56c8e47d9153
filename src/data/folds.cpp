// SPDX-License-Identifier: Apache-2.0
#include "hri/folds.hpp"

#include "hri/error.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <utility>

namespace hri {
namespace {

/// An example wherever it occurs: the names of its constants, or its place where there are none.
using Key = std::pair<std::string, std::string>;

/// `whole`: all examples of an instance are one.
Key key_of(const Instance& instance, std::size_t index, std::size_t atom, int arity, bool whole) {
    if (whole)
        return {std::to_string(index), ""};
    if (instance.names.empty())
        return {std::to_string(index), std::to_string(atom)};
    const auto n = static_cast<std::size_t>(instance.constants);
    if (arity == 0)
        return {std::to_string(index), ""};
    if (arity == 1)
        return {instance.names[atom], ""};
    return {instance.names[atom / n], instance.names[atom % n]};
}

/// Whether instances are dealt whole: worlds of their own, such as images, at least one for each
/// part. What is known of an object tells of the others in its image.
bool dealt_whole(const Problem& problem, std::size_t parts) {
    const std::vector<Instance>& instances = problem.training.instances;
    return !problem.database && instances.size() > 1 && instances.size() >= parts &&
           std::all_of(instances.begin(), instances.end(),
                       [](const Instance& instance) { return instance.names.empty(); });
}

template <class Use>
void for_each_example(const Problem& problem, bool whole, Use&& use) {
    const std::vector<Instance>& instances = problem.training.instances;
    for (std::size_t i = 0; i < instances.size(); ++i)
        for (std::size_t atom = 0; atom < instances[i].labels.size(); ++atom)
            if (const Label label = instances[i].labels[atom]; label != Label::unlabelled)
                use(i, atom, label, key_of(instances[i], i, atom, problem.target().arity, whole));
}

/// The key of a database's example.
Key key_of(const Problem& problem, std::size_t row) {
    const Database& database = *problem.database;
    const auto arity = static_cast<std::size_t>(database.examples.target.arity);
    const std::int32_t* cells = database.examples.cells.data() + row * arity;
    const auto name = [&](std::size_t a) {
        return database.constants[static_cast<std::size_t>(cells[a])];
    };
    const std::vector<Instance>& instances = problem.training.instances;
    if (!instances.empty() && instances.front().names.empty() && arity <= 2) {
        std::size_t atom = 0;
        for (std::size_t a = 0; a < arity; ++a)
            atom =
                atom * static_cast<std::size_t>(instances.front().constants) + std::stoul(name(a));
        return {"0", std::to_string(atom)};
    }
    if (arity == 0)
        return {"0", ""};
    std::string rest;
    for (std::size_t a = 1; a < arity; ++a)
        rest += (a > 1 ? "\n" : "") + name(a);
    return {name(0), rest};
}

void divide(const Problem& problem, const std::map<Key, bool>& evaluated, Database& database) {
    const ExampleTable all = problem.database->examples;
    const auto arity = static_cast<std::ptrdiff_t>(all.target.arity);
    database.examples = database.held_out = ExampleTable{all.target, {}, {}};
    for (std::size_t r = 0; r < all.positive.size(); ++r) {
        ExampleTable& to = evaluated.at(key_of(problem, r)) ? database.held_out : database.examples;
        const auto from = all.cells.begin() + static_cast<std::ptrdiff_t>(r) * arity;
        to.cells.insert(to.cells.end(), from, from + arity);
        to.positive.push_back(all.positive[r]);
    }
}

/// Whether an example is set apart, by its number among the `count` examples of its kind.
using IsApart = std::function<bool(std::size_t number, std::size_t count)>;

/// By key the names of an example's answer: its arguments of other types than those of which a
/// clause has one variable. Empty where the bias names none.
std::map<Key, std::string> answers(const Problem& problem) {
    std::map<Key, std::string> result;
    if (!problem.database)
        return result;
    const Database& database = *problem.database;
    const auto types = database.bias.types.find(database.examples.target);
    if (types == database.bias.types.end() || database.bias.single_types.empty())
        return result;
    const auto arity = types->second.size();
    for (std::size_t r = 0; r < database.examples.positive.size(); ++r) {
        std::string& answer = result[key_of(problem, r)];
        for (std::size_t a = 0; a < arity; ++a)
            if (std::find(database.bias.single_types.begin(), database.bias.single_types.end(),
                          types->second[a]) == database.bias.single_types.end())
                answer += database.constants[static_cast<std::size_t>(
                              database.examples.cells[r * arity + a])] +
                          "\n";
    }
    return result;
}

/// Puts examples of one answer beside each other, the rare ones last. Returns how many of these
/// there are.
std::size_t sort_by_answer(std::vector<const Key*>& keys, std::map<Key, std::string>& answers,
                           std::size_t parts) {
    std::map<std::string, std::size_t> count;
    for (const Key* key : keys)
        ++count[answers[*key]];
    const auto is_common = [&](const Key* key) { return count[answers[*key]] >= parts; };
    const auto rare = std::stable_partition(keys.begin(), keys.end(), is_common);
    std::stable_sort(keys.begin(), rare,
                     [&](const Key* a, const Key* b) { return answers[*a] < answers[*b]; });
    return static_cast<std::size_t>(keys.end() - rare);
}

Problem apart(const Problem& problem, std::size_t parts, std::uint64_t seed,
              const IsApart& is_apart, bool keep_rare = false) {
    if (!problem.training.fixed() && !problem.database)
        throw Error("the training data of " + problem.name +
                        " are generated: there are no examples to set apart",
                    {}, "data read from files can be divided");
    const bool whole = dealt_whole(problem, parts);
    std::map<Key, Label> examples;
    if (problem.database)
        for (std::size_t r = 0; r < problem.database->examples.positive.size(); ++r)
            examples.emplace(key_of(problem, r), problem.database->examples.positive[r] != 0
                                                     ? Label::positive
                                                     : Label::negative);
    for_each_example(problem, whole, [&](std::size_t, std::size_t, Label label, Key key) {
        const auto [known, is_new] = examples.emplace(std::move(key), label);
        if (whole && !is_new &&
            label == Label::positive)  // one of them makes the instance positive
            known->second = label;
    });
    std::map<Key, std::string> answer = keep_rare ? answers(problem) : std::map<Key, std::string>();
    std::map<Key, bool> evaluated;
    Random random(seed, Random::kData);
    for (const Label label : {Label::positive, Label::negative}) {
        std::vector<const Key*> keys;
        for (const auto& [key, given] : examples)
            if (given == label)
                keys.push_back(&key);
        random.shuffle(keys);
        const std::size_t dealt =
            keys.size() - (answer.empty() ? 0 : sort_by_answer(keys, answer, parts));
        for (std::size_t k = 0; k < keys.size(); ++k)
            evaluated[*keys[k]] = k < dealt && is_apart(k, dealt);
    }
    Problem result = problem;
    result.evaluation = {};
    result.evaluation.instances = problem.training.instances;
    for_each_example(problem, whole, [&](std::size_t i, std::size_t atom, Label, const Key& key) {
        Source& other = evaluated.at(key) ? result.training : result.evaluation;
        other.instances[i].labels[atom] = Label::unlabelled;
    });
    if (problem.database) {
        // computed predicates go on adding constants to the database that they were made for
        result.database = std::make_shared<Database>(*problem.database);
        divide(problem, evaluated, *result.database);
    }
    for (Source* source : {&result.training, &result.evaluation}) {
        if (problem.training.empty())
            continue;
        std::erase_if(source->instances, [](const Instance& instance) {
            return instance.count(Label::unlabelled) == static_cast<int>(instance.labels.size());
        });
        if (source->instances.empty() && !problem.sampled)
            throw Error("there are " + std::to_string(examples.size()) +
                            " examples, too few to set some apart",
                        {}, "expected at least one for every part");
    }
    return result;
}

}  // namespace

Problem fold(const Problem& problem, int folds, int i, std::uint64_t seed, bool keep_rare) {
    const auto parts = static_cast<std::size_t>(folds);
    return apart(
        problem, parts, seed,
        [&](std::size_t number, std::size_t) {
            return number % parts == static_cast<std::size_t>(i);
        },
        keep_rare);
}

Problem held_out(const Problem& problem, double share, std::uint64_t seed) {
    return apart(problem, 2, seed, [&](std::size_t number, std::size_t count) {
        const double wanted = std::max(std::round(share * static_cast<double>(count)), 1.0);
        return static_cast<double>(number) < wanted;
    });
}

Problem sampled(Problem problem, int instances, std::uint64_t seed) {
    std::vector<Instance>& all = problem.training.instances;
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    Random(seed, Random::kData).shuffle(order);
    // Positive examples are often few: those instances that have some make up half of the sample,
    // if they can.
    const auto others = std::stable_partition(order.begin(), order.end(), [&](std::size_t i) {
        return all[i].count(Label::positive) > 0;
    });
    const auto positive = static_cast<std::size_t>(others - order.begin());
    const std::size_t wanted = std::min(all.size(), static_cast<std::size_t>(instances));
    const std::size_t rest =
        std::min(order.size() - positive, wanted - std::min(positive, wanted / 2));
    order.erase(others + static_cast<std::ptrdiff_t>(rest), order.end());
    order.erase(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(order.size() - wanted));
    std::sort(order.begin(), order.end());
    std::vector<Instance> kept;
    for (const std::size_t i : order)
        kept.push_back(std::move(all[i]));
    problem.notes.push_back("a sample of " + std::to_string(kept.size()) + " of " +
                            std::to_string(all.size()) + " instances");
    problem.sampled = problem.sampled || kept.size() < all.size();
    all = std::move(kept);
    return problem;
}

}  // namespace hri
