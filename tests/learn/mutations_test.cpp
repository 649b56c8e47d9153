// SPDX-License-Identifier: Apache-2.0
// Files other than data, in 1,000 mutated variants each: whatever is read can be written and read
// again the same, everything else is an error with a place inside the file.

#include "support/mutations.hpp"

#include "hri/protorules.hpp"
#include "hri/tasks.hpp"

#include "hypotheses/options_file.hpp"
#include "learn/checkpoint.hpp"

#include <functional>
#include <gtest/gtest.h>

namespace hri {
namespace {

struct File {
    std::string path;
    std::string text;
};

/// `rewritten` reads a text and writes what it has read.
void check(const std::string& whole, const std::function<std::string(const File&)>& rewritten,
           std::string_view bytes, std::uint64_t seed) {
    constexpr int kVariants = 1000;
    Random random(seed);
    int fine = 0;
    for (int i = 0; i < kVariants; ++i) {
        const File file{"mutated", test::mutated(whole, random, bytes)};
        std::string once;
        try {
            once = rewritten(file);
        } catch (const Error& error) {
            test::expect_place_inside(error, std::vector{file});
            continue;
        }
        ++fine;
        EXPECT_EQ(rewritten({"again", once}), once) << file.text;
    }
    EXPECT_GT(fine, kVariants / 50);
    EXPECT_LT(fine, kVariants - kVariants / 100);
}

TEST(Mutations, OfPrograms) {
    check(
        "% target: reach/2\n:- table reach/2.\n:- dynamic edge/2, 'A node'/1.\n"
        "reach(X,Y) :- edge(X,Y). % one step\nreach(X,Y) :- edge(X,Z), reach(Z,Y).\n"
        "odd(X) :- 'A node'(X), \\+ reach(X,X), X \\= start. rain.\n",
        [](const File& file) { return to_prolog(parse_program(file.text, file.path)); },
        "().,:-'\"%*/\\_X aZ09[]|\n\t#\x80\xFF", 1);
}

TEST(Mutations, OfProtoRules) {
    check(
        "% a comment, so that some changes do no harm\n"
        "A*: H(X) <- (~P(X,Y) & ~Q(Y,X)) | ~R(X,T)\nI: H(X,Y) <- ~F(Y,X) % permuted\n"
        "S: H(X) <- ~P(start,X)\nD: H(X,X) <- P(X), Q(X,Y)\n",
        [](const File& file) {
            std::string text;
            for (const ProtoRule& rule : parse_protorules(file.text, file.path))
                text += to_text(rule) + "\n";
            return text;
        },
        "()<-&|,~:XYZP%; \n\x80", 2);
}

TEST(Mutations, OfOptions) {
    check(
        "# options of a run, told at length so that some changes do no harm\nrules = \"R*\"\n"
        "layers = 3\nsimilarity = \"l2\"\ntemperature = 0.1\nnegation = true\n# the end\n",
        [](const File& file) {
            return hypotheses::options_to_toml(hypotheses::parse_options(file.text, file.path));
        },
        "=\"#.0123-ex \n'[]\x80", 3);
}

TEST(Mutations, OfCheckpoints) {
    const Problem problem = make_problem(find_task("buzz"));
    learning::Checkpoint checkpoint;
    checkpoint.best = 1;
    checkpoint.best_matches = {3, 1, 4, 1, 5};
    checkpoint.alternatives = {"buzz(X) :- zero(X).\n"};
    checkpoint.met = {"buzz(X) <- zero(X)\n", "buzz(X) <- succ(X,Y)\n"};
    // errors about what is written there have the file alone
    const std::string whole = to_text(checkpoint, problem, {}, {});
    Random random(4);
    int fine = 0;
    for (int i = 0; i < 1000; ++i) {
        LearnSettings settings;
        settings.resume = test::mutated(whole, random, "{}[]:,\"\\019a \n\x80");
        try {
            const learning::Checkpoint read = learning::read_checkpoint(problem, {}, settings);
            ++fine;
            settings.resume = to_text(read, problem, {}, settings);
            EXPECT_EQ(
                to_text(learning::read_checkpoint(problem, {}, settings), problem, {}, settings),
                settings.resume);
        } catch (const Error& error) {
            EXPECT_EQ(error.place().file, learning::kCheckpointPlace) << error.what();
            if (error.place().line > 0)
                test::expect_place_inside(
                    error, std::vector<File>{{learning::kCheckpointPlace, settings.resume}});
        }
    }
    EXPECT_GT(fine, 5);
    EXPECT_LT(fine, 900);
}

}  // namespace
}  // namespace hri
