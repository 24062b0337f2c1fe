#include "scenarios/bakeoff/bakeoff.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <set>
#include <tuple>

#include "models/base/model_version.hpp"
#include "models/base/purposes.hpp"
#include "models/base/task_pool.hpp"
#include "models/outcome/machine_room.hpp"
#include "models/outcome/unpriced_parts.hpp"
#include "models/study/study.hpp"
#include "scenarios/document/input_ranges.hpp"
#include "scenarios/document/units.hpp"
#include "sim/replication_interval.hpp"
#include "sim/sobol.hpp"

namespace headrace::scenarios {
namespace {

using models::Outcome;
using models::Scenario;
using models::TotalCostAnswer;
using models::UncertainInput;

constexpr double kWorstUsd = 1e300;
constexpr double kLastOfRange = 0x1.fffffffffffffp-1;
constexpr const char* kNothing = "doing nothing";
constexpr double kDaysOfYear = models::kSecondsPerYear / 86400.0;
constexpr std::uint64_t kFewestSteps = 256;
constexpr std::uint64_t kMostSteps = 4096;
constexpr double kSettled = 0.005;  ///< change of the cost from so many steps to twice and to four times as many

/// A scenario with figures that are drawn in it; `names` tell which figures are the same one.
struct DrawnScenario {
  Scenario scenario;
  std::vector<UncertainInput> inputs;
  std::vector<std::string> names;

  Scenario at(const std::vector<double>& u) const { return with_inputs(scenario, inputs, u); }
};

struct Entrant {
  Contender contender;
  DrawnScenario normal;
  std::optional<DrawnScenario> degraded;
  double degraded_time = 0.0;
  std::optional<models::Granularity> granularity;
  std::vector<double> usd;           ///< of a useful GPU hour, per draw
  std::vector<double> useful_hours;  ///< present value, per draw
  std::vector<double> by_use_usd;    ///< of a useful GPU hour, what all stores are paid by use, per draw
  double lead_years = 0.0;
  const Offer* offer = nullptr;
  std::size_t store = 0;  ///< index of its store in the scenario
};

/// What one point of the ranges costs.
struct PointCost {
  TotalCostAnswer answer;
  double goodput_normal = 0.0;
  double goodput_degraded = 0.0;
  std::string infeasible;

  double usd() const { return infeasible.empty() ? answer.usd_per_useful_gpu_hour : kWorstUsd; }
  /// Until it serves, everything goes on as it is.
  void wait_for_delivery(double lead_years, const PointCost& nothing) {
    if (infeasible.empty() && lead_years > 0.0) answer = after_lead_time(answer, nothing.answer, lead_years);
  }
};

/// Figures of the scenario beside its store, and those of the store.
DrawnScenario drawn_of(const LoadedScenario& loaded, std::size_t store, const Offer* offer) {
  DrawnScenario drawn{loaded.value, {}, {}};
  const std::string prefix = fmt::format("/stores/{}/", store);
  std::vector<std::pair<UncertainInput, std::string>> all;
  auto inputs = uncertain_inputs(loaded.value, loaded.composition);
  if (inputs)
    for (UncertainInput& input : *inputs) {
      const bool own = input.pointer.starts_with(prefix);
      if (own && offer != nullptr) continue;
      all.emplace_back(input, own ? fmt::format("{}|{}", kNothing, input.pointer) : input.pointer);
    }
  if (offer != nullptr)
    for (UncertainInput& input : derated_claims(loaded.value, store, *offer))
      all.emplace_back(input, fmt::format("offer {}|{}", offer->name, input.pointer));
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first.place < b.first.place; });
  for (auto& [input, name] : all) {
    drawn.inputs.push_back(std::move(input));
    drawn.names.push_back(std::move(name));
  }
  return drawn;
}

class BakeoffRun {
 public:
  explicit BakeoffRun(const BakeoffOptions& options) : options_(options), pool_(options.threads) {}

  void add(Entrant entrant) {
    for (const std::string& name : entrant.normal.names) dimensions_.emplace(name, 0);
    if (entrant.degraded)
      for (const std::string& name : entrant.degraded->names) dimensions_.emplace(name, 0);
    entrants_.push_back(std::move(entrant));
  }

  Bakeoff run();
  std::uint64_t steps() const { return steps_; }
  const std::vector<std::string>& too_short_for() const { return too_short_for_; }

 private:
  /// Places of all dimensions; the middle unless it says otherwise.
  using Places = std::function<double(std::size_t dimension)>;
  /// One simulated cost.
  struct Task {
    std::size_t entrant = 0;
    Places places;
    bool as_claimed = false;
    bool unpriced = false;  ///< what the store is paid by use counts nothing
  };

  std::vector<double> place(const DrawnScenario& drawn, const Places& places) const {
    std::vector<double> u;
    for (const std::string& name : drawn.names) u.push_back(places(dimensions_.at(name)));
    return u;
  }

  Outcome simulated(const Scenario& scenario, const Entrant& entrant, std::uint64_t steps) const;
  PointCost cost_at(const Task& task) const;
  std::vector<PointCost> costs_of(const std::vector<Task>& tasks);
  void choose_granularity();
  void choose_steps();
  void draw();
  void rank();
  void compare_with_first();
  void add_break_even();
  void find_middle();
  std::vector<ClaimEffect> claim_effects();
  std::string winner_with(std::size_t changed, double usd) const;
  /// Index of doing nothing.
  std::size_t nothing() const {
    std::size_t e = 0;
    while (!entrants_[e].contender.nothing) ++e;
    return e;
  }

  const BakeoffOptions& options_;
  models::TaskPool pool_;
  std::map<std::string, std::size_t> dimensions_;  ///< by name: the order of the offers does not matter
  std::vector<Entrant> entrants_;
  std::vector<double> middle_usd_;
  PointCost nothing_in_the_middle_;
  std::mutex progress_;
  std::size_t done_ = 0;
  std::size_t runs_ = 1;
  std::uint64_t steps_ = 0;
  std::vector<std::string> too_short_for_;  ///< contenders whose cost changes with the length of the runs
  bool complete_ = true;
};

Outcome BakeoffRun::simulated(const Scenario& scenario, const Entrant& entrant, std::uint64_t steps) const {
  models::StudyOptions study;
  study.seed = options_.seed;
  study.steps = steps;
  study.threads = 1;
  study.granularity = entrant.granularity;
  study.relief = false;
  study.courses = false;
  study.verdict_by_means = true;
  return models::simulate(scenario, study);
}

/// Why an outcome has no cost.
std::string why_infeasible(const Outcome& outcome) {
  if (outcome.verdict == models::Verdict::infeasible)
    return outcome.warnings.empty() ? "it cannot run" : outcome.warnings.front().seen;
  return models::mean_in(outcome.metrics, "epoch_time_s") > 0.0 ? "" : "its jobs train no epoch";
}

PointCost BakeoffRun::cost_at(const Task& task) const {
  const Entrant& entrant = entrants_[task.entrant];
  const auto scenario_of = [&](const DrawnScenario& drawn) {
    Scenario scenario = task.as_claimed ? drawn.scenario : drawn.at(place(drawn, task.places));
    if (task.unpriced) scenario.stores[entrant.store].price = {};
    return scenario;
  };
  PointCost cost;
  const Scenario normal = scenario_of(entrant.normal);
  cost.infeasible = models::room_excess(normal);
  if (!cost.infeasible.empty()) return cost;
  const Outcome outcome = simulated(normal, entrant, steps_);
  cost.infeasible = why_infeasible(outcome);
  if (!cost.infeasible.empty()) return cost;
  cost.answer = total_cost(normal, outcome);
  cost.goodput_normal = cost.goodput_degraded = cost.answer.goodput_fraction;
  if (!entrant.degraded) return cost;
  const Scenario worse = scenario_of(*entrant.degraded);
  const Outcome failed = simulated(worse, entrant, steps_);
  if (!why_infeasible(failed).empty()) {  // nothing trains for that time
    TotalCostAnswer none = cost.answer;
    none.goodput_fraction = 0.0;
    for (models::CashFlow& row : none.cash_flow) row.useful_gpu_hours = 0.0;
    cost.answer = weighed(cost.answer, none, entrant.degraded_time);
    cost.goodput_degraded = 0.0;
    return cost;
  }
  const TotalCostAnswer answer = total_cost(worse, failed);
  cost.goodput_degraded = answer.goodput_fraction;
  cost.answer = weighed(cost.answer, answer, entrant.degraded_time);
  return cost;
}

std::vector<PointCost> BakeoffRun::costs_of(const std::vector<Task>& tasks) {
  std::vector<PointCost> costs(tasks.size());
  pool_.run(tasks.size(), [&](std::size_t i) {
    if (options_.cancelled && options_.cancelled()) return;
    costs[i] = cost_at(tasks[i]);
    const std::scoped_lock lock(progress_);
    ++done_;
    if (options_.progress) options_.progress(static_cast<double>(done_) / static_cast<double>(runs_));
  });
  if (options_.cancelled && options_.cancelled()) complete_ = false;
  return costs;
}

void BakeoffRun::choose_granularity() {
  models::StudyOptions study;
  study.seed = options_.seed;
  study.steps = options_.steps > 0 ? options_.steps : kFewestSteps;
  study.threads = 1;
  pool_.run(entrants_.size(), [&](std::size_t e) {
    Entrant& entrant = entrants_[e];
    entrant.granularity = models::chosen_granularity(study, entrant.normal.scenario,
                                                     entrant.degraded ? &entrant.degraded->scenario : nullptr);
  });
}

/// Queues and caches that fill up make short runs of an overloaded store too fast. All contenders run as long as the
/// one that needs it most. Two lengths may agree by chance, so a third one is asked.
void BakeoffRun::choose_steps() {
  steps_ = options_.steps;
  const std::uint64_t most = steps_ > 0 ? 2 * steps_ : kMostSteps;  // of a stated length: whether it is enough
  std::vector<std::uint64_t> needed(entrants_.size(), steps_ > 0 ? steps_ : kFewestSteps);
  pool_.run(entrants_.size(), [&](std::size_t e) {
    const Entrant& entrant = entrants_[e];
    const Scenario& scenario = (entrant.degraded ? *entrant.degraded : entrant.normal).scenario;
    if (!models::room_excess(entrant.normal.scenario).empty()) return;
    const auto cost_of = [&](std::uint64_t steps) {
      const Outcome outcome = simulated(scenario, entrant, steps);
      return why_infeasible(outcome).empty() ? total_cost(scenario, outcome).usd_per_useful_gpu_hour : 0.0;
    };
    const auto is_settled = [](double cost, double longer) { return std::abs(longer - cost) <= kSettled * longer; };
    double cost = cost_of(needed[e]);
    double twice = cost > 0.0 ? cost_of(2 * needed[e]) : 0.0;
    while (cost > 0.0 && needed[e] < most && !(options_.cancelled && options_.cancelled())) {
      const double longest = cost_of(4 * needed[e]);
      if (is_settled(cost, twice) && is_settled(cost, longest)) break;
      needed[e] *= 2;
      cost = twice;
      twice = longest;
    }
  });
  if (steps_ == 0) steps_ = *std::max_element(needed.begin(), needed.end());
  for (std::size_t e = 0; e < entrants_.size(); ++e)
    if (needed[e] > steps_) too_short_for_.push_back(entrants_[e].contender.name);
}

/// Present value of what all stores are paid by use.
double by_use_usd(const TotalCostAnswer& answer) {
  double usd = 0.0;
  for (const models::CashFlow& row : answer.cash_flow)
    usd += models::present_usd(row.storage, answer.discount_rate, row.end_years);
  return usd;
}

void BakeoffRun::draw() {
  std::vector<Task> tasks;
  const std::size_t draws = dimensions_.empty() ? 1 : options_.draws;
  const sim::SobolPoints points(draws, std::max<std::size_t>(1, dimensions_.size()),
                                {options_.seed, 0, models::kDrawInputs, 0});
  for (std::size_t e = 0; e < entrants_.size(); ++e)
    for (std::size_t d = 0; d < draws; ++d)
      tasks.push_back({e, [&points, d](std::size_t dimension) { return points.at(d, dimension); }});
  std::vector<PointCost> costs = costs_of(tasks);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    Entrant& entrant = entrants_[tasks[i].entrant];
    costs[i].wait_for_delivery(entrant.lead_years, costs[nothing() * draws + i % draws]);
    entrant.usd.push_back(costs[i].usd());
    entrant.useful_hours.push_back(present_useful_hours(costs[i].answer));
    entrant.by_use_usd.push_back(by_use_usd(costs[i].answer) / std::max(entrant.useful_hours.back(), 1e-9));
  }
  for (std::size_t d = 0; d < draws; ++d) {
    double least = kWorstUsd;
    for (const Entrant& entrant : entrants_) least = std::min(least, entrant.usd[d]);
    double count = 0.0;
    for (const Entrant& entrant : entrants_) count += entrant.usd[d] == least ? 1.0 : 0.0;
    for (Entrant& entrant : entrants_)
      if (entrant.usd[d] == least && least < kWorstUsd)
        entrant.contender.best_probability += 1.0 / count / static_cast<double>(draws);
  }
}

/// Mean, p10 and p90 over the draws that can run. A contender that cannot run at a draw is no choice there.
void sum_up_draws(Entrant& entrant) {
  std::vector<double> usd = entrant.usd;
  std::erase_if(usd, [](double value) { return value >= kWorstUsd; });
  Contender& contender = entrant.contender;
  if (!entrant.usd.empty())
    contender.feasible_share = static_cast<double>(usd.size()) / static_cast<double>(entrant.usd.size());
  if (usd.empty()) return;
  std::sort(usd.begin(), usd.end());
  for (const double value : usd) contender.usd_expected += value / static_cast<double>(usd.size());
  const auto quantile = [&usd](double p) {
    return usd[static_cast<std::size_t>(std::lround(p * static_cast<double>(usd.size() - 1)))];
  };
  contender.usd_low = quantile(0.1);
  contender.usd_high = quantile(0.9);
}

/// In the middle of the ranges, and as claimed.
void BakeoffRun::find_middle() {
  std::vector<Task> tasks;
  for (std::size_t e = 0; e < entrants_.size(); ++e) {
    tasks.push_back({e, [](std::size_t) { return 0.5; }});
    tasks.push_back({e, [](std::size_t) { return 0.5; }, true});
  }
  std::vector<PointCost> costs = costs_of(tasks);
  nothing_in_the_middle_ = costs[2 * nothing()];
  for (std::size_t e = 0; e < entrants_.size(); ++e) {
    PointCost& middle = costs[2 * e];
    PointCost& claimed = costs[2 * e + 1];
    Contender& contender = entrants_[e].contender;
    const double lead_years = entrants_[e].lead_years;
    if (!contender.nothing && middle.infeasible.empty() && claimed.infeasible.empty() &&
        nothing_in_the_middle_.infeasible.empty())
      contender.gain = gain_over_nothing(middle.answer, nothing_in_the_middle_.answer, lead_years);
    middle.wait_for_delivery(lead_years, nothing_in_the_middle_);
    claimed.wait_for_delivery(lead_years, costs[2 * nothing() + 1]);
    contender.infeasible = claimed.infeasible.empty() ? middle.infeasible : claimed.infeasible;
    contender.goodput_normal = middle.goodput_normal;
    contender.goodput_degraded = middle.goodput_degraded;
    contender.usd_as_claimed = claimed.answer.usd_per_useful_gpu_hour;
    contender.answer = middle.answer;
    contender.answer.room = claimed.answer.room;
    middle_usd_.push_back(middle.usd());
  }
}

void BakeoffRun::rank() {
  std::vector<std::size_t> order(entrants_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto key = [this](std::size_t e) {
    const Contender& contender = entrants_[e].contender;
    const bool runs = contender.infeasible.empty() && contender.feasible_share > 0.0;
    return std::tuple(!runs || contender.feasible_share < 1.0, runs ? contender.usd_expected : kWorstUsd,
                      contender.name);
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  for (std::size_t i = 0; i < order.size(); ++i) entrants_[order[i]].contender.rank = i + 1;
  std::vector<double> middle;
  for (const std::size_t e : order) middle.push_back(middle_usd_[e]);
  middle_usd_ = std::move(middle);
  std::sort(entrants_.begin(), entrants_.end(),
            [](const Entrant& a, const Entrant& b) { return a.contender.rank < b.contender.rank; });
}

/// What a dollar of the store's price adds to the present value of all payments, support and lease included.
double present_value_per_dollar(const Entrant& entrant) {
  const auto answer_at = [&](double capital) {
    Scenario copy = entrant.normal.scenario;
    copy.stores[entrant.store].purchase->capital_usd = capital;
    Outcome nothing;
    return total_cost(copy, nothing);
  };
  constexpr double kDollars = 1e6;
  const TotalCostAnswer free = answer_at(0.0);
  const TotalCostAnswer paid = after_lead_time(answer_at(kDollars), free, entrant.lead_years);
  return (paid.present_value_usd - free.present_value_usd) / kDollars;
}

/// Of a value per draw, over the draws in which the contender runs.
double mean_where_it_runs(const Entrant& entrant, const std::vector<double>& values) {
  double sum = 0.0;
  double count = 0.0;
  for (std::size_t d = 0; d < values.size(); ++d)
    if (entrant.usd[d] < kWorstUsd && entrant.useful_hours[d] > 0.0) {
      sum += values[d];
      count += 1.0;
    }
  return count > 0.0 ? sum / count : 0.0;
}

/// What a dollar of present value adds to the mean cost of a useful GPU hour over the draws.
double per_useful_hour(const Entrant& entrant) {
  std::vector<double> inverse;
  for (const double hours : entrant.useful_hours) inverse.push_back(hours > 0.0 ? 1.0 / hours : 0.0);
  return mean_where_it_runs(entrant, inverse);
}

/// The mean cost of a useful GPU hour over the draws is linear in the price.
void BakeoffRun::add_break_even() {
  const double first = entrants_.front().contender.usd_expected;
  for (Entrant& entrant : entrants_) {
    Contender& contender = entrant.contender;
    const bool runs = contender.infeasible.empty() && contender.feasible_share >= 1.0;
    if (contender.rank == 1 || contender.nothing || !runs) continue;
    const double more = contender.usd_expected - first;
    if (contender.capital_usd > 0.0) {
      const double per_dollar = present_value_per_dollar(entrant) * per_useful_hour(entrant);
      if (per_dollar > 0.0) contender.break_even_capital_usd = contender.capital_usd - more / per_dollar;
      continue;
    }
    const std::size_t e = static_cast<std::size_t>(&entrant - entrants_.data());
    PointCost unpriced = costs_of({{e, [](std::size_t) { return 0.5; }, false, true}}).front();
    unpriced.wait_for_delivery(entrant.lead_years, nothing_in_the_middle_);
    // Its part of all that is paid by use, in the middle of the ranges.
    const double all_usd = by_use_usd(contender.answer);
    const double own = all_usd > 0.0 ? 1.0 - by_use_usd(unpriced.answer) / all_usd : 0.0;
    const double own_usd = own * mean_where_it_runs(entrant, entrant.by_use_usd);
    if (own_usd > 0.0) contender.break_even_price_fraction = 1.0 - more / own_usd;
  }
}

void BakeoffRun::compare_with_first() {
  const std::vector<double>& first = entrants_.front().usd;
  for (Entrant& entrant : entrants_) {
    if (&entrant == &entrants_.front()) continue;
    std::vector<double> more;
    for (std::size_t d = 0; d < first.size(); ++d)
      if (first[d] < kWorstUsd && entrant.usd[d] < kWorstUsd) more.push_back(entrant.usd[d] - first[d]);
    if (more.size() < 2) continue;
    const sim::ReplicationResult result = sim::replication_interval(more, 0.95, 2);
    if (!result.interval) continue;
    entrant.contender.more_than_first_low_usd = result.interval->lo;
    entrant.contender.more_than_first_high_usd = result.interval->hi;
  }
}

std::string BakeoffRun::winner_with(std::size_t changed, double usd) const {
  std::size_t best = 0;
  double least = kWorstUsd;
  for (std::size_t e = 0; e < entrants_.size(); ++e) {
    const double cost = e == changed ? usd : middle_usd_[e];
    if (cost < least) {
      least = cost;
      best = e;
    }
  }
  return entrants_[best].contender.name;
}

ClaimEffect effect_of(const Offer& offer, const UncertainInput& input) {
  ClaimEffect effect;
  effect.offer = offer.name;
  effect.parameter = input.pointer.substr(input.pointer.find('/', 8) + 1);
  for (const models::ChoiceName<models::Evidence>& name : models::kEvidenceNames)
    if (name.value == input.evidence) effect.evidence = name.name;
  for (const Claim& claim : offer.claims)
    if (effect.parameter == claim.parameter || effect.parameter.starts_with(claim.parameter + "/")) {
      effect.conditions = claim.conditions;
      effect.source = claim.source;
    }
  const auto text = [&input](double value) {
    return print_quantity(std::stod(fmt::format("{:.3g}", value)), input.unit);
  };
  const bool less_is_better = input.unit == models::Unit::seconds;
  effect.worst = text(less_is_better ? input.high : input.low);
  effect.best = text(less_is_better ? input.low : input.high);
  return effect;
}

std::vector<ClaimEffect> BakeoffRun::claim_effects() {
  std::vector<ClaimEffect> effects;
  std::vector<Task> tasks;
  for (std::size_t e = 0; e < entrants_.size(); ++e) {
    const Entrant& entrant = entrants_[e];
    if (entrant.offer == nullptr || !entrant.contender.infeasible.empty()) continue;
    for (std::size_t i = 0; i < entrant.normal.inputs.size(); ++i) {
      const UncertainInput& input = entrant.normal.inputs[i];
      if (!entrant.normal.names[i].starts_with("offer ")) continue;
      effects.push_back(effect_of(*entrant.offer, input));
      const std::size_t own = dimensions_.at(entrant.normal.names[i]);
      const double worst = input.unit == models::Unit::seconds ? kLastOfRange : 0.0;
      for (const double end : {worst, kLastOfRange - worst})
        tasks.push_back({e, [own, end](std::size_t dimension) { return dimension == own ? end : 0.5; }});
    }
  }
  std::vector<PointCost> costs = costs_of(tasks);
  for (std::size_t i = 0; i < costs.size(); ++i)
    costs[i].wait_for_delivery(entrants_[tasks[i].entrant].lead_years, nothing_in_the_middle_);
  for (std::size_t i = 0; i < effects.size(); ++i) {
    ClaimEffect& effect = effects[i];
    effect.usd_at_worst = costs[2 * i].answer.usd_per_useful_gpu_hour;
    effect.usd_at_best = costs[2 * i + 1].answer.usd_per_useful_gpu_hour;
    effect.winner_at_worst = winner_with(tasks[2 * i].entrant, costs[2 * i].usd());
    effect.winner_at_best = winner_with(tasks[2 * i].entrant, costs[2 * i + 1].usd());
    effect.decides = effect.winner_at_worst != effect.winner_at_best;
  }
  std::stable_sort(effects.begin(), effects.end(), [](const ClaimEffect& a, const ClaimEffect& b) {
    if (a.decides != b.decides) return a.decides;
    return std::abs(a.usd_at_worst - a.usd_at_best) > std::abs(b.usd_at_worst - b.usd_at_best);
  });
  return effects;
}

Bakeoff BakeoffRun::run() {
  std::size_t next = 0;
  for (auto& [name, dimension] : dimensions_) dimension = next++;
  std::size_t claims = 0;
  for (const auto& [name, dimension] : dimensions_) claims += name.starts_with("offer ") ? 1 : 0;
  runs_ = entrants_.size() * (options_.draws + 2) + 2 * claims;
  choose_granularity();
  choose_steps();
  find_middle();
  draw();
  for (Entrant& entrant : entrants_) sum_up_draws(entrant);
  rank();
  compare_with_first();
  add_break_even();
  Bakeoff bakeoff;
  bakeoff.claims = claim_effects();
  for (Entrant& entrant : entrants_) bakeoff.contenders.push_back(std::move(entrant.contender));
  bakeoff.draws = dimensions_.empty() ? 1 : options_.draws;
  bakeoff.steps = steps_;
  bakeoff.seed = options_.seed;
  bakeoff.inputs = dimensions_.size();
  bakeoff.complete = complete_;
  return bakeoff;
}

Diagnostics one_complaint(const char* code, std::string message, std::string help) {
  Diagnostic d;
  d.code = code;
  d.message = std::move(message);
  d.help = std::move(help);
  Diagnostics diagnostics;
  diagnostics.add(std::move(d));
  return diagnostics;
}

/// Index of the store that the offers replace.
tl::expected<std::size_t, Diagnostics> replaced_store(const Scenario& scenario, const std::string& name) {
  const std::string& wanted = name.empty() ? dataset_of(scenario, scenario.jobs.front()).store : name;
  for (std::size_t i = 0; i < scenario.stores.size(); ++i)
    if (scenario.stores[i].name == wanted) return i;
  return tl::unexpected(one_complaint("E0211", fmt::format("the scenario has no store '{}' to replace", wanted),
                                      fmt::format("its first store is '{}': --replaces {}",
                                                  scenario.stores.front().name, scenario.stores.front().name)));
}

tl::expected<Entrant, Diagnostics> entrant_of(const LoadedScenario& base, std::size_t store, const LoadedOffer& offer,
                                              const Catalogue& catalogue) {
  auto normal = with_offer(base, store, offer, false, catalogue);
  if (!normal) return tl::unexpected(std::move(normal.error()));
  auto degraded = with_offer(base, store, offer, true, catalogue);
  if (!degraded) return tl::unexpected(std::move(degraded.error()));
  Diagnostics complaints = check_offer(offer, normal->value.stores[store], degraded->value.stores[store]);
  if (!complaints.empty()) return tl::unexpected(std::move(complaints));
  hold_to_measured(offer.offer, normal->value.stores[store], degraded->value.stores[store]);
  Entrant entrant;
  entrant.offer = &offer.offer;
  entrant.store = store;
  entrant.contender.name = offer.offer.name;
  entrant.contender.vendor = offer.offer.vendor;
  entrant.contender.as_of = offer.offer.as_of;
  entrant.contender.valid_until = offer.offer.valid_until;
  entrant.contender.lead_time_days = offer.offer.lead_time_s / 86400.0;
  entrant.lead_years = entrant.contender.lead_time_days / kDaysOfYear;
  entrant.contender.expansion = offer.offer.expansion;
  if (const auto& purchase = normal->value.stores[store].purchase)
    entrant.contender.capital_usd = purchase->capital_usd;
  entrant.normal = drawn_of(*normal, store, &offer.offer);
  entrant.degraded = drawn_of(*degraded, store, &offer.offer);
  entrant.degraded_time = offer.offer.degraded_time;
  return entrant;
}

/// The scenario as it is moves nothing and buys nothing.
Entrant nothing_done(const LoadedScenario& base, std::size_t store) {
  Entrant entrant;
  entrant.contender.name = kNothing;
  entrant.contender.nothing = true;
  LoadedScenario unmoved = base;  // before figures are drawn: one of zero is not
  if (auto& terms = unmoved.value.prices.total_cost) terms->migration_usd = 0.0;
  entrant.normal = drawn_of(unmoved, store, nullptr);
  return entrant;
}

}  // namespace

tl::expected<Bakeoff, Diagnostics> run_bakeoff(const LoadedScenario& scenario, const std::vector<LoadedOffer>& offers,
                                               const Catalogue& catalogue, const BakeoffOptions& options) {
  const auto store = replaced_store(scenario.value, options.replaces);
  if (!store) return tl::unexpected(store.error());
  BakeoffRun run(options);
  run.add(nothing_done(scenario, *store));
  std::vector<const LoadedOffer*> order;
  for (const LoadedOffer& offer : offers) order.push_back(&offer);
  std::sort(order.begin(), order.end(),
            [](const LoadedOffer* a, const LoadedOffer* b) { return a->offer.name < b->offer.name; });
  std::set<std::string> names{kNothing};
  for (const LoadedOffer* offer : order) {
    if (!names.insert(offer->offer.name).second)
      return tl::unexpected(one_complaint("E0212", fmt::format("two offers have the name '{}'", offer->offer.name),
                                          "give each offer a name of its own"));
    auto entrant = entrant_of(scenario, *store, *offer, catalogue);
    if (!entrant) return tl::unexpected(std::move(entrant.error()));
    run.add(std::move(*entrant));
  }
  Bakeoff bakeoff = run.run();
  bakeoff.model_version = models::kModelVersion;
  bakeoff.scenario_sha256 = scenario.sha256;
  bakeoff.title = scenario.value.title;
  bakeoff.replaces = scenario.value.stores[*store].name;
  bakeoff.settled = run.too_short_for().empty();
  if (!bakeoff.settled)
    bakeoff.warnings.push_back({fmt::format("runs of {} steps are too short for {}: longer ones give other costs",
                                            run.steps(), fmt::join(run.too_short_for(), ", ")),
                                "leave --steps out, which chooses enough"});
  const Contender* nothing = nullptr;
  for (const Contender& contender : bakeoff.contenders)
    if (contender.nothing) nothing = &contender;
  if (nothing != nullptr && nothing->infeasible.empty() && !(nothing->usd_expected > 0.0))
    bakeoff.warnings.push_back(
        {"the scenario states no prices, so doing nothing costs nothing and every offer adds to it",
         "state prices of the scenario: --set /prices/gpu_hour='$2.5'"});
  else if (models::has_unpriced_gpus(scenario.value))
    bakeoff.warnings.push_back(
        {"GPUs have no price, so their waits cost nothing and a store that ends them gains nothing",
         "state it: --set /prices/gpu_hour='$2.5'"});
  for (const Contender& contender : bakeoff.contenders)
    if (!contender.nothing && !(contender.lead_time_days > 0.0))
      bakeoff.warnings.push_back(
          {fmt::format("offer {} states no lead time, so it counts as serving at once", contender.name),
           "ask for it: \"lead_time\" of the offer"});
  return bakeoff;
}

}  // namespace headrace::scenarios
