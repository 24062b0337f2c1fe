// The answer to `headrace growth`: when each layer is full, what to order when, what a wrong moment costs, and what it
// costs to buy nothing. Flow bounds for every quarter and draw; simulations only where a layer becomes full.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/outcome/machine_room.hpp"
#include "scenarios/growth/course.hpp"
#include "scenarios/growth/order_moments.hpp"

namespace headrace::scenarios {

struct GrowthOptions {
  std::optional<unsigned> quarters;  ///< instead of the scenario's
  std::uint64_t draws = 512;         ///< a power of two
  std::uint64_t seed = 1;
  bool ranges = true;    ///< also of the scenario's uncertain figures, not only of its growth
  bool simulate = true;  ///< at the knees
  unsigned threads = 0;
  std::function<bool()> cancelled;
};

/// A figure as stated, with the 10th and 90th percentile over the draws.
struct RangedFigure {
  double nominal = 0.0;
  double low = 0.0;
  double high = 0.0;
};

struct LayerQuarter {
  unsigned quarter = 0;
  RangedFigure share;
};

/// A date as stated, with the interval of the draws; nothing: not within the horizon.
struct RangedDate {
  std::optional<std::string> nominal;
  std::optional<std::string> low;
  std::optional<std::string> high;
  double within = 0.0;  ///< share of the draws that reach it within the horizon
};

struct LayerForecast {
  models::Layer layer = models::Layer::store;
  std::string resource;        ///< the fullest when the layer is full, or else at the end
  std::string resource_today;  ///< the fullest of the first quarter; empty: a document from before
  std::optional<double> quarters_to_full;
  RangedDate full;
  std::vector<LayerQuarter> course;
};

/// Steps of one purchase that are needed at the same time.
struct BuyListItem {
  std::size_t purchase = 0;
  unsigned steps = 1;
  RangedDate needed;
  std::string order;                   ///< date
  std::optional<std::string> arrives;  ///< nothing: after the horizon, so that no figure counts it
  bool late = false;                   ///< to be there when needed it had to be ordered before the start
  double price_usd = 0.0;
};

/// A purchase whose orders all arrive so much before (negative) or after their layer is full as stated; all others come
/// at their cheapest moment.
struct RegretRow {
  std::size_t purchase = 0;
  int shift = 0;              ///< quarters
  double cost_usd = 0.0;      ///< expected, of the whole schedule, today's dollars
  double over_on_time = 0.0;  ///< expected, less that on time
  double regret_usd = 0.0;    ///< expected excess over the best shift of each draw
  bool cheapest = false;      ///< the least expected cost of its shifts: the buy list orders it then
};

struct KneeRun {
  unsigned quarter = 0;
  std::string layer;
  double expected_idle = 0.0;  ///< by the busy shares
  double simulated_idle = 0.0;
  double half_width = 0.0;
};

/// The start of a quarter as stated, with what is bought and has come by then.
struct QuarterBought {
  unsigned quarter = 0;
  double waiting_gpus = 0.0;
  std::optional<RangedFigure> drawn_waiting_gpus;  ///< the same over the draws; nothing: a document from before
  models::RoomFacts room;
};

struct GrowthAnswer {
  std::uint64_t seed = 1;
  std::size_t draws = 0;
  std::size_t inputs = 0;
  models::Growth growth;
  std::vector<std::string> dates;  ///< first day of each quarter
  std::vector<LayerForecast> layers;
  std::vector<BuyListItem> buy_list;
  std::vector<RegretRow> regret;
  RangedFigure doing_nothing_usd;
  double doing_nothing_expected_usd = 0.0;  ///< mean over the draws
  double buying_usd = 0.0;             ///< the buy list as stated, today's dollars: payments and GPUs that still wait
  double buying_expected_usd = 0.0;    ///< mean over the draws
  RangedFigure buying_draws_usd;       ///< the same over the draws
  double on_time_expected_usd = 0.0;   ///< the same, where everything comes when its layer is full as stated
  std::optional<std::string> payback;  ///< date at which the buy list has paid for itself; nothing within the horizon
  std::vector<RangedFigure> waiting_gpus;  ///< by quarter, if nothing is bought
  std::vector<QuarterBought> as_bought;    ///< every quarter
  std::vector<KneeRun> knees;
  std::vector<std::string> notes;
};

/// Throws models::UnusableRequest where growth makes parameters contradict each other.
GrowthAnswer grow(GrowthPart part, const std::vector<models::UncertainInput>& inputs, const GrowthOptions& options);

/// The day `quarters` after a date, each of three months: "2027-05-14".
std::string date_after(const std::string& start, double quarters);

/// The day so many days after a date, or before it where they are negative.
std::string days_after(const std::string& date, std::int64_t days);

}  // namespace headrace::scenarios
