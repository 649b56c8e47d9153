// SPDX-License-Identifier: Apache-2.0

#include "hri/model.hpp"

#include "data/scratch_folder.hpp"

#include <cstring>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace hri {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

Model example() {
    Options options;
    options.layers = 2;
    options.temperature = 0.25;
    return make_model({{"father", 2}, {"Mutter \xC3\xBC", 2}, {"old", 1}}, {"grandparent", 2},
                      options, 7);
}

class Safetensors : public testing::Test {
  protected:
    Safetensors() : model_(example()), path_(folder_ / "model.safetensors") {
        save_model(path_, model_);
        bytes_ = read_file(path_);
        std::uint64_t length = 0;
        std::memcpy(&length, bytes_.data(), 8);
        header_ = Json::parse(bytes_.substr(8, length));
        data_ = bytes_.substr(8 + length);
    }

    /// What loading these bytes says.
    std::string says(const std::string& bytes) const {
        write_file(path_, bytes);
        try {
            load_model(path_);
        } catch (const Error& error) {
            EXPECT_EQ(error.place().file, path_.string()) << error.what();
            return error.what();
        }
        return "no error";
    }

    static std::string with_length(std::uint64_t length, const std::string& rest) {
        std::string bytes(8, '\0');
        std::memcpy(bytes.data(), &length, 8);
        return bytes + rest;
    }

    /// The file with its header changed.
    std::string changed(const std::function<void(Json&)>& change) const {
        Json header = header_;
        change(header);
        const std::string text = header.dump();
        return with_length(text.size(), text + data_);
    }

    std::string changed_metadata(const std::string& key, const std::string& value) const {
        return changed([&](Json& header) { header["__metadata__"][key] = value; });
    }

    test::ScratchFolder folder_;
    Model model_;
    std::filesystem::path path_;
    std::string bytes_;
    Json header_;
    std::string data_;
};

TEST_F(Safetensors, GiveTheModelBackBitForBit) {
    model_.parameters.slots[0] = -0.0F;
    model_.parameters.slots[1] = std::numeric_limits<float>::denorm_min();
    model_.parameters.slots[2] = std::numeric_limits<float>::max();
    save_model(path_, model_);
    const Model loaded = load_model(path_);
    EXPECT_EQ(loaded.options, model_.options);
    EXPECT_EQ(loaded.protorules, model_.protorules);
    EXPECT_EQ(loaded.inputs, model_.inputs);
    EXPECT_EQ(loaded.target, model_.target);
    EXPECT_EQ(loaded.hierarchy.arity, model_.hierarchy.arity);
    EXPECT_EQ(loaded.parameters.dimension, model_.parameters.dimension);
    const auto same_bits = [](const std::vector<float>& a, const std::vector<float>& b) {
        return a.size() == b.size() &&
               std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
    };
    EXPECT_TRUE(same_bits(loaded.parameters.predicates, model_.parameters.predicates));
    EXPECT_TRUE(same_bits(loaded.parameters.slots, model_.parameters.slots));
    const std::string before = read_file(path_);
    save_model(path_, loaded);
    EXPECT_EQ(read_file(path_), before);
}

TEST_F(Safetensors, FollowTheFormatThatOthersRead) {
    EXPECT_EQ((bytes_.size() - data_.size()) % 8, 0U) << "the data are aligned";
    const auto predicates = model_.hierarchy.arity.size();
    const auto d = static_cast<std::size_t>(model_.parameters.dimension);
    EXPECT_EQ(header_["predicates"]["dtype"], "F32");
    EXPECT_EQ(header_["predicates"]["shape"], Json::array({predicates, d}));
    EXPECT_EQ(header_["predicates"]["data_offsets"], Json::array({0, predicates * d * 4}));
    EXPECT_EQ(header_["slots"]["data_offsets"][1], data_.size());
    for (const auto& entry : header_["__metadata__"].items()) {
        EXPECT_TRUE(entry.value().is_string()) << entry.key();
    }
    float first = 0;
    std::memcpy(&first, data_.data(), 4);
    EXPECT_EQ(first, model_.parameters.predicates[0]);
}

TEST_F(Safetensors, KeepProtoRulesThatAreNoLongerInTheirFile) {
    write_file(folder_ / "own.rules", "Swap: H(X,Y) <- (~P(Y,X) & ~Q(X)) | R(X,Y)\n");
    Options options;
    options.rules = (folder_ / "own.rules").string();
    const Model own = make_model({{"edge", 2}}, {"back", 2}, options, 1);
    save_model(path_, own);
    std::filesystem::remove(folder_ / "own.rules");
    EXPECT_EQ(load_model(path_).protorules, own.protorules);
}

TEST_F(Safetensors, RefuseFilesThatAreCutOff) {
    EXPECT_THAT(says(""), HasSubstr("0 bytes"));
    EXPECT_THAT(says(bytes_.substr(0, 7)), HasSubstr("7 bytes"));
    EXPECT_THAT(says(bytes_.substr(0, 100)), HasSubstr("does not fit into the file"));
    EXPECT_THAT(says(bytes_.substr(0, bytes_.size() - 1)), HasSubstr("does not fit bytes"));
    EXPECT_THAT(says(bytes_ + "x"), HasSubstr("do not fill the file"));
    EXPECT_THAT(says(with_length(~std::uint64_t{0}, bytes_.substr(8))), HasSubstr("does not fit"));
}

TEST_F(Safetensors, RefuseHeadersThatAreWrong) {
    EXPECT_THAT(says(with_length(3, "{x}")), HasSubstr("the JSON ends or goes wrong here"));
    EXPECT_THAT(says(with_length(2, "[]")), HasSubstr("no JSON object"));
    EXPECT_THAT(says(with_length(2, "{}")), HasSubstr("metadata are missing"));
    EXPECT_THAT(says(changed([](Json& h) { h["more"] = h["slots"]; })), HasSubstr("'more'"));
    EXPECT_THAT(says(changed([](Json& h) { h.erase("slots"); })), HasSubstr("'slots' is missing"));
    EXPECT_THAT(says(changed([](Json& h) { h["slots"]["dtype"] = "F16"; })), HasSubstr("type F32"));
    EXPECT_THAT(says(changed([](Json& h) {
                    h["slots"]["shape"] = {1, 2, 3};
                })),
                HasSubstr("'shape'"));
    EXPECT_THAT(says(changed([](Json& h) { h["slots"]["shape"][0] = -1; })), HasSubstr("'shape'"));
    EXPECT_THAT(says(changed([](Json& h) { h["slots"]["shape"][0] = 1ULL << 62U; })),
                HasSubstr("does not fit bytes"));
    EXPECT_THAT(says(changed(
                    [](Json& h) { h["slots"]["data_offsets"] = h["predicates"]["data_offsets"]; })),
                HasSubstr("'slots'"));
    const auto swap = [](Json& h) { std::swap(h["slots"]["shape"][0], h["slots"]["shape"][1]); };
    EXPECT_THAT(says(changed(swap)), HasSubstr("dimensions do not fit"));
}

TEST_F(Safetensors, RefuseMetadataThatDoNotFit) {
    EXPECT_THAT(says(changed_metadata("format_version", "2")), HasSubstr("version '2'"));
    EXPECT_THAT(says(changed([](Json& h) { h["__metadata__"].erase("options"); })),
                HasSubstr("'options'"));
    EXPECT_THAT(says(changed_metadata("options", "{")), HasSubstr("not valid JSON"));
    EXPECT_THAT(says(changed_metadata("options", R"({"layrs": 2})")), HasSubstr("layers"));
    EXPECT_THAT(says(changed_metadata("options", R"({"layers": 3})")), HasSubstr("predicates"));
    EXPECT_THAT(says(changed_metadata("options", R"({"layers": 1000, "auxiliaries": 2})")),
                HasSubstr("predicates do not fit"));
    EXPECT_THAT(says(changed_metadata("protorules", "A: H(X) <- P(X,Y,Z)")), HasSubstr("arity 3"));
    EXPECT_THAT(says(changed_metadata("protorules", "A: H(X) <- P(X)")), HasSubstr("predicates"));
    EXPECT_THAT(says(changed_metadata("inputs", R"([["father",2]])")), HasSubstr("predicates"));
    EXPECT_THAT(says(changed_metadata("inputs", R"([["father",7]])")),
                HasSubstr("arity from 0 to 2"));
    EXPECT_THAT(says(changed_metadata("inputs", R"([["a",2],["a",2],["a",2]])")),
                HasSubstr("twice"));
    EXPECT_THAT(says(changed_metadata("inputs", R"([["a",2],["b",2],["c",1]])")),
                HasSubstr("names"));
    EXPECT_THAT(says(changed_metadata("target", R"(["t",1])")), HasSubstr("expected"));
    EXPECT_THAT(says(changed_metadata("target", R"(["t",0])")), HasSubstr("the target's arity, 0"));
}

TEST_F(Safetensors, RefuseValuesThatAreNotFinite) {
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        std::string bytes = bytes_;
        std::memcpy(bytes.data() + bytes.size() - 4, &bad, 4);
        EXPECT_THAT(says(bytes), HasSubstr("'slots' holds a value that is not finite"));
    }
}

TEST_F(Safetensors, NameAFileOrFolderThatIsMissing) {
    EXPECT_THROW(load_model(folder_ / "none.safetensors"), Error);
    EXPECT_THROW(save_model(folder_ / "no" / "folder" / "m.safetensors", model_), Error);
    model_.inputs[0].name = "\xFF";
    EXPECT_THROW(save_model(path_, model_), Error);
}

/// Changes a few bytes, cuts, repeats or removes a piece.
std::string mutated(std::string bytes, Random& random) {
    const auto at = [&] {
        return static_cast<std::size_t>(random.below(static_cast<int>(bytes.size())));
    };
    switch (random.below(4)) {
        case 0:
            bytes.resize(at());
            break;
        case 1:
            bytes.erase(at(), static_cast<std::size_t>(1 + random.below(8)));
            break;
        case 2:
            bytes.insert(at(), bytes.substr(at(), static_cast<std::size_t>(1 + random.below(8))));
            break;
        default:
            for (int changes = 1 + random.below(4); changes > 0; --changes) {
                // more often in the header than in the data
                const std::size_t place = random.chance(0.8) ? at() % 2000 % bytes.size() : at();
                bytes[place] = static_cast<char>(random.below(256));
            }
    }
    return bytes;
}

TEST_F(Safetensors, SurviveAThousandMutations) {
    Random random(1);
    int loaded = 0;
    for (int i = 0; i < 1000; ++i) {
        const std::string bytes = mutated(bytes_, random);
        if (says(bytes) != "no error")  // anything but an Error ends the test
            continue;
        ++loaded;
        const std::string again = model_to_bytes(model_from_bytes(bytes, "m"), "m");
        EXPECT_EQ(model_to_bytes(model_from_bytes(again, "m"), "m"), again);
    }
    EXPECT_GT(loaded, 0) << "a changed weight is still a model";
    EXPECT_LT(loaded, 500);
}

TEST(SafetensorsLimits, HoldNoModelThatIsNotFinite) {
    Model model = make_model({{"e", 2}}, {"t", 2}, {}, 0);
    model.parameters.slots[1] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW(model_to_bytes(model, "m"), Error);
    model.parameters.slots[1] = std::numeric_limits<float>::infinity();
    EXPECT_THROW(model_to_bytes(model, "m"), Error);
}

TEST(SafetensorsLimits, WithManyKeysAreReadInTime) {
    std::string header = "{\"__metadata__\":{\"format_version\":\"1\"}";
    for (int i = 0; i < 100'000; ++i) {
        header += ",\"k" + std::to_string(i) + "\":1";
    }
    header += "}";
    std::string bytes(8, '\0');
    for (std::size_t i = 0; i < 8; ++i) {
        bytes[i] = static_cast<char>(header.size() >> (8 * i));
    }
    EXPECT_THROW(model_from_bytes(bytes + header), Error);
}

}  // namespace
}  // namespace hri
