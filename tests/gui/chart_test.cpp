// What a chart shows, how it is zoomed, and the figures behind it.
#include "gui/widgets/chart.hpp"

#include <QAbstractItemView>
#include <QImage>
#include <QMouseEvent>
#include <QTest>
#include <nlohmann/json.hpp>

#include "gui/presenter/figures.hpp"
#include "gui/presenter/interval_words.hpp"
#include "gui/widgets/figures_dialog.hpp"
#include "gui/widgets/main_window.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run.hpp"
#include "tests/gui/application.hpp"

namespace headrace::gui {
namespace {

using testing::Folder;
using testing::wait_until;

Figures three_points() {
  Figures figures;
  figures.header = {"x, s", "y"};
  for (const double x : {1.0, 2.0, 3.0})
    figures.rows.push_back({{std::to_string(static_cast<int>(x)), "a \"b\""}, std::pair(x, 10.0 * x)});
  return figures;
}

TEST_CASE("figures are CSV and JSON, and a view keeps those that stand in it") {
  const Figures all = three_points();
  CHECK(csv_of(all) == "\"x, s\",y\r\n1,\"a \"\"b\"\"\"\r\n2,\"a \"\"b\"\"\"\r\n3,\"a \"\"b\"\"\"\r\n");
  const auto json = nlohmann::ordered_json::parse(json_of(all));
  REQUIRE(json.size() == 3);
  CHECK(json[1]["x, s"] == 2);
  CHECK(json[1]["y"] == "a \"b\"");
  const Figures part = all.within({1.5, 3.5, 0.0, 25.0});
  REQUIRE(part.rows.size() == 1);
  CHECK(part.rows[0].cells[0] == "2");
  CHECK(csv_of({}).empty());
}

TEST_CASE("an interval says its unit once, where it has one") {
  CHECK(between(0.7274, 0.7322, "s") == "727.4 to 732.2 ms");
  CHECK(between(0.9, 1.1, "s") == "900.0 ms to 1.100 s");
  CHECK(between(70.71, 131.04, "s") == "70.71 to 131.0 s");
  CHECK(between(1.0, 2.0, "USD") == "$1.00 to $2.00");
}

TEST_CASE("a legend shows every name whole, on as many lines as it takes") {
  testing::application();
  ChartLegend legend;
  std::vector<LegendEntry> entries;
  for (const char* name : {"closed form", "closed form of the baseline", "inputs, p10 to p90", "now", "simulated, 95 %",
                           "GPU idle time < 5 %"})
    entries.push_back({name, QColor("#0072b2")});
  legend.show_entries(entries, Theme::of(false));
  const QFontMetrics metrics(legend.font());
  for (const int width : {260, 400, 1000}) {
    const std::vector<QRect> places = legend.places(width);
    REQUIRE(places.size() == entries.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      CHECK(places[i].width() >= metrics.horizontalAdvance(entries[i].name));
      CHECK(places[i].left() >= 0);
      CHECK(places[i].right() < width);
      for (std::size_t other = 0; other < i; ++other) CHECK(!places[i].intersects(places[other]));
    }
    CHECK(legend.heightForWidth(width) >= places.back().bottom());
  }
  CHECK(legend.heightForWidth(260) > legend.heightForWidth(1000));
}

LineChart rising() {
  LineChart lines;
  lines.x_title = "workers";
  lines.y_title = "samples";
  Line line{"closed form", {}, {}, false};
  for (int i = 0; i <= 10; ++i) line.x.push_back(i), line.y.push_back(10.0 * i);
  lines.lines.push_back(line);
  return lines;
}

TEST_CASE("a rectangle drawn with the mouse becomes the view, and what is saved is what is in view") {
  testing::application();
  Chart chart("Throughput");
  chart.resize(500, 350);
  chart.show_lines(rising());
  chart.show();
  QCoreApplication::processEvents();
  int asked = 0;
  QObject::connect(&chart, &Chart::zoom_wanted, [&](const std::optional<View>&, const std::optional<View>& after) {
    ++asked;
    chart.set_zoom(after);
  });
  const QPoint from = chart.position_of(2.0, 80.0).toPoint();
  const QPoint to = chart.position_of(6.0, 20.0).toPoint();
  QTest::mousePress(chart.surface(), Qt::LeftButton, Qt::NoModifier, from);
  QMouseEvent move(QEvent::MouseMove, to, chart.surface()->mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                   Qt::NoModifier);
  QApplication::sendEvent(chart.surface(), &move);
  QTest::mouseRelease(chart.surface(), Qt::LeftButton, Qt::NoModifier, to);
  REQUIRE(wait_until([&] { return asked == 1; }, 2000));
  const std::optional<View> view = chart.in_view();
  REQUIRE(view);
  CHECK(view->x_low == Approx(2.0).margin(0.2));
  CHECK(view->x_high == Approx(6.0).margin(0.2));
  CHECK(view->y_high == Approx(80.0).margin(3.0));
  CHECK(chart.figures().rows.size() == 11);
  CHECK(chart.figures_in_view().rows.size() < 7);
  const Folder folder;
  QString error;
  REQUIRE(chart.save(QString::fromStdString(folder.path("part.csv")), error));
  REQUIRE(chart.save(QString::fromStdString(folder.path("part.json")), error));
  CHECK(testing::file_text(folder.path("part.csv")) == csv_of(chart.figures_in_view()));
  CHECK(nlohmann::json::parse(testing::file_text(folder.path("part.json"))).size() ==
        chart.figures_in_view().rows.size());
  chart.show_lines(rising());  // the same axes again: the view stays
  CHECK(chart.zoom() == view);
  QWidget* keys = chart.surface()->parentWidget();
  QTest::keyClick(keys, Qt::Key_Right);
  CHECK(chart.in_view()->x_low > view->x_low);
  QTest::keyClick(keys, Qt::Key_PageUp);
  CHECK(chart.in_view()->x_high - chart.in_view()->x_low < view->x_high - view->x_low);
  QTest::keyClick(keys, Qt::Key_Home);
  CHECK(!chart.zoom());
  CHECK(chart.in_view()->x_high >= 10.0);
  LineChart other = rising();
  chart.set_zoom(View{1.0, 2.0, 1.0, 2.0});
  other.x_title = "depth";
  chart.show_lines(other);
  CHECK(!chart.zoom());
}

TEST_CASE("zooming is undone like an edit, and does not make the scenario a changed one") {
  testing::application();
  MainWindow window(false);
  window.study().set_precision(0.1);
  REQUIRE(window.open("image-node"));
  window.show();
  window.study().stop();
  Chart* chart = window.chart("GPU idle over the dragged parameter");
  REQUIRE(wait_until([&] { return chart->in_view().has_value(); }));
  const std::string before = window.document()->text();
  QTest::keyClick(chart->surface()->parentWidget(), Qt::Key_PageUp);
  QTest::keyClick(chart->surface()->parentWidget(), Qt::Key_PageUp);
  REQUIRE(chart->zoom());
  CHECK(window.undo_stack().count() == 1);
  CHECK(!window.isWindowModified());
  REQUIRE(window.set_value("/jobs/0/loader/workers", "5", 0));
  CHECK(window.isWindowModified());
  window.undo_stack().undo();
  CHECK(chart->zoom());
  window.undo_stack().undo();
  CHECK(!chart->zoom());
  CHECK(window.document()->text() == before);
  CHECK(!window.isWindowModified());
}

TEST_CASE("a waterfall begins each part where the one above it ends") {
  testing::application();
  Chart chart("GPU time by state");
  chart.resize(420, 260);
  chart.show_waterfall({{"compute", 0.7, "70 %"}, {"wait", 0.2, "20 %"}, {"copy", 0.1, "10 %"}});
  REQUIRE(chart.figures().rows.size() == 3);
  CHECK(chart.figures().rows[1].cells == std::vector<std::string>{"wait", "20"});
  const QImage image = chart.grab().toImage();
  const QColor bar = Theme::of(false).series[0];
  int first_row = -1;
  int last_row = -1;
  int first_left = -1;
  int last_left = -1;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) {
      if (image.pixelColor(x, y) != bar) continue;
      if (first_row < 0) first_row = y, first_left = x;
      if (y != last_row) last_row = y, last_left = x;
      break;
    }
  REQUIRE(first_row >= 0);
  CHECK(last_row > first_row);
  CHECK(last_left > first_left + 50);  // the last part lies at the right end
}

TEST_CASE("the figures of a chart are a table that can be read without the drawing") {
  testing::application();
  const FiguresDialog dialog("Throughput", three_points());
  const auto* table = dialog.findChild<QAbstractItemView*>();
  REQUIRE(table != nullptr);
  CHECK(table->model()->rowCount() == 3);
  CHECK(table->model()->headerData(0, Qt::Horizontal).toString() == "x, s");
  CHECK(table->accessibleName().contains("Throughput"));
}

}  // namespace
}  // namespace headrace::gui
