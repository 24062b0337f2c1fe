// headrace report: a saved document as a page to look at, the results of sweeps as a page or as tables.
#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/store_error.hpp"
#include "cli/verbs.hpp"
#include "reports/document_export.hpp"
#include "reports/html/calibration_page.hpp"
#include "reports/html/document_page.hpp"
#include "reports/html/sweep_page.hpp"
#include "reports/open_metrics.hpp"
#include "reports/results_export.hpp"
#include "scenarios/document.hpp"
#include "scenarios/site_file.hpp"

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

int unknown_document(const std::string& path, const std::string& why, Console& console) {
  console.error(
      fmt::format("'{}' cannot be shown: {}", path, why),
      "give what simulate, bound, plan, check, compare, verify or backtest --json has written, a file of calibrate, or "
      "a store of results");
  return kBadInput;
}

int report_calibration(const std::string& path, const std::string& text, const Invocation& call, Console& console) {
  const auto calibration = scenarios::read_site_file(path, text);
  if (calibration) return console.deliver(reports::calibration_page(*calibration, {}), call.output) ? kOk : kBadInput;
  console.raw_error(print_text(calibration.error(), console.err_colour()));
  return kBadInput;
}

int report_open_metrics(const nlohmann::ordered_json& document, const Invocation& call, Console& console) {
  const reports::DocumentKind kind = reports::kind_of(document);
  if (kind != reports::DocumentKind::outcome && kind != reports::DocumentKind::check)
    return unknown_document(call.inputs.front(), "only outcomes have metrics for a dashboard", console);
  const auto& outcome = kind == reports::DocumentKind::check ? document["outcome"] : document;
  return console.deliver(reports::open_metrics(outcome), call.output) ? kOk : kBadInput;
}

/// In a format that other programs read.
int report_as(const std::string& format, const nlohmann::ordered_json& document, const Invocation& call,
              Console& console) {
  const auto text = reports::document_export(document, format);
  if (text) return console.deliver(*text, call.output) ? kOk : kBadInput;
  console.error(fmt::format("'{}': {}", call.inputs.front(), text.error().message), text.error().help);
  return kBadInput;
}

int report_document(const Invocation& call, Console& console) {
  const std::string& path = call.inputs.front();
  scenarios::Diagnostics diagnostics;
  const std::optional<std::string> text = scenarios::read_text(path, diagnostics);
  if (!text) {
    console.raw_error(print_text(diagnostics, console.err_colour()));
    return kBadInput;
  }
  try {
    const auto document = nlohmann::ordered_json::parse(*text);
    const std::string format = call.json ? "json" : call.format;
    if (format == "openmetrics") return report_open_metrics(document, call, console);
    if (!format.empty() && format != "html") return report_as(format, document, call, console);
    if (reports::kind_of(document) == reports::DocumentKind::calibration)
      return report_calibration(path, *text, call, console);
    if (const auto page = reports::document_page(document, {}))
      return console.deliver(*page, call.output) ? kOk : kBadInput;
    return unknown_document(path, "it is no document of this program", console);
  } catch (const nlohmann::json::exception& error) {
    return unknown_document(path, error.what(), console);
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
  if (looks_like_json(call.inputs.front())) return report_document(call, console);
  try {
    const scenarios::ResultsStore store(call.inputs.front(), scenarios::ResultsStore::Access::read);
    if (call.format == "markdown" || call.format == "junit" || call.format == "openmetrics") {
      console.error(fmt::format("'{}' is a store of results: it has no form as {}", call.inputs.front(), call.format),
                    "--format html, csv, ndjson or json");
      return kBadInput;
    }
    const bool page = call.format == "html" || (!call.json && call.format.empty() && call.output.ends_with(".html"));
    return page ? report_page(store, call, console) : report_table(store, call, console);
  } catch (const scenarios::StoreError& error) {
    return fail(error, console);
  }
}

}  // namespace headrace::cli
