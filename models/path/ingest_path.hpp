// A job of a scenario resolved into the data path that hops and engines read.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "models/hops/path.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

/// A question that no model answers as it was put, though every parameter is legal on its own.
class UnusableRequest : public std::invalid_argument {
 public:
  UnusableRequest(const std::string& cause, std::string fix) : std::invalid_argument(cause), fix_(std::move(fix)) {}
  const std::string& fix() const { return fix_; }

 private:
  std::string fix_;
};

/// Records that the job refers to; throws std::out_of_range if a name dangles (scenarios/ refuses such files).
const Pool& pool_of(const Scenario& scenario, const Job& job);
const Dataset& dataset_of(const Scenario& scenario, const Job& job);
/// Files, samples and bytes of all datasets of the job together.
struct Corpus {
  double files = 0.0;
  double samples = 0.0;
  double bytes = 0.0;
  double memory_bytes = 0.0;  ///< of all samples as decoded tensors
};
Corpus corpus_of(const Scenario& scenario, const Job& job);
/// The job's first dataset with the files of all of a mix, as they are dealt out to workers: shard by shard only where
/// every dataset is read so.
Dataset dealt_dataset(const Scenario& scenario, const Job& job);
const Store& store_of(const Scenario& scenario, const Dataset& dataset);

/// Resolves job number `job` of the scenario. Deterministic; no draws.
IngestPath resolve_path(const Scenario& scenario, std::size_t job, Granularity granularity);

}  // namespace headrace::models
