#include "models/campaign/fleet_speeds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "models/outcome/largest_parts.hpp"

namespace headrace::models {

namespace {

/// Relative difference of epochs that is rounding.
constexpr double kSameEpoch = 1e-9;

/// Of an epoch, without checkpoints and failures.
double steady_epoch_s(const std::vector<Metric>& metrics, const std::vector<GpuStateShare>& states) {
  double steady = 1.0;
  for (const GpuStateShare& state : states)
    if (state.state == GpuState::checkpoint || state.state == GpuState::failure) steady -= state.share;
  return mean_in(metrics, "epoch_time_s") * steady;
}

}  // namespace

AnsweredSpeeds::AnsweredSpeeds(const Scenario& scenario, std::vector<double> alone_epoch_s, FleetAnswer answer)
    : scenario_(scenario), alone_epoch_s_(std::move(alone_epoch_s)), answer_(std::move(answer)) {}

const std::vector<double>& AnsweredSpeeds::of(const std::vector<std::uint32_t>& running) {
  const auto known = known_.find(running);
  if (known != known_.end()) return known->second;
  return known_.emplace(running, answered(running)).first->second;
}

std::vector<double> AnsweredSpeeds::answered(const std::vector<std::uint32_t>& running) {
  std::vector<double> speeds(running.size(), 1.0);
  const std::uint64_t jobs = std::accumulate(running.begin(), running.end(), std::uint64_t{0});
  if (jobs == 0 || (jobs == 1 && scenario_.background.empty())) return speeds;
  Scenario together = scenario_;
  together.jobs.clear();
  for (std::size_t k = 0; k < running.size(); ++k) {
    if (running[k] == 0) continue;
    together.jobs.push_back(scenario_.jobs[k]);
    together.jobs.back().copies = running[k];
  }
  ++answers_;
  const Outcome outcome = answer_(together);
  for (std::size_t k = 0; k < running.size(); ++k) {
    if (running[k] == 0) continue;
    const auto job = std::find_if(outcome.jobs.begin(), outcome.jobs.end(),
                                  [&](const JobReport& report) { return report.name == scenario_.jobs[k].name; });
    const bool apart = job != outcome.jobs.end() && job->is_beside_others();
    const double epoch_s =
        apart ? steady_epoch_s(job->metrics, job->gpu_states) : steady_epoch_s(outcome.metrics, outcome.gpu_states);
    if (epoch_s > alone_epoch_s_[k] * (1.0 + kSameEpoch)) speeds[k] = alone_epoch_s_[k] / epoch_s;
  }
  note_slowest(together, outcome, speeds);
  return speeds;
}

void AnsweredSpeeds::note_slowest(const Scenario& together, const Outcome& outcome, const std::vector<double>& speeds) {
  const auto least = std::min_element(speeds.begin(), speeds.end());
  if (least == speeds.end() || *least >= slowest_.speed) return;
  slowest_.speed = *least;
  slowest_.job = static_cast<std::size_t>(least - speeds.begin());
  slowest_.beside.clear();
  for (const Job& job : together.jobs)
    slowest_.beside += fmt::format("{}{}{}",
                                   slowest_.beside.empty()         ? ""
                                   : &job == &together.jobs.back() ? " and "
                                                                   : ", ",
                                   job.copies > 1 ? fmt::format("{} x ", job.copies) : "", job.name);
  const StationReport* busiest = busiest_station(outcome);
  slowest_.resource = busiest == nullptr ? std::string() : busiest->name;
  slowest_.utilization = busiest == nullptr ? 0.0 : busiest->utilization;
}

}  // namespace headrace::models
