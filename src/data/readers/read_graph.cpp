// SPDX-License-Identifier: Apache-2.0

// Knowledge graphs as files: lines with tabs and N-Triples, plain or compressed, read piece by
// piece so that only names and ids are kept.

#include "hri/graph.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <set>
#include <zlib.h>

namespace hri {
namespace {

namespace fs = std::filesystem;

/// Lines of one of the two formats.
class LineReader {
  public:
    LineReader(const std::string& file, bool n_triples, GraphData& into,
               std::vector<Triple>& triples)
        : file_(file), n_triples_(n_triples), into_(into), triples_(triples) {}

    void read(std::string_view line) {
        ++line_;
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        if (line_ == 1 && line.starts_with("\xEF\xBB\xBF")) {
            line.remove_prefix(3);
        }
        if (n_triples_) {
            read_n_triple(line);
        } else if (!line.empty()) {
            read_cells(line);
        }
    }

  private:
    [[noreturn]] void fail(const std::string& message, std::size_t at,
                           const std::string& hint) const {
        throw Error(message, {file_, line_, static_cast<int>(at) + 1}, hint);
    }

    void add(std::string_view head, std::string_view relation, std::string_view tail) {
        triples_.push_back({into_.entities.intern(head), into_.relations.intern(relation),
                            into_.entities.intern(tail)});
    }

    void read_cells(std::string_view line) {
        constexpr const char* kHint = "separate head, relation and tail by one tab each";
        const std::size_t first = line.find('\t');
        const std::size_t second =
            first == std::string_view::npos ? first : line.find('\t', first + 1);
        if (second == std::string_view::npos) {
            fail("expected head, relation and tail, found " +
                     std::string(first == std::string_view::npos ? "1 cell" : "2 cells"),
                 line.size(), kHint);
        }
        if (line.find('\t', second + 1) != std::string_view::npos) {
            fail("expected head, relation and tail, found more than 3 cells",
                 line.find('\t', second + 1), kHint);
        }
        if (line.find('\0') != std::string_view::npos) {
            fail("expected text, found a zero byte", line.find('\0'), "the file is no text");
        }
        const std::size_t empty = first == 0                  ? 0
                                  : second == first + 1       ? second
                                  : second + 1 == line.size() ? line.size()
                                                              : std::string_view::npos;
        if (empty != std::string_view::npos) {
            fail("expected a name, found an empty cell", empty, kHint);
        }
        add(line.substr(0, first), line.substr(first + 1, second - first - 1),
            line.substr(second + 1));
    }

    // <http://a> <http://r> "text"@en .
    void read_n_triple(std::string_view line) {
        std::size_t at = 0;
        skip_blanks(line, at);
        if (at == line.size() || line[at] == '#') {
            return;
        }
        term(line, at, parts_[0], false);
        if (line[at == 0 ? 0 : at - 1] != '>' && !parts_[0].starts_with("_:")) {
            fail("expected an IRI or a blank node as subject", 0, "such as <http://a.org/b>");
        }
        skip_blanks(line, at);
        if (at == line.size() || line[at] != '<') {
            fail("expected an IRI as predicate", at, "such as <http://a.org/r>");
        }
        term(line, at, parts_[1], false);
        skip_blanks(line, at);
        term(line, at, parts_[2], true);
        skip_blanks(line, at);
        if (at == line.size() || line[at] != '.') {
            fail("expected '.' after the triple", at, "one triple per line, each with a full stop");
        }
        ++at;
        skip_blanks(line, at);
        if (at != line.size() && line[at] != '#') {
            fail("expected the end of the line after '.'", at, "one triple per line");
        }
        add(parts_[0], parts_[1], parts_[2]);
    }

    static void skip_blanks(std::string_view line, std::size_t& at) {
        while (at < line.size() && (line[at] == ' ' || line[at] == '\t')) {
            ++at;
        }
    }

    /// IRIs without their brackets; blank nodes and literals as they are written, so that no two
    /// terms become one name.
    void term(std::string_view line, std::size_t& at, std::string& into, bool literals) {
        into.clear();
        const std::size_t begin = at;
        if (at < line.size() && line[at] == '<') {
            const std::size_t close = line.find('>', at);
            if (close == std::string_view::npos) {
                fail("expected '>' at the end of the IRI", line.size(), "");
            }
            unescape(line.substr(at + 1, close - at - 1), at + 1, into);
            at = close + 1;
            if (into.empty()) {
                fail("expected an IRI, found an empty one", begin, "");
            }
        } else if (line.substr(at).starts_with("_:")) {
            while (at < line.size() && line[at] != ' ' && line[at] != '\t') {
                ++at;
            }
            into = line.substr(begin, at - begin);
        } else if (literals && at < line.size() && line[at] == '"') {
            literal(line, at, into);
        } else {
            fail(literals ? "expected an IRI, a blank node or a literal"
                          : "expected an IRI or a blank node",
                 at, "such as <http://a.org/b>");
        }
    }

    void literal(std::string_view line, std::size_t& at, std::string& into) {
        const std::size_t begin = at++;
        while (at < line.size() && line[at] != '"') {
            at += line[at] == '\\' ? 2U : 1U;
        }
        if (at >= line.size()) {
            fail("expected '\"' at the end of the literal", line.size(), "");
        }
        into = '"';
        unescape(line.substr(begin + 1, at - begin - 1), begin + 1, into);
        into += '"';
        ++at;
        const std::size_t suffix = at;
        if (line.substr(at).starts_with("^^<")) {
            const std::size_t close = line.find('>', at);
            if (close == std::string_view::npos) {
                fail("expected '>' at the end of the datatype", line.size(), "");
            }
            at = close + 1;
        } else if (at < line.size() && line[at] == '@') {
            while (at < line.size() && line[at] != ' ' && line[at] != '\t') {
                ++at;
            }
        }
        into += line.substr(suffix, at - suffix);
    }

    void unescape(std::string_view text, std::size_t at, std::string& into) {
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] != '\\') {
                into += text[i];
                continue;
            }
            ++i;
            const char code = i < text.size() ? text[i] : ' ';
            constexpr std::string_view kCodes = "tbnrf\"'\\";
            const std::size_t known = kCodes.find(code);
            if (known != std::string_view::npos) {
                into += "\t\b\n\r\f\"'\\"[known];
            } else if (code == 'u' || code == 'U') {
                const std::size_t digits = code == 'u' ? 4 : 8;
                append_character(text.substr(std::min(i + 1, text.size()), digits), digits, at + i,
                                 into);
                i += digits;
            } else {
                fail("expected an escape such as \\t or \\u00E9", at + i, "");
            }
        }
    }

    void append_character(std::string_view hex, std::size_t digits, std::size_t at,
                          std::string& into) const {
        std::uint32_t value = 0;
        bool good = hex.size() == digits;
        for (const char c : hex) {
            const int digit = c >= '0' && c <= '9'   ? c - '0'
                              : c >= 'a' && c <= 'f' ? c - 'a' + 10
                              : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                     : -1;
            good = good && digit >= 0;
            value = value * 16 + static_cast<std::uint32_t>(std::max(digit, 0));
        }
        if (!good || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000) || value == 0) {
            fail("expected the hexadecimal digits of a character", at, "");
        }
        if (value < 0x80) {
            into += static_cast<char>(value);
        } else if (value < 0x800) {
            into += static_cast<char>(0xC0 | value >> 6U);
            into += static_cast<char>(0x80 | (value & 63U));
        } else if (value < 0x10000) {
            into += static_cast<char>(0xE0 | value >> 12U);
            into += static_cast<char>(0x80 | (value >> 6U & 63U));
            into += static_cast<char>(0x80 | (value & 63U));
        } else {
            into += static_cast<char>(0xF0 | value >> 18U);
            into += static_cast<char>(0x80 | (value >> 12U & 63U));
            into += static_cast<char>(0x80 | (value >> 6U & 63U));
            into += static_cast<char>(0x80 | (value & 63U));
        }
    }

    const std::string& file_;
    bool n_triples_;
    GraphData& into_;
    std::vector<Triple>& triples_;
    int line_ = 0;
    std::array<std::string, 3> parts_;
};

/// Gives every whole line of `text` to the reader; returns what is left behind the last one.
std::string_view feed(std::string_view text, LineReader& reader) {
    std::size_t end = 0;
    while ((end = text.find('\n')) != std::string_view::npos) {
        reader.read(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    return text;
}

bool is_n_triples(const std::string& name) {
    return name.ends_with(".nt") || name.ends_with(".nt.gz");
}

/// gzopen reads plain files as they are.
void read_graph_file(const fs::path& path, GraphData& into, std::vector<Triple>& triples) {
    constexpr std::size_t kPiece = std::size_t{1} << 20U;
    constexpr std::size_t kMaxLine = std::size_t{1} << 24U;
    const std::string file = path.string();
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> in(gzopen(file.c_str(), "rb"), gzclose);
    if (!in) {
        throw Error(std::string("cannot be read: ") + std::strerror(errno), {file});
    }
    gzbuffer(in.get(), 1U << 17U);
    LineReader reader(file, is_n_triples(file), into, triples);
    std::string buffer;
    for (;;) {
        const std::size_t kept = buffer.size();
        buffer.resize(kept + kPiece);
        const int count = gzread(in.get(), buffer.data() + kept, static_cast<unsigned>(kPiece));
        if (count < 0) {
            int code = 0;
            throw Error(std::string("cannot be decompressed: ") + gzerror(in.get(), &code), {file},
                        "the file is damaged or cut off");
        }
        buffer.resize(kept + static_cast<std::size_t>(count));
        if (count == 0) {
            break;
        }
        buffer.erase(0, buffer.size() - feed(buffer, reader).size());
        if (buffer.size() > kMaxLine) {
            throw Error("a line has more than 16 MiB", {file}, "the file holds no triples");
        }
    }
    if (!buffer.empty()) {
        reader.read(buffer);
    }
    int code = Z_OK;
    gzerror(in.get(), &code);
    if (code != Z_OK) {  // the stream ended in the middle
        throw Error("the compressed data are cut off", {file});
    }
}

constexpr std::array kEndings = {".txt", ".tsv", ".nt", ".txt.gz", ".tsv.gz", ".nt.gz"};

/// train.txt, train.nt.gz, ...: the first that is there.
std::optional<fs::path> part_of(const fs::path& folder, const std::string& name) {
    for (const char* ending : kEndings) {
        std::error_code ignored;
        fs::path path = folder / (name + ending);
        if (fs::is_regular_file(path, ignored)) {
            return path;
        }
    }
    return std::nullopt;
}

/// Relations of a held-out part that no training triple has.
void warn_of_unknown(const GraphData& data, const std::vector<Triple>& triples,
                     const std::string& part, std::vector<std::string>& warnings) {
    std::vector<bool> known(data.relations.size(), false);
    for (const Triple& triple : data.training) {
        known[triple.relation] = true;
    }
    std::set<std::uint32_t> told;
    for (const Triple& triple : triples) {
        if (!known[triple.relation] && told.insert(triple.relation).second) {
            warnings.push_back(fmt::format(
                "relation '{}' occurs in {} and not in training: nothing can be learned about it",
                data.relations[triple.relation], part));
        }
    }
}

}  // namespace

void read_graph_text(std::string_view text, const std::string& file, bool n_triples,
                     GraphData& into, std::vector<Triple>& triples) {
    LineReader reader(file, n_triples, into, triples);
    const std::string_view rest = feed(text, reader);
    if (!rest.empty()) {
        reader.read(rest);
    }
}

bool looks_like_graph(const fs::path& path) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) {
        return part_of(path, "train").has_value() || part_of(path, "facts").has_value();
    }
    const std::string name = path.filename().string();
    return fs::is_regular_file(path, ignored) &&
           std::any_of(kEndings.begin() + 1, kEndings.end(),
                       [&](const char* ending) { return name.ends_with(ending); });
}

GraphData read_graph(const fs::path& path) {
    GraphData data;
    data.name =
        path.has_filename() ? path.filename().string() : path.parent_path().filename().string();
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) {
        read_graph_file(path, data, data.training);
    } else {
        const auto read_part = [&](const char* name, std::vector<Triple>& into) {
            const std::optional<fs::path> file = part_of(path, name);
            if (file) {
                read_graph_file(*file, data, into);
            }
            return file.has_value();
        };
        const bool facts = read_part("facts", data.training);
        const bool train = read_part("train", data.training);
        if (!facts && !train) {
            throw Error("expected train.txt or facts.txt, found neither", {path.string()},
                        "a graph is a folder with train.txt, and with valid.txt and test.txt to be "
                        "judged by; .tsv, .nt and .gz are read too");
        }
        read_part("valid", data.valid);
        read_part("test", data.test);
    }
    if (data.training.empty()) {
        throw Error("expected triples to learn from, found none", {path.string()});
    }
    warn_of_unknown(data, data.valid, "valid", data.warnings);
    warn_of_unknown(data, data.test, "test", data.warnings);
    return data;
}

}  // namespace hri
