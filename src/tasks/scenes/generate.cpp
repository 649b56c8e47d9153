// SPDX-License-Identifier: Apache-2.0

// Synthetic scenes: a planted rule's body or a thing, then related things around it; in the end the
// planted rules say which objects have planted names.

#include "hri/scenes.hpp"

#include "data/scenes/contents.hpp"
#include "tasks/scenes/calibration.hpp"
#include "tasks/scenes/planted.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace hri {
namespace scenes {
namespace {

constexpr double kMeetsAgain = 0.3;  // a partner that the image has already
constexpr int kTries = 20;           // to draw an image of which no object has two planted names
constexpr std::uint32_t kNone = UINT32_MAX;

class Generator {
  public:
    explicit Generator(const GenerateOptions& options)
        : options_(options),
          world_(scenes::calibrate(options)),
          planted_(options.planted.empty() ? default_planted_rules() : options.planted,
                   world_.predicates, world_.unary),
          random_(options.seed, Random::kData) {
        for (const std::uint32_t target : planted_.targets()) {
            if (std::find(world_.targets.begin(), world_.targets.end(), target) ==
                world_.targets.end()) {
                world_.targets.push_back(target);
            }
        }
        bool plain = false;
        for (std::uint32_t name = 0; name < world_.unary; ++name) {
            plain = plain || (!planted_.is_target(name) && !planted_.is_used(name));
        }
        if (!plain) {
            throw Error("planted rules: expected some names that they do not speak of");
        }
        instance_.schema = make_schema(world_.predicates, {"", 1});
    }

    const scenes::Calibration& world() const { return world_; }

    SceneData draw(std::size_t number) {
        for (int tries = 0; tries < kTries; ++tries) {
            draw_facts();
            evaluate();
            if (!has_two_planted_names()) {
                break;
            }
        }
        if (options_.noise > 0) {
            make_noise();
        }
        return {fmt::format("synthetic-{}", number), static_cast<int>(looks_.size()), names_,
                relations_};
    }

  private:
    void draw_facts() {
        looks_.clear();
        names_.clear();
        relations_.clear();
        const auto wanted = static_cast<std::size_t>(world_.draw_size(random_));
        if (random_.chance(options_.planted_share)) {
            const auto& targets = planted_.targets();
            const std::uint32_t target =
                targets[static_cast<std::size_t>(random_.below(static_cast<int>(targets.size())))];
            plant(target, random_.chance(options_.near_misses));
        } else {
            add_object(world_.names.draw(random_));
        }
        for (int tries = 0; relations_.size() < wanted && tries < 100; ++tries) {
            relate();
        }
    }

    std::size_t room() const {
        const auto most = static_cast<std::size_t>(options_.max_objects);
        return most > looks_.size() ? most - looks_.size() : 0;
    }

    std::uint32_t any_object() {
        return static_cast<std::uint32_t>(random_.below(static_cast<int>(looks_.size())));
    }

    /// A name that no rule speaks of.
    std::uint32_t plain_name() {
        while (true) {
            const std::uint32_t name = world_.names.draw(random_);
            if (!planted_.is_target(name) && !planted_.is_used(name)) {
                return name;
            }
        }
    }

    std::uint32_t draw_unplanted() {
        while (true) {
            const std::uint32_t name = world_.names.draw(random_);
            if (!planted_.is_target(name)) {
                return name;
            }
        }
    }

    /// The first of the objects that a name needs; kNone where there is no room.
    std::uint32_t add_object(std::uint32_t name) {
        if (planted_.is_target(name)) {
            return plant(name, false);
        }
        if (room() == 0) {
            return kNone;
        }
        looks_.push_back(name);
        names_.push_back({name, static_cast<std::uint32_t>(looks_.size() - 1)});
        return static_cast<std::uint32_t>(looks_.size() - 1);
    }

    /// The objects of a rule's body; a near miss has another name or relation, or one turned round.
    std::uint32_t plant(std::uint32_t target, bool near_miss) {
        scenes::Planted::Body body = planted_.draw_body(target, random_);
        if (body.objects > room()) {
            return kNone;
        }
        if (near_miss) {
            change(body);
        }
        const auto first = static_cast<std::uint32_t>(looks_.size());
        looks_.resize(looks_.size() + body.objects, kNone);
        for (SceneLabel name : body.names) {
            name.object += first;
            looks_[name.object] = name.predicate;
            names_.push_back(name);
        }
        for (SceneRelation relation : body.relations) {
            relation.subject += first;
            relation.object += first;
            relations_.push_back(relation);
        }
        for (std::uint32_t o = first; o < looks_.size(); ++o) {
            if (looks_[o] != kNone) {
                continue;
            }
            const bool is_head = o == first && !near_miss;
            looks_[o] = is_head ? target : o == first ? plain_name() : draw_unplanted();
            if (!is_head) {
                names_.push_back({looks_[o], o});
            }
        }
        return first;
    }

    void change(scenes::Planted::Body& body) {
        const int atoms = static_cast<int>(body.names.size() + body.relations.size());
        if (atoms == 0) {
            return;
        }
        const auto at = static_cast<std::size_t>(random_.below(atoms));
        if (at < body.names.size()) {
            body.names[at].predicate = draw_unplanted();
            return;
        }
        SceneRelation& relation = body.relations[at - body.names.size()];
        if (random_.chance(0.5)) {
            std::swap(relation.subject, relation.object);
        } else {
            relation.predicate = world_.unary + world_.relations.draw(random_);
        }
    }

    /// One more relation, to something new or to something that is there.
    void relate() {
        const std::uint32_t from = looks_.empty() ? kNone : any_object();
        if (from == kNone) {
            add_object(world_.names.draw(random_));
            return;
        }
        const scenes::Link link = world_.draw_link(looks_[from], random_);
        std::uint32_t to = kNone;
        const auto same = std::find(looks_.begin(), looks_.end(), link.partner);
        if (same != looks_.end() && random_.chance(kMeetsAgain)) {
            to = static_cast<std::uint32_t>(same - looks_.begin());
        } else {
            to = add_object(link.partner);
        }
        if (to == kNone) {
            to = any_object();
        }
        if (to != from) {
            relations_.push_back(
                {link.relation, link.outwards ? from : to, link.outwards ? to : from});
        }
    }

    bool is_planted(std::uint32_t object) const {
        return std::any_of(names_.begin(), names_.end(), [&](const SceneLabel& name) {
            return name.object == object && planted_.is_target(name.predicate);
        });
    }

    bool has_two_planted_names() const {
        std::vector<bool> seen(looks_.size(), false);
        for (const SceneLabel& name : names_) {
            if (planted_.is_target(name.predicate)) {
                if (seen[name.object]) {
                    return true;
                }
                seen[name.object] = true;
            }
        }
        return false;
    }

    /// A planted name takes the place of one that no rule asks for.
    void give(std::uint32_t target, std::uint32_t object) {
        std::erase_if(names_, [&](const SceneLabel& name) {
            return name.object == object && !planted_.is_target(name.predicate) &&
                   !planted_.is_used(name.predicate);
        });
        names_.push_back({target, object});
    }

    void evaluate() {
        instance_.reset(static_cast<int>(looks_.size()), Label::unlabelled);
        for (const auto& [predicate, object] : names_) {
            instance_.facts[predicate].push_back({static_cast<std::int32_t>(object)});
        }
        for (const auto& [predicate, subject, object] : relations_) {
            instance_.facts[predicate].push_back(
                {static_cast<std::int32_t>(subject), static_cast<std::int32_t>(object)});
        }
        planted_.evaluate(instance_, [&](std::uint32_t target, const Truth& truth) {
            for (std::uint32_t o = 0; o < truth.size(); ++o) {
                if (truth[o] != 0) {
                    give(target, o);
                }
            }
        });
    }

    /// Some planted names move to another object of the image, one that had none.
    void make_noise() {
        const std::vector<SceneLabel> before = names_;
        std::vector<std::uint32_t> others;
        for (std::uint32_t o = 0; o < looks_.size(); ++o) {
            if (!is_planted(o)) {
                others.push_back(o);
            }
        }
        random_.shuffle(others);
        for (const SceneLabel& name : before) {
            if (others.empty() || !planted_.is_target(name.predicate) ||
                !random_.chance(options_.noise)) {
                continue;
            }
            std::erase(names_, name);
            const bool nameless =
                std::none_of(names_.begin(), names_.end(),
                             [&](const SceneLabel& n) { return n.object == name.object; });
            if (nameless) {
                names_.push_back({plain_name(), name.object});
            }
            give(name.predicate, others.back());
            others.pop_back();
        }
    }

    const GenerateOptions& options_;
    scenes::Calibration world_;
    scenes::Planted planted_;
    Random random_;
    std::vector<std::uint32_t> looks_;  // [object] the name by which things are related to it
    std::vector<SceneLabel> names_;
    std::vector<SceneRelation> relations_;
    Instance instance_;
};

}  // namespace
}  // namespace scenes

SceneSet generate_scenes(const GenerateOptions& options,
                         const std::function<void(std::size_t)>& progress) {
    if (!(options.noise >= 0 && options.noise <= 1) || options.max_objects < 2) {
        throw Error("expected a noise of 0 to 1, and images of 2 objects and more");
    }
    scenes::Generator generator(options);
    scenes::Encoder encoder(generator.world().predicates, generator.world().targets);
    for (std::size_t i = 0; i < options.images; ++i) {
        encoder.add(generator.draw(i));
        if (progress) {
            progress(i + 1);
        }
    }
    const SceneOrigin origin{
        fmt::format(
            "generated, seed {}{}{}", options.seed,
            options.lists.name_counts.empty() ? "" : ", names as frequent as given",
            options.sample == nullptr ? "" : ", related as in " + options.sample->origin().source),
        true, options.noise, options.planted.empty() ? default_planted_rules() : options.planted};
    return scenes::decode(encoder.finish(origin), "<generated>");
}

}  // namespace hri
