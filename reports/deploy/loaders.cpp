// Loaders: PyTorch, tf.data, DALI. Each text is a Python program that reads a few batches when it is run.
#include <fmt/format.h>

#include <algorithm>

#include "reports/deploy/targets.hpp"
#include "reports/humane.hpp"

namespace headrace::reports {
namespace {

using models::DeliveryOrder;
using models::LastBatch;
using models::SampleOrder;

std::string batch_reason(const DeployFacts& facts) {
  return fmt::format("{}: {} for each of {} loaders, a batch is {} in memory", facts.at("step/batch"),
                     counted(facts.path.batch_samples, "sample"), facts.path.loaders, humane(facts.batch_bytes(), "B"));
}

std::string worker_reason(const DeployFacts& facts) {
  return fmt::format("{}: a batch takes {} in a worker and a step {}, so {:.2f} of the workers are busy",
                     facts.at("loader/workers"), humane(facts.batch_s, "s"), humane(facts.step_s, "s"),
                     facts.batch_s / facts.step_s);
}

std::string queue_reason(const DeployFacts& facts) {
  const std::uint64_t outstanding = facts.job.loader.batches_outstanding();
  return fmt::format("{}: {} batches outstanding of each loader, {} of memory on a node",
                     facts.at(facts.job.loader.ready > 0 ? "loader/ready" : "loader/prefetch"), outstanding,
                     humane(static_cast<double>(outstanding * facts.loaders_per_node) * facts.batch_bytes(), "B"));
}

const char* python(bool value) { return value ? "True" : "False"; }

std::string last_batch_reason(const DeployFacts& facts) {
  const LastBatch last = facts.job.loader.last_batch;
  return fmt::format("{}: {}", facts.at("loader/last_batch"),
                     last == LastBatch::drop   ? "what fills no step is dropped"
                     : last == LastBatch::keep ? "the last step has smaller batches"
                                               : "spread: an epoch is as long as its samples; whole samples are kept");
}

/// What no loader takes as an argument.
void tell_rest(const DeployFacts& facts, Snippet& out) {
  const models::Loader& loader = facts.job.loader;
  if (facts.has_cache())
    out.cannot(fmt::format("the node cache of {} ({}): see --emit gcsfuse, juicefs, mountpoint or alluxio",
                           humane(facts.pool.cache.bytes, "B"), facts.at_pool("cache/bytes")));
  if (loader.preprocessing == models::Preprocessing::remote_pool)
    out.cannot(
        fmt::format("the machines that preprocess ({}): the loader reads what they send", facts.at("loader/remote")));
}

void tell_lanes(const DeployFacts& facts, Snippet& out) {
  if (facts.job.loader.lanes > 1)
    out.cannot(
        fmt::format("{} reads of a worker at the same time ({}): the dataset must read so, by threads or asyncio",
                    facts.job.loader.lanes, facts.at("loader/lanes")));
}

// PyTorch ------------------------------------------------------------------------------------------------------------

void torch_queue(const DeployFacts& facts, Snippet& out) {
  const models::Loader& loader = facts.job.loader;
  if (loader.synchronous) {
    out.setting("num_workers=0,", fmt::format("{}: the training process loads", facts.at("loader/synchronous")));
    return;
  }
  out.setting(fmt::format("num_workers={},", loader.workers), worker_reason(facts));
  const std::uint64_t outstanding = loader.batches_outstanding();
  const std::uint64_t factor = std::max<std::uint64_t>(1, outstanding / loader.workers);
  out.setting(fmt::format("prefetch_factor={},", factor), queue_reason(facts));
  if (factor * loader.workers != outstanding)
    out.cannot(fmt::format("{} batches outstanding ({}): a DataLoader holds num_workers x prefetch_factor = {}",
                           outstanding, facts.at("loader/outstanding"), factor * loader.workers));
  if (loader.epoch_start)
    out.setting(fmt::format("persistent_workers={},", python(loader.epoch_start->persistent_workers)),
                fmt::format("{}: {} to start the workers of an epoch", facts.at("loader/epoch_start"),
                            humane(loader.epoch_start->worker_start_s, "s")));
  if (loader.order == DeliveryOrder::any_order_per_worker)
    out.setting("in_order=False,",
                fmt::format("{}: the first ready batch first; a PyTorch without this argument refuses it",
                            facts.at("loader/order")));
  if (loader.order == DeliveryOrder::any_order_shared)
    out.cannot(
        fmt::format("one queue for all workers ({}): each worker of a DataLoader has its own; in_order=False is "
                    "near it",
                    facts.at("loader/order")));
}

void torch_arguments(const DeployFacts& facts, Snippet& out) {
  const models::Loader& loader = facts.job.loader;
  out.line("LOADER_ARGUMENTS = dict(");
  out.indent(4);
  out.setting(fmt::format("batch_size={},", facts.path.batch_samples), batch_reason(facts));
  torch_queue(facts, out);
  if (facts.pool.host.copy_bytes_per_s || loader.receive.pin_thread)
    out.setting("pin_memory=True,",
                loader.receive.pin_thread
                    ? fmt::format("{}: a thread pins", facts.at("loader/receive/pin_thread"))
                    : fmt::format("{}: batches are copied into pinned memory at {}", facts.at_pool("host/copy"),
                                  humane(*facts.pool.host.copy_bytes_per_s, "B/s")));
  out.setting(fmt::format("drop_last={},", python(loader.last_batch == LastBatch::drop)), last_batch_reason(facts));
  out.indent(0);
  out.line(")");
}

}  // namespace

void emit_torch(const DeployFacts& facts, Snippet& out) {
  const models::Loader& loader = facts.job.loader;
  out.comment(fmt::format("Each of {} ranks makes one such loader; give it a sampler for its part of the samples.",
                          facts.path.loaders));
  out.line("from torch.utils.data import DataLoader");
  out.line("");
  torch_arguments(facts, out);
  for (const char* code :
       {"", "", "def make_loader(dataset, **others):",
        "    return DataLoader(dataset, **{**LOADER_ARGUMENTS, **others})", "", "", "if __name__ == \"__main__\":",
        "    # Two batches of small tensors, to see that this PyTorch takes all arguments.", "    import torch", "",
        "    samples = torch.zeros(2 * LOADER_ARGUMENTS[\"batch_size\"], 1)",
        "    print(sum(1 for _ in make_loader(samples)), \"batches\")"})
    out.line(code);
  if (loader.shuffle_buffer > 0)
    out.cannot(fmt::format("a shuffle buffer of {} ({}): it belongs to the dataset",
                           counted(loader.shuffle_buffer, "sample"), facts.at("loader/shuffle_buffer")));
  out.cannot(facts.dataset.order == SampleOrder::random
                 ? std::string("random order over ranks: pass sampler=DistributedSampler(dataset)")
                 : fmt::format("the order of samples (/datasets/{}/order): the dataset or its sampler gives it",
                               facts.dataset_number));
  tell_lanes(facts, out);
  tell_rest(facts, out);
}

void emit_tf_data(const DeployFacts& facts, Snippet& out) {
  const models::Loader& loader = facts.job.loader;
  const bool in_order = loader.order == DeliveryOrder::in_order;
  const std::uint64_t workers = loader.synchronous ? 1 : loader.workers;
  out.comment(
      fmt::format("Each of {} readers makes one such pipeline over its part of the files.", facts.path.loaders));
  for (const char* code : {"import tensorflow as tf", "", "", "def make_dataset(samples, load):"}) out.line(code);
  out.indent(4);
  out.comment("samples: a tf.data.Dataset of what names a sample; load: reads and decodes one sample");
  if (loader.shuffle_buffer > 0)
    out.setting(fmt::format("samples = samples.shuffle(buffer_size={})", loader.shuffle_buffer),
                facts.at("loader/shuffle_buffer"));
  out.setting(fmt::format("samples = samples.map(load, num_parallel_calls={}, deterministic={})",
                          workers * std::max<std::uint64_t>(1, loader.lanes), python(in_order)),
              worker_reason(facts) + fmt::format("; order: {}", facts.at("loader/order")));
  out.setting(fmt::format("batches = samples.batch({}, drop_remainder={})", facts.path.batch_samples,
                          python(loader.last_batch == LastBatch::drop)),
              batch_reason(facts) + "; " + last_batch_reason(facts));
  if (loader.synchronous)
    out.setting("return batches", fmt::format("{}: no prefetch", facts.at("loader/synchronous")));
  else
    out.setting(fmt::format("return batches.prefetch(buffer_size={})", facts.ready_batches()),
                fmt::format("{}: batches that stand ready behind the workers, of {} outstanding",
                            facts.at("loader/ready"), loader.batches_outstanding()));
  out.indent(0);
  for (const char* code : {"", "", "if __name__ == \"__main__\":",
                           "    # A few numbers for samples, to see that this TensorFlow takes all arguments.",
                           "    numbers = tf.data.Dataset.range(1000)",
                           "    print(sum(1 for _ in make_dataset(numbers, lambda number: number)), \"batches\")"})
    out.line(code);
  out.cannot(
      "workers of whole batches: num_parallel_calls counts samples under way; as many calls keep as many cores "
      "busy");
  tell_rest(facts, out);
}

void emit_dali(const DeployFacts& facts, Snippet& out) {
  const models::Loader& loader = facts.job.loader;
  const std::uint64_t workers = loader.synchronous ? 1 : loader.workers;
  out.comment(
      fmt::format("Each of {} readers makes one such pipeline: pipeline = load(**PIPELINE_ARGUMENTS, device_id=..., "
                  "num_shards={}).",
                  facts.path.loaders, facts.path.loaders));
  for (const char* code : {"from nvidia.dali import fn, pipeline_def", "", "PIPELINE_ARGUMENTS = dict("})
    out.line(code);
  out.indent(4);
  out.setting(fmt::format("batch_size={},", facts.path.batch_samples), batch_reason(facts));
  out.setting(fmt::format("num_threads={},", workers), worker_reason(facts));
  out.setting(fmt::format("prefetch_queue_depth={},", loader.synchronous ? 1 : facts.ready_batches()),
              fmt::format("{}: batches that stand ready, of {} outstanding", facts.at("loader/ready"),
                          loader.batches_outstanding()));
  out.indent(0);
  for (const char* code : {")", "", "", "@pipeline_def", "def load(file_root, shard_id, num_shards):"}) out.line(code);
  out.indent(4);
  const bool random = facts.dataset.order == SampleOrder::random;
  out.setting(
      fmt::format("files, labels = fn.readers.file(\n        file_root=file_root, shard_id=shard_id, "
                  "num_shards=num_shards, random_shuffle={}\n    )",
                  python(random)),
      fmt::format("/datasets/{}/order; another reader where samples are not single files", facts.dataset_number));
  out.line("return files, labels");
  out.indent(0);
  out.cannot("decoding and augmentation: add the operators of your pipeline between reader and return");
  out.cannot(
      "one batch for each worker: the threads of a pipeline share one batch, so that its time is shorter and "
      "its depth counts whole batches");
  if (loader.order != DeliveryOrder::in_order)
    out.cannot(fmt::format("batches in any order ({}): a pipeline delivers them in order", facts.at("loader/order")));
  tell_rest(facts, out);
}

}  // namespace headrace::reports
