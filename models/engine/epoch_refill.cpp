#include "models/engine/epoch_refill.hpp"

#include <algorithm>

namespace headrace::models {

double refill_s(const StepLog& log, std::size_t transient, std::size_t workers) {
  const std::size_t first = std::min(transient, log.steps() / 2);
  const std::size_t round = std::max<std::size_t>(1, std::min(workers, first));
  const std::size_t counted = (log.steps() - first) / round * round;
  if (first == 0 || counted == 0) return 0.0;
  const sim::TimeNs elapsed_ns = log.records[first + counted].start_ns - log.records[first].start_ns;
  const double step_s = sim::seconds(elapsed_ns) / static_cast<double>(counted);
  double sum_s = 0.0;
  for (std::size_t n = first - round + 1; n <= first; ++n) {
    const StepRecord& last = log.records[n - 1];
    sum_s += sim::seconds(last.start_ns + last.busy_ns()) - static_cast<double>(n) * step_s;
  }
  return sum_s / static_cast<double>(round);
}

}  // namespace headrace::models
