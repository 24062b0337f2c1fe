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
  CHECK(humane(41.157, "USD") == "$41.16");
  CHECK(humane(1234.0, "USD") == "$1,234");
  CHECK(humane(-0.5, "USD") == "-$0.50");
  CHECK(humane(0.00042, "USD") == "$0.00042");
  CHECK(humane(94.2, "%") == "94.20 %");
  CHECK(humane(1000.0, "B") == "1.000 kB");
  CHECK(humane(999.0, "B") == "999.0 B");
}

TEST_CASE("large sums have no more digits than count, but lines that add up are exact") {
  CHECK(humane(373625.6, "USD") == "$373,630");
  CHECK(humane(-1234567.0, "USD") == "-$1.235 M");
  CHECK(humane(111830579.66, "USD") == "$111.8 M");
  CHECK(humane(999.996, "USD") == "$1,000");
  CHECK(humane(999900.0, "USD") == "$999,900");
  CHECK(humane(999960.0, "USD") == "$1 M");
  CHECK(humane(2.5e9, "USD") == "$2.5 B");
  CHECK(humane(2.9312e-6, "USD") == "$0.00000293");
  CHECK(humane(0.15512, "USD") == "$0.155");  // "$0.16" lies outside $0.154 to $0.156
  CHECK(humane(0.0236, "USD") == "$0.0236");
  CHECK(humane(0.5, "USD") == "$0.50");
  CHECK(humane(0.05, "USD") == "$0.05");
  CHECK(humane(0.9996, "USD") == "$1.00");
  CHECK(exact_money(111830579.66) == "$111,830,579.66");
  CHECK(exact_money(-0.5) == "-$0.50");
  CHECK(exact_money(0.00042) == "$0.00042");
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
