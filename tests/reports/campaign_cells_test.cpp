// Cells that the texts of one job's campaign and of a cluster's share.
#include "reports/campaign_cells.hpp"

#include "tests/catch.hpp"

namespace headrace::reports {

TEST_CASE("both ends of an interval have one unit, that of the larger") {
  CHECK(interval_cell(models::Interval{4716.0, 9900.0}, "s", 3) == "[1.31, 2.75] h");
  CHECK(interval_cell(models::Interval{58.0, 72.0}, "s", 3) == "[58.0, 72.0] s");
  CHECK(interval_cell(models::Interval{4.19, 4.2}, "USD", 4) == "[$4.19, $4.20]");
  CHECK(interval_cell(std::nullopt, "s", 3).empty());
}

TEST_CASE("hours in which nodes are free are no cause that hours are lost to") {
  const NamedLoss free{"idle", "free while no job waits", "33 %"};
  const NamedLoss sharing{"sharing", "slower work beside other jobs", "11 %"};
  CHECK(most_lost_sentence({free, sharing}) ==
        "Free while no job waits (33 %). Of what jobs lose, most goes to: slower work beside other jobs "
        "(11 %).");
  CHECK(most_lost_sentence({sharing, free}) ==
        "Of what jobs lose, most goes to: slower work beside other jobs (11 %).");
  CHECK(most_lost_sentence({free}) == "Free while no job waits (33 %).");
  CHECK(most_lost_sentence({}).empty());
}

TEST_CASE("a start without image and imports says so") {
  models::PhaseTimes phases;
  phases.first_batch_s = 0.0277;
  CHECK(warm_start_text(0.0277, phases) == "warm 27.7 ms; no image stated");
  phases.imports_s = 20.0;
  CHECK(warm_start_text(30.2, phases) == "warm 30.2 s");
}

}  // namespace headrace::reports
