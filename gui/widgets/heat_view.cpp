#include "gui/widgets/heat_view.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "reports/humane.hpp"

namespace headrace::gui {

HeatView::HeatView(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setMinimumSize(220, 150);
  setMouseTracking(true);
}

void HeatView::show(const QString& title, const HeatMap& map) {
  title_ = title;
  map_ = map;
  column_ = static_cast<int>(map.now_x.value_or(0));
  row_ = static_cast<int>(map.now_y.value_or(0));
  update();
}

void HeatView::set_theme(const Theme& theme) {
  theme_ = theme;
  update();
}

std::pair<QColor, QColor> HeatView::colours(double share, const Theme& theme) {
  // One hue from pale to deep in both themes: order is seen without colour, and dark is always worse. On dark ground
  // the deepest is still told from the ground.
  const double t = std::clamp(share, 0.0, 1.0);
  const QColor from = theme.dark ? QColor("#a5d8f5") : QColor("#e6f1f8");
  const QColor to = theme.dark ? QColor("#0a3a56") : QColor("#004f80");
  const auto mix = [t](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * t)); };
  const QColor ground(mix(from.red(), to.red()), mix(from.green(), to.green()), mix(from.blue(), to.blue()));
  const QColor black("#000000");
  const QColor white("#ffffff");
  return {ground, contrast(ground, black) >= contrast(ground, white) ? black : white};
}

QRectF HeatView::area() const {
  const QFontMetrics metrics(font());
  int widest = 0;
  for (const std::string& name : map_.y)
    widest = std::max(widest, metrics.horizontalAdvance(QString::fromStdString(name)));
  const double left = widest + metrics.height() + 16.0;
  const double top = (1.0 + value_lines()) * metrics.height() + 12.0;
  const double bottom = (1.0 + title_lines(left)) * metrics.height() + 12.0;
  return {left, top, std::max(20.0, width() - left - 10.0), std::max(20.0, height() - top - bottom)};
}

QRectF HeatView::cell(std::size_t column, std::size_t row) const {
  const QRectF all = area();
  const double w = all.width() / static_cast<double>(std::max<std::size_t>(1, map_.x.size()));
  const double h = all.height() / static_cast<double>(std::max<std::size_t>(1, map_.y.size()));
  return {all.left() + static_cast<double>(column) * w, all.bottom() - static_cast<double>(row + 1) * h, w, h};
}

void HeatView::paint_axes(QPainter& painter) const {
  const QRectF all = area();
  const QFontMetrics metrics(font());
  const auto line = static_cast<double>(metrics.height());
  painter.setPen(theme_.ink);
  const std::size_t stride = label_stride();
  for (std::size_t c = 0; c < map_.x.size(); c += stride) {
    const QRectF at = cell(c, 0);
    const double room = static_cast<double>(stride) * at.width();
    painter.drawText(QRectF(at.center().x() - 0.5 * room, all.bottom() + 2.0, room, line), Qt::AlignCenter,
                     metrics.elidedText(QString::fromStdString(map_.x[c]), Qt::ElideRight, static_cast<int>(room)));
  }
  for (std::size_t r = 0; r < map_.y.size(); ++r) {
    const QRectF at = cell(0, r);
    painter.drawText(QRectF(line + 4.0, at.top(), all.left() - line - 8.0, at.height()),
                     Qt::AlignRight | Qt::AlignVCenter, QString::fromStdString(map_.y[r]));
  }
  painter.drawText(QRectF(all.left(), all.bottom() + line + 4.0, all.width(), title_lines(all.left()) * line + 4.0),
                   Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, QString::fromStdString(map_.x_title));
  painter.save();
  painter.translate(2.0, all.center().y());
  painter.rotate(-90.0);
  painter.drawText(QRectF(-all.height(), 0.0, 2.0 * all.height(), line), Qt::AlignCenter,
                   QString::fromStdString(map_.y_title));
  painter.restore();
  QFont bold = font();
  bold.setBold(true);
  painter.setFont(bold);
  painter.drawText(QRectF(6.0, 2.0, width() - 12.0, line + 2.0), Qt::AlignCenter,
                   QFontMetrics(bold).elidedText(title_, Qt::ElideRight, width() - 12));
  painter.setFont(font());
  painter.drawText(QRectF(6.0, line + 4.0, width() - 12.0, value_lines() * line + 2.0),
                   Qt::AlignCenter | Qt::TextWordWrap, value_words());
}

/// Numbers that would run into each other are left out between others; words are all told, cut to their cells.
std::size_t HeatView::label_stride() const {
  constexpr int kBetween_px = 6;
  const QFontMetrics metrics(font());
  int widest = 1;
  for (const std::string& label : map_.x) {
    if (label.empty() || label.find_first_of("0123456789") != 0) return 1;
    widest = std::max(widest, metrics.horizontalAdvance(QString::fromStdString(label)) + kBetween_px);
  }
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(widest / std::max(1.0, cell(0, 0).width()))));
}

/// As many as the name of the axis needs below the cells; two at most.
int HeatView::title_lines(double left) const {
  const QFontMetrics metrics(font());
  const QRect room(0, 0, std::max(20, width() - static_cast<int>(left) - 10), 1000);
  const QString title = QString::fromStdString(map_.x_title);
  return std::clamp(metrics.boundingRect(room, Qt::TextWordWrap, title).height() / metrics.height(), 1, 2);
}

/// As many as the words of the colours need: no figure of them is cut.
int HeatView::value_lines() const {
  const int room = std::max(1, width() - 12);
  const QFontMetrics metrics(font());
  return std::max(
      1, metrics.boundingRect(QRect(0, 0, room, 1000), Qt::TextWordWrap, value_words()).height() / metrics.height());
}

std::pair<double, double> HeatView::range() const {
  if (map_.range) return *map_.range;
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  for (const auto& row : map_.values)
    for (const double value : row)
      if (std::isfinite(value)) least = std::min(least, value), most = std::max(most, value);
  return {least, most};
}

std::optional<double> HeatView::badness(std::size_t column, std::size_t row) const {
  const double value = map_.values.at(row).at(column);
  if (!std::isfinite(value)) return std::nullopt;
  const auto [least, most] = range();
  if (reports::humane_number(least, 3) == reports::humane_number(most, 3)) return 0.5;  // told as "everywhere"
  const double share = (value - least) / (most - least);
  return map_.more_is_better ? 1.0 - share : share;
}

QString HeatView::cell_text(std::size_t column, std::size_t row) const {
  constexpr double kDecades = 4.0;  // below the largest value: less is the rounding of an answer, and no number to read
  const double value = map_.values.at(row).at(column);
  const double most = std::max(std::abs(range().first), std::abs(range().second));
  const double least = most > 0.0 ? std::pow(10.0, std::floor(std::log10(most)) - kDecades) : 0.0;
  const bool is_small = value > 0.0 && value < least;
  return QString::fromStdString(is_small ? "<" + reports::humane_number(least, 1) : reports::humane_number(value, 3));
}

/// What the colours mean: "samples, k/s: 2.9 to 4.1, darker is worse".
QString HeatView::value_words() const {
  const auto [least, most] = range();
  QString words = QString::fromStdString(map_.value_title);
  const std::string low = reports::humane_number(least, 3);
  const std::string high = reports::humane_number(most, 3);
  if (least <= most && low == high) words += QString::fromStdString(": " + low + " everywhere");
  if (least <= most && low != high) words += QString::fromStdString(": " + low + " to " + high + ", darker is worse");
  if (map_.now_x && map_.now_y) words += QString::fromStdString("; framed: " + map_.framed);
  return words;
}

void HeatView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::TextAntialiasing);
  painter.fillRect(rect(), theme_.ground);
  for (std::size_t r = 0; r < map_.values.size(); ++r)
    for (std::size_t c = 0; c < map_.values[r].size(); ++c) {
      const QRectF at = cell(c, r).adjusted(0.5, 0.5, -0.5, -0.5);
      const std::optional<double> bad = badness(c, r);
      if (!bad) {
        painter.fillRect(at, theme_.sheet);
        continue;
      }
      const auto [ground, ink] = colours(*bad, theme_);
      painter.fillRect(at, ground);
      painter.setPen(ink);
      const QString text = cell_text(c, r);
      if (QFontMetrics(font()).horizontalAdvance(text) + 4 <= at.width()) painter.drawText(at, Qt::AlignCenter, text);
    }
  painter.setBrush(Qt::NoBrush);
  if (map_.now_x && map_.now_y) {
    painter.setPen(QPen(theme_.bad, 3.0));
    painter.drawRect(cell(*map_.now_x, *map_.now_y).adjusted(1.5, 1.5, -1.5, -1.5));
  }
  if (hasFocus()) {
    painter.setPen(QPen(theme_.ink, 1.5, Qt::DotLine));
    painter.drawRect(cell(static_cast<std::size_t>(column_), static_cast<std::size_t>(row_)));
  }
  paint_axes(painter);
}

std::optional<std::pair<int, int>> HeatView::cell_at(const QPointF& place) const {
  for (std::size_t r = 0; r < map_.y.size(); ++r)
    for (std::size_t c = 0; c < map_.x.size(); ++c)
      if (cell(c, r).contains(place)) return std::pair(static_cast<int>(c), static_cast<int>(r));
  return std::nullopt;
}

void HeatView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
  const auto at = cell_at(event->position());
  if (!at) return;
  std::tie(column_, row_) = *at;
  update();
  Q_EMIT cell_clicked(column_, row_);
}

void HeatView::mouseMoveEvent(QMouseEvent* event) {
  if (const auto at = cell_at(event->position())) Q_EMIT cell_pointed(at->first, at->second);
}

void HeatView::keyPressEvent(QKeyEvent* event) {
  const int columns = static_cast<int>(map_.x.size());
  const int rows = static_cast<int>(map_.y.size());
  if (columns == 0 || rows == 0) return QWidget::keyPressEvent(event);
  switch (event->key()) {
    case Qt::Key_Left:
      column_ = std::max(0, column_ - 1);
      break;
    case Qt::Key_Right:
      column_ = std::min(columns - 1, column_ + 1);
      break;
    case Qt::Key_Up:
      row_ = std::min(rows - 1, row_ + 1);
      break;
    case Qt::Key_Down:
      row_ = std::max(0, row_ - 1);
      break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      Q_EMIT cell_clicked(column_, row_);
      return;
    default:
      return QWidget::keyPressEvent(event);
  }
  update();
  Q_EMIT cell_pointed(column_, row_);
}

}  // namespace headrace::gui
