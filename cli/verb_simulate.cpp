// headrace simulate: where do the GPUs wait, and why.
#include <fmt/format.h>

#include <algorithm>

#include "cli/answer_forms.hpp"
#include "cli/deliver_outcome.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/load.hpp"
#include "cli/progress_line.hpp"
#include "cli/repeat_line.hpp"
#include "cli/study_options.hpp"
#include "cli/verb.hpp"
#include "models/base/abandoned.hpp"
#include "models/interruptions/job_course.hpp"
#include "models/study/input_study.hpp"
#include "models/study/study.hpp"

namespace headrace::cli {
namespace {

struct SimulateOptions {
  ScenarioOptions scenario;
  OutputOptions output;
  models::StudyOptions study;
  std::optional<double> precision;
  std::string replay;                ///< "SEED:REPLICATION"; empty: none
  std::string timeline;              ///< file for a trace of the first steps; empty: none
  std::uint32_t timeline_nodes = 2;  ///< in it
};

std::string check_replay(const std::string& text) {
  const std::size_t colon = text.find(':');
  const auto number = [](const std::string& part, std::size_t most_digits) {
    return !part.empty() && part.size() <= most_digits &&
           std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
  };
  const bool shape =
      colon != std::string::npos && number(text.substr(0, colon), 19) && number(text.substr(colon + 1), 6);
  return shape ? std::string() : fmt::format("'{}' is not a seed and the number of a replication, such as 1:0", text);
}

void add_options(OptionTable& table, SimulateOptions& options) {
  table.examples({"headrace simulate unet3d-h100", "headrace simulate image-node --report answer.html"});
  add_scenarios(table, options.scenario);
  const Option inputs = add_inputs(table, options.scenario);
  add_output(table, options.output);
  add_verbose(table, options.output);
  add_live_report(table, options.output);
  table.add("--timeline", "FILE.json", options.timeline, "also write the first steps as a trace for ui.perfetto.dev");
  table.add("--timeline-nodes", "N", options.timeline_nodes, "nodes in the timeline (default 2)").range(1, 100000);
  add_progress(table, options.output);
  const DrawOptions draws = add_length(table, options.study, options.precision);
  add_max_wall(table, options.study.max_wall_s, "stop after so much real time: 10s, 2 min; seconds without a unit");
  add_threads(table, options.study.threads, "threads for replications (default: all cores); never changes a result");
  add_fidelity(table, options.study);
  add_scale(table, options.study);
  table.flag("--no-relief", options.study.relief, "skip the runs for the gain if a stage is removed", false);
  table
      .add("--replay", "SEED:REPLICATION", options.replay,
           "repeat one replication of a study; with --steps, to the last bit")
      .excludes(draws.seed)
      .excludes(draws.replications)
      .excludes(inputs)
      .check(check_replay);
}

models::StudyOptions study_of(const SimulateOptions& options) {
  models::StudyOptions study = options.study;
  study.precision = options.precision.value_or(study.precision);
  if (const std::size_t colon = options.replay.find(':'); colon != std::string::npos) {
    study.seed = std::stoull(options.replay.substr(0, colon));
    study.first_replication = static_cast<std::uint32_t>(std::stoul(options.replay.substr(colon + 1)));
  }
  return study;
}

/// A report shows the first steps, a timeline keeps them. Where the time is up before they are recorded, the answer
/// goes without.
std::optional<models::Timeline> timeline_for(const SimulateOptions& asked, const models::StudyOptions& study,
                                             const models::Scenario& scenario, bool interrupted, Console& console) {
  if (interrupted || (asked.output.report.empty() && asked.timeline.empty())) return std::nullopt;
  models::TimelineOptions options;
  options.seed = study.seed;
  options.replication = study.first_replication;
  options.contention = study.contention;
  options.nodes = asked.timeline_nodes;
  options.abandon = study.abandon;
  try {
    options.granularity = models::chosen_granularity(study, scenario).value_or(models::Granularity{});
    return models::record_timeline(scenario, options);
  } catch (const models::Abandoned&) {
    console.warn("the first steps were not recorded: the time was up");
    return std::nullopt;
  }
}

int run(const SimulateOptions& options, Console& console) {
  const OutputOptions& output = options.output;
  const std::optional<LoadedScenario> loaded = load(options.scenario, console);
  if (!loaded) return kBadInput;
  if (options.scenario.dry_run) return show_resolved(*loaded, output, console);
  if (!can_deliver_report(output, console)) return kBadInput;
  if (!console.can_deliver({output.file, output.report, options.timeline})) return kBadInput;
  if (!options.replay.empty() && options.study.steps == 0)
    console.note("the replay needs --steps N (from the outcome) to repeat a run exactly");
  models::StudyOptions study = study_of(options);
  const InterruptWatch watch(study.max_wall_s);
  models::Outcome outcome;
  {
    ProgressLine line(console);
    line.follow(study, watch);
    outcome = options.scenario.ranges ? models::simulate_over(loaded->value, uncertain_inputs(*loaded), study)
                                      : models::simulate(loaded->value, study);
  }
  if (watch.interrupted()) outcome.stopped_by = "interrupted";
  const std::string stopped_by = outcome.stopped_by;
  const std::uint64_t steps = outcome.steps;
  std::optional<models::Timeline> timeline = timeline_for(options, study, loaded->value, watch.interrupted(), console);
  if (timeline && !options.timeline.empty()) {
    models::CourseOptions course;
    course.seed = study.seed;
    course.replication = study.first_replication;
    models::add_course(loaded->value, outcome, course, *timeline);
  }
  const OutcomeDelivery delivery{false, options.precision.has_value(), timeline ? &*timeline : nullptr,
                                 options.timeline};
  const int status = deliver_outcome(std::move(outcome), *loaded, options.scenario, output, delivery, console);
  if (stopped_by == "max_wall" || stopped_by == "interrupted")
    console.note(fmt::format("the run ended early; this repeats it: {} --steps {}{}",
                             program_without(output.program, {"--max-wall", "--steps"}), steps,
                             study.control ? " --no-control-variate" : ""));
  return status;
}

}  // namespace

Verb simulate() {
  return make_verb<SimulateOptions>("simulate", "simulate a scenario: where do the GPUs wait, and why", add_options,
                                    run);
}

}  // namespace headrace::cli
