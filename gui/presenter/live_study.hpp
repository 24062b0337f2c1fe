// Runs the simulation behind the window: a rest of 150 ms after the last change, then looks of growing length in a
// thread of its own, each delivered as it comes, until precise. A newer request stops an older one, and nothing of the
// older one arrives after that.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <QTimer>
#include <memory>
#include <stop_token>
#include <vector>

#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::gui {

/// An answer of the simulation; shared, since it crosses threads.
struct StudyAnswer {
  std::shared_ptr<const models::Outcome> outcome;
  bool last = false;  ///< precise, or as precise as it gets
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
  /// Ends what runs and forgets what waits.
  void stop();
  bool is_running() const { return running_; }
  /// Until the thread of a run that was stopped is free again: for measuring how long that takes.
  void wait_until_idle() { pool_.waitForDone(); }
  /// Looks have these precisions; tests make them coarse.
  void set_precisions(std::vector<double> precisions) { precisions_ = std::move(precisions); }

 signals:
  void started();
  void answered(const headrace::gui::StudyAnswer& answer);
  void stopped();  ///< by stop() or a newer request

 private:
  void begin();
  void deliver(quint64 generation, const StudyAnswer& answer);

  QTimer rest_;
  std::shared_ptr<const models::Scenario> waiting_;
  quint64 generation_ = 0;
  bool running_ = false;
  std::vector<double> precisions_{0.05, 0.02, 0.01};
  std::stop_source stop_;  ///< of the run under way
  QThreadPool pool_;       ///< of one thread: a run that is still stopping does not keep the window waiting
};

}  // namespace headrace::gui
