#include "cli/interrupt.hpp"

#include <chrono>
#include <csignal>

namespace headrace::cli {
namespace {

volatile std::sig_atomic_t interrupt_seen = 0;

void remember_interrupt(int signal) {
  interrupt_seen = 1;
  std::signal(signal, SIG_DFL);
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
