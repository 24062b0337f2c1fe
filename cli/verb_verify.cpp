// headrace verify: runs a real pipeline or a PyTorch loader on this machine and holds it against predictions, or does
// so with the step times of a job that ran.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/load.hpp"
#include "cli/measuring_progress.hpp"
#include "cli/progress_line.hpp"
#include "cli/refusal.hpp"
#include "cli/torch_process.hpp"
#include "cli/verb.hpp"
#include "models/calibration/scratch.hpp"
#include "models/study/study.hpp"
#include "models/verification/verify.hpp"
#include "models/verification/verify_torch.hpp"
#include "reports/html/verification_page.hpp"
#include "reports/outcome_json.hpp"
#include "reports/verification_json.hpp"
#include "reports/verification_text.hpp"
#include "scenarios/document/calendar.hpp"
#include "scenarios/document/site_file.hpp"
#include "scenarios/importers/step_times.hpp"

namespace headrace::cli {
namespace {

using namespace models::verification;
using models::calibration::Calibration;

struct VerifyOptions {
  ScenarioOptions job;  ///< with `measured`
  OutputOptions output;
  VerifyRequest request;
  std::optional<double> file_bytes;
  std::optional<double> window_s;
  std::string loader = "threads";
  std::string python = "python3";
  bool print_script = false;
  std::string site;     ///< a file of calibrate whose figures are used
  bool update = false;  ///< write the result into it
  bool dry_run = false;
  std::string measured;  ///< step times of a real job, a CSV file
};

/// What only the loop of threads has.
Option add_threads(OptionTable& table, VerifyOptions& options) {
  VerifyRequest& request = options.request;
  const Option path = table.add("--path", "DIR", request.path,
                                "a folder on the file system to read from; one scratch folder inside it is all that is "
                                "written");
  const Option site =
      table.add("--site", "FILE", options.site,
                "use the figures of this file of calibrate for reads (default: measured just before each run)");
  table.add("--size", "BYTES", options.file_bytes, "of the file of each block size (default 256 MiB)")
      .unit(models::Unit::bytes)
      .range(16777216.0, 1e15);
  table
      .add("--gpu", "N", request.gpu,
           "compute the steps on this GPU (0 is the first), fed by copies of the batches, through libheadrace_cuda.so; "
           "without it or without a GPU the consumer sleeps, and the report says so")
      .range(0, 1023);
  table.flag("--update", options.update, "write the result into the file of --site, as evidence").needs(site);
  return path;
}

void add_torch(OptionTable& table, VerifyOptions& options) {
  table.section("A real PyTorch DataLoader on this machine");
  table.add("--python", "PATH", options.python, "the Python with PyTorch 1.11 or later (default python3)");
  table.flag("--print-script", options.print_script, "print the script that is run in it, and end");
}

/// What both loops have.
void add_loop(OptionTable& table, VerifyOptions& options) {
  VerifyRequest& request = options.request;
  table
      .add("--loader", "LOADER", options.loader,
           "threads: threads of this program that read and decode (default); torch: a PyTorch DataLoader in the Python "
           "of --python")
      .one_of({"threads", "torch"});
  table
      .add("--grid", "GRID", request.grid,
           "small: 14 points (default), with --loader torch 18; full: 34, with torch 54")
      .one_of({"small", "full"});
  table.add("--rounds", "N", request.rounds, "how often each point is predicted and measured (default 3)")
      .range(1, 1000);
  table.add("--window", "TIME", options.window_s, "length of one run of the loop (default 0.8 s, of torch 2.5 s)")
      .unit(models::Unit::seconds)
      .range(0.01, 60.0);
  table.add("--seed", "N", request.seed, "seed of offsets, of the order of points and of predictions (default 1)");
  table.flag("--dry-run", options.dry_run, "print the points and their time, and measure nothing");
}

void add_options(OptionTable& table, VerifyOptions& options) {
  table.examples({"headrace verify --path . --dry-run", "headrace verify --measured steps.csv image-node"});
  table.add("scenarios", "SCENARIO", options.job.inputs, "with --measured: the job's scenario and layers over it")
      .count(0, -1);
  table.section("A job that ran");
  table.add("--set", "/KEY=VALUE", options.job.sets, "override one value of the scenario (repeatable)").repeatable();
  table.section("A real pipeline on this machine");
  const Option path = add_threads(table, options);
  add_loop(table, options);
  add_torch(table, options);
  table.section("A job that ran");
  table
      .add("--measured", "FILE", options.measured,
           "step times of a job that ran: CSV with the columns step, step_time_s, load_wait_s")
      .excludes(path);
  add_progress(table, options.output);
  add_output(table, options.output);
  add_report(table, options.output);
}

/// The text of a file; nullopt after its complaint.
std::optional<std::string> text_of(const std::string& file, const OutputOptions& output, Console& console) {
  scenarios::Diagnostics diagnostics;
  std::optional<std::string> text = scenarios::read_text(file, diagnostics);
  if (!text) refuse(diagnostics, console, output.json);
  return text;
}

VerifyRequest verify_request(const VerifyOptions& options) {
  VerifyRequest request = options.request;
  while (request.path.size() > 1 && request.path.back() == '/') request.path.pop_back();
  if (options.file_bytes) request.file_bytes = static_cast<std::uint64_t>(*options.file_bytes);
  if (options.window_s) request.window_s = *options.window_s;
  return request;
}

TorchVerifyRequest torch_request(const VerifyOptions& options) {
  TorchVerifyRequest request;
  request.grid = options.request.grid;
  request.rounds = options.request.rounds;
  request.seed = options.request.seed;
  if (options.window_s) request.window_s = *options.window_s;
  return request;
}

models::calibration::VerifiedLoop summary_of(const Verification& v) {
  models::calibration::VerifiedLoop loop;
  loop.date = scenarios::today();
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
  if (v.interrupted) return kInterrupted;
  if (v.within_bars()) return kOk;
  std::size_t clean = 0;
  for (const VerifiedPoint& point : v.points) clean += point.clean_rounds > 0 ? 1U : 0U;
  return 2 * clean < v.points.size() ? kInconclusive : kFailed;
}

/// Text or JSON, and the page where one is asked for; false when one of them could not be written.
bool deliver(const reports::RecordedVerification& recorded, const std::string& text, const std::string& title,
             const OutputOptions& output, Console& console) {
  const bool delivered =
      console.deliver(output.json ? reports::json_text(reports::verification_json(recorded)) : text, output.file);
  const bool drawn = output.report.empty() ||
                     console.deliver(reports::verification_page(recorded, {title, output.program}), output.report);
  return delivered && drawn;
}

int run_the_loop(const VerifyOptions& options, Console& console) {
  const OutputOptions& output = options.output;
  VerifyRequest request = verify_request(options);
  std::string site_text;
  if (!options.site.empty()) {
    const auto text = text_of(options.site, output, console);
    if (!text) return kBadInput;
    site_text = *text;
    auto site = scenarios::read_site_file(options.site, *text);
    if (!site) return refuse(site.error(), console, output.json);
    request.site = std::move(*site);
  }
  models::calibration::check_folder(request.path);
  const unsigned cores = models::calibration::usable_cores(request.places);
  if (options.dry_run) {
    const std::string document = output.json ? reports::json_text(reports::verify_plan_json(request, cores))
                                             : reports::verify_plan_text(request, cores, console.out_style());
    return console.deliver(document, output.file) ? kOk : kBadInput;
  }
  if (!console.can_deliver({output.file, output.report, options.update ? options.site : ""})) return kBadInput;
  console.note(reports::verify_plan_text(request, cores, {}));
  const InterruptWatch interrupt;
  Verification verification;
  {
    ProgressLine line(console);
    verification = models::verification::verify(request, interrupt.token(), teller(line));
  }
  if (!deliver({verification}, reports::verification_text(verification, console.out_style()),
               "Verification of this machine", output, console))
    return kBadInput;
  if (options.update && !verification.interrupted) {
    request.site->verified = summary_of(verification);
    if (!console.deliver(reports::json_text(scenarios::with_record(site_text, *request.site)), options.site))
      return kBadInput;
  }
  if (verification.interrupted) console.warn("interrupted: the report has the measurements until then");
  return status_of(verification);
}

/// What of the loop of threads was asked for too; empty: nothing.
std::string only_of_threads(const VerifyOptions& options) {
  if (!options.request.path.empty()) return "--path";
  if (!options.site.empty()) return "--site";
  if (options.request.gpu) return "--gpu";
  return options.file_bytes ? "--size" : "";
}

int run_torch(const VerifyOptions& options, Console& console) {
  const OutputOptions& output = options.output;
  if (const std::string other = only_of_threads(options); !other.empty())
    return refuse(other + " belongs to --loader threads: a PyTorch loader makes its samples itself",
                  "leave " + other + " out", console);
  TorchVerifyRequest request = torch_request(options);
  const unsigned cores = models::calibration::usable_cores(request.places);
  if (options.dry_run) {
    const std::string document = output.json ? reports::json_text(reports::torch_plan_json(request, cores))
                                             : reports::torch_plan_text(request, cores, console.out_style());
    return console.deliver(document, output.file) ? kOk : kBadInput;
  }
  if (!console.can_deliver({output.file, output.report})) return kBadInput;
  const InterruptWatch interrupt;
  TorchProcess process(options.python, interrupt.token());
  const TorchVersions versions = process.versions();
  request.has_pil = versions.has_pil;
  console.note(reports::torch_plan_text(request, cores, {}));
  Verification verification;
  {
    ProgressLine line(console);
    verification = models::verification::verify_torch(
        request, [&process](const std::vector<TorchRun>& runs) { return process.answers(runs); }, interrupt.token(),
        teller(line));
  }
  verification.loader_version = versions.text;
  if (!deliver({verification}, reports::verification_text(verification, console.out_style()),
               "Verification of a PyTorch loader", output, console))
    return kBadInput;
  if (verification.interrupted) console.warn("interrupted: the report has the measurements until then");
  return status_of(verification);
}

int compare_a_job(const VerifyOptions& options, Console& console) {
  const OutputOptions& output = options.output;
  if (options.job.inputs.empty())
    return refuse("no scenario to compare the job with", "headrace verify --measured steps.csv SCENARIO", console);
  const auto text = text_of(options.measured, output, console);
  if (!text) return kBadInput;
  const auto steps = scenarios::read_step_times(options.measured, *text);
  if (!steps) return refuse(steps.error(), console, output.json);
  const std::optional<LoadedScenario> loaded = load(options.job, console);
  if (!loaded) return kBadInput;
  const InterruptWatch interrupt;
  models::StudyOptions study;
  study.seed = options.request.seed;
  study.relief = false;
  study.stop = interrupt.token();
  const models::Outcome outcome = models::simulate(loaded->value, study);
  if (interrupt.interrupted()) return kInterrupted;
  VerifiedPoint point;
  point.predicted = predicted_loop(outcome);
  point.measured = measured_loop(*steps);
  point.rounds = point.clean_rounds = 1;
  judge(point);
  const std::string title = title_of(*loaded, options.job);
  if (!deliver(reports::measured_job(title, point), reports::measured_job_text(title, point, console.out_style()),
               "Verification: " + title, output, console))
    return kBadInput;
  if (point.verdict == PointVerdict::agrees) return kOk;
  return point.verdict == PointVerdict::within_noise ? kInconclusive : kFailed;
}

int run(const VerifyOptions& options, Console& console) {
  if (options.print_script) return console.deliver(std::string(torch_script()), options.output.file) ? kOk : kBadInput;
  if (!options.measured.empty()) return compare_a_job(options, console);
  const bool torch = options.loader == "torch";
  if (options.request.path.empty() && !torch)
    return refuse("nothing to verify",
                  "give a folder: headrace verify --path DIR, a PyTorch loader: headrace verify --loader torch, or a "
                  "job that ran: headrace verify --measured FILE SCENARIO",
                  console);
  try {
    return torch ? run_torch(options, console) : run_the_loop(options, console);
  } catch (const models::calibration::CalibrationError& error) {
    return refuse(error.what(), error.fix(), console);
  }
}

}  // namespace

Verb verify() {
  return make_verb<VerifyOptions>("verify", "prove the model against this machine, or against a job that ran",
                                  add_options, run);
}

}  // namespace headrace::cli
