#include "models/outcome/unused_training_inputs.hpp"

#include <string>

namespace headrace::models {

namespace {

void check_loader(const Job& job, const std::string& of_job, std::vector<Warning>& unused) {
  const Loader& loader = job.loader;
  const Loader fresh;
  const bool depth = loader.prefetch > fresh.prefetch;  // 1 beside another depth is no mistake
  if (loader.synchronous) {
    if (depth || loader.ready > 0 || loader.outstanding > 0 || loader.order != fresh.order)
      unused.push_back({"order and depth of the loader" + of_job + " change nothing",
                        "the training process loads one batch after the other (loader/synchronous)",
                        "remove prefetch, ready, outstanding and order"});
    if (!loader.transport.is_free() || !loader.receive.is_free())
      unused.push_back({"loader/transport and loader/receive" + of_job + " change nothing",
                        "the training process loads each batch itself (loader/synchronous)",
                        "remove them, or remove synchronous"});
    if (loader.epoch_start)
      unused.push_back({"loader/epoch_start" + of_job + " changes nothing",
                        "the training process loads each batch itself (loader/synchronous)",
                        "remove it, or remove synchronous"});
    return;
  }
  if (loader.receive.pin_thread && loader.receive.is_free())
    unused.push_back({"loader/receive/pin_thread" + of_job + " changes nothing", "receiving a batch takes no time",
                      "give receive/per_batch or receive/bandwidth"});
  if (loader.outstanding > 0 && (depth || loader.ready > 0))
    unused.push_back({std::string(loader.ready > 0 ? "loader/ready" : "loader/prefetch") + of_job + " changes nothing",
                      "loader/outstanding sets the number of batches", "remove outstanding"});
  else if (loader.ready > 0 && depth)
    unused.push_back({"loader/prefetch" + of_job + " changes nothing", "loader/ready sets the number of ready batches",
                      "set loader/ready instead"});
  if (loader.access && loader.access->mode == ReadMode::direct && loader.access->asynchronous)
    unused.push_back({"loader/access/asynchronous" + of_job + " changes nothing",
                      "direct reads have no read-ahead windows", "raise loader/lanes instead"});
}

void check_exchange(const Job& job, const std::string& of_job, std::vector<Warning>& unused) {
  if (job.collective && job.collective->servers > 1 && job.collective->algorithm != ExchangeAlgorithm::parameter_server)
    unused.push_back({"collective/servers" + of_job + " changes nothing", "gradients are summed without servers",
                      "set collective/algorithm to parameter_server"});
  if (job.parallelism.ep > 1)
    unused.push_back({"parallelism/ep" + of_job + " changes nothing",
                      "the exchange between experts and their memory are not modelled",
                      "give the exposed time of the exchange as step/collective_exposed"});
}

void check_barrier(const Job& job, const std::string& of_job, std::vector<Warning>& unused) {
  if (!job.step.barrier) return;
  const Barrier& barrier = *job.step.barrier;
  if (!(barrier.time_s > 0.0) && !(barrier.per_doubling_s > 0.0) && !(mean_of(barrier.rank_delay_s) > 0.0))
    unused.push_back({"step/barrier" + of_job + " changes nothing", "its times are 0",
                      "give barrier/time, per_doubling or rank_delay"});
  if (barrier.per_doubling_s > 0.0 && job.collective && job.collective->barrier_s > 0.0)
    unused.push_back({"the rounds of the barrier" + of_job + " count twice",
                      "step/barrier/per_doubling and collective/barrier both state them", "remove one of them"});
}

void check_checkpoint(const Scenario& scenario, const Job& job, const std::string& of_job,
                      std::vector<Warning>& unused) {
  if (job.checkpoint && job.checkpoint->bytes > 0.0 && job.checkpoint->parameters > 0.0)
    unused.push_back({"checkpoint/parameters" + of_job + " changes nothing", "checkpoint/bytes overrides it",
                      "remove bytes to derive the size from parameters"});
  const bool first = &job == &scenario.jobs.front();
  if (first && scenario.faults && !scenario.faults->stop_jobs() && scenario.faults->degraded.empty())
    unused.push_back({"faults has no effect", "no fault has a rate", "give faults/node_mtbf, spot or degraded"});
}

void check_cores(const Pool& pool, const Job& job, const std::string& of_job, std::vector<Warning>& unused) {
  const bool shared = job.step.host_part || pool.host.core_sharing;
  const CoreSharing fresh;
  if (shared && !pool.host.cores)
    unused.push_back(
        {std::string(job.step.host_part ? "step/host_part" : "host/core_sharing") + of_job + " changes nothing",
         "host/cores is 0: the cores never fill", "give host/cores"});
  else if (job.step.host_part && !(job.step.host_part->time_s > 0.0))
    unused.push_back({"step/host_part" + of_job + " does not slow the step", "its time is 0", "give host_part/time"});
  else if (!job.step.host_part && pool.host.core_sharing &&
           pool.host.core_sharing->cores_searched != fresh.cores_searched)
    unused.push_back({"host/core_sharing/cores_searched" + of_job + " changes nothing", "the step has no host part",
                      "give step/host_part/time"});
}

void check_machines(const Pool& pool, const Job& job, const std::string& of_job, std::vector<Warning>& unused) {
  const bool alone = (job.nodes > 0 ? job.nodes : pool.nodes) == 1;
  if (alone && pool.host.speed_cv > 0.0)
    unused.push_back({"host/speed_cv has no effect with one node" + of_job, "it is the variation between nodes",
                      "change loader/cpu_per_sample for a slow node"});
  if (pool.gpu.pcie_bytes_per_s) return;
  if (!job.step.h2d_overlapped || pool.gpu.pcie_shared_by > 1)
    unused.push_back({"copies to the GPUs" + of_job + " take no time", "gpu/pcie is not stated",
                      "give gpu/pcie, or name a GPU of the catalogue"});
}

}  // namespace

void add_unused_training_inputs(const Scenario& scenario, const Job& job, std::vector<Warning>& unused) {
  const std::string of_job = " of job '" + job.name + "'";
  check_loader(job, of_job, unused);
  check_exchange(job, of_job, unused);
  check_barrier(job, of_job, unused);
  check_checkpoint(scenario, job, of_job, unused);
  if (const Pool* pool = detail::find_by_name(scenario.cluster.pools, job.pool)) {
    check_cores(*pool, job, of_job, unused);
    check_machines(*pool, job, of_job, unused);
  }
}

}  // namespace headrace::models
