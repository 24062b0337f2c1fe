#include "reports/timeline_json.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "models/answer/flow_bound.hpp"
#include "models/interruptions/job_course.hpp"
#include "models/study/study.hpp"
#include "reports/document_fault.hpp"
#include "scenarios/document/scenario_file.hpp"
#include "tests/catch.hpp"
#include "tests/reports/sample_documents.hpp"

namespace headrace::reports {
namespace {

using Json = nlohmann::ordered_json;

models::Timeline sample_timeline(const std::string& workers = "2") {
  const std::vector<std::string> names = {"image-node"};
  const std::vector<std::string> sets = {"/jobs/0/loader/workers=" + workers};
  const auto loaded = scenarios::load_scenario(names, sets);
  REQUIRE(loaded);
  models::TimelineOptions options;
  options.steps = 30;
  options.nodes = 1;
  return models::record_timeline(loaded->value, options);
}

/// Whole nanoseconds of a time in microseconds.
std::int64_t ns(const Json& us) { return std::llround(us.get<double>() * 1000.0); }

void check_nesting(const Json& trace) {
  std::map<std::pair<int, int>, std::vector<std::pair<std::int64_t, std::int64_t>>> tracks;
  for (const Json& event : trace["traceEvents"])
    if (event["ph"] == "X")
      tracks[{event["pid"].get<int>(), event["tid"].get<int>()}].push_back(
          {ns(event["ts"]), ns(event["ts"]) + ns(event["dur"])});
  CHECK(tracks.size() > 2);
  for (auto& [track, slices] : tracks) {
    std::stable_sort(slices.begin(), slices.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first < b.first : a.second > b.second;
    });
    std::vector<std::int64_t> open;
    for (const auto& [begin, end] : slices) {
      while (!open.empty() && open.back() <= begin) open.pop_back();
      CHECK((open.empty() || end <= open.back()));
      open.push_back(end);
    }
  }
}

TEST_CASE("slices of a track nest") { check_nesting(timeline_json(sample_timeline())); }

TEST_CASE("the states of a GPU fill its time, and sum to those of the steps") {
  const models::Timeline timeline = sample_timeline();
  const models::JobTimeline& job = timeline.jobs[0];
  const Json trace = timeline_json(timeline);
  std::map<std::string, std::int64_t> by_state;
  std::int64_t gpu_end_ns = 0;
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] != "X" || !event["args"].contains("batch")) continue;
    by_state[event["name"].get<std::string>()] += ns(event["dur"]);
    gpu_end_ns = std::max(gpu_end_ns, ns(event["ts"]) + ns(event["dur"]));
  }
  sim::TimeNs compute_ns = 0;
  for (std::size_t step = 0; step < job.steps.steps(); ++step) compute_ns += job.steps.records[step].compute_ns;
  CHECK(by_state["compute"] == compute_ns * job.watched);
  CHECK(by_state["wait for the own batch"] > 0);
  std::int64_t all_ns = 0;
  for (const auto& [name, length_ns] : by_state) all_ns += length_ns;
  CHECK(gpu_end_ns == job.steps.records.back().start_ns);
  CHECK(all_ns == gpu_end_ns * job.watched);
}

TEST_CASE("barriers and waits of a trace are those of the outcome of the same run") {
  const std::vector<std::string> names = {"image-node"};
  const std::vector<std::string> sets = {"/jobs/0/loader/workers=5", "/cluster/pools/0/nodes=2"};
  const auto loaded = scenarios::load_scenario(names, sets);
  REQUIRE(loaded);
  models::StudyOptions study;
  study.steps = 100;
  study.relief = false;
  study.control = false;
  const models::Outcome outcome = models::simulate(loaded->value, study);
  REQUIRE_FALSE(outcome.replications.empty());
  const models::ReplicationReport& run = outcome.replications.front();
  models::TimelineOptions options;
  options.seed = study.seed;
  options.steps = run.steps;
  const Json trace = timeline_json(models::record_timeline(loaded->value, options));
  std::vector<std::int64_t> barriers_ns;
  double waited_ns = 0.0;
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] == "i") barriers_ns.push_back(ns(event["ts"]));
    if (event["ph"] == "X" && event["name"].get<std::string>().starts_with("wait for") &&
        event["args"]["step"].get<std::uint64_t>() > run.warm_up_steps)
      waited_ns += static_cast<double>(ns(event["dur"]));
  }
  REQUIRE(barriers_ns.size() == run.steps + 1);
  const auto measured_ns = static_cast<double>(barriers_ns.back() - barriers_ns[run.warm_up_steps]);
  CHECK(static_cast<double>(barriers_ns.back()) / 1e9 == Approx(run.elapsed_s));
  CHECK(measured_ns / static_cast<double>(run.steps - run.warm_up_steps) / 1e9 == Approx(run.step_time_s));
  CHECK(run.gpu_idle_fraction > 0.01);
  CHECK(waited_ns / (16.0 * measured_ns) == Approx(run.gpu_idle_fraction));
}

/// The last value of each counter whose name begins so.
std::map<std::string, int> last_values(const Json& trace, std::string_view name) {
  std::map<std::string, int> last;
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] != "C" || !event["name"].get<std::string>().starts_with(name)) continue;
    const int now = event["args"]["batches"].get<int>();
    CHECK(now >= 0);
    last[event["name"].get<std::string>()] = now;
  }
  return last;
}

TEST_CASE("counters of ready batches end with what lies ready then") {
  const models::Timeline fed = sample_timeline("12");
  const Json trace = timeline_json(fed);
  const auto last = last_values(trace, "ready batches");
  CHECK(last.size() == fed.jobs[0].watched);
  int left = 0;
  for (const auto& [name, depth] : last) left += depth;
  CHECK(left == static_cast<int>(fed.jobs[0].waiting.size()));
  CHECK(left > 4 * static_cast<int>(fed.jobs[0].watched));
  CHECK(sample_timeline("2").jobs[0].waiting.size() < fed.jobs[0].watched);  // starved: nothing is left over
}

TEST_CASE("counters of stages tell where batches queue, until the end") {
  const models::Timeline starved = sample_timeline("2");
  const Json trace = timeline_json(starved);
  const auto last = last_values(trace, "batches in ");
  CHECK(last.size() >= 3);
  int under_way = 0;
  for (const auto& [name, depth] : last) under_way += depth;
  CHECK(under_way > 0);  // workers that cannot keep up are never idle
  CHECK(under_way <= 2 * static_cast<int>(starved.jobs[0].watched));
}

/// A job that writes checkpoints and fails, on a store that is slow at times.
struct CourseSample {
  models::Outcome outcome;
  models::Timeline timeline;
};

CourseSample sample_course() {
  const std::vector<std::string> names = {"image-node"};
  const std::vector<std::string> sets = {
      R"(/jobs/0/checkpoint={"store": "storage", "bytes": "500 GB", "interval": "600 s"})",
      R"(/faults={"node_mtbf": "6 h", "degraded": [{"store": "storage", "every": "2 h", "lasting": "300 s"}]})"};
  const auto loaded = scenarios::load_scenario(names, sets);
  REQUIRE(loaded);
  CourseSample sample;
  sample.outcome = models::flow_bound(loaded->value);
  models::TimelineOptions options;
  options.steps = 20;
  options.nodes = 1;
  sample.timeline = models::record_timeline(loaded->value, options);
  models::add_course(loaded->value, sample.outcome, {}, sample.timeline);
  return sample;
}

TEST_CASE("one period of checkpoints and failures has the shares of the outcome, and says that they are expected") {
  const CourseSample sample = sample_course();
  const Json trace = timeline_json(sample.timeline);
  check_nesting(trace);
  std::map<std::string, std::int64_t> by_name;
  std::map<std::string, int> by_basis;
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] == "M" || !event["args"].contains("basis")) continue;
    ++by_basis[event["args"]["basis"].get<std::string>()];
    if (event["ph"] == "X" && event["args"]["basis"] == "expected" && event["args"].contains("share"))
      by_name[event["name"].get<std::string>()] += ns(event["dur"]);
  }
  std::int64_t all_ns = 0;
  for (const auto& [name, length_ns] : by_name) all_ns += length_ns;
  const auto share = [&](const char* name) { return static_cast<double>(by_name[name]) / static_cast<double>(all_ns); };
  for (const models::GpuStateShare& state : sample.outcome.gpu_states) {
    if (state.state == models::GpuState::checkpoint)
      CHECK(share("stopped for a checkpoint") == Approx(state.share).epsilon(1e-6));
    if (state.state == models::GpuState::failure)
      CHECK(share("failures: restarts and lost work") == Approx(state.share).epsilon(1e-6));
  }
  CHECK(by_name.size() == 3);
  CHECK(by_basis["expected"] > 3);
  CHECK(by_basis["drawn"] > 20);
}

TEST_CASE("what models report beside batches stands on tracks of its own, with its basis and its figures") {
  const Json trace = timeline_json(testing::sample_course());
  check_nesting(trace);
  std::set<std::string> names;
  std::set<std::string> bases;
  double level = 0.0;
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] == "M") names.insert(event["args"]["name"].get<std::string>());
    if (event["ph"] == "X" || event["ph"] == "i") bases.insert(event["args"]["basis"].get<std::string>());
    if (event["ph"] == "C") level = event["args"]["planned"].get<double>();
  }
  CHECK(names == std::set<std::string>{"train: checkpoints and failures, one period as expected", "the job",
                                       "transfer of the checkpoint", "faults, drawn", "1. store 'a' is slower",
                                       "store 'a'", "drive 7", "stores, one period as planned"});
  CHECK(bases == std::set<std::string>{"expected", "drawn", "simulated"});
  CHECK(level == 2.5);
}

TEST_CASE("tracks have names") {
  const Json trace = timeline_json(sample_timeline());
  std::size_t processes = 0;
  std::size_t threads = 0;
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] != "M") continue;
    processes += event["name"] == "process_name" ? 1 : 0;
    threads += event["name"] == "thread_name" ? 1 : 0;
  }
  CHECK(processes == 1);
  CHECK(threads > 2);
}

/// The first event with this phase and key among what it tells.
std::size_t event_with(const Json& trace, const char* phase, const char* key) {
  const Json& events = trace["traceEvents"];
  for (std::size_t i = 0; i < events.size(); ++i)
    if (events[i]["ph"] == phase && events[i]["args"].contains(key)) return i;
  FAIL(key);
  return 0;
}

TEST_CASE("every event is as the schema of timelines says, and none that lacks a key or has another type") {
  models::Timeline timeline = testing::sample_course();
  timeline.jobs = sample_timeline().jobs;
  const Json trace = timeline_json(timeline);
  const Json schema = timeline_schema();
  REQUIRE_FALSE(document_fault(trace, schema));
  const auto check = [&](const char* phase, const char* args_key, const std::vector<std::string>& keys) {
    const std::size_t at = event_with(trace, phase, args_key);
    Json one = {{"displayTimeUnit", "ms"}, {"traceEvents", Json::array({trace["traceEvents"][at]})}};
    const Json& event = one["traceEvents"][0];
    CAPTURE(event.dump());
    CHECK_FALSE(document_fault(one, schema));
    CHECK(event.size() == keys.size());
    for (const std::string& key : keys) {
      CAPTURE(key);
      Json lacking = one;
      lacking["traceEvents"][0].erase(key);
      CHECK(document_fault(lacking, schema));
      Json other = one;
      other["traceEvents"][0][key] = Json::array();
      CHECK(document_fault(other, schema));
    }
    for (const auto& [key, value] : event["args"].items()) {
      CAPTURE(key);
      Json other = one;
      other["traceEvents"][0]["args"][key] = Json::array();
      CHECK(document_fault(other, schema));
    }
  };
  const std::vector<std::string> slice = {"name", "ph", "ts", "dur", "pid", "tid", "args"};
  const std::vector<std::string> mark = {"name", "ph", "s", "ts", "pid", "tid", "args"};
  check("M", "name", {"name", "ph", "pid", "tid", "args"});
  check("X", "taken_us", slice);
  check("X", "service_us", slice);
  check("X", "batch", slice);
  check("X", "basis", slice);
  check("C", "batches", {"name", "ph", "ts", "pid", "args"});
  check("C", "planned", {"name", "ph", "ts", "pid", "args"});
  check("i", "step", mark);
  check("i", "basis", mark);
}

}  // namespace
}  // namespace headrace::reports
