// SPDX-License-Identifier: Apache-2.0
#include "data/readers/delimited.hpp"

#include "base/utf8.hpp"

#include <charconv>

namespace hri::data {

Delimited::Delimited(const TextFile& file, const DelimitedForm& form) : file_(file), form_(form) {
    base::require_utf8(file_.text, file_.path);
}

Place Delimited::place(std::size_t cell) const {
    const At at = cell < places_.size() ? places_[cell] : end_;
    return {file_.path, at.line, at.column};
}

void Delimited::step() {
    const char c = file_.text[offset_++];
    if (c == '\n') {
        ++at_.line;
        at_.column = 1;
    } else if (base::begins_character(c)) {
        ++at_.column;
    }
}

bool Delimited::next() {
    while (offset_ < file_.text.size()) {
        read_row();
        if (cells_.size() > 1 || !cells_[0].empty()) {
            return true;
        }
    }
    return false;
}

void Delimited::read_row() {
    cells_.clear();
    places_.clear();
    const std::string& text = file_.text;
    bool more = true;
    while (more) {
        more = false;
        places_.push_back(at_);
        std::string cell;
        skip_blanks();
        if (form_.quotes && offset_ < text.size() && text[offset_] == '"') {
            cell = read_quoted();
        } else {
            while (offset_ < text.size() && text[offset_] != form_.separator &&
                   text[offset_] != '\n') {
                cell += text[offset_];
                step();
            }
            const bool last = offset_ == text.size() || text[offset_] == '\n';
            if (last && cell.ends_with('\r')) {
                cell.pop_back();
            }
            while (form_.quotes && form_.separator != ' ' && cell.ends_with(' ')) {
                cell.pop_back();
            }
        }
        cells_.push_back(std::move(cell));
        end_ = at_;
        if (offset_ < text.size()) {
            more = text[offset_] == form_.separator;
            step();
        }
    }
}

/// Blanks around cells that are not quoted do not count.
void Delimited::skip_blanks() {
    while (form_.quotes && offset_ < file_.text.size() && file_.text[offset_] == ' ' &&
           form_.separator != ' ') {
        step();
    }
}

std::string Delimited::read_quoted() {
    const std::string& text = file_.text;
    const At begin = at_;
    std::string cell;
    step();
    while (true) {
        if (offset_ == text.size()) {
            throw Error("this quote is never closed", {file_.path, begin.line, begin.column},
                        "write a quote inside a cell twice");
        }
        const char c = text[offset_];
        step();
        if (c != '"') {
            cell += c;
        } else if (offset_ < text.size() && text[offset_] == '"') {
            cell += '"';
            step();
        } else {
            break;
        }
    }
    skip_blanks();
    if (text.compare(offset_, 2, "\r\n") == 0) {
        step();
    }
    if (offset_ < text.size() && text[offset_] != form_.separator && text[offset_] != '\n') {
        throw Error(std::string("expected '") + form_.separator +
                        "' or the end of the line after "
                        "the quoted cell",
                    {file_.path, at_.line, at_.column}, "write a quote inside a cell twice");
    }
    return cell;
}

std::string lower_case(std::string text) {
    for (char& c : text) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return text;
}

bool label_of(const std::string& cell, const Place& place) {
    const std::string word = lower_case(cell);
    for (const char* yes : {"1", "true", "yes", "pos", "positive", "+", "t", "y"}) {
        if (word == yes) {
            return true;
        }
    }
    for (const char* no : {"0", "false", "no", "neg", "negative", "-", "f", "n"}) {
        if (word == no) {
            return false;
        }
    }
    throw Error("expected a label, found '" + cell.substr(0, 40) + "'", place,
                "labels are pos or neg, 1 or 0, true or false, yes or no, or empty");
}

float valuation(const std::string& cell, const Place& place) {
    double value = 0;
    const auto parsed = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    const bool whole = parsed.ec == std::errc() && parsed.ptr == cell.data() + cell.size();
    const auto rounded = static_cast<float>(value);
    if (!whole || !(rounded > 0 && value <= 1)) {
        throw Error(
            "expected a valuation above 0 and at most 1, found '" + cell.substr(0, 40) + "'",
            place);
    }
    return rounded;
}

}  // namespace hri::data
