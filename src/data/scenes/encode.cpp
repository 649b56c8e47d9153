// SPDX-License-Identifier: Apache-2.0

// From scenes to their compact form.

#include "data/scenes/contents.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <limits>

namespace hri::scenes {
namespace {

template <class T>
void append(std::string& bytes, const std::vector<T>& values) {
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

template <class T>
void sort_unique(std::vector<T>& values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

template <class T>
std::uint32_t count(const std::vector<T>& values) {
    if (values.size() > std::numeric_limits<std::uint32_t>::max()) {
        throw Error("more facts or images than a file of scenes can hold", {},
                    "build several files");
    }
    return static_cast<std::uint32_t>(values.size());
}

}  // namespace

std::uint64_t checksum(std::span<const char> file) {
    constexpr std::size_t kBegin = offsetof(Header, checksum) + sizeof(Header::checksum);
    std::uint64_t sum = 0xcbf29ce484222325U;
    for (std::size_t i = kBegin; i < file.size(); i += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, file.data() + i, std::min(sizeof word, file.size() - i));
        sum = (sum ^ word) * 0x100000001b3U;
        sum ^= sum >> 32U;
    }
    return sum;
}

Encoder::Encoder(std::vector<PredicateSymbol> predicates, std::vector<std::uint32_t> targets)
    : predicates_(std::move(predicates)), targets_(std::move(targets)) {
    while (unary_ < predicates_.size() && predicates_[unary_].arity == 1) {
        ++unary_;
    }
    for (std::size_t p = 0; p < predicates_.size(); ++p) {
        if (predicates_[p].arity != (p < unary_ ? 1 : 2)) {
            throw Error(fmt::format("expected unary predicates, then binary ones, found {}/{}",
                                    predicates_[p].name, predicates_[p].arity));
        }
        text_ends_.push_back(text(predicates_[p].name));
    }
    for (const std::uint32_t target : targets_) {
        if (target >= unary_) {
            throw Error(
                fmt::format("expected a unary predicate as target, found number {}", target));
        }
    }
}

std::uint32_t Encoder::text(std::string_view text) {
    if (text_.size() + text.size() > std::numeric_limits<std::uint32_t>::max()) {
        throw Error("more text than a file of scenes can hold", {}, "build several files");
    }
    text_ += text;
    return static_cast<std::uint32_t>(text_.size());
}

void Encoder::add(SceneData scene) {
    const auto objects = static_cast<std::uint32_t>(std::max(scene.objects, 0));
    const auto fail = [&](const std::string& what) {
        throw Error(fmt::format("image {}: {}", scene.image, what));
    };
    for (const SceneLabel& name : scene.names) {
        if (name.predicate >= unary_ || name.object >= objects) {
            fail(fmt::format("no name {} of an object {}", name.predicate, name.object));
        }
    }
    for (const SceneRelation& relation : scene.relations) {
        if (relation.predicate < unary_ || relation.predicate >= predicates_.size() ||
            relation.subject >= objects || relation.object >= objects) {
            fail(fmt::format("no relation {} of objects {} and {}", relation.predicate,
                             relation.subject, relation.object));
        }
    }
    sort_unique(scene.names);
    sort_unique(scene.relations);
    names_.insert(names_.end(), scene.names.begin(), scene.names.end());
    relations_.insert(relations_.end(), scene.relations.begin(), scene.relations.end());
    objects_.push_back(objects);
    name_ends_.push_back(count(names_));
    relation_ends_.push_back(count(relations_));
    text_ends_.push_back(text(scene.image));
}

std::string Encoder::finish(const SceneOrigin& origin) {
    text_ends_.push_back(text(origin.source));
    text_ends_.push_back(text(origin.planted));
    Header header{{'h', 'r', 'i', 's', 'c', 'e', 'n', 'e'},
                  kFileVersion,
                  kOrder,
                  0,
                  0,
                  unary_,
                  static_cast<std::uint32_t>(predicates_.size()) - unary_,
                  count(objects_),
                  count(targets_),
                  count(names_),
                  count(relations_),
                  static_cast<std::uint32_t>(text_.size()),
                  origin.synthetic ? 1U : 0U,
                  origin.noise};
    header.size = file_size(header);
    std::string bytes;
    bytes.reserve(header.size);
    bytes.append(reinterpret_cast<const char*>(&header), sizeof header);
    for (const auto* numbers : {&objects_, &name_ends_, &relation_ends_, &targets_, &text_ends_}) {
        append(bytes, *numbers);
    }
    append(bytes, names_);
    append(bytes, relations_);
    bytes += text_;
    const std::uint64_t sum = checksum(bytes);
    std::memcpy(bytes.data() + offsetof(Header, checksum), &sum, sizeof sum);
    return bytes;
}

}  // namespace hri::scenes
