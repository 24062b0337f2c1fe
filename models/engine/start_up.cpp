#include "models/engine/start_up.hpp"

#include <algorithm>
#include <cmath>

#include "models/base/limits.hpp"
#include "models/engine/list_herd.hpp"

namespace headrace::models {

namespace {

constexpr double kPieceBytes = 16.0 * 1024 * 1024;

/// One node reads the list as one object.
double manifest_read_s(const IngestPath& path, double bytes) {
  return path.request_latency_s.mean() + time_at(bytes, tightest({path.flow_cap_bytes_per_s, path.pool_bytes_per_s}));
}

}  // namespace

double fan_out_s(double bytes, double nodes, double fan_out, std::optional<double> nic_bytes_per_s) {
  if (nodes <= 1.0 || !(bytes > 0.0)) return 0.0;
  double levels = 0.0;
  for (double reached = 1.0, newest = 1.0; reached < nodes; ++levels) reached += newest *= fan_out;
  const double pieces = std::ceil(bytes / kPieceBytes);
  const double piece_bytes = std::min(bytes, kPieceBytes);
  return time_at((pieces + levels - 1.0) * piece_bytes * std::min(fan_out, nodes - 1.0), nic_bytes_per_s);
}

std::optional<StartUp> start_up_of(const Scenario& scenario, const IngestPath& path, bool simulated,
                                   std::uint64_t seed) {
  const Job& job = scenario.jobs.front();
  if (!job.index) return std::nullopt;
  const StartIndex& index = *job.index;
  const Corpus corpus = corpus_of(scenario, job);
  const double objects = corpus.files;
  StartUp start;
  start.index_bytes_per_node =
      index.entry_bytes * corpus.samples * std::ceil(static_cast<double>(path.loaders) / path.nodes);
  if (index.mode != IndexMode::manifest) {
    const std::uint64_t listing = index.mode == IndexMode::every_node ? path.nodes : 1;
    const double pages = std::ceil(objects / static_cast<double>(index.keys_per_page));
    ListHerd herd;
    herd.clients = static_cast<std::uint32_t>(
        std::min<double>(4e6, static_cast<double>(listing) * std::min(static_cast<double>(index.parallel), pages)));
    herd.pages_per_client = std::ceil(pages * static_cast<double>(listing) / herd.clients);
    herd.round_trip_s = index.round_trip_s;
    herd.limit = path.limit;
    const HerdAnswer answer = simulated ? simulate_list_herd(herd, seed) : HerdAnswer{list_herd_bound_s(herd), 0.0};
    start.index_s = index.set_up_s + answer.time_s;
    start.throttled = answer.throttled;
    start.list_requests = pages * static_cast<double>(listing);
  }
  if (index.mode == IndexMode::every_node) return start;
  start.passed_on_bytes = objects * index.manifest_bytes_per_object;
  if (index.mode == IndexMode::manifest) start.index_s += manifest_read_s(path, start.passed_on_bytes);
  start.index_s +=
      fan_out_s(start.passed_on_bytes, path.nodes, static_cast<double>(index.fan_out), path.nic_bytes_per_s);
  return start;
}

}  // namespace headrace::models
