#include "reports/humane.hpp"

#include <limits>

#include "tests/catch.hpp"

using namespace headrace::reports;

TEST_CASE("humane picks the unit that a person would pick") {
  CHECK(humane(0.323, "s") == "323.0 ms");
  CHECK(humane(0.0000025, "s", 2) == "2.5 us");
  CHECK(humane(0, "s") == "0 s");
  CHECK(humane(119.0, "s") == "119.0 s");
  CHECK(humane(5400.0, "s") == "90.00 min");
  CHECK(humane(86400.0 * 3, "s") == "3.000 days");
  CHECK(humane(25e9, "B/s") == "25.00 GB/s");
  CHECK(humane(500e12, "B") == "500.0 TB");
  CHECK(humane(0.973, "1") == "97.30 %");
  CHECK(humane(12800, "1/s") == "12,800 /s");
  CHECK(humane(31000, "requests/s", 3) == "31.0 k req/s");
  CHECK(humane(1234567.0, "USD") == "$1,234,567.00");
  CHECK(humane(-0.5, "USD") == "-$0.50");
  CHECK(humane(0.00042, "USD") == "$0.00042");
  CHECK(humane(94.2, "%") == "94.20 %");
  CHECK(humane(1000.0, "B") == "1.000 kB");
  CHECK(humane(999.0, "B") == "999.0 B");
}

TEST_CASE("humane says in words what is no number") {
  CHECK(humane(std::numeric_limits<double>::infinity(), "s") == "unlimited");
  CHECK(humane(std::numeric_limits<double>::quiet_NaN(), "USD") == "unknown");
}

TEST_CASE("percent never shows a small share as nothing") {
  CHECK(percent(0.5) == "50.0 %");
  CHECK(percent(0.0) == "0.0 %");
  CHECK(percent(0.0004) == "<0.1 %");
  CHECK(percent(0.0005) == "0.1 %");
  CHECK(percent(-0.0001) == ">-0.1 %");
}
