#include "scenarios/growth/order_moments.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "models/base/task_pool.hpp"

namespace headrace::scenarios {

std::vector<PurchaseStage> shifted(std::vector<PurchaseStage> schedule, const Shifts& shifts) {
  for (PurchaseStage& stage : schedule) stage.needed = std::max(0.0, stage.needed + shifts.at(stage.purchase));
  return schedule;
}

const std::vector<double>& OrderMoments::costs_usd(const Shifts& shifts) {
  const auto [entry, fresh] = known_.try_emplace(shifts);
  if (!fresh) return entry->second;
  std::vector<double>& costs = entry->second;
  costs.assign(draws_.size(), 0.0);
  const std::vector<PurchaseStage> schedule = shifted(schedule_, shifts);
  models::TaskPool(threads_).run(draws_.size(), [&](std::size_t d) {
    if (!is_cancelled_ || !is_cancelled_()) costs[d] = draws_[d].cost_usd(schedule);
  });
  return costs;
}

double OrderMoments::expected_usd(const Shifts& shifts) {
  const std::vector<double>& costs = costs_usd(shifts);
  return std::accumulate(costs.begin(), costs.end(), 0.0) / static_cast<double>(costs.size());
}

bool OrderMoments::is_bought(std::size_t purchase) const {
  return std::any_of(schedule_.begin(), schedule_.end(),
                     [purchase](const PurchaseStage& stage) { return stage.purchase == purchase; });
}

int OrderMoments::best_shift(Shifts shifts, std::size_t purchase) {
  int best = shifts[purchase];
  double least = expected_usd(shifts);
  for (const int shift : kOrderShifts) {
    shifts[purchase] = shift;
    const double cost = expected_usd(shifts);
    if (cost > least || (cost == least && std::abs(shift) >= std::abs(best))) continue;
    least = cost;
    best = shift;
  }
  return best;
}

Shifts OrderMoments::cheapest() {
  Shifts shifts = on_time();
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t p = 0; p < purchases_; ++p) {
      if (!is_bought(p)) continue;
      const int best = best_shift(shifts, p);
      moved = moved || best != shifts[p];
      shifts[p] = best;
    }
  }
  return shifts;
}

}  // namespace headrace::scenarios
