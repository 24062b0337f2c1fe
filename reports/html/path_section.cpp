// The cluster as a picture: the resources in the order in which the data pass them, how busy each is, and the one that
// binds.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "models/hops/resource.hpp"
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

/// Where a resource is, as people draw it: store, network or nodes.
std::size_t place_of(const std::string& station) {
  const std::optional<models::Resource> resource = models::find_resource(station);
  const models::ResourceSide side = resource ? traits(*resource).side : models::ResourceSide::node;
  return side == models::ResourceSide::store ? 0 : side == models::ResourceSide::network ? 1 : 2;
}

/// "4 nodes of 8 GPUs"; empty where the document has no scenario or several pools.
std::string size_of(const Document& outcome) {
  const Document& pools = at(at(at(outcome, "scenario"), "cluster"), "pools");
  if (!pools.is_array() || pools.size() != 1) return {};
  const Document& nodes = at(pools.front(), "nodes");
  const Document& gpus = at(pools.front(), "gpus_per_node");
  if (!nodes.is_number() || !gpus.is_number()) return {};
  return fmt::format("{} {} of {} {}", count(nodes), nodes == 1 ? "node" : "nodes", count(gpus),
                     gpus == 1 ? "GPU" : "GPUs");
}

std::string group(std::string_view title, const std::string& boxes) {
  return boxes.empty() ? "" : fmt::format("<li><h3>{}</h3><ul>{}</ul></li>", title, boxes);
}

}  // namespace

std::string path_section(const Document& outcome) {
  const Document& stations = at(outcome, "stations");
  if (stations.empty()) return {};
  const Document* limit = text_at(outcome, "verdict") == "ingest_bound" ? tightest(stations) : nullptr;
  std::array<std::string, 3> boxes;
  for (const Document& station : stations)
    boxes.at(place_of(text_at(station, "name"))) += box(station, &station == limit);
  std::string gpus;
  if (const Document& compute = at(at(outcome, "metrics"), "gpu_utilization"); compute.is_object())
    gpus = fmt::format("<li><b>training step</b>{}<small>compute {}</small></li>",
                       bar_drawing(number_at(compute, "mean"), 1.0, {}, "three"), share(at(compute, "mean")));
  const std::string size = size_of(outcome);
  return "<p>From the store to the GPUs. A bar is how much of a resource is in use in the measured time.</p><ol "
         "class=\"path\">" +
         group("Store", boxes[0]) + group("Network", boxes[1]) + group("Nodes", boxes[2]) +
         group(size.empty() ? "GPUs" : "GPUs <small>" + size + "</small>", gpus) + "</ol>";
}

}  // namespace headrace::reports
