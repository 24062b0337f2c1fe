#include "models/spec/sequence_packing.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(SequencePacking& p, Visitor& v) {
  v.number("tokens", p.tokens,
           {.low = 512,
            .high = 131072,
            .min = 1,
            .max = 1e9,
            .evidence = Evidence::assumed,
            .meaning = "Tokens of one sequence",
            .log_scale = true,
            .decided = true});
  v.quantity("bytes_per_token", p.bytes_per_token, Unit::bytes,
             {.low = 2,
              .high = 8,
              .above = 0,
              .evidence = Evidence::assumed,
              .meaning = "Bytes of `sample_bytes` per token: 2 or 4 of token numbers, about 4 of English text"});
  v.choice("rule", p.rule, kPackingRuleNames,
           {.evidence = Evidence::assumed, .meaning = "How samples are packed into sequences", .decided = true});
  v.count("open", p.open,
          {.low = 1,
           .high = 1000,
           .min = 1,
           .max = 1024,
           .evidence = Evidence::assumed,
           .meaning = "Open sequences at a time, with rule: fit; if a sample fits into none of them, the oldest is "
                      "closed. 1: next fit",
           .log_scale = true,
           .decided = true});
}

}  // namespace headrace::models
