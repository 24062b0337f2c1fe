#include "models/outcome/ledger.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "models/base/limits.hpp"
#include "models/outcome/host_memory.hpp"
#include "models/outcome/ledger_item.hpp"
#include "models/outcome/ownership.hpp"
#include "models/path/epoch_windows.hpp"
#include "models/path/host_costs.hpp"

namespace headrace::models {

namespace {
constexpr double kSecondsPerHour = 3600.0;
constexpr double kSecondsPerMonth = 730.0 * kSecondsPerHour;

/// Every replica's batch is read once per reader of that replica.
double reads_per_sample(const IngestPath& path) {
  return static_cast<double>(path.loaders) * path.batch_samples / path.samples_per_step;
}

void add_machines(const Scenario& scenario, double gpu_hours, double node_hours, std::vector<LedgerLine>& ledger) {
  const Prices& prices = scenario.prices;
  if (!prices.owned) {
    ledger.push_back(ledger_line(LedgerItem::gpu_hours, gpu_hours, gpu_hours * gpu_hour_usd(scenario)));
    ledger.push_back(ledger_line(LedgerItem::node_hours, node_hours, node_hours * node_hour_usd(scenario)));
    return;
  }
  const HourlyCost gpu = owned_gpu_hour(owned_machines(scenario));
  const HourlyCost node = owned_node_hour(*prices.owned);
  const double capital_usd = gpu_hours * gpu.capital_usd + node_hours * node.capital_usd;
  const double support_usd = gpu_hours * gpu.support_usd + node_hours * node.support_usd;
  const double kwh = gpu_hours * gpu.kwh + node_hours * node.kwh;
  ledger.push_back(ledger_line(LedgerItem::owned_capital, gpu_hours, capital_usd));
  ledger.push_back(ledger_line(LedgerItem::owned_support, gpu_hours, support_usd));
  ledger.push_back(ledger_line(LedgerItem::owned_energy, kwh, kwh * prices.owned->usd_per_kwh));
}

void add_tier(const StoreCache& cache, double epoch_time_s, std::vector<LedgerLine>& ledger) {
  const Tiering& tiering = *cache.tiering;
  const double byte_months = cache.bytes * epoch_time_s / kSecondsPerMonth;
  const double moved =
      (tiering.demoted_bytes_per_s(cache.bytes) + tiering.promoted_bytes_per_s(cache.bytes)) * epoch_time_s;
  ledger.push_back(ledger_line(LedgerItem::flash_tier, byte_months, byte_months * tiering.capacity_usd_per_byte_month));
  ledger.push_back(ledger_line(LedgerItem::tier_moves, moved, moved * tiering.move_usd_per_byte));
}

/// What ingest takes of nodes and store, where it is priced apart.
void add_resources(const Scenario& scenario, const IngestPath& path, double epoch_time_s,
                   std::vector<LedgerLine>& ledger) {
  constexpr double kNicUnit = 12.5e9;  // 100 Gb/s
  constexpr double kStoreUnit = 1e9;
  const ResourcePrices& prices = *scenario.prices.resources;
  const Job& job = scenario.jobs.front();
  const Pool& pool = pool_of(scenario, job);
  const Store& store = store_of(scenario, dataset_of(scenario, job));
  const double hours = epoch_time_s / kSecondsPerHour;
  const double months = epoch_time_s / kSecondsPerMonth;
  const double core_hours =
      job.loader.synchronous ? 0.0 : path.loaders * static_cast<double>(job.loader.workers) * hours;
  const double memory = path.nodes * host_memory(pool, job.loader, path).needed_bytes() * months;
  const bool on_drives = pool.cache.policy != CachePolicy::none && pool.cache.medium == CacheMedium::nvme;
  const double drives = on_drives ? path.nodes * pool.cache.bytes * months : 0.0;
  const double nic_hours =
      path.nodes * static_cast<double>(pool.nic.rails) * pool.nic.bandwidth_bytes_per_s / kNicUnit * hours;
  const double store_hours = store.is_shared() ? store.bandwidth_bytes_per_s / kStoreUnit * hours : 0.0;
  ledger.push_back(ledger_line(LedgerItem::worker_cores, core_hours, core_hours * prices.core_hour_usd));
  ledger.push_back(ledger_line(LedgerItem::ingest_memory, memory, memory * prices.memory_usd_per_byte_month));
  ledger.push_back(ledger_line(LedgerItem::cache_drives, drives, drives * prices.drive_usd_per_byte_month));
  ledger.push_back(ledger_line(LedgerItem::node_network, nic_hours, nic_hours * prices.nic_hour_usd));
  ledger.push_back(ledger_line(LedgerItem::store_bandwidth, store_hours, store_hours * prices.store_hour_usd));
}

/// What caches serve in the first epoch; nullopt where that is as the last one.
std::optional<double> first_hit_ratio(const Scenario& scenario) {
  const std::optional<EpochWindow> first = first_epoch_window(scenario, 0);
  return first ? std::optional(cached_share(*first)) : std::nullopt;
}

/// Mean over all epochs but the first, where the last has `hit_ratio`.
double later_hit_ratio(const Scenario& scenario, double hit_ratio) {
  const std::optional<double> first = first_hit_ratio(scenario);
  return first ? *first + later_epochs_progress(scenario, 0) * (hit_ratio - *first) : hit_ratio;
}

/// Of an epoch like the last one, whose caches serve `hit_ratio`. A price list by volume is gone through by the bytes
/// of all epochs, the first with its cold caches among them.
double epoch_egress_usd(const Scenario& scenario, const StorePrice& price, double bytes, double hit_ratio,
                        double epoch_time_s) {
  const auto epochs = static_cast<double>(scenario.jobs.front().epochs);
  const std::optional<double> first = price.egress_tiers.empty() ? std::nullopt : first_hit_ratio(scenario);
  if (!first || !(hit_ratio < 1.0)) return egress_usd_per_epoch(price, bytes, epochs, epoch_time_s);
  const double missed = (1.0 - *first + (epochs - 1.0) * (1.0 - later_hit_ratio(scenario, hit_ratio))) / epochs;
  const double mean_bytes = bytes * missed / (1.0 - hit_ratio);
  return egress_usd_per_epoch(price, mean_bytes, epochs, epoch_time_s) * bytes / mean_bytes;
}

}  // namespace

double cached_share(const EpochWindow& window) {
  const double served = window.hit_ratio + window.tiers.read();
  return served > 1.0 - kRoundedShare ? 1.0 : served;
}

std::vector<LedgerLine> epoch_ledger(const Scenario& scenario, const IngestPath& path, double hit_ratio,
                                     double epoch_time_s) {
  const Job& job = scenario.jobs.front();
  const Dataset& dataset = dataset_of(scenario, job);
  const StorePrice& price = store_of(scenario, dataset).price;
  const Corpus corpus = corpus_of(scenario, job);
  const double samples = corpus.samples / path.samples_packed;  // as the path counts them: sequences
  const double missed_samples = samples * path.share_read * reads_per_sample(path) * (1.0 - hit_ratio);
  const double gpu_hours = path.gpus * epoch_time_s / kSecondsPerHour;
  const double node_hours = path.nodes * epoch_time_s / kSecondsPerHour;
  const std::optional<Redundancy>& redundancy = store_of(scenario, dataset).redundancy;
  const double grown = dataset.bytes() > 0.0 ? corpus_bytes(dataset, job.loader) / dataset.bytes() : 1.0;
  const double byte_months =
      corpus.bytes * grown * (redundancy ? redundancy->overhead() : 1.0) * epoch_time_s / kSecondsPerMonth;
  const double elsewhere = price.intercept.share;
  const double requests = missed_samples * path.requests_per_sample * (1.0 - elsewhere);
  const double missed_bytes =
      missed_samples * path.mean_sample_bytes() * path.miss_bytes_factor * path.host.store_share;
  const double egress_bytes = missed_bytes * (1.0 - elsewhere);
  std::vector<LedgerLine> ledger;
  add_machines(scenario, gpu_hours, node_hours, ledger);
  ledger.push_back(ledger_line(LedgerItem::storage, byte_months, byte_months * price.capacity_usd_per_byte_month));
  ledger.push_back(ledger_line(LedgerItem::requests, requests, requests * price.usd_per_request));
  ledger.push_back(ledger_line(LedgerItem::egress, egress_bytes,
                               epoch_egress_usd(scenario, price, egress_bytes, hit_ratio, epoch_time_s)));
  if (job.loader.preprocessing == Preprocessing::remote_pool) {
    const RemotePool& remote = job.loader.remote;
    const double worker_hours = static_cast<double>(remote.workers) * epoch_time_s / kSecondsPerHour;
    ledger.push_back(ledger_line(LedgerItem::remote_workers, worker_hours, worker_hours * remote.worker_hour_usd));
  }
  if (const Store& store = store_of(scenario, dataset); store.cache && store.cache->tiering)
    add_tier(*store.cache, epoch_time_s, ledger);
  if (scenario.prices.resources) add_resources(scenario, path, epoch_time_s, ledger);
  if (!(elsewhere > 0.0)) return ledger;
  const Intercept& copy = price.intercept;
  const double copied_byte_months = elsewhere * byte_months;
  const double copy_requests = missed_samples * path.requests_per_sample * elsewhere;
  const double copy_bytes = missed_bytes * elsewhere;
  ledger.push_back(
      ledger_line(LedgerItem::copy_storage, copied_byte_months, copied_byte_months * copy.capacity_usd_per_byte_month));
  ledger.push_back(ledger_line(LedgerItem::copy_requests, copy_requests, copy_requests * copy.usd_per_request));
  ledger.push_back(ledger_line(LedgerItem::copy_egress, copy_bytes, copy_bytes * copy.egress_usd_per_byte));
  return ledger;
}

std::vector<LedgerLine> first_epoch_ledger(const Scenario& scenario, const std::vector<LedgerLine>& last) {
  const std::optional<double> hit_ratio = first_hit_ratio(scenario);
  if (!hit_ratio) return last;
  constexpr double kAnyTime_s = 1.0;  // lines that grow with time stay those of the last epoch
  const std::vector<LedgerLine> cold = epoch_ledger(scenario, resolve_path(scenario, 0, {}), *hit_ratio, kAnyTime_s);
  std::vector<LedgerLine> first = last;
  for (LedgerLine& line : first) {
    if (line.by_time) continue;
    const auto read = std::find_if(cold.begin(), cold.end(), [&](const LedgerLine& l) { return l.item == line.item; });
    if (read == cold.end()) continue;
    line.usd = line.quantity > 0.0 ? line.usd * read->quantity / line.quantity : read->usd;
    line.quantity = read->quantity;
  }
  return first;
}

double egress_usd(const StorePrice& price, double bytes) {
  if (price.egress_tiers.empty()) return bytes * price.egress_usd_per_byte;
  double usd = 0.0;
  double from = price.egress_before_bytes;
  const double to = from + bytes;
  for (const EgressTier& tier : price.egress_tiers) {
    const bool last = &tier == &price.egress_tiers.back();  // its price holds on
    const double end = last ? to : capped(to, tier.up_to_bytes);
    if (end <= from) continue;
    usd += (end - from) * tier.usd_per_byte;
    from = end;
  }
  return usd;
}

double egress_usd_per_epoch(const StorePrice& price, double bytes, double epochs, double epoch_time_s) {
  const double months = epochs * epoch_time_s / kSecondsPerMonth;
  if (price.egress_tiers.empty() || !(months > 1.0)) return egress_usd(price, bytes * epochs) / epochs;
  StorePrice later = price;
  later.egress_before_bytes = 0.0;
  const double month_bytes = bytes * epochs / months;
  const double whole = std::floor(months);
  return (egress_usd(price, month_bytes) + (whole - 1.0) * egress_usd(later, month_bytes) +
          egress_usd(later, (months - whole) * month_bytes)) /
         epochs;
}

double egress_usd_per_year(const Scenario& scenario, const IngestPath& path, double hit_ratio) {
  constexpr double kMonths = 12.0;
  const Job& job = scenario.jobs.front();
  const StorePrice& price = store_of(scenario, dataset_of(scenario, job)).price;
  const double later_epochs = static_cast<double>(job.epochs) - 1.0;
  const double load_bytes = corpus_of(scenario, job).bytes * path.share_read * reads_per_sample(path) *
                            (1.0 + later_epochs * (1.0 - later_hit_ratio(scenario, hit_ratio)));
  const double bills = std::min(job.loads_per_year, kMonths);
  const double bytes = load_bytes * job.loads_per_year / bills;
  const double elsewhere = price.intercept.share;
  return bills *
         (egress_usd(price, bytes * (1.0 - elsewhere)) + bytes * elsewhere * price.intercept.egress_usd_per_byte);
}

bool prices_machines(const std::vector<LedgerLine>& ledger) {
  return std::any_of(ledger.begin(), ledger.end(), [](const LedgerLine& line) {
    const bool machines = line.item == item_name(LedgerItem::gpu_hours) ||
                          line.item == item_name(LedgerItem::node_hours) ||
                          line.item == item_name(LedgerItem::owned_capital);
    return machines && line.usd > 0.0;
  });
}

double total_usd(const std::vector<LedgerLine>& ledger) {
  double usd = 0.0;
  for (const LedgerLine& line : ledger) usd += line.usd;
  return usd;
}

void keep_useful_hours(double cost_before_usd, std::vector<Metric>& metrics) {
  if (!(cost_before_usd > 0.0)) return;
  const double factor = mean_in(metrics, "cost_per_epoch_usd") / cost_before_usd;
  for (Metric& metric : metrics) {
    if (metric.name != "cost_per_useful_gpu_hour_usd") continue;
    metric.mean *= factor;
    for (std::optional<Interval>* interval : {&metric.ci95, &metric.input_range})
      if (*interval) *interval = Interval{(*interval)->low * factor, (*interval)->high * factor};
  }
}

}  // namespace headrace::models
