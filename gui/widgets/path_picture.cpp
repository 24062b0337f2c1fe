#include "gui/widgets/path_picture.hpp"

#include <QApplication>
#include <QFocusEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyle>
#include <algorithm>
#include <cmath>
#include <utility>

#include "models/outcome/bottleneck.hpp"
#include "reports/humane.hpp"

namespace headrace::gui {

namespace {

/// A name on two lines at most, the second one cut where it is too long.
QStringList two_lines(const QString& name, const QFontMetrics& metrics, int width) {
  QString first;
  QStringList rest = name.split(' ');
  while (!rest.isEmpty()) {
    const QString longer = first.isEmpty() ? rest.front() : first + ' ' + rest.front();
    if (!first.isEmpty() && metrics.horizontalAdvance(longer) > width) break;
    first = longer;
    rest.removeFirst();
  }
  QStringList lines{metrics.elidedText(first, Qt::ElideRight, width)};
  if (!rest.isEmpty()) lines.append(metrics.elidedText(rest.join(' '), Qt::ElideRight, width));
  return lines;
}

/// Systems tell it as effects or animations that are off.
bool wants_no_motion(const QWidget& widget) {
  return !QApplication::isEffectEnabled(Qt::UI_General) ||
         widget.style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, &widget) == 0;
}

constexpr double kQueue_px = 8.0;  ///< under the boxes, for the batches that stand there

}  // namespace

PathPicture::PathPicture(QWidget* parent) : QWidget(parent), clock_(this), reduced_(wants_no_motion(*this)) {
  constexpr int kFrame_ms = 50;
  clock_.setInterval(kFrame_ms);
  connect(&clock_, &QTimer::timeout, this, qOverload<>(&QWidget::update));
  setAccessibleName("Data path");
  setFocusPolicy(Qt::StrongFocus);
  setCursor(Qt::PointingHandCursor);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QStringList PathPicture::stations() const {
  QStringList names;
  for (const Box& box : boxes_) names.append(box.name);
  return names;
}

void PathPicture::show(const models::Outcome& outcome, std::optional<double> workers) {
  boxes_.clear();
  constexpr std::size_t kMost = 8;
  QString summary = "From store to GPU: ";
  const models::StationReport* binding = models::binding_station(outcome);
  for (const models::StationReport& station : outcome.stations) {
    if (boxes_.size() == kMost) break;
    Box box;
    box.name = QString::fromStdString(reports::words(station.name));
    box.load = QString::fromStdString(reports::percent(station.utilization, 0));
    box.utilization = station.utilization;
    box.station = {StationRef::What::resource, station.resource, station.owner, station.name};
    box.binding = &station == binding;
    summary += box.name + " " + box.load + (box.binding ? " (binding), " : ", ");
    boxes_.push_back(std::move(box));
  }
  if (workers) {
    Box box;
    box.name = "workers";
    box.load = QString::fromStdString(reports::percent(*workers, 0));
    box.utilization = *workers;
    box.station = {StationRef::What::workers, models::Resource::workers, {}, "workers"};
    constexpr double kFull = 0.99;  // the workers limit where no shared resource does
    box.binding = outcome.binding && *workers >= kFull &&
                  std::none_of(boxes_.begin(), boxes_.end(), [](const Box& b) { return b.utilization >= kFull; });
    if (box.binding)
      for (Box& other : boxes_) other.binding = false;
    summary += box.name + " " + box.load + (box.binding ? " (binding), " : ", ");
    boxes_.push_back(std::move(box));
  }
  Box gpus;
  gpus.name = "GPUs";
  gpus.station = {StationRef::What::gpus, models::Resource::workers, {}, "GPUs"};
  gpus.utilization = models::mean_in(outcome.metrics, "gpu_utilization");
  gpus.load = QString::fromStdString(reports::percent(gpus.utilization, 0));
  summary += "GPUs " + gpus.load;
  boxes_.push_back(std::move(gpus));
  at_ = std::min(at_, boxes_.size() - 1);
  setAccessibleDescription(summary);
  setToolTip(summary +
             "\nSquares under a station: batches of one loader that stand there, as fast as in the simulation."
             "\nA click on a station shows its figures and parameters.");
  update();
}

void PathPicture::show_queues(QueueMotion motion) {
  motion_ = std::move(motion);
  since_.start();
  run_clock();
  update();
}

void PathPicture::set_motion_reduced(bool reduced) {
  reduced_ = reduced;
  run_clock();
  update();
}

void PathPicture::run_clock() {
  if (isVisible() && !reduced_ && !motion_.moments.empty())
    clock_.start();
  else
    clock_.stop();
}

void PathPicture::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  run_clock();
}

void PathPicture::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  clock_.stop();
}

std::vector<double> PathPicture::queues() const {
  if (motion_.moments.empty()) return {};
  std::vector<StationRef> stations;
  std::vector<double> utilization;
  for (const Box& box : boxes_) {
    stations.push_back(box.station);
    utilization.push_back(box.utilization);
  }
  constexpr double kMs = 1e-3;
  return standing(reduced_ ? motion_.mean() : motion_.at(static_cast<double>(since_.elapsed()) * kMs), stations,
                  utilization);
}

void PathPicture::set_theme(const Theme& theme) {
  theme_ = theme;
  update();
}

/// The font in which the longest word of a name fits into a box, within reason.
QFont PathPicture::narrow_font(double width) const {
  constexpr double kSmallest = 0.75;
  int widest = 1;
  for (const Box& box : boxes_)
    for (const QString& word : box.name.split(' '))
      widest = std::max(widest, QFontMetrics(font()).horizontalAdvance(word));
  QFont narrow = font();
  narrow.setPointSizeF(narrow.pointSizeF() * std::clamp(width / widest, kSmallest, 1.0));
  return narrow;
}

QRectF PathPicture::frame_of(std::size_t station) const {
  constexpr double kMargin_px = 6.0;
  constexpr double kManyBoxes = 8.0;
  const auto count = static_cast<double>(boxes_.size());
  const double gap = count > kManyBoxes ? 10.0 : 16.0;
  const double wide = std::max(40.0, (width() - 2.0 * kMargin_px - gap * (count - 1.0)) / count);
  return {kMargin_px + static_cast<double>(station) * (wide + gap), kMargin_px, wide,
          height() - 2.0 * kMargin_px - kQueue_px};
}

QRect PathPicture::place(std::size_t station) const { return frame_of(station).toAlignedRect(); }

void PathPicture::choose(std::size_t station) {
  if (station >= boxes_.size()) return;
  at_ = station;
  update();
  Q_EMIT chosen(boxes_[station].station, place(station));
}

void PathPicture::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
  for (std::size_t i = 0; i < boxes_.size(); ++i)
    if (frame_of(i).contains(event->position())) return choose(i);
}

void PathPicture::focusInEvent(QFocusEvent* event) {
  by_keys_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
  QWidget::focusInEvent(event);
}

void PathPicture::keyPressEvent(QKeyEvent* event) {
  by_keys_ = true;
  if (boxes_.empty()) return QWidget::keyPressEvent(event);
  switch (event->key()) {
    case Qt::Key_Left:
      at_ = at_ > 0 ? at_ - 1 : 0;
      break;
    case Qt::Key_Right:
      at_ = std::min(at_ + 1, boxes_.size() - 1);
      break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
      return choose(at_);
    default:
      return QWidget::keyPressEvent(event);
  }
  update();
}

void PathPicture::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), theme_.ground);
  if (boxes_.empty()) return;
  const double gap = boxes_.size() > 1 ? frame_of(1).left() - frame_of(0).right() : 0.0;
  const QFont narrow = narrow_font(frame_of(0).width() - 4.0);
  const std::vector<double> standing_there = queues();
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    const QRectF frame = frame_of(i);
    paint_box(painter, i, narrow);
    if (i < standing_there.size()) paint_queue(painter, frame, standing_there[i]);
    if (i + 1 == boxes_.size()) continue;
    painter.setPen(QPen(theme_.faint, 1.5));
    const double y = frame.center().y();
    painter.drawLine(QPointF(frame.right() + 2.0, y), QPointF(frame.right() + gap - 3.0, y));
    painter.drawLine(QPointF(frame.right() + gap - 3.0, y), QPointF(frame.right() + gap - 8.0, y - 4.0));
    painter.drawLine(QPointF(frame.right() + gap - 3.0, y), QPointF(frame.right() + gap - 8.0, y + 4.0));
  }
}

void PathPicture::paint_box(QPainter& painter, std::size_t station, const QFont& narrow) const {
  const Box& box = boxes_[station];
  const QRectF frame = frame_of(station);
  const QFontMetrics metrics(font());
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme_.sheet);
  painter.drawRect(frame);
  QColor fill = station + 1 == boxes_.size() ? theme_.good : theme_.series[0];
  if (box.binding) fill = theme_.bad;
  const double level = std::clamp(box.utilization, 0.0, 1.0) * (frame.height() - 3.0 * metrics.height() - 12.0);
  painter.setBrush(fill);
  painter.drawRect(QRectF(frame.left() + 6.0, frame.bottom() - 4.0 - level, frame.width() - 12.0, level));
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(box.binding ? theme_.bad : theme_.rule, box.binding ? 3.0 : 1.0));
  painter.drawRect(frame);
  if (hasFocus() && by_keys_ && station == at_) {
    painter.setPen(QPen(theme_.ink, 1.0, Qt::DotLine));
    painter.drawRect(frame.adjusted(-3.0, -3.0, 3.0, 3.0));
  }
  painter.setPen(theme_.ink);
  const auto line = static_cast<double>(metrics.height());
  const QStringList words = two_lines(box.name, QFontMetrics(narrow), static_cast<int>(frame.width()) - 4);
  painter.setFont(narrow);
  for (int l = 0; l < words.size(); ++l)
    painter.drawText(QRectF(frame.left(), frame.top() + 3.0 + (l + 0.5 * static_cast<double>(2 - words.size())) * line,
                            frame.width(), line),
                     Qt::AlignCenter, words[l]);
  QFont bold = font();
  bold.setBold(true);
  const QString load = box.load + (box.binding ? " binds" : "");
  const double wide = QFontMetrics(bold).horizontalAdvance(load);
  constexpr double kEdge_px = 4.0;
  if (wide > frame.width() - kEdge_px) bold.setPointSizeF(bold.pointSizeF() * (frame.width() - kEdge_px) / wide);
  painter.setFont(bold);
  painter.drawText(QRectF(frame.left(), frame.top() + 3.0 + 2.0 * line, frame.width(), line), Qt::AlignCenter, load);
  painter.setFont(font());
}

/// A square for each batch of one loader, as many as there is room for.
void PathPicture::paint_queue(QPainter& painter, const QRectF& frame, double batches) const {
  constexpr double kBatch_px = 5.0;
  const double most = std::floor(frame.width() / (kBatch_px + 2.0));
  const double shown = std::min(most, std::round(batches));
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme_.ink);
  for (double i = 0.0; i < shown; i += 1.0)
    painter.drawRect(QRectF(frame.left() + i * (kBatch_px + 2.0), frame.bottom() + 4.0, kBatch_px, kBatch_px));
}

}  // namespace headrace::gui
