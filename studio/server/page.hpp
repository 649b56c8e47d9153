// SPDX-License-Identifier: Apache-2.0
#pragma once

// The files of the page, which the build writes into the program.

#include <string_view>
#include <vector>

namespace hri::studio {

struct PageFile {
    std::string_view name;  ///< "app.js"
    std::string_view type;  ///< "text/javascript"
    std::string_view content;
};

const std::vector<PageFile>& page_files();

}  // namespace hri::studio
