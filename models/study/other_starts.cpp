#include "models/study/other_starts.hpp"

#include <algorithm>
#include <cmath>

#include "models/hops/resource_floors.hpp"
#include "models/outcome/outcome_assembly.hpp"
#include "models/path/ingest_path.hpp"
#include "models/study/window_study.hpp"

namespace headrace::models {

bool may_depend_on_start(const IngestPath& path, double step_time_s) {
  constexpr double kBeyond = 1.01;  // step time over what the resources ask for
  constexpr double kBusy = 0.8;     // of the time of a fed step
  const double fed_s = path.mean_fed_step_s();
  double longest_s = 0.0;
  for (const ResourceFloor& floor : resource_floors(path)) longest_s = std::max(longest_s, floor.step_time_s);
  if (longest_s >= kBusy * fed_s && longest_s < fed_s) return true;
  return step_time_s > kBeyond * std::max(fed_s, longest_s);
}

bool may_depend_on_start(const WindowStudy& study) {
  return may_depend_on_start(study.path(), study.means().step_time_s.mean);
}

bool differ_by_start(const Measured& one_s, const Measured& other_s) {
  constexpr double kChance = 2.0;  // of alike runs one pair in ten thousand lies further apart, in arms of 95 %
  const double difference_s = std::abs(one_s.mean - other_s.mean);
  return difference_s > kChance * std::hypot(one_s.longer_arm(), other_s.longer_arm()) &&
         difference_s > kFedIdleFraction * one_s.mean;
}

}  // namespace headrace::models
