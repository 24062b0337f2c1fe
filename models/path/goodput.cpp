#include "models/path/goodput.hpp"

#include <algorithm>
#include <cmath>

#include "models/base/limits.hpp"

namespace headrace::models {

double goodput_of_requests(const Transport& transport, double request_bytes) {
  const auto& points = transport.by_request;
  if (points.empty()) return 1.0;
  if (request_bytes <= points.front().request_bytes)
    return points.front().share * request_bytes / points.front().request_bytes;
  if (request_bytes >= points.back().request_bytes) return points.back().share;
  const auto above = std::find_if(points.begin(), points.end(),
                                  [&](const RequestGoodput& point) { return point.request_bytes > request_bytes; });
  const RequestGoodput& low = *(above - 1);
  const RequestGoodput& high = *above;
  const double along = (request_bytes - low.request_bytes) / (high.request_bytes - low.request_bytes);
  const double low_time = low.request_bytes / low.share;  // in bytes of the full rate
  const double high_time = high.request_bytes / high.share;
  return request_bytes / (low_time + along * (high_time - low_time));
}

double goodput_of_connections(const Transport& transport, double connections) {
  const auto& points = transport.by_connections;
  if (points.empty()) return 1.0;
  if (connections <= points.front().connections) return points.front().share * connections / points.front().connections;
  if (connections >= points.back().connections) return points.back().share;
  const auto above = std::find_if(points.begin(), points.end(),
                                  [&](const ConnectionGoodput& point) { return point.connections > connections; });
  const ConnectionGoodput& low = *(above - 1);
  const double along = (connections - low.connections) / (above->connections - low.connections);
  return low.share + along * (above->share - low.share);
}

void resolve_goodput(IngestPath& path, const Transport& transport) {
  path.bulk_nic_bytes_per_s = path.nic_bytes_per_s;
  if (path.local_store || (transport.by_request.empty() && transport.by_connections.empty())) return;
  const double request_bytes = path.mean_sample_bytes() / path.requests_per_sample;
  const double loaders = std::ceil(static_cast<double>(path.loaders) / path.nodes);
  const double connections = loaders * std::min(path.workers, path.outstanding) * path.store_lanes;
  const double share = goodput_of_requests(transport, request_bytes) * goodput_of_connections(transport, connections);
  path.nic_bytes_per_s = times(path.nic_bytes_per_s, share);
  path.flow_cap_bytes_per_s = tightest({path.flow_cap_bytes_per_s, path.nic_bytes_per_s});
}

}  // namespace headrace::models
