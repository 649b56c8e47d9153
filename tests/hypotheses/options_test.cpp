// SPDX-License-Identifier: Apache-2.0
#include "hri/options.hpp"

#include "hri/data.hpp"

#include "data/scratch_folder.hpp"
#include "hypotheses/options_file.hpp"
#include "paths.hpp"

#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

namespace hri {
namespace {

using testing::HasSubstr;

std::string message_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(Options, DefaultsAreThePapersGenericHyperParameters) {
    const Options options;
    EXPECT_EQ(options.recursivity, Recursivity::full);
    EXPECT_EQ(options.fuzzy_and, And::min);
    EXPECT_EQ(options.fuzzy_or, Or::max);
    EXPECT_EQ(options.similarity, Similarity::cosine);
    EXPECT_EQ(options.learning_rate, 0.01);
    EXPECT_EQ(options.learning_rate_rules, 0.03);
    EXPECT_EQ(options.temperature, 0.1);
    EXPECT_EQ(options.temperature_schedule, Schedule::constant);
    EXPECT_EQ(options.gumbel, 0.3);
    EXPECT_EQ(options.layers, 4);
}

TEST(Options, DefaultsArePinnedWhereThePaperLeavesThemOpen) {
    const Options options;
    EXPECT_EQ(options.rules, "R*");
    EXPECT_EQ(options.auxiliaries, 1);
    EXPECT_EQ(options.disjunct_visibility, DisjunctVisibility::lower);
    EXPECT_EQ(options.last_layer, LastLayer::target_arity);
    EXPECT_EQ(options.dimension, 0);
    EXPECT_EQ(options.start, Init::identity);
    EXPECT_EQ(options.pool, Pool::sum);
    EXPECT_EQ(options.target_pool, Pool::sum);
    EXPECT_EQ(options.merge, Merge::max);
    EXPECT_EQ(options.regularisation, 0.01);
    EXPECT_EQ(options.gumbel_convention, GumbelConvention::inside);
    EXPECT_EQ(options.predicate_noise, 1.0);
    EXPECT_EQ(options.predicate_noise_halving, 30);
    EXPECT_EQ(options.slot_noise, 1.0);
    EXPECT_EQ(options.slot_noise_half_life, 60);
    EXPECT_TRUE(options.train_predicates);
}

TEST(Options, DefaultsAreValid) { EXPECT_NO_THROW(validate(Options{})); }

/// A value that the field does not have by default.
std::string other_value(const OptionField& field) {
    const std::string now = field.get(Options{});
    switch (field.kind) {
        case OptionField::Kind::integer:
            return now == "3" ? "5" : "3";
        case OptionField::Kind::real:
            return now == "0.0625" ? "0.03125" : "0.0625";
        case OptionField::Kind::boolean:
            return now == "true" ? "false" : "true";
        case OptionField::Kind::list:
            return "a,b";
        case OptionField::Kind::text:
            return "MIL \"quoted\"";
        case OptionField::Kind::choice:
            return field.choices.front() == now ? field.choices.back() : field.choices.front();
    }
    return {};
}

TEST(Options, EveryFieldIsSetAndReadByItsName) {
    std::set<std::string> names;
    for (const OptionField& field : fields_of<Options>()) {
        SCOPED_TRACE(field.name);
        EXPECT_TRUE(names.insert(field.name).second) << "twice";
        EXPECT_FALSE(field.help.empty());
        EXPECT_FALSE(field.group.empty());
        Options options;
        set_option(options, field.name, field.get(options));
        EXPECT_EQ(options, Options{}) << "its own value changes nothing";
        set_option(options, field.name, other_value(field));
        EXPECT_NE(options, Options{}) << "another value changes something";
        EXPECT_EQ(field.get(options), other_value(field));
        set_option(options, field.name, field.get(Options{}));
        EXPECT_EQ(options, Options{});
    }
}

TEST(Options, EveryMemberOfTheStructHasItsFieldInItsOrder) {
    const std::string header =
        read_file(std::filesystem::path(HRI_SOURCE_DIR) / "include/hri/options.hpp");
    const std::size_t begin = header.find("struct Options {");
    const std::size_t end = header.find("bool operator==", begin);
    ASSERT_LT(end, header.size());
    std::istringstream members(header.substr(begin, end - begin));
    std::vector<std::string> names;  // the word before each " ="
    for (std::string line; std::getline(members, line);) {
        const std::size_t equals = std::min(line.find(" ="), line.find("//"));
        if (equals != std::string::npos && line.compare(equals, 2, " =") == 0) {
            names.push_back(line.substr(0, equals).substr(line.rfind(' ', equals - 1) + 1));
        }
    }
    std::vector<std::string> fields;
    for (const OptionField& field : fields_of<Options>()) {
        fields.push_back(field.name);
    }
    EXPECT_EQ(fields, names);
}

TEST(Options, NamesMayBeWrittenWithDashes) {
    Options options;
    set_option(options, "train-steps", "8");
    EXPECT_EQ(options.train_steps, 8);
}

TEST(Options, UnknownNamesAreAnsweredWithTheNearest) {
    Options options;
    EXPECT_THAT(message_of([&] { set_option(options, "train_step", "8"); }),
                HasSubstr("did you mean train_steps?"));
    EXPECT_THAT(message_of([&] { set_option(options, "simlarity", "l1"); }),
                HasSubstr("did you mean similarity?"));
}

TEST(Options, WrongValuesAreToldWithWhatIsAllowed) {
    Options options;
    const auto says = [&](const std::string& name, const std::string& value) {
        return message_of([&] { set_option(options, name, value); });
    };
    EXPECT_THAT(says("layers", "four"), HasSubstr("expected an integer from 1 to 1000"));
    EXPECT_THAT(says("layers", "4x"), HasSubstr("found '4x'"));
    EXPECT_THAT(says("layers", ""), HasSubstr("expected an integer"));
    EXPECT_THAT(says("layers", "99999999999999999999"), HasSubstr("expected an integer"));
    EXPECT_THAT(says("layers", "0"), HasSubstr("found 0"));
    EXPECT_THAT(says("temperature", "0"), HasSubstr("expected a number"));
    EXPECT_THAT(says("temperature", "nan"), HasSubstr("expected a number"));
    EXPECT_THAT(says("temperature", "inf"), HasSubstr("expected a number"));
    EXPECT_THAT(says("similarity", "cosin"), HasSubstr("did you mean cosine?"));
    EXPECT_THAT(says("train_predicates", "yes"), HasSubstr("true, false"));
    EXPECT_THAT(says("rules", ""), HasSubstr("rules"));
    EXPECT_EQ(options, Options{}) << "a refused value changes nothing";
}

TEST(Options, CombinationsWithoutMeaningAreRefused) {
    const auto says = [](const Options& options) { return message_of([&] { validate(options); }); };
    EXPECT_THAT(says({.layers = -1}), HasSubstr("layers"));
    EXPECT_THAT(says({.layers = 1000, .auxiliaries = 1000}), HasSubstr("auxiliaries"));
    EXPECT_THAT(says({.dimension = 2}), HasSubstr("dimension"));
    EXPECT_THAT(says({.temperature = 0}), HasSubstr("temperature"));
    EXPECT_THAT(says({.eval_steps = 0}), HasSubstr("eval_steps"));
    EXPECT_THAT(says({.gumbel = 1.5}), HasSubstr("gumbel"));
    EXPECT_EQ(says({.gumbel = 1.5, .gumbel_convention = GumbelConvention::outside}), "no error");
    EXPECT_EQ(says({.eval_steps = -1}), "no error");
    EXPECT_THAT(says({.merge = static_cast<Merge>(7)}), HasSubstr("merge"));
}

TEST(Nearest, CountsInsertionsReplacementsAndExchanges) {
    const std::vector<std::string> names = {"son", "grandparent", "cyclic"};
    EXPECT_EQ(nearest("sno", names), "son");
    EXPECT_EQ(nearest("grandparnet", names), "grandparent");
    EXPECT_EQ(nearest("", names), "son");
    EXPECT_EQ(nearest("x", {}), "");
    EXPECT_EQ(nearest(std::string(1'000'000, 'c'), names), "cyclic");
}

TEST(OptionsFile, SetsWhatItNamesAndKeepsTheRest) {
    const Options options = hypotheses::parse_options(
        "# mine\nlayers = 3\ntemperature = 1\nsimilarity = 'l2'\ntrain_predicates = false\n",
        "a.toml", Options{.iterations = 77});
    EXPECT_EQ(options, (Options{.layers = 3,
                                .similarity = Similarity::l2,
                                .temperature = 1,
                                .iterations = 77,
                                .train_predicates = false}));
}

TEST(OptionsFile, ReadsBackWhatItWrites) {
    Options options;
    for (const OptionField& field : fields_of<Options>()) {
        field.set(options, other_value(field));
    }
    EXPECT_EQ(hypotheses::parse_options(hypotheses::options_to_toml(options), "a.toml"), options);
    EXPECT_EQ(hypotheses::options_from_json(hypotheses::options_to_json(options)), options);
    EXPECT_EQ(hypotheses::options_from_json(
                  nlohmann::ordered_json::parse(hypotheses::options_to_json(options).dump())),
              options);
    EXPECT_EQ(hypotheses::parse_options(hypotheses::options_to_toml({}), "a.toml", options),
              Options{});
}

TEST(OptionsFile, KeepsTextsOfSeveralLines) {
    Options options;
    options.rules = "\n\r\nA: H(X) <- ~P(X) & ~Q(X)\n\"\\\x7F\t";
    EXPECT_EQ(hypotheses::parse_options(hypotheses::options_to_toml(options), "a.toml"), options);
}

TEST(OptionsFile, TellsMistakesWithTheirPlace) {
    const auto says = [](const std::string& toml) {
        return message_of([&] { hypotheses::parse_options(toml, "a.toml"); });
    };
    EXPECT_THAT(says("layrs = 3"),
                HasSubstr("a.toml:1:1: there is no option 'layrs' (did you mean layers?)"));
    EXPECT_THAT(says("layers = 3\n\n  zeta = 1\nalpha = 2"), HasSubstr("a.toml:3:3:"));
    EXPECT_THAT(says("layers = '3'"), HasSubstr("a.toml:1:10: layers: expected an integer"));
    EXPECT_THAT(says("layers = 3.5"), HasSubstr("a.toml:1:10:"));
    EXPECT_THAT(says("layers = 0"), HasSubstr("a.toml:1:10: layers: expected an integer from 1"));
    EXPECT_THAT(says("layers = [3]"), HasSubstr("a.toml:1:10:"));
    EXPECT_THAT(says("rules = 3"), HasSubstr("a.toml:1:9: rules: expected a text"));
    EXPECT_THAT(says("similarity = 'cos'"),
                HasSubstr("a.toml:1:14: similarity: 'cos' is not one of"));
    EXPECT_THAT(says("train_predicates = 1"), HasSubstr("true or false"));
    EXPECT_THAT(says("[training]\niterations = 3"), HasSubstr("a.toml:1:"));
    EXPECT_THAT(says("layers = "), HasSubstr("a.toml:1:"));
    EXPECT_THAT(says("layers = 3\nlayers = 4"), HasSubstr("a.toml:2:"));
}

TEST(OptionsFile, NamesAFileThatIsMissing) {
    const test::ScratchFolder folder;
    EXPECT_THAT(message_of([&] { hypotheses::read_options(folder / "none.toml"); }),
                HasSubstr("none.toml"));
    write_file(folder / "some.toml", "layers = 2\n");
    EXPECT_EQ(hypotheses::read_options(folder / "some.toml").layers, 2);
}

TEST(OptionsJson, RefusesWhatItDoesNotKnow) {
    const auto says = [](const std::string& json) {
        return message_of(
            [&] { hypotheses::options_from_json(nlohmann::ordered_json::parse(json)); });
    };
    EXPECT_THAT(says("[]"), HasSubstr("object"));
    EXPECT_THAT(says(R"({"layrs": 3})"), HasSubstr("did you mean layers?"));
    EXPECT_THAT(says(R"({"layers": "3"})"), HasSubstr("layers"));
    EXPECT_THAT(says(R"({"layers": 3.5})"), HasSubstr("layers"));
    EXPECT_THAT(says(R"({"layers": null})"), HasSubstr("layers"));
    EXPECT_THAT(says(R"({"rules": 3})"), HasSubstr("rules"));
    EXPECT_EQ(says(R"({"layers": 3})"), "no error");
}

}  // namespace
}  // namespace hri
