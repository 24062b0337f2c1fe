#include "reports/html/plot.hpp"

#include <limits>

#include "tests/catch.hpp"
#include "tests/reports/html/well_formed.hpp"

namespace headrace::reports {
namespace {

TEST_CASE("ticks are round and lie in the range") {
  CHECK(round_ticks(0.0, 10.0, 5, false) == std::vector<double>{0, 2, 4, 6, 8, 10});
  CHECK(round_ticks(0.0, 1.0, 4, false).size() == 3);
  const std::vector<double> decades = round_ticks(0.5, 2000.0, 4, true);
  CHECK(decades == std::vector<double>{1, 10, 100, 1000});
  CHECK(round_ticks(1.0, 50.0, 4, true) == std::vector<double>{1, 2, 5, 10, 20, 50});
  CHECK(round_ticks(3.0, 3.0, 4, false).empty());
  CHECK(round_ticks(-1.0, 3.0, 4, true).empty());
  const std::vector<double> around = round_ticks(-3.0, 3.0, 6, false);
  CHECK(around.front() == -3.0);
  CHECK(around.at(3) == 0.0);
}

TEST_CASE("a line ends where its axes end") {
  const Plot plot{"t", {"x"}, {"y", false, true, {}, {}}, {{"a", {{0, 0, {}, {}, "first"}, {10, 5, {}, {}, "last"}}}}};
  const std::string svg = plot_drawing(plot);
  CHECK(svg.find("points=\"52.0,190.0 344.0,10.0 \"") != std::string::npos);
  CHECK(svg.find("<title>last</title>") != std::string::npos);
  CHECK(testing::ill_formed(svg).empty());
}

TEST_CASE("the key of points alone is the mark that they are drawn with") {
  Plot plot{"t", {"x"}, {"y"}, {{"front", {{1, 1}, {2, 2}}, false}, {"recommended", {{1, 1}}, false}}};
  plot.series[1].points.front().marked = true;
  const std::string svg = plot_drawing(plot);
  CHECK(testing::ill_formed(svg).empty());
  const std::string legend = svg.substr(svg.find("<figcaption>"));
  CHECK(legend.find("<circle class=\"one\" cx=\"0.0\" cy=\"0.0\" r=\"2.8\"></circle></svg>front") != std::string::npos);
  CHECK(legend.find("<path class=\"two marked\"") < legend.find("recommended"));
}

TEST_CASE("names stand in the place of numbers, on two lines where they are long, cut between letters") {
  Plot plot{"t", {.label = "x", .low = 0.5, .high = 6.5}, {"y"}, {{"a", {}, false}}};
  for (const char* name :
       {"short", "two words", "unbroken-and-long", "\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4", "e", "f"}) {
    plot.x.names.emplace_back(name);
    plot.series[0].points.push_back({static_cast<double>(plot.x.names.size()), 1.0});
  }
  const std::string svg = plot_drawing(plot);
  CHECK(testing::ill_formed(svg).empty());
  CHECK(svg.find(">short</text>") != std::string::npos);
  CHECK(svg.find(">two</text>") != std::string::npos);
  CHECK(svg.find(">words</text>") != std::string::npos);
  CHECK(svg.find("unbroken-and-long") == std::string::npos);
  CHECK(svg.find(">\u00e4\u00e4..</text>") != std::string::npos);
  CHECK(svg.find(">2</text>") == std::string::npos);
}

TEST_CASE("a band needs both ends at every point") {
  Plot plot{"t", {"x"}, {"y"}, {{"a", {{0, 1, 0.5, 1.5, ""}, {1, 2, 1.5, 2.5, ""}}}}};
  CHECK(plot_drawing(plot).find("<polygon") != std::string::npos);
  plot.series[0].points[1].high.reset();
  CHECK(plot_drawing(plot).find("<polygon") == std::string::npos);
}

TEST_CASE("values that cannot be drawn are left out") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  Plot plot{"t", {"x", true}, {"y", true}, {{"a", {{0, 1}, {1, -1}, {2, nan}, {3, inf}, {4, 8, {}, {}, "kept"}}}}};
  const std::string svg = plot_drawing(plot);
  CHECK(svg.find("nan") == std::string::npos);
  CHECK(svg.find("inf") == std::string::npos);
  CHECK(svg.find("kept") != std::string::npos);
  plot.series[0].points.clear();
  CHECK(testing::ill_formed(plot_drawing(plot)).empty());
}

TEST_CASE("several series are told apart by a legend") {
  const Plot one{"t", {"x"}, {"y"}, {{"alpha", {{0, 1}, {1, 2}}}}};
  CHECK(plot_drawing(one).find("legend") == std::string::npos);
  const Plot two{"t", {"x"}, {"y"}, {{"alpha", {{0, 1}, {1, 2}}}, {"beta <b>", {{0, 2}, {1, 1}}}}};
  const std::string svg = plot_drawing(two);
  CHECK(svg.find("alpha") != std::string::npos);
  CHECK(svg.find("beta &lt;b&gt;") != std::string::npos);
}

TEST_CASE("series without lines differ in shape, and a line to compare with is dashed") {
  Plot plot{"t",
            {"x"},
            {"y"},
            {{"a", {{0, 0}, {10, 5}}, false}, {"b", {{1, 2, 1.0, 3.0}}, false}, {"c", {{0, 0}, {10, 10}}}}};
  plot.series.back().dashed = true;
  const std::string svg = plot_drawing(plot);
  CHECK(svg.find("<circle class=\"one\"") != std::string::npos);
  CHECK(svg.find("<path class=\"two\"") != std::string::npos);
  CHECK(svg.find("<polyline class=\"three dashed\"") != std::string::npos);
  CHECK(svg.find("<circle class=\"three\"") == std::string::npos);
  CHECK(svg.find("<line class=\"noise\"") != std::string::npos);
  CHECK(svg.find("<path class=\"two\"", svg.find("<figcaption>")) != std::string::npos);
  CHECK(testing::ill_formed(svg).empty());
}

TEST_CASE("large ticks are short, and counts have no tick between them") {
  Plot plot{"t", {"x"}, {"y"}, {{"a", {{1, 0}, {2, 2e6}}}}};
  plot.x.whole = true;
  const std::string svg = plot_drawing(plot);
  CHECK(svg.find(">2 M<") != std::string::npos);
  CHECK(svg.find(">500 k<") != std::string::npos);
  CHECK(svg.find(">1.2<") == std::string::npos);
  CHECK(svg.find(">2<") != std::string::npos);
}

}  // namespace
}  // namespace headrace::reports
