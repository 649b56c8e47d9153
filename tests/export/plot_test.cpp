// SPDX-License-Identifier: Apache-2.0

#include "hri/plot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hri {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(Plot, HeatMapsShowFiguresAndLeaveGreyWhatIsNotThere) {
    const HeatMap map{"<title>", {"a", "b"}, {"x"}, {{1, "100 (90)"}, {}}};
    EXPECT_THAT(to_svg(map), AllOf(HasSubstr("&lt;title&gt;"), HasSubstr("100 (90)"),
                                   HasSubstr("#1f5fa8"), HasSubstr("#f4f4f4")));
}

TEST(Plot, ALineOfOnePointIsNoDivisionByZero) {
    const std::string svg = to_svg(std::vector<LineChart>{{"t", "x", {{"s", {{3, 0}}}}}});
    EXPECT_THAT(svg, AllOf(Not(HasSubstr("nan")), Not(HasSubstr("inf")), HasSubstr("polyline")));
    EXPECT_THROW(to_svg(std::vector<LineChart>{{"t", "x", {{"s", {}}}}}), Error);
}

TEST(Plot, TrainingChartsHaveALineForEveryLayer) {
    const std::vector<LineChart> charts =
        training_charts({{0, 5.0, {0.1, 0.2, 0.3}, 0.5}, {10, 1.0, {0.4, 0.5, 0.6}, 1.0}});
    ASSERT_EQ(charts.size(), 3U);
    EXPECT_EQ(charts[1].series.size(), 3U);
    EXPECT_EQ(charts[1].series.back().name, "target");
    EXPECT_EQ(charts[2].series[0].points.back(), (std::pair<double, double>(10, 1)));
}

TEST(Plot, UnificationMapsHaveARowForEverySlot) {
    Options options;
    options.layers = 2;
    const Model model = make_model({{"edge", 2}}, {"path", 2}, options, 1);
    const HeatMap map = unification_map(model);
    EXPECT_EQ(map.rows.size(), model.hierarchy.slots.size());
    EXPECT_EQ(map.columns.size(), static_cast<std::size_t>(model.hierarchy.predicates()));
    EXPECT_EQ(map.cells.size(), map.rows.size() * map.columns.size());
    EXPECT_EQ(map.rows[0], "path");
    EXPECT_LT(map.cells[0].value, 0) << "the target does not match True";
}

}  // namespace
}  // namespace hri
