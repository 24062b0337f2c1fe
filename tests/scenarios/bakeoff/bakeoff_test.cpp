// Offers against each other: ranks, break-even prices, deciding claims, and what an offer must not say.
#include "scenarios/bakeoff/bakeoff.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>

#include "scenarios/document/described_document.hpp"
#include "scenarios/total_cost/total_cost_document.hpp"
#include "tests/catch.hpp"
#include "tests/scenarios/bakeoff/two_gpus.hpp"
#include "tests/scenarios/test_files.hpp"

namespace headrace::scenarios {
namespace {

using Json = nlohmann::ordered_json;
using headrace::testing::kTwoGpus;

Json offer_json(const std::string& name, const std::string& bandwidth, const std::string& capital) {
  Json claims = Json::array();
  for (const char* key : {"bandwidth", "write_bandwidth", "latency", "capacity"})
    claims.push_back({{"parameter", key}, {"evidence", key == std::string("bandwidth") ? "assumed" : "published"}});
  return {{"kind", "offer"},
          {"name", name},
          {"as_of", "2026-11-01"},
          {"store",
           {{"bandwidth", bandwidth},
            {"write_bandwidth", "0.4 GB/s"},
            {"latency", "1 ms"},
            {"capacity", "1 TB"},
            {"purchase", {{"capital", capital}}}}},
          {"degraded", {{"bandwidth", "0.4 GB/s"}}},
          {"degraded_time", 0.1},
          {"claims", claims}};
}

LoadedScenario two_gpus(const TestFiles& folder) {
  auto loaded = load_scenario(std::vector<std::string>{folder.write("s.json", kTwoGpus)});
  REQUIRE(loaded);
  return std::move(*loaded);
}

BakeoffOptions short_run(unsigned threads = 1) {
  BakeoffOptions options;
  options.draws = 8;
  options.steps = 128;
  options.threads = threads;
  return options;
}

std::vector<LoadedOffer> offers_of(const TestFiles& folder, const std::vector<Json>& jsons) {
  std::vector<LoadedOffer> offers;
  for (const Json& json : jsons) {
    auto offer = load_offer(folder.write(json["name"].get<std::string>() + ".json", json.dump(2)));
    REQUIRE(offer);
    offers.push_back(std::move(*offer));
  }
  return offers;
}

Bakeoff bakeoff_of(const LoadedScenario& scenario, const std::vector<LoadedOffer>& offers, unsigned threads = 1) {
  auto bakeoff = run_bakeoff(scenario, offers, Catalogue::shipped(), short_run(threads));
  REQUIRE(bakeoff);
  return std::move(*bakeoff);
}

std::string complaint(const TestFiles& folder, const Json& json) {
  auto offer = load_offer(folder.write("bad.json", json.dump(2)));
  if (!offer) return print_text(offer.error());
  const LoadedScenario scenario = two_gpus(folder);
  std::vector<LoadedOffer> offers;
  offers.push_back(std::move(*offer));
  auto bakeoff = run_bakeoff(scenario, offers, Catalogue::shipped(), short_run());
  return bakeoff ? "" : print_text(bakeoff.error());
}

/// Whether a text has all parts, in any order.
bool says(const std::string& text, const std::vector<std::string>& parts) {
  UNSCOPED_INFO(text);
  return std::all_of(parts.begin(), parts.end(),
                     [&](const std::string& part) { return text.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("bakeoff: ranks are the same bytes for any order of offers and any number of threads") {
  const TestFiles folder;
  const LoadedScenario scenario = two_gpus(folder);
  const Json a = offer_json("A", "1 GB/s", "$10000");
  const Json b = offer_json("B", "1.5 GB/s", "$15000");
  const std::string once = bakeoff_json(bakeoff_of(scenario, offers_of(folder, {a, b}))).dump();
  CHECK(bakeoff_json(bakeoff_of(scenario, offers_of(folder, {b, a}))).dump() == once);
  CHECK(bakeoff_json(bakeoff_of(scenario, offers_of(folder, {a, b}), 4)).dump() == once);
}

TEST_CASE("bakeoff: the document reads back to the same bytes") {
  const TestFiles folder;
  const Bakeoff bakeoff = bakeoff_of(two_gpus(folder), offers_of(folder, {offer_json("A", "1 GB/s", "$10000")}));
  const std::string text = bakeoff_json(bakeoff).dump(2);
  const auto again = read_bakeoff("b.json", text);
  if (!again) FAIL(print_text(again.error()));
  CHECK(bakeoff_json(*again).dump(2) == text);
  CHECK_FALSE(read_total_cost("b.json", text));
  const auto empty = read_bakeoff("e.json", R"({"kind": "bakeoff"})");
  REQUIRE_FALSE(empty);
  CHECK(says(print_text(empty.error()), {"E0131", "its 'contenders' says nothing", "headrace bakeoff --json"}));
  const auto no_cost = read_total_cost("e.json", R"({"kind": "total_cost"})");
  REQUIRE_FALSE(no_cost);
  CHECK(says(print_text(no_cost.error()), {"E0131", "its 'answer' says nothing"}));
}

TEST_CASE("bakeoff: the same store at two prices ranks by price, and breaks even at the lower") {
  const TestFiles folder;
  Json high = offer_json("dear", "1 GB/s", "$12000");
  Json low = offer_json("cheap", "1 GB/s", "$6000");
  high["claims"][0]["evidence"] = low["claims"][0]["evidence"] = "measured";
  const Bakeoff bakeoff = bakeoff_of(two_gpus(folder), offers_of(folder, {high, low}));
  const auto named = [&](const std::string& name) {
    return *std::find_if(bakeoff.contenders.begin(), bakeoff.contenders.end(),
                         [&](const Contender& one) { return one.name == name; });
  };
  const Contender cheap = named("cheap");
  const Contender dear = named("dear");
  CHECK(cheap.rank == 1);
  CHECK(dear.best_probability == 0.0);
  CHECK(dear.usd_as_claimed > cheap.usd_as_claimed);
  REQUIRE(dear.break_even_capital_usd);
  CHECK(*dear.break_even_capital_usd == Approx(6000.0).epsilon(1e-6));
  CHECK_FALSE(cheap.break_even_capital_usd);
  // Two thirds of 0.8 GB/s are fed at 0.5 GB/s: doing nothing waits.
  CHECK(named("doing nothing").answer.gpu_idle_fraction == Approx(1.0 - 0.5 / 0.8).margin(0.05));
  REQUIRE(cheap.gain);
  CHECK(cheap.gain->gained_usd > 0.0);
  // A tenth of the time at 0.4 GB/s, half of what the GPUs need.
  CHECK(cheap.goodput_degraded == Approx(0.5).margin(0.05));
  CHECK(cheap.answer.goodput_fraction ==
        Approx(0.9 * cheap.goodput_normal + 0.1 * cheap.goodput_degraded).epsilon(1e-9));
}

TEST_CASE("bakeoff: an offer that comes late ranks by what there is until then") {
  const TestFiles folder;
  Json now = offer_json("now", "1 GB/s", "$12000");
  Json late = offer_json("late", "1 GB/s", "$11000");
  late["lead_time"] = "1 year";
  Json never = offer_json("never", "1 GB/s", "$6000");
  never["lead_time"] = "10 years";
  for (Json* offer : {&now, &late, &never}) (*offer)["claims"][0]["evidence"] = "measured";
  const Bakeoff bakeoff = bakeoff_of(two_gpus(folder), offers_of(folder, {now, late, never}));
  CHECK(bakeoff.contenders[0].name == "now");
  CHECK(bakeoff.contenders[1].name == "late");
  // Paid, and never there: as many useful hours as if nothing were done.
  const Contender& nothing = bakeoff.contenders[2];
  const Contender& beyond = bakeoff.contenders[3];
  CHECK(nothing.nothing);
  CHECK(beyond.name == "never");
  CHECK(beyond.answer.useful_gpu_hours == Approx(nothing.answer.useful_gpu_hours).epsilon(1e-9));
  CHECK(beyond.answer.present_value_usd > nothing.answer.present_value_usd);
  // The rank and the net present value tell the same story.
  for (std::size_t i = 0; i + 1 < bakeoff.contenders.size(); ++i)
    if (bakeoff.contenders[i].gain && bakeoff.contenders[i + 1].gain)
      CHECK(bakeoff.contenders[i].gain->net_present_value_usd > bakeoff.contenders[i + 1].gain->net_present_value_usd);
  CHECK(beyond.gain->net_present_value_usd < 0.0);
}

TEST_CASE("bakeoff: offers that draws do not tell apart are a tie") {
  const TestFiles folder;
  const Bakeoff bakeoff =
      bakeoff_of(two_gpus(folder),
                 offers_of(folder, {offer_json("A", "0.9 GB/s", "$10000"), offer_json("B", "0.9 GB/s", "$10000")}));
  CHECK_FALSE(bakeoff.contenders[0].is_tied());
  CHECK(bakeoff.contenders[1].is_tied());
  const Contender& nothing = bakeoff.contenders[2];
  CHECK(nothing.nothing);
  CHECK(nothing.is_tied() == (*nothing.more_than_first_low_usd <= 0.0));
  CHECK(*nothing.more_than_first_high_usd > *bakeoff.contenders[1].more_than_first_high_usd);
}

TEST_CASE("bakeoff: without prices doing nothing ranks first, with a warning") {
  const TestFiles folder;
  Json unpriced = Json::parse(kTwoGpus);
  unpriced.erase("prices");
  for (Json& store : unpriced["stores"]) store.erase("price");
  const auto loaded = load_scenario(std::vector<std::string>{folder.write("u.json", unpriced.dump(2))});
  REQUIRE(loaded);
  const Bakeoff bakeoff = bakeoff_of(*loaded, offers_of(folder, {offer_json("A", "1 GB/s", "$10000")}));
  CHECK(bakeoff.contenders[0].nothing);
  CHECK(bakeoff.contenders[0].best_probability == 1.0);
  CHECK(bakeoff.contenders[1].best_probability == 0.0);
  REQUIRE(bakeoff.warnings.size() == 2);
  CHECK(says(bakeoff.warnings[0].seen, {"states no prices"}));
  CHECK(says(bakeoff.warnings[1].seen, {"offer A states no lead time"}));
}

TEST_CASE("bakeoff: an offer that is paid by use breaks even at a part of its prices") {
  const TestFiles folder;
  const auto by_use = [](const char* name, const char* price) {
    Json json = offer_json(name, "1 GB/s", "$1");
    json["claims"][0]["evidence"] = "measured";
    json["store"].erase("purchase");
    json["store"]["price"] = {{"capacity", price}};
    return json;
  };
  const Bakeoff bakeoff = bakeoff_of(
      two_gpus(folder), offers_of(folder, {by_use("cheap", "$20/TB-month"), by_use("dear", "$80/TB-month")}));
  CHECK(bakeoff.contenders[0].name == "cheap");
  CHECK_FALSE(bakeoff.contenders[0].break_even_price_fraction);
  CHECK(bakeoff.contenders[1].name == "dear");
  REQUIRE(bakeoff.contenders[1].break_even_price_fraction);
  CHECK(*bakeoff.contenders[1].break_even_price_fraction == Approx(0.25).epsilon(1e-6));
}

TEST_CASE("bakeoff: what was measured of a store limits what is claimed of a part of it") {
  const TestFiles folder;
  Json json = offer_json("A", "1 GB/s", "$10000");
  json["store"]["stream"] = "0.9 GB/s";
  json["claims"].push_back({{"parameter", "stream"}, {"evidence", "published"}});
  const std::string layer = folder.write("m.json", R"({"stores": [{"name": "poc", "bandwidth": "0.3 GB/s"}]})");
  std::vector<LoadedOffer> offers;
  auto measured = load_offer(folder.write("A.json", json.dump(2)), layer);
  REQUIRE(measured);
  offers.push_back(std::move(*measured));
  const Bakeoff bakeoff = bakeoff_of(two_gpus(folder), offers);  // below the 0.4 GB/s claimed while a part has failed
  const Contender& a = bakeoff.contenders[bakeoff.contenders[0].nothing ? 1 : 0];
  CHECK(a.goodput_degraded == Approx(a.goodput_normal).epsilon(1e-9));
}

TEST_CASE("bakeoff: claims are derated by their evidence, and a measured layer takes their place") {
  const TestFiles folder;
  const LoadedScenario scenario = two_gpus(folder);
  Json json = offer_json("A", "0.9 GB/s", "$10000");
  json["claims"][2]["evidence"] = "datasheet";  // latency
  const auto offers = offers_of(folder, {json});
  const auto with = with_offer(scenario, 0, offers[0], false, Catalogue::shipped());
  REQUIRE(with);
  const auto inputs = derated_claims(with->value, 0, offers[0].offer);
  REQUIRE(inputs.size() == 2);
  CHECK(inputs[0].pointer == "/stores/0/bandwidth");
  CHECK(inputs[0].low == Approx(0.6e9));
  CHECK(inputs[0].high == Approx(0.9e9));
  CHECK(inputs[1].low == Approx(1e-3));  // a duration gets longer
  CHECK(inputs[1].high == Approx(1.1e-3));
  const std::string layer = folder.write("m.json", R"({"stores": [{"name": "poc", "bandwidth": "0.7 GB/s"}]})");
  const auto measured = load_offer(folder.write("A.json", json.dump(2)), layer);
  REQUIRE(measured);
  const auto then = with_offer(scenario, 0, *measured, false, Catalogue::shipped());
  REQUIRE(then);
  CHECK(then->value.stores[0].bandwidth_bytes_per_s == Approx(0.7e9));
  CHECK(derated_claims(then->value, 0, measured->offer).size() == 1);
}

TEST_CASE("bakeoff: an offer that cannot run in part of its ranges ranks after those that always can") {
  const TestFiles folder;
  Json tight = offer_json("tight", "1 GB/s", "$1000");  // the dataset takes 100 GB
  tight["store"]["capacity"] = "120 GB";
  tight["claims"][3]["evidence"] = "assumed";
  tight["claims"][3]["low"] = "90 GB";
  tight["claims"][3]["high"] = "130 GB";
  const Bakeoff bakeoff =
      bakeoff_of(two_gpus(folder), offers_of(folder, {tight, offer_json("wide", "1 GB/s", "$9000")}));
  for (const Contender& one : bakeoff.contenders) {
    INFO(one.name);
    CHECK(one.infeasible.empty());
    CHECK((one.feasible_share < 1.0) == (one.name == "tight"));
    CHECK((one.rank == bakeoff.contenders.size()) == (one.name == "tight"));
    CHECK(one.feasible_share == (one.name == "tight" ? 0.5 : 1.0));
  }
}

TEST_CASE("bakeoff: an offer beyond the power or the space of the room cannot be bought") {
  const TestFiles folder;
  Json hungry = offer_json("hungry", "1 GB/s", "$1000");
  hungry["store"]["purchase"]["power"] = "3 kW";
  hungry["store"]["purchase"]["rack_units"] = 4;
  for (const auto& [limit, value, words] :
       {std::tuple{"power_limit", "2 kW", "power of the room"}, {"rack_unit_limit", "", "space of the room"}}) {
    INFO(limit);
    Json json = Json::parse(kTwoGpus);
    json["prices"]["total_cost"][limit] = *value != 0 ? Json(value) : Json(2);
    auto loaded = load_scenario(std::vector<std::string>{folder.write("room.json", json.dump(2))});
    REQUIRE(loaded);
    const Bakeoff bakeoff = bakeoff_of(*loaded, offers_of(folder, {hungry, offer_json("frugal", "1 GB/s", "$9000")}));
    CHECK(bakeoff.contenders.back().name == "hungry");
    CHECK(bakeoff.contenders.back().infeasible.find(words) != std::string::npos);
    CHECK(bakeoff.contenders.front().infeasible.empty());
  }
}

TEST_CASE("bakeoff: what is missing, negative or contradictory is refused with its place") {
  const TestFiles folder;
  Json json = offer_json("A", "1 GB/s", "$10000");
  CHECK(complaint(folder, json).empty());
  Json bad = json;
  bad["store"].erase("latency");
  bad["claims"].erase(2);
  CHECK(says(complaint(folder, bad), {"E0550", "claims no latency", "bad.json:"}));
  bad = json;
  bad["claims"].erase(0);
  CHECK(says(complaint(folder, bad), {"E0550", "how well 'bandwidth' is known"}));
  bad = json;
  bad["units"] = 4;
  bad["unit_bandwidth"] = "2 GB/s";
  CHECK(says(complaint(folder, bad), {"E0551", "one unit is claimed to deliver 2 GB/s"}));
  bad["unit_bandwidth"] = "0.2 GB/s";
  CHECK(says(complaint(folder, bad), {"E0551", "bad.json:"}));
  bad = json;
  bad["degraded"]["bandwidth"] = "2 GB/s";
  CHECK(says(complaint(folder, bad), {"E0551", "while a part has failed"}));
  bad = json;
  bad["degraded"]["write_bandwidth"] = "0.6 GB/s";
  CHECK(says(complaint(folder, bad), {"E0551", "writes at 600 MB/s are claimed while a part has failed"}));
  const auto with_range = [&](const char* low, const char* high) {
    Json other = json;
    other["claims"][0]["low"] = low;
    other["claims"][0]["high"] = high;
    return complaint(folder, other);
  };
  CHECK(with_range("0.9 GB/s", "1.1 GB/s").empty());
  CHECK(says(with_range("1.1 GB/s", "0.9 GB/s"), {"E0551", "ends at 0.9 GB/s, below 1.1 GB/s", "swap low and high"}));
  CHECK(says(with_range("0.5 GB/s", "0.9 GB/s"), {"E0551", "0.5 GB/s to 0.9 GB/s, but 1 GB/s is claimed"}));
  CHECK(says(with_range("0.5 GB/s", "90 ms"), {"E0551", "no two quantities of the claim's kind"}));
  CHECK(says(with_range("1 ms", "2 ms"), {"E0551", "no two quantities of the claim's kind"}));
  CHECK(says(with_range("0.5 GB/s", ""), {"a range has two ends"}));
  bad = json;
  bad["claims"].push_back({{"parameter", "bandwidth"}, {"evidence", "measured"}});
  CHECK(says(complaint(folder, bad), {"E0551", "say twice how well 'bandwidth' is known"}));
  bad = json;
  bad["as_of"] = "someday";
  CHECK(says(complaint(folder, bad), {"E0551", "'someday' is no date"}));
  bad = json;
  bad["valid_until"] = "2026-02-30";
  CHECK(says(complaint(folder, bad), {"E0551", "valid_until '2026-02-30'"}));
  bad["valid_until"] = "2026-10-31";
  CHECK(says(complaint(folder, bad), {"E0551", "valid until 2026-10-31, before its prices of 2026-11-01"}));
  bad = json;
  bad["store"]["purchase"]["capital"] = "-$5";
  CHECK(says(complaint(folder, bad), {"E0207", "bad.json:"}));
  bad = json;
  bad["store"]["bandwith"] = "1 GB/s";
  bad["claims"].push_back({{"parameter", "bandwith"}});
  CHECK(says(complaint(folder, bad), {"E0203", "bad.json:"}));
  bad = json;
  bad.erase("kind");
  CHECK(says(complaint(folder, bad), {"E0131"}));
  Json horizon = Json::parse(kTwoGpus);
  horizon["prices"]["total_cost"]["horizon"] = "0 years";
  const auto loaded = load_scenario(std::vector<std::string>{folder.write("h.json", horizon.dump(2))});
  REQUIRE_FALSE(loaded);
  CHECK(says(print_text(loaded.error()), {"E0207", "h.json:"}));
}

TEST_CASE("tco: the document reads back to the same bytes") {
  TotalCostDocument document;
  document.title = "a";
  document.answer.horizon_years = 3.0;
  document.answer.total_usd = 1234.56789;
  document.answer.cash_flow = {{.end_years = 0.0, .capital = 1e6}, {.end_years = 1.0, .rent = 0.1}};
  document.nothing = NothingDone{};
  document.nothing->gain.payback_years = 1.25;
  const std::string text = total_cost_json(document).dump(2);
  const auto again = read_total_cost("t.json", text);
  if (!again) FAIL(print_text(again.error()));
  CHECK(total_cost_json(*again).dump(2) == text);
  CHECK(cash_flow_csv(document.answer.cash_flow).find("0,1000000.00,0.00") != std::string::npos);
}

}  // namespace headrace::scenarios
