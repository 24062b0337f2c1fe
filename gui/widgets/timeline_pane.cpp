#include "gui/widgets/timeline_pane.hpp"

#include <fmt/format.h>

#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/widgets/chart_legend.hpp"
#include "gui/widgets/lanes_view.hpp"
#include "gui/widgets/pane_parts.hpp"
#include "gui/widgets/qt_text.hpp"
#include "gui/widgets/strip_view.hpp"
#include "reports/humane.hpp"

namespace headrace::gui {
namespace {

std::vector<StripPiece> epoch_pieces(const std::vector<models::WindowReport>& windows) {
  if (windows.empty()) return {{1.0, 0.0, "the whole epoch", "the whole epoch"}};
  double least = windows.front().step_time_s;
  double most = least;
  for (const models::WindowReport& window : windows)
    least = std::min(least, window.step_time_s), most = std::max(most, window.step_time_s);
  std::vector<StripPiece> pieces;
  for (const models::WindowReport& window : windows) {
    constexpr double kAlike = 1e-9;
    const double span = most - least;
    const std::string step = reports::humane(window.step_time_s, "s", 3);
    pieces.push_back({window.weight, span > kAlike * most ? (window.step_time_s - least) / span : 0.0,
                      reports::percent(window.position, 0) + " into the epoch, " + reports::percent(window.weight, 0) +
                          " of its steps: step time " + step + ", node cache hits " +
                          reports::percent(window.hit_ratio),
                      step});
  }
  return pieces;
}

std::vector<StripPiece> wait_pieces(const BatchLanes& lanes) {
  std::vector<StripPiece> pieces;
  for (std::size_t i = 0; i < lanes.waiting.size(); ++i) {
    const double begin_s = static_cast<double>(i) * lanes.piece_s();
    pieces.push_back({1.0, std::clamp(lanes.waiting[i], 0.0, 1.0),
                      reports::humane(begin_s, "s", 3) + " to " + reports::humane(begin_s + lanes.piece_s(), "s", 3) +
                          ": GPUs wait " + reports::percent(lanes.waiting[i]),
                      ""});
  }
  return pieces;
}

}  // namespace

TimelinePane::TimelinePane(QWidget* parent) : QWidget(parent) {
  setAccessibleName("Timeline");
  head_ = make_label(this, "What is recorded");
  epoch_ = new StripView("Windows of the epoch: step time", this);
  strip_ = new StripView("Recording: GPUs that wait", this);
  auto* scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  lanes_ = new LanesView(scroll);
  scroll->setWidget(lanes_);
  axis_ = new LanesAxis(*lanes_, this);
  legend_ = new ChartLegend(this);
  under_ = make_label(this, "Under the mouse");
  under_->setWordWrap(false);
  under_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  auto* column = new QVBoxLayout(this);
  column->setSpacing(3);
  column->addWidget(head_);
  column->addWidget(epoch_name_ = new QLabel(this));
  column->addWidget(epoch_);
  column->addWidget(strip_name_ = new QLabel(this));
  column->addWidget(strip_);
  column->addWidget(scroll, 1);
  column->addWidget(axis_);
  column->addWidget(legend_);
  column->addWidget(under_);
  connect(epoch_, &StripView::looked_at, this, [this](int window) {
    chosen_ = true;
    choose_window(static_cast<std::size_t>(window));
  });
  connect(strip_, &StripView::looked_at, this, [this](int first) { look_at(static_cast<std::size_t>(first)); });
  connect(lanes_, &LanesView::hovered, under_, &QLabel::setText);
  connect(&task_, &BackgroundTask::failed, head_, &QLabel::setText);
  connect(&task_, &BackgroundTask::started, this, [this] { head_->setText("Recording ..."); });
  epoch_->show_pieces(epoch_pieces({}));
}

void TimelinePane::set_theme(const Theme& theme) {
  theme_ = theme;
  epoch_name_->setText("Epoch, by step time of its windows (darker is longer)");
  strip_name_->setText("Recording, by GPU time that waits for data (darker is more)");
  for (StripView* strip : {epoch_, strip_}) strip->set_theme(theme);
  lanes_->set_theme(theme);
  legend_->show_entries(lanes_->legend(), theme_);
}

void TimelinePane::show_document(const ScenarioDocument& document) {
  document_ = document;
  task_.stop();
  recorded_.clear();
  windows_.clear();
  chosen_ = false;
  window_ = 0;
  stale_ = true;
  epoch_->show_pieces(epoch_pieces(windows_));
  if (isVisible()) record();
}

void TimelinePane::show_answer(const models::Outcome& outcome) {
  windows_ = windows_of(outcome);
  epoch_->show_pieces(epoch_pieces(windows_));
  if (!task_.is_running()) show_words();
  if (chosen_)
    epoch_->look_at(window_, 1);
  else
    choose_window(worst_window(windows_));
}

void TimelinePane::choose_window(std::size_t window) {
  epoch_->look_at(window, 1);
  if (window == window_) return;
  window_ = window;
  stale_ = true;
  if (isVisible()) record();
}

void TimelinePane::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  record();
}

void TimelinePane::record() {
  if (!stale_ || !document_) return;
  stale_ = false;
  task_.start(
      [this, document = *document_, window = window_](const BackgroundTask::Context& context) -> std::function<void()> {
        auto recording = std::make_shared<Recording>(record_window(document, window, context.stop));
        return [this, recording] { show_recording(*recording); };
      });
}

void TimelinePane::show_recording(const Recording& recording) {
  recorded_ = recording.words;
  show_words();
  lanes_->show_lanes(recording.lanes);
  strip_->show_pieces(wait_pieces(recording.lanes));
  const std::size_t worst = worst_stretch(recording.lanes, recording.stretch);
  strip_->look_at(worst, recording.stretch);
  look_at(worst);
}

/// What is recorded, and what of it the figures leave out, once they are known.
void TimelinePane::show_words() {
  if (recorded_.empty()) return;
  std::string words = recorded_;
  if (windows_.size() > 1) words += fmt::format(", in window {} of {} of the epoch", window_ + 1, windows_.size());
  if (window_ < windows_.size() && windows_[window_].warm_up_steps > 0)
    words += fmt::format(". The figures leave out {} at the start, in which the queues fill",
                         reports::counted(windows_[window_].warm_up_steps, "step"));
  head_->setText(q(words + "."));
}

void TimelinePane::look_at(std::size_t first) {
  const double piece_s = lanes_->lanes().piece_s();
  lanes_->look_at(static_cast<double>(first) * piece_s, static_cast<double>(first + strip_->count()) * piece_s);
  legend_->show_entries(lanes_->legend(), theme_, true);
}

}  // namespace headrace::gui
