#include "models/spec/data_preparation.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(DataOrigin& o, Visitor& v) {
  v.quantity("per_day", o.bytes_per_day, Unit::bytes,
             {.low = 1e11,
              .high = 1e15,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "New bytes per day; 0: not stated",
              .log_scale = true});
  v.optional_record("link", o.link,
                    {.meaning = "Long link from the site to the cluster; absent: the cluster is at the site"});
  v.count("connections", o.connections,
          {.low = 1,
           .high = 256,
           .min = 1,
           .max = 1000000,
           .evidence = Evidence::assumed,
           .meaning = "Connections over the link at the same time",
           .log_scale = true,
           .decided = true});
  v.limit("bandwidth", o.bandwidth_bytes_per_s, Unit::bytes_per_second,
          {.low = 1e6,
           .high = 1e11,
           .min = 0,
           .evidence = Evidence::datasheet,
           .meaning = "Rate of the link; 0: limited by its connections only",
           .log_scale = true,
           .of_a_link = true});
  v.quantity("egress", o.usd_per_byte, Unit::usd_per_byte,
             {.low = 0,
              .high = 2e-10,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Price of one GB that leaves the site"});
  v.quantity("gpu_hour", o.gpu_hour_usd, Unit::usd_per_hour,
             {.low = 0.5,
              .high = 20,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Price of one GPU for one hour at the site; 0: there are none"});
  v.flag("stays", o.stays,
         {.evidence = Evidence::assumed,
          .meaning = "The data must not leave its site: a job that reads it from another site is infeasible"});
}

void describe(ObjectUpload& i, Visitor& v) {
  v.quantity("part", i.part_bytes, Unit::bytes,
             {.low = 5.0 * 1024 * 1024,
              .high = 1e9,
              .above = 0,
              .evidence = Evidence::published,
              .meaning = "Largest part of an object that one request uploads",
              .source = "AWS CLI: multipart_chunksize 8 MB by default; Amazon S3: parts of 5 MiB to 5 GiB",
              .log_scale = true,
              .decided = true});
  v.count("parallel", i.parallel,
          {.low = 1,
           .high = 1000,
           .min = 1,
           .max = 1000000,
           .evidence = Evidence::published,
           .meaning = "Parts under way at the same time",
           .source = "AWS CLI: max_concurrent_requests 10 by default",
           .log_scale = true,
           .decided = true});
  v.quantity("part_latency", i.part_s, Unit::seconds,
             {.low = 0.01,
              .high = 0.5,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Time of each part in addition to its bytes",
              .log_scale = true});
  v.quantity("commit", i.commit_s, Unit::seconds,
             {.low = 0.01,
              .high = 1,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Time to begin and complete one object of several parts",
              .log_scale = true});
  v.limit("bandwidth", i.bandwidth_bytes_per_s, Unit::bytes_per_second,
          {.low = 1e8,
           .high = 1e12,
           .min = 0,
           .evidence = Evidence::assumed,
           .meaning = "Rate of the source; 0: not a limit",
           .log_scale = true});
}

void describe(DataReduction& r, Visitor& v) {
  v.fraction("unique", r.unique,
             {.low = 0.2,
              .high = 1,
              .above = 0,
              .max = 1,
              .evidence = Evidence::assumed,
              .meaning = "Share of the bytes that remains after deduplication"});
  v.fraction("kept", r.kept,
             {.low = 0.2,
              .high = 1,
              .above = 0,
              .max = 1,
              .evidence = Evidence::assumed,
              .meaning = "Share of the bytes that is kept: filters, lower rates of telemetry"});
  v.quantity("chunk", r.chunk_bytes, Unit::bytes,
             {.low = 4096,
              .high = 4194304,
              .above = 0,
              .evidence = Evidence::assumed,
              .meaning = "Size of the pieces that are compared",
              .log_scale = true,
              .decided = true});
  v.quantity("entry_bytes", r.entry_bytes, Unit::bytes,
             {.low = 32,
              .high = 256,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Index entry of one piece: its hash and place"});
  v.quantity("lookup", r.lookup_s, Unit::seconds,
             {.low = 1e-7,
              .high = 1e-3,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Time of one core to hash a piece and look it up; 0: not counted",
              .log_scale = true});
}

void describe(FormatConversion& c, Visitor& v) {
  v.quantity("rate", c.bytes_per_s, Unit::bytes_per_second,
             {.low = 1e6,
              .high = 1e10,
              .above = 0,
              .meaning = "Bytes of the dataset that one worker converts per second",
              .log_scale = true,
              .required = true});
  v.count("workers", c.workers,
          {.low = 1,
           .high = 1e4,
           .min = 1,
           .max = 10000000,
           .evidence = Evidence::assumed,
           .meaning = "Workers that convert side by side",
           .log_scale = true,
           .decided = true});
  v.quantity("worker_hour", c.worker_hour_usd, Unit::usd_per_hour,
             {.low = 0.01,
              .high = 10,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Price of one of them for one hour",
              .log_scale = true});
  v.number("size", c.size,
           {.low = 0.2,
            .high = 20,
            .above = 0,
            .max = 1000,
            .evidence = Evidence::assumed,
            .meaning = "Bytes after the conversion over those before",
            .log_scale = true});
  v.count("samples_per_file", c.samples_per_file,
          {.low = 1,
           .high = 1e6,
           .min = 1,
           .max = 1000000000,
           .evidence = Evidence::assumed,
           .meaning = "Samples in one file after the conversion; they are then read shard by shard",
           .log_scale = true,
           .decided = true});
  v.quantity("parse_per_sample", c.parse_s_per_sample, Unit::seconds,
             {.low = 0,
              .high = 1e-2,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Core time to extract a sample from its file after the conversion"});
  v.limit("parse", c.parse_bytes_per_s, Unit::bytes_per_second,
          {.low = 1e7,
           .high = 1e10,
           .min = 0,
           .evidence = Evidence::assumed,
           .meaning = "Bytes that one core parses per second after the conversion; 0: no cost per byte",
           .log_scale = true});
  v.quantity("cpu_per_sample", c.cpu_s_per_sample, Unit::seconds,
             {.low = 0,
              .high = 1,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "CPU time of one core for one sample after the conversion; 0: as before"});
  v.number("intermediate", c.intermediate,
           {.low = 0,
            .high = 10,
            .min = 0,
            .max = 1000,
            .evidence = Evidence::assumed,
            .meaning = "Intermediate bytes written and read again, over those of the dataset"});
  v.fraction("recomputed", c.recomputed,
             {.low = 0,
              .high = 1,
              .evidence = Evidence::assumed,
              .meaning = "Share of the conversion that is repeated after a failure; 1: all of it",
              .decided = true});
}

}  // namespace headrace::models
