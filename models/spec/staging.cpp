#include "models/spec/staging.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(Staging& s, Visitor& v) {
  v.choice("mode", s.mode, kStagingNames,
           {.evidence = Evidence::assumed,
            .meaning = "warm: caches are as after earlier epochs; prestage_caches: filled before the first step; "
                       "prestage_store: the dataset is copied to its store before the first step"});
  v.count("epochs", s.epochs,
          {.low = 1,
           .high = 1000,
           .min = 1,
           .evidence = Evidence::assumed,
           .meaning = "warm: epochs on the same corpus before the job"});
  v.fraction("kept", s.kept,
             {.low = 0,
              .high = 1,
              .evidence = Evidence::assumed,
              .meaning = "Share of the cached data that is still valid at the start: nodes may have been replaced and "
                         "samples refreshed",
              .decided = true});
  v.reference("from", s.from, Kind::store,
              {.meaning = "prestage_store: the store from which the dataset is copied; none: a source without limit"});
  v.limit("bandwidth", s.bandwidth_bytes_per_s, Unit::bytes_per_second,
          {.low = 1e8,
           .high = 1e13,
           .min = 0,
           .evidence = Evidence::assumed,
           .meaning = "Limit of the copy program; 0: limited by source, fabric and target only",
           .log_scale = true});
}

}  // namespace headrace::models
