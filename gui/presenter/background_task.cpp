#include "gui/presenter/background_task.hpp"

#include <QMetaObject>
#include <chrono>
#include <exception>
#include <memory>
#include <utility>

namespace headrace::gui {
namespace {

using Clock = std::chrono::steady_clock;

/// Lets one call in 50 ms through.
class Throttle {
 public:
  bool passes() {
    constexpr std::int64_t kEvery_ns = 50'000'000;
    const std::int64_t now = Clock::now().time_since_epoch().count();
    std::int64_t last = last_.load(std::memory_order_relaxed);
    return now - last >= kEvery_ns && last_.compare_exchange_strong(last, now, std::memory_order_relaxed);
  }

 private:
  std::atomic<std::int64_t> last_{0};
};

}  // namespace

BackgroundTask::BackgroundTask(QObject* parent, int rest_ms) : QObject(parent) {
  pool_.setMaxThreadCount(1);
  rest_.setSingleShot(true);
  rest_.setInterval(rest_ms);
  connect(&rest_, &QTimer::timeout, this, &BackgroundTask::begin);
}

BackgroundTask::~BackgroundTask() {
  ++generation_;
  stop_.request_stop();
  pool_.waitForDone();
}

void BackgroundTask::start(Work work) {
  ++generation_;
  stop_.request_stop();
  waiting_ = std::move(work);
  running_ = true;
  rest_.start();
}

void BackgroundTask::stop() {
  rest_.stop();
  waiting_ = nullptr;
  ++generation_;
  stop_.request_stop();
  if (!std::exchange(running_, false)) return;
  Q_EMIT stopped();
}

void BackgroundTask::finish_early() {
  if (waiting_ || !running_ || !early_) return stop();  // nothing has begun that could end
  early_->store(true);
  stop_.request_stop();
}

void BackgroundTask::begin() {
  if (!waiting_) return;
  stop_ = std::stop_source();
  Q_EMIT started();
  const quint64 generation = generation_;
  Context context;
  context.stop = stop_.get_token();
  early_ = std::make_shared<std::atomic<bool>>(false);
  context.tell = [this, generation, throttle = std::make_shared<Throttle>()](double fraction, const std::string& what) {
    if (!throttle->passes()) return;
    const QString text = QString::fromStdString(what);
    QMetaObject::invokeMethod(
        this,
        [this, generation, fraction, text] {
          if (generation == generation_) Q_EMIT progressed(fraction, text);
        },
        Qt::QueuedConnection);
  };
  pool_.start(
      [this, generation, early = early_, context = std::move(context), work = std::exchange(waiting_, nullptr)] {
        std::function<void()> result;
        QString error;
        if (context.stop.stop_requested()) return;
        try {
          result = work(context);
        } catch (const std::exception& problem) {
          error = problem.what();
        }
        if (context.stop.stop_requested() && !early->load()) return;
        QMetaObject::invokeMethod(
            this, [this, generation, result, error] { deliver(generation, result, error); }, Qt::QueuedConnection);
      });
}

void BackgroundTask::deliver(quint64 generation, const std::function<void()>& result, const QString& error) {
  if (generation != generation_) return;
  running_ = false;
  if (!error.isEmpty()) {
    Q_EMIT failed(error);
    return;
  }
  if (result) result();
  Q_EMIT finished();
}

}  // namespace headrace::gui
