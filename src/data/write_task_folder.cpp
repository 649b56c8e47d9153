// SPDX-License-Identifier: Apache-2.0

// Task folders: bk.pl, exs.pl and bias.pl.

#include "hri/data.hpp"

#include "base/output_files.hpp"
#include "data/readers/task_files.hpp"
#include "logic/prolog/terms.hpp"

#include <array>
#include <cassert>
#include <charconv>
#include <system_error>

namespace hri {
namespace {

namespace fs = std::filesystem;

/// One instance as text. Constants that got into no line are remembered.
class FolderWriter {
  public:
    FolderWriter(const Problem& problem, const Instance& instance)
        : problem_(problem), instance_(instance) {
        for (int i = 0; i < instance.constants; ++i) {
            names_.push_back(prolog::quoted(instance.name_of(i)));
        }
        mentioned_.assign(names_.size(), false);
    }

    std::string bias() const {
        std::string text = declaration("head_pred", problem_.target());
        for (const PredicateSymbol& input : problem_.inputs()) {
            text += declaration("body_pred", input);
        }
        return text;
    }

    std::string examples() {
        std::string text;
        for (const Label wanted : {Label::positive, Label::negative}) {
            for (std::size_t atom = 0; atom < instance_.labels.size(); ++atom) {
                if (instance_.labels[atom] != wanted) {
                    continue;
                }
                const bool unary = problem_.target().arity < 2;
                text += wanted == Label::positive ? "pos(" : "neg(";
                append_atom(text, problem_.target(), unary ? atom : atom / names_.size(),
                            unary ? 0 : atom % names_.size());
                text += ").\n";
            }
        }
        return text;
    }

    std::string facts() {
        std::string text;
        for (std::size_t input = 0; input < problem_.inputs().size(); ++input) {
            for (const Fact& fact : instance_.facts[input]) {
                if (fact.value != 1.0F) {
                    append_valuation(text, fact.value);
                }
                append_atom(text, problem_.inputs()[input], static_cast<std::size_t>(fact.first),
                            static_cast<std::size_t>(fact.second));
                text += ".\n";
            }
        }
        return text;
    }

    /// To be called last: a comment that names the constants that no line mentions.
    std::string other_constants() const {
        std::string text;
        for (std::size_t i = 0; i < names_.size(); ++i) {
            if (!mentioned_[i]) {
                text += (text.empty() ? "% constants: " : ", ") + names_[i];
            }
        }
        return text.empty() ? text : text + "\n";
    }

  private:
    static std::string declaration(const char* kind, const PredicateSymbol& symbol) {
        return kind + ("(" + prolog::quoted_predicate(symbol.name)) + "," +
               std::to_string(symbol.arity) + ").\n";
    }

    static void append_valuation(std::string& text, float value) {
        std::array<char, 32> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
        text.append(digits.data(), end);
        text += "::";
    }

    void append_atom(std::string& text, const PredicateSymbol& symbol, std::size_t first,
                     std::size_t second) {
        text += prolog::quoted_predicate(symbol.name);
        if (symbol.arity > 0) {
            mentioned_[first] = true;
            text += "(" + names_[first];
            if (symbol.arity > 1) {
                mentioned_[second] = true;
                text += "," + names_[second];
            }
            text += ")";
        }
    }

    const Problem& problem_;
    const Instance& instance_;
    std::vector<std::string> names_;  // as Prolog writes them
    std::vector<bool> mentioned_;
};

}  // namespace

data::TaskFiles data::write_task(const Problem& problem, const Instance& instance) {
    assert(instance.facts.size() == problem.inputs().size());
    FolderWriter writer(problem, instance);
    const std::string examples = writer.examples();
    const std::string facts = writer.facts();
    return {{"bk.pl", writer.other_constants() + facts},
            {"exs.pl", examples},
            TextFile{"bias.pl", writer.bias()},
            problem.name};
}

void write_task_folder(const fs::path& folder, const Problem& problem, const Instance& instance) {
    std::error_code failure;
    fs::create_directories(folder, failure);
    if (failure && !fs::is_directory(folder)) {
        throw Error("cannot make this folder: " + failure.message(), {folder.string()},
                    "check the path and its permissions");
    }
    const data::TaskFiles files = data::write_task(problem, instance);
    for (const data::TextFile& file : {files.background, files.examples, *files.bias}) {
        write_file(folder / file.path, base::head_of_file(base::Language::prolog) + file.text);
    }
}

}  // namespace hri
