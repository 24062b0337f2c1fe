// Work beside the window: one task at a time on a thread of its own. A newer task stops an older one, and nothing of
// the older one arrives after that.
#pragma once

#include <QObject>
#include <QString>
#include <QThreadPool>
#include <QTimer>
#include <atomic>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace headrace::gui {

class BackgroundTask : public QObject {
  Q_OBJECT

 public:
  struct Context {
    std::stop_token stop;
    /// Tells how far it is, 0 to 1 (below 0: not known), from any thread; most calls are dropped, so it may be called
    /// often.
    std::function<void(double fraction, const std::string& what)> tell;
  };
  /// Runs on the other thread. What it returns runs on the window's, unless the task was stopped before.
  using Work = std::function<std::function<void()>(const Context&)>;

  /// `rest_ms`: how long a task waits for a newer one before it begins.
  explicit BackgroundTask(QObject* parent = nullptr, int rest_ms = 0);
  ~BackgroundTask() override;

  void start(Work work);
  void stop();
  /// Asks the work to end; what it has by then is delivered. For work that keeps what it has when its token says stop.
  void finish_early();
  /// Waiting or at work.
  bool is_running() const { return running_; }

 Q_SIGNALS:
  void started();
  void progressed(double fraction, const QString& what);
  void finished();
  void stopped();
  void failed(const QString& why);  ///< the work threw

 private:
  void begin();
  void deliver(quint64 generation, const std::function<void()>& result, const QString& error);

  QTimer rest_;
  Work waiting_;
  quint64 generation_ = 0;
  bool running_ = false;
  std::stop_source stop_;
  std::shared_ptr<std::atomic<bool>> early_;  ///< of the work under way: it was asked to end, and delivers
  QThreadPool pool_;
};

}  // namespace headrace::gui
