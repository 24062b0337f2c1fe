#include "scenarios/importers/dlio.hpp"

#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/golden.hpp"

using namespace headrace::scenarios;
using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kPyTorch = R"(
model: {name: vision}
framework: pytorch
workflow: {train: True, checkpoint: False}
dataset:
  format: npz
  num_files_train: 1000
  record_length_bytes: 1000000
reader: {data_loader: pytorch, batch_size: 7, read_threads: 4, sample_shuffle: seed}
train: {epochs: 5, computation_time: 0.25}
)";

Json imported(const std::string& text, const DlioOptions& options = {}) {
  const auto result = import_dlio("w.yaml", text, options);
  if (!result) FAIL(print_text(result.error()));
  return Json::parse(result->json);
}

std::string complaint(const std::string& text, const DlioOptions& options = {}) {
  const auto result = import_dlio("w.yaml", text, options);
  return result ? "" : print_text(result.error());
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_CASE("a PyTorch workload becomes one dataset and one job") {
  const Json layer = imported(kPyTorch, {.accelerators = 16, .hosts = 2});
  const Json& dataset = layer["datasets"][0];
  CHECK(dataset["name"] == "vision");
  CHECK(dataset["files"] == 1000);
  CHECK(dataset["sample_bytes"] == "1 MB");
  CHECK(dataset["order"] == "random");
  const Json& job = layer["jobs"][0];
  CHECK(job["nodes"] == 2);
  CHECK(job["gpus_per_node"] == 8);
  CHECK(job["epochs"] == 5);
  CHECK(job["step"]["batch"] == 7);
  CHECK(job["step"]["step_time"] == "250 ms");
  CHECK(job["loader"]["workers"] == 4);
  CHECK(job["loader"]["prefetch"] == 1);
  CHECK(job["loader"]["order"] == "in_order");
}

TEST_CASE("the prefetch factor of PyTorch is rounded up, and 2 where DLIO says 0") {
  const auto prefetch = [](const std::string& keys) {
    return imported(replaced(kPyTorch, "read_threads: 4", keys))["jobs"][0]["loader"]["prefetch"].get<int>();
  };
  CHECK(prefetch("read_threads: 4, prefetch_size: 9") == 3);
  CHECK(prefetch("read_threads: 4, prefetch_size: 8") == 2);
  CHECK(prefetch("read_threads: 4, prefetch_size: 0") == 2);
  CHECK(prefetch("read_threads: 1") == 2);
}

TEST_CASE("a TensorFlow workload reads records in a row and holds finished batches") {
  const std::string text = replaced(replaced(kPyTorch, "data_loader: pytorch", "data_loader: tensorflow"),
                                    "format: npz", "format: tfrecord\n  num_samples_per_file: 50");
  const Json layer = imported(text);
  CHECK(layer["datasets"][0]["order"] == "shard_sequential");
  CHECK(layer["jobs"][0]["loader"]["workers"] == 4);
  CHECK(layer["jobs"][0]["loader"]["outstanding"] == 6);
}

TEST_CASE("spread of sizes and times keeps mean and deviation") {
  const std::string text = replaced(replaced(kPyTorch, "record_length_bytes: 1000000",
                                             "record_length_bytes: 1000000\n  record_length_bytes_stdev: 250000"),
                                    "computation_time: 0.25", "computation_time: {mean: 0.5, stdev: 0.1}");
  const Json layer = imported(text);
  CHECK(layer["datasets"][0]["sample_bytes"].dump() == R"({"gamma":{"mean":"1 MB","cv":0.25}})");
  CHECK(layer["jobs"][0]["step"]["step_time"].dump() == R"({"gamma":{"mean":"0.5 s","cv":0.2}})");
}

TEST_CASE("keys without influence are listed with their lines") {
  const auto result = import_dlio("w.yaml", std::string(kPyTorch) + "metric:\n  au: 0.9\n  speed: 1\n", {});
  REQUIRE(result);
  REQUIRE(result->unused.size() == 2);
  CHECK(result->unused[0].key == "metric.au");
  CHECK(result->unused[0].line == 12);
  CHECK(result->unused[1].key == "metric.speed");
}

TEST_CASE("a misspelt key is refused with its place and the nearest key, never a default") {
  for (const auto& [right, wrong] : {std::pair{"num_files_train", "num_files_trian"},
                                     {"read_threads", "read_thread"},
                                     {"computation_time", "compution_time"},
                                     {"framework", "framwork"},
                                     {"dataset", "datset"}}) {
    const std::string text = complaint(replaced(kPyTorch, right, wrong));
    INFO(text);
    CHECK(text.find("E0203") != std::string::npos);
    CHECK(text.find("--> w.yaml:") != std::string::npos);
    CHECK(text.find("did you mean '" + std::string(right)) != std::string::npos);
  }
  const std::string alien = complaint(replaced(kPyTorch, "epochs: 5", "epochs: 5, bananas: 3"));
  CHECK(alien.find("unknown key 'train.bananas'") != std::string::npos);
  CHECK(complaint(replaced(kPyTorch, "computation_time: 0.25", "computation_time: {mean: 0.25}")).empty());
}

TEST_CASE("what is no training workload says so") {
  const std::string head = "model: {name: m}\nworkflow: ";
  CHECK(complaint(head + "{train: False, checkpoint: True}\n").find("only writes and reads checkpoints") !=
        std::string::npos);
  CHECK(complaint(head + "{train: True, checkpoint: True}\n").find("it has no dataset") != std::string::npos);
  CHECK(complaint(head + "{train: False, generate_data: True}\ndataset: {num_files_train: 1}\n")
            .find("only generates data") != std::string::npos);
}

TEST_CASE("bad YAML is refused with file, line and column") {
  CHECK(complaint("a: [1, 2\nb: 3\n").find("w.yaml:2") != std::string::npos);
  CHECK(complaint("a: {b").find("E0105") != std::string::npos);
  CHECK(complaint("").find("E0103") != std::string::npos);
  CHECK(complaint("- 1\n- 2\n").find("E0303") != std::string::npos);
  const std::string bad_batch = complaint(replaced(kPyTorch, "batch_size: 7", "batch_size: seven"));
  CHECK(bad_batch.find("w.yaml:9:") != std::string::npos);
  CHECK(bad_batch.find("reader.batch_size is not a number") != std::string::npos);
}

TEST_CASE("impossible figures are refused, all at once") {
  std::string text = replaced(kPyTorch, "batch_size: 7", "batch_size: 0");
  text = replaced(text, "num_files_train: 1000", "num_files_train: -3");
  text = replaced(text, "computation_time: 0.25", "computation_time: .nan");
  const auto result = import_dlio("w.yaml", text, {});
  REQUIRE_FALSE(result);
  CHECK(result.error().size() == 3);
  CHECK(complaint(kPyTorch, {.accelerators = 7, .hosts = 2}).find("do not spread evenly") != std::string::npos);
  CHECK(complaint(replaced(kPyTorch, "read_threads: 4", "read_threads: 0")).find("E0209") != std::string::npos);
}

TEST_CASE("the shipped workload imports without a remark about its size") {
  const std::string text = headrace::testing::file_text(HEADRACE_SOURCE_DIR "/scenarios/workloads/unet3d_h100.yaml");
  const auto result = import_dlio("unet3d_h100.yaml", text, {.accelerators = 8, .hosts = 1});
  REQUIRE(result);
  CHECK(result->name == "unet3d");
  for (const std::string& note : result->notes) CHECK(note.find("an epoch has only") == std::string::npos);
}
