#include "gui/presenter/live_study.hpp"

#include <QMetaObject>
#include <algorithm>
#include <exception>
#include <thread>

#include "models/study/study.hpp"

namespace headrace::gui {

namespace {

/// One core stays with the window.
unsigned study_threads() { return std::max(1U, std::thread::hardware_concurrency() - 1); }

StudyAnswer look(const models::Scenario& scenario, double precision, bool last, const std::stop_token& stop) {
  constexpr double kLongest_s = 20.0;
  StudyAnswer answer;
  answer.last = last;
  try {
    models::StudyOptions options;
    options.precision = precision;
    options.relief = last;
    options.max_wall_s = kLongest_s;
    options.threads = study_threads();
    options.abandon = stop;
    answer.outcome = std::make_shared<const models::Outcome>(models::simulate(scenario, options));
  } catch (const std::exception& error) {
    answer.error = error.what();
    answer.last = true;
  }
  return answer;
}

}  // namespace

LiveStudy::LiveStudy(QObject* parent) : QObject(parent) {
  pool_.setMaxThreadCount(1);
  rest_.setSingleShot(true);
  rest_.setInterval(kRest_ms);
  connect(&rest_, &QTimer::timeout, this, &LiveStudy::begin);
}

LiveStudy::~LiveStudy() {
  ++generation_;
  stop_.request_stop();
  pool_.waitForDone();
}

void LiveStudy::request(std::shared_ptr<const models::Scenario> scenario) {
  stop();
  waiting_ = std::move(scenario);
  rest_.start();
}

void LiveStudy::stop() {
  rest_.stop();
  waiting_.reset();
  ++generation_;
  stop_.request_stop();
  if (!running_) return;
  running_ = false;
  emit stopped();
}

void LiveStudy::begin() {
  if (!waiting_) return;
  running_ = true;
  stop_ = std::stop_source();
  emit started();
  pool_.start([this, generation = generation_, scenario = std::move(waiting_), precisions = precisions_,
               stop = stop_.get_token()] {
    for (std::size_t i = 0; i < precisions.size() && !stop.stop_requested(); ++i) {
      const StudyAnswer answer = look(*scenario, precisions[i], i + 1 == precisions.size(), stop);
      if (stop.stop_requested()) return;
      QMetaObject::invokeMethod(
          this, [this, generation, answer] { deliver(generation, answer); }, Qt::QueuedConnection);
      if (answer.last) return;
    }
  });
}

void LiveStudy::deliver(quint64 generation, const StudyAnswer& answer) {
  if (generation != generation_) return;
  if (answer.last) running_ = false;
  emit answered(answer);
}

}  // namespace headrace::gui
