#include "models/sizing/sizing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "models/answer/flow_bound.hpp"
#include "models/base/limits.hpp"
#include "models/cluster/cluster_plan.hpp"
#include "models/path/epoch_windows.hpp"
#include "models/path/tier_path.hpp"

namespace headrace::models {

namespace {

constexpr std::array kRooms = {&kDemandRoom,        &kWorkersRoom,    &kPrefetchRoom,  &kBuffersRoom,     &kCacheRoom,
                               &kShardsRoom,        &kListingRoom,    &kStagingRoom,   &kPagesRoom,       &kCodecRoom,
                               &kPreprocessingRoom, &kConversionRoom, &kReductionRoom, &kUploadRoom,      &kWanRoom,
                               &kGravityRoom,       &kRedundancyRoom, &kEgressRoom,    &kCheckpointsRoom, &kMoneyRoom};

template <class T>
std::string pointer_to(std::string_view list, const std::vector<T>& values, const std::string& name) {
  std::size_t at = 0;
  while (at < values.size() && values[at].name != name) ++at;
  return fmt::format("/{}/{}", list, at);
}

void fill(const Scenario& scenario, std::size_t job_index, const SizingRoom* only, SizingSheet& sheet) {
  const Scenario alone = job_alone(scenario, job_index);
  const Job& job = alone.jobs.front();
  const Pool& pool = pool_of(alone, job);
  const Dataset& dataset = dataset_of(alone, job);
  const Store& store = store_of(alone, dataset);
  const IngestPath cold = resolve_path(alone, 0, {});
  const IngestPath path = in_window(cold, mean_window(closed_form_windows(alone, 0)));
  const Outcome bound = flow_bound(alone);
  const SizingCase one{alone,
                       job,
                       pool,
                       dataset,
                       store,
                       path,
                       cold,
                       bound,
                       "/jobs/" + std::to_string(job_index),
                       pointer_to("cluster/pools", alone.cluster.pools, pool.name),
                       pointer_to("datasets", alone.datasets, dataset.name),
                       pointer_to("stores", alone.stores, store.name)};
  for (const SizingRoom* room : kRooms) {
    if (only != nullptr && room != only) continue;
    SizingSheetWriter writer(*room, job.name, sheet);
    room->fill(one, writer);
    writer.tell_missing();
  }
}

}  // namespace

double SizingCase::node_link_bytes_per_s() const {
  if (cold.local_store) return or_no_limit(cold.device.capacity_per_s);
  return or_no_limit(tightest({cold.nic_bytes_per_s, divided(cold.leaf_bytes_per_s, cold.nodes_per_leaf),
                               divided(cold.pool_bytes_per_s, cold.nodes)}));
}

std::string SizingCase::node_link_key() const {
  if (cold.local_store) return store_key + "/bandwidth";
  const double link = node_link_bytes_per_s();
  if (or_no_limit(cold.nic_bytes_per_s) <= link) return pool_key + "/nic/bandwidth";
  if (or_no_limit(divided(cold.leaf_bytes_per_s, cold.nodes_per_leaf)) <= link) return "/fabric/leaf_oversubscription";
  return store_key + "/bandwidth";
}

SizingSheetWriter::SizingSheetWriter(const SizingRoom& room, std::string job, SizingSheet& sheet)
    : room_(room), job_(std::move(job)), sheet_(sheet), first_(sheet.figures.size()) {}

void SizingSheetWriter::tell_missing() {
  for (const SizingDescription& figure : room_.figures) {
    const bool there = std::any_of(sheet_.figures.begin() + static_cast<std::ptrdiff_t>(first_), sheet_.figures.end(),
                                   [&](const SizingFigure& added) { return added.description == &figure; });
    if (!there) sheet_.missing.push_back({room_.key, job_, &figure});
  }
}

void SizingSheetWriter::add(std::string_view name, double value, std::vector<SizingInput> inputs) {
  const auto found = std::find_if(room_.figures.begin(), room_.figures.end(),
                                  [&](const SizingDescription& figure) { return figure.name == name; });
  if (found == room_.figures.end())
    throw std::logic_error("the room " + std::string(room_.key) + " has no figure " + std::string(name));
  if (!std::isfinite(value)) return;
  sheet_.figures.push_back({room_.key, job_, &*found, value, std::move(inputs)});
}

std::span<const SizingRoom* const> sizing_rooms() { return kRooms; }

const SizingRoom* find_sizing_room(std::string_view key) {
  for (const SizingRoom* room : kRooms)
    if (room->key == key) return room;
  return nullptr;
}

SizingSheet sizing_sheet(const Scenario& scenario, std::string_view room) {
  const SizingRoom* only = room.empty() ? nullptr : find_sizing_room(room);
  if (!room.empty() && only == nullptr)
    throw std::invalid_argument("unknown section of the sizing sheet: '" + std::string(room) + "'");
  SizingSheet sheet;
  for (std::size_t job = 0; job < scenario.jobs.size(); ++job) fill(scenario, job, only, sheet);
  return sheet;
}

}  // namespace headrace::models
