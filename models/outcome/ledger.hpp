// What one steady epoch costs: GPU and node hours, the dataset's share of storage, requests and egress.
#pragma once

#include <vector>

#include "models/outcome/outcome.hpp"
#include "models/path/ingest_path.hpp"

namespace headrace::models {

struct EpochWindow;

/// Share of a window's samples that caches serve; of all of them exactly 1.
double cached_share(const EpochWindow& window);

/// `hit_ratio` is the last epoch's mean; tiers of egress prices count the bytes of all epochs. Items without a price
/// are listed with their quantity and 0 USD.
std::vector<LedgerLine> epoch_ledger(const Scenario& scenario, const IngestPath& path, double hit_ratio,
                                     double epoch_time_s);

/// The ledger of the job's first epoch, with its cold caches, from that of the last one. Only what reads cost differs:
/// requests and egress, at the last epoch's price of a byte where that reads any.
std::vector<LedgerLine> first_epoch_ledger(const Scenario& scenario, const std::vector<LedgerLine>& last);

/// What `bytes` cost that leave the store within one month, on top of those that left before.
double egress_usd(const StorePrice& price, double bytes);

/// What an epoch of `bytes` costs on average over all `epochs` of `epoch_time_s`, which follow one another from the
/// start of a month: every month of 730 h goes through the price list again.
double egress_usd_per_epoch(const StorePrice& price, double bytes, double epochs, double epoch_time_s);

/// Egress of a year in which the job starts `loads_per_year` times on refreshed data: V p F, each start reading all of
/// it once and, over the other epochs, what the caches miss on average (they may fill over many). Up to twelve starts
/// have a month of the price list each.
double egress_usd_per_year(const Scenario& scenario, const IngestPath& path, double hit_ratio);

double total_usd(const std::vector<LedgerLine>& ledger);

/// Whether machines have a price in it. Where they have none, its dollars are not what an epoch costs.
bool prices_machines(const std::vector<LedgerLine>& ledger);

/// After something was added to what an epoch costs: its useful GPU hours are as many as before, and cost more.
void keep_useful_hours(double cost_before_usd, std::vector<Metric>& metrics);

}  // namespace headrace::models
