// headrace init: its questions as flags and through a pipe.
#include <nlohmann/json.hpp>

#include "scenarios/document/questionnaire.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using Catch::Matchers::ContainsSubstring;
using headrace::testing::file_text;
using headrace::testing::Folder;
using headrace::testing::Run;
using headrace::testing::run;
using headrace::testing::unbroken;

namespace {

headrace::testing::Run asked(const Folder& folder, const std::string& answers, const std::string& flags = "") {
  const std::string lines = folder.write("answers", answers);
  // run() closes standard input; this shell opens it again.
  const Folder streams;
  const std::string command = "'" HEADRACE_PROGRAM "' init --ask " + flags + " <'" + lines + "' >'" +
                              streams.path("out") + "' 2>'" + streams.path("err") + "'";
  headrace::testing::Run result;
  const int raw = std::system(command.c_str());
  result.status = WIFEXITED(raw) ? WEXITSTATUS(raw) : -1;
  result.out = file_text(streams.path("out"));
  result.err = file_text(streams.path("err"));
  return result;
}

}  // namespace

TEST_CASE("every answer is also a flag, and an answer comes at once", "[cli]") {
  const Folder folder;
  const std::string file = folder.path("mine.json");
  const auto made = run("init -o '" + file +
                        "' --workload images --model '3000 samples/s' --gpus '1024 x H100-SXM5-80GB' --node DGX-H100 "
                        "--data '500 TB, 4.5M objects, shards' --location region --store 's3-standard, 400 GB/s' "
                        "--network '100 Gb/s, 2:1' --nvme '15 TB, 20 GB/s' --checkpoint '30 min, 50000 h' "
                        "--tenants '25 %' --objective 'cheapest, $5M/month'");
  INFO(made.err);
  REQUIRE(made.status == 0);
  CHECK(made.out.find("Measure these three next:") != std::string::npos);
  const std::string tail = made.out.substr(made.out.find("next:\n") + 6);
  CHECK(std::count(tail.begin(), tail.end(), '\n') == 3);
  CHECK(made.out.find("budget") != std::string::npos);
  const auto scenario = nlohmann::json::parse(file_text(file));
  CHECK(scenario["cluster"]["pools"][0]["nodes"] == 128);
  CHECK(scenario["cluster"]["pools"][0]["catalogue"] == "DGX-H100");
  CHECK(scenario["fabric"]["leaf_oversubscription"] == 2.0);
  CHECK(scenario["stores"][0]["bandwidth"] == "300 GB/s");  // others take a quarter
  CHECK(scenario["datasets"][0]["files"] == 4500000);
  CHECK(scenario["jobs"][0]["checkpoint"]["interval"] == "30 min");
  CHECK(scenario["prices"] == "H100/lambda_8x");
  CHECK(run("validate '" + file + "'").status == 0);
  CHECK(run("simulate --no-relief --steps 20 --json '" + file + "'").status != 2);
}

TEST_CASE("init reads answers back in bytes and bits, with a space before every unit, and names what it assumed",
          "[cli]") {
  const Folder folder;
  const std::string file = folder.path("mine.json");
  const auto made = run("init --gpus '16x8 H100' --store '40GB/s file system' --network 2x200G -o '" + file + "'");
  INFO(made.err << made.out);
  REQUIRE(made.status == 0);
  const std::string said = headrace::testing::unbroken(made.out);
  CHECK(said.find("Read as: 128 GPUs train on 20 TB (images); 16 nodes of 8 GPUs;") != std::string::npos);
  CHECK(said.find("network of a node 50.00 GB/s (400.0 Gb/s); storage 40.00 GB/s (320.0 Gb/s)") != std::string::npos);
  CHECK(said.find(
            "Assumed, because not stated: workload, model (142.2 ms of compute in a step), data, layout, 2 epochs,") !=
        std::string::npos);
  // What a remedy rests on is named, too, and so is what the scenario does without.
  CHECK(said.find("96 cores per node, 8 workers of prefetch 2 per GPU.") != std::string::npos);
  CHECK(said.find("Left out, because not stated: NVMe as a cache, checkpoints and failures,") != std::string::npos);
  const auto scenario = nlohmann::json::parse(file_text(file));
  CHECK(scenario["stores"][0]["bandwidth"] == "40 GB/s");
  CHECK(scenario["cluster"]["pools"][0]["nic"]["bandwidth"] == "200 Gb/s");
  for (const auto& range : scenario["input_ranges"])
    for (const char* end : {"low", "high"}) {
      if (!range.contains(end)) continue;  // by the evidence alone
      const std::string value = range[end].get<std::string>();
      INFO(value);
      CHECK(std::abs(std::stod(value)) < 1000.0);
      CHECK((value.find(' ') != std::string::npos || value.find_first_not_of("0123456789.e+") == std::string::npos));
    }
}

TEST_CASE("init takes counts without a space, data in words of a sentence, and names of models", "[cli]") {
  const auto said = [](const std::string& answers) {
    const auto made = run("init " + answers);
    INFO(answers << "\n" << made.err);
    CHECK(made.status == 0);
    return made.status == 0 ? nlohmann::json::parse(made.out) : nlohmann::json();
  };
  CHECK(said("--gpus 512H100")["cluster"]["pools"][0]["nodes"] == 64);
  const auto video = said("--data '3 PB of videos in 4 million files'");
  CHECK(video["datasets"][0]["files"] == 4000000);
  CHECK(video["title"] == "64 GPUs train on 3 PB (video)");
  CHECK(said("--workload resnet50")["title"] == "64 GPUs train on 20 TB (images)");
  CHECK(said("--store 'minio 10 GB/s'")["stores"][0]["catalogue"] == "generic-object-store");
  CHECK(run("init --store '5 GB'").err.find("this is a size; a rate has /s: 5 GB/s") != std::string::npos);
  CHECK(run("init --network 400").err.find("a number alone needs its unit: 400 Gb/s") != std::string::npos);
}

TEST_CASE("init takes a batch and the time of a step, and says what it assumes of them", "[cli][long_4]") {
  const auto step_of = [](const std::string& model) {
    const auto made = run("init --gpus 512H100 --model '" + model + "'");
    INFO(model << "\n" << made.err);
    REQUIRE(made.status == 0);
    const auto scenario = nlohmann::json::parse(made.out);
    std::size_t of_step = 0;
    for (const auto& range : scenario["input_ranges"])
      of_step += range["parameter"] == "/jobs/0/step/step_time" && range["evidence"] == "datasheet" ? 1 : 0;
    CHECK(of_step == 1);
    return scenario["jobs"][0]["step"];
  };
  for (const char* model : {"batch 64, 180 ms per step", "batch size 64, step time 180 ms", "batch=64, 180ms/step",
                            "180 ms a step, Batch 64"}) {
    CHECK(step_of(model)["batch"] == 64);
    CHECK(step_of(model)["step_time"] == "180 ms");
  }
  CHECK(step_of("batch 64, 640 samples/s")["step_time"] == "100 ms");
  CHECK(step_of("0.5 s per step")["batch"] == 256);
  const Run both = run("init --model '100 samples/s, 180 ms per step'");
  CHECK(both.status == 2);
  CHECK(both.err.find("say the same: leave out one of them") != std::string::npos);
  CHECK(run("init --model '180 apples'").status == 2);  // no model has 180 parameters
  const Folder folder;
  const std::string out = unbroken(run("init --gpus 512H100 -o '" + folder.path("a.json") + "'").out);
  CHECK(out.find("batch 256 per GPU, 96 cores per node") != std::string::npos);
}

TEST_CASE("a price of egress that nobody stated is not written as free", "[cli]") {
  const auto price = [](const std::string& answers) {
    const auto made = run("init " + answers);
    INFO(made.err);
    REQUIRE(made.status == 0);
    return std::pair{nlohmann::json::parse(made.out)["stores"][0].value("price", nlohmann::json::object()),
                     headrace::testing::unbroken(made.err)};
  };
  const auto files = price("--store '40 GB/s file system'");
  CHECK_FALSE(files.first.contains("egress"));
  const auto assumed = price("--store s3-standard");
  CHECK(assumed.first["egress"] == "$0/GB");
  CHECK(assumed.first["// egress"].get<std::string>().find("Assumed: the GPUs are in the region") == 0);
  CHECK(assumed.second.find("Egress assumed free, as within the store's region") != std::string::npos);
  const auto answered = price("--store s3-standard --location region");
  CHECK(answered.first["// egress"].get<std::string>().find("As answered") == 0);
  CHECK(answered.second.find("Egress assumed") == std::string::npos);
  CHECK_FALSE(price("--store s3-standard --location remote").first.contains("egress"));
}

TEST_CASE("what matters becomes the objective of a plan", "[cli][long_3]") {
  const Folder folder;
  for (const auto& [answer, goal] :
       {std::pair{"cheapest, $5M/month", "cost_per_epoch"}, {"fastest", "epoch_time"}, {"fed", "idle"}}) {
    INFO(answer);
    const std::string file = folder.path("mine.json");
    REQUIRE(run("init --gpus '8 x h100' --objective '" + std::string(answer) + "' --force -o '" + file + "'").status ==
            0);
    CHECK(nlohmann::json::parse(file_text(file))["objective"]["minimize"] == goal);
    const auto plan = run("plan --json '" + file + "' --decide /jobs/0/loader/workers=4,8");
    INFO(plan.err);
    REQUIRE((plan.status == 0 || plan.status == 1 || plan.status == 3));  // 1: not fed in 90 % of the ranges
    CHECK(nlohmann::json::parse(plan.out)["objective"].get<std::string>().substr(0, 4) ==
          std::string(goal).substr(0, 4));
  }
  const auto open = run("init --gpus '8 x h100'");
  CHECK(!nlohmann::json::parse(open.out).contains("objective"));
}

TEST_CASE("init does not let a store of a stated rate write faster than it reads", "[cli]") {
  const std::string call = "init --workload text --model 8B --gpus '4 nodes x 8 H100' --store '20 GB/s file system' ";
  const auto made = run(call + "--checkpoint '30 min'");
  REQUIRE(made.status == 0);
  const auto scenario = nlohmann::json::parse(made.out);
  CHECK(scenario["stores"][0]["write_bandwidth"] == "12 GB/s");
  const auto& ranges = scenario["input_ranges"];
  CHECK(std::any_of(ranges.begin(), ranges.end(), [](const auto& range) {
    return range["parameter"] == "/stores/0/write_bandwidth" && range["low"] == "6 GB/s" && range["high"] == "20 GB/s";
  }));
  const std::string said = unbroken(made.err);
  CHECK_THAT(said, ContainsSubstring("The storage is assumed to write 12 GB/s, 60 % of the reads") &&
                       ContainsSubstring("Each node is assumed to fail every 50,000 h"));
  CHECK_THAT(unbroken(run(call + "--checkpoint none").err), !ContainsSubstring("assumed to write"));
}

TEST_CASE("what moves nothing is not named among what to measure", "[cli]") {
  // Without checkpoints nothing is written.
  const auto made = run("init --workload images --gpus '8 x h100' --checkpoint none --model '3000 samples/s'");
  INFO(made.err);
  REQUIRE(made.status == 0);
  CHECK(made.err.find("write_bandwidth") == std::string::npos);
  CHECK(made.err.find("mtbf") == std::string::npos);
}

TEST_CASE("GPUs that the servers do not come with are told", "[cli]") {
  const auto other = run("init --gpus '8 x A100' --node aws-p5.48xlarge");
  CHECK(other.status == 0);
  CHECK(other.err.find("has H100-SXM5-80GB, but the answer about GPUs") != std::string::npos);
  CHECK(nlohmann::json::parse(other.out)["cluster"]["pools"][0]["gpu"].get<std::string>().substr(0, 4) == "A100");
  for (const char* node : {"aws-p5.48xlarge", "generic-8-gpu"})
    CHECK(run("init --gpus '8 x h100' --node " + std::string(node)).err.find("but the answer about GPUs") ==
          std::string::npos);
}

TEST_CASE("names may be said as people say them", "[cli]") {
  for (const char* gpus : {"64 x H100-SXM5-80GB", "64 x h100", "64xH100", "64 H100", "H100 64", "h100 x 64"}) {
    INFO(gpus);
    const Folder folder;
    const std::string file = folder.path("said.json");
    const auto made = run("init --gpus '" + std::string(gpus) + "' --node 'dgx h100' -o '" + file + "'");
    INFO(made.err);
    REQUIRE(made.status == 0);
    const auto pool = nlohmann::json::parse(file_text(file))["cluster"]["pools"][0];
    CHECK(pool["nodes"] == 8);
    CHECK(pool["catalogue"] == "DGX-H100");
    CHECK(pool["gpu"] == "H100-SXM5-80GB");
  }
}

TEST_CASE("instances are found by the name of their provider, too", "[cli]") {
  const auto made = run("init --node p5.48xlarge");
  INFO(made.err);
  REQUIRE(made.status == 0);
  CHECK(nlohmann::json::parse(made.out)["cluster"]["pools"][0]["catalogue"] == "aws-p5.48xlarge");
}

TEST_CASE("format and place of the data enter the scenario", "[cli][long_3]") {
  for (const auto& [format, entry] : {std::pair{"shards", "tar"},
                                      {"files", "files"},
                                      {"parquet", "parquet"},
                                      {"hdf5", "hdf5"},
                                      {"tfrecord", "tfrecord"}}) {
    INFO(format);
    const auto made = run("init --data '10 TB, " + std::string(format) + "'");
    INFO(made.err);
    REQUIRE(made.status == 0);
    CHECK(nlohmann::json::parse(made.out)["datasets"][0]["catalogue"] == entry);
  }
  const auto tokens = nlohmann::json::parse(run("init --workload text --data '10 TB, tokens'").out);
  CHECK(tokens["jobs"][0]["loader"]["access"]["mode"] == "mmap");
  CHECK(tokens["datasets"][0]["order"] == "random");
  const auto remote = nlohmann::json::parse(run("init --location remote").out);
  CHECK(remote["fabric"]["wan"]["rtt"] == "50 ms");
  const auto local = run("init --location local --network '400 Gb/s, 2:1'");
  CHECK(local.err.find("the network carries none of it") != std::string::npos);
  CHECK_FALSE(nlohmann::json::parse(local.out).contains("fabric"));
}

TEST_CASE("a model that is split over GPUs takes its step from its size", "[cli]") {
  const Folder folder;
  const std::string file = folder.path("text.json");
  const auto made =
      run("init -o '" + file + "' --workload text --model '70B, tp=8, pp=2' --gpus '256 x H100-SXM5-80GB' --json");
  INFO(made.err);
  REQUIRE(made.status == 0);
  CHECK(nlohmann::json::parse(made.out)["inputs"]["drawn"].size() > 3);
  const auto job = nlohmann::json::parse(file_text(file))["jobs"][0];
  CHECK(job["step"]["arithmetic"]["flops_per_sample"].get<double>() == Approx(6.0 * 70e9 * 4096));
  CHECK(job["parallelism"]["tp"] == 8);
  CHECK(job["readers"] == "one_per_replica");
  CHECK(job["checkpoint"]["parameters"] == 70e9);
}

TEST_CASE("a store is known by its kind with any word for what serves it, a network is one of a node", "[cli]") {
  const std::string ask = "init --json --workload images --gpus '8 nodes x 8 H100' --network '2x200 Gb/s per node' ";
  for (const auto& [said, entry] : {std::pair{"60 GB/s NFS file system", "generic-nvme-nas"},
                                    {"60 GB/s NFS server", "generic-nvme-nas"},
                                    {"60 GB/s Lustre filesystem", "generic-parallel-fs"},
                                    {"60 GB/s parallel file system", "generic-parallel-fs"},
                                    {"60 GB/s MinIO cluster", "generic-object-store"},
                                    {"60 GB/s object storage", "generic-object-store"}}) {
    const Folder folder;
    const std::string file = folder.path("mine.json");
    const auto made = run(ask + "--store '" + said + "' -o '" + file + "'");
    INFO(said << made.err);
    REQUIRE(made.status == 0);
    const auto scenario = nlohmann::json::parse(file_text(file));
    CHECK(scenario["stores"][0]["catalogue"] == entry);
    CHECK(scenario["stores"][0]["bandwidth"] == "60 GB/s");
    CHECK(scenario["cluster"]["pools"][0]["nic"]["bandwidth"] == "200 Gb/s");
    CHECK(scenario["cluster"]["pools"][0]["nic"]["rails"] == 2);
  }
  CHECK(run(ask + "--store '60 GB/s paper server'").status == 2);
}

TEST_CASE("not knowing anything is legal: defaults with their ranges", "[cli]") {
  const Folder folder;
  const auto made = asked(folder, "\n?\ndon't know\n");  // three lines, then nothing more
  INFO(made.err);
  REQUIRE(made.status == 0);
  const auto scenario = nlohmann::json::parse(made.out);
  CHECK(scenario["cluster"]["pools"][0]["catalogue"] == "generic-8-gpu");
  CHECK(scenario["stores"][0]["catalogue"] == "generic-nvme-nas");
  CHECK(scenario["input_ranges"].size() >= 3);
  CHECK(made.err.find("15/15") == std::string::npos);  // the input had ended
  CHECK(made.err.find("Measure these three next:") != std::string::npos);
  const auto all = asked(folder, "text\n7B\n64\n\n10 TB\n\n3\nsite\n40 GB/s\n\nnone\n\nnone\nfastest\n");
  CHECK(all.status == 0);
  CHECK(all.err.find("15/15") != std::string::npos);
  CHECK(all.err.find("10/15 not asked after these answers") != std::string::npos);  // a file system has no prefixes
  CHECK(nlohmann::json::parse(all.out)["jobs"][0]["epochs"] == 3);
  const auto piped = asked(folder, "text\n", "--gpus 8");
  CHECK(piped.status == 0);
  CHECK(piped.err.find("How many GPUs") == std::string::npos);  // the flag has answered
}

TEST_CASE("every wrong answer is named with its question, and nothing is written", "[cli]") {
  const Folder folder;
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"layout", "heap"},    {"epochs", "-1"},           {"prefixes", "lots"},
      {"workload", "films"}, {"model", "big"},           {"gpus", "1024 x H100-SXM5-80"},
      {"gpus", "-3"},        {"node", "DGX-H10"},        {"data", "much"},
      {"location", "moon"},  {"store", "40 lightyears"}, {"network", "fast"},
      {"nvme", "plenty"},    {"checkpoint", "often"},    {"tenants", "120 %"},
      {"objective", "glory"}};
  for (const auto& [key, answer] : wrong) {
    INFO(key << " " << answer);
    const auto failed = run("init --" + key + "='" + answer + "' -o '" + folder.path("none.json") + "'");
    CHECK(failed.status == 2);
    CHECK(failed.err.find("--" + key) != std::string::npos);
    CHECK(failed.err.find(answer) != std::string::npos);
    CHECK(failed.out.empty());
  }
  CHECK(folder.file_count() == 0);
  CHECK(run("init --gpus '8 x H100-SXM5-80'").err.find("H100-SXM5-80GB") != std::string::npos);
  const auto piped = asked(folder, "films\n");
  CHECK(piped.status == 2);
  CHECK(piped.out.empty());
  for (const headrace::scenarios::Question& question : headrace::scenarios::kQuestions)
    CHECK(run("init --help").out.find("--" + std::string(question.key)) != std::string::npos);
}

TEST_CASE("clusters, data and stores are taken as people write them", "[cli][long_2]") {
  const Folder folder;
  const std::string file = folder.path("mine.json");
  const auto made = run("init -o '" + file +
                        "' --gpus '64 nodes x 8 H100' --data '100 TB JPEG' --layout 'single files' --epochs 90 "
                        "--store '100 GB/s object store' --prefixes '16, 5500 /s' --network 4x200G");
  INFO(made.err);
  REQUIRE(made.status == 0);
  const auto scenario = nlohmann::json::parse(file_text(file));
  const auto pool = scenario["cluster"]["pools"][0];
  CHECK(pool["nodes"] == 64);
  CHECK(pool["gpus_per_node"] == 8);
  CHECK(pool["gpu"] == "H100-SXM5-80GB");
  CHECK(pool["nic"]["bandwidth"] == "200 Gb/s");
  CHECK(pool["nic"]["rails"] == 4);
  CHECK(scenario["datasets"][0]["samples_per_file"] == 1);
  CHECK(scenario["datasets"][0]["files"] == 869565218);
  CHECK(scenario["jobs"][0]["epochs"] == 90);
  CHECK(scenario["stores"][0]["catalogue"] == "generic-object-store");
  CHECK(scenario["stores"][0]["bandwidth"] == "100 GB/s");
  CHECK(scenario["stores"][0]["limit"]["prefixes"] == 16);
  CHECK(scenario["stores"][0]["limit"]["requests_per_prefix"] == "5500 /s");
  CHECK(run("validate '" + file + "'").status == 0);
  const auto pool_of = [](const std::string& gpus) {
    return nlohmann::json::parse(run("init --gpus '" + gpus + "'").out)["cluster"]["pools"][0];
  };
  for (const char* gpus : {"512 H100", "64 x 8 H100", "64 servers with 8 H100 each", "8 H100 x 64 nodes", "64x8 H100",
                           "512 H100 on 64 nodes", "64 x DGX H100"}) {
    INFO(gpus);
    CHECK(pool_of(gpus)["nodes"] == 64);
    CHECK(pool_of(gpus)["gpus_per_node"] == 8);
  }
  CHECK(pool_of("16 nodes x 4 A100")["gpus_per_node"] == 4);
  CHECK(pool_of("1,024 H100")["nodes"] == 128);
  CHECK(run("init --gpus '100 H100 on 12 nodes'").status == 2);
  CHECK(run("init --data '10 TB, shards' --layout heap").status == 2);
  const auto store = nlohmann::json::parse(run("init --store 'lustre 200 GB/s'").out)["stores"][0];
  CHECK(store["catalogue"] == "generic-parallel-fs");
  CHECK(store["bandwidth"] == "200 GB/s");
  CHECK(run("init --data '10 TB video'").out.find("(video)") != std::string::npos);
}

TEST_CASE("counts are taken in words and with commas, of files and of samples", "[cli]") {
  const auto data_of = [](const std::string& data) {
    const auto made = run("init --workload images --data '" + data + "'");
    INFO(data << made.err);
    REQUIRE(made.status == 0);
    return nlohmann::json::parse(made.out)["datasets"][0];
  };
  for (const char* files :
       {"100 TB, 2,000,000 files", "100 TB, 2 million files", "100 TB, 2M objects", "100 TB, 2 mn files"}) {
    INFO(files);
    CHECK(data_of(files)["files"] == 2000000);
  }
  CHECK(data_of("2 billion images, single files")["files"] == 2000000000);
  const auto both = data_of("100 TB, 1 billion images, single files");
  CHECK(both["files"] == 1000000000);
  CHECK(both["sample_bytes"].dump().find("100") != std::string::npos);  // 100 kB each
  CHECK(run("init --data '10 TB, 20 TB'").err.find("one volume") != std::string::npos);
  const auto tiny = run("init --data '20000 B'");
  CHECK(tiny.status == 2);
  CHECK(tiny.err.find("2 billion files") != std::string::npos);
}

TEST_CASE("what others use of a store is taken off reads, writes and requests", "[cli]") {
  const auto store = nlohmann::json::parse(run("init --store '40 GB/s file system' --tenants '25 %'").out)["stores"][0];
  CHECK(store["bandwidth"] == "30 GB/s");
  CHECK(store["// bandwidth"].get<std::string>().find("of which others use 25 %") != std::string::npos);
  const auto alone = nlohmann::json::parse(run("init --store '40 GB/s file system'").out)["stores"][0];
  CHECK_FALSE(alone.contains("// bandwidth"));
  for (const char* rate : {"write_bandwidth", "requests"}) {
    INFO(rate);
    CHECK(store.contains(std::string("// ") + rate) == store.contains(rate));
  }
  CHECK((store.contains("write_bandwidth") || store.contains("requests")));
}

TEST_CASE("a generic object store has no provider's limit, and an assumed limit that decides comes first", "[cli]") {
  const std::string cluster = "init --gpus '512 H100' --data '100 TB JPEG' --layout files --store ";
  const auto generic = run(cluster + "'100 GB/s object store'");
  INFO(generic.err);
  CHECK(nlohmann::json::parse(generic.out)["stores"][0].contains("limit") == false);
  CHECK(generic.err.find("throttle") == std::string::npos);
  const std::string latency = "limited by an assumed latency of 100.0 ms of store 'storage'; set /stores/0/latency";
  CHECK(headrace::testing::first_sentence(generic.err).find(latency) != std::string::npos);
  const auto named = run(cluster + "s3-standard");
  INFO(named.err);
  const std::string first = headrace::testing::first_sentence(named.err);
  CHECK(first.find("ingest-bound by throttle") == 0);
  CHECK(first.find("limited by an assumed 5,500 requests/s on one prefix; set /stores/0/limit") != std::string::npos);
  CHECK(named.err.find("\n  cause      ") != std::string::npos);
  CHECK(named.err.find("\n  try first  ") != std::string::npos);
  CHECK(run(cluster + "s3-standard --prefixes 64").err.find("limited by an assumed") == std::string::npos);
  CHECK(run(cluster + "'40 GB/s object store' --prefixes 64").err.find("prefixes change nothing") != std::string::npos);
}

TEST_CASE("a refused answer keeps the others, also through a pipe", "[cli]") {
  const Folder folder;
  const auto refused =
      asked(folder, "images\n\n64 nodes x 8 H101\nDGX-H100\n100 TB JPEG\n", "-o '" + folder.path("a.json") + "'");
  CHECK(refused.status == 2);
  CHECK(refused.out.empty());
  CHECK(refused.err.find("--gpus: cannot read '64 nodes x 8 H101'") != std::string::npos);
  CHECK(refused.err.find("did you mean 'H100'?") != std::string::npos);
  const std::size_t call = refused.err.find("headrace init --ask -o ");
  REQUIRE(call != std::string::npos);
  CHECK(refused.err.find("--data '100 TB JPEG'", call) != std::string::npos);
  CHECK(refused.err.find("--node DGX-H100", call) != std::string::npos);
  CHECK(refused.err.find("--gpus", call) == std::string::npos);
  const auto again =
      asked(folder, "", "--workload images --node DGX-H100 --data '100 TB JPEG' --gpus '64 nodes x 8 H100'");
  CHECK(again.status == 0);
}

TEST_CASE("an answer whose unit has two readings is refused with both", "[cli]") {
  const auto rate = run("init --network '100 gbps'");
  CHECK(rate.status == 2);
  CHECK(rate.err.find("'100 gbps' can mean two things") != std::string::npos);
  CHECK(rate.err.find("\"100 Gb/s\" for 100 gigabits per second") != std::string::npos);
  CHECK(run("init --store '200G object store'").err.find("can mean two things") != std::string::npos);
  CHECK(run("init --data '100 TB JPEG, 115kb'").status == 2);
}

TEST_CASE("single files and a count of objects that hold several samples each are refused with both readings",
          "[cli]") {
  const auto refused = run("init --data '2 GB JPEG, 5000 objects' --layout files");
  CHECK(refused.status == 2);
  CHECK(refused.out.empty());
  CHECK(refused.err.find("--layout: 'files' means one sample in each file, but 2 GB in 5000 files are 400 kB in each, "
                         "and a sample of images is taken as 115 kB") != std::string::npos);
  CHECK(
      refused.err.find("write --data '2 GB, 5000 samples' if each file is one sample of 400 kB, or --layout shards if "
                       "it holds about 3 samples") != std::string::npos);
  const auto data_of = [](const std::string& answers) {
    const auto made = run("init " + answers);
    INFO(answers << made.err);
    REQUIRE(made.status == 0);
    return nlohmann::json::parse(made.out)["datasets"][0];
  };
  CHECK(data_of("--data '2 GB, 5000 samples' --layout files")["samples_per_file"] == 1);
  CHECK(data_of("--data '2 GB, 5000 objects' --layout shards")["samples_per_file"] == 3);
  const auto counted = data_of("--data '5000 objects' --layout files");
  CHECK(counted["files"] == 5000);
  CHECK(counted["samples_per_file"] == 1);
  CHECK(run("init --data '1M images, 1000 files' --layout files").err.find("1000 in each") != std::string::npos);
  const Folder folder;
  const auto piped = asked(folder, "images\n\n\n\n2 GB, 5000 objects\nfiles\n");
  CHECK(piped.status == 2);
  CHECK(piped.err.find("--layout: 'files' means one sample in each file") != std::string::npos);
}

TEST_CASE("volumes are not taken for pictures", "[cli][long_1]") {
  const auto title = [](const std::string& answers) {
    const auto made = run("init " + answers);
    INFO(answers << made.err);
    REQUIRE(made.status == 0);
    return nlohmann::json::parse(made.out)["title"].get<std::string>();
  };
  for (const char* answers : {"--workload 'medical 3D images'", "--data '10 TB of medical 3D images'",
                              "--data '10 TB NIfTI'", "--data '10 TB npz'", "--data '10 TB MRI volumes'"})
    CHECK(title(answers).find("(science)") != std::string::npos);
  CHECK(title("--data '10 TB medical JPEG'").find("(images)") != std::string::npos);
  CHECK(title("--data '10 TB JPEG images'").find("(images)") != std::string::npos);
  for (const char* answers : {"--workload 'medical images'", "--data '10 TB medical images'"}) {
    const auto refused = run("init " + std::string(answers));
    CHECK(refused.status == 2);
    CHECK(refused.err.find("can be pictures or 3D volumes") != std::string::npos);
    CHECK(refused.err.find("NIfTI or npz") != std::string::npos);
  }
  CHECK(run("init --workload images --data '10 TB NIfTI'").err.find("--workload science") != std::string::npos);
}

TEST_CASE("tokens are counted, with the bytes of each in what was read", "[cli]") {
  for (const char* data : {"15 trillion tokens", "15T tokens"}) {
    const auto made = run("init --data '" + std::string(data) + "'");
    INFO(made.err);
    REQUIRE(made.status == 0);
    CHECK(nlohmann::json::parse(made.out)["title"] == "64 GPUs train on 60 TB (text)");
    CHECK(headrace::testing::unbroken(made.err).find("15 trillion tokens of 4 bytes, 60 TB in all") !=
          std::string::npos);
  }
  const auto half = run("init --data '15T tokens, 2 bytes/token'");
  INFO(half.err);
  REQUIRE(half.status == 0);
  CHECK(nlohmann::json::parse(half.out)["datasets"][0]["sample_bytes"] == "8 KiB");
  CHECK(headrace::testing::unbroken(half.err).find("of 2 bytes, 30 TB in all") != std::string::npos);
  CHECK(headrace::testing::unbroken(run("init --data '30 TB, 15T tokens'").err).find("of 2 bytes") !=
        std::string::npos);
  const auto images = run("init --workload images --data '15T tokens'");
  CHECK(images.status == 2);
  CHECK(images.err.find("write a volume (500 TB)") != std::string::npos);
}

TEST_CASE("a word that several GPUs have is answered by the one that was taken and the others", "[cli]") {
  const auto first = run("init --gpus '64 A100'");
  CHECK(headrace::testing::unbroken(first.err).find("GPU A100-SXM4-40GB; write A100-SXM4-80GB for the other") !=
        std::string::npos);
  for (const char* gpus : {"64 A100-80GB", "64 A100 80GB", "64 x A100 80 GB", "64 A100-SXM4-80GB"}) {
    const auto made = run("init --gpus '" + std::string(gpus) + "'");
    INFO(gpus << made.err);
    REQUIRE(made.status == 0);
    CHECK(nlohmann::json::parse(made.out)["cluster"]["pools"][0]["gpu"] == "A100-SXM4-80GB");
    CHECK(made.err.find("for the other") == std::string::npos);
  }
  CHECK(run("validate image-node --set /cluster/pools/0/gpu=A100-80GB").out ==
        run("validate image-node --set /cluster/pools/0/gpu=A100-SXM4-80GB").out);
}

TEST_CASE("a budget goes to where a plan reads it, or the answer says how to give it to one", "[cli]") {
  const Folder folder;
  const std::string file = folder.path("mine.json");
  const auto budget = [&](const std::string& objective) {
    const auto made = run("init --gpus '8 H100' --epochs 10 --force -o '" + file + "' --objective '" + objective + "'");
    INFO(made.err);
    REQUIRE(made.status == 0);
    return headrace::testing::unbroken(made.out);
  };
  CHECK(budget("cheapest, $500/epoch").find("headrace plan " + file + " keeps to it") != std::string::npos);
  CHECK(nlohmann::json::parse(file_text(file))["subject_to"]["cost_per_epoch"] == "$500");
  CHECK(budget("cheapest, $5k").find("$500.00 per epoch") != std::string::npos);
  CHECK(nlohmann::json::parse(file_text(file))["subject_to"]["cost_per_epoch"] == "$500");
  const std::string monthly = budget("cheapest, $20k/month");
  CHECK_FALSE(nlohmann::json::parse(file_text(file)).contains("subject_to"));
  const std::size_t at = monthly.find("--set '/subject_to/cost_per_epoch=$");
  REQUIRE(at != std::string::npos);
  const std::string set = monthly.substr(at, monthly.find('\'', at + 7) + 1 - at);
  CHECK(run("validate '" + file + "' " + set).status == 0);
  CHECK(run("init --objective '$5k'").err.find("$500/epoch or $2M/month") != std::string::npos);
}

TEST_CASE("what a draft rounds is spelled with the digits that it has", "[cli]") {
  const auto draft = nlohmann::json::parse(run("init --nvme '2 TB' --data '2 TB JPEG' --gpus '8 H100'").out);
  CHECK(draft["title"] == "8 GPUs train on 2 TB (images)");
  CHECK(draft["cluster"]["pools"][0]["drives"]["capacity"] == "2 TB");
  CHECK(draft["cluster"]["pools"][0]["cache"]["bytes"] == "1.8 TB");
  CHECK(draft.dump().find("99999") == std::string::npos);
}
