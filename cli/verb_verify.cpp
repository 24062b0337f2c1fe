// headrace verify: runs a real pipeline on this machine and holds it against predictions, or does so with the step
// times of a job that ran.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/load.hpp"
#include "cli/page_facts.hpp"
#include "cli/progress_line.hpp"
#include "cli/refusal.hpp"
#include "cli/study_options.hpp"
#include "cli/verbs.hpp"
#include "models/calibration/scratch.hpp"
#include "models/study.hpp"
#include "models/verification/verify.hpp"
#include "reports/html/verification_page.hpp"
#include "reports/outcome_json.hpp"
#include "reports/verification_text.hpp"
#include "scenarios/site_file.hpp"
#include "scenarios/step_times.hpp"

namespace headrace::cli {
namespace {

using namespace models::verification;
using models::calibration::Calibration;

/// The text of a file, or the exit status after its complaint.
std::optional<std::string> text_of(const std::string& file, const Invocation& call, Console& console) {
  scenarios::Diagnostics diagnostics;
  std::optional<std::string> text = scenarios::read_text(file, diagnostics);
  if (!text) fail(diagnostics, call, console);
  return text;
}

VerifyRequest request_of(const Invocation& call) {
  VerifyRequest request;
  request.path = call.path;
  while (request.path.size() > 1 && request.path.back() == '/') request.path.pop_back();
  request.grid = call.grid;
  request.rounds = call.rounds;
  if (call.window_s > 0.0) request.window_s = call.window_s;
  if (call.file_bytes > 0.0) request.file_bytes = static_cast<std::uint64_t>(call.file_bytes);
  request.seed = call.seed;
  if (call.gpu >= 0) request.gpu = call.gpu;
  return request;
}

models::calibration::VerifiedLoop summary_of(const Verification& v) {
  models::calibration::VerifiedLoop loop;
  loop.date = today();
  loop.points = v.points.size();
  for (const VerifiedPoint& point : v.points) loop.clean_points += point.clean_rounds > 0 ? 1U : 0U;
  loop.idle_error_points = v.idle_error_points.mean;
  loop.idle_error_largest = v.idle_error_points.largest;
  loop.step_error_percent = v.step_error_percent.mean;
  loop.step_error_largest = v.step_error_percent.largest;
  loop.idle_noise_points = v.idle_noise_points.mean;
  loop.step_noise_percent = v.step_noise_percent.mean;
  return loop;
}

/// Both bars hold; missed; or the machine was too noisy to tell.
int status_of(const Verification& v) {
  const bool good = v.idle_error_points.mean <= kIdleBarPoints && v.step_error_percent.mean <= kStepBarPercent;
  if (v.interrupted) return kInterrupted;
  if (good) return kOk;
  std::size_t clean = 0;
  for (const VerifiedPoint& point : v.points) clean += point.clean_rounds > 0 ? 1U : 0U;
  return 2 * clean < v.points.size() ? kInconclusive : kFailed;
}

/// Text or JSON, and the page where one is asked for; false when one of them could not be written.
bool deliver(const nlohmann::ordered_json& json, const std::string& text, const std::string& title,
             const Invocation& call, Console& console) {
  const bool delivered = console.deliver(call.json ? reports::json_text(json) : text, call.output);
  const bool drawn =
      call.report.empty() || console.deliver(reports::verification_page(json, page_facts(call, title)), call.report);
  return delivered && drawn;
}

int run_the_loop(const Invocation& call, Console& console) {
  VerifyRequest request = request_of(call);
  std::string site_text;
  if (!call.site.empty()) {
    const auto text = text_of(call.site, call, console);
    if (!text) return kBadInput;
    site_text = *text;
    auto site = scenarios::read_site_file(call.site, *text);
    if (!site) return fail(site.error(), call, console);
    request.site = std::move(*site);
  }
  models::calibration::check_folder(request.path);
  const unsigned cores = models::calibration::usable_cores(request.places);
  if (call.dry_run) {
    const std::string document = call.json ? reports::json_text(reports::verify_plan_json(request, cores))
                                           : reports::verify_plan_text(request, cores, console.out_style());
    return console.deliver(document, call.output) ? kOk : kBadInput;
  }
  if (!console.can_deliver(call.output) || !console.can_deliver(call.report)) return kBadInput;
  if (call.update && !console.can_deliver(call.site)) return kBadInput;
  console.note(reports::verify_plan_text(request, cores, {}));
  const InterruptWatch interrupt;
  Verification verification;
  {
    ProgressLine line(console);
    verification = models::verification::verify(request, interrupt.token(), teller(line));
  }
  if (!deliver(reports::verification_json(verification), reports::verification_text(verification, console.out_style()),
               "Verification of this machine", call, console))
    return kBadInput;
  if (call.update && !verification.interrupted) {
    request.site->verified = summary_of(verification);
    if (!console.deliver(reports::json_text(scenarios::with_record(site_text, *request.site)), call.site))
      return kBadInput;
  }
  if (verification.interrupted) console.warn("interrupted: what was measured until then is told");
  return status_of(verification);
}

int compare_a_job(const Invocation& call, Console& console) {
  if (call.inputs.empty()) {
    console.error("no scenario to hold the job against", "headrace verify --measured steps.csv SCENARIO");
    return kBadInput;
  }
  const auto text = text_of(call.measured, call, console);
  if (!text) return kBadInput;
  const auto steps = scenarios::read_step_times(call.measured, *text);
  if (!steps) return fail(steps.error(), call, console);
  const std::optional<LoadedScenario> loaded = load(call, console);
  if (!loaded) return kBadInput;
  const InterruptWatch interrupt;
  models::StudyOptions options = study_options(call);
  options.relief = false;
  options.stop = interrupt.token();
  const models::Outcome outcome = models::simulate(loaded->value, options);
  if (interrupt.interrupted()) return kInterrupted;
  VerifiedPoint point;
  point.predicted = predicted_loop(outcome);
  point.measured = measured_loop(*steps);
  point.rounds = point.clean_rounds = 1;
  judge(point);
  const std::string title = loaded->value.title.empty() ? call.inputs.back() : loaded->value.title;
  if (!deliver(reports::measured_job_json(title, point), reports::measured_job_text(title, point, console.out_style()),
               "Verification: " + title, call, console))
    return kBadInput;
  if (point.verdict == PointVerdict::agrees) return kOk;
  return point.verdict == PointVerdict::within_noise ? kInconclusive : kFailed;
}

}  // namespace

int verify(const Invocation& call, Console& console) {
  if (!call.measured.empty()) return compare_a_job(call, console);
  if (call.path.empty()) {
    console.error(
        "nothing to verify",
        "give a folder: headrace verify --path DIR, or a job that ran: headrace verify --measured FILE SCENARIO");
    return kBadInput;
  }
  try {
    return run_the_loop(call, console);
  } catch (const models::calibration::CalibrationError& error) {
    console.error(error.what(), error.fix());
    return kBadInput;
  }
}

}  // namespace headrace::cli
