#include "gui/presenter/live_study.hpp"

#include <QMetaObject>
#include <algorithm>
#include <exception>
#include <stop_token>
#include <thread>
#include <utility>

#include "models/study/followed_study.hpp"

namespace headrace::gui {

namespace {

/// One core stays with the window.
unsigned study_threads() { return std::max(1U, std::thread::hardware_concurrency() - 1); }

}  // namespace

struct LiveStudy::Run {
  std::shared_ptr<const models::Scenario> scenario;
  models::StudyOptions options;
  std::stop_source stop;
  std::unique_ptr<models::FollowedStudy> study;  ///< touched by the thread of the pool only
};

LiveStudy::LiveStudy(QObject* parent) : QObject(parent) {
  set_options({});
  pool_.setMaxThreadCount(1);
  rest_.setSingleShot(true);
  rest_.setInterval(kRest_ms);
  connect(&rest_, &QTimer::timeout, this, &LiveStudy::begin);
}

LiveStudy::~LiveStudy() {
  ++generation_;
  drop_run();
  pool_.waitForDone();
}

void LiveStudy::set_options(const models::StudyOptions& options) {
  options_ = options;
  if (options_.threads == 0) options_.threads = study_threads();
}

void LiveStudy::request(std::shared_ptr<const models::Scenario> scenario) {
  stop();
  drop_run();
  waiting_ = std::move(scenario);
  rest_.start();
}

void LiveStudy::stop() {
  const bool was_busy = is_busy();
  rest_.stop();
  waiting_.reset();
  ++generation_;
  if (std::exchange(running_, false)) drop_run();
  if (was_busy) Q_EMIT stopped();
}

/// The memory of a large cluster is given back on the other thread.
void LiveStudy::drop_run() {
  longer_steps_ = 0;
  if (!run_) return;
  run_->stop.request_stop();
  pool_.start([run = std::exchange(run_, nullptr)] { run->study.reset(); });
}

void LiveStudy::begin() {
  if (!waiting_) return;
  run_ = std::make_shared<Run>();
  run_->scenario = std::exchange(waiting_, nullptr);
  run_->options = options_;
  run_->options.abandon = run_->stop.get_token();
  start(0);
}

void LiveStudy::run_longer() {
  if (can_run_longer()) start(std::exchange(longer_steps_, 0));
}

void LiveStudy::start(std::uint64_t steps) {
  running_ = true;
  const auto generation = generation_;
  Q_EMIT started();
  if (generation != generation_) return;  // whoever was told has stopped it
  pool_.start([this, generation, run = run_, steps] { work(generation, run, steps); });
}

void LiveStudy::work(quint64 generation, const std::shared_ptr<Run>& run, std::uint64_t steps) {
  const auto send = [&](const StudyAnswer& answer) {
    if (run->stop.stop_requested()) return;
    QMetaObject::invokeMethod(
        this, [this, generation, answer] { deliver(generation, answer); }, Qt::QueuedConnection);
  };
  StudyAnswer answer;
  answer.last = true;
  try {
    if (run->stop.stop_requested()) return;
    if (!run->study) run->study = std::make_unique<models::FollowedStudy>(*run->scenario, run->options);
    const auto look = [&send](const models::Outcome& so_far) {
      send({std::make_shared<const models::Outcome>(so_far), false, {}});
    };
    answer.outcome =
        std::make_shared<const models::Outcome>(steps > 0 ? run->study->run_on(steps) : run->study->run(look));
  } catch (const std::exception& error) {
    answer.error = error.what();
  }
  if (!answer.outcome || answer.outcome->verdict != models::Verdict::inconclusive) run->study.reset();
  send(answer);
}

void LiveStudy::deliver(quint64 generation, const StudyAnswer& answer) {
  if (generation != generation_) return;
  if (answer.last) {
    running_ = false;
    const bool open = answer.outcome && answer.outcome->verdict == models::Verdict::inconclusive;
    constexpr std::uint64_t kLonger = 4;  // as the text of the verdict says
    longer_steps_ = open ? kLonger * std::max<std::uint64_t>(answer.outcome->steps, 64) : 0;
    if (!open) drop_run();
  }
  Q_EMIT answered(answer);
}

}  // namespace headrace::gui
