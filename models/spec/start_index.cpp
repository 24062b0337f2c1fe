#include "models/spec/start_index.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(StartIndex& i, Visitor& v) {
  v.choice("mode", i.mode, kIndexModeNames,
           {.evidence = Evidence::assumed,
            .meaning = "every_node: each node lists the whole dataset; one_leader: one node lists and sends the list "
                       "to the others; manifest: one node reads a prepared list and sends it to the others"});
  v.count("keys_per_page", i.keys_per_page,
          {.low = 100,
           .high = 5000,
           .min = 1,
           .evidence = Evidence::published,
           .meaning = "Objects per LIST answer",
           .source = "Amazon S3 ListObjectsV2: at most 1,000 keys"});
  v.quantity("round_trip", i.round_trip_s, Unit::seconds,
             {.low = 0.05,
              .high = 0.2,
              .above = 0,
              .evidence = Evidence::assumed,
              .meaning = "Time of one page; the next one is requested only after it",
              .log_scale = true});
  v.quantity("set_up", i.set_up_s, Unit::seconds,
             {.low = 0,
              .high = 1,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Time of a listing beside its pages: connection, authentication, look-up of the prefix",
              .source = "awslabs/mountpoint-s3 and NVIDIA/aistore, published listings: 0.03 to 0.4 s"});
  v.count("parallel", i.parallel,
          {.low = 1,
           .high = 1000,
           .min = 1,
           .max = 1000000,
           .evidence = Evidence::assumed,
           .meaning = "Prefixes that one node lists at the same time",
           .log_scale = true});
  v.quantity("manifest_bytes_per_object", i.manifest_bytes_per_object, Unit::bytes,
             {.low = 16,
              .high = 500,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Name or hash, offset and length of one object in the distributed list"});
  v.count("fan_out", i.fan_out,
          {.low = 1,
           .high = 8,
           .min = 1,
           .max = 1000,
           .evidence = Evidence::assumed,
           .meaning = "Nodes to which each node sends the list, in pieces, so that all nodes send at the same time"});
  v.quantity("entry_bytes", i.entry_bytes, Unit::bytes,
             {.low = 8,
              .high = 500,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Host memory per sample of the index that each reading rank shuffles"});
}

}  // namespace headrace::models
