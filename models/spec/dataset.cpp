#include "models/spec/dataset.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(Dataset& d, Visitor& v) {
  v.name("name", d.name, Kind::dataset, {.meaning = "Name by which jobs refer to the dataset", .required = true});
  v.reference("store", d.store, Kind::store, {.meaning = "Store that holds the files", .required = true});
  v.count("files", d.files,
          {.low = 1,
           .high = 1e9,
           .min = 1,
           .meaning = "Files or objects in the dataset",
           .log_scale = true,
           .required = true});
  v.count("samples_per_file", d.samples_per_file,
          {.low = 1,
           .high = 1e6,
           .min = 1,
           .evidence = Evidence::assumed,
           .meaning = "Samples packed into one file; 1 for one file per sample, thousands for shards",
           .log_scale = true});
  v.distribution("sample_bytes", d.sample_bytes, Unit::bytes,
                 {.low = 4,
                  .high = 1e9,
                  .min = 0,
                  .meaning = "Size of one sample before `codec`: a size, or a distribution over samples",
                  .log_scale = true,
                  .required = true});
  v.choice("order", d.order, kSampleOrderNames,
           {.evidence = Evidence::assumed,
            .meaning = "random: every sample is read separately, in a new keyed permutation per epoch; "
                       "shard_sequential: shards in random order, their samples one after the other; fixed: files one "
                       "after the other, in the same order in every epoch"});
  v.quantity("request_bytes", d.request_bytes, Unit::bytes,
             {.low = 4096,
              .high = 1e9,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Largest single read. 0: a random reader requests a whole sample, a sequential one 4 MiB",
              .log_scale = true,
              .decided = true});
  v.quantity("decoded_bytes_per_sample", d.decoded_bytes_per_sample, Unit::bytes,
             {.low = 0,
              .high = 1e9,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Size of a sample in memory after decoding, which host memory and PCIe carry. 0: as stored",
              .log_scale = true});
  v.record("codec", d.codec, {.meaning = "Compression of the stored samples", .catalogue = "codec"});
  v.fraction("columns_read", d.columns_read,
             {.low = 0.01,
              .high = 1,
              .above = 0,
              .max = 1,
              .evidence = Evidence::assumed,
              .meaning = "Share of a sample's bytes that is read, if the format can skip columns",
              .decided = true});
  v.quantity("parse_per_sample", d.parse_s_per_sample, Unit::seconds,
             {.low = 0,
              .high = 1e-2,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Core time to extract a sample from its file: headers, checksums, schema validation"});
  v.limit("parse", d.parse_bytes_per_s, Unit::bytes_per_second,
          {.low = 1e7,
           .high = 1e10,
           .min = 0,
           .evidence = Evidence::assumed,
           .meaning = "Uncompressed bytes that one core parses per second; 0: no cost per byte",
           .log_scale = true});
  v.number(
      "skew", d.skew,
      {.low = 0,
       .high = 1.2,
       .min = 0,
       .max = 4,
       .evidence = Evidence::assumed,
       .meaning = "Zipf exponent of how often samples are drawn, independently with replacement. 0: every sample once "
                  "per epoch"});
  v.optional_record("stream", d.stream, {.meaning = "New data that arrives during training; absent: none"});
  v.optional_record("origin", d.origin, {.meaning = "Site of origin of the data; absent: the site of the cluster"});
  v.optional_record("upload", d.upload, {.meaning = "Upload of the data to its store, for the sizing sheet"});
  v.optional_record("reduction", d.reduction, {.meaning = "Effect of deduplication and filters, for the sizing sheet"});
  v.optional_record("conversion", d.conversion,
                    {.meaning = "Conversion of the data to another format, for the sizing sheet"});
  v.constraint("samples have bytes", mean_of(d.sample_bytes) > 0.0, "samples of no bytes cannot be read",
               {"sample_bytes"});
  v.constraint("skew needs a random order", d.skew <= 0.0 || d.order == SampleOrder::random,
               "samples drawn by popularity (skew) have no order: set order to random", {"skew"});
}

}  // namespace headrace::models
