#include "tests/twins/shared_link.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace headrace::models::twins {

std::vector<double> equal_split_finish_s(double capacity_bytes_per_s, std::span<const LinkFlow> flows) {
  if (!(capacity_bytes_per_s > 0.0)) throw std::invalid_argument("a link needs a positive capacity");
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<double> left;
  for (const LinkFlow& flow : flows) left.push_back(flow.bytes);
  std::vector<double> finish(flows.size(), kInfinity);
  double now = 0.0;
  for (std::size_t done = 0; done < flows.size();) {
    std::vector<std::size_t> present;
    double next_start = kInfinity;
    double least = kInfinity;
    for (std::size_t i = 0; i < flows.size(); ++i) {
      if (finish[i] < kInfinity) continue;
      if (flows[i].start_s > now) {
        next_start = std::min(next_start, flows[i].start_s);
        continue;
      }
      present.push_back(i);
      least = std::min(least, left[i]);
    }
    if (present.empty()) {
      now = next_start;
      continue;
    }
    const double rate = capacity_bytes_per_s / static_cast<double>(present.size());
    const bool a_flow_ends = now + least / rate <= next_start;
    const double moved = a_flow_ends ? least : (next_start - now) * rate;
    now = a_flow_ends ? now + least / rate : next_start;
    for (std::size_t i : present) {
      const bool ends = a_flow_ends && left[i] <= least;
      left[i] -= moved;
      if (!ends) continue;
      finish[i] = now;
      ++done;
    }
  }
  return finish;
}

double oversubscribed_share(double nic_bytes_per_s, double ratio) { return nic_bytes_per_s / std::max(1.0, ratio); }

}  // namespace headrace::models::twins
