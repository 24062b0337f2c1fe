#include "models/base/deadline.hpp"

#include <algorithm>
#include <chrono>

namespace headrace::models {

double patience_s(double max_wall_s) { return std::max(2.0, 0.1 * max_wall_s); }

Deadline::Deadline(std::optional<double> seconds, const std::stop_token& also, const std::stop_token& or_this)
    : first_(also, [this] { source_.request_stop(); }), second_(or_this, [this] { source_.request_stop(); }) {
  if (!seconds) return;
  timer_ = std::thread([this, wait = std::chrono::duration<double>(*seconds)] {
    std::unique_lock lock(mutex_);
    if (!wake_.wait_for(lock, wait, [this] { return over_; })) source_.request_stop();
  });
}

Deadline::~Deadline() {
  if (!timer_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  wake_.notify_all();
  timer_.join();
}

}  // namespace headrace::models
