// A token that asks for an end when time is up, for work that looks at a token and at no clock: what cannot end in the
// middle and still have an answer is abandoned (models/base/abandoned.hpp).
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace headrace::models {

/// How long after its limit on wall time a study may still look for an end that has an answer.
double patience_s(double max_wall_s);

/// The same after a wish to stop.
inline constexpr double kStopPatience_s = 5.0;

class Deadline {
 public:
  /// Its token asks `seconds` from now, where there is such a limit, and once `also` or `or_this` asks.
  explicit Deadline(std::optional<double> seconds, const std::stop_token& also = {},
                    const std::stop_token& or_this = {});
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;
  ~Deadline();

  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::stop_callback<std::function<void()>> first_;
  std::stop_callback<std::function<void()>> second_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool over_ = false;  ///< nobody asks any more
  std::thread timer_;
};

}  // namespace headrace::models
