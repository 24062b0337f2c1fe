#include "gui/presenter/bundle.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "gui/presenter/command_text.hpp"
#include "reports/html/outcome_page.hpp"
#include "reports/outcome_json.hpp"
#include "reports/verdict_text.hpp"
#include "scenarios/document/atomic_file.hpp"

namespace headrace::gui {
namespace {

nlohmann::ordered_json document_of(const ScenarioDocument& document, models::Outcome outcome) {
  outcome.scenario_sha256 = document.loaded().sha256;
  return reports::outcome_json(outcome, {document.loaded().resolved, document.loaded().composition.catalogue_version});
}

/// Steps and seed repeat a simulated answer to the last bit; a bound needs none.
std::string repeating_command(const models::Outcome& outcome) {
  const bool simulated = !outcome.metrics.empty() && outcome.metrics.front().kind == models::AnswerKind::simulated;
  if (!simulated) return "headrace bound scenario.headrace.json";
  return fmt::format("headrace simulate scenario.headrace.json --seed {} --steps {}", outcome.seed, outcome.steps);
}

}  // namespace

std::string report_of(const ScenarioDocument& document, const models::Outcome& outcome) {
  reports::OutcomePageFacts facts;
  facts.title = document.title();
  facts.command = command_text(document);
  facts.origin_of = [&document](const std::string& pointer) { return document.loaded().origin_of(pointer).print(); };
  return reports::outcome_page(document_of(document, outcome), facts);
}

std::vector<BundledFile> bundle_of(const ScenarioDocument& document, const models::Outcome& outcome) {
  std::string readme = fmt::format(
      "{}\n{}\n\nscenario.headrace.json  every value of the scenario, nothing else is needed\n"
      "outcome.json            the answer for programs\n"
      "report.html             the answer for people, one page that needs no network\n\n"
      "Scenario {}, made from: {}\nThe same answer again: {}\n",
      document.title(), reports::verdict_line(outcome), document.loaded().sha256, command_text(document),
      repeating_command(outcome));
  return {{"scenario.headrace.json", reports::json_text(document.loaded().resolved)},
          {"outcome.json", reports::json_text(document_of(document, outcome))},
          {"report.html", report_of(document, outcome)},
          {"README.txt", std::move(readme)}};
}

std::optional<std::string> write_bundle(const std::string& folder, const std::vector<BundledFile>& files) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return fmt::format("cannot make the folder {}: {}", folder, error.message());
  for (const BundledFile& file : files) {
    const auto written = scenarios::write_atomically((std::filesystem::path(folder) / file.name).string(), file.text);
    if (!written) return print_text(written.error());
  }
  return std::nullopt;
}

}  // namespace headrace::gui
