// What a job finds in caches and in its store when it begins: nothing, what earlier jobs left, or what was copied
// ahead.
#pragma once

#include <cstdint>
#include <string>

#include "models/describe/describe.hpp"

namespace headrace::models {

enum class StagingMode : std::uint8_t { warm, prestage_caches, prestage_store };
inline constexpr ChoiceName<StagingMode> kStagingNames[] = {
    {StagingMode::warm, "warm", "caches are as earlier epochs on the same corpus left them"},
    {StagingMode::prestage_caches, "prestage_caches", "caches are filled before the first step"},
    {StagingMode::prestage_store, "prestage_store", "the dataset is copied to its store before the first step"}};

struct Staging {
  StagingMode mode = StagingMode::warm;
  std::uint64_t epochs = 1;
  double kept = 1.0;
  std::string from;
  double bandwidth_bytes_per_s = 0.0;
};

template <class V>
void describe(Staging& s, V& v) {
  v.choice("mode", s.mode, kStagingNames,
           {.evidence = Evidence::assumed,
            .meaning = "warm: caches are as earlier epochs left them; prestage_caches: filled before the first step; "
                       "prestage_store: the dataset is copied to its store before the first step"});
  v.count("epochs", s.epochs,
          {.low = 1,
           .high = 1000,
           .min = 1,
           .evidence = Evidence::assumed,
           .meaning = "warm: epochs on the same corpus that went before the job"});
  v.fraction(
      "kept", s.kept,
      {.low = 0,
       .high = 1,
       .evidence = Evidence::assumed,
       .meaning = "Share of what was cached that is still there and valid at the start: nodes may have been replaced "
                  "and samples refreshed",
       .decided = true});
  v.reference("from", s.from, Kind::store,
              {.meaning = "prestage_store: the store from which the dataset is copied; none: a source without limit"});
  v.quantity("bandwidth", s.bandwidth_bytes_per_s, Unit::bytes_per_second,
             {.low = 1e8,
              .high = 1e13,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Limit of the copying itself; 0: what source, fabric and target allow",
              .log_scale = true});
}

}  // namespace headrace::models
