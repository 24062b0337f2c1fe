#include "models/outcome/data_site.hpp"

#include "models/outcome/feasibility.hpp"
#include "models/path/ingest_path.hpp"

namespace headrace::models {

namespace {

/// How the data would leave; empty where they stay.
std::string way_out(const Scenario& scenario, const Dataset& dataset) {
  if (dataset.origin->link) return "the cluster reads the data over the long link (origin/link)";
  if (scenario.fabric.wan) return "a long link is between the store and the cluster (fabric/wan)";
  if (store_of(scenario, dataset).price.intercept.share > 0.0)
    return "a copy at another site serves a share of the reads (price/intercept)";
  return {};
}

}  // namespace

void require_data_stay(const Scenario& scenario, const Job& job, Outcome& outcome) {
  for (const DatasetShare& share : job.datasets) {
    const Dataset* dataset = detail::find_by_name(scenario.datasets, share.dataset);
    if (dataset == nullptr || !dataset->origin || !dataset->origin->stays) continue;
    const std::string out = way_out(scenario, *dataset);
    if (out.empty()) continue;
    refuse({"dataset '" + dataset->name + "' must not leave its site", out,
            "train at the site, or read another dataset; datasets/origin/stays states the rule"},
           outcome);
  }
}

}  // namespace headrace::models
