// Ctrl-C, a wish to end or a terminal that closes, as a request: the first one asks the running study to stop and to
// hand over what it has, a second one ends the program at once.
#pragma once

#include <stop_token>
#include <thread>

namespace headrace::cli {

class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  std::stop_token token() const { return stop_.get_token(); }
  bool interrupted() const;

 private:
  bool heeds_hangup_ = true;
  std::stop_source stop_;
  std::jthread watcher_;
};

}  // namespace headrace::cli
