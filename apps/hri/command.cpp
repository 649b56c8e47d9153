// SPDX-License-Identifier: Apache-2.0
#include "command.hpp"

#include <map>
#include <stdexcept>
#include <string>
#include <thread>

namespace hri::cli {
namespace {

/// Earlier flags of fields, which still work.
const std::map<std::string, std::string>& former_flags() {
    static const std::map<std::string, std::string> flags = {
        {"max_objects", "--most-objects"}, {"min_count", "--least"},
        {"min_value", "--least"},          {"min_weight", "--least-weight"},
        {"min_facts", "--least-facts"},    {"max_facts", "--most-facts"},
        {"max_images", "--most-images"},   {"extra_embeddings", "--embeddings"}};
    return flags;
}

}  // namespace

bool Flag::is_switch() const {
    return field.kind == FieldInfo::Kind::boolean && (field.turns_off || standard == "false");
}

Flag& Command::flag(const std::string& field) {
    for (Flag& flag : flags) {
        if (flag.field.name == field) {
            return flag;
        }
    }
    throw std::logic_error(name + " has no field " + field);
}

std::string flag_name(const FieldInfo& field) {
    std::string name = "--" + (field.flag.empty() ? field.name : field.flag);
    std::replace(name.begin(), name.end(), '_', '-');
    return name;
}

Flag make_flag(const FieldInfo& field, std::string standard,
               std::function<void(const std::string&)> set) {
    Flag flag;
    flag.field = field;
    flag.names = {flag_name(field)};
    const auto former = former_flags().find(field.name);
    if (former != former_flags().end()) {
        flag.hidden_names = {former->second};
    }
    flag.standard = std::move(standard);
    flag.set = std::move(set);
    return flag;
}

void make_argument(Command& command, const std::string& field, bool required) {
    Flag& flag = command.flag(field);
    flag.names.clear();
    flag.standard.clear();
    flag.required = required;
}

void refuse_zero(Flag& flag) {
    flag.standard.clear();
    flag.set = [field = flag.field, set = flag.set](const std::string& text) {
        if (text.find_first_not_of("-0") == std::string::npos) {
            throw Error(field.name + ": expected -1 or a number from 1, found " + text);
        }
        set(text);
    };
}

void make_threads(Command& command, int& threads) {
    threads = all_cores();
    Flag& flag = command.flag("threads");
    flag.hidden_names = {"--jobs"};
    flag.standard = "all";
}

int all_cores() {
    return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, 1024);
}

std::string& command_line() {
    static std::string text;
    return text;
}

}  // namespace hri::cli
