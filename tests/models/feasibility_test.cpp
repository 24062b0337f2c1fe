// Room that is needed against room that there is.
#include "models/feasibility.hpp"

#include "tests/catch.hpp"

using namespace headrace::models;

TEST_CASE("a requirement is met up to the last byte, and not one byte further") {
  Requirement room{"GPU memory", 80e9, {{"states", 60e9}, {"nothing", 0.0}, {"activations", 20e9}}, "use more GPUs"};
  Outcome outcome;
  outcome.verdict = Verdict::fed;
  require(room, outcome);
  CHECK(outcome.verdict == Verdict::fed);
  CHECK(outcome.warnings.empty());
  room.needs[2].bytes += 1.0;
  require(room, outcome);
  CHECK(outcome.verdict == Verdict::infeasible);
  REQUIRE(outcome.warnings.size() == 1);
  CHECK(outcome.warnings[0].seen == "GPU memory does not suffice");
  CHECK(outcome.warnings[0].cause == "it would take 80.0 GB of 80.0 GB: states 60.0 GB + activations 20.0 GB");
  CHECK(outcome.warnings[0].fix == "use more GPUs");
}

TEST_CASE("room that is not stated is not checked") {
  Outcome outcome;
  outcome.verdict = Verdict::fed;
  require({"host memory", 0.0, {{"caches", 1e15}}, ""}, outcome);
  CHECK(outcome.verdict == Verdict::fed);
  CHECK(outcome.warnings.empty());
}
