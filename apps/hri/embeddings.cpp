// SPDX-License-Identifier: Apache-2.0
#include "embeddings.hpp"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

namespace hri::cli {
namespace {

struct Word {
    std::string_view text;
    int column = 0;  // from 1
};

std::vector<Word> words(std::string_view line) {
    constexpr std::string_view kBlanks = " \t\r";
    std::vector<Word> result;
    std::size_t at = line.find_first_not_of(kBlanks);
    while (at != std::string_view::npos) {
        const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
        result.push_back({line.substr(at, end - at), static_cast<int>(at) + 1});
        at = line.find_first_not_of(kBlanks, end);
    }
    return result;
}

float number(const Word& word, const Place& place) {
    float value = 0;
    const char* end = word.text.data() + word.text.size();
    const auto result = std::from_chars(word.text.data(), end, value);
    if (result.ec != std::errc{} || result.ptr != end || !std::isfinite(value)) {
        throw Error(fmt::format("expected a number, found '{}'", word.text),
                    {place.file, place.line, word.column});
    }
    return value;
}

}  // namespace

Embeddings read_embeddings(const std::filesystem::path& path,
                           const std::vector<PredicateSymbol>& predicates, int dimension) {
    const std::string content = read_file(path);
    std::string_view rest = content;
    Embeddings embeddings;
    Place place{path.string(), 0, 1};
    while (!rest.empty()) {
        ++place.line;
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::vector<Word> line = words(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (line.empty()) {
            continue;
        }
        if (static_cast<int>(line.size()) - 1 != dimension) {
            throw Error(fmt::format("expected a name and {} numbers, found {} after '{}'",
                                    dimension, line.size() - 1, line[0].text),
                        place, "the vectors have the model's dimension");
        }
        std::vector<float> vector;
        for (std::size_t i = 1; i < line.size(); ++i) {
            vector.push_back(number(line[i], place));
        }
        for (const PredicateSymbol& predicate : predicates) {
            if (line[0].text == predicate.name ||
                line[0].text == fmt::format("{}/{}", predicate.name, predicate.arity)) {
                embeddings[predicate] = vector;
            }
        }
    }
    return embeddings;
}

}  // namespace hri::cli
