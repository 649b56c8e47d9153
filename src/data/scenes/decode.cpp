// SPDX-License-Identifier: Apache-2.0

// From the compact form to a SceneSet. Nothing in the bytes is believed before it is checked.

#include "data/scenes/contents.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <set>

namespace hri::scenes {
namespace {

class Decoder {
  public:
    Decoder(std::span<const char> bytes, const std::string& file) : bytes_(bytes), file_(file) {
        read_header();
    }

    void fill(SceneSet::Contents& out) {
        out.bytes = bytes_;
        out.unary = header_.unary;
        out.objects = take<std::uint32_t>(header_.images);
        out.name_ends = take<std::uint32_t>(header_.images);
        out.relation_ends = take<std::uint32_t>(header_.images);
        out.targets = take<std::uint32_t>(header_.targets);
        const std::size_t predicates = std::size_t{header_.unary} + header_.binary;
        out.text_ends = take<std::uint32_t>(predicates + header_.images + 2);
        out.names = take<SceneLabel>(header_.names);
        out.relations = take<SceneRelation>(header_.relations);
        const std::span<const char> text = take<char>(header_.text);
        out.text = {text.data(), text.size()};

        expect_ends(out.name_ends, header_.names, "names");
        expect_ends(out.relation_ends, header_.relations, "relations");
        expect_ends(out.text_ends, header_.text, "text");
        read_predicates(out);
        for (const std::uint32_t target : out.targets) {
            expect(target < header_.unary, "a target that is no unary predicate");
        }
        for (std::uint32_t i = 0; i < header_.images; ++i) {
            check_image(out, i);
        }
        index_names(out);
        out.origin = {std::string(text_of(out, predicates + header_.images)),
                      header_.synthetic == 1, header_.noise,
                      std::string(text_of(out, predicates + header_.images + 1))};
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw Error("not a sound file of scenes: " + what, {file_},
                    "build it again by {write_scenes()}");
    }

    void expect(bool sound, const char* what) const {
        if (!sound) {
            fail(what);
        }
    }

    void read_header() {
        constexpr std::string_view kMagic = "hriscene";
        if (bytes_.size() < kMagic.size() ||
            !std::equal(kMagic.begin(), kMagic.end(), bytes_.begin())) {
            throw Error("not a file of scenes: it does not begin with \"hriscene\"", {file_},
                        "{write_scenes()} writes such files");
        }
        expect(bytes_.size() >= sizeof(Header), "it ends within its header");
        std::memcpy(&header_, bytes_.data(), sizeof header_);
        expect(header_.order == kOrder, "its numbers are in another machine's order of bytes");
        if (header_.version != kFileVersion) {
            throw Error(fmt::format("a file of scenes of version {}, expected {}", header_.version,
                                    kFileVersion),
                        {file_}, "build it again by {write_scenes()}");
        }
        const std::uint64_t size = file_size(header_);
        if (header_.size != size || bytes_.size() != size) {
            fail(fmt::format("it has {} bytes where its counts need {}", bytes_.size(), size));
        }
        expect(header_.checksum == checksum(bytes_), "its checksum differs");
        expect(header_.synthetic <= 1 && header_.noise >= 0 && header_.noise <= 1,
               "its origin is unclear");
    }

    template <class T>
    std::span<const T> take(std::size_t count) {
        const auto* begin = reinterpret_cast<const T*>(bytes_.data() + at_);
        at_ += count * sizeof(T);
        return {begin, count};
    }

    void expect_ends(std::span<const std::uint32_t> ends, std::uint32_t total,
                     const char* what) const {
        expect(
            std::is_sorted(ends.begin(), ends.end()) && (ends.empty() ? 0 : ends.back()) == total,
            what);
    }

    void read_predicates(SceneSet::Contents& out) const {
        std::vector<PredicateSymbol> predicates;
        std::set<std::string_view> unary;
        std::set<std::string_view> binary;
        for (std::size_t p = 0; p < std::size_t{header_.unary} + header_.binary; ++p) {
            const bool is_unary = p < header_.unary;
            const std::string_view name = text_of(out, p);
            expect(!name.empty() && (is_unary ? unary : binary).insert(name).second,
                   "a predicate without a name of its own");
            predicates.push_back({std::string(name), is_unary ? 1 : 2});
        }
        out.schema = make_schema(std::move(predicates), {"", 1});
    }

    void check_image(const SceneSet::Contents& out, std::uint32_t i) const {
        const std::uint32_t objects = out.objects[i];
        expect(objects <= kMaxObjects, "an image of too many objects");
        const auto rising = [](const auto& a, const auto& b) { return !(a < b); };
        const auto names = part(out.names, out.name_ends, i);
        const auto relations = part(out.relations, out.relation_ends, i);
        expect(
            std::adjacent_find(names.begin(), names.end(), rising) == names.end() &&
                std::adjacent_find(relations.begin(), relations.end(), rising) == relations.end(),
            "facts out of order");
        for (const SceneLabel& name : names) {
            expect(name.predicate < header_.unary && name.object < objects, "a name out of range");
        }
        for (const SceneRelation& relation : relations) {
            expect(relation.predicate >= header_.unary &&
                       relation.predicate < out.schema->inputs.size() &&
                       relation.subject < objects && relation.object < objects,
                   "a relation out of range");
        }
    }

    /// Calls back for each predicate once per image that has it.
    template <class Visit>
    void each_name(const SceneSet::Contents& out, Visit visit) const {
        for (std::uint32_t i = 0; i < header_.images; ++i) {
            const auto names = part(out.names, out.name_ends, i);
            for (std::size_t k = 0; k < names.size(); ++k) {
                if (k == 0 || names[k].predicate != names[k - 1].predicate) {
                    visit(names[k].predicate, i);
                }
            }
        }
    }

    void index_names(SceneSet::Contents& out) const {
        std::vector<std::uint32_t> at(header_.unary + std::size_t{1}, 0);
        each_name(out, [&](std::uint32_t p, std::uint32_t /*image*/) { ++at[p + 1]; });
        for (std::size_t p = 1; p < at.size(); ++p) {
            at[p] += at[p - 1];
        }
        out.with_name.resize(at.back());
        each_name(out, [&](std::uint32_t p, std::uint32_t i) { out.with_name[at[p]++] = i; });
        at.pop_back();
        out.with_name_ends = std::move(at);
    }

    std::span<const char> bytes_;
    const std::string& file_;
    Header header_{};
    std::size_t at_ = sizeof(Header);
};

}  // namespace

std::uint64_t file_size(const Header& header) {
    const std::uint64_t predicates = std::uint64_t{header.unary} + header.binary;
    const std::uint64_t numbers =
        3 * std::uint64_t{header.images} + header.targets + predicates + header.images + 2;
    return sizeof(Header) + numbers * sizeof(std::uint32_t) +
           header.names * std::uint64_t{sizeof(SceneLabel)} +
           header.relations * std::uint64_t{sizeof(SceneRelation)} + header.text;
}

SceneSet decode(std::span<const char> bytes, std::shared_ptr<const void> owner,
                const std::string& file) {
    auto contents = std::make_unique<SceneSet::Contents>();
    contents->owner = std::move(owner);
    Decoder(bytes, file).fill(*contents);
    return SceneSet(std::move(contents));
}

SceneSet decode(std::string bytes, const std::string& file) {
    auto owner = std::make_shared<const std::string>(std::move(bytes));
    return decode({owner->data(), owner->size()}, owner, file);
}

}  // namespace hri::scenes
