// headrace calibrate --s3 against a server of this process that knows what it does: figures come back, objects go away,
// and what goes wrong is said.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"
#include "tests/cli/s3_server.hpp"

namespace headrace {
namespace {

using testing::downgrades_of;
using testing::Folder;
using testing::Run;
using testing::run;
using testing::S3Server;
using Json = nlohmann::json;

const std::string kQuick = " --s3-connections 4 --accept-noisy ";

std::string calibrate(const S3Server& server, const std::string& more, const std::string& prefix = "data/train") {
  return "calibrate --s3 " + server.url() + "/" + S3Server::kBucket + "/" + prefix + kQuick + more;
}

/// The program was built without libcurl, or there is none here.
bool without_curl(const Run& result) { return result.out.find("no_libcurl") != std::string::npos; }

Json parameter(const Json& file, const std::string& name) {
  for (const Json& p : file["calibration"]["parameters"])
    if (p["name"] == name) return p;
  return {};
}

/// The truth lies in the interval of the parameter, widened by a quarter for what a busy machine adds to each wait;
/// exact intervals are the matter of tests/models/calibration/calibration_s3_test.cpp.
void check_holds(const Json& file, const std::string& name, double truth) {
  const Json p = parameter(file, name);
  INFO(name << " should be " << truth << " and is " << p.dump());
  REQUIRE(p.is_object());
  CHECK(p["low"].get<double>() <= 1.25 * truth);
  CHECK(p["high"].get<double>() >= 0.8 * truth);
}

}  // namespace

TEST_CASE("what an object store would cost is told without touching it", "[cli]") {
  const S3Server server({});
  const Run own = run(calibrate(server, "--dry-run"));
  INFO(own.err);
  REQUIRE(own.status == 0);
  CHECK(own.out.find("price not known") != std::string::npos);
  CHECK(own.out.find("--s3-price-get") != std::string::npos);
  CHECK(server.connections() == 0);
  const Run amazon = run("calibrate --dry-run --json --s3 s3://bucket/prefix", "AWS_REGION=eu-central-1");
  REQUIRE(amazon.status == 0);
  const Json plan = Json::parse(amazon.out);
  CHECK(plan["s3"] == "https://s3.eu-central-1.amazonaws.com/bucket/prefix");
  CHECK(plan["prices"]["get_usd"].get<double>() == Approx(0.4e-6));
  CHECK(plan["prices"]["source"].get<std::string>().find("s3-standard") != std::string::npos);
  const Json& requests = plan["requests"];
  const double usd = requests["get"].get<double>() * 0.4e-6 + requests["put"].get<double>() * 5e-6 +
                     requests["list"].get<double>() * 5e-6 + plan["down_bytes"].get<double>() * 0.09e-9;
  CHECK(plan["usd"].get<double>() == Approx(usd));
  CHECK(usd < 0.1);
  CHECK(requests["put"] == requests["delete"]);
  const Run free = run(
      "calibrate --dry-run --s3 http://minio:9000/b --s3-price-get '$0.001/1000 requests' --s3-price-put '$0/request' "
      "--s3-price-list '$0/request' --s3-price-egress '$0/GB'");
  INFO(free.err);
  CHECK(free.status == 0);
  CHECK(free.out.find("price at most $0.00") != std::string::npos);
  CHECK(free.out.find("as given") != std::string::npos);
}

TEST_CASE("a known object store is recovered within its intervals, and nothing is left in it", "[cli][long_4]") {
  testing::S3Behaviour behaviour;
  behaviour.first_byte_low_s = 8e-3;
  behaviour.first_byte_high_s = 24e-3;
  behaviour.list_s = 30e-3;
  behaviour.connection_bytes_per_s = 50e6;
  S3Server server(behaviour);
  for (int i = 0; i < 1100; ++i) server.add_object("data/train/shard-" + std::to_string(i) + ".tar", 10);
  const Folder results;
  const std::string site = results.path("s3.json");
  const Run result = run(calibrate(server, "-o '" + site + "'"), S3Server::environment());
  INFO(result.err << result.out);
  if (without_curl(result)) return;
  REQUIRE(result.status == 0);
  CHECK(server.object_count() == 1100);
  CHECK(server.refused() == 0);
  CHECK(result.err.find("price not known") != std::string::npos);
  const Json file = Json::parse(testing::file_text(site));
  CHECK(downgrades_of(file).find("s3_") == std::string::npos);
  check_holds(file, "object_store.first_byte", server.mean_first_byte_s());
  check_holds(file, "object_store.stream", 50e6);
  check_holds(file, "object_store.list_page", server.mean_list_s());
  CHECK(parameter(file, "object_store.first_byte")["target"] == "/stores/storage/latency");
  CHECK(parameter(file, "object_store.first_byte")["quantiles"].size() > 10);
  CHECK(parameter(file, "object_store.stream")["target"] == "/stores/storage/stream");
  CHECK(parameter(file, "object_store.bandwidth")["target"].get<std::string>().empty());
  bool law = false;
  for (const Json& fit : file["calibration"]["fits"])
    law = law || fit["parameter"] == "s3 get 64 KiB: rate over connections";
  CHECK(law);
  // Four connections do four times the work of one, at this latency. The best windows, since others can only slow them.
  double one = 0.0;
  double four = 0.0;
  for (const Json& cell : file["calibration"]["cells"])
    if (cell["detail"] == "get" && cell["block_bytes"] == 65536.0)
      for (const Json& window : cell["windows"]) {
        double& best = cell["depth"] == 1 ? one : four;
        best = std::max(best, window["rate_per_s"].get<double>());
      }
  CHECK(four > 2.0 * one);
  const double alone = 1.0 / (server.mean_first_byte_s() + 65536.0 / 50e6);
  CHECK(one > 0.5 * alone);
  CHECK(one < 1.5 * alone);
  CHECK(run("calibrate --show '" + site + "'").out == result.out);
  CHECK(run("calibrate --show '" + site + "' --json").out == testing::file_text(site));
  CHECK(run("validate dataloader-50ms '" + site + "' --set /datasets/0/store=storage --set /stores/1/bandwidth=1GB/s")
            .status == 0);
}

TEST_CASE("a store that asks to slow down is obeyed, and its answers are counted", "[cli]") {
  testing::S3Behaviour behaviour;
  behaviour.slow_down_every = 60;
  const S3Server server(behaviour);
  const Run result = run(calibrate(server, "--json"), S3Server::environment());
  INFO(result.err);
  if (without_curl(result)) return;
  REQUIRE(result.status == 0);
  CHECK(server.slow_downs() > 0);
  CHECK(downgrades_of(Json::parse(result.out)).find("s3_slow_down=" + std::to_string(server.slow_downs()) + ";") !=
        std::string::npos);
  CHECK(server.object_count() == 0);
}

TEST_CASE("keys, buckets and hosts that are wrong are told apart", "[cli]") {
  const S3Server server({});
  if (without_curl(run(calibrate(server, "--json"), S3Server::environment()))) return;
  const auto refused = [](const Run& result, const std::string& place, const std::string& cause,
                          const std::string& fix) {
    INFO(result.err);
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    CHECK(result.err.find(place) != std::string::npos);
    CHECK(result.err.find(cause) != std::string::npos);
    CHECK(result.err.find(fix) != std::string::npos);
  };
  const std::string place = server.url() + "/bucket/data/train";
  refused(run(calibrate(server, ""), S3Server::environment("other")), place, "the signature is wrong",
          "AWS_SECRET_ACCESS_KEY");
  refused(run(calibrate(server, ""), S3Server::environment("other", "AKIDOTHER")), place,
          "does not know the access key", "check AWS_ACCESS_KEY_ID");
  refused(run(calibrate(server, ""), S3Server::environment() + " AWS_REGION=elsewhere"), place, "another region",
          "AWS_REGION");
  refused(run(calibrate(server, ""), S3Server::environment() + " AWS_SESSION_TOKEN=old"), place, "token",
          "AWS_SESSION_TOKEN");
  refused(run("calibrate --s3 " + server.url() + "/nothing/here", S3Server::environment()), "/nothing/here",
          "no such bucket", "bucket's name");
  refused(run("calibrate --s3 http://127.0.0.1:1/bucket", S3Server::environment()), "http://127.0.0.1:1/bucket",
          "127.0.0.1", "check host and port");
  refused(run(calibrate(server, ""), "AWS_ACCESS_KEY_ID= AWS_SECRET_ACCESS_KEY="), place, "no keys",
          "set AWS_ACCESS_KEY_ID");
  refused(run("calibrate --s3 bucket/prefix", S3Server::environment()), "bucket/prefix", "names no bucket",
          "https://HOST/BUCKET/PREFIX");
  refused(run("calibrate --s3 https://host", S3Server::environment()), "https://host", "names no bucket",
          "https://HOST/BUCKET/PREFIX");
  CHECK(run("calibrate --path . --s3 s3://b/p").status == 2);
  CHECK(server.object_count() == 0);
}

TEST_CASE("without libcurl the record says so", "[cli]") {
  const S3Server server({});
  const Run result =
      run(calibrate(server, "--json"), S3Server::environment() + " HEADRACE_CURL_LIBRARY=/nowhere/libcurl.so");
  REQUIRE(result.status == 0);
  const Json file = Json::parse(result.out);
  CHECK(downgrades_of(file) == "s3=no_libcurl;");
  CHECK(file["calibration"]["cells"].empty());
  CHECK(server.connections() == 0);
  const Run text = run(calibrate(server, ""), S3Server::environment() + " HEADRACE_CURL_LIBRARY=/nowhere/libcurl.so");
  CHECK(text.out.find("s3 = no_libcurl: ") != std::string::npos);
}

TEST_CASE("an interrupt deletes the objects of the run", "[cli]") {
  testing::S3Behaviour behaviour;
  behaviour.first_byte_low_s = behaviour.first_byte_high_s = 30e-3;
  const S3Server server(behaviour);
  if (without_curl(run(calibrate(server, "--json --dry-run"), S3Server::environment()))) return;
  const Folder results;
  const std::string command = "exec env " + S3Server::environment() + " '" HEADRACE_PROGRAM "' " +
                              calibrate(server, "--budget full") + " >'" + results.path("out") + "' 2>&1";
  const pid_t child = ::fork();
  if (child == 0) {
    ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    ::_exit(98);
  }
  int status = 0;
  bool ended = false;
  for (int i = 0; i < 2000 && server.gets() < 20 && !ended; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ended = ::waitpid(child, &status, WNOHANG) == child;
  }
  if (ended) return;  // no libcurl here
  CHECK(server.object_count() > 0);
  ::kill(child, SIGINT);
  ::waitpid(child, &status, 0);
  INFO(testing::file_text(results.path("out")));
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 130));
  CHECK(server.object_count() == 0);
}

TEST_CASE("a store that vanishes ends the run with what is left in it", "[cli][long_1]") {
  testing::S3Behaviour behaviour;
  behaviour.vanish_after = 10;
  const S3Server server(behaviour);
  const Run result = run(calibrate(server, ""), S3Server::environment());
  INFO(result.err);
  if (without_curl(result)) return;
  CHECK(result.status == 2);
  CHECK(result.err.find("4 objects are left below " + server.url() + "/bucket/data/train/headrace-calibrate-") !=
        std::string::npos);
}

}  // namespace headrace
