// What the first look at the window says: the station that binds, what a change gains and costs, where the keyboard
// is. Nothing of it is cut, however large the letters of the desktop are.
#include <QApplication>
#include <QLineEdit>
#include <QMenuBar>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QTabBar>
#include <QTableWidget>
#include <QTest>
#include <QToolBar>
#include <QToolButton>
#include <set>

#include "gui/presenter/closed_form.hpp"
#include "gui/presenter/structure_edits.hpp"
#include "gui/presenter/workers_load.hpp"
#include "gui/widgets/answer_banner.hpp"
#include "gui/widgets/compare_pane.hpp"
#include "gui/widgets/figure_table.hpp"
#include "gui/widgets/fixed_lines.hpp"
#include "gui/widgets/focus_ring.hpp"
#include "gui/widgets/main_window.hpp"
#include "gui/widgets/next_card.hpp"
#include "gui/widgets/path_picture.hpp"
#include "gui/widgets/slider_row.hpp"
#include "gui/widgets/sweep_pane.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/outcome/evidence.hpp"
#include "models/study/study.hpp"
#include "tests/catch.hpp"
#include "tests/gui/application.hpp"
#include "tests/gui/opened.hpp"
#include "tests/gui/opened_document.hpp"

namespace headrace::gui {
namespace {

using testing::kWorkers;
using testing::Opened;
using testing::wait_until;

ScenarioDocument with_workers(const char* scenario, const char* workers) {
  auto document = opened(scenario).with(kWorkers.toStdString(), workers);
  REQUIRE(document);
  return std::move(*document);
}

/// The stations that the picture of a simulated answer marks.
QStringList marked(const ScenarioDocument& document) {
  testing::application();
  const models::Outcome outcome = models::simulate(document.scenario(), {});
  REQUIRE(outcome.verdict == models::Verdict::ingest_bound);
  PathPicture picture;
  picture.show(outcome, workers_loads(document, outcome), true);
  return picture.binding_stations();
}

TEST_CASE("where no shared resource is full, the workers of the jobs that wait are marked as what binds") {
  CHECK(marked(with_workers("unet3d-h100", "1")) == QStringList{"workers"});
  CHECK(marked(with_workers("image-node", "5")) == QStringList{"workers"});
  const auto slow = opened("image-node").with("/stores/0/bandwidth", "2 GB/s");
  REQUIRE(slow);
  CHECK(marked(*slow) == QStringList{"store bandwidth"});
}

TEST_CASE("spines of two pools stand beside each other, and no data goes from one to the other") {
  testing::application();
  const ScenarioDocument document = opened("growing-fleet");
  const models::Outcome outcome = models::queueing_estimate(document.scenario(), 1);
  PathPicture picture;
  picture.resize(610, 130);
  picture.show(outcome, workers_loads(document, outcome), true);
  const QStringList stations = picture.stations();
  REQUIRE(stations.contains("spine (h100)"));
  REQUIRE(stations.contains("spine (a100)"));
  const QRect above = picture.place(static_cast<std::size_t>(stations.indexOf("spine (h100)")));
  const QRect below = picture.place(static_cast<std::size_t>(stations.indexOf("spine (a100)")));
  CHECK(above.left() == below.left());
  CHECK(above.bottom() < below.top());
}

TEST_CASE("the picture says what its squares, percents and its mark mean") {
  testing::application();
  const ScenarioDocument document = with_workers("image-node", "5");
  const models::Outcome outcome = models::simulate(document.scenario(), {});
  PathPicture picture;
  picture.show(outcome, workers_loads(document, outcome), true);
  CHECK(picture.legend().contains("%: time in use"));
  CHECK(picture.legend().contains("thick frame: the bottleneck's resource; while it is not full, busier workers, too"));
  CHECK(!picture.legend().contains("squares"));
  QueueMotion motion;
  motion.moments.emplace_back();
  picture.show_queues(motion);
  CHECK(picture.legend().contains("squares: batches of one loader"));
  models::Outcome small_requests = outcome;
  small_requests.evidence.not_validated.emplace_back(models::kGoodputNotValidated);
  picture.show(small_requests, workers_loads(document, outcome), true);
  CHECK(picture.legend().contains("100 % of nic: the rate reached with such requests"));
}

TEST_CASE("of two jobs that wait alike, both lanes are marked and not one of them") {
  const ScenarioDocument one = with_workers("image-node", "5");
  const auto place = list_of(one, "/jobs/0");
  REQUIRE(place);
  const auto edits = added_like(one, *place);
  REQUIRE(edits);
  const auto two = one.with(*edits);
  REQUIRE(two);
  const QStringList lanes = marked(*two);
  REQUIRE(lanes.size() == 2);
  for (const QString& name : lanes) CHECK(name.startsWith("workers (job "));
}

TEST_CASE("gain, cost and confidence of a change are whole in a window of 1280 pixels, and no line cuts a number") {
  for (const auto& [scenario, workers] : {std::pair{"image-node", "5"}, {"unet3d-h100", "1"}}) {
    INFO(scenario);
    Opened opened(scenario);
    MainWindow& window = *opened.window;
    window.resize(1280, 720);
    REQUIRE(window.set_value(kWorkers, workers, 0));
    REQUIRE(wait_until([&] { return !window.next_card().steps().empty(); }, 60000));
    QCoreApplication::processEvents();
    CHECK(window.next_card().shows_effects());
    for (const FixedLines* lines : window.findChildren<FixedLines*>()) {
      INFO(lines->accessibleName().toStdString() << ": " << lines->text().toStdString());
      if (lines->accessibleName() == "Confidence") CHECK(!lines->is_cut());
    }
  }
  FixedLines line(1, "Confidence");
  line.show_text("simulated, 2048 steps, step time known to 0.50 % at 95 %");
  for (int width = 120; width < 400; width += 7) {
    line.resize(width, 20);
    const QString drawn = line.written().front();
    CHECK((!line.is_cut() || line.text().startsWith(drawn.section(QChar(0x2026), 0, 0))));
    CHECK(!drawn.contains("0.\u2026"));
  }
  line.show_text("GPUs wait 43.4 % of the time. Without the transfer stage the same work takes 43.4 % less time.");
  line.resize(line.fontMetrics().horizontalAdvance(line.text()) * 4 / 5, 20);
  CHECK(line.written().front() == QString::fromUtf8("GPUs wait 43.4 % of the time. \xE2\x80\xA6"));
}

TEST_CASE("a change of two sentences is not cut behind its number, and takes the lines of rows that are empty") {
  testing::application();
  FixedLines line(1, "Change");
  line.show_text("1. Put a cache of 7 TB on the drives of each node (no price is stated for them)");
  line.resize(line.fontMetrics().horizontalAdvance(line.text()) / 2, 20);
  CHECK(line.written().front().startsWith("1. Put a cache"));
  CHECK(line.needed_lines(line.width()) >= 2);

  NextCard card;
  NextStep step;
  step.change = "put a cache of 7 TB on the drives of each node, which holds all of the data from the second epoch on";
  step.gain = "43.4 % less time";
  step.cost = "no prices stated";
  card.resize(420, card.sizeHint().height());
  card.show();
  const int height = card.height();
  const auto is_cut = [&](std::size_t steps) {
    NextSteps next;
    next.steps.assign(steps, step);
    card.show_steps(next, "extrapolated");
    QCoreApplication::processEvents();
    CHECK(card.height() == height);
    return card.findChild<FixedLines*>("Change 1")->is_cut();
  };
  CHECK(is_cut(3));
  CHECK_FALSE(is_cut(2));
}

TEST_CASE("the meaning of an answer takes the line that a short verdict leaves, and what is below stays in place") {
  testing::application();
  AnswerBanner shown;
  Banner banner;
  banner.meaning =
      "GPUs compute 55.3 % of the time and wait for data 43.4 %. GPUs wait 41.2 % to 45.5 % of the time over the input "
      "ranges (p10 to p90; queues may add to it). Without the transfer stage the same work takes 43.4 % less time.";
  banner.confidence = "Confidence: extrapolated.";
  shown.resize(610, shown.sizeHint().height());
  shown.show();
  const auto* confidence = shown.findChild<FixedLines*>("Confidence");
  const auto* meaning = shown.findChild<FixedLines*>("Meaning");
  const auto place_with = [&](const char* verdict) {
    banner.verdict = verdict;
    shown.show_banner(banner, false);
    QCoreApplication::processEvents();
    return confidence->mapTo(&shown, QPoint(0, 0)).y();
  };
  const int place = place_with("ingest-bound by transfer");
  CHECK_FALSE(meaning->is_cut());
  const auto* all = shown.findChild<QToolButton*>();
  REQUIRE(all != nullptr);
  CHECK(all->isHidden());
  CHECK(place_with("inconclusive: the time limit came before the intervals were narrow enough to tell which") == place);
  CHECK(meaning->is_cut());
  CHECK_FALSE(all->isHidden());  // what has no room can be read
}

/// Letters of a desktop that has larger ones.
struct LargerLetters {
  explicit LargerLetters(int pixels) : before(QApplication::font()) {
    QFont font = before;
    constexpr double kPoint_px = 96.0 / 72.0;
    font.setPointSizeF(pixels / kPoint_px);
    QApplication::setFont(font);
  }
  ~LargerLetters() { QApplication::setFont(before); }
  QFont before;
};

/// What a window of 1280 x 720 has to show whole.
void check_fit(MainWindow& window) {
  CHECK(window.width() == 1280);
  CHECK(window.height() == 720);
  const auto* table = window.findChild<FigureTable*>();
  int width = 0;
  for (int column = FigureTable::kName; column < FigureTable::kColumns; ++column)
    width += table->isColumnHidden(column) ? 0 : table->columnWidth(column);
  CHECK(width <= table->viewport()->width());
  const auto* often_used = window.findChild<QToolBar*>();
  for (const QToolButton* button : often_used->findChildren<QToolButton*>()) {
    INFO(button->text().toStdString());
    if (button->objectName() == "qt_toolbar_ext_button") {
      CHECK(!button->isVisible());
      continue;
    }
    CHECK(button->isVisible());
    CHECK(button->mapTo(&window, button->rect().bottomRight()).x() < window.width());
    CHECK(button->width() >= button->fontMetrics().horizontalAdvance(button->text()));
  }
  const auto* tabs = window.findChild<QTabWidget*>()->tabBar();
  CHECK(tabs->tabRect(tabs->count() - 1).right() < tabs->width());
  for (const FixedLines* lines : window.findChildren<FixedLines*>())
    if (lines->accessibleName() == "Confidence") CHECK(!lines->is_cut());
  CHECK(window.next_card().shows_effects());
}

TEST_CASE("with letters of 12 to 15 pixels a window of 1280 pixels keeps its size, and no column or button is cut") {
  testing::application();
  for (const int pixels : {12, 14, 15}) {
    INFO(pixels);
    const LargerLetters letters(pixels);
    Opened opened("llm-pretraining-90-days");
    MainWindow& window = *opened.window;
    window.resize(1280, 720);
    REQUIRE(window.set_value(kWorkers, "1", 0));
    REQUIRE(wait_until([&] { return window.phase() == Phase::answer; }, 180000));
    wait_until([&] { return !window.next_card().steps().empty(); }, 3000);
    wait_until([] { return false; }, 100);
    check_fit(window);
  }
}

TEST_CASE("with letters of 15 points every pane fits a window of 1280 x 720, and no name of a pane is cut") {
  testing::application();
  constexpr int k15Points_px = 20;
  const LargerLetters letters(k15Points_px);
  Opened opened;
  MainWindow& window = *opened.window;
  window.study().stop();
  window.resize(1280, 720);
  for (const char* pane : {"answer", "maps", "compare", "plan", "sweep", "inputs", "measured", "offers", "growth",
                           "campaign", "timeline"}) {
    INFO(pane);
    REQUIRE(window.show_pane(pane));
    QCoreApplication::processEvents();
    CHECK(window.minimumSizeHint().width() <= 1280);
    CHECK(window.minimumSizeHint().height() <= 720);
    CHECK(window.size() == QSize(1280, 720));
  }
  const auto* tabs = window.findChild<QTabWidget*>()->tabBar();
  CHECK(tabs->tabRect(tabs->count() - 1).right() < tabs->width());
  CHECK(window.path_picture().shows_legend());
  for (const SliderRow* row : window.findChildren<SliderRow*>())
    CHECK(row->field()->width() > row->field()->fontMetrics().horizontalAdvance("12.5 GB/s"));
}

TEST_CASE("with usual letters a pane has no scroll bar beside its own in a window of 1280 x 720") {
  Opened opened;
  MainWindow& window = *opened.window;
  window.study().stop();
  window.resize(1280, 720);
  for (const char* pane : {"maps", "compare", "plan", "sweep", "inputs", "measured", "offers", "growth", "campaign"}) {
    INFO(pane);
    REQUIRE(window.show_pane(pane));
    QCoreApplication::processEvents();
    const auto* page = qobject_cast<QScrollArea*>(window.findChild<QTabWidget*>()->currentWidget());
    REQUIRE(page != nullptr);
    CHECK(page->verticalScrollBar()->maximum() == 0);
    CHECK(page->widget()->width() == page->viewport()->width());
  }
}

TEST_CASE("above the panes that speak of years the verdict says that it is of now") {
  Opened opened;
  MainWindow& window = *opened.window;
  window.study().stop();
  const AnswerBanner& banner = window.banner();
  const QString verdict = banner.verdict();
  REQUIRE(!verdict.isEmpty());
  for (const char* pane : {"growth", "campaign"}) {
    REQUIRE(window.show_pane(pane));
    CHECK(banner.verdict() == "Now: " + verdict);
  }
  REQUIRE(window.show_pane("answer"));
  CHECK(banner.verdict() == verdict);
}

TEST_CASE("the keyboard shows where it is from the first Tab on, in every widget that takes it") {
  Opened opened;
  MainWindow& window = *opened.window;
  window.resize(1280, 900);
  window.activateWindow();
  REQUIRE(wait_until([&] { return window.phase() == Phase::answer && window.curves_are_ready(); }));
  window.path_picture().set_motion_reduced(true);
  window.study().stop();
  std::set<QWidget*> seen;
  for (int step = 0; step < 120; ++step) {
    QWidget* before = window.focusWidget();
    QTest::keyClick(before == nullptr ? static_cast<QWidget*>(&window) : before, Qt::Key_Tab);
    QWidget* now = window.focusWidget();
    REQUIRE(now != nullptr);
    if (now == before || !seen.insert(now).second) break;
    INFO(now->metaObject()->className() << " " << now->accessibleName().toStdString());
    const QImage with = now->grab().toImage();
    now->clearFocus();
    const QImage without = now->grab().toImage();
    now->setFocus(Qt::TabFocusReason);
    CHECK(with != without);
  }
  CHECK(seen.count(window.chart("GPU time by state")->surface()->parentWidget()) == 1);
  CHECK(seen.count(&window.path_picture()) == 1);
  CHECK(seen.size() > 20);
  // The mouse says by itself where it is.
  QTest::mouseClick(window.row(kWorkers)->field(), Qt::LeftButton);
  for (const auto* ring : window.findChildren<FocusRing*>()) CHECK(ring->target() == nullptr);
}

TEST_CASE("a checkpoint interval that is left to Headrace slides around the one in use") {
  Opened opened("llama3-405b-checkpoints");
  MainWindow& window = *opened.window;
  window.study().stop();
  const QString interval = "/jobs/0/checkpoint/interval";
  REQUIRE(opened.value(interval) == "0 s");
  const double in_use_s = models::mean_in(window.outcome()->metrics, "checkpoint_interval_s");
  REQUIRE(in_use_s > 0.0);
  SliderRow* row = window.row(interval);
  REQUIRE(row != nullptr);
  CHECK(row->field()->text() == "255 s");
  CHECK(in_use_s == Approx(255.0).epsilon(0.005));
  CHECK(row->slider()->value() > 0);
  row->slider()->setValue(0);
  CHECK(opened.value(interval) == "127.5 s");
  row->slider()->setValue(row->slider()->maximum());
  CHECK(opened.value(interval) == "1020 s");
  CHECK(window.row(kWorkers) == nullptr);  // no GPU waits for data: workers change nothing
}

TEST_CASE("a slider goes to four times of today where today is beyond what is plausible") {
  Opened opened("unet3d-70-hosts");
  MainWindow& window = *opened.window;
  window.study().stop();
  REQUIRE(opened.value(kWorkers) == "96");
  window.pin(kWorkers);
  REQUIRE(window.row(kWorkers) != nullptr);
  QSlider* slider = window.row(kWorkers)->slider();
  slider->setValue(slider->maximum());
  CHECK(opened.value(kWorkers) == "384");
}

TEST_CASE("an axis of a sweep has one unit, and what is drawn first is a figure that it moves") {
  Opened opened("llama3-405b-checkpoints");
  MainWindow& window = *opened.window;
  window.study().stop();
  SweepPane& pane = window.sweep_pane();
  REQUIRE(window.show_pane("sweep"));
  pane.set_level(scenarios::AnswerLevel::bound);
  pane.set_axis(0, "/faults/node_mtbf", "3167 h, 6334 h, 32200000 s");
  pane.set_axis(1, "", "");
  pane.start();
  REQUIRE(wait_until([&] { return !pane.task().is_running(); }));
  REQUIRE(pane.answer().points.size() == 3);
  std::set<std::string> units;
  for (const SweptPoint& point : pane.answer().points)
    units.insert(point.labels[0].substr(point.labels[0].find(' ') + 1));
  CHECK(units.size() == 1);
  REQUIRE(pane.chart()->figures().header.size() == 3);
  std::set<std::string> drawn;
  for (const FigureRow& row : pane.chart()->figures().rows) drawn.insert(row.cells[2]);
  CHECK(drawn.size() == 3);
}

TEST_CASE("runs and swept points have the verdict in the words of the banner") {
  CHECK(verdict_word(models::Verdict::fed) == "compute-bound");
  CHECK(verdict_word(models::Verdict::ingest_bound) == "ingest-bound");
  Opened opened;
  MainWindow& window = *opened.window;
  REQUIRE(wait_until([&] { return window.phase() == Phase::answer; }));
  REQUIRE(window.outcome()->verdict == models::Verdict::fed);
  window.pin_baseline();
  for (const QTableWidget* table : window.compare_pane().findChildren<QTableWidget*>())
    for (int row = 0; row < table->rowCount(); ++row)
      for (int column = 0; column < table->columnCount(); ++column)
        if (table->item(row, column) != nullptr) CHECK(table->item(row, column)->text() != "fed");
}

}  // namespace
}  // namespace headrace::gui
