// headrace report: one outcome as a page to look at, the results of sweeps as a page or as tables.
#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/store_error.hpp"
#include "cli/verbs.hpp"
#include "reports/html/outcome_page.hpp"
#include "reports/html/sweep_page.hpp"
#include "reports/open_metrics.hpp"
#include "reports/results_export.hpp"
#include "scenarios/document.hpp"

namespace headrace::cli {
namespace {

reports::ExportOptions export_options(const Invocation& call) {
  reports::ExportOptions options;
  const std::string format = call.json ? "json" : call.format;
  options.format = format == "ndjson" ? reports::ResultsFormat::ndjson
                   : format == "json" ? reports::ResultsFormat::json
                                      : reports::ResultsFormat::csv;
  for (std::size_t at = 0; at < call.metrics.size();) {
    const std::size_t comma = std::min(call.metrics.find(',', at), call.metrics.size());
    if (comma > at) options.metrics.push_back(call.metrics.substr(at, comma - at));
    at = comma + 1;
  }
  options.best = call.best;
  options.sweep = call.sweep_id;
  return options;
}

/// Results of sweeps are SQLite files, outcomes are JSON objects.
bool looks_like_json(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  char first = 0;
  return file >> first && first == '{';
}

int not_an_outcome(const std::string& path, const std::string& why, Console& console) {
  console.error(fmt::format("'{}' is not an outcome: {}", path, why),
                "give what headrace simulate or bound --json has written, or a store of results");
  return kBadInput;
}

int report_outcome(const Invocation& call, Console& console) {
  const std::string& path = call.inputs.front();
  scenarios::Diagnostics diagnostics;
  const std::optional<std::string> text = scenarios::read_text(path, diagnostics);
  if (!text) {
    console.raw_error(print_text(diagnostics, console.err_colour()));
    return kBadInput;
  }
  if (call.format == "csv" || call.format == "ndjson") {
    console.error("an outcome has no table of points", "--format html or openmetrics; csv and ndjson are for stores");
    return kBadInput;
  }
  try {
    const auto outcome = nlohmann::ordered_json::parse(*text);
    for (const char* key : {"format_version", "verdict", "metrics", "evidence"})
      if (!outcome.contains(key)) return not_an_outcome(path, fmt::format("it has no \"{}\"", key), console);
    const std::string document =
        call.format == "openmetrics" ? reports::open_metrics(outcome) : reports::outcome_page(outcome, {});
    return console.deliver(document, call.output) ? kOk : kBadInput;
  } catch (const nlohmann::json::exception& error) {
    return not_an_outcome(path, error.what(), console);
  }
}

int report_page(const scenarios::ResultsStore& store, const Invocation& call, Console& console) {
  const std::string metric = call.metrics.empty() ? call.best : call.metrics;
  const auto page = reports::sweep_page(store, {call.sweep_id, metric});
  if (page) return console.deliver(*page, call.output) ? kOk : kBadInput;
  console.error(page.error().message, page.error().help);
  return kBadInput;
}

int report_table(const scenarios::ResultsStore& store, const Invocation& call, Console& console) {
  std::string document;
  const auto done =
      reports::export_results(store, export_options(call), [&document](std::string_view text) { document += text; });
  if (!done) {
    console.error(done.error().message, done.error().help);
    return kBadInput;
  }
  return console.deliver(document, call.output) ? kOk : kBadInput;
}

}  // namespace

int report(const Invocation& call, Console& console) {
  if (!console.can_deliver(call.output)) return kBadInput;
  if (looks_like_json(call.inputs.front())) return report_outcome(call, console);
  try {
    const scenarios::ResultsStore store(call.inputs.front(), scenarios::ResultsStore::Access::read);
    const bool page = call.format == "html" || (call.format.empty() && call.output.ends_with(".html"));
    return page ? report_page(store, call, console) : report_table(store, call, console);
  } catch (const scenarios::StoreError& error) {
    return fail(error, console);
  }
}

}  // namespace headrace::cli
