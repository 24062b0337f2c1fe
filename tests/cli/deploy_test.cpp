// headrace plan --emit: every figure reaches its option, what has no option is told, and the loader runs as printed.
#include <nlohmann/json.hpp>
#include <string>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

namespace headrace {
namespace {

using testing::Folder;
using testing::Run;
using testing::run;

std::string emitted(const std::string& arguments) {
  const Run result = run("plan " + arguments);
  INFO(result.err);
  REQUIRE(result.status == 0);
  return result.out;
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const std::string kCluster = "imagenet-1250-nodes --as-is --set /cluster/pools/0/cache/bytes='1 TB' --emit ";

}  // namespace

TEST_CASE("emitted mounts have the node cache in whole MiB", "[cli]") {
  // 1e12 / 2^20 = 953,674.3
  CHECK(holds(emitted(kCluster + "gcsfuse"), "\n  max-size-mb: 953674\n"));
  CHECK(holds(emitted(kCluster + "juicefs"), "\n  --cache-size 953674\n"));
  CHECK(holds(emitted(kCluster + "alluxio"), "\nalluxio.worker.page.store.sizes=953674MB\n"));
  const std::string mountpoint = emitted(kCluster + "mountpoint");
  CHECK(holds(mountpoint, "\n  --max-cache-size 953674\n"));
  CHECK(holds(mountpoint, "\n  --maximum-throughput-gbps 95\n"));  // 100 Gb/s, 95 % of it goodput
  CHECK(holds(mountpoint, "\n  --max-threads 512\n"));             // 8 loaders x 8 workers x 8 lanes
}

TEST_CASE("an emitted mount without a cache says so", "[cli]") {
  CHECK(holds(emitted("image-node --as-is --emit gcsfuse"), "max-size-mb: 0\n"));
  CHECK_FALSE(holds(emitted("image-node --as-is --emit mountpoint"), "\n  --cache "));
  CHECK(holds(emitted("image-node --as-is --emit alluxio"), "nothing to"));
}

TEST_CASE("an emitted job script asks for workers and training processes", "[cli]") {
  const std::string script = emitted("image-node --as-is --emit slurm");
  CHECK(script.starts_with("#!/bin/bash\n"));
  CHECK(holds(script, "\n#SBATCH --nodes=4\n"));
  CHECK(holds(script, "\n#SBATCH --ntasks-per-node=8\n"));
  CHECK(holds(script, "\n#SBATCH --gpus-per-node=8\n"));
  CHECK(holds(script, "\n#SBATCH --cpus-per-task=8\n"));  // 7 workers and the training process
  CHECK(holds(script, "64 of 64 cores of a node"));
  const std::string crowded = emitted("image-node --as-is --set /jobs/0/loader/workers=9 --emit slurm");
  CHECK(holds(crowded, "\n#SBATCH --cpus-per-task=8\n"));  // 8 x 10 cores are more than the node has
  CHECK(holds(crowded, "80 of a node that has 64"));
}

TEST_CASE("emitted loaders have workers, depth and order, and tell what they cannot express", "[cli]") {
  const std::string job = "image-node --as-is --set /jobs/0/loader/workers=5 --set /jobs/0/loader/prefetch=3 ";
  const std::string torch = emitted(job + "--emit torch");
  CHECK(holds(torch, "\n    num_workers=5,\n"));
  CHECK(holds(torch, "\n    prefetch_factor=3,\n"));
  CHECK_FALSE(holds(torch, "in_order"));
  CHECK(
      holds(emitted(job + "--set /jobs/0/loader/order=any_order_per_worker --emit torch"), "\n    in_order=False,\n"));
  const std::string shared = emitted(job + "--set /jobs/0/loader/order=any_order_shared --emit torch");
  CHECK(holds(shared, "# - one queue for all workers"));
  const std::string odd = emitted(job + "--set /jobs/0/loader/outstanding=7 --emit torch");
  CHECK(holds(odd, "\n    prefetch_factor=1,\n"));
  CHECK(holds(odd, "# - 7 batches outstanding"));
  CHECK(holds(emitted(job + "--set /jobs/0/loader/lanes=4 --emit torch"), "# - 4 reads of a worker at the same time"));
  const std::string tf = emitted(job + "--emit tf.data");
  CHECK(holds(tf, "num_parallel_calls=5, deterministic=True"));
  CHECK(holds(tf, "prefetch(buffer_size=10)"));  // 15 outstanding, 5 of them in the workers
  CHECK(holds(emitted(job + "--emit dali"), "\n    num_threads=5,\n"));
}

TEST_CASE("a saved plan is emitted without a search", "[cli]") {
  const Folder folder;
  const std::string plan = folder.path("plan.json");
  REQUIRE(run("plan image-node --inputs nominal --set /cluster/pools/0/nodes=1 --set /cluster/pools/0/gpus_per_node=2 "
              "--decide /jobs/0/loader/workers=5,6 --json -o '" +
              plan + "'")
              .status == 0);
  const auto document = nlohmann::json::parse(testing::file_text(plan));
  const std::string workers = document["recommended"]["configuration"]["/jobs/0/loader/workers"];
  CHECK(holds(emitted("'" + plan + "' --emit torch"), "\n    num_workers=" + workers + ",\n"));
}

TEST_CASE("what cannot be emitted is refused", "[cli]") {
  CHECK(run("plan image-node --emit torch --json").status == 2);
  CHECK(run("plan image-node --as-is").status == 2);
  const Run job = run("plan image-node --as-is --emit torch --job nobody");
  CHECK(job.status == 2);
  CHECK(holds(job.err, "--job train"));
  CHECK(run("plan image-node --as-is --emit windows").status == 2);
}

TEST_CASE("an emitted PyTorch loader runs as it is printed", "[.nightly]") {
  const std::string python = "/usr/bin/python3";
  if (std::system((python + " -c 'import torch.utils.data' >/dev/null 2>&1").c_str()) != 0) {
    WARN("skipped, no PyTorch: " + python + " cannot import torch.utils.data");
    return;
  }
  const Folder folder;
  const std::string script =
      folder.write("loader.py", emitted("image-node --as-is --set /jobs/0/loader/workers=2 --emit torch"));
  REQUIRE(std::system((python + " -W ignore '" + script + "' >'" + folder.path("out") + "'").c_str()) == 0);
  CHECK(testing::file_text(folder.path("out")) == "2 batches\n");
}

}  // namespace headrace
