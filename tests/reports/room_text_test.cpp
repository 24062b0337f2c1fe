// What owned machines and their drives take, beside what they take today.
#include "reports/room_text.hpp"

#include "tests/catch.hpp"

namespace headrace::reports {

TEST_CASE("what only one of two rooms has stands beside none of the other") {
  models::RoomFacts writes;
  writes.node_drive_writes_per_day = 1.2;
  models::RoomFacts power;
  power.rack_units = 12.0;
  using Row = std::array<std::string, 3>;
  CHECK(room_rows(writes, &power) ==
        std::vector<Row>{{"drive writes a day, in capacities", "1.2 times (nodes)", "none"},
                         {"rack units of owned machines and stores", "none", "12"}});
  CHECK(room_rows(writes, nullptr) == std::vector<Row>{{"drive writes a day, in capacities", "1.2 times (nodes)", ""}});
  CHECK(room_rows(power, &power).front() == Row{"rack units of owned machines and stores", "12", "12"});
}

}  // namespace headrace::reports
