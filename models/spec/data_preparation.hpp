// What may happen to a dataset before a job reads it: where it comes from, how it is taken in, made smaller, written
// anew in another format. Nothing of it changes how a job runs, except that data which must not leave their site may
// not be read from elsewhere (models/outcome/data_site.hpp); the sizing sheet answers what it takes.
#pragma once

#include <cstdint>
#include <optional>

#include "models/describe/declarations.hpp"
#include "models/spec/transport.hpp"

namespace headrace::models {

/// The site where the data arise.
struct DataOrigin {
  double bytes_per_day = 0.0;  ///< 0: not stated
  std::optional<WideAreaLink> link;
  std::uint64_t connections = 1;
  std::optional<double> bandwidth_bytes_per_s;  ///< of the link; none: what its connections carry
  double usd_per_byte = 0.0;                    ///< out of the site
  double gpu_hour_usd = 0.0;                    ///< at the site; 0: no GPUs there
  bool stays = false;
};

/// Uploading the dataset into its store, each object in parts.
struct ObjectUpload {
  double part_bytes = 8388608.0;
  std::uint64_t parallel = 10;
  double part_s = 0.05;
  double commit_s = 0.1;
  std::optional<double> bandwidth_bytes_per_s;  ///< of the source
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
  std::optional<double> parse_bytes_per_s;
  double cpu_s_per_sample = 0.0;  ///< 0: as before
  double intermediate = 0.0;
  double recomputed = 1.0;
};

void describe(DataOrigin& o, Visitor& v);
void describe(ObjectUpload& i, Visitor& v);
void describe(DataReduction& r, Visitor& v);
void describe(FormatConversion& c, Visitor& v);

}  // namespace headrace::models
