#include "cli/program.hpp"

#include <fmt/format.h>

#include <exception>

#include "cli/command_line.hpp"
#include "cli/exit_code.hpp"
#include "cli/repeat_line.hpp"
#include "cli/verbs.hpp"
#include "models/failed_replication.hpp"
#include "models/ingest_path.hpp"
#include "sim/assert.hpp"

namespace headrace::cli {
namespace {

using Verb = int (*)(const Invocation&, Console&);

struct NamedVerb {
  std::string_view name;
  Verb run;
};

constexpr NamedVerb kVerbs[] = {
    {"simulate", simulate},     {"bound", bound},       {"plan", plan},     {"validate", validate},
    {"explain", explain},       {"schema", schema},     {"import", import}, {"init", init},
    {"completion", completion}, {"backtest", backtest}, {"check", check},   {"compare", compare},
    {"calibrate", calibrate},   {"verify", verify},     {"sweep", sweep},   {"merge", merge},
    {"report", report},
};

int run_verb(const Invocation& call, Console& console) {
  for (const NamedVerb& verb : kVerbs)
    if (verb.name == call.verb) return verb.run(call, console);
  console.error(fmt::format("'headrace {}' is not available yet in this version", call.verb));
  return kBadInput;
}

int internal_error(const std::string& what, const Invocation& call, Console& console) {
  console.error("internal error: " + what,
                "this is a mistake in headrace, not in the scenario; please report it with the line that replays it:");
  console.raw_error("    " + call.program + "\n");
  return kInternalError;
}

/// A failed replication is repeated alone, with the steps that it takes to fail again.
int failed_replication(const models::FailedReplication& error, Invocation call, Console& console) {
  call.program = replay_line(call.program, error.seed(), error.replication(), error.steps());
  return internal_error(error.what(), call, console);
}

int run_call(const Invocation& call, Console& console) {
  console.configure(call);
  try {
    return run_verb(call, console);
  } catch (const std::bad_alloc&) {
    console.error("out of memory", "simulate fewer nodes, or at granularity batch");
    return kInternalError;
  } catch (const models::UnusableRequest& error) {
    console.error(error.what(), error.fix());
    return kBadInput;
  } catch (const models::FailedReplication& error) {
    return failed_replication(error, call, console);
  } catch (const std::exception& error) {
    return internal_error(error.what(), call, console);
  } catch (...) {
    return internal_error("an unknown exception", call, console);
  }
}

}  // namespace

int run_program(const std::vector<std::string>& arguments, Console& console) {
  const auto parsed = parse_command_line(arguments);
  if (const auto* help = std::get_if<HelpText>(&parsed)) return console.deliver(help->text, "") ? kOk : kBadInput;
  if (const auto* usage = std::get_if<UsageError>(&parsed)) {
    console.error(usage->message, usage->help);
    return kBadInput;
  }
  return run_call(std::get<Invocation>(parsed), console);
}

}  // namespace headrace::cli
