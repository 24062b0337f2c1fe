// What may happen to a dataset before a job reads it: where it comes from, how it is taken in, made smaller, written
// anew in another format. Nothing of it changes how a job runs, except that data which must not leave their site may
// not be read from elsewhere (models/data_site.hpp); the sizing sheet answers what it takes.
#pragma once

#include <cstdint>
#include <optional>

#include "models/describe/describe.hpp"
#include "models/transport.hpp"

namespace headrace::models {

/// The site where the data arise.
struct DataOrigin {
  double bytes_per_day = 0.0;  ///< 0: not stated
  std::optional<WideAreaLink> link;
  std::uint64_t connections = 1;
  double bandwidth_bytes_per_s = 0.0;  ///< of the link; 0: what its connections carry
  double usd_per_byte = 0.0;           ///< out of the site
  double gpu_hour_usd = 0.0;           ///< at the site; 0: no GPUs there
  bool stays = false;
};

/// Uploading the dataset into its store, each object in parts.
struct ObjectUpload {
  double part_bytes = 8388608.0;
  std::uint64_t parallel = 10;
  double part_s = 0.05;
  double commit_s = 0.1;
  double bandwidth_bytes_per_s = 0.0;  ///< of the source; 0: not a limit
};

/// Leaving out what is there twice, or is not needed.
struct DataReduction {
  double unique = 1.0;
  double kept = 1.0;
  double chunk_bytes = 65536.0;
  double entry_bytes = 64.0;
  double lookup_s = 0.0;
};

/// Writing the dataset once in another format, or with its preprocessing done.
struct FormatConversion {
  double bytes_per_s = 0.0;  ///< read by one worker
  std::uint64_t workers = 1;
  double worker_hour_usd = 0.0;
  double size = 1.0;
  std::uint64_t samples_per_file = 1000;
  double parse_s_per_sample = 0.0;
  double parse_bytes_per_s = 0.0;
  double cpu_s_per_sample = 0.0;  ///< 0: as before
  double intermediate = 0.0;
  double recomputed = 1.0;
};

template <class V>
void describe(DataOrigin& o, V& v) {
  v.quantity("per_day", o.bytes_per_day, Unit::bytes,
             {.low = 1e11,
              .high = 1e15,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Bytes that arise in a day; 0: not stated",
              .log_scale = true});
  v.optional_record("link", o.link,
                    {.meaning = "The long link from the site to the cluster; without it the cluster is at the site"});
  v.count("connections", o.connections,
          {.low = 1,
           .high = 256,
           .min = 1,
           .max = 1000000,
           .evidence = Evidence::assumed,
           .meaning = "Connections over the link at the same time",
           .log_scale = true,
           .decided = true});
  v.quantity("bandwidth", o.bandwidth_bytes_per_s, Unit::bytes_per_second,
             {.low = 1e6,
              .high = 1e11,
              .min = 0,
              .evidence = Evidence::datasheet,
              .meaning = "Rate of the link; 0: what its connections carry",
              .log_scale = true});
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
          .meaning = "The data must not leave their site: a job that reads them from elsewhere is infeasible"});
}

template <class V>
void describe(ObjectUpload& i, V& v) {
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
              .meaning = "What each part takes beside its bytes",
              .log_scale = true});
  v.quantity("commit", i.commit_s, Unit::seconds,
             {.low = 0.01,
              .high = 1,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Beginning and completing one object of several parts",
              .log_scale = true});
  v.quantity("bandwidth", i.bandwidth_bytes_per_s, Unit::bytes_per_second,
             {.low = 1e8,
              .high = 1e12,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Rate at which the source gives the data; 0: not a limit",
              .log_scale = true});
}

template <class V>
void describe(DataReduction& r, V& v) {
  v.fraction("unique", r.unique,
             {.low = 0.2,
              .high = 1,
              .above = 0,
              .max = 1,
              .evidence = Evidence::assumed,
              .meaning = "Share of the bytes that is left when what is there twice is kept once"});
  v.fraction("kept", r.kept,
             {.low = 0.2,
              .high = 1,
              .above = 0,
              .max = 1,
              .evidence = Evidence::assumed,
              .meaning = "Share of the bytes that is kept at all: filters, lower rates of telemetry"});
  v.quantity("chunk", r.chunk_bytes, Unit::bytes,
             {.low = 4096,
              .high = 4194304,
              .above = 0,
              .evidence = Evidence::assumed,
              .meaning = "Piece of data that is compared with others",
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

template <class V>
void describe(FormatConversion& c, V& v) {
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
           .meaning = "Samples in one file afterwards; they are then read shard by shard",
           .log_scale = true,
           .decided = true});
  v.quantity("parse_per_sample", c.parse_s_per_sample, Unit::seconds,
             {.low = 0,
              .high = 1e-2,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Core time to take a sample out of its file afterwards"});
  v.quantity("parse", c.parse_bytes_per_s, Unit::bytes_per_second,
             {.low = 1e7,
              .high = 1e10,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Bytes that one core parses per second afterwards; 0: costs nothing per byte",
              .log_scale = true});
  v.quantity("cpu_per_sample", c.cpu_s_per_sample, Unit::seconds,
             {.low = 0,
              .high = 1,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "CPU time of one core for one sample afterwards; 0: as before"});
  v.number("intermediate", c.intermediate,
           {.low = 0,
            .high = 10,
            .min = 0,
            .max = 1000,
            .evidence = Evidence::assumed,
            .meaning = "Bytes written and read again on the way, over those of the dataset"});
  v.fraction("recomputed", c.recomputed,
             {.low = 0,
              .high = 1,
              .evidence = Evidence::assumed,
              .meaning = "Share of the conversion that is done again after a failure; 1: it begins anew",
              .decided = true});
}

}  // namespace headrace::models
