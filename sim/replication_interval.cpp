#include "sim/replication_interval.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/student_t.hpp"
#include "sim/tally.hpp"

namespace headrace::sim {

ReplicationResult replication_interval(std::span<const double> values, double confidence, std::size_t minimum) {
  Tally tally;
  for (const double value : values) tally.add(value);
  ReplicationResult result{tally.mean(), std::nullopt, values.size(), tally.standard_error(), {}};
  if (values.size() < std::max<std::size_t>(minimum, 2)) {
    result.reason = "too few replications";
    return result;
  }
  const double t = student_t_quantile(0.5 + confidence / 2.0, static_cast<std::int64_t>(values.size()) - 1);
  const double half = t * tally.standard_error();
  result.interval = Interval{result.mean - half, result.mean + half};
  return result;
}

ReplicationResult paired_difference_interval(std::span<const double> before, std::span<const double> after,
                                             double confidence, std::size_t minimum) {
  if (before.size() != after.size()) {
    ReplicationResult result;
    result.reason = "pairs need as many replications before as after";
    return result;
  }
  std::vector<double> differences(before.size());
  for (std::size_t i = 0; i < before.size(); ++i) differences[i] = after[i] - before[i];
  return replication_interval(differences, confidence, minimum);
}

}  // namespace headrace::sim
