// What points of a ranking stand by.
#include "reports/ranked_by.hpp"

#include <nlohmann/json.hpp>

#include "tests/catch.hpp"

namespace headrace::reports {

TEST_CASE("a ranking says how many points are estimates, and how many runs were of some nodes") {
  RankedBy by;
  by.add({{"state", "best"}, {"steps", 512}});
  CHECK(by.text().empty());
  by.add(nullptr);  // a point that failed has no place
  by.add({{"state", "worse"}, {"steps", 0}});
  CHECK(by.text() == "Flow bounds say that 1 point is worse: its value is an estimate.");
  by.add({{"state", "known"}, {"steps", 128}, {"sampled_nodes", 25}});
  by.add({{"state", "known"}, {"steps", 128}, {"sampled_nodes", 16}});
  by.add({{"state", "worse"}, {"steps", 0}});
  CHECK(by.text() ==
        "Flow bounds say that 2 points are worse: their values are estimates. In brief runs of 2 points, 16 nodes "
        "stand for all, which are like them.");
}

}  // namespace headrace::reports
