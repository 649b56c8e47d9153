// SPDX-License-Identifier: Apache-2.0
#pragma once

// The compact form of a SceneSet, the same in memory and in a file. A header whose counts give the
// place of everything else, then arrays of 32-bit numbers, then text:
//
//   header
//   objects         [images]          how many the image has
//   name_ends       [images]          where its names and relations end
//   relation_ends   [images]
//   targets         [targets]
//   text_ends       [predicates + images + 2]   predicates, images, source, planted rules
//   names           [names]           2 numbers each
//   relations       [relations]       3 numbers each
//   text            [text]            bytes

#include "hri/scenes.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace hri {

namespace scenes {

constexpr std::uint32_t kFileVersion = 1;
constexpr std::uint32_t kOrder = 0x01020304;
constexpr std::uint32_t kMaxObjects = 1'000'000;  // of an image

struct Header {
    std::array<char, 8> magic;  // "hriscene"
    std::uint32_t version;
    std::uint32_t order;     // kOrder, written as this machine writes numbers
    std::uint64_t checksum;  // of everything after it
    std::uint64_t size;      // of the file
    std::uint32_t unary;
    std::uint32_t binary;
    std::uint32_t images;
    std::uint32_t targets;
    std::uint32_t names;
    std::uint32_t relations;
    std::uint32_t text;
    std::uint32_t synthetic;  // 0 or 1
    double noise;
};

static_assert(sizeof(Header) == 72);

/// What the header's counts need.
std::uint64_t file_size(const Header& header);

/// The checksum of everything behind it.
std::uint64_t checksum(std::span<const char> file);

/// Collects scenes, one after the other, into the compact form.
class Encoder {
  public:
    Encoder(std::vector<PredicateSymbol> predicates, std::vector<std::uint32_t> targets);
    /// Sorts and removes duplicates. Throws Error where ids are out of range.
    void add(SceneData scene);
    std::string finish(const SceneOrigin& origin);

  private:
    std::uint32_t text(std::string_view text);

    std::vector<PredicateSymbol> predicates_;
    std::uint32_t unary_ = 0;
    std::vector<std::uint32_t> targets_;
    std::vector<std::uint32_t> objects_, name_ends_, relation_ends_, text_ends_;
    std::vector<SceneLabel> names_;
    std::vector<SceneRelation> relations_;
    std::string text_;
};

/// Bytes that live as long as `owner`, aligned to 8. Throws Error unless all of it is sound.
SceneSet decode(std::span<const char> bytes, std::shared_ptr<const void> owner,
                const std::string& file);
/// Takes the bytes over.
SceneSet decode(std::string bytes, const std::string& file);

}  // namespace scenes

struct SceneSet::Contents {
    std::shared_ptr<const void> owner;
    std::span<const char> bytes;
    SharedSchema schema;  // predicates; the target is unary and has no name
    std::uint32_t unary = 0;
    SceneOrigin origin;
    std::span<const std::uint32_t> objects, name_ends, relation_ends, targets, text_ends;
    std::span<const SceneLabel> names;
    std::span<const SceneRelation> relations;
    std::string_view text;
    std::vector<std::uint32_t> with_name;       // images, predicate after predicate
    std::vector<std::uint32_t> with_name_ends;  // [unary]
};

namespace scenes {

/// The i-th part of what `ends` cut.
template <class T>
std::span<const T> part(std::span<const T> all, std::span<const std::uint32_t> ends,
                        std::size_t i) {
    const std::uint32_t begin = i == 0 ? 0 : ends[i - 1];
    return all.subspan(begin, ends[i] - begin);
}

/// Predicates' names, images, source and planted rules.
inline std::string_view text_of(const SceneSet::Contents& contents, std::size_t i) {
    const std::uint32_t begin = i == 0 ? 0 : contents.text_ends[i - 1];
    return contents.text.substr(begin, contents.text_ends[i] - begin);
}

}  // namespace scenes

}  // namespace hri
