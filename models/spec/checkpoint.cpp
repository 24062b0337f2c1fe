#include "models/spec/checkpoint.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(Checkpoint& c, Visitor& v) {
  v.quantity("interval", c.interval_s, Unit::seconds,
             {.low = 60,
              .high = 86400,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Work between two checkpoints; 0: the best interval for the failures",
              .log_scale = true,
              .decided = true});
  v.quantity(
      "bytes", c.bytes, Unit::bytes,
      {.low = 1e8,
       .high = 1e14,
       .min = 0,
       .evidence = Evidence::assumed,
       .meaning = "Size of one checkpoint; 0: parameters x bytes_per_parameter, or weights and optimizer states of the "
                  "job's model",
       .log_scale = true});
  v.number("parameters", c.parameters,
           {.low = 1e6,
            .high = 1e13,
            .min = 0,
            .evidence = Evidence::assumed,
            .meaning = "Parameters of the model; 0: from bytes or the job's model",
            .log_scale = true,
            .decided = true});
  v.quantity(
      "bytes_per_parameter", c.bytes_per_parameter, Unit::bytes,
      {.low = 12,
       .high = 18,
       .above = 0,
       .evidence = Evidence::published,
       .meaning = "State kept per parameter: bf16 weights 2, fp32 copy 4, two moments of Adam 8",
       .source = "Rajbhandari et al., ZeRO (2020), 3.1; MLPerf Storage v2.0 checkpoints hold 13.0 to 13.1 B for 8B "
                 "to 405B parameters and 18 B for 1T"});
  v.reference("store", c.store, Kind::store, {.meaning = "Store that takes the checkpoints", .required = true});
  v.list("tiers", c.tiers, {.meaning = "Faster tiers that store checkpoints first and send them on, fastest first"});
  v.choice("mode", c.mode, kCheckpointModeNames,
           {.evidence = Evidence::assumed, .meaning = "What training waits for", .decided = true});
  v.count("writers", c.writers,
          {.low = 1,
           .high = 1e5,
           .evidence = Evidence::assumed,
           .meaning = "GPUs that write a part each; 0: every GPU of the job",
           .log_scale = true,
           .decided = true});
  v.count("files_per_writer", c.files_per_writer,
          {.low = 1,
           .high = 1000,
           .min = 1,
           .evidence = Evidence::assumed,
           .meaning = "Files that each writer creates, one after the other",
           .log_scale = true,
           .decided = true});
  v.limit("writer_bandwidth", c.writer_bytes_per_s, Unit::bytes_per_second,
          {.low = 1e8,
           .high = 1e11,
           .min = 0,
           .evidence = Evidence::assumed,
           .meaning = "Rate of one writer: serialization and one stream; 0: not a limit",
           .log_scale = true});
  v.limit("reader_bandwidth", c.reader_bytes_per_s, Unit::bytes_per_second,
          {.low = 1e8,
           .high = 1e11,
           .min = 0,
           .evidence = Evidence::assumed,
           .meaning = "Rate of one GPU that loads its part: one stream and deserialization; 0: not a limit",
           .log_scale = true});
  v.quantity("snapshot_bandwidth", c.snapshot_bytes_per_s, Unit::bytes_per_second,
             {.low = 5e9,
              .high = 6e10,
              .above = 0,
              .evidence = Evidence::assumed,
              .meaning = "Rate of the copy of one GPU's state to host memory, for mode async",
              .log_scale = true});
  v.flag("snapshot_overlapped", c.snapshot_overlapped,
         {.evidence = Evidence::assumed,
          .meaning = "In mode async: the copy to host memory overlaps with training, over the PCIe link of the "
                     "batches; otherwise training stops for it",
          .source = "A. Maurya et al., DataStates-LLM, HPDC 2024: lazy copies between two updates of the weights"});
  v.count("retained", c.retained,
          {.low = 1,
           .high = 100,
           .min = 1,
           .evidence = Evidence::assumed,
           .meaning = "Checkpoints kept in the store, for its capacity and price",
           .decided = true});
  v.choice("restore", c.restore, kRestoreNames,
           {.evidence = Evidence::assumed, .meaning = "How much is read back at a restart", .decided = true});
  describe_traffic_class(c.traffic, v);
  v.constraint("an overlapped copy is asynchronous", !c.snapshot_overlapped || c.mode == CheckpointMode::async,
               "a copy that overlaps with training needs mode async: set mode, or leave snapshot_overlapped out",
               {"snapshot_overlapped", "mode"});
}

}  // namespace headrace::models
