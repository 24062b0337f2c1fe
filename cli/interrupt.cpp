#include "cli/interrupt.hpp"

#include <chrono>
#include <csignal>
#include <ctime>

namespace headrace::cli {
namespace {

volatile std::sig_atomic_t interrupt_seen = 0;
timespec first_seen{};

double seconds_since_first() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec - first_seen.tv_sec) +
         1e-9 * static_cast<double>(now.tv_nsec - first_seen.tv_nsec);
}

/// The second interrupt ends the program at once. One that comes with the first does not count: who stops a program
/// often signals it and its group, so that it hears the same wish twice.
void remember_interrupt(int signal) {
  constexpr double kSameWishS = 0.5;
  if (interrupt_seen == 0) {
    clock_gettime(CLOCK_MONOTONIC, &first_seen);
    interrupt_seen = 1;
  } else if (seconds_since_first() > kSameWishS) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

}  // namespace

InterruptWatch::InterruptWatch() {
  interrupt_seen = 0;
  std::signal(SIGINT, remember_interrupt);
  std::signal(SIGTERM, remember_interrupt);
  // A handler may not take the locks of request_stop, so a thread looks at its mark.
  watcher_ = std::jthread([this](const std::stop_token& end) {
    while (!end.stop_requested() && interrupt_seen == 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (interrupt_seen != 0) stop_.request_stop();
  });
}

InterruptWatch::~InterruptWatch() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool InterruptWatch::interrupted() const { return interrupt_seen != 0; }

}  // namespace headrace::cli
