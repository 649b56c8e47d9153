// SPDX-License-Identifier: Apache-2.0
#include "option_flags.hpp"

#include "hypotheses/options_file.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace hri::cli {

void OptionFlags::add_to(CLI::App& command, const Options& defaults) {
    command.add_option("--config", config_, "TOML file with any of the options below")
        ->option_text("FILE");
    const std::vector<OptionField>& fields = option_fields();
    values_.resize(fields.size());
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const OptionField& field = fields[i];
        std::string flag = "--" + field.name;
        std::replace(flag.begin(), flag.end(), '_', '-');
        std::string help = field.help;
        if (!field.choices.empty()) {
            help += fmt::format(" ({})", fmt::join(field.choices, ", "));
        }
        const bool is_switch =
            field.kind == OptionField::Kind::boolean && field.get(defaults) == "false";
        CLI::Option* option = is_switch ? command.add_flag(flag, values_[i], help)
                                        : command.add_option(flag, values_[i], help);
        option->group(field.group)->option_text("[" + field.get(defaults) + "]")->take_last();
        options_.push_back(option);
    }
}

Options OptionFlags::apply(const Options& base) const {
    Options options = config_.empty() ? base : hypotheses::read_options(config_, base);
    for (std::size_t i = 0; i < options_.size(); ++i) {
        if (options_[i]->count() == 0) {
            continue;
        }
        try {
            option_fields()[i].set(options, values_[i]);
        } catch (const Error& error) {
            throw Error("--" + error.message(), error.place(), error.hint());
        }
    }
    validate(options);
    return options;
}

}  // namespace hri::cli
