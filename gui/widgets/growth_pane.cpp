#include "gui/widgets/growth_pane.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/widgets/letters.hpp"
#include "gui/widgets/pane_parts.hpp"
#include "gui/widgets/qt_text.hpp"
#include "scenarios/growth/growth_part.hpp"

namespace headrace::gui {
namespace {

constexpr double kPercent = 100.0;
constexpr const char* kNoForecast = "When is which layer full, and what must be ordered when? Press Look ahead.";
constexpr const char* kNoGrowth =
    "This scenario states no growth. Add a part \"growth\" to its file; the shipped scenario growing-fleet has one.";

LineChart chart_of(const scenarios::GrowthAnswer& answer, int quarter) {
  LineChart chart;
  chart.x_title = "first day of the quarter";
  chart.x_names.assign(answer.dates.begin(), answer.dates.begin() + static_cast<std::ptrdiff_t>(quarters_of(answer)));
  chart.y_title = "demand over capacity, %";
  chart.mark_x = quarter;
  chart.mark_name = "quarter from " + answer.dates[static_cast<std::size_t>(quarter)];
  std::vector<double> x;
  for (std::size_t at = 0; at < quarters_of(answer); ++at) x.push_back(static_cast<double>(at));
  for (const scenarios::LayerForecast& layer : answer.layers) {
    Line line{std::string(models::kLayerNames[static_cast<std::size_t>(layer.layer)]), x, {}, false};
    for (std::size_t at = 0; at < x.size(); ++at) line.y.push_back(kPercent * layer.course[at].share.nominal);
    chart.lines.push_back(std::move(line));
  }
  chart.lines.push_back({"full", x, std::vector<double>(x.size(), kPercent * answer.growth.full), true});
  return chart;
}

}  // namespace

GrowthPane::GrowthPane(Document document, QWidget* parent) : QWidget(parent), document_(std::move(document)) {
  setAccessibleName("Growth");
  auto* bar = new TaskBar("Look ahead", task_, this);
  headline_ = make_label(this, "Forecast");
  QFont bold = headline_->font();
  bold.setBold(true);
  headline_->setFont(bold);
  costs_ = make_label(this, "What buying costs");
  quarter_ = make_label(this, "The quarter");
  slider_ = new QSlider(Qt::Horizontal, this);
  slider_->setAccessibleName("Quarter");
  slider_->setPageStep(1);
  slider_->setTickPosition(QSlider::TicksBelow);
  slider_->setTickInterval(1);
  chart_ = new Chart("Utilization of each layer if nothing is bought", this);
  constexpr int kSixLines_px = 230;
  chart_->setMinimumHeight(whole_by_letters(font(), kSixLines_px));
  layers_ = make_small_table(this, "Layers in the quarter");
  orders_ = make_small_table(this, "Buy list in the quarter");
  QVBoxLayout* inside = scrolled(this);
  inside->addWidget(headline_);
  inside->addWidget(costs_);
  auto* row = new QHBoxLayout;
  auto* name = new QLabel("&Quarter", this);
  name->setBuddy(slider_);
  row->addWidget(name);
  row->addWidget(slider_, 1);
  inside->addLayout(row);
  inside->addWidget(quarter_);
  inside->addWidget(layers_);
  inside->addWidget(orders_);
  inside->addWidget(chart_, 1);
  static_cast<QVBoxLayout*>(layout())->insertWidget(0, bar);
  connect(bar, &TaskBar::start_wanted, this, &GrowthPane::start);
  connect(slider_, &QSlider::valueChanged, this, &GrowthPane::show_quarter);
  show_forecast();
}

void GrowthPane::start() {
  const ScenarioDocument* now = document_();
  if (now == nullptr) return;
  if (!scenarios::has_growth(now->loaded())) return headline_->setText(kNoGrowth);
  task_.start(
      [this, document = *now, simulate = simulate_](const BackgroundTask::Context& context) -> std::function<void()> {
        auto forecast = std::make_shared<GrowthForecast>(run_growth(document, simulate, context.stop, context.tell));
        return [this, forecast, of = document.loaded().sha256] {
          forecast_ = std::move(*forecast);
          of_ = of;
          show_forecast();
        };
      });
}

void GrowthPane::reset(const ScenarioDocument& document) {
  task_.stop();
  forecast_ = {};
  of_.clear();
  show_forecast();
  if (!scenarios::has_growth(document.loaded())) headline_->setText(kNoGrowth);
}

void GrowthPane::show_document(const ScenarioDocument& document) {
  if (of_.empty() || of_ == document.loaded().sha256 || !forecast_.error.empty()) return;
  headline_->setText(q(forecast_.headline) + " The scenario has changed since: look ahead again.");
}

void GrowthPane::show_forecast() {
  const std::size_t quarters = quarters_of(forecast_.answer);
  slider_->setEnabled(quarters > 1);
  slider_->setRange(0, static_cast<int>(std::max<std::size_t>(quarters, 1)) - 1);
  headline_->setText(!forecast_.error.empty()     ? q(forecast_.error)
                     : forecast_.headline.empty() ? QString(kNoForecast)
                                                  : q(forecast_.headline));
  costs_->setText(q(forecast_.costs));
  if (quarters == 0) chart_->show_nothing("No forecast yet.");
  for (QTableWidget* table : {layers_, orders_}) table->setVisible(quarters > 0);
  show_quarter();
}

void GrowthPane::show_quarter() {
  const GrowthQuarter view = growth_at(forecast_.answer, static_cast<std::size_t>(slider_->value()));
  quarter_->setText(q(view.summary));
  if (view.date.empty()) return;
  slider_->setToolTip(q(view.date));
  fill_table(*layers_, kLayerHeads, view.layers);
  fill_table(*orders_, kOrderHeads, view.orders);
  for (QTableWidget* table : {layers_, orders_}) fit_height(*table);
  orders_->setVisible(!view.orders.empty());
  chart_->show_lines(chart_of(forecast_.answer, slider_->value()));
}

}  // namespace headrace::gui
