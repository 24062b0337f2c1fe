#include "models/evidence.hpp"

#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace::models;

namespace {

IngestPath path_of(std::uint64_t nodes, std::uint64_t workers) {
  Scenario scenario = test::small_scenario(nodes);
  scenario.jobs[0].loader.workers = workers;
  return resolve_path(scenario, 0, {});
}

}  // namespace

TEST_CASE("evidence names the nearest group of cases, its error, and what lies outside by which factor") {
  const EvidenceReport inside = evidence_for(path_of(2, 4));
  REQUIRE(inside.error);
  CHECK(inside.error->largest >= inside.error->mean);
  CHECK(inside.error->cases > 0);
  const EvidenceReport outside = evidence_for(path_of(10000, 4));
  CHECK(outside.nearest_case.find("barrier") == 0);
  bool found = false;
  for (const ExtrapolatedDimension& d : outside.extrapolates) {
    CHECK(d.factor > 1.0);
    if (d.dimension != "loaders") continue;
    found = true;
    CHECK(d.value == 20000.0);
    CHECK(d.factor == Approx(2.0));
  }
  CHECK(found);
}

TEST_CASE("one loader is held against the prefetch queue, many against a barrier") {
  IngestPath one = path_of(1, 4);
  one.loaders = 1;
  CHECK(evidence_for(one).nearest_case.find("prefetch queue") == 0);
  CHECK(evidence_for(path_of(3, 4)).nearest_case.find("prefetch queue") == std::string::npos);
}

TEST_CASE("parts of the model that no case holds are named") {
  IngestPath path = path_of(2, 4);
  CHECK(evidence_for(path).not_validated.empty());
  path.limit_requests_per_s = 100.0;
  path.hit_ratio = 0.5;
  CHECK(evidence_for(path).not_validated.size() == 2);
}

TEST_CASE("parts of the model that measurements were held against are named, with the error and what lies outside") {
  IngestPath path = path_of(1, 4);
  CHECK(evidence_for(path).measured.empty());
  path.hit_ratio = 0.5;
  path.contending_workers = 32.0;
  path.landing_links = 4;
  const EvidenceReport report = evidence_for(path);
  REQUIRE(report.measured.size() == 3);
  for (const MeasuredPart& part : report.measured) {
    CHECK(part.error.largest >= part.error.mean);
    CHECK(part.error.cases > 0);
  }
  CHECK(report.measured[0].extrapolates.empty());
  REQUIRE(report.measured[1].extrapolates.size() == 1);  // 8 workers were measured
  CHECK(report.measured[1].extrapolates[0].factor == Approx(4.0));
  CHECK(report.measured[2].extrapolates.empty());
  CHECK(report.not_validated.empty());  // one node's cache is
}
