// Checkpoint rows of MLPerf Storage v3.0 (tests/validation/data/mlperf_storage_v3_checkpoint.csv): which rows belong to
// one system, and how the smallest of these predicts the others through the product's own checkpoint model.
//
// A timed checkpoint shows the limit that was the tightest there and a lower bound of the others. The smallest row has
// few ranks, so its rate is taken as that of its ranks. The other limits are those that the system declares: client
// NICs, NICs of the storage nodes, provisioned bandwidth. Where the smallest row carried more than is declared, what it
// carried counts. No constant is chosen on the rows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/spec/scenario.hpp"

namespace headrace::testing {

enum class Transfer : std::uint8_t { save, load };

/// One system, number of ranks and model, with means over ten repeats. 0: not stated.
struct CheckpointRow {
  std::string submitter;
  std::string system;
  std::string storage;  ///< product
  std::string model;    ///< "llama3-8b"
  std::string client_cpu;
  std::uint64_t ranks = 0;
  std::uint64_t hosts = 0;
  double bytes = 0.0;
  double save_s = 0.0;
  double load_s = 0.0;
  double client_nic_bytes_per_s = 0.0;  ///< of one host
  double storage_nodes = 0.0;
  double storage_nic_bytes_per_s = 0.0;  ///< of all storage nodes
  double provisioned_bytes_per_s = 0.0;  ///< as the service sells it
  double seconds(Transfer transfer) const { return transfer == Transfer::save ? save_s : load_s; }
  double bytes_per_s(Transfer transfer) const { return bytes / seconds(transfer); }
};

/// Where the descriptions of a system and of its cloud provider differ on the NICs of a host: whose figure to use.
enum class NicFigures : std::uint8_t { of_system, of_provider };
std::vector<CheckpointRow> read_checkpoint_rows(NicFigures nics = NicFigures::of_provider);

/// What makes rows one system: the same hosts and storage nodes by name, or the same submitter, storage product and
/// kind of client with any number of either.
enum class System : std::uint8_t { same_name, same_kind };

/// A row and the smallest one of its system: fewest ranks, then hosts, then storage nodes.
struct CheckpointPair {
  CheckpointRow row;
  CheckpointRow smallest;
};
/// Every row that is not the smallest of its system, in the order of the table.
std::vector<CheckpointPair> checkpoint_pairs(const std::vector<CheckpointRow>& rows, System system);

/// The row's cluster, store and checkpoint, with the rates that follow from the smallest row.
models::Scenario checkpoint_scenario(const CheckpointPair& pair, Transfer transfer);
/// What the product's model says about that scenario, s.
double predicted_s(const CheckpointPair& pair, Transfer transfer);

/// Plain rules that keep one figure of the smallest row, or none.
enum class PlainRule : std::uint8_t { same_rate, same_rate_per_host, same_rate_per_rank, declared_limits };
const char* name(PlainRule rule);
double plain_s(const CheckpointPair& pair, Transfer transfer, PlainRule rule);

/// Times between which the row lies if it is not known which limit the smallest row shows: ranks, hosts or store.
struct TimeRange {
  double fastest_s = 0.0;
  double slowest_s = 0.0;
};
TimeRange possible_times(const CheckpointPair& pair, Transfer transfer);

/// 100 x (predicted / measured - 1), %.
inline double error_percent(double predicted, double measured) { return 100.0 * (predicted / measured - 1.0); }

}  // namespace headrace::testing
