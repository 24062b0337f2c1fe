#include "reports/verdict_text.hpp"

#include <algorithm>

#include "reports/campaign_cells.hpp"
#include "reports/figure_table.hpp"
#include "reports/outcome_summary.hpp"
#include "tests/catch.hpp"
#include "tests/reports/sample_outcome.hpp"

using namespace headrace;
using models::Verdict;

TEST_CASE("figures of a bound say in which direction it holds") {
  CHECK(reports::kind_text("bound", "step_time_s") == "bound: at least");
  CHECK(reports::kind_text("bound", "gpu_idle_fraction") == "bound: at least");
  CHECK(reports::kind_text("bound", "samples_per_s") == "bound: at most");
  CHECK(reports::kind_text("bound", "gpu_utilization") == "bound: at most");
  CHECK(reports::kind_text("bound", "store_capacity_factor") == "bound");
  CHECK(reports::kind_text("estimate", "step_time_s") == "estimate");
}

TEST_CASE("a bottleneck that is not what the GPUs wait longest for names that, too") {
  models::Outcome outcome = reports::testing::sample_outcome();
  REQUIRE(outcome.binding);
  CHECK(reports::verdict_meaning(outcome, nullptr).find("for which they wait longest") == std::string::npos);
  outcome.blame = {{models::Stage::decode, 0.3, {}, 0.0}, {*outcome.binding, 0.1, {}, 0.0}};
  CHECK_THAT(
      reports::verdict_meaning(outcome, nullptr),
      Catch::Matchers::ContainsSubstring(". They wait longest for decode, but without that stage it takes only "));
}

TEST_CASE("what the ranges of inputs leave open is said of the scenario's values, and is no green light") {
  models::Outcome outcome;
  outcome.verdict = Verdict::fed;
  outcome.metrics = {{"gpu_idle_fraction", 0.001, {}, {}, models::AnswerKind::simulated}};
  CHECK(reports::verdict_line(outcome) == "Compute-bound: faster storage will not help");
  CHECK(reports::mood_of(outcome) == reports::Mood::good);
  CHECK(reports::mood_of(outcome, "open") == reports::Mood::unsure);
  outcome.metrics[0].input_range = models::Interval{0.0, 0.2};
  CHECK(reports::verdict_line(outcome) == "Compute-bound at the scenario's values: faster storage will not help");
  CHECK(reports::mood_of(outcome) == reports::Mood::unsure);
  outcome.metrics[0].input_range = models::Interval{0.0, 0.002};
  CHECK(reports::mood_of(outcome) == reports::Mood::good);
}

TEST_CASE("time between epochs is told beside the shares of steps") {
  models::Outcome outcome;
  outcome.verdict = Verdict::fed;
  const auto kind = models::AnswerKind::simulated;
  outcome.metrics = {{"gpu_utilization", 0.995, {}, {}, kind},
                     {"gpu_idle_fraction", 0.005, {}, {}, kind},
                     {"epoch_time_s", 600.0, {}, {}, kind},
                     {"epoch_boundary_s", 12.0, {}, {}, kind}};
  CHECK_THAT(reports::waits_sentence(outcome),
             Catch::Matchers::ContainsSubstring(" Between epochs 12.0 s pass without steps, 2.0 % of an epoch."));
  outcome.metrics[3].mean = 1.0;
  CHECK(reports::waits_sentence(outcome).find("Between") == std::string::npos);
}

TEST_CASE("a verdict of checkpoints says what takes the time") {
  models::Outcome outcome = reports::testing::sample_outcome();
  outcome.verdict = Verdict::checkpoint_bound;
  outcome.gpu_states = {{models::GpuState::checkpoint, 0.05}, {models::GpuState::failure, 0.01}};
  CHECK(reports::verdict_line(outcome) ==
        "checkpoint-bound: checkpoints and failures take more time than waits for data");
  outcome.gpu_states[1].share = 0.2;
  CHECK(reports::verdict_line(outcome) == "Failures take more time than checkpoints or waits for data");
  CHECK_THAT(
      reports::verdict_meaning(outcome, nullptr),
      Catch::Matchers::ContainsSubstring("Checkpoints take 5.0 %, failures with their restarts and lost work 20.0 %."));
  outcome.gpu_states[1].share = 0.0;
  CHECK(reports::verdict_line(outcome) == "checkpoint-bound: checkpoints take more time than waits for data");
}

TEST_CASE("a verdict names what takes more time than the waits, where that is a tenth or more") {
  models::Outcome outcome = reports::testing::sample_outcome();
  const double waits = models::mean_in(outcome.metrics, "gpu_idle_fraction");
  outcome.gpu_states = {{models::GpuState::compute, 0.7}, {models::GpuState::collective, std::max(waits, 0.1) + 0.01}};
  CHECK(reports::verdict_line(outcome) == "ingest-bound by transfer (more time goes to the exchange of gradients)");
  outcome.gpu_states[1].share = 0.09;
  CHECK(reports::verdict_line(outcome) == "ingest-bound by transfer");
}

TEST_CASE("verdicts read as sentences") {
  models::Outcome outcome = reports::testing::sample_outcome();
  CHECK(reports::verdict_line(outcome) == "ingest-bound by transfer");
  outcome.verdict = Verdict::fed;
  CHECK(reports::verdict_line(outcome) == "Compute-bound: faster storage will not help");
  CHECK(reports::verdict_line(outcome, "In a tenth of the draws ...") ==
        "Compute-bound at the scenario's values: faster storage will not help");
  CHECK(reports::ended_text("precision") == "at the precision asked for");
  CHECK(reports::ended_text("of_another_version") == "by of another version");
  outcome.scope = "one job of each kind";
  CHECK(reports::verdict_line(outcome) == "Compute-bound with one job of each kind");
  outcome.verdict = Verdict::inconclusive;
  CHECK(reports::verdict_line(outcome) == "inconclusive: the store works at 97.8 % of its bandwidth");
  outcome.stopped_by = "max_wall";
  CHECK(reports::verdict_line(outcome) == "inconclusive: the time limit came before the intervals were narrow enough");
}

TEST_CASE("the meaning names what removing the binding stage wins") {
  CHECK(reports::verdict_meaning(reports::testing::sample_outcome()) ==
        "GPUs compute 94.6 % of the time and wait for data 2.0 %. Without the transfer stage the same work takes "
        "1.8 % less time.");
}

TEST_CASE("steps that change much over the epoch are told beside their mean") {
  models::Outcome outcome = reports::testing::sample_outcome();
  outcome.windows.resize(2);
  outcome.windows[0].step_time_s = 0.305;
  outcome.windows[1].step_time_s = 0.697;
  CHECK_THAT(
      reports::waits_sentence(outcome),
      Catch::Matchers::ContainsSubstring("wait for data 2.0 %; a step takes 305.0 ms to 697.0 ms over the epoch."));
  CHECK_THAT(reports::bottleneck_text(outcome), Catch::Matchers::ContainsSubstring(" busy on average ("));
  outcome.windows[1].step_time_s = 0.33;
  CHECK(reports::steps_over_epoch(outcome).empty());
  CHECK_THAT(reports::bottleneck_text(outcome), Catch::Matchers::ContainsSubstring(" busy ("));
  outcome.windows.pop_back();
  CHECK(reports::steps_over_epoch(outcome).empty());
}

TEST_CASE("an answer that is fed names what takes most of the rest, where that is much") {
  models::Outcome outcome = reports::testing::sample_outcome();
  outcome.verdict = Verdict::fed;
  outcome.gpu_states = {{models::GpuState::compute, 0.93},
                        {models::GpuState::ingest_wait_own, 0.0},
                        {models::GpuState::collective, 0.05},
                        {models::GpuState::overhead, 0.02}};
  CHECK(reports::waits_sentence(outcome).ends_with(" 5.0 % goes to the exchange of gradients."));
  outcome.gpu_states[2].share = outcome.gpu_states[3].share = 0.009;
  CHECK(reports::waits_sentence(outcome).ends_with("wait for data 2.0 %."));
}

TEST_CASE("costs say what they count where the ledger names more than that has a price") {
  using Ledger = std::vector<models::LedgerLine>;
  const auto line = [](const char* item, double quantity, double usd) {
    models::LedgerLine one;
    one.item = item;
    one.quantity = quantity;
    one.usd = usd;
    return one;
  };
  const models::LedgerLine gpus = line("gpu hours", 8.0, 32.0);
  CHECK(reports::cost_scope(Ledger{gpus, line("egress", 1e9, 0.0)}) == "GPU hours alone");
  const models::LedgerLine unused = line("GPU hours that no job uses", 1.0, 4.0);
  CHECK(reports::cost_scope(Ledger{gpus, line("egress", 1e9, 0.0), unused}) == "GPU hours alone");
  CHECK(reports::cost_scope(Ledger{gpus, line("egress", 1e9, 0.0), line("requests", 1e6, 0.4)}) == "egress at $0");
  CHECK(reports::cost_scope(Ledger{gpus, line("egress", 1.0, 0.0), line("requests", 1e6, 0.4)}).empty());
  CHECK(reports::cost_scope(Ledger{gpus, line("egress", 1e9, 0.0), line("storage share", 1e9, 0.4)}).empty());
  CHECK(reports::cost_scope(Ledger{gpus, line("node hours", 1.0, 0.0)}).empty());  // the price of a GPU may hold it
  CHECK(reports::cost_scope(Ledger{gpus, line("node hours", 1.0, 2.0), line("egress", 1e9, 0.0)}) ==
        "GPU and node hours alone");
  CHECK(reports::cost_scope(Ledger{line("gpu hours", 8.0, 0.0), line("requests", 1e6, 0.4)}) == "GPUs without price");
}

TEST_CASE("phases of a spot node that is taken away have its notice and no detection, and sum up") {
  models::PhaseTimes phases;
  phases.detection_s = 60.0;
  phases.reschedule_s = 120.0;
  phases.replacement_s = 300.0;
  phases.save_s = 20.0;
  phases.load_s = 5.0;
  const auto together = [&phases] {
    for (const reports::PhaseRow& row : reports::phase_rows(phases))
      if (row.name == std::string_view("together")) return row.times_s;
    return std::array<double, 4>{};
  };
  CHECK(together() == std::array<double, 4>{0.0, 0.0, 185.0, 325.0});
  phases.preempting = 0.5;  // with no time to save
  CHECK(together() == std::array<double, 4>{0.0, 0.0, 185.0, 305.0});
}

TEST_CASE("the meaning has the range over the inputs, of the answer itself or of the bound beside it") {
  models::Outcome outcome = reports::testing::sample_outcome();
  models::Outcome ranges = outcome;
  for (models::Outcome* one : {&outcome, &ranges})
    for (models::Metric& metric : one->metrics) {
      metric.input_range.reset();
      if (one == &ranges && metric.name == "gpu_idle_fraction") metric.input_range = models::Interval{0.0, 0.13};
      if (one == &ranges) metric.kind = models::AnswerKind::bound;
    }
  CHECK(reports::ranges_sentence(outcome).empty());
  CHECK(reports::verdict_meaning(outcome, &ranges)
            .find(" GPUs wait 0.0 % to 13.0 % of the time over the input ranges (p10 to p90; queues "
                  "may add to it). ") != std::string::npos);
  for (models::Metric& metric : ranges.metrics)
    if (metric.name == "gpu_idle_fraction") metric.input_range = models::Interval{0.0, 0.0};
  CHECK(reports::ranges_sentence(ranges) ==  // queues are left out: that they wait "0.0 %" is not known
        "Flow bounds show no wait over the input ranges (p10 to p90); queues may cause some.");
  for (models::Metric& metric : ranges.metrics) {
    metric.kind = models::AnswerKind::simulated;
    if (metric.name == "gpu_idle_fraction") metric.input_range = models::Interval{0.0, 0.13};
  }
  ranges.inputs.emplace().verdicts[static_cast<std::size_t>(ranges.verdict)] = 0.82;
  CHECK(reports::ranges_sentence(ranges) ==
        "GPUs wait 0.0 % to 13.0 % of the time over the input ranges (p10 to p90; the same verdict in 82 % of the "
        "draws).");
}

TEST_CASE("a wait for data does not hide what takes more time") {
  models::Outcome outcome = reports::testing::sample_outcome();
  outcome.verdict = models::Verdict::ingest_bound;
  outcome.gpu_states = {{models::GpuState::compute, 0.7}, {models::GpuState::collective, 0.25}};
  CHECK_THAT(reports::waits_sentence(outcome), Catch::Matchers::EndsWith(" 25.0 % goes to the exchange of gradients."));
  outcome.verdict = models::Verdict::collective_bound;  // which says it itself
  CHECK_THAT(reports::waits_sentence(outcome), !Catch::Matchers::ContainsSubstring(" goes to "));
}

TEST_CASE("a verdict of one of several jobs names the job where the mean over all GPUs does not show it") {
  models::Outcome outcome = reports::testing::sample_outcome();
  for (models::Metric& metric : outcome.metrics)
    if (metric.name == "gpu_idle_fraction") metric.mean = 0.006;
  models::JobReport video;
  video.name = "video";
  video.copies = 1;
  video.nodes = 2;
  video.gpus = 16;
  video.verdict = Verdict::ingest_bound;
  video.metrics = {{"gpu_idle_fraction", 0.02, {}, {}, models::AnswerKind::simulated}};
  models::JobReport training = video;
  training.name = "training";
  training.verdict = Verdict::checkpoint_bound;
  training.gpu_states = {{models::GpuState::checkpoint, 0.012}};
  outcome.jobs = {video, training};
  CHECK(
      reports::waits_sentence(outcome).ends_with(" wait for data 0.6 %. Jobs that wait longer: video (2.0 %). "
                                                 "Checkpoints and failures take more than waits for data in: "
                                                 "training (1.2 %)."));
}

TEST_CASE("a first remedy has few brackets") {
  models::Outcome outcome = reports::testing::sample_outcome();
  REQUIRE(outcome.remedy);
  outcome.remedy->options.clear();
  outcome.remedy->change = "double the drives of each store (no price stated)";
  const std::string text = reports::remedy_sentence(outcome);
  CHECK(std::count(text.begin(), text.end(), '(') == 2);
  CHECK(text.find("(no price stated), which changes ") != std::string::npos);
}

TEST_CASE("an open verdict says what would decide it") {
  models::Outcome outcome = reports::testing::sample_outcome();
  outcome.verdict = Verdict::inconclusive;
  outcome.stopped_by = "steps";
  outcome.steps = 100;
  outcome.inputs.reset();
  const std::string meaning = reports::verdict_meaning(outcome);
  CHECK(meaning.find("Run it longer: --steps 400 or more.") != std::string::npos);
  CHECK(meaning.find("Measure the transfer stage first") != std::string::npos);
  outcome.inputs.emplace().measure_next = {"/stores/0/bandwidth"};
  CHECK(reports::verdict_meaning(outcome).ends_with("Measure /stores/0/bandwidth next."));
}

TEST_CASE("every verdict, stage and state is explained") {
  for (std::size_t i = 0; i < models::kVerdictNames.size(); ++i)
    CHECK_FALSE(reports::verdict_explanation(static_cast<Verdict>(i)).empty());
  for (std::size_t i = 0; i < models::kStageCount; ++i)
    CHECK_FALSE(reports::stage_explanation(static_cast<models::Stage>(i)).empty());
  for (std::size_t i = 0; i < models::kGpuStateCount; ++i)
    CHECK_FALSE(reports::gpu_state_explanation(static_cast<models::GpuState>(i)).empty());
}

TEST_CASE("verdicts have one spelling for people") {
  CHECK(reports::spoken_verdict(Verdict::ingest_bound) == "ingest-bound");
  CHECK(reports::spoken_verdict("checkpoint_bound") == "checkpoint-bound");
  CHECK(reports::spoken_verdict(Verdict::fed) == "fed");
}
