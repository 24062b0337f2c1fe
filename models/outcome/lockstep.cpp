#include "models/outcome/lockstep.hpp"

#include <algorithm>

#include "models/hops/resource_floors.hpp"

namespace headrace::models {

void warn_of_lockstep(const IngestPath& path, Outcome& outcome) {
  constexpr double kAlike = 1.01;     // longest load time over the median
  constexpr double kSlower = 1.05;    // step time over what the resources ask for
  constexpr double kContended = 1.2;  // load time over that of a batch alone
  const Metric* step = outcome.find("step_time_s");
  if (step == nullptr || !outcome.batch_load_time || path.synchronous) return;
  const LoadTimeQuantiles& load = *outcome.batch_load_time;
  if (load.p999_s > kAlike * load.p50_s || load.p50_s < kContended * first_batch_s(path)) return;
  double longest_s = path.mean_fed_step_s();
  for (const StationReport& station : outcome.stations) longest_s = std::max(longest_s, station.floor_step_time_s);
  if (step->mean < kSlower * longest_s) return;
  outcome.warnings.push_back(
      {"all batches run in lockstep, so resources work one after the other, not at the same time",
       "every batch has the same size and latency, unlike on any real store",
       "give sample_bytes or latency a distribution"});
}

}  // namespace headrace::models
