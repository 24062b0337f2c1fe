#include "scenarios/document/thresholds.hpp"

#include <nlohmann/json.hpp>

#include "models/outcome/outcome_metrics.hpp"
#include "scenarios/document/scenario_file.hpp"
#include "tests/catch.hpp"

using namespace headrace;
using namespace headrace::scenarios;

namespace {

std::string code_of(const char* metric, const char* condition) {
  const auto threshold = parse_threshold(metric, condition, {"llm", "vision"});
  return threshold ? "" : std::string(threshold.error().code);
}

double limit_of(const char* metric, const char* condition) {
  const auto threshold = parse_threshold(metric, condition, {"llm", "vision"});
  INFO(metric << " " << condition);
  REQUIRE(threshold);
  return threshold->limit;
}

tl::expected<LoadedScenario, Diagnostics> load_with(const std::vector<std::string>& sets) {
  const std::vector<std::string> inputs{"prefetch-queue"};
  return load_scenario(inputs, sets);
}

}  // namespace

TEST_CASE("thresholds are read with the unit of their metric") {
  CHECK(limit_of("gpu_idle_fraction", "< 5 %") == Approx(0.05));
  CHECK(limit_of("gpu_idle_fraction", "<0.05") == Approx(0.05));
  CHECK(limit_of("step_time_s", ">= 400 ms") == Approx(0.4));
  CHECK(limit_of("batch_load_time_s.p99", "< 2 s") == Approx(2.0));
  CHECK(limit_of("ingest_bytes_per_s", "> 1.5 GB/s") == Approx(1.5e9));
  CHECK(limit_of("cost_per_epoch_usd", "<= $120") == Approx(120.0));
  CHECK(limit_of("mlperf_au_percent", "> 90 %") == Approx(90.0));
  CHECK(limit_of("jobs/llm/step_time_s", "< 1 s") == Approx(1.0));
  CHECK(limit_of("blame/transfer", "< 1 %") == Approx(0.01));
  const auto threshold = parse_threshold("step_time_s", "  >=400 ms ", {});
  REQUIRE(threshold);
  CHECK(threshold->relation == models::Relation::at_least);
  CHECK(threshold->condition == ">= 400 ms");
}

TEST_CASE("every metric can have a threshold") {
  for (const models::MetricDescription& metric : models::kMetricDescriptions) {
    INFO(metric.name);
    const auto zero = parse_threshold(metric.name, "> 0", {});
    CHECK(zero.has_value());
  }
}

TEST_CASE("a wrong threshold is told what is wrong with it") {
  CHECK(code_of("step_time_s", "400 ms") == "E0217");
  CHECK(code_of("step_time_s", "<") == "E0217");
  CHECK(code_of("step_time_s", "< 400") == "E0204");
  CHECK(code_of("step_time_s", "< 4 GB/s") == "E0205");
  CHECK(code_of("gpu_idle_fraction", "< 5 ms") == "E0205");
  CHECK(code_of("gpu_idle_fracton", "< 5 %") == "E0218");
  CHECK(code_of("batch_load_time_s.p95", "< 2 s") == "E0218");
  CHECK(code_of("step_time_s.p99", "< 2 s") == "E0218");
  CHECK(code_of("jobs/lm/step_time_s", "< 2 s") == "E0218");
  CHECK(code_of("jobs/", "< 2 s") == "E0218");
  CHECK(code_of("blame/nothing", "< 2 %") == "E0218");
  CHECK(parse_threshold("gpu_idle_fracton", "< 5 %", {}).error().help == "did you mean 'gpu_idle_fraction'?");
  CHECK(parse_threshold("jobs/llm/step_tim_s", "< 5 s", {"llm"}).error().help ==
        "did you mean 'jobs/llm/step_time_s'?");
}

TEST_CASE("thresholds of a scenario stand in its slo and leave everything else alone") {
  const auto plain = load_with({});
  REQUIRE(plain);
  CHECK_FALSE(plain->resolved.contains("slo"));
  const auto loaded = load_with({"/slo/gpu_idle_fraction=< 5 %", "/slo/step_time_s=\"< 2 s\""});
  REQUIRE(loaded);
  CHECK(loaded->resolved["slo"]["gpu_idle_fraction"] == "< 5 %");
  const auto thresholds = thresholds_of(loaded->value, loaded->composition);
  REQUIRE(thresholds);
  REQUIRE(thresholds->size() == 2);
  CHECK((*thresholds)[0].pointer == "/slo/gpu_idle_fraction");
  CHECK((*thresholds)[1].limit == Approx(2.0));
}

TEST_CASE("a wrong slo is an error of the file, with its place") {
  const auto unknown = load_with({"/slo/gpu_idle=< 5 %"});
  REQUIRE_FALSE(unknown);
  const Diagnostic first = unknown.error().sorted().front();
  CHECK(first.code == "E0218");
  CHECK(first.pointer == "/slo/gpu_idle");
  CHECK(first.where.line == 1);
  const auto type = load_with({"/slo/gpu_idle_fraction=0.05"});
  REQUIRE_FALSE(type);
  CHECK(type.error().sorted().front().code == "E0201");
  CHECK_FALSE(load_with({"/slo=5"}));
  const auto both = load_with({"/slo/gpu_idle=< 5 %", "/slo/step_time_s=< 5"});
  REQUIRE_FALSE(both);
  CHECK(both.error().size() == 2);
}

TEST_CASE("a threshold of a flag stands where the flag wrote it") {
  const std::vector<std::string> inputs{"prefetch-queue"};
  const auto load_slos = [&](const std::vector<std::string>& slos) {
    LoadOptions options;
    options.slos = slos;
    return load_scenario(inputs, {}, options);
  };
  const auto good = load_slos({" gpu_idle_fraction < 5 %", "jobs/train/step_time_s<=2 s"});
  REQUIRE(good);
  const auto thresholds = thresholds_of(good->value, good->composition);
  REQUIRE(thresholds);
  REQUIRE(thresholds->size() == 2);
  CHECK((*thresholds)[0].metric == "gpu_idle_fraction");
  CHECK((*thresholds)[0].condition == "< 5 %");
  CHECK((*thresholds)[1].pointer == "/slo/jobs~1train~1step_time_s");
  CHECK(good->origin_of("/slo/gpu_idle_fraction").print() == "--slo  gpu_idle_fraction < 5 %");
  for (const auto& [slo, code, column] : {std::tuple{" gpu_idle < 5 %", "E0218", 2},
                                          {"gpu_idle_fraction 5 %", "E0217", 1},
                                          {"< 5 %", "E0217", 1},
                                          {"step_time_s < \"5", "E0206", 13}}) {
    INFO(slo);
    const auto bad = load_slos({slo});
    REQUIRE_FALSE(bad);
    const Diagnostic first = bad.error().sorted().front();
    CHECK(first.code == code);
    CHECK(first.where.file == "--slo");
    CHECK(first.where.column == column);
  }
}

TEST_CASE("changes that fail a comparison are relative or absolute") {
  const auto relative = parse_fail_if("step_time_s > +3 %");
  REQUIRE(relative);
  CHECK(relative->relative);
  CHECK(relative->limit == Approx(0.03));
  CHECK(relative->holds(0.04));
  CHECK_FALSE(relative->holds(0.02));
  const auto less = parse_fail_if("samples_per_s < -5%");
  REQUIRE(less);
  CHECK(less->limit == Approx(-0.05));
  const auto points = parse_fail_if("gpu_idle_fraction > +1 points");
  REQUIRE(points);
  CHECK_FALSE(points->relative);
  CHECK(points->limit == Approx(0.01));
  CHECK(parse_fail_if("mlperf_au_percent < -2 points")->limit == Approx(-2.0));
  const auto seconds = parse_fail_if("step_time_s > +20 ms");
  REQUIRE(seconds);
  CHECK_FALSE(seconds->relative);
  CHECK(seconds->limit == Approx(0.02));
  CHECK(parse_fail_if("step_time_s > +1 points").error().code == "E0205");
  CHECK(parse_fail_if("step_time_s +3 %").error().code == "E0217");
  CHECK(parse_fail_if("step_tim > +3 %").error().code == "E0218");
  CHECK(parse_fail_if("step_time_s > +3").error().code == "E0204");
  CHECK(parse_fail_if("step_time_s > +3 GB/s").error().code == "E0205");
}
