#include "models/campaign/price_trace.hpp"

#include <algorithm>
#include <limits>

namespace headrace::models {

namespace {

double end_of(const PriceTrace& trace, std::size_t i) {
  return i + 1 < trace.size() ? trace[i + 1].at_s : std::numeric_limits<double>::infinity();
}

bool is_above(const PricePoint& point, std::optional<double> bid) { return bid && point.usd_per_gpu_hour > *bid; }

}  // namespace

std::vector<Outage> outages(const PriceTrace& trace, std::optional<double> bid_usd_per_gpu_hour) {
  std::vector<Outage> found;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    if (!is_above(trace[i], bid_usd_per_gpu_hour)) continue;
    if (!found.empty() && found.back().end_s == trace[i].at_s)
      found.back().end_s = end_of(trace, i);
    else
      found.push_back({trace[i].at_s, end_of(trace, i)});
  }
  return found;
}

double held_usd(const PriceTrace& trace, std::optional<double> bid_usd_per_gpu_hour, double end_s) {
  double usd = 0.0;
  for (std::size_t i = 0; i < trace.size() && trace[i].at_s < end_s; ++i) {
    if (is_above(trace[i], bid_usd_per_gpu_hour)) continue;
    usd += (std::min(end_of(trace, i), end_s) - trace[i].at_s) / kHourSeconds * trace[i].usd_per_gpu_hour;
  }
  return usd;
}

}  // namespace headrace::models
