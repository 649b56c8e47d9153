// SPDX-License-Identifier: Apache-2.0
// The session in the studio's folder: what is open, what the user demands, and the checkpoint.

#include "hri/files.hpp"

#include "base/run_record.hpp"
#include "learned.hpp"

#include <fmt/format.h>

namespace hri::studio {

namespace fs = std::filesystem;

namespace {

constexpr const char* kSessionKind = "hri studio session";

}  // namespace

/// With the mutex held.
void Workspace::save() const {
    Json session = {{"kind", kSessionKind}, {"format", 1}};
    session["source"] = data_ ? data_->source : "";
    session["target"] = data_ ? data_->target : "";
    session["targets"] = data_ ? data_->targets : std::vector<std::string>{};
    session["closed_world"] = data_ && data_->closed_world;
    session["kind_of_data"] = data_ ? data_->kind() : "";
    session["phase"] = to_string(run_.phase);
    session["wishes"] = wishes_;
    session["constraints"] = constraints_json(constraints_);
    session["labels"] = labels_;
    session["outdated"] = is_outdated_;
    session["program"] = learned_                ? to_prolog(learned_->report.program)
                         : data_ && data_->world ? data_->world->learned()
                                                 : "";
    session["program_targets"] = Json::array();
    if (learned_) {
        for (const TargetPart& part : learned_->parts) {
            session["program_targets"].push_back(target_name(*part.data));
        }
    }
    try {
        write_file(folder_ / "session.json",
                   session.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
        if (!checkpoint_.empty()) {
            write_file(folder_ / "run.checkpoint", checkpoint_);
        } else {
            std::error_code ignored;  // most often there is none
            fs::remove(folder_ / "run.checkpoint", ignored);
        }
    } catch (const Error& error) {
        fmt::print(stderr, "hri: warning: the session is not kept: {}\n", error.what());
    }
}

void Workspace::restore_world(const Json& session, const std::string& checkpoint) {
    const std::string learned = session.at("program");
    if (!learned.empty()) {
        world()->restore(learned);
    }
    const std::string phase = session.at("phase");
    const std::lock_guard lock(mutex_);
    checkpoint_ = checkpoint;
    wishes_ = session.at("wishes");
    if (phase == "running" || phase == "stopping") {
        run_.phase = RunState::Phase::interrupted;
    }
    save();
}

/// Data that are opened for one target do not tell of the others.
void Workspace::restore_targets(std::vector<std::string> targets) {
    const std::lock_guard lock(mutex_);
    if (targets.size() > data_->targets.size()) {
        auto data = std::make_shared<OpenData>(*data_);
        data->targets = std::move(targets);
        data_ = std::move(data);
    }
}

void Workspace::restore() {
    const fs::path file = folder_ / "session.json";
    if (!fs::exists(file)) {
        return;
    }
    try {
        const Json session = base::parse_json(read_file(file), file.string());
        if (session.value("kind", "") != kSessionKind || session.value("source", "").empty()) {
            return;
        }
        const std::string source = session.at("source");
        const std::string checkpoint = fs::exists(folder_ / "run.checkpoint")
                                           ? read_file(folder_ / "run.checkpoint")
                                           : std::string{};
        const std::string target = session.at("target");
        const std::string kind = session.value("kind_of_data", "relations");
        const bool has_target = kind == "relations" && !source.starts_with("task:");
        open({source, has_target ? target : "", session.value("closed_world", false)});
        restore_targets(session.value("targets", std::vector<std::string>{}));
        if (kind != "relations") {
            restore_world(session, checkpoint);
            return;
        }
        for (const auto& [atom, positive] :
             session.at("labels").get<std::vector<std::pair<std::string, bool>>>()) {
            label(atom, positive);
        }
        constrain(session.at("constraints"));
        const std::string phase = session.at("phase");
        const std::string program = session.at("program");
        const std::shared_ptr<const OpenData> data = opened();
        std::shared_ptr<const Learned> before;
        if (!program.empty()) {
            before = learned_again(
                *data, read_parts(session.value("program_targets", std::vector<std::string>{})),
                program);
        }
        const std::lock_guard lock(mutex_);
        learned_ = std::move(before);
        is_outdated_ = session.value("outdated", false);
        checkpoint_ = checkpoint;
        wishes_ = session.at("wishes");
        if (phase == "running" || phase == "stopping") {
            run_.phase = RunState::Phase::interrupted;
        }
        save();
    } catch (const std::exception& error) {
        fmt::print(stderr, "hri: warning: the last session cannot be opened again: {}\n",
                   error.what());
    }
}

}  // namespace hri::studio
