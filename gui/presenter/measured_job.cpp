#include "gui/presenter/measured_job.hpp"

#include "models/verification/verify.hpp"
#include "reports/outcome_json.hpp"
#include "reports/verification_text.hpp"
#include "scenarios/importers/step_times.hpp"

namespace headrace::gui {

tl::expected<std::string, std::string> held_against(const ScenarioDocument& document, const std::string& steps_file,
                                                    const models::StudyOptions& how) {
  scenarios::Diagnostics diagnostics;
  const auto text = scenarios::read_text(steps_file, diagnostics);
  if (!text) return tl::unexpected(print_text(diagnostics));
  const auto steps = scenarios::read_step_times(steps_file, *text);
  if (!steps) return tl::unexpected(print_text(steps.error()));
  models::StudyOptions options = how;
  options.relief = false;  // it says what would help, not what was measured
  models::verification::VerifiedPoint point;
  point.predicted = models::verification::predicted_loop(models::simulate(document.scenario(), options));
  point.measured = models::verification::measured_loop(*steps);
  point.rounds = point.clean_rounds = 1;
  models::verification::judge(point);
  const std::string& title = document.scenario().title;
  return reports::json_text(reports::measured_job_json(title.empty() ? document.path() : title, point));
}

}  // namespace headrace::gui
