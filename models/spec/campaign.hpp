// What a job goes through from its first start to its last step, beside what the rest of a scenario says of it: how
// long it is looked at, what nodes load before they can run it, what a restart has to find again, how the dataset is
// renewed. `headrace campaign` reads it; nothing else does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/describe/declarations.hpp"

namespace headrace::models {

/// The container image, and the imports of every process after it has been unpacked.
struct CampaignImage {
  double bytes = 0.0;                          ///< as it is pulled
  std::optional<double> registry_bytes_per_s;  ///< to all nodes together
  std::optional<double> unpack_bytes_per_s;    ///< of one node
  std::uint64_t fan_out = 0;  ///< nodes that each node passes the image on to; 0: all pull from the registry
  double import_s = 0.0;      ///< of one process whose files are in memory
  double import_opens = 0.0;  ///< files that one process opens
  std::string imports_from;   ///< store that holds these files; empty: the image
};

struct DatasetRefresh {
  double every_s = 0.0;
  double changed = 1.0;  ///< share of what is cached that is read again
};

/// Which waiting jobs may start before those that come first by priority and arrival.
enum class Backfill : std::uint8_t { none, easy, greedy };
inline constexpr ChoiceName<Backfill> kBackfillNames[] = {
    {Backfill::none, "none", "none: where the first does not fit, all wait"},
    {Backfill::easy, "easy", "those that do not delay the first, by the ends that running jobs head for"},
    {Backfill::greedy, "greedy", "all that fit; a large job may wait for long"}};

/// Of the queues of all pools.
struct CampaignScheduler {
  Backfill backfill = Backfill::easy;
};

struct Campaign {
  double duration_s = 0.0;  ///< 0: until the job is trained
  std::uint64_t steps = 0;  ///< 0: the job's epochs, or without end where a duration is stated
  std::optional<CampaignImage> image;
  double fast_forward_samples_per_s = 0.0;  ///< of one loader; 0: its position is saved
  std::optional<DatasetRefresh> refresh;
  std::uint64_t spare_nodes = 0;
  double repair_s = 0.0;                       ///< 0: a replacement is always there
  std::optional<double> bid_usd_per_gpu_hour;  ///< none: whatever the price
  std::optional<CampaignScheduler> scheduler;
};

void describe(CampaignImage& i, Visitor& v);
void describe(DatasetRefresh& r, Visitor& v);
void describe(CampaignScheduler& s, Visitor& v);
void describe(Campaign& c, Visitor& v);

}  // namespace headrace::models
