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

#include "gui/presenter/recording.hpp"
#include "gui/widgets/letters.hpp"
#include "reports/humane.hpp"
#include "reports/station_words.hpp"

namespace headrace::gui {

namespace {

constexpr double kQueue_px = 8.0;  ///< under the boxes, for the batches that stand there
constexpr double kMargin_px = 6.0;
constexpr double kSmallestLegend_pt = 6.0;
constexpr int kLegendLines = 2;
constexpr const char* kLegendGap = "   ";
constexpr double kBeside_px = 6.0;  // between stations beside each other
constexpr double kLane_px = 48.0;
constexpr double kLaneName_px = 10.0;  ///< above its boxes

/// A name on so many lines at most, the last one cut where it is too long.
QStringList lines_of(const QString& name, const QFontMetrics& metrics, int width, qsizetype most) {
  QStringList lines;
  QStringList rest = name.split(' ');
  while (!rest.isEmpty() && lines.size() < most) {
    QString line;
    while (!rest.isEmpty()) {
      const QString longer = line.isEmpty() ? rest.front() : line + ' ' + rest.front();
      const bool last = lines.size() + 1 == most;
      if (!line.isEmpty() && !last && metrics.horizontalAdvance(longer) > width) break;
      line = longer;
      rest.removeFirst();
    }
    lines.append(metrics.elidedText(line, Qt::ElideRight, width));
  }
  return lines;
}

/// The font, smaller where a word of the text is wider than there is room: widths of small letters do not scale evenly.
QFont fitted(QFont font, const QString& text, double width) {
  constexpr double kSmallest_pt = 5.0;
  constexpr double kLess_pt = 0.25;
  const auto widest = [&] {
    int most = 0;
    for (const QString& word : text.split(' ')) most = std::max(most, QFontMetrics(font).horizontalAdvance(word));
    return most;
  };
  while (widest() > width && font.pointSizeF() > kSmallest_pt) font.setPointSizeF(font.pointSizeF() - kLess_pt);
  return font;
}

/// Systems tell it as effects or animations that are off.
bool wants_no_motion(const QWidget& widget) {
  return !QApplication::isEffectEnabled(Qt::UI_General) ||
         widget.style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, &widget) == 0;
}

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

QStringList PathPicture::binding_stations() const {
  QStringList names;
  for (const Box& box : boxes_)
    if (box.binding) names.append(box.name);
  return names;
}

QSize PathPicture::sizeHint() const {
  constexpr double kColumn_px = 64.0;  // as high as the load, and what is around it
  constexpr double kText_px = 30.0;
  const double lanes = by_letters(font(), kLane_px) * static_cast<double>(lanes_.size()) + 2.0 * kMargin_px;
  return {720, static_cast<int>(std::max(kColumn_px + by_letters(font(), kText_px), lanes) + legend_px())};
}

QString PathPicture::legend() const {
  if (boxes_.empty()) return {};
  QStringList parts;
  if (!capacity_.isEmpty()) parts.append("100 % of " + capacity_);
  parts.append("%: " + share_);
  if (std::any_of(boxes_.begin(), boxes_.end(), [](const Box& box) { return box.binding; }))
    parts.append("thick frame: the bottleneck's resource; while it is not full, busier workers, too");
  if (!motion_.moments.empty()) parts.prepend("squares: batches of one loader");
  return parts.join(kLegendGap);
}

QFont PathPicture::small_font() const {
  QFont small = font();
  small.setPointSizeF(small.pointSizeF() * 0.85);
  return small;
}

double PathPicture::legend_room_px() const { return std::max(200.0, width() - 2.0 * kMargin_px); }

QFont PathPicture::legend_font() const {
  QFont small = small_font();
  while (small.pointSizeF() > kSmallestLegend_pt && !fits_legend(small)) small.setPointSizeF(small.pointSizeF() - 0.25);
  return small;
}

/// Lines break between its parts alone.
QString PathPicture::legend_lines() const {
  QStringList parts = legend().split(kLegendGap);
  for (QString& part : parts) part.replace(' ', QChar::Nbsp);
  return parts.join(kLegendGap);
}

bool PathPicture::fits_legend(const QFont& letters) const {
  const QRect room(0, 0, static_cast<int>(legend_room_px()), 1);
  const QRect taken = QFontMetrics(letters).boundingRect(room, Qt::TextWordWrap, legend_lines());
  return taken.width() <= room.width() && taken.height() <= kLegendLines * QFontMetrics(small_font()).height();
}

/// Room is kept for it always, so that nothing below moves.
double PathPicture::legend_px() const {
  constexpr double kBelow_px = 2.0;  // or a "q" touches the frame
  return kLegendLines * QFontMetrics(small_font()).height() + kBelow_px;
}

bool PathPicture::shows_legend() const { return fits_legend(legend_font()); }

void PathPicture::paint_legend(QPainter& painter) const {
  painter.setFont(legend_font());
  painter.setPen(theme_.faint);
  painter.drawText(QRectF(kMargin_px, height() - legend_px() - 1.0, legend_room_px(), legend_px()),
                   Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, legend_lines());
  painter.setFont(font());
}

void PathPicture::show(const models::Outcome& outcome, const std::vector<std::optional<double>>& workers,
                       bool decided) {
  const qsizetype before = lanes_.size();
  boxes_.clear();
  lanes_.clear();
  const std::string_view share = reports::share_text(outcome);
  share_ = QString::fromUtf8(share.data(), static_cast<qsizetype>(share.size()));
  capacity_ = QString::fromStdString(reports::capacity_note(outcome));
  const reports::DataPath path = reports::data_path(outcome, workers);
  for (const reports::PathLane& lane : path.lanes)
    if (lane.job != nullptr) lanes_.append(QString::fromStdString(lane.job->name));
  for (const std::vector<reports::PathStation>& beside : path.shared)
    for (std::size_t part = 0; part < beside.size(); ++part) {
      add_station(beside[part], -1, decided);
      boxes_.back().part = static_cast<int>(part);
      boxes_.back().parts = static_cast<int>(beside.size());
    }
  for (std::size_t lane = 0; lane < path.lanes.size(); ++lane)
    for (const reports::PathStation& station : path.lanes[lane].stations)
      add_station(station, lanes_.isEmpty() ? -1 : static_cast<int>(lane), decided);
  place_boxes();
  QString summary = "From store to GPU: ";
  for (const Box& box : boxes_) summary += box.name + " " + box.load + (box.binding ? " (bottleneck), " : ", ");
  summary.chop(2);
  at_ = std::min(at_, boxes_.size() - 1);
  setAccessibleDescription(summary);
  setToolTip(summary +
             QString("\nSquares under a station: batches of one loader of the first job that stand there%1, as fast as "
                     "in the simulation.")
                 .arg(windows_of(outcome).size() > 1 ? " in the slowest part of the epoch" : "") +
             "\nA click on a station shows its figures and parameters.");
  if (lanes_.size() != before) updateGeometry();
  update();
}

void PathPicture::add_station(const reports::PathStation& station, int lane, bool decided) {
  using What = reports::PathStation::What;
  const std::string owner = station.report != nullptr ? station.report->owner
                            : lane >= 0               ? lanes_[lane].toStdString()
                                                      : std::string();
  Box& box = boxes_.emplace_back();
  box.label = QString::fromStdString(station.name);
  box.name = box.label;
  if (station.report != nullptr) box.name = QString::fromStdString(reports::words(station.report->name));
  if (station.report == nullptr && lane >= 0) box.name += " (job " + lanes_[lane] + ")";
  box.load = QString::fromStdString(reports::percent(station.utilization, 0));
  box.utilization = station.utilization;
  box.bytes_per_s = station.bytes_out_per_s;
  box.binding = decided && station.binds;
  box.lane = lane;
  if (station.report != nullptr)
    box.station = {StationRef::What::resource, station.report->resource, owner, station.report->name};
  else
    box.station = {station.what == What::workers ? StationRef::What::workers : StationRef::What::gpus,
                   models::Resource::workers, owner, station.name};
}

/// What all share on the left, a lane for each job on the right.
void PathPicture::place_boxes() {
  int shared = 0;
  for (Box& box : boxes_)
    if (box.lane < 0) box.column = box.part == 0 ? shared++ : shared - 1;
  columns_ = shared;
  std::vector<int> next(static_cast<std::size_t>(lanes_.size()), shared);
  for (Box& box : boxes_) {
    if (box.lane < 0) continue;
    box.column = next[static_cast<std::size_t>(box.lane)]++;
    columns_ = std::max(columns_, box.column + 1);
  }
  most_bytes_per_s_ = 0.0;
  for (const Box& box : boxes_) most_bytes_per_s_ = std::max(most_bytes_per_s_, box.bytes_per_s);
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
  constexpr double kBinds = 2.0;
  std::vector<StationRef> stations;
  std::vector<double> utilization;
  for (const Box& box : boxes_) {
    if (box.lane > 0) continue;  // the first job was recorded
    stations.push_back(box.station);
    utilization.push_back(box.binding ? kBinds : box.utilization);  // before others that are as busy
  }
  constexpr double kMs = 1e-3;
  const std::vector<double> recorded = standing(
      reduced_ ? motion_.mean() : motion_.at(static_cast<double>(since_.elapsed()) * kMs), stations, utilization);
  std::vector<double> batches;
  std::size_t next = 0;
  for (const Box& box : boxes_) batches.push_back(box.lane > 0 ? 0.0 : recorded[next++]);
  return batches;
}

void PathPicture::set_theme(const Theme& theme) {
  theme_ = theme;
  update();
}

/// The font in which the longest word of a name fits into a box, within reason.
QFont PathPicture::label_font() const {
  constexpr double kSmallest = 0.7;
  constexpr double kEdge_px = 4.0;
  int widest = 1;
  for (const Box& box : boxes_) {
    const QStringList parts = box.lane < 0 ? box.label.split(' ') : QStringList{box.label};
    for (const QString& part : parts) widest = std::max(widest, QFontMetrics(font()).horizontalAdvance(part));
  }
  QFont narrow = font();
  narrow.setPointSizeF(narrow.pointSizeF() *
                       std::clamp((frame_of(0).width() - kEdge_px) / widest, kSmallest, lanes_.isEmpty() ? 1.0 : 0.85));
  return narrow;
}

QRectF PathPicture::frame_of(std::size_t station) const {
  constexpr double kManyBoxes = 8.0;
  const Box& box = boxes_[station];
  const auto count = static_cast<double>(columns_);
  const double gap = count > kManyBoxes ? 10.0 : 16.0;
  const double wide = std::max(36.0, (width() - 2.0 * kMargin_px - gap * (count - 1.0)) / count);
  const double left = kMargin_px + static_cast<double>(box.column) * (wide + gap);
  const double all = height() - 2.0 * kMargin_px - legend_px();
  if (box.lane < 0) {
    const double each = (all - kQueue_px + kBeside_px) / static_cast<double>(box.parts);
    return {left, kMargin_px + each * static_cast<double>(box.part), wide, each - kBeside_px};
  }
  const double lane = all / static_cast<double>(lanes_.size());
  return {left, kMargin_px + static_cast<double>(box.lane) * lane + by_letters(font(), kLaneName_px), wide,
          lane - kQueue_px - by_letters(font(), kLaneName_px)};
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
  paint_arrows(painter);
  const QFont label = label_font();
  paint_lane_names(painter, label);
  paint_legend(painter);
  const std::vector<double> standing_there = queues();
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    const QRectF frame = frame_of(i);
    const Box& box = boxes_[i];
    painter.setPen(QPen(box.binding ? theme_.bad : theme_.rule, box.binding ? 3.0 : 1.0));
    painter.setBrush(theme_.sheet);
    painter.drawRect(frame);
    if (hasFocus() && by_keys_ && i == at_) {
      painter.setBrush(Qt::NoBrush);
      painter.setPen(QPen(theme_.ink, 1.0, Qt::DotLine));
      painter.drawRect(frame.adjusted(-3.0, -3.0, 3.0, 3.0));
    }
    box.lane < 0 && box.parts == 1 ? paint_box(painter, i, label) : paint_lane_box(painter, i, station_font(i, label));
    if (i < standing_there.size()) paint_queue(painter, frame, standing_there[i]);
  }
}

/// Over the boxes of a lane, from its first one to the end.
void PathPicture::paint_lane_names(QPainter& painter, const QFont& label) const {
  painter.setPen(theme_.faint);
  painter.setFont(label);
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    const Box& box = boxes_[i];
    if (box.lane < 0 || (i > 0 && boxes_[i - 1].lane == box.lane)) continue;
    const QRectF frame = frame_of(i);
    const double wide = width() - kMargin_px - frame.left();
    if (std::any_of(boxes_.begin(), boxes_.begin() + static_cast<std::ptrdiff_t>(i),
                    [&](const Box& before) { return before.lane == box.lane; }))
      continue;  // workers and GPUs come after the resources of all jobs
    painter.drawText(
        QRectF(frame.left(), frame.top() - by_letters(font(), kLaneName_px) - 1.0, wide,
               by_letters(font(), kLaneName_px)),
        Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetrics(label).elidedText("job " + lanes_[box.lane], Qt::ElideMiddle, static_cast<int>(wide)));
  }
  painter.setFont(font());
}

QFont PathPicture::station_font(std::size_t station, const QFont& common) const {
  constexpr double kEdges_px = 5.0;  // elision counts parts of a pixel, and what leans over the end
  return boxes_[station].lane < 0 ? fitted(common, boxes_[station].label, frame_of(station).width() - kEdges_px)
                                  : common;
}

QStringList PathPicture::written(std::size_t station) const {
  const Box& box = boxes_[station];
  const QFontMetrics metrics(station_font(station, label_font()));
  const int width = static_cast<int>(frame_of(station).width()) - 1;
  if (box.lane >= 0) return {metrics.elidedText(box.label, Qt::ElideRight, width)};
  return lines_of(box.label, metrics, width, lanes_.isEmpty() ? 2 : 3);
}

/// Name above, load below it, and a column as high as the load.
void PathPicture::paint_box(QPainter& painter, std::size_t station, const QFont& common) const {
  const Box& box = boxes_[station];
  const QRectF frame = frame_of(station);
  const QFont label = station_font(station, common);
  const auto line = static_cast<double>(QFontMetrics(label).height());
  const qsizetype most = lanes_.isEmpty() ? 2 : 3;
  const QStringList words = written(station);
  const double names = static_cast<double>(most) * line;
  const double load = QFontMetrics(font()).height();
  const double level = std::clamp(box.utilization, 0.0, 1.0) * (frame.height() - names - load - 12.0);
  painter.setPen(Qt::NoPen);
  painter.setBrush(box.binding                                  ? theme_.bad
                   : box.station.what == StationRef::What::gpus ? theme_.good
                                                                : theme_.series[0]);
  painter.drawRect(QRectF(frame.left() + 6.0, frame.bottom() - 4.0 - level, frame.width() - 12.0, level));
  painter.setPen(theme_.ink);
  painter.setFont(label);
  for (qsizetype l = 0; l < words.size(); ++l)
    painter.drawText(
        QRectF(frame.left(),
               frame.top() + 3.0 + (static_cast<double>(l) + 0.5 * static_cast<double>(most - words.size())) * line,
               frame.width(), line),
        Qt::AlignCenter, words[l]);
  paint_load(painter, box, {frame.left(), frame.top() + 3.0 + names, frame.width(), load}, font());
}

/// In a lane there is room for two lines and a bar below them.
void PathPicture::paint_lane_box(QPainter& painter, std::size_t station, const QFont& label) const {
  constexpr double kBar_px = 3.0;
  const Box& box = boxes_[station];
  const QRectF frame = frame_of(station);
  const double bar = std::clamp(box.utilization, 0.0, 1.0) * (frame.width() - 4.0);
  painter.setPen(Qt::NoPen);
  painter.setBrush(box.binding                                  ? theme_.bad
                   : box.station.what == StationRef::What::gpus ? theme_.good
                                                                : theme_.series[0]);
  painter.drawRect(QRectF(frame.left() + 2.0, frame.bottom() - kBar_px - 1.0, bar, kBar_px));
  const QStringList lines = written(station);
  const double all = frame.height() - kBar_px - 1.0;
  const double names = all * static_cast<double>(lines.size()) / static_cast<double>(lines.size() + 1);
  painter.setPen(theme_.ink);
  painter.setFont(label);
  painter.drawText(QRectF(frame.left(), frame.top(), frame.width(), names), Qt::AlignCenter, lines.join('\n'));
  paint_load(painter, box, {frame.left(), frame.top() + names, frame.width(), all - names}, label);
}

void PathPicture::paint_load(QPainter& painter, const Box& box, const QRectF& place, const QFont& plain) const {
  constexpr double kEdge_px = 4.0;
  QFont bold = plain;
  bold.setBold(true);
  const double wide = QFontMetrics(bold).horizontalAdvance(box.load);
  if (wide > place.width() - kEdge_px) bold.setPointSizeF(bold.pointSizeF() * (place.width() - kEdge_px) / wide);
  painter.setFont(bold);
  painter.drawText(place, Qt::AlignCenter, box.load);
  painter.setFont(font());
}

void PathPicture::paint_arrows(QPainter& painter) const {
  for (std::size_t i = 0; i < boxes_.size(); ++i)
    for (std::size_t j = 0; j < boxes_.size(); ++j) {
      const Box& from = boxes_[i];
      const Box& to = boxes_[j];
      if (to.column != from.column + 1 || (from.lane >= 0 && to.lane != from.lane)) continue;
      const QRectF begin = frame_of(i);
      const QRectF end = frame_of(j);
      const double y = end.center().y();  // of its lane
      if (from.parts > 1 && std::abs(y - begin.center().y()) > 0.5 * begin.height() + kBeside_px) continue;
      const Box& flows = from.lane < 0 && to.lane >= 0 ? to : from;
      paint_arrow(painter, {{}, {}, {}, from.utilization, flows.bytes_per_s, false, {}, -1, 0, 0, 1},
                  {begin.right() + 1.0, y}, {end.left() - 1.0, y});
    }
}

/// As wide as its share of the largest flow, filled as far as the station before it is used.
void PathPicture::paint_arrow(QPainter& painter, const Box& from, const QPointF& begin, const QPointF& end) const {
  constexpr double kHead_px = 4.0;
  constexpr double kThin_px = 1.5;
  constexpr double kThick_px = 7.0;
  const double share = most_bytes_per_s_ > 0.0 ? from.bytes_per_s / most_bytes_per_s_ : 0.0;
  const double wide = kThin_px + (kThick_px - kThin_px) * std::clamp(share, 0.0, 1.0);
  const double full = wide * std::clamp(from.utilization, 0.0, 1.0);
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme_.rule);
  painter.drawRect(QRectF(begin.x(), begin.y() - 0.5 * wide, end.x() - begin.x() - kHead_px, wide));
  painter.setBrush(theme_.series[0]);
  painter.drawRect(QRectF(begin.x(), begin.y() + 0.5 * wide - full, end.x() - begin.x() - kHead_px, full));
  painter.setBrush(theme_.faint);
  const double half = 0.5 * wide + 2.0;
  const QPointF head[] = {
      {end.x() - kHead_px, end.y() - half}, {end.x(), end.y()}, {end.x() - kHead_px, end.y() + half}};
  painter.drawPolygon(head, 3);
}

/// A square for each batch of one loader of the first job; behind as many as there is room for, the number of the rest.
void PathPicture::paint_queue(QPainter& painter, const QRectF& frame, double batches) const {
  constexpr double kBatch_px = 5.0;
  constexpr double kBelow_px = 4.0;
  constexpr double kPitch_px = kBatch_px + 2.0;
  const double all = std::round(batches);
  double shown = std::min(all, std::floor(frame.width() / kPitch_px));
  QFont tiny = font();
  tiny.setPixelSize(static_cast<int>(kBatch_px + kBelow_px));
  const double wide = QFontMetrics(tiny).horizontalAdvance(QString("+%1").arg(all, 0, 'f', 0));
  if (shown < all) shown = std::max(0.0, std::floor((frame.width() - wide) / kPitch_px));
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme_.ink);
  for (double i = 0.0; i < shown; i += 1.0)
    painter.drawRect(QRectF(frame.left() + i * kPitch_px, frame.bottom() + kBelow_px, kBatch_px, kBatch_px));
  if (shown == all) return;
  painter.setFont(tiny);
  painter.setPen(theme_.ink);
  painter.drawText(
      QRectF(frame.left() + shown * kPitch_px, frame.bottom() + 0.5 * kBelow_px, wide, kBatch_px + kBelow_px),
      Qt::AlignLeft | Qt::AlignVCenter, QString("+%1").arg(all - shown, 0, 'f', 0));
  painter.setFont(font());
}

}  // namespace headrace::gui
