// The line that shows how far a study is, at most ten times a second.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>

#include "cli/console.hpp"
#include "cli/interrupt.hpp"
#include "models/study/study.hpp"

namespace headrace::cli {

/// "steady state   42 %  12,000 steps  about 3 s left".
std::string progress_text(const models::Progress& progress);

class ProgressLine {
 public:
  explicit ProgressLine(Console& console) : console_(console) {}
  ~ProgressLine() { console_.progress(""); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Called from any thread of a study.
  void show(const models::Progress& progress);
  /// At most ten times a second, but for a new phase, which may last.
  void show_text(const std::string& text, std::string_view phase = {});
  /// Of a search, which does not know how many runs are left.
  void show_runs(const std::string& phase, std::size_t runs);

  /// Lets a study show its progress here, where progress is on, and end at an interrupt.
  void follow(models::StudyOptions& study, const InterruptWatch& watch);

 private:
  Console& console_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point last_ = {};
  std::string phase_;  ///< of the last text
};

}  // namespace headrace::cli
