#include <QAbstractAxis>
#include <QAccessible>
#include <QChart>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QMouseEvent>
#include <QProcess>
#include <QPushButton>
#include <QTabWidget>
#include <QTableWidget>
#include <QTest>
#include <QWheelEvent>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "gui/widgets/chart.hpp"
#include "gui/widgets/compare_pane.hpp"
#include "gui/widgets/evidence_badge.hpp"
#include "gui/widgets/inputs_pane.hpp"
#include "gui/widgets/main_window.hpp"
#include "gui/widgets/maps_pane.hpp"
#include "gui/widgets/measured_pane.hpp"
#include "gui/widgets/plan_pane.hpp"
#include "gui/widgets/start_wizard.hpp"
#include "gui/widgets/sweep_pane.hpp"
#include "models/study/input_study.hpp"
#include "reports/humane.hpp"
#include "scenarios/document/input_ranges.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run.hpp"
#include "tests/gui/application.hpp"
#include "tests/gui/opened.hpp"

namespace headrace::gui {
namespace {

using testing::Folder;
using testing::kWorkers;
using testing::Opened;
using testing::wait_until;

TEST_CASE("a plan runs beside the window, draws its points, and a click on one loads it", "[long_2]") {
  Opened opened;
  MainWindow& window = *opened.window;
  window.study().stop();
  REQUIRE(window.show_pane("plan"));
  PlanPane& pane = window.plan_pane();
  pane.limit(40, 10.0);
  pane.findChildren<QLineEdit*>().first()->setText("/jobs/0/loader/workers=4,5");
  pane.start();
  REQUIRE(wait_until([&] { return !pane.task().is_running(); }));
  INFO(pane.answer().error);
  REQUIRE(pane.answer().choices.size() >= 2);
  CHECK(pane.chart()->csv().contains("recommended"));
  const auto& all = pane.answer().choices;
  const PlanChoice choice = *std::max_element(
      all.begin(), all.end(), [](const PlanChoice& a, const PlanChoice& b) { return a.across < b.across; });
  const std::string before = window.document()->text();
  QCoreApplication::processEvents();
  QTest::mouseClick(pane.chart()->surface(), Qt::LeftButton, Qt::NoModifier,
                    pane.chart()->position_of(choice.across, choice.up).toPoint());
  REQUIRE(wait_until([&] { return opened.value(kWorkers) != "7"; }, 2000));
  window.undo_stack().undo();
  CHECK(window.document()->text() == before);
}

TEST_CASE("a running plan stops within 100 ms and answers nothing, the window stays") {
  Opened opened("plan-1250-nodes");
  MainWindow& window = *opened.window;
  window.study().stop();
  PlanPane& pane = window.plan_pane();
  pane.start();
  REQUIRE(wait_until([&] { return pane.task().is_running(); }));
  wait_until([] { return false; }, 100);
  QElapsedTimer clock;
  clock.start();
  pane.task().stop();
  CHECK(clock.elapsed() < 100);
  CHECK(!pane.task().is_running());
  CHECK(pane.answer().choices.empty());
}

TEST_CASE("two swept parameters become a map, one a line, and a cell loads its point") {
  Opened opened;
  MainWindow& window = *opened.window;
  SweepPane& pane = window.sweep_pane();
  pane.set_level(scenarios::AnswerLevel::bound);
  pane.set_axis(0, kWorkers, "4, 8");
  pane.set_axis(1, "/jobs/0/loader/prefetch", "2, 3");
  pane.start();
  REQUIRE(wait_until([&] { return !pane.task().is_running(); }));
  INFO(pane.answer().error);
  REQUIRE(pane.answer().points.size() == 4);
  CHECK(pane.chart()->csv().startsWith("loader workers,loader prefetch"));
  Q_EMIT pane.chart()->cell_chosen(0, 1);
  CHECK(opened.value(kWorkers) == "4");
  CHECK(opened.value("/jobs/0/loader/prefetch") == "3");
  CHECK(window.undo_stack().count() == 1);
  pane.set_axis(1, "", "");
  pane.start();
  REQUIRE(wait_until([&] { return !pane.task().is_running(); }));
  CHECK(pane.answer().points.size() == 2);
  CHECK(pane.chart()->csv().startsWith("group,loader workers"));
}

TEST_CASE("a threshold is dragged with the mouse, moved with a key, and stands in the scenario") {
  Opened opened;
  MainWindow& window = *opened.window;
  REQUIRE(window.apply({{"/slo/gpu_idle_fraction", "< 20 %"}}, "threshold"));
  Chart* chart = window.chart("GPU idle over the dragged parameter");
  REQUIRE(wait_until([&] { return chart->csv().contains("GPU idle time"); }));
  QCoreApplication::processEvents();
  const double x = 10.0;
  const QPoint from = chart->position_of(x, 20.0).toPoint();
  const QPoint to = chart->position_of(x, 30.0).toPoint();
  REQUIRE(from.y() != to.y());
  QTest::mousePress(chart->surface(), Qt::LeftButton, Qt::NoModifier, from);
  QMouseEvent move(QEvent::MouseMove, to, chart->surface()->mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                   Qt::NoModifier);
  QApplication::sendEvent(chart->surface(), &move);
  QTest::mouseRelease(chart->surface(), Qt::LeftButton, Qt::NoModifier, to);
  const std::string dragged = opened.value("/slo/gpu_idle_fraction");
  INFO(dragged);
  CHECK(dragged != "< 20 %");
  CHECK(std::abs(std::stod(dragged.substr(2)) - 30.0) < 1.0);  // as fine as the pixels of the chart
  REQUIRE(wait_until([&] { return chart->csv().contains("GPU idle time"); }));
  QTest::keyClick(chart->surface()->parentWidget(), Qt::Key_Minus);
  CHECK(opened.value("/slo/gpu_idle_fraction") != dragged);
  window.undo_stack().undo();
  CHECK(opened.value("/slo/gpu_idle_fraction") == dragged);
}

TEST_CASE("a baseline is compared on the same draws, with intervals and the inputs that differ") {
  Opened opened;
  MainWindow& window = *opened.window;
  REQUIRE(wait_until([&] { return window.outcome() != nullptr; }));
  window.pin_baseline();
  ComparePane& pane = window.compare_pane();
  CompareWish wish;
  wish.steps = 2048;
  pane.set_wish(wish);
  pane.start();
  CHECK(!pane.task().is_running());  // nothing differs
  window.set_value(kWorkers, "4", 0);
  REQUIRE(pane.inputs().size() == 1);
  window.study().stop();
  pane.start();
  REQUIRE(wait_until([&] { return !pane.task().is_running(); }));
  CHECK(pane.deltas().rows.size() >= 5);
  CHECK(pane.deltas().headline.find('+') != std::string::npos);
  Q_EMIT pane.load_wanted(0);
  CHECK(opened.value(kWorkers) == "7");
  CHECK(pane.inputs().empty());
}

TEST_CASE("maps are drawn when they are seen, and a cell of them loads", "[long_3]") {
  Opened opened("tiered-cache");
  MainWindow& window = *opened.window;
  window.study().stop();
  CHECK(!window.maps_pane().maps_task().is_running());
  REQUIRE(window.show_pane("maps"));
  CHECK(wait_until(
      [&] { return !window.maps_pane().maps_task().is_running() && !window.maps_pane().depths_task().is_running(); }));
  for (const Chart* chart : window.maps_pane().charts()) {
    INFO(chart->title().toStdString());
    CHECK(chart->csv().count('\n') > 5);
  }
  Q_EMIT window.maps_pane().charts().front()->cell_chosen(0, 0);
  CHECK(window.undo_stack().count() == 1);
}

TEST_CASE("input ranges stand in the table, the curve has its band, and simulating over them answers", "[long_3]") {
  Opened opened;
  MainWindow& window = *opened.window;
  REQUIRE(window.set_value(kWorkers, "4", 0));
  Chart* chart = window.chart("GPU idle over the dragged parameter");
  REQUIRE(wait_until([&] { return chart->csv().contains("p10 to p90, low"); }));
  const auto* table = window.findChild<QTableWidget*>("figures-table");
  REQUIRE(table != nullptr);
  CHECK(table->item(0, 3)->text().contains("to "));
  CHECK(window.inputs_pane().text().contains("figures are not measured"));
}

TEST_CASE("elements are added and removed in the window, and a figure is marked as measured") {
  Opened opened;
  MainWindow& window = *opened.window;
  const std::string before = window.document()->text();
  REQUIRE(window.add_like("/stores/0"));
  CHECK(opened.value("/stores/1/name") == "storage-2");
  REQUIRE(window.remove_element("/stores/1/latency"));
  CHECK(!window.document()->value_at("/stores/1/name"));
  CHECK(!window.add_like("/title"));
  window.hide();
  CHECK(!window.remove_element("/stores/0"));  // the dataset needs it
  CHECK(!window.last_complaint().isEmpty());
  REQUIRE(window.mark_measured("/stores/0/bandwidth"));
  CHECK(opened.value("/input_ranges/0/evidence") == "measured");
  for (int i = 0; i < 3; ++i) window.undo_stack().undo();
  CHECK(window.document()->text() == before);
}

TEST_CASE("where no figure is uncertain, the pane of inputs says so and shows no empty boxes") {
  testing::application();
  InputsPane pane([]() -> const ScenarioDocument* { return nullptr; });
  CHECK(pane.text() == "There is no answer yet.");
  pane.show_answer(models::Outcome{});
  CHECK(pane.text() == "No figure of this scenario is uncertain.");
  CHECK(pane.chart()->isHidden());
  CHECK(pane.tornado()->isHidden());
  for (const QTableWidget* table : pane.findChildren<QTableWidget*>()) CHECK(table->isHidden());
}

TEST_CASE("a small chart shows the whole title of its axis, and groups thousands") {
  testing::application();
  Chart chart("Throughput");
  LineChart lines;
  lines.x_title = "workers";
  lines.y_title = "samples of all loaders, /s";
  lines.lines.push_back({"closed form", {1.0, 2.0, 3.0}, {1e5, 2e5, 3e5}, false});
  chart.resize(300, 150);
  chart.show();
  chart.show_lines(lines);
  const auto* axis = chart.frame()->axes(Qt::Vertical).first();
  CHECK(wait_until([&] { return axis->titleText().isEmpty(); }));
  bool below = false;
  for (const QLabel* label : chart.findChildren<QLabel*>())
    below = below || label->text() == "Throughput\nsamples of all loaders, /s";
  CHECK(below);
  CHECK(chart.frame()->localizeNumbers());
  CHECK(chart.frame()->locale().toString(300000.0, 'g', 6) == "300,000");
  chart.resize(300, 500);
  CHECK(wait_until([&] { return axis->titleText() == "samples of all loaders, /s"; }));
}

TEST_CASE("examples of the start wizard are whole, and its first answer names what limits") {
  testing::application();
  StartWizard wizard;
  wizard.show();
  wait_until([] { return false; }, 100);
  for (const QLineEdit* field : wizard.findChildren<QLineEdit*>()) {
    INFO(field->placeholderText().toStdString());
    CHECK(field->fontMetrics().horizontalAdvance(field->placeholderText()) < field->width());
  }
  CHECK(wizard.first_answer().contains("A first answer. Compute-bound: faster storage will not help."));
  CHECK(wizard.first_answer().contains("Assumed, because not stated: "));
  CHECK(wizard.first_answer().contains("store (40.0 GB/s)"));
}

TEST_CASE("the start wizard refuses what it cannot read, answers at once, and its scenario opens") {
  testing::application();
  StartWizard wizard;
  CHECK(!wizard.text().empty());
  CHECK(wizard.field("workload")->hasFocus() == wizard.isActiveWindow());
  wizard.field("gpus")->setText("many");
  wizard.fill_done();
  CHECK(wizard.text().empty());
  CHECK(!wizard.complaint("gpus").isEmpty());
  wizard.field("gpus")->setText("64 x H100-SXM5-80GB");
  wizard.fill_done();
  REQUIRE(!wizard.text().empty());
  CHECK(wizard.complaint("gpus").isEmpty());
  CHECK(wizard.first_answer().contains("step time"));
  Opened opened;
  REQUIRE(opened.window->open_text(wizard.text(), "new.headrace.json"));
  CHECK(opened.window->isWindowModified());
  CHECK(!opened.window->document()->has_file());
}

TEST_CASE("the start wizard answers as headrace init does, and calls nothing assumed that an answer states") {
  testing::application();
  StartWizard wizard;
  wizard.field("gpus")->setText("64 nodes x 8 H100");
  wizard.field("data")->setText("500 TB JPEG in shards");
  wizard.fill_done();
  const auto document = ScenarioDocument::from_text(wizard.text(), "new.headrace.json");
  REQUIRE(document);
  const auto& scenario = document->scenario();
  const auto inputs = scenarios::uncertain_inputs(scenario, document->loaded().composition);
  REQUIRE(inputs);
  const models::Outcome outcome = models::estimate_over(scenario, *inputs, 1);
  const models::Metric* idle = outcome.find("gpu_idle_fraction");
  REQUIRE(idle != nullptr);
  REQUIRE(idle->input_range);
  const QString said = wizard.first_answer();
  INFO(said.toStdString());
  CHECK(said.contains(QString::fromStdString(reports::humane(idle->mean, "1"))));
  CHECK(said.contains(QString::fromStdString(reports::humane(idle->input_range->high, "1"))));
  CHECK(!said.contains(", layout"));
  CHECK(said.contains("115.0 kB per sample"));
}

TEST_CASE("the start wizard has answers to pick from, and its picture grows with them") {
  testing::application();
  StartWizard wizard;
  QComboBox* workload = wizard.choice("workload");
  CHECK(workload->count() == 8);
  CHECK(workload->currentText().isEmpty());
  CHECK(wizard.choice("store")->findText("s3-standard") >= 0);
  const QString before = wizard.picture_words();
  CHECK(!before.isEmpty());
  QComboBox* gpus = wizard.choice("gpus");
  gpus->setCurrentIndex(gpus->findText("16 nodes x 8 H100"));
  Q_EMIT gpus->activated(gpus->currentIndex());
  CHECK(wizard.picture_words().contains("16 nodes of 8 GPUs"));
  CHECK(wizard.picture_words() != before);
  const QString drawn = wizard.picture_words();
  wizard.field("gpus")->setText("many");
  wizard.fill_done();
  CHECK(wizard.picture_words() == drawn);  // of the last answers that could be read
  CHECK(wizard.complaint("gpus").contains("many"));
}

TEST_CASE("the start wizard begins in its first question, and may be closed while one has the focus") {
  testing::application();
  QWidget parent;
  auto wizard = std::make_unique<StartWizard>(&parent);
  wizard->show();
  wizard->activateWindow();
  CHECK(wait_until([&] { return wizard->field("workload")->hasFocus(); }));
  wizard->field("workload")->setText("films");
  wizard.reset();
}

TEST_CASE("what is written in a question stays as it is written, also where an answer to pick from begins so") {
  testing::application();
  StartWizard wizard;
  wizard.show();
  QTest::keyClicks(wizard.field("epochs"), "9");
  wizard.fill_done();
  CHECK(wizard.choice("epochs")->findText("90") >= 0);
  CHECK(wizard.field("epochs")->text() == "9");
}

TEST_CASE("the wheel over a question scrolls the page and leaves its answer") {
  testing::application();
  StartWizard wizard;
  QComboBox* workload = wizard.choice("workload");
  workload->setCurrentIndex(0);
  QWheelEvent wheel(QPointF(5, 5), QPointF(5, 5), QPoint(), QPoint(0, -120), Qt::NoButton, Qt::NoModifier,
                    Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(workload, &wheel);
  CHECK(workload->currentIndex() == 0);
  CHECK(!wheel.isAccepted());
}

TEST_CASE("a verification is drawn as pairs, and a broken one leaves what is shown") {
  Opened opened;
  const Folder folder;
  MeasuredPane& pane = opened.window->measured_pane();
  opened.window->hide();
  const std::string good = folder.write("v.json", R"({"points": [
    {"title": "a", "predicted": {"gpu_idle_fraction": 0.2, "step_time_s": 0.01},
     "measured": {"gpu_idle_fraction": 0.25, "step_time_s": 0.011}, "idle_error_points": -5,
     "step_error_percent": -9, "verdict": "differs"}], "bar": {"idle_points": 3}})");
  REQUIRE(pane.open(QString::fromStdString(good)));
  const QString drawn = pane.chart()->csv();
  CHECK(drawn.contains("25"));
  CHECK(!pane.open(QString::fromStdString(folder.write("bad.json", "[]"))));
  CHECK(!opened.window->last_complaint().isEmpty());
  CHECK(pane.chart()->csv() == drawn);
  const std::string site = folder.write("site.json", R"({"stores": [{"name": "storage", "bandwidth": "12 GB/s"}]})");
  REQUIRE(opened.window->lay_over(QString::fromStdString(site)));
  CHECK(opened.value("/stores/0/bandwidth") == "12 GB/s");
  opened.window->undo_stack().undo();
  CHECK(opened.value("/stores/0/bandwidth") == "40 GB/s");
}

TEST_CASE("the copied command line gives the scenario of the window") {
  Opened opened;
  MainWindow& window = *opened.window;
  REQUIRE(window.set_value("/stores/0/latency/lognormal/mean", "0.4 ms", 0));
  REQUIRE(window.set_value("/cluster/pools/0/nic/bandwidth", "200 Gb/s", 0));
  const std::string command = window.command().toStdString();
  REQUIRE(command.starts_with("headrace simulate "));
  const auto run =
      testing::run("simulate --dry-run --json " + command.substr(std::string("headrace simulate ").size()));
  INFO(command << run.err);
  REQUIRE(run.status == 0);
  CHECK(nlohmann::json::parse(run.out)["scenario_sha256"] == window.document()->loaded().sha256);
}

TEST_CASE("a file that is dropped on the window opens, and a bundle is written of it") {
  Opened opened;
  MainWindow& window = *opened.window;
  const Folder folder;
  const std::string path = folder.write("dropped.json", R"({"extends": "image-node", "title": "dropped"})");
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(QString::fromStdString(path))});
  QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&window, &enter);
  QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&window, &drop);
  CHECK(window.document()->title() == "dropped");
  REQUIRE(window.write_bundle_to(QString::fromStdString(folder.path("bundle"))));
  CHECK(std::filesystem::exists(folder.path("bundle/report.html")));
}

TEST_CASE("cells of a map are readable on their ground, in both themes") {
  for (const bool dark : {false, true})
    for (int i = 0; i <= 20; ++i) {
      const auto [ground, ink] = HeatView::colours(i / 20.0, Theme::of(dark));
      CHECK(contrast(ground, ink) >= 4.5);
    }
  for (const bool dark : {false, true}) {
    const Theme theme = Theme::of(dark);
    for (const char* evidence : {"measured", "published", "datasheet", "assumed", "stated"})
      for (const QColor& ground : {theme.ground, theme.sheet})
        CHECK(contrast(evidence_colour(evidence, theme), ground) >= 4.5);
  }
}

TEST_CASE("every pane is drawn in both themes, in a window that fits a small screen", "[long_2]") {
  Opened opened("tiered-cache");
  MainWindow& window = *opened.window;
  window.study().stop();
  window.resize(1280, 720);
  CHECK(window.minimumSizeHint().width() <= 1280);
  CHECK(window.minimumSizeHint().height() <= 720);
  for (const char* theme : {"light", "dark"}) {
    window.set_theme(theme);
    QCoreApplication::processEvents();  // palettes reach all parts
    for (const char* pane : {"answer", "maps", "compare", "plan", "sweep", "inputs", "measured", "offers", "growth",
                             "campaign", "timeline"}) {
      INFO(theme << " " << pane);
      REQUIRE(window.show_pane(pane));
      const QImage image = window.grab().toImage();
      CHECK(image.width() == 1280);
      const bool is_dark = qGray(image.pixel(image.width() / 2, image.height() - 4)) < 128;
      CHECK(is_dark == (std::string(theme) == "dark"));
    }
  }
}

TEST_CASE("help needs no display") {
  QProcess program;
  QProcessEnvironment without = QProcessEnvironment::systemEnvironment();
  for (const char* name : {"QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"}) without.remove(name);
  program.setProcessEnvironment(without);
  program.start(HEADRACE_GUI_PROGRAM, {"--help"});
  REQUIRE(program.waitForFinished(30000));
  CHECK(program.exitStatus() == QProcess::NormalExit);
  CHECK(program.exitCode() == 0);
  CHECK(program.readAllStandardOutput().contains("--screenshot"));
}

TEST_CASE("the window is drawn in both themes, at twice the scale, with as many pixels", "[long_4]") {
  testing::application();
  const Folder folder;
  for (const char* theme : {"light", "dark"}) {
    const std::string file = folder.path(std::string(theme) + ".png");
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("QT_QPA_PLATFORM", "offscreen");
    environment.insert("QT_SCALE_FACTOR", "2");
    program.setProcessEnvironment(environment);
    program.start(HEADRACE_GUI_PROGRAM,
                  {"--theme", theme, "--size", "1000x700", "--screenshot", QString::fromStdString(file), "image-node"});
    REQUIRE(program.waitForFinished(60000));
    INFO(program.readAllStandardError().toStdString());
    REQUIRE(program.exitCode() == 0);
    const QImage image(QString::fromStdString(file));
    CHECK(image.width() >= 2000);
    CHECK(image.height() >= 1400);
    const bool is_dark = qGray(image.pixel(image.width() / 2, image.height() - 4)) < 128;
    CHECK(is_dark == (std::string(theme) == "dark"));
  }
}

}  // namespace
}  // namespace headrace::gui
