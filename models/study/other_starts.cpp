#include "models/study/other_starts.hpp"

#include <algorithm>
#include <cmath>

#include "models/hops/resource_floors.hpp"
#include "models/outcome/outcome_assembly.hpp"
#include "models/path/ingest_path.hpp"
#include "models/study/window_study.hpp"

namespace headrace::models {

bool may_depend_on_start(const WindowStudy& study) {
  constexpr double kBeyond = 1.01;  // step time over what the resources ask for
  constexpr double kBusy = 0.8;     // of the time of a fed step
  const double fed_s = study.path().mean_fed_step_s();
  double longest_s = 0.0;
  for (const ResourceFloor& floor : resource_floors(study.path())) longest_s = std::max(longest_s, floor.step_time_s);
  if (longest_s >= kBusy * fed_s && longest_s < fed_s) return true;
  return study.means().step_time_s.mean > kBeyond * std::max(fed_s, longest_s);
}

bool differ_by_start(const WindowStudy& study, std::uint32_t replication) {
  constexpr double kChance = 2.0;  // of alike runs one pair in ten thousand lies further apart, in arms of 95 %
  const Measured one_s = study.means_of(0).step_time_s;
  const Measured other_s = study.means_of(replication).step_time_s;
  const double difference_s = std::abs(one_s.mean - other_s.mean);
  return difference_s > kChance * std::hypot(one_s.longer_arm(), other_s.longer_arm()) &&
         difference_s > kFedIdleFraction * one_s.mean;
}

}  // namespace headrace::models
