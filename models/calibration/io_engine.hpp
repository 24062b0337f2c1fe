// How the probes read and write: a fixed number of operations under way (closed loop) or arrivals at their own times
// (open loop), through io_uring or, where the kernel or a sandbox refuses it, through threads, or through the kernel's
// older asynchronous interface where there are not enough threads (engine_choice.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

#include "models/calibration/io_memory.hpp"
#include "models/calibration/window_tally.hpp"

namespace headrace::models::calibration {

enum class Order : std::uint8_t { random, sequential };

/// One stream of operations on a file.
struct IoTask {
  int file = -1;
  std::uint64_t file_bytes = 0;
  std::uint32_t block_bytes = 4096;
  std::uint32_t depth = 1;
  Order order = Order::random;
  bool write = false;
  std::uint64_t seed = 1;
  std::uint64_t first_block = 0;  ///< sequential: where it begins; it wraps around at the end of the file
};

struct WindowLengths {
  double warm_up_s = 0.1;  ///< at least; and 4 x depth operations
  double window_s = 0.5;
};

struct IoWindow {
  WindowTally tally;
  std::uint64_t bytes = 0;  ///< of the whole run with warm-up and end
  std::uint64_t next_block = 0;
  bool stopped = false;  ///< asked to stop before its end
};

/// What the kernel said to an operation of a probe.
class IoFailure : public std::runtime_error {
 public:
  IoFailure(int error, const std::string& what) : std::runtime_error(what), error_(error) {}
  int error() const { return error_; }

 private:
  int error_;
};

class IoEngine {
 public:
  virtual ~IoEngine() = default;
  virtual const char* name() const = 0;
  virtual const std::vector<std::string>& flags() const = 0;
  /// Whether operations through the page cache are under way together too.
  virtual bool keeps_depth_in_page_cache() const { return true; }
  /// Keeps task.depth operations under way. Throws IoFailure.
  virtual IoWindow closed_loop(const IoTask& task, const BlockBuffers& buffers, const WindowLengths& lengths,
                               const std::stop_token& stop) = 0;
  /// Poisson arrivals of `rate_per_s`; latency counts from the arrival, so that waiting for a free slot (there are
  /// task.depth of them) is part of it. Throws IoFailure.
  virtual IoWindow open_loop(const IoTask& task, double rate_per_s, const BlockBuffers& buffers,
                             const WindowLengths& lengths, const std::stop_token& stop) = 0;
};

/// Where the next operation goes.
class Offsets {
 public:
  explicit Offsets(const IoTask& task)
      : block_bytes_(task.block_bytes),
        blocks_(task.file_bytes / task.block_bytes),
        next_(task.first_block),
        random_(task.order == Order::random),
        state_(task.seed) {}
  std::uint64_t next() {
    const std::uint64_t block = random_ ? scaled(mixed()) : next_++ % blocks_;
    return block * block_bytes_;
  }
  std::uint64_t position() const { return next_; }

 private:
  /// SplitMix64 (Steele, Lea, Flood 2014): only the places that are read depend on it.
  std::uint64_t mixed() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  std::uint64_t scaled(std::uint64_t bits) const {
    __extension__ typedef unsigned __int128 Wide;
    return static_cast<std::uint64_t>((static_cast<Wide>(bits) * blocks_) >> 64);
  }

  std::uint64_t block_bytes_;
  std::uint64_t blocks_;
  std::uint64_t next_;
  bool random_;
  std::uint64_t state_;
};

/// Arrival times of a Poisson process from `begin_ns` on.
class PoissonArrivals {
 public:
  PoissonArrivals(double rate_per_s, std::uint64_t begin_ns, std::uint64_t seed);
  std::uint64_t next_ns();

 private:
  double mean_gap_ns_;
  double now_ns_;
  std::uint64_t state_;
};

/// Throws IoFailure for a result of read or write that is not the whole block.
void check_whole(std::int64_t result, int error, const IoTask& task, std::uint64_t offset);

/// io_uring with queues for `depth`; nullptr, with the reason, where it cannot be had.
std::unique_ptr<IoEngine> make_uring_engine(std::uint32_t depth, std::string& reason);
/// One thread for each operation under way, at most kMostIoThreads.
std::unique_ptr<IoEngine> make_thread_engine();
/// The kernel's older asynchronous interface with a queue for `depth`; nullptr, with the reason, where it cannot be
/// had.
std::unique_ptr<IoEngine> make_aio_engine(std::uint32_t depth, std::string& reason);

inline constexpr std::uint32_t kMostIoThreads = 256;

/// How many of `wanted` threads the system starts beside those that there are.
std::uint32_t startable_threads(std::uint32_t wanted);

}  // namespace headrace::models::calibration
