#include "tests/validation/checkpoint_rows.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "models/base/limits.hpp"
#include "models/interruptions/interruptions.hpp"
#include "models/path/ingest_path.hpp"
#include "tests/catch.hpp"
#include "tests/validation/csv_rows.hpp"

namespace headrace::testing {

namespace {

constexpr double kBytesPerGB = 1e9;
constexpr double kBytesPerGb = 1e9 / 8.0;
constexpr double kNoLimit = 1e18;  ///< bytes/s of a store that states no bandwidth

/// Columns of the table that are read here.
enum Column : std::size_t {
  kSubmitter = 2,
  kSystem,
  kStorage,
  kModel,
  kRanks,
  kHosts,
  kCheckpointGB,
  kSave,
  kLoad = 11,
  kClientCpu = 14,
  kClientNic,
  kClientNicByProvider,
  kStorageNodes,
  kStorageNic,
  kStorageNicByProvider,
  kProvisioned
};

double number(const std::vector<std::string>& cells, Column column) {
  const std::string& cell = cells.at(column);
  return cell.empty() ? 0.0 : std::stod(cell);
}

double number_or(const std::vector<std::string>& cells, Column first, Column otherwise) {
  return number(cells, cells.at(first).empty() ? otherwise : first);
}

CheckpointRow row_from(const std::vector<std::string>& cells, NicFigures nics) {
  const bool provider = nics == NicFigures::of_provider;
  CheckpointRow row;
  row.submitter = cells.at(kSubmitter);
  row.system = cells.at(kSystem);
  row.storage = cells.at(kStorage);
  row.model = cells.at(kModel);
  row.client_cpu = cells.at(kClientCpu);
  row.ranks = static_cast<std::uint64_t>(number(cells, kRanks));
  row.hosts = static_cast<std::uint64_t>(number(cells, kHosts));
  row.bytes = number(cells, kCheckpointGB) * kBytesPerGB;
  row.save_s = number(cells, kSave);
  row.load_s = number(cells, kLoad);
  row.client_nic_bytes_per_s =
      kBytesPerGb * (provider ? number_or(cells, kClientNicByProvider, kClientNic) : number(cells, kClientNic));
  row.storage_nodes = number(cells, kStorageNodes);
  row.storage_nic_bytes_per_s =
      kBytesPerGB * (provider ? number_or(cells, kStorageNicByProvider, kStorageNic) : number(cells, kStorageNic));
  row.provisioned_bytes_per_s = number(cells, kProvisioned) * kBytesPerGB;
  return row;
}

std::string system_of(const CheckpointRow& row, System system) {
  if (system == System::same_name) return row.submitter + "|" + row.system;
  return row.submitter + "|" + row.storage + "|" + row.client_cpu + "|" + std::to_string(row.client_nic_bytes_per_s);
}

bool smaller(const CheckpointRow& a, const CheckpointRow& b) {
  return std::tie(a.ranks, a.hosts, a.storage_nodes) < std::tie(b.ranks, b.hosts, b.storage_nodes);
}

double ratio(std::uint64_t of, std::uint64_t over) { return static_cast<double>(of) / static_cast<double>(over); }

/// How much larger the store of the row is than that of the smallest row. Without a statement about the store it
/// consists of drives of the clients.
double store_growth(const CheckpointPair& pair) {
  if (pair.smallest.provisioned_bytes_per_s > 0.0)
    return pair.row.provisioned_bytes_per_s / pair.smallest.provisioned_bytes_per_s;
  if (pair.smallest.storage_nodes > 0.0) return pair.row.storage_nodes / pair.smallest.storage_nodes;
  return ratio(pair.row.hosts, pair.smallest.hosts);
}

/// Limits of the row, bytes/s: as declared, or as the smallest row carried in proportion. 0: not stated.
struct Limits {
  double nic = 0.0;  ///< of one host
  double storage_nic = 0.0;
  double store = 0.0;
  double tightest(std::uint64_t hosts) const {
    double least = nic * static_cast<double>(hosts);
    if (storage_nic > 0.0) least = std::min(least, storage_nic);
    if (store > 0.0) least = std::min(least, store);
    return least;
  }
};

Limits declared_limits(const CheckpointRow& row) {
  return {row.client_nic_bytes_per_s, row.storage_nic_bytes_per_s, row.provisioned_bytes_per_s};
}

Limits limits_of(const CheckpointPair& pair, Transfer transfer) {
  const double carried = pair.smallest.bytes_per_s(transfer);
  const double grown = carried * store_growth(pair);
  Limits limits = declared_limits(pair.row);
  limits.nic = std::max(limits.nic, carried / static_cast<double>(pair.smallest.hosts));
  if (limits.storage_nic > 0.0) limits.storage_nic = std::max(limits.storage_nic, grown);
  if (limits.store > 0.0) limits.store = std::max(limits.store, grown);
  return limits;
}

}  // namespace

std::vector<CheckpointRow> read_checkpoint_rows(NicFigures nics) {
  std::vector<CheckpointRow> rows;
  for (const std::vector<std::string>& cells : csv_rows("mlperf_storage_v3_checkpoint.csv"))
    rows.push_back(row_from(cells, nics));
  return rows;
}

std::vector<CheckpointPair> checkpoint_pairs(const std::vector<CheckpointRow>& rows, System system) {
  std::map<std::string, std::size_t> smallest;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto [at, first] = smallest.emplace(system_of(rows[i], system), i);
    if (!first && smaller(rows[i], rows[at->second])) at->second = i;
  }
  std::vector<CheckpointPair> pairs;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t least = smallest.at(system_of(rows[i], system));
    if (least != i) pairs.push_back({rows[i], rows[least]});
  }
  return pairs;
}

models::Scenario checkpoint_scenario(const CheckpointPair& pair, Transfer transfer) {
  const CheckpointRow& row = pair.row;
  const Limits limits = limits_of(pair, transfer);
  models::Scenario scenario;
  models::Pool pool;
  pool.name = "hosts";
  pool.nodes = row.hosts;
  pool.gpus_per_node = (row.ranks + row.hosts - 1) / row.hosts;
  pool.nic.bandwidth_bytes_per_s = limits.nic;
  scenario.cluster.pools = {pool};
  models::Store store;
  store.name = "store";
  store.bandwidth_bytes_per_s = limits.store > 0.0 ? limits.store : kNoLimit;
  store.front_end_bytes_per_s = models::stated_limit(limits.storage_nic);
  scenario.stores = {store};
  models::Dataset dataset;  // a job reads something; it plays no part in a checkpoint
  dataset.name = "samples";
  dataset.store = "store";
  dataset.files = 1;
  scenario.datasets = {dataset};
  models::Job job;
  job.name = row.model;
  job.pool = "hosts";
  job.datasets = {{"samples", 1.0}};
  models::Checkpoint checkpoint;
  checkpoint.store = "store";
  checkpoint.bytes = row.bytes;
  checkpoint.interval_s = 3600.0;
  checkpoint.writers = row.ranks;
  checkpoint.restore = models::Restore::one_replica;  // each rank loads its own part
  const double rank_bytes_per_s = pair.smallest.bytes_per_s(transfer) / static_cast<double>(pair.smallest.ranks);
  checkpoint.writer_bytes_per_s = rank_bytes_per_s;
  checkpoint.reader_bytes_per_s = rank_bytes_per_s;
  job.checkpoint = checkpoint;
  scenario.jobs = {job};
  return scenario;
}

double predicted_s(const CheckpointPair& pair, Transfer transfer) {
  const models::Scenario scenario = checkpoint_scenario(pair, transfer);
  const auto times = models::interruptions_of(scenario, models::resolve_path(scenario, 0, {}), 0.0);
  REQUIRE(times);
  return transfer == Transfer::save ? times->save_s : times->load_s;
}

const char* name(PlainRule rule) {
  switch (rule) {
    case PlainRule::same_rate:
      return "the same bytes/s";
    case PlainRule::same_rate_per_host:
      return "the same bytes/s of a host";
    case PlainRule::same_rate_per_rank:
      return "the same bytes/s of a rank";
    case PlainRule::declared_limits:
      return "the tightest declared limit";
  }
  return "";
}

double plain_s(const CheckpointPair& pair, Transfer transfer, PlainRule rule) {
  const CheckpointRow& row = pair.row;
  double bytes_per_s = pair.smallest.bytes_per_s(transfer);
  if (rule == PlainRule::same_rate_per_host) bytes_per_s *= ratio(row.hosts, pair.smallest.hosts);
  if (rule == PlainRule::same_rate_per_rank) bytes_per_s *= ratio(row.ranks, pair.smallest.ranks);
  if (rule == PlainRule::declared_limits) bytes_per_s = declared_limits(row).tightest(row.hosts);
  return row.bytes / bytes_per_s;
}

TimeRange possible_times(const CheckpointPair& pair, Transfer transfer) {
  const double carried = pair.smallest.bytes_per_s(transfer);
  const double scales[] = {ratio(pair.row.ranks, pair.smallest.ranks), ratio(pair.row.hosts, pair.smallest.hosts),
                           store_growth(pair)};
  const double tightest = limits_of(pair, transfer).tightest(pair.row.hosts);
  const auto bytes_per_s = [&](double scale) { return std::min(carried * scale, tightest); };
  return {pair.row.bytes / bytes_per_s(*std::max_element(std::begin(scales), std::end(scales))),
          pair.row.bytes / bytes_per_s(*std::min_element(std::begin(scales), std::end(scales)))};
}

}  // namespace headrace::testing
