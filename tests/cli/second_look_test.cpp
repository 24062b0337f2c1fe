// What a reader looks for after the first answer: the remedy in every form of it, saved results, layers of comparisons,
// and gates that say what they could not read.
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using Catch::Matchers::ContainsSubstring;
using Json = nlohmann::json;
using headrace::testing::file_text;
using headrace::testing::Folder;
using headrace::testing::run;
using headrace::testing::Run;
using headrace::testing::unbroken;

namespace {

const std::string kFewWorkers = "image-node --set /jobs/0/loader/workers=3 --steps 2048";

}  // namespace

TEST_CASE("the first remedy stands in text, JSON, page and Markdown", "[cli]") {
  const Folder folder;
  const Run text = run("simulate " + kFewWorkers);
  const Run done = run("simulate " + kFewWorkers + " --json -o '" + folder.path("a.json") + "' --report '" +
                       folder.path("a.html") + "'");
  REQUIRE(done.status == 0);
  const Json remedy = Json::parse(file_text(folder.path("a.json")))["first_remedy"];
  CHECK(remedy["options"] == "--set /jobs/0/loader/workers=6");
  const std::string sentence = "First remedy: " + remedy["change"].get<std::string>() + "; the GPUs then wait";
  CHECK_THAT(unbroken(text.out), ContainsSubstring(sentence) && ContainsSubstring("--set /jobs/0/loader/workers=6"));
  CHECK_THAT(file_text(folder.path("a.html")),
             ContainsSubstring(sentence) &&
                 ContainsSubstring("<code><span class=\"option\">--set</span> /jobs/0/loader/workers=6</code>"));
  CHECK_THAT(run("report '" + folder.path("a.json") + "' --format markdown").out, ContainsSubstring("- " + sentence));
  CHECK_THAT(unbroken(run("check image-node --set /jobs/0/loader/workers=3 --slo 'gpu_idle_fraction < 1 %'").out),
             ContainsSubstring(sentence));
  CHECK_FALSE(Json::parse(run("simulate image-node --steps 1024 --json").out).contains("first_remedy"));
}

TEST_CASE("the options of a remedy are taken as they are printed", "[cli]") {
  const Folder folder;
  const std::string file = folder.path("images.json");
  REQUIRE(run("init --workload images --gpus '32 nodes x 8 H100' --data '60 TB JPEG' --layout files --store '60 GB/s "
              "NFS' --network 2x200G -o " +
              file)
              .status == 0);
  const std::string slow_store = " --set '/stores/0/bandwidth=2 GB/s'";
  const std::string of_nvme =
      " --set '/cluster/pools/0/drives/capacity=3 TB' --set /cluster/pools/0/cache/policy=lru --set "
      "'/cluster/pools/0/cache/bytes=3 TB' --set '/cluster/pools/0/cache/bandwidth=12 GB/s'";
  for (const std::string& asked :
       {file + " --set '/jobs/0/step/step_time=71.1 ms'", file + slow_store, file + slow_store + of_nvme,
        file + " --set '/stores/0/bandwidth=40 GB/s'" + of_nvme, std::string("tiered-cache"),
        std::string("cache-policies"), std::string("vision-cluster-offers"), std::string("llama3-405b-checkpoints"),
        std::string("drive-write-cache"), std::string("protected-training")}) {
    const Json answer = Json::parse(run("bound " + asked + " --json").out);
    REQUIRE(answer["first_remedy"].is_object());
    std::vector<Json> remedies{answer["first_remedy"]};
    if (answer.contains("more_remedies"))
      for (const Json& one : answer["more_remedies"]) remedies.push_back(one);
    for (const Json& remedy : remedies) {
      INFO(asked << "\n" << remedy.dump(1));
      const Run pasted = run("validate " + asked + " " + remedy["options"].get<std::string>());
      INFO(pasted.err);
      CHECK(pasted.status == 0);
    }
  }
}

TEST_CASE("caches are advised for the pools that need them, and saves in the background as often as today", "[cli]") {
  const Json shared = Json::parse(run("bound protected-training --json").out)["first_remedy"];
  CHECK_THAT(shared["options"].get<std::string>(),
             ContainsSubstring("/cluster/pools/1/cache/policy") && !ContainsSubstring("/cluster/pools/0/"));
  const Json saves = Json::parse(run("bound llama3-405b-checkpoints --json").out)["first_remedy"];
  CHECK_THAT(saves["options"].get<std::string>(), ContainsSubstring("/jobs/0/checkpoint/mode=async") &&
                                                      ContainsSubstring("/jobs/0/checkpoint/interval=255"));
  const std::string tried = run("bound llama3-405b-checkpoints --json " + saves["options"].get<std::string>()).out;
  const auto goodput = [](const std::string& text) {
    return Json::parse(text)["metrics"]["goodput_fraction"]["mean"].get<double>();
  };
  const double before = goodput(run("bound llama3-405b-checkpoints --json").out);
  CHECK(1.0 - before / goodput(tried) == Approx(saves["gain"].get<double>()).epsilon(1e-3));
  // Where nothing fails there is no best interval.
  CHECK_THAT(run("bound drive-write-cache --json").out, !ContainsSubstring("best interval for the failures"));
}

TEST_CASE("intervals say that they hold simulation noise only", "[cli]") {
  const Folder folder;
  const std::string file = folder.path("a.json");
  const std::string page = folder.path("a.html");
  CHECK_THAT(run("simulate " + kFewWorkers).out, ContainsSubstring("95 % interval (simulation noise)"));
  REQUIRE(run("simulate " + kFewWorkers + " --json -o '" + file + "' --report '" + page + "'").status == 0);
  CHECK_THAT(file_text(page), ContainsSubstring("95 % interval (simulation noise)"));
  CHECK_THAT(run("report '" + file + "' --format markdown").out, ContainsSubstring("95 % interval (simulation noise)"));
  CHECK_THAT(unbroken(run("compare image-node image-node --steps 600").out),
             ContainsSubstring("intervals of simulation noise"));
}

TEST_CASE("a comparison takes layers over both sides or one", "[cli]") {
  const Folder folder;
  const auto workers = [](const Run& done) {
    REQUIRE(done.status != 2);
    std::string values;
    const Json document = Json::parse(done.out);
    for (const Json& input : document["inputs"])
      if (input["pointer"] == "/jobs/0/loader/workers")
        values += input["a"].get<std::string>() + " " + input["b"].get<std::string>();
    return values;
  };
  const std::string sides = "compare image-node image-node --steps 600 --json";
  const std::string job = Json::parse(run("simulate image-node --steps 64 --json").out)["jobs"][0]["name"];
  const std::string layer =
      folder.write("layer.json", R"({"jobs": [{"name": ")" + job + R"(", "loader": {"workers": 6}}]})");
  const std::string before = workers(run(sides + " --set-a /jobs/0/loader/workers=5 --with-b '" + layer + "'"));
  CHECK(before == "5 6");
  CHECK(workers(run(sides + " --with-a '" + layer + "' --set-b /jobs/0/loader/workers=5")) == "6 5");
  CHECK(workers(run(sides + " --with '" + layer + "'")).empty());
  CHECK_THAT(run(sides + " --with-b '" + layer + "'").out, ContainsSubstring("image-node + "));
  // A result takes them, too: its scenario is laid under them, and simulated again.
  const std::string saved = folder.path("saved.json");
  REQUIRE(run("simulate image-node --steps 600 --json -o '" + saved + "'").status != 2);
  CHECK(workers(run("compare '" + saved + "' '" + saved + "' --steps 600 --json --with-a '" + layer +
                    "' --set-b /jobs/0/loader/workers=5")) == "6 5");
  for (const std::string flag : {"--with", "--with-a", "--with-b"}) {
    const Run missing = run("compare image-node '" + saved + "' " + flag + " '" + folder.path("none.json") + "'");
    CHECK(missing.status == 2);
    CHECK_THAT(missing.err, ContainsSubstring("E0101") && ContainsSubstring("none.json"));
  }
}

TEST_CASE("two saved results are compared as they are, by the intervals of both", "[cli]") {
  const Folder folder;
  const std::string a = folder.path("a.json");
  const std::string b = folder.path("b.json");
  REQUIRE(run("simulate " + kFewWorkers + " --json -o '" + a + "'").status == 0);
  REQUIRE(run("simulate image-node --set /jobs/0/loader/workers=4 --seed 2 --json -o '" + b + "'").status == 0);
  const Json document = Json::parse(run("compare '" + a + "' '" + b + "' --json").out);
  const Json from = Json::parse(file_text(a))["metrics"]["step_time_s"];
  const Json to = Json::parse(file_text(b))["metrics"]["step_time_s"];
  CHECK(document["stopped_by"] == "recorded");
  CHECK(document["parts"].empty());
  const Json& step = document["differences"][0];
  REQUIRE(step["metric"] == "step_time_s");
  CHECK(step["pairing"] == "independent");
  CHECK(step["a"] == from["mean"]);
  CHECK(step["b"] == to["mean"]);
  const auto arm = [](const Json& metric, int end) {
    return std::abs(metric["ci95"][end].get<double>() - metric["mean"].get<double>());
  };
  const double mean = step["difference"]["mean"];
  CHECK(mean == Approx(to["mean"].get<double>() - from["mean"].get<double>()));
  CHECK(mean - step["difference"]["ci"][0].get<double>() == Approx(std::hypot(arm(to, 0), arm(from, 1))));
  CHECK(step["difference"]["ci"][1].get<double>() - mean == Approx(std::hypot(arm(to, 1), arm(from, 0))));
  const Run text = run("compare '" + a + "' '" + b + "'");
  CHECK_THAT(unbroken(text.out),
             ContainsSubstring("Compared as saved, without simulation") && ContainsSubstring("--again"));
  CHECK(run("compare '" + a + "' '" + b + "' --fail-if 'step_time_s > +3 %'").status == 0);
  CHECK(run("compare '" + b + "' '" + a + "' --fail-if 'step_time_s > +3 %'").status == 1);
  const Json again = Json::parse(run("compare '" + a + "' '" + b + "' --again --json").out);
  CHECK(again["stopped_by"] != "recorded");
  CHECK(again["parts"].contains("scenario"));
  const Run page = run("compare '" + a + "' '" + b + "' --report '" + folder.path("c.html") + "'");
  CHECK_THAT(file_text(folder.path("c.html")), ContainsSubstring("as if they had no random number in common"));
  CHECK(page.status == 0);
}

TEST_CASE("a gate that cannot read its input leaves JUnit with an error", "[cli]") {
  const Folder folder;
  const std::string junit = folder.path("j.xml");
  const auto refused = [&](const std::string& command, const std::string& code) {
    std::filesystem::remove(junit);
    const Run done = run(command + " --color always --junit '" + junit + "'");
    INFO(command);
    CHECK(done.status == 2);
    const std::string xml = file_text(junit);
    CHECK_THAT(xml, ContainsSubstring("errors=\"1\"") && ContainsSubstring("<error") && ContainsSubstring(code) &&
                        !ContainsSubstring("\033"));
  };
  refused("check image-node --slo 'idle < 5 %'", "E0218");
  refused("check image-node --slo 'step_time_s'", "E0217");
  refused("check image-node --slo 'gpu_idle_fraction < 5 %' --slo 'gpu_idle_fraction < 6 %'", "two thresholds");
  refused("check no-such-scenario", "E0101");
  refused("check image-node --set /slo=null", "no thresholds");
  refused("compare image-node no-such-scenario", "E0101");
  refused("compare image-node image-node --fail-if 'cost > 3'", "E0218");
  CHECK_THAT(run("check image-node --slo 'idle < 5 %'").err, ContainsSubstring("--slo:1:1 (/slo/idle)"));
}

TEST_CASE("an imported workload takes the place of the job that it is laid over, and says so", "[cli]") {
  const Folder folder;
  const std::string yaml = folder.write("w.yaml", R"(
model: {name: unet3d}
framework: pytorch
workflow: {train: True}
dataset: {format: npz, num_files_train: 14000, num_samples_per_file: 1, record_length_bytes: 1466006}
reader: {data_loader: pytorch, batch_size: 7, read_threads: 4}
train: {epochs: 5, computation_time: 0.323}
)");
  const std::string own = folder.path("own.json");
  REQUIRE(
      run("init --workload images --gpus '2 nodes x 8 H100' --store '40 GB/s file system' -o '" + own + "'").status ==
      0);
  const auto jobs = [&](const std::string& flags, std::string& notes) {
    const std::string layer = folder.path("layer.json");
    REQUIRE(run("import dlio '" + yaml + "' --accelerators 8 --hosts 1 -o '" + layer + "'" + flags).status == 0);
    const Run done = run("simulate '" + own + "' '" + layer + "' --set /jobs/0/nodes=1 --steps 64 --json");
    REQUIRE(done.status != 2);
    notes = done.err;
    std::string names;
    const Json document = Json::parse(done.out);
    for (const Json& job : document["jobs"]) names += job["name"].get<std::string>() + " ";
    return names;
  };
  std::string notes;
  CHECK(jobs("", notes) == "unet3d ");
  CHECK_THAT(notes, ContainsSubstring("replaces dataset 'data', job 'train'"));
  CHECK(jobs(" --beside", notes) == "train unet3d ");
  CHECK_THAT(notes, !ContainsSubstring("replaces"));
  const std::string wrong = folder.write("wrong.json", R"({"replaces": ["cluster"]})");
  CHECK_THAT(run("simulate image-node '" + wrong + "'").err, ContainsSubstring("E0208") &&
                                                                 ContainsSubstring("stores, datasets, jobs") &&
                                                                 ContainsSubstring("\"faults\": null"));
}

TEST_CASE("a call that would write over its own input is refused", "[cli]") {
  const Folder folder;
  const std::string file = folder.path("a.json");
  REQUIRE(run("init -o '" + file + "'").status == 0);
  const std::string before = file_text(file);
  for (const std::string call :
       {"simulate FILE -o FILE", "simulate FILE --report FILE", "bound FILE -o FILE",
        "check FILE --slo 'gpu_idle_fraction < 5 %' --junit FILE", "compare FILE image-node --markdown=FILE",
        "plan FILE -o FILE", "simulate FILE --dry-run -oFILE", "validate FILE -o FILE"}) {
    std::string command = call;
    for (std::size_t at = command.find("FILE"); at != std::string::npos; at = command.find("FILE"))
      command.replace(at, 4, file);
    INFO(command);
    const Run done = run(command);
    CHECK(done.status == 2);
    CHECK_THAT(done.err, ContainsSubstring("writing it would destroy it"));
    CHECK(file_text(file) == before);
  }
}

TEST_CASE("a call that would write over a file that its scenario extends is refused", "[cli]") {
  const Folder folder;
  const std::string base = folder.path("base.json");
  REQUIRE(run("init -o '" + base + "'").status == 0);
  const std::string before = file_text(base);
  const std::string layer = folder.write("layer.json", R"({"extends": "base.json", "title": "A layer"})");
  for (const std::string call : {"bound LAYER -o BASE", "simulate LAYER --report BASE --steps 64"}) {
    std::string command = call;
    command.replace(command.find("LAYER"), 5, "'" + layer + "'");
    command.replace(command.find("BASE"), 4, "'" + base + "'");
    INFO(command);
    const Run done = run(command);
    CHECK(done.status == 2);
    CHECK_THAT(done.err, ContainsSubstring("writing it would destroy it"));
    CHECK(file_text(base) == before);
  }
}

TEST_CASE("a published limit of years ago that decides the verdict is named with its date", "[cli]") {
  const Folder folder;
  const std::string file = folder.path("azure.json");
  REQUIRE(run("init --gpus '64 nodes x 8 H100' --data '100 TB JPEG' --layout shards --store azure-blob-hot-lrs -o '" +
              file + "'")
              .status == 0);
  const std::string warned = "what decides, 6.250 GB/s of store 'storage', is a figure of 2020-05-20";
  CHECK_THAT(unbroken(run("bound '" + file + "'").out), ContainsSubstring(warned));
  // One that the user states is the user's.
  CHECK_THAT(unbroken(run("bound '" + file + "' --set '/stores/0/bandwidth=50 Gb/s'").out),
             !ContainsSubstring("is a figure of 2020"));
}

TEST_CASE("a threshold on a metric that the scenario lacks is not looked at again", "[cli]") {
  const Run done = run("check image-node --slo 'checkpoint_save_s < 5 s'");
  CHECK(done.status == 3);
  CHECK_THAT(done.out, ContainsSubstring("this scenario has no such metric") && ContainsSubstring("in look 1,"));
}

TEST_CASE("a bound promises no compute-bound GPUs", "[cli]") {
  const std::string text = unbroken(run("bound loader-presets").out);
  CHECK_THAT(text, ContainsSubstring("queueing is left out") && !ContainsSubstring("faster storage will not help"));
}

TEST_CASE("small slips get small answers", "[cli]") {
  CHECK(run("simulate image-node --seed -1").status == 2);
  CHECK_THAT(run("help").out, ContainsSubstring("simulate"));
  CHECK_THAT(run("help compare").out, ContainsSubstring("--with-b"));
  CHECK_THAT(run("compare image-node image-node --steps 600").out, ContainsSubstring("--set-b"));
  const Folder folder;
  CHECK_THAT(run("check image-node --slo 'gpu_idle_fraction < 5 %' --baseline '" + folder.path("none.json") + "'").err,
             ContainsSubstring("there is no baseline"));
  CHECK_THAT(run("explain batch").out, !ContainsSubstring("One training example"));
  CHECK_THAT(run("explain depth").out, !ContainsSubstring("all its workers"));
}

TEST_CASE("names of other programs lead to the key that is meant", "[cli]") {
  CHECK_THAT(run("explain read_throughput").err, ContainsSubstring("did you mean 'bandwidth'?"));
  const Folder folder;
  const std::string layer = folder.write("l.json", R"({"stores": [{"name": "store", "read_throughput": "80 GB/s"}],
      "jobs": [{"loader": {"num_workers": 8}}]})");
  const std::string errors = run("validate image-node '" + layer + "'").err;
  CHECK_THAT(errors, ContainsSubstring("did you mean 'bandwidth'?"));
  CHECK_THAT(errors, ContainsSubstring("did you mean 'workers'?"));
}

TEST_CASE("one look at a bad layer names all of its slips", "[cli]") {
  const Folder folder;
  const std::string open = folder.write(
      "open.json", R"({"datasets": [{"name": "data", "samples_per_file": 1000,, "order": "shard_sequential"})");
  CHECK_THAT(headrace::testing::unbroken(run("validate image-node '" + open + "'").err),
             ContainsSubstring("remove this comma, and write ']}' at the end of the file"));
  const std::string cut = folder.write("cut.json", R"({"datasets": [{"name": "data", "samples_per_file": 1000)");
  CHECK_THAT(run("validate image-node '" + cut + "'").err, ContainsSubstring("around it with '}]}'"));
  const std::string other =
      folder.write("other.json", R"({"stores": [{"name": "lustre", "read_throughput": "80 GB/s"}]})");
  const std::string errors = run("validate image-node '" + other + "'").err;
  CHECK_THAT(errors, ContainsSubstring("did you mean 'bandwidth'?"));
  CHECK_THAT(errors, ContainsSubstring("the scenario has no store 'lustre'"));
  CHECK_THAT(errors, ContainsSubstring("to change a store that is there, write its name: "));
}

TEST_CASE("evidence lists every figure that has a range where it is asked to", "[cli]") {
  const auto document = nlohmann::json::parse(run("evidence image-node --json").out);
  const std::string brief = run("evidence image-node").out;
  CHECK_THAT(headrace::testing::unbroken(brief), ContainsSubstring("--verbose lists every figure that has a range."));
  const std::string whole = run("evidence image-node --verbose").out;
  const std::size_t begin = whole.find("Every figure with a range");
  REQUIRE(begin != std::string::npos);
  REQUIRE(document["inputs"]["drawn"].size() > 5);
  for (const auto& input : document["inputs"]["drawn"])
    CHECK(whole.find(input["parameter"].get<std::string>() + " ", begin) != std::string::npos);
}

TEST_CASE("a batch is that of a replica where several GPUs hold one", "[cli]") {
  const Folder folder;
  const std::string answer =
      run("init --workload text --model '70B, tp=8, pp=2' --gpus '8 nodes x 8 H100' -o '" + folder.path("x.json") + "'")
          .out;
  CHECK_THAT(headrace::testing::unbroken(answer), ContainsSubstring("per replica of 16 GPUs"));
}

TEST_CASE("init takes the usual names of models, workloads and stores", "[cli]") {
  const Folder folder;
  const auto drafts = [&](const std::string& flags) {
    const Run done = run("init " + flags + " -o '" + folder.path("x.json") + "' --force");
    INFO(flags);
    INFO(done.err);
    CHECK(done.status == 0);
  };
  drafts("--workload llm --model 'Llama 70b, tp=8' --gpus '2 nodes x 8 H100' --store 'aws s3'");
  drafts("--workload LLM --model '70 B params' --gpus '2 nodes x 8 H100' --store 'weka, 200 GB/s'");
  // A name says neither size nor speed, which are assumed as before.
  drafts("--workload images --model ResNet-50 --gpus '2 nodes x 8 H100'");
  drafts("--workload text --model gpt --gpus '2 nodes x 8 H100'");
  drafts("--workload images --location on-prem");
  CHECK_THAT(run("init --workload images --model ResNet50 -o '" + folder.path("x.json") + "' --force").out,
             ContainsSubstring("of compute in a step"));
  CHECK_THAT(run("init --workload images --model gpt -o -").err,
             ContainsSubstring("it is a model of the workload 'text', and the workload here is 'images'"));
  CHECK_THAT(run("init --workload imges -o -").err, ContainsSubstring("did you mean 'images'?"));
}
