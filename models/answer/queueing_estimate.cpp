#include "models/answer/queueing_estimate.hpp"

#include <algorithm>
#include <cstdio>

#include "models/answer/estimate_error.hpp"
#include "models/base/purposes.hpp"
#include "models/cluster/cluster_plan.hpp"
#include "models/cluster/fair_share.hpp"
#include "models/engine/drawn_parts.hpp"
#include "models/engine/max_plus.hpp"
#include "models/hops/batch_time_law.hpp"
#include "models/hops/resource_floors.hpp"
#include "models/interruptions/interruptions.hpp"
#include "models/interruptions/over_time.hpp"
#include "models/outcome/cluster_outcome.hpp"
#include "models/outcome/input_warnings.hpp"
#include "models/outcome/machine_room.hpp"
#include "models/outcome/outcome_assembly.hpp"
#include "models/path/epoch_windows.hpp"
#include "models/path/tier_path.hpp"

namespace headrace::models {

namespace {

/// Batches that all windows of an estimate draw together: a few milliseconds.
constexpr std::uint64_t kDraws = 400'000;
constexpr std::uint64_t kAnySteps = UINT64_MAX;
constexpr double kNoWait = 1e-4;  ///< of the step time

/// Lasting differences between nodes, as ItineraryMaker draws them, on what a batch costs the host.
std::vector<sim::TimeNs> extra_times_ns(const IngestPath& path, std::uint64_t seed) {
  if (!(path.speed_cv > 0.0)) return {};
  const sim::Distribution slowness = sim::Distribution::lognormal(1.0, path.speed_cv);
  std::vector<double> factors(path.nodes);
  double sum = 0.0;
  for (std::uint32_t node = 0; node < path.nodes; ++node) {
    factors[node] = slowness.quantile(sim::uniform({seed, 0, kDrawNodeSpeed, node}, 0));
    sum += factors[node];
  }
  const double host_s = node_bound_time_s(path);
  std::vector<sim::TimeNs> extra(path.loaders);
  for (std::uint32_t loader = 0; loader < path.loaders; ++loader) {
    const double excess_s = host_s * (factors[path.node_of(loader)] * path.nodes / sum - 1.0);
    extra[loader] = excess_s < 0.0 ? -sim::duration_ns(-excess_s) : sim::duration_ns(excess_s);
  }
  return extra;
}

/// Compute and what stands beside it in step `step`, drawn as the simulation draws it.
sim::TimeNs busy_ns(const IngestPath& path, std::uint64_t seed, std::uint64_t step) {
  const sim::StreamKey key{seed, 0, kDrawStep, 0};
  const sim::UniformPair u = sim::uniform_pair(key, step);
  return sim::duration_ns(path.compute_s.quantile(u.first)) + sim::duration_ns(path.overhead_s.quantile(u.second)) +
         sim::duration_ns(path.gpu_decode_s) + sim::duration_ns(path.host_load.wait_s) + sim::duration_ns(path.h2d_s) +
         sim::duration_ns(path.collective_s) + barrier_ns(path.barrier, key, step);
}

/// That of each step from `first` on.
std::vector<sim::TimeNs> busy_of_steps(const IngestPath& path, std::uint64_t seed, std::uint64_t first,
                                       std::uint64_t steps) {
  std::vector<sim::TimeNs> busy(steps, busy_ns(path, seed, first));
  const bool varies =
      !path.compute_s.is_constant() || !path.overhead_s.is_constant() || path.barrier.slowest_rank_s > 0.0;
  for (std::uint64_t step = 1; varies && step < steps; ++step) busy[step] = busy_ns(path, seed, first + step);
  return busy;
}

/// Mean step time after a warm-up of the outstanding batches, and of an eighth of the steps.
template <class Engine>
double mean_step_s(Engine engine, std::uint32_t outstanding, const std::vector<sim::TimeNs>& busy) {
  const std::uint64_t steps = busy.size() - 1;
  const std::uint64_t from = std::max<std::uint64_t>(outstanding, steps / 8);
  sim::TimeNs from_ns = 0;
  sim::TimeNs to_ns = 0;
  for (std::uint64_t step = 0; step <= steps; ++step) {
    to_ns = engine.advance(busy[step]).start_ns;
    if (step == from) from_ns = to_ns;
  }
  return sim::seconds(to_ns - from_ns) / static_cast<double>(steps - from);
}

/// The law as a table without branches: a third of the time per draw.
std::shared_ptr<const sim::QuantileTable> table_of(const sim::Distribution& law) {
  if (law.is_constant()) return nullptr;
  return std::make_shared<sim::QuantileTable>([&law](double v, bool upper) {
    constexpr double kReach = 1.0 / 128.0;
    const auto at = [&](double tail) { return law.quantile(upper ? 1.0 - tail : tail); };
    const double rise = at(v * (1.0 + kReach)) - at(v * (1.0 - kReach));
    return sim::TailPoint{at(v), (rise < 0.0 ? -rise : rise) / (2.0 * kReach * v)};
  });
}

/// One window of the epoch: its batch times, made once, and the recursion that they drive.
class WindowEstimate {
 public:
  WindowEstimate(const IngestPath& path, std::uint64_t seed, std::uint64_t draws, std::uint64_t most_steps)
      : path_(path), seed_(seed), law_{batch_time_law(path), 0, extra_times_ns(path, seed), nullptr} {
    law_.table = table_of(law_.random_s);
    // Any order costs four times as much per batch.
    const std::uint64_t least = (path.order == DeliveryOrder::in_order ? 4ULL : 3ULL) * path.outstanding;
    steps_ = std::max<std::uint64_t>(least, std::min(draws / path.loaders, most_steps));
  }

  /// Mean step time when nothing is shared and each batch takes `delay_s` more.
  double step_s(double delay_s) {
    if (busy_.empty()) draw();
    return with_engine(delay_s, 0,
                       [&](auto engine) { return mean_step_s(std::move(engine), path_.outstanding, busy_); });
  }

  /// What an epoch that begins with empty queues takes beyond its steps of step_s(0).
  double refill_s(double alone_s) const {
    constexpr std::uint64_t kMostEpochs = 32;
    const std::uint64_t steps = steps_of_refill();
    const auto epochs =
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>(kDraws / (steps * path_.loaders), 2, kMostEpochs));
    double sum_s = 0.0;
    for (std::uint32_t epoch = 1; epoch <= epochs; ++epoch)
      sum_s += with_engine(0.0, epoch, [&](auto engine) {
        double ends_s = 0.0;  // of the last steps, as many as there are workers: engine/epoch_refill.hpp
        const std::vector<sim::TimeNs> busy = busy_of_steps(path_, seed_, epoch * steps + 1, steps);
        for (std::uint64_t n = 1; n <= steps; ++n) {
          const sim::TimeNs end_ns = engine.advance(busy[n - 1]).start_ns + busy[n - 1];
          if (n + path_.workers > steps) ends_s += sim::seconds(end_ns) - static_cast<double>(n) * alone_s;
        }
        return ends_s / std::min<double>(path_.workers, static_cast<double>(steps));
      });
    return sum_s / epochs;
  }

 private:
  /// Calls `use` with the recursion in which each batch takes `delay_s` more.
  template <class Use>
  double with_engine(double delay_s, std::uint32_t replication, const Use& use) const {
    const LoaderShape shape{.loaders = path_.loaders,
                            .workers = path_.workers,
                            .outstanding = path_.outstanding,
                            .synchronous = path_.synchronous,
                            .pin_ns = sim::duration_ns(path_.pin_s),
                            .receive_ns = sim::duration_ns(path_.receive_s)};
    ProductionLaw law = law_;
    law.constant_ns = sim::duration_ns(delay_s);
    if (replication != 0)
      law.drawn_ns = drawn_parts(law, key(replication), path_.loaders, steps_of_refill() + path_.outstanding);
    if (path_.order == DeliveryOrder::in_order) return use(MaxPlusInOrder(shape, law, key(replication)));
    const Dispatch dispatch =
        path_.order == DeliveryOrder::any_order_shared ? Dispatch::kSharedPool : Dispatch::kPerWorker;
    return use(MaxPlusAnyOrder(shape, dispatch, law, key(replication)));
  }

  /// What all runs of step_s have in common.
  void draw() {
    busy_ = busy_of_steps(path_, seed_, 0, steps_ + 1);
    law_.drawn_ns = drawn_parts(law_, key(0), path_.loaders, steps_ + 1 + path_.outstanding);
  }

  sim::StreamKey key(std::uint32_t replication) const { return {seed_, replication, kDrawBatchTime, 0}; }
  std::uint64_t steps_of_refill() const { return 4 * std::uint64_t{path_.outstanding}; }

  const IngestPath& path_;
  std::uint64_t seed_;
  ProductionLaw law_;
  std::uint64_t steps_ = 0;
  std::vector<sim::TimeNs> busy_;  ///< of each step
};

/// All but the uncontended step time.
EstimateParts parts_at_worst(const IngestPath& path, WindowEstimate& estimate) {
  EstimateParts parts;
  parts.bound_s = step_time_bound_s(path);
  parts.floors = resource_floors(path);
  if (const std::optional<double> delay_s = worst_delay_s(path, parts)) parts.at_worst_s = estimate.step_s(*delay_s);
  return parts;
}

bool is_fed_at_worst(const EstimateParts& parts) {
  return parts.at_worst_s && *parts.at_worst_s <= parts.bound_s * (1.0 + kNoWait);
}

/// Where even the worst that sharing can do leaves no wait, nothing less does: one run of the recursion, else two.
EstimateParts parts_of(const IngestPath& path, WindowEstimate& estimate) {
  EstimateParts parts = parts_at_worst(path, estimate);
  parts.uncontended_s = is_fed_at_worst(parts) ? *parts.at_worst_s : estimate.step_s(0.0);
  return parts;
}

/// What stands in the way of a certified error.
std::string busiest_text(const Outcome& outcome) {
  const StationReport* busiest = nullptr;
  for (const StationReport& station : outcome.stations)
    if (busiest == nullptr || station.utilization > busiest->utilization) busiest = &station;
  if (busiest == nullptr) return "shared resources queue";
  char text[96];
  std::snprintf(text, sizeof text, "%s is %.0f %% busy", busiest->name.c_str(), 100.0 * busiest->utilization);
  return text;
}

Outcome healthy_estimate(const Scenario& scenario, std::uint64_t seed, std::uint64_t most_steps) {
  const IngestPath whole = resolve_path(scenario, 0, {});
  const std::vector<EpochWindow> windows = closed_form_windows(scenario, 0);
  Outcome outcome;
  outcome.seed = seed;
  outcome.stopped_by = "closed_form";
  double step_s = 0.0;
  std::optional<double> refill_s = {};
  bool certified = true;
  for (const EpochWindow& window : windows) {
    const IngestPath path = in_window(whole, window);
    WindowEstimate estimate(path, seed, kDraws / windows.size(), most_steps);
    const EstimateParts parts = parts_of(path, estimate);
    certified = certified && is_certified(parts);
    if (path.epochs_start_anew() && !refill_s) refill_s = estimate.refill_s(parts.uncontended_s);
    step_s += window.weight * parts.step_s();
    outcome.windows.push_back({window.position, window.weight, window.hit_ratio, parts.step_s(), 0, 0});
  }
  assemble_closed_form(scenario, windows, step_s, refill_s.value_or(0.0), AnswerKind::estimate, outcome);
  outcome.estimate = EstimateReport{};
  if (certified)
    outcome.estimate->certified_error = kCertifiedError;
  else
    outcome.warnings.push_back({"rank only: its error is not certified",
                                busiest_text(outcome) + ", and queueing is not part of the estimate",
                                "use headrace simulate instead"});
  add_interruptions(scenario, outcome);
  return outcome;
}

/// Each job with what others leave it, which is good for ranking only.
Outcome estimate_of_each(const Scenario& scenario, std::uint64_t seed, std::uint64_t most_steps) {
  require_all_at_once(scenario);
  std::vector<JobOutcome> outcomes;
  for (std::size_t job = 0; job < scenario.jobs.size(); ++job) {
    JobOutcome one{job, healthy_estimate(beside_others(scenario, job), seed, most_steps)};
    if (one.outcome.estimate->certified_error)
      one.outcome.warnings.push_back(
          {"rank only: its error is not certified", "other load shares its store", "use headrace simulate instead"});
    one.outcome.estimate->certified_error.reset();
    outcomes.insert(outcomes.end(), scenario.jobs[job].copies, one);
  }
  return merge_jobs(scenario, loads_asked(scenario), std::move(outcomes));
}

}  // namespace

std::optional<double> surely_fed_step_s(const Scenario& scenario, std::uint64_t seed) {
  const IngestPath whole = resolve_path(scenario, 0, {});
  const std::vector<EpochWindow> windows = closed_form_windows(scenario, 0);
  double step_s = 0.0;
  for (const EpochWindow& window : windows) {
    const IngestPath path = in_window(whole, window);
    WindowEstimate estimate(path, seed, kDraws / windows.size(), kAnySteps);
    const EstimateParts parts = parts_at_worst(path, estimate);
    if (!is_fed_at_worst(parts)) return std::nullopt;
    step_s += window.weight * parts.bound_s;
  }
  return step_s;
}

Outcome queueing_estimate(const Scenario& scenario, std::uint64_t seed) {
  return queueing_estimate(scenario, seed, kAnySteps);
}

Outcome queueing_estimate(const Scenario& scenario, std::uint64_t seed, std::uint64_t most_steps) {
  Outcome outcome = over_time(scenario, [seed, most_steps](const Scenario& state) {
    return is_shared(state) ? estimate_of_each(state, seed, most_steps) : healthy_estimate(state, seed, most_steps);
  });
  add_machine_room(scenario, outcome);
  warn_of_inputs(scenario, outcome);
  return outcome;
}

}  // namespace headrace::models
