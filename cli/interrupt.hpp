// Ctrl-C, a wish to end or a terminal that closes, as a request: the first one asks the running study to stop and to
// hand over what it has, a second one ends the program at once. A study that hands over nothing long after it was asked
// to, or long after its limit on time, hangs in a step that never ends: the program ends itself.
#pragma once

#include <optional>
#include <stop_token>
#include <thread>

namespace headrace::cli {

class InterruptWatch {
 public:
  /// `study_wall_s`: of a study, which is ended as above; its limit on time, 0: none. nullopt: no study.
  explicit InterruptWatch(std::optional<double> study_wall_s = std::nullopt);
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  std::stop_token token() const { return stop_.get_token(); }
  bool interrupted() const;

 private:
  void watch(const std::stop_token& end, std::optional<double> study_wall_s);

  bool heeds_hangup_ = true;
  std::stop_source stop_;
  std::jthread watcher_;
};

}  // namespace headrace::cli
