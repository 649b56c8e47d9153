// SPDX-License-Identifier: Apache-2.0
#pragma once

// The beginnings of an SVG file that all drawings share.

#include <string>

namespace hri::exporting {

/// Text as XML has it.
std::string xml(const std::string& text);

/// Characters, not bytes.
double length(const std::string& text);

/// The opening tag with a title and a white ground; the caller closes it by "</svg>\n".
std::string svg_begin(double width, double height, const std::string& title, int font_size = 14);

struct TextStyle {
    int size = 0;                  ///< 0: the drawing's
    const char* anchor = "start";  ///< start, middle or end
    const char* fill = "#000";
    double turn = 0;  ///< degrees, around its place
};

std::string svg_text(double x, double y, const std::string& text, const TextStyle& style = {});

}  // namespace hri::exporting
