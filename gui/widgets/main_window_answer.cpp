// What the window shows of the present document, and the edits that make it another one.
#include <QStatusBar>
#include <QTabWidget>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "gui/presenter/next_steps.hpp"
#include "gui/presenter/recording.hpp"
#include "gui/presenter/short_name.hpp"
#include "gui/presenter/slo_lines.hpp"
#include "gui/presenter/structure_edits.hpp"
#include "gui/presenter/value_in_use.hpp"
#include "gui/presenter/workers_load.hpp"
#include "gui/widgets/answer_banner.hpp"
#include "gui/widgets/compare_pane.hpp"
#include "gui/widgets/decision_panes.hpp"
#include "gui/widgets/edit_command.hpp"
#include "gui/widgets/figure_table.hpp"
#include "gui/widgets/inputs_pane.hpp"
#include "gui/widgets/main_window.hpp"
#include "gui/widgets/maps_pane.hpp"
#include "gui/widgets/measured_pane.hpp"
#include "gui/widgets/next_card.hpp"
#include "gui/widgets/plan_pane.hpp"
#include "gui/widgets/qt_text.hpp"
#include "gui/widgets/slider_row.hpp"
#include "gui/widgets/station_card.hpp"
#include "gui/widgets/sweep_pane.hpp"
#include "gui/widgets/tight_tabs.hpp"
#include "models/study/metric_value.hpp"
#include "reports/figure_table.hpp"
#include "reports/humane.hpp"
#include "reports/known_evidence.hpp"
#include "reports/sliders.hpp"
#include "reports/verdict_text.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::gui {
namespace {

constexpr int kCurvePoints = 25;
constexpr int kBandPoints = 9;

/// One scale for the axis of a parameter, by what it is today.
reports::Scale axis_scale(const ParameterValue& parameter) {
  const double now = number_of(parameter, parameter.value).value_or(1.0);
  if (parameter.unit == models::Unit::bytes_per_second) return {1e-9, "GB/s"};
  if (parameter.unit == models::Unit::bytes) return {1e-9, "GB"};
  if (parameter.unit == models::Unit::seconds) return reports::humane_scale(parameter.today.value_or(now), "s");
  return {1.0, parameter.facts.unit};
}

std::vector<double> scaled(std::vector<double> values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}

Point point_at(double x, const models::Metric& metric, double factor) {
  const models::Interval interval = metric.ci95.value_or(models::Interval{metric.mean, metric.mean});
  return {x, metric.mean * factor, interval.low * factor, interval.high * factor};
}

std::optional<Point> range_at(double x, const models::Metric& metric, double factor) {
  if (!metric.input_range) return std::nullopt;
  return Point{x, metric.mean * factor, metric.input_range->low * factor, metric.input_range->high * factor};
}

Limit limit_of(const models::Threshold& slo, double factor) {
  return {reports::spoken_name(slo.metric) + " " + slo.condition, slo.limit * factor};
}

/// Computing and waiting always, the rest where it takes time; a closed form does not tell a GPU's own wait from that
/// for others.
std::vector<models::GpuStateShare> chosen_states(const models::Outcome& outcome) {
  std::vector<models::GpuStateShare> chosen;
  for (const models::GpuStateShare& one : outcome.gpu_states) {
    const bool split = one.state == models::GpuState::ingest_wait_peer && outcome.stopped_by == "closed_form";
    if (one.share > 0.0 || (chosen.size() < 3 && !split)) chosen.push_back(one);
  }
  return chosen;
}

/// Of a bound what it proves.
std::vector<Share> shown_states(const models::Outcome& outcome) {
  std::vector<Share> states;
  for (const models::GpuStateShare& one : chosen_states(outcome)) {
    constexpr std::string_view kIngest = "ingest ";  // what else does a GPU wait for
    std::string name = reports::state_words(one.state, outcome.stopped_by);
    const bool waits = name.starts_with(kIngest);
    if (waits) name.erase(0, kIngest.size());
    std::string text = reports::percent(one.share);
    if (!blame_known(outcome)) text.insert(0, waits ? "\xE2\x89\xA5 " : "\xE2\x89\xA4 ");
    states.push_back({std::move(name), one.share, std::move(text)});
  }
  return states;
}

std::vector<models::GpuState> kinds_of(const models::Outcome& outcome) {
  std::vector<models::GpuState> kinds;
  for (const models::GpuStateShare& one : chosen_states(outcome)) kinds.push_back(one.state);
  return kinds;
}

}  // namespace

void MainWindow::adopt(ScenarioDocument document, bool fresh) {
  document_ = std::move(document);
  simulated_.reset();
  simulated_is_answer_ = false;
  confidence_.reset();
  ranges_.reset();
  next_task_.stop();
  queues_task_.stop();
  path_->show_queues({});
  inputs_->task().stop();
  std::vector<ParameterValue> sheet = parameter_sheet(*document_);
  if (fresh) today_.clear();
  ClosedForm answer = closed_form(*document_);
  bound_ = std::move(answer.outcome);
  for (ParameterValue& value : sheet) {
    if (!value.can_slide()) continue;
    const ParameterValue used = bound_ ? in_use(value, *bound_) : value;
    if (const auto now = number_of(used, used.value))
      value.today = today_.try_emplace(value.pointer, *now).first->second;
  }
  tree_model_->show(sheet);
  if (!bound_) complain(q(answer.error), false);
  if (fresh) {
    tree_->expandToDepth(0);
    pin_defaults();
    plan_->reset(*document_);
    decisions_->reset(*document_);
    std::vector<ParameterValue> offered;
    for (const QString& pointer : pin_order_)
      if (const auto value = slid(pointer)) offered.push_back(*value);
    for (const ParameterValue& value : sheet)
      if (value.can_slide() && row(q(value.pointer)) == nullptr) offered.push_back(value);
    sweep_->offer(offered);
  }
  refresh_rows();
  study_.request(std::make_shared<const models::Scenario>(document_->scenario()));
  show_answer();
  compare_->show_present(*document_);
  measured_->show_document(*document_);
  plan_->show_document(*document_);
  decisions_->show_document(*document_);
  maps_->show_document(*document_, sheet);
  want_curves();
  want_ranges();
  update_title();
  autosave_.start();
}

bool MainWindow::set_value(const QString& pointer, const QString& value, int drag) {
  if (!document_) return false;
  SliderRow* changed = row(pointer);
  auto edited = document_->with(pointer.toStdString(), value.toStdString());
  if (!edited) {
    const auto all = edited.error().sorted();
    QString text = all.empty() ? QString("refused") : q(all.front().message);
    if (!all.empty() && !all.front().help.empty()) text += " (" + q(all.front().help) + ")";
    if (changed != nullptr) changed->complain(text);
    complain(text, false);
    return false;
  }
  if (changed != nullptr) changed->complain({});
  complaint_.clear();
  const ParameterValue* parameter = tree_model_->find(pointer.toStdString());
  if (parameter != nullptr && parameter->can_slide()) plotted_ = pointer;
  undo_.push(new EditCommand(*this, *document_, std::move(*edited), pointer, drag));
  return true;
}

bool MainWindow::apply(const std::vector<Edit>& edits, const QString& what) {
  if (!document_) return false;
  std::vector<Edit> changed;
  for (const Edit& edit : edits)
    if (document_->value_at(edit.pointer) != edit.value) changed.push_back(edit);
  if (changed.empty()) {
    statusBar()->showMessage("the scenario already has this value: " + what);
    return true;
  }
  auto edited = document_->with(changed);
  if (!edited) {
    complain(edited.error());
    return false;
  }
  complaint_.clear();
  undo_.push(new EditCommand(*this, *document_, std::move(*edited), what, 0));
  statusBar()->showMessage("loaded: " + what);
  return true;
}

bool MainWindow::add_like(const QString& pointer) {
  if (document_ && document_->value_at(pointer.toStdString()) == "[]") return add_element(pointer);
  const auto place = document_ ? list_of(*document_, pointer.toStdString()) : std::nullopt;
  if (!place) {
    complain("select an element of a list first: a pool, store, dataset, job or tier", false);
    return false;
  }
  const auto edits = added_like(*document_, *place);
  if (!edits) {  // in the words of the scenario
    const auto edit = one_more(*document_, *place);
    return edit && apply({*edit}, "add one to " + q(place_name(*document_, place->list)));
  }
  const bool pool_too = edits->size() > 1;
  if (!apply(*edits, "add one to " + q(place_name(*document_, place->list)))) return false;
  if (pool_too) statusBar()->showMessage("added a job with a pool of its own: the first pool has no free node");
  return true;
}

bool MainWindow::add_element(const QString& list) {
  const auto edit = document_ ? added_element(*document_, list.toStdString()) : std::nullopt;
  const QString name = document_ ? q(place_name(*document_, list.toStdString())) : list;
  if (edit && !document_->with(edit->pointer, edit->value)) return add_like(list + "/0");
  if (!edit) {
    complain("no element of '" + name + "' is known that this scenario accepts: write one into the file", false);
    return false;
  }
  return apply({*edit}, "add one to " + name);
}

bool MainWindow::add_section(const QString& section) {
  const auto edit = document_ ? first_section(*document_, section.toStdString()) : std::nullopt;
  const QString name = document_ ? q(place_name(*document_, section.toStdString())) : section;
  if (!edit) {
    complain("no '" + name + "' is known that this scenario accepts: write it into the file", false);
    return false;
  }
  return apply({*edit}, "add " + name);
}

bool MainWindow::remove_element(const QString& pointer) {
  if (const auto edit = document_ ? without_section(*document_, pointer.toStdString()) : std::nullopt)
    return apply({*edit}, "remove " + q(place_name(*document_, pointer.toStdString())));
  const auto place = document_ ? list_of(*document_, pointer.toStdString()) : std::nullopt;
  const auto edit = place ? one_less(*document_, *place) : std::nullopt;
  if (!edit) {
    complain("select an element of a list first (a pool, store, dataset, job or tier), or a part such as faults",
             false);
    return false;
  }
  return apply({*edit}, "remove one from " + q(place_name(*document_, place->list)));
}

bool MainWindow::mark_measured(const QString& pointer) {
  if (!document_) return false;
  auto marked = marked_measured(*document_, pointer.toStdString());
  if (!marked) {
    complain(marked.error());
    return false;
  }
  undo_.push(new EditCommand(*this, *document_, std::move(*marked),
                             "measured: " + q(place_name(*document_, pointer.toStdString())), 0));
  return true;
}

const models::Outcome* MainWindow::outcome() const {
  if (simulated_) return simulated_.get();
  return bound_ ? &*bound_ : nullptr;
}

Phase MainWindow::phase() const {
  if (!simulated_) return Phase::bound;
  return simulated_is_answer_ ? Phase::answer : Phase::so_far;
}

void MainWindow::show_banner() {
  if (outcome() == nullptr) return;
  Banner banner =
      banner_of(*outcome(), phase(), bound_ ? &*bound_ : nullptr, study_.is_busy(), confidence_, ranges_.get());
  // These panes speak of years: what stands above them is the answer for now.
  const QString pane = tabs_->tabText(tabs_->currentIndex());
  if (pane == "Growth" || pane == "Campaign") banner.verdict = "Now: " + banner.verdict;
  banner_->show_banner(banner, phase() == Phase::answer && study_.can_run_longer());
}

std::vector<Ghost> MainWindow::ghosts(const std::function<std::vector<Share>(const models::Outcome&)>& shares) const {
  std::vector<Ghost> all;
  for (const KeptRun* run : compare_->ghosts()) {
    const std::string name = run->name() + (run == compare_->baseline() ? ", baseline" : "");
    if (std::vector<Share> kept = shares(run->outcome); !kept.empty()) all.push_back({name, std::move(kept)});
  }
  return all;
}

/// A bound knows the least that GPUs wait, and not what for.
void MainWindow::show_gpu_time(const models::Outcome& answer) {
  const bool known = blame_known(answer);
  const auto blame_of = [](const models::Outcome& outcome) {
    return blame_known(outcome) ? dashboard(outcome, nullptr).blame : std::vector<Share>{};
  };
  const std::vector<Share> blame = blame_of(answer);
  states_->show_waterfall(shown_states(answer), ghosts(shown_states), kinds_of(answer));
  if (!known)
    blame_->show_pending(study_.is_busy() ? "Simulating ..." : "Not simulated: press F5");
  else if (blame.empty())
    blame_->show_nothing("The GPUs do not wait.");
  else
    blame_->show_bars(blame, "%", false, ghosts(blame_of));
}

void MainWindow::show_answer() {
  const models::Outcome* answer = outcome();
  if (answer == nullptr) return;
  show_banner();
  if (phase() != Phase::answer) {
    next_steps_.reset();  // those of another answer
    next_->show_waiting(study_.is_busy() ? "Known after the simulation." : "Not simulated: press F5.");
  }
  path_->show(*answer, workers_loads(*document_, *answer), phase() != Phase::so_far);
  show_gpu_time(*answer);
  const Dashboard board = dashboard(*answer, nullptr);
  loads_->show_bars(board.stations, "%", true,
                    ghosts([](const models::Outcome& run) { return dashboard(run, nullptr).stations; }));
  if (board.cost.empty())
    cost_->show_nothing("The scenario states no prices.");
  else
    cost_->show_bars(board.cost, "USD", false,
                     ghosts([](const models::Outcome& run) { return dashboard(run, nullptr).cost; }));
  show_slo();
  show_table();
  compare_->refresh();
  refresh_card();
}

/// Changes that pay, from the answer; the card waits until then.
void MainWindow::want_next_steps() {
  if (phase() != Phase::answer) return;
  want_queues();
  next_->show_waiting("Comparing changes ...");
  next_steps_.reset();
  next_task_.start([this, scenario = document_->scenario(),
                    answer = simulated_](const BackgroundTask::Context&) -> std::function<void()> {
    auto next = std::make_shared<NextSteps>(next_steps(scenario, *answer));
    return [this, next] {
      for (NextStep& step : next->steps)  // what the scenario refuses is told, and not offered
        if (!document_->with(step.edits)) step.edits.clear();
      next_steps_ = next;
      show_next_steps();
    };
  });
}

/// Again when the ranges of the inputs are known: whether nothing is worth doing may hang on them.
void MainWindow::show_next_steps() {
  if (!next_steps_) return;
  NextSteps shown = *next_steps_;
  if (ranges_ && reports::waits_over_inputs(*ranges_)) shown.nothing = shown.nothing_as_stated;
  next_->show_steps(shown, banner_->confidence().section('.', 0, 0));
}

/// Batches move in the picture when the answer stands: a recording of its own, of some steps of the slowest window.
void MainWindow::want_queues() {
  queues_task_.start([this, scenario = document_->scenario(), window = worst_window(windows_of(*simulated_))](
                         const BackgroundTask::Context&) -> std::function<void()> {
    auto motion = std::make_shared<QueueMotion>(
        queue_motion(models::record_timeline(scenario, picture_recording(scenario, window))));
    return [this, motion] { path_->show_queues(std::move(*motion)); };
  });
}

void MainWindow::show_slo() {
  QStringList lines;
  for (const SloRow& row : judged(*document_, *outcome())) {
    const auto ruling = models::kRulingNames[static_cast<std::size_t>(row.ruling)];
    lines.append(QString("%1: %2%3")
                     .arg(q(row.text), QString::fromUtf8(ruling.data(), qsizetype(ruling.size())),
                          row.value.empty() ? QString() : " (" + q(row.value) + ")"));
  }
  banner_->show_thresholds(lines.isEmpty() ? QString() : "Thresholds: " + lines.join("; "));
}

void MainWindow::show_table() {
  const KeptRun* baseline = compare_->baseline();
  const Dashboard board =
      dashboard(*outcome(), baseline == nullptr ? nullptr : &baseline->outcome, ranges_ ? ranges_.get() : nullptr);
  table_->show_figures(board.metrics, baseline != nullptr);
}

void MainWindow::open_card(const StationRef& station, const QRect& where) {
  if (outcome() == nullptr) return;
  card_->open(station, QRect(path_->mapToGlobal(where.topLeft()), where.size()));
  refresh_card();
}

void MainWindow::refresh_card() {
  if (card_->isVisible() && outcome() != nullptr) card_->show_facts(*document_, tree_model_->sheet(), *outcome());
}

/// While a slider moves there is always one set of curves on its way, and at most one waits: they follow as fast as
/// they can be computed.
void MainWindow::want_curves() {
  if (curves_task_.is_running())
    curves_stale_ = true;
  else
    compute_curves();
  show_curves();  // the last ones, with the mark where the scenario stands now
}

/// What the parameter on the x axis is to move: what the GPUs lose most time to.
std::string MainWindow::plotted_metric() const {
  const bool checkpoints = bound_ && bound_->verdict == models::Verdict::checkpoint_bound;
  return checkpoints ? "goodput_fraction" : "gpu_idle_fraction";
}

/// Of the job whose workers are varied: samples of several jobs have nothing in common.
std::string MainWindow::rate_metric() const {
  const models::Outcome* answer = outcome();
  const bool several = answer != nullptr && reports::has_several_jobs(*answer);
  return several ? "jobs/" + answer->jobs.front().name + "/samples_per_s" : std::string("samples_per_s");
}

std::string MainWindow::fingerprint(const std::string& pointer) const {
  return plotted_metric() + document_->fingerprint_without(pointer);
}

void MainWindow::compute_curves() {
  curves_stale_ = false;
  if (!document_) return;
  const ParameterValue* workers = tree_model_->find("/jobs/0/loader/workers");
  const std::optional<ParameterValue> x = slid(plotted_);
  std::optional<ParameterValue> n = workers != nullptr ? std::optional(*workers) : std::nullopt;
  auto curves = std::make_shared<Curves>();
  if (x) curves->idle_of = fingerprint(x->pointer);
  if (n) curves->throughput_of = fingerprint(n->pointer);
  const std::vector<const KeptRun*> runs = compare_->ghosts();
  const KeptRun* baseline = compare_->baseline();
  const std::string metric = plotted_metric();
  if (x) curves->idle_ghosts = wanted_ghosts(runs, baseline, *x, metric, curves_.idle_ghosts);
  const std::string rate = rate_metric();
  if (n) curves->throughput_ghosts = wanted_ghosts(runs, baseline, *n, rate, curves_.throughput_ghosts);
  curves_task_.start([this, document = *document_, x, n, curves, metric, rate](const BackgroundTask::Context& context) {
    if (x) curves->idle = bound_curve(document, *x, metric, kCurvePoints, context.stop);
    if (n) curves->throughput = bound_curve(document, *n, rate, kCurvePoints, context.stop);
    if (x) compute_ghosts(curves->idle_ghosts, *x, metric, kCurvePoints, context.stop);
    if (n) compute_ghosts(curves->throughput_ghosts, *n, rate, kCurvePoints, context.stop);
    return std::function<void()>([this, curves] {
      curves_ = std::move(*curves);
      show_curves();
    });
  });
}

void MainWindow::want_ranges() {
  const std::optional<ParameterValue> x = slid(plotted_);
  struct Ranges {
    std::optional<models::Outcome> here;
    Band band;
    std::vector<Swing> swings;
  };
  const std::string of = x ? fingerprint(x->pointer) : std::string();
  ranges_task_.start(
      [this, document = *document_, x, of, metric = plotted_metric()](const BackgroundTask::Context& context) {
        auto ranges = std::make_shared<Ranges>();
        ranges->here = bound_with_ranges(document);
        if (ranges->here) ranges->swings = swings(document, *ranges->here, "step_time_s", context.stop);
        if (x) ranges->band = input_band(document, *x, metric, kBandPoints, context.stop);
        return std::function<void()>([this, ranges, of] {
          band_ = std::move(ranges->band);
          band_of_ = of;
          if (ranges->here) {
            ranges_ = std::make_shared<const models::Outcome>(std::move(*ranges->here));
            inputs_->show_answer(*ranges_);
            inputs_->show_swings(ranges->swings);
            show_next_steps();
          }
          show_banner();
          show_table();
          show_curves();
        });
      });
}

void MainWindow::show_curves() {
  if (!document_) return;
  show_sensitivity();
  show_throughput();
}

void MainWindow::show_sensitivity() {
  const std::optional<ParameterValue> parameter = slid(plotted_);
  if (!parameter || !parameter->can_slide()) return sensitivity_->show_nothing("Move a slider to see its effect.");
  const std::string of = fingerprint(parameter->pointer);
  if (curves_.idle_of != of) return sensitivity_->show_pending("Computing ...");
  if (curves_.idle.x.empty()) return sensitivity_->show_nothing("no point of this range has an answer");
  constexpr double kPercent = 100.0;
  const reports::Scale axis = axis_scale(*parameter);
  const double factor = axis.factor;
  LineChart chart;
  chart.x_title = place_name(*document_, parameter->pointer) + (axis.unit.empty() ? "" : ", " + axis.unit);
  const std::string metric = plotted_metric();
  const bool goodput = metric == "goodput_fraction";
  chart.y_title = goodput ? "goodput, %" : "GPU idle, %";
  const models::Metric* idle = simulated_ ? simulated_->find(metric) : nullptr;
  sensitivity_->rename(
      QString("%1, closed form%2").arg(goodput ? "Goodput" : "GPU idle", idle ? "; dot: simulated" : ""));
  chart.log_x = parameter->facts.log_scale;
  chart.lines.push_back({"closed form", scaled(curves_.idle.x, factor), scaled(curves_.idle.y, kPercent), false});
  for (const GhostCurve& ghost : curves_.idle_ghosts)
    if (!ghost.curve.x.empty())
      chart.lines.push_back({ghost.name, scaled(ghost.curve.x, factor), scaled(ghost.curve.y, kPercent), true});
  if (!band_.x.empty() && band_of_ == of)
    chart.areas.push_back(
        {"inputs, p10 to p90", scaled(band_.x, factor), scaled(band_.low, kPercent), scaled(band_.high, kPercent)});
  const auto now = number_of(*parameter, parameter->value);
  if (now) chart.mark_x = *now * factor;
  if (now && idle != nullptr) {
    chart.point = point_at(*now * factor, *idle, kPercent);
    chart.range = range_at(*now * factor, *idle, kPercent);
  }
  if (const auto slo = slo_on(*document_, metric)) chart.limit = limit_of(*slo, kPercent);
  sensitivity_->show_lines(chart);
}

/// Of the curve and not of its mark, so that the axis keeps its unit while the mark moves.
reports::Scale MainWindow::rate_scale() const {
  const std::vector<double>& rates = curves_.throughput.y;
  return reports::humane_scale(rates.empty() ? 1.0 : *std::max_element(rates.begin(), rates.end()), "1/s");
}

void MainWindow::show_throughput() {
  const ParameterValue* workers = tree_model_->find("/jobs/0/loader/workers");
  if (workers == nullptr || !workers->can_slide())
    return workers_->show_nothing("This loader has no workers to count.");
  if (curves_.throughput_of != fingerprint(workers->pointer)) return workers_->show_pending("Computing ...");
  if (curves_.throughput.x.empty()) return workers_->show_nothing("no point of this range has an answer");
  LineChart chart;
  chart.x_title = "workers of one loader";
  const reports::Scale scale = rate_scale();
  const std::string metric = rate_metric();
  const std::string job(models::split_metric(metric).job);
  chart.y_title = (job.empty() ? "" : job + ": ") + "samples, " + scale.unit;
  chart.mark_x = number_of(*workers, workers->value);
  chart.lines.push_back({"closed form", curves_.throughput.x, scaled(curves_.throughput.y, scale.factor), false});
  for (const GhostCurve& ghost : curves_.throughput_ghosts)
    if (!ghost.curve.x.empty())
      chart.lines.push_back({ghost.name, ghost.curve.x, scaled(ghost.curve.y, scale.factor), true});
  const std::optional<models::Metric> rate = simulated_ ? models::metric_of(*simulated_, metric) : std::nullopt;
  if (rate && chart.mark_x) chart.point = point_at(*chart.mark_x, *rate, scale.factor);
  if (const auto slo = job.empty() ? slo_on(*document_, metric) : std::nullopt)
    chart.limit = limit_of(*slo, scale.factor);
  workers_->show_lines(chart);
}

void MainWindow::move_limit(const std::string& metric, double limit) {
  if (!document_) return;
  const Edit edit = slo_edit(*document_, metric, limit);
  if (document_->value_at(edit.pointer) == edit.value) return show_curves();
  apply({edit}, "threshold " + q(reports::spoken_name(metric)) + " " + q(edit.value));
}

void MainWindow::add_slo() {
  const models::Metric* idle = outcome() == nullptr ? nullptr : outcome()->find("gpu_idle_fraction");
  if (idle == nullptr) return;
  constexpr double kUsual = 0.05;
  if (slo_on(*document_, "gpu_idle_fraction"))
    statusBar()->showMessage("the threshold on GPU idle already exists: drag its line");
  else
    move_limit("gpu_idle_fraction", kUsual);
}

/// With all that is known about it, as the program tells it.
void MainWindow::hold(const models::Outcome& simulated, bool is_answer) {
  auto known = std::make_shared<models::Outcome>(simulated);
  known->scenario_sha256 = document_->loaded().sha256;
  confidence_ = reports::add_known_evidence(*known, document_->loaded());
  simulated_ = std::move(known);
  simulated_is_answer_ = is_answer;
}

void MainWindow::take(const StudyAnswer& answer) {
  if (!answer.outcome) {
    complain(q(answer.error), false);
    return show_answer();
  }
  statusBar()->showMessage(answer.last ? "simulated" : "simulating: a first interval, narrowing ...");
  const bool better_is_there = simulated_is_answer_ && (!answer.last || simulated_->steps > answer.outcome->steps);
  if (better_is_there) return show_banner();
  hold(*answer.outcome, answer.last);
  if (answer.last) decisions_->show_answer(*simulated_);
  show_answer();
  show_curves();
  want_next_steps();
}

std::optional<ParameterValue> MainWindow::slid(const QString& pointer) const {
  const ParameterValue* value = tree_model_->find(pointer.toStdString());
  if (value == nullptr) return std::nullopt;
  return bound_ ? in_use(*value, *bound_) : *value;
}

SliderRow* MainWindow::row(const QString& pointer) const {
  const auto found = by_pointer_.find(pointer);
  return found == by_pointer_.end() ? nullptr : found->second;
}

void MainWindow::pin(const QString& pointer) {
  const std::optional<ParameterValue> parameter = slid(pointer);
  if (!parameter || row(pointer) != nullptr) return;
  if (!parameter->can_slide()) {
    complain("only a number with a plausible range can be a slider: edit this value in the tree", false);
    return;
  }
  auto* slider = new SliderRow(*parameter, q(place_name(*document_, parameter->pointer)));
  slider->set_theme(theme_);
  connect(slider, &SliderRow::changed, this, &MainWindow::set_value);
  connect(slider, &SliderRow::unpinned, this, &MainWindow::unpin);
  connect(slider, &SliderRow::dragged, this, &MainWindow::hold_charts);
  connect(slider, &SliderRow::taken, this, [this, pointer] {
    if (plotted_ == pointer) return;
    plotted_ = pointer;
    want_curves();
    want_ranges();
  });
  rows_->insertWidget(rows_->count() - 1, slider);
  by_pointer_[pointer] = slider;
}

void MainWindow::unpin(const QString& pointer) {
  SliderRow* slider = row(pointer);
  if (slider == nullptr) return;
  by_pointer_.erase(pointer);
  slider->deleteLater();
}

void MainWindow::pin_defaults() {
  while (!by_pointer_.empty()) unpin(by_pointer_.begin()->first);
  plotted_.clear();
  pin_order_.clear();
  curves_task_.stop();
  curves_ = {};
  if (!bound_) return;
  for (const std::string& pointer : pins_of(*document_, tree_model_->sheet(), *bound_)) {
    pin(q(pointer));
    pin_order_.append(q(pointer));
    if (plotted_.isEmpty()) plotted_ = q(pointer);
  }
}

/// Sliders of parameters that the scenario no longer has go away.
void MainWindow::refresh_rows() {
  std::vector<QString> gone;
  for (const auto& [pointer, slider] : by_pointer_) {
    const std::optional<ParameterValue> parameter = slid(pointer);
    if (parameter && parameter->can_slide())
      slider->show(*parameter);
    else
      gone.push_back(pointer);
  }
  for (const QString& pointer : gone) unpin(pointer);
}

void MainWindow::pin_baseline() {
  if (outcome() == nullptr) return;
  compare_->keep({*document_, *outcome()});
  show_answer();
  want_curves();
  statusBar()->showMessage("baseline pinned: the table shows differences from it");
}

void MainWindow::compare_now() {
  if (compare_->baseline() == nullptr) return complain("pin a baseline first (Ctrl+B)", false);
  show_pane("compare");
  compare_->start();
}

}  // namespace headrace::gui
