// headrace campaign for many jobs that share pools.
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

const std::string kPool = "campaign shared-pool-campaign --replications 20 ";

}  // namespace

TEST_CASE("the first screen of a campaign of many jobs has a row for each class, and JSON sums", "[cli][long_3]") {
  const Run text = run(kPool);
  REQUIRE(text.status == 0);
  CHECK(std::count(text.out.begin(), text.out.end(), '\n') <= 24);
  for (const char* word : {"goodput", "use of pool gpus", "pretrain", "finetune", "interactive", "GPU hours lost"})
    CHECK(text.out.find(word) != std::string::npos);
  const Run json = run(kPool + "--json");
  const auto document = nlohmann::json::parse(json.out);
  double sum = document["useful_gpu_hours"]["mean"];
  for (const auto& loss : document["losses"]) sum += loss["gpu_hours"]["mean"].get<double>();
  CHECK(sum == Approx(document["gpu_hours"]["mean"].get<double>()).epsilon(1e-9));
  for (const char* cause : {"queued", "preempted", "sharing", "idle"})
    CHECK(std::any_of(document["losses"].begin(), document["losses"].end(),
                      [&](const auto& loss) { return loss["cause"] == cause; }));
  CHECK(json.out == run(kPool + "--json --threads 1").out);
  CHECK(run(kPool + "--verbose").out.find("Jobs finetune") != std::string::npos);
}

TEST_CASE("a campaign of many jobs by simulation is the same for any number of threads", "[cli][long_2]") {
  // Four fine-tunings at once, which the store does not feed.
  const std::string few =
      "campaign shared-pool-campaign --json --level simulate --days 0.2 --replications 2 --set "
      "'/jobs/0/queue={\"at\": \"4 h\"}' --set '/jobs/1/queue={\"steps\": 10000}' --set /jobs/1/copies=4 --set "
      "'/jobs/2/queue={\"at\": \"4 h\"}' ";
  const Run one = run(few + "--threads 1");
  REQUIRE(one.status == 0);
  const auto document = nlohmann::json::parse(one.out);
  CHECK(document["steady_answer"] == "simulated");
  CHECK(std::any_of(document["losses"].begin(), document["losses"].end(),
                    [](const auto& loss) { return loss["cause"] == "sharing"; }));
  CHECK(one.out == run(few + "--threads 2").out);
}

TEST_CASE("campaigns of many jobs are written as Markdown, CSV and a page, and a saved document again",
          "[cli][long_3]") {
  const Folder folder;
  const std::string page = folder.path("fleet.html");
  const std::string saved = folder.path("fleet.json");
  REQUIRE(run(kPool + "--json -o '" + saved + "' --report '" + page + "'").status == 0);
  CHECK(file_text(page).find("Times of one job") != std::string::npos);
  const std::string csv = run(kPool + "--format csv").out;
  for (const char* row : {"job,finetune/wait_p99_s,s,", "pool,gpus/used,1,", "lost,queued,h,", "cost,gpu hours,USD,"})
    CHECK(csv.find(row) != std::string::npos);
  const Run markdown = run(kPool + "--format markdown");
  CHECK(markdown.out.find("| finetune |") != std::string::npos);
  CHECK(run("report '" + saved + "' --format markdown").out == markdown.out);
  CHECK(run("report '" + saved + "' -o '" + folder.path("again.html") + "'").status == 0);
}

TEST_CASE("the schema of campaigns of many jobs names every key of the document", "[cli][golden][long_1]") {
  const std::string schema = run("schema fleet").out;
  CHECK(matches_golden(schema, "schemas/fleet.schema.json"));
  const auto required = nlohmann::json::parse(schema)["required"];
  const auto document = nlohmann::json::parse(run(kPool + "--json").out);
  CHECK(required.size() + 1 == document.size());  // documents of older versions have no confidence
  CHECK(document.contains("confidence"));
  for (const auto& key : required) CHECK(document.contains(key.get<std::string>()));
}

TEST_CASE("jobs that cannot be queued are refused with a place and a fix", "[cli]") {
  const auto refused = [](const std::string& options, const std::string& words) {
    const Run result = run(kPool + options);
    CHECK(result.status == 2);
    CHECK(result.err.find(words) != std::string::npos);
    CHECK(result.out.empty());
  };
  refused("--set /jobs/0/nodes=400", "E0210");
  refused("--set /jobs/0/queue/steps=-1", "E0207");
  refused("--set '/jobs/0/queue/at=-1 d'", "E0207");
  refused("--set /jobs/0/queue/preemption=maybe", "E0208");
  refused("--set '/jobs/0/queue/at=31 d'", "comes after the end");
  refused("--set /jobs/0/queue/quota=1", "never starts");
  refused("--until trained", "no end");
  refused("--set '/campaign/repair=1 d'", "repairs");
  refused("--set '/jobs=[]'", "jobs");
  const Run queued = run("simulate shared-pool-campaign --set /jobs/1/copies=40");
  CHECK(queued.status == 2);
  CHECK(queued.err.find("headrace campaign") != std::string::npos);
}
