#include "models/metric_formulas.hpp"

#include <set>

#include "models/outcome_metrics.hpp"
#include "tests/catch.hpp"

using namespace headrace::models;

TEST_CASE("every metric says how it is computed, from what, and by whose law") {
  for (const MetricDescription& metric : kMetricDescriptions) {
    INFO(metric.name);
    const FigureFormula* formula = find_formula(metric.name);
    REQUIRE(formula != nullptr);
    CHECK_FALSE(formula->formula.empty());
    CHECK_FALSE(formula->inputs.empty());
    CHECK_FALSE(formula->source.empty());
  }
}

TEST_CASE("no formula is told twice or of a metric that is none") {
  std::set<std::string_view> names;
  for (const FigureFormula& formula : kMetricFormulas) {
    INFO(formula.name);
    CHECK(names.insert(formula.name).second);
    CHECK(find_metric(formula.name) != nullptr);
  }
  for (const FigureFormula& formula : kPartFormulas) {
    INFO(formula.name);
    CHECK(names.insert(formula.name).second);
    CHECK(find_metric(formula.name) == nullptr);
  }
}
