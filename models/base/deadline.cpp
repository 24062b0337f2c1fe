#include "models/base/deadline.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace headrace::models {

double patience_s(double max_wall_s) { return std::max(1.0, 0.1 * max_wall_s); }

Deadline::Deadline(std::optional<double> seconds, const std::stop_token& also, const std::stop_token& or_this)
    : first_(also, [this] { source_.request_stop(); }), second_(or_this, [this] { source_.request_stop(); }) {
  if (!seconds) return;
  timer_ = std::jthread([this, wait = std::chrono::duration<double>(*seconds)](const std::stop_token& end) {
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    wake.wait_for(lock, end, wait, [] { return false; });
    if (!end.stop_requested()) source_.request_stop();
  });
}

}  // namespace headrace::models
