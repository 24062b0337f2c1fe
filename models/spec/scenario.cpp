#include "models/spec/scenario.hpp"

#include "models/describe/describe.hpp"
#include "models/spec/constraint_names.hpp"

namespace headrace::models {
namespace {

using detail::find_by_name;

/// A count held in a double, in words.
std::string whole_number(double value) {
  return value < 1e18 ? std::to_string(static_cast<std::uint64_t>(value)) : std::to_string(value);
}

/// Machines between store and node read the files and decode every sample.
void describe_remote_pool_constraints(const Pool& pool, const Store* store, const Loader& loader,
                                      const std::string& place, Visitor& v) {
  const bool remote = loader.preprocessing == Preprocessing::remote_pool;
  const std::string access_key = place + "loader/access";
  const std::string preprocessing_key = place + "loader/preprocessing";
  v.constraint("a remote pool reads the files", !remote || !loader.access,
               "loader/access sets how workers of the node read files, but here a remote pool reads them",
               {access_key});
  v.constraint("a remote pool reaches the store", !remote || store == nullptr || store->is_shared(),
               "machines of a remote pool cannot read drives of the nodes: put the dataset on a store that all reach",
               {preprocessing_key});
  const bool cached =
      pool.cache.policy != CachePolicy::none || pool.host.page_cache.bytes > 0.0 || (store != nullptr && store->cache);
  v.constraint("no caches with a remote pool", !remote || !cached,
               "caches of nodes and store together with a remote pool are not modelled yet",
               {preprocessing_key, "cluster/pools"});
}

/// GPUDirect and preprocessing against what they need.
void describe_host_constraints(const Scenario& s, const Pool& pool, const Dataset& data, const Job& job,
                               const std::string& place, Visitor& v) {
  const std::string cpu_key = place + "loader/cpu_per_sample";
  const std::string preprocessing_key = place + "loader/preprocessing";
  const std::string rate_key = place + "loader/remote/rate";
  const Loader& loader = job.loader;
  bool cpu_work = mean_of(loader.cpu_s_per_sample) > 0.0;
  for (const DatasetShare& share : job.datasets) cpu_work = cpu_work || mean_of(share.cpu_s_per_sample) > 0.0;
  v.constraint("a remote pool has a rate",
               loader.preprocessing != Preprocessing::remote_pool || loader.remote.samples_per_s > 0.0 || cpu_work,
               "a remote worker needs a rate: give loader/cpu_per_sample or loader/remote/rate", {rate_key, cpu_key});
  v.constraint("the GPU's decoding takes time",
               loader.preprocessing != Preprocessing::gpu || loader.gpu_s_per_sample > 0.0 || !cpu_work,
               "decoding on the GPU lengthens its step: give loader/gpu_per_sample", {preprocessing_key});
  v.constraint("shared collectives have bytes",
               s.fabric.collectives == CollectiveTraffic::separate || s.fabric.collective_bytes > 0.0 || job.collective,
               "collectives on shared links need bytes: give fabric/collective_bytes, or the job a collective",
               {"fabric/collectives", "fabric/collective_bytes"});
  const bool alone = s.jobs.size() == 1 && job.copies == 1 && s.background.empty();
  v.constraint("one job where links are split beforehand",
               alone || (job.placement == Placement::packed && s.fabric.collectives == CollectiveTraffic::separate &&
                         loader.preprocessing != Preprocessing::remote_pool),
               "together with other jobs or background load, placement: spread, shared collectives and a remote pool "
               "are not modelled yet",
               {place + "placement", "fabric/collectives", preprocessing_key});
  const Store* store = find_by_name(s.stores, data.store);
  describe_remote_pool_constraints(pool, store, loader, place, v);
  if (!pool.host.gpudirect) return;
  const bool local = store != nullptr && store->kind == StoreKind::nvme;
  v.constraint("GPUDirect needs RDMA or local NVMe", store == nullptr || local || s.fabric.transport.rdma,
               "GPUDirect Storage needs a transport with RDMA (roce, infiniband) or a store of local NVMe drives",
               {"fabric/transport", "cluster/pools"});
  const bool host_work = (cpu_work && loader.preprocessing == Preprocessing::on_the_fly) ||
                         data.codec.decompress_bytes_per_s > 0.0 || data.parse_bytes_per_s > 0.0 ||
                         data.parse_s_per_sample > 0.0 || (!local && s.fabric.decrypt_bytes_per_s > 0.0);
  v.constraint("GPUDirect bypasses the cores", !host_work,
               "with GPUDirect the host cannot decrypt, decompress, parse or decode the bytes: set preprocessing to "
               "gpu or preprocessed",
               {preprocessing_key, "cluster/pools"});
  v.constraint("GPUDirect bypasses host memory",
               pool.cache.policy == CachePolicy::none || pool.cache.medium == CacheMedium::nvme,
               "with GPUDirect no bytes are in host memory: put the cache on NVMe, or remove it", {"cluster/pools"});
}

/// Whether the datasets of a mix cost the host the same per byte and are drawn alike.
bool is_of_one_format(const Scenario& s, const Job& job) {
  const Dataset* first = job.datasets.empty() ? nullptr : find_by_name(s.datasets, job.datasets.front().dataset);
  for (const DatasetShare& share : job.datasets) {
    const Dataset* data = find_by_name(s.datasets, share.dataset);
    if (first == nullptr || data == nullptr) continue;
    const bool alike = data->codec.ratio == first->codec.ratio &&
                       data->codec.decompress_bytes_per_s == first->codec.decompress_bytes_per_s &&
                       data->columns_read == first->columns_read && data->skew == first->skew &&
                       data->parse_s_per_sample == first->parse_s_per_sample &&
                       data->parse_bytes_per_s == first->parse_bytes_per_s;
    if (!alike) return false;
  }
  return true;
}

/// Whether the datasets of a mix are asked for alike where the way of reading or the drives' positioning counts.
bool is_of_one_layout(const Scenario& s, const Job& job) {
  const Dataset* first = job.datasets.empty() ? nullptr : find_by_name(s.datasets, job.datasets.front().dataset);
  const Store* store = first == nullptr ? nullptr : find_by_name(s.stores, first->store);
  const bool counts = job.loader.access || (store != nullptr && (store->drives || store->kind == StoreKind::hdd));
  for (const DatasetShare& share : job.datasets) {
    const Dataset* data = find_by_name(s.datasets, share.dataset);
    if (first == nullptr || data == nullptr) continue;
    if ((data->order == SampleOrder::fixed) != (first->order == SampleOrder::fixed)) return false;
    const bool alike = data->order == first->order && data->request_bytes == first->request_bytes &&
                       (data->samples_per_file == 1) == (first->samples_per_file == 1) &&
                       mean_of(data->sample_bytes) == mean_of(first->sample_bytes);
    if (counts && !alike) return false;
  }
  return true;
}

/// Relations between a job and the pool that it runs on.
void describe_placement_constraints(const Scenario& s, const Job& job, const std::string& place, Visitor& v) {
  const std::string nodes_key = place + "nodes";
  const std::string gpus_key = place + "gpus_per_node";
  const std::string readers_key = place + "readers";
  const std::string outstanding_key = place + "loader/outstanding";
  const std::string tp_key = place + "parallelism/tp";
  const std::string arithmetic_key = place + "step/arithmetic";
  const Pool* pool = find_by_name(s.cluster.pools, job.pool);
  if (pool == nullptr) return;
  v.constraint(kJobNodesFit, job.nodes <= pool->nodes,
               "the job takes " + std::to_string(job.nodes) + " nodes of a pool of " + std::to_string(pool->nodes) +
                   ": give the job fewer nodes, or the pool '" + pool->name + "' more",
               {nodes_key});
  v.constraint(kJobGpusFit, job.gpus_per_node <= pool->gpus_per_node,
               "the job takes " + std::to_string(job.gpus_per_node) + " GPUs of nodes that have " +
                   std::to_string(pool->gpus_per_node) + ": give the job fewer, or the pool '" + pool->name +
                   "' more gpus_per_node",
               {gpus_key});
  const std::uint64_t nodes = job.nodes > 0 ? job.nodes : pool->nodes;
  const std::uint64_t gpus = nodes * (job.gpus_per_node > 0 ? job.gpus_per_node : pool->gpus_per_node);
  const std::string writers_key = place + "checkpoint/writers";
  v.constraint("checkpoint writers <= GPUs", !job.checkpoint || job.checkpoint->writers <= gpus,
               std::to_string(job.checkpoint ? job.checkpoint->writers : 0) +
                   " GPUs must write a part of the checkpoint each, but the job has " + std::to_string(gpus),
               {writers_key});
  const std::uint64_t needed = job.parallelism.ranks_per_replica() * (job.parallelism.dp > 0 ? job.parallelism.dp : 1);
  v.constraint("ranks <= GPUs", needed <= gpus,
               "tp x pp x cp x dp needs " + std::to_string(needed) + " GPUs and the job has " + std::to_string(gpus),
               {tp_key});
  const std::uint64_t replicas = needed == 0 ? 1 : (job.parallelism.dp > 0 ? job.parallelism.dp : gpus / needed);
  v.constraint("replicas divide over nodes",
               job.readers != Readers::one_per_node || replicas < nodes || replicas % nodes == 0,
               std::to_string(replicas) + " replicas do not divide evenly over " + std::to_string(nodes) +
                   " nodes, so the batch size of one reader per node is not unique",
               {readers_key});
  const std::uint64_t workers = job.loader.workers;
  const std::uint64_t outstanding = job.loader.batches_outstanding();
  v.constraint("outstanding is a multiple of workers",
               job.loader.order != DeliveryOrder::any_order_per_worker || workers == 0 || outstanding % workers == 0,
               "any_order_per_worker gives every worker the same number of tokens, and " + std::to_string(outstanding) +
                   " is not a multiple of " + std::to_string(workers) + " workers",
               {outstanding_key});
  if (const Dataset* data = job.datasets.empty() ? nullptr : find_by_name(s.datasets, job.datasets.front().dataset))
    describe_host_constraints(s, *pool, *data, job, place, v);
  v.constraint("arithmetic needs a peak", !job.step.arithmetic || pool->gpu.peak_flops_per_s > 0.0,
               "step/arithmetic needs the peak of the pool's GPU: give gpu/peak or name a GPU of the catalogue",
               {arithmetic_key});
}

/// Relations between a job and what it refers to. Dangling names are reported elsewhere and pass here.
void describe_job_constraints(const Scenario& s, std::size_t i, Visitor& v) {
  const Job& job = s.jobs[i];
  const std::string place = "jobs/" + std::to_string(i) + "/";
  const std::string batch_key = place + "step/batch";
  const std::string datasets_key = place + "datasets";
  const Dataset* first = job.datasets.empty() ? nullptr : find_by_name(s.datasets, job.datasets.front().dataset);
  bool one_store = true;
  for (const DatasetShare& share : job.datasets) {
    const Dataset* other = find_by_name(s.datasets, share.dataset);
    one_store = one_store && (first == nullptr || other == nullptr || other->store == first->store);
  }
  v.constraint("one store per job", one_store,
               "the datasets of a job must be on one store; a mix over several is not modelled yet", {datasets_key});
  v.constraint("one format per job", is_of_one_format(s, job),
               "datasets of a mix differ in codec, columns, parsing or skew, which is not modelled yet",
               {datasets_key});
  v.constraint("one layout per job", is_of_one_layout(s, job),
               "datasets of a mix differ in order or layout, which is not modelled for a fixed order, with "
               "loader/access and on positioning drives",
               {datasets_key});
  if (const Dataset* data = job.datasets.empty() ? nullptr : find_by_name(s.datasets, job.datasets.front().dataset))
    v.constraint("batch <= dataset", static_cast<double>(job.step.batch) <= data->samples(),
                 "the batch of " + std::to_string(job.step.batch) + " samples is larger than the dataset of " +
                     whole_number(data->samples()) + " samples",
                 {batch_key});
  const std::string checkpoint_key = place + "checkpoint";
  const std::string interval_key = place + "checkpoint/interval";
  const std::string size_key = place + "checkpoint/bytes";
  const std::string parameters_key = place + "checkpoint/parameters";
  v.constraint("a checkpoint has a size", !job.checkpoint || job.checkpoint->total_bytes() > 0.0 || job.model,
               "the checkpoint has no size: give bytes, or parameters, or the job's model", {size_key, parameters_key});
  v.constraint("failures need checkpoints", !s.faults || !s.faults->stop_jobs() || job.checkpoint,
               "a job with failures but without checkpoints never ends: give the job a checkpoint, or remove faults "
               "(\"faults\": "
               "null in the last file, or --set /faults=null)",
               {"faults", checkpoint_key});
  v.constraint("an interval or failures",
               !job.checkpoint || job.checkpoint->interval_s > 0.0 || (s.faults && s.faults->stop_jobs()),
               "the best checkpoint interval needs a failure rate: give faults, or an interval", {interval_key});
  const std::string flops_key = place + "step/arithmetic/flops_per_sample";
  const std::string collective_key = place + "collective/bytes";
  v.constraint("arithmetic has FLOPs", !job.step.arithmetic || job.step.arithmetic->flops_per_sample > 0.0 || job.model,
               "the FLOPs of a sample are missing: give flops_per_sample, or the job's model", {flops_key});
  v.constraint("an exchange has bytes", !job.collective || job.collective->bytes > 0.0 || job.model,
               "the size of the gradients is missing: give bytes, or the job's model", {collective_key});
  describe_placement_constraints(s, job, place, v);
}

/// Jobs of one pool stand side by side; background load meets them at a store that they share.
void describe_sharing_constraints(const Scenario& s, Visitor& v) {
  for (std::size_t p = 0; p < s.cluster.pools.size(); ++p) {
    const Pool& pool = s.cluster.pools[p];
    std::uint64_t nodes = 0;
    std::uint64_t jobs = 0;
    bool queued = false;
    for (const Job& job : s.jobs) {
      if (job.pool != pool.name) continue;
      jobs += job.copies;
      nodes += job.copies * (job.nodes > 0 ? job.nodes : pool.nodes);
      queued = queued || job.queue.has_value();
    }
    v.constraint(kJobsFitTheirPool, jobs <= 1 || nodes <= pool.nodes || queued,
                 "the jobs of pool '" + pool.name + "' take " + std::to_string(nodes) + " nodes in all, and it has " +
                     std::to_string(pool.nodes) + "; give each job its nodes, or a queue for headrace campaign",
                 {"jobs", "cluster/pools/" + std::to_string(p) + "/nodes"});
  }
  const bool alone = s.background.empty() && s.jobs.size() <= 1 && (s.jobs.empty() || s.jobs.front().copies <= 1);
  v.constraint("slowing faults meet one job", alone || !s.faults || s.faults->degraded.empty(),
               "faults that slow a job down are modelled for one job without background load", {"faults/degraded"});
  for (std::size_t b = 0; b < s.background.size(); ++b) {
    const Store* store = find_by_name(s.stores, s.background[b].store);
    v.constraint("background on a shared store", store == nullptr || store->is_shared(),
                 "a local store is not shared: put background load on a store that all nodes reach",
                 {"background/" + std::to_string(b) + "/store"});
  }
}

/// Absent sections are no part of a resolved scenario.
void describe_plan(Scenario& s, Visitor& v) {
  v.list("decide", s.decide,
         {.meaning = "Decisions of `headrace plan`; absent: workers, prefetch, and the node cache where there is one",
          .unseen_empty = true});
  v.list(
      "must_hold_under", s.must_hold_under,
      {.meaning = "Events under which a plan must still meet limits, each with its own limits", .unseen_empty = true});
  v.optional_record("objective", s.objective, {.meaning = "Goal of a plan; absent: least cost per epoch"});
  v.optional_record("subject_to", s.subject_to,
                    {.meaning = "Limits of a plan in addition to the capacity of machines"});
}

/// What changes over time beside the jobs: capacity of a store, new data.
void describe_change_constraints(const Scenario& s, Visitor& v) {
  std::size_t scheduled = 0;
  for (std::size_t i = 0; i < s.stores.size(); ++i) {
    const std::string place = "stores/" + std::to_string(i) + "/schedule";
    if (!s.stores[i].schedule) continue;
    v.constraint("one store changes its capacity", ++scheduled <= 1,
                 "the capacity of one store can follow a schedule; several of them are not modelled", {place});
    v.constraint("a shared store changes its capacity", s.stores[i].is_shared(),
                 "drives in the nodes cannot follow a schedule: put it on a store that all nodes reach", {place});
  }
  for (std::size_t i = 0; i < s.datasets.size(); ++i) {
    const Store* store = find_by_name(s.stores, s.datasets[i].store);
    v.constraint("new data come to a shared store", !s.datasets[i].stream || store == nullptr || store->is_shared(),
                 "new data needs a store that all nodes reach, but this store is local to each node",
                 {"datasets/" + std::to_string(i) + "/stream"});
  }
}

}  // namespace

void describe(Cluster& c, Visitor& v) {
  v.list("pools", c.pools,
         {.meaning = "Pools of like nodes", .required = true, .catalogue = "node", .singular = "pool"});
}

void describe(Scenario& s, Visitor& v) {
  v.text("title", s.title, {.meaning = "What this scenario is, in a line"});
  v.record("cluster", s.cluster, {.meaning = "The machines", .required = true});
  v.record("fabric", s.fabric, {.meaning = "The network between stores and nodes"});
  v.list("stores", s.stores,
         {.meaning = "Storage tiers and services", .required = true, .catalogue = "store", .singular = "store"});
  v.list("datasets", s.datasets,
         {.meaning = "What can be read", .required = true, .catalogue = "format", .singular = "dataset"});
  v.list("jobs", s.jobs, {.meaning = "What runs", .required = true, .singular = "job"});
  v.list("background", s.background,
         {.meaning = "Other load on stores and links", .catalogue = "background", .singular = {}});
  v.record("prices", s.prices, {.meaning = "Prices of compute", .catalogue = "price"});
  v.optional_record("faults", s.faults, {.meaning = "Failures that stop jobs; absent: none"});
  v.optional_record("campaign", s.campaign, {.meaning = "Course of the whole training, for `headrace campaign`"});
  v.list("input_ranges", s.input_ranges, {.meaning = "Uncertainty of single figures, for --inputs ranges"});
  v.texts("slo", s.slo,
          {.meaning = "Thresholds for headrace check, by metric: {\"gpu_idle_fraction\": \"< 5 %\", "
                      "\"batch_load_time_s.p99\": \"< 2 s\", \"jobs/NAME/step_time_s\": \"< 400 ms\"}",
           .decided = true});
  describe_plan(s, v);
  for (std::size_t p = 0; p < s.cluster.pools.size(); ++p)
    v.constraint("rented or owned pools", !s.prices.owned || !s.cluster.pools[p].price,
                 "machines are either rented by the hour or owned, so the price of the pool has no effect",
                 {"cluster/pools/" + std::to_string(p) + "/price", "prices/owned"});
  for (std::size_t i = 0; i < s.jobs.size(); ++i) describe_job_constraints(s, i, v);
  describe_sharing_constraints(s, v);
  describe_change_constraints(s, v);
  std::string growth;  // kept in the document, for scenarios/growth: no answer about the present depends on it
  v.json("growth", growth, {.meaning = "What grows, is exchanged and can be bought, for `headrace growth`"});
}

Scenario::Scenario() = default;
Scenario::Scenario(const Scenario& other) = default;
Scenario::Scenario(Scenario&& other) noexcept = default;
Scenario& Scenario::operator=(const Scenario& other) = default;
Scenario& Scenario::operator=(Scenario&& other) noexcept = default;
Scenario::~Scenario() = default;

}  // namespace headrace::models
