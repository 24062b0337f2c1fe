#include "models/campaign/fleet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "models/campaign/fleet_cost.hpp"
#include "models/campaign/fleet_figures.hpp"
#include "models/campaign/fleet_setup.hpp"
#include "models/cluster/cluster_plan.hpp"
#include "models/outcome/price_warnings.hpp"

namespace headrace::models {

namespace {

constexpr double kManyWait = 0.1;
constexpr double kMuchShared = 0.01;  ///< of all GPU hours

bool is_much_shared(const FleetOutcome& outcome) {
  return std::any_of(outcome.losses.begin(), outcome.losses.end(), [](const CampaignLoss& loss) {
    return loss.cause == LossCause::sharing && loss.share >= kMuchShared;
  });
}

/// Every job works as fast as alone.
class UnsharedSpeeds : public FleetSpeeds {
 public:
  const std::vector<double>& of(const std::vector<std::uint32_t>& running) override {
    ones_.resize(running.size(), 1.0);
    return ones_;
  }

 private:
  std::vector<double> ones_;
};

FleetWithoutSharing without_sharing(const FleetSetup& setup, const CampaignOptions& options,
                                    const std::vector<double>& useful_gpu_s) {
  UnsharedSpeeds speeds;
  std::vector<double> gained_gpu_s;
  std::vector<std::vector<std::vector<double>>> completions_s(setup.plan.classes.size());
  for (std::uint32_t r = 0; r < options.replications; ++r) {
    const FleetHistory history = draw_fleet(setup.plan, speeds, {options.seed, r});
    gained_gpu_s.push_back(useful_gpu_s_of(setup.plan, history) - useful_gpu_s[r]);
    for (std::size_t k = 0; k < completions_s.size(); ++k) completions_s[k].push_back(history.classes[k].completions_s);
  }
  FleetWithoutSharing gains{campaign_figure(gained_gpu_s, 1.0 / kHourSeconds), {}};
  for (const auto& of_class : completions_s) gains.completion.push_back(fleet_times(of_class));
  return gains;
}

/// "If none slowed another, finetune would take 12.4 h on average, not 21.9 h, and useful GPU hours would grow by 0.71
/// % (the hours saved stay free unless more jobs come)".
std::string most_to_gain(const FleetOutcome& outcome, std::size_t job) {
  const double gained = outcome.without_sharing->gained_gpu_hours.mean / outcome.useful_gpu_hours.mean;
  std::string text = "If none slowed another, ";
  const auto& now_s = outcome.classes[job].completion.mean_s;
  const auto& then_s = outcome.without_sharing->completion[job].mean_s;
  if (now_s && then_s)
    text += fmt::format("{} would take {:.3g} h on average, not {:.3g} h, and ", outcome.classes[job].name,
                        then_s->mean / kHourSeconds, now_s->mean / kHourSeconds);
  constexpr double kLittle = 0.05;  // else the pool is full, and shorter jobs make room for others
  return text + fmt::format("useful GPU hours would grow by {:.2g} %{}", 100.0 * std::max(0.0, gained),
                            gained < kLittle ? " (the hours saved stay free unless more jobs come)" : "");
}

/// Jobs that are fed alone may wait beside each other: what for.
void add_slowed_job(const FleetSetup& setup, const SlowestBesideOthers& slowest, FleetOutcome& outcome) {
  const std::string gain = most_to_gain(outcome, slowest.job);
  outcome.warnings.push_back(
      {fmt::format("jobs slow each other: at worst {} works at {:.0f} % of its speed alone, when {} run",
                   setup.plan.classes[slowest.job].name, 100.0 * slowest.speed, slowest.beside),
       slowest.resource.empty() ? "jobs share resources"
                                : fmt::format("the busiest resource that they share then is {}, {:.0f} % in use",
                                              slowest.resource, 100.0 * slowest.utilization),
       slowest.resource.empty()
           ? fmt::format("run fewer of them at once. {}", gain)
           : fmt::format("give {} more capacity, or run fewer of them at once. {}", slowest.resource, gain)});
}

void add_fleet_warnings(const Scenario& scenario, const FleetSetup& setup, FleetOutcome& outcome) {
  outcome.warnings = price_warnings(scenario);
  for (std::size_t k = 0; k < setup.answers.size(); ++k) {
    if (setup.answers[k].verdict != Verdict::infeasible) continue;
    for (Warning warning : setup.answers[k].warnings) {
      warning.seen = "job " + setup.plan.classes[k].name + ": " + warning.seen;
      outcome.warnings.push_back(std::move(warning));
    }
  }
  for (const FleetClassOutcome& job : outcome.classes) {
    const double waiting = job.arrived.mean - job.started.mean;
    if (waiting > kManyWait * job.arrived.mean && waiting >= 1.0)
      outcome.warnings.push_back({"many jobs '" + job.name + "' have not started when the campaign ends",
                                  "the pool is too small for all jobs, so the waits shown are too short: they are of "
                                  "jobs that started",
                                  "add nodes, or let fewer jobs come"});
  }
}

/// The room of all machines; drives are written at most as by the job that writes most.
RoomFacts fleet_room(const Scenario& scenario, const FleetSetup& setup) {
  const MachineRoom machines = machine_room(scenario);
  RoomFacts room{machines.site_w, machines.rack_units, std::nullopt, std::nullopt};
  const auto take_most = [](std::optional<double>& most, const std::optional<double>& writes) {
    if (writes && *writes > most.value_or(0.0)) most = writes;
  };
  for (std::size_t k = 0; k < setup.answers.size(); ++k) {
    const RoomFacts one = room_facts(setup.alone[k], setup.answers[k]);
    take_most(room.node_drive_writes_per_day, one.node_drive_writes_per_day);
    take_most(room.store_drive_writes_per_day, one.store_drive_writes_per_day);
  }
  return room;
}

}  // namespace

bool is_fleet(const Scenario& scenario) {
  return scenario.jobs.empty() || is_shared(scenario) || scenario.jobs.front().queue.has_value();
}

FleetOutcome run_fleet(const Scenario& scenario, const FleetAnswer& answer, const CampaignOptions& options) {
  const FleetSetup setup = fleet_setup(scenario, answer, options);
  std::vector<double> alone_epoch_s;
  for (const FleetClass& job : setup.plan.classes) alone_epoch_s.push_back(job.phases.epoch_work_s);
  AnsweredSpeeds speeds(scenario, std::move(alone_epoch_s), answer);
  FleetBill bill(setup);
  std::vector<FleetHistory> histories;
  std::vector<double> cost_usd;
  FleetOutcome outcome;
  for (std::uint32_t r = 0; r < options.replications; ++r) {
    histories.push_back(draw_fleet(setup.plan, speeds, {options.seed, r}));
    cost_usd.push_back(bill.add(histories.back()));
  }
  outcome.seed = options.seed;
  outcome.replications = options.replications;
  const std::vector<Metric>& metrics = setup.answers.front().metrics;
  outcome.steady = metrics.empty() ? AnswerKind::bound : metrics.front().kind;
  outcome.sets = speeds.answers();
  outcome.duration_s = setup.plan.until_s < std::numeric_limits<double>::infinity() ? setup.plan.until_s : 0.0;
  add_fleet_figures(setup.plan, histories, outcome);
  std::vector<double> useful_gpu_s;
  for (const FleetHistory& history : histories) useful_gpu_s.push_back(useful_gpu_s_of(setup.plan, history));
  outcome.cost_usd = campaign_figure(cost_usd);
  outcome.cost_per_useful_gpu_hour_usd = campaign_ratio(cost_usd, useful_gpu_s, kHourSeconds);
  for (CampaignFigure* one : {&outcome.useful_gpu_hours, &outcome.goodput, &outcome.useful_share})
    widen(*one, setup.useful_share_error);
  if (outcome.cost_per_useful_gpu_hour_usd) widen(*outcome.cost_per_useful_gpu_hour_usd, setup.useful_share_error);
  outcome.ledger = bill.lines(options.replications);
  outcome.room = fleet_room(scenario, setup);
  add_fleet_warnings(scenario, setup, outcome);
  if (is_much_shared(outcome)) {
    outcome.without_sharing = without_sharing(setup, options, useful_gpu_s);
    add_slowed_job(setup, speeds.slowest(), outcome);
  }
  return outcome;
}

}  // namespace headrace::models
