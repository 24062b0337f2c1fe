#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using headrace::testing::file_text;
using headrace::testing::Folder;
using headrace::testing::matches_golden;
using headrace::testing::Run;
using headrace::testing::run;

namespace {

const std::string kQuick = "campaign llm-pretraining-90-days --level flow --replications 20 ";

}  // namespace

TEST_CASE("the first screen of a campaign has at most 20 lines, and JSON sums to the hours held", "[cli]") {
  const Run text = run(kQuick);
  REQUIRE(text.status == 0);
  CHECK(std::count(text.out.begin(), text.out.end(), '\n') <= 20);
  for (const char* word : {"goodput", "first step, cold", "restart, p99", "GPU hours lost", "per useful GPU hour"})
    CHECK(text.out.find(word) != std::string::npos);
  const auto document = nlohmann::json::parse(run(kQuick + "--json").out);
  double sum = document["useful_gpu_hours"]["mean"];
  for (const auto& loss : document["losses"]) sum += loss["gpu_hours"]["mean"].get<double>();
  CHECK(sum == Approx(document["gpu_hours"]["mean"].get<double>()).epsilon(1e-9));
  CHECK(document["gpu_hours"]["mean"] == Approx(2048.0 * 90.0 * 24.0).epsilon(1e-9));
  CHECK(run(kQuick + "--json").out == run(kQuick + "--json --threads 1").out);
}

TEST_CASE("campaigns are written as Markdown, CSV and a page, and a saved document again", "[cli]") {
  const Folder folder;
  const std::string page = folder.path("campaign.html");
  const std::string saved = folder.path("campaign.json");
  REQUIRE(run(kQuick + "--json -o '" + saved + "' --report '" + page + "'").status == 0);
  CHECK(file_text(page).find("Where the hours go") != std::string::npos);
  CHECK(run(kQuick + "--format csv").out.find("lost,lost_work,h,") != std::string::npos);
  const Run markdown = run(kQuick + "--format markdown");
  CHECK(markdown.out.find("| goodput |") != std::string::npos);
  CHECK(run("report '" + saved + "' --format markdown").out == markdown.out);
  CHECK(run("report '" + saved + "' -o '" + folder.path("again.html") + "'").status == 0);
}

TEST_CASE("the schema of campaigns names every key of the document", "[cli][golden]") {
  const std::string schema = run("schema campaign").out;
  CHECK(matches_golden(schema, "schemas/campaign.schema.json"));
  const auto required = nlohmann::json::parse(schema)["required"];
  const auto document = nlohmann::json::parse(run(kQuick + "--json").out);
  CHECK(required.size() + 1 == document.size());  // documents of older versions have no confidence
  CHECK(document.contains("confidence"));
  for (const auto& key : required) CHECK(document.contains(key.get<std::string>()));
}

TEST_CASE("bad horizons, prices and traces of a campaign are refused with a place and a fix", "[cli]") {
  const Folder folder;
  const auto refused = [&](const std::string& options, const std::string& words) {
    const Run result = run(kQuick + options);
    CHECK(result.status == 2);
    CHECK(result.err.find(words) != std::string::npos);
    CHECK(result.out.empty());
  };
  refused("--days 0", "--days");
  refused("--days 3 --until trained", "--until");
  refused("--set '/campaign/duration=-1 d'", "E0207");
  refused("--set '/prices/gpu_hour=$-1/h'", "E0206");
  refused("--set '/campaign/refresh={\"every\": \"0 s\"}'", "E0207");
  refused("--set '/campaign/image={}'", "E0202");
  refused("--set '/campaign/nodes=3'", "E0203");
  const auto trace = [&](const std::string& rows) { return "--price-trace '" + folder.write("trace.csv", rows) + "'"; };
  refused(trace("hour,usd_per_gpu_hour\n0,1\n5,2\n3,1\n"), "trace.csv:4:1");
  refused(trace("hour,usd_per_gpu_hour\n0,-1\n"), "negative");
  refused(trace("hour,usd_per_gpu_hour\n1,1\n"), "hour 0");
  refused(trace("hour,usd_per_gpu_hour\n"), "no prices");
  refused(trace("hour,price\n0,1\n"), "usd_per_gpu_hour");
  refused(trace("hour,usd_per_gpu_hour\n0,much\n"), "not a number");
  refused("--price-trace '" + folder.path("none.csv") + "'", "E0101");
}

TEST_CASE("a price trace buys hours below the bid", "[cli]") {
  const Folder folder;
  const std::string file = folder.write("trace.csv", "hour,usd_per_gpu_hour\n0,1.5\n240,4\n288,2\n");
  const auto document = nlohmann::json::parse(
      run(kQuick + "--json --days 20 --price-trace '" + file + "' --set '/campaign/bid=$3/h'").out);
  CHECK(document["closed_s"]["mean"] == Approx(48.0 * 3600.0));
  CHECK(document["gpu_hours"]["mean"] == Approx(2048.0 * (480.0 - 48.0)));
  CHECK(document["mean_price_usd"] == Approx((240.0 * 1.5 + 192.0 * 2.0) / 432.0));
}
