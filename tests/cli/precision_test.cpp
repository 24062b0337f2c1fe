// How a user asks for a precision, and what he is told when it was not reached.
#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using headrace::testing::Run;
using headrace::testing::run;
using Json = nlohmann::json;

TEST_CASE("precision and wall time take units, and bare numbers as before", "[cli]") {
  const std::string ask = "simulate prefetch-queue --no-relief --json ";
  const Run with_units = run(ask + "--precision 2% --max-wall 10min");
  INFO(with_units.err);
  REQUIRE(with_units.status == 0);
  const Json document = Json::parse(with_units.out);
  CHECK(document["stopped_by"] == "precision");
  CHECK(document["precision"]["asked"] == 0.02);
  CHECK(document["precision"]["reached"].get<double>() <= 0.02);
  CHECK(document["precision"]["idle_reached"].get<double>() <= document["precision"]["idle_asked"].get<double>());
  CHECK(document["precision"]["met"] == true);
  CHECK(run(ask + "--precision 0.02 --max-wall 600").out == with_units.out);
  CHECK(run(ask + "--precision '2 %' --max-wall '600 s'").out == with_units.out);
}

TEST_CASE("a precision that was asked for and missed ends with 3 and says so", "[cli]") {
  const std::string ask = "simulate prefetch-queue --no-relief --precision 0.002% --max-wall '50 ms'";
  const Run text = run(ask);
  INFO(text.out << text.err);
  CHECK(text.status == 3);
  CHECK(text.out.find("Precision not reached") != std::string::npos);
  CHECK(text.err.find("--max-wall") == std::string::npos);
  CHECK(text.err.find("50 ms") == std::string::npos);
  CHECK(text.err.find("--precision 0.002%") != std::string::npos);

  const Run json = run(ask + " --json");
  CHECK(json.status == 3);
  const Json document = Json::parse(json.out);
  CHECK(document["precision"]["met"] == false);
  CHECK(document["stopped_by"] == "max_wall");
  const std::string repeat =
      "simulate prefetch-queue --no-relief --json --precision 0.002% --no-control-variate --steps ";
  const Json repeated = Json::parse(run(repeat + std::to_string(document["steps"].get<long>())).out);
  CHECK(repeated["metrics"] == document["metrics"]);
  CHECK(repeated["precision"] == document["precision"]);
}

TEST_CASE("the default precision is told, but missing it is no failure of a run of given length", "[cli]") {
  const std::string ask = "simulate prefetch-queue --no-relief --json --no-control-variate --steps 8192";
  const Run result = run(ask);
  CHECK(result.status == 0);
  CHECK(Json::parse(result.out)["precision"]["met"] == false);
  CHECK(run(ask + " --precision 1%").status == 3);
  CHECK(run(ask + " --precision 5%").status == 0);
}

TEST_CASE("an idle share on both sides of the threshold is inconclusive until it is precise", "[cli]") {
  // 0.9 % idle exactly; 2,048 steps know it to about half a point.
  const std::string ask = "simulate prefetch-queue --no-relief --json --set /jobs/0/loader/prefetch=9 --steps ";
  const Run unsure = run(ask + "4096");
  INFO(unsure.err);
  CHECK(unsure.status == 3);
  CHECK(Json::parse(unsure.out)["verdict"] == "inconclusive");
}

TEST_CASE("replications merge in rounds: the same bytes for any number of threads", "[cli]") {
  const std::string ask = "simulate prefetch-queue --no-relief --json --precision 1% --replications 5 --threads ";
  const Run one = run(ask + "1");
  INFO(one.err);
  CHECK(one.status == 0);
  CHECK(Json::parse(one.out)["stopped_by"] == "precision");
  CHECK(run(ask + "3").out == one.out);
  CHECK(run(ask + "8").out == one.out);
}

TEST_CASE("bad precisions and times are refused", "[cli]") {
  const auto refused = [](const std::string& flags, const std::string& message) {
    const Run result = run("simulate prefetch-queue " + flags);
    INFO(flags << "\n" << result.err);
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    CHECK(result.err.find(message) != std::string::npos);
  };
  refused("--precision 80%", "--precision");
  refused("--precision tight", "--precision");
  refused("--precision '1 s'", "--precision");
  refused("--precision ''", "--precision");
  refused("--max-wall 5GB", "a time is needed");
  refused("--max-wall 0s", "--max-wall");
  refused("--max-wall=-5", "--max-wall");
}

TEST_CASE("rare stalls are told in text and JSON", "[cli]") {
  const std::string ask =
      "simulate unet3d-h100 --set '/stores/0/metadata={\"latency\": {\"mixture\": {\"parts\": [{\"weight\": 99999, "
      "\"value\": \"1 ms\"}, {\"weight\": 1, \"value\": {\"exponential\": {\"mean\": \"30 s\"}}}]}}}' ";
  const Run text = run(ask + "--verbose");
  INFO(text.out << text.err);
  CHECK(text.status == 0);
  CHECK(text.out.find("Rare stalls: ") != std::string::npos);
  const Json stalls = Json::parse(run(ask + "--json --threads 2").out)["rare_stalls"];
  REQUIRE(stalls.size() == 1);
  CHECK(stalls[0]["stage"] == "metadata");
  CHECK(stalls[0]["stalled_steps"].get<double>() == Approx(5.6e-4).epsilon(1e-3));
  // A run of three million steps that waits for them: 0.3537 s, 0.0013 s either way, against 0.3373 s without.
  CHECK(stalls[0]["share"].get<double>() == Approx(0.0464).margin(0.004));
}

TEST_CASE("a run that is never precise ends after 16.8 million batches, however many GPUs share a step",
          "[cli][long_2]") {
  const Run answered =
      run("simulate prefetch-queue --set /cluster/pools/0/nodes=512 --contention off --no-relief --precision 0.00001 "
          "--json --quiet");
  INFO(answered.err);
  const Json outcome = Json::parse(answered.out);
  CHECK(outcome["stopped_by"] == "max_steps");
  CHECK(outcome["steps"] == 32768);
}
