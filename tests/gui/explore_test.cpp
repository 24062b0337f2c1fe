#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "gui/presenter/autosave.hpp"
#include "gui/presenter/bundle.hpp"
#include "gui/presenter/closed_form.hpp"
#include "gui/presenter/comparison_view.hpp"
#include "gui/presenter/dashboard.hpp"
#include "gui/presenter/measured_view.hpp"
#include "gui/presenter/plan_run.hpp"
#include "gui/presenter/queue_depths.hpp"
#include "gui/presenter/slo_lines.hpp"
#include "gui/presenter/station_facts.hpp"
#include "gui/presenter/structure_edits.hpp"
#include "gui/presenter/sweep_run.hpp"
#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "scenarios/document/thresholds.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run.hpp"
#include "tests/gui/opened_document.hpp"

namespace headrace::gui {
namespace {

using testing::Folder;
using Json = nlohmann::ordered_json;

ScenarioDocument edited(const ScenarioDocument& document, const std::string& pointer, const std::string& value) {
  auto changed = document.with(pointer, value);
  if (!changed) FAIL(print_text(changed.error()));
  return std::move(*changed);
}

ParameterValue parameter(const ScenarioDocument& document, const std::string& pointer) {
  for (const ParameterValue& value : parameter_sheet(document))
    if (value.pointer == pointer) return value;
  FAIL("no parameter " + pointer);
  return {};
}

const std::string kWorkersPointer = "/jobs/0/loader/workers";

TEST_CASE("a swept point is the answer of the scenario with its values, at each level") {
  const ScenarioDocument document = opened("image-node");
  SweepWish wish;
  wish.axes = {{kWorkersPointer, {"4", "8"}}, {"/stores/0/bandwidth", {"20 GB/s", "40 GB/s", "80 GB/s"}}};
  double told = -1.0;
  const SweepAnswer answer = run_sweep_of(document, wish, {}, [&](double fraction, const std::string&) {
    CHECK(fraction >= told);
    told = fraction;
  });
  INFO(answer.error);
  REQUIRE(answer.points.size() == 6);
  CHECK(answer.axes == std::vector<std::string>{"loader workers", "store bandwidth"});
  CHECK(told == 1.0);
  for (const SweptPoint& point : answer.points) {
    REQUIRE(point.edits.size() == 2);
    const auto there = document.with(point.edits);
    REQUIRE(there);
    CHECK(point.value("step_time_s") == models::queueing_estimate(there->scenario(), 1).find("step_time_s")->mean);
    CHECK(std::isnan(point.value("no_such_metric")));
  }
  std::stop_source stopped;
  stopped.request_stop();
  const SweepAnswer nothing = run_sweep_of(document, wish, stopped.get_token(), [](double, const std::string&) {});
  CHECK(nothing.points.size() < answer.points.size());
}

TEST_CASE("a sweep that cannot be is refused in the words of the command line, and failed points are told") {
  const ScenarioDocument document = opened("image-node");
  SweepWish wish;
  const auto quiet = [](double, const std::string&) {};
  CHECK(run_sweep_of(document, wish, {}, quiet).error.find("E0504") != std::string::npos);
  wish.axes = {{"/jobs/0/loader/workrs", {"4", "8"}}};
  CHECK(run_sweep_of(document, wish, {}, quiet).error.find("E0203") != std::string::npos);
  wish.axes.clear();
  wish.space = "no-such-space";
  CHECK(!run_sweep_of(document, wish, {}, quiet).error.empty());
}

TEST_CASE("the space that the window writes is one that the command line sweeps") {
  const Folder folder;
  const ScenarioDocument document = edited(opened("image-node"), "/jobs/0/loader/prefetch", "3");
  const std::string path = folder.write(
      "space.json",
      space_text(document, {{kWorkersPointer, {"4", "8"}}, {"/cluster/pools/0/nic/bandwidth", {"50 Gb/s"}}}));
  const auto run = testing::run("sweep --level bound --json -o :memory: " + path);
  INFO(run.err);
  REQUIRE(run.status == 0);
  CHECK(Json::parse(run.out)["computed"] == 2);
}

TEST_CASE("values are split at commas outside of brackets and quotes") {
  CHECK(split_values("2, 4,8 ") == std::vector<std::string>{"2", "4", "8"});
  CHECK(split_values("1 ms, {\"lognormal\": {\"mean\": \"1 ms\", \"cv\": 1}}") ==
        std::vector<std::string>{"1 ms", "{\"lognormal\": {\"mean\": \"1 ms\", \"cv\": 1}}"});
  CHECK(split_values(" , ").empty());
}

TEST_CASE("a plan names a configuration that can be loaded, and its command gives the same one", "[long_1]") {
  const ScenarioDocument document = opened("image-node");
  PlanWish wish;
  wish.goal = models::PlanGoal::epoch_time;
  wish.decisions = {"/jobs/0/loader/workers=4,6,8"};
  int told = 0;
  const PlanAnswer answer = run_plan(document, wish, {}, [&](double, const std::string&) { ++told; });
  INFO(answer.error);
  REQUIRE(!answer.choices.empty());
  CHECK(told > 0);
  CHECK(answer.choices.front().what == PlanChoice::What::recommended);
  const auto taken = document.with(answer.choices.front().edits);
  REQUIRE(taken);
  const std::string workers = *taken->value_at(kWorkersPointer);
  CHECK(answer.headline.find("workers " + workers) != std::string::npos);
  const std::string command = plan_command(document, wish);
  const auto run = testing::run(command.substr(std::string("headrace ").size()) + " --json");
  INFO(command << "\n" << run.err);
  REQUIRE(run.status != 2);
  CHECK(Json::parse(run.out)["recommended"]["configuration"][kWorkersPointer].get<std::string>() == workers);
}

TEST_CASE("a plan says first that no configuration is fed often enough", "[long_1]") {
  PlanWish wish;
  wish.decisions = {"/jobs/0/loader/workers=2"};
  const PlanAnswer answer = run_plan(opened("image-node"), wish, {}, [](double, const std::string&) {});
  INFO(answer.error << answer.reasons);
  CHECK(answer.headline == "Not fed often enough; chosen: workers 2");
  CHECK(answer.reasons.starts_with("No configuration is fed (GPUs wait at most 1 % of the time) in 90 % of the draws"));
}

TEST_CASE("a plan that cannot be is refused in words") {
  PlanWish wish;
  wish.decisions = {"/jobs/0/loader/workrs=4"};
  const PlanAnswer answer = run_plan(opened("image-node"), wish, {}, [](double, const std::string&) {});
  CHECK(!answer.error.empty());
  CHECK(answer.choices.empty());
}

TEST_CASE("inputs that differ are those that were changed, and the change has an interval on the same draws") {
  const ScenarioDocument before = opened("image-node");
  const ScenarioDocument after = edited(edited(before, kWorkersPointer, "4"), "/stores/0/bandwidth", "30 GB/s");
  const auto inputs = changed_inputs(before, after);
  REQUIRE(inputs.size() == 2);
  CHECK(changed_inputs(before, before).empty());
  std::set<std::string> pointers;
  for (const InputDifference& input : inputs) {
    pointers.insert(input.pointer);
    CHECK(before.value_at(input.pointer) == input.before);
    CHECK(after.value_at(input.pointer) == input.after);
  }
  CHECK(pointers == std::set<std::string>{kWorkersPointer, "/stores/0/bandwidth"});
  CompareWish wish;
  wish.steps = 2048;
  const DeltaTable deltas = compare_runs(before.scenario(), after.scenario(), wish, {});
  CHECK(deltas.rows.size() >= 5);
  INFO(deltas.headline);
  CHECK(deltas.headline.find("step time changes by +") != std::string::npos);
}

TEST_CASE("a dragged threshold becomes a condition that the command line reads, with the relation it had") {
  const ScenarioDocument plain = opened("image-node");
  CHECK(!slo_on(plain, "gpu_idle_fraction"));
  for (const auto& [metric, limit] : {std::pair{"gpu_idle_fraction", 0.0523},
                                      {"samples_per_s", 65432.0},
                                      {"step_time_s", 0.1234},
                                      {"cost_per_epoch_usd", 1234.5},
                                      {"store_bytes_per_s", 2.345e9}}) {
    const Edit edit = slo_edit(plain, metric, limit);
    INFO(edit.assignment());
    const auto slo = slo_on(edited(plain, edit.pointer, edit.value), metric);
    REQUIRE(slo);
    CHECK(slo->limit == Approx(limit).epsilon(0.06));
  }
  const ScenarioDocument strict = edited(plain, "/slo/gpu_idle_fraction", "<= 3 %");
  CHECK(slo_edit(strict, "gpu_idle_fraction", 0.07).value == "<= 7 %");
  const auto rows =
      judged(edited(strict, kWorkersPointer, "2"), models::flow_bound(edited(strict, kWorkersPointer, "2").scenario()));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].ruling == models::Ruling::fail);
}

TEST_CASE("pools, stores and jobs are added and removed as edits that the command line takes") {
  const ScenarioDocument document = opened("image-node");
  for (const std::string pointer : {"/cluster/pools/0/nic/bandwidth", "/stores/0", "/datasets/0/files"}) {
    const auto place = list_of(document, pointer);
    REQUIRE(place);
    const auto more = one_more(document, *place);
    REQUIRE(more);
    const ScenarioDocument two = edited(document, more->pointer, more->value);
    CHECK(two.loaded().resolved.at(Json::json_pointer(place->list)).size() == 2);
    const auto less = one_less(two, {place->list, 1});
    REQUIRE(less);
    CHECK(edited(two, less->pointer, less->value).loaded().sha256 == document.loaded().sha256);
    const auto run =
        testing::run("simulate --dry-run --json image-node --set " + std::string("'") + more->assignment() + "'");
    REQUIRE(run.status == 0);
    CHECK(Json::parse(run.out)["scenario_sha256"] == two.loaded().sha256);
  }
  const auto pool = list_of(document, "/cluster/pools/0");
  REQUIRE(pool);
  const auto none = one_less(document, *pool);
  REQUIRE(none);
  CHECK(!document.with(none->pointer, none->value));  // the job needs it
  CHECK(!list_of(document, "/title"));
}

TEST_CASE("an edit of a whole list swallows the edits inside it, and saving keeps the meaning") {
  const Folder folder;
  const std::string path = folder.write("own.json", R"({"//": "mine", "extends": "image-node",
    "job": {"name": "train", "loader": {"workers": 6}}})");
  const ScenarioDocument document = edited(opened(path), kWorkersPointer, "9");
  const auto more = one_more(document, {"/stores", 0});
  REQUIRE(more);
  const ScenarioDocument two = edited(edited(document, "/stores/0/bandwidth", "33 GB/s"), more->pointer, more->value);
  CHECK(two.edits().size() == 2);
  const auto saved = ScenarioDocument::open(folder.write("saved.json", two.text()));
  if (!saved) FAIL(print_text(saved.error()));
  CHECK(saved->loaded().sha256 == two.loaded().sha256);
}

TEST_CASE("a figure that is marked as measured is no uncertain input any more") {
  const ScenarioDocument document = opened("image-node");
  const auto before = bound_with_ranges(document);
  REQUIRE((before && before->inputs && !before->inputs->inputs.empty()));
  const std::string pointer = before->inputs->inputs.front().parameter;
  const auto marked = marked_measured(document, pointer);
  if (!marked) FAIL(print_text(marked.error()));
  const auto after = bound_with_ranges(*marked);
  REQUIRE((after && after->inputs));
  CHECK(after->inputs->inputs.size() + 1 == before->inputs->inputs.size());
  const auto law = marked_measured(document, "/stores/0/latency/lognormal/mean");
  REQUIRE(law);
  CHECK(parameter(*law, "/stores/0/latency/lognormal/mean").evidence == "measured");
  const auto refused = marked_measured(document, "/title");
  CHECK(!refused);
}

TEST_CASE("a band holds the curve it is drawn around, and ranges stand in the table") {
  const ScenarioDocument document = edited(opened("image-node"), kWorkersPointer, "4");
  const ParameterValue workers = parameter(document, kWorkersPointer);
  const Band band = input_band(document, workers, "gpu_idle_fraction", 5);
  REQUIRE(band.x.size() >= 4);
  for (std::size_t i = 0; i < band.x.size(); ++i) CHECK(band.low[i] <= band.high[i]);
  CHECK(band.high[0] > band.low[0]);
  const auto ranges = bound_with_ranges(document);
  REQUIRE(ranges);
  const Dashboard board = dashboard(models::flow_bound(document.scenario()), nullptr, &*ranges);
  CHECK(board.metrics.front().inputs.find(" to ") != std::string::npos);
  CHECK(board.metrics.front().meaning.find('=') != std::string::npos);
  // A simulated value that queues push out of the range of the closed form: that is none of it.
  models::Outcome queued = models::flow_bound(document.scenario());
  const models::Metric* step = ranges->find("step_time_s");
  REQUIRE(step->input_range);
  for (models::Metric& metric : queued.metrics)
    if (metric.name == "step_time_s") metric.mean = 1.1 * step->input_range->high;
  for (const MetricRow& row : dashboard(queued, nullptr, &*ranges).metrics) {
    if (row.metric != "step_time_s") continue;
    CHECK(row.inputs == "needs simulation");
    CHECK(row.meaning.find("without queueing") != std::string::npos);
  }
}

TEST_CASE("a station whose gain differs from its wait says why") {
  const ScenarioDocument document = opened("image-node");
  models::Outcome outcome = models::flow_bound(document.scenario());
  for (models::Metric& metric : outcome.metrics) metric.kind = models::AnswerKind::simulated;
  const models::StationReport& station = outcome.stations.front();
  const auto note = [&](double wait, double gain) {
    outcome.blame = {{station.stage, wait, std::nullopt, 0.0}};
    outcome.relief = {{station.stage, gain, std::nullopt, 0.0}};
    StationRef ref;
    ref.name = station.name;
    return station_facts(document, parameter_sheet(document), outcome, ref).note;
  };
  CHECK(note(0.024, 0.434).find("larger than the wait") != std::string::npos);
  CHECK(note(0.434, 0.024).find("smaller than the wait") != std::string::npos);
  CHECK(note(0.30, 0.31).empty());
}

TEST_CASE("a station that does not limit its stage names what does, and shows no gain of the stage") {
  const ScenarioDocument document = opened("roce-vs-tcp");
  models::Outcome outcome = models::flow_bound(document.scenario());
  for (models::Metric& metric : outcome.metrics) metric.kind = models::AnswerKind::simulated;
  outcome.blame = {{models::Stage::decode, 0.034, std::nullopt, 0.0}};
  outcome.relief = {{models::Stage::transfer, 0.034, std::nullopt, 0.0}};
  const auto facts = [&](const char* station) {
    StationRef ref;
    ref.name = station;
    return station_facts(document, parameter_sheet(document), outcome, ref);
  };
  const auto gain = [](const StationFacts& shown) {
    return std::count_if(shown.figures.begin(), shown.figures.end(),
                         [](const auto& figure) { return figure.first == "GPU time gained if transfer took no time"; });
  };
  const StationFacts store = facts("store bandwidth");
  CHECK(gain(store) == 0);
  CHECK(store.note.starts_with("The stage transfer is limited by "));
  for (const char* full : {"leaf uplink", "spine"}) {  // both all in use
    CHECK(gain(facts(full)) == 1);
    CHECK(facts(full).note.find("limited by") == std::string::npos);
  }
}

TEST_CASE("a map by the estimate rises with workers and with depth") {
  const ScenarioDocument document = opened("image-node");
  const Surface surface = estimate_surface(document, parameter(document, kWorkersPointer),
                                           parameter(document, "/jobs/0/loader/prefetch"), "samples_per_s", 4, 3);
  REQUIRE(surface.values.size() == surface.y.size());
  REQUIRE(surface.values.front().size() == surface.x.size());
  CHECK(surface.values.back().back() >= surface.values.front().front());
  std::stop_source stopped;
  stopped.request_stop();
  CHECK(estimate_surface(document, parameter(document, kWorkersPointer), parameter(document, "/jobs/0/loader/prefetch"),
                         "samples_per_s", 4, 3, stopped.get_token())
            .values.empty());
}

TEST_CASE("cache hits grow with the cache, and a pool without one has nothing to draw") {
  CHECK(cache_size(opened("image-node"), parameter_sheet(opened("image-node"))) == nullptr);
  const ScenarioDocument document = opened("tiered-cache");
  const auto sheet = parameter_sheet(document);
  const ParameterValue* size = cache_size(document, sheet);
  REQUIRE(size != nullptr);
  const Curve hits = bound_curve(document, *size, "cache_hit_ratio", 7);
  REQUIRE(hits.x.size() >= 5);
  for (std::size_t i = 1; i < hits.y.size(); ++i) CHECK(hits.y[i] >= hits.y[i - 1]);
}

TEST_CASE("depths of queues over time add up to what Little's law says of the batches") {
  models::Timeline timeline;
  models::JobTimeline job;
  job.watched = 1;
  constexpr sim::TimeNs kSecond = 1'000'000'000;
  job.steps.records.resize(2);
  job.steps.records[1].start_ns = 10 * kSecond;
  models::TimelineBatch batch;
  batch.ready_ns = 4 * kSecond;
  batch.taken_ns = 9 * kSecond;
  batch.visits = {{models::Stage::decode, kSecond, 4 * kSecond, kSecond}};
  job.batches = {batch};
  timeline.jobs = {job};
  const QueueDepths depths = queue_depths(timeline, 10, 3);
  REQUIRE(depths.series.size() == 2);
  CHECK(depths.series[0].depth == std::vector<double>{0, 0, 0, 0, 1, 1, 1, 1, 1, 0});
  CHECK(depths.series[1].depth == std::vector<double>{0, 1, 1, 1, 0, 0, 0, 0, 0, 0});
  CHECK(depths.series[1].name == "decode");
  CHECK(queue_depths({}, 10, 3).series.empty());
  const models::Scenario scenario = opened("image-node").scenario();
  const QueueDepths recorded = queue_depths(models::record_timeline(scenario, short_recording(scenario)), 20, 4);
  REQUIRE(recorded.series.size() >= 2);
  CHECK(recorded.series[0].name == "ready");
  CHECK(recorded.series[0].depth.back() > 0.5 * recorded.series[0].depth[10]);  // it does not end with the recording
}

TEST_CASE("a site file laid over the scenario gives its figures, and the command line gives the same") {
  const Folder folder;
  const std::string site = folder.write("site.json", R"({"stores": [{"name": "storage", "bandwidth": "12 GB/s"}]})");
  const auto layered = opened("image-node").under(site);
  if (!layered) FAIL(print_text(layered.error()));
  CHECK(layered->value_at("/stores/0/bandwidth") == "12 GB/s");
  const ScenarioDocument changed = edited(*layered, kWorkersPointer, "5");
  const auto run = testing::run("simulate --dry-run --json image-node " + site + " --set " + kWorkersPointer + "=5");
  REQUIRE(run.status == 0);
  CHECK(Json::parse(run.out)["scenario_sha256"] == changed.loaded().sha256);
  CHECK(changed.arguments()[1] == site);
  const auto over = ScenarioDocument::open(folder.write("mine.json", changed.text()));
  REQUIRE(over);
  CHECK(over->under(site)->loaded().sha256 == changed.loaded().sha256);
  CHECK(!opened("image-node").under(folder.path("nowhere.json")));
  CHECK(verified_lines(*layered).empty());
}

TEST_CASE("what headrace verify wrote is read as pairs, and anything else is refused in words") {
  const auto view = measured_view(R"({"points": [
    {"workers": 2, "outstanding": 4, "load": 0.8,
     "predicted": {"gpu_idle_fraction": {"mean": 0.20, "ci95": [0.19, 0.21]}, "step_time_s": {"mean": 0.012}},
     "measured": {"gpu_idle_fraction": {"mean": 0.22, "ci95": [0.21, 0.23]}, "step_time_s": {"mean": 0.0125}},
     "idle_error_points": -2.0, "step_error_percent": -4.0, "verdict": "agrees"}],
    "bar": {"idle_points": 3.0, "step_percent": 5.0}})");
  REQUIRE(view);
  REQUIRE(view->pairs.size() == 1);
  CHECK(view->pairs[0].predicted_idle == 0.20);
  CHECK(view->pairs[0].measured_idle == 0.22);
  CHECK(view->pairs[0].cells.size() == view->header.size());
  CHECK(view->headline.find("2.00 points") != std::string::npos);
  CHECK(!measured_view("{"));
  CHECK(!measured_view("{}"));
  CHECK(!measured_view(R"({"points": [{}]})"));
}

TEST_CASE("a bundle holds a scenario that needs nothing else, its answer and a report") {
  const Folder folder;
  const ScenarioDocument document = edited(opened("image-node"), kWorkersPointer, "5");
  const models::Outcome outcome = models::flow_bound(document.scenario());
  REQUIRE(!write_bundle(folder.path("bundle"), bundle_of(document, outcome)));
  const auto run = testing::run("bound --json " + folder.path("bundle/scenario.headrace.json"));
  INFO(run.err);
  REQUIRE(run.status == 0);
  const Json theirs = Json::parse(run.out);
  const Json ours = Json::parse(testing::file_text(folder.path("bundle/outcome.json")));
  CHECK(ours["scenario_sha256"] == document.loaded().sha256);
  CHECK(theirs["scenario_sha256"] == ours["scenario_sha256"]);
  CHECK(theirs["metrics"]["step_time_s"] == ours["metrics"]["step_time_s"]);
  CHECK(testing::file_text(folder.path("bundle/report.html")).find("<html") != std::string::npos);
  CHECK(testing::file_text(folder.path("bundle/README.txt")).find("headrace bound") != std::string::npos);
  CHECK(write_bundle("/proc/nowhere", bundle_of(document, outcome)));
}

TEST_CASE("what was saved by itself is read back, and what is broken is left alone") {
  const Folder folder;
  const ScenarioDocument document = edited(opened("image-node"), kWorkersPointer, "5");
  const std::string file = folder.path("kept/autosave.json");
  CHECK(!read_autosave(file));
  write_autosave(file, document);
  const auto saved = read_autosave(file);
  REQUIRE(saved);
  CHECK(saved->path == "image-node");
  const auto again = ScenarioDocument::from_text(saved->text, saved->path + ".restored.json");
  REQUIRE(again);
  CHECK(again->loaded().sha256 == document.loaded().sha256);
  CHECK(!again->has_file());
  CHECK(!read_autosave(folder.write("broken.json", "{\"path\": 3")));
}

}  // namespace
}  // namespace headrace::gui
