#include "cli/report_tender.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/load.hpp"
#include "cli/refusal.hpp"
#include "models/base/abandoned.hpp"
#include "reports/export/document_page.hpp"
#include "reports/requirements_json.hpp"

namespace headrace::cli {
namespace {

/// What the store of a plan's recommended configuration must deliver.
tl::expected<nlohmann::ordered_json, scenarios::Diagnostics> required_by_plan(const nlohmann::ordered_json& plan,
                                                                              const std::string& source,
                                                                              std::stop_token stop) {
  std::vector<std::string> sets;
  for (const auto& assignment : reports::at(reports::at(plan, "recommended"), "set_values"))
    if (assignment.is_string()) sets.push_back(assignment.get<std::string>());
  const auto loaded =
      load_text(source, reports::at(plan, "scenario").dump(), scenarios::Catalogue::shipped(), {}, sets);
  if (!loaded) return tl::unexpected(loaded.error());
  scenarios::RequirementOptions how;
  how.probe.stop = std::move(stop);
  const auto found = scenarios::require_of_store(*loaded, how);
  if (!found) return tl::unexpected(found.error());
  return reports::requirements_json(*found, *loaded);
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
    const auto requirements = required_by_plan(document, source, watch.token());
    if (!requirements) return refuse(requirements.error(), console);
    return deliver_tender(*requirements, source, options, output, console);
  } catch (const models::Abandoned&) {
    return kInterrupted;
  }
}

}  // namespace headrace::cli
