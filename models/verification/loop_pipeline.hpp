// A real ingest pipeline in small: N worker threads read blocks and decode them into batches, at most K batches are
// outstanding, a consumer takes them in their order or as they come and computes for a given time. It runs the loop
// that the loader's model describes (docs/models/loader.md), on the machine itself.
#pragma once

#include <array>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "models/verification/loop_consumer.hpp"
#include "models/verification/loop_data.hpp"

namespace headrace::models::verification {

struct LoopPoint {
  std::uint32_t workers = 1;
  std::uint32_t outstanding = 2;  ///< K
  bool in_order = true;
  std::uint32_t block_bytes = 131072;
  std::uint32_t batch = 8;  ///< blocks
  bool jpeg = false;        ///< the blocks of a torch loader are decoded from JPEG images
  Consumer consumer = Consumer::sleeps;
  double sleep_s = 0.0;   ///< of a sample of a torch loader, mean; 0: none
  double sleep_cv = 0.0;  ///< standard deviation over mean
  double load = 1.0;      ///< least step that the workers allow over step time, from which the step time follows
  double step_s = 0.0;    ///< Tc
};

/// "128 KiB", "588 KiB of JPEG"; "10 ms, cv 1" of a sample that sleeps.
std::string sample_text(const LoopPoint& point);
/// "2 workers, K 4, in order, 8 x 128 KiB, load 0.85, sleeps".
std::string point_text(const LoopPoint& point);

/// Parts of a wait: what the batch that ended it was in meanwhile.
enum class WaitPart : std::uint8_t { before, read, decode, hand_over };
inline constexpr std::size_t kWaitParts = 4;

/// What one window of the loop came to.
struct LoopRun {
  double elapsed_s = 0.0;
  std::uint64_t steps = 0;
  double wait_s = 0.0;  ///< of the consumer for batches, all steps
  std::array<double, kWaitParts> wait_parts_s{};
  double overrun_s = 0.0;    ///< that computing took longer than step_s, all steps
  double processor_s = 0.0;  ///< of the whole process
  std::uint64_t involuntary_switches = 0;

  double step_time_s() const { return steps == 0 ? 0.0 : elapsed_s / static_cast<double>(steps); }
  double idle_fraction() const { return elapsed_s > 0.0 ? wait_s / elapsed_s : 0.0; }
};

struct LoopLengths {
  double warm_up_s = 0.2;  ///< at least; and until every slot was used twice
  double window_s = 0.8;
};

/// Runs the loop for a window. Throws IoFailure. Asked to stop it returns what it has.
LoopRun run_loop(const LoopPoint& point, const LoopData& data, LoopConsumer& consumer, const LoopLengths& lengths,
                 std::uint64_t seed, const std::stop_token& stop);

}  // namespace headrace::models::verification
