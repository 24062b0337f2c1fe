// Bars that begin somewhere else than at zero.
#include <QApplication>
#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QChartView>
#include <QHorizontalStackedBarSeries>
#include <QLabel>
#include <QValueAxis>
#include <algorithm>
#include <array>
#include <cmath>

#include "gui/widgets/chart.hpp"
#include "gui/widgets/chart_ghosts.hpp"
#include "gui/widgets/letters.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::gui {
namespace {

using Kind = FloatingBar::Kind;

/// What of a bar is drawn in which colour: nothing up to its begin, then one of these.
enum Piece : std::size_t { kUnseen, kTotal, kLess, kMore, kUnsure, kLow, kHigh, kPieces };
constexpr std::array<const char*, kPieces> kPieceNames = {
    "", "total", "less", "more", "cannot be told from noise", "p10 to mean", "mean to p90"};

std::array<double, kPieces> pieces_of(const FloatingBar& bar) {
  std::array<double, kPieces> pieces{};
  pieces[kUnseen] = bar.from;
  const double length = bar.to - bar.from;
  switch (bar.kind) {
    case Kind::total:
      pieces[kTotal] = length;
      break;
    case Kind::less:
      pieces[kLess] = length;
      break;
    case Kind::more:
      pieces[kMore] = length;
      break;
    case Kind::unsure:
      pieces[kUnsure] = length;
      break;
    case Kind::range:
      pieces[kLow] = std::clamp(bar.middle - bar.from, 0.0, length);
      pieces[kHigh] = length - pieces[kLow];
  }
  return pieces;
}

Figures figures_of(const std::vector<FloatingBar>& bars, const QString& unit) {
  Figures figures;
  const std::string of = unit.isEmpty() ? std::string() : ", " + unit.toStdString();
  figures.header = {"name", "shown", "from" + of, "to" + of};
  for (const FloatingBar& bar : bars)
    figures.rows.push_back(
        {{bar.name, bar.text, scenarios::print_number(bar.from), scenarios::print_number(bar.to)}, std::nullopt});
  return figures;
}

/// What the axis must hold: the ends of all bars, and zero unless only their differences matter.
NiceRange span_of(const std::vector<FloatingBar>& bars, bool from_zero) {
  double low = bars.front().to;
  double high = bars.front().to;
  for (const FloatingBar& bar : bars) {
    if (bar.kind != Kind::total) low = std::min(low, bar.from);
    low = std::min(low, bar.to);
    high = std::max(high, bar.to);
  }
  constexpr double kRoom = 0.25;  // of the span, so that the shortest total is still a bar
  constexpr double kClose = 0.5;  // totals this far above zero may leave it out
  if (from_zero || low < kClose * high) return nice_range(std::min(0.0, low), high);
  return nice_range(std::max(0.0, low - kRoom * (high - low)), high);
}

/// `middle` of a step is where it ends.
bool falls(const FloatingBar& bar) {
  return bar.kind == Kind::less || (bar.kind == Kind::unsure && bar.middle <= bar.from);
}

/// Name, value, and where the bar begins and ends.
QStringList said_of(const FloatingBar& bar, const QString& unit) {
  QStringList lines{QString::fromStdString(bar.name), QString::fromStdString(bar.text)};
  if (bar.kind == Kind::range)
    lines.append(QString("p10 %1, mean %2, p90 %3 %4")
                     .arg(number_said(bar.from), number_said(bar.middle), number_said(bar.to), unit));
  else if (bar.kind != Kind::total)
    lines.append(
        QString("from %1 to %2 %3")
            .arg(number_said(falls(bar) ? bar.to : bar.from), number_said(falls(bar) ? bar.from : bar.to), unit));
  if (bar.kind == Kind::unsure) lines.append(kPieceNames[kUnsure]);
  return lines;
}

/// So many that two ends of an axis differ in two of them.
int digits_between(double low, double high) {
  constexpr int kFewest = 4;
  constexpr int kMost = 9;
  const double share = high > low ? (high - low) / high : 1.0;
  return std::clamp(2 + static_cast<int>(std::ceil(-std::log10(share))), kFewest, kMost);
}

}  // namespace

int Chart::floating_height(std::size_t bars) {
  constexpr int kLine_px = 26;
  constexpr int kBeside_px = 112;  // title, axis with its title, legend
  return whole_by_letters(QApplication::font(), kBeside_px + kLine_px * static_cast<int>(bars));
}

void Chart::show_floating(const std::vector<FloatingBar>& bars, const QString& unit, bool from_zero) {
  again_ = [bars, unit, from_zero](Chart& chart) { chart.show_floating(bars, unit, from_zero); };
  if (bars.empty()) return show_nothing("nothing to show");
  QChart* chart = begin("floating|" + unit.toStdString());
  zoom_.reset();
  figures_ = figures_of(bars, unit);
  QColor pale = theme_.series[0];
  pale.setAlphaF(0.55F);
  QColor unsure = theme_.faint;
  unsure.setAlphaF(0.4F);
  const std::array<QColor, kPieces> colours = {
      QColor(Qt::transparent), theme_.series[0], theme_.series[2], theme_.series[5], unsure, theme_.series[0], pale};
  auto* series = new QHorizontalStackedBarSeries;
  std::array<QBarSet*, kPieces> sets{};
  std::array<bool, kPieces> used{};
  for (std::size_t piece = 0; piece < kPieces; ++piece) {
    sets[piece] = new QBarSet(kPieceNames[piece]);
    sets[piece]->setColor(colours[piece]);
    sets[piece]->setBorderColor(piece == kUnseen ? QColor(Qt::transparent) : colours[piece]);
    series->append(sets[piece]);
  }
  std::vector<Share> names;
  QStringList shown;
  for (std::size_t i = bars.size(); i-- > 0;) {  // counted from below
    const auto pieces = pieces_of(bars[i]);
    for (std::size_t piece = 0; piece < kPieces; ++piece) {
      sets[piece]->append(pieces[piece]);
      used[piece] = used[piece] || pieces[piece] > 0.0;
    }
    names.push_back({bars[i].name, bars[i].to, bars[i].text});
    add_reading(falls(bars[i]) ? bars[i].from : bars[i].to, static_cast<double>(bars.size() - 1 - i), 0,
                said_of(bars[i], unit));
    QString name = QString::fromStdString(bars[i].text + "  " + bars[i].name);
    while (shown.contains(name)) name += ' ';
    shown.append(name);
  }
  in_rows_ = true;
  series->setBarWidth(0.7);
  chart->addSeries(series);
  show_names(series, names, shown);
  const NiceRange span = span_of(bars, from_zero);
  show_scale(series, span, unit);
  // The axis may be below the fold: what it does to the lengths is told above the bars.
  head_->setText(span.low > 0.0 ? QString("%1 (the axis begins at %2 %3)")
                                      .arg(title_, number_said(span.low, digits_between(span.low, span.high)), unit)
                                : title_);
  for (const Piece piece : {kLess, kMore, kUnsure, kLow, kHigh})
    if (used[piece]) entries_.push_back({kPieceNames[piece], colours[piece], LegendEntry::Mark::area});
  show_legend(!entries_.empty());
  style_axes();
  QString words = title_ + ": ";
  for (const FloatingBar& bar : bars) words += QString::fromStdString(bar.name + " " + bar.text + ", ");
  tell(words);
}

}  // namespace headrace::gui
