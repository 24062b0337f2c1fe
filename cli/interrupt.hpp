// Ctrl-C, a wish to end or a terminal that closes, as a request: the first one asks the running study to stop and to
// hand over what it has, a second one ends the program at once. A study that hands over nothing soon after it was asked
// to, or soon after its limit on time, is abandoned; one that does not even look whether it is hangs in one
// computation, and the program ends itself.
#pragma once

#include <optional>
#include <stop_token>
#include <thread>

namespace headrace::cli {

class Console;

class InterruptWatch {
 public:
  /// `study_wall_s`: of a study, which is ended as above; its limit on time, 0: none. nullopt: no study.
  explicit InterruptWatch(std::optional<double> study_wall_s = std::nullopt);
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  std::stop_token token() const { return stop_.get_token(); }
  /// For what has no answer before its end.
  std::stop_token abandon_token() const { return abandon_.get_token(); }
  bool interrupted() const;

 private:
  void watch(const std::stop_token& end, std::optional<double> study_wall_s);

  bool heeds_hangup_ = true;
  std::stop_source stop_;
  std::stop_source abandon_;
  std::jthread watcher_;
};

/// Says that a study was abandoned, as the exit status that it returns does.
int say_abandoned(Console& console);

}  // namespace headrace::cli
