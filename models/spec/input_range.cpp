#include "models/spec/input_range.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(InputRange& r, Visitor& v) {
  v.text("parameter", r.parameter,
         {.meaning = "JSON pointer of the figure, as for --set: /stores/0/latency", .required = true});
  v.text("low", r.low, {.meaning = "Lower end of its plausible range, in the form of the figure; none: by evidence"});
  v.text("high", r.high, {.meaning = "Upper end of its plausible range"});
  v.choice("evidence", r.evidence, kEvidenceNames,
           {.evidence = Evidence::assumed,
            .meaning = "How the figure is known; without low and high: assumed is drawn within a factor of 1.5, "
                       "datasheet within 1.1, published and measured are not drawn"});
  v.flag("same_volume", r.same_volume,
         {.meaning = "Of /datasets/N/sample_bytes: the dataset keeps its bytes, and has more files where samples are "
                     "smaller; else it keeps its files"});
  v.constraint("low with high", r.low.empty() == r.high.empty(), "a range has two ends", {"low", "high"});
}

}  // namespace headrace::models
