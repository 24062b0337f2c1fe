// Reading values where they stand: the crosshair of charts, kept runs beside the answer, step times that were measured,
// the times of the lanes, and the menu of a station.
#include <QAbstractBarSeries>
#include <QApplication>
#include <QBarSet>
#include <QChart>
#include <QContextMenuEvent>
#include <QElapsedTimer>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QPushButton>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <utility>

#include "gui/presenter/difference_steps.hpp"
#include "gui/presenter/station_actions.hpp"
#include "gui/presenter/step_time_curves.hpp"
#include "gui/widgets/chart.hpp"
#include "gui/widgets/compare_pane.hpp"
#include "gui/widgets/crosshair.hpp"
#include "gui/widgets/decision_panes.hpp"
#include "gui/widgets/lanes_view.hpp"
#include "gui/widgets/main_window.hpp"
#include "gui/widgets/measured_pane.hpp"
#include "gui/widgets/run_cards.hpp"
#include "gui/widgets/state_colours.hpp"
#include "gui/widgets/timeline_pane.hpp"
#include "reports/html/outcome_sections.hpp"
#include "reports/html/style_sheet.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run.hpp"
#include "tests/gui/application.hpp"
#include "tests/gui/opened.hpp"
#include "tests/gui/opened_document.hpp"

namespace headrace::gui {
namespace {

using testing::Folder;
using testing::kWorkers;
using testing::Opened;
using testing::wait_until;

void move_mouse(QWidget* over, const QPointF& to) {
  QMouseEvent move(QEvent::MouseMove, to, over->mapToGlobal(to), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
  QApplication::sendEvent(over, &move);
}

void leave(QWidget* widget) {
  QEvent left(QEvent::Leave);
  QApplication::sendEvent(widget, &left);
}

void settle(Chart& chart) {
  chart.resize(520, 340);
  chart.show();
  for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
}

LineChart two_lines() {
  LineChart chart;
  chart.x_title = "store bandwidth, GB/s";
  chart.y_title = "GPU idle, %";
  Line first{"closed form", {}, {}};
  Line second{"closed form of run 2", {}, {}, true};
  for (int i = 0; i <= 10; ++i) {
    first.x.push_back(10.0 * i), first.y.push_back(5.0 * i);
    second.x.push_back(10.0 * i), second.y.push_back(90.0 - 5.0 * i);
  }
  chart.lines = {first, second};
  return chart;
}

TEST_CASE("a crosshair reads the point of a line that is nearest to the mouse, with name and units") {
  testing::application();
  for (const bool dark : {false, true}) {
    Chart chart("GPU idle");
    chart.set_theme(Theme::of(dark));
    chart.show_lines(two_lines());
    settle(chart);
    const QSize before = chart.surface()->size();
    const QImage quiet = chart.grab().toImage();
    CHECK(chart.read_now().isEmpty());
    move_mouse(chart.surface(), chart.position_of(40.0, 20.0) + QPointF(4.0, -6.0));
    CHECK(chart.read_now() == QStringList{"closed form", "store bandwidth 40 GB/s", "GPU idle 20 %"});
    move_mouse(chart.surface(), chart.position_of(40.0, 70.0) + QPointF(-3.0, 5.0));
    CHECK(chart.read_now().front() == "closed form of run 2");
    const Crosshair& cross = *chart.crosshair();
    CHECK(cross.isVisible());
    CHECK((cross.point() - chart.position_of(40.0, 70.0)).manhattanLength() < 1.0);
    // The values stand inside of the chart, and beside the point.
    for (const double x : {0.0, 50.0, 100.0})
      for (const double y : {0.5 * x, 90.0 - 0.5 * x}) {
        move_mouse(chart.surface(), chart.position_of(x, y));
        CHECK(chart.surface()->rect().contains(cross.label_place()));
        CHECK(!cross.label_place().contains(cross.point().toPoint()));
      }
    const QColor letters = Theme::of(dark).ink;
    CHECK(contrast(letters, Theme::of(dark).sheet) > 7.0);
    CHECK(chart.grab().toImage() != quiet);
    CHECK(chart.surface()->size() == before);
    leave(chart.surface());
    CHECK(chart.read_now().isEmpty());
    CHECK(chart.grab().toImage() == quiet);
    move_mouse(chart.surface(), chart.position_of(40.0, 20.0));
    move_mouse(chart.surface(), {1.0, 1.0});  // outside of the axes
    CHECK(chart.read_now().isEmpty());
  }
}

TEST_CASE("arrow keys read a chart point by point and series by series, and pan it where it is zoomed") {
  testing::application();
  Chart chart("GPU idle");
  chart.show_lines(two_lines());
  settle(chart);
  QObject::connect(&chart, &Chart::zoom_wanted,
                   [&](const std::optional<View>&, const std::optional<View>& after) { chart.set_zoom(after); });
  QWidget* keys = chart.surface()->parentWidget();
  QTest::keyClick(keys, Qt::Key_Right);
  QTest::keyClick(keys, Qt::Key_Right);
  QTest::keyClick(keys, Qt::Key_Right);
  CHECK(chart.read_now() == QStringList{"closed form", "store bandwidth 20 GB/s", "GPU idle 10 %"});
  CHECK(keys->accessibleDescription().contains("store bandwidth 20 GB/s"));
  QTest::keyClick(keys, Qt::Key_Down);
  CHECK(chart.read_now() == QStringList{"closed form of run 2", "store bandwidth 20 GB/s", "GPU idle 80 %"});
  QTest::keyClick(keys, Qt::Key_Left);
  CHECK(chart.read_now()[1] == "store bandwidth 10 GB/s");
  chart.set_zoom(View{20.0, 60.0, 0.0, 100.0});
  CHECK(chart.read_now().isEmpty());
  QTest::keyClick(keys, Qt::Key_Right);
  CHECK(chart.read_now().isEmpty());
  CHECK(chart.zoom()->x_low > 20.0);
  QTest::keyClick(keys, Qt::Key_Right, Qt::ShiftModifier);
  CHECK(!chart.read_now().isEmpty());
  QFocusEvent gone(QEvent::FocusOut);
  QApplication::sendEvent(keys, &gone);
  CHECK(chart.read_now().isEmpty());
}

TEST_CASE("a crosshair reads bars of every kind: their name, their value and where they begin") {
  testing::application();
  Chart chart("Bars");
  const std::vector<Share> shares{
      {"store bandwidth", 0.92, "92.0 %"}, {"cores", 0.4, "40.0 %"}, {"nic", 0.1, "10.0 %"}};
  chart.show_bars(shares, "%", true);
  settle(chart);
  const auto read_row = [&](double x, double row) {
    move_mouse(chart.surface(), chart.position_of(x, row));
    return chart.read_now();
  };
  REQUIRE(chart.plot_area().contains(chart.position_of(50.0, 1.0)));
  CHECK(read_row(50.0, 2.0) == QStringList{"store bandwidth", "92.0 %"});
  CHECK(read_row(90.0, 1.0) == QStringList{"cores", "40.0 %"});
  CHECK((chart.crosshair()->point() - chart.position_of(40.0, 1.0)).manhattanLength() < 1.0);
  chart.show_waterfall({{"compute", 0.7, "70.0 %"}, {"wait", 0.3, "30.0 %"}});
  settle(chart);
  CHECK(read_row(50.0, 0.0) == QStringList{"wait", "30.0 %"});
  CHECK((chart.crosshair()->point() - chart.position_of(100.0, 0.0)).manhattanLength() < 1.0);
  using Kind = FloatingBar::Kind;
  chart.show_floating({{Kind::total, "A, run 1", "340 ms", 0.0, 340.0, 0.0},
                       {Kind::less, "wait for decode", "-40 ms", 300.0, 340.0, 0.0},
                       {Kind::range, "cloud", "$3.40", 3.0, 4.0, 3.4}},
                      "ms", true);
  settle(chart);
  CHECK(read_row(100.0, 2.0) == QStringList{"A, run 1", "340 ms"});
  CHECK(read_row(100.0, 1.0) == QStringList{"wait for decode", "-40 ms", "from 340 to 300 ms"});
  CHECK(read_row(3.0, 0.0).back() == "p10 3, mean 3.4, p90 4 ms");
  chart.show_floating({{Kind::total, "A", "9.2 ms", 0.0, 9.2, 0.0}, {Kind::total, "B", "9.9 ms", 0.0, 9.9, 0.0}}, "ms",
                      false);
  const QList<QLabel*> heads = chart.findChildren<QLabel*>();
  CHECK(std::any_of(heads.begin(), heads.end(),
                    [](const QLabel* head) { return head->text().contains("the axis begins at"); }));
  chart.show_tornado({{"cpu per sample", -0.1, 0.2}}, "change of the step time, %");
  settle(chart);
  CHECK(read_row(1.0, 0.0) ==
        QStringList{"cpu per sample", "change of the step time", "at its lower end: -10 %", "at its upper end: 20 %"});
  QTest::keyClick(chart.surface()->parentWidget(), Qt::Key_Down);
  CHECK(chart.read_now().front() == "cpu per sample");
}

TEST_CASE("a mouse over a chart costs less than a frame, and does not draw the chart again") {
  testing::application();
  Chart chart("GPU idle");
  chart.show_lines(two_lines());
  settle(chart);
  move_mouse(chart.surface(), chart.position_of(0.0, 0.0));
  QCoreApplication::processEvents();
  int drawn = 0;
  struct Counter : QObject {
    int* drawn;
    bool eventFilter(QObject*, QEvent* event) override {
      if (event->type() == QEvent::Paint) ++*drawn;
      return false;
    }
  } counter;
  counter.drawn = &drawn;
  chart.surface()->installEventFilter(&counter);
  constexpr int kMoves = 40;
  QElapsedTimer clock;
  clock.start();
  for (int i = 0; i < kMoves; ++i) {
    move_mouse(chart.surface(), chart.position_of(10.0 * (i % 11), 5.0 * (i % 11)));
    QCoreApplication::processEvents();
  }
  CHECK(clock.elapsed() < 16 * kMoves);
  CHECK(drawn == 0);
  CHECK(chart.crosshair()->isVisible());
}

bool has_entry(const Chart& chart, const QString& name) {
  for (const LegendEntry& entry : chart.legend_entries())
    if (entry.name == name) return true;
  return false;
}

TEST_CASE("kept runs are cards that tell verdict, figures and differences, and a click makes the baseline") {
  Opened opened;
  MainWindow& window = *opened.window;
  ComparePane& pane = window.compare_pane();
  REQUIRE(wait_until([&] { return window.phase() == Phase::answer; }, 180000));
  window.pin_baseline();
  REQUIRE(window.set_value(kWorkers, "3", 0));
  REQUIRE(wait_until([&] { return window.phase() == Phase::answer; }, 180000));
  window.pin_baseline();
  REQUIRE(window.show_pane("compare"));
  QCoreApplication::processEvents();
  REQUIRE(pane.cards()->cards().size() == 2);
  window.resize(1280, 720);
  QCoreApplication::processEvents();
  const QString first = pane.cards()->cards()[0]->text();
  INFO(first.toStdString());
  CHECK(first.startsWith("run 1\n"));
  CHECK(first.contains("step time"));
  CHECK(first.contains("GPU idle"));
  CHECK(first.contains("now 3"));
  CHECK(first.contains("\nCompute-bound\n"));  // what ranges may contradict is not on a card
  CHECK(pane.cards()->cards()[1]->text().startsWith("run 2, baseline\n"));
  CHECK(pane.cards()->cards()[1]->text().endsWith("Same inputs as now"));
  CHECK(pane.baseline() == &pane.runs()[1]);
  QTest::mouseClick(pane.cards()->cards()[0], Qt::LeftButton, Qt::NoModifier, QPoint(10, 40));
  CHECK(pane.baseline() == &pane.runs()[0]);
  CHECK(pane.cards()->cards()[0]->text().startsWith("run 1, baseline"));
  CHECK(!pane.inputs().empty());
  pane.cards()->cards()[1]->setFocus();
  QTest::keyClick(pane.cards()->cards()[1], Qt::Key_Return);
  CHECK(pane.baseline() == &pane.runs()[1]);
  pane.cards()->cards()[1]->remove_button()->click();
  CHECK(pane.baseline() == nullptr);
  REQUIRE(pane.runs().size() == 1);
  CHECK(pane.cards()->cards().size() == 1);
  pane.make_baseline(0);
  window.pin_baseline();  // a number is never given twice
  CHECK(pane.runs().back().name() == "run 3");
  for (const RunCard* card : pane.cards()->cards())
    for (const QLabel* label : card->findChildren<QLabel*>()) CHECK(card->rect().contains(label->geometry()));
}

TEST_CASE("every kept run has a ghost in every chart of the answer, with a name in the legend") {
  Opened opened;
  MainWindow& window = *opened.window;
  REQUIRE(window.apply({{"/prices/gpu_hour", "$2/h"}, {kWorkers.toStdString(), "3"}}, "a price, few workers"));
  REQUIRE(wait_until([&] { return window.phase() == Phase::answer; }, 180000));
  window.pin_baseline();
  REQUIRE(window.set_value(kWorkers, "4", 0));
  REQUIRE(wait_until([&] { return window.phase() == Phase::answer; }, 180000));
  window.pin_baseline();
  REQUIRE(window.set_value(kWorkers, "5", 0));
  REQUIRE(wait_until([&] { return window.phase() == Phase::answer && window.curves_are_ready(); }, 180000));
  QCoreApplication::processEvents();
  for (const char* title :
       {"GPU time by state", "Cost of an epoch", "Waits of the GPUs by stage", "Utilization of each station"}) {
    INFO(title);
    const Chart* chart = window.chart(title);
    CHECK(has_entry(*chart, "run 1"));
    CHECK(has_entry(*chart, "run 2, baseline"));
    REQUIRE(chart->ghost_places().size() >= 2);
    for (const QRectF& place : chart->ghost_places()) {
      CHECK(chart->plot_area().adjusted(-3, -3, 3, 3).contains(place.center()));
      CHECK(std::abs(place.height()) > 5.0);
    }
    CHECK(chart->readings().front().lines.join('\n').contains("run 2, baseline: "));
    CHECK(chart->csv().section("\r\n", 0, 0).contains("run 1"));
  }
  for (const char* title : {"GPU idle over the dragged parameter", "Throughput over workers"}) {
    INFO(title);
    const Chart* chart = window.chart(title);
    CHECK(has_entry(*chart, "closed form of the baseline"));
    CHECK(has_entry(*chart, "closed form of run 1"));
  }
  const Chart* loads = window.chart("Utilization of each station");
  const auto ghosts = static_cast<int>(loads->ghost_places().size());
  window.compare_pane().remove(0);
  CHECK(static_cast<int>(loads->ghost_places().size()) < ghosts);
  CHECK(!has_entry(*loads, "run 1"));
  CHECK(wait_until([&] { return !has_entry(*window.chart("Throughput over workers"), "closed form of run 1"); }));
}

TEST_CASE("a cumulative curve rises to all of the weight at the largest value") {
  std::vector<std::pair<double, double>> values;
  for (int i = 1; i <= 1000; ++i) values.emplace_back(i, 1.0);
  const Curve even = cumulative(values);
  CHECK(even.x.size() <= 101);
  CHECK(even.x.back() == 1000.0);
  CHECK(even.y.back() == Approx(1.0));
  for (std::size_t i = 1; i < even.x.size(); ++i) CHECK(even.y[i] == Approx(even.x[i] / 1000.0));
  const Curve weighted = cumulative({{2.0, 3.0}, {1.0, 1.0}});
  REQUIRE(weighted.x.size() == 3);
  CHECK(weighted.y == std::vector<double>{0.0, 0.25, 1.0});
  CHECK(cumulative({}).x.empty());
}

TEST_CASE("step times that were measured lie over those of the prediction, or the pane says what is missing") {
  Opened opened;
  opened.window->study().stop();
  MeasuredPane& pane = opened.window->measured_pane();
  models::StudyOptions options;
  options.steps = 512;
  pane.set_study(options);
  const Folder folder;
  std::string text = "step,step_time_s,load_wait_s\n";
  for (int i = 0; i < 100; ++i) text += std::to_string(i) + "," + std::to_string(0.35 + 0.001 * (i % 20)) + ",0.01\n";
  pane.hold_against(QString::fromStdString(folder.write("steps.csv", text)));
  REQUIRE(wait_until([&] { return !pane.task().is_running(); }, 120000));
  opened.window->resize(1280, 720);
  opened.window->show_pane("measured");
  QCoreApplication::processEvents();
  CHECK(pane.steps_chart()->plot_area().height() > 60.0);  // there is room for it
  const Chart* chart = pane.steps_chart();
  CHECK(has_entry(*chart, "measured"));
  CHECK(has_entry(*chart, "predicted"));
  double least = 1e9;
  double most = 0.0;
  double predicted = 0.0;
  for (const FigureRow& row : chart->figures().rows) {
    if (row.cells.back() == "measured") least = std::min(least, row.at->first), most = std::max(most, row.at->first);
    if (row.cells.back() == "predicted" && row.at->second <= 50.0) predicted = row.at->first;
  }
  CHECK(least == Approx(350.0));
  CHECK(most == Approx(369.0));
  const double mean_ms = 1e3 * opened.window->outcome()->find("step_time_s")->mean;
  CHECK(predicted == Approx(mean_ms).epsilon(0.2));
  CHECK(pane.headline().contains("90 steps measured"));
  // A verification has points and no steps.
  const auto verified = testing::run("verify --measured " + folder.path("steps.csv") + " --json image-node");
  REQUIRE(!verified.out.empty());  // whatever it judges
  REQUIRE(pane.open(QString::fromStdString(folder.write("verified.json", verified.out))));
  CHECK(!has_entry(*chart, "measured"));
  CHECK(chart->accessibleDescription().contains("no single step times"));
}

TEST_CASE("the lanes have round times with their unit below them, wherever they are scrolled to") {
  Opened opened;
  MainWindow& window = *opened.window;
  window.resize(1280, 720);
  TimelinePane& pane = window.decisions().timeline();
  REQUIRE(window.show_pane("timeline"));
  REQUIRE(wait_until([&] { return !pane.task().is_running() && !pane.lanes()->lanes().lanes.empty(); }, 60000));
  QCoreApplication::processEvents();
  const LanesAxis& axis = *pane.axis();
  CHECK(axis.isVisible());
  CHECK(pane.rect().contains(QRect(axis.mapTo(&pane, QPoint(0, 0)), axis.size())));
  CHECK(axis.title().startsWith("time since the start of the recording, "));
  const auto labels = axis.labels();
  REQUIRE(labels.size() >= 3);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    CHECK(axis.rect().contains(labels[i].place.toRect()));
    if (i > 0) CHECK(labels[i].place.left() > labels[i - 1].place.right());
  }
  const std::vector<double> times_s = pane.lanes()->round_times_s();
  REQUIRE(times_s.size() == labels.size());
  const double under = pane.lanes()->mapTo(&pane, QPoint(0, 0)).x() + pane.lanes()->x_of(times_s[1]);
  CHECK(axis.mapTo(&pane, labels[1].place.center().toPoint()).x() == Approx(under).margin(1.5));
}

/// Colours of the page's style sheet by name: "three" is "#009e73".
std::map<std::string, std::string> page_colours(bool dark) {
  std::string sheet(reports::style_sheet());
  const std::size_t cut = sheet.find("prefers-color-scheme: dark");
  sheet = dark ? sheet.substr(cut) : sheet.substr(0, cut);
  std::map<std::string, std::string> colours;
  const std::regex one("--([a-z]+): (#[0-9a-f]{6})");
  for (std::sregex_iterator it(sheet.begin(), sheet.end(), one), end; it != end; ++it)
    colours.emplace((*it)[1].str(), (*it)[2].str());
  colours["gray"] = colours["faint"];
  return colours;
}

TEST_CASE("a state of a GPU has one colour in window and pages, and no stage of a batch has it too") {
  nlohmann::ordered_json outcome;
  for (const std::string_view name : models::kGpuStateNames) outcome["gpu_states"][std::string(name)] = 0.1;
  const std::string page = reports::gpu_time_section(outcome);
  std::vector<std::string> classes;
  const std::regex rect("<rect class=\"([a-z]+)\"[^>]*height=\"10\"");
  for (std::sregex_iterator it(page.begin(), page.end(), rect), end; it != end; ++it) classes.push_back((*it)[1].str());
  REQUIRE(classes.size() == models::kGpuStateCount);
  for (const bool dark : {false, true}) {
    const Theme theme = Theme::of(dark);
    auto on_pages = page_colours(dark);
    std::vector<QColor> all;
    for (std::size_t state = 0; state < models::kGpuStateCount; ++state) {
      all.push_back(colour_of(static_cast<models::GpuState>(state), theme));
      CHECK(all.back() == QColor(QString::fromStdString(on_pages[classes[state]])));
    }
    for (std::size_t stage = 0; stage < models::kStageCount; ++stage)
      all.push_back(colour_of(static_cast<models::Stage>(stage), theme));
    const auto far = [](const QColor& a, const QColor& b) {
      return std::hypot(a.red() - b.red(), a.green() - b.green(), a.blue() - b.blue());
    };
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        INFO(all[i].name().toStdString() << " " << all[j].name().toStdString());
        CHECK(far(all[i], all[j]) > 20.0);
      }
  }
}

TEST_CASE("the lanes draw what a GPU does in the colours of its states, and the stages of batches in theirs") {
  testing::application();
  BatchLanes lanes;
  lanes.looks = {"wait for the own batch", "wait for a peer's batch", "compute", "decode", "copy to the device"};
  LanesView view;
  view.show_lanes(lanes);
  const Theme theme = Theme::of(false);
  CHECK(view.colour_of_look(0) == colour_of(models::GpuState::ingest_wait_own, theme));
  CHECK(view.colour_of_look(2) == colour_of(models::GpuState::compute, theme));
  CHECK(view.colour_of_look(3) == colour_of(models::Stage::decode, theme));
  CHECK(view.colour_of_look(4) == colour_of(models::GpuState::h2d, theme));
}

TEST_CASE("GPU time by state has the colours that the states have in the lanes and on pages, in either theme") {
  Opened opened;
  opened.window->study().stop();
  for (const bool dark : {false, true}) {
    opened.window->set_theme(dark ? "dark" : "light");
    const QChart* frame = opened.window->chart("GPU time by state")->frame();
    REQUIRE(!frame->series().isEmpty());
    const auto* bars = qobject_cast<const QAbstractBarSeries*>(frame->series().first());
    REQUIRE(bars != nullptr);
    int known = 0;
    for (QBarSet* part : bars->barSets())
      for (const auto& [name, state] :
           {std::pair("compute", models::GpuState::compute), {"wait", models::GpuState::ingest_wait_own}})
        if (part->label() == name) {
          ++known;
          CHECK(part->color() == colour_of(state, Theme::of(dark)));
        }
    CHECK(known == 2);
  }
}

QMenu* station_menu_of(QWidget& picture, QContextMenuEvent::Reason reason, const QPoint& at) {
  QContextMenuEvent wanted(reason, at, picture.mapToGlobal(at));
  QApplication::sendEvent(&picture, &wanted);
  return qobject_cast<QMenu*>(QApplication::activePopupWidget());
}

QStringList texts_of(const QMenu& menu) {
  QStringList texts;
  for (const QAction* action : menu.actions())
    if (!action->isSeparator()) texts.append(action->text());
  return texts;
}

bool trigger(QMenu& menu, const QString& text) {
  for (QAction* action : menu.actions())
    if (action->text() == text) {
      action->trigger();
      menu.close();
      return true;
    }
  return false;
}

TEST_CASE("a station's menu adds and removes what it stands for, by mouse and by the Menu key") {
  Opened opened;
  MainWindow& window = *opened.window;
  window.study().stop();
  PathPicture& picture = window.path_picture();
  REQUIRE(picture.stations().front() == "store bandwidth");
  QMenu* menu = station_menu_of(picture, QContextMenuEvent::Mouse, picture.place(0).center());
  REQUIRE(menu != nullptr);
  INFO(texts_of(*menu).join(", ").toStdString());
  CHECK(texts_of(*menu).contains("Add a copy of store"));
  CHECK(texts_of(*menu).contains("Remove store"));
  CHECK(texts_of(*menu).contains("Add to stores"));
  REQUIRE(trigger(*menu, "Add a copy of store"));
  CHECK(window.document()->scenario().stores.size() == 2);
  CHECK(window.undo_stack().count() == 1);
  window.undo_stack().undo();
  QCoreApplication::processEvents();
  picture.setFocus(Qt::TabFocusReason);
  for (int i = 0; i < picture.stations().size(); ++i) QTest::keyClick(&picture, Qt::Key_Right);
  menu = station_menu_of(picture, QContextMenuEvent::Keyboard, QPoint(0, 0));
  REQUIRE(menu != nullptr);  // of the GPUs
  CHECK(texts_of(*menu).contains("Add a copy of pool"));
  REQUIRE(trigger(*menu, "Add to jobs"));
  CHECK(window.document()->scenario().jobs.size() == 2);
  QCoreApplication::processEvents();
  const auto actions = station_actions(*window.document(), {StationRef::What::workers, models::Resource::workers,
                                                            window.document()->scenario().jobs.back().name, "workers"});
  const auto removal = std::find_if(actions.begin(), actions.end(), [](const StationAction& action) {
    return action.what == StationAction::What::remove;
  });
  REQUIRE(removal != actions.end());
  CHECK(removal->pointer == "/jobs/1");  // that of its lane
}

TEST_CASE("a dataset moves to another store, a job to another pool, a tier before another", "[gui]") {
  Opened opened("async-checkpoints");
  MainWindow& window = *opened.window;
  REQUIRE(window.add_like("/stores/0"));
  REQUIRE(window.add_like("/cluster/pools/0"));
  const models::Scenario& scenario = window.document()->scenario();
  const std::string store = scenario.stores.back().name;
  const std::string pool = scenario.cluster.pools.back().name;
  const auto moves_at = [&](const StationRef& station) {
    std::vector<StationAction> moves = station_actions(*window.document(), station);
    std::erase_if(moves, [](const StationAction& one) { return one.what != StationAction::What::move; });
    return moves;
  };
  const auto to = [](const std::vector<StationAction>& moves, const std::string& value) {
    return std::any_of(moves.begin(), moves.end(), [&](const StationAction& one) { return one.value == value; });
  };
  CHECK(to(
      moves_at({StationRef::What::resource, models::Resource::store_bandwidth, scenario.stores.front().name, "store"}),
      store));
  CHECK(to(moves_at({StationRef::What::workers, models::Resource::workers, scenario.jobs.front().name, "workers"}),
           pool));
  REQUIRE(window.apply({{"/jobs/0/pool", pool}}, "Move job"));
  CHECK(window.document()->scenario().jobs.front().pool == pool);
}

}  // namespace
}  // namespace headrace::gui
