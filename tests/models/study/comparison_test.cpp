#include "models/study/comparison.hpp"

#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace::models;

namespace {

ComparisonOptions compare_on_one_thread() {
  ComparisonOptions options;
  options.study.threads = 1;
  return options;
}

PairedDifference change(double low, double high) {
  PairedDifference difference;
  difference.before = 1.0;
  difference.after = 1.0 + 0.5 * (low + high);
  difference.mean = 0.5 * (low + high);
  difference.ci = difference.relative_ci = Interval{low, high};
  difference.relative = difference.mean;
  return difference;
}

}  // namespace

TEST_CASE("a change fails a limit when all of its interval is beyond it") {
  const ChangeLimit slower{Relation::more, 0.03, true};
  CHECK(judge_change(change(0.04, 0.06), slower) == Ruling::fail);
  CHECK(judge_change(change(-0.01, 0.02), slower) == Ruling::pass);
  CHECK(judge_change(change(0.02, 0.04), slower) == Ruling::undecided);
  CHECK(judge_change(change(-0.06, -0.04), {Relation::less, -0.03, true}) == Ruling::fail);
  CHECK(judge_change(change(0.04, 0.06), {Relation::more, 0.03, false}) == Ruling::fail);
  PairedDifference unknown = change(0.04, 0.06);
  unknown.ci = unknown.relative_ci = std::nullopt;
  CHECK(judge_change(unknown, slower) == Ruling::undecided);
  PairedDifference nothing;
  nothing.ci = Interval{0.0, 0.0};
  CHECK(judge_change(nothing, slower) == Ruling::pass);
}

TEST_CASE("a comparison runs on until it is decided", "[long_1]") {
  const auto decided_at = [](double limit) {
    return [limit](const Comparison& comparison) {
      const PairedDifference* step = comparison.find("step_time_s");
      return step != nullptr && judge_change(*step, {Relation::more, limit, true}) != Ruling::undecided;
    };
  };
  const Comparison slower =
      compare(test::starved_scenario(0.42e9), test::starved_scenario(0.4e9), compare_on_one_thread(), decided_at(0.02));
  CHECK(slower.stopped_by == "decided");
  REQUIRE(slower.find("step_time_s") != nullptr);
  CHECK(judge_change(*slower.find("step_time_s"), {Relation::more, 0.02, true}) == Ruling::fail);
  CHECK(slower.before.steps == slower.after.steps);
  const Comparison same =
      compare(test::starved_scenario(0.4e9), test::starved_scenario(0.4e9), compare_on_one_thread(), decided_at(0.0));
  CHECK(same.looks == 1);
  CHECK(judge_change(*same.find("step_time_s"), {Relation::more, 0.0, true}) == Ruling::pass);
}

TEST_CASE("a given length is looked at once, and quantiles are paired over replications") {
  ComparisonOptions options = compare_on_one_thread();
  options.study.steps = 600;
  options.metrics = {"batch_load_time_s.p99", "step_time_s"};
  const Comparison comparison = compare(test::starved_scenario(0.4e9), test::starved_scenario(0.5e9), options,
                                        [](const Comparison&) { return false; });
  CHECK(comparison.looks == 1);
  CHECK(comparison.stopped_by == "steps");
  CHECK(comparison.confidence == 0.95);
  const PairedDifference* p99 = comparison.find("batch_load_time_s.p99");
  REQUIRE(p99 != nullptr);
  CHECK(p99->pairing == Pairing::replications);
  CHECK(p99->is_significant());
}

TEST_CASE("an epoch gained costs what the second scenario costs more per hour", "[long_4]") {
  Scenario dear = test::starved_scenario(0.5e9);
  dear.prices.gpu_hour_usd = 2.2;
  const auto at_once = [](const Comparison&) { return true; };
  const Comparison comparison = compare(test::starved_scenario(0.4e9), dear, compare_on_one_thread(), at_once);
  const auto gained = gained_epochs(comparison);
  REQUIRE(gained);
  REQUIRE(gained->usd_per_epoch);
  // Four GPUs: $8 an hour against $8.80, for up to a quarter more epochs (0.16 s to 0.128 s a step, 1562.5 an epoch).
  CHECK(gained->after_per_hour / gained->before_per_hour == Approx(1.25).epsilon(0.05));
  CHECK(*gained->usd_per_epoch == Approx(0.8 / (gained->after_per_hour - gained->before_per_hour)).epsilon(1e-6));
  CHECK(*gained->usd_per_epoch == Approx(0.8 / (14.4 * 0.25)).epsilon(0.3));
  REQUIRE(gained->usd_per_epoch_ci);
  CHECK(gained->usd_per_epoch_ci->low < *gained->usd_per_epoch);
  CHECK(gained->usd_per_epoch_ci->high > *gained->usd_per_epoch);
  const Comparison same =
      compare(test::starved_scenario(0.4e9), test::starved_scenario(0.4e9), compare_on_one_thread(), at_once);
  const auto nothing = gained_epochs(same);
  REQUIRE(nothing);
  CHECK_FALSE(nothing->usd_per_epoch);
}

TEST_CASE("what courses of a training tell is compared once, behind the other metrics of the cluster") {
  Scenario before = test::starved_scenario(2e9);
  Degradation slow;
  slow.store = "store";
  slow.every_s = 600.0;
  slow.lasting_s = 60.0;
  slow.remaining = 0.5;
  before.faults = Faults{};
  before.faults->degraded = {slow};
  Scenario after = before;
  after.stores[0].bandwidth_bytes_per_s = 3e9;
  ComparisonOptions options = compare_on_one_thread();
  options.study.steps = 600;
  options.metrics = {"batch_load_time_s.p50"};
  const Comparison comparison = compare(before, after, options, [](const Comparison& sofar) {
    CHECK(sofar.before.find("training_time_s") == nullptr);
    return false;
  });
  StudyOptions alone = options.study;
  alone.control = false;
  alone.relief = false;
  const Outcome outcome = simulate(before, alone);
  REQUIRE(comparison.find("training_time_s") != nullptr);
  CHECK(comparison.find("training_time_s")->before == outcome.find("training_time_s")->mean);
  CHECK(comparison.find("training_time_s")->after < comparison.find("training_time_s")->before);
  REQUIRE(comparison.differences.size() == outcome.metrics.size() + 1);
  for (std::size_t i = 0; i < outcome.metrics.size(); ++i)
    CHECK(comparison.differences[i].metric == outcome.metrics[i].name);
  // Where something hangs on them they are known at every look.
  options.metrics = {"training_time_s"};
  bool known = false;
  compare(before, after, options,
          [&](const Comparison& sofar) { return known = sofar.find("training_time_s") != nullptr; });
  CHECK(known);
}
