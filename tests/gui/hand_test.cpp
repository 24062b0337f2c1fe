// What a hand meets: entries that are corrected, sweeps that are stopped, a gallery that is searched, lists that speak
// of things and not of pointers, themes and pictures.
#include <QAbstractItemView>
#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QSlider>
#include <QTableWidget>
#include <QTest>
#include <QUndoView>
#include <nlohmann/json.hpp>

#include "gui/presenter/closed_form.hpp"
#include "gui/presenter/queue_motion.hpp"
#include "gui/presenter/short_name.hpp"
#include "gui/presenter/structure_edits.hpp"
#include "gui/presenter/workers_load.hpp"
#include "gui/widgets/compare_pane.hpp"
#include "gui/widgets/gallery.hpp"
#include "gui/widgets/main_window.hpp"
#include "gui/widgets/slider_row.hpp"
#include "gui/widgets/state_colours.hpp"
#include "gui/widgets/sweep_pane.hpp"
#include "reports/humane.hpp"
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

TEST_CASE("a refused entry is red until it is corrected, by whatever hand") {
  Opened opened;
  MainWindow& window = *opened.window;
  window.study().stop();
  window.set_theme("dark");
  QCoreApplication::processEvents();  // palettes reach all parts
  SliderRow* row = window.row(kWorkers);
  const QColor plain = row->field()->palette().color(QPalette::Base);
  const auto refuse = [&] {
    row->field()->selectAll();
    QTest::keyClicks(row->field(), "many");
    QTest::keyClick(row->field(), Qt::Key_Return);
    CHECK(row->is_refused());
    CHECK(row->field()->palette().color(QPalette::Base) != plain);
  };
  const auto mended = [&] {
    CHECK(!row->is_refused());
    CHECK(row->field()->palette().color(QPalette::Base) == plain);
    CHECK(row->field()->text().toStdString() == opened.value(kWorkers));
  };
  refuse();
  row->field()->selectAll();
  QTest::keyClicks(row->field(), "7");  // what it was
  QTest::keyClick(row->field(), Qt::Key_Return);
  mended();
  refuse();
  row->slider()->setValue(row->slider()->value() + 200);
  mended();
  refuse();
  window.undo_stack().undo();
  mended();
  refuse();
  REQUIRE(window.set_value(kWorkers, "9", 0));  // in the tree
  mended();
  window.set_theme("light");
  QCoreApplication::processEvents();
  CHECK(row->field()->palette().color(QPalette::Base) != plain);  // follows the theme again
}

TEST_CASE("a sweep that is stopped keeps the points that it has") {
  Opened opened;
  MainWindow& window = *opened.window;
  window.study().stop();
  SweepPane& pane = window.sweep_pane();
  pane.set_level(scenarios::AnswerLevel::simulate);
  pane.set_axis(0, kWorkers, "2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12");
  pane.set_axis(1, "/jobs/0/loader/prefetch", "1, 2, 3, 4, 5, 6, 7, 8");
  int points = 0;
  QObject::connect(&pane.task(), &BackgroundTask::progressed,
                   [&](double, const QString& what) { points = what.section(' ', 0, 0).toInt(); });
  pane.start();
  REQUIRE(wait_until([&] { return points > 0; }, 60000));
  QPushButton* stop = nullptr;
  for (QPushButton* button : pane.findChildren<QPushButton*>())
    if (button->text() == "Stop") stop = button;
  REQUIRE(stop != nullptr);
  stop->click();
  REQUIRE(wait_until([&] { return !pane.task().is_running(); }));
  CHECK(pane.answer().interrupted);
  CHECK(!pane.answer().points.empty());
  CHECK(pane.answer().points.size() < 88);
  const auto* table = pane.findChild<QTableWidget*>();
  REQUIRE(table != nullptr);
  CHECK(table->rowCount() == static_cast<int>(pane.answer().points.size()));
}

TEST_CASE("a space file counts until an axis is edited, and is not read again over the edits") {
  Opened opened;
  const Folder folder;
  SweepPane& pane = opened.window->sweep_pane();
  pane.set_level(scenarios::AnswerLevel::bound);
  const std::string path = folder.write(
      "space.json", space_text(*opened.window->document(), {{"/jobs/0/loader/prefetch", {"2", "3", "4"}}}));
  pane.sweep_space(QString::fromStdString(path));
  REQUIRE(wait_until([&] { return !pane.task().is_running(); }));
  CHECK(pane.answer().points.size() == 3);
  CHECK(pane.wish().space == path);
  QLineEdit* values = nullptr;
  for (QLineEdit* field : pane.findChildren<QLineEdit*>())
    if (field->accessibleName() == "Values of parameter 1") values = field;
  REQUIRE(values != nullptr);
  values->selectAll();
  QTest::keyClicks(values, "5, 6");
  CHECK(pane.wish().space.empty());
  CHECK(pane.wish().axes.front().values == std::vector<std::string>{"5", "6"});
}

TEST_CASE("Enter in the gallery opens what is seen, and nothing where nothing is") {
  testing::application();
  Gallery gallery;
  gallery.show();
  const int all = gallery.list()->count();
  CHECK(all >= 40);
  QTest::keyClicks(gallery.search_field(), "tiered");
  CHECK(gallery.chosen() == "tiered-cache");
  QTest::keyClick(gallery.search_field(), Qt::Key_Return);
  CHECK(gallery.result() == QDialog::Accepted);
  CHECK(gallery.chosen() == "tiered-cache");
  Gallery none;
  none.show();
  QTest::keyClicks(none.search_field(), "no such scenario");
  CHECK(none.chosen().isEmpty());
  QTest::keyClick(none.search_field(), Qt::Key_Return);
  CHECK(none.result() == QDialog::Rejected);
  CHECK(none.isVisible());
  none.search_field()->clear();
  none.list()->setCurrentRow(3);
  const QString fourth = none.chosen();
  none.list()->setFocus();
  QTest::keyClick(none.list(), Qt::Key_Return);
  CHECK(none.result() == QDialog::Accepted);
  CHECK(none.chosen() == fourth);
}

TEST_CASE("no list of the window shows a pointer") {
  Opened opened("shared-store");
  MainWindow& window = *opened.window;
  window.study().stop();
  window.pin_baseline();
  REQUIRE(window.set_value("/jobs/1/loader/workers", "5", 0));
  REQUIRE(window.set_value("/stores/0/latency/lognormal/mean", "2 ms", 0));
  REQUIRE(window.mark_measured("/stores/0/bandwidth"));
  window.pin_baseline();
  REQUIRE(window.set_value("/stores/0/bandwidth", "50 GB/s", 0));
  const auto check = [](const QString& text) {
    INFO(text.toStdString());
    CHECK(!text.contains(QRegularExpression("(^|[ ,])/[a-z]+/")));
  };
  int seen = 0;
  for (const QComboBox* box : window.findChildren<QComboBox*>())
    for (int i = 0; i < box->count(); ++i, ++seen) check(box->itemText(i));
  for (const QTableWidget* table : window.findChildren<QTableWidget*>())
    for (int row = 0; row < table->rowCount(); ++row)
      for (int column = 0; column < table->columnCount(); ++column, ++seen)
        if (table->item(row, column) != nullptr) check(table->item(row, column)->text());
  const auto* history = window.findChild<QUndoView*>();
  for (int row = 0; row < history->model()->rowCount(); ++row, ++seen)
    check(history->model()->index(row, 0).data().toString());
  CHECK(seen > 100);
  const ScenarioDocument& document = *window.document();
  CHECK(place_name(document, "/jobs/1/loader/workers") == "job 'video-128-gpus': loader workers");
  CHECK(place_name(document, "/stores/0/latency/lognormal/mean") == "latency mean");
  CHECK(place_name(gui::opened("image-node"), "/jobs/0/loader/workers") == "loader workers");
  CHECK(place_name(document, "/stores") == "stores");
}

TEST_CASE("a swept parameter is chosen by its name and swept by its pointer") {
  Opened opened;
  SweepPane& pane = opened.window->sweep_pane();
  pane.set_axis(0, kWorkers, "4, 8");
  const auto* box = pane.findChild<QComboBox*>();
  REQUIRE(box != nullptr);
  CHECK(box->currentText() == "loader workers");
  CHECK(pane.wish().axes.front().pointer == kWorkers.toStdString());
}

TEST_CASE("sliders and axes go from half to four times of today, and stay while they are dragged") {
  Opened opened;
  MainWindow& window = *opened.window;
  window.study().stop();
  QSlider* slider = window.row("/stores/0/bandwidth")->slider();
  slider->setValue(0);
  CHECK(opened.value("/stores/0/bandwidth") == "20 GB/s");
  slider->setValue(reports::SliderScale::kTicks);
  CHECK(opened.value("/stores/0/bandwidth") == "160 GB/s");
  Chart* chart = window.chart("GPU idle over the dragged parameter");
  REQUIRE(wait_until([&] { return chart->csv().contains("closed form"); }));
  double least = 1e9;
  double most = 0.0;
  for (const FigureRow& row : chart->figures().rows)
    if (row.cells.back() == "closed form") least = std::min(least, row.at->first), most = std::max(most, row.at->first);
  CHECK(least == Approx(20.0));
  CHECK(most == Approx(160.0));
  CHECK(chart->in_view()->x_high <= 200.0);
}

TEST_CASE("pinned parameters are those of what binds and of the scenario, and none that changes nothing") {
  const auto pins_for = [](const ScenarioDocument& document) {
    return pins_of(document, parameter_sheet(document), *closed_form(document).outcome);
  };
  const auto has = [](const std::vector<std::string>& pins, const std::string& pointer) {
    return std::find(pins.begin(), pins.end(), pointer) != pins.end();
  };
  const std::vector<std::string> plain = pins_for(opened("image-node"));
  CHECK(has(plain, kWorkers.toStdString()));
  CHECK(!has(plain, "/cluster/pools/0/cache/bytes"));  // there is no cache
  const auto slow = opened("image-node").with("/stores/0/bandwidth", "2 GB/s");
  REQUIRE(slow);
  CHECK(pins_for(*slow).front() == "/stores/0/bandwidth");
  CHECK(has(pins_for(opened("llama3-405b-checkpoints")), "/jobs/0/checkpoint/interval"));
}

TEST_CASE("where checkpoints take the time, their sliders move what is plotted") {
  Opened opened("llama3-405b-checkpoints");
  opened.window->study().stop();
  Chart* chart = opened.window->chart("GPU idle over the dragged parameter");
  REQUIRE(wait_until([&] { return chart->csv().contains("closed form"); }));
  CHECK(chart->csv().startsWith("\"checkpoint interval"));
  CHECK(chart->csv().contains("goodput"));
  double least = 1e9;
  double most = 0.0;
  for (const FigureRow& row : chart->figures().rows)
    if (row.cells.back() == "closed form")
      least = std::min(least, row.at->second), most = std::max(most, row.at->second);
  CHECK(most > least + 1.0);
}

TEST_CASE("a second job finds a pool of its own where the first one has no free node, and both are simulated") {
  Opened opened;
  MainWindow& window = *opened.window;
  REQUIRE(window.add_like("/jobs/0"));
  CHECK(window.document()->scenario().jobs.size() == 2);
  CHECK(window.undo_stack().count() == 1);
  CHECK(wait_until([&] { return window.phase() == Phase::answer; }));
  window.undo_stack().undo();
  REQUIRE(window.add_element("/jobs"));
  CHECK(window.document()->scenario().jobs.size() == 2);
}

TEST_CASE("workers are a station of the data path, full where they are what limits") {
  testing::application();
  const ScenarioDocument few = *opened("image-node").with("/jobs/0/loader/workers", "2");
  const models::Outcome bound = *closed_form(few).outcome;
  const auto load = workers_load(few, bound);
  REQUIRE(load);
  CHECK(*load == Approx(1.0).margin(0.01));
  const ScenarioDocument many = *opened("image-node").with("/jobs/0/loader/workers", "14");
  CHECK(*workers_load(many, *closed_form(many).outcome) < 0.7);
  PathPicture picture;
  picture.show(bound, {load}, true);
  CHECK(picture.stations().contains("workers"));
  CHECK(picture.accessibleDescription().contains("workers 100 % (bottleneck)"));
  // What is not decided yet lights nothing.
  picture.show(bound, {load}, false);
  CHECK(!picture.accessibleDescription().contains("binding"));
}

TEST_CASE("no name of a station is cut where the window is 1280 pixels wide") {
  testing::application();
  constexpr int kPicture_px = 608;
  for (const char* name : {"shared-store", "tiered-cache", "growing-fleet", "image-node"}) {
    const ScenarioDocument document = opened(name);
    const models::Outcome bound = *closed_form(document).outcome;
    PathPicture picture;
    picture.show(bound, workers_loads(document, bound), true);
    picture.resize(kPicture_px, picture.sizeHint().height());
    for (std::size_t i = 0; i < static_cast<std::size_t>(picture.stations().size()); ++i) {
      INFO(name << ": " << picture.stations()[static_cast<qsizetype>(i)].toStdString());
      CHECK(!picture.written(i).join(' ').contains(QChar(0x2026)));
    }
  }
}

TEST_CASE("jobs beside others have a lane each, with every station, and nothing overlaps or leaves the picture") {
  testing::application();
  const ScenarioDocument document = opened("shared-store");
  const models::Outcome bound = *closed_form(document).outcome;
  PathPicture picture;
  picture.show(bound, workers_loads(document, bound), true);
  CHECK(picture.lanes().size() == static_cast<qsizetype>(document.scenario().jobs.size()));
  // All resources, and workers and GPUs of each job.
  CHECK(picture.stations().size() >=
        static_cast<qsizetype>(bound.stations.size() + 2 * document.scenario().jobs.size()));
  for (const models::StationReport& station : bound.stations)
    CHECK(picture.stations().contains(QString::fromStdString(reports::words(station.name))));
  // The first job was recorded: nothing is claimed of the batches of the others.
  picture.show_queues(
      queue_motion(models::record_timeline(document.scenario(), picture_recording(document.scenario()))));
  picture.set_motion_reduced(true);
  const std::vector<double> queues = picture.queues();
  REQUIRE(queues.size() == static_cast<std::size_t>(picture.stations().size()));
  for (std::size_t i = 0; i < queues.size(); ++i) {
    const QString name = picture.stations()[static_cast<qsizetype>(i)];
    INFO(name.toStdString());
    if (name.contains("(job ") && !name.contains(picture.lanes().front())) CHECK(queues[i] == 0.0);
    if (name == "GPUs (job " + picture.lanes().front() + ")") CHECK(queues[i] > 0.0);
  }
  picture.resize(608, picture.sizeHint().height());
  for (std::size_t i = 0; i < static_cast<std::size_t>(picture.stations().size()); ++i) {
    CHECK(picture.rect().contains(picture.place(i)));
    for (std::size_t j = 0; j < i; ++j) CHECK(!picture.place(i).intersects(picture.place(j)));
  }
}

TEST_CASE("the theme of the system is followed while the window runs, a chosen one is not") {
  Opened opened;
  MainWindow& window = *opened.window;
  window.study().stop();
  const auto is_dark = [&] { return window.palette().color(QPalette::Window).lightness() < 128; };
  const auto turn = [&](bool dark) {
    window.set_system_palette([dark] { return Theme::of(dark).palette(); });
    QEvent changed(QEvent::ThemeChange);
    QApplication::sendEvent(&window, &changed);
    QCoreApplication::processEvents();
  };
  window.set_theme("system");
  turn(false);
  CHECK(!is_dark());
  turn(true);
  CHECK(is_dark());
  window.set_theme("light");
  turn(true);
  CHECK(!is_dark());
  window.set_theme("system");
  QCoreApplication::processEvents();
  CHECK(is_dark());
  turn(false);
  CHECK(!is_dark());
}

TEST_CASE("a chart is saved with two pixels for one, and copied as a page for a presentation") {
  Opened opened;
  Chart* chart = opened.window->chart("GPU time by state");
  const Folder folder;
  QString error;
  const QString path = QString::fromStdString(folder.path("a.png"));
  REQUIRE(chart->save(path, error));
  const QImage saved(path);
  CHECK(saved.width() >= 2 * chart->width() - 2);
  CHECK(saved.height() >= 2 * chart->height() - 2);
  const QImage slide = chart->slide("Compute-bound: faster storage will not help", "image-node, headrace");
  CHECK(slide.size() == QSize(1920, 1080));
  int drawn = 0;
  const QColor bar = colour_of(models::GpuState::compute, Theme::of(false));
  for (int y = 0; y < slide.height(); y += 4)
    for (int x = 0; x < slide.width(); x += 4) drawn += slide.pixelColor(x, y) == bar ? 1 : 0;
  CHECK(drawn > 1000);
}

}  // namespace
}  // namespace headrace::gui
