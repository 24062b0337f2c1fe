// Wall time and requests to stop, which limit a study of several runs.
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

namespace headrace::models {

struct StudyOptions;

class Budget {
 public:
  /// From now on. 0 seconds: no limit on wall time.
  Budget(double max_wall_s, std::stop_token stop) : max_wall_s_(max_wall_s), stop_(std::move(stop)) {}
  explicit Budget(const StudyOptions& study);

  double elapsed_s() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
  bool is_spent() const { return stop_.stop_requested() || (max_wall_s_ > 0.0 && elapsed_s() >= max_wall_s_); }
  /// Why it is spent: "interrupted" or "max_wall".
  std::string reason() const { return stop_.stop_requested() ? "interrupted" : "max_wall"; }
  /// Seconds until it is spent; nothing where there is no limit on wall time.
  std::optional<double> left_s() const;
  /// Limits one run to what is left.
  void limit(StudyOptions& run) const;

 private:
  using Clock = std::chrono::steady_clock;

  double max_wall_s_;
  std::stop_token stop_;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace headrace::models
