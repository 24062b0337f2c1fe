// When to order what a course needs: all orders of a purchase moved by so many quarters, and the moments that cost the
// least on average over the draws. A schedule is set today and holds in every draw.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <vector>

#include "scenarios/growth/course.hpp"

namespace headrace::scenarios {

/// Quarters by which the orders of each purchase come later; negative: earlier. In the order of the purchases.
using Shifts = std::vector<int>;

inline constexpr std::array<int, 8> kOrderShifts = {-8, -4, -2, -1, 0, 1, 2, 4};

/// A schedule with its orders moved, none before the start.
std::vector<PurchaseStage> shifted(std::vector<PurchaseStage> schedule, const Shifts& shifts);

class OrderMoments {
 public:
  /// References must last as long as this. `threads` as in models::TaskPool. Once `is_cancelled`, costs are 0.
  OrderMoments(std::vector<Course>& draws, std::vector<PurchaseStage> schedule, std::size_t purchases, unsigned threads,
               std::function<bool()> is_cancelled)
      : draws_(draws),
        schedule_(std::move(schedule)),
        purchases_(purchases),
        threads_(threads),
        is_cancelled_(std::move(is_cancelled)) {}

  /// Of the whole schedule, by draw, in dollars of the start.
  const std::vector<double>& costs_usd(const Shifts& shifts);
  double expected_usd(const Shifts& shifts);

  Shifts on_time() const { return Shifts(purchases_, 0); }
  bool is_bought(std::size_t purchase) const;
  /// One purchase at a time is moved to where the schedule costs the least, until no move helps. The least move wins
  /// a tie.
  Shifts cheapest();

 private:
  int best_shift(Shifts shifts, std::size_t purchase);

  std::vector<Course>& draws_;
  std::vector<PurchaseStage> schedule_;
  std::size_t purchases_;
  unsigned threads_;
  std::function<bool()> is_cancelled_;
  std::map<Shifts, std::vector<double>> known_;
};

}  // namespace headrace::scenarios
