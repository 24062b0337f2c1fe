#include "reports/timeline_json.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "scenarios/scenario_file.hpp"
#include "tests/catch.hpp"

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

TEST_CASE("slices of a track nest") {
  const Json trace = timeline_json(sample_timeline());
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

}  // namespace
}  // namespace headrace::reports
