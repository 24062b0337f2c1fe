// The lines of a Slurm batch script that ask for what the job takes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/deploy/targets.hpp"
#include "reports/humane.hpp"

namespace headrace::reports {

void emit_slurm(const DeployFacts& facts, Snippet& out) {
  const models::Job& job = facts.job;
  const std::uint64_t gpus = job.gpus_per_node > 0 ? job.gpus_per_node : facts.pool.gpus_per_node;
  const std::uint64_t cores = facts.cores_per_loader();
  const std::uint64_t cores_asked = facts.loaders_per_node * cores;
  // Slurm refuses more cores than a node has; processes then share them.
  const std::uint64_t there = facts.pool.host.cores.value_or(cores_asked);
  const std::uint64_t tasks = std::max<std::uint64_t>(1, facts.loaders_per_node);
  const std::uint64_t granted = std::max<std::uint64_t>(1, std::min(cores, there / tasks));
  out.setting(fmt::format("#SBATCH --job-name={}", job.name), facts.at("name"));
  out.setting(fmt::format("#SBATCH --nodes={}", facts.path.nodes),
              job.nodes > 0 ? facts.at("nodes") : facts.at_pool("nodes"));
  out.setting(fmt::format("#SBATCH --ntasks-per-node={}", facts.loaders_per_node),
              fmt::format("one task for each reader, {} of {} GPUs ({})", counted(facts.loaders_per_node, "reader"),
                          gpus, facts.at("readers")));
  out.setting(fmt::format("#SBATCH --gpus-per-node={}", gpus),
              job.gpus_per_node > 0 ? facts.at("gpus_per_node") : facts.at_pool("gpus_per_node"));
  out.setting(fmt::format("#SBATCH --cpus-per-task={}", granted),
              fmt::format("{}: {} and the training process{}; {} of {} cores of a node", facts.at("loader/workers"),
                          counted(job.loader.synchronous ? 0 : job.loader.workers, "worker"),
                          job.loader.receive.pin_thread ? " with its pin thread" : "", cores_asked,
                          facts.pool.host.cores ? std::to_string(*facts.pool.host.cores) : std::string("unstated")));
  const double memory_mib = std::ceil(facts.node_memory_bytes / 1048576.0);
  if (memory_mib > 0.0)
    out.cannot(fmt::format("--mem: ingest takes {} of a node ({:.0f} MiB); add what your training process takes",
                           humane(facts.node_memory_bytes, "B"), memory_mib));
  out.cannot("--time, --partition, --account: the scenario knows no queue");
  if (job.copies > 1)
    out.cannot(fmt::format("{} copies ({}): submit the script as often", job.copies, facts.at("copies")));
  if (job.checkpoint && job.checkpoint->interval_s > 0.0)
    out.cannot(fmt::format("a checkpoint every {} ({}): the training program writes it",
                           humane(job.checkpoint->interval_s, "s"), facts.at("checkpoint/interval")));
  if (facts.pool.host.cores && cores_asked > *facts.pool.host.cores)
    out.cannot(fmt::format(
        "{} cores for each task, {} of a node that has {} ({}): processes share cores, and --cpus-per-task asks "
        "for what there is",
        cores, cores_asked, *facts.pool.host.cores, facts.at_pool("host/cores")));
  out.line("");
  out.line("srun \"${TRAIN:?program to train with}\" \"$@\"");
}

}  // namespace headrace::reports
