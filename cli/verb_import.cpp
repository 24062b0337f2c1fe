// headrace import dlio: a workload file of the DLIO benchmark becomes a scenario layer.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/verbs.hpp"
#include "reports/outcome_json.hpp"
#include "scenarios/diagnostic.hpp"
#include "scenarios/document.hpp"
#include "scenarios/importers/dlio.hpp"

namespace headrace::cli {
namespace {

void tell_unused(const scenarios::DlioImport& result, const std::string& file, Console& console) {
  for (const std::string& text : result.notes) console.note("note: " + text);
  if (result.unused.empty()) return;
  std::string text = fmt::format("not used ({} of the keys in {}):", result.unused.size(), file);
  for (const scenarios::UnusedKey& unused : result.unused)
    text += fmt::format("\n  line {}: {}", unused.line, unused.key);
  console.note(text);
}

int fail(const scenarios::Diagnostics& diagnostics, Console& console) {
  console.raw_error(print_text(diagnostics, console.err_colour()));
  return kBadInput;
}

}  // namespace

int import(const Invocation& call, Console& console) {
  const std::string& file = call.inputs.front();
  scenarios::Diagnostics diagnostics;
  const std::optional<std::string> text = scenarios::read_text(file, diagnostics);
  if (!text) return fail(diagnostics, console);
  scenarios::DlioOptions options;
  options.accelerators = call.accelerators;
  options.hosts = call.hosts;
  options.files = call.files;
  options.store = call.store;
  options.pool = call.pool;
  options.extends = call.extends;
  const auto result = scenarios::import_dlio(file, *text, options);
  if (!result) return fail(result.error(), console);
  if (!console.deliver(result->json, call.output)) return kBadInput;
  tell_unused(*result, file, console);
  return kOk;
}

}  // namespace headrace::cli
