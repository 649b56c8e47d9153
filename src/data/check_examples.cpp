// SPDX-License-Identifier: Apache-2.0
#include "data/check_examples.hpp"

#include "hri/fields.hpp"

#include "logic/prolog/terms.hpp"

#include <algorithm>

namespace hri::data {
namespace {

constexpr std::size_t kShown = 3;
constexpr std::size_t kMaxCompared = 20'000;  // names

/// The constants that facts of the inputs have.
std::vector<bool> mentioned(const RawDataset& data, const std::vector<int>& inputs) {
    std::vector<bool> known(static_cast<std::size_t>(data.constants.size()), false);
    for (const int index : inputs) {
        for (const std::int32_t cell : data.tables[static_cast<std::size_t>(index)].cells) {
            known[static_cast<std::size_t>(cell)] = true;
        }
    }
    for (const std::int32_t constant : data.extra_constants) {
        known[static_cast<std::size_t>(constant)] = true;
    }
    return known;
}

/// " (did you mean anna?)", or nothing where no name is like it.
std::string like(const std::string& name, const std::vector<std::string>& names) {
    if (names.empty() || names.size() > kMaxCompared || name.size() < 2) {
        return "";
    }
    const std::string other = nearest(name, names);
    const std::size_t longer = std::max(name.size(), other.size());
    std::size_t same = 0;  // at the front and at the back
    while (same < std::min(name.size(), other.size()) && name[same] == other[same]) {
        ++same;
    }
    std::size_t back = 0;
    while (back < std::min(name.size(), other.size()) - same &&
           name[name.size() - 1 - back] == other[other.size() - 1 - back]) {
        ++back;
    }
    return longer - same - back <= 2 ? " (did you mean " + prolog::quoted(other) + "?)" : "";
}

}  // namespace

void warn_about_examples(const RawDataset& data, int target, const std::vector<int>& inputs,
                         std::vector<std::string>& warnings) {
    const bool no_facts = std::all_of(inputs.begin(), inputs.end(), [&](int index) {
        return data.tables[static_cast<std::size_t>(index)].rows() == 0;
    });
    if (no_facts) {
        const std::string message = inputs.empty() ? "there are no inputs: rules have nothing to "
                                                     "be made of"
                                                   : "there are no facts of the inputs";
        if (inputs.empty() || data.bodies.empty()) {  // declared ones are told one by one
            warnings.push_back(warning_at({data.no_examples.file}, message));
        }
        return;
    }
    const std::vector<bool> known = mentioned(data, inputs);
    std::vector<std::string> names;
    for (std::size_t id = 0; id < known.size(); ++id) {
        if (known[id]) {
            names.push_back(data.constants.name(static_cast<std::int32_t>(id)));
        }
    }
    std::vector<bool> told(known.size(), false);
    std::size_t count = 0;
    std::string text;
    Place place;
    for (const RawDataset::Example& example : data.examples) {
        if (example.table != target || example.held_out) {
            continue;
        }
        for (const std::int32_t constant : data.cells(example)) {
            const auto id = static_cast<std::size_t>(constant);
            if (known[id] || told[id]) {
                continue;
            }
            told[id] = true;
            if (count == 0) {
                place = data.place(example);
            }
            if (++count <= kShown) {
                const std::string& name = data.constants.name(constant);
                text += (text.empty() ? "" : ", ") + prolog::quoted(name) + like(name, names);
            }
        }
    }
    if (count > 0) {
        warnings.push_back(warning_at(
            place,
            std::string(count == 1 ? "no fact has this constant of an example: "
                                   : "no fact has these constants of examples: ") +
                text +
                (count > kShown ? ", and " + std::to_string(count - kShown) + " more" : "")));
    }
}

}  // namespace hri::data
