// One term of one piece of a batch: what the itinerary asks for, and when the engine was done with it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/hops/stage.hpp"
#include "sim/time.hpp"

namespace headrace::models {

/// Kept small, because a run with 10,000 loaders holds more than a million of them and touches some at every event.
class StageVisit {
 public:
  /// The longest service time, 2^52 ns: 52 days. Longer ones are cut to it.
  static constexpr sim::TimeNs kLongestServiceNs = (sim::TimeNs{1} << 52) - 1;

  StageVisit() = default;
  /// `term` is its number among the terms of the path.
  StageVisit(Stage stage, bool contended, sim::TimeNs service_ns, double amount, std::uint32_t term = 0)
      : work(amount),
        packed_(static_cast<std::uint64_t>(std::min(service_ns, kLongestServiceNs)) << kFlagBits |
                static_cast<std::uint64_t>(term) << kTermShift | static_cast<std::uint64_t>(stage) << kStageShift |
                (contended ? kContended : 0U)) {}

  /// What a visit asks for is not needed any more when its end is known.
  union {
    double work = 0.0;   ///< at a station: server-seconds, requests, bytes or core-seconds; bytes of a flow
    sim::TimeNs end_ns;  ///< set by the engine when the visit is over; it begins where the one before it ended
  };

  /// Duration when nobody else is there; what it takes beyond that is queueing.
  sim::TimeNs service_ns() const { return static_cast<sim::TimeNs>(packed_ >> kFlagBits); }
  Stage stage() const { return static_cast<Stage>(packed_ >> kStageShift & 0xf); }
  std::uint32_t term() const { return static_cast<std::uint32_t>(packed_ >> kTermShift & 0x1f); }
  /// Waits for others; otherwise a plain delay.
  bool contended() const { return (packed_ & kContended) != 0; }
  /// Begins when the rank turns to the batch, not when the batch comes.
  bool waits_for_rank() const { return stage() == Stage::receive && !contended(); }
  /// Queueing and service run side by side (processor sharing, flows), else queueing first.
  bool shared() const { return (packed_ & kShared) != 0; }
  void set_shared() { packed_ |= kShared; }

 private:
  static constexpr int kStageShift = 2;  // behind contended and shared
  static constexpr int kTermShift = 6;
  static constexpr int kFlagBits = 11;
  static constexpr std::uint64_t kContended = 1;
  static constexpr std::uint64_t kShared = 2;

  std::uint64_t packed_ = 0;
};

static_assert(kStageCount <= 16);

}  // namespace headrace::models
