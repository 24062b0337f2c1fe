#include "models/study/budget.hpp"

#include <algorithm>

#include "models/study/study.hpp"

namespace headrace::models {

Budget::Budget(const StudyOptions& study) : Budget(study.max_wall_s, study.stop) {}

std::optional<double> Budget::left_s() const {
  if (!(max_wall_s_ > 0.0)) return std::nullopt;
  return std::max(0.001, max_wall_s_ - elapsed_s());
}

void Budget::limit(StudyOptions& run) const {
  if (const auto left = left_s()) run.max_wall_s = *left;
}

}  // namespace headrace::models
