// headrace bound: answers without simulation, in microseconds to milliseconds.
#include <fmt/format.h>

#include <utility>

#include "cli/answer_forms.hpp"
#include "cli/deliver_outcome.hpp"
#include "cli/exit_code.hpp"
#include "cli/load.hpp"
#include "cli/verb.hpp"
#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/sizing/sizing.hpp"
#include "models/study/input_study.hpp"

namespace headrace::cli {
namespace {

struct BoundOptions {
  ScenarioOptions scenario;
  OutputOptions output;
  std::string level = "flow";
  std::optional<std::string> sizing;  ///< the sizing sheet instead of the outcome's text: one of its rooms, or "all"
  std::uint64_t seed = 1;
};

std::vector<std::string> room_names() {
  std::vector<std::string> names;
  for (const models::SizingRoom* room : models::sizing_rooms()) names.emplace_back(room->key);
  return names;
}

std::string check_room(const std::string& name) {
  if (name.empty() || name == "all" || models::find_sizing_room(name) != nullptr) return {};
  return fmt::format("unknown section of the sizing sheet '{}': choose one of all, {}; write scenarios before --sizing",
                     name, fmt::join(room_names(), ", "));
}

void add_options(OptionTable& table, BoundOptions& options) {
  table.examples({"headrace bound unet3d-h100", "headrace bound unet3d-h100 --level estimate --verbose"});
  add_scenarios(table, options.scenario);
  add_inputs(table, options.scenario);
  add_output(table, options.output);
  add_verbose(table, options.output);
  add_live_report(table, options.output);
  table.section("Options");
  table
      .add("--level", "LEVEL", options.level,
           "flow: lower bound of the step time (default); estimate: with varying batches, without queueing at what "
           "they share")
      .one_of({"flow", "estimate"});
  std::vector<std::string> rooms = room_names();
  Option sizing =
      table.add("--sizing", "[ROOM]", options.sizing,
                fmt::format("the sizing sheet instead: every figure by formula, of one section ({}) or of all",
                            fmt::join(rooms, ", ")));
  rooms.insert(rooms.begin(), "all");
  sizing.value_if_bare("all").check(check_room).suggest(rooms);
  table.add("--seed", "N", options.seed, "seed of the random draws of estimate and input ranges (default 1)");
}

models::Outcome answer(const LoadedScenario& loaded, const BoundOptions& options) {
  const bool flow = options.level == "flow";
  if (!options.scenario.ranges)
    return flow ? models::flow_bound(loaded.value) : models::queueing_estimate(loaded.value, options.seed);
  const auto inputs = uncertain_inputs(loaded);
  return flow ? models::flow_bound_over(loaded.value, inputs, options.seed)
              : models::estimate_over(loaded.value, inputs, options.seed);
}

int run(const BoundOptions& options, Console& console) {
  const std::optional<LoadedScenario> loaded = load(options.scenario, console);
  if (!loaded) return kBadInput;
  if (options.scenario.dry_run) return show_resolved(*loaded, options.output, console);
  if (!can_deliver_report(options.output, console)) return kBadInput;
  if (!console.can_deliver({options.output.file, options.output.report})) return kBadInput;
  models::Outcome outcome = answer(*loaded, options);
  // The first screen does without the sheet.
  const std::string room = options.sizing.value_or("all");
  if (options.sizing || options.output.verbose || options.output.json || !options.output.report.empty())
    outcome.sizing = models::sizing_sheet(loaded->value, room == "all" ? std::string() : room);
  OutcomeDelivery delivery;
  delivery.sizing = options.sizing.has_value();
  return deliver_outcome(std::move(outcome), *loaded, options.scenario, options.output, delivery, console);
}

}  // namespace

Verb bound() {
  return make_verb<BoundOptions>("bound", "a quick answer without simulation: flow bound or queueing estimate",
                                 add_options, run);
}

}  // namespace headrace::cli
