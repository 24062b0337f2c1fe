#include "cli/report_tender.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/load.hpp"
#include "cli/progress_line.hpp"
#include "cli/refusal.hpp"
#include "cli/study_options.hpp"
#include "models/base/abandoned.hpp"
#include "reports/export/document_page.hpp"
#include "reports/requirements_json.hpp"

namespace headrace::cli {
namespace {

/// The recommended configuration of a plan as a scenario of its own.
tl::expected<LoadedScenario, scenarios::Diagnostics> recommended_by_plan(const nlohmann::ordered_json& plan,
                                                                         const std::string& source,
                                                                         const std::vector<std::string>& catalogues) {
  std::vector<std::string> sets;
  for (const auto& assignment : reports::at(reports::at(plan, "recommended"), "set_values"))
    if (assignment.is_string()) sets.push_back(assignment.get<std::string>());
  const auto catalogue = catalogue_of(catalogues);
  if (!catalogue) return tl::unexpected(catalogue.error());
  return load_text(source, reports::at(plan, "scenario").dump(), *catalogue, {}, sets);
}

/// What its store must deliver.
tl::expected<nlohmann::ordered_json, scenarios::Diagnostics> required_by_plan(const LoadedScenario& loaded,
                                                                              double max_wall_s,
                                                                              const InterruptWatch& watch,
                                                                              Console& console) {
  ProgressLine line(console);
  scenarios::RequirementOptions how;
  how.probe.stop = watch.token();
  how.probe.max_wall_s = max_wall_s;
  if (console.shows_progress())
    how.probe.progress = [&line](const std::string& phase, std::size_t runs) { line.show_runs(phase, runs); };
  const auto found = scenarios::require_of_store(loaded, how);
  if (!found) return tl::unexpected(found.error());
  return reports::requirements_json(*found, loaded);
}

int deliver_tender(const nlohmann::ordered_json& requirements, const std::string& source, const TenderOptions& options,
                   const OutputOptions& output, Console& console) {
  if (reports::at(requirements, "figures").empty())
    return refuse(fmt::format("'{}': no store is enough for these limits, so there is nothing to tender", source),
                  "headrace plan SCENARIO --require says which limit is missed", console);
  const auto redacts = [&options](const char* what) {
    return std::find(options.redacted.begin(), options.redacted.end(), what) != options.redacted.end();
  };
  const reports::Tender tender = reports::tender_of(requirements, {redacts("prices"), redacts("names")});
  const bool markdown = output.file.ends_with(".md");
  return console.deliver(markdown ? reports::tender_markdown(tender) : reports::tender_page(tender), output.file)
             ? kOk
             : kBadInput;
}

}  // namespace

void add_tender(OptionTable& table, TenderOptions& options) {
  const Option tender =
      table.flag("--rfp", options.asked,
                 "the tender pack of a plan or of requirements (plan --require --json): requirements, "
                 "workload, limits by layer, acceptance tests, scoring sheet; HTML, or Markdown with "
                 "-o FILE.md");
  table
      .add("--redact", "WHAT", options.redacted,
           "leave out of the tender: prices, names (of the system, its stores, jobs and datasets), or both: "
           "prices,names")
      .separated(',')
      .one_of({"prices", "names"})
      .needs(tender);
  table
      .add("--catalogue", "FILE", options.catalogues,
           "a file of your own figures that the plan was made with, for --rfp (repeatable)")
      .repeatable()
      .needs(tender);
  add_max_wall(table, options.max_wall_s, "--rfp of a plan: stop after so much real time (default 10 min)");
}

int report_tender(const nlohmann::ordered_json& document, const std::string& source, const TenderOptions& options,
                  const OutputOptions& output, Console& console) {
  const reports::DocumentKind kind = reports::kind_of(document);
  if (kind == reports::DocumentKind::requirements) return deliver_tender(document, source, options, output, console);
  if (kind != reports::DocumentKind::plan)
    return refuse(fmt::format("'{}': a tender is made of a plan or of requirements", source),
                  "give a document of headrace plan SCENARIO --require --json", console);
  const InterruptWatch watch;
  try {
    const auto loaded = recommended_by_plan(document, source, options.catalogues);
    if (!loaded) {
      refuse(loaded.error(), console);
      if (options.catalogues.empty())
        console.error(fmt::format("'{}': its recommended configuration cannot be read", source),
                      "name the files of your own figures that the plan was made with: --catalogue FILE");
      return kBadInput;
    }
    const auto requirements = required_by_plan(*loaded, options.max_wall_s, watch, console);
    if (!requirements) return refuse(requirements.error(), console);
    return deliver_tender(*requirements, source, options, output, console);
  } catch (const models::Abandoned&) {
    if (watch.interrupted()) return kInterrupted;
    console.error(
        fmt::format("'{}': what its store must deliver was not found within {:.3g} s", source, options.max_wall_s),
        "give it more time: --max-wall");
    return kInconclusive;
  }
}

}  // namespace headrace::cli
