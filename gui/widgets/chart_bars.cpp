// Bars of shares.
#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QChartView>
#include <QHorizontalBarSeries>
#include <QHorizontalStackedBarSeries>
#include <QValueAxis>
#include <algorithm>
#include <array>

#include "gui/widgets/chart.hpp"
#include "gui/widgets/chart_ghosts.hpp"
#include "gui/widgets/letters.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::gui {
namespace {

constexpr double kPercent = 100.0;

/// A column more for each kept run.
Figures figures_of(const std::vector<Share>& shares, const QString& unit, double factor,
                   const std::vector<Ghost>& ghosts) {
  Figures figures;
  figures.header = {"name", unit.toStdString()};
  for (const Ghost& ghost : ghosts) figures.header.push_back(ghost.name);
  for (const Share& share : shares) {
    std::vector<std::string> cells{share.name, scenarios::print_number(share.value * factor)};
    for (const Ghost& ghost : ghosts) {
      const Share* kept = share_named(ghost.shares, share.name);
      cells.push_back(kept == nullptr ? std::string() : scenarios::print_number(kept->value * factor));
    }
    figures.rows.push_back({std::move(cells), std::nullopt});
  }
  return figures;
}

QString spoken(const QString& title, const std::vector<Share>& shares) {
  QString summary = title + ": ";
  for (const Share& share : shares) summary += QString::fromStdString(share.name + " " + share.text + ", ");
  return summary;
}

/// The value first, since what is too long is cut at its end. The axis drops a name that it has already: blanks tell
/// two of the same words apart.
void add_name(QStringList& names, const QString& text) {
  QString name = text;
  while (names.contains(name)) name += ' ';
  names.append(name);
}

void add_name(QStringList& names, const Share& share) {
  add_name(names, QString::fromStdString(share.text + "  " + share.name));
}

QString as_html(const QString& text) {
  return text.toHtmlEscaped().replace("  ", "&nbsp;&nbsp;").replace('\n', "<br/>");
}

constexpr double kRounding_px = 2.0;  // of measured text
constexpr int kAxis_px = 85;          // title of the chart, axis with its title
constexpr int kLegend_px = 25;
constexpr int kUsual_px = 240;  // of a chart that nobody has seen yet

/// As many bars as have room for their names: the axis shows none where lines would touch.
std::size_t rows_that_fit(const QFont& letters, int height, int beside, std::size_t most) {
  constexpr int kLine_px = 24;
  const int room = height - whole_by_letters(letters, beside);
  return std::clamp<std::size_t>(static_cast<std::size_t>(std::max(0, room) / whole_by_letters(letters, kLine_px)), 3,
                                 most);
}

/// A name of two lines where the bars are far enough apart, else its first line.
QString lines_that_fit(const QFont& letters, const std::string& name, int height, std::size_t bars) {
  constexpr int kTwoLines_px = 48;
  const bool fits = height - whole_by_letters(letters, kAxis_px + kLegend_px) >=
                    whole_by_letters(letters, kTwoLines_px) * static_cast<int>(bars);
  return QString::fromStdString(fits ? name : name.substr(0, name.find('\n')));
}

/// Large sums of money or hours in thousands or millions: factor and unit.
std::pair<double, QString> scale_of(const QString& unit, double most) {
  if (unit.startsWith('%')) return {kPercent, unit};
  const bool large = unit == "USD" || unit == "GPU hours";
  if (large && most >= 1e6) return {1e-6, "million " + unit};
  if (large && most >= 1e4) return {1e-3, "thousand " + unit};
  return {1.0, unit};
}

}  // namespace

/// Categories with the value beside the name: a label on a bar has no room where the bar is short or ends at the edge.
void Chart::show_names(QAbstractBarSeries* bars, const std::vector<Share>& shares, const QStringList& names) {
  QChart* chart = view_->chart();
  const QList<QAbstractAxis*> there = chart->axes(Qt::Vertical);
  auto* axis = there.isEmpty() ? new QBarCategoryAxis : qobject_cast<QBarCategoryAxis*>(there.first());
  const QFontMetrics metrics(font());
  double widest = names_px_;
  for (const Share& share : shares)  // whatever its value is
    widest = std::max<double>(widest, metrics.horizontalAdvance(QString::fromStdString("100.0 %  " + share.name)));
  for (const QString& name : names)
    for (const QString& line : name.split('\n'))
      widest = std::max<double>(widest, metrics.horizontalAdvance(line) + kRounding_px);
  constexpr double kMostOfChart = 0.6;
  names_px_ = std::min(widest, kMostOfChart * std::max(260, width()));
  QStringList shown;
  for (const QString& name : names) {
    QStringList lines;
    for (const QString& line : name.split('\n'))
      lines.append(metrics.elidedText(line, Qt::ElideRight, static_cast<int>(names_px_)));
    QString text = as_html(lines.join('\n'));
    while (shown.contains(text)) text += ' ';
    shown.append(text);
  }
  axis->clear();
  axis->append(shown);
  if (there.isEmpty()) chart->addAxis(axis, Qt::AlignLeft);
  bars->attachAxis(axis);
}

void Chart::show_scale(QAbstractBarSeries* bars, const NiceRange& range, const QString& unit) {
  QChart* chart = view_->chart();
  const QList<QAbstractAxis*> there = chart->axes(Qt::Horizontal);
  auto* axis = there.isEmpty() ? new QValueAxis : qobject_cast<QValueAxis*>(there.first());
  const NiceRange fitted = there.isEmpty() ? range : kept_range(axis, range);
  fit_value_axis(axis, fitted, false);
  const bool cut = axis->min() > 0.0;  // a bar of twice the length is not twice as much then
  axis->setTitleText(cut ? QString("%1, the axis begins at %2").arg(unit).arg(axis->min()) : unit);
  if (there.isEmpty()) chart->addAxis(axis, Qt::AlignBottom);
  bars->attachAxis(axis);
  fit_value_axis(axis, fitted, false);  // stacked bars widen it to what rounding makes of their sum
}

std::vector<Share> Chart::ordered(std::vector<Share> shares) {
  const auto place = [this](const Share& share) {
    return std::find(order_.begin(), order_.end(), share.name) - order_.begin();
  };
  if (held_)
    std::stable_sort(shares.begin(), shares.end(), [&](const Share& a, const Share& b) { return place(a) < place(b); });
  order_.clear();
  for (const Share& share : shares) order_.push_back(share.name);
  return shares;
}

void Chart::show_bars(const std::vector<Share>& given, const QString& unit, bool whole,
                      const std::vector<Ghost>& ghosts) {
  again_ = [given, unit, whole, ghosts](Chart& chart) { chart.show_bars(given, unit, whole, ghosts); };
  if (given.empty()) return show_nothing("nothing to show");
  constexpr std::size_t kMost = 7;
  const std::size_t count =
      std::min(rows_that_fit(font(), isVisible() ? height() : kUsual_px, kAxis_px, kMost), given.size());
  const double largest = std::max_element(given.begin(), given.end(), [](const Share& a, const Share& b) {
                           return a.value < b.value;
                         })->value;
  const auto [factor, shown_unit] = scale_of(unit, largest);
  QChart* chart = begin("bars|" + shown_unit.toStdString());
  zoom_.reset();
  const std::vector<Share> shares = ordered(given);
  auto* bars = new QHorizontalBarSeries;
  auto* values = new QBarSet(title_);
  values->setColor(theme_.series[0]);
  values->setBorderColor(theme_.series[0]);
  QStringList names;
  std::vector<double> ends;
  double most = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    ends.push_back(shares[i].value * factor);
    most = std::max(most, ends.back());
    for (std::size_t run = 0; run < ghosts.size(); ++run)
      if (const Share* kept = share_named(ghosts[run].shares, shares[i].name)) {
        const double at = kept->value * factor;
        ghosts_.push_back({static_cast<double>(count - 1 - i), at, at, run});
        most = std::max(most, at);
      }
  }
  for (std::size_t i = count; i-- > 0;) {  // a horizontal bar chart counts from below
    values->append(ends[i]);
    add_name(names, shares[i]);
  }
  figures_ = figures_of(shares, shown_unit, factor, ghosts);
  bars->append(values);
  bars->setBarWidth(0.7);
  chart->addSeries(bars);
  show_names(bars, shares, names);
  show_scale(bars, whole && most <= kPercent ? NiceRange{0.0, kPercent, 6} : nice_range(0.0, most), shown_unit);
  read_bars(shares, ends, ghosts);
  add_ghosts(ghosts);
  style_axes();
  tell(spoken(title_, shares));
}

void Chart::show_waterfall(const std::vector<Share>& shares, const std::vector<Ghost>& ghosts,
                           const std::vector<models::GpuState>& states) {
  again_ = [shares, ghosts, states](Chart& chart) { chart.show_waterfall(shares, ghosts, states); };
  if (shares.empty()) return show_nothing("nothing to show");
  QChart* chart = begin("parts");
  zoom_.reset();
  order_.clear();
  for (const Share& share : shares) order_.push_back(share.name);
  auto* bars = new QHorizontalStackedBarSeries;
  auto* before = new QBarSet("before");
  before->setColor(Qt::transparent);
  before->setBorderColor(Qt::transparent);
  bars->append(before);
  QStringList names;
  double until = 0.0;
  for (const Share& share : shares) until += share.value;
  for (std::size_t i = shares.size(); i-- > 0;) {  // counted from below
    until -= shares[i].value;
    before->append(std::max(0.0, until) * kPercent);
    const QColor colour = i < states.size() ? colour_of(states[i], theme_) : theme_.series[0];
    auto* part = new QBarSet(QString::fromStdString(shares[i].name));  // of one row: a set has one colour
    part->setColor(colour);
    part->setBorderColor(colour);
    for (std::size_t row = 0; row < shares.size(); ++row)
      part->append(row == shares.size() - 1 - i ? shares[i].value * kPercent : 0.0);
    bars->append(part);
    add_name(names, shares[i]);
  }
  std::vector<double> ends;
  for (const Share& share : shares) ends.push_back((ends.empty() ? 0.0 : ends.back()) + share.value * kPercent);
  for (std::size_t run = 0; run < ghosts.size(); ++run) {
    double from = 0.0;
    for (const Share& kept : ghosts[run].shares) {
      const double to = from + kept.value * kPercent;
      for (std::size_t i = 0; i < shares.size(); ++i)
        if (shares[i].name == kept.name) ghosts_.push_back({static_cast<double>(shares.size() - 1 - i), from, to, run});
      from = to;
    }
  }
  figures_ = figures_of(shares, "%", kPercent, ghosts);
  bars->setBarWidth(0.7);
  chart->addSeries(bars);
  show_names(bars, shares, names);
  show_scale(bars, NiceRange{0.0, kPercent, 6}, "% of the GPU time");
  read_bars(shares, ends, ghosts);
  add_ghosts(ghosts);
  style_axes();
  tell(spoken(title_, shares));
}

void Chart::show_tornado(const std::vector<Spread>& spreads, const QString& axis_title) {
  again_ = [spreads, axis_title](Chart& chart) { chart.show_tornado(spreads, axis_title); };
  if (spreads.empty()) return show_nothing("nothing to show");
  constexpr std::size_t kMost = 9;
  QChart* chart = begin("spreads|" + axis_title.toStdString());
  zoom_.reset();
  auto* bars = new QHorizontalStackedBarSeries;
  std::array<QBarSet*, 2> sides{new QBarSet("shorter"), new QBarSet("longer")};
  for (std::size_t side = 0; side < sides.size(); ++side) {
    const QColor colour = theme_.series[side == 0 ? 2 : 5];
    sides[side]->setColor(colour);
    sides[side]->setBorderColor(colour);
    entries_.push_back({side == 0 ? "shorter" : "longer", colour, LegendEntry::Mark::area});
    bars->append(sides[side]);
  }
  figures_ = {};
  figures_.header = {"figure", "at its lower end, %", "at its upper end, %"};
  for (const Spread& spread : spreads)
    figures_.rows.push_back(
        {{QString::fromStdString(spread.name).replace('\n', ", ").toStdString(),
          scenarios::print_number(spread.at_low * kPercent), scenarios::print_number(spread.at_high * kPercent)},
         std::nullopt});
  QStringList names;
  double low = 0.0;
  double high = 0.0;
  const int room = isVisible() ? height() : kUsual_px;
  const std::size_t count = std::min(rows_that_fit(font(), room, kAxis_px + kLegend_px, kMost), spreads.size());
  for (std::size_t i = count; i-- > 0;) {  // counted from below
    const double least = std::min({spreads[i].at_low, spreads[i].at_high, 0.0}) * kPercent;
    const double most = std::max({spreads[i].at_low, spreads[i].at_high, 0.0}) * kPercent;
    sides[0]->append(least);
    sides[1]->append(most);
    low = std::min(low, least);
    high = std::max(high, most);
    add_name(names, lines_that_fit(font(), spreads[i].name, room, count));
    const auto end = [](const char* which, double share) {
      return QString("%1: %2 %").arg(which, number_said(share * kPercent));
    };
    add_reading(-least > most ? least : most, static_cast<double>(count - 1 - i), 0,
                {QString::fromStdString(spreads[i].name).replace('\n', ", "), axis_title.section(", ", 0, 0),
                 end("at its lower end", spreads[i].at_low), end("at its upper end", spreads[i].at_high)});
  }
  in_rows_ = true;
  bars->setBarWidth(0.7);
  chart->addSeries(bars);
  show_names(bars, {}, names);
  show_scale(bars, nice_range(low, high), axis_title);
  show_legend(true);
  style_axes();
  tell(title_ + ", the largest first: " + names.join(", "));
}

}  // namespace headrace::gui
