// Samples packed into sequences: how full they are, and what a sequence costs on every level of answer.
#include "models/path/packed_sequences.hpp"

#include <cmath>

#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/path/ingest_path.hpp"
#include "models/study/study.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"
#include "tests/twins/bin_packing.hpp"

using namespace headrace;
using namespace headrace::models;

namespace {

/// Sequences of 1,000 tokens of one byte.
SequencePacking packing(PackingRule rule, std::uint64_t open = 64) { return {1000.0, 1.0, rule, open}; }

/// Documents of 1 MB, log-normal, in sequences of eight times their mean: 2 M tokens of 4 B.
Scenario packed_scenario(PackingRule rule) {
  Scenario scenario = test::small_scenario(2);
  scenario.jobs[0].step.packing = SequencePacking{2e6, 4.0, rule, 64};
  return scenario;
}

double value(const Outcome& outcome, std::string_view name) { return outcome.find(name)->mean; }

}  // namespace

TEST_CASE("next fit of uniform lengths fills three quarters") {
  // Coffman et al., 1980. The grid adds up to its step.
  CHECK(twins::next_fit_fill(sim::Distribution::uniform(0.0, 1.0), 1.0) == Approx(0.75).margin(0.002));
  // Lengths of exactly a quarter fill all, of 0.4 four fifths.
  CHECK(twins::next_fit_fill(sim::Distribution::constant(0.25), 1.0) == Approx(1.0).margin(0.002));
  CHECK(twins::next_fit_fill(sim::Distribution::constant(0.4), 1.0) == Approx(0.8).margin(0.002));
}

TEST_CASE("packing with one open sequence is next fit", "[statistical]") {
  // 8,192 fixed draws; the standard error of the fill is below 0.4 %, the margin over four of them. The draws never
  // change, so that the test passes always or never.
  for (const double cv : {0.3, 1.0, 2.0})
    for (const double mean : {50.0, 200.0, 600.0}) {
      INFO("mean " << mean << ", cv " << cv);
      const sim::Distribution lengths = sim::Distribution::lognormal(mean, cv);
      const PackedSequences packed = packed_sequences(packing(PackingRule::fit, 1), lengths);
      CHECK(packed.fill == Approx(twins::next_fit_fill(lengths, 1000.0)).epsilon(0.02));
      // Tokens are kept: what fills a sequence comes from its samples, less what is cut off.
      CHECK(packed.fill * 1000.0 == Approx(packed.samples * mean * (1.0 - packed.cut)).epsilon(0.05));
    }
}

TEST_CASE("more open sequences waste less, cutting wastes nothing, padding most") {
  const sim::Distribution lengths = sim::Distribution::lognormal(300.0, 0.8);
  double last = 0.0;
  for (const std::uint64_t open : {1U, 4U, 16U, 64U, 256U}) {
    const double fill = packed_sequences(packing(PackingRule::fit, open), lengths).fill;
    CHECK(fill > last - 0.002);
    last = fill;
  }
  CHECK(last > 0.97);
  const PackedSequences split = packed_sequences(packing(PackingRule::split), lengths);
  CHECK(split.fill == 1.0);
  CHECK(split.samples == Approx(1000.0 / 300.0));
  const PackedSequences padded = packed_sequences(packing(PackingRule::pad), sim::Distribution::uniform(0.0, 2000.0));
  CHECK(padded.samples == 1.0);
  CHECK(padded.fill == Approx(0.75).epsilon(1e-3));  // half of them 500 on average, half cut to 1,000
  CHECK(padded.cut == Approx(0.25).epsilon(1e-3));
}

TEST_CASE("a sequence asks for all of its samples") {
  const IngestPath one = resolve_path(test::small_scenario(2), 0, {});
  const IngestPath packed = resolve_path(packed_scenario(PackingRule::fit), 0, {});
  CHECK(packed.samples_packed == Approx(8.0).epsilon(0.05));
  CHECK(packed.mean_sample_bytes() == Approx(packed.samples_packed * 1e6).epsilon(1e-6));
  CHECK(packed.opens_per_sample == Approx(packed.samples_packed * one.opens_per_sample));
  CHECK(packed.requests_per_sample == Approx(packed.samples_packed * one.requests_per_sample));
  CHECK(packed.cpu_s_per_sample.mean() == Approx(packed.samples_packed * one.cpu_s_per_sample.mean()));
  CHECK(packed.samples_per_epoch * packed.samples_packed == Approx(one.samples_per_epoch));
  // The bytes of an epoch are those of the corpus, however it is packed.
  CHECK(packed.samples_per_epoch * packed.mean_sample_bytes() ==
        Approx(one.samples_per_epoch * one.mean_sample_bytes()));
  // The sum of the work of eight samples varies less than that of one.
  Scenario varied = packed_scenario(PackingRule::split);
  varied.jobs[0].loader.cpu_s_per_sample = DistributionSpec::exponential(0.002);
  const IngestPath summed = resolve_path(varied, 0, {});
  CHECK(summed.cpu_s_per_sample.mean() == Approx(0.016));
  CHECK(summed.cpu_s_per_sample.cv() == Approx(1.0 / std::sqrt(8.0)).epsilon(0.05));
}

TEST_CASE("bound, estimate and simulation agree on packed sequences") {
  Scenario scenario = packed_scenario(PackingRule::fit);
  scenario.stores[0].bandwidth_bytes_per_s = 3e9;  // 512 MB a step
  scenario.stores[0].latency_s = DistributionSpec::exponential(0.0002);
  scenario.stores[0].metadata.latency_s = DistributionSpec::exponential(0.0001);
  scenario.jobs[0].loader.cpu_s_per_sample = DistributionSpec::constant(0.0002);
  StudyOptions options;
  options.steps = 600;
  options.relief = false;
  const Outcome bound = flow_bound(scenario);
  const Outcome estimate = queueing_estimate(scenario, 1);
  const Outcome simulated = simulate(scenario, options);
  CHECK(value(bound, "step_time_s") == Approx(64.0 * value(bound, "samples_per_sequence") * 1e6 / 3e9).epsilon(1e-3));
  CHECK(value(bound, "step_time_s") <= value(simulated, "step_time_s") * 1.005);
  CHECK(value(estimate, "step_time_s") == Approx(value(simulated, "step_time_s")).epsilon(0.05));
  for (const Outcome* outcome : {&bound, &estimate, &simulated}) {
    CHECK(value(*outcome, "packing_fill_fraction") > 0.97);
    CHECK(value(*outcome, "useful_tokens_per_s") ==
          Approx(value(*outcome, "samples_per_s") * 2e6 * value(*outcome, "packing_fill_fraction")));
  }
  const Outcome plain = flow_bound(test::small_scenario(2));
  CHECK(plain.find("packing_fill_fraction") == nullptr);
}

TEST_CASE("packed samples leave the store once an epoch, and each is requested once") {
  for (const PackingRule rule : {PackingRule::fit, PackingRule::split, PackingRule::pad}) {
    Scenario scenario = packed_scenario(rule);
    const Outcome outcome = flow_bound(scenario);
    const auto quantity = [&](std::string_view item) {
      for (const LedgerLine& line : outcome.ledger)
        if (line.item == item) return line.quantity;
      return 0.0;
    };
    CHECK(quantity("egress") ==
          Approx(value(outcome, "store_bytes_per_s") * value(outcome, "epoch_time_s")).epsilon(0.02));
    scenario.jobs[0].step.packing.reset();
    const Outcome plain = flow_bound(scenario);
    double requests = 0.0;
    for (const LedgerLine& line : plain.ledger)
      if (line.item == "requests") requests = line.quantity;
    CHECK(quantity("requests") == Approx(requests).epsilon(0.02));
  }
}
