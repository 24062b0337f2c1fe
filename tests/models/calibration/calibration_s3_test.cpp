// The parts of the probes of object stores that need no network: addresses, prices, and figures from a store whose
// times are drawn from known laws.
#include <atomic>
#include <cmath>
#include <map>
#include <string>

#include "models/calibration/s3_calibration.hpp"
#include "sim/portable_math.hpp"
#include "sim/random_stream.hpp"
#include "tests/catch.hpp"

namespace headrace::models::calibration {
namespace {

constexpr sim::Purpose kStoreNoise{3902};

Environment variables(const std::map<std::string, std::string>& values) {
  return [values](const char* name) {
    const auto found = values.find(name);
    return found == values.end() ? std::string() : found->second;
  };
}

std::string complaint(const std::string& url, const std::map<std::string, std::string>& values = {}) {
  try {
    check_keys(s3_target(url, variables(values)));
  } catch (const CalibrationError& error) {
    CHECK(error.fix().size() > 10);
    return error.what();
  }
  return "";
}

constexpr double kFirstByteS = 0.12;
constexpr double kSigma = 0.4;
constexpr double kStream = 80e6;

/// A store that answers at once and says that it took as long as its laws let it.
class DrawnStore final : public S3Connection {
 public:
  explicit DrawnStore(std::uint64_t seed) : seed_(seed) {}
  S3Answer get(const std::string&, std::uint64_t, std::uint64_t bytes) override {
    S3Answer answer;
    answer.status = 206;
    answer.bytes = bytes;
    // Log-normal latency with the mean kFirstByteS; rates that scatter by 20 %.
    answer.first_byte_s = kFirstByteS * std::exp(kSigma * normal() - 0.5 * kSigma * kSigma);
    answer.total_s = answer.first_byte_s + static_cast<double>(bytes) / (kStream * std::exp(0.2 * normal()));
    return answer;
  }
  S3Answer put(const std::string&, const std::vector<std::byte>&) override { return plain(200); }
  S3Answer remove(const std::string&) override { return plain(204); }
  S3Answer list(const std::string&, unsigned) override { return plain(200); }

 private:
  static S3Answer plain(int status) {
    S3Answer answer;
    answer.status = status;
    answer.first_byte_s = 0.05;
    answer.total_s = 0.06;
    return answer;
  }
  double normal() { return sim::normal_quantile(sim::uniform({seed_, 0, kStoreNoise, 0}, next_++)); }
  std::uint64_t seed_;
  std::uint64_t next_ = 0;
};

S3Request quick_request() {
  S3Request request;
  request.target = s3_target("http://127.0.0.1:9000/bucket", variables({}));
  request.connections = 1;
  request.accept_noisy = true;
  request.places = {"/nowhere/proc", "/nowhere/sys", "/nowhere/cgroup"};
  return request;
}

}  // namespace

TEST_CASE("addresses of object stores") {
  const S3Target own = s3_target("https://minio.local:9000/bucket/a/b/", variables({}));
  CHECK(own.endpoint == "https://minio.local:9000");
  CHECK(own.bucket == "bucket");
  CHECK(own.prefix == "a/b");
  CHECK(own.region == "us-east-1");
  CHECK(own.host() == "minio.local");
  CHECK(own.place() == "https://minio.local:9000/bucket/a/b");
  CHECK(s3_target("http://[::1]:9000/b", variables({})).host() == "[::1]");
  CHECK(s3_target("http://[::1]/b", variables({})).host() == "[::1]");
  const S3Target amazon = s3_target("s3://bucket", variables({{"AWS_DEFAULT_REGION", "eu-west-1"}}));
  CHECK(amazon.place() == "https://s3.eu-west-1.amazonaws.com/bucket");
  CHECK(s3_target("s3://b/p", variables({{"AWS_ENDPOINT_URL", "http://store:1/"}})).place() == "http://store:1/b/p");
  CHECK(complaint("s3://").find("names no bucket") != std::string::npos);
  CHECK(complaint("https://host/").find("names no bucket") != std::string::npos);
  CHECK(complaint("https:///bucket").find("names no bucket") != std::string::npos);
  CHECK(complaint("s3://b?x=1").find("names no bucket") != std::string::npos);
  CHECK(complaint("s3://b/p/../q").find("has a folder called '.' or '..'") != std::string::npos);
  CHECK(complaint("https://host/b/.").find("'b/.'") != std::string::npos);
  CHECK(s3_target("s3://b/p..q/.r", variables({})).prefix == "p..q/.r");
  CHECK(complaint("s3://b", {{"AWS_ENDPOINT_URL", "store"}}).find("no URL") != std::string::npos);
  CHECK(complaint("s3://b/p").find("no keys") != std::string::npos);
  CHECK(complaint("s3://b/p", {{"AWS_ACCESS_KEY_ID", "a"}, {"AWS_SECRET_ACCESS_KEY", "b"}}).empty());
  CHECK(percent_encoded("a b/ü~", true) == "a%20b/%C3%BC~");
  CHECK(percent_encoded("a/b", false) == "a%2Fb");
  CHECK(xml_text("<E><Code>SlowDown</Code></E>", "Code") == "SlowDown");
  CHECK(xml_text("<E><Code>SlowDown", "Code").empty());
}

TEST_CASE("what a run costs at most is the sum of its requests and bytes") {
  S3Request request = quick_request();
  request.connections = 4;
  CHECK_FALSE(plan_s3(request).usd);
  request.prices = {4e-7, 5e-6, 5e-6, std::nullopt, ""};
  CHECK_FALSE(plan_s3(request).usd);
  request.prices.egress_usd_per_byte = 9e-11;
  const S3Plan plan = plan_s3(request);
  double gets = 0.0;
  for (const S3Arm& arm : plan.arms)
    if (arm.kind != S3Kind::list) gets += arm.requests * static_cast<double>(plan.rounds);
  CHECK(static_cast<double>(plan.most.gets) == gets);
  CHECK(plan.most.puts == plan.objects.count);
  REQUIRE(plan.usd);
  CHECK(*plan.usd == Approx(gets * 4e-7 + static_cast<double>(plan.most.puts + plan.most.lists) * 5e-6 +
                            plan.most.down_bytes * 9e-11));
  request.budget = "full";
  request.connections = 0;
  CHECK(*plan_s3(request).usd > 10.0 * *plan.usd);
}

// The seeds are fixed, and a pass is a pass everywhere: the bound is the one that was asked for.
TEST_CASE("a known object store is recovered within its intervals in 93 of 100 seeds", "[statistical]") {
  int first_byte = 0;
  int stream = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    S3Request request = quick_request();
    request.seed = seed;
    request.budget = "full";
    const auto connect = [seed](const std::stop_token&) { return std::make_unique<DrawnStore>(seed); };
    const Calibration c = calibrate_s3(request, connect, {}, nullptr);
    const Parameter* latency = find_parameter(c, "object_store.first_byte");
    const Parameter* rate = find_parameter(c, "object_store.stream");
    REQUIRE(latency != nullptr);
    REQUIRE(rate != nullptr);
    first_byte += latency->low <= kFirstByteS && kFirstByteS <= latency->high ? 1 : 0;
    // Bytes over the sum of times: the harmonic mean of the rates.
    const double truth = kStream * std::exp(-0.5 * 0.04);
    stream += rate->low <= truth && truth <= rate->high ? 1 : 0;
  }
  CHECK(first_byte >= 93);
  CHECK(stream >= 93);
}

TEST_CASE("without libcurl the record of an object store says so") {
  const Calibration c = without_s3(quick_request(), "it is not there");
  REQUIRE(c.downgrades.size() == 1);
  CHECK(c.downgrades.front().field == "s3");
  CHECK(c.downgrades.front().value == "no_libcurl");
  CHECK(c.cells.empty());
}

}  // namespace headrace::models::calibration
