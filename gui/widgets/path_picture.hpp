// The way of the data from the store to the GPUs: a box per station with its load, the binding one lit, and under it
// the batches that stand there, which move as fast as in the simulation. A click on a box, or Enter on it, asks for its
// card.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>
#include <optional>
#include <vector>

#include "gui/presenter/queue_motion.hpp"
#include "gui/presenter/station_facts.hpp"
#include "gui/widgets/theme.hpp"
#include "models/outcome/outcome.hpp"
#include "reports/data_path.hpp"

namespace headrace::gui {

class PathPicture : public QWidget {
  Q_OBJECT

 public:
  explicit PathPicture(QWidget* parent = nullptr);
  /// `workers`: how busy those of each job are; nothing: its loader has none. `decided`: the answer stands, and what
  /// binds is lit.
  void show(const models::Outcome& outcome, const std::vector<std::optional<double>>& workers, bool decided);
  /// Names of the jobs that have a lane; none where one job runs alone.
  QStringList lanes() const { return lanes_; }
  /// Names of the stations, from the store to the GPUs.
  QStringList stations() const;
  /// Of those that are marked as what binds.
  QStringList binding_stations() const;
  /// As a click on it.
  void choose(std::size_t station);
  /// Where a station is drawn.
  QRect place(std::size_t station) const;
  /// The name of a station, line by line as it is drawn.
  QStringList written(std::size_t station) const;
  /// The line under the stations that says what squares, percents and "binds" mean; as far as they are drawn.
  QString legend() const;
  bool shows_legend() const;  ///< all of it
  void set_theme(const Theme& theme);
  /// Batches on their way; an empty motion takes them away. They stand still where the system wants no motion.
  void show_queues(QueueMotion motion);
  void set_motion_reduced(bool reduced);
  bool is_moving() const { return clock_.isActive(); }
  /// Batches of one loader at each station, in their order, as drawn; empty: not known.
  std::vector<double> queues() const;
  QSize minimumSizeHint() const override { return {320, sizeHint().height()}; }
  QSize sizeHint() const override;

 Q_SIGNALS:
  void chosen(const headrace::gui::StationRef& station, const QRect& where);
  /// Where on the screen.
  void menu_wanted(const headrace::gui::StationRef& station, const QPoint& where);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  struct Box {
    QString name;
    QString label;  ///< as it is written in the picture
    QString load;
    double utilization = 0.0;
    double bytes_per_s = 0.0;  ///< that leave it
    bool binding = false;
    StationRef station;
    int lane = -1;  ///< -1: shared by all
    int column = 0;
    int part = 0;  ///< of those that stand beside each other, such as the spines of two pools
    int parts = 1;
  };
  QRectF frame_of(std::size_t station) const;
  QFont label_font() const;
  QFont station_font(std::size_t station, const QFont& common) const;
  void add_station(const reports::PathStation& station, int lane, bool decided);
  void place_boxes();
  void run_clock();
  void paint_lane_names(QPainter& painter, const QFont& label) const;
  void paint_box(QPainter& painter, std::size_t station, const QFont& common) const;
  void paint_lane_box(QPainter& painter, std::size_t station, const QFont& label) const;
  void paint_load(QPainter& painter, const Box& box, const QRectF& place, const QFont& plain) const;
  void paint_legend(QPainter& painter) const;
  QFont small_font() const;
  double legend_room_px() const;
  QString legend_lines() const;
  bool fits_legend(const QFont& letters) const;
  QFont legend_font() const;
  double legend_px() const;
  void paint_queue(QPainter& painter, const QRectF& frame, double batches) const;
  void paint_arrow(QPainter& painter, const Box& from, const QPointF& begin, const QPointF& end) const;
  void paint_arrows(QPainter& painter) const;
  std::vector<Box> boxes_;
  QString share_;     ///< what the numbers of the boxes are
  QString capacity_;  ///< links that carry less than their rate, and why; empty: none
  QStringList lanes_;
  int columns_ = 0;
  double most_bytes_per_s_ = 0.0;
  std::size_t at_ = 0;    ///< the keyboard
  bool by_keys_ = false;  ///< it came here by keys, and shows where it is
  Theme theme_ = Theme::of(false);
  QueueMotion motion_;
  QTimer clock_;
  QElapsedTimer since_;  ///< the recording began
  bool reduced_;
};

}  // namespace headrace::gui
