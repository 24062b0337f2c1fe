#include "models/verification/rounds.hpp"

#include <algorithm>
#include <numeric>

#include "sim/random_stream.hpp"

namespace headrace::models::verification {
namespace {

constexpr sim::Purpose kOrderOfPoints{3011};

void add_run(ComparedLoop& loop, const LoopRun& run, double share) {
  for (std::size_t i = 0; i < kWaitParts; ++i)
    if (run.elapsed_s > 0.0) loop.wait_parts[i] += share * run.wait_parts_s[i] / run.elapsed_s;
  if (run.steps > 0) loop.overrun_s += share * run.overrun_s / static_cast<double>(run.steps);
}

}  // namespace

bool is_undisturbed(const calibration::Contamination& contamination) {
  calibration::CleanLimits limits;
  limits.steal_fraction = 0.02;
  return calibration::is_clean(contamination, limits);
}

std::vector<std::size_t> order_of_points(std::size_t points, std::uint64_t seed, std::uint64_t round) {
  std::vector<std::size_t> order(points);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const sim::StreamKey key{seed, 0, kOrderOfPoints, static_cast<std::uint32_t>(round)};
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(
        order[i - 1],
        order[std::min<std::size_t>(i - 1, static_cast<std::size_t>(sim::uniform(key, i) * static_cast<double>(i)))]);
  return order;
}

VerifiedPoint result_of(const LoopPoint& point, const std::vector<Round>& rounds, const Bars& bars) {
  VerifiedPoint result;
  result.point = point;
  result.bars = bars;
  std::vector<const Round*> used;
  for (const Round& round : rounds)
    if (round.clean) used.push_back(&round);
  result.clean_rounds = used.size();
  if (used.empty())
    for (const Round& round : rounds) used.push_back(&round);
  result.rounds = rounds.size();
  std::vector<double> step[2];
  std::vector<double> idle[2];
  const double share = 1.0 / static_cast<double>(used.size());
  for (const Round* round : used) {
    step[0].push_back(round->predicted.step_time_s);
    idle[0].push_back(round->predicted.idle_fraction);
    for (std::size_t i = 0; i < kWaitParts; ++i)
      result.predicted.wait_parts[i] += share * round->predicted.wait_parts[i];
    result.predicted.overrun_s += share * round->predicted.overrun_s;
    result.predicted.wake_s += share * round->predicted.wake_s;
    for (const LoopRun* run : {&round->first, &round->second}) {
      step[1].push_back(run->step_time_s());
      idle[1].push_back(run->idle_fraction());
      add_run(result.measured, *run, 0.5 * share);
    }
    result.idle_repeat_points += share * 100.0 * (round->first.idle_fraction() - round->second.idle_fraction());
    result.step_repeat_percent += share * 100.0 * (round->first.step_time_s() / round->second.step_time_s() - 1.0);
    result.other_cpu_cores += share * round->contamination.other_cpu_cores.value_or(0.0);
  }
  result.predicted.step_time_s = spread_of(step[0]);
  result.predicted.idle_fraction = spread_of(idle[0]);
  result.measured.step_time_s = spread_of(step[1]);
  result.measured.idle_fraction = spread_of(idle[1]);
  judge(result);
  return result;
}

}  // namespace headrace::models::verification
