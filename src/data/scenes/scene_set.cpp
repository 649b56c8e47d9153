// SPDX-License-Identifier: Apache-2.0

// Scenes in memory and in mapped files; one image as an instance.

#include "hri/scenes.hpp"

#include "data/scenes/contents.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <numeric>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace hri {
namespace {

[[noreturn]] void cannot_read(const std::filesystem::path& path, int code) {
    throw Error("cannot read: " + std::generic_category().message(code), {path.string()},
                "check the path");
}

/// A whole file in memory, read only.
class Mapping {
  public:
    explicit Mapping(const std::filesystem::path& path) {
        const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (file < 0) {
            cannot_read(path, errno);
        }

        struct stat status {};

        int code = fstat(file, &status) == 0 ? 0 : errno;
        if (code == 0 && !S_ISREG(status.st_mode)) {
            code = S_ISDIR(status.st_mode) ? EISDIR : ESPIPE;
        }
        if (code == 0 && status.st_size > 0) {
            size_ = static_cast<std::size_t>(status.st_size);
            begin_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
            code = begin_ == MAP_FAILED ? errno : 0;
        }
        close(file);
        if (code != 0) {
            begin_ = MAP_FAILED;
            cannot_read(path, code);
        }
    }

    ~Mapping() {
        if (begin_ != MAP_FAILED) {
            munmap(begin_, size_);
        }
    }

    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;

    std::span<const char> bytes() const {
        return begin_ == MAP_FAILED
                   ? std::span<const char>{}
                   : std::span<const char>{static_cast<const char*>(begin_), size_};
    }

  private:
    void* begin_ = MAP_FAILED;
    std::size_t size_ = 0;
};

}  // namespace

SceneSet::SceneSet() : SceneSet(make_scenes({}, {})) {}

SceneSet::SceneSet(std::unique_ptr<const Contents> contents) : contents_(std::move(contents)) {}

SceneSet::SceneSet(SceneSet&&) noexcept = default;
SceneSet& SceneSet::operator=(SceneSet&&) noexcept = default;
SceneSet::~SceneSet() = default;

const std::vector<PredicateSymbol>& SceneSet::predicates() const { return schema()->inputs; }

const SharedSchema& SceneSet::schema() const { return contents_->schema; }

std::size_t SceneSet::size() const { return contents_->objects.size(); }

std::uint32_t SceneSet::unary() const { return contents_->unary; }

std::span<const std::uint32_t> SceneSet::targets() const { return contents_->targets; }

const SceneOrigin& SceneSet::origin() const { return contents_->origin; }

std::span<const char> SceneSet::bytes() const { return contents_->bytes; }

Scene SceneSet::operator[](std::size_t i) const {
    const Contents& c = *contents_;
    return {scenes::text_of(c, c.schema->inputs.size() + i), static_cast<int>(c.objects[i]),
            scenes::part(c.names, c.name_ends, i), scenes::part(c.relations, c.relation_ends, i)};
}

std::span<const std::uint32_t> SceneSet::with_name(std::uint32_t predicate) const {
    return scenes::part(std::span<const std::uint32_t>(contents_->with_name),
                        std::span<const std::uint32_t>(contents_->with_name_ends), predicate);
}

SceneSet make_scenes(std::vector<PredicateSymbol> predicates,
                     const std::vector<SceneData>& scenes) {
    const auto unary = std::count_if(predicates.begin(), predicates.end(),
                                     [](const PredicateSymbol& p) { return p.arity == 1; });
    std::vector<std::uint32_t> targets(static_cast<std::size_t>(unary));
    std::iota(targets.begin(), targets.end(), 0U);
    return make_scenes(std::move(predicates), scenes, std::move(targets), {"memory"});
}

SceneSet make_scenes(std::vector<PredicateSymbol> predicates, const std::vector<SceneData>& scenes,
                     std::vector<std::uint32_t> targets, SceneOrigin origin) {  // NOLINT
    scenes::Encoder encoder(std::move(predicates), std::move(targets));
    for (const SceneData& scene : scenes) {
        encoder.add(scene);
    }
    return scenes::decode(encoder.finish(origin), "<memory>");
}

SceneSet open_scenes(const std::filesystem::path& path) {
    auto mapping = std::make_shared<const Mapping>(path);
    const std::span<const char> bytes = mapping->bytes();
    return scenes::decode(bytes, std::move(mapping), path.string());
}

void write_scenes(const std::filesystem::path& path, const SceneSet& scenes) {
    const std::span<const char> bytes = scenes.bytes();
    write_file(path, {bytes.data(), bytes.size()});
}

Instance scene_instance(const SceneSet& scenes, std::size_t i, std::uint32_t target) {
    const Scene scene = scenes[i];
    Instance instance = make_instance(scenes.schema(), scene.objects, Label::negative);
    for (const auto& [predicate, object] : scene.names) {
        if (predicate == target) {
            instance.labels[object] = Label::positive;
        } else {
            instance.facts[predicate].push_back({static_cast<std::int32_t>(object), 0, 1.0F});
        }
    }
    for (const auto& [predicate, subject, object] : scene.relations) {
        instance.facts[predicate].push_back(
            {static_cast<std::int32_t>(subject), static_cast<std::int32_t>(object), 1.0F});
    }
    return instance;
}

std::uint32_t scene_target(const SceneSet& scenes, const std::string& name) {
    const auto& predicates = scenes.predicates();
    const auto end = predicates.begin() + scenes.unary();
    const auto found = std::find_if(predicates.begin(), end,
                                    [&](const PredicateSymbol& p) { return p.name == name; });
    if (found == end) {
        throw Error(fmt::format("these scenes have no name '{}'", name), {},
                    "{open_scenes()} lists their names");
    }
    return static_cast<std::uint32_t>(found - predicates.begin());
}

}  // namespace hri
