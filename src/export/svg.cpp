// SPDX-License-Identifier: Apache-2.0
#include "export/svg.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace hri::exporting {

std::string xml(const std::string& text) {
    std::string result;
    for (const char c : base::printable(text)) {  // XML has no control characters
        switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            default:
                result += c;
        }
    }
    return result;
}

double length(const std::string& text) {
    return static_cast<double>(std::count_if(text.begin(), text.end(), base::begins_character));
}

std::string svg_begin(double width, double height, const std::string& title, int font_size) {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
        "width=\"{0:.0f}\" height=\"{1:.0f}\" font-family=\"sans-serif\" font-size=\"{2}\">\n"
        "<title>{3}</title>\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        width, height, font_size, xml(title));
}

std::string svg_text(double x, double y, const std::string& text, const TextStyle& style) {
    std::string attributes;
    if (style.size > 0) {
        attributes += fmt::format(" font-size=\"{}\"", style.size);
    }
    if (std::string(style.anchor) != "start") {
        attributes += fmt::format(" text-anchor=\"{}\"", style.anchor);
    }
    if (std::string(style.fill) != "#000") {
        attributes += fmt::format(" fill=\"{}\"", style.fill);
    }
    if (style.turn != 0) {
        attributes += fmt::format(" transform=\"rotate({:g} {:.1f} {:.1f})\"", style.turn, x, y);
    }
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>\n", x, y, attributes,
                       xml(text));
}

}  // namespace hri::exporting
