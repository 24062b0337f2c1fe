#include "cli/program.hpp"

#include <fmt/format.h>

#include <exception>

#include "cli/command_line.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/repeat_line.hpp"
#include "models/base/abandoned.hpp"
#include "models/base/failed_replication.hpp"
#include "models/path/ingest_path.hpp"
#include "scenarios/document/visible_text.hpp"
#include "sim/assert.hpp"

namespace headrace::cli {
namespace {

int internal_error(const std::string& what, const ParsedCall& call, Console& console) {
  console.error("internal error: " + what,
                "this is a mistake in headrace, not in the scenario; please report it with the line that replays it:");
  console.raw_error("    " + scenarios::visible_text(call.program) + "\n");
  return kInternalError;
}

/// A failed replication is repeated alone, with the steps that it takes to fail again.
int failed_replication(const models::FailedReplication& error, ParsedCall call, Console& console) {
  call.program = replay_line(call.program, error.seed(), error.replication(), error.steps());
  return internal_error(error.what(), call, console);
}

int run_call(const ParsedCall& call, Console& console) {
  console.called_with(call.words);
  try {
    return call.work(call.words, call.program, console);
  } catch (const std::bad_alloc&) {
    console.error("out of memory", "simulate fewer nodes, or at granularity batch");
    return kInternalError;
  } catch (const models::UnusableRequest& error) {
    console.error(error.what(), error.fix());
    return kBadInput;
  } catch (const models::Abandoned&) {
    return say_abandoned(console);
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
  return run_call(std::get<ParsedCall>(parsed), console);
}

}  // namespace headrace::cli
