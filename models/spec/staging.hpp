// What a job finds in caches and in its store when it begins: nothing, what earlier jobs left, or what was copied
// ahead.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/describe/declarations.hpp"

namespace headrace::models {

enum class StagingMode : std::uint8_t { warm, prestage_caches, prestage_store };
inline constexpr ChoiceName<StagingMode> kStagingNames[] = {
    {StagingMode::warm, "warm", "caches are as after earlier epochs on the same corpus"},
    {StagingMode::prestage_caches, "prestage_caches", "caches are filled before the first step"},
    {StagingMode::prestage_store, "prestage_store", "the dataset is copied to its store before the first step"}};

struct Staging {
  StagingMode mode = StagingMode::warm;
  std::uint64_t epochs = 1;
  double kept = 1.0;
  std::string from;
  std::optional<double> bandwidth_bytes_per_s;
};

void describe(Staging& s, Visitor& v);

}  // namespace headrace::models
