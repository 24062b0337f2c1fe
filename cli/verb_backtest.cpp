// headrace backtest: some rows of a table of measurements calibrate their systems, the others are predicted.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/refusal.hpp"
#include "cli/verb.hpp"
#include "models/backtest/backtest.hpp"
#include "models/base/model_version.hpp"
#include "reports/backtest_json.hpp"
#include "reports/backtest_text.hpp"
#include "reports/html/backtest_page.hpp"
#include "reports/outcome_json.hpp"
#include "scenarios/document/diagnostic.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/importers/workload_figures.hpp"
#include "scenarios/measured_runs/measurements.hpp"

namespace headrace::cli {
namespace {

using scenarios::Diagnostics;

struct BacktestOptions {
  OutputOptions output;
  std::string rows;
  std::string from;       ///< which rows calibrate
  std::string workloads;  ///< file of workload figures; empty: the shipped ones
};

void add_options(OptionTable& table, BacktestOptions& options) {
  table.examples({"headrace backtest results.csv --from smallest"});
  table.argument("rows", "FILE", options.rows,
                 "table with the columns of MLPerf Storage results, or your own; - is stdin");
  table.section("Backtest");
  table.add("--from", "FILTER", options.from,
            "rows that calibrate: accelerator=a100, workload=unet3d, submitter=NAME (joined by commas), smallest, or "
            "role (a column, default if present)");
  table.add("--workloads", "FILE", options.workloads, "figures of the workloads as JSON (default: the shipped ones)");
  add_output(table, options.output);
  add_report(table, options.output);
}

tl::expected<std::vector<models::WorkloadFigures>, Diagnostics> figures_of(const std::string& file) {
  if (file.empty()) return scenarios::shipped_workload_figures();
  Diagnostics diagnostics;
  const std::optional<std::string> text = scenarios::read_text(file, diagnostics);
  if (!text) return tl::unexpected(diagnostics);
  return scenarios::read_workload_figures(file, *text);
}

tl::expected<scenarios::Measurements, Diagnostics> measurements_of(const BacktestOptions& options) {
  const auto figures = figures_of(options.workloads);
  if (!figures) return tl::unexpected(figures.error());
  Diagnostics diagnostics;
  const std::optional<std::string> text = scenarios::read_text(options.rows, diagnostics);
  if (!text) return tl::unexpected(diagnostics);
  return scenarios::read_measurements(options.rows, *text, options.from, *figures);
}

int run(const BacktestOptions& options, Console& console) {
  const OutputOptions& output = options.output;
  if (!console.can_deliver({output.file, output.report})) return kBadInput;
  const auto measurements = measurements_of(options);
  if (!measurements) return refuse(measurements.error(), console, output.json);
  if (const auto& unused = measurements->unused_columns; !unused.empty())
    console.note(fmt::format("note: columns not used: {}", fmt::join(unused, ", ")));
  const reports::RecordedBacktest result{models::run_backtest(measurements->runs), measurements->runs,
                                         std::string(models::kModelVersion)};
  const std::string document =
      output.json ? reports::json_text(reports::backtest_json(result))
                  : reports::backtest_text(result.backtest, result.runs, options.rows, console.out_style());
  const bool delivered = console.deliver(document, output.file);
  const reports::PageFacts facts{"Backtest of " + options.rows, output.program};
  const bool drawn = output.report.empty() || console.deliver(reports::backtest_page(result, facts), output.report);
  return delivered && drawn ? kOk : kBadInput;
}

}  // namespace

Verb backtest() {
  return make_verb<BacktestOptions>(
      "backtest", "predict measured runs from others of the same systems, and count the errors", add_options, run);
}

}  // namespace headrace::cli
