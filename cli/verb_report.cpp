// headrace report: a saved document as a page to look at, the results of sweeps as a page or as tables.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cli/exit_code.hpp"
#include "cli/refusal.hpp"
#include "cli/report_tender.hpp"
#include "cli/store_refusal.hpp"
#include "cli/verb.hpp"
#include "reports/export/document_export.hpp"
#include "reports/export/document_page.hpp"
#include "reports/html/calibration_page.hpp"
#include "reports/html/sweep_page.hpp"
#include "reports/memo.hpp"
#include "reports/open_metrics.hpp"
#include "reports/results_export.hpp"
#include "scenarios/bakeoff/bakeoff.hpp"
#include "scenarios/document/file_kind.hpp"
#include "scenarios/document/read_json.hpp"
#include "scenarios/document/site_file.hpp"
#include "scenarios/results/stored_json.hpp"
#include "scenarios/total_cost/total_cost_document.hpp"

namespace headrace::cli {
namespace {

struct ReportOptions {
  OutputOptions output;
  std::string source;
  std::string format;   ///< empty: as fits
  std::string metrics;  ///< names joined by commas; empty: the usual ones
  std::string best;     ///< metric whose best point alone is wanted
  std::string sweep;    ///< beginning of the id of a sweep; empty: all
  TenderOptions tender;
  bool memo = false;  ///< one page for a decision

  std::string written_format() const { return output.json ? "json" : format; }
};

void add_options(OptionTable& table, ReportOptions& options) {
  table.examples({"headrace simulate image-node --json -o answer.json", "headrace report answer.json -o answer.html"});
  table.argument(
      "store", "FILE", options.source,
      "a document of simulate, bound, plan, campaign, growth, bakeoff, check, compare, verify or backtest --json, a "
      "file of calibrate, or a results store");
  table.section("Report");
  table
      .add("--format", "FORMAT", options.format,
           "html (default of documents, and with -o FILE.html), markdown (on a terminal, and with -o FILE.md), junit "
           "with -o FILE.xml, csv "
           "(default of stores), json; ndjson: one row a line, "
           "of a store; markdown, openmetrics: of a document; junit: of a check or a comparison")
      .one_of({"html", "csv", "ndjson", "json", "markdown", "junit", "openmetrics"});
  table.add("--metrics", "NAMES", options.metrics,
            "metrics joined by commas, or all (default: the usual ones); busy_share: of every resource");
  table.add("--best", "METRIC", options.best, "only the point with the best value of a metric");
  table.add("--sweep", "ID", options.sweep, "only sweeps whose id begins so");
  add_tender(table, options.tender);
  table.flag("--memo", options.memo,
             "a decision on one page, of a bakeoff, plan, growth or tco: HTML, or Markdown with -o FILE.md");
  add_output(table, options.output);
  add_progress(table, options.output);
}

reports::ExportOptions export_options(const ReportOptions& options) {
  reports::ExportOptions wish;
  const std::string format = options.written_format();
  wish.format = format == "ndjson" ? reports::ResultsFormat::ndjson
                : format == "json" ? reports::ResultsFormat::json
                                   : reports::ResultsFormat::csv;
  for (std::size_t at = 0; at < options.metrics.size();) {
    const std::size_t comma = std::min(options.metrics.find(',', at), options.metrics.size());
    if (comma > at) wish.metrics.push_back(options.metrics.substr(at, comma - at));
    at = comma + 1;
  }
  wish.best = options.best;
  wish.sweep = options.sweep;
  return wish;
}

/// Results of sweeps are SQLite files, outcomes are JSON objects.
bool looks_like_json(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  char first = 0;
  return file >> first && first == '{';
}

int unknown_document(const std::string& path, const std::string& why, Console& console) {
  return refuse(
      fmt::format("'{}' cannot be shown: {}", path, why),
      "give a document of simulate, bound, plan, campaign, growth, bakeoff, check, compare, verify or backtest --json, "
      "a file of calibrate, or a results store",
      console);
}

int report_calibration(const std::string& text, const ReportOptions& options, Console& console) {
  const auto calibration = scenarios::read_site_file(options.source, text);
  if (!calibration) return refuse(calibration.error(), console);
  return console.deliver(reports::calibration_page(*calibration, {}), options.output.file) ? kOk : kBadInput;
}

int report_open_metrics(const nlohmann::ordered_json& document, const ReportOptions& options, Console& console) {
  const reports::DocumentKind kind = reports::kind_of(document);
  if (kind != reports::DocumentKind::outcome && kind != reports::DocumentKind::check)
    return unknown_document(options.source, "only outcomes have metrics for a dashboard", console);
  const auto& outcome = kind == reports::DocumentKind::check ? document["outcome"] : document;
  return console.deliver(reports::open_metrics(outcome), options.output.file) ? kOk : kBadInput;
}

/// In a format that other programs read.
int report_as(const std::string& format, const nlohmann::ordered_json& document, const ReportOptions& options,
              Console& console) {
  const auto text = reports::document_export(document, format);
  if (text) return console.deliver(*text, options.output.file) ? kOk : kBadInput;
  return refuse(fmt::format("'{}': {}", options.source, text.error().message), text.error().help, console);
}

/// As asked, or as the name of the file says.
std::string document_format(const ReportOptions& options) {
  const std::string asked = options.written_format();
  if (!asked.empty()) return asked;
  for (const auto& [ending, format] : {std::pair{".md", "markdown"}, {".json", "json"}, {".xml", "junit"}})
    if (options.output.file.ends_with(ending)) return format;
  return {};
}

/// The decision behind a bakeoff, a plan, a growth or a total cost; nullopt after a complaint.
std::optional<reports::Memo> memo_of(const std::string& text, const nlohmann::ordered_json& document,
                                     const ReportOptions& options, Console& console) {
  if (document.value("kind", "") == "bakeoff") {
    const auto bakeoff = scenarios::read_bakeoff(options.source, text);
    if (bakeoff) return reports::memo_of(*bakeoff);
    refuse(bakeoff.error(), console);
    return std::nullopt;
  }
  const reports::DocumentKind kind = reports::kind_of(document);
  if (kind == reports::DocumentKind::total_cost) {
    const auto cost = scenarios::read_total_cost(options.source, text);
    if (cost) return reports::memo_of(*cost);
    refuse(cost.error(), console);
    return std::nullopt;
  }
  if (kind == reports::DocumentKind::growth) return reports::memo_of(reports::read_growth(document));
  auto memo = kind == reports::DocumentKind::plan ? reports::memo_of_plan(document) : std::nullopt;
  if (!memo)
    refuse(fmt::format("'{}' holds no decision", options.source),
           "--memo takes a document of bakeoff, growth or tco --json, or of plan --json that recommends something",
           console);
  return memo;
}

int report_memo(const std::string& text, const nlohmann::ordered_json& document, const ReportOptions& options,
                const std::string& format, Console& console) {
  const auto memo = memo_of(text, document, options, console);
  if (!memo) return kBadInput;
  if (!format.empty() && format != "html" && format != "markdown")
    return refuse(fmt::format("a memo has no form as {}", format), "--format html or markdown", console);
  return console.deliver(format == "markdown" ? reports::memo_markdown(*memo) : reports::memo_page(*memo),
                         options.output.file)
             ? kOk
             : kBadInput;
}

scenarios::Diagnostics complaint_about(const std::string& source, const std::string& text, const std::string& pointer,
                                       const std::string& what) {
  scenarios::Diagnostics diagnostics;
  diagnostics.add(scenarios::complaint_in(source, text, pointer, "E0132", "the document cannot be shown: " + what,
                                          "write it again with the command that made it"));
  return diagnostics;
}

/// What is wrong with a document whose kind is read as a whole, with its place.
tl::expected<void, scenarios::Diagnostics> whole(const std::string& text, const nlohmann::ordered_json& document,
                                                 const std::string& source) {
  const reports::DocumentKind kind = reports::kind_of(document);
  if (kind == reports::DocumentKind::bakeoff)
    if (const auto read = scenarios::read_bakeoff(source, text); !read) return tl::unexpected(read.error());
  if (kind == reports::DocumentKind::total_cost)
    if (const auto read = scenarios::read_total_cost(source, text); !read) return tl::unexpected(read.error());
  if (const auto fault = reports::fault_of(document))
    return tl::unexpected(complaint_about(source, text, fault->pointer, fault->what));
  return {};
}

int show_document(const std::string& text, const nlohmann::ordered_json& document, const ReportOptions& options,
                  Console& console) {
  const std::string format = document_format(options);
  if (const auto read = whole(text, document, options.source); !read) return refuse(read.error(), console);
  if (options.tender.asked) return report_tender(document, options.source, options.tender, options.output, console);
  if (options.memo) return report_memo(text, document, options, format, console);
  if (format == "openmetrics") return report_open_metrics(document, options, console);
  if (!format.empty() && format != "html") return report_as(format, document, options, console);
  if (format.empty() && options.output.file.empty() && console.is_terminal())
    if (const auto shown = reports::document_export(document, "markdown")) {  // a page is no text to read
      console.note("as Markdown; -o FILE.html writes a page");
      return console.deliver(*shown, {}) ? kOk : kBadInput;
    }
  if (reports::kind_of(document) == reports::DocumentKind::calibration)
    return report_calibration(text, options, console);
  if (const auto page = reports::document_page(document, {}))
    return console.deliver(*page, options.output.file) ? kOk : kBadInput;
  if (const auto other = scenarios::complaint_about_file(options.source, "a result with a page"))
    return refuse(fmt::format("'{}' cannot be shown: {}", options.source, other->message), other->help, console);
  return unknown_document(options.source, "it is no document of this program", console);
}

/// A document that was changed by hand or damaged: a value is missing, or of another type than its kind has.
int changed_document(const std::string& text, const nlohmann::ordered_json& document, std::string why,
                     const ReportOptions& options, Console& console) {
  if (why.starts_with("[")) why = why.substr(std::min(why.find("] ") + 2, why.size()));
  return refuse(complaint_about(options.source, text, reports::last_read(document), "at or near this place, " + why),
                console);
}

int report_document(const ReportOptions& options, Console& console) {
  scenarios::Diagnostics diagnostics;
  const std::optional<std::string> text = scenarios::read_text(options.source, diagnostics);
  if (!text) return refuse(diagnostics, console);
  const auto document = scenarios::parse_json(options.source, *text);
  if (!document) return refuse(document.error(), console);
  try {
    return show_document(*text, *document, options, console);
  } catch (const nlohmann::json::exception& error) {
    return changed_document(*text, *document, error.what(), options, console);
  } catch (const std::out_of_range&) {  // JSON_ASSERT
    return changed_document(*text, *document, "a value is missing", options, console);
  }
}

int report_page(const scenarios::ResultsStore& store, const ReportOptions& options, Console& console) {
  const std::string metric = options.metrics.empty() ? options.best : options.metrics;
  const auto page = reports::sweep_page(store, {options.sweep, metric});
  if (!page) return refuse(page.error().message, page.error().help, console);
  return console.deliver(*page, options.output.file) ? kOk : kBadInput;
}

int report_table(const scenarios::ResultsStore& store, const ReportOptions& options, Console& console) {
  std::string document;
  const auto done =
      reports::export_results(store, export_options(options), [&document](std::string_view text) { document += text; });
  if (!done) return refuse(done.error().message, done.error().help, console);
  return console.deliver(document, options.output.file) ? kOk : kBadInput;
}

/// An interrupted sweep, or one shard: what is missing is told, so that nobody takes the rest for all.
void tell_missing(const scenarios::ResultsStore& store, const ReportOptions& options, Console& console) {
  for (const scenarios::SweepRecord& sweep : store.sweeps()) {
    const std::uint64_t there = store.points_of(sweep.id);
    if (sweep.id.starts_with(options.sweep) && there < sweep.points)
      console.warn(fmt::format("sweep {}: {} of {} points are in '{}'; the same headrace sweep computes the others",
                               sweep.id.substr(0, 12), there, sweep.points, store.path()));
  }
}

int report_store(const ReportOptions& options, Console& console) {
  const scenarios::ResultsStore store(options.source, scenarios::ResultsStore::Access::read);
  const std::string format =
      options.format.empty() && options.output.file.ends_with(".md") ? "markdown" : options.format;
  if (format == "markdown" || format == "junit" || format == "openmetrics")
    return refuse(fmt::format("'{}' is a store of results: it has no form as {}", options.source, format),
                  "--format html, csv, ndjson or json", console);
  store.require_intact();
  tell_missing(store, options, console);
  const bool page =
      format == "html" || (!options.output.json && format.empty() && options.output.file.ends_with(".html"));
  return page ? report_page(store, options, console) : report_table(store, options, console);
}

int run(const ReportOptions& options, Console& console) {
  if (!console.can_deliver({options.output.file})) return kBadInput;
  std::error_code missing;
  if (options.source != "-" && !std::filesystem::exists(options.source, missing))
    return refuse(fmt::format("cannot read '{}': no such file", options.source),
                  "report takes what --json -o FILE wrote, or the store of headrace sweep -o", console);
  if (looks_like_json(options.source)) return report_document(options, console);
  if (options.tender.asked)
    return unknown_document(options.source, "a tender is made of a plan or of requirements", console);
  try {
    return report_store(options, console);
  } catch (const scenarios::StoreError& error) {
    return refuse(error, console);
  } catch (const nlohmann::json::exception& error) {
    return refuse(scenarios::changed_store(options.source, error.what()), console);
  } catch (const std::out_of_range&) {  // JSON_ASSERT
    return refuse(scenarios::changed_store(options.source, "a value is missing"), console);
  }
}

}  // namespace

Verb report() {
  return make_verb<ReportOptions>("report", "show a saved result, or the results of sweeps: HTML, CSV, JSON",
                                  add_options, run);
}

}  // namespace headrace::cli
