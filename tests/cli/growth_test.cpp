// headrace growth: dates by hand, the order of the buy list, the signs of regret, and what is refused.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

namespace headrace {
namespace {

using testing::Folder;
using testing::Run;
using testing::run;
using GrowthTestJson = nlohmann::json;

/// One job whose dataset fills 40 % of a store; `growth` beside a start.
std::string scenario_with(const std::string& growth, const std::string& start = "2026-01-01") {
  return R"({
    "cluster": {"pools": [{"name": "p", "nodes": 1, "gpus_per_node": 8, "gpu": "H100-SXM5-80GB",
                           "host": {"cores": 64, "memory": "1 TB"}, "nic": "400 Gb/s"}]},
    "stores": [{"name": "s", "kind": "parallel_fs", "bandwidth": "20 GB/s", "capacity": "100 TB"}],
    "datasets": [{"name": "d", "store": "s", "files": 40000000, "sample_bytes": "1 MB", "order": "random"}],
    "jobs": [{"name": "j", "pool": "p", "datasets": [{"dataset": "d"}], "loader": {"workers": 8, "cpu_per_sample": "1 ms"},
              "step": {"batch": 64, "step_time": "100 ms"}}],
    "prices": {"gpu_hour": "$4/h"},
    "growth": {"start": ")" +
         start + "\", " + growth + "}}";
}

const std::string kFast = " --inputs nominal --simulate off ";

GrowthTestJson grown(const std::string& growth, const std::string& options = "") {
  const Folder folder;
  const Run result = run("growth '" + folder.write("a.json", scenario_with(growth)) + "' --json" + kFast + options);
  INFO(result.err);
  REQUIRE(result.status == 0);
  return GrowthTestJson::parse(result.out);
}

GrowthTestJson layer(const GrowthTestJson& document, const std::string& name) {
  for (const GrowthTestJson& one : document["layers"])
    if (one["layer"] == name) return one;
  return {};
}

std::string refusal(const std::string& growth, const std::string& options = "",
                    const std::string& start = "2026-01-01") {
  const Folder folder;
  const Run result = run("growth '" + folder.write("a.json", scenario_with(growth, start)) + "'" + kFast + options);
  CHECK(result.status == 2);
  return result.err;
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const std::string kData = R"("trends": [{"parameter": "/datasets/0/files", "per_quarter": "10 %")";
const std::string kSteps = R"("trends": [{"parameter": "/jobs/0/step/batch", "per_quarter": "20 %"}], )";

/// More bandwidth for `price`, which changes by `trend` a quarter.
std::string bandwidth(const std::string& price, const std::string& trend, const std::string& lead = "0 s") {
  return R"("purchases": [{"name": "servers", "relieves": "store", "adds": [{"parameter": "/stores/0/bandwidth", )"
         R"("share": "100 %"}], "price": ")" +
         price + R"(", "price_per_quarter": ")" + trend + R"(", "lead_time": ")" + lead + "\"}]";
}

/// Days since 1970 of "2027-05-14".
std::int64_t day_number(const std::string& date) {
  using namespace std::chrono;
  return sys_days(year(std::stoi(date)) / std::stoi(date.substr(5, 2)) / std::stoi(date.substr(8, 2)))
      .time_since_epoch()
      .count();
}

}  // namespace

TEST_CASE("a store that fills up geometrically is full after ln(C/V) / ln(1+g) quarters", "[cli]") {
  const GrowthTestJson document = grown(kData + "}]");
  const GrowthTestJson capacity = layer(document, "capacity");
  // 40 of 100 TB, 10 % a quarter: ln 2.5 / ln 1.1 = 9.6138 quarters, 0.6138 of the one from 2028-04-01.
  CHECK(std::abs(capacity["quarters_to_full"].get<double>() - std::log(2.5) / std::log(1.1)) < 1e-6);
  CHECK(capacity["full"]["as_stated"] == "2028-05-27");
  CHECK(capacity["full"]["p10"] == capacity["full"]["p90"]);
  CHECK(capacity["full"]["share_of_draws"] == 1.0);
  CHECK(capacity["quarters"][0]["busy_share"]["as_stated"].get<double>() == 0.4);
  CHECK(std::abs(capacity["quarters"][2]["busy_share"]["as_stated"].get<double>() - 0.484) < 1e-9);
  CHECK(layer(document, "store")["quarters_to_full"].is_null());
}

TEST_CASE("the interval of a date has the dates of the slow and of the fast rate around it", "[cli]") {
  const GrowthTestJson full =
      layer(grown(kData + R"(, "low": "6 %", "high": "16 %"}], "quarters": 20)"), "capacity")["full"];
  // ln 2.5 / ln 1.16 = 6.17 and / ln 1.06 = 15.7 quarters; the deciles of the rate are 7 and 15 %.
  CHECK(full["p10"].get<std::string>() > "2027-06");
  CHECK(full["p10"].get<std::string>() < full["as_stated"].get<std::string>());
  CHECK(full["as_stated"].get<std::string>() < full["p90"].get<std::string>());
  CHECK(full["p90"].get<std::string>() < "2029-12");
}

TEST_CASE("orders stand by their dates, a lead time before the need", "[cli]") {
  const GrowthTestJson document = grown(kSteps + bandwidth("$1000", "0 %", "60 days") + R"(, "quarters": 16)");
  const GrowthTestJson& list = document["buy_list"];
  REQUIRE(list.size() >= 2);
  std::string before;
  for (const GrowthTestJson& item : list) {
    CHECK(item["order"].get<std::string>() >= before);
    before = item["order"].get<std::string>();
    if (!item["late"].get<bool>() && item["needed"]["as_stated"].is_string())
      CHECK(item["order"].get<std::string>() < item["needed"]["as_stated"].get<std::string>());
    if (item["arrives"].is_string())
      CHECK(day_number(item["arrives"].get<std::string>()) - day_number(item["order"].get<std::string>()) == 60);
  }
  // The load of the store follows the batch over a step that stays: 5.12 GB/s for 20 GB/s and more.
  const GrowthTestJson store = layer(document, "store");
  const double today = store["quarters"][0]["busy_share"]["as_stated"];
  CHECK(std::abs(today - 8.0 * 64.0 * 1e6 / 0.1 / 20e9) < 1e-9);
  CHECK(std::abs(store["quarters_to_full"].get<double>() - std::log(1.0 / today) / std::log(1.2)) < 0.05);
}

TEST_CASE("regret is never negative, and falling prices punish early orders, idle GPUs late ones", "[cli]") {
  const GrowthTestJson document = grown(kSteps + bandwidth("$20000", "-5 %") + R"(, "quarters": 12)");
  REQUIRE(document["regret"].size() == 8);
  for (const GrowthTestJson& row : document["regret"]) {
    CHECK(row["regret_usd"].get<double>() >= 0.0);
    if (row["shift_quarters"] == -2) CHECK(row["over_on_time_usd"].get<double>() > 0.0);
    if (row["shift_quarters"] == 4) CHECK(row["over_on_time_usd"].get<double>() > 0.0);
    if (row["shift_quarters"] == 0) CHECK(row["over_on_time_usd"] == 0.0);
  }
  // Very dear servers: later is cheaper than on time, since eight GPUs at $4 an hour wait for less money.
  const GrowthTestJson dear = grown(kSteps + bandwidth("$50000000", "-5 %") + R"(, "quarters": 12)");
  CHECK(dear["regret"].back()["over_on_time_usd"].get<double>() < 0.0);
  CHECK(document["doing_nothing_usd"]["as_stated"].get<double>() > 0.0);
}

namespace {

/// Half of the speed that the store is asked for: 4 of 8 GPUs wait, for $4 x 4 x 2,190 hours = $35,040 a quarter.
const std::string kHalf = R"("trends": [], "discount_rate": 0, "quarters": 4, )";
const std::string kHalfStore = " --set '/stores/0/bandwidth=2.56 GB/s'";

/// Worth nothing at the horizon, if not said otherwise.
std::string relief(const std::string& price, const std::string& lead, const std::string& lifetime = "24 h") {
  return R"("purchases": [{"name": "servers", "relieves": "store", "adds": [{"parameter": "/stores/0/bandwidth", )"
         R"("share": "150 %"}], "price": ")" +
         price + R"(", "lead_time": ")" + lead + R"(", "lifetime": ")" + lifetime + "\"}]";
}

double near_usd(double usd) { return std::round(usd * 1e-2) * 1e2; }

}  // namespace

TEST_CASE("an order that is due within the horizon stands in the list though it serves after it", "[cli]") {
  // 5.12 of 20 GB/s at 20 % a quarter: full after ln(1 / 0.256) / ln 1.2 = 7.47 quarters; 90 days are 0.99 of one.
  const GrowthTestJson list = grown(kSteps + bandwidth("$100000", "0 %", "90 days") + R"(, "quarters": 7)")["buy_list"];
  REQUIRE(list.size() == 1);
  CHECK(list[0]["order"].get<std::string>() < "2027-10-01");
  CHECK(list[0]["needed"]["as_stated"].is_null());  // after the horizon
  CHECK(grown(kSteps + bandwidth("$100000", "0 %", "10 days") + R"(, "quarters": 7)")["buy_list"].empty());
}

TEST_CASE("a store that is full costs the work on the data that does not fit", "[cli]") {
  const GrowthTestJson document = grown(
      R"("trends": [{"parameter": "/datasets/0/files", "per_quarter": "100 %"}], "discount_rate": 0, "quarters": 4)");
  // 0.4, 0.8, 1.6 and 3.2 times the capacity: 3/8 and 11/16 of 8 GPUs at $4 in 2,190 hours each.
  CHECK(document["doing_nothing_usd"]["as_stated"].get<double>() == Approx(8 * 4 * 2190 * (0.375 + 0.6875)));
  CHECK(document["waiting_gpus"][2]["as_stated"].get<double>() == Approx(3.0));
}

TEST_CASE("payback counts from the delivery, and until then the GPUs wait", "[cli]") {
  struct Case {
    const char* lead;
    const char* payback;
    double usd;  ///< price, and what waits until the delivery
  };
  for (const Case& one : {Case{"0 s", "2026-04-01", 35040},
                          {"45.65625 days", "2026-05-17", 35040 * 1.5},
                          {"91.3125 days", "2026-07-01", 35040 * 2}}) {
    INFO(one.lead);
    const GrowthTestJson document = grown(kHalf + relief("$35040", one.lead), kHalfStore);
    CHECK(document["payback"] == one.payback);
    CHECK(near_usd(document["buying_usd"]) == near_usd(one.usd));
    CHECK(document["doing_nothing_usd"]["as_stated"].get<double>() == Approx(4 * 35040).epsilon(1e-3));
  }
  CHECK(grown(kHalf + relief("$500000", "0 s"), kHalfStore)["payback"].is_null());
  // Eight quarters of life, of which four are left at the horizon: half of the price.
  CHECK(near_usd(grown(kHalf + relief("$35040", "0 s", "730.5 days"), kHalfStore)["buying_usd"]) == near_usd(17520));
}

TEST_CASE("the cheapest moment of a purchase is named, where it is not on time, too", "[cli]") {
  const GrowthTestJson document = grown(kSteps + bandwidth("$50000000", "-5 %") + R"(, "quarters": 12)");
  double least = 1e300;
  for (const GrowthTestJson& row : document["regret"]) least = std::min(least, row["cost_usd"].get<double>());
  int named = 0;
  for (const GrowthTestJson& row : document["regret"])
    if (row["cheapest"].get<bool>()) {
      ++named;
      CHECK(row["cost_usd"] == least);
      CHECK(row["shift_quarters"] == 4);
    }
  CHECK(named == 1);
  const Folder folder;
  const std::string file =
      folder.write("a.json", scenario_with(kSteps + bandwidth("$50000000", "-5 %") + R"(, "quarters": 12)"));
  CHECK(says(testing::unbroken(run("growth '" + file + "'" + kFast).out),
             "servers 4 quarters after the stated need (no more was tried)"));
}

// Growth of 0 to 40 % a quarter where 20 % is stated: servers that cost less than a week of waiting GPUs are worth
// having before the stated growth asks for them.
TEST_CASE("the buy list stands where the orders cost the least on average over the draws", "[cli]") {
  const Folder folder;
  const std::string uncertain =
      R"("trends": [{"parameter": "/jobs/0/step/batch", "per_quarter": "20 %", "low": "0 %", "high": "40 %"}], )" +
      bandwidth("$1000", "0 %", "30 days") + R"(, "quarters": 12)";
  const std::string file = folder.write("a.json", scenario_with(uncertain));
  const auto answer = [&](const std::string& options) {
    return GrowthTestJson::parse(run("growth '" + file + "' --json" + kFast + options).out);
  };
  const GrowthTestJson document = answer("");
  double least = 1e300;
  double on_time = 0.0;
  for (const GrowthTestJson& row : document["regret"]) {
    least = std::min(least, row["cost_usd"].get<double>());
    if (row["shift_quarters"] == 0) on_time = row["cost_usd"];
  }
  CHECK(document["buying_expected_usd"].get<double>() == least);
  CHECK(document["on_time_expected_usd"].get<double>() == on_time);
  CHECK(least < 0.9 * on_time);
  const GrowthTestJson& first = document["buy_list"][0];
  CHECK(first["arrives"].get<std::string>() < first["needed"]["as_stated"].get<std::string>());
  CHECK(first["order"].get<std::string>() < first["arrives"].get<std::string>());
  CHECK(first["price_usd"] == 1000.0);
}

TEST_CASE("growth and total cost count GPUs that wait to the same dollars", "[cli]") {
  const Folder folder;
  const std::string file = folder.write("a.json", scenario_with(R"("trends": [], "quarters": 12)"));
  const std::string terms =
      " --set '/prices/total_cost={\"horizon\": \"3 years\", \"period\": \"quarter\", "
      "\"discount_rate\": \"8 %\", \"used\": \"80 %\"}'";
  const Run grows = run("growth '" + file + "' --json" + kFast + kHalfStore + terms);
  const Run costs = run("tco '" + file + "' --level flow --json" + kHalfStore + terms);
  INFO(grows.err << costs.err);
  REQUIRE(grows.status == 0);
  REQUIRE(costs.status == 0);
  const double usd = GrowthTestJson::parse(costs.out)["answer"]["doing_nothing_usd"];
  CHECK(usd > 0.0);
  CHECK(GrowthTestJson::parse(grows.out)["doing_nothing_usd"]["as_stated"].get<double>() == Approx(usd).epsilon(1e-6));
}

// Copies of two nodes on a pool of eight: 1.3 times as many each quarter, rounded: 3, 4, 5, 7. Four fit.
TEST_CASE("jobs that outgrow their pool make its GPUs full, and those that do not fit do not run", "[cli]") {
  const std::string growth =
      R"("trends": [{"parameter": "/jobs/0/copies", "per_quarter": "30 %"}], "quarters": 3, "purchases": [{"name": )"
      R"("nodes", "relieves": "GPUs", "adds": [{"parameter": "/cluster/pools/0/nodes", "share": "50 %"}], )"
      R"("price": "$100000"}])";
  const GrowthTestJson document =
      grown(growth, " --set /cluster/pools/0/nodes=8 --set /jobs/0/nodes=2 --set /jobs/0/copies=3");
  const GrowthTestJson gpus = layer(document, "GPUs");
  CHECK(gpus["resource"] == "nodes (p)");
  CHECK(gpus["quarters"][3]["busy_share"]["as_stated"].get<double>() == Approx(14.0 / 8.0));
  CHECK(gpus["quarters_to_full"].get<double>() == Approx(1.0));  // full with four, short of nodes after it
  REQUIRE(document["buy_list"].size() == 2);
  CHECK(document["buy_list"][0]["relieves"] == "GPUs");
  REQUIRE_FALSE(document["notes"].empty());
  CHECK(says(document["notes"].back(), "those that do not fit do not run"));
  CHECK(document["as_bought"].size() == 4);
}

// 5.12 of 20 GB/s at 20 % a quarter are full in the eighth quarter. Steps of a quarter of the time ask for four times
// as much from the day on which they come, and for nothing before it.
TEST_CASE("what a swap adds is there from its day on", "[cli]") {
  const auto full_with = [](const std::string& swaps) {
    return layer(grown(kSteps + swaps + R"("quarters": 12)"), "store")["quarters_to_full"].get<double>();
  };
  const auto swap = [](unsigned quarter, const char* step_time) {
    return fmt::format(R"("swaps": [{{"name": "s", "quarter": {}, "set": [{{"parameter": "/jobs/0/step/step_time", )"
                       R"("value": "{}"}}]}}], )",
                       quarter, step_time);
  };
  const double alone = full_with("");
  CHECK(alone > 7.0);
  CHECK(alone < 8.0);
  CHECK(full_with(swap(3, "25 ms")) == 3.0);
  CHECK(full_with(swap(8, "90 ms")) == Approx(alone).margin(0.02));  // growth alone, as in the quarter before
}

TEST_CASE("the room grows with what is bought", "[cli]") {
  const std::string growth =
      kSteps +
      R"("quarters": 12, "purchases": [{"name": "servers", "relieves": "store", "adds": [{"parameter": )"
      R"("/stores/0/bandwidth", "share": "100 %"}, {"parameter": "/stores/0/purchase/power", "share": "50 %"}], )"
      R"("price": "$1000"}])";
  const GrowthTestJson rooms =
      grown(growth, " --set '/stores/0/purchase={\"power\": \"10 kW\", \"rack_units\": 12}'")["as_bought"];
  REQUIRE(rooms.size() == 13);
  CHECK(rooms[0]["room"]["rack_units"] == 12.0);
  // 5.12 of 20 GB/s at 20 % a quarter take two steps in three years, each with half the power of today.
  CHECK(rooms[12]["room"]["site_power_w"].get<double>() ==
        Approx(2.0 * rooms[0]["room"]["site_power_w"].get<double>()));
  CHECK(rooms[12]["room"]["node_drive_writes_per_day"].is_null());
  // Another purchase that adds to the same power, of today's value too: what both add adds up.
  const std::string two =
      R"("trends": [{"parameter": "/jobs/0/step/batch", "per_quarter": "20 %"}, {"parameter": "/datasets/0/files", )"
      R"("per_quarter": "5 %"}], )" +
      growth.substr(kSteps.size(), growth.size() - kSteps.size() - 1) +
      R"(, {"name": "drives", "relieves": "capacity", "adds": [{"parameter": "/stores/0/capacity", "share": "100 %"}, )"
      R"({"parameter": "/stores/0/purchase/power", "share": "50 %"}], "price": "$1000"}])";
  const GrowthTestJson both = grown(
      two, " --set '/stores/0/purchase={\"power\": \"10 kW\", \"rack_units\": 12}' --set '/stores/0/capacity=50 TB'");
  double steps = 0.0;
  for (const GrowthTestJson& item : both["buy_list"])
    if (!item["arrives"].is_null()) steps += item["steps"].get<double>();
  REQUIRE(steps == 3.0);  // two of servers, and 40 TB become 72
  const GrowthTestJson& then = both["as_bought"];
  CHECK(then[12]["room"]["site_power_w"].get<double>() ==
        Approx((1.0 + 0.5 * steps) * then[0]["room"]["site_power_w"].get<double>()));
  // Nothing is drawn but the growth, which is stated without a range.
  CHECK(rooms[12]["drawn_waiting_gpus"]["as_stated"] == rooms[12]["waiting_gpus"]);
  CHECK(rooms[12]["drawn_waiting_gpus"]["p90"] == rooms[12]["waiting_gpus"]);
}

TEST_CASE("a growth document is shown again, and written again with the same bytes", "[cli]") {
  const Folder folder;
  const std::string file = folder.path("growth.json");
  const std::string scenario = folder.write("a.json", scenario_with(kData + "}]"));
  REQUIRE(run("growth '" + scenario + "' --json" + kFast + "-o '" + file + "'").status == 0);
  const Run again = run("report '" + file + "' --format json");
  CHECK(again.status == 0);
  CHECK(again.out == testing::file_text(file));
  CHECK(says(run("report '" + file + "' --format csv").out, "quarter,date,layer,resource,busy_share"));
  CHECK(says(run("report '" + file + "'").out, "</html>"));
  CHECK(GrowthTestJson::parse(again.out)["kind"] == "growth");
}

TEST_CASE("a simulated quarter of the growing fleet has its interval", "[cli]") {
  const Run result = run("growth growing-fleet");
  INFO(result.out);
  CHECK(says(testing::unbroken(result.out), "GPUs wait 14.1 % on 2028-04-01 (simulated 14.0 +- 1.4 %)."));
}

TEST_CASE("the growing fleet answers on one screen", "[cli]") {
  const Folder folder;
  const std::string page = folder.path("growth.html");
  const Run result = run("growth growing-fleet --simulate off --report '" + page + "'");
  INFO(result.err);
  CHECK(result.status == 0);
  CHECK(std::count(result.out.begin(), result.out.end(), '\n') <= 20);
  CHECK(says(result.out, "capacity"));
  CHECK(says(result.out, "cost, discounted at 8 % a year"));
  CHECK(says(testing::unbroken(result.out), "buy as listed $3.23 M $1.14 M $1.12 M to $8.23 M"));
  CHECK(says(testing::unbroken(result.out),
             "Buying so: orders of $1.44 M, upkeep, GPUs that still wait (0 at the end, 243 or more in a tenth of the "
             "draws), less what is left; paid back by 2028-08-10."));
  CHECK(says(testing::unbroken(result.out),
             "Cheapest on average: all 4 quarters before the stated need; at need $5.38 M."));
  CHECK_FALSE(says(result.out, "2029-10-14"));  // after the horizon: later
  const std::string html = testing::file_text(page);
  CHECK(says(html, "Cheapest on average: all 4 quarters before the stated need;"));
  CHECK(says(html, ">2027-10<"));  // the axis has dates
  CHECK_FALSE(says(html, "quarters from"));
}

TEST_CASE("what growth cannot use is refused where it stands", "[cli]") {
  CHECK(says(refusal(kData + "}]", "--quarters 0"), "--quarters"));
  CHECK(says(refusal(R"("quarters": 0)"), "E0207"));
  CHECK(says(refusal(R"("trends": [{"parameter": "/datasets/0/files", "per_quarter": "-100 %"}])"), "E0207"));
  CHECK(says(refusal(bandwidth("-$5", "0 %")), "E0207"));
  CHECK(says(refusal(bandwidth("$5", "-120 %")), "E0207"));
  CHECK(says(refusal(kData + "}]", "", "2026-02-30"), "E0220"));
  CHECK(says(refusal(kData + "}]", "", "soon"), "'soon' is not a date"));
  CHECK(says(refusal(R"("trends": [{"parameter": "/datasets/7/files", "per_quarter": "1 %"}])"), "E0216"));
  CHECK(says(refusal(kData + R"(, "low": "20 %", "high": "30 %"}])"), "E0210"));
  CHECK(says(refusal(R"("trend": [])"), "E0203"));
  const Run without = run("growth image-node");
  CHECK(without.status == 2);
  CHECK(says(without.err, "has no growth part"));
}

}  // namespace headrace
