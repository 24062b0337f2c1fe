#include "reports/verdict_text.hpp"

#include "tests/catch.hpp"
#include "tests/reports/sample_outcome.hpp"

using namespace headrace;
using models::Verdict;

TEST_CASE("verdicts read as sentences") {
  models::Outcome outcome = reports::testing::sample_outcome();
  CHECK(reports::verdict_line(outcome) == "ingest-bound by transfer");
  outcome.verdict = Verdict::fed;
  CHECK(reports::verdict_line(outcome) == "Compute-bound: faster storage will not help");
  outcome.verdict = Verdict::inconclusive;
  CHECK(reports::verdict_line(outcome) == "inconclusive: the store works at 97.8 % of its bandwidth");
  outcome.stopped_by = "max_wall";
  CHECK(reports::verdict_line(outcome) == "inconclusive: the time limit came before the intervals were narrow enough");
}

TEST_CASE("the meaning names what removing the binding stage wins") {
  CHECK(reports::verdict_meaning(reports::testing::sample_outcome()) ==
        "GPUs compute 94.6 % of the time and wait for data 2.0 %. Removing the transfer stage would gain "
        "1.8 % of GPU time.");
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
