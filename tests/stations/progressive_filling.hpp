// Max-min fair rates on arbitrary routes by progressive filling (Bertsekas & Gallager, Data Networks, 2nd ed. 1992,
// section 6.5.2): all rates rise together; a flow stops at its cap or when a link of its route is full. For routes that
// are not a tree, and the yardstick in tests for those that are (sim/fluid_tree.hpp).
//
// Weighted: rates rise in proportion to their weights. Strict priority: a class is filled into what the classes above
// it leave of each link.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace headrace::sim {

struct RoutedFlow {
  std::vector<std::uint32_t> route;  ///< links, each at most once
  double cap_bytes_per_s = std::numeric_limits<double>::infinity();
  double weight = 1.0;         ///< > 0
  std::uint32_t priority = 0;  ///< higher classes first
};

/// The rate of every flow, in bytes per second; infinite for a flow that nothing limits. Capacities and caps may be
/// infinite. Deterministic; O(links + flows x route length) per distinct bottleneck.
std::vector<double> progressive_filling(const std::vector<double>& capacities_bytes_per_s,
                                        const std::vector<RoutedFlow>& flows);

}  // namespace headrace::sim
