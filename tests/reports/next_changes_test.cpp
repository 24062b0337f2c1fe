// What to do next, or why there is nothing to do: the words that text, page and window share.
#include "reports/next_changes.hpp"

#include "tests/catch.hpp"

namespace headrace::reports {
namespace {

using models::AnswerKind;
using models::Outcome;
using models::Verdict;

Outcome answered(Verdict verdict, AnswerKind kind = AnswerKind::simulated) {
  Outcome outcome;
  outcome.verdict = verdict;
  outcome.metrics = {{"step_time_s", 0.1, {}, {}, kind}, {"gpu_idle_fraction", 0.0, {}, {}, kind}};
  return outcome;
}

models::RemedyReport change(std::optional<double> cost_usd, const char* what = "double the workers") {
  models::RemedyReport report;
  report.change = what;
  report.gain = 0.125;
  report.cost_usd = cost_usd;
  return report;
}

}  // namespace

TEST_CASE("a job that does not wait has nothing worth doing, unless only a bound says so or the inputs leave it open") {
  CHECK(why_no_change(answered(Verdict::fed)) == "Nothing worth doing: the GPUs do not wait for data.");
  CHECK(why_no_change(answered(Verdict::fed), "In a tenth of the draws ...") ==
        "Nothing worth doing at the scenario's values: the GPUs do not wait for data.");
  CHECK(why_no_change(answered(Verdict::fed, AnswerKind::bound)).find("headrace simulate") != std::string::npos);
  Outcome open = answered(Verdict::fed);
  open.inputs.emplace();
  open.inputs->verdicts[static_cast<std::size_t>(Verdict::fed)] = 0.6;
  CHECK(why_no_change(open).starts_with("Nothing worth doing at the scenario's values"));
  CHECK(why_no_change(answered(Verdict::ingest_bound)).empty());
}

TEST_CASE("nothing is worth doing at the scenario's values where the GPUs may wait over the input ranges") {
  Outcome outcome = answered(Verdict::fed);
  outcome.metrics.back().input_range = models::Interval{0.0, 0.237};
  CHECK(why_no_change(outcome) ==
        "Nothing worth doing at the scenario's values: the GPUs do not wait for data. In a tenth of the draws of its "
        "inputs they wait 23.7 % or more: measure the inputs first.");
  outcome.metrics.back().input_range = models::Interval{0.0, 0.004};
  CHECK(why_no_change(outcome) == "Nothing worth doing: the GPUs do not wait for data.");
}

TEST_CASE("where faster data gain nothing, what takes a tenth of the time is told with what to do about it") {
  Outcome outcome = answered(Verdict::fed);
  outcome.gpu_states = {{models::GpuState::compute, 0.6}, {models::GpuState::h2d, 0.33}};
  CHECK(why_no_change(outcome) ==
        "Nothing to gain by faster data: the GPUs do not wait for data. 33.0 % goes to copies to the GPUs: overlap "
        "them with compute (jobs/step/h2d_overlapped), or share their links less.");
  outcome.gpu_states = {{models::GpuState::compute, 0.8}, {models::GpuState::collective, 0.2}};
  CHECK(why_no_change(outcome).find("the exchange of gradients: widen the links") != std::string::npos);
  outcome.metrics.push_back({"straggler_wait_s", 0.1, {}, {}, AnswerKind::simulated});
  CHECK(why_no_change(outcome).find("waits for the slowest GPU and the exchange of gradients: find out why") !=
        std::string::npos);
  outcome.metrics.push_back({"largest_batch_wait_s", 0.035, {}, {}, AnswerKind::simulated});  // of steps of 0.1 s
  CHECK(why_no_change(outcome).ends_with(
      "35.0 % goes to waits for the replica with the largest batch: balance batches by size."));
  outcome.metrics.back().mean = 0.005;
  outcome.gpu_states = {{models::GpuState::compute, 0.92}, {models::GpuState::h2d, 0.08}};
  CHECK(why_no_change(outcome) == "Nothing worth doing: the GPUs do not wait for data.");
}

TEST_CASE("where checkpoints take the time, the interval that loses least is named, or that there is none better") {
  Outcome outcome = answered(Verdict::checkpoint_bound);
  outcome.metrics.push_back({"checkpoint_interval_s", 3600.0, {}, {}, AnswerKind::simulated});
  outcome.metrics.push_back({"checkpoint_best_interval_s", 1200.0, {}, {}, AnswerKind::simulated});
  CHECK(why_no_change(outcome).ends_with(
      "Least is lost with a checkpoint every 20.0 min (closed form); now it is every 60.0 min."));
  outcome.metrics.back().mean = 3500.0;
  CHECK(why_no_change(outcome).find("is the best by the closed form") != std::string::npos);
}

TEST_CASE("a change says what it gains and costs, and that its own price is not counted") {
  Outcome waiting = answered(Verdict::ingest_bound);
  waiting.metrics.back().mean = 0.3;
  CHECK(
      change_text(change(-12.4), waiting) ==
      "double the workers: the GPUs then wait 20.0 % of the time and take 12 % less for the same work, $12.40 less per "
      "epoch");
  Outcome interrupted = answered(Verdict::checkpoint_bound);
  interrupted.gpu_states = {{models::GpuState::checkpoint, 0.1}, {models::GpuState::failure, 0.2}};
  CHECK(change_text(change(-12.4, "save in the background"), interrupted) ==
        "save in the background: checkpoints and failures then take 20.0 % of the time and the GPUs take 12 % less for "
        "the same work, $12.40 less per epoch");
  CHECK(change_cost_text(change(3.0), waiting) == "$3.00 more per epoch");
  CHECK(change_cost_text(change(0.001), waiting) == "same cost per epoch");
  CHECK(change_cost_text(change(std::nullopt), waiting) == "no prices stated");
  CHECK(change_cost_text(change(-12.4, "double the bandwidth (no price stated)"), waiting) ==
        "$12.40 less per epoch before its price");
  waiting.ledger = {{"gpu hours", 3.0, "h", 0.0}, {"storage share", 1.0, "GB month", 0.1}};
  CHECK(change_cost_text(change(-12.4), waiting) == "GPUs without price");  // what is saved is their time
}

}  // namespace headrace::reports
