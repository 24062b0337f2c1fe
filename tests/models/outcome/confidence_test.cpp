#include "models/outcome/confidence.hpp"

#include "models/hops/resource.hpp"
#include "models/outcome/evidence.hpp"

#include "tests/catch.hpp"

using namespace headrace::models;

namespace {

/// Fed with a margin, inside the range of the references.
Outcome near_outcome() {
  Outcome outcome;
  outcome.verdict = Verdict::fed;
  outcome.metrics = {{"gpu_idle_fraction", 0.001, {}, {}, AnswerKind::simulated}};
  outcome.evidence.nearest_case = "barrier";
  outcome.evidence.error = ErrorBand{"gpu_idle_fraction", "percentage points", 0.02, 0.2, 46};
  MeasuredPart part{"a loader", {"gpu_idle_fraction", "points", 1.5, 5.5, 18}, {}};
  part.system = "PyTorch 1.13 DataLoader, 1 to 8 workers";
  outcome.evidence.measured = {part};
  return outcome;
}

void set_idle(Outcome& outcome, double idle) {
  outcome.metrics.front().mean = idle;
  outcome.verdict = idle > 0.01 ? Verdict::ingest_bound : Verdict::fed;
}

}  // namespace

TEST_CASE("a scenario inside the range of measurements is near measurements, and computed cases alone are not enough") {
  const Confidence confidence = confidence_of(near_outcome());
  CHECK(confidence.grade == ConfidenceGrade::near_measurements);
  CHECK(confidence.reason ==
        "Inside the range of measurements: PyTorch 1.13 DataLoader (idle time off by 1.5 points on average, 5.5 at "
        "most).");
  CHECK_FALSE(confidence.may_change_verdict);
  Outcome computed = near_outcome();
  computed.evidence.measured.clear();
  CHECK(confidence_of(computed).grade == ConfidenceGrade::extrapolated);
  CHECK(confidence_of(computed).reason == "Only computed cases lie near this scenario, and no measurement.");
  CHECK_FALSE(confidence_of(computed).may_change_verdict);
}

TEST_CASE("outside the range the verdict may be wrong only where the error of the references reaches it") {
  Outcome outcome = near_outcome();
  outcome.evidence.extrapolates = {{"workers", 16.0, 0.0, 8.0, 2.0}, {"loaders", 30000.0, 0.0, 10000.0, 3.0}};
  const Confidence far = confidence_of(outcome);
  CHECK(far.grade == ConfidenceGrade::extrapolated);
  CHECK(far.reason ==
        "Outside the range of the references: loaders is 30000, computed cases reach 10000; workers is 16, "
        "computed cases reach 8.");
  outcome.evidence.measured.front().extrapolates = {{"workers", 16.0, 1.0, 8.0, 2.0}};
  CHECK(confidence_of(outcome).reason == far.reason);  // a dimension of cases and measurements is named once
  outcome.evidence.measured.front().extrapolates.clear();
  CHECK_FALSE(far.may_change_verdict);  // 0.2 points times 3 are less than the 0.9 points to the other verdict
  set_idle(outcome, 0.0045);
  CHECK(confidence_of(outcome).may_change_verdict);
  set_idle(outcome, 0.0155);
  CHECK(confidence_of(outcome).may_change_verdict);
  set_idle(outcome, 0.3);
  CHECK_FALSE(confidence_of(outcome).may_change_verdict);
}

TEST_CASE("where checkpoints take the time, their measurements are named first") {
  Outcome outcome = near_outcome();
  outcome.verdict = Verdict::checkpoint_bound;
  add_checkpoint_evidence(64.0, true, outcome.evidence);
  const std::string reason = confidence_of(outcome).reason;
  CHECK(reason.find("(time of a save off by 14.6 % on average, 81 at most)") != std::string::npos);
  CHECK(reason.find("time of a load off by") != std::string::npos);
  CHECK(reason.find("idle time") == std::string::npos);
}

namespace {

/// An outcome whose resource is full is extrapolated only where nothing was measured of it. Returns why.
std::string reason_where_full(Outcome outcome, Resource resource, Stage stage, std::string_view not_validated) {
  StationReport station;
  station.name = std::string(traits(resource).name);
  station.resource = resource;
  station.stage = stage;
  station.utilization = 1.0;
  outcome.stations = {station};
  CHECK(confidence_of(outcome).grade == ConfidenceGrade::near_measurements);
  outcome.evidence.not_validated = {std::string(not_validated)};
  const Confidence full = confidence_of(outcome);
  CHECK(full.grade == ConfidenceGrade::extrapolated);
  outcome.stations.front().utilization = 0.5;
  CHECK(confidence_of(outcome).grade == ConfidenceGrade::near_measurements);
  return full.reason;
}

}  // namespace

TEST_CASE("requests of a store that is full by its drives are extrapolated") {
  const std::string reason =
      reason_where_full(near_outcome(), Resource::store_requests, Stage::request, kDrivesNotValidated);
  CHECK(reason.starts_with("The resource store requests is 80 % busy or more"));
}

TEST_CASE("closed forms that find loads fed by a store which is nearly full may be wrong") {
  Outcome outcome = near_outcome();
  set_idle(outcome, 0.0);
  outcome.metrics.push_back({"step_time_s", 0.1, {}, {}, AnswerKind::estimate});
  StationReport store;
  store.name = "store bandwidth";
  store.resource = Resource::store_bandwidth;
  store.utilization = 0.85;
  outcome.stations = {store};
  outcome.evidence.not_validated = {std::string(kSharingNotValidated)};
  const Confidence open = confidence_of(outcome);
  CHECK(open.grade == ConfidenceGrade::extrapolated);
  CHECK(open.may_change_verdict);
  CHECK(open.reason.starts_with("Loads share the store bandwidth, which is 80 % busy or more"));
  outcome.metrics.back().kind = AnswerKind::simulated;
  CHECK_FALSE(confidence_of(outcome).may_change_verdict);
  outcome.metrics.back().kind = AnswerKind::estimate;
  outcome.stations.front().utilization = 0.5;
  CHECK_FALSE(confidence_of(outcome).may_change_verdict);
}

TEST_CASE("a wait at links that collectives share is extrapolated") {
  Outcome outcome = near_outcome();
  set_idle(outcome, 0.03);
  const std::string reason =
      reason_where_full(outcome, Resource::leaf_uplink, Stage::transfer, kCollectivesNotValidated);
  CHECK(reason.starts_with("The GPUs wait because collectives share links with the data"));
}

TEST_CASE("a stage without reference matters only where GPUs wait in it or its resource is nearly full") {
  Outcome outcome = near_outcome();
  outcome.evidence.not_validated = {"metadata service: closed forms only"};
  outcome.evidence.not_validated_stages = {Stage::metadata};
  CHECK(confidence_of(outcome).grade == ConfidenceGrade::near_measurements);

  StationReport metadata;
  metadata.name = "metadata";
  metadata.stage = Stage::metadata;
  metadata.utilization = 0.9;
  outcome.stations = {metadata};
  const Confidence full = confidence_of(outcome);
  CHECK(full.grade == ConfidenceGrade::extrapolated);
  CHECK(full.may_change_verdict);
  CHECK(full.reason == "The resource metadata is 80 % busy or more, and its model is not validated by measurements.");

  outcome.stations.clear();
  set_idle(outcome, 0.2);
  outcome.blame = {{Stage::metadata, 0.195, {}, 0.1}};
  const Confidence decides = confidence_of(outcome);
  CHECK(decides.grade == ConfidenceGrade::extrapolated);
  CHECK(decides.may_change_verdict);  // without the stage the GPUs would wait 0.5 %
  outcome.blame.front().mean = 0.1;
  CHECK_FALSE(confidence_of(outcome).may_change_verdict);  // other stages would leave them waiting

  outcome.blame.clear();  // an estimate, which knows the stage that binds and no more
  outcome.binding = Stage::metadata;
  CHECK(confidence_of(outcome).may_change_verdict);
}

TEST_CASE("GPUs that wait only for what caches do not hold hang on caches that were not measured") {
  Outcome outcome = near_outcome();
  outcome.evidence.not_validated_stages = {Stage::cache};
  const auto add = [&](const char* metric, double mean) {
    outcome.metrics.push_back({metric, mean, {}, {}, AnswerKind::simulated});
  };
  add("ingest_bytes_per_s", 100.0);
  add("store_bytes_per_s", 40.0);
  add("cache_hit_ratio", 0.6);
  StationReport store;
  store.name = "store bandwidth";
  store.unit = "B/s";
  store.stage = Stage::transfer;
  store.resource = Resource::store_bandwidth;
  store.utilization = 0.5;
  store.capacity = 80.0;  // less than is read, more than the store sends
  outcome.stations = {store};
  const Confidence held = confidence_of(outcome);
  CHECK(held.grade == ConfidenceGrade::extrapolated);
  CHECK(held.reason ==
        "Without caches the store bandwidth would be too slow, and what their hits do to the step was not measured.");
  outcome.stations.front().capacity = 200.0;
  CHECK(confidence_of(outcome).grade == ConfidenceGrade::near_measurements);

  StationReport requests = store;  // no bytes: 50 % busy at 40 of 100, so 125 % without hits
  requests.resource = Resource::store_requests;
  requests.unit = "requests/s";
  outcome.stations.push_back(requests);
  CHECK(confidence_of(outcome).grade == ConfidenceGrade::extrapolated);
  outcome.evidence.not_validated_stages = {Stage::shared_cache};  // which answers nothing
  CHECK(confidence_of(outcome).grade == ConfidenceGrade::near_measurements);
}

TEST_CASE("a verified machine is measured here, an assumed limit is assumed whatever else is known") {
  Outcome outcome = near_outcome();
  MeasuredPart part{"a real pipeline", {"gpu_idle_fraction", "points", 0.6, 1.4, 12}, {}};
  outcome.evidence.measured.front() = part;
  CHECK(confidence_of(outcome).grade == ConfidenceGrade::near_measurements);
  outcome.evidence.measured.front().machine = "node.json";
  CHECK(confidence_of(outcome).grade == ConfidenceGrade::measured_here);
  CHECK(confidence_of(outcome).reason.find("node.json was off by 0.6 points") != std::string::npos);
  outcome.evidence.measured.front().extrapolates = {{"workers of a node", 16.0, 1.0, 8.0, 2.0}};
  CHECK(confidence_of(outcome).grade == ConfidenceGrade::extrapolated);
  outcome.evidence.assumed = "limited by an assumed 5,500 requests/s on one prefix; set /stores/0/limit";
  const Confidence assumed = confidence_of(outcome);
  CHECK(assumed.grade == ConfidenceGrade::assumed);
  CHECK(assumed.may_change_verdict);
  CHECK(assumed.reason.find("5,500 requests/s") != std::string::npos);
}
