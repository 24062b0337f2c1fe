// Step times of the max-plus engine E1, run on as far as they are needed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/engine/uncontended_run.hpp"

namespace headrace::models {

inline RunSwitches uncontended_switches() {
  RunSwitches switches;
  switches.contention = false;
  return switches;
}

class UncontendedSeries {
 public:
  /// The path and what draws for it must outlive the series. `first_batch` as of UncontendedRun.
  UncontendedSeries(const IngestPath& path, const ItineraryMaker& itineraries, std::uint64_t first_batch = 0)
      : run_(path, itineraries, first_batch) {}

  /// Runs until the durations of `steps` steps are known; `before_step` is called before each.
  template <class BeforeStep>
  void run_to(std::uint64_t steps, const BeforeStep& before_step) {
    durations_s_.reserve(steps);
    while (durations_s_.size() < steps) {
      before_step();
      const sim::TimeNs start_ns = run_.advance();
      if (last_start_ns_) durations_s_.push_back(sim::seconds(start_ns - *last_start_ns_));
      last_start_ns_ = start_ns;
    }
  }
  void run_to(std::uint64_t steps) {
    run_to(steps, [] {});
  }

  const std::vector<double>& durations_s() const { return durations_s_; }

 private:
  UncontendedRun run_;
  std::optional<sim::TimeNs> last_start_ns_;
  std::vector<double> durations_s_;
};

}  // namespace headrace::models
