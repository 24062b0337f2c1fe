#include "models/outcome/outcome_metrics.hpp"

#include <set>

#include "tests/catch.hpp"

using namespace headrace::models;

TEST_CASE("every metric has all its traits, once") {
  std::set<std::string_view> names;
  std::set<std::string_view> labels;
  for (const MetricDescription& metric : kMetricDescriptions) {
    INFO(metric.name);
    CHECK(names.insert(metric.name).second);
    CHECK(labels.insert(metric.label).second);
    for (const std::string_view text : {metric.name, metric.unit, metric.label, metric.meaning, metric.how.formula,
                                        metric.how.inputs, metric.how.source})
      CHECK_FALSE(text.empty());
    CHECK(metric.meaning.ends_with('.'));
    CHECK_FALSE(metric.how.formula.ends_with('.'));
  }
  for (const PartDescription& part : kPartDescriptions) {
    INFO(part.name);
    CHECK(names.insert(part.name).second);
    CHECK_FALSE(part.how.formula.empty());
    CHECK_FALSE(part.how.inputs.empty());
    CHECK_FALSE(part.how.source.empty());
  }
}

TEST_CASE("traits of a metric agree with each other") {
  for (const MetricDescription& metric : kMetricDescriptions) {
    INFO(metric.name);
    // What follows from the means per step has an interval from them, and a bound by the flow.
    const bool of_steps = metric.law != StepLaw::other;
    CHECK((metric.noise == Noise::interval) == of_steps);
    CHECK((metric.bound == Bound::no_less || metric.bound == Bound::no_more) == of_steps);
    if (metric.law == StepLaw::rate || metric.law == StepLaw::busy) CHECK(metric.bound == Bound::no_more);
    if (metric.better == Better::lower) CHECK(metric.bound != Bound::no_more);
    if (metric.better == Better::higher) CHECK(metric.bound != Bound::no_less);
    if (metric.bound == Bound::exact) CHECK(metric.noise == Noise::fixed);
    // Amounts per second of the whole job: jobs side by side have them together.
    if (metric.law == StepLaw::rate && metric.unit != "%") CHECK(metric.over_jobs == OverJobs::sum);
    if (metric.over_time == OverTime::duration) CHECK(metric.unit == "s");
  }
}

TEST_CASE("traits are found by full names, and unknown names promise nothing") {
  CHECK(traits_of("jobs/train/step_time_s").name == "step_time_s");
  CHECK(traits_of("jobs/a/b/batch_load_time_s.p99").name == "batch_load_time_s");
  CHECK(find_metric("jobs/train/step_time_s") == nullptr);
  CHECK(traits_of("blame/transfer").unit == "1");
  CHECK(traits_of("blame/transfer").bound == Bound::open);
  CHECK(find_formula("blame") != nullptr);
  CHECK(find_formula("step_time_s") == &find_metric("step_time_s")->how);
  CHECK(find_formula("speed of light") == nullptr);
}
