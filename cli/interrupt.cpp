#include "cli/interrupt.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <string>

#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "models/base/deadline.hpp"

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

constexpr double kLookPatience_s = 5.0;  // for a study that is abandoned to look whether it is
constexpr const char* kInterruptedText = "interrupted: the study did not end within 5 s, so there is no result";
constexpr const char* kLateText = "the study did not end soon after its time limit (--max-wall), so there is no result";
constexpr const char* kLateHelp =
    "allow more time (--max-wall), or ask headrace bound: a job that gets almost no bandwidth takes longest";

[[noreturn]] void give_up(const std::string& message, int status) {
  std::fputs(message.c_str(), stderr);
  std::fflush(stderr);
  std::_Exit(status);
}

}  // namespace

void InterruptWatch::watch(const std::stop_token& end, std::optional<double> study_wall_s) {
  const std::int64_t begun_ns = monotonic_ns();
  const auto seconds_since = [](std::int64_t time_ns) { return static_cast<double>(monotonic_ns() - time_ns) * 1e-9; };
  const double wall_s = study_wall_s.value_or(0.0);
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  while (!end.stop_requested()) {
    const std::int64_t seen_ns = first_seen_ns;
    if (seen_ns != 0) stop_.request_stop();
    const double interrupt_over_s =
        study_wall_s && seen_ns != 0 ? seconds_since(seen_ns) - models::kStopPatience_s : -1.0;
    const double wall_over_s = wall_s > 0.0 ? seconds_since(begun_ns) - wall_s - models::patience_s(wall_s) : -1.0;
    if (interrupt_over_s >= 0.0 || wall_over_s >= 0.0) abandon_.request_stop();
    if (interrupt_over_s > kLookPatience_s) give_up(kInterruptedText + std::string("\n"), kInterrupted);
    if (wall_over_s > kLookPatience_s)
      give_up(fmt::format("error: {}\n  = help: {}\n", kLateText, kLateHelp), kInconclusive);
    wake.wait_for(lock, end, std::chrono::milliseconds(20), [] { return false; });  // at once when the study has ended
  }
}

InterruptWatch::InterruptWatch(std::optional<double> study_wall_s) {
  first_seen_ns = 0;
  // A terminal that closes. Who ignores it (nohup) wants the program to go on.
  const auto before = std::signal(SIGHUP, remember_interrupt);
  heeds_hangup_ = before != SIG_IGN;
  if (!heeds_hangup_) std::signal(SIGHUP, SIG_IGN);
  std::signal(SIGINT, remember_interrupt);
  std::signal(SIGTERM, remember_interrupt);
  // A handler may not take the locks of request_stop, so a thread looks at its mark.
  watcher_ = std::jthread([this, study_wall_s](const std::stop_token& end) { watch(end, study_wall_s); });
}

InterruptWatch::~InterruptWatch() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  if (heeds_hangup_) std::signal(SIGHUP, SIG_DFL);
}

bool InterruptWatch::interrupted() const { return first_seen_ns != 0; }

int say_abandoned(Console& console) {
  if (first_seen_ns != 0) {
    console.note(kInterruptedText);
    return kInterrupted;
  }
  console.error(kLateText, kLateHelp);
  return kInconclusive;
}

}  // namespace headrace::cli
