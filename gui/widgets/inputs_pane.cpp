#include "gui/widgets/inputs_pane.hpp"

#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <thread>

#include "gui/presenter/input_rows.hpp"
#include "gui/presenter/short_name.hpp"
#include "gui/widgets/letters.hpp"
#include "gui/widgets/pane_parts.hpp"
#include "gui/widgets/qt_text.hpp"
#include "models/study/input_study.hpp"
#include "reports/figure_table.hpp"
#include "reports/humane.hpp"
#include "scenarios/document/input_ranges.hpp"

namespace headrace::gui {
InputsPane::InputsPane(Document document, QWidget* parent) : QWidget(parent), document_(std::move(document)) {
  setAccessibleName("Inputs");
  auto* head = make_label(this, "About this pane");
  head->setText(
      "Every figure that is not measured is uncertain. This pane shows which of them change the step time most, and "
      "the range of the answer over all of them.");
  auto* bar = new TaskBar("Simulate over the ranges", task_, this);
  tornado_ = new Chart("Step time with each figure at its ends", this);
  chart_ = new Chart("Sensitivity of the step time", this);
  summary_ = make_label(this, "Range over uncertain inputs");
  table_ = make_small_table(this, "Uncertain inputs, those to measure first on top");
  constexpr int kTornado_px = 220;
  tornado_->setMinimumHeight(whole_by_letters(font(), kTornado_px));
  QVBoxLayout* inside = scrolled(this);
  inside->addWidget(tornado_, 2);  // over the whole width: its names are long
  inside->addWidget(chart_, 1);
  inside->addWidget(summary_);
  inside->addWidget(table_);
  inside->addStretch(0);
  for (QWidget* part : {static_cast<QWidget*>(tornado_), static_cast<QWidget*>(chart_), static_cast<QWidget*>(table_)})
    part->hide();  // until there is something to show in it
  summary_->setText("There is no answer yet.");
  auto* layout = static_cast<QVBoxLayout*>(this->layout());
  layout->insertWidget(0, head);
  layout->insertWidget(1, bar);
  connect(bar, &TaskBar::start_wanted, this, &InputsPane::start);
}

QString InputsPane::text() const {
  QString text = summary_->text();
  for (int row = 0; row < table_->rowCount(); ++row)
    for (int column = 0; column < table_->columnCount(); ++column)
      text += (column == 0 ? "\n" : "  ") + table_->item(row, column)->text();
  return text;
}

/// As the table calls it.
std::string InputsPane::name_of(const std::string& pointer) const {
  const ScenarioDocument* now = document_();
  return now == nullptr ? pointer : place_name(*now, pointer);
}

void InputsPane::show_answer(const models::Outcome& outcome) {
  if (!outcome.inputs || outcome.inputs->inputs.empty()) {
    chart_->hide();
    tornado_->hide();
    table_->hide();
    table_->setRowCount(0);
    summary_->setText("No figure of this scenario is uncertain.");
    return;
  }
  const bool several = reports::has_several_jobs(outcome);
  tornado_->rename(several ? "Mean step time of the jobs with each figure at its ends"
                           : "Step time with each figure at its ends");
  chart_->rename(several ? "Sensitivity of the mean step time of the jobs" : "Sensitivity of the step time");
  if (const ScenarioDocument* now = document_()) {
    const InputRows told = input_rows(*now, outcome);
    summary_->setText(q(told.summary));
    fill_table(*table_, kInputHeads, told.rows);
    fit_height(*table_);
    table_->show();
  }
  std::vector<Share> shares;
  for (const models::MetricDrivers& drivers : outcome.inputs->drivers) {
    if (drivers.metric != "step_time_s") continue;
    for (const models::InputEffect& effect : drivers.effects)
      if (effect.share > 0.0) shares.push_back({effect.parameter, effect.share, reports::percent(effect.share, 0)});
  }
  for (Share& share : shares) share.name = name_of(share.name);
  chart_->setVisible(!shares.empty());
  if (!shares.empty()) chart_->show_bars(shares, "% of the variance", false);
}

void InputsPane::show_swings(const std::vector<Swing>& swings) {
  std::vector<Spread> spreads;
  for (const Swing& swing : swings)
    spreads.push_back({name_of(swing.parameter) + "\n" + swing.text, swing.at_low, swing.at_high});
  tornado_->setVisible(!spreads.empty());
  if (!spreads.empty()) tornado_->show_tornado(spreads, "change of the step time, %");
}

void InputsPane::start() {
  const ScenarioDocument* now = document_();
  if (now == nullptr) return;
  task_.start([this, document = *now](const BackgroundTask::Context& context) -> std::function<void()> {
    const auto inputs = scenarios::uncertain_inputs(document.scenario(), document.loaded().composition);
    if (!inputs) return {};
    models::StudyOptions options;
    options.precision = 0.02;
    options.relief = false;
    options.threads = std::max(1U, std::thread::hardware_concurrency() - 1);
    options.stop = context.stop;
    options.abandon = context.stop;
    options.progress = [tell = context.tell](const models::Progress& progress) {
      tell(progress.fraction, std::string(progress.phase));
    };
    auto outcome =
        std::make_shared<const models::Outcome>(models::simulate_over(document.scenario(), *inputs, options));
    return [this, outcome] {
      show_answer(*outcome);
      Q_EMIT answered(outcome);
    };
  });
}

}  // namespace headrace::gui
