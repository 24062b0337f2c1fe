#include "scenarios/document/units.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <regex>

#include "tests/catch.hpp"

namespace headrace::scenarios {
namespace {

using models::Unit;

double value(std::string_view text, Unit unit) {
  const auto parsed = parse_quantity(text, unit);
  INFO(text);
  REQUIRE(parsed);
  return *parsed;
}

UnitError failure(std::string_view text, Unit unit) {
  const auto parsed = parse_quantity(text, unit);
  INFO(text);
  REQUIRE(!parsed);
  return parsed.error();
}

}  // namespace

TEST_CASE("quantities of the manual read as written") {
  CHECK(value("25 GB/s", Unit::bytes_per_second) == 25e9);
  CHECK(value("400 Gb/s", Unit::bytes_per_second) == 50e9);
  CHECK(value("400 Gbps", Unit::bytes_per_second) == 50e9);
  CHECK(value("4 KiB", Unit::bytes) == 4096);
  CHECK(value("8 Kibit", Unit::bytes) == 1024);
  CHECK(value("400 Gbit/s", Unit::bytes_per_second) == 50e9);
  CHECK(value("115 kbit", Unit::bytes) == 14375);
  CHECK(value("4kB", Unit::bytes) == 4000);
  CHECK(value("500 TB", Unit::bytes) == 500e12);
  CHECK(value("1 PiB", Unit::bytes) == 1125899906842624.0);
  CHECK(value("50 ms", Unit::seconds) == 0.05);
  CHECK(value("1.5 h", Unit::seconds) == 5400);
  CHECK(value("3 \xC2\xB5s", Unit::seconds) == 3e-6);
  CHECK(value("$0.09/GB", Unit::usd_per_byte) == 0.09 / 1e9);
  CHECK(value("0.09 USD/GB", Unit::usd_per_byte) == 0.09 / 1e9);
  CHECK(value("$2.5/h", Unit::usd_per_hour) == 2.5);
  CHECK(value("$0.02/GB-month", Unit::usd_per_byte_month) == 0.02 / 1e9);
  CHECK(value("$0.4/1M requests", Unit::usd_per_request) == 0.4 / 1e6);
  CHECK(value("$30000", Unit::usd) == 30000);
  CHECK(value("-$5", Unit::usd) == -5);
  CHECK(value("5500 /s", Unit::per_second) == 5500);
  CHECK(value("3.3 MIOPS", Unit::per_second) == 3.3e6);
  CHECK(value("312 TFLOP/s", Unit::flop_per_second) == 312e12);
  CHECK(value("2 ms/MB", Unit::seconds_per_byte) == 2e-9);
  CHECK(value("70 %", Unit::fraction) == 0.7);
  CHECK(value("0.7", Unit::fraction) == 0.7);
  CHECK(value("0", Unit::bytes) == 0);
  CHECK(value("1e3 B", Unit::bytes) == 1000);
  CHECK(value("$0.1/kWh", Unit::usd_per_kwh) == 0.1);
  CHECK(value("1.2 kW", Unit::watts) == 1200);
}

TEST_CASE("errors of quantities name the fix") {
  CHECK(failure("25", Unit::bytes_per_second).code == "E0204");
  CHECK(failure("25", Unit::bytes_per_second).help == "write it with its unit, for example \"25 GB/s\"");
  CHECK(failure("$0.09", Unit::usd_per_byte).help == "write it with its unit, for example \"$0.09/GB\"");
  CHECK(failure("25 GB", Unit::bytes_per_second).code == "E0205");
  CHECK(failure("25 GB", Unit::bytes_per_second).message ==
        "'25 GB' is an amount of data, but a data rate is needed here");
  CHECK(failure("25 GB", Unit::bytes_per_second).help ==
        "write \"25 GB/s\" if that is per second, or \"25 Gb/s\" for bits, an eighth of it");
  CHECK(failure("25 Gb", Unit::bytes_per_second).help == "write \"25 Gb/s\" if that is per second");
  CHECK(failure("25 MS", Unit::seconds).help == "did you mean \"25 ms\"?");
  CHECK(failure("4 parsec", Unit::bytes).help == "write an amount of data, for example \"4 KiB\"");
  CHECK(failure("7 s", Unit::one).code == "E0205");
  for (const char* bad : {"", "NaN s", "inf s", "-inf s", "nan", "s", "--3 s", "one s", "$", "1e999 s", "1e-999 s"}) {
    CHECK(failure(bad, Unit::seconds).code == "E0206");
  }
  CHECK(failure("0x10 s", Unit::seconds).code == "E0205");
  CHECK(failure("1e300 PB", Unit::bytes).code == "E0206");
}

TEST_CASE("a spelling with two readings is refused with both and the factor between them") {
  for (const char* text : {"100 GBPS", "100 gbps", "100 gb/s", "100 GB/S", "100G", "100 g"}) {
    CHECK(failure(text, Unit::bytes_per_second).message == fmt::format("'{}' can mean two things", text));
    CHECK(failure(text, Unit::bytes_per_second).help ==
          "write \"100 GB/s\" for 100 gigabytes per second, or \"100 Gb/s\" for 100 gigabits per second: "
          "the first is 8 times the second");
  }
  for (const char* text : {"115kb", "115 Kb"})
    CHECK(failure(text, Unit::bytes).help ==
          "write \"115 kB\" for 115 kilobytes, or \"115 kbit\" for 115 kilobits: the first is 8 times the second");
  CHECK(failure("115 KB", Unit::bytes).help ==
        "write \"115 KiB\" for 115 kibibytes (powers of 1024), or \"115 kB\" for 115 kilobytes (powers of 1000): "
        "the first is 1.024 times the second");
  CHECK(failure("200G", Unit::bytes).help.find("the first is 1.074 times the second") != std::string::npos);
  CHECK(failure("9 KB/s", Unit::bytes_per_second).help.find("\"9 KiB/s\"") != std::string::npos);
  CHECK(failure("5 k", Unit::seconds).help == "write a time, for example \"50 ms\"");
}

TEST_CASE("several equal links or drives are stated as a product, and a link's rate may be in G") {
  for (const char* text : {"4x200G", "4 x 200 Gb/s", "4 * 200 Gbps", "4 \xC3\x97 200 Gbit/s", "800G", "0.8T"}) {
    const auto rate = parse_quantity(text, Unit::bytes_per_second, Rate::of_a_link);
    INFO(text);
    REQUIRE(rate);
    CHECK(*rate == 100e9);
    CHECK(std::regex_match(text, std::regex(unit_pattern(Unit::bytes_per_second, Rate::of_a_link))));
  }
  CHECK(value("8 x 3.84 TB", Unit::bytes) == 8 * 3.84e12);
  CHECK(failure("4x200G", Unit::bytes_per_second).message == "'200G' can mean two things");
  for (const char* text : {"0 x 5 TB", "x 5 TB", "4 x", "4 x x 5 TB", "2 x 3 x 5 TB"})
    CHECK(!parse_quantity(text, Unit::bytes));
  CHECK(failure("4 x 5 s", Unit::seconds).code == "E0205");
}

TEST_CASE("printed quantities are short and read back to the same bits") {
  CHECK(print_quantity(25e9, Unit::bytes_per_second) == "25 GB/s");
  CHECK(print_quantity(4096, Unit::bytes) == "4 KiB");
  CHECK(print_quantity(110000, Unit::bytes) == "110 kB");
  CHECK(print_quantity(0.05, Unit::seconds) == "50 ms");
  CHECK(print_quantity(0.2844, Unit::seconds) == "284.4 ms");
  CHECK(print_quantity(0.5, Unit::seconds) == "0.5 s");
  CHECK(print_quantity(3600, Unit::seconds) == "1 h");
  CHECK(print_quantity(0, Unit::seconds) == "0 s");
  CHECK(print_quantity(0.09 / 1e9, Unit::usd_per_byte) == "$0.09/GB");
  CHECK(print_quantity(2.5, Unit::usd_per_hour) == "$2.5/h");
  CHECK(print_quantity(-5, Unit::usd) == "-$5");
  CHECK(print_quantity(5500, Unit::per_second) == "5500 /s");
  CHECK(print_quantity(312e12, Unit::flop_per_second) == "312 TFLOP/s");
  CHECK(print_quantity(0.4 / 1e6, Unit::usd_per_request) == "$0.4/1M requests");
  CHECK(print_quantity(0.7, Unit::fraction) == "0.7");
}

TEST_CASE("print and parse are inverse for any double of any unit, and the schema pattern agrees") {
  std::uint64_t state = 1;
  std::vector<std::regex> patterns;
  for (int u = 0; u < 16; ++u) patterns.emplace_back(unit_pattern(static_cast<Unit>(u)), std::regex::ECMAScript);
  for (int i = 0; i < 640; ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const auto unit = static_cast<Unit>(i % 16);
    double number = static_cast<double>(state >> 11) * 0x1p-53;
    for (std::uint64_t scale = (state >> 3) % 24; scale > 0; --scale) number *= scale % 2 == 0 ? 10.0 : 7.0;
    if (i % 3 == 0) number = std::trunc(number);
    const std::string text = print_quantity(number, unit);
    INFO(text);
    const double back = value(text, unit);
    CHECK(std::bit_cast<std::uint64_t>(back) == std::bit_cast<std::uint64_t>(number));
    if (needs_unit(unit)) CHECK(std::regex_match(text, patterns[static_cast<std::size_t>(unit)]));
  }
}

}  // namespace headrace::scenarios

TEST_CASE("a quantity is printed with the fewest digits that read back to it") {
  for (int i = 1; i < 2000; ++i)
    for (const char* unit : {"ms", "us", "min"}) {
      const std::string text = fmt::format("{} {}", i / 10.0, unit);
      const double value = headrace::scenarios::parse_quantity(text, headrace::models::Unit::seconds).value();
      const std::string printed = headrace::scenarios::print_quantity(value, headrace::models::Unit::seconds);
      INFO(text);
      CHECK(printed.size() <= text.size());
      CHECK(headrace::scenarios::parse_quantity(printed, headrace::models::Unit::seconds).value() == value);
    }
}
