#include "reports/outcome_reader.hpp"

#include "models/study/paired_difference.hpp"
#include "reports/outcome_json.hpp"
#include "tests/catch.hpp"
#include "tests/reports/sample_outcome.hpp"

using namespace headrace;
using namespace headrace::reports;
using PlainJson = nlohmann::ordered_json;

TEST_CASE("an outcome that was written is read back") {
  const models::Outcome outcome = reports::testing::sample_outcome();
  const PlainJson scenario{{"title", "sample"}};
  const PlainJson document = outcome_json(outcome, {scenario, "2026-11-20"});
  REQUIRE(is_outcome(document));
  const auto recorded = read_outcome(document);
  REQUIRE(recorded);
  CHECK(recorded->catalogue_version == "2026-11-20");
  CHECK(recorded->scenario == scenario);
  CHECK(recorded->outcome.seed == outcome.seed);
  CHECK(recorded->outcome.verdict == outcome.verdict);
  CHECK(recorded->outcome.binding == outcome.binding);
  for (const models::Metric& metric : outcome.metrics) {
    const models::Metric* read = recorded->outcome.find(metric.name);
    REQUIRE(read != nullptr);
    CHECK(read->mean == metric.mean);
    CHECK(read->ci95.has_value() == metric.ci95.has_value());
    CHECK(read->kind == metric.kind);
  }
  CHECK(recorded->outcome.blame.size() == outcome.blame.size());
  CHECK(recorded->outcome.windows.size() == outcome.windows.size());
  CHECK(recorded->outcome.ledger.size() == outcome.ledger.size());
  REQUIRE(recorded->outcome.replications.size() == outcome.replications.size());
  if (outcome.batch_load_time) {
    REQUIRE(recorded->outcome.batch_load_time);
    CHECK(models::metric_value(recorded->outcome, "batch_load_time_s.p99") == outcome.batch_load_time->p99_s);
  }
}

TEST_CASE("what is no outcome is refused with a reason") {
  CHECK_FALSE(is_outcome(PlainJson{{"cluster", PlainJson::object()}}));
  CHECK(read_outcome(PlainJson::array()).error() == "it is not a JSON object");
  const PlainJson half{{"metrics", PlainJson::object()}, {"model_version", "1"}};
  CHECK(is_outcome(half));
  CHECK(read_outcome(half).error() == "it has no \"verdict\"");
  const PlainJson empty{
      {"metrics", PlainJson::object()}, {"model_version", "1"}, {"verdict", "fed"}, {"scenario", PlainJson::object()}};
  CHECK(read_outcome(empty).error() == "it has no metrics");
  const PlainJson odd{{"metrics", {{"step_time_s", {{"mean", 1.0}, {"ci95", "no"}}}, {"x", 3}}},
                      {"model_version", 5},
                      {"verdict", "strange"},
                      {"scenario", PlainJson::object()},
                      {"jobs", "none"},
                      {"windows", {1, 2}}};
  const auto recorded = read_outcome(odd);
  REQUIRE(recorded);
  CHECK(recorded->outcome.verdict == models::Verdict::inconclusive);
  CHECK_FALSE(recorded->outcome.find("step_time_s")->ci95);
}

TEST_CASE("what a document says is spoken of, however little it is") {
  const PlainJson document = outcome_json(reports::testing::sample_outcome(), {PlainJson::object(), ""});
  CHECK(outcome_of(document).warnings.size() == 1);
  CHECK(outcome_of(document).warnings.front().fix == reports::testing::sample_outcome().warnings.front().fix);
  const models::Outcome nothing = outcome_of(PlainJson::object());
  CHECK(nothing.verdict == models::Verdict::inconclusive);
  CHECK(nothing.metrics.empty());
  CHECK_FALSE(nothing.binding);
}
