#include "models/study/budget.hpp"

#include <algorithm>

#include "models/study/study.hpp"

namespace headrace::models {

Budget::Budget(const StudyOptions& study) : Budget(study.max_wall_s, study.stop) {}

void Budget::limit(StudyOptions& run) const {
  if (max_wall_s_ > 0.0) run.max_wall_s = std::max(0.001, max_wall_s_ - elapsed_s());
}

}  // namespace headrace::models
