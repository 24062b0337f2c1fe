#include "scenarios/growth/course.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/answer/pool_shares.hpp"
#include "models/outcome/total_cost.hpp"
#include "models/path/ingest_path.hpp"
#include "models/spec/number_scaling.hpp"

namespace headrace::scenarios {
namespace {

using models::Layer;

constexpr unsigned kMostStages = 60;
constexpr double kLongestLead = 20.0;  ///< quarters beyond the horizon that are looked at
constexpr double kSameMoment = 1e-9;

double between(double low, double middle, double high, bool nominal, double u) {
  if (nominal || !(low < high)) return middle;
  return low + u * (high - low);
}

double in_quarters(double seconds) { return seconds / (models::kDaysOfQuarter * 86400.0); }

/// When a share that moves in equal ratios from `before` to `after` within a quarter reaches `full`.
double crossing(double before, double after, double full) {
  if (!(before > 0.0) || !(after > before)) return 1.0;
  return std::clamp(std::log(full / before) / std::log(after / before), 0.0, 1.0);
}

}  // namespace

double lead_quarters(const models::GrowthPurchase& purchase) { return in_quarters(purchase.lead_time_s); }

Course::Course(const GrowthPart& part, const std::vector<models::UncertainInput>& inputs, CourseDraw draw)
    : part_(part), inputs_(inputs), draw_(std::move(draw)) {
  for (const LoadedScenario& generation : part.generations) {
    models::Scenario scenario = generation.value;
    if (!draw_.nominal && !inputs_.empty()) {
      // The same figures may stand at other places of a later generation.
      std::vector<models::UncertainInput> own = models::uncertain_inputs(scenario);
      std::vector<models::UncertainInput> drawn;
      std::vector<double> u;
      for (const models::UncertainInput& place : own)
        for (std::size_t i = 0; i < inputs_.size(); ++i)
          if (inputs_[i].pointer == place.pointer && inputs_[i].value == place.value) {
            drawn.push_back(inputs_[i]);
            drawn.back().place = place.place;
            u.push_back(draw_.inputs[i]);
            break;
          }
      scenario = with_inputs(scenario, drawn, u);
    }
    generations_.push_back(std::move(scenario));
  }
}

double Course::trend(std::size_t i) const {
  const models::GrowthTrend& about = part_.growth.trends[i];
  return between(about.low, about.per_quarter, about.high, draw_.nominal, draw_.nominal ? 0.5 : draw_.trends[i]);
}

double Course::price_trend(std::size_t i) const {
  const models::GrowthPurchase& about = part_.growth.purchases[i];
  return between(about.price_low, about.price_per_quarter, about.price_high, draw_.nominal,
                 draw_.nominal ? 0.5 : draw_.prices[i]);
}

double Course::swap_quarter(std::size_t i) const {
  const models::GrowthSwap& about = part_.growth.swaps[i];
  if (draw_.nominal || about.latest <= about.earliest) return static_cast<double>(about.quarter);
  const double span = static_cast<double>(about.latest - about.earliest + 1);
  return static_cast<double>(about.earliest) + std::floor(draw_.swaps[i] * span);
}

std::size_t Course::generation_at(unsigned quarter) const {
  std::size_t generation = 0;
  while (generation < part_.growth.swaps.size() && swap_quarter(generation) <= quarter) ++generation;
  return generation;
}

double Course::full_within(unsigned quarter, Layer layer, const Bought& bought) {
  const auto share = [&](unsigned q) { return load_at(q, bought).share[static_cast<std::size_t>(layer)]; };
  const double full = full_share(layer);
  const double before = share(quarter - 1);
  const std::size_t generation = generation_at(quarter - 1);
  if (generation_at(quarter) == generation) return crossing(before, share(quarter), full);
  const bool known = quarter >= 2 && generation_at(quarter - 2) == generation && share(quarter - 2) > 0.0;
  const double grown = known ? before * before / share(quarter - 2) : before;
  return grown >= full ? crossing(before, grown, full) : 1.0;
}

models::Scenario Course::wanted_at(unsigned quarter, const Bought& bought) const {
  const std::size_t generation = generation_at(quarter);
  models::NumberFactors factors;
  const auto multiply = [&factors](const std::string& pointer, double by) {
    factors.try_emplace(pointer, 1.0).first->second *= by;
  };
  for (std::size_t i = 0; i < part_.growth.trends.size(); ++i)
    multiply(part_.growth.trends[i].parameter, std::pow(1.0 + trend(i), static_cast<double>(quarter)));
  std::map<std::string, double> added;  // shares of today's value: what several purchases add to it adds up
  for (std::size_t i = 0; i < bought.size(); ++i)
    for (const models::GrowthAddition& addition : part_.growth.purchases[i].adds)
      if (bought[i] > 0) added[addition.parameter] += bought[i] * addition.share;
  for (const auto& [parameter, share] : added) multiply(parameter, 1.0 + share);
  models::Scenario scenario = generations_[generation];
  scale_numbers(factors, scenario);
  return scenario;
}

models::Scenario Course::scenario_at(unsigned quarter, const Bought& bought) const {
  return what_runs(wanted_at(quarter, bought), quarter);
}

models::Scenario Course::what_runs(models::Scenario scenario, unsigned quarter) {
  keep_what_fits(scenario);
  if (const std::string conflict = scale_numbers({}, scenario); !conflict.empty())
    throw models::UnusableRequest(
        fmt::format("growth makes parameters contradict each other in quarter {}: {}", quarter, conflict),
        "let what limits it grow too, or look ahead fewer --quarters");
  return scenario;
}

const QuarterLoad& Course::load_at(unsigned quarter, const Bought& bought) {
  const auto [entry, fresh] = loads_.try_emplace({quarter, bought});
  if (!fresh) return entry->second;
  const models::Scenario wanted = wanted_at(quarter, bought);
  const models::Scenario scenario = what_runs(wanted, quarter);
  const models::BusyShares busy = models::busy_shares(scenario);
  QuarterLoad& load = entry->second;
  for (std::size_t l = 0; l < models::kLayerCount; ++l)
    if (const models::BusyShare* fullest = busy.fullest(static_cast<Layer>(l))) {
      load.share[l] = fullest->share;
      load.name[l] = fullest->name + " (" + fullest->owner + ")";
    }
  for (const models::BusyShare& pool : pool_shares(wanted))
    if (double& share = load.share[static_cast<std::size_t>(Layer::gpus)]; pool.share > share) {
      share = pool.share;
      load.name[static_cast<std::size_t>(Layer::gpus)] = pool.name + " (" + pool.owner + ")";
    }
  for (std::size_t j = 0; j < busy.jobs.size(); ++j) {
    const models::JobWaits& job = busy.jobs[j];
    load.gpus += job.gpus;
    load.waiting_for_data += job.for_data;
    load.waiting_gpus += job.for_data + job.unserved;
    load.waiting_usd +=
        models::waiting_usd(scenario, pool_of(scenario, scenario.jobs[j]), job.for_data + job.unserved, 0.25);
  }
  return load;
}

double Course::full_share(Layer layer) const { return layer == Layer::gpus ? 1.0 : part_.growth.full; }

bool Course::is_full(Layer layer, double share) const {
  return layer == Layer::gpus ? share > full_share(layer) : share >= full_share(layer);
}

Bought Course::bought_by(const std::vector<PurchaseStage>& schedule, unsigned quarter) const {
  Bought bought = nothing();
  const std::vector<double> times = arrivals(schedule);
  for (std::size_t i = 0; i < schedule.size(); ++i)
    if (times[i] <= quarter) ++bought[schedule[i].purchase];
  return bought;
}

std::optional<double> Course::full_at(Layer layer) {
  const auto l = static_cast<std::size_t>(layer);
  if (is_full(layer, load_at(0, nothing()).share[l])) return 0.0;
  for (unsigned q = 1; q <= quarters(); ++q)
    if (is_full(layer, load_at(q, nothing()).share[l])) return q - 1 + full_within(q, layer, nothing());
  return std::nullopt;
}

bool Course::is_known(unsigned quarter, const Bought& bought) {
  if (quarter <= quarters()) return true;
  try {
    load_at(quarter, bought);
    return true;
  } catch (const models::UnusableRequest&) {  // growth beyond the horizon is nobody's question
    loads_.erase({quarter, bought});
    return false;
  }
}

std::vector<PurchaseStage> Course::just_in_time() {
  std::vector<PurchaseStage> stages;
  Bought bought = nothing();
  double longest = 0.0;
  for (const models::GrowthPurchase& purchase : part_.growth.purchases)
    longest = std::max(longest, lead_quarters(purchase));
  const unsigned last = quarters() + static_cast<unsigned>(std::ceil(std::min(longest, kLongestLead)));
  for (unsigned q = 0; q <= last && is_known(q, bought); ++q)
    for (std::size_t p = 0; p < bought.size(); ++p) {
      const auto layer = static_cast<Layer>(part_.growth.purchases[p].relieves);
      const auto l = static_cast<std::size_t>(layer);
      while (is_full(layer, load_at(q, bought).share[l]) && stages.size() < kMostStages) {
        const double after = load_at(q, bought).share[l];
        const double before = q == 0 ? after : load_at(q - 1, bought).share[l];
        const double needed = q == 0 ? 0.0 : is_full(layer, before) ? q - 1.0 : q - 1 + full_within(q, layer, bought);
        if (needed - lead_quarters(part_.growth.purchases[p]) >= quarters()) break;  // ordered after the horizon
        ++bought[p];
        if (!is_known(q, bought) || load_at(q, bought).share[l] > after * (1.0 - 1e-9)) {  // it does not help
          --bought[p];
          break;
        }
        stages.push_back({p, needed});
      }
    }
  std::stable_sort(stages.begin(), stages.end(), [](const auto& a, const auto& b) { return a.needed < b.needed; });
  return stages;
}

double Course::discounted(double usd, double quarter) const {
  return models::present_usd(usd, part_.growth.discount_rate, quarter / 4.0);
}

double Course::doing_nothing_usd() {
  double usd = 0.0;
  for (unsigned q = 0; q < quarters(); ++q) usd += discounted(load_at(q, nothing()).waiting_usd, q + 1.0);
  return usd;
}

double Course::price_usd(std::size_t purchase, double ordered) const {
  return part_.growth.purchases[purchase].price_usd * std::pow(1.0 + price_trend(purchase), ordered);
}

double Course::left_usd(std::size_t purchase, double arrives) const {
  const models::GrowthPurchase& about = part_.growth.purchases[purchase];
  const double used = (quarters() - arrives) / in_quarters(about.lifetime_s);
  return price_usd(purchase, arrives - lead_quarters(about)) * std::max(0.0, 1.0 - used);
}

std::vector<double> Course::arrivals(const std::vector<PurchaseStage>& schedule) const {
  std::vector<double> times;
  for (const PurchaseStage& stage : schedule)
    times.push_back(std::max(stage.needed, lead_quarters(part_.growth.purchases[stage.purchase])));
  return times;
}

double Course::waiting_usd(unsigned quarter, const std::vector<PurchaseStage>& schedule,
                           const std::vector<double>& arrivals) {
  std::vector<double> parts{quarter + 1.0};
  for (const double arrives : arrivals)
    if (arrives > quarter && arrives < quarter + 1.0) parts.push_back(arrives);
  std::sort(parts.begin(), parts.end());
  double usd = 0.0;
  double from = quarter;
  for (const double to : parts) {
    Bought bought = nothing();
    for (std::size_t s = 0; s < schedule.size(); ++s)
      if (arrivals[s] <= from + kSameMoment) ++bought[schedule[s].purchase];
    if (to > from) usd += (to - from) * load_at(quarter, bought).waiting_usd;
    from = to;
  }
  return usd;
}

double Course::cost_usd(const std::vector<PurchaseStage>& schedule) {
  double usd = 0.0;
  const std::vector<double> times = arrivals(schedule);
  for (std::size_t s = 0; s < schedule.size(); ++s) {
    if (times[s] >= quarters()) continue;  // beyond what is looked at
    const models::GrowthPurchase& about = part_.growth.purchases[schedule[s].purchase];
    const double order = times[s] - lead_quarters(about);
    usd += discounted(price_usd(schedule[s].purchase, order), order);
    usd += discounted(about.upkeep_usd * (quarters() - times[s]), (quarters() + times[s]) / 2.0);
    usd -= discounted(left_usd(schedule[s].purchase, times[s]), quarters());
  }
  for (unsigned q = 0; q < quarters(); ++q) usd += discounted(waiting_usd(q, schedule, times), q + 1.0);
  return usd;
}

double Course::paid_usd(const PurchaseStage& stage, double arrives, double from, double to) const {
  if (arrives >= quarters()) return 0.0;
  const models::GrowthPurchase& about = part_.growth.purchases[stage.purchase];
  const double order = arrives - lead_quarters(about);
  const double price = order >= from && order < to ? price_usd(stage.purchase, order) : 0.0;
  return price + about.upkeep_usd * std::max(0.0, to - std::max(from, arrives));
}

std::optional<double> Course::payback_quarters(const std::vector<PurchaseStage>& schedule) {
  const std::vector<double> times = arrivals(schedule);
  double sum = 0.0;
  std::optional<double> back;
  bool paid = false;
  for (unsigned q = 0; q < quarters(); ++q) {
    double net = load_at(q, nothing()).waiting_usd - waiting_usd(q, schedule, times);
    for (std::size_t s = 0; s < schedule.size(); ++s) {
      const double usd = paid_usd(schedule[s], times[s], q, q + 1.0);
      paid = paid || usd > 0.0;
      net -= usd;
    }
    const double before = sum;
    sum += net;
    if (sum < 0.0)
      back.reset();
    else if (before < 0.0)
      back = q + -before / net;
    else if (paid && !back)
      back = q + 1.0;
  }
  return back;
}

}  // namespace headrace::scenarios
