// One room of the sizing sheet: which figures it has, and the function that works them out for a job.
#pragma once

#include <initializer_list>
#include <span>
#include <string>

#include "models/outcome/outcome.hpp"
#include "models/outcome/sizing_sheet.hpp"
#include "models/path/ingest_path.hpp"

namespace headrace::models {

/// A job with everything that formulas ask for. The job is the first and only one of `scenario`.
struct SizingCase {
  const Scenario& scenario;
  const Job& job;
  const Pool& pool;
  const Dataset& dataset;  ///< the first of the job's
  const Store& store;      ///< that holds it
  const IngestPath& path;  ///< of a steady epoch, caches at their mean hit ratio
  const IngestPath& cold;  ///< with empty caches
  const Outcome& bound;    ///< flow bound of the job alone
  std::string job_key;     ///< JSON pointers into the scenario as it was given
  std::string pool_key;
  std::string dataset_key;
  std::string store_key;

  double step_s() const { return path.mean_step_floor_s(); }
  /// Of the bound; 0 for one that it does not have.
  double metric(std::string_view name) const { return mean_in(bound.metrics, name); }
  /// What a node takes in at most: its NIC, or its part of store and spine; of a local store its drive. 0: no limit.
  double node_link_bytes_per_s() const;
  /// The place in the scenario of what sets that limit, or of what all nodes share.
  std::string node_link_key() const;
  double loaders_per_node() const { return static_cast<double>(path.loaders) / path.nodes; }
  /// Bytes of the dataset as it is stored.
  double stored_bytes() const { return dataset.bytes(); }
};

class SizingSheetWriter;

struct SizingRoom {
  std::string_view key;
  std::string_view title;
  std::span<const SizingDescription> figures;
  void (*fill)(const SizingCase& job, SizingSheetWriter& sheet);
};

/// Takes the figures of one room of one job. What was not added is missing.
class SizingSheetWriter {
 public:
  SizingSheetWriter(const SizingRoom& room, std::string job, SizingSheet& sheet);

  /// `name` must be a figure of the room; one that is not finite counts as missing.
  void add(std::string_view name, double value, std::vector<SizingInput> inputs);
  /// After the last figure.
  void tell_missing();

 private:
  const SizingRoom& room_;
  std::string job_;
  SizingSheet& sheet_;
  std::size_t first_;
};

}  // namespace headrace::models
