// Offers of stores against each other and against doing nothing: every job of a scenario on every offer, with the same
// random numbers, normal and while a part has failed, over the ranges of claims and inputs. The rank is by the expected
// cost of a useful GPU hour over the horizon (models/outcome/total_cost.hpp).
//
// Draws are points of models/study: an input of the scenario takes the same value for all contenders (common random
// numbers), a claim is drawn for its offer alone. Dimensions go by name, so that neither the order of the offers nor
// the number of threads changes a bit.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/outcome/total_cost.hpp"
#include "scenarios/bakeoff/offer.hpp"

namespace headrace::scenarios {

/// A claim put at the ends of its range, all else in the middle.
struct ClaimEffect {
  std::string offer;
  std::string parameter;
  std::string evidence;
  std::string conditions;
  std::string source;
  std::string worst;  ///< with unit
  std::string best;
  double usd_at_worst = 0.0;  ///< of a useful GPU hour
  double usd_at_best = 0.0;
  std::string winner_at_worst;  ///< who ranks first then
  std::string winner_at_best;
  bool decides = false;  ///< the first rank changes within the range
};

struct Contender {
  std::uint64_t rank = 0;
  std::string name;
  std::string vendor;
  std::string as_of;
  std::string valid_until;
  double lead_time_days = 0.0;
  bool nothing = false;         ///< the scenario as it is
  std::string infeasible;       ///< why it cannot run; empty: it can
  double feasible_share = 1.0;  ///< of the draws, in which it can run; below 1 it ranks after all that always can
  double goodput_normal = 0.0;
  double goodput_degraded = 0.0;
  double usd_as_claimed = 0.0;  ///< of a useful GPU hour
  double usd_expected = 0.0;    ///< mean over the ranges
  double usd_low = 0.0;         ///< p10 and p90 over the ranges
  double usd_high = 0.0;
  double best_probability = 0.0;
  /// Of a useful GPU hour, what it costs more than the first at the same draws, by Student's t; where 0 lies within it,
  /// the draws do not tell the two apart.
  std::optional<double> more_than_first_low_usd;
  std::optional<double> more_than_first_high_usd;
  double capital_usd = 0.0;
  std::optional<double> break_even_capital_usd;  ///< of a loser: price at which it costs what the first does
  /// The same of one that is paid by use: so much of its prices.
  std::optional<double> break_even_price_fraction;
  std::optional<ExpansionStep> expansion;
  models::TotalCostAnswer answer;  ///< in the middle of the ranges
  std::optional<models::GainOverNothing> gain;

  bool is_tied() const {
    return feasible_share >= 1.0 && more_than_first_low_usd && *more_than_first_low_usd <= 0.0 &&
           *more_than_first_high_usd >= 0.0;
  }
};

/// What the reader should know before buying.
struct BakeoffWarning {
  std::string seen;
  std::string fix;
};

struct Bakeoff {
  std::string kind = "bakeoff";
  std::string format_version = "1.0";
  std::string model_version;
  std::string title;
  std::string scenario_sha256;
  std::string replaces;  ///< store of the scenario
  std::uint64_t draws = 0;
  std::uint64_t steps = 0;  ///< simulated per window at each draw
  std::uint64_t seed = 1;
  std::uint64_t inputs = 0;           ///< figures that are drawn
  bool complete = true;               ///< false: ended early
  std::vector<Contender> contenders;  ///< by rank
  std::vector<ClaimEffect> claims;    ///< those that decide first, then by effect
  bool settled = true;                ///< false: the runs are too short, and longer ones give other costs
  std::vector<BakeoffWarning> warnings;
};

void describe(ClaimEffect& c, models::Visitor& v);
void describe(Contender& c, models::Visitor& v);
void describe(BakeoffWarning& w, models::Visitor& v);
void describe(Bakeoff& b, models::Visitor& v);

nlohmann::ordered_json bakeoff_json(const Bakeoff& bakeoff);
tl::expected<Bakeoff, Diagnostics> read_bakeoff(const std::string& name, const std::string& text);
nlohmann::ordered_json bakeoff_schema();

struct BakeoffOptions {
  std::string replaces;  ///< store; empty: that of the first job
  std::uint64_t seed = 1;
  std::size_t draws = 32;   ///< a power of two
  std::uint64_t steps = 0;  ///< of a simulation at a draw; 0: chosen by short runs of every contender
  unsigned threads = 0;
  std::function<void(double)> progress;
  std::function<bool()> cancelled;
};

/// Complaints are those of offers in their places: two of the same name, claims that are missing or exclude each other,
/// and everything that a scenario can be refused for.
tl::expected<Bakeoff, Diagnostics> run_bakeoff(const LoadedScenario& scenario, const std::vector<LoadedOffer>& offers,
                                               const Catalogue& catalogue, const BakeoffOptions& options);

}  // namespace headrace::scenarios
