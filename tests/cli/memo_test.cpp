// report --memo: a decision on one page, of a plan, a bakeoff, a growth and a total cost.
#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using headrace::testing::file_text;
using headrace::testing::Folder;
using headrace::testing::run;

namespace {

std::string memo_of(const Folder& folder, const std::string& document, const std::string& name) {
  const auto made = run("report '" + document + "' --memo -o '" + folder.path(name) + "'");
  INFO(made.err);
  REQUIRE(made.status == 0);
  return file_text(folder.path(name));
}

bool has(const std::string& text, const std::string& words) {
  UNSCOPED_INFO(words);
  return text.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("memo: a plan as a decision with doing nothing, what flips it, and what it rests on", "[cli][long_3]") {
  const Folder folder;
  const std::string plan = folder.path("plan.json");
  const auto made =
      run("plan image-node --confidence-fed 85% --decide /jobs/0/loader/workers=4:8 --set '/prices={\"gpu_hour\": "
          "\"$3/h\", \"resources\": "
          "{\"core_hour\": \"$0.05/h\"}}' --json -o '" +
          plan + "'");
  INFO(made.err);
  REQUIRE((made.status == 0 || made.status == 3));
  const std::string text = memo_of(folder, plan, "memo.md");
  INFO(text);
  const auto document = nlohmann::json::parse(file_text(plan));
  CHECK(has(text, "# " + document["scenario"]["title"].get<std::string>()));
  CHECK(has(text, "**Question.** Which workers keep the GPUs fed, at the least cost per epoch?"));
  CHECK(has(text, "**Answer.** Take workers 8"));
  CHECK(has(text, "| doing nothing: workers 7 |"));
  CHECK(has(text, "| alternative: workers 6 |"));
  CHECK(has(text, "less per epoch with the inputs as stated, and is fed in"));
  CHECK(has(text, "; over their ranges it is expected to cost $"));
  CHECK(has(text, "Whether GPUs are fed hangs most on step time of job train ("));
  CHECK(has(text, "If all inputs are as stated, workers 6 is best"));
  CHECK(has(text, "| step time of job train | 0.1 s | assumed |"));
  CHECK_FALSE(has(text, "-$"));
  CHECK_FALSE(has(text, "/jobs/0"));
  CHECK_FALSE(has(text, "| |"));
  const std::string page = memo_of(folder, plan, "memo.html");
  for (const char* words :
       {"doing nothing: workers 7", "all 2 epochs", "goodput", "What would change it", "Assumptions"})
    CHECK(has(page, words));
}

TEST_CASE("memo: a plan without prices speaks of time, not of no dollars", "[cli]") {
  const Folder folder;
  const std::string plan = folder.path("plan.json");
  const auto made =
      run("plan image-node --inputs nominal --decide /jobs/0/loader/workers=4,7 --json -o '" + plan + "'");
  INFO(made.err);
  REQUIRE(made.status == 0);
  const std::string text = memo_of(folder, plan, "memo.md");
  INFO(text);
  CHECK_FALSE(has(text, "$"));
  CHECK(has(text, "| option | epoch (no prices stated) | goodput | dates | risk |"));
  CHECK(has(text, "Keep today's workers 7: 8.301 min per epoch"));
}

TEST_CASE("memo: a bakeoff as a decision", "[cli]") {
  const Folder folder;
  const std::string document = folder.path("bakeoff.json");
  const auto made =
      run("bakeoff vision-cluster-offers --offers offer-a offer-b --draws 8 --steps 64 --json -o '" + document + "'");
  INFO(made.err);
  REQUIRE(made.status == 0);
  const std::string text = memo_of(folder, document, "memo.md");
  INFO(text);
  for (const char* words : {"| option | per useful GPU hour, mean over the ranges | total cost over 3 years, present "
                            "value, in the middle of "
                            "all ranges | goodput | dates | risk |",
                            "doing nothing", "**What would change it.**", "**Assumptions.**"})
    CHECK(has(text, words));
  CHECK(has(memo_of(folder, document, "memo.html"), "total cost over 3 years, present value"));
}

TEST_CASE("memo: what to order when, against buying nothing", "[cli]") {
  const Folder folder;
  const std::string document = folder.path("growth.json");
  REQUIRE(run("growth growing-fleet --simulate off --json -o '" + document + "'").status == 0);
  const std::string text = memo_of(folder, document, "memo.md");
  INFO(text);
  for (const char* words :
       {"**Question.** What has to be bought when, until 2029-10-01?", "**Answer.** Order 1 x file servers (order by ",
        "| buy as listed |", "| buy on the day of the need | - |", "| doing nothing | - |",
        "file servers 2 quarters before the stated need cost", "| growth of images | 8 % a quarter, 4 % to",
        "| price of drives | $90.0 k as of 2026-09-20 | assumed; no quote |", "What is owned takes"})
    CHECK(has(text, words));
  CHECK(has(memo_of(folder, document, "memo.html"), "expected cost until then, dollars of today"));
}

TEST_CASE("memo: a total cost against doing nothing", "[cli]") {
  const Folder folder;
  const std::string document = folder.path("tco.json");
  const auto made = run(
      "tco vision-cluster-offers --level flow --set '/stores/0/bandwidth=48 GB/s' --do-nothing vision-cluster-offers "
      "--json -o '" +
      document + "'");
  INFO(made.err);
  REQUIRE(made.status == 0);
  const std::string text = memo_of(folder, document, "memo.md");
  INFO(text);
  for (const char* words :
       {"**Question.** Does it pay, against doing nothing", "net present value",
        "| doing nothing: ", "it is worth its price up to that net present value", "Further payments of ",
        "What is owned takes 6.5 kW and 12 rack units; what is paid by the hour is not counted.",
        "free, because it has no price", "48.0 GB/s of store 'shared' cost what 24.0 GB/s do"})
    CHECK(has(text, words));
}

TEST_CASE("memo: a document without a decision is refused", "[cli]") {
  const Folder folder;
  const std::string document = folder.path("outcome.json");
  REQUIRE(run("bound image-node --json -o '" + document + "'").status == 0);
  const auto refused = run("report '" + document + "' --memo -o '" + folder.path("memo.html") + "'");
  CHECK(refused.status == 2);
  CHECK(has(refused.err, "holds no decision"));
  CHECK(folder.file_count() == 1);
}
