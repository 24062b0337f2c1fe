#include "reports/outcome_summary.hpp"

#include <algorithm>
#include <sstream>

#include "models/outcome/bottleneck.hpp"
#include "models/outcome/evidence.hpp"
#include "reports/outcome_text.hpp"
#include "reports/station_words.hpp"
#include "tests/catch.hpp"
#include "tests/golden.hpp"
#include "tests/reports/sample_outcome.hpp"

using namespace headrace;
using Catch::Matchers::ContainsSubstring;
using models::Stage;
using reports::outcome_summary;
using reports::testing::sample_outcome;

namespace {

reports::SummaryFacts sample_facts() {
  reports::SummaryFacts facts;
  facts.title = "A sample";
  return facts;
}

}  // namespace

TEST_CASE("the first screen of an outcome", "[golden]") {
  const std::string text = outcome_summary(sample_outcome(), sample_facts(), {});
  INFO(text);
  CHECK(headrace::testing::matches_golden(text, "tests/reports/outcome_summary.golden.txt"));
  CHECK(std::count(text.begin(), text.end(), '\n') <= 20);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 80);
}

TEST_CASE("a first screen with everything that it may hold has 20 lines at most") {
  models::Outcome outcome = sample_outcome();
  models::JobReport job;
  job.gpus = 8;
  outcome.jobs.clear();
  for (const char* name : {"a-job-with-a-long-name", "another-job-with-a-long-name", "third", "fourth", "fifth"}) {
    job.name = name;
    outcome.jobs.push_back(job);
  }
  outcome.warnings.assign(3, models::Warning(std::string(300, 'w') + " and more words that need a second line"));
  reports::SummaryFacts facts = sample_facts();
  models::Judgement failed;
  failed.threshold = {"gpu_idle_fraction", models::Relation::less, 0.01, "< 1 %", ""};
  failed.decision = models::Ruling::fail;
  facts.judgements = {failed, failed};
  const std::string text = outcome_summary(outcome, facts, {});
  INFO(text);
  CHECK(std::count(text.begin(), text.end(), '\n') <= 20);
  CHECK(text.find("Thresholds: 0 of 2 passed") != std::string::npos);
  CHECK(text.find("Confidence: ") != std::string::npos);
  CHECK(text.find("Jobs: ") == std::string::npos);  // makes room first; --verbose has the table
}

TEST_CASE("what is a large part of the cost besides machines has a line of its own") {
  models::Outcome outcome = sample_outcome();
  const auto text_with = [&](const char* item, double share, bool by_time) {
    outcome.ledger = {{"gpu hours", 1.0, "h", 10.0, true},
                      {item, 1.0, "", share * outcome.find("cost_per_epoch_usd")->mean, by_time}};
    reports::SummaryFacts facts = sample_facts();
    facts.whole = true;
    return outcome_summary(outcome, facts, {});
  };
  CHECK(text_with("egress", 0.62, false).find("Of the cost, egress is 62 %: $") != std::string::npos);
  CHECK(text_with("egress", 0.2, false).find("Of the cost") == std::string::npos);
  CHECK(text_with("storage share", 0.62, true).find("Of the cost") == std::string::npos);
  const std::string alone = text_with("egress", 0.62, false);
  const auto with_requests = [&](double share) {
    outcome.ledger.push_back({"requests", 1.0, "", share * outcome.find("cost_per_epoch_usd")->mean, false});
    reports::SummaryFacts facts = sample_facts();
    facts.whole = true;
    const std::string text = outcome_summary(outcome, facts, {});
    outcome.ledger.pop_back();
    return text;
  };
  CHECK(with_requests(0.09) == alone);
  CHECK(with_requests(0.12).find("requests: 12 %, $") != std::string::npos);
  outcome.metrics.push_back({"egress_cost_per_year_usd", 95792.0, {}, {}, models::AnswerKind::simulated});
  CHECK(text_with("egress", 0.62, false).find(", $95,792 a year (") != std::string::npos);
}

TEST_CASE("blame and gain are told apart where they differ") {
  models::Outcome outcome;
  outcome.verdict = models::Verdict::ingest_bound;
  outcome.binding = Stage::transfer;
  outcome.blame = {{Stage::request, 0.20, {}, 0.1}, {Stage::transfer, 0.10, {}, 0.1}};
  outcome.relief = {{Stage::request, 0.04, {}, 0.0}, {Stage::transfer, 0.09, {}, 0.0}};
  CHECK(reports::bottleneck_text(outcome) == "Bottleneck: transfer, gain if removed 9.0 % of GPU time.");
  CHECK(
      reports::difference_of_gain(outcome) ==
      "The GPUs wait longest for the stage request (20.0 %), but if it took no time they would wait for another stage: "
      "the gain is only 4.0 %.");
  outcome.blame = {{Stage::transfer, 0.30, {}, 0.1}};
  CHECK(reports::difference_of_gain(outcome) ==
        "It shows waits of 30.0 %, but without it other stages would cause a part of them.");
  outcome.relief.back().mean = 0.28;
  CHECK(reports::difference_of_gain(outcome).empty());
}

TEST_CASE("waits without an interval are told as not settled, where they are more than little and were simulated") {
  models::Outcome outcome = sample_outcome();
  outcome.verdict = models::Verdict::ingest_bound;
  outcome.stopped_by = "precision";
  outcome.blame = {{models::Stage::request, 0.2, {}, 0.1},
                   {models::Stage::transfer, 0.1, models::Interval{0.09, 0.11}},
                   {models::Stage::decode, 0.001, {}, 0.0}};
  CHECK_THAT(reports::unsettled_waits(outcome),
             Catch::Matchers::ContainsSubstring("too few for an interval of request."));
  outcome.blame[0].ci95 = models::Interval{0.19, 0.21};
  CHECK(reports::unsettled_waits(outcome).empty());
  outcome.blame[0].ci95.reset();
  outcome.stopped_by = "closed_form";
  CHECK(reports::unsettled_waits(outcome).empty());
}

TEST_CASE("figures that are certainly nothing, and those that nobody asked for, stay away") {
  models::Outcome outcome = sample_outcome();
  outcome.metrics.push_back({"egress_cost_per_year_usd", 0.0, {}, {}, models::AnswerKind::simulated});
  outcome.metrics.push_back({"mlperf_au_percent", 96.0, {}, {}, models::AnswerKind::simulated});
  const std::string text = reports::outcome_text(outcome, sample_facts(), {});
  CHECK(text.find("egress cost per year") == std::string::npos);
  CHECK(text.find("MLPerf AU") == std::string::npos);
  reports::SummaryFacts asked = sample_facts();
  models::Judgement judgement;
  judgement.threshold = {"mlperf_au_percent", models::Relation::more, 90.0, "> 90 %", ""};
  asked.judgements = {judgement};
  CHECK(reports::outcome_text(outcome, asked, {}).find("MLPerf AU") != std::string::npos);
}

TEST_CASE("stages whose removal gains as much bind by their waits, and the tie is told") {
  models::Outcome outcome;
  outcome.verdict = models::Verdict::ingest_bound;
  outcome.metrics.push_back({"gpu_idle_fraction", 0.116, {}, {}, models::AnswerKind::simulated});
  outcome.blame = {{Stage::request, 0.0, {}, 0.0}, {Stage::decode, 0.116, {}, 0.0}};
  outcome.relief = {{Stage::request, 0.116, {}, 0.0}, {Stage::decode, 0.1155, {}, 0.0}};
  CHECK(models::binding_stage(outcome.relief, outcome.blame) == Stage::decode);
  outcome.binding = Stage::decode;
  CHECK(reports::difference_of_gain(outcome) ==
        "Removing request instead gains as much: start with what is easier to change.");
  outcome.relief[0].mean = 0.2;  // clearly more than decode
  CHECK(models::binding_stage(outcome.relief, outcome.blame) == Stage::request);
  // Without gains, waits tell; a full resource before them.
  outcome.relief.clear();
  outcome.binding.reset();
  CHECK(models::binding_stage(outcome) == Stage::decode);
  models::StationReport full;
  full.stage = Stage::transfer;
  full.utilization = 1.0;
  outcome.stations.push_back(full);
  CHECK(models::binding_stage(outcome) == Stage::transfer);
}

TEST_CASE("two resources that are equally full are told where one alone gains little") {
  models::Outcome outcome;
  outcome.verdict = models::Verdict::ingest_bound;
  outcome.metrics.push_back({"gpu_idle_fraction", 0.4, {}, {}, models::AnswerKind::simulated});
  for (const Stage stage : {Stage::transfer, Stage::decode}) {
    models::StationReport station;
    station.stage = stage;
    station.utilization = stage == Stage::transfer ? 0.99 : 0.97;
    outcome.stations.push_back(station);
  }
  outcome.blame = {{Stage::transfer, 0.25, {}, 0.0}, {Stage::decode, 0.15, {}, 0.0}};
  outcome.relief = {{Stage::transfer, 0.05, {}, 0.0}, {Stage::decode, 0.02, {}, 0.0}};
  outcome.binding = Stage::transfer;
  CHECK(reports::difference_of_gain(outcome) ==
        "transfer and decode are equally full: relieving one alone gains little.");
}

TEST_CASE("a link that collectives share says that they leave what it can carry") {
  models::Outcome outcome;
  outcome.verdict = models::Verdict::ingest_bound;
  outcome.binding = Stage::transfer;
  models::StationReport& link = outcome.stations.emplace_back();
  link.resource = models::Resource::leaf_uplink;
  link.name = "leaf uplink";
  link.unit = "B/s";
  link.stage = Stage::transfer;
  link.capacity = 8.68e9;
  link.carry(8.68e9);
  CHECK(reports::capacity_note(outcome).empty());
  CHECK_THAT(reports::bottleneck_text(outcome), ContainsSubstring("(8.68 GB/s of 8.68 GB/s)"));
  outcome.evidence.not_validated.emplace_back(models::kCollectivesNotValidated);
  CHECK(reports::capacity_note(outcome) == "leaf uplink: the rate left by collectives.");
  CHECK_THAT(reports::bottleneck_text(outcome), ContainsSubstring("(8.68 GB/s of 8.68 GB/s left by collectives)"));
  outcome.stations.front().resource = models::Resource::store_bandwidth;
  CHECK(reports::capacity_note(outcome).empty());
}

TEST_CASE("the next limit is the workers where they are busier than every resource") {
  models::Outcome outcome;
  outcome.verdict = models::Verdict::fed;
  models::StationReport& cores = outcome.stations.emplace_back();
  cores.name = "cores";
  cores.unit = "cores";
  cores.capacity = 64.0;
  cores.carry(40.3);
  CHECK(reports::bottleneck_text(outcome).starts_with("Next limit: cores, 63.0 % busy"));
  CHECK(reports::bottleneck_text(outcome, 0.5).starts_with("Next limit: cores, 63.0 % busy"));
  CHECK(reports::bottleneck_text(outcome, 0.751)
            .starts_with("Next limit: workers, 75.1 % busy; then cores, 63.0 % busy"));
}

TEST_CASE("a bound calls too slow what is asked for more than it gives, and a fullest resource below that busiest") {
  models::Outcome outcome;
  outcome.verdict = models::Verdict::ingest_bound;
  outcome.metrics.push_back({"step_time_s", 0.4, {}, {}, models::AnswerKind::bound});
  outcome.binding = Stage::transfer;
  models::StationReport& station = outcome.stations.emplace_back();
  station.name = "store bandwidth";
  station.stage = Stage::transfer;
  station.utilization = 0.936;
  CHECK(reports::bottleneck_text(outcome).starts_with("Busiest: store bandwidth, 93.6 % busy"));
  station.utilization = 1.0;
  CHECK(reports::bottleneck_text(outcome).starts_with("Too slow on average: store bandwidth"));
}
