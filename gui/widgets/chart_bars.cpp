// Bars of shares.
#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QChartView>
#include <QHorizontalBarSeries>
#include <QLegend>
#include <QValueAxis>
#include <algorithm>

#include "gui/widgets/chart.hpp"
#include "gui/widgets/chart_text.hpp"

namespace headrace::gui {

void Chart::show_bars(const std::vector<Share>& shares, const QString& unit, bool whole) {
  again_ = [this, shares, unit, whole] { show_bars(shares, unit, whole); };
  if (shares.empty()) return show_nothing("nothing to show");
  constexpr std::size_t kMost = 7;
  const std::size_t count = std::min(kMost, shares.size());
  QChart* chart = fresh();
  chart->legend()->hide();
  const double factor = unit == "%" ? 100.0 : 1.0;
  auto* bars = new QHorizontalBarSeries;
  auto* values = new QBarSet(title_);
  values->setColor(theme_.series[0]);
  values->setBorderColor(theme_.series[0]);
  QStringList names;
  double most = 0.0;
  csv_ = "name," + unit + "\r\n";
  QString summary = title_ + ": ";
  for (std::size_t i = count; i-- > 0;) {  // a horizontal bar chart counts from below
    values->append(shares[i].value * factor);
    names.append(QString::fromStdString(shares[i].name));
    most = std::max(most, shares[i].value * factor);
  }
  for (const Share& share : shares) {
    csv_ += csv_cell(share.name) + "," + text_of(share.value * factor) + "\r\n";
    summary += QString::fromStdString(share.name + " " + share.text + ", ");
  }
  values->setLabelColor(theme_.ink);
  bars->append(values);
  bars->setLabelsVisible(true);
  bars->setLabelsPosition(QAbstractBarSeries::LabelsOutsideEnd);
  bars->setLabelsPrecision(3);
  bars->setLabelsFormat(unit == "%" ? "@value %" : "@value");
  chart->addSeries(bars);
  auto* y_axis = new QBarCategoryAxis;
  y_axis->append(names);
  chart->addAxis(y_axis, Qt::AlignLeft);
  bars->attachAxis(y_axis);
  const NiceRange range = whole && most <= 100.0 ? NiceRange{0.0, 100.0, 6} : nice_range(0.0, most);
  auto* x_axis = new QValueAxis;
  x_axis->setRange(range.low, range.high);
  x_axis->setTickCount(range.ticks);
  x_axis->setLabelFormat("%g");
  x_axis->setTitleText(unit);
  chart->addAxis(x_axis, Qt::AlignBottom);
  bars->attachAxis(x_axis);
  style_axes();
  tell(summary);
}

}  // namespace headrace::gui
