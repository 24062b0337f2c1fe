// What takes GPU time from a campaign. With the useful time these sum to the time for which the GPUs are held; where
// many jobs share pools, to the time of all GPUs of these pools.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace headrace::models {

enum class LossCause : std::uint8_t {
  image,
  imports,
  listing,
  staging,
  first_batch,
  warm_up,
  data_wait,
  exchange,
  step_overhead,
  epoch_start,
  slowing_fault,
  checkpoint,
  lost_work,
  detection,
  reschedule,
  spare_wait,
  checkpoint_load,
  fast_forward,
  refresh,
  sharing,
  preempted,
  unused_gpus,
  queued,
  idle
};

struct LossCauseWords {
  std::string_view name;     ///< in documents
  std::string_view meaning;  ///< for people
};

/// In the order of LossCause.
inline constexpr std::array kLossCauses = {
    LossCauseWords{"image", "pulling and unpacking the image"},
    LossCauseWords{"imports", "imports of starting processes"},
    LossCauseWords{"listing", "finding the files of the dataset"},
    LossCauseWords{"staging", "copying the dataset before the first step"},
    LossCauseWords{"first_batch", "first batch after a start"},
    LossCauseWords{"warm_up", "slower work while caches fill"},
    LossCauseWords{"data_wait", "waits for data in steady work"},
    LossCauseWords{"exchange", "exchange of gradients"},
    LossCauseWords{"step_overhead", "overhead and copies of steps"},
    LossCauseWords{"epoch_start", "start of epochs"},
    LossCauseWords{"slowing_fault", "faults that slow the job down"},
    LossCauseWords{"checkpoint", "writing checkpoints"},
    LossCauseWords{"lost_work", "work lost and done again"},
    LossCauseWords{"detection", "detecting failures"},
    LossCauseWords{"reschedule", "rescheduling the job"},
    LossCauseWords{"spare_wait", "waits for a node's repair"},
    LossCauseWords{"checkpoint_load", "reading checkpoints back"},
    LossCauseWords{"fast_forward", "skipping to the place in the epoch"},
    LossCauseWords{"refresh", "renewal of the dataset"},
    LossCauseWords{"sharing", "slower work beside other jobs"},
    LossCauseWords{"preempted", "preemptions: saves, work done again, returns"},
    LossCauseWords{"unused_gpus", "GPUs of held nodes that the job does not use"},
    LossCauseWords{"queued", "free while the waiting jobs do not fit"},
    LossCauseWords{"idle", "free while no job waits"},
};
inline constexpr std::size_t kLossCauseCount = kLossCauses.size();
static_assert(kLossCauseCount == static_cast<std::size_t>(LossCause::idle) + 1);

using LossTimes = std::array<double, kLossCauseCount>;

inline double& time_of(LossTimes& times, LossCause cause) { return times[static_cast<std::size_t>(cause)]; }

}  // namespace headrace::models
