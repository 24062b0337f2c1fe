#include "cli/interrupt.hpp"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <ctime>

namespace headrace::cli {
namespace {

// The handler runs on any thread, the watcher on another.
std::atomic<std::int64_t> first_seen_ns{0};  // 0: not yet
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "a signal handler may not wait for a lock");

std::int64_t monotonic_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

/// The second interrupt ends the program at once. One that comes with the first does not count: who stops a program
/// often signals it and its group, so that it hears the same wish twice.
void remember_interrupt(int signal) {
  constexpr std::int64_t kSameWishNs = 500'000'000;
  const int error_of_the_interrupted = errno;
  const std::int64_t now_ns = monotonic_ns();
  std::int64_t first_ns = 0;
  if (!first_seen_ns.compare_exchange_strong(first_ns, now_ns) && now_ns - first_ns > kSameWishNs) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  errno = error_of_the_interrupted;
}

}  // namespace

InterruptWatch::InterruptWatch() {
  first_seen_ns = 0;
  // A terminal that closes. Who ignores it (nohup) wants the program to go on.
  const auto before = std::signal(SIGHUP, remember_interrupt);
  heeds_hangup_ = before != SIG_IGN;
  if (!heeds_hangup_) std::signal(SIGHUP, SIG_IGN);
  std::signal(SIGINT, remember_interrupt);
  std::signal(SIGTERM, remember_interrupt);
  // A handler may not take the locks of request_stop, so a thread looks at its mark.
  watcher_ = std::jthread([this](const std::stop_token& end) {
    while (!end.stop_requested() && first_seen_ns == 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (first_seen_ns != 0) stop_.request_stop();
  });
}

InterruptWatch::~InterruptWatch() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  if (heeds_hangup_) std::signal(SIGHUP, SIG_DFL);
}

bool InterruptWatch::interrupted() const { return first_seen_ns != 0; }

}  // namespace headrace::cli
