// A shared link by hand: the smallest cases that a fluid network must get right.
//
// Sources: L. Kleinrock, Queueing Systems, vol. 2, 1976, section 4.4 (processor sharing); oversubscription by
// definition. Deviations: none.
#pragma once

#include <span>
#include <vector>

namespace headrace::models::twins {

struct LinkFlow {
  double start_s = 0.0;
  double bytes = 0.0;
};
/// When each flow ends if the link always splits its capacity equally among those present.
std::vector<double> equal_split_finish_s(double capacity_bytes_per_s, std::span<const LinkFlow> flows);

/// Share of its NIC that each node keeps when all send through a level oversubscribed by `ratio` (1: none).
double oversubscribed_share(double nic_bytes_per_s, double ratio);

}  // namespace headrace::models::twins
