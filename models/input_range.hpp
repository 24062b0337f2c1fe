// What a scenario says about how well one of its figures is known. Headrace's own rule for everything else:
// models/uncertain_input.hpp.
#pragma once

#include <string>

#include "models/describe/describe.hpp"

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
};

template <class V>
void describe(InputRange& r, V& v) {
  v.text("parameter", r.parameter,
         {.meaning = "JSON pointer of the figure, as --set takes it: /stores/0/latency", .required = true});
  v.text("low", r.low, {.meaning = "Lower end of its plausible range, spelled like the figure; none: by evidence"});
  v.text("high", r.high, {.meaning = "Upper end of its plausible range"});
  v.choice("evidence", r.evidence, kEvidenceNames,
           {.evidence = Evidence::assumed,
            .meaning = "How the figure is known; without low and high: assumed is drawn within a factor of 1.5, "
                       "datasheet of 1.1, published and measured are taken as they are"});
  v.constraint("low with high", r.low.empty() == r.high.empty(), "a range has two ends", {"low", "high"});
}

}  // namespace headrace::models
