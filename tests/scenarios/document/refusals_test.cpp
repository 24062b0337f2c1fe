// Combinations that have no model are refused when a file is read, with their place.
#include "tests/catch.hpp"
#include "tests/scenarios/load_shipped.hpp"

namespace headrace::scenarios {
TEST_CASE("what a remote pool, a mix or few writers cannot have is refused with its place") {
  const std::string remote = "remote-preprocessing";
  CHECK(wrong(remote, {}).empty());
  CHECK(wrong(remote, {R"(/jobs/0/loader/access={"mode": "mmap"})"}).find("/jobs/0/loader/access") !=
        std::string::npos);
  CHECK(wrong(remote, {"/stores/0/kind=nvme"}).find("cannot read drives") != std::string::npos);
  CHECK(wrong(remote, {R"(/cluster/pools/0/cache={"policy": "lru", "bytes": "50 GB", "medium": "dram"})"})
            .find("together with a remote pool") != std::string::npos);
  CHECK(wrong(remote, {R"(/cluster/pools/0/host/page_cache={"bytes": "10 GB"})"}).find("together with a remote pool") !=
        std::string::npos);
  const std::string mix = "interleaved-vision-language";
  CHECK(wrong(mix, {}).empty());
  CHECK(wrong(mix, {"/datasets/1/order=random"}).empty());
  CHECK(wrong(mix, {"/datasets/1/order=fixed"}).find("/jobs/0/datasets") != std::string::npos);
  CHECK(wrong(mix, {R"(/jobs/0/loader/access={"mode": "buffered"})"}).find("layout") != std::string::npos);
  const std::string saved = "llama3-405b-checkpoints";
  CHECK(wrong(saved, {"/jobs/0/checkpoint/writers=16384"}).empty());
  CHECK(wrong(saved, {"/jobs/0/checkpoint/writers=16385"}).find("checkpoint/writers") != std::string::npos);
  CHECK(wrong(saved, {"/jobs/0/checkpoint/parameters=0", "/jobs/0/checkpoint/bytes=0 B", "/jobs/0/model=null"})
            .find("no size") != std::string::npos);
}

TEST_CASE("a host part longer than its step and more busy cores than there are are refused") {
  const std::string slowed = "loaders-slow-step";
  CHECK(wrong(slowed, {"/jobs/0/step/host_part/time=95 ms"}).empty());
  CHECK(wrong(slowed, {"/jobs/0/step/host_part/time=96 ms"}).find("/jobs/0/step/host_part/time") != std::string::npos);
  const std::string background = "/cluster/pools/0/host/core_sharing/background_cores=";
  CHECK(wrong(slowed, {background + "12"}).empty());
  CHECK(wrong(slowed, {background + "13"}).find("more cores are busy") != std::string::npos);
}

TEST_CASE("samples without bytes and clusters beyond all counting are refused, not tried") {
  CHECK(wrong("image-node", {"/datasets/0/sample_bytes=0 B"}).find("no bytes") != std::string::npos);
  CHECK(wrong("image-node", {"/cluster/pools/0/nodes=1000000000"}).find("E0207") != std::string::npos);
  CHECK(wrong("image-node", {"/cluster/pools/0/nodes=125000"}).empty());
}

TEST_CASE("a write cache that is no faster than what is behind it is refused with its place") {
  const std::string drives = "drive-write-cache";
  CHECK(wrong(drives, {}).empty());
  CHECK(wrong(drives, {"/stores/1/write_cache/drain=100 MB/s"}).empty());
  CHECK(wrong(drives, {"/stores/1/write_cache/drain=9 GB/s"}).find("/stores/1/write_cache/drain") != std::string::npos);
  CHECK(wrong(drives, {"/stores/1/write_cache/bandwidth=2 GB/s"}).find("the rate past the write cache") !=
        std::string::npos);
  CHECK(wrong(drives, {"/stores/1/write_cache={\"bytes\": \"1 GB\"}"}).find("bandwidth") != std::string::npos);
  CHECK(wrong(drives, {"/cluster/pools/0/cache/write_bandwidth=0 B/s"}).find("write_cache needs write_bandwidth") !=
        std::string::npos);
}

TEST_CASE("GPUDirect knows the work that one dataset of a job has of its own") {
  CHECK(wrong("gds-vs-bounce", {"/jobs/0/datasets/0/cpu_per_sample=1 ms"}).find("E0210") != std::string::npos);
}

}  // namespace headrace::scenarios
