// SPDX-License-Identifier: Apache-2.0
#pragma once

// A task folder as its three texts.

#include "hri/data.hpp"

#include "data/scratch_folder.hpp"

#include <optional>
#include <string>

namespace hri::test {

struct FolderTexts {
    std::string bk = "parent(ann,bob).\nparent(bob,cleo).\n";
    std::string exs = "pos(grandparent(ann,cleo)).\nneg(grandparent(ann,bob)).\n";
    std::optional<std::string> bias = "head_pred(grandparent,2).\nbody_pred(parent,2).\n";

    void write_to(const std::filesystem::path& folder) const {
        write_file(folder / "bk.pl", bk);
        write_file(folder / "exs.pl", exs);
        if (bias) {
            write_file(folder / "bias.pl", *bias);
        }
    }

    Problem read(const ReadOptions& options = {}) const {
        const ScratchFolder folder;
        write_to(folder.path());
        return read_task_folder(folder.path(), options);
    }

    /// The error without the folder's own path, or "no error".
    std::string error(const ReadOptions& options = {}) const {
        const ScratchFolder folder;
        write_to(folder.path());
        try {
            read_task_folder(folder.path(), options);
        } catch (const Error& error) {
            return without(error.what(), folder.path().string() + "/");
        }
        return "no error";
    }

    static std::string without(std::string text, const std::string& part) {
        for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part)) {
            text.erase(at, part.size());
        }
        return text;
    }
};

}  // namespace hri::test
