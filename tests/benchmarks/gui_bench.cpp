// How long the window keeps a hand waiting: the closed form during a drag, the frame that shows it, the longest time in
// which the event loop answers nothing (also at 10,000 GPUs), and how soon a run stops.
#include <QApplication>
#include <QElapsedTimer>
#include <QSlider>
#include <QTimer>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "gui/widgets/main_window.hpp"
#include "gui/widgets/slider_row.hpp"

namespace {

using namespace headrace;
using Clock = std::chrono::steady_clock;

constexpr double kMs = 1e3;

void print_line(const std::string& name, double value_ms, double limit_ms) {
  std::printf(
      "{\"name\": \"%s\", \"value\": %.4g, \"unit\": \"ms\", \"ratio\": %.3g, \"against\": \"limit of %g ms\", "
      "\"bar\": 1, \"ok\": %s}\n",
      name.c_str(), value_ms, value_ms / limit_ms, limit_ms, value_ms <= limit_ms ? "true" : "false");
  std::fflush(stdout);
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

double ms_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count() * kMs; }

/// The longest time between two turns of the event loop, seen by a timer that wants to run always.
class GapProbe {
 public:
  GapProbe() {
    QObject::connect(&timer_, &QTimer::timeout, [this] {
      gaps_.push_back(ms_since(last_));
      last_ = Clock::now();
    });
    timer_.start(0);
  }
  void reset() {
    gaps_.clear();
    last_ = Clock::now();
  }
  double longest() const { return gaps_.empty() ? ms_since(last_) : *std::max_element(gaps_.begin(), gaps_.end()); }

 private:
  QTimer timer_;
  Clock::time_point last_ = Clock::now();
  std::vector<double> gaps_;
};

void wait(int for_ms) {
  QElapsedTimer clock;
  clock.start();
  while (clock.elapsed() < for_ms) QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
}

gui::ScenarioDocument document_of(const char* name, const std::vector<gui::Edit>& edits) {
  auto document = gui::ScenarioDocument::open(name);
  if (!document) throw std::runtime_error("a shipped scenario does not load");
  auto edited = edits.empty() ? document : document->with(edits);
  if (!edited) throw std::runtime_error(print_text(edited.error()));
  return *edited;
}

/// Load of the edited scenario and its bound: what a move of a slider waits for.
void closed_form_line(const std::string& name, const gui::ScenarioDocument& document) {
  std::vector<double> times;
  for (int i = 0; i < 41; ++i) {
    const Clock::time_point begin = Clock::now();
    const auto moved = document.with("/jobs/0/loader/workers", std::to_string(4 + i % 8));
    if (!moved || !gui::closed_form(*moved).outcome) throw std::runtime_error("no closed form");
    times.push_back(ms_since(begin));
  }
  print_line(name, median(times), 16.0);
}

/// A drag as a hand makes it, a move every 16 ms, while curves, bands and simulations come and go.
void drag_lines(const std::string& name, gui::MainWindow& window) {
  GapProbe probe;
  QSlider* slider = window.row("/jobs/0/loader/workers")->slider();
  wait(600);
  std::vector<double> frames;
  for (int round = 0; round < 3; ++round) {
    probe.reset();
    slider->setSliderDown(true);
    for (int tick = 300; tick < 800; tick += 10) {
      const Clock::time_point begin = Clock::now();
      slider->setValue(tick);
      QCoreApplication::sendPostedEvents();
      window.repaint();
      frames.push_back(ms_since(begin));
      wait(16);
    }
    slider->setSliderDown(false);
    wait(1500);  // the simulation answers, curves and bands follow
  }
  print_line("gui/frame/" + name, median(frames), 50.0);
  print_line("gui/event-loop-gap/" + name, probe.longest(), 50.0);
}

/// From the key to the moment when nothing of the run is on its way, a new one included.
void stop_line(const std::string& name, gui::MainWindow& window) {
  window.study().set_precision(1e-5);
  std::vector<double> times;
  for (int i = 0; i < 5; ++i) {
    window.study().request(std::make_shared<const models::Scenario>(window.document()->scenario()));
    QElapsedTimer clock;
    clock.start();
    while (!window.study().is_running() && clock.elapsed() < 5000) wait(10);
    constexpr int kApart_ms = 250;
    wait(30 + i * kApart_ms);  // while it is built, in its first batches, later
    const Clock::time_point begin = Clock::now();
    window.study().stop();
    window.study().wait_until_idle();
    times.push_back(ms_since(begin));
  }
  print_line("gui/stop/" + name, *std::max_element(times.begin(), times.end()), 100.0);
}

void cluster(const std::string& name, const char* scenario) {
  closed_form_line("gui/closed-form/" + name, document_of(scenario, {}));
  gui::MainWindow window(false);
  if (!window.open(scenario)) throw std::runtime_error(window.last_complaint().toStdString());
  window.show();
  drag_lines(name, window);
  stop_line(name, window);
}

}  // namespace

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication application(argc, argv);
  QApplication::setStyle("Fusion");
  cluster("32-gpus", "image-node");
  cluster("10000-gpus", "imagenet-1250-nodes");
  return 0;
}
