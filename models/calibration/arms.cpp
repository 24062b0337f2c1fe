#include "models/calibration/arms.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/calibration/host_clock.hpp"
#include "sim/random_stream.hpp"

namespace headrace::models::calibration {
namespace {

constexpr sim::Purpose kOrderOfArms{3001};
constexpr sim::Purpose kSeedsOfArms{3002};

/// A random order of 0 .. count - 1 (Fisher and Yates) for one round.
std::vector<std::size_t> order_of(std::size_t count, std::uint64_t seed, std::uint64_t round) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const sim::StreamKey key{seed, 0, kOrderOfArms, static_cast<std::uint32_t>(round)};
  for (std::size_t i = count; i > 1; --i) {
    const auto other = static_cast<std::size_t>(sim::uniform(key, i) * static_cast<double>(i));
    std::swap(order[i - 1], order[std::min(other, i - 1)]);
  }
  return order;
}

/// The arm while it is measured.
struct Running {
  Arm arm;
  MeasuredArm measured;
  SequenceSums sequence;
  double latency_sum_s = 0.0;
  double operations = 0.0;
  double time_s = 0.0;
  bool done = false;
};

void add_tally(Running& running, const WindowTally& tally) {
  LatencyHistogram& half = running.measured.cell.windows.size() % 2 == 1 ? running.measured.odd : running.measured.even;
  half.merge(tally.histogram());
  running.sequence.merge(tally.sequence());
  for (const std::uint32_t count : tally.pieces())
    running.measured.cell.series_per_s.push_back(count / (1e-9 * static_cast<double>(kPieceNs)));
  running.latency_sum_s += tally.histogram().mean_s() * static_cast<double>(tally.operations());
  running.operations += static_cast<double>(tally.operations());
  running.time_s += tally.length_s();
}

/// One window with the counters around it. False: nothing came of it.
bool measure(Running& running, const RoundRule& rule, const RoundContext& context, std::uint64_t seed) {
  WindowLengths lengths = rule.lengths;
  lengths.window_s *= running.arm.window_factor;
  const std::string device = running.arm.on_device ? context.device : "";
  const HostCounters before = read_counters(context.places, device);
  const ArmWindow result = running.arm.run(lengths, seed);
  const HostCounters after = read_counters(context.places, device);
  if (context.stop.stop_requested() || !(result.rate_per_s > 0.0)) return false;
  Window window;
  window.start_s = seconds_between(context.begin_ns, before.time_ns);
  window.length_s = result.length_s;
  window.rate_per_s = result.rate_per_s;
  window.contamination = contamination_between(before, after, result.device_bytes, context.places);
  window.clean = is_clean(window.contamination);
  running.measured.cell.windows.push_back(window);
  if (result.tally) add_tally(running, *result.tally);
  return true;
}

/// Little's law: depth = rate x (latency + the loop's own time).
void add_client_time(const Running& running, Cell& cell) {
  if (running.operations < 100.0 || !(running.time_s > 0.0) || !cell.latency) return;
  const double latency_s = running.latency_sum_s / running.operations;
  const double own_s = static_cast<double>(cell.depth) * running.time_s / running.operations - latency_s;
  cell.client_s = own_s;
  if (own_s > 0.05 * (latency_s + own_s)) cell.flags.emplace_back("client_bound");
}

MeasuredArm finished(Running&& running, const RoundRule& rule) {
  Cell& cell = running.measured.cell;
  LatencyHistogram both = running.measured.odd;
  both.merge(running.measured.even);
  if (both.count() > 0) cell.latency = both.record();
  const double lag1 = running.sequence.lag1();
  if (std::isfinite(lag1)) cell.lag1 = lag1;
  add_client_time(running, cell);
  cell.estimate = estimate_of(cell.windows, rule.estimate);
  note_drift(cell, rule.estimate);
  return std::move(running.measured);
}

bool is_done(const Running& running, const RoundRule& rule) {
  const Cell& cell = running.measured.cell;
  if (cell.windows.size() >= rule.most_rounds) return true;
  if (cell.windows.size() < rule.least_rounds) return false;
  const Estimate estimate = estimate_of(cell.windows, rule.estimate);
  return estimate.verdict == Verdict::clean && log_half_width(estimate) <= rule.estimate.good_half_width;
}

}  // namespace

bool is_over(const RoundContext& context) {
  return context.stop.stop_requested() || clock_ns() >= context.deadline_ns || (context.enough && context.enough());
}

std::vector<MeasuredArm> run_rounds(std::vector<Arm> arms, const RoundRule& rule, const RoundContext& context) {
  std::vector<Running> all;
  for (Arm& arm : arms) {
    all.emplace_back();
    all.back().measured.cell = arm.cell;
    all.back().arm = std::move(arm);
  }
  const std::uint64_t begin = clock_ns();
  const auto used_s = [begin] { return seconds_between(begin, clock_ns()); };
  bool more = !all.empty();
  for (std::uint64_t round = 0; more && round < rule.most_rounds; ++round) {
    if (round >= rule.least_rounds && used_s() >= rule.budget_s) break;
    more = false;
    for (const std::size_t i : order_of(all.size(), context.seed, round)) {
      if (all[i].done) continue;
      if (is_over(context)) break;
      if (context.check) context.check();
      const sim::StreamKey key{context.seed, 0, kSeedsOfArms, static_cast<std::uint32_t>(i)};
      measure(all[i], rule, context, sim::uniform_bits(key, round));
      all[i].done = is_done(all[i], rule);
      more = more || !all[i].done;
      if (context.tell) context.tell(used_s());
    }
    if (is_over(context)) break;
  }
  std::vector<MeasuredArm> results;
  for (Running& running : all) results.push_back(finished(std::move(running), rule));
  return results;
}

double planned_s(std::size_t arms, const RoundRule& rule) {
  const double round = static_cast<double>(arms) * (rule.lengths.warm_up_s + rule.lengths.window_s);
  return std::max(rule.budget_s, round * static_cast<double>(rule.least_rounds));
}

}  // namespace headrace::models::calibration
