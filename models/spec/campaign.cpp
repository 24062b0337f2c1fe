#include "models/spec/campaign.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(CampaignImage& i, Visitor& v) {
  v.quantity("bytes", i.bytes, Unit::bytes,
             {.low = 1e9,
              .high = 4e10,
              .above = 0,
              .meaning = "Size of the container image as nodes pull it",
              .log_scale = true,
              .required = true,
              .decided = true});
  v.limit("registry_bandwidth", i.registry_bytes_per_s, Unit::bytes_per_second,
          {.low = 1e8,
           .high = 1e12,
           .min = 0,
           .meaning = "Rate at which the registry serves all nodes together; 0: limited by their NICs only",
           .log_scale = true,
           .decided = true});
  v.limit("unpack_bandwidth", i.unpack_bytes_per_s, Unit::bytes_per_second,
          {.low = 5e7,
           .high = 2e9,
           .min = 0,
           .meaning = "Rate at which one node unpacks the image, in bytes as pulled; 0: not a limit",
           .log_scale = true,
           .decided = true});
  v.count("fan_out", i.fan_out,
          {.low = 0,
           .high = 16,
           .min = 0,
           .max = 1000000,
           .meaning = "Nodes to which each node passes the image on; 0: every node pulls it from the registry",
           .decided = true});
  v.quantity("import_time", i.import_s, Unit::seconds,
             {.low = 5,
              .high = 300,
              .min = 0,
              .meaning = "Time from the start of a process until its libraries are loaded and its ranks have met, with "
                         "all files in memory",
              .log_scale = true,
              .decided = true});
  v.number("import_opens", i.import_opens,
           {.low = 0,
            .high = 100000,
            .min = 0,
            .meaning = "Files that one process opens while it imports its libraries",
            .decided = true});
  v.reference(
      "imports_from", i.imports_from, Kind::store,
      {.meaning = "Store whose metadata servers serve these opens of all processes; none: the node's own copy"});
}

void describe(DatasetRefresh& r, Visitor& v) {
  v.quantity("every", r.every_s, Unit::seconds,
             {.low = 86400,
              .high = 1e7,
              .above = 0,
              .meaning = "Time from one renewal of the dataset to the next; the job stops, lists and goes on",
              .log_scale = true,
              .required = true,
              .decided = true});
  v.fraction("changed", r.changed,
             {.low = 0, .high = 1, .meaning = "Share of the cached data that is read again after it", .decided = true});
}

void describe(CampaignScheduler& s, Visitor& v) {
  v.choice("backfill", s.backfill, kBackfillNames,
           {.meaning = "Waiting jobs that may start before those ahead of them", .decided = true});
}

void describe(Campaign& c, Visitor& v) {
  v.quantity("duration", c.duration_s, Unit::seconds,
             {.low = 86400,
              .high = 3e7,
              .min = 0,
              .meaning = "Time that the campaign looks at; 0: until the job is trained",
              .log_scale = true,
              .decided = true});
  v.count("steps", c.steps,
          {.low = 1000,
           .high = 1e7,
           .min = 0,
           .meaning = "Steps of the training, possibly less than an epoch; 0: jobs/0/epochs, or no end where a "
                      "duration is stated",
           .log_scale = true,
           .decided = true});
  v.optional_record("image", c.image, {.meaning = "What nodes load before they run the job; absent: it is there"});
  v.quantity("fast_forward", c.fast_forward_samples_per_s, Unit::per_second,
             {.low = 100,
              .high = 1e7,
              .min = 0,
              .meaning = "Samples per second that one loader skips on its way to its place in the epoch after a "
                         "restart; 0: the place is saved",
              .log_scale = true,
              .decided = true});
  v.optional_record("refresh", c.refresh, {.meaning = "Renewal of the dataset; absent: none"});
  v.count("spare_nodes", c.spare_nodes,
          {.low = 0,
           .high = 100,
           .min = 0,
           .max = 1000000,
           .meaning = "Nodes in reserve that replace failed ones, where a repair takes time",
           .decided = true});
  v.quantity("repair", c.repair_s, Unit::seconds,
             {.low = 3600,
              .high = 1.3e6,
              .min = 0,
              .meaning = "Mean time until a failed node is back, exponential; 0: a replacement is always there",
              .log_scale = true,
              .decided = true});
  v.limit("bid", c.bid_usd_per_gpu_hour, Unit::usd_per_hour,
          {.low = 0.5,
           .high = 10,
           .min = 0,
           .meaning = "Price per GPU hour up to which spot nodes are bought, against the trace of --price-trace; 0: "
                      "at any price",
           .log_scale = true,
           .decided = true});
  v.optional_record("scheduler", c.scheduler,
                    {.meaning = "How jobs that queue for their pool are started; absent: easy backfill"});
}

}  // namespace headrace::models
