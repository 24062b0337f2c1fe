// What people write about a cluster: units, names, ranges and layers, each refused or warned about with the fix.
#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using headrace::testing::file_text;
using headrace::testing::Folder;
using headrace::testing::run;

namespace {

headrace::testing::Run with(const std::string& assignment) { return run("validate image-node --set '" + assignment + "'"); }

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a spelling with two readings is refused with its place, both readings and the factor", "[cli]") {
  const auto refused = with("/stores/0/bandwidth=100 GBps");
  CHECK(refused.status == 2);
  CHECK(has(refused.err, "error[E0219]: '100 GBps' can mean two things"));
  CHECK(has(refused.err, "--> --set:1:21 (/stores/0/bandwidth)"));
  CHECK(has(refused.err,
            "write \"100 GB/s\" for 100 gigabytes per second, or \"100 Gb/s\" for 100 gigabits per second: "
            "the first is 8 times the second"));
  CHECK(has(with("/stores/0/bandwidth=200G").err, "\"200 Gb/s\""));
  CHECK(has(with("/datasets/0/sample_bytes=115kb").err, "\"115 kB\""));
  CHECK(has(with("/datasets/0/sample_bytes=115 KB").err, "1.024 times"));
  for (const char* rate : {"100 Gbps", "100 Gb/s", "100 Gbit/s", "12.5 GB/s", "2 x 50 Gb/s"})
    CHECK(with("/stores/0/bandwidth=" + std::string(rate)).status == 0);
  CHECK(has(run("explain E0219").out, "two"));
}

TEST_CASE("the rate of a link may be in G, and several links are written as a product", "[cli]") {
  const auto sha = [](const std::string& assignment) {
    const auto run_of = with(assignment);
    INFO(assignment << "\n" << run_of.err);
    CHECK(run_of.status == 0);
    return run_of.out;
  };
  const std::string whole = sha("/cluster/pools/0/nic={\"bandwidth\": \"800 Gb/s\"}");
  for (const char* written : {"4x200G", "4 x 200 Gb/s", "800G", "100 GB/s"})
    CHECK(sha("/cluster/pools/0/nic=" + std::string(written)) == whole);
  const auto twice = with("/cluster/pools/0/nic={\"bandwidth\": \"4x200G\", \"rails\": 4}");
  CHECK(twice.status == 2);
  CHECK(has(twice.err, "both say how many there are"));
  CHECK(has(with("/cluster/pools/0/nic=25GbE4").err, "did you mean '25GbE'?"));
}

TEST_CASE("a quoted number says to drop the quotes", "[cli]") {
  const auto quoted = with("/jobs/0/loader/workers=\"10\"");
  CHECK(quoted.status == 2);
  CHECK(has(quoted.err, "expected a whole number, found '10'"));
  CHECK(has(quoted.err, "drop the quotes: write 10"));
  CHECK(has(with("/cluster/pools/0/host/gpudirect=\"true\"").err, "drop the quotes: write true"));
}
