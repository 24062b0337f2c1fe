// headrace simulate: where do the GPUs wait, and why.
#include <fmt/format.h>

#include "cli/deliver_outcome.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/load.hpp"
#include "cli/progress_line.hpp"
#include "cli/repeat_line.hpp"
#include "cli/verbs.hpp"
#include "models/input_study.hpp"
#include "models/study.hpp"

namespace headrace::cli {
namespace {

/// "batch", "sample" or "chunk(M)"; the command line has checked the shape.
models::Granularity granularity_from(const std::string& text) {
  models::Granularity granularity;
  if (text == "sample") granularity.kind = models::Granularity::Kind::sample;
  if (!text.starts_with("chunk(")) return granularity;
  granularity.kind = models::Granularity::Kind::chunk;
  granularity.chunks = static_cast<std::uint32_t>(std::stoul(text.substr(6)));
  return granularity;
}

models::StudyOptions study_options(const Invocation& call) {
  models::StudyOptions options;
  options.seed = call.seed;
  options.replications = call.replications;
  options.first_replication = call.first_replication;
  options.precision = call.precision;
  options.steps = call.steps;
  options.max_wall_s = call.max_wall_s;
  options.threads = call.threads;
  options.granularity = granularity_from(call.granularity);
  options.contention = call.contention;
  options.relief = call.relief;
  options.control = call.control;
  return options;
}

}  // namespace

int simulate(const Invocation& call, Console& console) {
  const std::optional<LoadedScenario> loaded = load(call, console);
  if (!loaded) return kBadInput;
  if (call.dry_run) return show_resolved(*loaded, call, console);
  if (!console.can_deliver(call.output)) return kBadInput;
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
  const int status = deliver_outcome(std::move(outcome), *loaded, call, console);
  if (stopped_by == "max_wall" || stopped_by == "interrupted")
    console.note(fmt::format("the run ended early; this repeats it: {} --steps {}{}",
                             program_without(call.program, {"--max-wall", "--steps"}), steps,
                             call.control ? " --no-control-variate" : ""));
  return status;
}

}  // namespace headrace::cli
