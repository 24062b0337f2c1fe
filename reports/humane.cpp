#include "reports/humane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "models/outcome/outcome_metrics.hpp"
#include "reports/significant.hpp"

namespace headrace::reports {
namespace {

struct Prefix {
  double factor;
  std::string_view name;
};

constexpr std::array kDecimalPrefixes = {Prefix{1e15, "P"}, Prefix{1e12, "T"}, Prefix{1e9, "G"}, Prefix{1e6, "M"},
                                         Prefix{1e3, "k"}};

Scale decimal_scale(double magnitude, std::string_view unit, double from) {
  for (const Prefix& prefix : kDecimalPrefixes)
    if (magnitude >= prefix.factor && prefix.factor >= from)
      return {1.0 / prefix.factor, fmt::format("{}{}", prefix.name, unit)};
  return {1.0, std::string(unit)};
}

Scale time_scale(double magnitude) {
  if (magnitude == 0.0) return {1.0, "s"};
  if (magnitude < 1e-6) return {1e9, "ns"};
  if (magnitude < 1e-3) return {1e6, "us"};
  if (magnitude < 1.0) return {1e3, "ms"};
  if (magnitude < 120.0) return {1.0, "s"};
  if (magnitude < 7200.0) return {1.0 / 60.0, "min"};
  if (magnitude < 48.0 * 3600.0) return {1.0 / 3600.0, "h"};
  return {1.0 / 86400.0, "days"};
}

std::string with_thousands(std::string digits) {
  const std::size_t point = digits.find('.');
  const std::size_t whole_end = point == std::string::npos ? digits.size() : point;
  const std::size_t first = digits.starts_with('-') ? 1 : 0;
  for (std::size_t at = whole_end; at > first + 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string without_end_zeros(std::string decimals) {
  decimals.erase(decimals.find_last_not_of('0') + 1);
  return decimals;
}

std::string money_text(double usd) {
  constexpr double kBillion = 1e9;
  constexpr double kMillion = 1e6;
  constexpr double kReadsOne = 0.99995;  // with four digits that count
  constexpr double kThousand = 999.995;  // reads "$1000.00" to the cent
  constexpr double kCent = 0.01;
  const double size = std::abs(usd);
  if (size >= kReadsOne * kBillion) return fmt::format("{:.4g} B", size / kBillion);
  if (size >= kReadsOne * kMillion) return fmt::format("{:.4g} M", size / kMillion);
  if (size >= kThousand) return with_thousands(fmt::format("{:.0f}", significant(size, 5)));
  if (size >= kReadsOne || size == 0.0) return fmt::format("{:.2f}", size);
  if (size >= kCent) {  // three digits that count, no fewer than cents
    const std::string text = without_end_zeros(fmt::format("{:.{}f}", size, size < 0.0999995 ? 4 : 3));
    return text.size() < 4 ? text + std::string(4 - text.size(), '0') : text;
  }
  const int decimals = std::min(12, 2 - static_cast<int>(std::floor(std::log10(size))));
  return without_end_zeros(fmt::format("{:.{}f}", size, decimals));
}

}  // namespace

std::string shown_figure(double value, std::string_view unit, int digits) {
  constexpr double kRounding = 1e-9;    // as `humane` takes it for zero
  constexpr double kThousandth = 5e-6;  // of a percent, as rounded
  if (unit == "1" && std::abs(value) >= kRounding && std::abs(value) < kThousandth) return percent(value, 3);
  return humane(value, unit, digits);
}

std::string bill_line(double quantity, double usd) {
  return quantity > 0.0 && usd == 0.0 ? "free or not stated" : exact_money(usd);
}

std::string exact_money(double usd) {
  constexpr double kCent = 0.01;
  if (!std::isfinite(usd) || std::abs(usd) < kCent) return humane(usd, "USD");
  return (usd < 0.0 ? "-$" : "$") + with_thousands(fmt::format("{:.2f}", std::abs(usd)));
}

Scale humane_scale(double value, std::string_view unit) {
  const double magnitude = std::abs(value);
  if (unit == "1") return {100.0, "%"};
  if (unit == "s") return time_scale(magnitude);
  if (unit == "USD") return {1.0, "$", true};
  if (unit == "b/s" || unit == "B" || unit == "B/s" || unit == "B month" || unit == "FLOP/s")
    return decimal_scale(magnitude, unit, 0.0);
  if (unit == "1/s") return decimal_scale(magnitude, "/s", 1e6);
  if (unit == "requests") return decimal_scale(magnitude, " requests", 1e9);
  if (unit == "requests/s") return decimal_scale(magnitude, " req/s", magnitude >= 1e4 ? 1e3 : 1e6);
  return {1.0, std::string(unit)};
}

std::string humane_number(double value, int digits) {
  if (std::isnan(value)) return "unknown";
  if (std::isinf(value)) return value > 0 ? "unlimited" : "-unlimited";
  if (value == 0.0) return "0";
  const double magnitude = std::abs(value);
  if (magnitude < 1e-4 || magnitude >= 1e9) return fmt::format("{:.{}g}", value, digits);
  const int before_point = static_cast<int>(std::floor(std::log10(magnitude))) + 1;
  const int decimals = digits > before_point ? digits - before_point : 0;
  return with_thousands(fmt::format("{:.{}f}", value, decimals));
}

std::string humane(double value, std::string_view unit, int digits) {
  if (!std::isfinite(value)) return humane_number(value);
  constexpr double kRounding = 1e-9;  // a share this small is what rounding and nanoseconds leave of zero
  if (unit == "1" && std::abs(value) < kRounding) value = 0.0;
  const Scale scale = humane_scale(value, unit);
  if (scale.prefix) return fmt::format("{}{}{}", value < 0 ? "-" : "", scale.unit, money_text(value));
  const std::string number = humane_number(value * scale.factor, digits);
  if (scale.unit.empty()) return number;
  return fmt::format("{}{}{}", number, scale.unit.starts_with(' ') ? "" : " ", scale.unit);
}

std::string percent(double share, int decimals) {
  if (!std::isfinite(share)) return "unknown";
  const double shown = share * 100.0;
  const double smallest = std::pow(10.0, -decimals);
  if (shown != 0.0 && std::abs(shown) < smallest / 2)
    return fmt::format("{}{:.{}f} %", shown < 0 ? ">-" : "<", smallest, decimals);
  return fmt::format("{:.{}f} %", shown, decimals);
}

std::string span_text(const std::string& low, const std::string& high, std::string_view between) {
  return low == high ? low : fmt::format("{}{}{}", low, between, high);
}

std::string capital(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", humane_number(static_cast<double>(count), 1), noun, count == 1 ? "" : "s");
}

std::string factor_text(double factor) {
  return factor < 10.0 ? fmt::format("{:.2f} times", factor) : humane_number(factor, 3) + " times";
}

std::string spoken_name(std::string_view name) {
  if (const models::MetricDescription* metric = models::find_metric(name)) return std::string(metric->label);
  for (const std::string_view suffix : {"_bytes_per_s", "_per_s", "_percent", "_usd", "_s"})
    if (name.ends_with(suffix)) {
      name.remove_suffix(suffix.size());
      break;
    }
  return words(name);
}

std::string words(std::string_view name) {
  std::string spoken(name);
  std::replace(spoken.begin(), spoken.end(), '_', ' ');
  return spoken;
}

}  // namespace headrace::reports
