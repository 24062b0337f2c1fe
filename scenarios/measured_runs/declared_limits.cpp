#include "scenarios/measured_runs/declared_limits.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "scenarios/importers/workload_figures.hpp"

namespace headrace::scenarios {
namespace {

constexpr double kBytesPerGigabit = 1e9 / 8.0;
constexpr double kMostUnitlessGigabytes = 100.0;  ///< a number without a unit from here on is MB/s

/// Calls `take` with every part between bars, lower case, with no blanks in front.
template <class Take>
void each_part(std::string_view text, Take take) {
  while (!text.empty()) {
    const std::size_t bar = text.find('|');
    std::string part = lower_case(std::string(text.substr(0, bar)));
    part.erase(0, std::min(part.find_first_not_of(' '), part.size()));
    take(part);
    text.remove_prefix(bar == std::string_view::npos ? text.size() : bar + 1);
  }
}

/// The number at `at`, which then stands behind it.
std::optional<double> number_at(const std::string& text, std::size_t& at) {
  double value = 0.0;
  const char* begin = text.data() + at;
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
  if (error != std::errc() || !(value > 0.0) || value > 1e9) return std::nullopt;
  at += static_cast<std::size_t>(end - begin);
  return value;
}

/// "8x" anywhere before `end`: how many drives; 1 where none stands.
double multiple_before(const std::string& part, std::size_t end) {
  for (std::size_t x = part.find('x'); x < end; x = part.find('x', x + 1)) {
    std::size_t begin = x;
    while (begin > 0 && part[begin - 1] >= '0' && part[begin - 1] <= '9') --begin;
    if (begin == x) continue;
    return number_at(part, begin).value_or(1.0);
  }
  return 1.0;
}

/// Drops the commas that stand between a digit and three more: "7,000" is 7000, "2,5" stays.
std::string without_thousands_commas(std::string text) {
  const auto digit = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
  for (std::size_t at = text.find(','); at != std::string::npos; at = text.find(',', at + 1)) {
    const bool before = at > 0 && digit(at - 1);
    if (before && digit(at + 1) && digit(at + 2) && digit(at + 3) && !digit(at + 4)) text.erase(at, 1);
  }
  return text;
}

/// Bytes/s of 1 in the unit that stands behind a rate. Without a unit no drive reads 100 GB/s and none 100 MB/s.
double rate_unit(std::string_view rest, double rate) {
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  constexpr std::pair<std::string_view, double> kUnits[] = {{"gib", 1073741824.0}, {"mib", 1048576.0}, {"gb", 1e9},
                                                            {"mb", 1e6},           {"tb", 1e12},       {"kb", 1e3}};
  for (const auto& [name, bytes_per_s] : kUnits)
    if (rest.starts_with(name)) return bytes_per_s;
  return rate < kMostUnitlessGigabytes ? 1e9 : 1e6;
}

/// Whether the words in brackets say that the drives hold no data of the job.
bool holds_no_data(const std::string& part) {
  for (const char* other : {"[os", " os]"})
    if (part.find(other) != std::string::npos) return true;
  bool metadata = false;
  for (std::size_t at = part.find("data"); at != std::string::npos; at = part.find("data", at + 1)) {
    if (at < 4 || part.compare(at - 4, 4, "meta") != 0) return false;
    metadata = true;
  }
  return metadata;
}

double drive_rate(const std::string& words) {
  const std::string part = without_thousands_commas(words);
  std::size_t at = part.find(" rd ");
  if (at == std::string::npos || holds_no_data(part)) return 0.0;
  const double drives = multiple_before(part, at);
  at += 4;
  const auto rate = number_at(part, at);
  return rate ? drives * *rate * rate_unit(std::string_view(part).substr(at), *rate) : 0.0;
}

/// "nic 2x200+2x100".
double card_rate(const std::string& part) {
  std::size_t at = part.find("nic ");
  if (at == std::string::npos) return 0.0;
  at += 4;
  double sum = 0.0;
  for (;;) {
    const auto cards = number_at(part, at);
    if (!cards || at >= part.size() || part[at] != 'x') return sum;
    ++at;
    const auto speed = number_at(part, at);
    if (!speed) return sum;
    sum += *cards * *speed * kBytesPerGigabit;
    if (at >= part.size() || part[at] != '+') return sum;
    ++at;
  }
}

}  // namespace

double declared_drive_bytes_per_s(std::string_view media) {
  double sum = 0.0;
  each_part(media, [&](const std::string& part) { sum += drive_rate(part); });
  return sum;
}

double declared_client_nic_bytes_per_s(std::string_view nodes) {
  double slowest = 0.0;
  each_part(nodes, [&](const std::string& part) {
    if (!part.starts_with("client") && !part.starts_with("localhost")) return;
    const double rate = card_rate(part);
    if (rate > 0.0) slowest = slowest > 0.0 ? std::min(slowest, rate) : rate;
  });
  return slowest;
}

}  // namespace headrace::scenarios
