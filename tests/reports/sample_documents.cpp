#include "tests/reports/sample_documents.hpp"

#include "models/base/model_version.hpp"
#include "reports/gate_json.hpp"
#include "reports/outcome_json.hpp"
#include "reports/plan_json.hpp"
#include "reports/results_export.hpp"
#include "reports/verification_json.hpp"

namespace headrace::reports::testing {
namespace {

scenarios::PlannedPoint sample_point(const char* workers, double cost_usd) {
  scenarios::PlannedPoint point;
  point.values = {{"workers", "/jobs/0/loader/workers", workers, "7", false}};
  point.simulated = true;
  point.step_time_s = {0.102, models::Interval{0.1019, 0.1021}};
  point.epoch_time_s = {498.0, models::Interval{497.0, 499.0}};
  point.cost_usd = {cost_usd, models::Interval{cost_usd - 0.5, cost_usd + 0.5}};
  point.idle_fraction = {0.013, models::Interval{0.012, 0.014}};
  point.hourly_usd = 90.0;
  point.bound_step_s = 0.101;
  return point;
}

Json sample_difference(const char* metric, const char* unit, double a, double b, double width) {
  const double mean = b - a;
  return {{"metric", metric},
          {"unit", unit},
          {"a", a},
          {"b", b},
          {"difference", {{"mean", mean}, {"ci", {mean - width, mean + width}}}},
          {"relative", {{"mean", mean / a}, {"ci", {(mean - width) / a, (mean + width) / a}}}},
          {"pairing", "steps"},
          {"pairs", 512}};
}

}  // namespace

Json sample_outcome_document() {
  return outcome_json(sample_outcome(),
                      {Json{{"title", "A sample"}, {"jobs", Json::array({Json::object()})}}, "2026-11-20"});
}

models::verification::Verification sample_verification() {
  using namespace models::verification;
  Verification v;
  for (const double load : {0.5, 0.9, 1.4}) {
    VerifiedPoint point;
    point.point.load = load;
    point.predicted.step_time_s = {0.01 * load, 0.0099 * load, 0.0101 * load};
    point.predicted.idle_fraction = {0.2 * load, 0.19 * load, 0.21 * load};
    point.predicted.wait_parts[0] = 0.15 * load;
    point.measured = point.predicted;
    point.measured.step_time_s.mean *= 1.02;
    point.rounds = point.clean_rounds = 3;
    judge(point);
    v.points.push_back(point);
  }
  summarize(v);
  v.cores = 2;
  v.reader = "pread";
  v.decoding = "crc32c";
  v.figures = "measured before each run";
  v.downgrades.push_back({"io", "threads", "io_uring is not allowed here"});
  return v;
}

Json sample_verification_document() { return verification_json({sample_verification()}); }

scenarios::Plan sample_plan() {
  using namespace scenarios;
  Plan plan;
  plan.against = models::PlanGoal::epoch_time;
  plan.recommended = sample_point("6", 12.25);
  plan.sets = {"--set /jobs/0/loader/workers=6", "--set '/stores/0/bandwidth=9 GB/s'"};
  plan.binding = "decode";
  plan.evidence = sample_outcome().evidence;
  plan.confidence = {models::ConfidenceGrade::extrapolated,
                     "Outside the range of the references: nodes is 4; the references reach 2.", true};
  plan.alternatives = {sample_point("8", 12.75), sample_point("5", 13.5)};
  plan.runner_up = plan.alternatives.front();
  plan.front = {sample_point("6", 12.25), sample_point("8", 12.75)};
  plan.today = sample_point("7", 12.5);
  plan.axes = {{"loaders' workers", {"5", "6", "7", "8"}, "/jobs/0/loader/workers"}};
  plan.warnings.emplace_back("a thing seen", "its cause", "its fix");
  plan.events = {{"storage_node_down", "gpu_idle_fraction", "1", 0.021, 0.05}};
  plan.forbidden = {{"workers=4", "GPUs idle 7 %, allowed 5 %", 11.0}};
  plan.changes = {{"workers", "7", "6", 1, 0.0, 0.0, -0.25, 0.01, false, 12.25, 498.0},
                  {"nic", "25 Gb/s", "50 Gb/s", 1, 1.5, 48.0, 0.5, 0.2, true, 11.25, 450.0}};
  plan.changes_rest_usd = 1.0;
  plan.no_effect = {"depth 2 to 3"};
  const PlanFigure fed{0.91, models::Interval{0.89, 0.93}};
  const PlanFigure less{-0.5, models::Interval{-0.6, -0.4}};
  RangeChoice& ranges = plan.ranges.emplace();
  ranges.inputs = 22;
  ranges.draws = 2048;
  ranges.simulated = 96;
  ranges.compared = 12;
  ranges.complete = ranges.reached = true;
  ranges.nominal = RangedPoint{sample_point("5", 12.0), {14.0, {}}, {14.0, {}}, {0.05, {}}, {0.5, fed.ci95}};
  ranges.recommended = RangedPoint{sample_point("6", 12.25), {13.5, {}}, {13.5, {}}, {0.01, {}}, fed};
  ranges.fed_drivers = {{"/jobs/0/loader/cpu_per_sample", 0.4}, {"/jobs/0/step/step_time", 0.2}};
  ranges.adds = less;
  plan.steps.resize(2);
  plan.steps[0] = {"workers", "6", "5", false, {}, less, true, 0.04, less, fed, less};
  plan.steps[1] = {"workers", "6", "7", true, "host memory: 2 TB of 1 TB", {}, false, 0.0, {}, {}, {}};
  plan.input_errors = {{"/jobs/0/step/step_time", "0.1 s", 0.05, {0.6, models::Interval{0.5, 0.7}}, true, 0.01}};
  plan.options = {{"gpu", "H100", "gpu H100, workers 6", 12.25, 12.1, true, "recommended"},
                  {"gpu", "A100", "gpu A100, workers 6", {}, 14.0, false, "not run: its bound excludes it"}};
  plan.indifferent = {"depth"};
  plan.as_good_with_less = {"depth 2"};
  plan.least_fed = {"depth 1"};
  plan.elasticities = {{"cores", -0.031, -0.02, 0.004, 0.003, true}, {"store bandwidth", 0.0, 0.0, 0.001, 0.001, true}};
  plan.next_cheaper = SwitchCondition{sample_point("4", 11.0), 0.11, 2.5};
  plan.closed_forms = ClosedForms{{}, 0.25, 1e12, 2e12, 6.0, 0.53, 0.54, 6.0};
  plan.rooms = {{"host memory", "B", 2.5e10, 1e12}};
  plan.obstacles = {{"epoch_time_s < 600 s", 3, 0.04, "workers=4"}};
  plan.search.visits.resize(1);
  plan.search.best = 0;
  plan.search.proof = Proof::flow;
  plan.search.confidence = 0.995;
  plan.search.bounded = 64;
  plan.trace = {{"workers=5", "raced", 12.0, 13.5, true, "worse than workers=6"},
                {"workers=6", "run in full", 12.1, 12.25, true, "recommended"},
                {"workers=8", "bounded", 12.7, {}, false, "bound above the best"}};
  return plan;
}

Json sample_plan_document() {
  return plan_json(sample_plan(), "00ff", Json{{"jobs", Json::array({Json{{"loader", Json{{"workers", 7}}}}})}});
}

Json sample_compare_document() {
  Json document = Json::parse(R"({
    "format_version": "1.0", "model_version": "2026.5", "decision": "fail", "ok": false, "a": null, "b": null,
    "inputs": [{"pointer": "/jobs/0/loader/workers", "a": "7", "b": null, "origin": "cluster.json:4:5",
                "catalogue": false}],
    "limits": [{"metric": "step_time_s", "fail_if": "> +3 %", "limit": 0.03, "relative": true, "decision": "fail",
                "ok": false}],
    "differences": [], "parts": {},
    "gained_epochs": {"a_epochs_per_hour": 7.25, "b_epochs_per_hour": 5.75, "a_usd_per_hour": 50.5,
                      "b_usd_per_hour": 40.25, "usd_per_epoch_gained": -6.75, "ci": [-7.5, -6.25]},
    "confidence": 0.99, "seed": 1, "steps": 2048, "stopped_by": "decided",
    "headline": "from A to B the step time changes by +25 %", "notes": ["2048 steps of each."]})");
  document["a"] = document["b"] = Json::parse(R"({
    "name": "cluster.json", "kind": "scenario", "scenario_sha256": "00ff", "model_version": "2026.5",
    "catalogue_version": "2026-11-20", "verdict": "ingest_bound", "binding": "decode",
    "confidence": {"grade": "extrapolated", "reason": "Outside the range of the references: nodes is 40; the references reach 16.",
                   "may_change_verdict": true},
    "evidence": {"extrapolates": [{"dimension": "nodes", "factor": 2.5}], "not_validated": ["step/packing"]}})");
  document["differences"] = {sample_difference("step_time_s", "s", 0.1, 0.125, 0.002),
                             sample_difference("samples_per_s", "1/s", 1000.0, 1100.0, 20.0),
                             sample_difference("gpu_idle_fraction", "1", 0.02, 0.021, 0.004),
                             sample_difference("mlperf_au_percent", "%", 95.5, 94.25, 0.25),
                             sample_difference("cost_per_epoch_usd", "USD", 8.0, 8.0, 0.0)};
  return comparison_json(read_comparison(document));
}

Json sample_check_document() {
  Json document = Json::parse(R"({
    "format_version": "1.0", "decision": "undecided", "ok": false,
    "thresholds": [{"metric": "gpu_idle_fraction", "condition": "< 5 %", "limit": 0.05, "unit": "1", "value": 0.0475,
                    "interval": [0.0425, 0.0525], "decision": "undecided", "ok": false, "reason": "more time",
                    "pointer": "/slo/gpu_idle_fraction"},
                   {"metric": "batch_load_time_s.p99", "condition": "< 2 s", "limit": 2.0, "unit": "s", "value": null,
                    "interval": null, "decision": "fail", "ok": false, "reason": "", "pointer": ""}],
    "inputs": {"required": 0.9, "draws": 64, "passed": 60, "failed": 3, "share": [0.85, 0.98],
               "decision": "undecided", "stopped_by": "budget", "failing": [{"/stores/0/bandwidth": 2.5e10}],
               "deciding": [{"parameter": "/stores/0/bandwidth", "share": 0.5}]},
    "baseline": {"file": "b.json", "model_version": "2026.5", "regressions": [], "model_change": []},
    "outcome": null, "headline": "0 of 2 thresholds hold", "notes": ["Most waits are caused by transfer."]})");
  document["outcome"] = sample_outcome_document();
  return check_json(read_check(document));
}

RecordedBacktest sample_backtest() {
  models::MeasuredRun run;
  run.line = 2;
  run.submitter = "A <company>";
  run.system = "box & rack";
  run.figures.workload = "unet3d";
  run.figures.accelerator = "h100";
  run.hosts = 1;
  run.accelerators = 4;
  std::vector<models::MeasuredRun> runs(5, run);
  models::Backtest backtest;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    models::BacktestRow row;
    row.run = i;
    row.status = i == 0   ? models::RowStatus::calibrated
                 : i == 4 ? models::RowStatus::not_predicted
                          : models::RowStatus::predicted;
    if (i == 4) row.reason = "no bandwidth";
    const double x = static_cast<double>(i);
    row.measured.au_percent = 90.25 + x;
    row.measured.samples_per_s = 1000.5 * (x + 1.0);
    row.prediction.predicted.au_percent = 91.75 + x;
    row.prediction.predicted.samples_per_s = 1010.25 * (x + 1.0);
    row.prediction.guess.au_percent = 95.125;
    backtest.rows.push_back(row);
  }
  backtest.au = {3, 1.5, 1.5, 1.5, 1.5, 1.5, 3.25, 3.5, 0.53};
  backtest.samples_per_s = {3, 0.97, 0.98, 0.99, 1.01, 0.97, 4.0, 4.125, 0.76};
  backtest.calibrated = 1;
  backtest.predicted = 3;
  backtest.not_predicted = 1;
  backtest.bars = {{"V2", "AU at other counts", "points", "mean", 2.0, 3, 1.5, 3.25, true}};
  return {backtest, runs, std::string(models::kModelVersion)};
}

Json sample_backtest_document() { return backtest_json(sample_backtest()); }

models::Timeline sample_course() {
  using models::TimelineBasis;
  models::Timeline timeline;
  const std::string expected = "train: checkpoints and failures, one period as expected";
  constexpr sim::TimeNs kSecond = 1'000'000'000;
  timeline.spans = {{expected, "the job", "training", TimelineBasis::expected, 0, 900 * kSecond, {{"share", 0.9}}},
                    {expected,
                     "the job",
                     "stopped for a checkpoint",
                     TimelineBasis::expected,
                     900 * kSecond,
                     1000 * kSecond,
                     {{"share", 0.1}}},
                    {expected,
                     "transfer of the checkpoint",
                     "save",
                     TimelineBasis::expected,
                     900 * kSecond,
                     1000 * kSecond,
                     {{"checkpoint_save_s", 100.0}}},
                    {"faults, drawn",
                     "1. store 'a' is slower",
                     "store 'a' is slower, as expected",
                     TimelineBasis::expected,
                     0,
                     0,
                     {{"every_s", 3600.0}, {"lasting_s", 60.0}}},
                    {"faults, drawn",
                     "1. store 'a' is slower",
                     "store 'a' is slower",
                     TimelineBasis::drawn,
                     1200 * kSecond,
                     1260 * kSecond,
                     {{"every_s", 3600.0}, {"lasting_s", 60.0}}},
                    {"store 'a'", "drive 7", "slow", TimelineBasis::simulated, kSecond, 2 * kSecond}};
  timeline.levels = {{"stores, one period as planned", "capacity of store 'a'", "of its stated figures",
                      TimelineBasis::planned, 0, 1.0},
                     {"stores, one period as planned", "capacity of store 'a'", "of its stated figures",
                      TimelineBasis::planned, 600 * kSecond, 2.5}};
  return timeline;
}

models::calibration::Calibration sample_calibration() {
  using namespace models::calibration;
  Calibration c;
  c.tool_version = "headrace 0.1.0";
  c.date = "2026-11-20";
  c.path = "/data/<scratch>";
  c.engine = "threads";
  c.budget = {"quick", 60.0, 58.5};
  c.host = {{"cpu", "some & other"}};
  c.downgrades = {{"engine", "threads", "io_uring is not allowed here"}};
  c.parameters = {{"storage.bandwidth",
                   "B/s",
                   2.5e9,
                   2.25e9,
                   2.75e9,
                   models::calibration::FigureClass::measured,
                   Verdict::clean,
                   "/stores/storage/bandwidth",
                   "sequential_read",
                   {},
                   {}},
                  {"storage.latency",
                   "s",
                   0.000125,
                   0.0001,
                   0.00025,
                   models::calibration::FigureClass::measured,
                   Verdict::noisy,
                   "",
                   "random_read",
                   {},
                   {}},
                  {"storage.write",
                   "B/s",
                   0.0,
                   0.0,
                   0.0,
                   models::calibration::FigureClass::measured,
                   Verdict::undetermined,
                   "",
                   "",
                   {},
                   {}}};
  for (const std::uint64_t depth : {1, 4, 16}) {
    Cell cell;
    cell.probe = "random_read";
    cell.block_bytes = 4096;
    cell.depth = depth;
    const double rate = 8000.0 * static_cast<double>(depth);
    cell.estimate = {rate, rate * 0.95, rate * 1.05, 8, 7, Verdict::clean};
    c.cells.push_back(cell);
  }
  Fit fit;
  fit.parameter = "random_read 4 KiB";
  fit.family = "saturation";
  fit.numbers = {{"capacity", 128000.5, 120000.0, 130000.0}};
  fit.rms_log_error = 0.02;
  fit.chosen = true;
  fit.decision = "lowest AICc";
  c.fits = {fit};
  return c;
}

GateReport sample_gate_report() {
  GateReport report;
  report.verb = "check";
  report.title = "a \"title\" with <marks> & more";
  report.headline = "1 of 3 thresholds hold, 1 fail, 1 undecided";
  report.decision = models::Ruling::fail;
  report.cases = {
      {"slo", "step_time_s < 1 s", models::Ruling::pass, "0.5 s", "0.4 s to 0.6 s", ""},
      {"slo", "gpu_idle_fraction < 5 %", models::Ruling::fail, "32 %", "31 % to 33 %", "was 4 %", "a,b:c.json", 7, 5},
      {"slo", "x|y < 1", models::Ruling::undecided, "", "", "line one\nline two: 100%"}};
  report.tables = {{"Inputs that differ", {"value at", "A", "B"}, {{"/stores/0/bandwidth", "1 GB/s", "2 GB/s"}}}};
  report.notes = {"a note with `ticks`"};
  report.properties = {{"seed", "1"}, {"model_version", "2026.5"}};
  return report;
}

void fill_store(scenarios::ResultsStore& store, std::uint64_t workers) {
  scenarios::SweepRecord sweep;
  sweep.id = "abc";
  sweep.name = "grid";
  sweep.title = "A \"grid\", with a comma";
  sweep.level = "simulate";
  sweep.model_version = "1";
  sweep.options = sweep.scenario = "{}";
  sweep.definition = R"({"axes": [{"name": "workers"}, {"name": "store"}]})";
  sweep.points = 2 * workers;
  store.put_sweep(sweep);
  std::uint64_t point = 0;
  for (std::uint64_t n = 1; n <= workers; ++n)
    for (const char* bandwidth : {"10 GB/s", "20 GB/s"}) {
      const double step_s = 1.0 / static_cast<double>(n) + (std::string(bandwidth) == "10 GB/s" ? 0.5 : 0.25);
      scenarios::ResultRecord result;
      result.key = "k" + std::to_string(point);
      result.level = "simulate";
      result.model_version = "1";
      result.options = "{}";
      models::Outcome outcome;
      outcome.verdict = models::Verdict::fed;
      outcome.metrics = {
          {"step_time_s", step_s, models::Interval{step_s * 0.99, step_s * 1.01}, {}, models::AnswerKind::simulated}};
      result.outcome = stored_outcome(outcome, "2026-11-20");
      store.put("abc", point++, Json{{"workers", n}, {"store", bandwidth}}.dump(), result);
    }
}

}  // namespace headrace::reports::testing
