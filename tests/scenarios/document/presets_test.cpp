// Presets of loaders, formats, codecs and transports: defaults with an origin, which what is stated overrides; and what
// GPUDirect needs.
#include "models/path/goodput.hpp"
#include "tests/catch.hpp"
#include "tests/scenarios/load_shipped.hpp"
#include "tests/scenarios/test_files.hpp"

namespace headrace::scenarios {
namespace {

std::string wrong_with_gds(const Strings& overrides) { return wrong("gds-vs-bounce", overrides); }

}  // namespace

TEST_CASE("a loader preset gives defaults, is named as their origin, and yields to what is stated") {
  const LoadedScenario plain = load_shipped("loader-presets", {"/jobs/0/loader/catalogue=tf_data_any_order"});
  const models::Loader& loader = plain.value.jobs[0].loader;
  CHECK(loader.order == models::DeliveryOrder::any_order_shared);
  CHECK(loader.batches_outstanding() == 9);
  CHECK(loader.lock.exponent == 0.0);
  CHECK(plain.origin_of("/jobs/0/loader/order").print().rfind("catalogue loader", 0) == 0);
  CHECK(plain.origin_of("/jobs/0/loader/workers").kind == Origin::Kind::file);
  CHECK(plain.origin_of("/jobs/0/loader/lanes").kind == Origin::Kind::default_value);
  const LoadedScenario stated =
      load_shipped("loader-presets", {"/jobs/0/loader/catalogue=tf_data_any_order", "/jobs/0/loader/order=in_order"});
  CHECK(stated.value.jobs[0].loader.order == models::DeliveryOrder::in_order);
  CHECK(stated.origin_of("/jobs/0/loader/order").kind == Origin::Kind::override_argument);
  CHECK(load_shipped("loader-presets", {"/jobs/0/loader/catalogue=synchronous"}).value.jobs[0].loader.synchronous);
}

TEST_CASE("codec, format and transport are names, or their figures") {
  const LoadedScenario named =
      load_shipped("image-node", {"/datasets/0/codec=zstd", "/datasets/0/catalogue=parquet", "/fabric/transport=tcp"});
  CHECK(named.value.datasets[0].codec.ratio == 2.876);
  CHECK(named.value.datasets[0].request_bytes == 1048576.0);
  CHECK(named.value.fabric.transport.core_bytes_per_s == 5e9);
  CHECK(named.origin_of("/datasets/0/codec/decompress").print().find("lzbench") != std::string::npos);
  const LoadedScenario given = load_shipped(
      "image-node", {R"(/datasets/0/codec={"ratio": 2, "decompress": "1 GB/s"})", "/fabric/transport/rdma=true"});
  CHECK(given.value.datasets[0].codec.decompress_bytes_per_s == 1e9);
  CHECK(given.value.fabric.transport.rdma);
}

TEST_CASE("transports of a link of 100 Gb/s come with the curves that were measured on one") {
  const auto transport = [](const std::string& name) {
    return load_shipped("image-node", {"/fabric/transport=" + name}).value.fabric.transport;
  };
  const models::Transport roce = transport("roce-100g");
  CHECK(roce.rdma);
  CHECK(roce.efficiency == transport("roce").efficiency);
  CHECK(models::goodput_of_requests(roce, 512.0) * 92.46 == Approx(29.73).epsilon(1e-3));
  CHECK(models::goodput_of_requests(roce, 2048.0) * 92.46 == Approx(91.47).epsilon(1e-3));
  CHECK(models::goodput_of_requests(roce, 110e3) == 1.0);
  const models::Transport infiniband = transport("infiniband-100g");
  CHECK(models::goodput_of_requests(infiniband, 1024.0) * 98.38 == Approx(30.90).epsilon(1e-3));
  CHECK(models::goodput_of_requests(infiniband, 4096.0) * 98.38 == Approx(86.35).epsilon(1e-3));
  const models::Transport tcp = transport("tcp-100g");
  CHECK_FALSE(tcp.rdma);
  CHECK(models::goodput_of_connections(tcp, 1.0) * 91.0 == Approx(25.0).epsilon(1e-3));
  CHECK(models::goodput_of_connections(tcp, 8.0) == 1.0);
}

TEST_CASE("what a weight belongs to is one of two words, and owned machines know no discount") {
  const auto wrong_of_job = [](const Strings& overrides) { return wrong("protected-training", overrides); };
  CHECK(wrong_of_job({"/jobs/0/weight_of=all", "/jobs/0/checkpoint/weight_of=all"}).empty());
  CHECK(wrong_of_job({"/jobs/0/weight_of=each"}).find("is not one of transfer, all") != std::string::npos);
  CHECK(wrong_of_job({R"(/prices={"owned": {"gpu_capital": "$30000"}, "commitment_discount": 0.3})"})
            .find("owned machines") != std::string::npos);
}

TEST_CASE("GPUDirect is refused where cores or host memory would have to see the bytes") {
  CHECK(wrong_with_gds({}).empty());
  CHECK(wrong_with_gds({"/fabric/transport=tcp"}).find("RDMA") != std::string::npos);
  CHECK(wrong_with_gds({"/fabric/transport=tcp", "/stores/0/kind=nvme"}).empty());
  CHECK(wrong_with_gds({"/jobs/0/loader/cpu_per_sample=1 ms"}).find("E0210") != std::string::npos);
  CHECK(wrong_with_gds({"/jobs/0/loader/cpu_per_sample=1 ms", "/jobs/0/loader/preprocessing=preprocessed"}).empty());
  CHECK(wrong_with_gds({"/datasets/0/codec=lz4"}).find("bypasses") != std::string::npos);
  CHECK(wrong_with_gds({"/fabric/decrypt=2 GB/s"}).find("bypasses") != std::string::npos);
  CHECK(wrong_with_gds({R"(/cluster/pools/0/cache={"policy": "lru", "medium": "dram", "bytes": "1 GB"})"})
            .find("host memory") != std::string::npos);
}

TEST_CASE("preprocessing elsewhere needs its rate, and shared collectives their bytes") {
  CHECK(wrong("remote-preprocessing", {"/jobs/0/loader/cpu_per_sample=0"}).find("remote/rate") != std::string::npos);
  CHECK(
      wrong("remote-preprocessing", {"/jobs/0/loader/cpu_per_sample=0", "/jobs/0/loader/remote/rate=500 /s"}).empty());
  CHECK(wrong("image-node", {"/jobs/0/loader/preprocessing=gpu"}).find("gpu_per_sample") != std::string::npos);
  CHECK(wrong("image-node", {"/fabric/collectives=shared"}).find("collective_bytes") != std::string::npos);
  CHECK(wrong("image-node", {"/fabric/collectives=shared", "/fabric/collective_bytes=1 GB"}).empty());
}

}  // namespace headrace::scenarios
