// Batches and steps over time: a lane for each GPU and each of its workers.
#pragma once

#include <QWidget>
#include <optional>

#include "gui/presenter/batch_lanes.hpp"
#include "gui/widgets/chart_legend.hpp"
#include "gui/widgets/theme.hpp"

namespace headrace::gui {

class LanesView : public QWidget {
  Q_OBJECT

 public:
  explicit LanesView(QWidget* parent = nullptr);

  void show_lanes(BatchLanes lanes);
  /// The stretch of time that is seen.
  void look_at(double begin_s, double end_s);
  double begin_s() const { return begin_s_; }
  double end_s() const { return end_s_; }
  const BatchLanes& lanes() const { return lanes_; }
  void set_theme(const Theme& theme);
  /// What is seen now, for the legend beside it.
  std::vector<LegendEntry> legend() const;
  /// Under the mouse: "decode, batch 12, step 3: 1.21 s to 1.24 s (31.4 ms)".
  QString text_at(const QPoint& where) const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {240, sizeHint().height()}; }
  QColor colour_of_look(std::size_t look) const;
  /// Round times in the stretch that is seen, and where one of them stands.
  std::vector<double> round_times_s() const;
  double x_of(double time_s) const;
  const Theme& theme() const { return theme_; }

 Q_SIGNALS:
  void hovered(const QString& text);
  /// Another stretch of time, or its place moved.
  void times_changed();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;

 private:
  QRectF lane_place(std::size_t lane) const;
  QRectF bar_place(const LaneBar& bar, const QRectF& lane) const;
  void paint_lane(QPainter& painter, std::size_t lane) const;
  void paint_times(QPainter& painter) const;
  double names_px() const;

  BatchLanes lanes_;
  double begin_s_ = 0.0;
  double end_s_ = 1.0;
  Theme theme_ = Theme::of(false);
};

/// The times of the lanes with their unit. It stands below the lanes and does not scroll with them.
class LanesAxis : public QWidget {
  Q_OBJECT

 public:
  explicit LanesAxis(const LanesView& lanes, QWidget* parent = nullptr);
  struct Label {
    QString text;
    QRectF place;
  };
  std::vector<Label> labels() const;
  /// "time since the start of the recording, s"
  QString title() const;
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  const LanesView& lanes_;
};

}  // namespace headrace::gui
