#include "gui/widgets/maps_pane.hpp"

#include <QGridLayout>
#include <algorithm>
#include <cmath>
#include <memory>

#include "gui/presenter/closed_form.hpp"
#include "gui/presenter/queue_depths.hpp"
#include "gui/presenter/recording.hpp"
#include "gui/widgets/letters.hpp"
#include "gui/widgets/pane_parts.hpp"
#include "reports/humane.hpp"

namespace headrace::gui {
namespace {

constexpr int kRest_ms = 200;
constexpr int kColumns = 10;
constexpr int kRows = 6;
constexpr int kPoints = 25;
constexpr int kPieces = 120;
constexpr std::size_t kStages = 4;
constexpr double kGB = 1e-9;

const ParameterValue* sliding(const std::vector<ParameterValue>& sheet, const std::string& pointer) {
  const auto found =
      std::find_if(sheet.begin(), sheet.end(), [&](const ParameterValue& value) { return value.pointer == pointer; });
  return found != sheet.end() && found->can_slide() ? &*found : nullptr;
}

/// The place of the value nearest to `now`.
std::optional<std::size_t> nearest(const std::vector<double>& values, const ParameterValue& parameter) {
  const auto now = number_of(parameter, parameter.value);
  if (!now || values.empty()) return std::nullopt;
  const auto best = std::min_element(values.begin(), values.end(),
                                     [&](double a, double b) { return std::abs(a - *now) < std::abs(b - *now); });
  return static_cast<std::size_t>(best - values.begin());
}

struct Maps {
  std::string job;  ///< whose throughput it is, of several
  Surface throughput;
  Curve hits;
};

/// A curve for each depth; one for all that lie on each other, "2 to 8 ahead".
std::vector<Line> depth_lines(const std::vector<double>& x, const HeatMap& map) {
  constexpr double kSeen = 0.005;  // of the highest: closer curves cover each other
  double most = 0.0;
  for (const auto& row : map.values)
    for (const double value : row)
      if (std::isfinite(value)) most = std::max(most, value);
  const auto alike = [&](const std::vector<double>& a, const std::vector<double>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](double one, double two) { return std::abs(one - two) <= kSeen * most; });
  };
  std::vector<Line> lines;
  for (std::size_t first = 0, last = 0; first < map.values.size(); first = last + 1) {
    last = first;
    while (last + 1 < map.values.size() && alike(map.values[first], map.values[last + 1])) ++last;
    lines.push_back(
        {map.y[first] + (last > first ? " to " + map.y[last] : "") + " ahead", x, map.values[first], false});
  }
  return lines;
}

}  // namespace

MapsPane::MapsPane(QWidget* parent) : QWidget(parent), maps_task_(nullptr, kRest_ms), depths_task_(nullptr, kRest_ms) {
  setAccessibleName("Maps");
  throughput_ = new Chart("Throughput by workers and prefetch", this);
  curves_ = new Chart("Throughput for each prefetch depth", this);
  hits_ = new Chart("Cache hits over size of the cache", this);
  depths_ = new Chart("Queued batches over time", this);
  constexpr int kTwoLinesOfLegend_px = 205;
  for (Chart* chart : charts()) chart->setMinimumHeight(whole_by_letters(font(), kTwoLinesOfLegend_px));
  auto* grid = new QGridLayout;
  scrolled(this)->addLayout(grid);
  grid->addWidget(throughput_, 0, 0);
  grid->addWidget(curves_, 0, 1);
  grid->addWidget(hits_, 1, 0);
  grid->addWidget(depths_, 1, 1);
  for (int i = 0; i < 2; ++i) grid->setRowStretch(i, 1), grid->setColumnStretch(i, 1);
  connect(&depths_task_, &BackgroundTask::failed, this, [this](const QString& why) { depths_->show_nothing(why); });
  connect(throughput_, &Chart::cell_chosen, this, [this](int column, int row) {
    const std::vector<Edit> edits = cells_.at(static_cast<std::size_t>(row)).at(static_cast<std::size_t>(column));
    Q_EMIT chosen(edits, "workers " + QString::fromStdString(edits[0].value) + ", batches ahead " +
                             QString::fromStdString(edits[1].value));
  });
}

void MapsPane::stop() {
  maps_task_.stop();
  depths_task_.stop();
}

void MapsPane::show_document(const ScenarioDocument& document, const std::vector<ParameterValue>& sheet) {
  document_ = document;
  sheet_ = sheet;
  stale_ = true;
  stop();
  if (isVisible()) refresh();
}

void MapsPane::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

void MapsPane::refresh() {
  if (!stale_ || !document_) return;
  stale_ = false;
  draw_throughput(*document_);
  draw_depths(*document_);
}

void MapsPane::draw_throughput(const ScenarioDocument& document) {
  const ParameterValue* workers = sliding(sheet_, "/jobs/0/loader/workers");
  const ParameterValue* depth = sliding(sheet_, "/jobs/0/loader/prefetch");
  const ParameterValue* cache = cache_size(document, sheet_);
  if (workers == nullptr || depth == nullptr)
    for (Chart* chart : {throughput_, curves_}) chart->show_nothing("This loader has no workers or prefetch to vary.");
  if (cache == nullptr)
    hits_->show_nothing(is_cache_unused(document.scenario())
                            ? "The cache of the nodes is not used: it has no policy. Set one in the tree."
                            : "The nodes of this job have no cache. Add one to the pool in the tree.");
  std::optional<ParameterValue> n = workers ? std::optional(*workers) : std::nullopt;
  std::optional<ParameterValue> d = depth ? std::optional(*depth) : std::nullopt;
  std::optional<ParameterValue> c = cache ? std::optional(*cache) : std::nullopt;
  maps_task_.start([this, document, n, d, c](const BackgroundTask::Context& context) -> std::function<void()> {
    auto maps = std::make_shared<Maps>();
    if (c) maps->hits = bound_curve(document, *c, "cache_hit_ratio", kPoints, context.stop);
    const models::Scenario& scenario = document.scenario();  // samples of several jobs have nothing in common
    const std::string job = scenario.jobs.size() > 1 ? scenario.jobs.front().name : std::string();
    const std::string rate = (job.empty() ? "" : "jobs/" + job + "/") + std::string("samples_per_s");
    if (n && d) maps->throughput = estimate_surface(document, *n, *d, rate, kColumns, kRows, context.stop);
    maps->job = job;
    return [this, maps, n, d, c] {
      if (n && d && !maps->throughput.values.empty()) show_map(maps->throughput, *n, *d, maps->job);
      if (c) show_hits(maps->hits, *c);
    };
  });
}

void MapsPane::show_map(const Surface& surface, const ParameterValue& workers, const ParameterValue& depth,
                        const std::string& job) {
  double most = 0.0;
  for (const auto& row : surface.values)
    for (const double value : row)
      if (std::isfinite(value)) most = std::max(most, value);
  const reports::Scale scale = reports::humane_scale(most, "1/s");
  HeatMap map;
  map.x_title = "workers of one loader";
  map.y_title = "batches ahead";
  const std::string samples = (job.empty() ? "" : job + ": ") + std::string("samples, ") + scale.unit;
  map.value_title = samples + " (estimate)";
  for (const double x : surface.x) map.x.push_back(spelled(workers, x));
  for (const double y : surface.y) map.y.push_back(spelled(depth, y));
  map.values = surface.values;
  map.more_is_better = true;
  cells_.assign(map.y.size(), std::vector<std::vector<Edit>>(map.x.size()));
  LineChart curves;
  curves.x_title = map.x_title;
  curves.y_title = samples;
  curves.mark_x = number_of(workers, workers.value);
  for (std::size_t r = 0; r < map.values.size(); ++r) {
    for (std::size_t x = 0; x < map.values[r].size(); ++x) {
      map.values[r][x] *= scale.factor;
      cells_[r][x] = {{workers.pointer, map.x[x]}, {depth.pointer, map.y[r]}};
    }
  }
  curves.lines = depth_lines(surface.x, map);
  map.now_x = nearest(surface.x, workers);
  map.now_y = nearest(surface.y, depth);
  throughput_->show_map(map);
  curves_->show_lines(curves);
}

void MapsPane::show_hits(const Curve& hits, const ParameterValue& size) {
  LineChart chart;
  chart.x_title = "size of the cache of a node, GB";
  chart.y_title = "hits, %";
  chart.log_x = size.facts.log_scale;
  Line line{"closed form", {}, {}, false};
  for (std::size_t i = 0; i < hits.x.size(); ++i) {
    line.x.push_back(hits.x[i] * kGB);
    line.y.push_back(100.0 * hits.y[i]);
  }
  chart.lines.push_back(std::move(line));
  if (const auto now = number_of(size, size.value)) chart.mark_x = *now * kGB;
  hits_->show_lines(chart);
}

void MapsPane::draw_depths(const ScenarioDocument& document) {
  depths_task_.start([this, document](const BackgroundTask::Context&) -> std::function<void()> {
    const ClosedForm bound = closed_form(document);
    const auto windows = bound.outcome ? windows_of(*bound.outcome) : std::vector<models::WindowReport>{};
    const models::Timeline timeline =
        models::record_timeline(document.scenario(), short_recording(document.scenario(), worst_window(windows)));
    auto depths = std::make_shared<QueueDepths>(queue_depths(timeline, kPieces, kStages));
    return [this, depths, parts = windows.size()] {
      if (depths->series.empty()) return depths_->show_nothing("No batch was recorded.");
      LineChart chart;
      chart.x_title = parts > 1 ? "time in the slowest part of the epoch, s" : "time since the start, s";
      chart.y_title = "batches";
      for (const DepthSeries& series : depths->series)
        chart.lines.push_back({series.name, depths->time_s, series.depth, false});
      depths_->show_lines(chart);
    };
  });
}

}  // namespace headrace::gui
