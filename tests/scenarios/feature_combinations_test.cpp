// Features of the models put together at random over shipped scenarios: whatever is accepted is answered at every
// level, with shares that sum, figures that are numbers, and no run faster than its bound. What a combination cannot
// have is refused when the file is read or when it is run, never left out in silence. So too with drawn figures, from
// hardly any to far more than there is, of which more never slows a bound down. No statistics: seeds are fixed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <string>
#include <vector>

#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/path/ingest_path.hpp"
#include "models/study/study.hpp"
#include "scenarios/document/scenario_file.hpp"
#include "sim/random_stream.hpp"
#include "tests/catch.hpp"

namespace headrace {
namespace {

using Strings = std::vector<std::string>;

/// STORE stands for the name of the first store.
const std::vector<Strings>& features() {
  static const std::vector<Strings> all{
      {"/jobs/0/loader/order=any_order_shared"},
      {"/jobs/0/loader/order=any_order_per_worker"},
      {"/jobs/0/loader/synchronous=true"},
      {"/jobs/0/loader/lanes=4"},
      {R"(/jobs/0/loader/lock={"single_worker": "50 us"})"},
      {"/jobs/0/loader/shuffle_buffer=5000"},
      {"/jobs/0/loader/preprocessing=gpu", "/jobs/0/loader/gpu_per_sample=0.1 ms"},
      {"/jobs/0/loader/preprocessing=preprocessed", "/jobs/0/loader/preprocessed_size=3"},
      {"/jobs/0/loader/preprocessing=remote_pool", R"(/jobs/0/loader/remote={"workers": 50, "rate": "900 /s"})"},
      {R"(/jobs/0/loader/access={"mode": "mmap"})"},
      {R"(/jobs/0/loader/access={"mode": "direct"})"},
      {R"(/jobs/0/loader/cpu_per_sample={"lognormal": {"mean": "3 ms", "cv": 0.8}})"},
      {"/cluster/pools/0/host/cores=12"},
      {"/cluster/pools/0/host/copy=5 GB/s"},
      {"/cluster/pools/0/host/memory_bandwidth=30 GB/s"},
      {"/cluster/pools/0/host/fuse={}"},
      {"/cluster/pools/0/host/speed_cv=0.1"},
      {"/cluster/pools/0/host/contention=0.2"},
      {R"(/cluster/pools/0/host/page_cache={"bytes": "20 GB"})"},
      {"/fabric/transport=tcp"},
      {"/fabric/decrypt=2 GB/s"},
      {R"(/fabric/wan={"rtt": "2 ms", "window": "64 MB"})"},
      {"/fabric/collectives=shared", "/fabric/collective_bytes=500 MB"},
      {"/fabric/leaf_oversubscription=3"},
      {"/cluster/pools/0/gpu/pcie=8 GB/s", "/cluster/pools/0/gpu/pcie_shared_by=2"},
      {R"(/cluster/pools/0/cache={"policy": "lru", "bytes": "200 GB"})"},
      {R"(/cluster/pools/0/cache={"policy": "pinned", "bytes": "150 GB", "scope": "partitioned", "bandwidth": "3 GB/s"})"},
      {R"(/cluster/pools/0/cache={"policy": "random", "bytes": "100 GB", "medium": "dram", "holds": "tensors"})"},
      {R"(/stores/0/metadata={"latency": "2 ms", "servers": 8})"},
      {R"(/stores/0/limit={"requests_per_prefix": "3000 /s", "prefixes": 1})"},
      {R"(/stores/0/redundancy={"scheme": "erasure", "degraded": 0.1})"},
      {R"(/stores/0/cache={"policy": "lru", "bytes": "300 GB", "bandwidth": "5 GB/s"})"},
      {"/stores/0/returned_fraction=0.5"},
      {"/stores/0/requests=20000 /s"},
      {"/datasets/0/codec=zstd"},
      {"/datasets/0/columns_read=0.3"},
      {"/datasets/0/parse_per_sample=0.5 ms"},
      {"/datasets/0/skew=0.8"},
      {"/datasets/0/order=random"},
      {"/datasets/0/order=shard_sequential"},
      {R"(/datasets/0/stream={"bandwidth": "300 MB/s", "buffer": "50 GB", "uses": 2})"},
      {"/jobs/0/readers=one_per_node"},
      {"/jobs/0/readers=one_per_replica", "/jobs/0/parallelism/tp=2"},
      {"/jobs/0/step/follows_sample_size=0.5"},
      {R"(/jobs/0/checkpoint={"store": "STORE", "bytes": "200 GB", "interval": "10 min"})"},
      {R"(/jobs/0/checkpoint={"store": "STORE", "bytes": "200 GB", "interval": "10 min", "mode": "async"})"},
      {R"(/jobs/0/checkpoint={"store": "STORE", "bytes": "300 GB", "mode": "async", "snapshot_overlapped": true})",
       R"(/faults={"node_mtbf": "1000 h"})"},
      {R"(/jobs/0/checkpoint={"store": "STORE", "bytes": "100 GB"})",
       R"(/faults={"node_mtbf": "500 h", "spot": {"node_mtbp": "40 h", "notice": "120 s"}})"},
      {R"(/faults={"degraded": [{"store": "STORE", "every": "100 h", "lasting": "5 h", "remaining": 0.3}]})"},
      {R"(/faults={"degraded": [{"every": "100 h", "lasting": "5 h", "workers_lost": 3},
                                {"every": "50 h", "lasting": "1 h", "stops": true}]})"},
      {R"(/jobs/0/index={"mode": "every_node"})"},
      {R"(/jobs/0/staging={"mode": "warm"})"},
      {R"(/background=[{"name": "b", "store": "STORE", "bandwidth": "1 GB/s", "request": "1 MB"}])"},
      {R"(/jobs/0/model={"parameters": 1e9, "layers": 24, "hidden": 2048, "activation_bytes_per_sample": "1 MB"})",
       R"(/jobs/0/collective={"inside_bandwidth": "200 GB/s", "gpu_speed_cv": 0.02, "barrier": "0.1 ms"})"},
      {R"(/jobs/0/collective={"bytes": "200 MB", "algorithm": "ring"})"},
      {"/jobs/0/placement=spread"},
  };
  return all;
}

struct Base {
  const char* name;
  const char* store;
  Strings smaller;
};

const std::vector<Base>& bases() {
  static const std::vector<Base> all{
      {"image-node", "storage", {"/cluster/pools/0/nodes=4", "/cluster/pools/0/gpus_per_node=2"}},
      {"unet3d-h100", "storage", {"/cluster/pools/0/nodes=4"}},
      {"tiered-cache", "disks", {}},
      {"shared-store", "files", {"/jobs/2/copies=2"}},
      {"loader-presets", "storage", {"/cluster/pools/0/nodes=2"}},
  };
  return all;
}

class Draws {
 public:
  Draws(std::uint64_t number, std::uint16_t purpose) : number_(number), purpose_(purpose) {}
  double uniform() { return sim::uniform({7, 0, sim::Purpose{purpose_}, 0}, number_ * 64 + draw_++); }
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(uniform() * static_cast<double>(count)); }

 private:
  std::uint64_t number_;
  std::uint16_t purpose_;
  std::uint64_t draw_ = 0;
};

void add_features(Strings& overrides, const Base& base, std::size_t count, Draws& draws) {
  for (; count > 0; --count)
    for (std::string set : features()[draws.below(features().size())]) {
      const std::size_t at = set.find("STORE");
      if (at != std::string::npos) set.replace(at, 5, base.store);
      overrides.push_back(std::move(set));
    }
}

Strings pick(std::uint64_t number, const Base& base) {
  Strings overrides = base.smaller;
  Draws draws(number, 91);
  const std::size_t count = 2 + draws.below(4);
  add_features(overrides, base, count, draws);
  return overrides;
}

/// A figure that is drawn, each factor as likely as the next.
struct Figure {
  const char* pointer;
  double low;
  double high;
  const char* unit;  ///< empty: a whole number
  int bound = 0;     ///< more of it never makes the bound of a step shorter (1) or longer (-1)
};

const std::vector<Figure>& figures() {
  static const std::vector<Figure> all{
      {"/jobs/0/loader/workers", 1, 64, ""},
      {"/jobs/0/loader/prefetch", 1, 16, ""},
      {"/jobs/0/loader/cpu_per_sample", 0.01, 50, " ms", 1},
      {"/jobs/0/step/batch", 1, 1024, ""},
      {"/jobs/0/step/step_time", 5, 2000, " ms", 1},
      {"/jobs/0/step/overhead", 0.1, 50, " ms", 1},
      {"/stores/0/bandwidth", 0.05, 500, " GB/s", -1},
      {"/stores/0/stream", 0.05, 10, " GB/s", -1},
      {"/stores/0/latency", 0.01, 200, " ms", 1},
      {"/cluster/pools/0/nodes", 1, 8, ""},
      {"/cluster/pools/0/gpus_per_node", 1, 8, ""},
      {"/cluster/pools/0/nic/bandwidth", 1, 800, " Gb/s", -1},
      {"/cluster/pools/0/host/cores", 2, 256, ""},
      {"/fabric/leaf_oversubscription", 1, 8, " "},
      {"/datasets/0/files", 10, 1e6, ""},
      {"/datasets/0/samples_per_file", 1, 10000, ""},
      {"/datasets/0/sample_bytes", 0.1, 50000, " kB"},
      {"/datasets/0/decoded_bytes_per_sample", 0.1, 50000, " kB"},
  };
  return all;
}

std::string figure_set(const Figure& figure, double value) {
  return *figure.unit == '\0' ? fmt::format("{}={}", figure.pointer, std::llround(value))
                              : fmt::format("{}={:.4g}{}", figure.pointer, value, figure.unit);
}

/// What is asked, and of one figure the same with more of it.
struct DrawnCase {
  Strings overrides;
  const Figure* more_of = nullptr;
  std::string more;
};

DrawnCase drawn_case(std::uint64_t number, const Base& base) {
  DrawnCase drawn{base.smaller, nullptr, {}};
  Draws draws(number, 92);
  const std::size_t features = draws.below(3);
  add_features(drawn.overrides, base, features, draws);
  for (std::size_t left = 3 + draws.below(5); left > 0; --left) {
    const Figure& figure = figures()[draws.below(figures().size())];
    const double value = figure.low * std::pow(figure.high / figure.low, draws.uniform());
    drawn.overrides.push_back(figure_set(figure, value));
    if (figure.bound == 0) continue;
    drawn.more_of = &figure;
    drawn.more = figure_set(figure, 2.0 * value);
  }
  return drawn;
}

/// Of an outcome, or of one job in it.
template <class Answer>
void check_sums(const Answer& answer, bool simulated) {
  double idle = 0.0;
  for (const models::Metric& metric : answer.metrics) {
    INFO(metric.name << " = " << metric.mean);
    CHECK(std::isfinite(metric.mean));
    if (metric.name != "drive_headroom_bytes") CHECK(metric.mean >= 0.0);
    if (metric.ci95) CHECK(metric.ci95->low <= metric.ci95->high);
    if (metric.name.ends_with("_fraction")) CHECK(metric.mean <= 1.0 + 1e-9);
    if (metric.name == "gpu_idle_fraction") idle = metric.mean;
  }
  double states = 0.0;
  double waits = 0.0;
  for (const models::GpuStateShare& state : answer.gpu_states) {
    CHECK(state.share >= 0.0);
    states += state.share;
    const bool waiting =
        state.state == models::GpuState::ingest_wait_own || state.state == models::GpuState::ingest_wait_peer;
    if (waiting) waits += state.share;
  }
  CHECK(states == Approx(1.0).epsilon(1e-9));
  CHECK(waits == Approx(idle).margin(1e-9));
  if (!simulated) return;
  double blame = 0.0;
  for (const models::StageShare& share : answer.blame) {
    CHECK(share.mean >= -1e-12);
    blame += share.mean;
  }
  CHECK(blame == Approx(idle).margin(1e-9));
}

void check_sound(const models::Outcome& outcome, bool simulated) {
  check_sums(outcome, simulated);
  for (const models::JobReport& job : outcome.jobs)
    if (job.is_beside_others()) check_sums(job, simulated);
  CHECK(!outcome.evidence.nearest_case.empty());
}

double step_s(const models::Outcome& outcome) { return outcome.find("step_time_s")->mean; }

std::string command_of(const Base& base, const Strings& overrides) {
  std::string command = base.name;
  for (const std::string& set : overrides) command += " --set '" + set + "'";
  return command;
}

struct Answers {
  std::size_t answered = 0;
  std::size_t refused = 0;
};

/// All three levels of one scenario.
void check_levels(const models::Scenario& scenario, std::int64_t steps, Answers& answers) {
  const models::Outcome bound = models::flow_bound(scenario);
  check_sound(bound, false);
  const models::Outcome estimate = models::queueing_estimate(scenario, 1);
  check_sound(estimate, false);
  CHECK(step_s(estimate) > 0.995 * step_s(bound));
  models::StudyOptions options;
  options.steps = steps;
  options.threads = 1;
  options.relief = false;
  try {
    models::Outcome run = models::simulate(scenario, options);
    check_sound(run, true);
    // Few steps live on batches in stock: those that do so are run for longer.
    if (steps < 100 && step_s(run) < 0.95 * step_s(bound)) {
      options.steps = 4096;
      run = models::simulate(scenario, options);
    }
    CHECK(step_s(run) > 0.95 * step_s(bound));
    ++answers.answered;
  } catch (const models::UnusableRequest& refusal) {
    CHECK(std::string(refusal.what()).size() > 20);
    ++answers.refused;
  }
}

/// Workers that contend for cores do so less while they wait for the store: more of it may slow them down.
bool have_contention(const models::Scenario& scenario) {
  return std::any_of(scenario.cluster.pools.begin(), scenario.cluster.pools.end(), [](const models::Pool& pool) {
    const models::WorkerContention& contention = pool.host.contention;
    return contention.exponent > 0.0 || contention.has_scaling();
  });
}

void check_more(const Base& base, const DrawnCase& drawn, const models::Scenario& scenario) {
  if (drawn.more_of == nullptr || have_contention(scenario)) return;
  Strings overrides = drawn.overrides;
  overrides.push_back(drawn.more);
  const auto more = scenarios::load_scenario(Strings{base.name}, overrides);
  if (!more) return;
  INFO("and " << drawn.more);
  const double before = step_s(models::flow_bound(scenario));
  const double after = step_s(models::flow_bound(more->value));
  if (drawn.more_of->bound > 0)
    CHECK(after >= before * (1.0 - 1e-9));
  else
    CHECK(after <= before * (1.0 + 1e-9));
}

void check_drawn(std::uint64_t number, Answers& answers) {
  const Base& base = bases()[number % bases().size()];
  const DrawnCase drawn = drawn_case(number, base);
  INFO(number << ": " << command_of(base, drawn.overrides));
  const auto loaded = scenarios::load_scenario(Strings{base.name}, drawn.overrides);
  if (!loaded) {
    ++answers.refused;
    return;
  }
  try {
    check_levels(loaded->value, 64, answers);
    check_more(base, drawn, loaded->value);
  } catch (const std::exception& error) {
    FAIL_CHECK(error.what());
  }
}

void check_drawn_figures(std::uint64_t first, std::uint64_t count) {
  Answers answers;
  for (std::uint64_t number = first; number < first + count; ++number) check_drawn(number, answers);
  CHECK(answers.answered > count / 3);
}

void check_combinations(std::uint64_t tries) {
  Answers answers;
  for (std::uint64_t number = 0; number < tries; ++number) {
    const Base& base = bases()[number % bases().size()];
    const Strings overrides = pick(number, base);
    INFO(command_of(base, overrides));
    const auto loaded = scenarios::load_scenario(Strings{base.name}, overrides);
    if (loaded)
      check_levels(loaded->value, 128, answers);
    else
      ++answers.refused;
  }
  CHECK(answers.answered > tries / 3);
  CHECK(answers.refused > 0);
}

}  // namespace

TEST_CASE("features put together at random sum up, are numbers and keep above their bound", "[long_4]") {
  check_combinations(40);
}
TEST_CASE("more features put together at random are sound", "[.nightly]") { check_combinations(120); }

TEST_CASE("drawn figures sum up, are numbers and keep above their bound, which more never slows down", "[long_2]") {
  check_drawn_figures(30, 40);
}

TEST_CASE("drawn figures that once were not sound are") {
  Answers answers;
  for (const std::uint64_t number : {837, 2336, 8092}) check_drawn(number, answers);
  CHECK(answers.answered + answers.refused == 3);
}

TEST_CASE("drawn figures 70 to 2569 are sound", "[.nightly]") { check_drawn_figures(70, 2500); }
TEST_CASE("drawn figures 2570 to 5069 are sound", "[.nightly]") { check_drawn_figures(2570, 2500); }
TEST_CASE("drawn figures 5070 to 7569 are sound", "[.nightly]") { check_drawn_figures(5070, 2500); }
TEST_CASE("drawn figures 7570 to 10069 are sound", "[.nightly]") { check_drawn_figures(7570, 2500); }

}  // namespace headrace
