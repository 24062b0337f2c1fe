#include "models/ledger.hpp"

#include "models/host_costs.hpp"

namespace headrace::models {

namespace {
constexpr double kSecondsPerHour = 3600.0;
constexpr double kSecondsPerMonth = 730.0 * kSecondsPerHour;
}  // namespace

std::vector<LedgerLine> epoch_ledger(const Scenario& scenario, const IngestPath& path, double hit_ratio,
                                     double epoch_time_s) {
  const Job& job = scenario.jobs.front();
  const Dataset& dataset = dataset_of(scenario, job);
  const StorePrice& price = store_of(scenario, dataset).price;
  // Every replica's batch is read once per reader of that replica.
  const double reads_per_sample = static_cast<double>(path.loaders) * path.batch_samples / path.samples_per_step;
  const double missed_samples = dataset.samples() * reads_per_sample * (1.0 - hit_ratio);
  const double gpu_hours = path.gpus * epoch_time_s / kSecondsPerHour;
  const double node_hours = path.nodes * epoch_time_s / kSecondsPerHour;
  const double byte_months = corpus_bytes(dataset, job.loader) * epoch_time_s / kSecondsPerMonth;
  const double requests = missed_samples * path.requests_per_sample;
  const double egress_bytes = missed_samples * path.mean_sample_bytes() * path.host.store_share;
  std::vector<LedgerLine> ledger = {
      {"gpu hours", gpu_hours, "h", gpu_hours * scenario.prices.gpu_hour_usd, true},
      {"node hours", node_hours, "h", node_hours * scenario.prices.node_hour_usd, true},
      {"storage share", byte_months, "B month", byte_months * price.capacity_usd_per_byte_month, true},
      {"requests", requests, "requests", requests * price.usd_per_request},
      {"egress", egress_bytes, "B", egress_bytes * price.egress_usd_per_byte},
  };
  if (job.loader.preprocessing == Preprocessing::remote_pool) {
    const RemotePool& remote = job.loader.remote;
    const double worker_hours = static_cast<double>(remote.workers) * epoch_time_s / kSecondsPerHour;
    ledger.push_back({"remote workers", worker_hours, "h", worker_hours * remote.worker_hour_usd, true});
  }
  return ledger;
}

double total_usd(const std::vector<LedgerLine>& ledger) {
  double usd = 0.0;
  for (const LedgerLine& line : ledger) usd += line.usd;
  return usd;
}

}  // namespace headrace::models
