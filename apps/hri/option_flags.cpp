// SPDX-License-Identifier: Apache-2.0
#include "option_flags.hpp"

#include "hypotheses/options_file.hpp"

namespace hri::cli {

void OptionFlags::add_to(Command& command, const Options& defaults) {
    command.flags.push_back(
        make_flag({.name = "config",
                   .help = "A TOML file with any of the options of the model and of training.",
                   .group = "Hierarchy",
                   .placeholder = "FILE",
                   .common = true},
                  "", [this](const std::string& file) { config_ = file; }));
    for (const Field<Options>& field : fields_of<Options>()) {
        command.flags.push_back(
            make_flag(field, field.get(defaults), [this, &field](const std::string& value) {
                Options checked;
                field.set(checked, value);
                given_[field.name] = value;
            }));
    }
}

Options OptionFlags::apply(const Options& base) const {
    Options options = config_.empty() ? base : hypotheses::read_options(config_, base);
    for (const auto& [name, value] : given_) {
        set_field(options, name, value);
    }
    validate(options);
    return options;
}

}  // namespace hri::cli
