#include "scenarios/document/units.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "scenarios/document/unit_readings.hpp"

namespace headrace::scenarios {
namespace {

using models::Unit;

/// value = number * numerator / denominator; both are exact, so a round decimal stays the nearest double.
struct Spelling {
  std::string text;
  double numerator;
  double denominator;
  bool printed;  ///< may be chosen for printing
};

struct Prefix {
  std::string_view text;
  double scale;
};
constexpr std::array<Prefix, 7> kDecimal = {
    {{"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {"P", 1e15}, {"E", 1e18}}};
constexpr std::array<Prefix, 6> kBinary = {
    {{"Ki", 0x1p10}, {"Mi", 0x1p20}, {"Gi", 0x1p30}, {"Ti", 0x1p40}, {"Pi", 0x1p50}, {"Ei", 0x1p60}}};

struct Dimension {
  std::string_view symbol;
  std::string_view name;
  std::string_view example;
};

const Dimension& dimension(Unit unit) {
  static constexpr std::array<Dimension, 16> table = {{
      {"1", "a plain number", "1.5"},
      {"1", "a share", "70 %"},
      {"s", "a time", "50 ms"},
      {"B", "an amount of data", "4 KiB"},
      {"B/s", "a data rate", "25 GB/s"},
      {"1/s", "a rate", "5500 /s"},
      {"s/B", "a time per byte", "2 ms/MB"},
      {"FLOP", "an amount of arithmetic", "6 TFLOP"},
      {"FLOP/s", "an arithmetic rate", "312 TFLOP/s"},
      {"W", "a power", "700 W"},
      {"$", "an amount of money", "$30000"},
      {"$/h", "a price per time", "$2.5/h"},
      {"$/B", "a price per data", "$0.09/GB"},
      {"$/B-month", "a price per data kept", "$0.02/GB-month"},
      {"$/request", "a price per request", "$0.4/1M requests"},
      {"$/kWh", "a price of energy", "$0.1/kWh"},
  }};
  return table[static_cast<std::size_t>(unit)];
}

using Spellings = std::vector<Spelling>;

void add_decimal(Spellings& out, std::string_view base, double numerator, double denominator, bool printed) {
  for (const Prefix& p : kDecimal) {
    out.push_back({fmt::format("{}{}", p.text, base), numerator * p.scale, denominator, printed});
  }
}
void add_binary(Spellings& out, std::string_view base, double denominator, bool printed) {
  for (const Prefix& p : kBinary) out.push_back({fmt::format("{}{}", p.text, base), p.scale, denominator, printed});
}

void add_bytes(Spellings& out, std::string_view per) {
  add_decimal(out, fmt::format("B{}", per), 1, 1, true);
  add_binary(out, fmt::format("B{}", per), 1, true);
  for (const std::string_view bit : {"b", "bit"}) {
    if (per.empty() && bit == "b") continue;  // "115kb" mostly means bytes: see unit_readings.hpp
    add_decimal(out, fmt::format("{}{}", bit, per), 1, 8, false);
    add_binary(out, fmt::format("{}{}", bit, per), 8, false);
  }
}

void add_per_bytes(Spellings& out, std::string_view before, std::string_view after, double numerator,
                   double denominator, bool printed) {
  for (const Prefix& p : kDecimal) {
    out.push_back({fmt::format("{}{}B{}", before, p.text, after), numerator, denominator * p.scale, printed});
  }
  for (const Prefix& p : kBinary) {
    out.push_back({fmt::format("{}{}B{}", before, p.text, after), numerator, denominator * p.scale, false});
  }
}

Spellings times() {
  return {{"s", 1, 1, true},
          {"ms", 1, 1e3, true},
          {"us", 1, 1e6, true},
          {"ns", 1, 1e9, true},
          {"min", 60, 1, true},
          {"h", 3600, 1, true},
          {"d", 86400, 1, true},
          {"\xC2\xB5s", 1, 1e6, false},
          {"week", 604800, 1, false},
          {"weeks", 604800, 1, false},
          {"days", 86400, 1, false},
          {"hours", 3600, 1, false},
          {"year", 31536000, 1, false},
          {"years", 31536000, 1, false}};
}

void add_rates(Spellings& out) {
  for (const Prefix& p : kDecimal) {
    if (p.scale > 1e12) break;
    out.push_back({fmt::format("{}/s", p.text), p.scale, 1, true});
    for (std::string_view what : {"IOPS", "req/s", "requests/s", "ops/s", "samples/s", "tokens/s", "files/s"}) {
      out.push_back({fmt::format("{}{}", p.text, what), p.scale, 1, false});
      if (!p.text.empty()) out.push_back({fmt::format("{} {}", p.text, what), p.scale, 1, false});
    }
  }
  out.push_back({"1/s", 1, 1, false});
  out.push_back({"/min", 1, 60, false});
  out.push_back({"/h", 1, 3600, false});
}

void add_money(Spellings& out, Unit unit) {
  switch (unit) {
    case Unit::usd:
      out = {{"$", 1, 1, true}, {"$k", 1e3, 1, false}, {"$M", 1e6, 1, false}, {"$B", 1e9, 1, false}};
      break;
    case Unit::usd_per_hour:
      out = {{"$/h", 1, 1, true},        {"$/hour", 1, 1, false},    {"$/d", 1, 24, false},   {"$/day", 1, 24, false},
             {"$/month", 1, 730, false}, {"$/year", 1, 8760, false}, {"$/s", 3600, 1, false}, {"$/min", 60, 1, false}};
      break;
    case Unit::usd_per_byte:
      add_per_bytes(out, "$/", "", 1, 1, true);
      break;
    case Unit::usd_per_byte_month:
      add_per_bytes(out, "$/", "-month", 1, 1, true);
      add_per_bytes(out, "$/", "/month", 1, 1, false);
      break;
    case Unit::usd_per_request:
      out = {{"$/request", 1, 1, true},
             {"$/1000 requests", 1, 1e3, false},
             {"$/1k requests", 1, 1e3, false},
             {"$/10k requests", 1, 1e4, false},
             {"$/1M requests", 1, 1e6, true}};
      break;
    default:
      out = {{"$/kWh", 1, 1, true}, {"$/MWh", 1, 1e3, false}};
      break;
  }
}

Spellings make_spellings(Unit unit) {
  Spellings out;
  switch (unit) {
    case Unit::one:
      break;
    case Unit::fraction:
      out = {{"%", 1, 100, false}};
      break;
    case Unit::seconds:
      out = times();
      break;
    case Unit::bytes:
      add_bytes(out, "");
      out.push_back({"bytes", 1, 1, false});
      break;
    case Unit::bytes_per_second:
      add_bytes(out, "/s");
      add_decimal(out, "bps", 1, 8, false);
      add_decimal(out, "Bps", 1, 1, false);
      add_decimal(out, "bits/s", 1, 8, false);
      break;
    case Unit::per_second:
      add_rates(out);
      break;
    case Unit::seconds_per_byte:
      for (const Spelling& t : times()) {
        if (t.numerator == 1) add_per_bytes(out, t.text + "/", "", 1, t.denominator, t.printed);
      }
      break;
    case Unit::flop:
      add_decimal(out, "FLOP", 1, 1, true);
      break;
    case Unit::flop_per_second:
      add_decimal(out, "FLOP/s", 1, 1, true);
      add_decimal(out, "FLOPS", 1, 1, false);
      break;
    case Unit::watts:
      add_decimal(out, "W", 1, 1, true);
      out.push_back({"mW", 1, 1e3, false});
      break;
    default:
      add_money(out, unit);
      break;
  }
  return out;
}

constexpr std::size_t kUnitCount = 16;

const Spellings& spellings(Unit unit) {
  static const std::array<Spellings, kUnitCount> all = [] {
    std::array<Spellings, kUnitCount> made;
    for (std::size_t i = 0; i < kUnitCount; ++i) made[i] = make_spellings(static_cast<Unit>(i));
    return made;
  }();
  return all[static_cast<std::size_t>(unit)];
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }
std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

struct Parts {
  double number = 0.0;
  std::string unit;  ///< "$/GB" for "$0.09/GB" and "0.09 USD/GB"
};

UnitError not_a_number(std::string_view text, Unit unit) {
  return {"E0206", fmt::format("'{}' is not a finite number with a unit", text),
          fmt::format("write {}, for example \"{}\"", dimension(unit).name, dimension(unit).example)};
}

/// Splits "[-][$]number[ ]unit". The number must be finite decimal notation: no NaN, infinity or hexadecimal.
tl::expected<Parts, UnitError> split(std::string_view text, Unit unit) {
  std::string_view rest = trim(text);
  bool negative = false;
  bool money = false;
  if (!rest.empty() && (rest.front() == '-' || rest.front() == '+')) {
    negative = rest.front() == '-';
    rest.remove_prefix(1);
  }
  if (!rest.empty() && rest.front() == '$') {
    money = true;
    rest = trim(rest.substr(1));
  }
  if (rest.empty() || !((rest.front() >= '0' && rest.front() <= '9') || rest.front() == '.')) {
    return tl::unexpected(not_a_number(text, unit));
  }
  Parts parts;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), parts.number);
  if (error == std::errc::result_out_of_range) {
    return tl::unexpected(UnitError{"E0206", fmt::format("the number in '{}' is outside the range of a double", text),
                                    "use a number between 1e-300 and 1e300"});
  }
  if (error != std::errc()) return tl::unexpected(not_a_number(text, unit));
  if (negative) parts.number = -parts.number;
  const std::string_view tail = trim(rest.substr(static_cast<std::size_t>(end - rest.data())));
  parts.unit = tail;
  if (money) parts.unit = fmt::format("${}", tail);
  if (tail.substr(0, 3) == "USD") parts.unit = fmt::format("${}", tail.substr(3));
  return parts;
}

/// "200G" of a network link is 200 Gb/s.
bool is_link_rate(std::string_view unit) { return unit == "M" || unit == "G" || unit == "T"; }

/// What people write beside the spellings of the table: "GB/sec", and of links "200GbE" and "200 Gbit".
std::string usual_spelling(std::string unit, Rate rate) {
  if (unit.ends_with("/sec")) unit.resize(unit.size() - 2);
  if (rate != Rate::of_a_link) return unit;
  for (const std::string_view ending : {"bE", "bit", "bps"})
    if (unit.size() == ending.size() + 1 && is_link_rate(unit.substr(0, 1)) && unit.ends_with(ending))
      return unit.substr(0, 1) + "b/s";
  return is_link_rate(unit) ? unit + "b/s" : unit;
}

const Spelling* find_spelling(std::string_view text, Unit unit) {
  for (const Spelling& s : spellings(unit)) {
    if (s.text == text) return &s;
  }
  return nullptr;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool equal_but_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

/// Where "Gb/s" differs from the given "GB/s": money puts its number behind the sign.
std::string with_number(std::string_view number, std::string_view unit) {
  if (!unit.empty() && unit.front() == '$') {
    const bool negative = !number.empty() && number.front() == '-';
    return fmt::format("{}${}{}", negative ? "-" : "", number.substr(negative ? 1 : 0), unit.substr(1));
  }
  return fmt::format("{} {}", number, unit);
}

/// The own number with the unit that it probably lacks: "100 GB" where a rate is needed is "100 GB/s".
std::string fix_of_dimension(const Parts& parts, Unit unit) {
  const std::string rate = parts.unit + "/s";
  if (unit == Unit::bytes_per_second && find_spelling(rate, unit) != nullptr) {
    const std::string number = print_number(parts.number);
    const std::string told = fmt::format("write \"{}\" if that is per second", with_number(number, rate));
    std::string bits = rate;
    if (bits.size() < 3 || bits[bits.size() - 3] != 'B') return told;
    bits[bits.size() - 3] = 'b';  // networks are sold in bits
    if (find_spelling(bits, unit) == nullptr) return told;
    return fmt::format("{}, or \"{}\" for bits, an eighth of it", told, with_number(number, bits));
  }
  return fmt::format("write {}, for example \"{}\"", dimension(unit).name, dimension(unit).example);
}

/// Spellings that differ from the given one by upper and lower case: "10 MS", "3 miops".
std::string near_spellings(const Parts& parts, Unit unit) {
  std::string near;
  for (const Spelling& s : spellings(unit))
    if (equal_but_case(s.text, parts.unit))
      near += fmt::format("{}\"{}\"", near.empty() ? "" : " or ", with_number(print_number(parts.number), s.text));
  return near;
}

UnitError unknown_unit(std::string_view text, const Parts& parts, Unit unit) {
  if (auto both = two_readings(print_number(parts.number), parts.unit, unit))
    return {"E0219", fmt::format("'{}' can mean two things", text), std::move(*both)};
  for (std::size_t i = 1; i < kUnitCount; ++i) {
    const auto other = static_cast<Unit>(i);
    if (other != unit && find_spelling(parts.unit, other) != nullptr) {
      return {"E0205",
              fmt::format("'{}' is {}, but {} is needed here", text, dimension(other).name, dimension(unit).name),
              fix_of_dimension(parts, unit)};
    }
  }
  if (unit == Unit::seconds && parts.unit == "m")
    return {"E0205", "unknown unit 'm'",
            fmt::format("write \"{0} min\" for minutes, or \"{0} ms\" for milliseconds", print_number(parts.number))};
  const std::string near = near_spellings(parts, unit);
  return {"E0205", fmt::format("unknown unit '{}'", parts.unit),
          near.empty() ? fix_of_dimension(parts, unit) : fmt::format("did you mean {}?", near)};
}

/// Data and data rates may be stated as several equal ones: "4 x 200 Gb/s", "8 x 3.84 TB".
bool takes_multiple(Unit unit) { return unit == Unit::bytes || unit == Unit::bytes_per_second; }

tl::expected<double, UnitError> parse_single(std::string_view text, Unit unit, Rate rate) {
  auto parts = split(text, unit);
  if (!parts) return tl::unexpected(parts.error());
  if (parts->unit.empty() || (parts->unit == "$" && unit != Unit::usd)) {
    if (!needs_unit(unit) || parts->number == 0.0) return parts->number;
    return tl::unexpected(missing_unit(trim(text), unit));
  }
  parts->unit = usual_spelling(std::move(parts->unit), rate);
  const Spelling* spelling = find_spelling(parts->unit, unit);
  if (spelling == nullptr) {
    if (unit == Unit::one) {
      return tl::unexpected(UnitError{"E0205", fmt::format("'{}' has a unit, but a plain number is needed here", text),
                                      fmt::format("write {}", print_number(parts->number))});
    }
    return tl::unexpected(unknown_unit(text, *parts, unit));
  }
  const double value = parts->number * spelling->numerator / spelling->denominator;
  if (!std::isfinite(value)) return tl::unexpected(not_a_number(text, unit));
  return value;
}

}  // namespace

Multiple split_multiple(std::string_view text) {
  const std::string_view rest = trim(text);
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), count);
  std::string_view each = trim(rest.substr(static_cast<std::size_t>(end - rest.data())));
  if (error != std::errc() || rest.front() == '0' || count > 1'000'000) return {1, text};
  for (const std::string_view times : {"x", "X", "*", "\xC3\x97"}) {
    if (!each.starts_with(times)) continue;
    each = trim(each.substr(times.size()));
    const bool number = !each.empty() && ((each.front() >= '0' && each.front() <= '9') || each.front() == '.');
    return number ? Multiple{count, each} : Multiple{1, text};
  }
  return {1, text};
}

tl::expected<double, UnitError> parse_quantity(std::string_view text, Unit unit, Rate rate) {
  if (takes_multiple(unit)) {
    const auto [count, each] = split_multiple(text);
    if (count > 1 || each.size() < text.size())
      return parse_single(each, unit, rate).map([n = static_cast<double>(count)](double one) { return n * one; });
  }
  return parse_single(text, unit, rate);
}

UnitError missing_unit(std::string_view number, Unit unit) {
  std::string_view symbol = dimension(unit).example;
  std::string fix;
  if (!number.empty() && number.front() == '$') number.remove_prefix(1);
  if (symbol.front() == '$') {
    symbol.remove_prefix(1);
    symbol.remove_prefix(std::min(symbol.find_first_not_of("0123456789."), symbol.size()));
    fix = fmt::format("${}{}", number, symbol);
  } else if (unit == Unit::seconds) {
    fix = fmt::format("{0} s\" or \"{0} ms", number);
  } else {
    fix = fmt::format("{}{}", number, symbol.substr(symbol.find(' ')));
  }
  return {"E0204", fmt::format("{} has no unit, but {} is needed here", number, dimension(unit).name),
          fmt::format("write it with its unit, for example \"{}\"", fix)};
}

std::string print_number(double value) {
  std::array<char, 32> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value == 0.0 ? 0.0 : value);
  return error == std::errc() ? std::string(buffer.data(), end) : std::string("0");
}

namespace {

/// The number of a quantity whose value in the base unit is `value`. Scaling to the unit rounds, so the shortest text
/// of the scaled number may have 17 digits where one of 15 reads back to the same value: 1999.9999999999998 for 2000.
std::string print_scaled(double scaled, double value, const Spelling& spelling) {
  constexpr int most_digits = 15;
  std::string text = print_number(scaled);
  if (text.size() <= most_digits) return text;
  std::array<char, 32> buffer{};
  const auto [end, error] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), scaled, std::chars_format::general, most_digits);
  if (error != std::errc()) return text;
  double rounded = 0.0;
  std::from_chars(buffer.data(), end, rounded);
  return rounded * spelling.numerator / spelling.denominator == value ? print_number(rounded) : text;
}

}  // namespace

std::string print_quantity(double value, Unit unit) {
  if (!needs_unit(unit)) return print_number(value);
  std::string best;
  std::size_t best_cost = SIZE_MAX;
  for (const Spelling& s : spellings(unit)) {
    if (!s.printed) continue;
    const double scaled = value * s.denominator / s.numerator;
    const std::string number = print_scaled(scaled, value, s);
    std::string text = with_number(number, s.text);
    const auto back = parse_quantity(text, unit);
    if (!back || *back != value) continue;
    const double size = std::abs(scaled);
    const bool plain = value == 0.0 || s.text.front() == '$' || (size >= 0.1 && size < 10000.0);
    // Prices of data are quoted per GB.
    const bool unusual = s.text.substr(0, 2) == "$/" && s.text.find("GB") == std::string::npos;
    // "3.16 GB/s" rather than "3160 MB/s", and "5500 /s" as it is.
    const bool thousands = plain && size >= 1000.0 && s.text.front() != '$' && s.numerator != s.denominator;
    const bool below_one = size < 1.0;  // "284.4 ms" rather than "0.2844 s", which is as long
    const std::size_t cost = 2 * (text.size() + (plain ? 0 : 4) + (unusual ? 8 : 0)) + (thousands || below_one ? 1 : 0);
    if (cost < best_cost) {
      best = std::move(text);
      best_cost = cost;
    }
  }
  return best;
}

bool needs_unit(Unit unit) { return unit != Unit::one && unit != Unit::fraction; }
std::string_view unit_symbol(Unit unit) { return dimension(unit).symbol; }
std::string_view unit_dimension(Unit unit) { return dimension(unit).name; }
std::string_view unit_example(Unit unit) { return dimension(unit).example; }

std::vector<std::string> unit_spellings(Unit unit) {
  std::vector<std::string> out;
  for (const Spelling& s : spellings(unit)) out.push_back(s.text);
  return out;
}

std::string unit_pattern(Unit unit, Rate rate) {
  const std::string number = "[-+]?[0-9]*\\.?[0-9]+([eE][-+]?[0-9]+)?";
  const bool money = dimension(unit).symbol.front() == '$';
  std::string alternatives;
  for (const Spelling& s : spellings(unit)) {
    if (&s != &spellings(unit).front()) alternatives += "|";
    alternatives += money ? s.text.substr(1) : s.text;
  }
  if (unit == Unit::one) return fmt::format("^{}$", number);
  if (unit == Unit::fraction) return fmt::format("^{} ?%?$", number);
  if (money) return fmt::format("^(-?\\$ ?{0}|{0} ?USD) ?({1})$", "[0-9]*\\.?[0-9]+([eE][-+]?[0-9]+)?", alternatives);
  if (rate == Rate::of_a_link) alternatives += "|[MGT]";
  return fmt::format("^({}{} ?({})|0)$", takes_multiple(unit) ? "([1-9][0-9]* ?(x|X|\\*|\xC3\x97) ?)?" : "", number,
                     alternatives);
}

}  // namespace headrace::scenarios
