// Reads a workload file of the DLIO benchmark (YAML, as MLPerf Storage uses it) and writes the scenario layer that
// means the same: one dataset and one job. The layer goes over a scenario that describes the machines.
//
// Meaning of the loader keys: argonne-lcf/dlio_benchmark, data_loader/torch_data_loader.py and tf_data_loader.py
// (2024).
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "scenarios/document/diagnostic.hpp"

namespace headrace::scenarios {

struct DlioOptions {
  std::uint64_t accelerators = 0;  ///< 0: every GPU of the pool
  std::uint64_t hosts = 0;         ///< 0: every node of the pool
  std::uint64_t files = 0;         ///< 0: num_files_train of the file
  std::string store = "storage";   ///< name of the store that the layer's dataset refers to
  std::string pool = "gpus";       ///< name of the pool that the layer's job refers to
  bool beside = false;             ///< the job runs beside those of the layers below, and does not take their place
  std::string extends = {};        ///< scenario that the layer builds on; empty: none, the layer alone is no scenario
};

/// A key of the file that has no influence on the layer.
struct UnusedKey {
  std::string key;  ///< "checkpoint.fsync"
  int line = 0;
};

struct DlioImport {
  std::string name;                ///< model.name
  std::string json;                ///< the layer, ending in a line break
  std::vector<UnusedKey> unused;   ///< in the order of the file
  std::vector<std::string> notes;  ///< what the reader should know about the translation
};

/// Errors: E0105 YAML syntax, E0201 wrong type, E0207 outside the limits, E0208 unknown word, E0202 missing key, E0209
/// what is no training workload (checkpoint only, data generation only).
tl::expected<DlioImport, Diagnostics> import_dlio(const std::string& file_name, const std::string& text,
                                                  const DlioOptions& options);

}  // namespace headrace::scenarios
