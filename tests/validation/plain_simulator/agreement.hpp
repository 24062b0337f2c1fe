// The product's answer to a scenario beside the plain simulator's, over independent runs of both.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/hops/path.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::plain {

struct Comparison {
  std::string metric;
  double product = 0.0;
  double plain = 0.0;
  double standard_error = 0.0;  ///< of their difference
  double tolerance = 0.0;
  /// Standard errors of a normal law by which the difference exceeds its tolerance, as likely as what was seen.
  double excess = 0.0;
};

/// Every metric that both know; the product at a granularity, or at the one that it chooses.
std::vector<Comparison> compare(const models::Scenario& scenario, std::optional<models::Granularity> granularity);

}  // namespace headrace::plain
