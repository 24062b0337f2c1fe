#include "reports/html/outcome_page.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "reports/html/outcome_sections.hpp"
#include "reports/html/page.hpp"

namespace headrace::reports {

const Document& at(const Document& object, const char* key) {
  static const Document kNothing;
  const auto found = object.find(key);
  return found != object.end() ? *found : kNothing;
}

double number_at(const Document& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : std::numeric_limits<double>::quiet_NaN();
}

bool has_interval(const Document& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_array() && found->size() == 2;
}

std::optional<Ends> interval_ends_at(const Document& object, const char* key) {
  if (!has_interval(object, key)) return std::nullopt;
  return Ends{object[key][0].get<double>(), object[key][1].get<double>()};
}

std::string outcome_page(const Document& outcome, const OutcomePageFacts& facts) {
  Page page;
  page.title = facts.title;
  if (page.title.empty()) page.title = outcome.value("/scenario/title"_json_pointer, std::string());
  if (page.title.empty()) page.title = "Headrace outcome";
  page.head = verdict_head(outcome);
  page.sections = {
      {"path", "The way of the data", path_section(outcome)},
      {"gpu-time", "Where each GPU second goes", gpu_time_section(outcome)},
      {"blame", "What the GPUs wait for, and what a fix would buy", blame_section(outcome)},
      {"metrics", "Key figures, and how sure they are", metrics_section(outcome)},
      {"drivers", "What to measure next", drivers_section(outcome)},
      {"stations", "Every resource", stations_section(outcome)},
      {"series", "Over time, from the start", series_section(outcome, facts)},
      {"epoch", "Over the epoch", epoch_section(outcome)},
      {"load-time", "Load time of a batch", load_time_section(outcome)},
      {"money", "What an epoch costs", money_section(outcome)},
      {"jobs", "Jobs", jobs_section(outcome)},
      {"warnings", "Warnings", warnings_section(outcome)},
      {"evidence", "How far this can be trusted", evidence_section(outcome)},
      {"inputs", "Inputs", inputs_section(outcome, facts)},
      {"repeat", "Repeat it", repeat_section(outcome, facts)},
  };
  return html_page(page);
}

}  // namespace headrace::reports
