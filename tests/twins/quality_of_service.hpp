// Weighted max-min fairness and strict priority by hand: a link, and two links in a row.
//
// Sources: D. Bertsekas and R. Gallager, Data Networks, 2nd ed., 1992, section 6.5.2 (max-min; weights as in problem
// 6.24: equal rates per unit of weight); strict priority by definition. Deviations: none.
#pragma once

#include <span>
#include <vector>

namespace headrace::models::twins {

struct WeightedDemand {
  double demand = 0.0;
  double weight = 1.0;
};

/// What each demand gets of a link: in the order of demand over weight, the least first, each is met as long as its
/// part of what is left allows.
std::vector<double> weighted_shares(double capacity, std::span<const WeightedDemand> demands);

/// Two links in a row, a flow that passes both and one more on each; all take what they get.
struct TwoLinkRates {
  double both = 0.0;
  double first = 0.0;
  double second = 0.0;
};
TwoLinkRates two_link_rates(double first_capacity, double second_capacity, double both_weight, double first_weight,
                            double second_weight);

/// A link with a class that is served first: it gets what it asks for as if it were alone, the other what is left.
struct PriorityRates {
  double high = 0.0;
  double low = 0.0;
};
PriorityRates priority_rates(double capacity, double high_demand, double low_demand);

}  // namespace headrace::models::twins
