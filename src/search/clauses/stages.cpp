// SPDX-License-Identifier: Apache-2.0
#include "search/clauses/stages.hpp"

#include "search/clauses/recursion.hpp"

#include <algorithm>

namespace hri::search {

namespace {

constexpr int kShortClause = 3;  // literals

}  // namespace

Stages::Stages(const evaluation::DatabaseIndex& index, const ClauseBias& bias,
               const ClauseSettings& settings)
    : index_(index) {
    const bool has_bias = speaks_of_clauses(bias);
    const auto wants = [&](Wanted wanted, bool automatic) {
        return wanted == Wanted::always || (wanted == Wanted::automatic && automatic);
    };
    plain_.negation = settings.negation;
    plain_.linked = settings.linked;
    plain_.max_body = settings.max_body;
    plain_.entities = settings.constants == Wanted::always || settings.thresholds == Wanted::always;
    plain_.constants = wants(settings.constants, !has_bias && bias.constants.empty());
    plain_.thresholds = wants(settings.thresholds, !has_bias);
    plain_.described_constants = settings.constants != Wanted::never && bias.constants.empty();
    plain_.described_thresholds = settings.thresholds != Wanted::never;
    rich_ = plain_;
    rich_.constants = wants(settings.constants, bias.constants.empty());
    rich_.thresholds = wants(settings.thresholds, true);
}

LanguageOptions Stages::options_of(Stage stage) const {
    LanguageOptions options = stage == Stage::rich ? rich_ : plain_;
    if (stage > Stage::recursion)
        return options;
    options.thresholds = options.constants = false;
    options.described_thresholds = options.described_constants = false;
    if (stage == Stage::one_clause)
        options.max_body =
            options.max_body > 0 ? std::min(kShortClause, options.max_body) : kShortClause;
    return options;
}

Language Stages::language_of(Stage stage) const {
    Language language = make_language(index_, options_of(stage));
    return stage == Stage::recursion ? with_recursion(std::move(language)) : language;
}

bool Stages::enriches() const {
    if (rich_.constants == plain_.constants && rich_.thresholds == plain_.thresholds)
        return false;
    const Language more = make_language(index_, rich_);
    const Language less = make_language(index_, plain_);
    return more.numeric != less.numeric ||
           !std::equal(more.predicates.begin(), more.predicates.end(), less.predicates.begin(),
                       less.predicates.end(), [](const auto& x, const auto& y) {
                           return x.constant == y.constant && x.symbol == y.symbol;
                       });
}

}  // namespace hri::search
