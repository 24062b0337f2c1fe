#include "models/spec/traffic_class.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe_traffic_class(TrafficClass& c, Visitor& v) {
  v.count("weight", c.weight,
          {.low = 1,
           .high = 16,
           .min = 1,
           .max = 1000,
           .evidence = Evidence::assumed,
           .meaning = "Quality of service: on saturated links and stores each transfer and request (or all together, "
                      "see weight_of) is served like this many of weight 1",
           .log_scale = true,
           .decided = true});
  v.choice("priority", c.priority, kPriorityNames,
           {.evidence = Evidence::assumed,
            .meaning = "Quality of service: strict priority on links and store; a lower class gets what the higher "
                       "ones leave, but always a thousandth",
            .decided = true});
  v.choice("weight_of", c.weight_of, kWeightOfNames,
           {.evidence = Evidence::assumed, .meaning = "What the weight belongs to", .decided = true});
}

}  // namespace headrace::models
