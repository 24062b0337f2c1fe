// headrace import: files of other programs become layers of a scenario, or rows for headrace backtest.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/refusal.hpp"
#include "cli/scenario_options.hpp"
#include "cli/study_options.hpp"
#include "cli/verb.hpp"
#include "cli/version.hpp"
#include "reports/outcome_json.hpp"
#include "reports/text_layout.hpp"
#include "scenarios/document/calendar.hpp"
#include "scenarios/document/diagnostic.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/document/file_kind.hpp"
#include "scenarios/document/shell_quoted.hpp"
#include "scenarios/importers/check_layer.hpp"
#include "scenarios/importers/dlio.hpp"
#include "scenarios/importers/import_file.hpp"

namespace headrace::cli {
namespace {

struct ImportOptions {
  OutputOptions output;
  std::string format;
  std::string file;
  scenarios::ImportOptions measurement;
  scenarios::DlioOptions workload;
};

std::vector<std::string> format_names() {
  std::vector<std::string> names{"dlio"};
  for (const scenarios::ImportFormat& format : scenarios::import_formats()) names.emplace_back(format.name);
  return names;
}

void add_destination(OptionTable& table, scenarios::ImportOptions& import) {
  table.section("Where the figures go");
  table.add("--store", "NAME", import.store, "store of the scenario (default storage)");
  table.add("--pool", "NAME", import.pool, "pool of the scenario (default gpus)");
  table.add("--job", "NAME", import.job, "nccl-tests, kineto, prometheus, sacct: job of the scenario");
  table.add("--dataset", "NAME", import.dataset, "darshan: dataset of the scenario");
  table.add("--name", "NAME", import.name, "darshan, prometheus: of the background load; dlio-summary: of the system");
  table.add("--extends", "SCENARIO", import.extends, "scenario of the machines that the result builds on");
}

void add_meaning(OptionTable& table, scenarios::ImportOptions& import) {
  table.section("Facts missing in the file");
  table
      .add("--as", "MEANING", import.meaning,
           "prometheus: the values are the bandwidth of background load (default), or step times")
      .one_of({"background", "step-time"});
  table.add("--workload", "NAME", import.workload, "dlio-summary: unet3d, ...");
  table.add("--accelerator", "NAME", import.accelerator, "dlio-summary: h100, ...");
  table.add("--date", "YYYY-MM-DD", import.date, "day of the measurement").check(check_date);
}

void add_options(OptionTable& table, ImportOptions& options) {
  std::string formats = "Formats:\n  dlio          a workload file of the DLIO benchmark (YAML)";
  for (const scenarios::ImportFormat& format : scenarios::import_formats())
    formats += fmt::format("\n  {:<13} {}", format.name, reports::wrapped(format.what, reports::kTerminalWidth, 16));
  table.footer(formats);
  table.examples({"headrace import fio fio.json -o store.json", "headrace import dlio unet3d.yaml -o unet3d.json"});
  const std::vector<std::string> names = format_names();
  table.add("format", "FORMAT", options.format, fmt::format("program that wrote the file: {}", fmt::join(names, ", ")))
      .required()
      .one_of(names);
  table.argument("file", "FILE", options.file, "the file; - is standard input");
  add_destination(table, options.measurement);
  add_meaning(table, options.measurement);
  table.section("DLIO workloads");
  scenarios::DlioOptions& workload = options.workload;
  table.add("--accelerators", "N", workload.accelerators, "accelerators together (default: all of the pool)")
      .range(1, 10'000'000);
  table.add("--hosts", "H", workload.hosts, "hosts that they spread over (default 1, or all of the pool)")
      .range(1, 1'000'000);
  table.add("--files", "N", workload.files, "files of the dataset, instead of num_files_train")
      .range(std::uint64_t{1}, kMostSteps);
  table.flag("--beside", workload.beside,
             "add the job to those of the scenario that it is laid over; without it, it takes their place");
  add_output(table, options.output);
}

void tell_unused(const scenarios::DlioImport& result, const std::string& file, Console& console) {
  for (const std::string& text : result.notes) console.note("note: " + text);
  if (result.unused.empty()) return;
  std::string text = fmt::format("not used ({} of the keys in {}):", result.unused.size(), file);
  for (const scenarios::UnusedKey& unused : result.unused)
    text += fmt::format("\n  line {}: {}", unused.line, unused.key);
  console.note(text);
}

/// The file that the layer will be.
std::string layer_name(const ImportOptions& options) {
  return options.output.file.empty() ? std::string("<the layer>") : options.output.file;
}

/// A document of this program is no file of another one.
std::optional<int> refuse_own_document(const ImportOptions& options, const std::string& text, Console& console) {
  // Text outputs of programs may look like YAML; a workload of DLIO is one for sure.
  const scenarios::FileKind* kind = scenarios::kind_of_text(text);
  const bool readable =
      kind != nullptr && kind->type == scenarios::FileType::yaml && (options.format == "dlio" || kind->what == "YAML");
  if (readable || text.find_first_not_of(" \t\r\n") == std::string::npos) return std::nullopt;
  // Another program's JSON may have keys of a scenario; a DLIO workload is YAML.
  const auto own =
      options.format == "dlio"
          ? scenarios::complaint_about_text(options.file, text, "a DLIO workload in YAML", {scenarios::FileType::yaml})
          : scenarios::complaint_about_text(options.file, text, "a file of " + options.format,
                                            {scenarios::FileType::scenario});
  if (!own) return std::nullopt;
  scenarios::Diagnostics diagnostics;
  diagnostics.add(*own);
  return refuse(diagnostics, console, options.output.json);
}

/// A shipped system for a workload, with what its pool must have for it.
std::string machines_for(const scenarios::DlioOptions& workload) {
  constexpr std::uint64_t kNodes = 1;
  constexpr std::uint64_t kGpusPerNode = 8;
  const std::uint64_t hosts = std::max<std::uint64_t>(workload.hosts, 1);
  std::string machines = "storage-nvme-host";
  if (hosts > kNodes) machines += fmt::format(" --set /cluster/pools/0/nodes={}", hosts);
  if (workload.accelerators > hosts * kGpusPerNode)
    machines += fmt::format(" --set /cluster/pools/0/gpus_per_node={}", workload.accelerators / hosts);
  return machines;
}

/// What to run with the layer, which runs as it is printed.
std::string next_command(const scenarios::DlioOptions& workload, const std::string& file) {
  const std::string layer = scenarios::shell_quoted(file);
  if (!workload.extends.empty()) return fmt::format("next: headrace simulate {}", layer);
  const scenarios::DlioOptions usual;
  if (workload.store != usual.store || workload.pool != usual.pool)
    return fmt::format(
        "The layer needs a scenario with the store '{}' and the pool '{}'. Lay it over yours, or build it on yours "
        "with "
        "--extends YOURS.json",
        workload.store, workload.pool);
  const std::string machines = machines_for(workload);
  const std::size_t end = machines.find(' ');
  return fmt::format(
      "next: headrace simulate {} {}{}\nstorage-nvme-host is a system that the program carries: put your own scenario "
      "in "
      "its place. {}",
      machines.substr(0, end), layer, end == std::string::npos ? std::string() : machines.substr(end),
      workload.beside ? "The job of the layer then runs beside its jobs."
                      : "The workload takes the place of its data sets and jobs (--beside keeps them).");
}

int import_workload(const ImportOptions& options, Console& console) {
  scenarios::Diagnostics diagnostics;
  const std::optional<std::string> text = scenarios::read_text(options.file, diagnostics);
  if (!text) return refuse(diagnostics, console, options.output.json);
  if (const auto status = refuse_own_document(options, *text, console)) return *status;
  scenarios::DlioOptions workload = options.workload;
  workload.store = options.measurement.store;
  workload.pool = options.measurement.pool;
  workload.extends = options.measurement.extends;
  const auto result = scenarios::import_dlio(options.file, *text, workload);
  if (!result) return refuse(result.error(), console, options.output.json);
  if (const auto wrong = scenarios::check_layer(layer_name(options), result->json, options.measurement); !wrong.empty())
    return refuse(wrong, console, options.output.json);
  if (!console.deliver(result->json, options.output.file)) return kBadInput;
  tell_unused(*result, options.file, console);
  if (!options.output.file.empty()) console.note(next_command(workload, options.output.file));
  return kOk;
}

int import_measurement(const scenarios::ImportFormat& format, const ImportOptions& options, Console& console) {
  scenarios::Diagnostics diagnostics;
  const auto text = scenarios::read_text(options.file, diagnostics, scenarios::kLargestImportBytes);
  if (!text) return refuse(diagnostics, console, options.output.json);
  if (const auto status = refuse_own_document(options, *text, console)) return *status;
  scenarios::ImportOptions measurement = options.measurement;
  measurement.today = scenarios::today();
  measurement.program_version = version_text();
  auto result = scenarios::import_file(format, options.file, *text, measurement);
  if (!result) return refuse(result.error(), console, options.output.json);
  if (result->table.empty())
    if (const auto wrong = scenarios::fit_layer(layer_name(options), *result, measurement); !wrong.empty())
      return refuse(wrong, console, options.output.json);
  const std::string document = result->table.empty() ? reports::json_text(result->layer) : result->table;
  if (!console.deliver(document, options.output.file)) return kBadInput;
  for (const std::string& note : result->notes) console.note("note: " + note);
  return kOk;
}

int run(const ImportOptions& options, Console& console) {
  if (!console.can_deliver({options.output.file})) return kBadInput;
  for (const scenarios::ImportFormat& format : scenarios::import_formats())
    if (format.name == options.format) return import_measurement(format, options, console);
  return import_workload(options, console);
}

}  // namespace

Verb import() {
  return make_verb<ImportOptions>("import", "turn a file of another program into figures of a scenario", add_options,
                                  run);
}

}  // namespace headrace::cli
