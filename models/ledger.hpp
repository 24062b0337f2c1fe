// What one steady epoch costs: GPU and node hours, the dataset's share of storage, requests and egress.
#pragma once

#include <vector>

#include "models/ingest_path.hpp"
#include "models/outcome.hpp"

namespace headrace::models {

/// `hit_ratio` is the epoch's mean. Items without a price are listed with their quantity and 0 USD.
std::vector<LedgerLine> epoch_ledger(const Scenario& scenario, const IngestPath& path, double hit_ratio,
                                     double epoch_time_s);

double total_usd(const std::vector<LedgerLine>& ledger);

}  // namespace headrace::models
