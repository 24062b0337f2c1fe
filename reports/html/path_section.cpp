// The cluster as a picture: the resources in the order in which the data pass them, how busy each is, and the one that
// binds.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "models/hops/resource.hpp"
#include "models/outcome/bottleneck.hpp"
#include "reports/html/bars.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/outcome_sections.hpp"
#include "reports/humane.hpp"
#include "reports/outcome_reader.hpp"

namespace headrace::reports {
namespace {

/// The resource of the stage that binds, as the text names it; null where no resource serves it.
const Document* tightest(const Document& outcome) {
  const models::Outcome spoken = outcome_of(outcome);
  const models::StationReport* binding =
      spoken.verdict == models::Verdict::ingest_bound ? models::binding_station(spoken) : nullptr;
  if (binding == nullptr) return nullptr;
  return &at(outcome, "stations").at(static_cast<std::size_t>(binding - spoken.stations.data()));
}

/// The resource of a station; documents of earlier versions do not name it.
const models::ResourceTraits* traits_of(const Document& station) {
  const std::string key = text_at(station, "resource");
  const auto* const found = std::find(models::kResourceKeys.begin(), models::kResourceKeys.end(), key);
  if (found == models::kResourceKeys.end()) return nullptr;
  return &models::traits(static_cast<models::Resource>(found - models::kResourceKeys.begin()));
}

/// Under the name of its owner a job's resource needs no more than its own.
std::string box(const Document& station, const models::ResourceTraits* resource, bool binding) {
  const double busy = number_at(station, "utilization");
  const std::string owner = text_at(station, "owner");
  const bool of_job = resource != nullptr && resource->owner == models::Owner::job && !owner.empty();
  return fmt::format("<li{}><b>{}</b>{}{}<small>busy {}, can {}</small></li>", binding ? " class=\"binding\"" : "",
                     of_job ? escaped(resource->name) : escaped(text_at(station, "name")),
                     binding ? "<span class=\"flag\">bottleneck</span>" : "",
                     bar_drawing(busy, 1.0, {}, binding ? "six" : "one"), share(at(station, "utilization")),
                     number(at(station, "capacity"), station.value("unit", std::string()), 3));
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

/// The nodes of each job; several jobs below each other.
std::string lanes(const std::vector<std::pair<std::string, std::string>>& nodes) {
  if (nodes.empty()) return {};
  std::string html = "<li><h3>Nodes</h3>";
  for (const auto& [job, boxes] : nodes)
    html += (job.empty() ? "" : "<h3><small>job " + escaped(job) + "</small></h3>") + "<ul>" + boxes + "</ul>";
  return html + "</li>";
}

}  // namespace

std::string path_section(const Document& outcome) {
  const Document& stations = at(outcome, "stations");
  if (stations.empty()) return {};
  const Document* limit = tightest(outcome);
  std::string store;
  std::string network;
  std::vector<std::pair<std::string, std::string>> nodes;  // by job; one without a name where a job runs alone
  for (const Document& station : stations) {
    const models::ResourceTraits* resource = traits_of(station);
    const bool of_job = resource == nullptr || resource->owner == models::Owner::job;
    const std::string owner = of_job ? text_at(station, "owner") : std::string();
    const std::string drawn = box(station, resource, &station == limit);
    if (resource != nullptr && resource->side == models::ResourceSide::store && owner.empty()) {
      store += drawn;
    } else if (resource != nullptr && resource->side == models::ResourceSide::network && owner.empty()) {
      network += drawn;
    } else {
      if (nodes.empty() || nodes.back().first != owner) nodes.emplace_back(owner, "");
      nodes.back().second += drawn;
    }
  }
  std::string gpus;
  if (const Document& compute = at(at(outcome, "metrics"), "gpu_utilization"); compute.is_object())
    gpus = fmt::format("<li><b>training step</b>{}<small>compute {}</small></li>",
                       bar_drawing(number_at(compute, "mean"), 1.0, {}, "three"), share(at(compute, "mean")));
  const std::string size = size_of(outcome);
  const std::string stage = text_at(outcome, "verdict") == "ingest_bound" ? text_at(outcome, "binding") : std::string();
  const std::string elsewhere = limit == nullptr && !stage.empty()
                                    ? " No resource serves the stage that binds, " + escaped(words(stage)) + "."
                                    : "";
  return "<p>From the store to the GPUs. A bar is how much of a resource is in use in the measured time." + elsewhere +
         "</p><ol class=\"path\">" + group("Store", store) + group("Network", network) + lanes(nodes) +
         group(size.empty() ? "GPUs" : "GPUs <small>" + size + "</small>", gpus) + "</ol>";
}

}  // namespace headrace::reports
