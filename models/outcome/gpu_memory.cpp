#include "models/outcome/gpu_memory.hpp"

#include <algorithm>

#include "models/path/exchange.hpp"

namespace headrace::models {

namespace {

/// Samples whose activations lie on a GPU at once: those of the micro-batches that are under way in the pipeline.
double samples_under_way(const Job& job) {
  const double micro_batches = static_cast<double>(job.step.micro_batches);
  const double stages = static_cast<double>(job.parallelism.pp);
  return static_cast<double>(job.step.batch) / micro_batches * std::min(micro_batches, stages);
}

}  // namespace

Requirement gpu_memory_of(const IngestPath& path, const Pool& pool, const Job& job) {
  Requirement room{"GPU memory", pool.gpu.hbm_bytes, {}, "raise tp, pp or zero_stage, or lower the micro-batch"};
  const Parallelism& p = job.parallelism;
  if (job.model) {
    const TrainingModel& model = *job.model;
    const double held = model.parameters / static_cast<double>(p.tp * p.pp);
    const auto shared_from = [&](std::uint64_t stage) {
      return model.zero_stage >= stage ? held / path.replicas : held;
    };
    room.needs.push_back({"parameters", shared_from(3) * model.value_bytes()});
    room.needs.push_back({"gradients", shared_from(2) * model.value_bytes()});
    if (!model.offload)
      room.needs.push_back({"optimizer states", shared_from(1) * model.optimizer_bytes_per_parameter()});
    room.needs.push_back({"activations", samples_under_way(job) * model.kept_activation_bytes_per_sample() /
                                             static_cast<double>(p.ranks_per_replica())});
  }
  if (job.step.device_prefetch > 0)
    room.needs.push_back(
        {"prefetched batches", static_cast<double>(job.step.device_prefetch) * static_cast<double>(job.step.batch) *
                                   path.memory_bytes_per_sample});
  return room;
}

Requirement offloaded_states_of(const IngestPath& path, const Pool& pool, const Job& job) {
  Requirement room{"host memory for offloaded states", pool.host.memory_bytes, {}, "use more nodes, or zero_stage 1"};
  if (!job.model || !job.model->offload) return room;
  const double copies = job.model->zero_stage >= 1 ? 1.0 : path.replicas;
  room.needs.push_back(
      {"optimizer states", copies * job.model->parameters * job.model->optimizer_bytes_per_parameter() / path.nodes});
  return room;
}

void add_training_figures(const Scenario& scenario, const IngestPath& path, AnswerKind kind, double step_time_s,
                          Outcome& outcome) {
  const Job& job = scenario.jobs.front();
  const Pool& pool = pool_of(scenario, job);
  const auto add = [&](const char* name, double value) { outcome.metrics.push_back({name, value, {}, {}, kind}); };
  const Requirement memory = gpu_memory_of(path, pool, job);
  if (!memory.needs.empty()) add("gpu_memory_bytes", memory.needed_bytes());
  require(memory, outcome);
  require(offloaded_states_of(path, pool, job), outcome);
  if (path.largest_batch_wait_s > 0.0) add("largest_batch_wait_s", path.largest_batch_wait_s);
  if (!job.collective) return;
  const Exchange exchange = exchange_of(path, pool, job);
  add("collective_s", exchange.gradients_s + exchange.tensor_s);
  add("collective_exposed_s", exchange.exposed_s + exchange.tensor_s);
  add("straggler_wait_s", exchange.straggler_s);
  const double at_barrier_s =
      job.step.barrier ? path.barrier.mean_s() - path.barrier.single_rank_s(*job.step.barrier) : 0.0;
  const double alone_s = path.mean_step_floor_s() - exchange.total_s() - at_barrier_s - path.largest_batch_wait_s;
  add("scaling_efficiency", std::min(1.0, alone_s / step_time_s));  // simulated steps may be shorter by chance
}

}  // namespace headrace::models
