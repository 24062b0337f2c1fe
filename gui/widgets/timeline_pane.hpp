// Batches in the window: what `headrace simulate --timeline` records, with a scrubber over the epoch and one over the
// recording. Both begin where the GPUs wait most.
#pragma once

#include <QWidget>
#include <functional>
#include <memory>
#include <optional>

#include "gui/presenter/background_task.hpp"
#include "gui/presenter/recording.hpp"
#include "gui/widgets/theme.hpp"

class QLabel;

namespace headrace::gui {

class ChartLegend;
class LanesAxis;
class LanesView;
class StripView;

class TimelinePane : public QWidget {
  Q_OBJECT

 public:
  explicit TimelinePane(QWidget* parent = nullptr);

  /// The present scenario; recorded when it is seen.
  void show_document(const ScenarioDocument& document);
  /// The answer: the windows of its epoch.
  void show_answer(const models::Outcome& outcome);
  BackgroundTask& task() { return task_; }
  StripView* epoch() const { return epoch_; }
  StripView* recording() const { return strip_; }
  LanesView* lanes() const { return lanes_; }
  LanesAxis* axis() const { return axis_; }
  ChartLegend* legend() const { return legend_; }
  /// The window of the epoch that is recorded.
  std::size_t window() const { return window_; }
  void set_theme(const Theme& theme);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void record();
  void choose_window(std::size_t window);
  void show_recording(const Recording& recording);
  void show_words();
  void look_at(std::size_t first);

  BackgroundTask task_;
  std::optional<ScenarioDocument> document_;
  std::vector<models::WindowReport> windows_;
  std::size_t window_ = 0;
  bool chosen_ = false;  ///< by the user: the answer does not move it
  bool stale_ = true;
  Theme theme_ = Theme::of(false);
  std::string recorded_;  ///< words of the recording that is shown
  QLabel* head_;
  QLabel* epoch_name_;
  QLabel* strip_name_;
  StripView* epoch_;
  StripView* strip_;
  LanesView* lanes_;
  LanesAxis* axis_;
  ChartLegend* legend_;
  QLabel* under_;  ///< the mouse
};

}  // namespace headrace::gui
