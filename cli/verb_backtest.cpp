// headrace backtest: some rows of a table of measurements calibrate their systems, the others are predicted.
#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/page_facts.hpp"
#include "cli/refusal.hpp"
#include "cli/verbs.hpp"
#include "models/backtest/backtest.hpp"
#include "reports/backtest_json.hpp"
#include "reports/backtest_text.hpp"
#include "reports/html/backtest_page.hpp"
#include "reports/outcome_json.hpp"
#include "scenarios/diagnostic.hpp"
#include "scenarios/document.hpp"
#include "scenarios/measurements.hpp"
#include "scenarios/workload_figures.hpp"

namespace headrace::cli {
namespace {

using scenarios::Diagnostics;

tl::expected<std::vector<models::WorkloadFigures>, Diagnostics> figures_of(const Invocation& call) {
  if (call.workloads.empty()) return scenarios::shipped_workload_figures();
  Diagnostics diagnostics;
  const std::optional<std::string> text = scenarios::read_text(call.workloads, diagnostics);
  if (!text) return tl::unexpected(diagnostics);
  return scenarios::read_workload_figures(call.workloads, *text);
}

tl::expected<scenarios::Measurements, Diagnostics> measurements_of(const Invocation& call) {
  const auto figures = figures_of(call);
  if (!figures) return tl::unexpected(figures.error());
  Diagnostics diagnostics;
  const std::string& file = call.inputs.front();
  const std::optional<std::string> text = scenarios::read_text(file, diagnostics);
  if (!text) return tl::unexpected(diagnostics);
  return scenarios::read_measurements(file, *text, call.from, *figures);
}

void tell_unused(const std::vector<std::string>& columns, Console& console) {
  std::string names;
  for (const std::string& name : columns) names.append(names.empty() ? "" : ", ").append(name);
  if (!names.empty()) console.note("note: columns not used: " + names);
}

}  // namespace

int backtest(const Invocation& call, Console& console) {
  if (!console.can_deliver(call.output) || !console.can_deliver(call.report)) return kBadInput;
  const auto measurements = measurements_of(call);
  if (!measurements) return fail(measurements.error(), call, console);
  tell_unused(measurements->unused_columns, console);
  const models::Backtest result = models::run_backtest(measurements->runs);
  const auto json = reports::backtest_json(result, measurements->runs);
  const std::string document =
      call.json ? reports::json_text(json)
                : reports::backtest_text(result, measurements->runs, call.inputs.front(), console.out_style());
  const bool delivered = console.deliver(document, call.output);
  const std::string title = "Backtest of " + call.inputs.front();
  const bool drawn =
      call.report.empty() || console.deliver(reports::backtest_page(json, page_facts(call, title)), call.report);
  return delivered && drawn ? kOk : kBadInput;
}

}  // namespace headrace::cli
