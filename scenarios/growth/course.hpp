// One course of the coming quarters: rates, dates of exchanges and uncertain figures as one draw has them. The busy
// shares of every quarter are those of the flow bound; between quarters a share moves in equal ratios.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/answer/busy_shares.hpp"
#include "models/study/uncertain_input.hpp"
#include "scenarios/growth/growth_part.hpp"

namespace headrace::scenarios {

/// Everything that is drawn, as shares of the ranges in (0, 1); 0.5 and `nominal`: as stated.
struct CourseDraw {
  bool nominal = true;
  std::vector<double> trends;
  std::vector<double> swaps;
  std::vector<double> prices;
  std::vector<double> inputs;  ///< by figure of the first generation
};

/// Steps bought of each purchase.
using Bought = std::vector<unsigned>;

/// A quarter with what is bought by then.
struct QuarterLoad {
  std::array<double, models::kLayerCount> share{};
  std::array<std::string, models::kLayerCount> name{};  ///< of the fullest resource of the layer
  double waiting_gpus = 0.0;                            ///< for data, or for room for it
  double waiting_for_data = 0.0;                        ///< part of them: those that a simulation shows
  double gpus = 0.0;
  double waiting_usd = 0.0;  ///< in the quarter
};

/// A step that is bought when its layer fills up. Times in quarters from the start.
struct PurchaseStage {
  std::size_t purchase = 0;
  double needed = 0.0;
};

class Course {
 public:
  /// References must last as long as the course. Throws models::UnusableRequest where growth makes parameters
  /// contradict each other.
  Course(const GrowthPart& part, const std::vector<models::UncertainInput>& inputs, CourseDraw draw);

  /// As it can run: without the copies of jobs for which the pools have no nodes.
  models::Scenario scenario_at(unsigned quarter, const Bought& bought) const;
  const QuarterLoad& load_at(unsigned quarter, const Bought& bought);
  /// Steps of a schedule that have come by the start of a quarter.
  Bought bought_by(const std::vector<PurchaseStage>& schedule, unsigned quarter) const;
  /// Whether a busy share means that the layer is full: nodes are only where jobs ask for more than there are.
  bool is_full(models::Layer layer, double share) const;
  Bought nothing() const { return Bought(part_.growth.purchases.size(), 0); }
  unsigned quarters() const { return static_cast<unsigned>(part_.growth.quarters); }

  /// When the layer fills up if nothing is bought: ln(full / s) / ln(s' / s) within the quarter that reaches it;
  /// nothing within the horizon.
  std::optional<double> full_at(models::Layer layer);
  /// What is bought when everything comes at the moment that it is needed, by time; also what is needed after the
  /// horizon but has to be ordered within it.
  std::vector<PurchaseStage> just_in_time();
  /// Dollars of waiting machines over all quarters if nothing is bought.
  double doing_nothing_usd();
  /// Price of a step at a time, as paid then.
  double price_usd(std::size_t purchase, double ordered) const;
  /// What a schedule costs in dollars of today: purchases at their order less what they are still worth at the horizon,
  /// upkeep from arrival until then, machines that wait. A stage arrives at its time, but not before its lead time is
  /// over; one that arrives after the horizon is not counted.
  double cost_usd(const std::vector<PurchaseStage>& schedule);
  /// When a schedule has paid for itself: its payments are not more than what the GPUs would have cost that waited
  /// without it, both summed up to there, not discounted. In quarters; nothing within the horizon.
  std::optional<double> payback_quarters(const std::vector<PurchaseStage>& schedule);

 private:
  /// As it is wished for, whether it fits or not.
  std::size_t generation_at(unsigned quarter) const;
  /// When in the quarter before number `quarter` a layer becomes full, as a share of it. A swap takes effect on the
  /// first day of its quarter, so what it adds is there from that day on, and growth alone goes on as before.
  double full_within(unsigned quarter, models::Layer layer, const Bought& bought);
  models::Scenario wanted_at(unsigned quarter, const Bought& bought) const;
  static models::Scenario what_runs(models::Scenario wanted, unsigned quarter);
  double full_share(models::Layer layer) const;
  double trend(std::size_t i) const;
  double price_trend(std::size_t i) const;
  double swap_quarter(std::size_t i) const;
  double discounted(double usd, double quarter) const;
  /// What a step is worth at the horizon, then: its value falls in equal parts (straight-line depreciation).
  double left_usd(std::size_t purchase, double arrives) const;
  /// When each stage serves.
  std::vector<double> arrivals(const std::vector<PurchaseStage>& schedule) const;
  /// Dollars of waiting machines in a quarter in which stages arrive: each part of it with what is there.
  double waiting_usd(unsigned quarter, const std::vector<PurchaseStage>& schedule, const std::vector<double>& arrivals);
  /// What a stage pays from `from` to `to`: its price at the order, upkeep from its arrival.
  double paid_usd(const PurchaseStage& stage, double arrives, double from, double to) const;
  bool is_known(unsigned quarter, const Bought& bought);

  const GrowthPart& part_;
  const std::vector<models::UncertainInput>& inputs_;
  CourseDraw draw_;
  std::vector<models::Scenario> generations_;  ///< with the inputs of the draw
  std::map<std::pair<unsigned, Bought>, QuarterLoad> loads_;
};

/// Lead time of a purchase in quarters.
double lead_quarters(const models::GrowthPurchase& purchase);

}  // namespace headrace::scenarios
