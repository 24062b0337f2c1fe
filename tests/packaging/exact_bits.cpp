// Simulates small scenarios that are built here, without files, and prints every figure with its exact bits. Two
// builds predict the same if they print the same: other compilers, other optimisation, another standard library. It
// needs only sim/ and models/, so that a build of it costs little.
// Usage: exact_bits [THREADS]
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/study/input_study.hpp"
#include "models/study/study.hpp"
#include "models/study/uncertain_input.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace::models;

namespace {

/// One line per figure: where it is, and its value in hexadecimal.
class Page {
 public:
  explicit Page(std::string title) : title_(std::move(title)) {}

  void print(const std::string& name, double value) const {
    std::printf("%s/%s %a\n", title_.c_str(), name.c_str(), value);
  }
  void print(const std::string& name, const std::optional<Interval>& interval) const {
    if (!interval) return;
    print(name + "/low", interval->low);
    print(name + "/high", interval->high);
  }

 private:
  std::string title_;
};

void print_shares(const Page& page, const std::string& name, const std::vector<StageShare>& shares) {
  for (const StageShare& share : shares) {
    const std::string here = name + "/" + std::string(kStageNames[index(share.stage)]);
    page.print(here, share.mean);
    page.print(here + "/queueing", share.queueing);
    page.print(here + "/ci95", share.ci95);
  }
}

void print_inputs(const Page& page, const InputReport& inputs) {
  for (const MetricDrivers& drivers : inputs.drivers)
    for (const InputEffect& effect : drivers.effects)
      page.print("drivers/" + drivers.metric + effect.parameter, effect.share);
  for (const MetricTornado& tornado : inputs.tornado) {
    page.print("tornado/" + tornado.metric, tornado.middle);
    for (const InputBar& bar : tornado.bars) {
      page.print("tornado/" + tornado.metric + bar.parameter + "/low", bar.at_low);
      page.print("tornado/" + tornado.metric + bar.parameter + "/high", bar.at_high);
    }
  }
  for (const std::string& parameter : inputs.measure_next) page.print("measure_next" + parameter, 0.0);
  for (std::size_t i = 0; i < inputs.verdicts.size(); ++i)
    page.print("verdicts/" + std::string(kVerdictNames[i]), inputs.verdicts[i]);
}

void print_outcome(const std::string& title, const Outcome& outcome) {
  const Page page(title);
  page.print("verdict/" + std::string(kVerdictNames[static_cast<std::size_t>(outcome.verdict)]), 0.0);
  page.print("steps", static_cast<double>(outcome.steps));
  for (const Metric& metric : outcome.metrics) {
    page.print(metric.name, metric.mean);
    page.print(metric.name + "/ci95", metric.ci95);
    page.print(metric.name + "/input_range", metric.input_range);
  }
  if (outcome.batch_load_time) {
    page.print("load_time/p50", outcome.batch_load_time->p50_s);
    page.print("load_time/p90", outcome.batch_load_time->p90_s);
    page.print("load_time/p99", outcome.batch_load_time->p99_s);
    page.print("load_time/p999", outcome.batch_load_time->p999_s);
  }
  for (std::size_t i = 0; i < outcome.gpu_states.size(); ++i)
    page.print("gpu_states/" + std::to_string(i), outcome.gpu_states[i].share);
  print_shares(page, "blame", outcome.blame);
  print_shares(page, "relief", outcome.relief);
  for (const StationReport& station : outcome.stations) {
    page.print("stations/" + station.name + "/throughput", station.throughput);
    page.print("stations/" + station.name + "/queue_time", station.queue_time_mean_s);
  }
  for (std::size_t i = 0; i < outcome.windows.size(); ++i) {
    const WindowReport& window = outcome.windows[i];
    const std::string here = "windows/" + std::to_string(i);
    page.print(here + "/hit_ratio", window.hit_ratio);
    page.print(here + "/step_time", window.step_time_s);
    page.print(here + "/warm_up", static_cast<double>(window.warm_up_steps));
    page.print(here + "/variance_cut", window.variance_cut);
  }
  for (std::size_t i = 0; i < outcome.replications.size(); ++i)
    page.print("replications/" + std::to_string(i), outcome.replications[i].step_time_s);
  for (const LedgerLine& line : outcome.ledger) page.print("ledger/" + line.item, line.usd);
  if (outcome.inputs) print_inputs(page, *outcome.inputs);
  for (const Warning& warning : outcome.warnings) std::printf("%s/warning %s\n", title.c_str(), warning.seen.c_str());
}

/// Every station in use and near its limit, and laws of all families.
Scenario busy() {
  Scenario scenario = test::small_scenario(4);
  Pool& pool = scenario.cluster.pools[0];
  pool.host.cores = 5;
  pool.host.copy_bytes_per_s = 4e9;
  pool.host.speed_cv = 0.1;
  Store& store = scenario.stores[0];
  store.bandwidth_bytes_per_s = 1.4e9;  // about the demand: 128 MB in 0.102 s
  store.requests_per_s = 1600.0;
  store.latency_s = DistributionSpec::gamma(0.02, 0.7);
  store.metadata.servers = 2;
  scenario.datasets[0].sample_bytes = DistributionSpec::weibull(1e6, 2.0);
  scenario.jobs[0].loader.lock.single_worker_s = 1e-3;
  scenario.jobs[0].loader.cpu_s_per_sample = DistributionSpec::lognormal(0.002, 0.4);
  scenario.jobs[0].step.step_time_s = DistributionSpec::uniform(0.09, 0.11);
  return scenario;
}

Scenario cached() {
  Scenario scenario = busy();
  NodeCache& cache = scenario.cluster.pools[0].cache;
  cache.policy = CachePolicy::lru;
  cache.bytes = 1e10;
  cache.bandwidth_bytes_per_s = 0.6e9;
  cache.latency_s = DistributionSpec::exponential(1e-4);
  cache.fidelity = CacheFidelity::statistical;
  return scenario;
}

Scenario throttled() {
  Scenario scenario = test::small_scenario(2);
  Store& store = scenario.stores[0];
  store.kind = StoreKind::object_store;
  store.latency_s = DistributionSpec::pareto(0.01, 2.5);
  store.limit.prefixes = 2;
  store.limit.requests_per_s_per_prefix = 280.0;
  store.limit.burst_s = 0.5;
  return scenario;
}

Scenario local() {
  Scenario scenario = test::small_scenario(2);
  Store& store = scenario.stores[0];
  store.kind = StoreKind::nvme;
  store.bandwidth_bytes_per_s = 0.29e9;
  store.requests_per_s = 400.0;
  scenario.datasets[0].order = SampleOrder::shard_sequential;
  scenario.datasets[0].samples_per_file = 50;
  return scenario;
}

Granularity chunks(std::uint32_t count) { return {Granularity::Kind::chunk, count}; }
Granularity samples() { return {Granularity::Kind::sample, 1}; }

Scenario in(DeliveryOrder order, Scenario scenario) {
  scenario.jobs[0].loader.order = order;
  return scenario;
}

void run(unsigned threads) {
  StudyOptions options;
  options.threads = threads;
  options.steps = 600;
  const auto study = [&](const char* title, const Scenario& scenario, Granularity granularity) {
    options.granularity = granularity;
    print_outcome(title, simulate(scenario, options));
  };
  study("in order", busy(), {});
  study("chunks, shared order", in(DeliveryOrder::any_order_shared, busy()), chunks(4));
  study("samples, order per worker", in(DeliveryOrder::any_order_per_worker, busy()), samples());
  study("throttled", throttled(), {});
  study("local", local(), {});
  options.replications = 2;
  study("cached", in(DeliveryOrder::any_order_shared, cached()), chunks(2));
  options.replications = 1;
  options.relief = false;
  options.granularity = Granularity{};
  options.steps = 0;
  options.precision = 0.02;
  print_outcome("until precise", simulate(busy(), options));
  options.steps = 200;
  print_outcome("ranges", simulate_over(throttled(), uncertain_inputs(throttled()), options));
  print_outcome("bound", flow_bound_over(busy(), uncertain_inputs(busy()), 1));
  print_outcome("estimate", queueing_estimate(cached(), 1));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc > 1 ? static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10)) : 1U);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "exact_bits: %s\n", error.what());
    return 1;
  }
}
