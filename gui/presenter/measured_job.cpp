#include "gui/presenter/measured_job.hpp"

#include <exception>
#include <utility>

#include "models/base/abandoned.hpp"
#include "models/verification/verify.hpp"
#include "reports/outcome_json.hpp"
#include "reports/verification_json.hpp"
#include "scenarios/importers/step_times.hpp"

namespace headrace::gui {
namespace {

using MeasuredSteps = std::vector<models::verification::MeasuredStep>;

tl::expected<MeasuredSteps, std::string> steps_in(const std::string& steps_file) {
  scenarios::Diagnostics diagnostics;
  const auto text = scenarios::read_text(steps_file, diagnostics);
  if (!text) return tl::unexpected(print_text(diagnostics));
  auto steps = scenarios::read_step_times(steps_file, *text);
  if (!steps) return tl::unexpected(print_text(steps.error()));
  return std::move(*steps);
}

}  // namespace

tl::expected<std::string, std::string> held_against(const ScenarioDocument& document, const std::string& steps_file,
                                                    const models::StudyOptions& how) {
  const auto steps = steps_in(steps_file);
  if (!steps) return tl::unexpected(steps.error());
  models::StudyOptions options = how;
  options.relief = false;  // it says what would help, not what was measured
  models::verification::VerifiedPoint point;
  point.predicted = models::verification::predicted_loop(models::simulate(document.scenario(), options));
  point.measured = models::verification::measured_loop(*steps);
  point.rounds = point.clean_rounds = 1;
  models::verification::judge(point);
  const std::string& title = document.scenario().title;
  return reports::json_text(
      reports::verification_json(reports::measured_job(title.empty() ? document.path() : title, point)));
}

tl::expected<MeasuredView, std::string> view_against(const ScenarioDocument& document, const std::string& steps_file,
                                                     const models::StudyOptions& how) {
  const auto json = held_against(document, steps_file, how);
  if (!json) return tl::unexpected(json.error());
  auto view = measured_view(*json);
  const auto steps = steps_in(steps_file);
  if (!view || !steps) return view;
  try {
    view->steps = step_time_curves(document, *steps, how.abandon);
  } catch (const models::Abandoned&) {
    throw;
  } catch (const std::exception& error) {
    view->why_no_steps = std::string("The prediction cannot be recorded step by step: ") + error.what();
  }
  return view;
}

}  // namespace headrace::gui
