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

namespace headrace::gui {

class PathPicture : public QWidget {
  Q_OBJECT

 public:
  explicit PathPicture(QWidget* parent = nullptr);
  /// `workers`: how busy they are; nothing: the loader has none.
  void show(const models::Outcome& outcome, std::optional<double> workers = {});
  /// Names of the stations, from the store to the GPUs.
  QStringList stations() const;
  /// As a click on it.
  void choose(std::size_t station);
  /// Where a station is drawn.
  QRect place(std::size_t station) const;
  void set_theme(const Theme& theme);
  /// Batches on their way; an empty motion takes them away. They stand still where the system wants no motion.
  void show_queues(QueueMotion motion);
  void set_motion_reduced(bool reduced);
  bool is_moving() const { return clock_.isActive(); }
  /// Batches of one loader at each station, in their order, as drawn; empty: not known.
  std::vector<double> queues() const;
  QSize minimumSizeHint() const override { return {320, 92}; }
  QSize sizeHint() const override { return {720, 104}; }

 Q_SIGNALS:
  void chosen(const headrace::gui::StationRef& station, const QRect& where);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  QRectF frame_of(std::size_t station) const;
  QFont narrow_font(double width) const;
  void run_clock();
  void paint_box(QPainter& painter, std::size_t station, const QFont& narrow) const;
  void paint_queue(QPainter& painter, const QRectF& frame, double batches) const;
  struct Box {
    QString name;
    QString load;
    double utilization = 0.0;
    bool binding = false;
    StationRef station;
  };
  std::vector<Box> boxes_;
  std::size_t at_ = 0;    ///< the keyboard
  bool by_keys_ = false;  ///< it came here by keys, and shows where it is
  Theme theme_ = Theme::of(false);
  QueueMotion motion_;
  QTimer clock_;
  QElapsedTimer since_;  ///< the recording began
  bool reduced_;
};

}  // namespace headrace::gui
