#include "reports/html/outcome_page.hpp"

#include <nlohmann/json.hpp>

#include "reports/html/live_program.hpp"
#include "reports/html/live_section.hpp"
#include "reports/html/outcome_sections.hpp"

namespace headrace::reports {

std::vector<PageSection> outcome_sections(const Document& outcome, const OutcomePageFacts& facts) {
  return {
      {"path", "Data path", path_section(outcome)},
      {"gpu-time", "GPU time by state", gpu_time_section(outcome)},
      {"blame", "Waits of the GPUs, and gain if removed", blame_section(outcome)},
      {"metrics", "Key figures and confidence intervals", metrics_section(outcome)},
      {"drivers", "Sensitivity, and figures to measure next", drivers_section(outcome)},
      {"stations", "Every resource", stations_section(outcome)},
      {"series", "Over time, from the start", series_section(outcome, facts)},
      {"epoch", "Over the epoch", epoch_section(outcome)},
      {"load-time", "Load time of a batch", load_time_section(outcome)},
      {"money", "Cost of an epoch", money_section(outcome)},
      {"sizing", "Sizing sheet", sizing_section(outcome)},
      {"jobs", "Jobs", jobs_section(outcome)},
      {"warnings", "Warnings", warnings_section(outcome)},
      {"evidence", "Validation", evidence_section(outcome)},
      {"models", "Assumptions and sources", models_section(outcome)},
      {"inputs", "Inputs", inputs_section(outcome, facts)},
      {"repeat", "Repeat it", repeat_section(outcome, facts)},
  };
}

bool can_answer() { return !live_program().empty(); }

std::string outcome_page(const Document& outcome, const OutcomePageFacts& facts) {
  Page page;
  page.title = facts.title;
  if (page.title.empty()) page.title = outcome.value("/scenario/title"_json_pointer, std::string());
  if (page.title.empty()) page.title = "Headrace outcome";
  page.head = verdict_head(outcome, {}, facts.open_wait);
  page.sections = outcome_sections(outcome, facts);
  if (facts.live && can_answer()) {
    page.sections.insert(page.sections.begin(), {"what-if", "Change it and see", live_section(outcome)});
    page.script = live_script();
    page.web_assembly = true;
  }
  return html_page(page);
}

}  // namespace headrace::reports
