// How fast jobs work beside each other, by the answers of the cluster: a set of jobs that hold nodes is a scenario of
// its own, with so many copies of each, and is answered once.
//
// Deviations: a job that starts, comes back or saves counts as one that reads; its copies are equally fast; no job is
// faster beside others than alone.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "models/campaign/fleet_plan.hpp"
#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

/// Answers a scenario at the level of the campaign.
using FleetAnswer = std::function<Outcome(const Scenario&)>;

/// The job that other jobs slow the most, in any set that was answered.
struct SlowestBesideOthers {
  double speed = 1.0;    ///< of its speed alone
  std::size_t job = 0;   ///< in the order of the scenario
  std::string beside;    ///< "pretrain, 2 x finetune": the whole set
  std::string resource;  ///< the busiest one then; empty where none is shared
  double utilization = 0.0;
};

class AnsweredSpeeds : public FleetSpeeds {
 public:
  /// `alone_epoch_s` is the steady work of an epoch of each job where it is alone.
  AnsweredSpeeds(const Scenario& scenario, std::vector<double> alone_epoch_s, FleetAnswer answer);

  const std::vector<double>& of(const std::vector<std::uint32_t>& running) override;
  /// Sets that were answered.
  std::size_t answers() const { return answers_; }
  const SlowestBesideOthers& slowest() const { return slowest_; }

 private:
  std::vector<double> answered(const std::vector<std::uint32_t>& running);
  void note_slowest(const Scenario& together, const Outcome& outcome, const std::vector<double>& speeds);

  const Scenario& scenario_;
  std::vector<double> alone_epoch_s_;
  FleetAnswer answer_;
  std::map<std::vector<std::uint32_t>, std::vector<double>> known_;
  std::size_t answers_ = 0;
  SlowestBesideOthers slowest_;
};

}  // namespace headrace::models
