#include "reports/plan_progress.hpp"

#include <fmt/format.h>

#include "reports/humane.hpp"
#include "reports/plan_ranges_text.hpp"

namespace headrace::reports {

std::string plan_progress_text(const scenarios::PlanProgress& progress) {
  std::string text = progress.phase;
  if (progress.runs > 0) text += ", " + counted(progress.runs, "run");
  if (progress.best.empty()) return text;
  const std::string goal = goal_value_text(progress.goal, progress.goal_value);
  if (!progress.simulated) return text + fmt::format("; least bound {}: {}", goal, progress.best);
  constexpr double kProved = 1e-4;
  const std::string others =
      progress.better < kProved ? "none better" : "others at most " + percent(progress.better) + " better";
  return text + fmt::format("; best so far {}, {}: {}", goal, others, progress.best);
}

}  // namespace headrace::reports
