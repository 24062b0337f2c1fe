#include "gui/widgets/compare_pane.hpp"

#include <fmt/format.h>

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "gui/presenter/difference_steps.hpp"
#include "gui/presenter/interval_words.hpp"
#include "gui/presenter/short_name.hpp"
#include "gui/widgets/pane_parts.hpp"
#include "gui/widgets/qt_text.hpp"
#include "gui/widgets/run_cards.hpp"
#include "models/outcome/outcome_metrics.hpp"
#include "models/study/metric_value.hpp"
#include "reports/figure_table.hpp"
#include "reports/humane.hpp"

namespace headrace::gui {
namespace {

constexpr const char* kCost = "cost of an epoch";
const QString kStepOf = "step time of ";  ///< one of several jobs

QWidget* titled(const char* title, QWidget* content, QWidget* parent) {
  auto* box = new QWidget(parent);
  auto* layout = new QVBoxLayout(box);
  layout->setContentsMargins(0, 0, 0, 0);
  auto* label = new QLabel(title, box);
  QFont bold = label->font();
  bold.setBold(true);
  label->setFont(bold);
  label->setBuddy(content);
  layout->addWidget(label);
  layout->addWidget(content, 1);
  return box;
}

QString differ(std::size_t inputs) {
  return inputs == 1 ? QString("One input differs") : QString("%1 inputs differ").arg(inputs);
}

/// Full names of what saved runs are compared by, each once; each of several jobs has figures of its own.
void add_compared(const models::Outcome& outcome, std::vector<std::pair<std::string, std::string>>& all) {
  constexpr std::string_view kCompared[] = {"step_time_s", "gpu_idle_fraction", "samples_per_s", "epoch_time_s",
                                            "cost_per_epoch_usd"};
  const auto add = [&all](std::string metric, std::string heading) {
    if (std::none_of(all.begin(), all.end(), [&](const auto& one) { return one.first == metric; }))
      all.emplace_back(std::move(metric), std::move(heading));
  };
  const bool several = reports::has_several_jobs(outcome);
  if (several)
    for (const models::JobReport& job : outcome.jobs)
      for (const std::string_view metric : reports::kJobFigures)
        add(fmt::format("jobs/{}/{}", job.name, metric), job.name + ": " + reports::spoken_name(metric));
  for (const std::string_view metric : kCompared)
    if (!several || !reports::mixes_jobs(std::string(metric)))
      add(std::string(metric),
          (several && metric == "gpu_idle_fraction" ? "all GPUs: " : "") + reports::spoken_name(metric));
}

std::string value_of(const models::Outcome& outcome, std::string_view metric) {
  const std::string_view unit = models::traits_of(models::split_metric(metric).metric).unit;
  const std::optional<models::Metric> found = models::metric_of(outcome, metric);
  if (!found) return {};
  std::string text = reports::humane(found->mean, unit);
  if (found->ci95) text += fmt::format(" ({})", between(found->ci95->low, found->ci95->high, unit));
  return text;
}

}  // namespace

ComparePane::ComparePane(QWidget* parent) : QWidget(parent) {
  setAccessibleName("Compare");
  headline_ = make_label(this, "What changed");
  QFont bold = headline_->font();
  bold.setBold(true);
  headline_->setFont(bold);
  auto* bar = new TaskBar("Compare with the baseline", task_, this);
  basis_ = make_label(this, "What the differences are of");
  delta_table_ = make_table(this, "Differences to the baseline");
  input_table_ = make_table(this, "Inputs that differ from the baseline");
  run_table_ = make_table(this, "Saved runs");
  run_table_->setSelectionBehavior(QAbstractItemView::SelectItems);
  run_table_->setToolTip("Enter or a double click loads the run of the column");
  first_ = new QComboBox(this);
  first_->setAccessibleName("The saved run to begin with");
  total_ = new QComboBox(this);
  total_->setAccessibleName("What is taken apart");
  total_->addItems({"step time", kCost});
  chart_ = new Chart("From a saved run to now", this);
  auto* sides = new QHBoxLayout;
  for (QWidget* part : {static_cast<QWidget*>(new QLabel("From", this)), static_cast<QWidget*>(first_),
                        static_cast<QWidget*>(new QLabel("to now:", this)), static_cast<QWidget*>(total_)})
    sides->addWidget(part);
  sides->addStretch(1);
  cards_ = new RunCards(this);
  QVBoxLayout* inside = scrolled(this);
  inside->addWidget(cards_);
  inside->addLayout(sides);
  inside->addWidget(chart_);
  QWidget* differences = titled("Differences, with 95 % intervals", delta_table_, this);
  static_cast<QVBoxLayout*>(differences->layout())->insertWidget(1, basis_);
  basis_->hide();
  inside->addWidget(differences);
  inside->addWidget(titled("Inputs that differ", input_table_, this));
  inside->addWidget(titled("Saved runs (Ctrl+B saves the current one as baseline)", run_table_, this));
  inside->addStretch(1);
  auto* layout = static_cast<QVBoxLayout*>(this->layout());
  layout->insertWidget(0, headline_);
  layout->insertWidget(1, bar);
  total_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  for (QComboBox* choice : {first_, total_})
    connect(choice, &QComboBox::currentIndexChanged, this, &ComparePane::show_steps);
  connect(bar, &TaskBar::start_wanted, this, &ComparePane::start);
  connect(cards_, &RunCards::chosen, this, [this](int run) { make_baseline(static_cast<std::size_t>(run)); });
  connect(cards_, &RunCards::removed, this, [this](int run) { remove(static_cast<std::size_t>(run)); });
  connect(run_table_, &QTableWidget::cellActivated, this, [this](int, int column) { Q_EMIT load_wanted(column - 1); });
  reset();
}

void ComparePane::reset() {
  task_.stop();
  baseline_.reset();
  present_.reset();
  runs_.clear();
  kept_ = 0;
  inputs_.clear();
  deltas_ = {};
  basis_->hide();
  first_->clear();
  for (QTableWidget* table : {delta_table_, input_table_, run_table_}) {
    table->setRowCount(0);
    fit_height(*table);
  }
  show_steps();
  show_cards();
  headline_->setText("No baseline yet. Press Ctrl+B to pin the current answer, then change something.");
}

void ComparePane::keep(KeptRun run) {
  run.number = ++kept_;
  runs_.push_back(std::move(run));
  baseline_ = runs_.size() - 1;
  first_->addItem(q(runs_.back().name()));
  first_->setCurrentIndex(first_->count() - 1);
  show_runs();
  if (present_) show_present(*present_);
}

void ComparePane::make_baseline(std::size_t run) {
  if (run >= runs_.size() || baseline_ == run) return;
  baseline_ = run;
  first_->setCurrentIndex(static_cast<int>(run));
  show_runs();
  if (present_) show_present(*present_);
  Q_EMIT runs_changed();
}

void ComparePane::remove(std::size_t run) {
  if (run >= runs_.size()) return;
  if (baseline_ == run) forget_baseline();
  if (baseline_ && *baseline_ > run) --*baseline_;
  runs_.erase(runs_.begin() + static_cast<std::ptrdiff_t>(run));
  first_->removeItem(static_cast<int>(run));
  show_runs();
  show_steps();
  Q_EMIT runs_changed();
}

std::vector<const KeptRun*> ComparePane::ghosts() const {
  std::vector<const KeptRun*> runs;
  for (const std::size_t run : ghost_runs(runs_.size(), baseline_ ? &*baseline_ : nullptr)) runs.push_back(&runs_[run]);
  return runs;
}

void ComparePane::refresh() {
  if (isVisible()) show_steps();
}

void ComparePane::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  show_steps();
  show_cards();
}

/// What can be taken apart: the step of each of several jobs, because none of them has the mean of all.
void ComparePane::offer_totals(const models::Outcome& now) {
  QStringList offered;
  if (reports::has_several_jobs(now))
    for (const models::JobReport& job : now.jobs) offered.append(kStepOf + q(job.name));
  else
    offered.append("step time");
  offered.append(kCost);
  QStringList present;
  for (int i = 0; i < total_->count(); ++i) present.append(total_->itemText(i));
  if (present == offered) return;
  const QSignalBlocker quiet(total_);
  total_->clear();
  total_->addItems(offered);
}

namespace {

/// Whether the noise may be all that moves, or a total stays as it is and no part of it moves by what counts.
bool is_noise(const std::vector<FloatingBar>& steps) {
  constexpr double kSame = 5e-4;   // of the total
  constexpr double kSmall = 5e-3;  // of the total, of each part
  const double before = steps.front().to;
  const auto every_change = [&](auto is_nothing) {
    return std::all_of(steps.begin() + 1, steps.end() - 1, is_nothing);
  };
  if (every_change([](const FloatingBar& step) { return step.kind == FloatingBar::Kind::unsure; })) return true;
  return std::abs(steps.back().to - before) < kSame * before &&
         every_change([&](const FloatingBar& step) { return std::abs(step.to - step.from) < kSmall * before; });
}

}  // namespace

/// From a kept run to what the window answers now.
void ComparePane::show_steps() {
  const auto run = static_cast<std::size_t>(std::max(0, first_->currentIndex()));
  if (runs_.empty() || run >= runs_.size()) return chart_->show_nothing("No saved run yet: press Ctrl+B.");
  const models::Outcome* now = answer_ ? answer_() : nullptr;
  if (now == nullptr) return chart_->show_nothing("No answer yet.");
  offer_totals(*now);
  const Total total = total_->currentText() == kCost ? Total::cost : Total::step_time;
  const QString job = total_->currentText().startsWith(kStepOf) ? total_->currentText().mid(kStepOf.size()) : QString();
  constexpr std::size_t kMostSteps = 6;
  std::vector<FloatingBar> steps = difference_steps(runs_[run].outcome, *now, total, kMostSteps, job.toStdString());
  chart_->rename(QString("From %1 to now: %2").arg(q(runs_[run].name()), total_->currentText()));
  if (steps.empty())
    return chart_->show_nothing(
        total == Total::cost && !(parts_of(*now, total).total > 0.0)
            ? QString("The scenario states no prices.")
            : QString("The %1 does not differ between %2 and now.").arg(total_->currentText(), q(runs_[run].name())));
  if (is_noise(steps))
    return chart_->show_nothing(
        QString("No change of the %1 is seen between %2 and now.").arg(total_->currentText(), q(runs_[run].name())));
  const reports::Scale scale =
      total == Total::step_time ? reports::humane_scale(steps.front().to, "s") : reports::Scale{1.0, "USD"};
  steps.front().name = runs_[run].name();
  steps.back().name = "now";
  for (FloatingBar& step : steps) step.from *= scale.factor, step.to *= scale.factor, step.middle *= scale.factor;
  chart_->setMinimumHeight(Chart::floating_height(steps.size()));
  chart_->show_floating(steps, q(scale.unit), false);
}

void ComparePane::forget_baseline() {
  task_.stop();
  baseline_.reset();
  inputs_.clear();
  deltas_ = {};
  basis_->hide();
  delta_table_->setRowCount(0);
  input_table_->setRowCount(0);
  headline_->setText("No baseline.");
  show_runs();
}

/// What differs from now takes time to find: only for eyes that are there.
void ComparePane::show_cards() {
  if (!runs_.empty() && (!present_ || !isVisible())) return;
  std::vector<RunCardText> texts;
  for (std::size_t i = 0; i < runs_.size(); ++i) texts.push_back(run_card(runs_[i], baseline_ == i, *present_));
  cards_->show_cards(texts, baseline_ ? static_cast<int>(*baseline_) : -1);
}

/// A column for each run, so that they stand side by side.
void ComparePane::show_runs() {
  std::vector<std::string> header{""};
  std::vector<std::vector<std::string>> rows{{"with"}, {"verdict"}};
  std::vector<std::pair<std::string, std::string>> compared;  // full names of metrics, and their headings
  for (const KeptRun& run : runs_) add_compared(run.outcome, compared);
  for (const auto& [metric, heading] : compared) rows.push_back({heading});
  for (const KeptRun& run : runs_) {
    header.push_back(run.name() + (&run == baseline() ? ", baseline" : ""));
    std::string edits;
    for (const Edit& edit : run.document.edits())
      edits += fmt::format("{}{} {}", edits.empty() ? "" : ", ", place_name(run.document, edit.pointer),
                           edit.value.starts_with("[{") ? std::string("changed") : edit.value);
    if (edits.size() > 60) edits = edits.substr(0, 57) + "...";
    rows[0].push_back(edits.empty() ? "as it was opened" : edits);
    rows[1].push_back(verdict_word(run.outcome.verdict));
    for (std::size_t m = 0; m < compared.size(); ++m) rows[2 + m].push_back(value_of(run.outcome, compared[m].first));
  }
  fill_table(*run_table_, header, rows);
  fit_height(*run_table_);
  show_cards();
}

void ComparePane::show_present(const ScenarioDocument& document) {
  task_.stop();
  present_ = document;
  show_cards();
  if (!baseline_) return;
  inputs_ = changed_inputs(baseline()->document, document);
  std::vector<std::vector<std::string>> rows;
  for (const InputDifference& input : inputs_)
    rows.push_back({place_name(document, input.pointer), input.before_text("-"), input.after_text("-"),
                    input.origin.starts_with("--set") ? std::string("set here") : input.origin});
  fill_table(*input_table_, {"value at", "baseline", "now", "now from"}, rows);
  fit_height(*input_table_);
  deltas_ = {};
  basis_->hide();
  delta_table_->setRowCount(0);
  fit_height(*delta_table_);
  headline_->setText(inputs_.empty() ? QString("Nothing differs from the baseline.")
                                     : QString("%1 from the baseline.").arg(differ(inputs_.size())));
}

void ComparePane::start() {
  if (!baseline_ || !present_ || inputs_.empty()) return;
  task_.start([this, before = baseline()->document, after = *present_,
               wish = wish_](const BackgroundTask::Context& context) -> std::function<void()> {
    auto deltas = std::make_shared<DeltaTable>(compare_runs(before.scenario(), after.scenario(), wish, context.stop));
    return [this, deltas] {
      deltas_ = std::move(*deltas);
      fill_table(*delta_table_, deltas_.header, deltas_.rows);
      fit_height(*delta_table_);
      basis_->setText(q(deltas_.basis));
      basis_->show();
      headline_->setText(QString::fromStdString(
          fmt::format("{} from the baseline: {}.", differ(inputs_.size()).toStdString(), deltas_.headline)));
    };
  });
}

}  // namespace headrace::gui
