// A campaign of phases that are answered once, held against a training of which everything is simulated: steps by the
// event engine, anew from empty buffers after each restart; checkpoints and their way back chunk by chunk through the
// store; failures one by one. Nothing here is taken from the campaign.
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "models/campaign/campaign.hpp"
#include "models/path/ingest_path.hpp"
#include "models/study/study.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

namespace headrace::models {
namespace {

constexpr double kTrainingS = 3600.0;
constexpr double kSaveEveryS = 60.0;
constexpr double kJobMtbfS = 300.0;

/// Two nodes of two GPUs that wait for their store, fail every five minutes and save every minute.
Scenario failing_cluster() {
  Scenario scenario = test::starved_scenario();
  Checkpoint checkpoint;
  checkpoint.bytes = 4e9;
  checkpoint.interval_s = kSaveEveryS;
  checkpoint.store = "store";
  scenario.jobs[0].checkpoint = checkpoint;
  Faults faults;
  faults.node_mtbf_s = 2.0 * kJobMtbfS;
  faults.detection_s = 6.0;
  faults.reschedule_s = 9.0;
  scenario.faults = faults;
  Campaign campaign;
  campaign.duration_s = kTrainingS;
  scenario.campaign = campaign;
  return scenario;
}

/// What happens between failures, step by step.
class EverySteps {
 public:
  EverySteps(Scenario scenario, std::uint64_t seed) : scenario_(std::move(scenario)) {
    scenario_.jobs[0].checkpoint.reset();
    scenario_.faults.reset();
    scenario_.campaign.reset();
    options_.seed = seed;
    options_.threads = 1;
    options_.granularity = Granularity{};
    options_.relief = false;
    options_.control = false;
    options_.courses = false;
    options_.keep_series = true;
  }

  /// Steps from empty buffers for at least so long.
  StepSeries next(double seconds) {
    options_.steps = static_cast<std::uint64_t>(seconds / 0.15) + 64;
    options_.first_replication = ++runs_;
    return simulate(scenario_, options_).replications.front().series;
  }

 private:
  Scenario scenario_;
  StudyOptions options_;
  std::uint32_t runs_ = 0;
};

/// Seconds until every rank has moved so many bytes, each chunk behind those before it at the store.
double moved_chunk_by_chunk_s(const Scenario& scenario, double bytes_of_rank) {
  constexpr double kChunkBytes = 8e6;
  const Store& store = scenario.stores[0];
  const Pool& pool = scenario.cluster.pools[0];
  std::vector<double> ready_s(pool.nodes * pool.gpus_per_node, 0.0);
  std::vector<double> left_bytes(ready_s.size(), bytes_of_rank);
  double store_free_s = 0.0;
  while (true) {
    std::size_t next = ready_s.size();
    for (std::size_t rank = 0; rank < ready_s.size(); ++rank)
      if (left_bytes[rank] > 0.0 && (next == ready_s.size() || ready_s[rank] < ready_s[next])) next = rank;
    if (next == ready_s.size()) return *std::max_element(ready_s.begin(), ready_s.end());
    const double bytes = std::min(kChunkBytes, left_bytes[next]);
    left_bytes[next] -= bytes;
    const double start_s = std::max(ready_s[next], store_free_s);
    store_free_s = start_s + bytes / store.bandwidth_bytes_per_s;
    ready_s[next] = std::max(store_free_s, start_s + bytes / *store.stream_bytes_per_s);
  }
}

/// What a restart takes before the first batch is asked for.
struct RestartTimes {
  double away_s = 0.0;  ///< until nodes are there again
  double load_s = 0.0;
};

/// Seconds of compute that last, of a training of which everything is simulated.
double compute_that_lasts_s(EverySteps& engine, const RestartTimes& restart, double stall_s, std::mt19937_64& random) {
  std::exponential_distribution<double> life(1.0 / kJobMtbfS);
  double now_s = 0.0;
  double kept_s = 0.0;
  while (now_s < kTrainingS) {
    const double end_s = std::min(kTrainingS, now_s + life(random));
    const bool fails = end_s < kTrainingS;
    const StepSeries steps = engine.next(end_s - now_s);
    double unsaved_s = 0.0;
    double since_save_s = 0.0;
    bool stopped = false;
    for (std::size_t i = 0; i < steps.duration_s.size() && !stopped; ++i)
      for (std::uint64_t k = 0; k < steps.batch_steps && !stopped; ++k) {
        if (now_s + steps.duration_s[i] > end_s) {
          stopped = true;
          break;
        }
        now_s += steps.duration_s[i];
        since_save_s += steps.duration_s[i];
        unsaved_s += steps.compute_s[i];
        if (since_save_s < kSaveEveryS) continue;
        since_save_s = 0.0;
        stopped = now_s + stall_s > end_s;
        now_s += stall_s;
        if (stopped) break;
        kept_s += unsaved_s;
        unsaved_s = 0.0;
      }
    if (!fails) return kept_s + unsaved_s;
    now_s = end_s + restart.away_s + restart.load_s;
  }
  return kept_s;
}

}  // namespace

// 96 trainings of about 12 failures each. The difference of the means is held at five standard errors (6e-7).
TEST_CASE("the goodput of a campaign is that of a training whose every step and failure is simulated",
          "[statistical][long_3]") {
  const Scenario scenario = failing_cluster();
  StudyOptions study;
  study.seed = 11;
  study.threads = 1;
  study.steps = 4096;
  study.granularity = Granularity{};
  study.relief = false;
  study.courses = false;
  const Outcome steady = simulate(scenario, study);
  CampaignOptions options;
  options.replications = 2000;
  const CampaignOutcome campaign = run_campaign(scenario, steady, options);
  // Four ranks write a quarter of 4 GB each, and read all of it: like replicas, each needs the whole state.
  const double bytes = scenario.jobs[0].checkpoint->bytes;
  const double stall_s = moved_chunk_by_chunk_s(scenario, bytes / 4.0);
  const double load_s = moved_chunk_by_chunk_s(scenario, bytes);
  CHECK(stall_s == Approx(10.0).epsilon(0.01));
  CHECK(mean_in(steady.metrics, "checkpoint_stall_s") == Approx(stall_s).epsilon(0.02));
  CHECK(campaign.phases.load_s == Approx(load_s).epsilon(0.02));
  CHECK(campaign.phases.listing_s == 0.0);
  const RestartTimes restart{scenario.faults->detection_s + scenario.faults->reschedule_s, load_s};
  CHECK(steady.find("gpu_idle_fraction")->mean > 0.2);
  EverySteps engine(scenario, 5);
  std::mt19937_64 random(20261124);
  std::vector<double> goodput;
  for (int training = 0; training < 96; ++training)
    goodput.push_back(compute_that_lasts_s(engine, restart, stall_s, random) / kTrainingS);
  double mean = 0.0;
  double squares = 0.0;
  for (const double one : goodput) mean += one / static_cast<double>(goodput.size());
  for (const double one : goodput) squares += (one - mean) * (one - mean);
  const auto n = static_cast<double>(goodput.size());
  const double error = std::sqrt(squares / (n * (n - 1.0)));
  REQUIRE(campaign.goodput.ci95);
  const double own = (campaign.goodput.ci95->high - campaign.goodput.ci95->low) / 2.0 / 1.96;
  INFO("campaign " << campaign.goodput.mean << ", simulated " << mean << " +- " << error);
  CHECK(std::abs(campaign.goodput.mean - mean) < 5.0 * std::hypot(error, own));
  CHECK(error < 0.006);
}

}  // namespace headrace::models
