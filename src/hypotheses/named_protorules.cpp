// SPDX-License-Identifier: Apache-2.0

#include "hri/data.hpp"
#include "hri/protorules.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace hri {
namespace {

/// The key that spellings of a name share: R_0^v and r0v have the same.
std::string plain_name(std::string_view name) {
    std::string plain;
    for (const char c : name) {
        if (c != '_' && c != '^') {
            plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        }
    }
    return plain;
}

/// Rules and named sets, separated by semicolons, as one per line.
std::string spelled_out(std::string_view rules) {
    std::string text;
    while (!rules.empty()) {
        const std::size_t end = std::min(rules.find(';'), rules.size());
        std::string_view part = rules.substr(0, end);
        rules.remove_prefix(std::min(end + 1, rules.size()));
        part.remove_prefix(std::min(part.find_first_not_of(" \t"), part.size()));
        part = part.substr(0, part.find_last_not_of(" \t") + 1);
        const auto& sets = named_protorules();
        const auto named = std::find_if(sets.begin(), sets.end(), [&](const NamedRules& set) {
            return plain_name(set.name) == plain_name(part);
        });
        text += named != sets.end() ? named->text : std::string(part) + "\n";
    }
    return text;
}

}  // namespace

const std::vector<NamedRules>& named_protorules() {
    static const std::vector<NamedRules> sets = {
        {"R0", "the paper's minimal set R_0, conjunctions only",
         "A: H(X) <- ~P(X,Y) & ~Q(Y,X)\n"
         "B: H(X,Y) <- ~P(X,Z) & ~Q(Z,Y)\n"
         "C: H(X,Y) <- ~P(X,Y) & ~Q(Y,X)\n"},
        {"R0v", "R_0 with a disjunct in every rule",
         "A*: H(X) <- (~P(X,Y) & ~Q(Y,X)) | ~R(X,T)\n"
         "B*: H(X,Y) <- (~P(X,Z) & ~Q(Z,Y)) | ~R(X,Y)\n"
         "C*: H(X,Y) <- (~P(X,Y) & ~Q(Y,X)) | ~R(X,Y)\n"},
        {"R*", "R_0^v and the permutation rule: the set of the paper's experiments",
         "A*: H(X) <- (~P(X,Y) & ~Q(Y,X)) | ~R(X,T)\n"
         "B*: H(X,Y) <- (~P(X,Z) & ~Q(Z,Y)) | ~R(X,Y)\n"
         "C*: H(X,Y) <- (~P(X,Y) & ~Q(Y,X)) | ~R(X,Y)\n"
         "I: H(X,Y) <- ~F(Y,X)\n"},
        {"MIL",
         "metarules of meta-interpretive learning, as in the paper's appendix, without Curry, "
         "which "
         "needs arity 3",
         "Indent1: P(A) <- Q(A)\n"
         "DIndent1: P(A) <- Q(A) & R(A)\n"
         "Indent2: P(A,B) <- Q(A,B)\n"
         "DIndent2: P(A,B) <- Q(A,B) & R(A,B)\n"
         "Precon: P(A,B) <- Q(A) & R(A,B)\n"
         "Postcon: P(A,B) <- Q(A,B) & R(B)\n"
         "Chain: P(A,B) <- Q(A,C) & R(C,B)\n"},
    };
    return sets;
}

ProtoRules load_protorules(const std::string& name_or_file) {
    if (name_or_file.find("<-") != std::string::npos) {
        return parse_protorules(spelled_out(name_or_file));
    }
    const std::string wanted = plain_name(name_or_file);
    for (const NamedRules& set : named_protorules()) {
        if (plain_name(set.name) == wanted) {
            return parse_protorules(set.text, set.name);
        }
    }
    std::error_code ignored;
    if (!std::filesystem::exists(name_or_file, ignored)) {
        throw Error("'" + name_or_file + "' is neither a named set of proto-rules nor a file", {},
                    "named sets: R0, R0v, R*, MIL; rules themselves are written 'R*; S: H(X) <- "
                    "~P(start,X)'");
    }
    return parse_protorules(read_file(name_or_file), name_or_file);
}

}  // namespace hri
