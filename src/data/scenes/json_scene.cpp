// SPDX-License-Identifier: Apache-2.0

#include "data/scenes/json_scene.hpp"

#include "hri/files.hpp"

#include "base/run_record.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <simdjson.h>
#include <unordered_map>

namespace hri::scenes {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

/// The place of a byte of the piece.
Place place_of(const std::string& file, const JsonPiece& piece, std::size_t byte) {
    Place place{file, piece.line, piece.column};
    for (std::size_t i = 0; i < std::min(byte, piece.text.size()); ++i) {
        if (piece.text[i] == '\n') {
            ++place.line;
            place.column = 1;
        } else if (base::begins_character(piece.text[i])) {
            ++place.column;
        }
    }
    return place;
}

/// Where a slower reader stumbles, which tells it; 0 where it does not.
std::size_t first_mistake(const std::string& text) {
    try {
        const nlohmann::json parsed = nlohmann::json::parse(text);
        return 0;
    } catch (const nlohmann::json::parse_error& error) {
        return error.byte > 0 ? error.byte - 1 : 0;
    } catch (
        const nlohmann::json::exception&) {  // a number too large, whose place it does not tell
        return 0;
    }
}

}  // namespace

struct SceneReader::Parser {
    Parser(Format of, std::string name, NumberedNames numbered)
        : format(of), file(std::move(name)), names(std::move(numbered)) {}

    Format format;
    std::string file;
    NumberedNames names;
    simdjson::dom::parser json;
    std::string padded;
    const JsonPiece* piece = nullptr;
    RawScene* scene = nullptr;

    [[noreturn]] void fail(const std::string& what) const {
        const std::string image = scene->image.empty() ? "" : "image " + scene->image + ": ";
        throw Error(image + what, place_of(file, *piece, 0));
    }

    template <class T, class From>
    T as(const From& from, const char* what) const {
        T value{};
        if (from.get(value) != simdjson::SUCCESS) {
            fail(fmt::format("expected {}", what));
        }
        return value;
    }

    /// Visits the elements of a list, if there is such a member; anything but a list is a mistake.
    template <class Visit>
    bool each(const object& from, const char* key, Visit visit) const {
        const auto member = from[key];
        if (member.error() != simdjson::SUCCESS) {
            return false;
        }
        for (const element value : as<array>(member, "a list")) {
            visit(value);
        }
        return true;
    }

    element parse() {
        padded.assign(piece->text);
        padded.reserve(padded.size() + simdjson::SIMDJSON_PADDING);
        element root;
        const auto code = json.parse(padded.data(), padded.size(), false).get(root);
        if (code != simdjson::SUCCESS) {
            throw Error(fmt::format("damaged JSON: {}", simdjson::error_message(code)),
                        place_of(file, *piece, first_mistake(piece->text)));
        }
        return root;
    }

    void read_gqa(const object& root) {
        scene->image = piece->key;
        std::unordered_map<std::string_view, std::size_t> ids;
        const auto objects = as<object>(root["objects"], "\"objects\" by their ids");
        for (const auto& [id, value] : objects) {
            const auto name = as<std::string_view>(value["name"], "a \"name\" of each object");
            if (!ids.emplace(id, scene->objects.size()).second) {
                fail(fmt::format("expected one object {}, found two", id));
            }
            scene->objects.push_back({std::string(name)});
            scene->boxes.push_back(box_of(as<object>(value, "objects in braces")));
        }
        for (const auto& [id, value] : objects) {
            const std::size_t subject = ids.at(id);
            each(as<object>(value, "objects in braces"), "relations", [&](const element& relation) {
                const auto name =
                    as<std::string_view>(relation["name"], "a \"name\" of each relation");
                const auto other =
                    as<std::string_view>(relation["object"], "an \"object\" of each relation");
                add_relation(name, subject, find(ids, other));
            });
        }
    }

    /// Objects stand in a list of their own or within relations, and may carry the ids of others
    /// that were merged into them.
    void read_visual_genome(const object& root) {
        std::unordered_map<std::int64_t, std::size_t> ids;
        scene->image =
            std::to_string(as<std::int64_t>(root["image_id"], "a number as \"image_id\""));
        const bool has_objects = each(root, "objects", [&](const element& value) {
            add_object(as<object>(value, "objects in braces"), ids);
        });
        const bool has_relations = each(root, "relationships", [&](const element& value) {
            const auto relation = as<object>(value, "relationships in braces");
            const auto name =
                as<std::string_view>(relation["predicate"], "a \"predicate\" of each relationship");
            const std::size_t subject = end_of(relation, "subject", "subject_id", ids);
            const std::size_t other = end_of(relation, "object", "object_id", ids);
            add_relation(name, subject, other);
        });
        if (!has_objects && !has_relations) {
            fail("expected \"objects\" or \"relationships\"");
        }
    }

    std::size_t add_object(const object& value,
                           std::unordered_map<std::int64_t, std::size_t>& ids) const {
        const auto id = as<std::int64_t>(value["object_id"], "a number as \"object_id\"");
        const auto [place, fresh] = ids.emplace(id, scene->objects.size());
        const std::size_t index = place->second;
        if (!fresh) {
            return index;
        }
        scene->objects.emplace_back();
        scene->boxes.push_back(box_of(value));
        if (!each(value, "names", [&](const element& name) {
                scene->objects.back().emplace_back(
                    as<std::string_view>(name, "texts as \"names\""));
            })) {
            scene->objects.back().emplace_back(
                as<std::string_view>(value["name"], "\"names\" or a \"name\" of each object"));
        }
        each(value, "merged_object_ids", [&](const element& other) {
            ids.emplace(as<std::int64_t>(other, "numbers as \"merged_object_ids\""), index);
        });
        return index;
    }

    std::size_t end_of(const object& relation, const char* inside, const char* by_id,
                       std::unordered_map<std::int64_t, std::size_t>& ids) const {
        object embedded;
        if (relation[inside].get(embedded) == simdjson::SUCCESS) {
            return add_object(embedded, ids);
        }
        return find(ids, as<std::int64_t>(relation[by_id], "both objects of each relationship"));
    }

    void read_clevr(const object& root) {
        scene->image = as<std::string_view>(root["image_filename"], "an \"image_filename\"");
        for (const element value : as<array>(root["objects"], "a list of \"objects\"")) {
            scene->objects.emplace_back();
            scene->boxes.emplace_back();
            for (const char* key : {"color", "shape", "size", "material"}) {
                scene->objects.back().emplace_back(as<std::string_view>(
                    value[key], "a \"color\", \"shape\", \"size\" and \"material\""));
            }
        }
        // "right": [[1, 2], ...] says that 1 and 2 are to the right of 0
        for (const auto& [name, lists] : as<object>(root["relationships"], "\"relationships\"")) {
            std::size_t of = 0;
            for (const element others : as<array>(lists, "a list for each object")) {
                for (const element other : as<array>(others, "a list for each object")) {
                    const auto index = as<std::int64_t>(other, "numbers of objects");
                    const bool known = index >= 0 && static_cast<std::size_t>(index) < count();
                    add_relation(name, known ? static_cast<std::size_t>(index) : count(), of);
                }
                ++of;
            }
        }
    }

    /// A list of relations. An object is told again by each of them: those of one category and box
    /// are one object.
    void read_vrd(const array& relations) {
        scene->image = piece->key;
        std::map<std::pair<std::size_t, Box>, std::size_t> known;
        const auto end_of_relation = [&](const element& relation, const char* key) {
            const auto value =
                as<object>(relation[key], "a \"subject\" and an \"object\" in braces");
            const std::size_t category = numbered(value["category"], names.objects, "category");
            const auto sides = as<array>(value["bbox"], "a \"bbox\" of four numbers");
            std::vector<double> numbers;
            for (const element side : sides)
                numbers.push_back(as<double>(side, "a \"bbox\" of four numbers"));
            if (numbers.size() != 4)
                fail("expected a \"bbox\" of four numbers");
            const Box box{numbers[2], numbers[0], numbers[3], numbers[1]};  // y, y, x, x
            const auto [place, fresh] = known.emplace(std::pair(category, box), count());
            if (fresh) {
                scene->objects.push_back({names.objects[category]});
                scene->boxes.emplace_back(box);
            }
            return place->second;
        };
        for (const element relation : relations) {
            as<object>(relation, "relations in braces");
            const std::size_t predicate =
                numbered(relation["predicate"], names.predicates, "predicate");
            const std::size_t subject = end_of_relation(relation, "subject");
            add_relation(names.predicates[predicate], subject, end_of_relation(relation, "object"));
        }
    }

    template <class From>
    std::size_t numbered(const From& from, const std::vector<std::string>& list,
                         const char* what) const {
        const auto number = as<std::int64_t>(from, fmt::format("a number as \"{}\"", what).c_str());
        if (number < 0 || static_cast<std::size_t>(number) >= list.size())
            fail(fmt::format("expected a {} below {}, found {}", what, list.size(), number));
        return static_cast<std::size_t>(number);
    }

    /// GQA's and Visual Genome's x, y, w and h, where all are there.
    static std::optional<Box> box_of(const object& value) {
        double x = 0, y = 0, w = 0, h = 0;
        if (value["x"].get(x) != simdjson::SUCCESS || value["y"].get(y) != simdjson::SUCCESS ||
            value["w"].get(w) != simdjson::SUCCESS || value["h"].get(h) != simdjson::SUCCESS)
            return std::nullopt;
        return Box{x, y, x + w, y + h};
    }

    std::size_t count() const { return scene->objects.size(); }

    template <class Id>
    std::size_t find(const std::unordered_map<Id, std::size_t>& ids, Id id) const {
        const auto found = ids.find(id);
        return found == ids.end() ? count() : found->second;
    }

    void add_relation(std::string_view name, std::size_t subject, std::size_t other) const {
        if (subject < count() && other < count()) {
            scene->relations.push_back({std::string(name), subject, other});
        } else {
            ++scene->unknown;
        }
    }
};

std::vector<std::string> read_name_list(const std::filesystem::path& path) {
    const nlohmann::json list = base::parse_json(read_file(path), path.string());
    if (!list.is_array() || list.empty() ||
        !std::all_of(list.begin(), list.end(), [](const auto& name) { return name.is_string(); }))
        throw Error("expected a JSON list of names", {path.string()},
                    "as in: [\"person\", \"sky\"]");
    return list.get<std::vector<std::string>>();
}

SceneReader::SceneReader(Format format, std::string file, NumberedNames names)
    : parser_(std::make_unique<Parser>(format, std::move(file), std::move(names))) {}

SceneReader::~SceneReader() = default;

bool SceneReader::read(const JsonPiece& piece, RawScene& scene) {
    scene.image.clear();
    scene.objects.clear();
    scene.boxes.clear();
    scene.relations.clear();
    scene.unknown = 0;
    parser_->piece = &piece;
    parser_->scene = &scene;
    const element root = parser_->parse();
    if (parser_->format == Format::clevr && piece.key != "scenes") {
        return false;
    }
    if (parser_->format == Format::vrd) {
        parser_->read_vrd(parser_->as<array>(root, "a list of relations"));
        return true;
    }
    const auto members = parser_->as<object>(root, "a scene in braces");
    switch (parser_->format) {
        case Format::gqa:
            parser_->read_gqa(members);
            break;
        case Format::visual_genome:
            parser_->read_visual_genome(members);
            break;
        case Format::clevr:
            parser_->read_clevr(members);
            break;
        case Format::vrd:
            break;
    }
    return true;
}

}  // namespace hri::scenes
