// headrace tco and bakeoff as people call them: pages, Markdown and tables of their documents, what is refused, and the
// limits of a machine room in a plan.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"
#include "tests/scenarios/bakeoff/two_gpus.hpp"

namespace headrace {
namespace {

using testing::file_text;
using testing::Folder;
using testing::kTwoGpus;
using testing::Run;
using testing::run;
using DecisionJson = nlohmann::json;

DecisionJson offer_of(const std::string& name, const std::string& capital) {
  DecisionJson claims = DecisionJson::array();
  for (const char* key : {"bandwidth", "write_bandwidth", "latency", "capacity"})
    claims.push_back({{"parameter", key}, {"evidence", "published"}});
  return {{"kind", "offer"},
          {"name", name},
          {"as_of", "2026-11-01"},
          {"store",
           {{"bandwidth", "1 GB/s"},
            {"write_bandwidth", "0.4 GB/s"},
            {"latency", "1 ms"},
            {"capacity", "1 TB"},
            {"purchase", {{"capital", capital}}}}},
          {"degraded", {{"bandwidth", "0.9 GB/s"}}},
          {"claims", claims}};
}

struct Bench {
  Folder folder;
  std::string scenario = folder.write("s.json", kTwoGpus);

  std::string offer(const DecisionJson& json) const {
    return "'" + folder.write(json["name"].get<std::string>() + ".json", json.dump(2)) + "' ";
  }
  Run bakeoff(const std::string& offers, const std::string& more = "") const {
    return run("bakeoff '" + scenario + "' --offers " + offers + " --draws 8 " + more);
  }
  Run report(const std::string& document, const std::string& more) const {
    return run("report '" + document + "' " + more);
  }
};

bool tells(const std::string& text, const std::string& part) {
  UNSCOPED_INFO(text);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a bakeoff is shown as page, Markdown and table, with every quote", "[cli]") {
  const Bench bench;
  const std::string file = bench.folder.path("b.json");
  DecisionJson small = offer_of("small", "$1000");  // the dataset takes 100 GB
  small["store"]["capacity"] = "50 GB";
  const Run made = bench.bakeoff(
      bench.offer(offer_of("cheap", "$6000")) + bench.offer(offer_of("dear", "$12000")) + bench.offer(small),
      "--json -o '" + file + "'");
  INFO(made.err);
  REQUIRE(made.status == 0);
  const auto document = DecisionJson::parse(file_text(file));
  CHECK(document["contenders"].back()["name"] == "small");
  CHECK(tells(document["contenders"].back()["infeasible"], "capacity of store"));
  CHECK(document["steps"].get<int>() >= 256);
  CHECK(bench.report(file, "--json").out == file_text(file));
  const std::string page = bench.report(file, "").out;
  const std::string text = bench.report(file, "--format markdown").out;
  for (const char* part : {"cheap costs least", "cannot run: ", "capacity of store", "doing nothing"}) {
    CHECK(tells(page, part));
    CHECK((part == std::string("cheap costs least") || tells(text, part)));
  }
  CHECK(tells(page, "<svg"));
  CHECK(tells(text, "## headrace bakeoff"));
  const std::string table = bench.report(file, "--format csv").out;
  CHECK(std::count(table.begin(), table.end(), '\n') == 5);
  CHECK(tells(table, "4,\"small\""));
  const Run none = bench.report(file, "--format junit");
  CHECK(none.status == 2);
  CHECK(tells(none.err, "html, json, csv or markdown"));
}

TEST_CASE("the memo of a bakeoff has every quote, on one basis", "[cli]") {
  const Bench bench;
  const std::string file = bench.folder.path("b.json");
  DecisionJson small = offer_of("small", "$1000");
  small["store"]["capacity"] = "50 GB";
  DecisionJson late = offer_of("late", "$6500");
  late["lead_time"] = "280 days";
  REQUIRE(bench
              .bakeoff(bench.offer(offer_of("cheap", "$6000")) + bench.offer(offer_of("dear", "$12000")) +
                           bench.offer(small) + bench.offer(late),
                       "--json -o '" + file + "'")
              .status == 0);
  const std::string memo = bench.folder.path("m.md");
  REQUIRE(bench.report(file, "--memo -o '" + memo + "'").status == 0);
  const std::string text = file_text(memo);
  CHECK(tells(
      text,
      "| option | per useful GPU hour, mean over the ranges | total cost over 3 years, present value, in the middle of "
      "all ranges |"));
  CHECK(tells(text, "per useful GPU hour (over 3 years, present value)"));
  CHECK(tells(text, "**Not among the options.**"));
  for (const char* name : {"cheap", "dear", "late", "small: cannot run: ", "doing nothing"}) CHECK(tells(text, name));
  CHECK(tells(text, "serves 280 days after the order (cheap: 0), paid back after 13 months"));
  CHECK(tells(bench.report(file, "--memo").out, "Not among the options"));
}

TEST_CASE("a later delivery pays back later", "[cli]") {
  const Bench bench;
  DecisionJson soon = offer_of("soon", "$9000");
  DecisionJson late = offer_of("late", "$9000");
  late["lead_time"] = "73 days";  // a fifth of a year
  const Run done = bench.bakeoff(bench.offer(soon) + bench.offer(late), "--json");
  REQUIRE(done.status == 0);
  double payback[2] = {0.0, 0.0};
  double value[2] = {0.0, 0.0};
  const auto document = DecisionJson::parse(done.out);
  for (const auto& one : document["contenders"])
    if (one["name"] != "doing nothing") {
      payback[one["name"] == "late"] = one["gain"]["payback_years"];
      value[one["name"] == "late"] = one["gain"]["net_present_value_usd"];
    }
  CHECK(payback[1] == Approx(payback[0] + 0.2).epsilon(0.05));
  CHECK(value[1] < value[0]);
}

TEST_CASE("bakeoff refuses missing and contradictory claims, zero horizons and negative prices", "[cli]") {
  const Bench bench;
  const auto refused = [&](const Run& done, const std::string& code, const std::string& place) {
    CHECK(done.status == 2);
    CHECK(tells(done.err, code));
    CHECK(tells(done.err, place));
    CHECK(tells(done.err, "= help: "));
  };
  DecisionJson bad = offer_of("bad", "$6000");
  bad["store"].erase("latency");
  bad["claims"].erase(2);
  refused(bench.bakeoff(bench.offer(bad)), "E0550", "bad.json:");
  bad = offer_of("bad", "$6000");
  bad["degraded"]["bandwidth"] = "2 GB/s";
  refused(bench.bakeoff(bench.offer(bad)), "E0551", "bad.json:");
  refused(bench.bakeoff(bench.offer(offer_of("bad", "-$5"))), "E0207", "bad.json:");
  const std::string good = bench.offer(offer_of("good", "$6000"));
  refused(bench.bakeoff(good, "--set '/prices/total_cost/horizon=0 years'"), "E0207", "horizon");
  CHECK(bench.bakeoff(good, "--replaces nowhere").status == 2);
  CHECK(bench.bakeoff(good, "--draws 7").status == 2);
  CHECK(bench.bakeoff(good + good).status == 2);
}

TEST_CASE("an offer without a lead time is told, since it counts as serving at once", "[cli]") {
  const Bench bench;
  DecisionJson offer = offer_of("soon", "$6000");
  const Run silent = bench.bakeoff(bench.offer(offer));
  CHECK(tells(testing::unbroken(silent.out), "offer soon states no lead time"));
  offer["lead_time"] = "30 days";
  CHECK_FALSE(tells(testing::unbroken(bench.bakeoff(bench.offer(offer)).out), "states no lead time"));
}

TEST_CASE("a total cost without any price is refused, and a change without a price is an upper limit", "[cli]") {
  const Run free = run("tco image-node --level flow");
  CHECK(free.status == 2);
  CHECK(tells(free.err, "nothing in the scenario has a price"));
  const Run gain = run(
      "tco vision-cluster-offers --level flow --set '/stores/0/bandwidth=48 GB/s' --do-nothing vision-cluster-offers");
  CHECK(gain.status == 0);
  CHECK(tells(testing::unbroken(gain.out), "The change has no price, so what it gains is an upper limit"));
}

TEST_CASE("one price of an hour for GPUs of two models is told where costs are compared", "[cli]") {
  const std::string other = " --set-b '/cluster/pools/0/gpu=B200-HGX' --steps 64";
  const std::string price = " --set '/prices/gpu_hour=$4/h'";
  const std::string told = "an hour of B200-HGX counts as one of H100-SXM5-80GB, $4.00: set /prices/gpu_hour of each";
  CHECK(tells(testing::unbroken(run("compare image-node image-node" + price + other).out), told));
  CHECK_FALSE(tells(run("compare image-node image-node" + other).out, "counts as one of"));
  CHECK_FALSE(tells(run("compare image-node image-node" + price + other + " --set-b '/prices/gpu_hour=$6/h'").out,
                    "counts as one of"));
  const Folder folder;
  const std::string old = folder.write("old.json", R"({"extends": "image-node", "prices": {"gpu_hour": "$4/h"}})");
  const Run total =
      run("tco image-node --level flow" + price + " --set '/cluster/pools/0/gpu=B200-HGX' --do-nothing '" + old + "'");
  INFO(total.err);
  CHECK(tells(testing::unbroken(total.out), told));
}

TEST_CASE("a total cost is shown as page, Markdown and table, and broken terms are refused", "[cli]") {
  const Bench bench;
  const std::string file = bench.folder.path("t.json");
  const Run made = run("tco '" + bench.scenario + "' --level flow --set '/stores/0/bandwidth=1 GB/s' --do-nothing '" +
                       bench.scenario + "' --json -o '" + file + "'");
  INFO(made.err);
  REQUIRE(made.status == 0);
  CHECK(bench.report(file, "--json").out == file_text(file));
  const std::string page = bench.report(file, "").out;
  const std::string text = bench.report(file, "--format markdown").out;
  for (const char* part : {"A useful GPU hour costs", "Over doing nothing", "Cash flow", "cost of a useful GPU hour"}) {
    CHECK(tells(page, part));
    CHECK(tells(text, part));
  }
  CHECK(tells(page, "<svg"));
  CHECK(bench.report(file, "--format csv").out.starts_with("end_years,capital_usd"));
  for (const char* set : {"'/prices/total_cost/horizon=0 years'", "'/prices/gpu_hour=-$2/h'",
                          "'/prices/total_cost/staff=-$1/year'", "'/stores/0/purchase={\"capital\": \"-$5\"}'"}) {
    const Run refused = run("tco '" + bench.scenario + "' --level flow --set " + set);
    INFO(set);
    CHECK(refused.status == 2);
    CHECK(tells(refused.err, "E0207"));
    CHECK(tells(refused.err, "--set:1:"));
    CHECK(tells(refused.err, "= help: "));
  }
  const Run both =
      run("tco '" + bench.scenario +
          "' --level flow --set '/prices/total_cost={\"horizon\": \"3 years\", \"resale\": 0.5, \"lease\": {}}'");
  CHECK(both.status == 2);
  CHECK(tells(both.err, "leased machines go back"));
}

TEST_CASE("a bakeoff or a total cost that was cut short is refused with its place", "[cli]") {
  const Bench bench;
  for (const char* kind : {"bakeoff", "total_cost"}) {
    INFO(kind);
    const Run refused =
        bench.report(bench.folder.write("cut.json", std::string(R"({"kind": ")") + kind +
                                                        R"(", "format_version": "1.0", "answer": 7, "draws": "many"})"),
                     "");
    CHECK(refused.status == 2);
    CHECK(tells(refused.err, "cut.json:"));
  }
}

TEST_CASE("a plan leaves out what the machine room cannot hold, and says so", "[cli]") {
  const std::string owned =
      "plan image-node --inputs nominal --set /cluster/pools/0/gpus_per_node=2 --set '/prices={\"owned\": "
      "{\"gpu_capital\": "
      "\"$30000\", \"node_power\": \"1 kW\", \"pue\": 1.2}, \"total_cost\": {\"horizon\": \"3 years\", LIMIT}}' "
      "--decide /cluster/pools/0/nodes=1,2,4 --json";
  const auto with = [&owned](const std::string& limit) {
    std::string call = owned;
    return run(call.replace(call.find("LIMIT"), 5, limit));
  };
  // A node takes 1.2 x (1 kW + 2 x 700 W) = 2.88 kW, and 8 rack units.
  const Run power = with("\"power_limit\": \"6 kW\"");
  INFO(power.err);
  REQUIRE(power.status == 0);
  const auto plan = DecisionJson::parse(power.out);
  CHECK(plan["recommended"]["configuration"]["/cluster/pools/0/nodes"] != "4");
  bool said = false;
  for (const auto& one : plan["obstacles"]) said = said || tells(one.dump(), "power of the room: 11.52 kW of 6 kW");
  CHECK(said);
  CHECK(tells(with("\"rack_unit_limit\": 16").out, "space of the room: 32 rack units of 16 rack units"));
}

TEST_CASE("a comparison of several jobs has their rows, and the same hourly price for the same cluster", "[cli]") {
  const Folder folder;
  const std::string a = folder.path("a.json");
  const std::string b = folder.path("b.json");
  REQUIRE(run("bound shared-store --json -o '" + a + "'").status == 0);
  REQUIRE(run("bound shared-store --set '/stores/0/bandwidth=10 GB/s' --json -o '" + b + "'").status == 0);
  const Run done = run("compare '" + a + "' '" + b + "' --json");
  INFO(done.err);
  const auto document = DecisionJson::parse(done.out);
  std::vector<std::string> names;
  const auto outcome = DecisionJson::parse(file_text(a));
  for (const auto& job : outcome["jobs"]) names.push_back(job["name"]);
  REQUIRE(names.size() > 1);
  for (const std::string& name : names)
    for (const char* metric : {"step_time_s", "gpu_idle_fraction", "cost_per_epoch_usd"})
      CHECK(std::any_of(document["differences"].begin(), document["differences"].end(), [&](const DecisionJson& one) {
        return one["metric"] == "jobs/" + name + "/" + metric && one["a"].is_number() && one["b"].is_number();
      }));
  const double hour_a = document["gained_epochs"]["a_usd_per_hour"];
  CHECK(hour_a > 0.0);
  CHECK(document["gained_epochs"]["b_usd_per_hour"].get<double>() == Approx(hour_a).epsilon(1e-6));
}

TEST_CASE("results of a sweep have the busy share of every resource", "[cli]") {
  const Folder folder;
  const std::string store = folder.path("r.sqlite");
  const std::string space = folder.write(
      "space.json",
      R"({"title": "t", "scenario": "image-node", "axes": [{"name": "bandwidth", "parameter": "/stores/0/bandwidth", )"
      R"("values": ["20 GB/s", "40 GB/s"]}]})");
  const Run swept = run("sweep '" + space + "' --level bound -o '" + store + "'");
  INFO(swept.err);
  REQUIRE(swept.status == 0);
  const std::string table = run("report '" + store + "' --metrics step_time_s,busy_share").out;
  CHECK(tells(table, "busy_share store bandwidth [1]"));
  CHECK_FALSE(tells(run("report '" + store + "'").out, "busy_share"));
  const auto exported = DecisionJson::parse(run("report '" + store + "' --format json").out);
  const auto& rows = exported["rows"];
  REQUIRE(rows.size() == 2);
  const double slow = rows[0]["busy_share"]["store bandwidth"];
  const double fast = rows[1]["busy_share"]["store bandwidth"];
  CHECK(slow == Approx(2.0 * fast).epsilon(0.05));
  CHECK(run("report '" + store + "' --metrics busy_shares").status == 2);
}

}  // namespace headrace
