// headrace simulate: where do the GPUs wait, and why.
#include <fmt/format.h>

#include "cli/deliver_outcome.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/load.hpp"
#include "cli/progress_line.hpp"
#include "cli/repeat_line.hpp"
#include "cli/study_options.hpp"
#include "cli/verbs.hpp"
#include "models/input_study.hpp"
#include "models/job_course.hpp"
#include "models/study.hpp"

namespace headrace::cli {
namespace {

/// A report shows the first steps, a timeline keeps them.
std::optional<models::Timeline> timeline_for(const Invocation& call, const models::Scenario& scenario,
                                             bool interrupted) {
  if (interrupted || (call.report.empty() && call.timeline.empty())) return std::nullopt;
  const models::StudyOptions study = study_options(call);
  models::TimelineOptions options;
  options.seed = study.seed;
  options.replication = study.first_replication;
  options.granularity = study.granularity;
  options.contention = study.contention;
  options.nodes = call.timeline_nodes;
  return models::record_timeline(scenario, options);
}

}  // namespace

int simulate(const Invocation& call, Console& console) {
  const std::optional<LoadedScenario> loaded = load(call, console);
  if (!loaded) return kBadInput;
  if (call.dry_run) return show_resolved(*loaded, call, console);
  if (!can_deliver_all(call, console)) return kBadInput;
  if (call.replay && call.steps == 0)
    console.note(
        "a study ends by all of its replications: give the --steps of its outcome to repeat one to the last bit");
  models::StudyOptions options = study_options(call);
  const InterruptWatch watch;
  models::Outcome outcome;
  {
    ProgressLine line(console);
    options.stop = watch.token();
    if (console.shows_progress()) options.progress = [&line](const models::Progress& progress) { line.show(progress); };
    outcome = call.input_mode == "fixed" ? models::simulate(loaded->value, options)
                                         : models::simulate_over(loaded->value, uncertain_inputs(*loaded), options);
  }
  if (watch.interrupted()) outcome.stopped_by = "interrupted";
  const std::string stopped_by = outcome.stopped_by;
  const std::uint64_t steps = outcome.steps;
  std::optional<models::Timeline> timeline = timeline_for(call, loaded->value, watch.interrupted());
  if (timeline && !call.timeline.empty()) {
    models::CourseOptions course;
    course.seed = options.seed;
    course.replication = options.first_replication;
    models::add_course(loaded->value, outcome, course, *timeline);
  }
  const int status = deliver_outcome(std::move(outcome), *loaded, call, console, timeline ? &*timeline : nullptr);
  if (stopped_by == "max_wall" || stopped_by == "interrupted")
    console.note(fmt::format("the run ended early; this repeats it: {} --steps {}{}",
                             program_without(call.program, {"--max-wall", "--steps"}), steps,
                             call.control ? " --no-control-variate" : ""));
  return status;
}

}  // namespace headrace::cli
