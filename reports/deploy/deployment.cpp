#include "reports/deploy/deployment.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "reports/deploy/targets.hpp"
#include "reports/humane.hpp"

namespace headrace::reports {
namespace {

struct Target {
  const char* name;
  const char* first_line;  ///< of a script; empty: none
  const char* of;          ///< what the text is, for its head
  void (*emit)(const DeployFacts& facts, Snippet& out);
};

constexpr Target kTargets[] = {
    {"torch", "", "PyTorch DataLoader", emit_torch},
    {"tf.data", "", "tf.data pipeline", emit_tf_data},
    {"dali", "", "NVIDIA DALI pipeline", emit_dali},
    {"gcsfuse", "", "configuration file of Cloud Storage FUSE: gcsfuse --config-file FILE BUCKET MOUNT_POINT",
     emit_gcsfuse},
    {"juicefs", "#!/bin/bash", "mount of JuiceFS on each node", emit_juicefs},
    {"mountpoint", "#!/bin/bash", "mount of Mountpoint for Amazon S3 on each node", emit_mountpoint},
    {"alluxio", "", "lines of alluxio-site.properties for the worker of each node", emit_alluxio},
    {"slurm", "#!/bin/bash", "batch script of Slurm", emit_slurm},
};

}  // namespace

std::vector<std::string> deploy_targets() {
  std::vector<std::string> names;
  for (const Target& target : kTargets) names.emplace_back(target.name);
  return names;
}

std::string deployment(const models::Scenario& scenario, std::size_t job, std::string_view name,
                       const DeployOrigin& origin) {
  for (const Target& target : kTargets) {
    if (name != target.name) continue;
    const DeployFacts facts = deploy_facts(scenario, job);
    Snippet out;
    if (*target.first_line != '\0') out.line(target.first_line);
    out.comment(fmt::format("{}: {}.", facts.job.name, target.of));
    out.comment(fmt::format("Configuration of '{}', {}.", origin.title, origin.basis));
    if (!origin.command.empty()) out.comment(fmt::format("Written by: {}", origin.command));
    for (const models::Job& other : scenario.jobs)
      if (&other != &facts.job)
        out.cannot(fmt::format("job '{}': write its own with --job {}", other.name, other.name));
    target.emit(facts, out);
    return out.text();
  }
  throw std::out_of_range(fmt::format("no target '{}'", name));
}

}  // namespace headrace::reports
