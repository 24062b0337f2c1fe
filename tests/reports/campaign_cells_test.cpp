// Cells that the texts of one job's campaign and of a cluster's share.
#include "reports/campaign_cells.hpp"

#include "tests/catch.hpp"

namespace headrace::reports {

TEST_CASE("both ends of an interval have the unit of its mean") {
  const auto cell = [](double mean, double low, double high, const char* unit) {
    return interval_cell({mean, models::Interval{low, high}}, unit, 3);
  };
  CHECK(cell(7308.0, 4716.0, 9900.0, "s") == "[1.31, 2.75] h");
  CHECK(cell(65.0, 58.0, 72.0, "s") == "[58.0, 72.0] s");
  CHECK(cell(168840.0, 162432.0, 174528.0, "s") == "[45.1, 48.5] h");
  CHECK(cell(0.0, 0.0, 1032.0, "s") == "[0, 17.2] min");
  CHECK(cell(4.195, 4.19, 4.2, "USD") == "[$4.19, $4.20]");
  CHECK(interval_cell({1.0, std::nullopt}, "s", 3).empty());
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
