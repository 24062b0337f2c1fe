#include "scenarios/document/unit_readings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace headrace::scenarios {
namespace {

using models::Unit;

struct Magnitude {
  char letter;
  std::string_view decimal;
  std::string_view binary;
  double scale;         ///< of the decimal prefix
  double binary_scale;  ///< of the binary prefix
};
constexpr Magnitude kMagnitudes[] = {{'k', "kilo", "kibi", 1e3, 0x1p10},
                                     {'M', "mega", "mebi", 1e6, 0x1p20},
                                     {'G', "giga", "gibi", 1e9, 0x1p30},
                                     {'T', "tera", "tebi", 1e12, 0x1p40},
                                     {'P', "peta", "pebi", 1e15, 0x1p50}};

char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

const Magnitude* magnitude_of(char letter) {
  for (const Magnitude& magnitude : kMagnitudes)
    if (to_lower(letter) == to_lower(magnitude.letter)) return &magnitude;
  return nullptr;
}

/// One way to read the spelling.
struct Reading {
  std::string write;  ///< "100 GB/s"
  std::string words;  ///< "100 gigabytes per second"
  double size;        ///< relative to the others
};

std::string advice_between(const Reading& larger, const Reading& smaller) {
  return fmt::format("write \"{}\" for {}, or \"{}\" for {}: the first is {:.4g} times the second", larger.write,
                     larger.words, smaller.write, smaller.words, larger.size / smaller.size);
}

class Readings {
 public:
  Readings(std::string_view number, const Magnitude& magnitude, bool rate)
      : number_(number), magnitude_(magnitude), rate_(rate) {}

  std::string bytes_or_bits() const { return advice_between(bytes(), bits()); }
  std::string thousands_or_1024() const {
    Reading decimal = bytes();
    decimal.words += " (powers of 1000)";
    return advice_between(binary_bytes(), decimal);
  }

 private:
  std::string_view per() const { return rate_ ? "/s" : ""; }
  std::string_view in_words() const { return rate_ ? " per second" : ""; }
  Reading bytes() const {
    return {fmt::format("{} {}B{}", number_, magnitude_.letter, per()),
            fmt::format("{} {}bytes{}", number_, magnitude_.decimal, in_words()), magnitude_.scale};
  }
  Reading bits() const {
    return {fmt::format("{} {}{}{}", number_, magnitude_.letter, rate_ ? "b" : "bit", per()),
            fmt::format("{} {}bits{}", number_, magnitude_.decimal, in_words()), magnitude_.scale / 8.0};
  }
  Reading binary_bytes() const {
    return {fmt::format("{} {}iB{}", number_, magnitude_.letter == 'k' ? 'K' : magnitude_.letter, per()),
            fmt::format("{} {}bytes{} (powers of 1024)", number_, magnitude_.binary, in_words()),
            magnitude_.binary_scale};
  }

  std::string_view number_;
  const Magnitude& magnitude_;
  bool rate_;
};

}  // namespace

std::optional<std::string> two_readings(std::string_view number, std::string_view given, Unit unit) {
  const bool rate = unit == Unit::bytes_per_second;
  if ((!rate && unit != Unit::bytes) || given.empty()) return std::nullopt;
  const Magnitude* magnitude = magnitude_of(given.front());
  if (magnitude == nullptr) return std::nullopt;
  const std::string_view rest = given.substr(1);
  std::string plain(rest);
  std::transform(plain.begin(), plain.end(), plain.begin(), to_lower);
  const Readings readings(number, *magnitude, rate);
  if (rest.empty()) return rate ? readings.bytes_or_bits() : readings.thousands_or_1024();
  if (given.front() == 'K' && rest == (rate ? "B/s" : "B")) return readings.thousands_or_1024();
  const bool known = rate ? plain == "b/s" || plain == "bps" : plain == "b";
  return known ? std::optional(readings.bytes_or_bits()) : std::nullopt;
}

}  // namespace headrace::scenarios
