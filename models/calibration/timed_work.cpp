#include "models/calibration/timed_work.hpp"

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "models/calibration/host_clock.hpp"

namespace headrace::models::calibration {
namespace {

struct Part {
  double amount = 0.0;
  double seconds = 0.0;
};

Part one_thread(const Work& work, unsigned thread, const WindowLengths& lengths, const std::atomic<bool>& over,
                const std::stop_token& stop) {
  const std::uint64_t begin = clock_ns();
  const auto warm_ns = static_cast<std::uint64_t>(lengths.warm_up_s * 0.5e9);  // processors need less than devices
  while (clock_ns() - begin < warm_ns && !over && !stop.stop_requested()) work(thread);
  Part part;
  const std::uint64_t counted_from = clock_ns();
  const auto window_ns = static_cast<std::uint64_t>(lengths.window_s * 1e9);
  std::uint64_t now = counted_from;
  do {
    part.amount += work(thread);
    now = clock_ns();
  } while (now - counted_from < window_ns && !over && !stop.stop_requested());
  part.seconds = seconds_between(counted_from, now);
  return part;
}

}  // namespace

ArmWindow rate_of(const Work& work, unsigned threads, const WindowLengths& lengths, const std::stop_token& stop) {
  std::vector<Part> parts(threads);
  std::atomic<bool> over{false};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto run = [&](unsigned thread) {
    try {
      parts[thread] = one_thread(work, thread, lengths, over, stop);
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (!failure) failure = std::current_exception();
      over = true;
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < threads; ++i) others.emplace_back(run, i);
    run(0);
  }
  if (failure) std::rethrow_exception(failure);
  ArmWindow window;
  window.length_s = lengths.window_s;
  for (const Part& part : parts)
    if (part.seconds > 0.0) window.rate_per_s += part.amount / part.seconds;
  return window;
}

Arm work_arm(const char* probe, std::string detail, const char* unit, unsigned threads, Work work,
             const std::stop_token& stop) {
  Arm arm;
  arm.cell.probe = probe;
  arm.cell.detail = std::move(detail);
  arm.cell.unit = unit;
  arm.cell.threads = threads;
  arm.run = [work = std::move(work), threads, stop](const WindowLengths& lengths, std::uint64_t) {
    return rate_of(work, threads, lengths, stop);
  };
  return arm;
}

}  // namespace headrace::models::calibration
