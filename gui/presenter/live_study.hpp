// Runs the simulation behind the window: a rest of 150 ms after the last change, then one run in a thread of its own
// that tells what it knows after each look, until it has the answer of `headrace simulate`: no clock ends it, so that
// the verdict is the same on every machine. A newer request stops an older one, and nothing of the older one arrives
// after that.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <QTimer>
#include <memory>
#include <string>

#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"
#include "models/study/study.hpp"

namespace headrace::gui {

/// An answer of the simulation; shared, since it crosses threads.
struct StudyAnswer {
  std::shared_ptr<const models::Outcome> outcome;
  bool last = false;  ///< the answer; else what is known so far
  std::string error;  ///< instead of an outcome
};

class LiveStudy : public QObject {
  Q_OBJECT

 public:
  static constexpr int kRest_ms = 150;

  explicit LiveStudy(QObject* parent = nullptr);
  ~LiveStudy() override;

  /// Answers for this scenario after the rest.
  void request(std::shared_ptr<const models::Scenario> scenario);
  /// Whether the last answer decides nothing, so that run_longer() may.
  bool can_run_longer() const { return !running_ && run_ != nullptr && longer_steps_ > 0; }
  /// The same run on to four times its steps.
  void run_longer();
  /// Ends what runs and forgets what waits. Answers that came before stay true.
  void stop();
  bool is_running() const { return running_; }
  /// A request waits, or its run goes on.
  bool is_busy() const { return running_ || waiting_ != nullptr; }
  /// Until the thread of a run that was stopped is free again: for measuring how long that takes.
  void wait_until_idle() { pool_.waitForDone(); }
  /// How runs are made: as the command line does by default; tests make them short.
  void set_options(const models::StudyOptions& options);
  void set_precision(double precision) { options_.precision = precision; }

 Q_SIGNALS:
  void started();
  void answered(const headrace::gui::StudyAnswer& answer);
  void stopped();  ///< by stop() or a newer request

 private:
  struct Run;

  void begin();
  void start(std::uint64_t steps);
  /// On the thread of the pool.
  void work(quint64 generation, const std::shared_ptr<Run>& run, std::uint64_t steps);
  void deliver(quint64 generation, const StudyAnswer& answer);
  void drop_run();

  QTimer rest_;
  std::shared_ptr<const models::Scenario> waiting_;
  quint64 generation_ = 0;
  bool running_ = false;
  std::uint64_t longer_steps_ = 0;  ///< of run_longer(); 0: the answer decides
  models::StudyOptions options_;
  std::shared_ptr<Run> run_;  ///< under way, or kept to be run on
  QThreadPool pool_;          ///< of one thread: a run that is still stopping does not keep the window waiting
};

}  // namespace headrace::gui
