#include "gui/widgets/main_window.hpp"

#include <QAbstractItemView>
#include <QAccessible>
#include <QAction>
#include <QLineEdit>
#include <QSlider>
#include <QTest>
#include <set>

#include "gui/widgets/figures_dialog.hpp"
#include "gui/widgets/key_sheet.hpp"
#include "gui/widgets/plan_limits_dialog.hpp"
#include "gui/widgets/slider_row.hpp"
#include "gui/widgets/start_wizard.hpp"
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

TEST_CASE("one drag is one step of undo, and undoing it gives the old scenario to the byte") {
  Opened opened;
  MainWindow& window = *opened.window;
  const std::string before = window.document()->text();
  QSlider* slider = window.row(kWorkers)->slider();
  Q_EMIT slider->sliderPressed();
  slider->setSliderDown(true);
  for (int tick = 900; tick > 700; tick -= 10) slider->setValue(tick);
  slider->setSliderDown(false);
  CHECK(window.undo_stack().count() == 1);
  CHECK(opened.value(kWorkers) != "7");
  const std::string dragged = window.document()->text();
  slider->setValue(100);
  CHECK(window.undo_stack().count() == 2);
  window.undo_stack().undo();
  CHECK(window.document()->text() == dragged);
  window.undo_stack().undo();
  CHECK(window.document()->text() == before);
  CHECK(!window.isWindowModified());
}

TEST_CASE("many moves start one simulation, and only the last value is answered") {
  Opened opened;
  MainWindow& window = *opened.window;
  int started = 0;
  int answered = 0;
  QObject::connect(&window.study(), &LiveStudy::started, [&] { ++started; });
  QObject::connect(&window.study(), &LiveStudy::answered,
                   [&](const StudyAnswer& answer) { answered += answer.last ? 1 : 0; });
  for (int i = 0; i < 25; ++i) window.set_value(kWorkers, QString::number(3 + i % 5), 1);
  CHECK(wait_until([&] { return answered > 0; }));
  CHECK(started == 1);
  CHECK(answered == 1);
  CHECK(!window.study().is_running());
}

TEST_CASE("a stopped run answers nothing, and the next one is like a fresh one") {
  Opened opened;
  MainWindow& window = *opened.window;
  std::vector<double> steps;
  bool stopped = false;
  QObject::connect(&window.study(), &LiveStudy::answered, [&](const StudyAnswer& answer) {
    if (answer.last || !stopped) steps.push_back(answer.outcome->find("step_time_s")->mean);
  });
  QObject::connect(&window.study(), &LiveStudy::stopped, [&] { stopped = true; });
  // Queued when the run starts, so it comes before whatever the run has to say, however short the run is.
  QObject::connect(&window.study(), &LiveStudy::started, &window.study(), &LiveStudy::stop,
                   static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
  window.set_value(kWorkers, "3", 0);
  REQUIRE(wait_until([&] { return stopped; }));
  CHECK(!wait_until([&] { return !steps.empty(); }, 400));
  window.study().request(std::make_shared<const models::Scenario>(window.document()->scenario()));
  REQUIRE(wait_until([&] { return steps.size() == 1; }));
  window.study().request(std::make_shared<const models::Scenario>(window.document()->scenario()));
  REQUIRE(wait_until([&] { return steps.size() == 2; }));
  CHECK(steps[0] == steps[1]);
}

TEST_CASE("units are typed, and what is wrong is refused with its reason and leaves the scenario alone") {
  Opened opened;
  MainWindow& window = *opened.window;
  QLineEdit* field = window.row("/cluster/pools/0/nic/bandwidth")->field();
  field->selectAll();
  QTest::keyClicks(field, "400 Gb/s");
  QTest::keyClick(field, Qt::Key_Return);
  CHECK(opened.value("/cluster/pools/0/nic/bandwidth") == "50 GB/s");
  field->selectAll();
  QTest::keyClicks(field, "fast");
  QTest::keyClick(field, Qt::Key_Return);
  CHECK(opened.value("/cluster/pools/0/nic/bandwidth") == "50 GB/s");
  CHECK(!window.last_complaint().isEmpty());
}

TEST_CASE("a baseline shows changes") {
  Opened opened;
  MainWindow& window = *opened.window;
  window.pin_baseline();
  window.set_value(kWorkers, "2", 0);
  const auto* table = window.findChild<QAbstractItemView*>("figures-table");
  REQUIRE(table != nullptr);
  const QString change = table->model()->index(0, 5).data().toString();
  CHECK(change.startsWith('+'));
}

TEST_CASE("what is saved is what the command line loads, and a bad file leaves what is open") {
  Opened opened;
  MainWindow& window = *opened.window;
  const Folder folder;
  window.set_value(kWorkers, "5", 0);
  const std::string path = folder.path("mine.json");
  REQUIRE(window.save_to(QString::fromStdString(path)));
  CHECK(!window.isWindowModified());
  const auto run = testing::run("simulate --dry-run --json " + path);
  REQUIRE(run.status == 0);
  CHECK(run.out.find(window.document()->loaded().sha256) != std::string::npos);
  const std::string before = window.document()->text();
  window.hide();
  CHECK(!window.open(QString::fromStdString(folder.write("bad.json", "{"))));
  CHECK(window.last_complaint().contains("E01"));
  CHECK(window.document()->text() == before);
  CHECK(!window.save_to("/nowhere/mine.json"));
}

TEST_CASE("charts are saved as PNG, SVG with its words as text, and CSV") {
  Opened opened;
  MainWindow& window = *opened.window;
  REQUIRE(wait_until([&] { return !window.chart("GPU idle over the dragged parameter")->csv().isEmpty(); }));
  const Folder folder;
  QString error;
  Chart* chart = window.chart("GPU idle over the dragged parameter");
  for (const char* name : {"a.png", "a.svg", "a.csv"})
    REQUIRE(chart->save(QString::fromStdString(folder.path(name)), error));
  CHECK(testing::file_text(folder.path("a.svg")).find("<text") != std::string::npos);
  CHECK(testing::file_text(folder.path("a.png")).substr(1, 3) == "PNG");
  CHECK(testing::file_text(folder.path("a.csv")).find("closed form") != std::string::npos);
  CHECK(!chart->save("/nowhere/a.png", error));
  CHECK(!error.isEmpty());
}

TEST_CASE("every action has words, no two share a key, and the key sheet has them all") {
  Opened opened;
  std::set<QString> keys;
  const QString sheet = key_sheet_text(*opened.window);
  for (const QAction* action : opened.window->findChildren<QAction*>()) {
    if (action->isSeparator() || action->shortcut().isEmpty()) continue;
    CHECK(!action->text().isEmpty());
    INFO(action->text().toStdString());
    CHECK(keys.insert(action->shortcut().toString()).second);
    CHECK(sheet.contains(action->shortcut().toString(QKeySequence::NativeText)));
  }
  CHECK(keys.size() >= 12);
}

void walk(QAccessibleInterface* node, int depth) {
  if (node == nullptr || depth > 40) return;
  const QAccessible::Role role = node->role();
  const bool works = role == QAccessible::Slider || role == QAccessible::EditableText || role == QAccessible::Button ||
                     role == QAccessible::PushButton || role == QAccessible::ComboBox || role == QAccessible::Tree ||
                     role == QAccessible::Table;
  const auto* object = node->object();
  const QString named = node->text(QAccessible::Name);
  if (works && object != nullptr && !object->objectName().startsWith("qt_") &&
      object->metaObject()->className() != QString("QDockWidgetTitleButton")) {
    INFO(object->metaObject()->className() << " " << object->objectName().toStdString());
    CHECK(!named.isEmpty());
  }
  if (role == QAccessible::Tree || role == QAccessible::Table) return;  // their cells have texts
  for (int i = 0; i < node->childCount(); ++i) walk(node->child(i), depth + 1);
}

TEST_CASE("every control has a name for those who do not see it") {
  Opened opened;
  walk(QAccessible::queryAccessibleInterface(opened.window.get()), 0);
}

TEST_CASE("every control of the dialogs has a name, too") {
  Opened opened;
  PlanLimitsDialog limits(plan_limits(*opened.window->document()));
  walk(QAccessible::queryAccessibleInterface(&limits), 0);
  StartWizard wizard;
  walk(QAccessible::queryAccessibleInterface(&wizard), 0);
  Figures figures;
  figures.header = {"x"};
  FiguresDialog table("Throughput", figures);
  walk(QAccessible::queryAccessibleInterface(&table), 0);
}

TEST_CASE("words stand out from their ground in both themes") {
  for (const bool dark : {false, true}) {
    const Theme theme = Theme::of(dark);
    for (const QColor& colour : {theme.ink, theme.faint, theme.good, theme.bad, theme.unsure})
      for (const QColor& ground : {theme.ground, theme.sheet}) CHECK(contrast(colour, ground) >= 4.5);
    const QPalette palette = theme.palette();
    CHECK(contrast(palette.color(QPalette::HighlightedText), palette.color(QPalette::Highlight)) >= 4.5);
    CHECK(contrast(palette.color(QPalette::ButtonText), palette.color(QPalette::Button)) >= 4.5);
  }
  CHECK(!theme_named("pink", QPalette()));
}

TEST_CASE("axes end at round numbers and hold what is drawn") {
  for (const auto& [low, high] :
       {std::pair{0.0, 83.0}, {0.0, 1.0}, {3.0, 3.0}, {0.0, 0.0}, {1e-7, 9e12}, {-5.0, 7.0}}) {
    const NiceRange range = nice_range(low, high);
    CHECK(range.low <= low);
    CHECK(range.high >= high);
    CHECK(range.high > range.low);
    CHECK(range.ticks >= 2);
    CHECK(range.ticks <= 8);
  }
}

}  // namespace
}  // namespace headrace::gui
