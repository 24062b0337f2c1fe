#include "models/verification/loop_consumer.hpp"

#include <sched.h>
#include <sys/prctl.h>

#include <cerrno>
#include <ctime>

#include "models/calibration/host_clock.hpp"

namespace headrace::models::verification {
namespace {

std::uint64_t end_ns(std::uint64_t from_ns, double step_s) {
  return from_ns + static_cast<std::uint64_t>(1e9 * step_s);
}

class Sleeper final : public LoopConsumer {
 public:
  void pass(std::uint64_t from_ns, double step_s) override {
    ::prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    const std::uint64_t until_ns = end_ns(from_ns, step_s);
    timespec until{};
    until.tv_sec = static_cast<time_t>(until_ns / 1'000'000'000U);
    until.tv_nsec = static_cast<long>(until_ns % 1'000'000'000U);  // NOLINT: the type of the kernel
    while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
    }
  }
};

class Spinner final : public LoopConsumer {
 public:
  void pass(std::uint64_t from_ns, double step_s) override {
    const std::uint64_t until_ns = end_ns(from_ns, step_s);
    while (calibration::clock_ns() < until_ns) {
    }
  }
};

class GpuConsumer final : public LoopConsumer {
 public:
  GpuConsumer(const calibration::GpuDevice& gpu, std::uint64_t batch_bytes) : gpu_(gpu), batch_bytes_(batch_bytes) {}
  void pass(std::uint64_t, double step_s) override { gpu_.step(batch_bytes_, step_s); }

 private:
  const calibration::GpuDevice& gpu_;
  std::uint64_t batch_bytes_;
};

}  // namespace

std::unique_ptr<LoopConsumer> make_consumer(Consumer kind, const calibration::GpuDevice* gpu,
                                            std::uint64_t batch_bytes) {
  if (kind == Consumer::gpu && gpu != nullptr) return std::make_unique<GpuConsumer>(*gpu, batch_bytes);
  if (kind == Consumer::spins) return std::make_unique<Spinner>();
  return std::make_unique<Sleeper>();
}

BeforeWorkers::BeforeWorkers(Consumer kind) {
  if (kind != Consumer::sleeps) return;  // one that computes would keep others from its core for good
  sched_param now{};
  policy_ = ::sched_getscheduler(0);
  if (policy_ < 0 || ::sched_getparam(0, &now) != 0) return;
  priority_ = now.sched_priority;
  sched_param higher{};
  higher.sched_priority = now.sched_priority + 1;
  // Threads that this one makes meanwhile are ordinary ones.
  raised_ = ::sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &higher) == 0;
}

BeforeWorkers::~BeforeWorkers() {
  if (!raised_) return;
  sched_param before{};
  before.sched_priority = priority_;
  ::sched_setscheduler(0, policy_, &before);
}

bool can_go_before_workers() { return BeforeWorkers(Consumer::sleeps).raised(); }

}  // namespace headrace::models::verification
