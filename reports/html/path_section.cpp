// The cluster as a picture: the resources in the order in which the data pass them, how busy each is, and the one that
// binds.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/html/bars.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/outcome_sections.hpp"
#include "reports/humane.hpp"

namespace headrace::reports {
namespace {

/// The resource that alone allows the longest step; the busiest where no step is told.
const Document* tightest(const Document& stations) {
  const Document* found = nullptr;
  const auto weight = [](const Document& station) {
    const double floor_s = number_at(station, "floor_step_time_s");
    return floor_s > 0.0 ? floor_s : number_at(station, "utilization");
  };
  for (const Document& station : stations)
    if (found == nullptr || weight(station) > weight(*found)) found = &station;
  return found;
}

std::string box(const Document& station, bool binding) {
  const double busy = number_at(station, "utilization");
  return fmt::format("<li{}><b>{}</b>{}{}<small>busy {}, can {}</small></li>", binding ? " class=\"binding\"" : "",
                     escaped(station.value("name", std::string())),
                     binding ? "<span class=\"flag\">bottleneck</span>" : "",
                     bar_drawing(busy, 1.0, {}, binding ? "six" : "one"), share(at(station, "utilization")),
                     number(at(station, "capacity"), station.value("unit", std::string()), 3));
}

}  // namespace

std::string path_section(const Document& outcome) {
  const Document& stations = at(outcome, "stations");
  if (stations.empty()) return {};
  const Document* limit = outcome.value("verdict", std::string()) == "ingest_bound" ? tightest(stations) : nullptr;
  std::string html =
      "<p>From the store to the GPUs. A bar is how much of a resource is in use in the measured time.</p><ol "
      "class=\"path\">";
  for (const Document& station : stations) html += box(station, &station == limit);
  const auto found = at(outcome, "metrics").find("gpu_utilization");
  if (found != at(outcome, "metrics").end())
    html += fmt::format("<li><b>GPUs</b>{}<small>compute {}</small></li>",
                        bar_drawing(number_at(*found, "mean"), 1.0, {}, "three"), share(at(*found, "mean")));
  return html + "</ol>";
}

}  // namespace headrace::reports
