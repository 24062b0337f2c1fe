// Spot prices over time, replayed: when nodes can be had below a bid, and what they cost then. Each price holds until
// the next one, the last one for good. Deviation: prices do not answer to what the campaign buys.
#pragma once

#include <optional>
#include <vector>

namespace headrace::models {

inline constexpr double kHourSeconds = 3600.0;

struct PricePoint {
  double at_s = 0.0;  ///< from the beginning of the campaign
  double usd_per_gpu_hour = 0.0;
};

/// In the order of time, the first one at 0. Empty: no trace.
using PriceTrace = std::vector<PricePoint>;

/// A time in which the price is above the bid.
struct Outage {
  double begin_s = 0.0;
  double end_s = 0.0;  ///< infinite: the price does not come down again
};

/// No bid is above every price.
std::vector<Outage> outages(const PriceTrace& trace, std::optional<double> bid_usd_per_gpu_hour);

/// What one GPU costs from the beginning until `end_s`, held whenever the price is not above the bid.
double held_usd(const PriceTrace& trace, std::optional<double> bid_usd_per_gpu_hour, double end_s);

}  // namespace headrace::models
