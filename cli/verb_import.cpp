// headrace import: files of other programs become layers of a scenario, or rows for headrace backtest.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/load.hpp"
#include "cli/refusal.hpp"
#include "cli/verbs.hpp"
#include "cli/version.hpp"
#include "reports/outcome_json.hpp"
#include "scenarios/diagnostic.hpp"
#include "scenarios/document.hpp"
#include "scenarios/importers/dlio.hpp"
#include "scenarios/importers/import_file.hpp"

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

int import_workload(const Invocation& call, Console& console) {
  const std::string& file = call.inputs.front();
  scenarios::Diagnostics diagnostics;
  const std::optional<std::string> text = scenarios::read_text(file, diagnostics);
  if (!text) return fail(diagnostics, call, console);
  scenarios::DlioOptions options;
  options.accelerators = call.accelerators;
  options.hosts = call.hosts;
  options.files = call.files;
  options.store = call.store;
  options.pool = call.pool;
  options.extends = call.extends;
  const auto result = scenarios::import_dlio(file, *text, options);
  if (!result) return fail(result.error(), call, console);
  if (!console.deliver(result->json, call.output)) return kBadInput;
  tell_unused(*result, file, console);
  return kOk;
}

scenarios::ImportOptions options_of(const Invocation& call) {
  scenarios::ImportOptions options;
  options.store = call.store;
  options.pool = call.pool;
  options.job = call.import_job;
  options.dataset = call.import_dataset;
  options.name = call.import_name;
  options.extends = call.extends;
  options.meaning = call.import_as;
  options.workload = call.import_workload;
  options.accelerator = call.import_accelerator;
  options.date = call.import_date;
  options.today = today();
  options.program_version = version_text();
  return options;
}

int import_measurement(const scenarios::ImportFormat& format, const Invocation& call, Console& console) {
  const std::string& file = call.inputs.front();
  scenarios::Diagnostics diagnostics;
  const std::optional<std::string> text = scenarios::read_text(file, diagnostics, scenarios::kLargestImportBytes);
  if (!text) return fail(diagnostics, call, console);
  const auto result = scenarios::import_file(format, file, *text, options_of(call));
  if (!result) return fail(result.error(), call, console);
  const std::string document = result->table.empty() ? reports::json_text(result->layer) : result->table;
  if (!console.deliver(document, call.output)) return kBadInput;
  for (const std::string& note : result->notes) console.note("note: " + note);
  return kOk;
}

}  // namespace

int import(const Invocation& call, Console& console) {
  for (const scenarios::ImportFormat& format : scenarios::import_formats())
    if (format.name == call.import_format) return import_measurement(format, call, console);
  return import_workload(call, console);
}

}  // namespace headrace::cli
