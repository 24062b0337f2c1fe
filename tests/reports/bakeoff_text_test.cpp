// What the ranking of offers says beside its figures.
#include "reports/bakeoff_text.hpp"

#include <algorithm>

#include "reports/decision_report.hpp"
#include "reports/memo.hpp"
#include "tests/catch.hpp"

namespace headrace::reports {
namespace {

scenarios::Bakeoff ranked() {
  scenarios::Bakeoff bakeoff;
  bakeoff.title = "A store";
  bakeoff.draws = 32;
  for (const char* name : {"A", "B"}) {
    scenarios::Contender& one = bakeoff.contenders.emplace_back();
    one.rank = bakeoff.contenders.size();
    one.name = name;
    one.usd_low = 2.0;
    one.usd_expected = 2.5;
    one.usd_high = 3.0;
  }
  return bakeoff;
}

bool is_told(const std::vector<std::string>& sentences, const std::string& sentence) {
  return std::find(sentences.begin(), sentences.end(), sentence) != sentences.end();
}

}  // namespace

TEST_CASE("an offer whose mean lies outside its p10 to p90 says why") {
  scenarios::Bakeoff bakeoff = ranked();
  CHECK(means_outside_ranges(bakeoff).empty());
  bakeoff.contenders[1].usd_expected = 3.5;
  const std::string why =
      "The mean of B lies above its p10 to p90: it costs far more in less than a tenth of the draws.";
  REQUIRE(means_outside_ranges(bakeoff) == std::vector<std::string>{why});
  CHECK(is_told(bakeoff_report(bakeoff).notes, why));
  bakeoff.contenders[1].usd_expected = 3.01;  // reads the same
  CHECK(means_outside_ranges(bakeoff).empty());
}

TEST_CASE("an offer that is not first says what it lacks beside the first") {
  scenarios::Bakeoff bakeoff = ranked();
  scenarios::Contender& later = bakeoff.contenders[1];
  later.answer.horizon_years = 3.0;
  bakeoff.contenders[0].lead_time_days = 7.0;
  later.lead_time_days = 112.0;
  CHECK(why_not_first(later, bakeoff).ends_with("; serves 112 days after the order (A: 7)"));
  later.lead_time_days = 20.0;
  bakeoff.contenders[0].answer.goodput_fraction = 0.976;
  later.answer.goodput_fraction = later.goodput_normal = 0.896;
  later.goodput_degraded = 0.564;
  CHECK(why_not_first(later, bakeoff).ends_with("; goodput 89.6 %, A 97.6 %; goodput 56.4 % while degraded"));
  later.nothing = true;
  CHECK(why_not_first(later, bakeoff).ends_with("; goodput 89.6 %, A 97.6 %"));
}

TEST_CASE("warnings of a ranking stand in its text, page and memo") {
  scenarios::Bakeoff bakeoff = ranked();
  bakeoff.warnings.push_back({"GPUs have no price", "state it"});
  const std::string warning = "Warning: GPUs have no price; state it";
  CHECK(bakeoff_text(bakeoff, false, {}).find(warning) != std::string::npos);
  CHECK(is_told(bakeoff_report(bakeoff).notes, warning));
  CHECK(is_told(memo_of(bakeoff).facts, warning));
}

TEST_CASE("payments over the useful hours of an offer's row are what an hour costs") {
  scenarios::Bakeoff bakeoff = ranked();
  models::TotalCostAnswer& answer = bakeoff.contenders[0].answer;
  answer.discount_rate = 0.25;
  answer.cash_flow.resize(1);
  answer.cash_flow[0].end_years = 1.0;
  answer.cash_flow[0].useful_gpu_hours = answer.useful_gpu_hours = 1000.0;
  const GateReport report = bakeoff_report(bakeoff);
  const auto table = std::find_if(report.tables.begin(), report.tables.end(),
                                  [](const GateTable& one) { return one.title.starts_with("Against doing nothing"); });
  REQUIRE(table != report.tables.end());
  REQUIRE(table->header.at(2) == "useful GPU hours");
  CHECK(table->rows.at(0).at(2) == "800");
}

}  // namespace headrace::reports
