// What takes the batches of the closed loop: it passes the time of a step asleep, as a host thread does while a GPU
// computes, computing on a core, or with a real GPU that gets a copy of the batch and runs a kernel.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "models/calibration/gpu_library.hpp"

namespace headrace::models::verification {

enum class Consumer : std::uint8_t { sleeps, spins, gpu };
inline constexpr const char* kConsumerNames[] = {"sleeps", "spins", "gpu"};
constexpr const char* consumer_name(Consumer c) { return kConsumerNames[static_cast<std::size_t>(c)]; }

class LoopConsumer {
 public:
  virtual ~LoopConsumer() = default;
  /// A step that began at `from_ns` (host_clock.hpp) and takes `step_s`: returns when it is over. What it takes longer
  /// is the overrun. Throws CalibrationError when a GPU fails.
  virtual void pass(std::uint64_t from_ns, double step_s) = 0;
};

/// `gpu` is the device of a consumer that is one, and `batch_bytes` what is copied to it for each step.
std::unique_ptr<LoopConsumer> make_consumer(Consumer kind, const calibration::GpuDevice* gpu,
                                            std::uint64_t batch_bytes);

/// While it lives the calling thread goes before all threads of ordinary priority: a sleeping consumer stands for a
/// GPU, which waits for no core of the host. Where that is not allowed nothing changes.
class BeforeWorkers {
 public:
  explicit BeforeWorkers(Consumer kind);
  ~BeforeWorkers();
  BeforeWorkers(const BeforeWorkers&) = delete;
  BeforeWorkers& operator=(const BeforeWorkers&) = delete;
  bool raised() const { return raised_; }

 private:
  int policy_ = 0;
  int priority_ = 0;
  bool raised_ = false;
};

/// Whether sleeping consumers can go before workers here.
bool can_go_before_workers();

}  // namespace headrace::models::verification
