// Seeing more with less reading: one answer against another as a waterfall, batches over time, pictures of clusters,
// cards of stations, and nothing cut in a small window.
#include <QChart>
#include <QComboBox>
#include <QHeaderView>
#include <QImage>
#include <QLineEdit>
#include <QListWidget>
#include <QSlider>
#include <QTableWidget>
#include <QTest>
#include <QValueAxis>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "gui/presenter/closed_form.hpp"
#include "gui/presenter/difference_steps.hpp"
#include "gui/presenter/queue_depths.hpp"
#include "gui/presenter/queue_motion.hpp"
#include "gui/presenter/recording.hpp"
#include "gui/presenter/sort_key.hpp"
#include "gui/presenter/topology.hpp"
#include "gui/widgets/compare_pane.hpp"
#include "gui/widgets/decision_panes.hpp"
#include "gui/widgets/figure_table.hpp"
#include "gui/widgets/gallery.hpp"
#include "gui/widgets/inputs_pane.hpp"
#include "gui/widgets/lanes_view.hpp"
#include "gui/widgets/linked_maps.hpp"
#include "gui/widgets/main_window.hpp"
#include "gui/widgets/pane_parts.hpp"
#include "gui/widgets/plan_pane.hpp"
#include "gui/widgets/slider_row.hpp"
#include "gui/widgets/station_card.hpp"
#include "gui/widgets/strip_view.hpp"
#include "gui/widgets/sweep_pane.hpp"
#include "gui/widgets/timeline_pane.hpp"
#include "gui/widgets/topology_picture.hpp"
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

bool is_answered(MainWindow& window) {
  return wait_until([&] { return window.phase() == Phase::answer; }, 180000);
}

double total_wait(const BatchLanes& lanes) {
  return std::accumulate(lanes.waiting.begin() + static_cast<std::ptrdiff_t>(lanes.first), lanes.waiting.end(), 0.0);
}

TEST_CASE("one answer against another is a waterfall whose steps lead from the first total to the second") {
  Opened opened;
  MainWindow& window = *opened.window;
  REQUIRE(window.apply({{"/prices/gpu_hour", "$2/h"}}, "a price"));
  REQUIRE(is_answered(window));
  window.pin_baseline();
  const models::Outcome before = *window.outcome();
  REQUIRE(window.set_value(kWorkers, "3", 0));
  REQUIRE(is_answered(window));
  for (const Total total : {Total::step_time, Total::cost}) {
    const Parts parts = parts_of(*window.outcome(), total);
    double sum = 0.0;
    for (const Share& part : parts.parts) sum += part.value;
    CHECK(std::abs(sum - parts.total) < 1e-9 * parts.total);
    const std::vector<FloatingBar> steps = difference_steps(before, *window.outcome(), total, 4);
    REQUIRE(steps.size() >= 3);
    CHECK(steps.size() <= 6);
    double at = steps.front().to;
    for (std::size_t i = 1; i + 1 < steps.size(); ++i) {
      const FloatingBar& step = steps[i];
      const bool more = step.middle == step.to;  // of a part that noise hides, too
      CHECK(std::abs(at - (more ? step.from : step.to)) < 1e-9 * at);
      CHECK(step.text.starts_with("+") == more);
      at = more ? step.to : step.from;
    }
    CHECK(std::abs(at - steps.back().to) < 1e-9 * at);
  }
  CHECK(parts_of(before, Total::step_time).total == before.find("step_time_s")->mean);
  CHECK(difference_steps(before, before, Total::step_time).empty());

  REQUIRE(window.show_pane("compare"));
  ComparePane& pane = window.compare_pane();
  QCoreApplication::processEvents();
  CHECK(pane.chart()->csv().contains("run 1"));
  CHECK(pane.chart()->csv().contains("wait for decode"));
  CHECK(pane.chart()->csv().startsWith("name,shown,\"from, ms\""));
  pane.total()->setCurrentIndex(1);
  CHECK(pane.chart()->csv().startsWith("name,shown,\"from, USD\""));
  window.pin_baseline();  // now A is what B is
  CHECK(pane.chart()->csv().isEmpty());
  pane.first()->setCurrentIndex(0);
  CHECK(pane.chart()->csv().contains("run 1"));
}

TEST_CASE("the lanes of a recording are those of the trace that the program writes", "[long_1]") {
  const Folder folder;
  const auto program = testing::run("simulate image-node --json --timeline '" + folder.path("trace.json") + "'");
  REQUIRE(program.status == 0);
  const auto trace = nlohmann::ordered_json::parse(testing::file_text(folder.path("trace.json")));
  const BatchLanes expected = batch_lanes(trace, 4, 120);
  const Recording recording = record_window(opened("image-node"), 0, {});
  REQUIRE(recording.lanes.lanes.size() == expected.lanes.size());
  REQUIRE(expected.lanes.size() == 4 * 8);  // a GPU and its seven workers
  std::size_t bars = 0;
  for (std::size_t lane = 0; lane < expected.lanes.size(); ++lane) {
    CHECK(recording.lanes.lanes[lane].name == expected.lanes[lane].name);
    CHECK(expected.lanes[lane].gpu == (lane % 8 == 0));
    REQUIRE(recording.lanes.lanes[lane].bars.size() == expected.lanes[lane].bars.size());
    bars += expected.lanes[lane].bars.size();
    double last = 0.0;
    for (std::size_t i = 0; i < expected.lanes[lane].bars.size(); ++i) {
      CHECK(recording.lanes.lanes[lane].bars[i].begin_s == expected.lanes[lane].bars[i].begin_s);
      CHECK(expected.lanes[lane].bars[i].begin_s >= last);
      last = expected.lanes[lane].bars[i].begin_s;
    }
  }
  CHECK(bars > 5000);
}

TEST_CASE("the worst stretch of a recording is where the GPUs wait most, after their start") {
  BatchLanes lanes;
  lanes.end_s = 10.0;
  lanes.waiting = {1.0, 1.0, 0.1, 0.2, 0.6, 0.5, 0.0, 0.4, 0.0, 0.0};
  lanes.first = 2;
  CHECK(worst_stretch(lanes, 2) == 4);
  CHECK(worst_stretch(lanes, 1) == 4);
  CHECK(worst_stretch(lanes, 10) == 0);
  lanes.waiting.assign(10, 0.0);
  CHECK(worst_stretch(lanes, 3) == 2);
}

TEST_CASE("the timeline begins at the worst window of the epoch, and its scrubbers move by hand", "[long_4]") {
  Opened opened("cache-policies");
  MainWindow& window = *opened.window;
  TimelinePane& pane = window.decisions().timeline();
  REQUIRE(is_answered(window));
  const auto& windows = windows_of(*window.outcome());
  REQUIRE(windows.size() == 8);
  const std::size_t worst = worst_window(windows);
  CHECK(worst >= 4);  // the cache hits less and less
  CHECK(pane.window() == worst);
  CHECK(pane.epoch()->first() == worst);
  CHECK(!pane.task().is_running());  // nobody looks
  REQUIRE(window.show_pane("timeline"));
  REQUIRE(wait_until([&] { return !pane.task().is_running() && !pane.lanes()->lanes().lanes.empty(); }, 60000));
  const BatchLanes& lanes = pane.lanes()->lanes();
  CHECK(pane.recording()->first() == worst_stretch(lanes, pane.recording()->count()));
  CHECK(std::abs(pane.lanes()->begin_s() - static_cast<double>(pane.recording()->first()) * lanes.piece_s()) < 1e-9);
  const double begin_s = pane.lanes()->begin_s();
  QTest::keyClick(pane.recording(), Qt::Key_End);
  CHECK(pane.lanes()->begin_s() > begin_s);
  CHECK(std::abs(pane.lanes()->end_s() - lanes.end_s) < 1e-9);
  QTest::mouseClick(pane.recording(), Qt::LeftButton, Qt::NoModifier, pane.recording()->place(0).center().toPoint());
  CHECK(pane.lanes()->begin_s() == 0.0);
  CHECK(!pane.lanes()->legend().empty());
  CHECK(pane.lanes()->legend().back().name == "no batch");
  const double waits_worst = total_wait(lanes);
  QTest::mouseClick(pane.epoch(), Qt::LeftButton, Qt::NoModifier, pane.epoch()->place(0).center().toPoint());
  CHECK(pane.window() == 0);
  REQUIRE(wait_until([&] { return !pane.task().is_running(); }, 60000));
  CHECK(total_wait(pane.lanes()->lanes()) < waits_worst);  // there the cache still hits
  REQUIRE(window.set_value(kWorkers, "9", 0));             // another scenario: its worst window again
  REQUIRE(is_answered(window));
  CHECK(pane.window() == worst_window(window.outcome()->windows));
}

TEST_CASE("the gallery draws every shipped cluster, and tells large from small") {
  testing::application();
  Gallery gallery;
  REQUIRE(gallery.list()->count() > 40);
  std::set<QByteArray> pictures;
  for (int i = 0; i < gallery.list()->count(); ++i) {
    const QListWidgetItem* item = gallery.list()->item(i);
    INFO(item->text().toStdString());
    REQUIRE(!item->icon().isNull());
    const QImage image = item->icon().pixmap(gallery.list()->iconSize()).toImage();
    pictures.insert(QByteArray(reinterpret_cast<const char*>(image.constBits()), image.sizeInBytes()));
    CHECK(item->text().contains("store"));
    const ScenarioDocument document = opened(item->data(Qt::UserRole).toString().toStdString());
    const auto bound = closed_form(document);
    if (bound.outcome)
      CHECK(item->text().endsWith("\n" + QString::fromStdString(limit_text(document, *bound.outcome))));
  }
  CHECK(pictures.size() > 15);
  const Topology fleet = topology_of(opened("growing-fleet").scenario());
  CHECK(fleet.words() == "1 store, 32 nodes of 8 GPUs, 16 nodes of 8 GPUs, 2 jobs");
  CHECK(fleet.jobs[1].pool == 1);
  CHECK(fleet.jobs[1].stores == std::vector<std::size_t>{0});
  const QSize size(160, 80);
  const QImage light = topology_picture(fleet, size, 2.0, Theme::of(false)).toImage();
  CHECK(light.size() == 2 * size);
  CHECK(light != topology_picture(fleet, size, 2.0, Theme::of(true)).toImage());
}

TEST_CASE("a click on a station opens its card, whose sliders change the scenario") {
  Opened opened;
  MainWindow& window = *opened.window;
  window.study().stop();
  PathPicture& picture = window.path_picture();
  StationCard& card = window.station_card();
  REQUIRE(picture.stations().front() == "store bandwidth");
  QTest::mouseClick(&picture, Qt::LeftButton, Qt::NoModifier, picture.place(0).center());
  REQUIRE(card.isVisible());
  CHECK(card.facts().title == "store bandwidth");
  REQUIRE(!card.facts().figures.empty());
  CHECK(card.facts().figures.front().first == "utilization");
  REQUIRE(!card.rows().empty());
  CHECK(card.rows().front()->pointer() == "/stores/0/bandwidth");
  const std::string used = card.facts().figures.front().second;
  card.rows().front()->slider()->setValue(0);  // half of today
  CHECK(opened.value("/stores/0/bandwidth") == "20 GB/s");
  CHECK(card.facts().figures.front().second != used);
  window.undo_stack().undo();
  CHECK(opened.value("/stores/0/bandwidth") == "40 GB/s");
  card.rows().front()->field()->selectAll();
  QTest::keyClicks(card.rows().front()->field(), "plenty");
  QTest::keyClick(card.rows().front()->field(), Qt::Key_Return);
  CHECK(card.rows().front()->is_refused());
  card.hide();
  picture.setFocus(Qt::TabFocusReason);
  for (int i = 1; i < picture.stations().size(); ++i) QTest::keyClick(&picture, Qt::Key_Right);
  QTest::keyClick(&picture, Qt::Key_Return);
  REQUIRE(card.isVisible());
  CHECK(card.facts().title == "GPUs");
  for (std::size_t station = 0; station < static_cast<std::size_t>(picture.stations().size()); ++station) {
    picture.choose(station);
    INFO(card.facts().title);
    CHECK(!card.facts().figures.empty());
    CHECK(!card.facts().parameters.empty());
  }
  card.hide();
}

TEST_CASE("values and intervals of the key figures are whole in a window of 1280 pixels") {
  Opened opened("llm-pretraining-90-days");
  MainWindow& window = *opened.window;
  window.resize(1280, 720);
  REQUIRE(is_answered(window));
  CHECK(window.width() == 1280);
  auto* table = window.findChild<FigureTable*>();
  REQUIRE(table != nullptr);
  QCoreApplication::processEvents();
  int width = 0;
  for (const int column : {FigureTable::kName, FigureTable::kValue, FigureTable::kInterval})
    width += table->columnWidth(column);
  CHECK(width <= table->viewport()->width());
  const QFontMetrics metrics(table->font());
  for (int row = 0; row < table->rowCount(); ++row)
    for (const int column : {FigureTable::kValue, FigureTable::kInterval}) {
      INFO(table->item(row, column)->text().toStdString());
      CHECK(metrics.horizontalAdvance(table->item(row, column)->text()) < table->columnWidth(column));
    }
}

TEST_CASE("beside a baseline every column of the key figures is in a window of 1280 pixels") {
  Opened opened;
  MainWindow& window = *opened.window;
  window.resize(1280, 720);
  REQUIRE(is_answered(window));
  window.pin_baseline();
  REQUIRE(window.set_value("/jobs/0/loader/workers", "5", 0));
  REQUIRE(is_answered(window));
  QCoreApplication::processEvents();
  const auto* table = window.findChild<FigureTable*>();
  int width = 0;
  for (int column = FigureTable::kName; column < FigureTable::kColumns; ++column)
    width += table->isColumnHidden(column) ? 0 : table->columnWidth(column);
  CHECK_FALSE(table->isColumnHidden(FigureTable::kBaseline));
  CHECK_FALSE(table->isColumnHidden(FigureTable::kChange));
  CHECK(width <= table->viewport()->width());
}

TEST_CASE("inputs are told by name, and axes of numbers end where their data do") {
  Opened opened;
  MainWindow& window = *opened.window;
  REQUIRE(wait_until([&] { return window.curves_are_ready(); }));
  const QString inputs = window.inputs_pane().text();
  CHECK(inputs.contains("loader cpu per sample"));
  CHECK(!inputs.contains("/jobs"));
  CHECK(!inputs.contains("/stores"));
  const Chart* chart = window.chart("GPU idle over the dragged parameter");
  REQUIRE(!chart->frame()->axes(Qt::Horizontal).isEmpty());
  const auto* axis = qobject_cast<const QValueAxis*>(chart->frame()->axes(Qt::Horizontal).first());
  REQUIRE(axis != nullptr);
  double low = 1e9;
  double high = 0.0;
  for (const FigureRow& row : chart->figures().rows)
    if (row.at) low = std::min(low, row.at->first), high = std::max(high, row.at->first);
  CHECK(low > 1.0);
  CHECK(std::abs(axis->min() - low) < 1e-9);
  CHECK(std::abs(axis->max() - high) < 1e-9);
  CHECK(axis->tickInterval() > 0.0);
  CHECK((high - low) / axis->tickInterval() >= 2.0);
}

TEST_CASE("batches stand in the picture as they stand in the recording, and on average as Little's law says") {
  const ScenarioDocument document = opened("image-node");
  const models::Timeline timeline =
      models::record_timeline(document.scenario(), picture_recording(document.scenario()));
  const QueueMotion motion = queue_motion(timeline);
  REQUIRE(motion.moments.size() >= 60);
  CHECK(motion.length_s > 0.0);
  // What is on its way or ready never exceeds what the workers may hold.
  const models::Loader& loader = document.scenario().jobs.front().loader;
  const double most = static_cast<double>(loader.workers) * static_cast<double>(loader.prefetch);
  for (const QueueMoment& moment : motion.moments) {
    const double all = moment.ready + std::accumulate(moment.held.begin(), moment.held.end(), 0.0);
    CHECK(all <= most + 1e-9);
  }
  // A step takes one batch of each loader: the mean number in a stage is its mean time over the step time.
  const models::JobTimeline& job = timeline.jobs.front();
  const std::size_t quarter = job.steps.records.size() / 4;
  const double from = static_cast<double>(job.steps.records[quarter].start_ns);
  const double to = static_cast<double>(job.steps.records.back().start_ns);
  double ready_ns = 0.0;
  for (const auto* batches : {&job.batches, &job.waiting})
    for (const models::TimelineBatch& batch : *batches) {
      const double end = batches == &job.waiting ? to : static_cast<double>(batch.taken_ns);
      ready_ns += std::max(0.0, std::min(to, end) - std::max(from, static_cast<double>(batch.ready_ns)));
    }
  CHECK(motion.mean().ready == Approx(ready_ns / job.watched / (to - from)).margin(0.25));
}

TEST_CASE("queues move in the picture as fast as simulated, and stand still where motion is reduced") {
  Opened opened;
  MainWindow& window = *opened.window;
  PathPicture& picture = window.path_picture();
  REQUIRE(is_answered(window));
  REQUIRE(wait_until([&] { return !picture.queues().empty(); }));
  CHECK(picture.queues().size() == static_cast<std::size_t>(picture.stations().size()));
  picture.set_motion_reduced(false);
  CHECK(picture.is_moving());
  const std::vector<double> first = picture.queues();
  CHECK(wait_until([&] { return picture.queues() != first; }, 5000));
  picture.set_motion_reduced(true);
  CHECK(!picture.is_moving());
  const QImage still = picture.grab().toImage();
  QTest::qWait(200);
  CHECK(picture.grab().toImage() == still);
  // They belong to the answer: another scenario takes them away.
  window.set_value(kWorkers, "9", 0);
  CHECK(picture.queues().empty());
}

TEST_CASE("three swept parameters are three maps, and a cell under the mouse marks the same point in all of them") {
  Opened opened;
  MainWindow& window = *opened.window;
  window.study().stop();
  SweepPane& pane = window.sweep_pane();
  REQUIRE(window.show_pane("sweep"));
  pane.set_level(scenarios::AnswerLevel::bound);
  pane.set_axis(0, kWorkers, "4, 8, 16");
  pane.set_axis(1, "/jobs/0/loader/prefetch", "2, 3");
  pane.set_axis(2, "/stores/0/bandwidth", "2 GB/s, 20 GB/s, 40 GB/s");
  pane.start();
  REQUIRE(wait_until([&] { return !pane.task().is_running(); }));
  REQUIRE(pane.shows_linked_maps());
  const auto& maps = pane.linked_maps()->maps();
  CHECK(maps[0]->map().x.size() == 3);
  CHECK(maps[0]->map().y.size() == 2);
  CHECK(maps[2]->map().y.size() == 3);
  CHECK(maps[0]->map().range == maps[2]->map().range);
  Q_EMIT maps[0]->cell_pointed(2, 1);  // 16 workers, prefetch 3
  CHECK(maps[0]->map().now_x == std::optional<std::size_t>(2));
  CHECK(maps[1]->map().now_x == std::optional<std::size_t>(2));
  CHECK(maps[2]->map().now_x == std::optional<std::size_t>(1));
  Q_EMIT maps[2]->cell_pointed(1, 2);  // prefetch 3, 40 GB/s
  CHECK(maps[1]->map().now_y == std::optional<std::size_t>(2));
  // The marked cell holds the same point everywhere.
  for (const HeatView* map : maps)
    CHECK(map->map().values[*map->map().now_y][*map->map().now_x] ==
          maps[0]->map().values[*maps[0]->map().now_y][*maps[0]->map().now_x]);
  Q_EMIT maps[1]->cell_clicked(0, 1);  // 4 workers, 20 GB/s, with the prefetch that is marked
  CHECK(opened.value(kWorkers) == "4");
  CHECK(opened.value("/jobs/0/loader/prefetch") == "3");
  CHECK(opened.value("/stores/0/bandwidth") == "20 GB/s");
}

TEST_CASE("worse is the deep end of the colours, whether more or less is better") {
  testing::application();
  HeatView view;
  HeatMap map;
  map.x = {"1", "2"};
  map.y = {"1"};
  map.values = {{1.0, 2.0}};
  view.show("waits", map);
  CHECK(view.badness(0, 0) == std::optional(0.0));
  CHECK(view.badness(1, 0) == std::optional(1.0));
  map.more_is_better = true;
  view.show("throughput", map);
  CHECK(view.badness(0, 0) == std::optional(1.0));
  CHECK(view.badness(1, 0) == std::optional(0.0));
  map.values = {{4.816e-7, 73.4}};  // percent: what an estimate leaves of nothing
  view.show("waits", map);
  CHECK(view.cell_text(0, 0) == "<0.001");
  CHECK(view.cell_text(1, 0) == "73.4");
  for (const bool dark : {false, true}) {
    const Theme theme = Theme::of(dark);
    for (const double share : {0.0, 0.25, 0.5, 0.75})
      CHECK(HeatView::colours(share, theme).first.lightness() >
            HeatView::colours(share + 0.25, theme).first.lightness());
    for (const double share : {0.0, 0.5, 1.0}) {
      const auto [ground, ink] = HeatView::colours(share, theme);
      CHECK(contrast(ground, ink) >= 4.5);
    }
  }
}

TEST_CASE("a recording that is longer than an epoch says so") {
  const std::string longer = "as if its epoch of";
  const ScenarioDocument document = opened("image-node");
  CHECK(record_window(document, 0, {}).words.find(longer) == std::string::npos);
  const auto shorter = document.with("/datasets/0/files", "20");  // 200,000 samples, 8,192 a step
  REQUIRE(shorter.has_value());
  CHECK(record_window(*shorter, 0, {}).words.find(longer + " 24 went on") != std::string::npos);
}

TEST_CASE("no two entries of the timeline's legend share a colour, in both themes") {
  testing::application();
  const Recording recording = record_window(opened("image-node"), 0, {});
  for (const bool dark : {false, true}) {
    LanesView lanes(nullptr);
    lanes.set_theme(Theme::of(dark));
    lanes.show_lanes(recording.lanes);
    const std::vector<LegendEntry> legend = lanes.legend();
    CHECK(legend.size() > 2);
    for (std::size_t i = 0; i < legend.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        INFO(legend[i].name.toStdString() << " and " << legend[j].name.toStdString());
        const QColor& a = legend[i].colour;
        const QColor& b = legend[j].colour;
        CHECK(std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue()) > 48);
      }
  }
}

TEST_CASE("tables are sorted by what their numbers mean, and a row keeps its point") {
  CHECK(*sort_key("341 ms") == Approx(0.341));
  CHECK(*sort_key("$1,012.40") == Approx(1012.4));
  CHECK(*sort_key("$1.05 M") == Approx(1.05e6));
  CHECK(*sort_key("1.5 M") == Approx(1.5));
  CHECK(comes_before("800 MB/s", "1.2 GB/s"));
  CHECK(comes_before("59 min", "1 h"));
  CHECK(comes_before("9.5 %", "10 %"));
  CHECK(comes_before("1 s", "ingest-bound"));
  CHECK(!sort_key("ingest-bound"));
  testing::application();
  std::unique_ptr<QTableWidget> table(make_table(nullptr, "Sizes"));
  fill_table(*table, {"name", "time"}, {{"b", "1.2 s"}, {"a", "900 ms"}, {"c", "2 min"}});
  table->setCurrentCell(0, 0);
  table->horizontalHeader()->setSortIndicator(1, Qt::AscendingOrder);
  CHECK(table->item(0, 0)->text() == "a");
  CHECK(filled_row(*table, 0) == 1);
  CHECK(filled_row(*table, table->currentRow()) == 0);
  table->horizontalHeader()->setSortIndicator(1, Qt::DescendingOrder);
  CHECK(table->item(0, 0)->text() == "c");
  fill_table(*table, {"name", "time"}, {{"x", "1 s"}, {"y", "3 s"}});
  CHECK(table->item(0, 0)->text() == "y");
  table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
  CHECK(table->item(0, 0)->text() == "x");
}

}  // namespace
}  // namespace headrace::gui
