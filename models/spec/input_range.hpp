// What a scenario says about how well one of its figures is known. Headrace's own rule for everything else:
// models/study/uncertain_input.hpp.
#pragma once

#include <string>

#include "models/describe/declarations.hpp"

namespace headrace::models {

inline constexpr ChoiceName<Evidence> kEvidenceNames[] = {{Evidence::assumed, "assumed"},
                                                          {Evidence::datasheet, "datasheet"},
                                                          {Evidence::published, "published"},
                                                          {Evidence::measured, "measured"}};

struct InputRange {
  std::string parameter;
  std::string low;  ///< as a file spells the parameter; empty: the rule for the evidence
  std::string high;
  Evidence evidence = Evidence::assumed;
  bool same_volume = false;  ///< of a sample's size: the dataset keeps its bytes, and has more or fewer files
};

void describe(InputRange& r, Visitor& v);

}  // namespace headrace::models
